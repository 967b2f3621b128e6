from functools import cache
from itertools import permutations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from nlpfeat import BagOfWordsVectorizer
from nlpfeat.compare.explaining.deletion import Evaluations
from nlpfeat.compare.explaining.faithfulness import faithfulness
from nlpfeat.compare.explaining.orders import descending
from nlpfeat.errors import InvalidInputError, InvalidParameterError

TEXTS = [
    ["房间", "很", "干净", "，", "早餐", "也", "好吃"],
    ["位置", "好", "，", "服务", "热情"],
    ["房间", "太", "小", "，", "隔音", "差"],
    ["早餐", "难吃", "，", "服务", "差"],
]
LABELS = ["好评", "好评", "差评", "差评"]


@pytest.fixture(scope="module")
def model():
    return make_pipeline(BagOfWordsVectorizer(), LogisticRegression(C=10)).fit(TEXTS, LABELS)


def _curve(probability, document, order, kept):
    """Comprehensiveness or sufficiency of one order, share by share."""
    column = probability(tuple(document)).argmax()
    whole = probability(tuple(document))[column]
    losses = []
    for share in (0.01, 0.05, 0.1, 0.2, 0.5):
        n_first = max(1, int(np.ceil(round(share * len(document), 9))))
        first = set(order[:n_first])
        rest = [token for place, token in enumerate(document) if (place in first) == kept]
        losses.append(whole - probability(tuple(rest))[column])
    return float(np.mean(losses))


@pytest.mark.parametrize(("figure", "kept"), [("comprehensiveness", False), ("sufficiency", True)])
def test_all_figures_are_those_of_all_orders_one_by_one(model, figure, kept):
    documents = [TEXTS[1], ["房间", "小", "，", "好吃"], ["差"]]
    orders = {
        "own": [np.array([[1, 3, 4, 0, 2]]), np.array([[3, 1, 0, 2]]), np.array([[0]])],
        "two": [
            np.array([[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]]),
            np.array([[0, 1, 2, 3], [2, 0, 1, 3]]),
            np.array([[0], [0]]),
        ],
    }
    found = faithfulness(Evaluations(model.predict_log_proba), documents, orders)
    one = cache(lambda document: model.predict_proba([list(document)])[0])
    for row, document in enumerate(documents):
        every = [_curve(one, document, order, kept) for order in permutations(range(len(document)))]
        for name, given in orders.items():
            raw = np.mean([_curve(one, document, order, kept) for order in given[row].tolist()])
            assert found[name].raw[figure][row] == pytest.approx(raw)
            normalized = found[name].normalized[figure][row]
            if len(document) == 1:  # one order alone: it is the best and the worst
                assert np.isnan(normalized)
            else:
                expected = (raw - min(every)) / (max(every) - min(every))
                assert normalized == pytest.approx(expected)
    told = found["own"].normalized[figure][:2]
    assert found["own"].normalized_mean(figure) == pytest.approx(told.mean())
    assert found["own"].mean(figure) == pytest.approx(found["own"].raw[figure].mean())


def test_leaving_out_the_strongest_first_is_best_for_an_additive_model(model):
    # Two classes, counts of words: the order of the coefficients has the highest
    # comprehensiveness and the lowest sufficiency of all orders, and its reverse the opposite.
    vocabulary, coefficients = model[0].vocabulary_, model[-1].coef_[0]
    document = [token for text in TEXTS for token in text if token != "，"]
    sign = 1 if model.predict([document])[0] == model.classes_[1] else -1
    evidence = [sign * coefficients[vocabulary[token]] for token in document]
    best = descending(evidence)
    found = faithfulness(
        Evaluations(model.predict_log_proba),
        [document],
        {"best": [best], "worst": [best[:, ::-1]]},
        width=1,
    )
    for name, (comprehensiveness, sufficiency) in {"best": (1, 0), "worst": (0, 1)}.items():
        assert found[name].normalized["comprehensiveness"][0] == pytest.approx(comprehensiveness)
        assert found[name].normalized["sufficiency"][0] == pytest.approx(sufficiency)


def test_given_orders_widen_the_bounds():
    # A trap for a narrow beam: the class turns only without both halves of the pair 甲 乙.
    def score(documents):
        has_pair = np.array([["甲" in each or "乙" in each] for each in documents])
        return np.log(np.where(has_pair, [[0.9, 0.1]], [[0.1, 0.9]]))

    document = ["丙", "丁", "戊", "己", "庚", "辛", "壬", "癸", "甲", "乙"]
    orders = {"own": [np.array([[8, 9, 0, 1, 2, 3, 4, 5, 6, 7]])]}
    found = faithfulness(Evaluations(score), [document], orders, width=1)["own"]
    assert found.normalized["comprehensiveness"].tolist() == [1.0]
    # Without two (20 %) and without five (50 %) it turns, without one it does not.
    assert found.raw["comprehensiveness"][0] == pytest.approx(0.8 * 2 / 5)


def test_a_model_that_says_the_same_of_everything_tells_no_order_from_another():
    def score(documents):
        return np.log(np.tile([[0.7, 0.3]], (len(documents), 1)))

    found = faithfulness(Evaluations(score), [["很", "好"]], {"own": [np.array([[0, 1]])]})["own"]
    assert found.raw["comprehensiveness"].tolist() == [0.0]
    assert np.isnan(found.normalized["comprehensiveness"]).all()
    assert found.normalized_mean("comprehensiveness") is None


def test_the_whole_work_of_fifty_headlines_is_some_ten_thousand_evaluations(model):
    generator = np.random.default_rng(0)
    words = sorted(model[0].vocabulary_)
    documents = [[words[at] for at in generator.integers(0, len(words), 12)] for _ in range(50)]
    evaluations = Evaluations(model.predict_log_proba)
    faithfulness(evaluations, documents, {"position": [np.arange(12)[None]] * 50})
    assert 10_000 < evaluations.n_evaluations < 50 * 1_000


def test_what_cannot_be(model):
    evaluations = Evaluations(model.predict_log_proba)
    order = {"own": [np.array([[0, 1]])]}
    with pytest.raises(InvalidInputError, match="at least one token each"):
        faithfulness(evaluations, [[]], {"own": [np.array([[]])]})
    with pytest.raises(InvalidInputError, match="at least one token each"):
        faithfulness(evaluations, [], {"own": []})
    with pytest.raises(InvalidInputError, match=r"orders\['own'\] must hold orders for each of"):
        faithfulness(evaluations, [["好", "茶"], ["好"]], order)
    for wrong in ([[0, 0]], [[0, 2]], [[0]], [0, 1]):
        with pytest.raises(InvalidInputError, match=r"orders\['own'\]\[0\] must hold each place"):
            faithfulness(evaluations, [["好", "茶"]], {"own": [np.array(wrong)]})
    with pytest.raises(InvalidParameterError, match="width must be"):
        faithfulness(evaluations, [["好", "茶"]], order, width=0)
    with pytest.raises(InvalidParameterError, match="max_exact must be at most 14"):
        faithfulness(evaluations, [["好", "茶"]], order, max_exact=15)
    with pytest.raises(InvalidParameterError, match="shares must be"):
        faithfulness(evaluations, [["好", "茶"]], order, shares=[2.0])
