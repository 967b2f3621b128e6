"""Stop words: compared with the final tokens, never cut themselves."""

import logging
from collections.abc import Iterable
from os import PathLike

from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import Segmenter
from nlpfeat.text.word_lists import read_words

logger = logging.getLogger(__name__)

StopWords = Iterable[str] | str | PathLike[str] | None


def read_stop_words(stop_words: StopWords, normalization: Normalization) -> frozenset[str]:
    """Return the stop words as terms.

    Parameters
    ----------
    stop_words : iterable of str, path of a file with one word a line, or None
        The file may have any encoding; blank lines do not count.
    normalization : Normalization
        The words are folded and lower-cased as tokens are.

    Examples
    --------
    >>> sorted(read_stop_words({"的", "THE"}, Normalization()))
    ['the', '的']
    """
    if stop_words is None:
        return frozenset()
    if isinstance(stop_words, str | PathLike):
        words = read_words(stop_words)
    elif isinstance(stop_words, Iterable):
        words = list(stop_words)
    else:
        raise InvalidParameterError(
            f"stop_words must be a path or an iterable of words. Got {stop_words!r}."
        )
    for word in words:
        if not isinstance(word, str):
            raise InvalidParameterError(f"stop_words must hold strings. Got {word!r}.")
    # Lines of a file that someone else read may still have their ends.
    stripped = [word.strip() for word in words]
    return frozenset(normalization.terms([word for word in stripped if word]))


def warn_of_unreachable(stop_words: frozenset[str], segmenter: Segmenter) -> list[str]:
    """Return, and log, the stop words that the segmenter cuts into several tokens.

    Such a word is not removed from a text, since no token equals it.
    """
    cut_apart = []
    for word in sorted(stop_words):
        # Terms are lower-cased, and jieba's dictionary may know T恤 and not t恤.
        tokens = segmenter.segment(word)
        if tokens != [word] and segmenter.segment(word.upper()) != [word.upper()]:
            cut_apart.append(f"{word} ({' '.join(tokens)})" if tokens else repr(word))
    if cut_apart:
        shown = ", ".join(cut_apart[:10]) + (", …" if len(cut_apart) > 10 else "")
        logger.warning(
            "%d of %d stop words are cut into several tokens and will hardly ever be removed: %s. "
            "Give them as user words (--user-word) too, or stop their parts.",
            len(cut_apart), len(stop_words), shown,
        )  # fmt: skip
    return cut_apart
