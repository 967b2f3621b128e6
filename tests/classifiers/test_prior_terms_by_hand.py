"""What each prior adds to a network, computed a second way."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from prior_networks import (
    D_MODEL,
    N_CLASSES,
    N_HEADS,
    N_LAYERS,
    N_QUERIES,
    NEW,
    batch_for,
    built,
    fitted,
    inputs_of,
    logits,
    read,
    read_new,
    sizes,
    term_of,
)
from scipy.special import log_softmax

from nlpfeat.classifiers._network import Network
from nlpfeat.classifiers._prior_terms import POOLING
from nlpfeat.priors import ExpertPrior, KeyPrior, PmiPrior, TopicPrior, WidePrior


def test_key_bias_by_hand() -> None:
    prior = KeyPrior(share_layers=False)
    term, batch = term_of(prior), batch_for([prior])
    with torch.no_grad():
        term.strength.values.copy_(torch.arange(12.0).view(3, 4))
    reading = term.read(batch.ids, batch.priors[0])
    logs = fitted(prior).log_weights
    for layer, row in ((0, 0), (1, 1), (POOLING, 2)):
        bias = term.bias(reading, layer)
        assert bias.shape == (len(NEW), N_HEADS, 1, batch.ids.shape[1])
        for head in range(N_HEADS):
            wanted = (4 * row + head) * logs[batch.ids[0].numpy()] * batch.mask[0].numpy()
            assert bias[0, head, 0].tolist() == pytest.approx(wanted.tolist())


@pytest.mark.parametrize("where", ["layers", "pooling"])
def test_key_bias_acts_where_it_is_asked_to(where: str) -> None:
    term = term_of(KeyPrior(where=where, strength=1.0))
    reading = term.read(batch_for([KeyPrior()]).ids, batch_for([KeyPrior()]).priors[0])
    assert (term.bias(reading, 0) is None) == (where == "pooling")
    assert (term.bias(reading, POOLING) is None) == (where == "layers")


def test_pooling_with_idf_is_the_tfidf_average() -> None:
    """Identity I2: with scores of 0 and mu = 1 the weights are idf, divided by its sum."""
    prior = KeyPrior(where="pooling", strength=1.0)
    network = built([prior], n_queries=1).double()
    with torch.no_grad():
        network.pooling.queries.zero_()
        weights = network(batch_for([prior]), return_weights=True).weights[-1]
    logs = inputs_of(prior).tokens.astype(np.float64)
    tokens = read_new().tokens
    for row in range(len(NEW)):
        part = slice(tokens.indptr[row], tokens.indptr[row + 1])
        idf = np.exp(logs[part]) * (tokens.ids[part] >= 0)
        wanted = idf / max(idf.sum(), 1.0)
        for head in range(N_HEADS):
            found = weights[row, head, 0, : len(wanted)].tolist()
            assert found == pytest.approx(wanted.tolist(), abs=1e-9)


@pytest.mark.parametrize("decay", [None, 1.5])
def test_pmi_bias_is_the_look_up(decay: float | None) -> None:
    prior = PmiPrior(decay=decay, self_term=True, share_layers=False, direction="right")
    term, batch = term_of(prior), batch_for([prior])
    with torch.no_grad():
        term.strength.values.copy_(torch.arange(8.0).view(2, 4))
        term.self_strength.values.copy_(10.0 * torch.arange(8.0).view(2, 4))
    # Unknown tokens and those that are masked in training have no value.
    batch.ids[0, 1] = sizes().n_terms + 1
    pairs = fitted(prior).pair_values(batch.ids.numpy())
    assert (pairs != 0).any()
    reading = term.read(batch.ids, batch.priors[0])
    for layer in range(N_LAYERS):
        bias = term.bias(reading, layer)
        for head in range(N_HEADS):
            for i in range(batch.ids.shape[1]):
                for j in range(batch.ids.shape[1]):
                    kappa = 1.0 if decay is None else math.exp(-abs(i - j) / decay)
                    strength = 4 * layer + head
                    wanted = strength * pairs[0, i, j] * kappa + 10 * strength * (i == j)
                    assert float(bias[0, head, i, j].detach()) == pytest.approx(wanted, rel=1e-5)
    assert term.bias(reading, POOLING) is None


def test_pmi_columns_are_the_product() -> None:
    prior = PmiPrior(rank=4, share_layers=False)
    term, batch = term_of(prior), batch_for([prior])
    with torch.no_grad():
        term.strength.values.copy_(torch.arange(8.0).view(2, 4))
    batch.ids[0, 1] = sizes().n_terms + 1
    pairs = torch.from_numpy(fitted(prior).pair_values(batch.ids.numpy()))
    reading = term.read(batch.ids, batch.priors[0])
    for layer in range(N_LAYERS):
        queries, keys = term.columns(reading, layer)
        assert queries.shape[1] == N_HEADS
        assert keys.shape[1] == 1, "the strength is on one side"
        for head in range(N_HEADS):
            wanted = (4 * layer + head) * pairs
            torch.testing.assert_close(queries[:, head] @ keys[:, 0].mT, wanted)
    assert term.columns(reading, POOLING) is None


def test_whole_rank_is_the_exact_prior() -> None:
    exact = PmiPrior(strength=0.7)
    whole = replace(exact, rank=len(read().vocabulary))
    found, wanted = (logits(built([each]), [each]) for each in (whole, exact))
    torch.testing.assert_close(found, wanted, rtol=0, atol=1e-5)


def test_topic_gate_by_hand() -> None:
    prior = TopicPrior(n_topics=3, form="gate", passes=2)
    term, batch = term_of(prior), batch_for([prior])
    random = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for each in term.parameters():
            each.normal_(generator=random)
    hidden = torch.randn(len(NEW), 5, D_MODEL, generator=random)
    found = term.hidden(hidden, term.read(batch.ids, batch.priors[0]))
    theta = inputs_of(prior).rows
    for row in range(len(NEW)):
        factors, shifts = (
            each.detach().numpy() @ theta[row] for each in (term.factors, term.shifts)
        )
        wanted = (1 + factors) * hidden[row].numpy() + shifts
        np.testing.assert_allclose(found[row].detach().numpy(), wanted, atol=1e-5)


def test_topic_token_by_hand() -> None:
    prior = TopicPrior(n_topics=3, form="token", passes=2)
    term, batch = term_of(prior), batch_for([prior])
    with torch.no_grad():
        term.gate.fill_(0.5)
    hidden = torch.randn(len(NEW), 5, D_MODEL, generator=torch.Generator().manual_seed(0))
    found = term.hidden(hidden, term.read(batch.ids, batch.priors[0])).detach().numpy()
    theta = inputs_of(prior).rows.astype(np.float64)
    for row in range(len(NEW)):
        key, value = (each.detach().numpy() @ theta[row] for each in (term.key, term.value))
        for token in range(5):
            h = hidden[row, token].numpy().astype(np.float64)
            normed = (h - h.mean()) / np.sqrt(h.var() + 1e-5)
            # Two keys, one of them empty: softmax over its score 0 and that of the topics.
            score = normed @ key / math.sqrt(D_MODEL)
            weight = math.exp(score) / (1.0 + math.exp(score))
            wanted = h + math.tanh(0.5) * weight * value
            np.testing.assert_allclose(found[row, token], wanted, atol=1e-5)


def test_wide_part_is_naive_bayes() -> None:
    """Identity I7: with W = 1 the sum of the ratios of the n-grams that a document holds."""
    prior = WidePrior(word_ngrams=None, strength=1.0)
    network = built([prior])
    with torch.no_grad():
        said = network(batch_for([prior]))
    ratios, table = fitted(prior).ratios, inputs_of(prior).table
    wanted = table.toarray() @ ratios.T
    assert (wanted[0] != 0).all()
    assert (wanted[2] == 0).all()
    found = (said.logits - said.attention_logits).numpy()
    np.testing.assert_allclose(found, wanted, atol=1e-5)


def test_wide_gradient_is_that_of_the_dense_product() -> None:
    prior = WidePrior(word_ngrams=None, strength=0.4)
    network, batch = built([prior]), batch_for([prior])
    term = network.terms[0]
    term.logits(term.read(batch.ids, batch.priors[0])).logsumexp(dim=1).sum().backward()
    table = torch.from_numpy(inputs_of(prior).table.toarray())
    weight = term.weight.detach().clone().requires_grad_()
    (table @ (term.ratios * weight)).logsumexp(dim=1).sum().backward()
    torch.testing.assert_close(term.weight.grad, weight.grad)


def test_wide_part_is_dropped_as_a_whole() -> None:
    prior = WidePrior(word_ngrams=None, dropout=0.4)
    term, batch = term_of(prior).train(), batch_for([prior])
    reading = term.read(batch.ids, batch.priors[0])
    whole = term_of(prior).eval().logits(reading).detach()
    n_kept = 0
    for _ in range(400):
        said = term.logits(reading).detach()
        kept = (said == whole).all(dim=1)
        assert bool((kept | (said == 0).all(dim=1)).all())
        n_kept += int(kept[0])
    assert n_kept / 400 == pytest.approx(0.6, abs=0.08)


def test_wide_part_has_its_own_rate_and_decay() -> None:
    prior = WidePrior(word_ngrams=None, learning_rate_factor=5.0, l2=0.03)
    group = built([prior]).parameter_groups(1e-3, 0.1)[-1]
    assert (group["lr"], group["weight_decay"]) == (pytest.approx(5e-3), 0.03)
    assert len(group["params"]) == 1


def test_zero_head_is_the_expert() -> None:
    """Identity I6: the probabilities are those of the expert."""
    prior = ExpertPrior()
    network = built([prior])
    with torch.no_grad():
        said = network(batch_for([prior]))
    assert bool((said.attention_logits == 0).all())
    found = log_softmax(said.logits.numpy(), axis=1)
    np.testing.assert_allclose(found, inputs_of(prior).rows, atol=1e-6)


@pytest.mark.parametrize("learned", ["no", "scalar", "class"])
def test_expert_is_a_product(learned: str) -> None:
    prior = ExpertPrior(learned=learned, strength=0.6, head="random")
    network = built([prior])
    beta = network.terms[0].beta
    assert beta.shape == (N_CLASSES if learned == "class" else 1,)
    assert beta.requires_grad == (learned != "no")
    with torch.no_grad():
        beta.add_(torch.arange(len(beta)))
        said = network(batch_for([prior]))
    wanted = said.attention_logits + beta.detach() * torch.from_numpy(inputs_of(prior).rows)
    torch.testing.assert_close(said.logits, wanted)


def with_a_head_alone(prior: ExpertPrior) -> Network:
    """Return a network whose auxiliary head says something."""
    network = built([prior])
    random = torch.Generator().manual_seed(3)
    with torch.no_grad():
        for each in network.terms[0].alone.parameters():
            each.normal_(generator=random)
    return network


def test_auxiliary_loss_is_that_of_a_head_of_its_own() -> None:
    prior = ExpertPrior(head="random", auxiliary=0.3)
    network, batch = with_a_head_alone(prior), batch_for([prior])
    targets = torch.tensor([0, 1, 0, 1, 1, 0])
    weights = torch.tensor([1.0, 2.0, 1.0, 2.0, 2.0, 1.0])
    with torch.no_grad():
        output = network(batch)
        found = [float(network.extra_loss(output, targets, each)) for each in (None, weights)]
    assert output.pooled.shape == (len(NEW), N_QUERIES * D_MODEL)
    state = {name: each.numpy().astype(float) for name, each in network.state_dict().items()}
    said = output.pooled.numpy() @ state["terms.0.alone.weight"].T + state["terms.0.alone.bias"]
    losses = -log_softmax(said, axis=1)[np.arange(6), targets.numpy()]
    wanted = [0.3 * losses.mean(), 0.3 * (losses * weights.numpy()).mean()]
    assert found == pytest.approx(wanted, rel=1e-5)


def test_auxiliary_head_starts_undecided() -> None:
    prior = ExpertPrior()
    network = built([prior])
    with torch.no_grad():
        output = network(batch_for([prior]))
        found = network.extra_loss(output, torch.tensor([0, 1, 0, 1, 1, 0]), None)
    assert float(found) == pytest.approx(prior.auxiliary * math.log(N_CLASSES))


def test_auxiliary_head_takes_no_part_in_prediction() -> None:
    prior = ExpertPrior(head="random")
    network = with_a_head_alone(prior)
    assert torch.equal(logits(network, [prior]), logits(built([prior]), [prior]))
    network(batch_for([prior])).logits.sum().backward()
    assert all(each.grad is None for each in network.terms[0].alone.parameters())


def test_auxiliary_loss_is_for_what_is_pooled() -> None:
    """Where the head of the attention starts silent, this loss alone teaches the layers."""
    prior = ExpertPrior()
    network = with_a_head_alone(prior)
    targets = torch.tensor([0, 1, 0, 1, 1, 0])
    network.extra_loss(network(batch_for([prior])), targets, None).backward()
    assert network.head.weight.grad is None
    assert float(network.embedding.weight.grad.abs().max()) > 0.0
    grouped = {id(each) for group in network.parameter_groups(1e-3, 0.1)
               for each in group["params"]}  # fmt: skip
    assert {id(each) for each in network.terms[0].alone.parameters()} < grouped


def test_without_a_weight_there_is_no_auxiliary_head() -> None:
    prior = ExpertPrior(head="random", auxiliary=0.0)
    network = built([prior])
    assert not [name for name in network.state_dict() if "alone" in name]
    with torch.no_grad():
        output = network(batch_for([prior]))
    assert network.extra_loss(output, torch.zeros(6, dtype=torch.int64), None) is None
