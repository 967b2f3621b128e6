"""What all kinds of position have in common."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import pytest
import torch

from nlpfeat.attention.positions import POSITIONS, Position
from nlpfeat.errors import InvalidInputError

RELATIVE = ["none", "t5", "shaw", "alibi", "rope"]
DRAWING = ["absolute", "shaw"]
N_HEADS, WIDTH, D_MODEL = 3, 4, 12


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def built(name, dtype=torch.float64):
    """Return a kind of position whose learned numbers are no longer those it started with."""
    position = POSITIONS[name]().build(N_HEADS, WIDTH, D_MODEL, generator())
    draw = generator(1)
    with torch.no_grad():
        for parameter in position.parameters():
            parameter.normal_(generator=draw)
    return position.to(dtype)


def tokens_and_weights(n_tokens, seed=2):
    draw = generator(seed)
    shapes = [(2, n_tokens, D_MODEL), (D_MODEL, N_HEADS * WIDTH), (D_MODEL, N_HEADS * WIDTH)]
    return [torch.randn(shape, generator=draw, dtype=torch.float64) for shape in shapes]


def heads(projected):
    return projected.unflatten(-1, (N_HEADS, WIDTH)).transpose(1, 2)


def scores(position, tokens, queries, keys, query_positions, key_positions):
    """Return the scores (B, H, Q, K) of tokens that ask and tokens that are asked."""
    _, query_weight, key_weight = tokens_and_weights(1)
    for_queries, for_keys = position.embed(query_positions), position.embed(key_positions)
    asking, asked = tokens[:, queries], tokens[:, keys]
    if for_queries is not None:
        asking, asked = asking + for_queries, asked + for_keys
    query, key = position.rotate(
        heads(asking @ query_weight), heads(asked @ key_weight), query_positions, key_positions
    )
    total = query @ key.mT / WIDTH**0.5
    bias = position.bias(query_positions, key_positions)
    query_bias = position.query_bias(query, query_positions, key_positions)
    for part in (bias, query_bias):
        total = total if part is None else total + part
    return total


def all_scores(position, tokens, start=0):
    places = torch.arange(start, start + tokens.shape[1])
    return scores(position, tokens, slice(None), slice(None), places, places)


@pytest.mark.parametrize("name", POSITIONS)
def test_a_row_is_the_name_of_its_settings(name):
    assert POSITIONS[name].name == name
    assert issubclass(POSITIONS[name], Position)
    assert POSITIONS[name].relative == (name in RELATIVE)


@pytest.mark.parametrize("name", POSITIONS)
def test_settings_are_frozen_and_compare_by_value(name):
    settings = POSITIONS[name]()
    assert settings == POSITIONS[name]()
    assert hash(settings) == hash(pickle.loads(pickle.dumps(settings)))
    with pytest.raises(FrozenInstanceError):
        settings.name = "other"


@pytest.mark.parametrize("name", RELATIVE)
def test_a_shift_of_the_document_changes_nothing(name):
    position = built(name)
    tokens, *_ = tokens_and_weights(23)
    moved = all_scores(position, tokens, start=17) - all_scores(position, tokens)
    assert moved.abs().max() < 1e-9


@pytest.mark.parametrize("name", [name for name in RELATIVE if name != "none"])
def test_the_same_two_tokens_at_another_distance_have_another_score(name):
    position = built(name)
    tokens, *_ = tokens_and_weights(1)
    at_zero, near, far = torch.tensor([0]), torch.tensor([1]), torch.tensor([5])
    first = scores(position, tokens, [0], [0], at_zero, near)
    second = scores(position, tokens, [0], [0], at_zero, far)
    assert (first - second).abs().max() > 1e-3


def test_a_shift_changes_scores_of_absolute_positions():
    tokens, *_ = tokens_and_weights(23)
    position = built("absolute")
    moved = all_scores(position, tokens, start=17) - all_scores(position, tokens)
    assert moved.abs().max() > 1e-2


def test_without_position_a_permutation_of_tokens_permutes_the_scores():
    tokens, *_ = tokens_and_weights(9)
    order = torch.randperm(9, generator=generator(3))
    position = built("none")
    permuted = all_scores(position, tokens[:, order])
    difference = permuted - all_scores(position, tokens)[:, :, order][..., order]
    assert difference.abs().max() < 1e-12


@pytest.mark.parametrize("name", [name for name in POSITIONS if name != "none"])
def test_with_position_a_permutation_of_tokens_does_more(name):
    tokens, *_ = tokens_and_weights(9)
    order = torch.randperm(9, generator=generator(3))
    position = built(name)
    permuted = all_scores(position, tokens[:, order])
    difference = permuted - all_scores(position, tokens)[:, :, order][..., order]
    assert difference.abs().max() > 1e-2


@pytest.mark.parametrize("name", POSITIONS)
def test_only_alibi_knows_how_far_and_not_on_which_side(name):
    position = built(name)
    tokens, *_ = tokens_and_weights(7)
    mirrored = all_scores(position, tokens.flip(1)).flip(-1, -2)
    difference = (mirrored - all_scores(position, tokens)).abs().max()
    assert (difference < 1e-12) == (name in ("none", "alibi"))


@pytest.mark.parametrize("name", POSITIONS)
def test_one_query_of_a_decoder_gets_its_row_of_the_whole(name):
    position = built(name)
    tokens, *_ = tokens_and_weights(58)
    places = torch.arange(58)
    row = scores(position, tokens, slice(57, 58), slice(None), places[57:], places)
    assert (row - all_scores(position, tokens)[:, :, 57:]).abs().max() < 1e-12


@pytest.mark.parametrize("name", POSITIONS)
def test_positions_need_not_be_counted_from_zero_or_in_order(name):
    position = built(name)
    tokens, *_ = tokens_and_weights(12)
    chosen = torch.tensor([7, 2, 11])
    some = scores(position, tokens, chosen, chosen, chosen, chosen)
    whole = all_scores(position, tokens)
    assert (some - whole[:, :, chosen][..., chosen]).abs().max() < 1e-12


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16], ids=str)
def test_dtype_follows_the_model_and_everything_is_finite(name, dtype):
    position = built(name, dtype)
    places = torch.arange(0, 500, 7)
    query = torch.randn(2, N_HEADS, len(places), WIDTH, generator=generator()).to(dtype)
    turned = position.rotate(query, query[:, :1], places, places)
    shapes = [query.shape, query[:, :1].shape]
    parts = [
        position.embed(places),
        position.bias(places, places),
        position.query_bias(query, places, places),
    ]
    shapes += [
        (len(places), D_MODEL),
        (N_HEADS, len(places), len(places)),
        (2, N_HEADS, len(places), len(places)),
    ]
    for part, shape in zip([*turned, *parts], shapes):
        if part is not None:
            assert part.dtype == dtype
            assert part.shape == shape
            assert part.isfinite().all()


@pytest.mark.parametrize("name", ["shaw", "rope"])
def test_a_half_precision_query_meets_a_float32_model(name):
    """As under autocast, which casts queries and leaves parameters."""
    position = built(name, torch.float32)
    query = torch.randn(1, N_HEADS, 4, WIDTH, generator=generator()).bfloat16()
    places = torch.arange(4)
    assert position.rotate(query, query, places, places)[0].dtype == torch.bfloat16
    bias = position.query_bias(query, places, places)
    assert bias is None or bias.dtype == torch.bfloat16


@pytest.mark.parametrize("name", POSITIONS)
def test_random_numbers_come_from_the_generator_alone(name):
    before = torch.get_rng_state()
    draw = generator(5)
    first = POSITIONS[name]().build(N_HEADS, WIDTH, D_MODEL, draw)
    second = POSITIONS[name]().build(N_HEADS, WIDTH, D_MODEL, generator(5))
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.equal(draw.get_state(), generator(5).get_state()) == (name not in DRAWING)
    for one, other in zip(first.parameters(), second.parameters()):
        assert torch.equal(one, other)


@pytest.mark.parametrize("name", POSITIONS)
def test_copies_and_saved_weights_answer_alike(name):
    position = built(name)
    fresh = POSITIONS[name]().build(N_HEADS, WIDTH, D_MODEL, generator(9)).double()
    fresh.load_state_dict(position.state_dict())
    tokens, *_ = tokens_and_weights(6)
    expected = all_scores(position, tokens)
    for twin in (fresh, copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert torch.equal(all_scores(twin, tokens), expected)


@pytest.mark.parametrize("name", POSITIONS)
def test_only_what_is_learned_is_saved(name):
    position = built(name)
    learned = [each for each, _ in position.named_parameters()]
    assert list(position.state_dict()) == learned
    assert learned == (["table"] if name in ("absolute", "t5", "shaw") else [])


@pytest.mark.parametrize("name", POSITIONS)
def test_documents_without_tokens_have_no_scores(name):
    tokens, *_ = tokens_and_weights(0)
    assert all_scores(built(name), tokens).shape == (2, N_HEADS, 0, 0)


@pytest.mark.parametrize("name", [name for name in POSITIONS if name != "none"])
@pytest.mark.parametrize(
    "places", [torch.zeros(3), torch.zeros(1, 3, dtype=torch.int64), torch.ones(3) > 0],
    ids=["float", "matrix", "bool"],
)  # fmt: skip
def test_positions_are_vectors_of_integers(name, places):
    with pytest.raises(InvalidInputError, match="must be a vector of integers"):
        scores(built(name), tokens_and_weights(3)[0], slice(3), slice(3), places, places)


@pytest.mark.parametrize("name", [name for name in POSITIONS if name != "none"])
def test_positions_may_be_of_any_integer_dtype(name):
    position = built(name)
    tokens, *_ = tokens_and_weights(5)
    places = torch.arange(5, dtype=torch.uint8)  # whose differences would wrap around
    found = scores(position, tokens, slice(None), slice(None), places, places)
    assert torch.equal(found, all_scores(position, tokens))


def test_learned_numbers_pass_gradcheck():
    query = torch.randn(1, N_HEADS, 3, WIDTH, generator=generator(), dtype=torch.float64)
    query.requires_grad_()
    places = torch.tensor([4, 0, 2])
    absolute, t5, shaw, rope = (built(name) for name in ("absolute", "t5", "shaw", "rope"))
    absolute.table = torch.nn.Parameter(absolute.table[:6].detach())
    check = torch.autograd.gradcheck
    assert check(lambda _: absolute.embed(places), (absolute.table,))
    assert check(lambda _: t5.bias(places, places), (t5.table,))
    assert check(lambda q, _: shaw.query_bias(q, places, places), (query, shaw.table))
    assert check(lambda q: rope.rotate(q, q, places, places), (query,))
