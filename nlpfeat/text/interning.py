"""Give each distinct token a number, a whole batch at a time.

Looking up one Python string after another costs nearly as much as cutting the text does. Here a
batch of tokens becomes one UTF-16 array; a token of up to four UTF-16 units *is* a 64-bit key,
and an open-addressing table in NumPy maps keys to numbers. Longer tokens (some two in a hundred)
go through a dict.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from nlpfeat._typing import Int32Array, Int64Array
from nlpfeat.errors import InvalidInputError

UInt64Array = NDArray[np.uint64]

_SEPARATOR = "\uffff"  # a noncharacter: no text holds it, and strings stay two bytes a character
_EMPTY = np.uint64(0)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: Fibonacci hashing (Knuth 1973)
_KEY_MASKS = np.array([0] + [(1 << 16 * units) - 1 for units in range(1, 5)], dtype=np.uint64)


class TokenInterner:
    """Numbers tokens in the order in which a batch first shows them; equal tokens share a number.

    Attributes
    ----------
    surfaces : list of str
        The distinct tokens; the number of a token is its place here.

    Examples
    --------
    >>> interner = TokenInterner()
    >>> interner.intern([["今天", "天气", "好"], ["天气"]]).tolist()
    [0, 1, 2, 1]
    >>> interner.surfaces
    ['今天', '天气', '好']
    """

    def __init__(self) -> None:
        self.surfaces: list[str] = []
        self._long: dict[str, int] = {}
        self._table = _KeyTable()

    def intern(self, batch: Iterable[Sequence[str]]) -> Int32Array:
        """Return the numbers of all tokens of a batch of token lists, one after another."""
        tokens = list(chain.from_iterable(batch))
        numbers = np.empty(len(tokens), dtype=np.int32)
        if not tokens:
            return numbers
        keys, is_short = _keys(tokens)
        if is_short.all():
            numbers[:] = self._intern_short(keys, tokens, np.arange(len(tokens)))
            return numbers
        short = np.flatnonzero(is_short)
        numbers[short] = self._intern_short(keys[short], tokens, short)
        for place in np.flatnonzero(~is_short).tolist():
            token = tokens[place]
            number = self._long.get(token)
            if number is None:
                number = self._long[token] = len(self.surfaces)
                self.surfaces.append(token)
            numbers[place] = number
        return numbers

    def _intern_short(self, keys: UInt64Array, tokens: list[str], places: Int64Array) -> Int32Array:
        numbers = self._table.find(keys)
        unknown = np.flatnonzero(numbers < 0)
        if len(unknown):
            new, first, inverse = np.unique(keys[unknown], return_index=True, return_inverse=True)
            order = np.argsort(first)  # numbered as they come, not by key
            rank = np.empty_like(order)
            rank[order] = np.arange(len(order))
            start = len(self.surfaces)
            self.surfaces.extend(tokens[place] for place in places[unknown[first[order]]].tolist())
            self._table.add(new, (start + rank).astype(np.int32))
            numbers[unknown] = start + rank[inverse]
        return numbers


def _keys(tokens: list[str]) -> tuple[UInt64Array, NDArray[np.bool_]]:
    """Return a key for each token, and whether the key says all of it."""
    try:
        joined = (_SEPARATOR.join(tokens) + _SEPARATOR).encode("utf-16-le")
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"The text {error.object[max(error.start - 10, 0) : error.start + 10]!r} holds a lone "
            "surrogate, which is no character; remove it, or decode with errors='replace'."
        ) from error
    units = np.frombuffer(joined + b"\0" * 8, dtype="<u2")
    ends = np.flatnonzero(units == 0xFFFF)
    if len(ends) != len(tokens):  # some token holds the separator itself
        return np.zeros(len(tokens), np.uint64), np.zeros(len(tokens), np.bool_)
    starts = np.empty_like(ends)
    starts[0] = 0
    np.add(ends[:-1], 1, out=starts[1:])
    lengths = ends - starts
    pairs = units[:-1].astype(np.uint32)
    pairs |= units[1:].astype(np.uint32) << np.uint32(16)
    keys = pairs[starts].astype(np.uint64)
    keys |= pairs[starts + 2].astype(np.uint64) << np.uint64(32)
    keys &= _KEY_MASKS[np.minimum(lengths, 4)]
    is_short = (lengths <= 4) & (lengths > 0)
    nul = np.flatnonzero(units[:-4] == 0)
    if len(nul):  # a key cannot tell a NUL from the end of the token
        is_short[np.searchsorted(ends, nul)] = False
    return keys, is_short


class _KeyTable:
    """Open addressing with linear probing; all probes of a batch are made at once."""

    def __init__(self, bits: int = 16) -> None:
        self._allocate(bits)

    def _allocate(self, bits: int) -> None:
        self._shift = np.uint64(64 - bits)
        self._mask = (1 << bits) - 1
        self._keys = np.zeros(1 << bits, dtype=np.uint64)
        self._numbers = np.zeros(1 << bits, dtype=np.int32)
        self._n_keys = 0

    def _slots(self, keys: UInt64Array) -> Int64Array:
        return ((keys * _MULTIPLIER) >> self._shift).astype(np.int64)

    def find(self, keys: UInt64Array) -> Int32Array:
        """Return the number of each key, -1 for one that is not there."""
        slots = self._slots(keys)
        stored = self._keys[slots]
        numbers = np.where(stored == keys, self._numbers[slots], np.int32(-1))
        pending = np.flatnonzero((stored != keys) & (stored != _EMPTY))
        slots = slots[pending]
        while len(pending):
            slots = (slots + 1) & self._mask
            stored = self._keys[slots]
            wanted = keys[pending]
            found = stored == wanted
            numbers[pending[found]] = self._numbers[slots[found]]
            going_on = ~found & (stored != _EMPTY)
            pending, slots = pending[going_on], slots[going_on]
        return numbers

    def add(self, keys: UInt64Array, numbers: Int32Array) -> None:
        """Store distinct keys that are not there yet."""
        if 2 * (self._n_keys + len(keys)) > self._mask:
            held = np.flatnonzero(self._keys != _EMPTY)
            keys = np.concatenate([self._keys[held], keys])
            numbers = np.concatenate([self._numbers[held], numbers])
            self._allocate(int(4 * len(keys)).bit_length())
        self._n_keys += len(keys)
        slots = self._slots(keys)
        while len(keys):
            free = self._keys[slots] == _EMPTY
            # Of several keys that want one free slot, the last one written stays.
            self._keys[slots[free]] = keys[free]
            placed = self._keys[slots] == keys
            self._numbers[slots[placed]] = numbers[placed]
            keys, numbers = keys[~placed], numbers[~placed]
            slots = (slots[~placed] + 1) & self._mask
