"""Scores at places of one's choice are those that the layer itself makes weights of."""

import pytest
import torch

from nlpfeat.attention import POSITIONS, SCORES, Attention, AttentionSpec
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.attention.diagnostics.pair_scores import outputs_of_queries, pair_scores
from nlpfeat.errors import InvalidInputError, InvalidParameterError

PAIRS = [
    (score, position)
    for score in SCORES
    for position in POSITIONS
    if position != "rope" or SCORES[score]().is_product
]


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(0)


@pytest.mark.parametrize(("score", "position"), PAIRS)
def test_softmax_of_the_scores_is_the_weights(generator, score, position) -> None:
    spec = AttentionSpec(score=score, position=position, n_heads=2, n_kv_heads=1)
    layer, tokens = draw_attention(generator, 8, spec), draw_normal(generator, 5, 8)
    embedded = layer.position.embed(torch.arange(5))
    given = tokens if embedded is None else tokens + embedded
    weights = layer(given[None], return_weights=True).weights[0]
    found = pair_scores(layer, tokens, tokens).softmax(-1)
    torch.testing.assert_close(found, weights.reshape(found.shape), atol=1e-12, rtol=0)


@pytest.mark.parametrize("position", POSITIONS)
def test_a_part_of_the_pairs(generator, position) -> None:
    layer = draw_attention(generator, 8, AttentionSpec(position=position, n_heads=2))
    tokens, places = draw_normal(generator, 5, 8), torch.tensor([4, 7, 1, 0, 9])
    whole = pair_scores(layer, tokens, tokens, places, places)
    part = pair_scores(layer, tokens[1:3], tokens[2:], places[1:3], places[2:])
    torch.testing.assert_close(part, whole[:, 1:3, 2:], atol=1e-12, rtol=0)


def test_outputs_by_hand(generator) -> None:
    layer = draw_attention(generator, 8, AttentionSpec(n_heads=2, n_kv_heads=1))
    tokens, query = draw_normal(generator, 3, 8), draw_normal(generator, 2, 6, 4)
    key, value = tokens @ layer.key_weight.T, tokens @ layer.value_weight.T
    heads = [(each @ key.T / 2).softmax(-1) @ value for each in query]
    found = outputs_of_queries(layer, query, tokens)
    torch.testing.assert_close(found, torch.cat(heads, -1), atol=1e-12, rtol=0)


def test_learned_queries_are_no_tokens() -> None:
    layer = Attention(8, AttentionSpec(n_queries=1))
    with pytest.raises(InvalidParameterError, match="must be self-attention, n_queries=None"):
        pair_scores(layer, torch.zeros(2, 8), torch.zeros(2, 8))


def test_a_batch_is_no_document() -> None:
    layer = Attention(8, AttentionSpec())
    with pytest.raises(InvalidInputError, match="queries must be a matrix with a row for each"):
        pair_scores(layer, torch.zeros(1, 2, 8), torch.zeros(2, 8))
