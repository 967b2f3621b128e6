import math

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.svm import LinearSVC

from nlpfeat.compare.explaining.classical_scores import SCORES, ClassicalScores
from nlpfeat.errors import InvalidInputError

TRAIN = [["茶", "很", "好"], ["好", "茶"], ["车", "很", "差", "！"], ["差"]]
LABELS = ["正", "正", "负", "负"]
CLASSES = ["正", "负"]


@pytest.fixture(scope="module")
def scores():
    return ClassicalScores.learn(TRAIN, LABELS, CLASSES)


def test_idf_and_tfidf_by_hand(scores):
    found = scores.of(["好", "茶", "好", "没见过", "\n", "！"])
    rare, common, never = (1 + math.log(5 / (df + 1)) for df in (1, 2, 0))
    assert found.idf.tolist() == pytest.approx([common, common, common, never, 0, rare])
    assert found.tfidf.tolist() == pytest.approx([2 * common, common, 2 * common, never, 0, rare])
    assert found.frequencies.tolist() == [2, 2, 2, 0, 0, 1]


def test_naive_bayes_by_hand(scores):
    # 正: 茶 2, 很 1, 好 2; 负: 车 1, 很 1, 差 2, ！ 1; six terms, one added to each.
    found = scores.of(["好", "差", "没见过"]).naive_bayes
    good, bad = math.log(3 / 11) - math.log(1 / 11), math.log(1 / 11) - math.log(3 / 11)
    np.testing.assert_allclose(found, [[good, bad, 0], [-good, -bad, 0]])


def test_mean_ppmi_by_hand(scores):
    # All pairs of a document are within the window. Each document counts its pairs both ways:
    # 茶很 茶好 很好 | 好茶 | 车很 车差 车！ 很差 很！ 差！: N = 20.
    margins = {"茶": 3, "很": 5, "好": 3, "车": 3, "差": 3, "！": 3}
    seen = {("茶", "很"): 1, ("茶", "好"): 2, ("很", "好"): 1}
    positive = {
        pair: max(math.log2(n * 20 / (margins[pair[0]] * margins[pair[1]])), 0.0)
        for pair, n in seen.items()
    }
    found = scores.of(["茶", "好", "很", "茶", "没见过"]).ppmi
    tea = (positive["茶", "好"] + positive["茶", "很"]) / 3
    good = (positive["茶", "好"] + positive["很", "好"]) / 3
    very = (positive["茶", "很"] + positive["很", "好"]) / 3
    assert found.tolist() == pytest.approx([tea, good, very, tea, 0.0])
    pairs = scores.of(["茶", "好", "很", "茶", "没见过"]).pair_ppmi
    row = [0.0, positive["茶", "好"], positive["茶", "很"], 0.0, 0.0]
    assert pairs[0].tolist() == pairs[3].tolist() == pairs[:, 0].tolist() == pytest.approx(row)
    assert not pairs[4].any()
    assert scores.of(["茶"]).ppmi.tolist() == [0.0]
    assert scores.of(["没", "见过"]).ppmi.tolist() == [0.0, 0.0]


def test_a_type_is_none_of_its_others():
    # 茶 stands beside itself, more often than chance has it; 好 beside 茶 less often.
    train = [["茶", "茶", "茶"], ["茶", "好"], ["好", "差"]]
    scores = ClassicalScores.learn(train, ["a", "a", "b"], ["a", "b"])
    tea = scores.vocabulary.ids["茶"]
    assert scores.ppmi.toarray()[tea, tea] > 0
    assert scores.of(["茶", "好"]).ppmi.tolist() == [0.0, 0.0]


def test_coefficients_are_those_of_scikit_learn():
    labels = ["a", "b", "c", "b"]
    texts = [" ".join(text) for text in TRAIN]
    vectorizer = TfidfVectorizer(token_pattern=r"\S+")
    theirs = LinearSVC(random_state=0).fit(vectorizer.fit_transform(texts), labels).coef_
    scores = ClassicalScores.learn(TRAIN, labels, ["a", "b", "c"])
    document = ["好", "很", "差"]
    columns = [vectorizer.vocabulary_[token] for token in document]
    np.testing.assert_allclose(scores.of(document).linear, theirs[:, columns], atol=1e-3)


def test_two_classes_have_coefficients_of_opposite_sign(scores):
    found = scores.of(["好", "差"]).linear
    np.testing.assert_allclose(found[0], -found[1])
    assert found[0, 0] > 0 > found[0, 1]


def test_scores_of_a_class_are_sizes(scores):
    found = scores.of(["差", "很"])
    of_class = found.of_class(0)
    assert list(of_class) == list(SCORES)
    assert found.naive_bayes[0, 0] < 0 < of_class["naive bayes"][0]
    assert (of_class["naive bayes"] == np.abs(found.naive_bayes[0])).all()
    assert (of_class["linear"] == np.abs(found.linear[0])).all()
    assert (np.stack(list(of_class.values())) >= 0).all()


def test_terms_are_folded_and_lower_case():
    scores = ClassicalScores.learn([["Ａ股", "涨"], ["vip"]], ["财经", "生活"], ["生活", "财经"])
    assert scores.of(["a股", "ＶＩＰ"]).frequencies.tolist() == [1, 1]


def test_a_class_without_training_documents_has_nothing():
    scores = ClassicalScores.learn(TRAIN, LABELS, ["正", "没有", "负"])
    found = scores.of(["好"])
    assert found.linear[1].tolist() == [0.0] == found.naive_bayes[1].tolist()
    assert found.linear[0, 0] > 0


def test_an_empty_document(scores):
    found = scores.of([])
    assert found.linear.shape == found.naive_bayes.shape == (2, 0)
    assert found.idf.shape == found.tfidf.shape == found.ppmi.shape == (0,)


@pytest.mark.parametrize(
    ("documents", "labels"), [([["好"], ["差"]], ["正", "正"]), ([["好"]], ["正", "负"]), ([], [])]
)
def test_what_nothing_can_be_learned_from(documents, labels):
    with pytest.raises(InvalidInputError, match="documents of at least two classes"):
        ClassicalScores.learn(documents, labels, CLASSES)
