"""Words that the user names, among the terms of a text."""

from collections.abc import Collection

from nlpfeat._names import closest
from nlpfeat.errors import InvalidInputError
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import Segmenter
from nlpfeat.text.vocabulary import Vocabulary


def known_term(
    word: str,
    terms: Collection[str],
    *,
    normalization: Normalization,
    segmenter: Segmenter,
    complete: bool,
    whole: Vocabulary | None = None,
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

    Raises
    ------
    InvalidInputError
        When it is none.
    """
    term = normalization.term(word)
    if term in terms:
        return term
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
