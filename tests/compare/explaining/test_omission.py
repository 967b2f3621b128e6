import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from nlpfeat import BagOfWordsVectorizer
from nlpfeat.attention.diagnostics import omission as diagnostics
from nlpfeat.compare.explaining.deletion import Evaluations
from nlpfeat.compare.explaining.omission import omission, place_like
from nlpfeat.compare.explaining.orders import descending
from nlpfeat.errors import InvalidInputError

TEXTS = [["房间", "很", "干净"], ["早餐", "好吃"], ["房间", "太", "小"], ["早餐", "难吃", "难吃"]]


def test_a_linear_model_loses_minus_coefficient_times_count():
    model = make_pipeline(BagOfWordsVectorizer(), LogisticRegression()).fit(TEXTS, [1, 1, 0, 0])
    coefficient = dict(zip(model[0].get_feature_names_out().tolist(), model[-1].coef_[0].tolist()))
    evaluations = Evaluations(model.predict_log_proba)
    for place in range(2):
        found = omission(evaluations, TEXTS, [1, 1, 0, 0], {"cue": [place] * 4})["cue"]
        for text, predicted, delta in zip(TEXTS, model.predict(TEXTS), found.delta):
            expected = -coefficient[text[place]] * (1 if predicted else -1)
            assert abs(delta - expected) < 1e-10


def test_uniform_attention_with_a_linear_head_in_closed_form():
    # The mean of the values of the tokens, times coefficients: without token i of L the log-odds
    # change by (mean - value_i) / (L - 1).
    value = {"张三": 0.3, "新": -1.0, "车": 2.0, "轮子": 0.5, "好": 4.0}

    def score(documents):
        odds = np.array([np.mean([value[token] for token in each]) for each in documents])
        return np.stack([-np.logaddexp(0, odds), -np.logaddexp(0, -odds)], axis=1)

    document = list(value)
    mean = np.mean(list(value.values()))
    for place, token in enumerate(document):
        found = omission(Evaluations(score), [document], [1], {"cue": [place]})["cue"]
        assert abs(found.delta[0] - (mean - value[token]) / 4) < 1e-10


def test_right_before_and_after_by_hand():
    def score(documents):
        good = np.array([["好" in each] for each in documents])
        return np.log(np.where(good, [[0.1, 0.9]], [[0.6, 0.4]]))

    documents = [["好", "车"], ["好"], ["车", "新"], ["好", "茶"]]
    places = {"cue": [0, 0, 0, 0], "random": [1, 0, 1, 1]}
    found = omission(Evaluations(score), documents, [1, 0, 0, -1], places)
    assert found["cue"].right_before.tolist() == [True, False, True, False]
    assert found["cue"].right_after.tolist() == [False, True, True, False]
    assert found["random"].right_after.tolist() == [True, True, True, False]
    # Of 好评: from 9 to 1 down to 4 to 6.
    lost = np.log(4 / 6) - np.log(9)
    assert found["cue"].delta.tolist() == pytest.approx([lost, lost, 0.0, lost])


def test_the_same_as_d10_of_the_diagnostics():
    # The other code of the same question, on tensors: the places, the change of the log-odds and
    # the accuracies of a linear model.
    weight = {"房间": 0.5, "很": 0.0, "干净": 2.0, "早餐": -0.25, "太": -0.5, "小": -1.5}
    texts = [["房间", "很", "干净"], ["早餐", "太", "小"], ["小", "很", "干净"], ["房间", "小"]]
    classes = [1, 0, 0, 1]

    def logits(documents):
        odds = torch.tensor([sum(weight[token] for token in each) for each in documents])
        return torch.stack([torch.zeros(len(documents)), odds], 1).double()

    def score(documents):
        return logits(documents).log_softmax(1).numpy()

    weights = [np.array([weight[token] for token in each]) for each in texts]
    removed = diagnostics.strongest_tokens([torch.tensor(each) for each in weights])
    places = [int(descending(each)[0, 0]) for each in weights]
    assert removed == [[place] for place in places]
    found = omission(Evaluations(score), texts, classes, {"strongest": places})["strongest"]
    change = diagnostics.omission_effect(logits, texts, removed).numpy()
    predicted = logits(texts).argmax(1).numpy()
    rows = np.arange(len(texts))
    expected = change[rows, predicted] - change[rows, 1 - predicted]
    np.testing.assert_allclose(found.delta, expected, atol=1e-10)
    share = diagnostics.omission_robustness(logits, texts, torch.tensor(classes), removed)
    assert (found.right_before.mean(), found.right_after.mean()) == (share.before, share.after)
    assert share.ratio != 1.0


def test_no_documents():
    found = omission(Evaluations(lambda documents: np.zeros((0, 2))), [], [], {"cue": []})
    assert found["cue"].delta.tolist() == []


def test_places_that_are_not_there():
    evaluations = Evaluations(lambda documents: np.zeros((len(documents), 2)))
    with pytest.raises(InvalidInputError, match=r"places\['cue'\]\[0\] must be from 0 to 1. Got 2"):
        omission(evaluations, [["好", "茶"]], [0], {"cue": [2]})
    with pytest.raises(InvalidInputError, match=r"places\['cue'\] must hold one place for each"):
        omission(evaluations, [["好", "茶"]], [0], {"cue": []})


def test_a_token_of_the_same_band():
    document = ["好", "的", "茶", "了", "好"]
    frequencies = np.array([70, 900, 65, 127, 70])  # 64 to 127 documents: one band, + 1 counted
    drawn = {
        place_like(document, 0, frequencies, np.random.default_rng(seed)) for seed in range(40)
    }
    assert drawn == {2}  # 127 + 1 is a band higher, and the other 好 is no other token
    near = {place_like(document, 1, frequencies, np.random.default_rng(seed)) for seed in range(40)}
    assert near == {3}  # none is as frequent as 的: the nearest band


def test_all_of_a_band_are_drawn():
    document = ["甲", "乙", "丙", "丁"]
    drawn = [
        place_like(document, 0, np.ones(4), np.random.default_rng(seed)) for seed in range(300)
    ]
    # A third each: 100, with a standard deviation of 8.2.
    assert all(60 < drawn.count(place) < 140 for place in (1, 2, 3))


@pytest.mark.parametrize("frequencies", [[70, 900, 65, 127, 3], [0, 1, 2, 3, 4], [8, 1, 30, 2, 40]])
@pytest.mark.parametrize("place", [0, 3])
def test_the_same_places_as_d10_of_the_diagnostics_draws_from(frequencies, place):
    document = ["好", "的", "茶", "了", "甲"]
    counts = dict(zip(document, frequencies))
    drawn = {
        place_like(document, place, np.array(frequencies), np.random.default_rng(seed))
        for seed in range(40)
    }
    generator = torch.Generator().manual_seed(0)
    theirs = {
        diagnostics.random_tokens_like([document], [[place]], counts, generator=generator)[0][0]
        for _ in range(40)
    }
    assert drawn == theirs


def test_no_other_token():
    assert place_like(["好", "好"], 0, np.ones(2), np.random.default_rng(0)) is None
    assert place_like(["好"], 0, np.ones(1), np.random.default_rng(0)) is None
