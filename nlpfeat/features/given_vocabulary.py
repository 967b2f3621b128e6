"""A vocabulary that the user gives, in any of the forms that scikit-learn takes."""

from collections.abc import Iterable, Mapping, Sequence, Set
from numbers import Integral
from typing import TypeAlias

from nlpfeat.errors import InvalidParameterError
from nlpfeat.features.user_warnings import warn_user
from nlpfeat.text.characters import is_punctuation
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.vocabulary import Vocabulary

GivenVocabulary: TypeAlias = Mapping[str, int] | Iterable[str] | Vocabulary | None


def given_names(vocabulary: GivenVocabulary) -> list[str]:
    """Return the feature names that the columns should have, in their order.

    Parameters
    ----------
    vocabulary : mapping of name to column, iterable of names, or Vocabulary
        A set is sorted.

    Raises
    ------
    InvalidParameterError
        For an empty vocabulary, a repeated name, columns that are not 0, 1, 2, …, or names that
        are no strings.

    Examples
    --------
    >>> given_names({"天气": 1, "好": 0}), given_names({"好", "天气"})
    (['好', '天气'], ['天气', '好'])
    """
    if isinstance(vocabulary, Vocabulary):
        names: Sequence[object] = vocabulary.terms
    elif isinstance(vocabulary, Mapping):
        names = _by_column(vocabulary)
    elif isinstance(vocabulary, Set):
        names = sorted(vocabulary, key=str)
    elif isinstance(vocabulary, str | bytes) or not isinstance(vocabulary, Iterable):
        raise InvalidParameterError(
            "vocabulary must be a list of feature names or a mapping from names to columns. "
            f"Got {vocabulary!r}."
        )
    else:
        names = list(vocabulary)
    checked = [_checked(name) for name in names]
    if not checked:
        raise InvalidParameterError(
            "vocabulary must hold at least one feature name. Got an empty one; leave it out to "
            "take the features of the documents."
        )
    seen: set[str] = set()
    for name in checked:
        if name in seen:
            raise InvalidParameterError(
                f"vocabulary must hold each feature name once. Got {name!r} twice."
            )
        seen.add(name)
    return checked


def warn_of_unmatchable(
    names: list[str], normalization: Normalization, *, keep_punctuation: bool
) -> None:
    """Warn of names that no token has: tokens are lower-cased or folded, and punctuation a gap."""
    if not keep_punctuation:
        gaps = [name for name in names if is_punctuation(name)]
        if gaps:
            warn_user(
                f"vocabulary holds {', '.join(map(repr, gaps[:3]))}"
                f"{' and others' if len(gaps) > 3 else ''}, which cannot be found: punctuation is "
                "not counted. Set keep_punctuation=True."
            )
    changed = [name for name, term in zip(names, normalization.terms(names)) if name != term]
    if changed:
        warn_user(
            f"vocabulary holds {', '.join(map(repr, changed[:3]))}"
            f"{' and others' if len(changed) > 3 else ''}, which cannot be found: tokens are "
            f"counted as {normalization.term(changed[0])!r}. Spell them so, or set "
            "lowercase=False and fold_width=False."
        )


def _by_column(vocabulary: Mapping[str, int]) -> list[str]:
    columns = list(vocabulary.values())
    integers = all(isinstance(column, Integral) for column in columns)
    if not integers or sorted(columns) != list(range(len(columns))):
        raise InvalidParameterError(
            "vocabulary must map the feature names to the columns 0, 1, 2, …, each once. "
            f"Got {dict(list(vocabulary.items())[:5])!r}…"
        )
    return sorted(vocabulary, key=vocabulary.__getitem__)


def _checked(name: object) -> str:
    if isinstance(name, str) and name:
        return str(name)
    raise InvalidParameterError(f"vocabulary must hold strings that are not empty. Got {name!r}.")
