"""Weights of an attention classifier, brought to the tokens that it was given."""

import numpy as np
import pytest

pytest.importorskip("torch")

from nlpfeat import AttentionClassifier
from nlpfeat.compare.explaining.deletion import Evaluations
from nlpfeat.compare.explaining.evidence import token_weights

TEXTS = [["房间", "很", "好", "！"], ["早餐", "好吃"], ["房间", "太", "脏", "。"], ["早餐", "难吃"]]
LABELS = ["好评", "好评", "差评", "差评"]
NEW = [
    ["ＶＩＰ", "房间", "\n", "很", "好吃", "\u200b", "，"],
    ["没见过", "的", "İ"],
    ["好"],
    [],
]


def _fitted(**parameters):
    return AttentionClassifier(
        n_layers=1, d_model=8, n_heads=2, max_epochs=1, min_df=1, random_state=0, **parameters
    ).fit(TEXTS, LABELS)


@pytest.mark.parametrize("unit", ["char", "word"])
def test_weights_of_tokens_are_those_of_what_is_read_in_them(unit):
    classifier = _fitted(unit=unit, stop_words=["很"])
    found = token_weights(classifier, NEW, Evaluations(classifier.predict_log_proba))
    assert found.method == "attention"
    assert [len(each) for each in found.weights] == [7, 3, 1, 0]
    for document, weights, seen in zip(NEW, found.weights, classifier.attention_weights(NEW)):
        rest = seen.token_weights.tolist()
        for token, weight in zip(document, weights):
            if token in ("\n", "\u200b"):
                assert weight == 0
                continue
            n_read = len(token) if unit == "char" else 1
            assert weight == pytest.approx(sum(rest[:n_read]))
            rest = rest[n_read:]
        assert not rest
        assert weights.sum() == pytest.approx(1 if document else 0, abs=1e-6)
    assert found.weights[0][3] == 0  # the stop word is not seen


@pytest.mark.filterwarnings("ignore:.*max_length=3")
def test_what_stands_behind_max_length_weighs_nothing():
    classifier = _fitted(max_length=3)
    document = ["房间", "很好", "早餐"]
    weights = token_weights(
        classifier, [document], Evaluations(classifier.predict_log_proba)
    ).weights[0]
    seen = classifier.attention_weights([document])[0].token_weights
    assert len(seen) == 3
    np.testing.assert_allclose(weights, [seen[0] + seen[1], seen[2], 0.0], rtol=1e-6)
