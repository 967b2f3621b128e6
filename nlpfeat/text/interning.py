"""Give each distinct token a number, a whole batch at a time.

Looking up one Python string after another costs nearly as much as cutting the text does. Here a
batch of tokens becomes one UTF-16 array; a token of up to four UTF-16 units *is* a 64-bit key,
and an open-addressing table in NumPy maps keys to numbers. Longer tokens (some two in a hundred)
go through a dict.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlpfeat._typing import BoolArray, Int32Array, Int64Array
from nlpfeat.errors import InvalidInputError
from nlpfeat.text.joined import TEXT_END, TOKEN_END

UInt64Array = NDArray[np.uint64]

_FIRST_END = 0xFFFE
_TOKEN_END = 0xFFFF
_END_BYTES = TOKEN_END.encode("utf-16-le")
_EMPTY = np.uint64(0)
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio: Fibonacci hashing (Knuth 1973)
_KEY_MASKS = np.array([0] + [(1 << 16 * units) - 1 for units in range(1, 5)], dtype=np.uint64)


class TokenInterner:
    """Numbers tokens in the order in which it first sees them; equal tokens share a number.

    Attributes
    ----------
    tokens : list of str
        The distinct tokens; the number of a token is its place here.

    Examples
    --------
    >>> from nlpfeat.text.joined import join_tokens
    >>> interner = TokenInterner()
    >>> numbers, ends = interner.intern(join_tokens([["今天", "天气", "好"], ["天气"]]))
    >>> numbers.tolist(), ends.tolist(), interner.tokens
    ([0, 1, 2, 1], [3, 4], ['今天', '天气', '好'])
    """

    def __init__(self) -> None:
        self.tokens: list[str] = []
        self._long: dict[str, int] = {}
        self._table = _KeyTable()

    def intern(self, joined: Sequence[str]) -> tuple[Int32Array, Int64Array]:
        """Return the number of each token of some texts, one text after another.

        Parameters
        ----------
        joined : sequence of str
            The tokens of each text, joined; a text without a token counts as one empty token.

        Returns
        -------
        numbers : ndarray of int32, shape (n_tokens,)
        text_ends : ndarray of int64, shape (n_texts,)
            The number of tokens up to the end of each text.

        Raises
        ------
        InvalidInputError
            For a lone surrogate.
        """
        if not joined:
            return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64)
        spans = _Spans(_utf16(joined))
        numbers = np.empty(len(spans.starts), dtype=np.int32)
        keys, is_short = spans.keys()
        short = np.flatnonzero(is_short)
        numbers[short] = self._intern_short(keys[short])
        long = np.flatnonzero(~is_short)
        for place, token in zip(long.tolist(), spans.tokens(long)):
            number = self._long.get(token)
            if number is None:
                number = self._long[token] = len(self.tokens)
                self.tokens.append(token)
            numbers[place] = number
        return numbers, spans.text_ends

    def _intern_short(self, keys: UInt64Array) -> Int32Array:
        numbers = self._table.find(keys)
        unknown = np.flatnonzero(numbers < 0)
        if len(unknown):
            new, first, inverse = np.unique(keys[unknown], return_index=True, return_inverse=True)
            order = np.argsort(first)  # numbered as they come, not by key
            rank = np.empty_like(order)
            rank[order] = np.arange(len(order))
            start = len(self.tokens)
            self.tokens.extend(_short_tokens(new[order]))
            self._table.add(new, (start + rank).astype(np.int32))
            numbers[unknown] = start + rank[inverse]
        return numbers


def _utf16(joined: Sequence[str]) -> bytes:
    try:
        return (TEXT_END.join(joined) + TEXT_END).encode("utf-16-le")
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"The text {error.object[max(error.start - 10, 0) : error.start + 10]!r} holds a lone "
            "surrogate, which is no character; remove it, or decode with errors='replace'."
        ) from error


def _short_tokens(keys: UInt64Array) -> list[str]:
    """Return the tokens that keys stand for."""
    units = np.full((len(keys), 5), _TOKEN_END, dtype="<u2")
    units[:, :4] = keys.astype("<u8").view("<u2").reshape(-1, 4)
    joined: bytes = units[units != 0].tobytes()
    return joined.decode("utf-16-le").split(TOKEN_END)[:-1]


class _Spans:
    """Where each token of joined texts begins and ends, in UTF-16 units."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._units = np.frombuffer(data + b"\0" * 8, dtype="<u2")
        self._ends = np.flatnonzero(self._units >= _FIRST_END)
        self.starts = np.empty_like(self._ends)
        self.starts[:1] = 0
        np.add(self._ends[:-1], 1, out=self.starts[1:])
        self.text_ends = np.flatnonzero(self._units[self._ends] == _FIRST_END) + 1

    def tokens(self, places: Int64Array) -> list[str]:
        """Return the tokens at some places."""
        if not len(places):
            return []
        starts, ends = (2 * self.starts[places]).tolist(), (2 * self._ends[places]).tolist()
        parts = [self._data[start:end] for start, end in zip(starts, ends)]
        # One call of the decoder for all costs a fraction of one for each.
        return _END_BYTES.join(parts).decode("utf-16-le").split(TOKEN_END)

    def keys(self) -> tuple[UInt64Array, BoolArray]:
        """Return a key for each token, and whether the key says all of it."""
        lengths = self._ends - self.starts
        pairs = self._units[:-1].astype(np.uint32)
        pairs |= self._units[1:].astype(np.uint32) << np.uint32(16)
        keys = pairs[self.starts].astype(np.uint64)
        keys |= pairs[self.starts + 2].astype(np.uint64) << np.uint64(32)
        keys &= _KEY_MASKS[np.minimum(lengths, 4)]
        is_short = (lengths <= 4) & (lengths > 0)
        nul = np.flatnonzero(self._units[:-4] == 0)
        if len(nul):  # a key cannot tell a NUL from the end of the token
            is_short[np.searchsorted(self._ends, nul)] = False
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
