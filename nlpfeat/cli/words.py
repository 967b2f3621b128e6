"""Words that the user names, among the terms of a text."""

import re
from collections.abc import Callable, Collection, Iterable

from nlpfeat._names import closest
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import Segmenter
from nlpfeat.text.vocabulary import Vocabulary

_COMMA = re.compile("[,，、]")


def known_term(
    word: str,
    terms: Collection[str],
    *,
    normalization: Normalization,
    segmenter: Segmenter,
    complete: bool,
    whole: Vocabulary | None = None,
    option: str = "",
) -> str:
    """Return the term that a word is, or say of one that is none what stands in its place.

    Parameters
    ----------
    word : str
        As the user wrote it.
    terms : collection of str
    normalization : Normalization
    segmenter : Segmenter
    complete : bool
        Whether all words of the text are among the terms.
    whole : Vocabulary, default None
        The terms before rare ones were left out, where that is known.
    option : str, default ""
        The one that the word was given with, such as ``"--word"``.

    Raises
    ------
    InvalidInputError
        When it is none.
    InvalidParameterError
        When it is several terms with commas between them.
    """
    term = normalization.term(word)
    if term in terms:
        return term
    check_apart([word], lambda part: normalization.term(part) in terms, option)
    if whole is not None and term in whole.ids:
        n_times = whole.term_frequencies[whole.ids[term]]
        often = "once" if n_times == 1 else f"{n_times:,} times"
        raise InvalidInputError(
            f"{term!r} was left out: it occurs {often} in the text, which is too rare "
            "(--min-term-count, --max-terms)."
        )
    tokens = segmenter.segment(normalization.before_cutting([word])[0])
    if len(tokens) > 1:
        raise InvalidInputError(
            f"{term!r} is no word of the text: it is cut into {' '.join(tokens)}. "
            f"Keep it whole with --user-word {word}."
        )
    left_out = (
        "" if complete else ", or it was left out (--min-term-count, --max-terms, --stop-words)"
    )
    raise InvalidInputError(f"{term!r} is no word of the text{left_out}.{closest(term, terms)}")


def check_apart(values: Iterable[str], is_known: Callable[[str], bool], option: str = "") -> None:
    """Raise when a value is unknown and is known ones with commas between them.

    Parameters
    ----------
    values : iterable of str
        Of an option that is given once for each, or of an argument.
    is_known : callable
    option : str, default ""
        "" for an argument.

    Raises
    ------
    InvalidParameterError
        With how to give them.

    Examples
    --------
    >>> check_apart(["pmi", "g2"], ["pmi", "g2"].__contains__, "--measure")
    >>> check_apart(["pmi,g2"], ["pmi", "g2"].__contains__, "--measure")
    Traceback (most recent call last):
        ...
    nlpfeat.errors.InvalidParameterError: 'pmi,g2' is 2 values. Give each by itself: --measure pmi \
--measure g2.
    """
    for value in values:
        parts = [part.strip() for part in _COMMA.split(value)]
        if len(parts) > 1 and not is_known(value) and all(map(is_known, parts)):
            apart = " ".join(f"{option} {part}".lstrip() for part in parts)
            raise InvalidParameterError(
                f"{value!r} is {len(parts)} values. Give each by itself: {apart}."
            )
