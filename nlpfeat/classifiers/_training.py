"""Training a network: batches, steps, epochs, and which epoch is kept."""

import logging
import math
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict, cast

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from nlpfeat.classifiers._batching import Batch, BatchMaker
from nlpfeat.classifiers._devices import is_fast_in_bfloat16, memory_errors
from nlpfeat.classifiers._drawing import start_drawing
from nlpfeat.classifiers._settings import TrainingSettings
from nlpfeat.classifiers._text_network import TextNetwork
from nlpfeat.classifiers._weight_average import WeightAverage
from nlpfeat.errors import InvalidParameterError
from nlpfeat.features.user_warnings import warn_user

if TYPE_CHECKING:
    from nlpfeat._typing import Int64Array

logger = logging.getLogger(__name__)

_CLIP = 1.0
_LOOKED_AT = 256  # documents that are asked whether their log-scores are finite
_BETAS = (0.9, 0.99)  # a shorter memory of squares than usual, since there are few steps

OnBatch = Callable[[int, int], None]
"""Called after each step with the number of steps that are done, and that there are."""


class Epoch(TypedDict):
    """What is known when an epoch is over."""

    epoch: int
    training_loss: float
    validation_loss: float | None
    validation_accuracy: float | None
    learning_rate: float
    seconds: float


@dataclass
class Training:
    """What training has come to.

    Attributes
    ----------
    history : list of Epoch
    best_epoch : int
        The one whose weights the network has, from 1.
    """

    history: list[Epoch] = field(default_factory=list)
    best_epoch: int = 0


def ignore_steps(done: int, total: int) -> None:
    """Show nothing."""


def train(
    network: TextNetwork,
    documents: BatchMaker,
    settings: TrainingSettings,
    seed: int,
    *,
    validation: BatchMaker | None = None,
    class_weights: Tensor | None = None,
    device: torch.device,
    on_step: OnBatch = ignore_steps,
) -> Training:
    """Train a network in place; it ends with the weights of the best epoch.

    The best epoch has the highest accuracy on the validation part, of equal ones the least loss;
    without such a part it is the last. Both count each document with the weight of its class.

    Parameters
    ----------
    network : TextNetwork
        On the device.
    documents : BatchMaker
        With targets.
    settings : TrainingSettings
    seed : int
        What is drawn: the order of documents, and what is dropped.
    validation : BatchMaker, default None
    class_weights : Tensor of float32, shape (C,), default None
    device : torch.device
    on_step : callable

    Returns
    -------
    Training

    Warns
    -----
    UserWarning
        When the training is interrupted after an epoch, whose weights are kept then.

    Raises
    ------
    InvalidParameterError
        When the memory does not suffice, and when losses, weights or log-scores are no longer
        finite.
    KeyboardInterrupt
        When no epoch is complete.
    """
    with memory_errors():
        run = _Run(network, documents, settings, seed, validation, class_weights, device, on_step)
        try:
            while not run.is_over:
                run.epoch()
        except KeyboardInterrupt:
            if not run.training.history:
                raise
            warn_user(
                f"The training was interrupted in epoch {len(run.training.history) + 1} of "
                f"{settings.max_epochs}: the classifier has the weights of epoch "
                f"{run.training.best_epoch}."
            )
        finally:
            network.eval()
        network.load_state_dict(run.weights)
        run.check_answers()
    return run.training


def evaluate(
    network: TextNetwork,
    documents: BatchMaker,
    batch_size: int,
    device: torch.device,
) -> Tensor:
    """Return the log-scores of all documents, float32, shape (N, C), on the CPU."""
    logits: Tensor | None = None
    network.eval()
    with torch.inference_mode():
        for batch in documents.batches(batch_size):
            found = network(batch.to(device)).logits.float().cpu()
            if logits is None:
                logits = torch.empty(len(documents), found.shape[1])
            logits[batch.rows] = found
    return torch.empty(0, network.settings.n_classes) if logits is None else logits


class _Run:
    """A training on its way."""

    def __init__(
        self,
        network: TextNetwork,
        documents: BatchMaker,
        settings: TrainingSettings,
        seed: int,
        validation: BatchMaker | None,
        class_weights: Tensor | None,
        device: torch.device,
        on_step: OnBatch,
    ) -> None:
        self._network = network
        self._documents = documents
        self._settings = settings
        self._validation = validation
        self._class_weights = class_weights
        self._device = device
        self._on_step = on_step
        self._rng = np.random.default_rng(seed)
        groups = network.parameter_groups(settings.learning_rate, settings.weight_decay)
        self._rates = [float(group["lr"]) for group in groups]
        # One pass over all parameters instead of a dozen small ones for each of them.
        is_fused = device.type in ("cpu", "cuda")
        self._optimizer = torch.optim.AdamW(groups, betas=_BETAS, fused=is_fused or None)
        self._trained = [each for group in groups for each in group["params"]]
        per_epoch = math.ceil(len(documents) / settings.batch_size)
        self._n_steps = per_epoch * settings.max_epochs
        self._step = 0
        self._half_precision = is_fast_in_bfloat16(device)
        self._average: WeightAverage | None = None
        if settings.averaging is not None:
            self._average = WeightAverage(network, settings.averaging * self._n_steps)
        start_drawing(network, seed, device)
        self._kept: tuple[Training, dict[str, Tensor]] = Training(), {}

    @property
    def training(self) -> Training:
        """What the epochs that are over have come to."""
        return self._kept[0]

    @property
    def weights(self) -> dict[str, Tensor]:
        """The weights of the best of them; none before the first is over."""
        return self._kept[1]

    @property
    def is_over(self) -> bool:
        """Whether all epochs are done, or too many brought nothing better."""
        done, patience = len(self.training.history), self._settings.patience
        waited = done - self.training.best_epoch
        return done >= self._settings.max_epochs or (patience is not None and waited >= patience)

    def epoch(self) -> None:
        """Train on every document once, and keep the weights when they are better."""
        start = time.perf_counter()
        self._network.train()
        total = torch.zeros((), device=self._device)  # not read before the end: a GPU need not wait
        rate = 0.0
        for batch in self._documents.batches(self._settings.batch_size, self._rng):
            rate = self._set_rates()
            loss = self._one_step(batch.to(self._device))
            total += loss * len(batch.rows)
            self._step += 1
            if self._average is not None:
                self._average.update()
            self._on_step(self._step, self._n_steps)
        mean = float(total) / len(self._documents)
        if not math.isfinite(mean):
            raise self._lost(f"the loss is {mean}")
        self._judge(mean, rate, start)

    def _set_rates(self) -> float:
        """Set the learning rate of each group for this step, and return that of the first."""
        factor = rate_factor(self._step, self._n_steps, self._settings.warmup)
        for group, highest in zip(self._optimizer.param_groups, self._rates):
            group["lr"] = highest * factor
        return factor * self._settings.learning_rate

    def _one_step(self, batch: Batch) -> Tensor:
        targets = cast("Tensor", batch.targets)
        weights = None if self._class_weights is None else self._class_weights[targets]
        with torch.autocast(self._device.type, dtype=torch.bfloat16, enabled=self._half_precision):
            output = self._network(batch)
        losses = functional.cross_entropy(
            output.logits.float(),
            targets,
            reduction="none",
            label_smoothing=self._settings.label_smoothing,
        )
        loss = (losses if weights is None else losses * weights).mean()
        extra = self._network.extra_loss(output, targets, weights)
        self._optimizer.zero_grad()
        (loss if extra is None else loss + extra).backward()
        torch.nn.utils.clip_grad_norm_(self._trained, _CLIP)
        self._optimizer.step()
        return loss.detach()

    def _judge(self, training_loss: float, rate: float, start: float) -> None:
        """Write down how good the epoch is, and keep its weights when it is the best so far."""
        loss = accuracy = None
        network = self._network if self._average is None else self._average.network
        if self._validation is not None:
            loss, accuracy = self._quality(network, self._validation)
            if not math.isfinite(loss):
                raise self._lost(f"the loss on the validation part is {loss}")
        # The last step may overflow, and no loss is computed after it.
        if not all(bool(torch.isfinite(each).all()) for each in network.parameters()):
            raise self._lost("the weights are no longer finite")
        history, best_epoch, weights = self.training.history, self.training.best_epoch, self.weights
        epoch = Epoch(
            epoch=len(history) + 1,
            training_loss=training_loss,
            validation_loss=loss,
            validation_accuracy=accuracy,
            learning_rate=rate,
            seconds=time.perf_counter() - start,
        )
        before = history[best_epoch - 1] if history else None
        if before is None or loss is None or _quality_of(epoch) > _quality_of(before):
            best_epoch, weights = epoch["epoch"], deepcopy(network.state_dict())
        # At once: an interrupt finds an epoch with its weights, or without both.
        self._kept = Training([*history, epoch], best_epoch), weights
        logger.info("%s", described(epoch))

    def check_answers(self) -> None:
        """Make sure that finite weights give finite log-scores: their products may overflow."""
        first = self._documents.part(np.arange(min(len(self._documents), _LOOKED_AT)))
        logits = evaluate(self._network, first, _LOOKED_AT, self._device)
        if not bool(torch.isfinite(logits).all()):
            raise self._lost("its log-scores are no longer finite", self.training.best_epoch)

    def _lost(self, what: str, epoch: int | None = None) -> InvalidParameterError:
        return InvalidParameterError(
            f"The training lost its way in epoch {epoch or len(self.training.history) + 1}: "
            f"{what}. Lower learning_rate (it is {self._settings.learning_rate:g}) or weight_decay "
            f"({self._settings.weight_decay:g}), or raise warmup ({self._settings.warmup:g})."
        )

    def _quality(self, network: TextNetwork, documents: BatchMaker) -> tuple[float, float]:
        """Return loss and accuracy, each document with the weight of its class."""
        logits = evaluate(network, documents, self._settings.batch_size, self._device)
        targets = torch.from_numpy(cast("Int64Array", documents.targets))
        weights = torch.ones(len(targets))
        if self._class_weights is not None:
            weights = self._class_weights.cpu()[targets]
        weights = weights / weights.sum()
        losses = functional.cross_entropy(logits, targets, reduction="none")
        is_right = (logits.argmax(dim=1) == targets).float()
        return float((losses * weights).sum()), float((is_right * weights).sum())


def rate_factor(step: int, n_steps: int, warmup: float) -> float:
    """Return the share of the highest learning rate: up along a line, then down to 0.

    Examples
    --------
    >>> [round(rate_factor(step, 5, warmup=0.4), 2) for step in range(5)]
    [0.5, 1.0, 1.0, 0.67, 0.33]
    """
    n_warm = math.ceil(warmup * n_steps)
    if step < n_warm:
        return (step + 1) / n_warm
    return (n_steps - step) / (n_steps - n_warm)


def described(epoch: Epoch) -> str:
    """Say in one line how good an epoch is.

    Examples
    --------
    >>> described(Epoch(epoch=1, training_loss=0.5, validation_loss=None,
    ...                 validation_accuracy=None, learning_rate=1e-3, seconds=2.0))
    'epoch 1: loss 0.5000, 2.0 s'
    """
    parts = [f"loss {epoch['training_loss']:.4f}"]
    if epoch["validation_loss"] is not None:
        parts.append(f"validation loss {epoch['validation_loss']:.4f}")
        parts.append(f"accuracy {epoch['validation_accuracy']:.2%}")
    return f"epoch {epoch['epoch']}: {', '.join(parts)}, {epoch['seconds']:.1f} s"


def _quality_of(epoch: Epoch) -> tuple[float, float]:
    return epoch["validation_accuracy"] or 0.0, -(epoch["validation_loss"] or 0.0)
