"""The Markdown of a comparison."""

from collections.abc import Sequence

from nlpfeat.compare.findings import Findings
from nlpfeat.compare.rendering.contents import findings_page
from nlpfeat.rendering import render_page_markdown


def render_markdown(
    findings: Findings, verdict: Sequence[str] = (), *, include_documents: bool = True
) -> str:
    """Return the same as `render_html`, in words and tables; it takes no package of ``report``.

    Parameters
    ----------
    findings, verdict, include_documents
        As in `render_html`.
    """
    return render_page_markdown(
        findings_page(findings, verdict, include_documents=include_documents)
    )
