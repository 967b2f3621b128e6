"""The parameters of the classifiers that are networks, checked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, cast

from nlpfeat._names import lookup
from nlpfeat._validation import check_bool, check_int, check_real
from nlpfeat.classifiers._class_weights import is_balanced
from nlpfeat.counts.ngram_names import UNITS
from nlpfeat.errors import InvalidParameterError
from nlpfeat.features.selection import check_selection
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.priors import PRIORS, Prior

if TYPE_CHECKING:
    from nlpfeat.classifiers._network_classifier import NetworkClassifier
    from nlpfeat.classifiers.attention import AttentionClassifier

POOLINGS = {
    "max": "of each number the highest over the states of all tokens",
    "last": "the state of each direction where it ends",
}
"""How the states of an LSTM become one, and what each way does."""

_USUAL_SMOOTHING = 0.1

#: More than any machine holds, and less than what overflows where two of them are multiplied.
_MOST, MOST_WIDE, MOST_LAYERS = 2**31 - 1, 2**20, 1_000
_MOST_WIDTH = 1_024
_LARGEST = 3.4e38  # of a float of 32 bits


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


def training_settings(classifier: "NetworkClassifier", priors: list[Prior]) -> TrainingSettings:
    """Return what a classifier with these priors says of the training.

    Raises
    ------
    InvalidParameterError
        For a parameter that cannot be.
    """
    _check_others(classifier)
    validation_fraction = checked_share(classifier.validation_fraction, "validation_fraction")
    patience = classifier.patience
    if patience is not None:
        patience = check_int(patience, "patience (or None)", minimum=1)
        if not validation_fraction:
            raise InvalidParameterError(
                f"patience={patience} counts epochs that are no better on the validation part, and "
                "validation_fraction=0 sets none aside. Set validation_fraction, such as 0.1, or "
                "patience=None."
            )
    averaging = classifier.averaging
    if averaging is not None:
        averaging = check_real(averaging, "averaging (or None)", above=0.0, at_most=1.0)
    return TrainingSettings(
        learning_rate=check_real(
            _in_float32(classifier.learning_rate, "learning_rate"), "learning_rate", above=0.0
        ),
        weight_decay=_not_negative(
            _in_float32(classifier.weight_decay, "weight_decay"), "weight_decay"
        ),
        warmup=checked_share(classifier.warmup, "warmup"),
        batch_size=checked_size(classifier.batch_size, "batch_size"),
        max_epochs=checked_size(classifier.max_epochs, "max_epochs"),
        patience=patience,
        label_smoothing=_label_smoothing(classifier.label_smoothing, priors),
        averaging=averaging,
        validation_fraction=validation_fraction,
        calibration_fraction=(
            None
            if classifier.calibration_fraction is None
            else checked_share(classifier.calibration_fraction, "calibration_fraction (or None)")
        ),
    )


def attention_parts(classifier: "AttentionClassifier") -> dict[str, Any]:
    """Return what a classifier says of a network of attention, as a flat dict.

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
        "n_heads": _at_most(classifier.n_heads, "n_heads", MOST_WIDE),
        "n_kv_heads": _at_most(classifier.n_kv_heads, "n_kv_heads", MOST_WIDE),
        "d_head": _at_most(classifier.d_head, "d_head", MOST_WIDE),
        "d_model": checked_size(classifier.d_model, "d_model", MOST_WIDE),
        "n_layers": checked_size(classifier.n_layers, "n_layers", MOST_LAYERS, minimum=0),
        "n_queries": checked_size(classifier.n_queries, "n_queries", MOST_WIDE),
        "dropout": checked_share(classifier.dropout, "dropout"),
        "token_dropout": checked_share(classifier.token_dropout, "token_dropout"),
        "max_length": checked_max_length(classifier.max_length),
    }


def baseline_parts(classifier: "NetworkClassifier") -> dict[str, Any]:
    """Return what a baseline says of its network, but for the sizes of its own.

    Raises
    ------
    InvalidParameterError
        For a size or a share that cannot be.
    """
    return {
        "d_model": checked_size(classifier.d_model, "d_model", MOST_WIDE),
        "dropout": checked_share(classifier.dropout, "dropout"),
        "token_dropout": checked_share(classifier.token_dropout, "token_dropout"),
    }


def checked_widths(widths: object) -> tuple[int, ...]:
    """Return the widths of convolutions as plain numbers.

    Raises
    ------
    InvalidParameterError
        For anything but a sequence of different integers from 1 on.

    Examples
    --------
    >>> checked_widths([2, 3])
    (2, 3)
    """
    if isinstance(widths, str | bytes) or not isinstance(widths, Sequence) or not len(widths):
        raise InvalidParameterError(
            f"widths must be a list of numbers of tokens, such as (2, 3, 4). Got {widths!r}."
        )
    found = tuple(
        checked_size(width, f"widths[{place}]", _MOST_WIDTH) for place, width in enumerate(widths)
    )
    if len(set(found)) < len(found):
        raise InvalidParameterError(f"widths must be different from one another. Got {widths!r}.")
    return found


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
    if isinstance(priors, str | bytes) or not isinstance(priors, Sequence):
        # What can be read once only would be empty in the next fit.
        got = f"a {type(priors).__name__}" if isinstance(priors, Iterator) else repr(priors)
        raise InvalidParameterError(
            "priors must be a list of priors, objects or names: [WidePrior()] or ['wide']. "
            f"Got {got}."
        )
    found = []
    for prior in priors:
        if isinstance(prior, type) and issubclass(prior, Prior):
            raise InvalidParameterError(
                f"priors must hold objects, such as {prior.__name__}(). Got the class "
                f"{prior.__name__} itself."
            )
        if not isinstance(prior, Prior):
            prior = lookup(PRIORS, prior, "priors")()
        for field in fields(prior):
            if field.name != "placebo":
                name = f"{type(prior).__name__}.{field.name}"
                _in_float32(getattr(prior, field.name), name)
        prior.validate()
        found.append(prior)
    return found


def checked_max_length(max_length: object) -> int:
    """Return ``max_length`` as a plain number.

    Raises
    ------
    InvalidParameterError
        For anything but an integer from 1 on.
    """
    return checked_size(max_length, "max_length")


def checked_size(value: object, parameter: str, most: int = _MOST, *, minimum: int = 1) -> int:
    return int(_at_most(check_int(value, parameter, minimum=minimum), parameter, most))


def _at_most(value: Any, parameter: str, most: int) -> Any:
    """Return a value that may be an integer; one that is too large for an array is refused."""
    if isinstance(value, Integral) and int(value) > most:
        raise InvalidParameterError(f"{parameter} must be at most {most:,}. Got {value:,}.")
    return value


def _in_float32(value: Any, parameter: str) -> Any:
    """Return a value that may be a number; one that a network cannot hold is refused."""
    if isinstance(value, Real) and abs(cast("float", value)) > _LARGEST:
        raise InvalidParameterError(
            f"{parameter} must be a finite number of 32 bits, at most {_LARGEST:g} in size. "
            f"Got {value!r}."
        )
    return value


def _label_smoothing(share: float | None, priors: list[Prior]) -> float:
    """Return the share that is given, or the usual one."""
    if share is not None:
        return checked_share(share, "label_smoothing (or None)")
    # Targets that are less than sure would undo what calibrated log-scores say.
    return 0.0 if any(prior.adds_logits for prior in priors) else _USUAL_SMOOTHING


def _check_others(classifier: "NetworkClassifier") -> None:
    lookup(UNITS, classifier.unit, "unit")
    is_balanced(classifier.class_weight)
    check_bool(classifier.verbose, "verbose")
    check_selection(classifier.min_df, 1.0, None)
    resolve_n_jobs(classifier.n_jobs)


def checked_share(value: object, parameter: str) -> float:
    share = check_real(value, parameter)
    if not 0.0 <= share < 1.0:
        raise InvalidParameterError(f"{parameter} must be at least 0 and below 1. Got {value!r}.")
    return share


def _not_negative(value: object, parameter: str) -> float:
    number = check_real(value, parameter)
    if number < 0.0:
        raise InvalidParameterError(f"{parameter} must be at least 0. Got {value!r}.")
    return number
