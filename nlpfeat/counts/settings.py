"""How co-occurrences are counted."""

from dataclasses import dataclass, replace
from typing import Literal

from nlpfeat._names import lookup
from nlpfeat._typing import Float64Array
from nlpfeat._validation import check_int
from nlpfeat.counts.distance_weights import WEIGHTINGS, Weighting, distance_weights
from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.token_ids import SCOPES

DIRECTIONS = {
    "both": "the pair in either order",
    "right": "y after x",
    "left": "y before x",
}
COUNTINGS = {
    "pairs": "pairs of positions at most w apart",
    "windows": "windows of w tokens that hold both terms",
    "textgcn": "windows for the words, occurrences in windows for the pairs (Text GCN)",
}

_WIDEST = (1 << 31) - 1
_WIDEST_WEIGHTED = 1_000


@dataclass(frozen=True)
class CountingSettings:
    """What counts as a co-occurrence; docs/definitions.md says it in full.

    Parameters
    ----------
    window : int or "all", default 5
        With ``counting="pairs"``: the greatest distance, up to ``window`` tokens on each side.
        With ``"windows"`` and ``"textgcn"``: the number of tokens of a window. ``"all"``: presence
        in the same unit of the scope, whatever the distance.
    scope : {"document", "sentence"}, default "document"
        What a pair may not cross.
    direction : {"both", "right", "left"}, default "both"
        Whether order counts.
    weighting : {"flat", "harmonic", "linear"}, callable or sequence, default "flat"
        How much a pair counts at each distance.
    counting : {"pairs", "windows", "textgcn"}, default "pairs"
        What is counted.
    """

    window: int | Literal["all"] = 5
    scope: str = "document"
    direction: str = "both"
    weighting: Weighting = "flat"
    counting: str = "pairs"

    def validate(self) -> "CountingSettings":
        """Return these settings, with plain numbers, when they make sense together.

        Raises
        ------
        InvalidParameterError
            Naming the parameter and the remedy.
        """
        window = self._checked_window()
        lookup(SCOPES, self.scope, "scope")
        lookup(DIRECTIONS, self.direction, "direction")
        lookup(COUNTINGS, self.counting, "counting")
        if isinstance(self.weighting, str):
            lookup(WEIGHTINGS, self.weighting, "weighting")
        self._check_together(window)
        weighting = self.weighting
        if window != "all" and not isinstance(weighting, str):
            weights = distance_weights(weighting, window)
            weighting = tuple(weights.tolist())
        return replace(self, window=window, weighting=weighting)

    def _checked_window(self) -> int | Literal["all"]:
        if isinstance(self.window, str) and self.window == "all":
            return "all"
        window = check_int(self.window, "window (an integer or 'all')", minimum=1)
        if window > _WIDEST:
            raise InvalidParameterError(
                f"window must be at most {_WIDEST:,}, more than any document holds. Got {window:,}."
            )
        return window

    def _check_together(self, window: int | Literal["all"]) -> None:
        flat = isinstance(self.weighting, str) and self.weighting == "flat"
        if window != "all" and self.counting == "pairs":
            if not flat and window > _WIDEST_WEIGHTED:
                raise InvalidParameterError(
                    "A weighted window keeps a table for each distance, so window must be at most "
                    f"{_WIDEST_WEIGHTED:,} unless weighting is 'flat'. Got {window:,}."
                )
            return
        if window == "all" and self.counting != "pairs":
            raise InvalidParameterError(
                f"counting={self.counting!r} needs a window of so many tokens. Got window='all'."
            )
        what = "window='all'" if window == "all" else f"counting={self.counting!r}"
        if self.direction != "both":
            raise InvalidParameterError(
                f"{what} has no order, so direction must be 'both'. Got {self.direction!r}."
            )
        if not flat:
            raise InvalidParameterError(
                f"{what} has no distances, so weighting must be 'flat'. Got {self.weighting!r}."
            )

    @property
    def reaches(self) -> list[tuple[int, int]]:
        """The nearest and the farthest distance of each slice of the table.

        Flat counts need one slice; weighted ones keep a slice for each distance.
        """
        if self.window == "all" or self.counting != "pairs":
            return [(0, 0)]
        if self.weighting == "flat":
            return [(1, self.window)]
        return [(distance, distance) for distance in range(1, self.window + 1)]

    @property
    def weights(self) -> Float64Array | None:
        """The weight of each slice; None where counts stay whole numbers."""
        if self.window == "all" or self.weighting == "flat":
            return None
        return distance_weights(self.weighting, self.window)

    @property
    def is_symmetric(self) -> bool:
        """Whether the table is the same read from x to y and from y to x."""
        return self.direction == "both"

    @property
    def is_presence(self) -> bool:
        """Whether units of the scope are counted instead of distances."""
        return self.window == "all"
