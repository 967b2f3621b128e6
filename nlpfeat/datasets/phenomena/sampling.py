"""Draws from a grammar: balanced, shuffled, and no text twice."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from nlpfeat._validation import check_int
from nlpfeat.datasets.phenomena.phenomenon import Item, Phenomenon
from nlpfeat.errors import InvalidParameterError

if TYPE_CHECKING:
    import numpy as np

    from nlpfeat._typing import Int64Array

T = TypeVar("T")

#: Of `Draw.own` words each third one belongs to the test part.
_TEST_STRIDE = 3
#: So many groups in a row without a new text mean that the grammar has no more.
_MAX_FAILURES = 2000
#: The most texts of one part; the grammars were not written for more.
MAX_DOCUMENTS = 100_000


class Draw:
    """What a grammar draws its words from.

    Parameters
    ----------
    generator : numpy.random.Generator
    part : {"train", "test"}
        For which part the texts are: it decides what `own` leaves of a list.

    Examples
    --------
    >>> import numpy as np
    >>> draw = Draw(np.random.default_rng(0), "test")
    >>> draw.own(["面条", "饺子", "包子", "馒头", "米饭", "烧饼"])
    ('包子', '烧饼')
    """

    def __init__(self, generator: "np.random.Generator", part: str) -> None:
        self.generator = generator
        self.part = part

    def own(self, words: Sequence[T]) -> tuple[T, ...]:
        """Return those of the words that belong to this part, and never to the other one.

        Each third word of the list belongs to the test part. Nothing is drawn.
        """
        third = slice(_TEST_STRIDE - 1, None, _TEST_STRIDE)
        if self.part == "test":
            return tuple(words[third])
        own = list(words)
        del own[third]
        return tuple(own)

    def one(self, words: Sequence[T]) -> T:
        """Return one of the words."""
        return words[int(self.generator.integers(len(words)))]

    def some(self, words: Sequence[T], n: int) -> tuple[T, ...]:
        """Return ``n`` different ones of the words, in random order."""
        return tuple(words[index] for index in self.generator.permutation(len(words))[:n].tolist())

    def shuffled(self, words: Sequence[T]) -> tuple[T, ...]:
        """Return all words in random order."""
        return self.some(words, len(words))

    def number(self, low: int, high: int) -> int:
        """Return an integer from ``low`` to ``high``, both included."""
        return int(self.generator.integers(low, high + 1))


class DrawnPart(NamedTuple):
    """The texts of one part, shuffled."""

    #: N texts.
    items: tuple[Item, ...]
    #: The number of the group of each, from 0 in the order in which they were written; shape (N,).
    groups: "Int64Array"


def draw_parts(
    phenomenon: Phenomenon, n_train: int, n_test: int, random_state: int
) -> tuple[DrawnPart, DrawnPart]:
    """Return the texts of the training part and of the test part.

    The test part is drawn first, so that it does not depend on ``n_train``.

    Parameters
    ----------
    phenomenon : Phenomenon
    n_train, n_test : int
        Positive multiples of the phenomenon's ``group_size``.
    random_state : int
        The seed, 0 or more.

    Returns
    -------
    train, test : DrawnPart

    Raises
    ------
    InvalidParameterError
        For numbers that are no such multiples, and for more texts than the grammar can make.
    """
    import numpy as np

    counts = {
        "test": _check_size(phenomenon, n_test, "n_test"),
        "train": _check_size(phenomenon, n_train, "n_train"),
    }
    seed = check_int(random_state, "random_state", minimum=0)
    name = list(phenomenon.name.encode("utf-8"))
    streams = np.random.SeedSequence([seed, *name]).spawn(4)
    seen: set[str] = set()
    parts = {}
    for (part, n), words, order in zip(counts.items(), streams[::2], streams[1::2]):
        draw = Draw(np.random.default_rng(words), part)
        written = list(_new_groups(phenomenon, draw, seen, n))
        items = [item for group in written for item in group]
        groups = np.repeat(np.arange(len(written), dtype=np.int64), [len(each) for each in written])
        places = np.random.default_rng(order).permutation(len(items))
        parts[part] = DrawnPart(tuple(items[place] for place in places.tolist()), groups[places])
    return parts["train"], parts["test"]


def _check_size(phenomenon: Phenomenon, value: int, parameter: str) -> int:
    n, size = check_int(value, parameter, minimum=1), phenomenon.group_size
    if n % size:
        below = n - n % size
        choice = f"{below} or {below + size}" if below else f"{size}"
        raise InvalidParameterError(
            f"{parameter} must be a multiple of {size}: the texts of {phenomenon.name} come in "
            f"groups of {size}, which show each label equally often. Got {n}; take {choice}."
        )
    if n > MAX_DOCUMENTS:
        raise InvalidParameterError(f"{parameter} must be at most {MAX_DOCUMENTS:,}. Got {n:,}.")
    return n


def _new_groups(
    phenomenon: Phenomenon, draw: Draw, seen: set[str], n_items: int
) -> Iterator[tuple[Item, ...]]:
    """Yield groups of ``n_items`` texts in all, none of which is in ``seen``."""
    n_made = n_failures = 0
    while n_made < n_items:
        group = phenomenon.grammar(draw)
        texts = {item.text for item in group}
        if seen.isdisjoint(texts) and len(texts) == len(group):
            seen |= texts
            n_made, n_failures = n_made + len(group), 0
            yield group
            continue
        n_failures += 1
        if n_failures == _MAX_FAILURES:
            raise InvalidParameterError(
                f"n_{draw.part} must be at most {n_made:,} here: {phenomenon.name} made so many "
                f"different texts, and {_MAX_FAILURES:,} more tries brought no new one. "
                f"Got {n_items:,}."
            )
