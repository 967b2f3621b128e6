"""Priors in a network: neutral where they say so, finite everywhere, stored once."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from prior_networks import (
    ACTIVE,
    D_MODEL,
    N_HEADS,
    N_LAYERS,
    NEUTRAL,
    NEW,
    batch_for,
    built,
    fitted,
    logits,
    sizes,
    term_of,
)
from torch import Tensor
from torch.nn import functional

from nlpfeat.attention import AttentionSpec
from nlpfeat.classifiers._batching import BatchMaker
from nlpfeat.classifiers._network import Network, NetworkSettings
from nlpfeat.classifiers._prior_terms import TERMS, build_term
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.priors import PRIORS, ExpertPrior, KeyPrior, PmiPrior, ReadDocuments, WidePrior


def test_every_prior_has_a_term() -> None:
    assert sorted(TERMS) == sorted(PRIORS)
    assert {each.name for each in (*NEUTRAL.values(), *ACTIVE.values())} == set(PRIORS)


@pytest.mark.parametrize("name", NEUTRAL)
def test_neutral_is_the_base_model(name: str) -> None:
    prior = NEUTRAL[name]
    base, with_prior = built().double(), built([prior]).double()
    wanted = logits(base, [], path="explicit")
    assert torch.equal(logits(with_prior, [prior], path="explicit"), wanted)
    fast, with_prior = logits(built(), []), built([prior])
    assert float((logits(with_prior, [prior]) - fast).abs().max()) < 1e-6


@pytest.mark.parametrize("name", NEUTRAL)
def test_neutral_has_a_gradient(name: str) -> None:
    prior = NEUTRAL[name]
    network = built([prior])
    output = network(batch_for([prior]))
    functional.cross_entropy(output.logits, torch.tensor([0, 1, 0, 1, 1, 0])).backward()
    strengths = {
        "topic-token": ["gate"], "topic-gate": ["factors", "shifts"], "wide": ["weight"],
        "expert": ["beta"], "pmi-self": ["strength.values", "self_strength.values"],
    }  # fmt: skip
    for strength in strengths.get(name, ["strength.values"]):
        gradient = network.terms[0].get_parameter(strength).grad
        assert gradient is not None
        rows = gradient.reshape(len(gradient), -1) if gradient.dim() else gradient.view(1, 1)
        assert bool((rows.abs().max(dim=1).values > 0).any()), strength
        if strength == "strength.values":
            assert bool((gradient != 0).all()), "every head of every layer"


@pytest.mark.parametrize("name", [*NEUTRAL, *(f"active-{each}" for each in ACTIVE)])
def test_base_starts_the_same(name: str) -> None:
    prior = ACTIVE[name[7:]] if name.startswith("active-") else NEUTRAL[name]
    changed = {"embedding": ["embedding.weight"], "expert": ["head.weight"]}.get(prior.name, [])
    if "query-key" in name:
        changed = ["embedding.weight", "layers.0.attention.projection.weight"]
    with_prior = built([prior]).state_dict()
    weights = with_prior.pop("part_weights")
    assert weights.tolist() == [1.0] * (2 if prior.name in ("wide", "expert") else 1)
    for parameter, tensor in built().state_dict().items():
        if parameter == "part_weights":
            continue
        is_same = torch.equal(with_prior[parameter], tensor)
        assert is_same == (parameter not in changed or name == "expert"), parameter


@pytest.mark.parametrize("name", ACTIVE)
def test_active_priors_say_something_finite(name: str) -> None:
    prior = ACTIVE[name]
    said = logits(built([prior]), [prior])
    assert bool(torch.isfinite(said).all())
    assert float((said - logits(built(), [])).abs().max()) > 1e-4
    network = built([prior], dropout=0.2, token_dropout=0.2).train()
    network(batch_for([prior])).logits.logsumexp(dim=1).sum().backward()
    for parameter in network.parameters():
        assert parameter.grad is None or bool(torch.isfinite(parameter.grad).all())


@pytest.mark.parametrize("name", ACTIVE)
def test_a_document_alone_is_that_of_a_batch(name: str) -> None:
    prior = ACTIVE[name]
    network, together = built([prior]), logits(built([prior]), [prior])
    with torch.no_grad():
        for row in range(len(NEW)):
            alone = network(batch_for([prior], [row])).logits
            assert float((alone - together[row]).abs().max()) < 1e-6


@pytest.mark.parametrize("name", ACTIVE)
def test_fast_path_is_the_explicit_one(name: str) -> None:
    prior = ACTIVE[name]
    network = built([prior])
    fast, slow = (logits(network, [prior], path=path) for path in ("fused", "explicit"))
    assert float((fast - slow).abs().max()) < 1e-5


@pytest.mark.parametrize("name", [*NEUTRAL, *(f"active-{each}" for each in ACTIVE)])
def test_state_is_loaded_again(name: str) -> None:
    prior = ACTIVE[name[7:]] if name.startswith("active-") else NEUTRAL[name]
    first, second = built([prior], seed=1), built([prior], seed=2)
    with torch.no_grad():
        for parameter in first.terms.parameters():
            parameter.add_(0.3)
    second.load_state_dict(first.state_dict())
    assert torch.equal(logits(first, [prior]), logits(second, [prior]))
    # What the prior has learned is in the prior, and is stored once.
    constants = [each for each, _ in first.terms.named_buffers()]
    assert not set(constants) & set(first.terms.state_dict())


@pytest.mark.parametrize("name", [each for each in NEUTRAL if each != "wide"])
def test_what_is_not_learned_is_frozen(name: str) -> None:
    frozen: dict[str, Any] = (
        {"learned": "no", "auxiliary": 0.0} if name == "expert" else {"learned": False}
    )
    prior = replace(NEUTRAL[name], **frozen)
    network = built([prior])
    assert not any(each.requires_grad for each in network.terms.parameters())
    grouped = sum(len(group["params"]) for group in network.parameter_groups(1e-3, 0.1))
    assert grouped == len(list(built().parameters()))


@pytest.mark.parametrize("name", NEUTRAL)
def test_strengths_do_not_decay(name: str) -> None:
    network = built([NEUTRAL[name]])
    decay = {
        id(each): group["weight_decay"]
        for group in network.parameter_groups(1e-3, 0.1)
        for each in group["params"]
    }
    matrices = {"factors": 0.1, "shifts": 0.1, "key": 0.1, "value": 0.1, "weight": WidePrior().l2}
    for parameter, tensor in network.terms[0].named_parameters():
        assert decay[id(tensor)] == matrices.get(parameter, 0.0), parameter
    assert len(decay) == len(list(network.parameters()))


def test_terms_draw_from_their_own_generators() -> None:
    token = NEUTRAL["topic-token"]
    alone, second = built([token]), built([KeyPrior(), token])
    for name, tensor in built().state_dict().items():
        assert torch.equal(second.state_dict()[name], tensor)
    assert not torch.equal(alone.terms[0].key, alone.terms[0].value)
    assert not torch.equal(alone.terms[0].key, second.terms[1].key)
    assert torch.equal(second.terms[1].key, built([KeyPrior(), token]).terms[1].key)


def test_priors_add_up() -> None:
    """Biases of two key priors are one bias; two low ranks are one; log-scores are summed."""
    idf, nb = KeyPrior(strength=0.5), KeyPrior(weight="nb", strength=-0.2)
    low, lower = PmiPrior(rank=5, strength=0.4), PmiPrior(rank=2, strength=0.1)
    exact, wide = PmiPrior(strength=0.3), WidePrior(word_ngrams=None, strength=0.1)
    priors = [idf, low, wide, nb, exact, lower, ExpertPrior(head="random")]
    network = built(priors).double()
    batch = batch_for(priors)
    with torch.no_grad():
        said = network(batch, path="explicit")
        outside = [
            network.terms[place].logits(network.terms[place].read(batch.ids, batch.priors[place]))
            for place in (2, 6)
        ]
        torch.testing.assert_close(said.logits, said.attention_logits + sum(outside))
        assert len(said.parts) == 3, "attention first, then in the order of the priors"
        for part, wanted in zip(said.parts[1:], outside):
            assert torch.equal(part, wanted)
        # All in one table of pairs, given as the bias of one exact prior.
        ids = batch.ids
        n_terms = sizes().n_terms
        pairs = sum(
            each.strength * torch.from_numpy(fitted(each).pair_values(ids.numpy()))
            for each in (low, exact, lower)
        )
        keys = 0.5 * batch.priors[0].tokens - 0.2 * batch.priors[3].tokens
        block = network.layers[0]
        hidden = network.embedding(batch.ids.masked_fill(~batch.mask, n_terms))
        bias = (pairs + keys[:, None]).double()[:, None]
        wanted = block.attention(block.attention_norm(hidden), batch.mask, bias=bias).hidden
        seen: list[Tensor] = []
        block.attention.register_forward_hook(lambda *call: seen.append(call[2].hidden))
        network(batch)
    torch.testing.assert_close(seen[0], wanted, rtol=0, atol=1e-6)


@pytest.mark.parametrize("share_layers", [True, False])
def test_layers_share_strengths(share_layers: bool) -> None:
    for prior, pooling in ((KeyPrior(share_layers=share_layers), 1),
                           (PmiPrior(share_layers=share_layers), 0)):  # fmt: skip
        values = term_of(prior).strength.values
        assert values.shape == ((1 if share_layers else N_LAYERS) + pooling, N_HEADS)


def test_a_prior_without_a_term_is_refused() -> None:
    class Other(KeyPrior):
        name = "kye"

    with pytest.raises(InvalidParameterError, match="Did you mean 'key'"):
        build_term(Other(), fitted(KeyPrior()), sizes(), torch.Generator())


def test_a_batch_of_other_priors_is_refused() -> None:
    network = built([KeyPrior()])
    with pytest.raises(InvalidInputError, match=r"each of the 1 priors .* Got that of 0 priors"):
        network(batch_for([]))


def test_strengths_are_learned() -> None:
    """Where the class is the token that is rarest, idf as a key prior grows in the pooling."""
    random = np.random.default_rng(0)
    common, rare = list("的一是了我"), list("甲乙")
    classes = random.integers(0, 2, 60)
    texts = ["".join(random.permutation([*common, *common, rare[each]])) for each in classes]
    documents = ReadDocuments.read(texts, unit="char")
    prior = KeyPrior(where="pooling")
    learned = prior.fit(documents, classes, 2, seed=0)
    n_terms = len(documents.vocabulary)
    settings = NetworkSettings(n_terms, 2, D_MODEL, 0, AttentionSpec(n_heads=1), n_queries=1)
    network = Network(settings, [(prior, learned)], torch.Generator().manual_seed(0))
    batch = BatchMaker(documents.tokens, n_terms, classes, [learned.inputs(documents)]).batch(
        np.arange(60)
    )
    optimizer = torch.optim.AdamW([*network.terms.parameters(), *network.head.parameters()], 0.03)
    for _ in range(100):
        loss = functional.cross_entropy(network(batch).logits, batch.targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert float(network.terms[0].strength.values.detach()) > 0.5
