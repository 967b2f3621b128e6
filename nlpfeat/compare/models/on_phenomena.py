"""The models of a comparison as they are tried on phenomena, each once."""

from collections.abc import Sequence
from typing import NamedTuple

from nlpfeat.compare.models.compared_model import ComparedModel


class OnPhenomena(NamedTuple):
    """What is tried on phenomena."""

    #: The models, with their settings there.
    tried: list[ComparedModel]
    #: Names of models that are another one there, with the name of the one that is tried.
    stand_ins: dict[str, str]


def on_phenomena(models: Sequence[ComparedModel]) -> OnPhenomena:
    """Return the models as they are tried on phenomena.

    Two that differ on a corpus alone, as attention over characters and over words do, are one
    there. The first of them stands for the others.

    Parameters
    ----------
    models : sequence of ComparedModel

    Returns
    -------
    OnPhenomena

    Examples
    --------
    >>> from nlpfeat.compare.models import chosen_models
    >>> tried, stand_ins = on_phenomena(chosen_models(["attention", "nbsvm", "attention-words"]))
    >>> [model.name for model in tried], stand_ins
    (['attention', 'nbsvm'], {'attention-words': 'attention'})
    """
    tried: dict[str, ComparedModel] = {}
    stand_ins: dict[str, str] = {}
    for model in (each.for_phenomena() for each in models):
        first = tried.setdefault(model.settings, model)
        if first is not model:
            stand_ins[model.name] = first.name
    return OnPhenomena(list(tried.values()), stand_ins)
