"""The report of a comparison: data first, then words and pages."""

import os
from dataclasses import asdict, dataclass, replace
from os.path import splitext
from typing import TYPE_CHECKING

from nlpfeat._names import closest
from nlpfeat._optional import missing_dependency
from nlpfeat.compare import report_json
from nlpfeat.compare.findings import Findings
from nlpfeat.compare.text_table import summary_of
from nlpfeat.compare.verdict import verdict
from nlpfeat.errors import InvalidParameterError
from nlpfeat.io.atomic import atomic_output

if TYPE_CHECKING:
    import pandas

ENDINGS = (".html", ".md", ".json")
"""What a report can be written as."""


@dataclass(frozen=True)
class ComparisonReport:
    """What a comparison found.

    Parameters
    ----------
    findings : Findings
        Typed rows: everything that is shown stands in them, and rendering computes nothing.
    """

    findings: Findings

    def __repr__(self) -> str:
        """Say what was compared; the findings themselves would fill many screens."""
        found = self.findings
        return (
            f"<ComparisonReport of {len(found.models)} models on "
            f"{found.resolution.n_documents:,} test documents; see summary()>"
        )

    @property
    def verdict(self) -> list[str]:
        """What the comparison says, in plain words, the main sentence first."""
        return verdict(self.findings)

    def frame(self) -> "pandas.DataFrame":
        """Return the records: a row for each figure of each run.

        Returns
        -------
        pandas.DataFrame
            Columns model, family, split, seed, size, metric, value.

        Raises
        ------
        MissingDependencyError
            Without pandas.
        """
        try:
            import pandas
        except ImportError as error:
            raise missing_dependency("pandas", "parquet", "ComparisonReport.frame") from error
        names = ["model", "family", "split", "seed", "size", "metric", "value"]
        rows = [asdict(record) for record in self.findings.records]
        return pandas.DataFrame(rows, columns=names)

    def summary(self) -> str:
        """Return the verdict, a table of the models and the notes, as plain text."""
        return summary_of(self.findings)

    def to_json(self) -> str:
        """Return everything as JSON, without loss."""
        return report_json.to_json(self.findings)

    @classmethod
    def from_json(cls, text: str | bytes) -> "ComparisonReport":
        """Return the report of what ``to_json`` gave.

        Raises
        ------
        InvalidInputError
            For anything else; the message names the place.
        """
        return cls(report_json.from_json(text))

    def without_documents(self) -> "ComparisonReport":
        """Return the report without texts of documents; names of classes stay.

        What errors say, which may hold texts, stays too: ``compare_models`` leaves that out with
        ``keep_documents=False``.
        """
        return ComparisonReport(replace(self.findings, strips=[]))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the report.

        Parameters
        ----------
        path : path
            Its ending says what: .html (one page that works offline), .md or .json.

        Raises
        ------
        InvalidParameterError
            For another ending.
        MissingDependencyError
            For .html, without the extra ``report``.
        OutputError
            When the file cannot be written.
        """
        data = self.rendered(report_ending(os.fsdecode(path))).encode()
        with atomic_output(path) as file:
            file.write(data)

    def rendered(self, ending: str) -> str:
        """Return the report as ``save`` writes it.

        Parameters
        ----------
        ending : {".html", ".md", ".json"}

        Returns
        -------
        str
        """
        if ending == ".json":
            return self.to_json()
        if ending == ".md":
            from nlpfeat.compare.rendering.markdown import render_markdown

            return render_markdown(self.findings, self.verdict)
        from nlpfeat.compare.rendering.html import render_html

        return render_html(self.findings, self.verdict)


def report_ending(path: str) -> str:
    """Return the ending of a file that a report can be written to.

    Raises
    ------
    InvalidParameterError
        For another one.

    Examples
    --------
    >>> report_ending("比较.HTML")
    '.html'
    """
    ending = splitext(path)[1].lower()
    if ending not in ENDINGS:
        raise InvalidParameterError(
            f"A report must be a file that ends in {', '.join(ENDINGS)}. Got {path!r}."
            f"{closest(ending, ENDINGS)}"
        )
    return ending
