"""Documents with what each source says of each of their tokens, one above the other."""

from collections.abc import Sequence

from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_int
from nlpfeat.compare.explaining.documents_to_explain import ExplainedTexts
from nlpfeat.compare.explaining.run_explanation import RunExplanation
from nlpfeat.compare.findings import Strip


def chosen_rows(predictions: Sequence[Sequence[int]], columns: Sequence[int], n: int) -> list[int]:
    """Return the documents that are shown: half of them where models differ, half all right.

    Parameters
    ----------
    predictions : sequence of sequences of int
        For each model the column of the class that it predicts for each of N documents.
    columns : sequence of int
        The right column of each document.
    n : int
        How many; all when there are not more.

    Returns
    -------
    list of int
        First those on which the models give most different answers; then those on which all are
        right, the classes in turn; where one kind has too few, more of the other, and at last those
        on which all are wrong together. Ties by row.

    Examples
    --------
    >>> chosen_rows([[0, 1, 0, 1], [0, 0, 0, 1]], [0, 0, 0, 1], 3)
    [1, 0, 3]
    """
    n = check_int(n, "n_strips", minimum=0)
    answers = list(zip(*predictions))
    differing = sorted(
        (row for row, given in enumerate(answers) if len(set(given)) > 1),
        key=lambda row: (-len(set(answers[row])), row),
    )
    turns: dict[int, int] = {}
    right = []
    for row, given in enumerate(answers):
        if set(given) == {columns[row]}:
            turn = turns[columns[row]] = turns.get(columns[row], -1) + 1
            right.append((turn, columns[row], row))
    agreed = [row for _, _, row in sorted(right)]
    wrong = [row for row in range(len(answers)) if row not in {*differing, *agreed}]
    n_different = max((n + 1) // 2, n - len(agreed))
    chosen = differing[:n_different]
    return [*chosen, *agreed, *wrong, *differing[n_different:]][:n]


def strips(
    texts: ExplainedTexts,
    runs: Sequence[RunExplanation],
    n_strips: int = 6,
    *,
    attention: str | None = None,
    linear: str | None = None,
) -> list[Strip]:
    """Return documents with the weights of an attention, TF-IDF, linear evidence and PMI.

    Parameters
    ----------
    texts : ExplainedTexts
        Of one split.
    runs : sequence of RunExplanation
        One a model, all of that split.
    n_strips : int, default 6
    attention, linear : str, default None
        The models whose attention and whose evidence are shown; None: the first one that has such
        weights. A source that no model has is left out.

    Returns
    -------
    list of Strip
    """
    sources: dict[str, list[Float64Array]] = {}
    for method, name in (("attention", attention), ("evidence", linear)):
        for run in runs:
            if run.method == method and name in (None, run.model):
                sources[f"{method} of {run.model}"] = run.weights
                break
    sources["tfidf"] = [each.tfidf for each in texts.scores]
    sources["pmi"] = [each.ppmi for each in texts.scores]
    rows = chosen_rows([run.predicted for run in runs], texts.columns, n_strips)
    return [
        Strip(
            text="".join(texts.documents[row]),
            label=texts.labels[row],
            tokens=list(texts.documents[row]),
            sources={name: of_rows[row].tolist() for name, of_rows in sources.items()},
            predictions={run.model: texts.classes[run.predicted[row]] for run in runs},
        )
        for row in rows
    ]
