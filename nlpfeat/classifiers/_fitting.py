"""All that happens in ``fit`` of a network's classifier, from documents and classes to weights."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from nlpfeat._typing import Int64Array
from nlpfeat.classifiers._architecture import Architecture, Parts
from nlpfeat.classifiers._batching import BatchMaker
from nlpfeat.classifiers._class_weights import document_weights
from nlpfeat.classifiers._devices import memory_errors, resolve_device
from nlpfeat.classifiers._learned_priors import LearnedPrior, learn_priors
from nlpfeat.classifiers._part_weights import MOST_DOCUMENTS, learn_part_weights
from nlpfeat.classifiers._progress import training_progress
from nlpfeat.classifiers._reading import Reading, chosen_vocabulary, over
from nlpfeat.classifiers._settings import TrainingSettings
from nlpfeat.classifiers._stored_network import weights_as_bytes
from nlpfeat.classifiers._training import Training, train
from nlpfeat.classifiers._validation_part import split
from nlpfeat.errors import InvalidInputError
from nlpfeat.features.classes import check_several
from nlpfeat.priors.prior import Prior
from nlpfeat.text.batches import Documents
from nlpfeat.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class Task:
    """What is to be learned, and how: the checked parameters of a classifier."""

    architecture: Architecture
    reading: Reading
    parts: Parts
    training: TrainingSettings
    priors: list[Prior]
    class_weight: Any
    min_df: float
    device: str
    verbose: bool
    seed: int


@dataclass(frozen=True)
class Learned:
    """What was learned: plain numbers, texts and bytes."""

    classes: NDArray[Any]
    vocabulary: Vocabulary
    parts: Parts
    weights: bytes
    priors: list[LearnedPrior]
    training: Training


@dataclass(frozen=True)
class _Seeds:
    """A seed for each thing that is drawn, so that none changes with another."""

    split: int
    network: int
    training: int
    priors: list[int]

    @classmethod
    def of(cls, seed: int, n_priors: int) -> "_Seeds":
        drawn = np.random.SeedSequence(seed).generate_state(3 + n_priors).tolist()
        split, network, training, *priors = drawn
        return cls(split, network, training, [each % (2**31 - 1) for each in priors])


def learn(documents: Documents, labels: NDArray[Any], task: Task) -> Learned:
    """Read documents, fit the priors on them, and train a network.

    Parameters
    ----------
    documents : Corpus, or iterable of texts or token lists
    labels : ndarray of shape (N,)
    task : Task

    Returns
    -------
    Learned

    Raises
    ------
    InvalidParameterError
        For settings that mean nothing together, and when the memory does not suffice.
    InvalidInputError
        For documents and classes that cannot be learned from.
    """
    device = resolve_device(task.device)
    # Errors that need no text come before any is read.
    task.architecture.check(task.parts, task.priors)
    classes, places = np.unique(labels, return_inverse=True)
    read = task.reading.read(documents)
    if read.n_documents != len(labels):
        raise InvalidInputError(
            f"y must give one class to each of the {read.n_documents:,} documents. "
            f"Got {len(labels):,} classes."
        )
    # Here already, since a name that is no class is found before anything is learned.
    document_weights(task.class_weight, check_several(classes), places)
    seeds = _Seeds.of(task.seed, len(task.priors))
    rng = np.random.default_rng(seeds.split)
    training, validation = split(places, task.training.validation_fraction, rng)
    part = read.chosen(training) if len(validation) else read
    vocabulary = chosen_vocabulary(part, task.min_df)
    part = over(part, vocabulary)
    learned_from, rest = _calibration_part(places[training], task, rng)
    priors, inputs = learn_priors(
        task.priors, part, places[training], len(classes), seeds.priors, unseen=rest
    )
    maker = BatchMaker(part.tokens, len(vocabulary), places[training], inputs)
    held_out = None
    if len(validation):
        others = over(read.chosen(validation), vocabulary)
        said = [each.inputs(others) for each in priors]
        held_out = BatchMaker(others.tokens, len(vocabulary), places[validation], said)
    parts = {**task.parts, "n_terms": len(vocabulary), "n_classes": len(classes)}
    counts = document_weights(task.class_weight, classes, places[training][learned_from])
    with memory_errors():
        network = task.architecture.build(
            task.architecture.settings_of(parts),
            [(each.prior, each.fitted) for each in priors],
            torch.Generator().manual_seed(seeds.network),
        ).to(device)
        class_weights = None if counts is None else torch.from_numpy(counts).float().to(device)
        with training_progress(shown=task.verbose, max_epochs=task.training.max_epochs) as on_step:
            done = train(
                network, maker.part(learned_from), task.training, seeds.training,
                validation=held_out, class_weights=class_weights, device=device, on_step=on_step,
            )  # fmt: skip
        if len(rest):
            learn_part_weights(network, maker.part(rest), device, class_weights)
        weights = weights_as_bytes(network)
    return Learned(classes, vocabulary, parts, weights, priors, done)


def _calibration_part(
    classes: Int64Array, task: Task, rng: np.random.Generator
) -> tuple[Int64Array, Int64Array]:
    """Return the documents to learn from, and those on which the parts are weighed."""
    fraction = task.training.calibration_fraction
    if fraction is not None:
        return split(classes, fraction, rng, "calibration_fraction")
    has_parts = any(each.adds_logits for each in task.priors)
    share = min(0.1, MOST_DOCUMENTS / len(classes)) if has_parts else 0.0
    return split(classes, share, rng, parameter=None)
