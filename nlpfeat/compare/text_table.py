"""A comparison as plain text: the verdict, tables, the notes."""

from collections.abc import Sequence
from math import isfinite
from unicodedata import east_asian_width

from nlpfeat.compare.findings import Estimate, Findings
from nlpfeat.compare.verdict import verdict
from nlpfeat.rendering.numbers import NONE, decimal, interval, percent

_AFTER = "* after temperature scaling on the dev part"
_BEYOND = "accuracy % on controlled texts of two classes; 50 is chance"


def summary_of(findings: Findings) -> str:
    """Return the verdict, a table of the models, one of the phenomena, and the notes.

    Parameters
    ----------
    findings : Findings

    Returns
    -------
    str
        Lines with a line end. Columns are aligned where Chinese characters are two columns wide.
    """
    found = {(each.model, each.metric): each for each in findings.estimates}
    models = [model.name for model in findings.models]
    models.sort(key=lambda name: -_mean(found.get((name, "accuracy"))))
    reference = findings.differences[0].reference if findings.differences else ""
    outcomes = {
        row.model: row.outcome
        for row in findings.differences
        if row.metric == "accuracy" and row.reference == reference
    }
    header = ["model", "accuracy %", "95 %", "macro-F1 %", "log loss*", "ECE* %", "training s"]
    # The last column is one of words, also where there are none.
    header.append(f"against {one_line(reference)}" if reference else "")
    rows = []
    for name in models:
        accuracy = found.get((name, "accuracy"))
        row = [
            one_line(name),
            _share(accuracy),
            _interval(accuracy),
            _share(found.get((name, "macro_f1"))),
            _number(found.get((name, "log_loss_scaled")), 3),
            _share(found.get((name, "calibration_error_scaled"))),
            _number(found.get((name, "training_seconds")), 2),
        ]
        row.append(outcomes.get(name, NONE) if reference and name != reference else "")
        rows.append(row)
    parts = [*map(one_line, verdict(findings)), "", *table([header, *rows]), _AFTER]
    if findings.phenomena:
        parts += ["", *table(_phenomena(findings)), _BEYOND]
    if findings.notes:
        parts += ["", *(f"Note: {one_line(note)}" for note in findings.notes)]
    return "\n".join(parts) + "\n"


def _phenomena(findings: Findings) -> list[list[str]]:
    """Return a row for each phenomenon, with the accuracy of each model."""
    found = {(each.phenomenon, each.model): each.mean for each in findings.phenomena}
    phenomena = dict.fromkeys(each.phenomenon for each in findings.phenomena)
    models = list(dict.fromkeys(each.model for each in findings.phenomena))
    rows = [["phenomenon", *map(one_line, models), ""]]
    for phenomenon in phenomena:
        means = [found.get((phenomenon, model)) for model in models]
        shown = [percent(each, 0) for each in means]
        rows.append([one_line(phenomenon), *shown, ""])
    return rows


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as aligned lines; the first and the last column to the left, others to the right.

    Examples
    --------
    >>> table([["词", "n", ""], ["ab", "10", "x"]])
    ['词   n', 'ab  10  x']
    """
    widths = [max(map(_width, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        cells = []
        for place, (cell, width) in enumerate(zip(row, widths)):
            blanks = " " * (width - _width(cell))
            is_left = place in (0, len(row) - 1)
            cells.append(cell + blanks if is_left else blanks + cell)
        lines.append("  ".join(cells).rstrip())
    return lines


def _width(text: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def one_line(text: str) -> str:
    r"""Return a text without what ends a line or steers a terminal.

    Examples
    --------
    >>> one_line("词\n\x1b[31m袋")
    '词  [31m袋'
    """
    return "".join(each if each.isprintable() else " " for each in text)


def _mean(estimate: Estimate | None) -> float:
    """Return what models are sorted by; those without a number come last."""
    return estimate.mean if estimate is not None and isfinite(estimate.mean) else float("-inf")


def _share(estimate: Estimate | None) -> str:
    return percent(None if estimate is None else estimate.mean)


def _interval(estimate: Estimate | None) -> str:
    if estimate is None or estimate.ends is None:
        return NONE
    return interval(*map(percent, estimate.ends))


def _number(estimate: Estimate | None, digits: int) -> str:
    return decimal(None if estimate is None else estimate.mean, digits)
