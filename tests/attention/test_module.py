"""The layer against plain loops, with padding, in decoding, and learning."""

import copy

import numpy as np
import pytest
import torch
from attention_oracle import attention_by_loops

from nlpfeat.attention import NORMALIZERS, POSITIONS, SCORES, Attention, AttentionSpec
from nlpfeat.errors import InvalidInputError, InvalidParameterError

D_MODEL = 8
LAYOUTS = {
    "single": {"n_heads": 1},
    "multi_head": {"n_heads": 4},
    "grouped_query": {"n_heads": 4, "n_kv_heads": 2},
    "multi_query": {"n_heads": 4, "n_kv_heads": 1},
    "wide_heads": {"n_heads": 3, "d_head": 6},
}
PRODUCTS = [name for name in SCORES if SCORES[name].is_product]
COUPLING = [name for name in NORMALIZERS if NORMALIZERS[name].couples_queries]


def drawn(*shape, seed=0):
    draw = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=draw, dtype=torch.float64)


def built(seed=0, d_model=D_MODEL, **parts):
    """Return a layer in float64, no number of which is still 0 because it starts so."""
    draw = torch.Generator().manual_seed(seed)
    attention = Attention(d_model, AttentionSpec(**parts), generator=draw).double()
    with torch.no_grad():
        for parameter in attention.parameters():
            parameter += 0.3 * torch.randn(parameter.shape, generator=draw)
    return attention


def some_tokens():
    """Three documents, of 6, 4 and 1 tokens."""
    mask = torch.arange(6) < torch.tensor([[6], [4], [1]])
    return drawn(3, 6, D_MODEL), mask


def check_by_loops(attention, bias=None):
    tokens, mask = some_tokens()
    hidden, weights = attention_by_loops(attention, tokens, mask, bias)
    found = attention(tokens, mask, bias=bias, return_weights=True)
    fast = attention(tokens, mask, bias=bias)
    rows = np.ones(hidden.shape[:2], bool) if attention.spec.n_queries else mask.numpy()
    assert found.weights.shape == weights.shape
    assert np.abs(found.hidden.detach().numpy() - hidden)[rows].max() < 1e-12
    assert np.abs(fast.hidden.detach().numpy() - hidden)[rows].max() < 1e-12
    difference = np.abs(found.weights.detach().numpy() - weights)
    assert np.moveaxis(difference, -2, 1)[rows].max() < 1e-12


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_score_and_layout_by_loops(layout, score):
    check_by_loops(built(score=score, **LAYOUTS[layout]))


@pytest.mark.parametrize("score", ["dot", "multidim"])
@pytest.mark.parametrize("normalizer", NORMALIZERS)
def test_every_normalizer_by_loops(normalizer, score):
    check_by_loops(built(score=score, normalizer=normalizer, n_heads=2))


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("position", POSITIONS)
def test_every_position_by_loops(position, score):
    if position == "rope" and score not in PRODUCTS:
        with pytest.raises(InvalidParameterError, match="needs a score that is a product"):
            built(score=score, position=position)
        return
    check_by_loops(built(score=score, position=position, n_heads=4, n_kv_heads=2, causal=True))
    check_by_loops(built(score=score, position=position, n_heads=2))


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("normalizer", ["softmax", "sparsemax", "sinkhorn"])
def test_learned_queries_by_loops(normalizer, score):
    check_by_loops(built(score=score, normalizer=normalizer, n_queries=3, n_heads=2))


@pytest.mark.parametrize("score", ["dot", "multidim"])
def test_a_bias_and_biases_of_projections_by_loops(score):
    attention = built(score=score, projection_bias=True, n_heads=2, n_kv_heads=1)
    check_by_loops(attention, bias=drawn(3, 2, 6, 6, seed=5))


@pytest.mark.parametrize("path", ["auto", "explicit"])
@pytest.mark.parametrize("normalizer", NORMALIZERS)
@pytest.mark.parametrize("score", SCORES)
def test_padding_never_changes_an_answer(score, normalizer, path):
    attention = built(score=score, normalizer=normalizer, n_heads=2, position="t5")
    document = drawn(1, 5, D_MODEL)
    padding = torch.tensor([float("nan"), 1e30, -3.0, float("inf")], dtype=torch.float64)
    padded = torch.cat([document, padding.view(1, 4, 1).expand(1, 4, D_MODEL)], dim=1)
    padded = torch.cat([padded, drawn(1, 9, D_MODEL, seed=3)])
    mask = torch.ones(2, 9, dtype=torch.bool)
    mask[0, 5:] = False
    alone = attention(document, path=path)
    found = attention(padded, mask, path=path)
    assert (found.hidden[0, :5] - alone.hidden[0]).abs().max() < 1e-12
    assert (found.heads[0, :, :5] - alone.heads[0]).abs().max() < 1e-12
    assert found.hidden.isfinite().all()
    if normalizer in COUPLING:
        assert not found.hidden[0, 5:].any()


@pytest.mark.parametrize("n_queries", [None, 2])
@pytest.mark.parametrize("normalizer", NORMALIZERS)
def test_an_empty_document_gives_zeros_and_finite_gradients(normalizer, n_queries):
    position = "none" if n_queries else "shaw"
    attention = built(
        normalizer=normalizer, n_heads=2, n_queries=n_queries, position=position,
        projection_bias=True,
    )  # fmt: skip
    tokens = drawn(2, 4, D_MODEL).requires_grad_()
    mask = torch.tensor([[True, True, True, False], [False] * 4])
    for path in ("explicit", "auto"):
        attention.zero_grad()
        tokens.grad = None
        output = attention(tokens, mask, path=path)
        assert not output.hidden[1].any()
        output.hidden.square().sum().backward()
        assert all(parameter.grad.isfinite().all() for parameter in attention.parameters())
        assert tokens.grad.isfinite().all()
        assert not tokens.grad[1].any()
        assert not tokens.grad[0, 3].any()
        assert tokens.grad[0, :3].abs().sum() > 0


@pytest.mark.parametrize(
    ("dtype", "atol"), [(torch.float32, 1e-5), (torch.float64, 1e-12)], ids=["float32", "float64"]
)
@pytest.mark.parametrize("position", ["none", "t5", "shaw", "rope"])
@pytest.mark.parametrize("score", PRODUCTS)
def test_with_weights_the_answer_is_that_of_the_fast_path(score, position, dtype, atol):
    attention = built(score=score, position=position, n_heads=4, n_kv_heads=2).to(dtype)
    tokens, mask = some_tokens()
    slow = attention(tokens.to(dtype), mask, return_weights=True)
    fast = attention(tokens.to(dtype), mask, path="fused")
    assert fast.weights is None
    assert slow.hidden.dtype == fast.hidden.dtype == dtype
    assert (slow.hidden - fast.hidden)[mask].abs().max() < atol


def test_gradients_of_the_two_paths_agree():
    tokens, mask = some_tokens()
    gradients = []
    for path in ("explicit", "fused"):
        attention = built(position="t5", n_heads=2)
        attention(tokens, mask, path=path).hidden[mask].square().sum().backward()
        gradients.append([parameter.grad for parameter in attention.parameters()])
    for one, other in zip(*gradients):
        assert one.abs().max() > 0
        assert torch.allclose(one, other, atol=1e-10)


def test_the_result_is_the_weights_times_the_values():
    attention = built(n_heads=2)
    tokens, mask = some_tokens()
    output = attention(tokens, mask, return_weights=True)
    value = tokens @ attention.value_weight.T
    for h in range(2):
        expected = output.weights[:, h] @ value[:, :, 4 * h : 4 * h + 4]
        assert torch.allclose(output.heads[:, h], expected, atol=1e-12)


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("layout", ["multi_head", "multi_query"])
def test_decoding_token_by_token_is_the_causal_pass(layout, score, position):
    if position == "rope" and score not in PRODUCTS:
        return
    attention = built(score=score, position=position, causal=True, **LAYOUTS[layout])
    tokens = drawn(2, 20, D_MODEL)
    whole = attention(tokens).hidden
    cache = attention.new_cache(batch_size=2, max_length=25)
    for at in range(20):
        row = attention.decode(tokens[:, at : at + 1], cache)
        assert (row - whole[:, at : at + 1]).abs().max() < 1e-12
    assert cache.n_tokens == 20


def test_fewer_key_heads_make_a_smaller_cache():
    sizes = [
        Attention(16, AttentionSpec(n_heads=8, n_kv_heads=n)).new_cache(3, 10).n_bytes
        for n in (8, 2, 1)
    ]
    assert sizes == [2 * 3 * 8 * 10 * 2 * 4, 2 * 3 * 2 * 10 * 2 * 4, 2 * 3 * 1 * 10 * 2 * 4]


def test_decoding_says_what_it_cannot():
    attention = built(n_heads=2)
    with pytest.raises(InvalidParameterError, match="decode needs causal=True"):
        attention.decode(drawn(1, 1, D_MODEL), attention.new_cache(1, 3))
    causal = built(n_heads=2, causal=True)
    cache = causal.new_cache(1, 1)
    causal.decode(drawn(1, 1, D_MODEL), cache)
    with pytest.raises(InvalidInputError, match="room for 1 tokens and is full"):
        causal.decode(drawn(1, 1, D_MODEL), cache)


def test_the_future_does_not_change_the_past():
    attention = built(n_heads=2, causal=True, position="rope")
    tokens = drawn(1, 7, D_MODEL)
    changed = tokens.clone()
    changed[:, 4:] += 1.0
    difference = (attention(changed).hidden - attention(tokens).hidden).abs()
    assert difference[:, :4].max() == 0
    assert difference[:, 4:].min() > 0
    weights = attention(tokens, return_weights=True).weights
    assert not weights.triu(1).any()


@pytest.mark.parametrize("d_head", [1, 3, 50])
def test_the_width_of_a_head_is_free(d_head):
    attention = built(n_heads=3, n_kv_heads=1, d_head=d_head)
    assert attention.query_weight.shape == (3 * d_head, D_MODEL)
    assert attention.key_weight.shape == attention.value_weight.shape == (d_head, D_MODEL)
    assert attention.output.weight.shape == (D_MODEL, 3 * d_head)
    output = attention(drawn(2, 4, D_MODEL))
    assert output.heads.shape == (2, 3, 4, d_head)
    assert output.hidden.shape == (2, 4, D_MODEL)


def test_learned_queries_ask_for_a_bag():
    attention = built(n_heads=2, n_queries=3)
    tokens = drawn(2, 5, D_MODEL)
    output = attention(tokens, return_weights=True)
    assert output.hidden.shape == (2, 3, D_MODEL)
    assert output.weights.shape == (2, 2, 3, 5)
    permuted = attention(tokens[:, [3, 1, 4, 0, 2]]).hidden
    assert torch.allclose(permuted, output.hidden, atol=1e-12)
    assert attention.query_weight.numel() == 0
    output.hidden[:, 0].sum().backward()
    assert attention.queries.grad[:, 0].any()
    assert not attention.queries.grad[:, 1:].any()


@pytest.mark.parametrize("path", ["explicit", "fused"])
def test_a_masked_head_is_a_head_without_output(path):
    attention = built(n_heads=4)
    tokens, mask = some_tokens()
    head_mask = torch.tensor([1.0, 0.0, 1.0, 0.5], dtype=torch.float64, requires_grad=True)
    found = attention(tokens, mask, head_mask=head_mask, path=path).hidden
    twin = copy.deepcopy(attention)
    with torch.no_grad():
        twin.output.weight[:, 2:4] = 0.0
        twin.output.weight[:, 6:8] *= 0.5
    assert torch.allclose(found, twin(tokens, mask, path=path).hidden, atol=1e-12)
    ones = torch.ones(4, dtype=torch.float64)
    assert torch.equal(
        attention(tokens, mask, head_mask=ones, path=path).hidden,
        attention(tokens, mask, path=path).hidden,
    )
    found.square().sum().backward()
    assert head_mask.grad.abs().min() > 0


def test_columns_are_a_bias():
    attention = built(n_heads=2, position="t5")
    tokens, mask = some_tokens()
    left, right = drawn(3, 1, 6, 2, seed=1), drawn(3, 1, 6, 2, seed=2)
    found = attention(tokens, mask, columns=(left, right)).hidden
    expected = attention(tokens, mask, bias=left @ right.mT).hidden
    assert (found - expected)[mask].abs().max() < 1e-12


def test_dropout_acts_in_training_alone():
    attention = built(n_heads=2, dropout=0.5)
    tokens = drawn(1, 9, D_MODEL)
    assert not torch.equal(attention(tokens).hidden, attention(tokens).hidden)
    attention.eval()
    assert torch.equal(attention(tokens).hidden, attention(tokens).hidden)
    check_by_loops(attention)


def test_weights_come_from_the_generator_alone():
    spec = AttentionSpec(score="additive", position="shaw", n_queries=None)
    pooling = AttentionSpec(score="multidim", n_queries=2)
    for each in (spec, pooling):
        before = torch.get_rng_state()
        twins = [
            Attention(8, each, generator=torch.Generator().manual_seed(7)).state_dict()
            for _ in range(2)
        ]
        assert torch.equal(torch.get_rng_state(), before)
        for name, tensor in twins[0].items():
            assert torch.equal(tensor, twins[1][name])


def test_weights_start_within_the_bounds_of_xavier():
    draw = torch.Generator().manual_seed(0)
    attention = Attention(64, AttentionSpec(n_heads=4, n_kv_heads=1), generator=draw)
    for weight in (
        attention.query_weight, attention.key_weight, attention.value_weight,
        attention.output.weight,
    ):  # fmt: skip
        bound = (6 / sum(weight.shape)) ** 0.5
        assert 0.95 * bound < weight.abs().max() <= bound


def test_saved_weights_answer_alike():
    tokens, mask = some_tokens()
    parts = {"score": "additive", "position": "t5", "n_heads": 2}
    attention, other = built(**parts), built(seed=1, **parts)
    assert not torch.equal(attention(tokens, mask).hidden, other(tokens, mask).hidden)
    other.load_state_dict(attention.state_dict())
    assert torch.equal(attention(tokens, mask).hidden, other(tokens, mask).hidden)


@pytest.mark.parametrize("shape", [(0, 3, D_MODEL), (2, 0, D_MODEL)], ids=["batch", "tokens"])
@pytest.mark.parametrize("normalizer", NORMALIZERS)
def test_nothing_in_nothing_out(normalizer, shape):
    attention = built(normalizer=normalizer, n_heads=2)
    for path in ("explicit", "auto"):
        assert attention(torch.zeros(shape).double(), path=path).hidden.shape == shape
    pooling = built(normalizer=normalizer, n_heads=2, n_queries=2)
    pooled = pooling(torch.zeros(shape).double()).hidden
    assert pooled.shape == (shape[0], 2, D_MODEL)
    assert not pooled.any()


@pytest.mark.parametrize(
    ("tokens", "mask", "message"),
    [
        (torch.zeros(2, 3), None, r"tokens must have the shape \(batch, tokens, 8\). Got \(2, 3\)"),
        (torch.zeros(2, 3, 7), None, r"tokens must have the shape .* Got \(2, 3, 7\)"),
        (torch.zeros(2, 3, 8), torch.ones(2, 3), "mask must be of truth values.*float32"),
        (torch.zeros(2, 3, 8), torch.ones(2, 4) > 0, r"of the shape \(2, 3\).*shape \(2, 4\)"),
    ],
    ids=["matrix", "width", "float mask", "long mask"],
)
def test_tensors_that_do_not_fit_are_refused_by_name(tokens, mask, message):
    with pytest.raises(InvalidInputError, match=message):
        built(n_heads=2)(tokens.double(), mask)


def test_an_odd_width_with_rope_is_refused_by_name():
    with pytest.raises(InvalidParameterError, match="RopePosition turns components in pairs"):
        built(position="rope", n_heads=8)


@pytest.mark.parametrize(
    ("score", "normalizer"), [*((score, "softmax") for score in SCORES), ("dot", "sparsemax")]
)
def test_attention_learns_to_point_at_a_marked_token(score, normalizer):
    """One token of ten carries a mark, and the answer is that token.

    The mean of all tokens, where learning starts, leaves an error of .9 and a weight of .1.
    """
    draw = torch.Generator().manual_seed(0)
    spec = AttentionSpec(score=score, normalizer=normalizer, n_queries=1, n_heads=1)
    attention = Attention(8, spec, generator=draw)
    optimizer = torch.optim.Adam(attention.parameters(), lr=0.02)

    def documents(n_documents):
        tokens = torch.randn(n_documents, 10, 8, generator=draw)
        marked = torch.randint(10, (n_documents,), generator=draw)
        tokens[..., 0] = 0.0
        tokens[torch.arange(n_documents), marked, 0] = 4.0
        return tokens, marked, tokens[torch.arange(n_documents), marked]

    for _ in range(300):
        tokens, _, wanted = documents(64)
        loss = (attention(tokens).hidden[:, 0] - wanted).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    tokens, marked, wanted = documents(200)
    output = attention(tokens, return_weights=True)
    error = (output.hidden[:, 0] - wanted).square().sum() / wanted.square().sum()
    weight = output.weights.flatten(1, -2)[torch.arange(200), :, marked].mean()
    assert error < 0.1
    assert weight > 0.6
