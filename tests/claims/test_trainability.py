"""The experiment of the notes: its settings, its networks, and one run of it."""

import dataclasses
import math
import re
import sys

import numpy as np
import pytest
import torch
from torch import nn

from nlpfeat.claims.trainability.experiment import run, steps_to
from nlpfeat.claims.trainability.initialization import INITIALIZATIONS, initialize, residual_gain
from nlpfeat.claims.trainability.network import Layer, build
from nlpfeat.claims.trainability.optimizers import Muon, nearly_orthogonal, optimizers
from nlpfeat.claims.trainability.settings import (
    D_MODEL,
    LENGTH,
    N_HEADS,
    NEWEST,
    NOTES,
    RECIPES,
    REFERENCE_LOSSES,
    SETTINGS,
    Recipe,
    Setting,
)
from nlpfeat.errors import InvalidParameterError, MissingDependencyError

SMALL = Setting(0, "small", 0.0, n_layers=1, batch_size=4)
TWO = dataclasses.replace(SMALL, n_layers=2)


def built(setting, recipe, seed=0):
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        return build(setting, recipe)


def tokens(length=5, batch=3, seed=0):
    return torch.randn(length, batch, D_MODEL, generator=torch.Generator().manual_seed(seed))


def test_all_rows_of_the_five_tables_are_there():
    by_table = [sum(each.table == number for each in SETTINGS) for number in range(1, 6)]
    assert by_table == [4, 11, 5, 2, 1]
    losses = [3.37, 0.56, 2.31, 0.10, 0.097, 0.191, 0.189, 0.66, 2.95, 3.50, 3.50, 0.424, 3.44]
    losses += [3.50, 3.50, 0.524, 0.531, 0.124, 0.092, 0.117, 0.086, 0.614, 0.037]
    assert [each.notes_loss for each in SETTINGS] == losses


def test_reference_losses_are_those_of_a_large_sample():
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 2_000_000))
    target = (a + 1) ** 2 + b
    inputs = np.column_stack([a, b, np.ones_like(a)])
    best = inputs @ np.linalg.lstsq(inputs, target, rcond=None)[0]
    found = [0.5 * np.mean((each - target) ** 2) for each in (0.0, target.mean(), best)]
    assert found == pytest.approx(list(REFERENCE_LOSSES.values()), rel=0.01)


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_a_layer_is_that_of_torch(norm):
    ours = Layer(Recipe("", norm=norm), keep=1.0, length=16).eval()
    theirs = nn.TransformerEncoderLayer(D_MODEL, N_HEADS, norm_first=norm == "pre").eval()
    theirs.load_state_dict(ours.state_dict())
    torch.testing.assert_close(ours(tokens()), theirs(tokens()), rtol=1e-5, atol=1e-5)


def test_a_layer_is_drawn_as_that_of_torch():
    ours = Layer(Recipe(""), keep=1.0, length=16).state_dict()
    theirs = nn.TransformerEncoderLayer(D_MODEL, N_HEADS).state_dict()
    assert ours.keys() == theirs.keys()
    for name, matrix in ours.items():
        if matrix.dim() > 1:
            assert float(matrix.std()) == pytest.approx(float(theirs[name].std()), rel=0.05)
        elif "linear" not in name:  # their biases are drawn, too
            assert torch.equal(matrix, theirs[name])


def test_only_the_notes_start_with_copies_of_one_layer():
    first, second = built(TWO, NOTES).trans.layers
    assert torch.equal(first.linear1.weight, second.linear1.weight)
    first, second = built(TWO, RECIPES["independent layers"]).trans
    assert not torch.equal(first.linear1.weight, second.linear1.weight)


def test_what_the_notes_call_a_batch_is_read_as_the_length():
    network = built(SMALL, NOTES).eval()
    pairs = torch.randn(4, LENGTH, 100, generator=torch.Generator().manual_seed(0))
    changed = pairs.clone()
    changed[0, 0] += 1.0  # the first place of the first sample
    moved = (network(changed) - network(pairs)).abs().amax(dim=-1) > 1e-6
    assert moved[:, 0].all()  # the first place of every other sample
    assert not moved[:, 1:].any()  # no other place, not even of the first sample


def test_without_attention_places_are_independent():
    network = built(TWO, RECIPES["without attention"]).eval()
    pairs = torch.randn(4, LENGTH, 100, generator=torch.Generator().manual_seed(0))
    changed = pairs.clone()
    changed[0, 0] += 1.0
    moved = (network(changed) - network(pairs)).abs().amax(dim=-1) > 1e-6
    assert moved.sum() == 1


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=lambda recipe: recipe.name)
def test_every_recipe_gives_finite_gradients_to_every_parameter(recipe):
    network = built(SMALL, recipe).train()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        network(torch.randn(4, LENGTH, 100)).square().mean().backward()
    for name, parameter in network.named_parameters():
        assert parameter.grad is not None, name
        assert torch.isfinite(parameter.grad).all(), name


def test_the_length_of_queries_does_not_matter_when_they_are_normalized():
    attention = Layer(Recipe("", normalizes_queries=True), keep=1.0, length=16).self_attn.eval()
    before = attention(tokens())
    with torch.no_grad():
        attention.in_proj_weight[:D_MODEL] *= 3.0
    torch.testing.assert_close(attention(tokens()), before, rtol=1e-4, atol=1e-6)


def test_the_scale_of_normalized_queries_begins_with_the_length():
    attention = built(SMALL, RECIPES["QK-norm"]).trans[0].self_attn
    assert attention.scale.item() == pytest.approx(math.log2(4 * 4 - 4))  # the notes' batch of 4


def test_residual_gains_by_hand():
    assert residual_gain("plain", 6) == (1.0, 1.0)
    assert residual_gain("scaled", 2) == (1.0, 0.5)
    assert residual_gain("deepnorm", 2) == pytest.approx((2**0.5, 0.5))
    assert residual_gain("tfixup", 16) == pytest.approx((1.0, 0.335))
    with pytest.raises(InvalidParameterError, match="residual must be one of"):
        residual_gain("rezero", 2)


@pytest.mark.parametrize(
    ("recipe", "smaller"),
    [
        (
            Recipe("", norm="pre", residual="scaled"),
            {"linear2.weight", "self_attn.out_proj.weight"},
        ),
        (
            Recipe("", residual="deepnorm"),
            {"linear1.weight", "linear2.weight", "self_attn.out_proj.weight"}
            | {"self_attn.in_proj_weight"},
        ),
    ],
)  # fmt: skip
def test_residuals_make_their_matrices_smaller(recipe, smaller):
    plain = built(TWO, dataclasses.replace(recipe, residual="plain")).trans[0].state_dict()
    scaled = built(TWO, recipe).trans[0].state_dict()
    _, gain = residual_gain(recipe.residual, 2)
    assert {name for name in plain if not torch.equal(plain[name], scaled[name])} == smaller
    torch.testing.assert_close(scaled["linear2.weight"], gain * plain["linear2.weight"])
    queries = slice(2 * D_MODEL)  # and keys: only values feed the sum
    name = "self_attn.in_proj_weight"
    assert torch.equal(plain[name][queries], scaled[name][queries])


@pytest.mark.parametrize(
    ("name", "spread", "deviation"),
    [
        ("xavier_uniform", 0.0, math.sqrt(2 / (256 + 2048))),
        ("xavier_normal", 0.0, math.sqrt(2 / (256 + 2048))),
        ("kaiming_uniform", 0.0, math.sqrt(2 / 256)),
        ("kaiming_normal", 0.0, math.sqrt(2 / 256)),
        ("normal", 0.02, 0.02),
        ("uniform", 0.05, 0.05 / math.sqrt(3)),
    ],
)
def test_matrices_have_the_spread_of_their_initialization(name, spread, deviation):
    layer = Layer(Recipe(""), keep=1.0, length=16)
    bias = layer.linear1.bias.clone()
    with torch.random.fork_rng():
        torch.manual_seed(0)
        initialize(layer, name, spread)
    assert layer.linear1.weight.std().item() == pytest.approx(deviation, rel=0.02)
    assert torch.equal(layer.linear1.bias, bias)


@pytest.mark.parametrize("name", ["normal", "uniform", "kaiming_normal"])
def test_vectors_are_drawn_where_that_is_asked_for_and_defined(name):
    setting = dataclasses.replace(SMALL, initialization=name, spread=0.02)
    network = built(setting, RECIPES["notes, vectors drawn too"])
    vectors = [each for each in network.parameters() if each.dim() == 1]
    plain = [each for each in built(setting, NOTES).parameters() if each.dim() == 1]
    assert all(torch.equal(*pair) for pair in zip(vectors, plain)) == (name == "kaiming_normal")
    if name == "normal":
        assert torch.cat(vectors).std().item() == pytest.approx(0.02, rel=0.1)


def test_default_leaves_matrices_and_unknown_names_are_told():
    layer = Layer(Recipe(""), keep=1.0, length=16)
    before = layer.linear1.weight.clone()
    initialize(layer, "default", 0.0)
    assert torch.equal(layer.linear1.weight, before)
    with pytest.raises(InvalidParameterError, match="Did you mean 'kaiming_normal'"):
        initialize(layer, "kaming_normal", 0.0)
    assert {each.initialization for each in SETTINGS} == set(INITIALIZATIONS)


def test_muon_moves_the_matrices_of_layers_and_adamw_the_rest():
    network = built(SMALL, RECIPES["Muon"])
    muon, adamw = optimizers(network, RECIPES["Muon"], 1e-3)
    moved = [each for mover in (muon, adamw) for group in mover.param_groups
             for each in group["params"]]  # fmt: skip
    assert len(moved) == len({id(each) for each in moved}) == len(list(network.parameters()))
    assert len(muon.param_groups[0]["params"]) == 4  # both of attention, both of feed-forward
    with pytest.raises(InvalidParameterError, match="optimizer must be one of"):
        optimizers(network, Recipe("", optimizer="sgd"), 1e-3)


@pytest.mark.parametrize("shape", [(24, 8), (8, 24), (16, 16)])
def test_muon_is_that_of_torch_but_for_its_rounding(shape):
    generator = torch.Generator().manual_seed(0)
    start = torch.randn(shape, generator=generator)
    ours, theirs = (nn.Parameter(start.clone()) for _ in range(2))
    movers = (
        Muon([ours], 0.01),
        torch.optim.Muon([theirs], lr=0.01, weight_decay=0.0, adjust_lr_fn="match_rms_adamw"),
    )
    for _ in range(4):
        gradient = torch.randn(shape, generator=generator)
        for parameter, mover in zip((ours, theirs), movers):
            parameter.grad = gradient.clone()
            mover.step()
    change = theirs.detach() - start
    assert (ours.detach() - theirs.detach()).norm() < 0.02 * change.norm()


def test_directions_have_singular_values_near_one_and_the_vectors_of_the_gradient():
    gradient = torch.randn(12, 30, generator=torch.Generator().manual_seed(0))
    left, sizes, right = torch.linalg.svd(gradient, full_matrices=False)
    inner = left.T @ nearly_orthogonal(gradient) @ right.T
    assert ((inner.diagonal() > 0.6) & (inner.diagonal() < 1.3)).all()
    sizes = sizes / gradient.norm()
    for _ in range(5):
        sizes = 3.4445 * sizes - 4.7750 * sizes**3 + 2.0315 * sizes**5
    torch.testing.assert_close(inner, torch.diag(sizes), rtol=0, atol=1e-5)


def test_muon_calls_what_gives_the_loss_first():
    matrix = nn.Parameter(torch.eye(3))
    mover = Muon([matrix], 0.01)

    def closure():
        mover.zero_grad()
        loss = matrix.square().sum()
        loss.backward()
        return float(loss.detach())

    assert mover.step(closure) == 3.0
    assert matrix[0, 0] < 1.0


def test_prodigy_begins_with_the_rate_and_finds_a_better_one():
    steady, free = (
        run(dataclasses.replace(SMALL, learning_rate=1e-6), recipe, 0, n_steps=60, n_test=5)
        for recipe in (dataclasses.replace(each, warmup=1) for each in NEWEST)
    )
    assert free.curve[0] > 4  # the first steps are as small
    assert free.loss < 3.6 < 4 < steady.loss


def test_prodigy_is_asked_for_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "prodigyopt", None)
    with pytest.raises(MissingDependencyError, match="prodigyopt"):
        optimizers(built(SMALL, NEWEST[1]), NEWEST[1], 1e-3)


def test_a_run_is_the_same_each_time_and_changes_no_global_generator():
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    first = run(SMALL, NOTES, 3, n_steps=25, n_test=2)
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", first.date)
    assert first.machine.endswith(f"CPU, one thread, torch {torch.__version__}")
    assert torch.equal(torch.rand(1), expected)
    second = run(SMALL, NOTES, 3, n_steps=25, n_test=2)
    assert dataclasses.replace(first, seconds=0.0) == dataclasses.replace(second, seconds=0.0)
    assert len(first.curve) == 3
    assert first.curve[-1] < first.curve[0]
    other = run(SMALL, NOTES, 4, n_steps=25, n_test=2)
    assert other.loss != first.loss


def test_a_run_that_is_lost_ends_early_and_has_no_finite_loss():
    lost = run(dataclasses.replace(SMALL, learning_rate=1e30), NOTES, 0, n_steps=25, n_test=2)
    assert lost.loss == math.inf
    assert not lost.is_trained
    assert len(lost.curve) < 3


def test_steps_by_hand():
    assert steps_to(1.0, [0.9] * 20) == 20
    assert steps_to(1.0, [0.9] * 19) is None
    assert steps_to(1.0, [2.0] * 10 + [0.5] * 20) == 24  # six of 2.0 and fourteen of 0.5: .95
