"""What an attention cannot take is refused by name, with the remedy, on every path."""

import math
import subprocess
import sys

import numpy as np
import pytest
import torch

from nlpfeat.attention import SCORES, Attention, AttentionSpec, attend
from nlpfeat.attention.scores import AdditiveScore, DotScore
from nlpfeat.errors import InvalidInputError, InvalidParameterError

PATHS = ["auto", "explicit", "fused", "flex"]


def drawn(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def layer(**parts):
    draw = torch.Generator().manual_seed(0)
    return Attention(8, AttentionSpec(**{"n_heads": 2, **parts}), generator=draw)


def three():
    return drawn(1, 4, 3, 8), drawn(1, 4, 5, 8, seed=1), drawn(1, 4, 5, 8, seed=2)


@pytest.mark.parametrize("path", PATHS)
def test_dtypes(path):
    query, key, value = three()
    with pytest.raises(InvalidInputError, match=r"key must be of the dtype of query.*float64"):
        attend(query, key.double(), value, path=path)
    with pytest.raises(
        InvalidInputError, match=r"key must be of the dtype of query, torch.float16"
    ):
        attend(query.half(), key, value, path=path)
    for dtype in (torch.int64, torch.bool, torch.complex64):
        parts = [part.to(dtype) for part in (query, key, value)]
        with pytest.raises(InvalidInputError, match=rf"query must be of floats.*Got {dtype}\. Use"):
            attend(*parts, path=path)
    for dtype in (torch.float64, torch.float16, torch.int64):
        told = rf"tokens must be of the dtype of the layer, torch.float32\. Got {dtype}\. Use"
        with pytest.raises(InvalidInputError, match=told):
            layer()(drawn(1, 3, 8).to(dtype), path=path)


@pytest.mark.parametrize("score", SCORES)
def test_weights_of_a_score_in_another_dtype(score):
    parts = [part.double() for part in three()]
    function = SCORES[score]().build(4, 8, torch.Generator().manual_seed(0))
    if SCORES[score].is_product:
        assert attend(*parts, score=function)[0].dtype == torch.float64
        return
    with pytest.raises(InvalidInputError, match=r"query must be of the dtype of score, .*float32"):
        attend(*parts, score=function)


@pytest.mark.parametrize("score", ["additive", "multidim", "cosine"])
def test_queries_that_a_score_was_not_built_for(score):
    built = SCORES[score]().build(3, 8, torch.Generator().manual_seed(0))
    told = r"built for, 3 and 8\. Got 4 and 8\. Build it with build\(4, 8, generator\)"
    with pytest.raises(InvalidInputError, match=told):
        attend(*three(), score=built)
    if not SCORES[score].is_product:
        built = SCORES[score]().build(4, 6, torch.Generator().manual_seed(0))
        with pytest.raises(InvalidInputError, match=r"built for, 4 and 6\. Got 4 and 8"):
            attend(*three(), score=built)
    for_all = SCORES[score]().build(1, 8, torch.Generator().manual_seed(0))
    assert attend(*three(), score=for_all)[0].shape == (1, 4, 3, 8)


@pytest.mark.parametrize("dtype", [torch.float64, torch.int64], ids=str)
def test_autocast_takes_the_floats_that_it_casts_and_no_others(dtype):
    with torch.autocast("cpu", torch.bfloat16):
        assert layer()(drawn(1, 3, 8).bfloat16()).hidden.dtype == torch.bfloat16
        with pytest.raises(InvalidInputError, match="tokens must be of the dtype of the layer"):
            layer()(drawn(1, 3, 8).to(dtype))


@pytest.mark.parametrize("dropout", [-1, -0.1, math.nan, 1.5, 1, None, True, "all"])
def test_dropout(dropout):
    with pytest.raises(InvalidParameterError, match="dropout must be"):
        attend(*three(), dropout=dropout)
    with pytest.raises(InvalidParameterError, match="dropout must be"):
        layer(dropout=dropout)


@pytest.mark.parametrize("name", ["query", "key", "value", "mask", "bias"])
def test_arrays_and_lists(name):
    given = dict(zip(("query", "key", "value"), three()))
    for wrong, kind in (([[0.0]], "list"), (np.zeros((1, 4, 5, 8)), "ndarray")):
        told = rf"{name} must be a torch\.Tensor\. Got a {kind}\. Use torch\.from_numpy\({name}\)"
        with pytest.raises(InvalidInputError, match=told):
            attend(**{**given, name: wrong})


def test_arrays_and_lists_of_a_layer():
    tokens = drawn(1, 3, 8)
    for wrong in (tokens.numpy(), tokens.tolist()):
        with pytest.raises(InvalidInputError, match=r"tokens must be .* torch\.from_numpy\(tokens"):
            layer()(wrong)
    with pytest.raises(InvalidInputError, match=r"mask must be a torch\.Tensor\. Got a list"):
        layer()(tokens, [[True] * 3])
    with pytest.raises(InvalidInputError, match=r"bias must be a torch\.Tensor\. Got a ndarray"):
        layer(position="t5")(tokens, bias=np.zeros((3, 3)))


@pytest.mark.parametrize("shape", [(1, 0, 5, 8), (1, 4, 5, 0)], ids=["heads", "width"])
def test_nothing_that_asks_or_is_asked(shape):
    query, key, value = three()
    for place, name in enumerate(("query", "key", "value")):
        parts = [query, key, value]
        parts[place] = torch.zeros(shape)
        with pytest.raises(InvalidInputError, match=f"{name} must have heads and a width"):
            attend(*parts)


@pytest.mark.parametrize("path", ["explicit", "fused"])
@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        ((1, 1, 3, 2), (1, 1, 5, 1), r"columns\[0\] and columns\[1\] must be of one width"),
        ((1, 1, 2, 2), (1, 1, 5, 2), r"columns\[0\] must have a shape that can be expanded to"),
        ((1, 3, 2), (1, 1, 5, 2), r"columns\[0\] must have a shape .* Got \(1, 3, 2\)"),
        ((), (1, 1, 5, 2), r"columns\[0\] must have a shape"),
    ],
    ids=["width", "queries", "dimensions", "number"],
)
def test_columns(path, left, right, told):
    with pytest.raises(InvalidInputError, match=told):
        attend(*three(), columns=(drawn(*left), drawn(*right)), path=path)


def test_columns_that_are_no_pair():
    left = drawn(1, 1, 3, 2)
    for wrong, kind in ((left, "Tensor"), ((left,), "tuple"), (3, "int")):
        with pytest.raises(InvalidInputError, match=f"must be a pair of tensors.* Got a {kind}"):
            attend(*three(), columns=wrong)
    with pytest.raises(InvalidInputError, match=r"columns\[1\] must be a torch\.Tensor"):
        attend(*three(), columns=(left, left.numpy()))


@pytest.mark.parametrize("position", ["none", "t5", "shaw"])
def test_a_bias_that_a_position_is_added_to(position):
    attention, tokens = layer(position=position), drawn(1, 3, 8)
    with pytest.raises(InvalidInputError, match=r"bias must .* expanded to \(1, 2, 3, 3\)"):
        attention(tokens, bias=drawn(1, 2, 3, 4))
    with pytest.raises(InvalidInputError, match="bias must be of finite floats"):
        attention(tokens, bias=torch.ones(3, 3, dtype=torch.bool))


def test_names_and_settings_where_there_is_nothing_to_learn():
    expected, _ = attend(*three())
    for score in ("dot", DotScore(), "bilinear"):
        assert torch.equal(attend(*three(), score=score)[0], expected)
    assert torch.equal(attend(*three(), normalizer="softmax")[0], expected)
    rows = attend(*three(), normalizer="sparsemax", return_weights=True)[1]
    assert (rows == 0).any()


def test_scores_and_normalizers_that_attend_cannot_take():
    for score in ("additive", AdditiveScore(n_layers=2)):
        told = r"must be built where it has weights: AdditiveScore\(\)\.build\(n_heads, width"
        with pytest.raises(InvalidParameterError, match=told):
            attend(*three(), score=score)
    for score in ("dt", DotScore, 3):
        with pytest.raises(InvalidParameterError, match="score must be one of 'dot'"):
            attend(*three(), score=score)
    for normalizer in ("softmx", 3):
        with pytest.raises(InvalidParameterError, match="normalizer must be one of 'softmax'"):
            attend(*three(), normalizer=normalizer)


@pytest.mark.parametrize(
    ("spec", "remedy"),
    [
        ("multi_query", "multi_query"),
        ("dot", "multi_head"),
        (None, "multi_head"),
        ({"n_heads": 2}, "multi_head"),
    ],
    ids=["preset", "score", "none", "dict"],
)
def test_what_is_no_spec(spec, remedy):
    told = rf"spec must be an AttentionSpec.* Use AttentionSpec\(\.\.\.\) or PRESETS\['{remedy}'\]"
    with pytest.raises(InvalidParameterError, match=told):
        Attention(64, spec)


def test_what_is_no_generator():
    with pytest.raises(InvalidParameterError, match=r"torch\.Generator\(\)\.manual_seed.* Got 0\."):
        Attention(8, AttentionSpec(n_heads=2), generator=0)


@pytest.mark.parametrize(
    ("head_mask", "told"),
    [
        ([1.0, 0.0], r"head_mask must be a torch\.Tensor\. Got a list"),
        (torch.ones(3), r"a number for each head, the shape \(2,\)\. Got \(3,\)"),
        (torch.ones(2, 1), r"the shape \(2,\)\. Got \(2, 1\)"),
    ],
    ids=["list", "long", "matrix"],
)
def test_head_masks(head_mask, told):
    with pytest.raises(InvalidInputError, match=told):
        layer()(drawn(1, 3, 8), head_mask=head_mask)


def test_a_head_mask_may_be_of_any_numbers():
    tokens, attention = drawn(1, 3, 8), layer()
    expected = attention(tokens, head_mask=torch.tensor([1.0, 0.0])).hidden
    for dtype in (torch.float64, torch.int64, torch.bool):
        found = attention(tokens, head_mask=torch.tensor([1, 0]).to(dtype)).hidden
        assert torch.equal(found, expected)


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ((-1, 3), "batch_size must be an integer that is at least 0. Got -1"),
        (("a", 3), "batch_size must be an integer .* Got 'a'"),
        ((1, 0), "max_length must be an integer that is at least 1. Got 0"),
        ((1, 2.5), "max_length must be an integer"),
    ],
)
def test_caches(sizes, told):
    with pytest.raises(InvalidParameterError, match=told):
        layer(causal=True).new_cache(*sizes)


@pytest.mark.parametrize(
    ("token", "told"),
    [
        (torch.zeros(1, 2, 8), r"token must be one token of each document.* Got \(1, 2, 8\)"),
        (torch.zeros(1, 0, 8), r"token must be one token of each document.* Got \(1, 0, 8\)"),
        (torch.zeros(1, 8), r"token must have the shape \(batch, tokens, 8\)\. Got \(1, 8\)"),
        (torch.zeros(1, 1, 7), r"token must have the shape \(batch, tokens, 8\)\. Got \(1, 1, 7\)"),
        (torch.zeros(1, 1, 8).double(), "token must be of the dtype of the layer"),
        (torch.zeros(2, 1, 8), r"for 2 documents: .* Use new_cache\(batch_size=2, max_length=3\)"),
        ([[[0.0]]], r"token must be a torch\.Tensor"),
    ],
    ids=["two", "none", "matrix", "width", "dtype", "batch", "list"],
)
def test_tokens_to_decode(token, told):
    attention = layer(causal=True)
    cache = attention.new_cache(1, 3)
    with pytest.raises(InvalidInputError, match=told):
        attention.decode(token, cache)
    assert cache.n_tokens == 0


@pytest.mark.parametrize("parts", [{"n_heads": 4}, {"n_kv_heads": 1}, {"score": "bilinear"}])
def test_caches_of_another_layer(parts):
    cache = layer(causal=True, **parts).new_cache(1, 3)
    with pytest.raises(InvalidInputError, match="cache must be made by this layer, for 1 doc"):
        layer(causal=True).decode(drawn(1, 1, 8), cache)
    with pytest.raises(InvalidInputError, match=r"cache must be a KeyValueCache.* Got a NoneType"):
        layer(causal=True).decode(drawn(1, 1, 8), None)


def test_results_are_shown_by_their_shapes():
    attention = layer(causal=True)
    assert repr(attention(drawn(1, 3, 8), return_weights=True)) == (
        "AttentionOutput(hidden=(1, 3, 8), heads=(1, 2, 3, 4), weights=(1, 2, 3, 3))"
    )
    assert repr(attention.new_cache(5, 100)) == (
        "KeyValueCache(key=(5, 2, 100, 4), value=(5, 2, 100, 4), n_tokens=0)"
    )


@pytest.mark.parametrize("module", ["nlpfeat.attention", "nlpfeat.attention.spec"])
def test_without_torch(module):
    script = f"import sys; sys.modules['torch'] = None\nimport {module}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "nlpfeat.errors.MissingDependencyError: nlpfeat.attention needs the package torch; "
        "install it with: pip install 'nlpfeat[attention]'"
    )
