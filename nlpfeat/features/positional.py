"""Positional bag of words: how often each term stands at each position."""

from dataclasses import dataclass

from nlpfeat._typing import Int64Array
from nlpfeat.counts.feature_space import FeatureFrequencies
from nlpfeat.counts.positions import PositionSettings, PositionSpace
from nlpfeat.features.document_counter import DocumentCounter
from nlpfeat.text.token_spool import TokenSpool


@dataclass(kw_only=True, eq=False, repr=False)
class PositionalBagOfWordsVectorizer(DocumentCounter):
    """Documents → counts of terms at positions.

    Column (p, x): how often the term x stands at position p. In a document of n tokens, gaps
    counted, the i-th token from 0 on has the position

    - ``"absolute"``: i, that is 0, 1, 2, …
    - ``"end"``: i - n, that is -1 for the last token, -2, …
    - ``"relative"``: ⌊i·b/n⌋, which of b equal parts of the document it is in
    - ``"log"``: ⌊log2(i + 1)⌋, that is 0, 1, 1, 2, 2, 2, 2, 3, …

    Columns stand by distance from where counting begins, then by the code points of the terms.

    Parameters
    ----------
    positions : {"absolute", "end", "relative", "log"}, default "absolute"
        What a position is.
    n_bins : int, default 10
        b, the parts of a document, for ``"relative"``.
    max_position : int, default None
        So many positions stay apart; None: all of them. Not for ``"relative"``.
    overflow : {"bin", "drop"}, default "bin"
        Whether a term past ``max_position`` is counted in one shared bin, named such as
        ``≥10:你`` or ``≤-11:你``, or not at all.
    segmenter : {"jieba", "char", "whitespace"}, Segmenter or callable, default "jieba"
        Cuts texts; token lists are taken as they are.
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
        The names of the columns, such as ``"0:你"``, instead of those of the documents; ``min_df``,
        ``max_df`` and ``max_features`` have no say then.
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

    Examples
    --------
    >>> vectorizer = PositionalBagOfWordsVectorizer(max_position=2)
    >>> X = vectorizer.fit_transform([["猫", "追", "狗"], ["狗", "追", "猫"]])
    >>> vectorizer.get_feature_names_out().tolist()
    ['0:狗', '0:猫', '1:追', '≥2:狗', '≥2:猫']
    >>> X.toarray()
    array([[0, 1, 1, 1, 0],
           [1, 0, 1, 0, 1]])
    """

    positions: str = "absolute"
    n_bins: int = 10
    max_position: int | None = None
    overflow: str = "bin"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._settings()

    def _settings(self) -> PositionSettings:
        return PositionSettings(
            self.positions, self.n_bins, self.max_position, self.overflow
        ).validate()

    def _learn_space(
        self,
        spool: TokenSpool,
        min_documents: int,  # noqa: ARG002
    ) -> tuple[PositionSpace, FeatureFrequencies]:
        return PositionSpace.learn(spool, self._settings())

    def _given_space(self, names: list[str]) -> tuple[PositionSpace, Int64Array]:
        return PositionSpace.from_names(names, self._settings())
