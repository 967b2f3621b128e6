"""The network without priors: what it computes, what it must not depend on, how it starts."""

import math
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional

from nlpfeat.attention import AttentionSpec
from nlpfeat.attention.positions.absolute import AbsolutePosition
from nlpfeat.classifiers._batching import Batch
from nlpfeat.classifiers._network import Network, NetworkSettings
from nlpfeat.errors import InvalidInputError, InvalidParameterError

N_TERMS, N_CLASSES, D_MODEL = 30, 3, 16
BASE = NetworkSettings(
    N_TERMS, N_CLASSES, D_MODEL, n_layers=2, spec=AttentionSpec(n_heads=4), n_queries=2
)
SPECS = {
    "dot": AttentionSpec(n_heads=4),
    "additive-t5": AttentionSpec("additive", "t5"),
    "bilinear-shaw-dual": AttentionSpec("bilinear", "shaw", normalizer="dual"),
    "multidim-alibi": AttentionSpec("multidim", "alibi"),
    "cosine-absolute-entmax15": AttentionSpec("cosine", "absolute", normalizer="entmax15"),
    "dot-rope-capsule": AttentionSpec("dot", "rope", normalizer="capsule"),
    "grouped-sinkhorn": AttentionSpec(n_kv_heads=2, d_head=6, normalizer="sinkhorn"),
    "causal-sparsemax": AttentionSpec(position="t5", normalizer="sparsemax", causal=True),
    "biased-projections": AttentionSpec(projection_bias=True),
}


def built(seed: int = 0, **changes: Any) -> Network:
    network = Network(replace(BASE, **changes), [], torch.Generator().manual_seed(seed))
    return network.eval()


def batch_of(*documents: list[int | None], n_columns: int | None = None) -> Batch:
    """Make a batch; None is a gap."""
    width = n_columns or max(1, *map(len, documents))
    ids = torch.full((len(documents), width), N_TERMS)
    mask = torch.zeros(len(documents), width, dtype=torch.bool)
    for row, document in enumerate(documents):
        for column, token in enumerate(document):
            if token is not None:
                ids[row, column], mask[row, column] = token, True
    return Batch(ids, mask, torch.arange(len(documents)))


BATCH = batch_of([3, 7, 7, 1, 29], [4, None, 30, 2], [], [0], [None, None])


def by_hand(network: Network, ids: list[int]) -> Tensor:
    """Compute dot-product attention without positions for one document, step by step."""
    state, settings = network.state_dict(), network.settings
    width = settings.d_model // settings.spec.n_heads

    def normed(hidden: Tensor, name: str) -> Tensor:
        centered = hidden - hidden.mean(dim=1, keepdim=True)
        spread = (centered**2).mean(dim=1, keepdim=True)
        scale, shift = state[f"{name}.weight"], state[f"{name}.bias"]
        return centered / (spread + 1e-5).sqrt() * scale + shift

    def looked(queries: list[Tensor], tokens: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        heads = []
        for head, query in enumerate(queries):
            columns = slice(head * width, (head + 1) * width)
            key, value = tokens @ keys[columns].T, tokens @ values[columns].T
            weights = (query @ key.T / math.sqrt(width)).exp()
            heads.append(weights / weights.sum(dim=1, keepdim=True) @ value)
        return torch.cat(heads, dim=1)

    hidden = state["embedding.weight"][ids]
    for layer in range(settings.n_layers):
        name = f"layers.{layer}"
        tokens = normed(hidden, f"{name}.attention_norm")
        query, key, value = state[f"{name}.attention.projection.weight"].chunk(3)
        asked = list((tokens @ query.T).split(width, dim=1))
        heads = looked(asked, tokens, key, value)
        hidden = hidden + heads @ state[f"{name}.attention.output.weight"].T
        tokens = normed(hidden, f"{name}.feed_forward_norm")
        inner = tokens @ state[f"{name}.widen.weight"].T + state[f"{name}.widen.bias"]
        inner = inner * (1.0 + torch.erf(inner / math.sqrt(2.0))) / 2.0
        hidden = hidden + inner @ state[f"{name}.narrow.weight"].T + state[f"{name}.narrow.bias"]
    tokens = normed(hidden, "norm")
    key, value = state["pooling.projection.weight"].chunk(2)
    heads = looked(list(state["pooling.queries"]), tokens, key, value)
    pooled = heads @ state["pooling.output.weight"].T
    return pooled.flatten() @ state["head.weight"].T + state["head.bias"]


@pytest.mark.parametrize("document", [[5], [3, 7, 7, 1, 29], [30, 31, 0]], ids=str)
def test_logits_by_hand(document: list[int]) -> None:
    network = built().double()
    with torch.no_grad():
        network.head.bias.copy_(torch.tensor([0.1, -0.2, 0.3]))
        logits = network(batch_of([1, 2, 3, 4, 5, 6, 7], document)).logits[1]
        torch.testing.assert_close(logits, by_hand(network, document), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", SPECS)
def test_padding_changes_nothing(name: str) -> None:
    network = built(spec=SPECS[name])
    with torch.no_grad():
        logits = network(BATCH).logits
        wide = Batch(
            functional.pad(BATCH.ids, (0, 6), value=5), functional.pad(BATCH.mask, (0, 6)),
            BATCH.rows,
        )  # fmt: skip
        assert float((network(wide).logits - logits).abs().max()) < 1e-6
        alone = [
            network(Batch(BATCH.ids[i : i + 1], BATCH.mask[i : i + 1], BATCH.rows[:1])).logits
            for i in range(len(BATCH.rows))
        ]
        assert float((torch.cat(alone) - logits).abs().max()) < 1e-6
        backwards = Batch(BATCH.ids.flip(0), BATCH.mask.flip(0), BATCH.rows.flip(0))
        assert float((network(backwards).logits.flip(0) - logits).abs().max()) < 1e-6


@pytest.mark.parametrize("name", SPECS)
def test_empty_documents_train_and_predict(name: str) -> None:
    network = built(spec=SPECS[name], dropout=0.2, token_dropout=0.2).train()
    network(BATCH).logits.logsumexp(dim=1).sum().backward()
    for parameter in network.parameters():
        assert parameter.grad is None or bool(torch.isfinite(parameter.grad).all())
    network.eval()
    with torch.no_grad():
        network.head.bias.copy_(torch.tensor([1.0, 2.0, 3.0]))
        for path in ("auto", "explicit"):
            logits = network(BATCH, path=path).logits
            assert bool(torch.isfinite(logits).all())
            # What no token answered is 0, so that the bias of the head alone is left.
            assert logits[[2, 4]].tolist() == [[1.0, 2.0, 3.0]] * 2


@given(
    documents=st.lists(
        st.lists(st.none() | st.integers(0, N_TERMS), max_size=6), min_size=1, max_size=5
    ),
    noise=st.integers(0, N_TERMS + 1),
)
@settings(max_examples=25, deadline=None)
def test_what_stands_at_gaps_is_not_read(documents: list[list[int | None]], noise: int) -> None:
    network = built(spec=AttentionSpec(position="t5"))
    batch = batch_of(*documents)
    changed = replace(batch, ids=torch.where(batch.mask, batch.ids, noise))
    with torch.no_grad():
        assert torch.equal(network(batch).logits, network(changed).logits)


@pytest.mark.parametrize("name", SPECS)
def test_weights_are_those_of_the_fast_path(name: str) -> None:
    network = built(spec=SPECS[name])
    with torch.no_grad():
        said = network(BATCH, return_weights=True)
        assert float((said.logits - network(BATCH).logits).abs().max()) < 1e-5
    assert network(BATCH).weights is None
    *layers, pooling = said.weights
    assert len(layers) == 2
    assert pooling.shape[-2:] == (2, 5)
    for weights in said.weights:
        assert bool((weights[0] >= 0).all())
        assert bool((weights[2] == 0).all())
        assert bool((weights[..., 1][1] == 0).all())  # a gap
    if "dual" not in name:
        torch.testing.assert_close(layers[0][0].sum(-1), torch.ones_like(layers[0][0].sum(-1)))


def test_double_precision_paths_agree() -> None:
    network = built().double()
    with torch.no_grad():
        fast, slow = (network(BATCH, path=path).logits for path in ("fused", "explicit"))
    torch.testing.assert_close(fast, slow, rtol=0, atol=1e-12)


def test_start_is_that_of_the_generator_alone() -> None:
    before = torch.random.get_rng_state()
    first, same, other = built(1), built(1), built(2)
    assert torch.equal(before, torch.random.get_rng_state())
    for name, tensor in first.state_dict().items():
        assert torch.equal(tensor, same.state_dict()[name])
        if tensor.dim() > 1:
            assert not torch.equal(tensor, other.state_dict()[name]), name


def test_layers_are_no_copies() -> None:
    network = built(n_layers=3)
    first, second, third = (layer.state_dict() for layer in network.layers)
    for name, tensor in first.items():
        if tensor.dim() > 1:
            assert not torch.equal(tensor, second[name]), name
            assert not torch.equal(second[name], third[name]), name


def test_first_additions_shrink_with_the_depth() -> None:
    # Even ±b has the deviation b / √3, b = √(6 / (inputs + outputs)) / √(2 · layers).
    network = built(n_layers=8, d_model=64)
    for layer in network.layers:
        for weight, gain in ((layer.narrow.weight, 0.25), (layer.widen.weight, 1.0)):
            wanted = gain * math.sqrt(2.0 / (64 + 128))
            assert float(weight.detach().std()) == pytest.approx(wanted, rel=0.05)


def test_number_of_parameters() -> None:
    # Embedding 32 · 16; a layer: two norms 64, projections 3 · 256 + 256, feed-forward
    # 16 · 32 + 32 + 32 · 16 + 16; last norm 32; pooling: queries 4 · 2 · 4, 2 · 256 + 256; head
    # 2 · 16 · 3 + 3.
    counted = sum(each.numel() for each in built().parameters())
    layer = 64 + 1024 + 1072
    assert counted == 32 * 16 + 2 * layer + 32 + (32 + 768) + 99


def test_absolute_positions_are_added_once() -> None:
    network = built(spec=AttentionSpec(position="absolute"), max_length=7)
    tables = {name: each for name, each in network.state_dict().items() if "position" in name}
    assert [(name, tuple(each.shape)) for name, each in tables.items()] == [
        ("layers.0.attention.position.table", (7, D_MODEL))
    ]
    with pytest.raises(InvalidInputError, match="max_length=7"):
        network(batch_of(list(range(8))))
    own = AttentionSpec(position=AbsolutePosition(max_length=9))
    assert len(built(spec=own, max_length=7).layers[0].attention.position.table) == 9
    # The order of the tokens is seen through the table alone.
    ordered, turned = batch_of([1, 2, 3]), batch_of([3, 2, 1])
    with torch.no_grad():
        assert not torch.allclose(network(ordered).logits, network(turned).logits)
        next(iter(tables.values())).zero_()
        torch.testing.assert_close(network(ordered).logits, network(turned).logits)


@pytest.mark.parametrize(
    ("normalizer", "pooled"),
    [("sinkhorn", "softmax"), ("capsule", "softmax"), ("dual", "softmax"),
     ("sparsemax", "sparsemax"), ("softmax", "softmax")],
)  # fmt: skip
def test_pooling_is_never_divided_among_queries(normalizer: str, pooled: str) -> None:
    network = built(spec=AttentionSpec(normalizer=normalizer), n_queries=1)
    assert network.pooling.spec.normalizer == pooled
    assert network.pooling.spec.position == "none"


def test_tokens_are_masked_in_training_alone() -> None:
    network = built(token_dropout=0.9999999)
    hidden = batch_of([31] * 5, [31, None, 31, 31], [], [31], [None, None])
    with torch.no_grad():
        shown = network(hidden).logits
        assert not torch.allclose(network(BATCH).logits[:2], shown[:2])
        network.train()
        torch.testing.assert_close(network(BATCH).logits, shown)


def test_share_of_masked_tokens() -> None:
    network = built(token_dropout=0.25).train()
    ids = network.masking(torch.zeros(200, 100, dtype=torch.int64))
    assert ids.unique().tolist() == [0, N_TERMS + 1]
    assert float((ids > 0).double().mean()) == pytest.approx(0.25, abs=0.015)


def test_dropout_acts_in_training_alone() -> None:
    network = built(dropout=0.5)
    with torch.no_grad():
        assert torch.equal(network(BATCH).logits, network(BATCH).logits)
        network.train()
        assert not torch.equal(network(BATCH).logits, network(BATCH).logits)


def test_groups_hold_each_parameter_once() -> None:
    network = built(spec=AttentionSpec("additive", "t5", projection_bias=True))
    groups = network.parameter_groups(0.01, 0.1)
    names = {id(each): name for name, each in network.named_parameters()}
    held = [[names[id(each)] for each in group["params"]] for group in groups]
    assert sorted(name for group in held for name in group) == sorted(names.values())
    assert [(group["lr"], group["weight_decay"]) for group in groups] == [(0.01, 0.1), (0.01, 0.0)]
    for name in held[0]:
        assert "bias" not in name
        assert "norm" not in name
    for name in ("embedding.weight", "pooling.queries", "layers.0.attention.position.table"):
        assert name in held[1]


def test_without_layers_documents_are_bags() -> None:
    network = built(n_layers=0, spec=AttentionSpec(position="absolute"))
    with torch.no_grad():
        one, other = network(batch_of([1, 2, 3])).logits, network(batch_of([3, 1, 2])).logits
        assert network(BATCH, return_weights=True).weights[0].shape == (5, 4, 2, 5)
    torch.testing.assert_close(one, other)


def test_parts_that_mean_nothing_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="normalizer='sinkhorn' cannot be causal"):
        built(spec=AttentionSpec(normalizer="sinkhorn", causal=True))
    with pytest.raises(InvalidParameterError, match="n_queries must be an integer"):
        built(n_queries=0)


def test_state_is_loaded_again() -> None:
    first, second = built(1, spec=SPECS["additive-t5"]), built(2, spec=SPECS["additive-t5"])
    second.load_state_dict(first.state_dict())
    with torch.no_grad():
        assert torch.equal(first(BATCH).logits, second(BATCH).logits)


def ordered_documents(n_documents: int, random: torch.Generator) -> tuple[Batch, Tensor]:
    """Draw documents whose class is whether token 1 comes before token 2."""
    classes = torch.arange(n_documents) % 2
    ids = torch.randint(3, N_TERMS, (n_documents, 6), generator=random)
    ids[:, 1], ids[:, 4] = 2 - classes, 1 + classes
    mask = torch.ones(n_documents, 6, dtype=torch.bool)
    return Batch(ids, mask, torch.arange(n_documents)), classes


def test_order_is_learned() -> None:
    """No bag of words can tell the classes."""
    random = torch.Generator().manual_seed(0)
    network = built(spec=AttentionSpec(position="t5"), n_classes=2).train()
    optimizer = torch.optim.AdamW(network.parameter_groups(3e-3, 0.01))
    for _ in range(160):
        batch, classes = ordered_documents(64, random)
        loss = functional.cross_entropy(network(batch).logits, classes)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    new, classes = ordered_documents(200, random)
    network.eval()
    with torch.no_grad():
        found = network(new).logits.argmax(dim=1)
    assert float((found == classes).double().mean()) > 0.95
