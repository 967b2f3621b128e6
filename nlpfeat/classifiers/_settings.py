"""The parameters of the attention classifier, checked."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nlpfeat._names import lookup
from nlpfeat._validation import check_bool, check_int, check_real
from nlpfeat.classifiers._class_weights import is_balanced
from nlpfeat.errors import InvalidParameterError
from nlpfeat.features.selection import check_selection
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.priors import PRIORS, Prior
from nlpfeat.priors.documents import UNITS

if TYPE_CHECKING:
    from nlpfeat.classifiers.attention import AttentionClassifier


@dataclass(frozen=True)
class TrainingSettings:
    """How a network is trained.

    Parameters
    ----------
    learning_rate : float
        The highest one: it rises to it from 0, then falls to 0, along a line.
    weight_decay : float
        Of AdamW.
    warmup : float
        The share of the steps in which it rises.
    batch_size : int
    max_epochs : int
    patience : int or None
        End after so many epochs without a better one; None trains all.
    label_smoothing : float
        The share of each target that is given to all classes alike.
    averaging : float or None
        The weights that are kept are a running mean that reaches back over this share of all
        steps. None keeps those of the last step.
    validation_fraction : float
        The share of the documents on which epochs are compared.
    calibration_fraction : float or None
        The share of the others on which the parts of the log-scores are weighed; None is a tenth
        when there are several parts, and no more than enough, else 0.
    """

    learning_rate: float
    weight_decay: float
    warmup: float
    batch_size: int
    max_epochs: int
    patience: int | None
    label_smoothing: float
    averaging: float | None
    validation_fraction: float
    calibration_fraction: float | None = 0.0


def training_settings(classifier: "AttentionClassifier", priors: list[Prior]) -> TrainingSettings:
    """Return what a classifier with these priors says of the training.

    Raises
    ------
    InvalidParameterError
        For a parameter that cannot be.
    """
    _check_others(classifier)
    validation_fraction = _share(classifier.validation_fraction, "validation_fraction")
    patience = classifier.patience
    if patience is not None:
        patience = check_int(patience, "patience (or None)", minimum=1)
        if not validation_fraction:
            raise InvalidParameterError(
                f"patience={patience} counts epochs that are no better on the validation part, and "
                "validation_fraction=0 sets none aside. Set validation_fraction, such as 0.1, or "
                "patience=None."
            )
    # Targets that are less than sure would undo what calibrated log-scores say.
    has_parts = any(prior.adds_logits for prior in priors)
    label_smoothing = _share(classifier.label_smoothing, "label_smoothing")
    averaging = classifier.averaging
    if averaging is not None:
        averaging = check_real(averaging, "averaging (or None)", above=0.0, at_most=1.0)
    return TrainingSettings(
        learning_rate=check_real(classifier.learning_rate, "learning_rate", above=0.0),
        weight_decay=_not_negative(classifier.weight_decay, "weight_decay"),
        warmup=_share(classifier.warmup, "warmup"),
        batch_size=check_int(classifier.batch_size, "batch_size", minimum=1),
        max_epochs=check_int(classifier.max_epochs, "max_epochs", minimum=1),
        patience=patience,
        label_smoothing=0.0 if has_parts else label_smoothing,
        averaging=averaging,
        validation_fraction=validation_fraction,
        calibration_fraction=(
            None
            if classifier.calibration_fraction is None
            else _share(classifier.calibration_fraction, "calibration_fraction (or None)")
        ),
    )


def network_parts(classifier: "AttentionClassifier") -> dict[str, Any]:
    """Return what a classifier says of the network, as a flat dict.

    Raises
    ------
    InvalidParameterError
        For a size that cannot be. What the slots of the attention mean together is checked by
        ``AttentionSpec``.
    """
    return {
        "attention_score": classifier.attention_score,
        "position": classifier.position,
        "normalizer": classifier.normalizer,
        "n_heads": classifier.n_heads,
        "n_kv_heads": classifier.n_kv_heads,
        "d_head": classifier.d_head,
        "d_model": check_int(classifier.d_model, "d_model", minimum=1),
        "n_layers": check_int(classifier.n_layers, "n_layers", minimum=0),
        "n_queries": check_int(classifier.n_queries, "n_queries", minimum=1),
        "dropout": _share(classifier.dropout, "dropout"),
        "token_dropout": _share(classifier.token_dropout, "token_dropout"),
        "max_length": check_int(classifier.max_length, "max_length", minimum=1),
    }


def checked_priors(priors: object) -> list[Prior]:
    """Return priors, given by name or as objects.

    Raises
    ------
    InvalidParameterError
        For what is no prior, and for settings of one that cannot be.

    Examples
    --------
    >>> checked_priors(())
    []
    """
    if isinstance(priors, str | Prior) or not isinstance(priors, Iterable):
        raise InvalidParameterError(
            f"priors must be a list of priors, such as [WidePrior()]. Got {priors!r}."
        )
    found = []
    for prior in priors:
        if not isinstance(prior, Prior):
            prior = lookup(PRIORS, prior, "priors")()
        prior.validate()
        found.append(prior)
    return found


def _check_others(classifier: "AttentionClassifier") -> None:
    lookup(UNITS, classifier.unit, "unit")
    is_balanced(classifier.class_weight)
    check_bool(classifier.verbose, "verbose")
    check_selection(classifier.min_df, 1.0, None)
    resolve_n_jobs(classifier.n_jobs)


def _share(value: object, parameter: str) -> float:
    share = check_real(value, parameter)
    if not 0.0 <= share < 1.0:
        raise InvalidParameterError(f"{parameter} must be at least 0 and below 1. Got {value!r}.")
    return share


def _not_negative(value: object, parameter: str) -> float:
    number = check_real(value, parameter)
    if number < 0.0:
        raise InvalidParameterError(f"{parameter} must be at least 0. Got {value!r}.")
    return number
