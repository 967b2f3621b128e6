"""What classical measures of the training part say of the tokens of a document."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat.counts.counting import count_cooccurrences
from nlpfeat.errors import InvalidInputError
from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
from nlpfeat.features.tfidf import TfidfVectorizer
from nlpfeat.measures.association import ppmi
from nlpfeat.measures.idf import idf
from nlpfeat.measures.naive_bayes import log_count_ratio
from nlpfeat.text.characters import is_blank
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.token_ids import GAP
from nlpfeat.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SCORES = {
    "idf": "inverse document frequency",
    "tfidf": "count in the document times idf",
    "linear": "size of the coefficient for the predicted class, of a linear SVM on TF-IDF",
    "naive bayes": "size of the log-count ratio of the predicted class against the rest",
    "ppmi": "mean positive PMI with the other types of the document",
}
"""The scores of tokens that weights are compared with; all from the training part alone."""

_WINDOW = 5


@dataclass(frozen=True, eq=False)
class TokenScores:
    """Scores of the L tokens of a document.

    Parameters
    ----------
    idf, tfidf, ppmi : ndarray of float64, shape (L,)
    linear, naive_bayes : ndarray of float64, shape (C, L)
        For each class, signed.
    pair_ppmi : ndarray of float64, shape (L, L)
        Positive PMI of each two tokens, symmetric; 0 for pairs that were not seen and for tokens of
        one type.
    frequencies : ndarray of int64, shape (L,)
        Training documents that hold the term of the token.
    """

    idf: Float64Array
    tfidf: Float64Array
    ppmi: Float64Array
    linear: Float64Array
    naive_bayes: Float64Array
    pair_ppmi: Float64Array
    frequencies: Int64Array

    def of_class(self, column: int) -> dict[str, Float64Array]:
        """Return each of ``SCORES`` for a predicted class; those of classes without sign."""
        return {
            "idf": self.idf,
            "tfidf": self.tfidf,
            "linear": np.abs(self.linear[column]),
            "naive bayes": np.abs(self.naive_bayes[column]),
            "ppmi": self.ppmi,
        }


@dataclass(frozen=True, eq=False)
class ClassicalScores:
    """Tables of the terms of the training part; made by ``learn``.

    Parameters
    ----------
    vocabulary : Vocabulary
        V terms, punctuation among them.
    n_documents : int
        Of the training part.
    linear, naive_bayes : ndarray of float64, shape (C, V)
        Coefficients and log-count ratios of each class against the rest.
    ppmi : csr_array of float64, shape (V, V)
        Of pairs up to 5 tokens apart.

    Examples
    --------
    >>> texts = [["很", "好"], ["好", "！"], ["很", "差"], ["差"]]
    >>> scores = ClassicalScores.learn(texts, ["正", "正", "负", "负"], ["正", "负"])
    >>> found = scores.of(["好", "茶", "很", "很"])
    >>> found.idf.round(3).tolist()
    [1.511, 2.609, 1.511, 1.511]
    >>> found.tfidf.round(3).tolist()
    [1.511, 2.609, 3.022, 3.022]
    >>> found.naive_bayes.round(3).tolist()
    [[0.965, 0.0, -0.134, -0.134], [-0.965, 0.0, 0.134, 0.134]]
    >>> found.pair_ppmi[0].round(3).tolist()
    [0.0, 0.0, 0.585, 0.585]
    >>> found.ppmi.round(3).tolist()
    [0.292, 0.0, 0.292, 0.292]
    """

    vocabulary: Vocabulary
    n_documents: int
    linear: Float64Array
    naive_bayes: Float64Array
    ppmi: "csr_array"

    @classmethod
    def learn(
        cls,
        documents: Sequence[Sequence[str]],
        labels: Sequence[str],
        classes: Sequence[str],
    ) -> "ClassicalScores":
        """Count the training part.

        Parameters
        ----------
        documents : sequence of sequences of str
            Token lists.
        labels : sequence of str
            The class of each.
        classes : sequence of str
            All C classes. One that has no training document has coefficients and ratios of 0.

        Raises
        ------
        InvalidInputError
            When the documents are of less than two classes.
        """
        given, present = [list(document) for document in documents], sorted(set(labels))
        if len(present) < 2 or len(given) != len(labels):
            raise InvalidInputError(
                "The training part must hold documents of at least two classes, each with its "
                f"label. Got {len(given)} documents, {len(labels)} labels and the classes "
                f"{present}."
            )
        counter = BagOfWordsVectorizer(keep_punctuation=True)
        counts = counter.fit_transform(given)
        terms = tuple(counter.get_feature_names_out().tolist())
        vocabulary = Vocabulary(terms, counter.term_frequencies_, counter.document_frequencies_)
        linear, naive_bayes = np.zeros((2, len(classes), len(terms)))
        marks, column = np.array(labels), {name: place for place, name in enumerate(classes)}
        for name, coefficients in zip(present, _coefficients(given, marks)):
            linear[column[name]] = coefficients
            naive_bayes[column[name]] = log_count_ratio(counts, marks == name)
        pairs = count_cooccurrences(
            given, window=_WINDOW, keep_punctuation=True, vocabulary=vocabulary
        )
        return cls(vocabulary, len(given), linear, naive_bayes, ppmi(pairs))

    def of(self, document: Sequence[str]) -> TokenScores:
        """Return the scores of the tokens of a document.

        Parameters
        ----------
        document : sequence of str
            L tokens.

        Returns
        -------
        TokenScores
            A token that was in no training document has the idf of a term in none, and 0
            elsewhere. A blank token has 0 everywhere.
        """
        terms = Normalization().terms(list(document))
        ids = self.vocabulary.encode(terms).astype(np.int64)
        is_known = ids != GAP
        frequencies = np.zeros(len(ids), dtype=np.int64)
        frequencies[is_known] = self.vocabulary.document_frequencies[ids[is_known]]
        rarity = idf(frequencies, self.n_documents)
        rarity[[is_blank(token) for token in document]] = 0.0
        repeats = np.array([terms.count(term) for term in terms], dtype=np.float64)
        linear, naive_bayes = np.zeros((2, len(self.linear), len(ids)))
        linear[:, is_known] = self.linear[:, ids[is_known]]
        naive_bayes[:, is_known] = self.naive_bayes[:, ids[is_known]]
        pairs = self._pair_ppmi(ids)
        return TokenScores(
            rarity, rarity * repeats, _mean_over_types(terms, pairs), linear, naive_bayes, pairs,
            frequencies,
        )  # fmt: skip

    def _pair_ppmi(self, ids: Int64Array) -> Float64Array:
        pairs = np.zeros((len(ids), len(ids)))
        known = np.flatnonzero(ids != GAP)
        if len(known):
            types, at = np.unique(ids[known], return_inverse=True)
            table = self.ppmi[types][:, types].toarray()
            np.fill_diagonal(table, 0.0)
            pairs[np.ix_(known, known)] = table[np.ix_(at, at)]
        return pairs


def _mean_over_types(terms: Sequence[str], pairs: Float64Array) -> Float64Array:
    """Return for each token the mean over the other types of its document."""
    first = [place for place, term in enumerate(terms) if term not in terms[:place]]
    means: Float64Array = pairs[:, first].sum(axis=1) / max(len(first) - 1, 1)
    return means


def _coefficients(documents: list[list[str]], labels: NDArray[np.str_]) -> Float64Array:
    """Return the coefficients of each class against the rest, classes sorted, shape (C, V)."""
    from sklearn.svm import LinearSVC

    features = TfidfVectorizer(BagOfWordsVectorizer(keep_punctuation=True))
    classifier = LinearSVC(random_state=0, max_iter=10_000)
    classifier.fit(features.fit_transform(documents), labels)
    coefficients = np.asarray(classifier.coef_, dtype=np.float64)
    return np.concatenate([-coefficients, coefficients]) if len(coefficients) == 1 else coefficients
