"""Co-occurrence counts straight from their definition, by loops over windows and positions.

Nothing of ``nlpfeat`` is used, and no window is ever described by anything but its tokens. A unit
is a list of terms, ``None`` where a token was removed. Counts are whole numbers or fractions.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from hypothesis import strategies as st

END, COMMA = "。", "，"

Unit: TypeAlias = Sequence[str | int | None]
Document: TypeAlias = Sequence[Sequence[str]]  # sentences of tokens


@dataclass
class Oracle:
    """The full table C[x, y] with its margins."""

    n_xy: Counter
    n_x: Counter
    n_y: Counter
    total: int | Fraction

    def dense(self, terms: Sequence[str | int]) -> np.ndarray:
        """Return the table as an array of Python numbers."""
        return np.array([[self.n_xy[x, y] for y in terms] for x in terms], dtype=object)


def pairs(
    units: Iterable[Unit],
    window: int,
    direction: str = "both",
    weight: Callable[[int], int | Fraction] = lambda distance: 1,
) -> Oracle:
    """Look at every pair of positions i < j of a unit."""
    right: Counter = Counter()
    for unit in units:
        for j in range(len(unit)):
            for i in range(j):
                if j - i <= window and unit[i] is not None and unit[j] is not None:
                    right[unit[i], unit[j]] += weight(j - i)
    left = Counter({(y, x): n for (x, y), n in right.items()})
    table = {"right": right, "left": left, "both": _sum(right, left)}[direction]
    n_x: Counter = Counter()
    n_y: Counter = Counter()
    for (x, y), n in table.items():
        n_x[x] += n
        n_y[y] += n
    return Oracle(table, n_x, n_y, sum(table.values()))


def presence(units: Iterable[Unit]) -> Oracle:
    """Count the units that hold both of two different terms."""
    return _of_sets([set(unit) for unit in units if unit])


def windows(units: Iterable[Unit], window: int) -> Oracle:
    """Count the windows that hold both of two different terms."""
    return _of_sets([set(tokens) for tokens in sliding(units, window)])


def textgcn(units: Iterable[Unit], window: int) -> Oracle:
    """Count as Text GCN does: words by presence in a window, pairs by occurrence."""
    held = sliding(units, window)
    word: Counter = Counter()
    pair: Counter = Counter()
    for tokens in held:
        word.update(set(tokens) - {None})
        for i in range(1, len(tokens)):
            for j in range(i):
                x, y = tokens[i], tokens[j]
                if x is None or y is None or x == y:
                    continue
                pair[x, y] += 1
                pair[y, x] += 1
    return Oracle(pair, word, word, len(held))


def sliding(units: Iterable[Unit], window: int) -> list[Unit]:
    """Return the tokens of every window; a unit that is shorter is one window."""
    return [
        unit[start : start + window]
        for unit in units
        if unit
        for start in range(max(len(unit) - window + 1, 1))
    ]


def _of_sets(sets: list[set]) -> Oracle:
    table: Counter = Counter()
    held: Counter = Counter()
    for members in sets:
        known = members - {None}
        held.update(known)
        table.update((x, y) for x in known for y in known if x != y)
    return Oracle(table, held, held, len(sets))


def _sum(a: Counter, b: Counter) -> Counter:
    return Counter({key: a[key] + b[key] for key in {*a, *b}})


def units_of(
    documents: Iterable[Document], scope: str = "document", gaps: Iterable[str] = (COMMA, END)
) -> list[Unit]:
    """Return the documents, or their sentences, with None for each gap; empty ones are no units."""
    removed = set(gaps)
    units = []
    for document in documents:
        parts = document if scope == "sentence" else [[t for part in document for t in part]]
        units += [[None if token in removed else token for token in part] for part in parts]
    return [unit for unit in units if unit]


def token_lists(documents: Iterable[Document]) -> list[list[str]]:
    """Return documents as token lists."""
    return [[token for sentence in document for token in sentence] for document in documents]


def documents_of(words: str = "甲乙丙丁", max_documents: int = 5) -> st.SearchStrategy:
    """Draw documents: lists of sentences that end with 。, the last one perhaps without."""
    body = st.lists(st.sampled_from([*words, COMMA]), min_size=1, max_size=7)
    document = st.lists(body, max_size=4).flatmap(
        lambda bodies: st.booleans().map(
            lambda open_end: [
                [*tokens, END] if number < len(bodies) - 1 or not open_end else tokens
                for number, tokens in enumerate(bodies)
            ]
        )
    )
    # A token first, so that there is something to count.
    return st.lists(document, max_size=max_documents).map(lambda rest: [[[words[0], END]], *rest])


WEIGHTS: dict[str, Callable[[int, int], Fraction]] = {
    "harmonic": lambda distance, window: Fraction(1, distance),
    "linear": lambda distance, window: Fraction(window + 1 - distance, window),
}


def expected(documents: Iterable[Document], settings: dict) -> Oracle:
    """Return what ``count_cooccurrences(token_lists(documents), **settings)`` is to count."""
    units = units_of(documents, settings["scope"])
    window, counting = settings["window"], settings["counting"]
    if window == "all":
        return presence(units)
    if counting == "windows":
        return windows(units, window)
    if counting == "textgcn":
        return textgcn(units, window)
    weighting = settings["weighting"]
    if weighting == "flat":
        return pairs(units, window, settings["direction"])
    weight = WEIGHTS[weighting]
    return pairs(units, window, settings["direction"], lambda distance: weight(distance, window))


def unweighted(documents: Iterable[Document], settings: dict) -> Counter:
    """Return how often each pair occurs, each pair without order once, with x before y."""
    plain = settings | {"weighting": "flat"}
    table = expected(documents, plain).n_xy
    if settings["direction"] != "both":
        return Counter({pair: n for pair, n in table.items() if n})
    return Counter({(x, y): n // 2 if x == y else n for (x, y), n in table.items() if n and x <= y})


def settings_of(countings: Sequence[str] = ("pairs", "windows", "textgcn")) -> st.SearchStrategy:
    """Draw settings of ``count_cooccurrences`` that go together."""
    scope = st.sampled_from(["document", "sentence"])
    size = st.integers(1, 6)
    by_pairs = st.fixed_dictionaries(
        {
            "window": size,
            "scope": scope,
            "direction": st.sampled_from(["both", "right", "left"]),
            "weighting": st.sampled_from(["flat", *WEIGHTS]),
            "counting": st.just("pairs"),
        }
    )
    by_windows = st.fixed_dictionaries(
        {
            "window": size,
            "scope": scope,
            "direction": st.just("both"),
            "weighting": st.just("flat"),
            "counting": st.sampled_from(["windows", "textgcn"]),
        }
    )
    by_presence = by_pairs.map(
        lambda settings: settings | {"window": "all", "direction": "both", "weighting": "flat"}
    )
    offered = [by_presence]
    if "pairs" in countings:
        offered.append(by_pairs)
    kept = [name for name in countings if name != "pairs"]
    if kept:
        offered.append(by_windows.filter(lambda settings: settings["counting"] in kept))
    return st.one_of(offered)
