"""What stands on the page of a comparison, in its order."""

from collections.abc import Callable, Sequence

from nlpfeat.compare.findings import Findings
from nlpfeat.compare.rendering.calibration import calibration
from nlpfeat.compare.rendering.curves import accuracy_against_seconds, learning_curve
from nlpfeat.compare.rendering.differences import differences
from nlpfeat.compare.rendering.documents import documents
from nlpfeat.compare.rendering.explanations import agreement, faithfulness, omission
from nlpfeat.compare.rendering.phenomena import phenomena
from nlpfeat.compare.rendering.provenance import models, provenance
from nlpfeat.compare.rendering.side_by_side import side_by_side
from nlpfeat.compare.rendering.tuning import tuning
from nlpfeat.rendering import Block, Facts, Page, Prose, Section
from nlpfeat.rendering.numbers import decimal

SECTIONS: tuple[Callable[[Findings], Section | None], ...] = (
    side_by_side,
    differences,
    phenomena,
    learning_curve,
    accuracy_against_seconds,
    tuning,
    calibration,
    faithfulness,
    agreement,
    omission,
    documents,
    models,
    provenance,
)


def findings_page(findings: Findings, verdict: Sequence[str], *, include_documents: bool) -> Page:
    """Return the page of a comparison; a section without data is not on it.

    Parameters
    ----------
    findings : Findings
    verdict : sequence of str
        Paragraphs in plain words, the main one first.
    include_documents : bool
        Whether texts of documents are shown.
    """
    parts = SECTIONS if include_documents else [each for each in SECTIONS if each is not documents]
    made = [part(findings) for part in parts]
    sections = [section for section in made if section is not None]
    lead: list[Block] = []
    if verdict:
        lead.append(Prose(verdict, role="lead"))
    lead.append(_numbers(findings))
    notes = list(findings.notes)
    if findings.strips and not include_documents:
        notes.append("Texts of documents are left out of this page.")
    if notes:
        lead.append(Prose(notes, role="note"))
    versions = findings.provenance.versions
    version = f" {versions['nlpfeat']}" if "nlpfeat" in versions else ""
    return Page(
        findings.provenance.corpus,
        kicker="Features side by side",
        lead=lead,
        sections=sections,
        footer=f"Made by nlpfeat{version}. One file, which needs no network.",
    )


def _numbers(findings: Findings) -> Facts:
    runs = max((each.n_runs for each in findings.estimates), default=0)
    pairs = [
        ("test documents", f"{findings.resolution.n_documents:,}"),
        ("classes", f"{len(findings.provenance.classes):,}"),
        ("models", f"{len(findings.models):,}"),
        ("runs of each model", f"{runs:,}"),
        ("points can be resolved", f"±{decimal(100 * findings.resolution.paired, 1)}"),
    ]
    return Facts(pairs, is_prominent=True)
