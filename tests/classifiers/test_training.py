"""Training, watched with a network so small that a plain loop can do the same."""

import copy
import logging
from dataclasses import dataclass, replace

import numpy as np
import pytest
import torch
from prior_networks import ACTIVE, built, inputs_of, read_new, sizes
from torch import nn
from torch.nn import functional

from nlpfeat.classifiers import _training
from nlpfeat.classifiers._batching import BatchMaker
from nlpfeat.classifiers._dropout import Dropout
from nlpfeat.classifiers._settings import TrainingSettings
from nlpfeat.classifiers._training import evaluate, rate_factor, train
from nlpfeat.classifiers._weight_average import WeightAverage
from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.token_ids import TokenIds

CPU = torch.device("cpu")
N_TERMS, N_CLASSES = 6, 3

SETTINGS = TrainingSettings(
    learning_rate=0.05, weight_decay=0.1, warmup=0.25, batch_size=4, max_epochs=3, patience=None,
    label_smoothing=0.0, averaging=None, validation_fraction=0.0,
)  # fmt: skip


@dataclass
class Sizes:
    n_classes: int = N_CLASSES


@dataclass
class Output:
    logits: torch.Tensor
    attention_logits: torch.Tensor


class MeanOfTokens(nn.Module):
    """The class of the mean token: what training needs of a network, and no more."""

    def __init__(self, dropout=0.0, extra=None, fails=None):
        super().__init__()
        self.settings = Sizes()
        rows = torch.empty(N_TERMS + 2, N_CLASSES)
        self.table = nn.Parameter(rows.normal_(generator=torch.Generator().manual_seed(0)))
        self.dropout = Dropout(dropout)
        self.extra = extra
        self.fails = fails

    def forward(self, batch):
        if self.fails is not None:
            raise self.fails
        shares = batch.mask / batch.mask.sum(dim=1, keepdim=True).clamp(min=1)
        logits = (self.dropout(self.table[batch.ids]) * shares[..., None]).sum(dim=1)
        return Output(logits, logits)

    def parameter_groups(self, learning_rate, weight_decay):
        return [{"params": [self.table], "lr": learning_rate, "weight_decay": weight_decay}]

    def extra_loss(self, output, targets, weights):
        return None if self.extra is None else self.extra * self.table.square().sum()


def documents(n_documents=18, seed=0):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 5, n_documents)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    ids = rng.integers(-1, N_TERMS + 1, ends[-1]).astype(np.int32)
    return BatchMaker(TokenIds(ids, ends, ends), N_TERMS, rng.integers(0, N_CLASSES, n_documents))


def trained(settings=SETTINGS, network=None, seed=5, **options):
    network = MeanOfTokens() if network is None else network
    done = train(network, documents(), settings, seed, device=CPU, **options)
    return network, done


def by_hand(settings, seed, weights=None, extra=0.0):
    """Train as ``train`` should, with torch's own schedule and loss; yield the table each step."""
    network, maker = MeanOfTokens(), documents()
    optimizer = torch.optim.AdamW(
        [network.table], lr=settings.learning_rate, betas=(0.9, 0.99),
        weight_decay=settings.weight_decay,
    )  # fmt: skip
    total = settings.max_epochs * 5  # 18 documents are 5 batches of up to 4
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: rate_factor(step, total, settings.warmup) if step < total else 0.0
    )
    rng = np.random.default_rng(seed)
    for _ in range(settings.max_epochs):
        for batch in maker.batches(settings.batch_size, rng):
            optimizer.zero_grad()
            loss = functional.cross_entropy(
                network(batch).logits, batch.targets, reduction="none",
                label_smoothing=settings.label_smoothing,
            )  # fmt: skip
            loss = (loss if weights is None else loss * weights[batch.targets]).mean()
            (loss + extra * network.table.square().sum()).backward()
            nn.utils.clip_grad_norm_([network.table], 1.0)
            optimizer.step()
            schedule.step()
            yield network.table.detach().clone()


@pytest.mark.parametrize(
    ("changes", "weights", "extra"),
    [
        ({}, None, 0.0),
        ({"label_smoothing": 0.2, "warmup": 0.0}, None, 0.0),
        ({"weight_decay": 0.0, "max_epochs": 1, "batch_size": 4}, [0.5, 1.0, 2.0], 0.0),
        ({}, None, 0.3),
    ],
    ids=["plain", "smoothed", "weighted", "with a further loss"],
)
def test_it_is_a_loop_that_anyone_would_write(changes, weights, extra):
    settings = replace(SETTINGS, **changes)
    weights = None if weights is None else torch.tensor(weights)
    network, done = trained(settings, MeanOfTokens(extra=extra), class_weights=weights)
    *_, wanted = by_hand(settings, 5, weights, extra)
    assert torch.allclose(network.table.detach(), wanted, atol=1e-6)
    assert len(done.history) == done.best_epoch == settings.max_epochs
    assert not network.training


def test_the_mean_of_the_weights():
    settings = replace(SETTINGS, averaging=0.2)  # of 15 steps: the memory of 3
    network, _ = trained(settings)
    tables = list(by_hand(settings, 5))
    mean = tables[0]
    for table in tables[1:]:
        mean = mean + (table - mean) / 3
    assert torch.allclose(network.table.detach(), mean, atol=1e-6)
    assert not torch.allclose(network.table.detach(), tables[-1], atol=1e-3)


def test_the_learning_rate_by_hand():
    factors = [rate_factor(step, 10, 0.2) for step in range(10)]
    assert factors == pytest.approx([1 / 2, 1, 1, 7 / 8, 6 / 8, 5 / 8, 4 / 8, 3 / 8, 2 / 8, 1 / 8])
    assert [rate_factor(step, 4, 0.0) for step in range(4)] == [1, 0.75, 0.5, 0.25]
    assert rate_factor(0, 1, 0.9) == 1


def test_history_says_what_happened(caplog):
    with caplog.at_level(logging.INFO, logger="nlpfeat.classifiers._training"):
        network, done = trained(validation=documents(7, seed=1))
    assert [epoch["epoch"] for epoch in done.history] == [1, 2, 3]
    assert [epoch["learning_rate"] for epoch in done.history] == pytest.approx(
        [0.05, 0.05 * 6 / 11, 0.05 * 1 / 11]
    )
    assert all(epoch["seconds"] >= 0 for epoch in done.history)
    best = done.history[done.best_epoch - 1]
    maker = documents(7, seed=1)
    logits = evaluate(network, maker, 4, CPU)
    targets = torch.from_numpy(maker.targets)
    assert best["validation_loss"] == pytest.approx(
        float(functional.cross_entropy(logits, targets)), rel=1e-5
    )
    assert best["validation_accuracy"] == pytest.approx(
        float((logits.argmax(dim=1) == targets).float().mean())
    )
    assert len(caplog.messages) == 3
    assert caplog.messages[0].startswith("epoch 1: loss ")
    assert "accuracy" in caplog.messages[0]


def test_the_loss_of_an_epoch_is_the_mean_over_its_documents():
    settings = replace(SETTINGS, learning_rate=1e-12, weight_decay=0.0, max_epochs=1)
    network, done = trained(settings)
    maker = documents()
    logits = evaluate(network, maker, 100, CPU)
    wanted = functional.cross_entropy(logits, torch.from_numpy(maker.targets))
    assert done.history[0]["training_loss"] == pytest.approx(float(wanted), rel=1e-5)
    assert done.history[0]["validation_loss"] is None
    assert done.history[0]["validation_accuracy"] is None


def test_validation_counts_documents_by_the_weights_of_their_classes():
    weights = torch.tensor([0.5, 1.0, 2.0])
    network, done = trained(
        replace(SETTINGS, max_epochs=1), validation=documents(7, seed=1), class_weights=weights
    )
    maker = documents(7, seed=1)
    logits, targets = evaluate(network, maker, 4, CPU), torch.from_numpy(maker.targets)
    assert done.history[0]["validation_loss"] == pytest.approx(
        float(functional.cross_entropy(logits, targets, weights)), rel=1e-5
    )
    right = [float(weights[target]) for row, target in zip(logits, targets)
             if row.argmax() == target]  # fmt: skip
    wanted = sum(right) / float(weights[targets].sum())
    assert done.history[0]["validation_accuracy"] == pytest.approx(wanted)


def scripted(monkeypatch, qualities):
    """Say how good each epoch is: (loss, accuracy)."""
    script = iter(qualities)
    monkeypatch.setattr(_training._Run, "_quality", lambda *_: next(script))


@pytest.mark.parametrize(
    ("qualities", "best"),
    [
        ([(1.0, 0.5), (0.9, 0.7), (0.8, 0.6)], 2),
        ([(1.0, 0.7), (0.9, 0.7), (0.95, 0.7)], 2),
        ([(1.0, 0.7), (1.0, 0.7), (1.0, 0.7)], 1),
        ([(1.0, 0.5), (0.9, 0.6), (0.8, 0.7)], 3),
        ([(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)], 1),
    ],
    ids=["accuracy", "then loss", "then the first", "the last", "no hit"],
)
def test_the_best_epoch_is_kept(monkeypatch, qualities, best):
    scripted(monkeypatch, qualities)
    network, done = trained(validation=documents())
    assert done.best_epoch == best
    assert len(done.history) == 3
    tables = list(by_hand(SETTINGS, 5))
    assert torch.allclose(network.table.detach(), tables[5 * best - 1], atol=1e-6)


@pytest.mark.parametrize(
    ("patience", "epochs"), [(1, 3), (2, 4), (None, 6)], ids=["one", "two", "none"]
)
def test_patience(monkeypatch, patience, epochs):
    scripted(monkeypatch, [(1.0, 0.5), (1.0, 0.6), (1.0, 0.5), (1.0, 0.5), (1.0, 0.5), (1.0, 0.5)])
    _, done = trained(replace(SETTINGS, patience=patience, max_epochs=6), validation=documents())
    assert (len(done.history), done.best_epoch) == (epochs, 2)


class Interrupt:
    """Presses Ctrl-C after a number of steps, and remembers the network as it was before."""

    def __init__(self, after):
        self.after = after
        self.told = []

    def __call__(self, done, total):
        self.told.append((done, total))
        if done == self.after:
            raise KeyboardInterrupt


def test_an_interrupted_training_keeps_the_best_epoch():
    with pytest.warns(UserWarning, match="interrupted in epoch 3 of 3: .* weights of epoch 2"):
        network, done = trained(on_step=Interrupt(after=12))
    assert (len(done.history), done.best_epoch) == (2, 2)
    tables = list(by_hand(SETTINGS, 5))
    assert torch.allclose(network.table.detach(), tables[9], atol=1e-6)
    assert not network.training


def test_an_interrupt_in_the_first_epoch_ends_all():
    interrupt = Interrupt(after=3)
    with pytest.raises(KeyboardInterrupt):
        trained(on_step=interrupt)
    assert interrupt.told == [(1, 15), (2, 15), (3, 15)]


@pytest.mark.parametrize("place", ["weights", "log"])
@pytest.mark.parametrize("averaging", [None, 0.5], ids=["last", "mean"])
def test_an_interrupt_between_two_epochs_finds_a_whole_one(monkeypatch, place, averaging):
    """While the weights of the second epoch are copied, and when they just have been."""
    calls = []

    def interrupted(original):
        def call(*arguments):
            calls.append(1)
            if len(calls) == 2:
                raise KeyboardInterrupt
            return original(*arguments)

        return call

    owner, name = (_training, "deepcopy") if place == "weights" else (_training.logger, "info")
    monkeypatch.setattr(owner, name, interrupted(getattr(owner, name)))
    kept = 1 if place == "weights" else 2
    message = f"interrupted in epoch {kept + 1} of 3: .* weights of epoch {kept}"
    with pytest.warns(UserWarning, match=message):
        network, done = trained(replace(SETTINGS, averaging=averaging))
    assert (len(done.history), done.best_epoch) == (kept, kept)
    monkeypatch.undo()
    with pytest.warns(UserWarning, match=message):
        wanted, _ = trained(
            replace(SETTINGS, averaging=averaging), on_step=Interrupt(after=5 * kept + 1)
        )
    assert torch.equal(network.table, wanted.table)


def test_the_mean_shares_what_does_not_change():
    network = built([ACTIVE["wide"], ACTIVE["pmi"]])
    frozen = network.pooling.output.weight.requires_grad_(False)
    average = WeightAverage(network, 4.0)
    own, shared = dict(network.named_buffers()), dict(average.network.named_buffers())
    assert {"terms.0.ratios", "terms.1.keys"} <= own.keys() == shared.keys()
    assert all(own[name] is shared[name] for name in own)
    start = network.head.weight.detach().clone()
    for step in range(3):
        with torch.no_grad():
            network.head.weight.fill_(step)
        average.update()
    # 0, then a quarter of the way to 1, then of what is left to 2.
    assert average.network.head.weight.unique().tolist() == [0.25 + (2 - 0.25) / 4]
    assert network.head.weight.unique().tolist() == [2]
    assert not torch.equal(start, network.head.weight)
    assert torch.equal(average.network.pooling.output.weight, frozen)


def no_memory():
    """Return what torch raises for more memory than there is."""
    with pytest.raises(RuntimeError) as caught:
        torch.empty(2**58)
    return caught.value


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB."),
        RuntimeError("MPS backend out of memory (MPS allocated: 9.0 GB)"),
        no_memory(),
    ],
    ids=["python", "cuda", "mps", "cpu"],
)
def test_no_memory_says_what_to_lower(error):
    with pytest.raises(
        InvalidParameterError, match=r"Lower batch_size first, then max_length.*then d_model"
    ):
        trained(network=MeanOfTokens(fails=error))


def test_no_memory_for_the_mean_of_the_weights(monkeypatch):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr(_training, "WeightAverage", full)
    with pytest.raises(InvalidParameterError, match="Lower batch_size first"):
        trained(replace(SETTINGS, averaging=0.5))


def test_other_errors_are_not_hidden():
    with pytest.raises(RuntimeError, match="shapes") as caught:
        trained(network=MeanOfTokens(fails=RuntimeError("shapes do not match")))
    assert not isinstance(caught.value, InvalidParameterError)


def test_a_loss_that_is_not_finite_says_what_to_lower():
    with pytest.raises(
        InvalidParameterError, match=r"lost its way in epoch 1.*Lower learning_rate \(it is 0.05\)"
    ):
        trained(network=MeanOfTokens(extra=float("nan")))


def test_draws_depend_on_the_seed_alone_and_leave_others_alone():
    before = torch.get_rng_state()
    first, _ = trained(network=MeanOfTokens(dropout=0.5))
    again, _ = trained(network=MeanOfTokens(dropout=0.5))
    assert torch.equal(torch.get_rng_state(), before)
    other, _ = trained(network=MeanOfTokens(dropout=0.5), seed=6)
    assert torch.equal(first.table, again.table)
    assert not torch.equal(first.table, other.table)


def test_an_error_leaves_the_draws_of_others_alone():
    before = torch.get_rng_state()
    with pytest.raises(InvalidParameterError):
        trained(network=MeanOfTokens(dropout=0.5, fails=MemoryError()))
    assert torch.equal(torch.get_rng_state(), before)


def test_evaluation_is_in_the_order_of_the_documents():
    network, maker = MeanOfTokens(), documents()
    wanted = torch.cat([network(maker.batch(np.array([row]))).logits for row in range(len(maker))])
    for batch_size in (1, 4, 100):
        found = evaluate(network, maker, batch_size, CPU)
        assert torch.allclose(found, wanted, atol=1e-6)
    nothing = BatchMaker(TokenIds(np.empty(0, np.int32), np.zeros(1, np.int64),
                                  np.zeros(1, np.int64)), N_TERMS)  # fmt: skip
    assert evaluate(network, nothing, 4, CPU).shape == (0, N_CLASSES)


def test_a_network_is_trained_in_place():
    network = MeanOfTokens()
    before = copy.deepcopy(network.state_dict())
    trained(network=network)
    assert not torch.equal(network.table, before["table"])


@pytest.mark.parametrize("name", [*ACTIVE, "all"])
def test_in_half_precision(monkeypatch, name):
    """What a GPU does, on the CPU: products of bfloat16, losses and weights of float32."""
    priors = list(ACTIVE.values()) if name == "all" else [ACTIVE[name]]
    classes = np.array([0, 1, 0, 1, 1, 0])
    said = [inputs_of(prior) for prior in priors]
    maker = BatchMaker(read_new().tokens, sizes().n_terms, classes, said)
    settings = replace(SETTINGS, learning_rate=1e-3, max_epochs=2)
    seen = []

    def see_training(head, _, output):
        if head.training:
            seen.append(output.dtype)

    losses = {}
    for precision in ("whole", "half"):
        is_half = precision == "half"
        monkeypatch.setattr(_training, "is_fast_in_bfloat16", lambda _, is_half=is_half: is_half)
        network = built(priors)
        network.head.register_forward_hook(see_training)
        done = train(network, maker, settings, 5, device=CPU, class_weights=torch.tensor([2, 0.5]))
        losses[precision] = [epoch["training_loss"] for epoch in done.history]
        assert {each.dtype for each in network.parameters()} == {torch.float32}
        assert all(bool(torch.isfinite(each).all()) for each in network.parameters())
    assert seen == [torch.float32] * 4 + [torch.bfloat16] * 4
    assert losses["half"] == pytest.approx(losses["whole"], rel=0.02)
    assert losses["half"] != losses["whole"]
