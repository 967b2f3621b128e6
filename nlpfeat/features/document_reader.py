"""What every estimator that takes documents does with them: segment once, onto disk."""

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from sklearn.base import BaseEstimator

from nlpfeat._validation import check_bool
from nlpfeat.features.user_warnings import warn_user
from nlpfeat.text.batches import Documents
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import Segmenter, as_segmenter
from nlpfeat.text.stopwords import StopWords
from nlpfeat.text.token_ids import GAP
from nlpfeat.text.token_spool import TextSettings, TokenSpool, spool_tokens
from nlpfeat.text.vocabulary import Vocabulary

SegmenterLike: TypeAlias = str | Segmenter | Callable[[str], list[str]]

_LONG_TOKEN = 6
_HAN = (("\u3400", "\ua000"), ("\U00020000", "\U00040000"))  # the first characters, and one past


@dataclass(kw_only=True, eq=False, repr=False)
class DocumentReader(BaseEstimator):  # type: ignore[misc]
    """Base of the estimators that take texts or token lists.

    What learns calls `_spool` without a vocabulary, and `_keep_text` when it has learned.

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
        """Segment the documents, over their own vocabulary or over one that was learned."""
        is_learning = vocabulary is None
        spool = spool_tokens(
            documents,
            self._documents_segmenter(),
            self._text_settings(is_learning=is_learning),
            vocabulary=vocabulary,
            unknown=unknown,
            n_jobs=self.n_jobs,
        )
        if is_learning:
            try:
                self._warn_of_text(spool)
            except BaseException:  # a user may turn warnings into errors
                spool.close()
                raise
        return spool

    def _keep_text(self, spool: TokenSpool) -> None:
        """Remember how the text was read that was learned from: the last step of learning.

        A file may be gone when ``transform`` is called, and a generator is empty.
        """
        self.stop_words_ = tuple(sorted(spool.stop_words))

    def _warn_of_text(self, spool: TokenSpool) -> None:
        warn_of_uncut_text(spool.vocabulary)

    def _documents_segmenter(self) -> Segmenter:
        return as_segmenter(self.segmenter)

    def _text_settings(self, *, is_learning: bool) -> TextSettings:
        stop_words = self.stop_words
        if not is_learning:
            stop_words = getattr(self, "stop_words_", stop_words)
        keep_punctuation = check_bool(self.keep_punctuation, "keep_punctuation")
        return TextSettings(self._normalization(), keep_punctuation, stop_words)

    def _normalization(self) -> Normalization:
        return Normalization(
            check_bool(self.fold_width, "fold_width"), check_bool(self.lowercase, "lowercase")
        )


def warn_of_uncut_text(vocabulary: Vocabulary) -> None:
    """Warn when most Chinese tokens are as long as clauses: the text was not cut into words."""
    terms = vocabulary.terms
    n_tokens = n_long = 0
    example = ""
    for bounds in _HAN:
        # Terms stand by code point, so the Chinese ones stand together.
        start, stop = (bisect_left(terms, character) for character in bounds)
        lengths = np.fromiter(map(len, terms[start:stop]), np.int64, stop - start)
        long = start + np.flatnonzero(lengths > _LONG_TOKEN)
        n_tokens += vocabulary.term_frequencies[start:stop].sum()
        n_long += vocabulary.term_frequencies[long].sum()
        example = example or (terms[long[0]] if len(long) else "")
    if 2 * n_long > n_tokens:
        warn_user(
            f"More than half of the Chinese tokens are longer than {_LONG_TOKEN} characters, such "
            f"as {example[:20]!r}: the text seems not to be cut into words. Give texts and "
            "segmenter='jieba'."
        )
