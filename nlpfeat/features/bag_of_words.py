"""Bag of words: how often each term occurs in each document."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from nlpfeat._typing import Int64Array
from nlpfeat.counts.documents import UNKNOWN, TermSpace
from nlpfeat.counts.feature_space import FeatureFrequencies, FeatureSpace, count_documents
from nlpfeat.features.document_counter import DocumentCounter
from nlpfeat.features.document_reader import check_bool
from nlpfeat.text.token_spool import TokenSpool
from nlpfeat.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(kw_only=True, eq=False, repr=False)
class BagOfWordsVectorizer(DocumentCounter):
    """Documents → counts of terms.

    X[d, x] is the number of times that the term x occurs in the document d. Terms of one character
    are kept; punctuation is not, unless ``keep_punctuation``.

    Parameters
    ----------
    segmenter : {"jieba", "char", "whitespace"}, Segmenter or callable, default "jieba"
        Cuts texts; token lists are taken as they are.
    stop_words : iterable of str, path of a file with one word a line, or None
        Terms that are not counted; compared with final tokens.
    lowercase, fold_width : bool, default True
        Whether upper case, and full-width letters and digits, make no difference.
    keep_punctuation : bool, default False
        Whether punctuation is counted.
    n_jobs : int, default None
        Processes that segment; -1 takes all processors. The result is the same.
    binary : bool, default False
        1 where a term occurs, however often.
    min_df, max_df : int or float, default 1 and 1.0
        Terms in fewer, or in more, documents have no column. An integer is a number of documents,
        a float from 0 to 1 a share of them.
    max_features : int, default None
        Only so many of the most frequent terms; ties go by code point.
    vocabulary : list, mapping to columns, set or Vocabulary, default None
        The columns, instead of those of the documents; ``min_df``, ``max_df`` and
        ``max_features`` have no say then.
    dtype : dtype, default numpy.int64
        Of the counts.
    count_unknown : bool, default False
        Whether a last column, ``<unknown>``, counts the terms that have no column.

    Attributes
    ----------
    vocabulary_ : dict of str to int
        The column of each term.
    term_frequencies_, document_frequencies_ : ndarray of int64, shape (n_features,)
        Occurrences of each term in ``fit``, and documents that hold it.
    n_documents_ : int
        Documents in ``fit``.

    See Also
    --------
    sklearn.feature_extraction.text.CountVectorizer : the same for languages with spaces.

    Examples
    --------
    >>> vectorizer = BagOfWordsVectorizer()
    >>> X = vectorizer.fit_transform(["今天天气很好", "天气不好，不好！"])
    >>> vectorizer.get_feature_names_out().tolist()
    ['不好', '今天天气', '天气', '好', '很']
    >>> X.toarray()
    array([[0, 1, 0, 1, 1],
           [2, 0, 1, 0, 0]])
    """

    count_unknown: bool = False

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """Return the terms, and ``<unknown>`` behind them with ``count_unknown``.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        ndarray of str objects, shape (n_features,)
        """
        names = super().get_feature_names_out(input_features)
        return np.append(names, UNKNOWN) if self.count_unknown else names

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_bool(self.count_unknown, "count_unknown")

    def _learn_space(
        self,
        spool: TokenSpool,
        min_documents: int,  # noqa: ARG002
    ) -> tuple[TermSpace, FeatureFrequencies]:
        return TermSpace.learn(spool)

    def _given_space(self, names: list[str]) -> tuple[TermSpace, Int64Array]:
        nothing = np.zeros(len(names), dtype=np.int64)
        vocabulary, places = Vocabulary.from_counts(names, nothing + 1, nothing)
        return TermSpace(vocabulary), places.astype(np.int64)

    def _unknown_id(self, space: FeatureSpace) -> int:
        return len(space) if self.count_unknown else super()._unknown_id(space)

    def _count(self, spool: TokenSpool, space: Any, order: Int64Array | None) -> "csr_array":
        if not self.count_unknown:
            return super()._count(spool, space, order)
        n_terms = len(space)
        spool.restrict(space.vocabulary, unknown=n_terms)
        counts = count_documents(spool, replace(space, unknown_column=True))
        return counts if order is None else self._reordered(counts, np.append(order, n_terms))
