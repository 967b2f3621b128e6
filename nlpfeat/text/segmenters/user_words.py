"""Words that always win: found in the text before any dictionary is asked."""

import re
from collections.abc import Iterable, Iterator

from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.normalization import fold_width


class UserWords:
    """Finds given words in a text, from left to right, the longest at each place first.

    The words may hold any characters and there may be any number of them: the time for a text
    depends on the number of different word lengths, not on the number of words. Their half-width
    forms are found too, since texts are width-folded before they are cut. A word that begins or
    ends with an ASCII letter or digit is not found within a longer run of these: AI is no part of
    MAIN.

    Parameters
    ----------
    words : iterable of str

    Raises
    ------
    InvalidParameterError
        When a word is not a string or is empty.

    Examples
    --------
    >>> list(UserWords(["型号A/B", "型号"]).split("型号A/B已到货"))
    [('型号A/B', True), ('已到货', False)]
    >>> list(UserWords(["AI"]).split("MAIN街用AI"))
    [('MAIN街用', False), ('AI', True)]
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words: set[str] = set()
        lengths: dict[str, set[int]] = {}
        for word in words:
            if not isinstance(word, str) or not word:
                raise InvalidParameterError(
                    f"user_words must hold non-empty strings. Got {word!r}."
                )
            for form in {word, fold_width(word)}:
                self._words.add(form)
                lengths.setdefault(form[0], set()).add(len(form))
        self._lengths = {first: sorted(found, reverse=True) for first, found in lengths.items()}
        firsts = "".join(map(re.escape, sorted(self._lengths)))
        self._starts = re.compile(f"[{firsts}]") if firsts else None

    def split(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield the pieces of a text in order, each with whether it is a user word."""
        done = 0
        for start, end in self._matches(text):
            if start > done:
                yield text[done:start], False
            yield text[start:end], True
            done = end
        if done < len(text):
            yield text[done:], False

    def _matches(self, text: str) -> Iterator[tuple[int, int]]:
        position = 0
        while self._starts and (found := self._starts.search(text, position)):
            position = found.start()
            for length in self._lengths[found.group()]:
                end = position + length
                if text[position:end] in self._words and not _is_within_run(text, position, end):
                    yield position, end
                    position = end
                    break
            else:
                position += 1


def _is_within_run(text: str, start: int, end: int) -> bool:
    """Tell whether ASCII letters or digits go on across either end of what lies between."""
    return (start > 0 and _go_on(text[start - 1 : start + 1])) or _go_on(text[end - 1 : end + 1])


def _go_on(characters: str) -> bool:
    return len(characters) == 2 and characters.isascii() and characters.isalnum()
