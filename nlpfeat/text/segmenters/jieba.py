"""The segmenter that Chinese users know."""

import json
import os
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple
from hashlib import sha256
from pathlib import Path
from typing import Any

from nlpfeat._names import lookup
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.text.characters import is_blank
from nlpfeat.text.pieces import outside_runs
from nlpfeat.text.segmenters.base import Segmenter
from nlpfeat.text.segmenters.python_engine import PythonEngine
from nlpfeat.text.segmenters.rust_engine import RustEngine
from nlpfeat.text.segmenters.user_dictionary import DictionaryEntry, load_user_dictionary
from nlpfeat.text.segmenters.user_words import UserWords

ENGINES: dict[str, type[RustEngine] | type[PythonEngine]] = {
    "rust": RustEngine,
    "python": PythonEngine,
}


class JiebaSegmenter(Segmenter):
    """Cuts as jieba does (``jieba.lcut``), by default through rjieba.

    Parameters
    ----------
    engine : {"rust", "python"}, default "rust"
        rjieba, corrected where it differs from jieba, or jieba itself. Both give the same
        tokens; docs/segmentation.md has the measured agreement.
    hmm : bool, default True
        Whether words that the dictionary lacks are found with jieba's hidden Markov model.
    user_dict : path, default None
        A dictionary in jieba's format (``word [frequency] [tag]`` a line), in any encoding. It
        is read when the segmenter is first used. Entries that can never match are logged as a
        warning, and stand in :attr:`unmatchable_entries`.
    user_words : list, tuple or set of str, default ()
        Words that always stay whole, whatever characters they hold and whatever the dictionary
        says: from left to right, the longest match first. A word that begins or ends with an
        ASCII letter or digit is not found within a longer run of these.

    Notes
    -----
    The dictionary belongs to this object: ``jieba.add_word`` elsewhere does not reach it and it
    reaches nothing else. It pickles as its settings and the entries of the user dictionary; a
    process loads rjieba's dictionary in about 0.1 s and 100 MB when it first cuts.

    References
    ----------
    Sun Junyi, jieba, version 0.42.1; messense, rjieba, version 0.2.2.

    Examples
    --------
    >>> JiebaSegmenter().segment("今天天气很好，我们去公园")
    ['今天天气', '很', '好', '，', '我们', '去', '公园']
    >>> JiebaSegmenter(user_words=["型号A/B"]).segment("型号A/B已到货")
    ['型号A/B', '已', '到货']
    """

    def __init__(
        self,
        *,
        engine: str = "rust",
        hmm: bool = True,
        user_dict: str | os.PathLike[str] | None = None,
        user_words: Collection[str] = (),
    ) -> None:
        self.engine = engine
        self.hmm = hmm
        self.user_dict = user_dict
        self.user_words = user_words
        self._entries: tuple[DictionaryEntry, ...] | None = None
        self._cutter: RustEngine | PythonEngine | None = None
        self._words: UserWords | None = None
        self._separators: re.Pattern[str] | None = None

    def __repr__(self) -> str:
        """Show the settings that differ from the defaults."""
        defaults = {"engine": "rust", "hmm": True, "user_dict": None}
        shown = [f"{name}={getattr(self, name)!r}" for name, value in defaults.items()
                 if getattr(self, name) != value]  # fmt: skip
        if self.user_words:
            # In one order, whatever collection they came in.
            shown.append(f"user_words={sorted(set(self.user_words))!r}")
        return f"JiebaSegmenter({', '.join(shown)})"

    @property
    def identity(self) -> str:
        """The settings, with the content of the user dictionary instead of its path."""
        entries = self._load_entries()
        shown = repr(self)
        if not entries:
            return shown
        content = sha256(repr(entries).encode("utf-8", "replace")).hexdigest()[:16]
        return shown.replace(f"user_dict={self.user_dict!r}", f"user_dict=<SHA-256 {content}>")

    def __getstate__(self) -> dict[str, Any]:
        """Return the settings, with the dictionary's entries, so that no worker needs its file."""
        return {
            "engine": self.engine,
            "hmm": self.hmm,
            "user_dict": self.user_dict,
            "user_words": self.user_words,
            # One string, since thousands of small objects take long to store and to load.
            "entries": json.dumps([astuple(entry) for entry in self._load_entries()]),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the settings; the dictionaries are loaded at the first use."""
        settings = dict(state)
        entries = tuple(DictionaryEntry(*entry) for entry in json.loads(settings.pop("entries")))
        self.__dict__.update(
            settings, _entries=entries, _cutter=None, _words=None, _separators=None
        )

    @property
    def unmatchable_entries(self) -> list[str]:
        """The words of the user dictionary that jieba can never find."""
        return [entry.word for entry in self._load_entries() if not entry.can_match]

    @property
    def separators(self) -> re.Pattern[str]:
        """Characters that are neither in jieba's runs nor in a user word."""
        if self._separators is None:
            self._load()  # checks the words
            self._separators = outside_runs(self.user_words)
        return self._separators

    def load(self) -> None:
        """Load the dictionary, and check the settings."""
        if self._cutter is None:
            self._load()

    def release(self) -> None:
        """Give back the dictionary (some 60 MB with rjieba); the next use loads it again."""
        self._cutter = None

    def segment(self, text: str) -> list[str]:
        """Return the tokens of one text, in order, without blanks.

        Raises
        ------
        InvalidInputError
            When ``text`` is no string or holds a lone surrogate.
        """
        if not isinstance(text, str):
            raise InvalidInputError(f"A text must be a string. Got {text!r}.")
        return [piece for piece in self.cut_batch([text])[0]
                if piece.isalnum() or not is_blank(piece)]  # fmt: skip

    def cut_batch(self, texts: Sequence[str]) -> list[list[str]]:
        """Return the pieces of several texts, blanks included."""
        cutter = self._cutter or self._load()
        with _surrogates_named():
            if self._words is None:
                return cutter.cut_batch(texts)
            return [self._cut_around_words(cutter, self._words, text) for text in texts]

    def cut_joined(self, texts: Sequence[str]) -> list[str]:
        """Return the pieces of several texts, joined, blanks included."""
        cutter = self._cutter or self._load()
        if self._words is not None:
            return super().cut_joined(texts)
        with _surrogates_named():
            return cutter.cut_joined(texts)

    @staticmethod
    def _cut_around_words(
        cutter: RustEngine | PythonEngine, words: UserWords, text: str
    ) -> list[str]:
        pieces: list[str] = []
        for part, is_word in words.split(text):
            if is_word:
                pieces.append(part)
            else:
                pieces.extend(cutter.cut_batch([part])[0])
        return pieces

    def _load(self) -> RustEngine | PythonEngine:
        make = lookup(ENGINES, self.engine, "JiebaSegmenter's engine")
        words = self.user_words
        if isinstance(words, str) or not isinstance(words, Collection):
            raise InvalidParameterError(
                "JiebaSegmenter's user_words must be a list, tuple or set of words. "
                f"Got {words!r}; use [word, …]."
            )
        if words:
            self._words = UserWords(words)
        self._cutter = make(self.hmm, self._load_entries())
        return self._cutter

    def _load_entries(self) -> tuple[DictionaryEntry, ...]:
        if self._entries is None:
            self._entries = (
                () if self.user_dict is None else load_user_dictionary(Path(self.user_dict))
            )
        return self._entries


@contextmanager
def _surrogates_named() -> Iterator[None]:
    """Turn rjieba's refusal of half a character into a message that says so."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise InvalidInputError(
            f"The text {error.object[max(error.start - 10, 0) : error.start + 10]!r} holds a lone "
            "surrogate, which is no character; remove it, or decode with errors='replace'."
        ) from error
