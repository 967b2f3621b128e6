import pickle

import numpy as np
import pytest
import shared_data
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

from nlpfeat.classifiers.nbsvm import NBSVMClassifier
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.features.naive_bayes import NaiveBayesRatioTransformer

HEADLINES = shared_data.HEADLINES


def expected_failures(estimator):
    return {
        "check_class_weight_classifiers": "the check gives negative values to every classifier "
        "with class_weight, also to one that says it takes none, as check_positive_only_tag wants"
    }


@parametrize_with_checks(
    [NBSVMClassifier(), NBSVMClassifier(binary=False)], expected_failed_checks=expected_failures
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def corpus(n_classes, seed=0, n_documents=120, n_terms=300):
    """Counts with some terms of their own for each class; more terms than documents."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, n_classes, n_documents)
    rates = np.full((n_classes, n_terms), 0.05)
    for place in range(n_classes):
        rates[place, 10 * place : 10 * place + 10] = 0.4
    counts = rng.poisson(rates[y])
    return csr_array(counts), np.array(["财经", "体育", "娱乐", "教育", "游戏"])[y]


def pipeline(C=0.01, alpha=1.0, binary=True, **svm):  # noqa: N803
    steps = NaiveBayesRatioTransformer(alpha=alpha, binary=binary), LinearSVC(C=C, **svm)
    return OneVsRestClassifier(make_pipeline(*steps))


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("shape", [(120, 300), (400, 60)], ids=["more terms", "more documents"])
@pytest.mark.parametrize(
    "parameters",
    [{}, {"C": 1.0, "alpha": 0.1}, {"binary": False}, {"class_weight": "balanced"}],
    ids=str,
)
def test_it_is_one_vs_rest_of_the_pipeline(n_classes, shape, parameters):
    counts, y = corpus(n_classes, n_documents=shape[0], n_terms=shape[1])
    unseen, _ = corpus(n_classes, seed=1, n_documents=shape[0], n_terms=shape[1])
    ours = NBSVMClassifier(random_state=0, **parameters).fit(counts, y)
    theirs = pipeline(random_state=0, **parameters).fit(counts, y)
    assert ours.classes_.tolist() == theirs.classes_.tolist()
    decisions = theirs.decision_function(unseen)
    assert ours.decision_function(unseen).shape == decisions.shape
    assert ours.decision_function(unseen) == pytest.approx(decisions, rel=1e-9, abs=1e-12)
    assert ours.predict(unseen).tolist() == theirs.predict(unseen).tolist()


def test_a_random_state_object_is_used_as_theirs_is():
    counts, y = corpus(3)
    ours = NBSVMClassifier(random_state=np.random.RandomState(7)).fit(counts, y)
    theirs = pipeline(random_state=np.random.RandomState(7)).fit(counts, y)
    assert ours.decision_function(counts) == pytest.approx(
        theirs.decision_function(counts), rel=1e-9
    )


def test_by_hand():
    # 好 坏 车; presence makes p = (3, 1, 2) of 6 for 差评 and q = (1, 3, 2) of 6.
    counts = np.array([[2, 0, 1], [1, 0, 0], [0, 1, 1], [0, 3, 0]])
    classifier = NBSVMClassifier(random_state=0).fit(counts, ["差评", "差评", "好评", "好评"])
    assert classifier.classes_.tolist() == ["好评", "差评"]
    assert classifier.log_count_ratio_[0] == pytest.approx([np.log(3), -np.log(3), 0], abs=1e-15)
    # By symmetry 好 and 坏 have the same coefficient w, 车 none, and there is no bias. Two
    # documents are at r w each, so w makes w^2 / 2 + 2 C (1 - r w)^2 least: w = 4 C r (1 - r w).
    r = np.log(3)
    w = 4 * 0.01 * r / (1 + 4 * 0.01 * r * r)
    assert classifier.coef_[0] == pytest.approx([w * r, -w * r, 0], abs=1e-4)
    assert classifier.intercept_ == pytest.approx([0], abs=1e-4)
    assert classifier.decision_function([[5, 0, 1]]) == pytest.approx([w * r], abs=1e-4)
    assert classifier.predict([[5, 0, 1], [0, 1, 0]]).tolist() == ["差评", "好评"]


def test_one_or_more_classes_give_these_shapes():
    for n_classes, rows in ((2, 1), (4, 4)):
        counts, y = corpus(n_classes)
        classifier = NBSVMClassifier(random_state=0).fit(counts, y)
        assert (
            classifier.coef_.shape == classifier.log_count_ratio_.shape == (rows, counts.shape[1])
        )
        assert classifier.intercept_.shape == (rows,)
        assert classifier.n_features_in_ == counts.shape[1]
        assert classifier.n_iter_ >= 1


def test_binary_counts_are_presence():
    counts, y = corpus(3)
    ones = csr_array((counts.toarray() > 0).astype(int))
    classifier = NBSVMClassifier(random_state=0).fit(counts, y)
    assert classifier.coef_.tolist() == NBSVMClassifier(random_state=0).fit(ones, y).coef_.tolist()
    assert (
        classifier.decision_function(counts).tolist() == classifier.decision_function(ones).tolist()
    )


@pytest.mark.slow  # starting processes takes most of it
def test_processes_do_not_change_the_result():
    counts, y = corpus(4)
    alone = NBSVMClassifier(random_state=0).fit(counts, y)
    shared = NBSVMClassifier(random_state=0, n_jobs=2).fit(counts, y)
    assert alone.coef_.tolist() == shared.coef_.tolist()
    assert alone.intercept_.tolist() == shared.intercept_.tolist()


def test_weights_of_classes_weigh_their_documents():
    # What scikit-learn's check asks, on counts: a class with all the weight gets all documents.
    rng = np.random.default_rng(0)
    counts, y = rng.poisson(3, (100, 5)), rng.integers(0, 3, 100)
    weights = {0: 1000, 1: 0.0001, 2: 0.0001}
    heavy = NBSVMClassifier(class_weight=weights, binary=False, random_state=0, max_iter=100_000)
    assert np.mean(heavy.fit(counts, y).predict(counts) == 0) > 0.87
    # A weight is a factor of C, and 1 where none is given.
    even = NBSVMClassifier(class_weight={0: 1.0}, random_state=0).fit(counts, y)
    assert even.coef_.tolist() == NBSVMClassifier(random_state=0).fit(counts, y).coef_.tolist()
    twice = NBSVMClassifier(class_weight={0: 2, 1: 2, 2: 2}, random_state=0).fit(counts, y)
    more = NBSVMClassifier(C=0.02, random_state=0).fit(counts, y)
    assert twice.coef_ == pytest.approx(more.coef_, abs=1e-6)


def test_weights_of_two_classes_are_those_of_the_machine():
    counts, y = corpus(2)
    names = sorted(set(y))
    ours = NBSVMClassifier(class_weight={names[0]: 3.0}, random_state=0).fit(counts, y)
    ratios = NaiveBayesRatioTransformer().fit(counts, y)
    svm = LinearSVC(C=0.01, class_weight={names[0]: 3.0}, random_state=0)
    theirs = svm.fit(ratios.transform(counts), y)
    assert ours.decision_function(counts) == pytest.approx(
        theirs.decision_function(ratios.transform(counts)), rel=1e-9
    )


def test_pickles_and_clones():
    counts, y = corpus(3)
    classifier = NBSVMClassifier(C=0.1, random_state=0).fit(counts, y)
    again = pickle.loads(pickle.dumps(classifier))
    assert again.decision_function(counts).tolist() == classifier.decision_function(counts).tolist()
    assert clone(classifier).get_params() == classifier.get_params()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"C": 0}, "C must be a finite number above 0"),
        ({"alpha": -1}, "alpha must be a finite number above 0"),
        ({"binary": "yes"}, "binary must be True or False. Got 'yes'"),
        ({"max_iter": 0}, "max_iter must be an integer that is at least 1"),
        ({"class_weight": "even"}, "class_weight must be None, 'balanced' or a mapping"),
        ({"class_weight": {"军事": 2}}, "class_weight must name classes of y.* Got '军事'"),
        ({"random_state": "x"}, "random_state must be an integer, a numpy .* Got 'x'"),
        ({"random_state": -1}, "random_state must be an integer, a numpy .* Got -1"),
        ({"n_jobs": 0}, "n_jobs must be positive, or -1 for all processors. Got 0"),
        ({"n_jobs": "all"}, "n_jobs must be an integer. Got 'all'"),
        ({"class_weight": {"财经": 0}}, "class_weight.'财经'. must be a finite number above 0"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        NBSVMClassifier(**parameters).fit(*corpus(2))


def test_bad_input():
    counts, y = corpus(2)
    with pytest.raises(InvalidInputError, match=r"y must hold at least two classes. Got one class"):
        NBSVMClassifier().fit(counts, np.full(len(y), "财经"))
    with pytest.raises(InvalidInputError, match="Negative values in data passed to X"):
        NBSVMClassifier().fit(-counts, y)
    with pytest.raises(InvalidInputError, match="X has 3 features"):
        NBSVMClassifier(random_state=0).fit(counts, y).predict([[1, 2, 3]])


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.skipif(not HEADLINES.exists(), reason="no headlines beside the checkout")
def test_headlines_of_ten_classes():
    parts = {}
    for part in ("train", "dev"):
        lines = (HEADLINES / f"{part}.tsv").read_text("utf-8").splitlines()[::3]
        texts, parts[part + "_y"] = zip(*(line.rsplit("\t", 1) for line in lines))
        parts[part] = list(texts)
    vectorizer = CountVectorizer(analyzer="char", ngram_range=(1, 2))
    counts = vectorizer.fit_transform(parts["train"])
    classifier = NBSVMClassifier(random_state=0).fit(counts, parts["train_y"])
    unseen = vectorizer.transform(parts["dev"])
    score = classifier.score(unseen, parts["dev_y"])
    bayes = MultinomialNB().fit((counts > 0).astype(int), parts["train_y"])
    assert score > bayes.score((unseen > 0).astype(int), parts["dev_y"])
    assert score > 0.85
