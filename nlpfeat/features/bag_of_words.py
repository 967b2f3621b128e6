"""Bag of words: how often each term occurs in each document."""

from dataclasses import dataclass
from typing import cast

from nlpfeat._typing import Int64Array
from nlpfeat._validation import check_bool
from nlpfeat.counts.documents import TermSpace
from nlpfeat.counts.feature_space import FeatureFrequencies
from nlpfeat.features.document_counter import DocumentCounter
from nlpfeat.text.token_spool import TokenSpool


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
        Whether one more feature, ``<unknown>``, counts the terms that have no column: in the last
        column, or where a given ``vocabulary`` has it. Read in ``fit`` alone.

    Attributes
    ----------
    vocabulary_ : dict of str to int
        The column of each feature: of each term, and of ``<unknown>`` where that is counted.
    term_frequencies_, document_frequencies_ : ndarray of int64, shape (n_features,)
        Occurrences of each feature in ``fit``, and documents that hold it.
    n_documents_ : int
        Documents in ``fit``.
    stop_words_ : tuple of str
        The stop words as ``fit`` read them, as terms, in code-point order; none is read later.

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

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_bool(self.count_unknown, "count_unknown")

    def _learn_space(
        self,
        spool: TokenSpool,
        min_documents: int,  # noqa: ARG002
    ) -> tuple[TermSpace, FeatureFrequencies]:
        return TermSpace.learn(spool)

    def _choose_space(self, spool: TokenSpool) -> tuple[TermSpace, FeatureFrequencies]:
        space, frequencies = super()._choose_space(spool)
        terms = cast(TermSpace, space)
        return terms.with_unknown_column() if self.count_unknown else terms, frequencies

    def _given_space(self, names: list[str]) -> tuple[TermSpace, Int64Array]:
        return TermSpace.from_names(names, unknown_column=bool(self.count_unknown))
