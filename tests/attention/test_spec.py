"""A spec takes names and objects, and refuses what means nothing."""

import pytest

from nlpfeat.attention import NORMALIZERS, POSITIONS, PRESETS, SCORES, AttentionSpec
from nlpfeat.attention.normalizers.sinkhorn import Sinkhorn
from nlpfeat.attention.positions.t5 import T5Position
from nlpfeat.attention.scores.additive import AdditiveScore
from nlpfeat.errors import InvalidParameterError


@pytest.mark.parametrize("name", PRESETS)
def test_presets_mean_something(name):
    assert PRESETS[name].validated(64) == PRESETS[name]


def test_presets_are_the_ones_of_the_history():
    assert list(PRESETS) == [
        "additive", "dot_product", "multi_dimensional", "multi_head", "multi_query",
        "grouped_query",
    ]  # fmt: skip
    layouts = {name: spec.heads(64) for name, spec in PRESETS.items()}
    assert [layouts[name].n_kv_heads for name in ("multi_head", "multi_query")] == [8, 1]
    assert layouts["grouped_query"].n_kv_heads == 2
    assert layouts["additive"].d_head == 64


@pytest.mark.parametrize("slot", ["score", "position", "normalizer"])
def test_a_slot_takes_a_name_or_an_object(slot):
    family = {"score": SCORES, "position": POSITIONS, "normalizer": NORMALIZERS}[slot]
    for name, variant in family.items():
        assert variant.name == name
        by_name, by_object = AttentionSpec(**{slot: name}), AttentionSpec(**{slot: variant()})
        settings = f"{slot}_settings"
        assert getattr(by_name, settings)() == getattr(by_object, settings)() == variant()
        assert hash(by_object) == hash(AttentionSpec(**{slot: variant()}))
    with pytest.raises(InvalidParameterError, match=f"{slot} must be one of .* Got 'nothing'"):
        getattr(AttentionSpec(**{slot: "nothing"}), settings)()


@pytest.mark.parametrize("normalizer", [n for n in NORMALIZERS if NORMALIZERS[n].couples_queries])
def test_what_couples_queries_needs_several_and_no_order(normalizer):
    with pytest.raises(InvalidParameterError, match=f"normalizer='{normalizer}' cannot be causal"):
        AttentionSpec(normalizer=normalizer, causal=True).validated(64)
    with pytest.raises(InvalidParameterError, match="needs several queries"):
        AttentionSpec(normalizer=normalizer, n_queries=1).validated(64)
    AttentionSpec(normalizer=normalizer, n_queries=2).validated(64)


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"position": "rope", "score": "additive"}, "needs a score that is a product"),
        ({"position": "rope", "score": "multidim"}, "needs a score that is a product"),
        ({"position": "t5", "n_queries": 1}, "stands nowhere in the text"),
        ({"causal": True, "n_queries": 2}, "a learned query has no past"),
        ({"n_heads": 3}, "d_model must be a multiple of n_heads, 3"),
        ({"n_heads": 8, "n_kv_heads": 3}, "n_kv_heads must divide n_heads, 8"),
        ({"n_queries": 0}, "n_queries must be an integer that is at least 1"),
        ({"dropout": 1.0}, "dropout must be at least 0 and below 1"),
        ({"causal": 1}, "causal must be True or False"),
        ({"projection_bias": None}, "projection_bias must be True or False"),
        ({"score": 3}, "score must be one of 'dot'"),
        ({"score": AdditiveScore(n_layers=0)}, "n_layers must be an integer"),
        ({"normalizer": Sinkhorn(n_iterations=0)}, "n_iterations must be an integer"),
        ({"position": T5Position(n_buckets=3)}, "n_buckets of T5Position must be"),
        ({"position": "rope", "d_head": 3}, r"RopePosition|rope"),
    ],
)
def test_what_means_nothing_is_refused_with_the_reason(parts, reason):
    with pytest.raises(InvalidParameterError, match=reason):
        AttentionSpec(**parts).validated(64)
