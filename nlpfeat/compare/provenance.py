"""Everything that is needed to do a comparison again."""

from collections import Counter
from collections.abc import Sequence

from nlpfeat.compare.findings import Provenance
from nlpfeat.compare.models.compared_model import ComparedModel
from nlpfeat.compare.runs.plan import Plan
from nlpfeat.compare.splits import split_hash
from nlpfeat.compare.versions import versions


def provenance_of(plan: Plan, models: Sequence[ComparedModel], command: str) -> Provenance:
    """Return where a comparison comes from.

    Parameters
    ----------
    plan : Plan
    models : sequence of ComparedModel
    command : str

    Returns
    -------
    Provenance
    """
    found = dict(versions())
    if not any(model.needs_torch for model in models):
        found.pop("torch", None)
    classes = Counter(plan.texts.labels)
    return Provenance(
        # A file name may hold bytes that are no text.
        command=_shown(command),
        corpus=_shown(plan.texts.name),
        corpus_hash=plan.texts.hash(),
        split_hash=split_hash(plan.splits),
        n_documents=len(plan.texts.texts),
        n_duplicates=plan.n_duplicates,
        classes={name: classes[name] for name in sorted(classes)},
        protocol=plan.protocol.facts(),
        versions=found,
    )


def _shown(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()
