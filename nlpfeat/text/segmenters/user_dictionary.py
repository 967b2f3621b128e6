"""A user dictionary in jieba's format."""

import logging
import re
from dataclasses import dataclass
from itertools import chain
from os import PathLike, fspath

from nlpfeat.errors import InvalidInputError
from nlpfeat.io.files import iter_line_batches

logger = logging.getLogger(__name__)

_ENTRY = re.compile(r"(.+?)(?: ([0-9]+))?(?: ([a-z]+))?")
_MOST_DIGITS = 12  # so that sums of frequencies stay exact in every engine
_MATCHABLE = re.compile(r"[\u4E00-\u9FD5a-zA-Z0-9+#&._%\-]+")


@dataclass(frozen=True)
class DictionaryEntry:
    """One line of a user dictionary: the word, its frequency and its tag, both optional."""

    word: str
    frequency: int | None = None
    tag: str | None = None

    @property
    def can_match(self) -> bool:
        """Whether jieba can ever find the word: it looks at runs of Han, letters, ``+#&._%-``."""
        return _MATCHABLE.fullmatch(self.word) is not None


def load_user_dictionary(path: str | PathLike[str]) -> tuple[DictionaryEntry, ...]:
    """Read a user dictionary: ``word [frequency] [tag]`` a line, in any encoding.

    Entries that can never match are kept out of nobody's sight: they are logged as a warning
    with the remedy.

    Raises
    ------
    InvalidInputError
        When the file cannot be read, or a frequency is beyond all sense.
    """
    entries = []
    lines = chain.from_iterable(iter_line_batches(fspath(path)))
    for number, line in enumerate(lines, 1):
        if match := _ENTRY.fullmatch(line.strip()):
            word, digits, tag = match.groups()
            if digits is not None and len(digits) > _MOST_DIGITS:
                raise InvalidInputError(
                    f"{fspath(path)}: line {number}: a frequency must have at most {_MOST_DIGITS} "
                    f"digits. Got {digits[:30]} for {word!r}; 1,000,000 already outweighs nearly "
                    "every word."
                )
            entries.append(DictionaryEntry(word, None if digits is None else int(digits), tag))
    hopeless = [entry.word for entry in entries if not entry.can_match]
    if hopeless:
        shown = ", ".join(hopeless[:10]) + (", …" if len(hopeless) > 10 else "")
        logger.warning(
            "%s: %d of %d entries can never match, since jieba does not look across their "
            "characters: %s. Give them as user words (--user-word) instead.",
            fspath(path), len(hopeless), len(entries), shown,
        )  # fmt: skip
    return tuple(entries)
