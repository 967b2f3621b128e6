"""An LSTM in both directions, computed cell by cell."""

import numpy as np
import pytest
import torch
from estimators import DOCUMENTS, LABELS
from token_batches import N_TERMS, TOKENS, batch_of

from nlpfeat import BiLstmBaseline
from nlpfeat.classifiers._bi_lstm import BiLstm, BiLstmSettings
from nlpfeat.classifiers._drawing import start_drawing
from nlpfeat.errors import InvalidParameterError

D_HIDDEN = 5


def network(pooling="max", n_layers=1, dropout=0.0):
    settings = BiLstmSettings(
        n_terms=N_TERMS, n_classes=3, d_model=6, dropout=dropout, token_dropout=0.0,
        d_hidden=D_HIDDEN, n_layers=n_layers, pooling=pooling,
    )  # fmt: skip
    return BiLstm(settings, torch.Generator().manual_seed(1)).eval()


def sigmoid(numbers):
    return 1.0 / (1.0 + np.exp(-numbers))


def states_of(vectors, weights, layer, ending):
    """Return the states of one direction, from its first to its last."""
    names = (f"layers.{layer}.{name}_l0{ending}"
             for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))  # fmt: skip
    of_input, of_state, first_bias, second_bias = (weights[name] for name in names)
    state = cell = np.zeros(D_HIDDEN)
    found = []
    for vector in vectors:
        sums = of_input @ vector + of_state @ state + first_bias + second_bias
        enter, forget, candidate, leave = sums.reshape(4, D_HIDDEN)
        cell = sigmoid(forget) * cell + sigmoid(enter) * np.tanh(candidate)
        state = sigmoid(leave) * np.tanh(cell)
        found.append(state)
    return found


def by_hand(made, tokens):
    """Return the log-scores of one document, in float64."""
    weights = {name: each.double().numpy() for name, each in made.state_dict().items()}
    while tokens and tokens[-1] is None:
        tokens = tokens[:-1]
    pooled = np.zeros(2 * D_HIDDEN)
    if tokens:
        rows = [np.zeros(made.settings.d_model) if token is None
                else weights["embedding.weight"][token] for token in tokens]  # fmt: skip
        for layer in range(made.settings.n_layers):
            ahead = states_of(rows, weights, layer, "")
            back = states_of(rows[::-1], weights, layer, "_reverse")
            rows = [np.concatenate(pair) for pair in zip(ahead, back[::-1])]
        if made.settings.pooling == "last":
            pooled = np.concatenate([ahead[-1], back[-1]])
        else:
            pooled = np.max([row for row, token in zip(rows, tokens) if token is not None], axis=0)
    return weights["head.weight"] @ pooled + weights["head.bias"]


@pytest.mark.parametrize("n_columns", [None, 17])
@pytest.mark.parametrize("pooling", ["max", "last"])
@pytest.mark.parametrize("n_layers", [1, 2])
def test_every_cell_by_hand(n_columns, pooling, n_layers):
    made = network(pooling, n_layers)
    found = made(batch_of(TOKENS, n_columns)).logits.detach().numpy()
    wanted = np.stack([by_hand(made, tokens) for tokens in TOKENS])
    assert found == pytest.approx(wanted, abs=1e-6)
    assert len({tuple(row.round(5)) for row in wanted}) == len(TOKENS) - 1  # two hold no token


@pytest.mark.parametrize("pooling", ["max", "last"])
def test_a_document_without_a_token_has_the_bias_of_the_head_and_finite_gradients(pooling):
    made = network(pooling)
    output = made(batch_of([[], [None, None]], 4))
    assert torch.equal(output.logits, made.head.bias.expand(2, -1))
    output.logits.square().sum().backward()
    assert all(bool(torch.isfinite(each.grad).all()) for each in made.parameters()
               if each.grad is not None)  # fmt: skip


def test_how_it_starts():
    shared = torch.get_rng_state()
    made = network(n_layers=2)
    assert torch.equal(torch.get_rng_state(), shared)
    for layer in made.layers:
        for ending in ("", "_reverse"):
            first = getattr(layer, f"bias_ih_l0{ending}").unflatten(0, (4, D_HIDDEN))
            assert first.sum(dim=1).tolist() == [0, D_HIDDEN, 0, 0]  # the forget gate
            assert not getattr(layer, f"bias_hh_l0{ending}").any()
            weight = getattr(layer, f"weight_hh_l0{ending}")
            assert weight.unique().numel() == weight.numel()
            assert weight.abs().max() <= (6 / (2 * D_HIDDEN)) ** 0.5
    again = network(n_layers=2).state_dict()
    assert all(torch.equal(again[name], each) for name, each in made.state_dict().items())


def test_what_is_dropped_between_layers_comes_from_the_network_own_generator():
    made = network(n_layers=2, dropout=0.5).train()
    shared = torch.get_rng_state()
    found = []
    for seed in (3, 3, 4):
        start_drawing(made, seed, torch.device("cpu"))
        found.append(made(batch_of(TOKENS)).logits)
    assert torch.equal(found[0], found[1])
    assert not torch.equal(found[0], found[2])
    assert torch.equal(torch.get_rng_state(), shared)


@pytest.mark.parametrize(("parameters", "message"), [
    ({"d_hidden": 0}, "d_hidden must be an integer that is at least 1"),
    ({"d_hidden": 10**20}, "d_hidden must be at most 1,048,576"),
    ({"n_layers": 0}, "n_layers must be an integer that is at least 1. Got 0"),
    ({"n_layers": 10**20}, "n_layers must be at most 1,000"),
    ({"pooling": "mean"}, "pooling must be one of 'last', 'max'|pooling must be one of .*'mean'"),
    ({"pooling": None}, "pooling must be one of .*Got None"),
])  # fmt: skip
def test_parameters_that_cannot_be(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        BiLstmBaseline(**parameters).fit(DOCUMENTS, LABELS)
