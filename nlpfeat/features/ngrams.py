"""N-grams: how often each run of terms occurs in each document."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from nlpfeat._names import lookup
from nlpfeat._typing import Int64Array
from nlpfeat.counts.feature_space import FeatureFrequencies
from nlpfeat.counts.ngram_names import UNITS, check_ngram_range
from nlpfeat.counts.ngrams import NgramSpace
from nlpfeat.features.document_counter import DocumentCounter
from nlpfeat.text.batches import Documents, are_texts, batches_of
from nlpfeat.text.segmenters import Segmenter, as_segmenter
from nlpfeat.text.token_ids import GAP
from nlpfeat.text.token_spool import TokenSpool
from nlpfeat.text.vocabulary import Vocabulary


@dataclass(kw_only=True, eq=False, repr=False)
class NgramVectorizer(DocumentCounter):
    """Documents → counts of n-grams.

    An n-gram is n terms (or characters) in a row. It never reaches over a gap (punctuation, a stop
    word), the end of a sentence, or the end of a document. Columns stand by length, then by the
    code points of the terms; a name is the terms with a space between them, or the characters.

    Parameters
    ----------
    ngram_range : (int, int), default (1, 1)
        The least and the greatest n.
    unit : {"word", "char"}, default "word"
        Whether n-grams are made of tokens or of characters.
    segmenter : {"jieba", "char", "whitespace"}, Segmenter or callable, default "jieba"
        Cuts texts; token lists are taken as they are. With ``unit="char"`` it has no say:
        texts, and the tokens of a list put together, fall into characters.
    stop_words : iterable of str, path of a file with one word a line, or None
        Terms that become gaps; compared with final tokens.
    lowercase, fold_width : bool, default True
        Whether upper case, and full-width letters and digits, make no difference.
    keep_punctuation : bool, default False
        Whether punctuation is a term instead of a gap.
    n_jobs : int, default None
        Processes that segment; -1 takes all processors. The result is the same.
    binary : bool, default False
        1 where a feature occurs, however often.
    min_df, max_df : int or float, default 1 and 1.0
        Features in fewer, or in more, documents have no column. An integer is a number of
        documents, a float from 0 to 1 a share of them.
    max_features : int, default None
        Only so many of the most frequent features; ties go to the first in the order of columns.
    vocabulary : list, mapping to columns, or set, default None
        The names of the columns, such as ``"天气 好"``, instead of those of the documents;
        ``min_df``, ``max_df`` and ``max_features`` have no say then.
    dtype : dtype, default numpy.int64
        Of the counts.

    Attributes
    ----------
    vocabulary_ : dict of str to int
        The column of each feature name.
    term_frequencies_, document_frequencies_ : ndarray of int64, shape (n_features,)
        Occurrences of each feature in ``fit``, and documents that hold it.
    n_documents_ : int
        Documents in ``fit``.
    stop_words_ : tuple of str
        The stop words as ``fit`` read them, as terms, in code-point order; none is read later.

    Notes
    -----
    Memory holds the n-grams that can still reach ``min_df``: an n-gram is in no more documents
    than the shorter ones in it, so those are pruned first, and the result is exact.

    See Also
    --------
    sklearn.feature_extraction.text.CountVectorizer : the same for languages with spaces.

    Examples
    --------
    >>> vectorizer = NgramVectorizer(ngram_range=(1, 2))
    >>> X = vectorizer.fit_transform(["天气很好", "天气不好，好冷"])
    >>> vectorizer.get_feature_names_out().tolist()
    ['不好', '冷', '天气', '好', '很', '天气 不好', '天气 很', '好 冷', '很 好']
    >>> X.toarray()
    array([[0, 0, 1, 1, 1, 0, 1, 0, 1],
           [1, 1, 1, 1, 0, 1, 0, 1, 0]])
    >>> chars = NgramVectorizer(ngram_range=(2, 2), unit="char").fit(["天气很好"])
    >>> chars.get_feature_names_out().tolist()
    ['天气', '很好', '气很']
    """

    ngram_range: tuple[int, int] = (1, 1)
    unit: str = "word"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_ngram_range(self.ngram_range)
        lookup(UNITS, self.unit, "unit")

    def _spool(
        self, documents: Documents, vocabulary: Vocabulary | None = None, unknown: int = GAP
    ) -> TokenSpool:
        documents = _texts(documents) if self.unit == "char" else documents
        return super()._spool(documents, vocabulary, unknown)

    def _documents_segmenter(self) -> Segmenter:
        return as_segmenter("char") if self.unit == "char" else super()._documents_segmenter()

    def _warn_of_text(self, spool: TokenSpool) -> None:
        if self.unit == "word":
            super()._warn_of_text(spool)

    def _learn_space(
        self, spool: TokenSpool, min_documents: int
    ) -> tuple[NgramSpace, FeatureFrequencies]:
        return NgramSpace.learn(
            spool, self.ngram_range, separator=UNITS[self.unit], min_documents=min_documents
        )

    def _given_space(self, names: list[str]) -> tuple[NgramSpace, Int64Array]:
        return NgramSpace.from_names(names, self.ngram_range, UNITS[self.unit])


def _texts(documents: Documents) -> Iterator[str]:
    """Yield the documents as texts; the tokens of a list are put together again."""
    for batch in batches_of(documents):
        yield from batch if are_texts(batch) else map("".join, chain(batch))
