"""What the catalog of measures says about each of them."""

from collections.abc import Callable
from dataclasses import dataclass

from nlpfeat._typing import Float64Array


@dataclass(frozen=True)
class Measure:
    """One association measure.

    Parameters
    ----------
    function : callable
        ``function(cells, **options) -> ndarray of shape (n_pairs,), float64``.
    value_range : str
        The range of the values, in words for a table's header or a help text.
    log_based : bool
        Whether the values are in the unit that ``base`` sets (bits at 2).
    needs_contingency : bool
        Whether each pair needs a 2x2 table, which Text GCN counts do not give.
    description : str
        The measure in one line.
    options : tuple of str
        The options that ``function`` takes.
    """

    function: Callable[..., Float64Array]
    value_range: str
    log_based: bool
    needs_contingency: bool
    description: str
    options: tuple[str, ...] = ()
