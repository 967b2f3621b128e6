"""From the explanations of many runs to the rows of a report."""

from collections.abc import Sequence
from dataclasses import dataclass

from nlpfeat.compare.explaining.agreement_rows import agreement_rows
from nlpfeat.compare.explaining.documents_to_explain import ExplainedTexts
from nlpfeat.compare.explaining.faithfulness_rows import faithfulness_rows
from nlpfeat.compare.explaining.findings import Agreement, Faithfulness, Omission
from nlpfeat.compare.explaining.omission_rows import omission_rows
from nlpfeat.compare.explaining.run_explanation import RunExplanation
from nlpfeat.compare.explaining.strips import strips
from nlpfeat.compare.findings import Strip
from nlpfeat.errors import InvalidInputError


@dataclass(frozen=True)
class Explanations:
    """What a report says of why models say what they say."""

    faithfulness: list[Faithfulness]
    agreement: list[Agreement]
    omission: list[Omission]
    strips: list[Strip]
    notes: list[str]


def combine(
    texts: Sequence[ExplainedTexts],
    runs: Sequence[RunExplanation],
    *,
    n_strips: int = 6,
    attention: str | None = None,
    linear: str | None = None,
    n_resamples: int = 10_000,
    random_state: int = 0,
) -> Explanations:
    """Return the rows of all models, each over all its runs.

    Parameters
    ----------
    texts : sequence of ExplainedTexts
        One for each split.
    runs : sequence of RunExplanation
        Of any models, splits and seeds; models stand in the order in which they come first.
    n_strips : int, default 6
        Documents of the first split that are shown with the predictions of each model's first run;
        0 shows no text.
    attention, linear : str, default None
        The models whose weights the strips show; None: the first that has such weights.
    n_resamples : int, default 10,000
        Of the documents, for the intervals.
    random_state : int, default 0

    Returns
    -------
    Explanations
        Figures are means over documents and runs; ``n_documents`` counts each document once. A
        model has no row of agreement with a score where tau is defined in no document, and none of
        omission where no document has a token of each kind. Notes tell of documents that were too
        long to be explained.

    Raises
    ------
    InvalidInputError
        When there is a run of a split without its texts.
    """
    by_split = {each.split: each for each in texts}
    missing = sorted({run.split for run in runs} - set(by_split))
    if missing:
        raise InvalidInputError(
            f"texts must hold the explained texts of each split of the runs. Got none of split "
            f"{missing[0]}."
        )
    models: dict[str, list[RunExplanation]] = {run.model: [] for run in runs}
    for run in sorted(runs, key=lambda each: (each.split, each.seed)):
        models[run.model].append(run)
    first = min((run.split for run in runs), default=0)
    shown = [each[0] for each in models.values() if each[0].split == first]
    found = []
    if n_strips and shown:
        found = strips(by_split[first], shown, n_strips, attention=attention, linear=linear)
    return Explanations(
        faithfulness_rows(models, by_split, n_resamples=n_resamples, random_state=random_state),
        agreement_rows(models, by_split, n_resamples=n_resamples, random_state=random_state),
        omission_rows(models, by_split, n_resamples=n_resamples, random_state=random_state),
        found,
        [each.note for each in texts if each.note],
    )
