"""What every estimator that takes documents does with them: segment once, onto disk."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from sklearn.base import BaseEstimator

from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.batches import Documents
from nlpfeat.text.characters import is_han
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import Segmenter, as_segmenter
from nlpfeat.text.stopwords import StopWords
from nlpfeat.text.token_ids import GAP
from nlpfeat.text.token_spool import TextSettings, TokenSpool, spool_tokens
from nlpfeat.text.vocabulary import Vocabulary

SegmenterLike: TypeAlias = str | Segmenter | Callable[[str], list[str]]

_LONG_TOKEN = 6


@dataclass(kw_only=True, eq=False, repr=False)
class DocumentReader(BaseEstimator):  # type: ignore[misc]
    """Base of the estimators that take texts or token lists.

    A dataclass, since the fields of a dataclass are the parameters of its constructor, which does
    nothing but store them: what scikit-learn asks of an estimator.
    """

    segmenter: SegmenterLike = "jieba"
    stop_words: StopWords = None
    lowercase: bool = True
    fold_width: bool = True
    keep_punctuation: bool = False
    n_jobs: int | None = None

    def __sklearn_tags__(self) -> Any:
        """Say that documents come in, and no table of numbers."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        return tags

    def _spool(
        self, documents: Documents, vocabulary: Vocabulary | None = None, unknown: int = GAP
    ) -> TokenSpool:
        """Segment the documents, over their own vocabulary or over one that is there."""
        return spool_tokens(
            documents,
            self._documents_segmenter(),
            self._text_settings(),
            vocabulary=vocabulary,
            unknown=unknown,
            n_jobs=self.n_jobs,
        )

    def _documents_segmenter(self) -> Segmenter:
        return as_segmenter(self.segmenter)

    def _text_settings(self) -> TextSettings:
        for name in ("lowercase", "fold_width", "keep_punctuation"):
            check_bool(getattr(self, name), name)
        normalization = Normalization(bool(self.fold_width), bool(self.lowercase))
        return TextSettings(normalization, bool(self.keep_punctuation), self.stop_words)


def check_bool(value: object, parameter: str) -> bool:
    """Return a truth value.

    Raises
    ------
    InvalidParameterError
        For anything else.
    """
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise InvalidParameterError(f"{parameter} must be True or False. Got {value!r}.")


def warn_of_uncut_text(vocabulary: Vocabulary) -> None:
    """Warn when most Chinese tokens are as long as clauses: the text was not cut into words."""
    terms = vocabulary.terms
    lengths = np.fromiter(map(len, terms), np.int64, len(terms))
    long = np.flatnonzero(lengths > _LONG_TOKEN)
    if not len(long):
        return
    first_characters = "".join([term[0] for term in terms])
    is_chinese = np.fromiter(map(is_han, first_characters), np.bool_, len(terms))
    long = long[is_chinese[long]]
    frequencies = vocabulary.term_frequencies
    if 2 * frequencies[long].sum() > frequencies[is_chinese].sum():
        warnings.warn(
            f"More than half of the Chinese tokens are longer than {_LONG_TOKEN} characters, such "
            f"as {terms[long[0]][:20]!r}: the text seems not to be cut into words. Give texts and "
            "segmenter='jieba'.",
            UserWarning,
            stacklevel=5,
        )
