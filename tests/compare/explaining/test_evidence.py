import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline, make_union
from sklearn.svm import LinearSVC

from nlpfeat import (
    BagOfWordsVectorizer,
    LdaTransformer,
    NBSVMClassifier,
    NgramVectorizer,
    PositionalBagOfWordsVectorizer,
    SurprisalTransformer,
    TfidfVectorizer,
)
from nlpfeat.classifiers._experts import default_expert
from nlpfeat.compare.explaining.deletion import Evaluations, log_odds
from nlpfeat.compare.explaining.evidence import METHODS, token_weights
from nlpfeat.compare.log_scores import ModelScores

TEXTS = [
    ["房间", "很", "干净", "，", "很", "好", "。"],
    ["位置", "好", "，", "VIP", "服务", "热情"],
    ["房间", "太", "小", "，", "隔音", "差"],
    ["早餐", "难吃", "，", "服务", "差"],
    ["地铁", "就", "在", "门口", "。"],
    ["门口", "没", "有", "地铁"],
]
TWO = ["好评", "好评", "差评", "差评", "好评", "差评"]
THREE = ["好评", "好评", "差评", "差评", "交通", "交通"]
NEW = [["ＶＩＰ", "房间", "\n", "很", "小", "很", "差"], [], ["没", "见过"], ["地铁", "门口", "。"]]

WORDS, CHARACTERS = NgramVectorizer(ngram_range=(1, 2)), NgramVectorizer(
    ngram_range=(1, 3), unit="char", keep_punctuation=True
)  # fmt: skip
LINEAR = {
    "words": make_pipeline(BagOfWordsVectorizer(), LogisticRegression()),
    "presence": make_pipeline(BagOfWordsVectorizer(binary=True), LinearSVC()),
    "positions": make_pipeline(
        make_union(BagOfWordsVectorizer(), PositionalBagOfWordsVectorizer(max_position=4)),
        LogisticRegression(),
    ),
    "union": make_pipeline(make_union(WORDS, CHARACTERS), LinearSVC()),
    "tfidf": make_pipeline(TfidfVectorizer(WORDS), LogisticRegression()),
    "nbsvm": make_pipeline(WORDS, NBSVMClassifier(C=1.0, random_state=0)),
    "nbsvm on counts": make_pipeline(WORDS, NBSVMClassifier(binary=False, random_state=0)),
    "expert": default_expert(),
}


@pytest.mark.parametrize("labels", [TWO, THREE], ids=["two classes", "three classes"])
@pytest.mark.parametrize("name", LINEAR)
def test_evidence_adds_up_to_the_decision_less_the_intercept(name, labels):
    model = LINEAR[name].fit(TEXTS, labels)
    found = token_weights(model, TEXTS + NEW, Evaluations(ModelScores(model, sorted(set(labels)))))
    assert found.method == "evidence"
    decisions, intercepts = model.decision_function(TEXTS + NEW), model[-1].intercept_
    if len(set(labels)) == 2:
        decisions = np.stack([-decisions, decisions], axis=1)
        intercepts = np.concatenate([-intercepts, intercepts])
    best = decisions.argmax(axis=1)
    expected = (decisions - intercepts)[np.arange(len(best)), best]
    assert [len(each) for each in found.weights] == [len(text) for text in TEXTS + NEW]
    sums = [each.sum() for each in found.weights]
    np.testing.assert_allclose(sums, expected, atol=1e-12)


def test_evidence_by_hand():
    vectorizer = NgramVectorizer(ngram_range=(2, 3), unit="char")
    model = make_pipeline(vectorizer, LogisticRegression()).fit(
        [["不太", "好"], ["好"] * 3], list("ab")
    )
    weight = dict(zip(vectorizer.get_feature_names_out().tolist(), model[-1].coef_[0].tolist()))
    found = token_weights(model, [["不太", "好"]], Evaluations(model.predict_log_proba)).weights[0]
    # For the class a, so with the other sign. 太好 is half on each token, 不太好 two thirds.
    first = -(weight["不太"] + weight["太好"] / 2 + weight["不太好"] * 2 / 3)
    second = -(weight["太好"] / 2 + weight["不太好"] / 3)
    np.testing.assert_allclose(found, [first, second])


def test_the_presence_of_a_word_is_shared_by_its_places():
    model = make_pipeline(BagOfWordsVectorizer(binary=True), LinearSVC()).fit(TEXTS, TWO)
    scores = Evaluations(ModelScores(model, ["好评", "差评"]))
    once, twice = token_weights(model, [["差"], ["差", "差"]], scores).weights
    np.testing.assert_allclose(twice, once[[0, 0]] / 2)


def test_words_of_a_linear_model_weigh_what_leaving_them_out_costs():
    model = make_pipeline(BagOfWordsVectorizer(), LogisticRegression()).fit(TEXTS, TWO)
    evaluations = Evaluations(ModelScores(model, sorted(set(TWO))))
    for text in TEXTS:
        weights = token_weights(model, [text], evaluations).weights[0]
        whole = evaluations.log_probabilities([text])
        predicted = whole.argmax(axis=1)
        for place, weight in enumerate(weights):
            rest = evaluations.log_probabilities([text[:place] + text[place + 1 :]])
            change = log_odds(rest, predicted) - log_odds(whole, predicted)
            assert abs(change[0] + weight) < 1e-10


@pytest.mark.parametrize(
    "model",
    [
        make_pipeline(BagOfWordsVectorizer(), SurprisalTransformer(), LogisticRegression()),
        make_pipeline(
            BagOfWordsVectorizer(), LdaTransformer(n_topics=2, random_state=0),
            LogisticRegression(),
        ),
        make_pipeline(BagOfWordsVectorizer(), MultinomialNB()),
    ],
    ids=["surprisal", "topics", "no coefficients"],
)  # fmt: skip
def test_other_models_leave_one_out(model):
    model.fit(TEXTS, TWO)
    evaluations = Evaluations(ModelScores(model, sorted(set(TWO))))
    found = token_weights(model, [TEXTS[0], []], evaluations)
    assert found.method == "leave one out"
    assert [len(each) for each in found.weights] == [7, 0]
    log_p = model.predict_log_proba([TEXTS[0], TEXTS[0][1:]])
    predicted = np.repeat(log_p[0].argmax(), 2)
    odds = log_odds(log_p, predicted)
    assert found.weights[0][0] == pytest.approx(odds[0] - odds[1])
    assert found.method in METHODS


def test_a_document_of_unknown_words_has_no_evidence():
    model = make_pipeline(BagOfWordsVectorizer(), LogisticRegression()).fit(TEXTS, TWO)
    evaluations = Evaluations(ModelScores(model, sorted(set(TWO))))
    (found,) = token_weights(model, [["从来", "没见过"]], evaluations).weights
    assert found.dtype == np.float64
    assert found.tolist() == [0.0, 0.0]


def test_no_documents():
    model = make_pipeline(BagOfWordsVectorizer(), LogisticRegression()).fit(TEXTS, TWO)
    evaluations = Evaluations(ModelScores(model, sorted(set(TWO))))
    assert token_weights(model, [], evaluations).weights == []
    assert token_weights(object(), [], evaluations).weights == []
