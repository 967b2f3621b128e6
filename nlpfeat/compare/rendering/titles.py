"""What metrics and costs are called on a page, and how their numbers are written."""

from collections.abc import Callable
from dataclasses import dataclass

from nlpfeat.compare.costs import COSTS
from nlpfeat.compare.metrics import METRICS
from nlpfeat.rendering.numbers import decimal, percent, points, quantity, signed

#: Ending of a metric that was measured after temperature scaling.
SCALED = "_scaled"
_WORDS = {
    "accuracy": "Accuracy",
    "macro_f1": "Macro-F1",
    "log_loss": "Log loss",
    "brier": "Brier score",
    "calibration_error": "ECE",
    "adaptive_calibration_error": "Adaptive ECE",
}
_SHARES = ("accuracy", "macro_f1", "calibration_error", "adaptive_calibration_error")


@dataclass(frozen=True)
class Title:
    """How a metric or a cost is shown.

    Parameters
    ----------
    words : str
        Its name, with its unit.
    note : str
        What it is.
    value, difference : callable
        Write a number, and a number minus another one.
    unit_of_difference : str
    scale : float
        What numbers are multiplied by in charts.
    is_cost : bool
    is_lower_better : bool
        False also where it is not known.
    """

    words: str
    note: str
    value: Callable[[float | None], str]
    difference: Callable[[float | None], str]
    unit_of_difference: str
    scale: float
    is_cost: bool
    is_lower_better: bool

    @property
    def name(self) -> str:
        """The words without unit and arrow."""
        return self.words.rstrip(" ↑↓").removesuffix(", %")


def title_of(metric: str) -> Title:
    """Return the title of a metric or cost; what is in no catalog is shown by its own name.

    Examples
    --------
    >>> title_of("accuracy").words, title_of("log_loss_scaled").words
    ('Accuracy, % ↑', 'Log loss, scaled ↓')
    """
    if metric in COSTS:
        cost = COSTS[metric]
        unit = f", {cost.unit}" if cost.unit and cost.unit != "1/s" else ""
        name = cost.title[:1].upper() + cost.title[1:]
        return Title(f"{name}{unit}", cost.description, quantity, quantity, cost.unit, 1.0, True,
                     not cost.is_higher_better)  # fmt: skip
    base = metric.removesuffix(SCALED)
    known = METRICS.get(base)
    is_share = base in _SHARES
    words = _WORDS.get(base, base) + (", scaled" if metric != base else "")
    note = known.description if known is not None else ""
    if metric != base:
        note = f"{note}; after temperature scaling"
    is_lower_better = known is not None and not known.is_higher_better
    arrow = "" if known is None else " ↑" if known.is_higher_better else " ↓"
    if is_share:
        return Title(f"{words}, %{arrow}", note, percent, points, "percentage points", 100.0, False,
                     is_lower_better)  # fmt: skip
    return Title(f"{words}{arrow}", note, decimal, signed, "", 1.0, False, is_lower_better)
