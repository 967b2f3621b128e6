"""How much attention, the wide part and the expert count, learned on documents of their own."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
import torch
from estimators import content, loaded, saved
from hypothesis import given, settings
from hypothesis import strategies as st
from prior_networks import (
    NEW,
    batch_for,
    built,
    inputs_of,
    read,
    read_new,
)
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression

from nlpfeat import AttentionClassifier
from nlpfeat.classifiers import _fitting, _part_weights, _training
from nlpfeat.classifiers._batching import BatchMaker
from nlpfeat.classifiers._kept_networks import network_and_device
from nlpfeat.classifiers._network import Network
from nlpfeat.classifiers._part_weights import learn_part_weights, part_weights
from nlpfeat.errors import InvalidParameterError
from nlpfeat.priors import ExpertPrior, KeyPrior, Prior, WidePrior

CPU = torch.device("cpu")
PRIORS = (WidePrior(word_ngrams=None), ExpertPrior(head="random"))


def drawn(
    n_parts: int, n_documents: int, n_classes: int, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Draw parts that know a little of the classes, the first the most."""
    random = np.random.default_rng(seed)
    classes = random.integers(0, n_classes, n_documents)
    parts = random.normal(size=(n_parts, n_documents, n_classes))
    for place in range(n_parts):
        parts[place, np.arange(n_documents), classes] += 1.5 / (1 + place)
    return parts, classes


def loss(
    weights: np.ndarray, parts: np.ndarray, classes: np.ndarray, counts: np.ndarray | None = None
) -> float:
    """Return what the weights should minimize, one document after the other."""
    total = float(np.sum(np.log(weights) ** 2)) / 2
    for row, own in enumerate(classes):
        scores = sum(weight * part[row] for weight, part in zip(weights, parts))
        total -= (1.0 if counts is None else counts[row]) * log_softmax(scores)[own]
    return total


def test_one_weight_is_the_best_of_a_grid() -> None:
    parts, classes = drawn(1, 40, 3)
    grid = np.exp(np.linspace(-1, 2, 401))
    best = grid[np.argmin([loss(np.array([each]), parts, classes) for each in grid])]
    assert part_weights(parts, classes) == pytest.approx([best], rel=4e-3)


@pytest.mark.parametrize("n_parts", [1, 2, 3])
@pytest.mark.parametrize("counted", [False, True], ids=["alike", "weighted"])
def test_weights_are_those_of_another_optimizer(n_parts: int, counted: bool) -> None:
    parts, classes = drawn(n_parts, 30, 4, seed=n_parts)
    counts = np.random.default_rng(9).uniform(0.1, 3.0, 30) if counted else None
    # The simplex of Nelder and Mead (1965) asks for no slope.
    found = minimize(
        lambda logs: loss(np.exp(logs), parts, classes, counts), np.zeros(n_parts),
        method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-12, "maxfev": 3_000},
    )  # fmt: skip
    assert part_weights(parts, classes, counts) == pytest.approx(np.exp(found.x), rel=1e-4)


def test_of_many_documents_they_are_those_of_a_logistic_regression() -> None:
    """Of two classes the differences of the log-scores are features, without an intercept."""
    random = np.random.default_rng(0)
    differences = random.normal(size=(20_000, 2)) * [1.0, 2.0]
    chances = 1.0 / (1.0 + np.exp(-differences @ [1.7, 0.4]))
    classes = (random.uniform(size=20_000) < chances).astype(np.int64)
    parts = np.stack([np.zeros_like(differences), differences], axis=2).transpose(1, 0, 2)
    regression = LogisticRegression(C=1e6, fit_intercept=False, tol=1e-8)
    wanted = regression.fit(differences, classes).coef_[0]
    assert part_weights(parts, classes) == pytest.approx(wanted, rel=1e-3)
    assert wanted == pytest.approx([1.7, 0.4], rel=0.05)


def test_few_documents_move_them_little() -> None:
    """One document, of which one part says the class and another the other one."""
    parts, classes = np.array([[[1.0, 0.0]], [[0.0, 1.0]]]), np.array([0])
    right, wrong = part_weights(parts, classes)
    assert 1.0 < right < 2.0
    assert 0.5 < wrong < 1.0
    # The slope is 0 there: w · (share of the other class) = ± ln w.
    other = 1.0 / (1.0 + np.exp(right - wrong))
    assert np.log([right, wrong]) == pytest.approx([right * other, -wrong * other], abs=1e-4)
    moved = [
        np.abs(np.log(part_weights(np.repeat(parts, n, axis=1), np.zeros(n, np.int64)))).max()
        for n in (1, 10, 100)
    ]
    assert moved == sorted(moved)
    assert moved[0] < 0.5 < 1.5 < moved[-1]


def test_no_documents_move_nothing() -> None:
    assert part_weights(np.zeros((2, 0, 3)), np.empty(0, np.int64)).tolist() == [1.0, 1.0]
    said_nothing = np.tile([2.0, 2.0], (2, 5, 1))
    assert part_weights(said_nothing, np.zeros(5, np.int64)) == pytest.approx([1.0, 1.0])


@given(st.integers(1, 3), st.integers(1, 12), st.integers(0, 99), st.sampled_from([1e-3, 1, 1e3]))
@settings(max_examples=20, deadline=None)
def test_no_weight_is_negative(n_parts: int, n_documents: int, seed: int, spread: float) -> None:
    """Not even of a part that is always wrong."""
    parts, classes = drawn(n_parts, n_documents, 3, seed)
    parts[-1] = -spread * np.eye(3)[classes]
    found = part_weights(parts, classes)
    assert np.isfinite(found).all()
    assert (found > 0).all()
    assert found[-1] <= 1.0
    assert loss(found, parts, classes) <= loss(np.ones(n_parts), parts, classes) + 1e-9


def maker_of(priors: tuple[Prior, ...]) -> BatchMaker:
    classes = np.array([0, 1, 0, 1, 1, 0])
    said = [inputs_of(each) for each in priors]
    return BatchMaker(read_new().tokens, len(read().vocabulary), classes, said)


@pytest.mark.parametrize("weighted", [False, True], ids=["alike", "weighted"])
def test_weights_of_a_network(weighted: bool) -> None:
    class_weights = torch.tensor([0.4, 2.5]) if weighted else None
    network, maker = built(PRIORS), maker_of(PRIORS)
    before = copy.deepcopy(network.state_dict())
    learn_part_weights(network.train(), maker, CPU, class_weights)
    with torch.no_grad():
        said = network.eval()(batch_for(PRIORS))
    parts = torch.stack(said.parts).double().numpy()
    counts = None if class_weights is None else class_weights.double().numpy()[maker.targets]
    wanted = part_weights(parts, maker.targets, counts)
    assert network.part_weights.numpy() == pytest.approx(wanted, rel=1e-4)
    assert (np.abs(wanted - 1) > 1e-3).all()
    assert said.logits.numpy() == pytest.approx(np.tensordot(wanted, parts, axes=1), abs=1e-4)
    for name, tensor in network.state_dict().items():
        assert torch.equal(tensor, before[name]) == (name != "part_weights"), name


def test_numbers_leave_a_device_before_they_have_64_bits() -> None:
    """Not every device has such numbers: mps has none."""

    class OnMps:
        def cpu(self) -> torch.Tensor:
            return torch.tensor([0.5, 2.0])

        def double(self) -> torch.Tensor:
            raise TypeError("the MPS framework doesn't support float64")

    found = _part_weights._as_float64(OnMps())  # type: ignore[arg-type]
    assert (found.dtype, found.tolist()) == (np.float64, [0.5, 2.0])


@pytest.mark.parametrize("name", ["_parts_of", "part_weights"])
def test_an_interrupt_keeps_the_training(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    plain = small(priors=[EXPERT], calibration_fraction=0.25).fit(TEXTS, LABELS)
    monkeypatch.setattr(_part_weights, name, interrupted)
    with pytest.warns(UserWarning, match="was interrupted: .* each part counts 1") as caught:
        classifier = small(priors=[EXPERT], calibration_fraction=0.25).fit(TEXTS, LABELS)
    assert [warning.filename for warning in caught] == [__file__]
    assert (weights_of(classifier) == 1).all()
    assert not (weights_of(plain) == 1).all()
    states = [network_and_device(each)[0].state_dict() for each in (plain, classifier)]
    assert all(torch.equal(states[0][key], states[1][key]) for key in states[0]
               if key != "part_weights")  # fmt: skip


def test_training_does_not_see_them() -> None:
    network, batch = built(PRIORS), batch_for(PRIORS)
    network.terms[0].dropout.share = 0.0
    with torch.no_grad():
        alike = network.train()(batch).logits
        network.part_weights.copy_(torch.tensor([3.0, 0.5, 0.0]))
        assert torch.equal(network(batch).logits, alike)
        said = network.eval()(batch)
        wanted = 3.0 * said.parts[0] + 0.5 * said.parts[1]
        torch.testing.assert_close(said.logits, wanted)
    assert not any("part_weights" in name for name, _ in network.named_parameters())


def test_only_priors_that_add_log_scores_are_parts() -> None:
    network = built([KeyPrior(strength=0.5), WidePrior(word_ngrams=None)])
    assert network.part_weights.tolist() == [1.0, 1.0]
    assert built([KeyPrior(strength=0.5)]).part_weights.tolist() == [1.0]


# The classifier. Each text has a character of its own, so that what was seen can be told.

TEXTS = [f"{chr(0x4E00 + row)}{'好坏'[row % 2]}" for row in range(40)]
LABELS = [0, 1] * 20


class Recorder(ClassifierMixin, BaseEstimator):
    """An expert that says of a document that it has seen which class it had, and 0 of others."""

    def fit(self, documents: list[str], y: Any) -> "Recorder":
        self.classes_ = np.unique(y)
        self.known_ = dict(zip(documents, y))
        return self

    def decision_function(self, documents: list[str]) -> np.ndarray:
        known = [self.known_.get(each) for each in documents]
        return np.array([0.0 if each is None else 2.0 * each - 1.0 for each in known])


EXPERT = ExpertPrior(expert=Recorder(), n_folds=4)


def small(**parameters: Any) -> AttentionClassifier:
    sizes = {"d_model": 8, "n_layers": 1, "n_heads": 2, "max_epochs": 2, "batch_size": 8}
    return AttentionClassifier(**{**sizes, "min_df": 1, "random_state": 0, **parameters})


def weights_of(classifier: AttentionClassifier) -> np.ndarray:
    return network_and_device(classifier)[0].part_weights.numpy().copy()


def read_by(classifier: AttentionClassifier) -> BatchMaker:
    return classifier._batches(classifier._reading().read(TEXTS, classifier._vocabulary))


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Watch on which documents a network is trained, and on which its parts are weighed."""
    found: dict[str, Any] = {"trained": set()}
    forward = Network.forward

    def watched(network: Network, batch: Any, **how: Any) -> Any:
        if network.training:
            found["trained"] |= set(batch.ids[:, 0].tolist())
        return forward(network, batch, **how)

    def weighed(network: Network, documents: BatchMaker, *others: Any) -> None:
        found["calibration"] = documents
        learn_part_weights(network, documents, *others)

    monkeypatch.setattr(Network, "forward", watched)
    monkeypatch.setattr(_fitting, "learn_part_weights", weighed)
    return found


def first_tokens(documents: BatchMaker) -> set[int]:
    return set(documents.batch(np.arange(len(documents))).ids[:, 0].tolist())


@pytest.mark.parametrize("fraction", [None, 0.25], ids=str)
def test_attention_does_not_learn_from_the_part_but_priors_do(
    seen: dict[str, Any], fraction: float | None
) -> None:
    classifier = small(priors=[EXPERT], calibration_fraction=fraction).fit(TEXTS, LABELS)
    part = seen["calibration"]
    held_out = first_tokens(part)
    assert len(part) == len(held_out) == (4 if fraction is None else 10)
    assert np.bincount(part.targets).tolist() == [len(part) / 2] * 2
    assert not held_out & seen["trained"]
    known = {classifier.vocabulary_[text[0]] for text in TEXTS}
    assert held_out | seen["trained"] == known, "the vocabulary is that of all"
    assert sorted(classifier.priors_[0].expert.known_) == sorted(TEXTS)
    # The expert would know each document that it has seen: of these it knows none.
    rows = part.batch(np.arange(len(part))).priors[0].rows
    assert rows.numpy() == pytest.approx(np.log(0.5))
    new = read_by(classifier).batch(np.arange(40)).priors[0].rows
    assert (new.argmax(dim=1).numpy() == LABELS).all()


def test_a_wide_part_has_not_seen_the_part(seen: dict[str, Any]) -> None:
    """Else it would know the n-grams of these documents alone, and be too sure of all of them."""
    prior = WidePrior(word_ngrams=None, char_ngrams=(1, 1), min_df=1)
    classifier = small(priors=[prior], calibration_fraction=0.25).fit(TEXTS, LABELS)
    held_out = first_tokens(seen["calibration"])
    terms = [term for term, place in classifier.vocabulary_.items() if place in held_out]
    assert len(terms) == 10
    (space,) = classifier.priors_[0].fitted.spaces
    assert len(space) == 30 + 2
    whole = small(priors=[prior], calibration_fraction=0).fit(TEXTS, LABELS)
    assert len(whole.priors_[0].fitted.spaces[0]) == 40 + 2


def test_the_part_has_the_classes_of_its_documents(seen: dict[str, Any]) -> None:
    classifier = small(priors=[WidePrior(word_ngrams=None)], calibration_fraction=0.3)
    classifier.fit(TEXTS, LABELS)
    part = seen["calibration"]
    class_of = {classifier.vocabulary_[text[0]]: label for text, label in zip(TEXTS, LABELS)}
    batch = part.batch(np.arange(len(part)))
    assert [class_of[token] for token in batch.ids[:, 0].tolist()] == part.targets.tolist()
    # What the wide part says is of the same documents too: 好 and 坏 stand on its two sides.
    with torch.no_grad():
        said = network_and_device(classifier)[0](batch).parts[1]
    assert said.argmax(dim=1).tolist() == part.targets.tolist()
    assert weights_of(classifier).min() > 0
    assert np.abs(np.log(weights_of(classifier))).min() > 1e-3


@pytest.mark.parametrize(
    "parameters", [{}, {"priors": ["key"]}, {"priors": [EXPERT], "calibration_fraction": 0},
                   {"calibration_fraction": 0}],
    ids=["no prior", "no log-scores", "none wanted", "neither"],
)  # fmt: skip
def test_nothing_is_set_aside_for_nothing(seen: dict[str, Any], parameters: dict[str, Any]) -> None:
    classifier = small(**parameters).fit(TEXTS, LABELS)
    assert "calibration" not in seen
    assert len(seen["trained"]) == len(TEXTS)
    assert (weights_of(classifier) == 1).all()


def test_without_priors_it_is_the_temperature(seen: dict[str, Any]) -> None:
    classifier = small(calibration_fraction=0.25).fit(TEXTS, LABELS)
    assert len(seen["calibration"]) == 10
    (weight,) = weights_of(classifier)
    assert weight > 0
    assert weight != 1
    # A temperature changes no decision.
    network = network_and_device(classifier)[0]
    batch = read_by(classifier).batch(np.arange(40))
    with torch.no_grad():
        said = network(batch)
    torch.testing.assert_close(said.logits, float(weight) * said.attention_logits)


@pytest.mark.parametrize(("n_documents", "n_aside"), [(2, 0), (4, 0), (12, 1), (40, 4)])
def test_a_tenth_of_few_documents(seen: dict[str, Any], n_documents: int, n_aside: int) -> None:
    """By default nobody asks for a part, so that too few documents for one are no error."""
    prior = WidePrior(word_ngrams=None, min_df=1) if n_documents == 2 else EXPERT
    classifier = small(priors=[prior]).fit(TEXTS[:n_documents], LABELS[:n_documents])
    assert len(seen["trained"]) == n_documents - n_aside
    assert len(seen.get("calibration", ())) == n_aside
    assert (weights_of(classifier) == 1).all() == (n_aside == 0)


def test_a_part_that_was_asked_for_must_have_documents() -> None:
    with pytest.raises(
        InvalidParameterError, match=r"^calibration_fraction=0.1 of 4 documents is none that could"
    ):
        small(priors=[EXPERT], calibration_fraction=0.1).fit(TEXTS[:4], LABELS[:4])


def test_no_more_documents_than_enough(
    seen: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _part_weights.MOST_DOCUMENTS == 2_000
    monkeypatch.setattr(_fitting, "MOST_DOCUMENTS", 2)
    small(priors=[EXPERT]).fit(TEXTS, LABELS)
    assert len(seen["calibration"]) == 2


def test_the_validation_part_is_another(seen: dict[str, Any]) -> None:
    """It is of the documents that the vocabulary does not know; the weights come after it."""
    classifier = small(
        priors=[EXPERT], validation_fraction=0.25, calibration_fraction=0.2, max_epochs=1
    ).fit(TEXTS, LABELS)
    assert len(classifier.vocabulary_) == 30 + 2
    assert len(seen["calibration"]) == 6
    assert len(seen["trained"]) == 24
    assert sorted(map(len, (first_tokens(seen["calibration"]), seen["trained"]))) == [6, 24]


def test_weights_of_classes_are_not_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Training and weighing count a class alike; the mean over what is learned from is 1."""
    given_to: list[torch.Tensor] = []
    learned_from: list[np.ndarray] = []

    def trained(network: Network, documents: BatchMaker, *others: Any, **options: Any) -> Any:
        learned_from.append(documents.targets)
        given_to.append(options["class_weights"])
        return _training.train(network, documents, *others, **options)

    def weighed(*arguments: Any) -> None:
        given_to.append(arguments[3])
        learn_part_weights(*arguments)

    monkeypatch.setattr(_fitting, "train", trained)
    monkeypatch.setattr(_fitting, "learn_part_weights", weighed)
    labels = [0] * 33 + [1] * 7
    small(priors=[EXPERT], class_weight="balanced", calibration_fraction=0.3).fit(TEXTS, labels)
    counts = np.bincount(learned_from[0])
    assert counts.sum() == 28
    assert counts[0] / 33 != counts[1] / 7
    wanted = pytest.approx((14 / counts).tolist())
    assert [each.tolist() for each in given_to] == [wanted] * 2


def test_weights_are_kept_in_copies_and_files() -> None:
    classifier = small(priors=PRIORS, calibration_fraction=0.3).fit(TEXTS, LABELS)
    wanted = weights_of(classifier).tolist()
    assert len(wanted) == 3
    assert max(abs(each - 1) for each in wanted) > 1e-3
    shares = content(classifier.predict_proba(NEW))
    for copied in (
        pickle.loads(pickle.dumps(classifier)), copy.deepcopy(classifier),
        loaded(saved(classifier)),
    ):  # fmt: skip
        assert weights_of(copied).tolist() == wanted
        assert content(copied.predict_proba(NEW)) == shares
        assert saved(copied) == saved(classifier)
    again = small(priors=PRIORS, calibration_fraction=0.3).fit(TEXTS, LABELS)
    assert saved(again) == saved(classifier)


@pytest.mark.parametrize("fraction", [-0.1, 1.0, "a tenth"])
def test_shares_that_cannot_be(fraction: Any) -> None:
    with pytest.raises(InvalidParameterError, match=r"^calibration_fraction \(or None\) must be"):
        small(calibration_fraction=fraction).fit(TEXTS, LABELS)


def test_part_of_the_documents_is_what_they_are_alone() -> None:
    whole = maker_of((*PRIORS, KeyPrior()))
    rows = np.array([5, 0, 4])
    part = whole.part(rows)
    assert len(part) == 3
    assert len(whole) == len(NEW), "the whole stays as it was"
    found, wanted = part.batch(np.array([2, 0])), whole.batch(np.array([4, 5]))
    assert found.rows.tolist() == [2, 0]
    for name in ("ids", "mask", "targets"):
        assert torch.equal(getattr(found, name), getattr(wanted, name))
    for one, other in zip(found.priors, wanted.priors):
        for name, value in vars(one).items():
            same = vars(other)[name]
            assert (value is None and same is None) or torch.equal(value, same), name
    nested = part.part(np.array([1]))
    assert torch.equal(nested.batch(np.array([0])).ids, whole.batch(np.array([0])).ids)
    assert sorted(len(batch.rows) for batch in part.batches(2)) == [1, 2]
