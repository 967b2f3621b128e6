"""What moves the parameters."""

import torch
from torch import nn

from nlpfeat.claims.trainability.settings import Recipe
from nlpfeat.errors import InvalidParameterError

#: torch gives Muon's directions the size that AdamW's have, so that one rate serves both.
_MUON_RATE = "match_rms_adamw"
_BETAS = (0.9, 0.95)


def optimizers(network: nn.Module, recipe: Recipe, rate: float) -> list[torch.optim.Optimizer]:
    """Return the optimizers that together move all parameters.

    Parameters
    ----------
    network : Module
        With layers in ``trans``.
    recipe : Recipe
    rate : float

    Raises
    ------
    InvalidParameterError
        For an unknown optimizer.
    """
    everything = list(network.parameters())
    if recipe.optimizer == "adam":
        return [torch.optim.Adam(everything, lr=rate)]
    if recipe.optimizer == "adamw":
        return [torch.optim.AdamW(everything, lr=rate, betas=_BETAS)]
    if recipe.optimizer != "muon":
        raise InvalidParameterError(
            f"optimizer must be one of 'adam', 'adamw', 'muon'. Got {recipe.optimizer!r}."
        )
    layers = network.get_submodule("trans")
    hidden = [each for each in layers.parameters() if each.dim() == 2]
    known = {id(each) for each in hidden}
    others = [each for each in everything if id(each) not in known]
    muon = torch.optim.Muon(hidden, lr=rate, weight_decay=0.0, adjust_lr_fn=_MUON_RATE)
    return [muon, torch.optim.AdamW(others, lr=rate, betas=_BETAS)]
