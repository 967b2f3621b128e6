"""Findings with what models go by, from those of their runs that were asked."""

import json
from collections.abc import Sequence
from dataclasses import replace

from nlpfeat.compare.explaining.all_rows import combine
from nlpfeat.compare.explaining.documents_to_explain import ExplainedTexts
from nlpfeat.compare.explaining.run_explanation import RunExplanation
from nlpfeat.compare.findings import Findings
from nlpfeat.compare.runs.plan import Plan
from nlpfeat.compare.summarizing.finished import FinishedRun, models_at_full_size

_N_STRIPS = 6


def with_explanations(
    findings: Findings, plan: Plan, runs: Sequence[FinishedRun], *, keep_documents: bool
) -> Findings:
    """Return findings with faithfulness, agreement, omission and chosen documents.

    Parameters
    ----------
    findings : Findings
    plan : Plan
    runs : sequence of FinishedRun
        Of the corpus. Only those are explained of which the other figures are made, too.
    keep_documents : bool
        Whether chosen documents are shown.

    Returns
    -------
    Findings
        With a note of documents that were too long; without rows where no run was asked.
    """
    tested = models_at_full_size(runs, plan.splits, plan.expected)
    asked = [each for one in tested.values() for each in one.runs if each.result.explained]
    paths = {each.run.explained_texts for each in runs if each.run.explained_texts is not None}
    texts = [
        ExplainedTexts.from_dict(json.loads(path.read_text("utf-8"))) for path in sorted(paths)
    ]
    found = combine(
        texts,
        [RunExplanation.from_dict(each.result.explained) for each in asked],
        n_strips=_N_STRIPS if keep_documents else 0,
        n_resamples=plan.protocol.n_resamples,
    )
    return replace(
        findings, faithfulness=found.faithfulness, agreement=found.agreement,
        omission=found.omission, strips=found.strips, notes=[*findings.notes, *found.notes],
    )  # fmt: skip
