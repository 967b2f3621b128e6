"""Models × metrics, and what they cost."""

from collections.abc import Sequence

from nlpfeat.compare.findings import Estimate, Findings
from nlpfeat.compare.rendering.titles import title_of
from nlpfeat.rendering import Cell, Column, DataTable, Section
from nlpfeat.rendering.numbers import NONE, interval


def side_by_side(findings: Findings) -> Section | None:
    """Return the table of all models, and the one of their costs."""
    quality = [each for each in findings.estimates if not title_of(each.metric).is_cost]
    costs = [each for each in findings.estimates if title_of(each.metric).is_cost]
    tables = []
    if quality:
        tables.append(_table("Models side by side", quality, findings, _NOTE))
    if costs:
        tables.append(_table("What they cost", costs, findings, _COST_NOTE))
    return Section("side-by-side", "Side by side", tables) if tables else None


_NOTE = (
    "Below each mean its interval of 95 % from resampled documents and runs, and the standard "
    "deviation (sd) over runs. ↑: higher is better; ↓: lower is better."
)
_COST_NOTE = (
    "Means over runs, measured in one thread, with the standard deviation (sd) over runs. Seconds "
    "depend on the machine; compare them within this table."
)


def _table(caption: str, estimates: Sequence[Estimate], findings: Findings, note: str) -> DataTable:
    metrics = list(dict.fromkeys(each.metric for each in estimates))
    models = list(dict.fromkeys(each.model for each in estimates))
    families = {each.name: each.family for each in findings.models}
    found = {(each.model, each.metric): each for each in estimates}
    columns = [Column("Model", "head")]
    columns += [Column(title_of(name).words, "number", title_of(name).note) for name in metrics]
    rows = [
        [
            Cell(model, detail=families.get(model, "")),
            *(_cell(found.get((model, metric))) for metric in metrics),
        ]
        for model in models
    ]
    return DataTable(caption, columns, rows, note)


def _cell(estimate: Estimate | None) -> Cell:
    if estimate is None:
        return Cell(NONE)
    title = title_of(estimate.metric)
    details = []
    if estimate.ends is not None:
        details.append(interval(*map(title.value, estimate.ends)))
    if estimate.spread is not None:
        details.append(f"sd {title.value(estimate.spread)}")
    return Cell(title.value(estimate.mean), estimate.mean, "\n".join(details))
