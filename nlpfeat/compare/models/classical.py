"""Classical models: counts and what is computed from them, each with a linear model."""

from typing import Any

from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from nlpfeat.classifiers.nbsvm import NBSVMClassifier
from nlpfeat.compare.models.compared_model import ComparedModel
from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
from nlpfeat.features.lda import LdaTransformer
from nlpfeat.features.ngrams import NgramVectorizer
from nlpfeat.features.pmi_vectorizer import PmiVectorizer
from nlpfeat.features.positional import PositionalBagOfWordsVectorizer
from nlpfeat.features.surprisal import SurprisalTransformer
from nlpfeat.features.tfidf import TfidfVectorizer

_LOGISTIC = "logisticregression__C"
_SVM = "linearsvc__C"
_STRENGTHS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)

ON_PHENOMENA: dict[str, dict[str, Any]] = {
    "char-bow": {_LOGISTIC: 0.1},
    "positional-bow": {_SVM: 1.0},
    "word-ngrams": {"ngramvectorizer__binary": False},  # as its ceilings ask
    "char-ngrams": {_SVM: 0.03},
    "nbsvm": {"nbsvmclassifier__C": 0.1},
    "lda": {_LOGISTIC: 3.0},
    "pmi-vectors": {_LOGISTIC: 0.01},
}
"""What linear models take on the texts of phenomena: the strength that was best on those of seed 0.

By the mean of all phenomena, of the strengths of the grid; where none was better than the one for a
corpus, that one stays. See docs/phenomena.md.
"""


def classical_models() -> list[ComparedModel]:
    """Return the models of the family "classical".

    All see punctuation, as attention does.
    """
    return [*_of_counts(), *_of_weights(), *_of_vectors()]


def _of_counts() -> list[ComparedModel]:
    words = BagOfWordsVectorizer(keep_punctuation=True)
    word_pairs = _ngrams(2, binary=True)
    return [
        _model(
            "word-bow", "how often each word occurs, logistic regression", "bag",
            make_pipeline(words, _logistic()),
            {_LOGISTIC: _STRENGTHS, "bagofwordsvectorizer__binary": (False, True)},
        ),
        _model(
            "char-bow", "how often each character occurs, logistic regression", None,
            make_pipeline(_ngrams(1, unit="char"), _logistic()),
            {_LOGISTIC: _STRENGTHS, "ngramvectorizer__binary": (False, True)},
        ),
        _model(
            "positional-bow", "how often each word stands at each place, linear SVM", "positional",
            make_pipeline(PositionalBagOfWordsVectorizer(keep_punctuation=True), _svm(0.1)),
            {_SVM: _STRENGTHS, "positionalbagofwordsvectorizer__min_df": (1, 2)},
        ),
        _model(
            "word-ngrams",
            "which words and pairs of words occur, on phenomena how often, linear SVM", "bigrams",
            make_pipeline(word_pairs, _svm(0.1)),
            {_SVM: _STRENGTHS, "ngramvectorizer__min_df": (1, 2)},
        ),
        _model(
            "char-ngrams", "which rows of one to three characters occur, linear SVM", None,
            make_pipeline(_ngrams(3, unit="char", binary=True), _svm(0.1)),
            {_SVM: _STRENGTHS, "ngramvectorizer__min_df": (1, 2)},
        ),
        _model(
            "nbsvm",
            "n-grams of words and of characters, weighted by naive Bayes, linear SVM", None,
            make_pipeline(
                make_union(_ngrams(2, binary=True), _ngrams(3, unit="char", binary=True)),
                NBSVMClassifier(alpha=0.3),
            ),
            {
                "nbsvmclassifier__C": (0.003, 0.01, 0.03, 0.1),
                "nbsvmclassifier__alpha": (0.1, 0.3, 1.0),
            },
        ),
    ]  # fmt: skip


def _of_weights() -> list[ComparedModel]:
    return [
        _model(
            "tfidf", "words, rare ones weighing more, linear SVM", "tfidf",
            make_pipeline(TfidfVectorizer(_ngrams(1)), _svm(1.0)),
            {_SVM: _STRENGTHS, "tfidfvectorizer__sublinear_tf": (False, True)},
        ),
        _model(
            "surprisal", "how much more or less often than expected, logistic regression",
            "surprisal",
            make_pipeline(
                BagOfWordsVectorizer(keep_punctuation=True), SurprisalTransformer(),
                _logistic(0.03),
            ),
            {_LOGISTIC: _STRENGTHS, "bagofwordsvectorizer__min_df": (1, 2)},
        ),
    ]  # fmt: skip


def _of_vectors() -> list[ComparedModel]:
    return [
        _model(
            "lda", "shares of topics, logistic regression", "topics",
            make_pipeline(
                BagOfWordsVectorizer(keep_punctuation=True), LdaTransformer(20), _logistic(10.0)
            ),
            {"ldatransformer__n_topics": (20, 50, 100), _LOGISTIC: (0.3, 1.0, 3.0, 10.0, 30.0)},
        ),
        _model(
            "pmi-vectors", "the mean PMI vector of the words, logistic regression", "vectors",
            make_pipeline(
                PmiVectorizer(100, keep_punctuation=True), StandardScaler(), _logistic(0.1)
            ),
            {_LOGISTIC: _STRENGTHS, "pmivectorizer__window": (2, 5)},
        ),
    ]  # fmt: skip


def _model(
    name: str,
    description: str,
    sees: str | None,
    estimator: Any,
    grid: dict[str, Any],
) -> ComparedModel:
    return ComparedModel(
        name=name, family="classical", description=description, estimator=estimator, grid=grid,
        sees=sees, on_phenomena=ON_PHENOMENA.get(name, {}),
    )  # fmt: skip


def _ngrams(longest: int, *, unit: str = "word", binary: bool = False) -> NgramVectorizer:
    return NgramVectorizer(
        ngram_range=(1, longest), unit=unit, binary=binary, keep_punctuation=True
    )


def _logistic(strength: float = 1.0) -> LogisticRegression:
    return LogisticRegression(C=strength, max_iter=1000)


def _svm(strength: float) -> LinearSVC:
    return LinearSVC(C=strength)
