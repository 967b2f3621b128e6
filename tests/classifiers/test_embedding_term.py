"""Where embeddings, and the first queries and keys, start."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch
from prior_networks import D_MODEL, SPEC, batch_for, built, fitted, read
from torch import Tensor
from torch.nn import functional

from nlpfeat.attention import Attention, AttentionSpec
from nlpfeat.classifiers._prior_terms.embedding import start_projections, start_rows
from nlpfeat.errors import InvalidParameterError
from nlpfeat.priors import EmbeddingPrior, PmiPrior


def rows_of(**changes: Any) -> tuple[Tensor, Tensor, Tensor]:
    """Return the rows of the terms at random, those with a prior, and the vectors."""
    prior = EmbeddingPrior(**{"n_components": D_MODEL, **changes})
    vectors = torch.from_numpy(fitted(prior).vectors)
    return built().embedding.weight.detach(), built([prior]).embedding.weight.detach(), vectors


@pytest.mark.parametrize("n_components", [4, D_MODEL, 20])
def test_rows_keep_their_lengths(n_components: int) -> None:
    random, started, vectors = rows_of(n_components=n_components)
    torch.testing.assert_close(started.norm(dim=1), random.norm(dim=1))
    # Unknown and masked tokens have no vector.
    assert torch.equal(started[-2:], random[-2:])
    width = min(n_components, D_MODEL, vectors.shape[1])
    cosines = functional.cosine_similarity(started[:-2, :width], vectors[:-1, :width])
    torch.testing.assert_close(cosines, torch.ones_like(cosines))


def test_narrow_vectors_leave_columns_random() -> None:
    random, started, _ = rows_of(n_components=4)
    rest = functional.cosine_similarity(started[:-2, 4:], random[:-2, 4:])
    torch.testing.assert_close(rest, torch.ones_like(rest))


def test_strength_mixes_rows() -> None:
    random, started, vectors = rows_of(strength=0.25)
    lengths = random[:-2].norm(dim=1, keepdim=True)
    vectors = vectors[:-1] / vectors[:-1].norm(dim=1, keepdim=True) * lengths
    mixed = 0.75 * random[:-2] + 0.25 * vectors
    wanted = mixed / mixed.norm(dim=1, keepdim=True) * lengths
    torch.testing.assert_close(started[:-2], wanted, rtol=0, atol=1e-6)


@pytest.mark.parametrize("use", ["embedding", "query_key"])
def test_strength_zero_is_the_random_start(use: str) -> None:
    prior = EmbeddingPrior(n_components=8, strength=0.0, use=use)
    with_prior = built([prior]).state_dict()
    for name, tensor in built().state_dict().items():
        assert torch.equal(with_prior[name], tensor), name


@pytest.mark.parametrize("mode", ["tuned", "frozen"])
def test_frozen_rows_do_not_move(mode: str) -> None:
    prior = EmbeddingPrior(n_components=8, mode=mode)
    network = built([prior])
    before = network.embedding.weight.detach().clone()
    optimizer = torch.optim.AdamW(network.parameter_groups(0.1, 0.1))
    network(batch_for([prior])).logits.logsumexp(dim=1).sum().backward()
    optimizer.step()
    assert torch.equal(network.embedding.weight, before) == (mode == "frozen")


def test_rows_without_a_vector_stay() -> None:
    rows = torch.tensor([[3.0, 4.0, 0.0], [0.0, 0.0, 0.0], [1.0, 2.0, 2.0]])
    start_rows(rows, torch.tensor([[0.0, 0.0], [1.0, 0.0], [3.0, 4.0]]), 1.0)
    assert rows[:2].tolist() == [[3.0, 4.0, 0.0], [0.0, 0.0, 0.0]]
    # Length 3; two of three columns have √(2/3) of it beside the 2 that stays: 6 + 4 = 10.
    scale = 3.0 / math.sqrt(10.0)
    wanted = [0.6 * math.sqrt(6) * scale, 0.8 * math.sqrt(6) * scale, 2 * scale]
    assert rows[2].tolist() == pytest.approx(wanted)


@dataclass
class _Pair:
    query: Tensor
    key: Tensor


@pytest.mark.parametrize("n_kv_heads", [4, 2])
def test_first_scores_are_ppmi(n_kv_heads: int) -> None:
    """Summed over the heads, q · k / √D of the vectors is the product of the factors."""
    random = torch.Generator().manual_seed(0)
    spec = AttentionSpec(n_heads=4, n_kv_heads=n_kv_heads)
    attention = Attention(D_MODEL, spec, generator=random)
    width = 4 * n_kv_heads  # the slices of all key heads
    factors = _Pair(torch.randn(D_MODEL, width, generator=random),
                    torch.randn(D_MODEL, width, generator=random))  # fmt: skip
    start_projections(attention, factors.query, factors.key, 1.0)
    vectors = torch.randn(1, 7, D_MODEL, generator=random)
    with torch.no_grad():
        query, key, _ = attention.project(vectors)
        key = key.repeat_interleave(4 // n_kv_heads, dim=1)
        scores = (query @ key.mT / 2.0).sum(dim=1)[0] / (4 // n_kv_heads)
    wanted = (vectors[0] @ factors.query) @ (vectors[0] @ factors.key).T
    torch.testing.assert_close(scores, wanted, rtol=1e-4, atol=1e-4)


def test_first_layer_of_the_network_sees_ppmi() -> None:
    """The norm before the first layer gives the rows the size that the factors are made for."""
    prior = EmbeddingPrior(n_components=D_MODEL, use="query_key")
    network = built([prior], spec=replace(SPEC, position="none"))
    n_terms = len(read().vocabulary)
    ids = torch.arange(n_terms)[None]
    vectors = fitted(prior).vectors[:-1, :D_MODEL]
    pairs = PmiPrior(clip=None)
    wanted = fitted(pairs).pair_values(ids[0].numpy())
    with torch.no_grad():
        rows = network.embedding(ids)
        # The norm also takes the mean away, which the vectors have.
        rows = rows * (D_MODEL**0.5 / rows.norm(dim=-1, keepdim=True))
        np.testing.assert_allclose(rows[0].numpy(), vectors, atol=1e-4)
        query, key, _ = network.layers[0].attention.project(rows)
        scores = (query @ key.mT / 2.0).sum(dim=1)[0].numpy()
    different = ~np.eye(n_terms, dtype=bool)
    assert np.corrcoef(scores[different], wanted[different])[0, 1] > 0.8


def test_query_key_needs_dot_products() -> None:
    prior = EmbeddingPrior(n_components=8, use="query_key")
    with pytest.raises(
        InvalidParameterError, match="attention_score='dot' and n_layers of at least 1"
    ):
        built([prior], spec=AttentionSpec("additive"))
    with pytest.raises(InvalidParameterError, match="needs attention_score='dot'"):
        built([prior], n_layers=0)
