"""Positional bag of words: documents × terms at positions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Int64Array
from nlpfeat._validation import check_int
from nlpfeat.counts.feature_space import FeatureFrequencies, documents_of, ids_in
from nlpfeat.counts.sorted_keys import (
    Cells,
    Groups,
    IntArray,
    KeyCounter,
    find,
    joined_keys,
    union_of,
)
from nlpfeat.counts.stored_keys import are_keys
from nlpfeat.errors import InvalidInputError, InvalidParameterError, VocabularyMismatchError
from nlpfeat.text.token_ids import GAP, TokenIds
from nlpfeat.text.token_spool import TokenSpool
from nlpfeat.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Position: TypeAlias = Callable[[Int64Array, Int64Array, int], Int64Array]

OVERFLOWS = {
    "bin": "one column a term for all positions past max_position",
    "drop": "positions past max_position are not counted",
}

_MOST = (1 << 31) - 1


def _absolute(index: Int64Array, _length: Int64Array, _n_bins: int) -> Int64Array:
    """Return 0 for the first token, 1 for the second, and so on."""
    return index


def _end(index: Int64Array, length: Int64Array, _n_bins: int) -> Int64Array:
    """Return -1 for the last token, -2 for the one before it, and so on."""
    return index - length


def _relative(index: Int64Array, length: Int64Array, n_bins: int) -> Int64Array:
    """Return in which of so many parts of its document each token is."""
    return index * n_bins // length


def _log(index: Int64Array, _length: Int64Array, _n_bins: int) -> Int64Array:
    """Return 0 for the first token, 1 for the next two, 2 for the next four, and so on."""
    # The exponent of a float is the number of binary digits: no logarithm is rounded here.
    position: Int64Array = np.frexp(index + 1.0)[1].astype(np.int64) - 1
    return position


POSITIONS: dict[str, Position] = {
    "absolute": _absolute,
    "end": _end,
    "relative": _relative,
    "log": _log,
}
"""What a position is: functions of places in documents (from 0), lengths of these documents and
the number of bins. All count from one end: 0, 1, … or -1, -2, …
"""


@dataclass(frozen=True)
class PositionSettings:
    """What the position of a token is. Gaps count as tokens; i runs from 0 to n - 1.

    Parameters
    ----------
    positions : {"absolute", "end", "relative", "log"}, default "absolute"
        i; i - n; ⌊i·b/n⌋ with b = ``n_bins``; ⌊log2(i + 1)⌋.
    n_bins : int, default 10
        Parts of a document, for ``"relative"`` alone.
    max_position : int or None, default None
        Number of positions that stay apart: 0 to ``max_position - 1``, or -1 to ``-max_position``.
        None: all. Not for ``"relative"``.
    overflow : {"bin", "drop"}, default "bin"
        Whether later positions share one bin or are not counted.

    Examples
    --------
    >>> PositionSettings("end", max_position=2).names_of(np.array([0, 1, 2]))
    ['-1', '-2', '≤-3']
    """

    positions: str = "absolute"
    n_bins: int = 10
    max_position: int | None = None
    overflow: str = "bin"

    def validate(self) -> "PositionSettings":
        """Return these settings, with plain numbers, when they make sense together.

        Raises
        ------
        InvalidParameterError
            Naming the parameter and the remedy.
        """
        lookup(POSITIONS, self.positions, "positions")
        lookup(OVERFLOWS, self.overflow, "overflow")
        n_bins = _checked(self.n_bins, "n_bins")
        if self.max_position is None:
            return replace(self, n_bins=n_bins)
        max_position = _checked(self.max_position, "max_position (an integer or None)")
        if self.positions == "relative":
            raise InvalidParameterError(
                "positions='relative' has n_bins positions in every document, so max_position must "
                f"be None. Got {max_position}; set n_bins instead."
            )
        return replace(self, n_bins=n_bins, max_position=max_position)

    def ranks(self, tokens: TokenIds) -> tuple[Int64Array, Int64Array]:
        """Return the known tokens that have a position, and the ranks of these positions.

        Returns
        -------
        places : ndarray of int64, shape (n_known,)
            In ``tokens.ids``.
        ranks : ndarray of int64, shape (n_known,)
            0 for the position with which counting begins; ``max_position`` for the shared bin.
        """
        documents = documents_of(tokens)
        places = np.flatnonzero(tokens.ids >= 0)
        documents = documents[places]
        index = places - tokens.indptr[documents]
        length = np.diff(tokens.indptr)[documents]
        position = POSITIONS[self.positions](index, length, self.n_bins)
        ranks = np.where(position < 0, -1 - position, position)
        if self.max_position is None:
            return places, ranks
        if self.overflow == "bin":
            return places, np.minimum(ranks, self.max_position)
        is_near = ranks < self.max_position
        return places[is_near], ranks[is_near]

    def names_of(self, ranks: Int64Array) -> list[str]:
        """Return the name of the position of each rank."""
        from_end = self.positions == "end"
        signed = (-1 - ranks if from_end else ranks).tolist()
        if self.max_position is None:
            return [str(position) for position in signed]
        sign = "≤" if from_end else "≥"
        is_shared = (ranks >= self.max_position).tolist()
        return [f"{sign if shared else ''}{p}" for p, shared in zip(signed, is_shared)]

    def rank_of(self, name: str) -> int | None:
        """Return the rank of the position of that name, None when there is none."""
        digits = name.lstrip("≤≥")
        if not digits.removeprefix("-").isdecimal() or len(digits) > len(str(_MOST)) + 1:
            return None
        position = int(digits)
        rank = -1 - position if position < 0 else position
        highest = _MOST
        if self.positions == "relative":
            highest = self.n_bins - 1
        elif self.max_position is not None:
            highest = self.max_position - (self.overflow == "drop")
        if rank > highest or self.names_of(np.array([rank])) != [name]:
            return None
        return rank


@dataclass(frozen=True, eq=False)
class PositionSpace:
    """Terms at positions, one column each, by distance from where counting begins; see `learn`.

    Parameters
    ----------
    vocabulary : Vocabulary
        The terms of the features, with their frequencies in the corpus.
    keys : ndarray of int64, shape (n_columns,)
        Ascending: ``rank of the position * n_terms + term``.
    settings : PositionSettings

    Examples
    --------
    >>> settings = PositionSettings(max_position=1).validate()
    >>> space, order = PositionSpace.from_names(["≥1:好", "0:好", "0:你"], settings)
    >>> space.names(), order.tolist()
    (['0:你', '0:好', '≥1:好'], [2, 1, 0])
    >>> tokens = TokenIds(np.array([0, 1, 1, 1], np.int32), np.array([0, 3, 4]), np.array([0, 4]))
    >>> space.count(tokens).toarray()
    array([[1, 0, 2],
           [0, 1, 0]])
    """

    vocabulary: Vocabulary
    keys: Int64Array = field(repr=False)
    settings: PositionSettings
    unknown_id: ClassVar[int] = GAP

    @classmethod
    def learn(
        cls, spool: TokenSpool, settings: PositionSettings
    ) -> tuple["PositionSpace", FeatureFrequencies]:
        """Return the features of a corpus, and how frequent they are.

        Raises
        ------
        InvalidParameterError
            For settings that make no sense.
        """
        settings = settings.validate()
        counter = KeyCounter()
        for block in spool.blocks():
            groups, documents = _grouped(block, len(spool.vocabulary), settings)
            counter.add(groups.counted(documents))
        found = counter.total()
        space = cls(spool.vocabulary, found.keys, settings)
        return space.take(np.arange(len(space))), found.frequencies

    @classmethod
    def from_names(
        cls, names: Sequence[str], settings: PositionSettings
    ) -> tuple["PositionSpace", Int64Array]:
        """Return the space of named features.

        Parameters
        ----------
        names : sequence of str
            Distinct: position and term with a colon between them, such as ``"0:你"`` or
            ``"≥10:你"``; a term may hold colons too.
        settings : PositionSettings

        Returns
        -------
        space : PositionSpace
        order : ndarray of int64, shape (n_names,)
            The column of each name.

        Raises
        ------
        InvalidParameterError
            For a name that no feature can have with these settings.
        """
        settings = settings.validate()
        pairs = [_split(name, settings) for name in names]
        terms = tuple(sorted({term for _, term in pairs}))
        vocabulary = Vocabulary(terms, *np.zeros((2, len(terms)), dtype=np.int64))
        ranks = np.array([rank for rank, _ in pairs], dtype=np.int64)
        ids = vocabulary.encode(term for _, term in pairs)
        keys = joined_keys((ranks, int(ranks.max(initial=0)) + 1), (ids, len(terms)))
        distinct, order = np.unique(keys, return_inverse=True)
        return cls(vocabulary, distinct, settings), order.astype(np.int64)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what was stored, once it is known to be sound."""
        self.__dict__.update(state)
        self.settings.validate()
        if not are_keys(self.keys, (_MOST + 1) * len(self.vocabulary)):
            raise InvalidInputError("The positions do not fit their terms.")

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self.keys)

    def names(self) -> list[str]:
        """Return position and term of each feature, such as ``0:你``, ``-1:你`` or ``≥10:你``."""
        ranks, ids = np.divmod(self.keys, len(self.vocabulary))
        distinct, numbers = np.unique(ranks, return_inverse=True)
        positions = [f"{name}:" for name in self.settings.names_of(distinct)]
        terms = np.array(self.vocabulary.terms, dtype=object)
        names: list[str] = (np.array(positions, dtype=object)[numbers] + terms[ids]).tolist()
        return names

    def count(self, tokens: TokenIds) -> "csr_array":
        """Return how often each document holds each term at each position."""
        groups, documents = _grouped(tokens, len(self.vocabulary), self.settings)
        cells = Cells()
        cells.add(groups, find(self.keys, groups.keys), documents)
        return cells.matrix((tokens.n_documents, len(self)))

    def take(self, columns: Int64Array) -> "PositionSpace":
        """Return the space of some columns, which must be in order."""
        ranks, ids = np.divmod(self.keys[columns], len(self.vocabulary))
        is_used = np.bincount(ids, minlength=len(self.vocabulary)) > 0
        used = np.flatnonzero(is_used)
        keys = ranks * len(used) + (np.cumsum(is_used) - 1)[ids]
        return PositionSpace(self.vocabulary.take(used), keys, self.settings)

    def union(self, other: "PositionSpace") -> tuple["PositionSpace", Int64Array, Int64Array]:
        """Return the columns of both, and where the columns of each stand among them.

        Raises
        ------
        VocabularyMismatchError
            When the spaces were made with different settings.
        """
        if self.settings != other.settings:
            raise VocabularyMismatchError(
                "Positions made with different settings cannot be merged: "
                f"{self.settings} here and {other.settings} there. Fit both with the same."
            )
        vocabulary = self.vocabulary.merge(other.vocabulary)
        keys = []
        for space in (self, other):
            ranks, ids = np.divmod(space.keys, len(space.vocabulary))
            ids = ids_in(vocabulary, space.vocabulary.terms)[ids]
            keys.append(joined_keys((ranks, int(ranks.max(initial=0)) + 1), (ids, len(vocabulary))))
        both = PositionSpace(vocabulary, union_of(*keys), self.settings)
        ours, theirs = (np.searchsorted(both.keys, part) for part in keys)
        return both, ours, theirs


def _grouped(
    tokens: TokenIds, n_terms: int, settings: PositionSettings
) -> tuple[Groups, Int64Array]:
    """Return the known tokens grouped by position and term, and the document of each."""
    places, ranks = settings.ranks(tokens)
    ids: IntArray = tokens.ids[places]
    groups = Groups.of((ranks, int(ranks.max(initial=-1)) + 1), (ids, n_terms))
    return groups, documents_of(tokens)[places]


def _split(name: str, settings: PositionSettings) -> tuple[int, str]:
    """Return the rank of the position and the term of a feature's name."""
    if isinstance(name, str):
        position, colon, term = name.partition(":")
        rank = settings.rank_of(position)
        if colon and term and rank is not None:
            return rank, term
    kind = f"positions={settings.positions!r}, max_position={settings.max_position!r}"
    if settings.positions == "relative":
        kind = f"positions='relative', n_bins={settings.n_bins}"
    elif settings.max_position is not None:
        kind += f", overflow={settings.overflow!r}"
    raise InvalidParameterError(
        f"vocabulary must hold names of features such as {settings.names_of(np.array([0]))[0]}:你, "
        f"with positions that {kind} gives. Got {name!r}; leave it out or change the settings."
    )


def _checked(value: object, parameter: str) -> int:
    number = check_int(value, parameter, minimum=1)
    if number > _MOST:
        raise InvalidParameterError(
            f"{parameter} must be at most {_MOST:,}, more than any document holds. Got {number:,}."
        )
    return number
