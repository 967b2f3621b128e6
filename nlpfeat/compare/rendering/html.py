"""The HTML of a comparison."""

from collections.abc import Sequence

from nlpfeat.compare.findings import Findings
from nlpfeat.compare.rendering.contents import findings_page
from nlpfeat.rendering import check_page_packages, render_page


def render_html(
    findings: Findings, verdict: Sequence[str] = (), *, include_documents: bool = True
) -> str:
    """Return one self-contained HTML page, to be written as UTF-8.

    Equal findings give equal bytes, under equal versions of altair and vl-convert.

    Parameters
    ----------
    findings : Findings
    verdict : sequence of str, default=()
        Paragraphs in plain words, the main one first.
    include_documents : bool, default=True
        Whether texts of documents are shown. Names of classes are, in any case.

    Raises
    ------
    MissingDependencyError
        When a package of the extra ``report`` is not installed.
    """
    check_page_packages("an HTML report")
    return render_page(findings_page(findings, verdict, include_documents=include_documents))
