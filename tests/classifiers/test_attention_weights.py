"""Where the attention classifier says it looked."""

from functools import cache

import numpy as np
import pytest
import torch
from estimators import DOCUMENTS, LABELS

from nlpfeat import AttentionClassifier
from nlpfeat.classifiers._batching import BatchMaker
from nlpfeat.classifiers._kept_networks import network_and_device
from nlpfeat.errors import InvalidInputError

WITH_GAPS = ["天气很好！", "不去公园", "", "！！", "龘"]


@cache
def learned(**parameters):
    parameters = {"n_layers": 2, "n_queries": 3, "d_model": 8, "n_heads": 2, **parameters}
    classifier = AttentionClassifier(
        min_df=1, max_epochs=1, batch_size=8, keep_punctuation=False, stop_words=["很"],
        random_state=0, **parameters,
    )  # fmt: skip
    return classifier.fit(DOCUMENTS, LABELS)


def test_tokens_and_shapes():
    weights = learned().attention_weights(WITH_GAPS)
    assert [each.tokens for each in weights] == [list(text) for text in WITH_GAPS]
    assert [each.layers.shape for each in weights] == [
        (2, 2, len(text), len(text)) for text in WITH_GAPS
    ]
    assert [each.pooling.shape for each in weights] == [(2, 3, len(text)) for text in WITH_GAPS]
    assert {each.layers.dtype for each in weights} == {np.dtype(np.float32)}
    assert repr(weights[0]) == "<DocumentAttention of 5 tokens, 2 layers, 2 heads>"


def test_weights_sum_to_one_over_the_tokens_that_are_seen():
    for each in learned().attention_weights(WITH_GAPS):
        seen = np.array([token not in "很！" for token in each.tokens], dtype=bool)
        assert not each.pooling[:, :, ~seen].any()
        assert not each.layers[:, :, :, ~seen].any()
        assert each.layers[:, :, seen].sum(axis=-1) == pytest.approx(1, abs=1e-5)
        if seen.any():
            assert each.pooling.sum(axis=-1) == pytest.approx(1, abs=1e-5)
        assert each.token_weights == pytest.approx(each.pooling.mean(axis=(0, 1)))
        assert each.token_weights.shape == (len(each.tokens),)


@pytest.mark.parametrize("parameters", [
    {}, {"normalizer": "sparsemax"}, {"normalizer": "sinkhorn"}, {"attention_score": "additive"},
    {"position": "rope"}, {"n_kv_heads": 1},
], ids=lambda value: "-".join(map(str, value.values())) or "default")  # fmt: skip
def test_a_document_alone_is_the_same_as_in_a_batch(parameters):
    classifier = learned(**parameters)
    together = classifier.attention_weights(DOCUMENTS)
    for text, each in zip(DOCUMENTS, together):
        (alone,) = classifier.attention_weights([text])
        assert alone.tokens == each.tokens
        seen = each.pooling.any(axis=(0, 1))
        assert alone.layers[:, :, seen] == pytest.approx(each.layers[:, :, seen], abs=1e-5)
        assert alone.pooling == pytest.approx(each.pooling, abs=1e-5)


def test_the_weights_are_those_of_the_prediction():
    classifier = learned()
    network, _ = network_and_device(classifier)
    read = classifier._reading().read(DOCUMENTS, classifier._vocabulary)
    batch = BatchMaker(read.tokens, len(read.vocabulary)).batch(np.arange(len(DOCUMENTS)))
    with torch.inference_mode():
        explained = network(batch, return_weights=True, path="explicit").logits
    shares = torch.softmax(explained.double(), dim=1).numpy()
    assert shares == pytest.approx(classifier.predict_proba(DOCUMENTS), abs=1e-5)


def test_each_dimension_is_a_head_of_multi_dimensional_attention():
    (each,) = learned(attention_score="multidim").attention_weights(["天气"])
    assert each.layers.shape == (2, 8, 2, 2)
    assert each.layers.sum(axis=-1) == pytest.approx(1, abs=1e-5)
    assert each.pooling.shape == (8, 3, 2)


def test_no_layers():
    (each,) = learned(n_layers=0).attention_weights(["天气"])
    assert each.layers.shape == (0, 2, 2, 2)
    assert each.pooling.shape == (2, 3, 2)


@pytest.mark.parametrize("unit", ["char", "word"])
def test_tokens_are_folded_and_those_of_lists_stay(unit):
    classifier = learned(unit=unit)
    tokens = [each.tokens for each in classifier.attention_weights([["ＶＩＰ", "会员", "。"]])]
    assert tokens == [
        ["v", "i", "p", "会", "员", "。"] if unit == "char" else ["vip", "会员", "。"]
    ]
    from_generator = classifier.attention_weights(text for text in ["天气", "好"])
    assert len(from_generator) == 2
    assert classifier.attention_weights([]) == []


def test_what_is_cut_off_has_no_weights():
    classifier = learned(max_length=40)
    with pytest.warns(UserWarning, match="1 of 2 documents have more than max_length=40") as caught:
        long, short = classifier.attention_weights(["天" * 50, "好"])
    assert [warning.filename for warning in caught] == [__file__]
    assert long.tokens == ["天"] * 40
    assert long.pooling.shape == (2, 3, 40)
    assert short.tokens == ["好"]


def test_documents_that_are_none_are_refused():
    with pytest.raises(InvalidInputError, match="not one string"):
        learned().attention_weights("今天")
