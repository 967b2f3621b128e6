"""The models that a comparison knows by name, and ready sets of them."""

import pickle
from collections.abc import Iterable
from typing import Any, TypeAlias

from nlpfeat._names import lookup
from nlpfeat.compare.models.attention import attention_models
from nlpfeat.compare.models.classical import classical_models
from nlpfeat.compare.models.compared_model import FAMILIES, ComparedModel
from nlpfeat.compare.models.networks import network_models
from nlpfeat.compare.models.suites import SUITES
from nlpfeat.errors import InvalidParameterError

ModelLike: TypeAlias = str | ComparedModel | tuple[str, Any]

MODELS: dict[str, ComparedModel] = {
    model.name: model for model in (*classical_models(), *attention_models(), *network_models())
}

__all__ = ["FAMILIES", "MODELS", "SUITES", "ComparedModel", "ModelLike", "chosen_models"]


def chosen_models(models: str | Iterable[ModelLike]) -> list[ComparedModel]:
    """Return models by their names, from a suite, or as they are given.

    Parameters
    ----------
    models : str, or iterable of str, ComparedModel or (str, estimator)
        The name of a suite; or names of ``MODELS``, and models of one's own with a name: anything
        with ``fit`` and ``predict`` over token lists.

    Returns
    -------
    list of ComparedModel

    Raises
    ------
    InvalidParameterError
        For an unknown name, a name that stands twice, something that is no model, or one that
        cannot be sent to another process.

    Examples
    --------
    >>> [model.name for model in chosen_models("quick")]
    ['word-bow', 'word-ngrams', 'nbsvm', 'attention']
    >>> [model.name for model in chosen_models(["tfidf", "attention"])]
    ['tfidf', 'attention']
    """
    if isinstance(models, str):
        names = lookup(SUITES, models, "models (a suite; a list for single models)")
        found = [MODELS[name] for name in names or MODELS]
    elif isinstance(models, Iterable):
        found = [_model(each) for each in models]
    else:
        raise InvalidParameterError(
            f"models must be the name of a suite, or a list of models. Got {models!r}."
        )
    if not found:
        raise InvalidParameterError("models must hold at least one model. Got none.")
    names_seen: set[str] = set()
    for model in found:
        if model.name in names_seen:
            raise InvalidParameterError(
                f"models must have different names. Got {model.name!r} twice."
            )
        names_seen.add(model.name)
        model.check()
        _check_can_travel(model)
    return found


def _model(given: ModelLike) -> ComparedModel:
    if isinstance(given, ComparedModel):
        return given
    if isinstance(given, str):
        return lookup(MODELS, given, "models")
    if isinstance(given, tuple) and len(given) == 2:
        name, estimator = given
        description = type(estimator).__name__
        return ComparedModel(name=name, description=description, estimator=estimator)
    raise InvalidParameterError(
        "A model must be a name of MODELS, a ComparedModel, or a pair (name, estimator). "
        f"Got {given!r}."
    )


def _check_can_travel(model: ComparedModel) -> None:
    try:
        pickle.dumps(model)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InvalidParameterError(
            f"The model {model.name!r} must be picklable, since each run is a process of its own: "
            f"{error}. Define its functions at the top of a module instead of a lambda or an "
            "inner function."
        ) from error
