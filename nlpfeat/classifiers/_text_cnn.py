"""The network of `TextCnnBaseline`: convolutions over tokens, and the maximum of each over time."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpfeat.attention.initialization import empty_linear, xavier_uniform
from nlpfeat.classifiers._architecture import Architecture, Fitted, Parts, checked_numbers
from nlpfeat.classifiers._baseline_network import (
    SHARES,
    SIZES,
    BaselineNetwork,
    BaselineSettings,
    numbers_around,
)
from nlpfeat.classifiers._settings import checked_widths


@dataclass(frozen=True)
class TextCnnSettings(BaselineSettings):
    """The sizes of a network of convolutions."""

    #: Tokens that the filters of each convolution see at a time.
    widths: tuple[int, ...]
    #: Filters of each width.
    n_filters: int


class TextCnn(BaselineNetwork):
    """Tokens → windows of several widths → filters → the maximum of each over all windows.

    A window lies at every place where it covers a token: it may begin before the document and end
    behind it, on zeros. So a document of one token has windows of any width, and what is padded
    behind a document adds none. The filters of a document without a token are 0.

    Parameters
    ----------
    settings : TextCnnSettings
    generator : torch.Generator
        Of the CPU.
    """

    settings: TextCnnSettings

    def __init__(self, settings: TextCnnSettings, generator: torch.Generator) -> None:
        super().__init__(settings, len(settings.widths) * settings.n_filters, generator)
        self.filters = nn.ModuleList(
            empty_linear(width * settings.d_model, settings.n_filters, bias=True)
            for width in settings.widths
        )
        for filters in self._filters:
            xavier_uniform(filters.weight, generator)

    @property
    def _filters(self) -> list[nn.Linear]:
        return cast("list[nn.Linear]", list(self.filters))

    def pooled(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """Return what each filter says of the window that it likes best, (B, widths · filters)."""
        pairs = zip(self.settings.widths, self._filters)
        return torch.cat([_highest(hidden, mask, width, filters) for width, filters in pairs], 1)


def _highest(hidden: Tensor, mask: Tensor, width: int, filters: nn.Module) -> Tensor:
    """Return the maximum of each filter over the windows that cover a token, (B, filters)."""
    beside = width - 1
    n_windows = hidden.shape[1] + beside
    around = functional.pad(hidden, (0, 0, beside, beside))
    is_token = functional.pad(mask, (beside, beside))
    # A product of matrices: convolutions of cuDNN do not give the same bytes each time.
    windows = torch.cat([around[:, each : each + n_windows] for each in range(width)], dim=2)
    covers = torch.stack([is_token[:, each : each + n_windows] for each in range(width)]).any(dim=0)
    said: Tensor = filters(windows)
    highest = said.masked_fill(~covers[..., None], -torch.inf).max(dim=1).values
    return functional.relu(highest)  # of the maximum: as the maximum of what relu leaves


def settings_of(parts: Parts) -> TextCnnSettings:
    """Return the settings of a network from a flat dict.

    Raises
    ------
    InvalidParameterError
        For a part that is missing, unknown, or cannot be.
    """
    numbers = checked_numbers(parts, {**SIZES, "n_filters": 1}, SHARES, ["widths"])
    return TextCnnSettings(widths=checked_widths(parts["widths"]), **numbers)


def numbers_of(settings: TextCnnSettings, _: Fitted) -> Iterator[int]:
    """Yield how many numbers each part of the network learns, before any is made."""
    yield from numbers_around(settings, len(settings.widths) * settings.n_filters)
    yield from ((width * settings.d_model + 1) * settings.n_filters for width in settings.widths)


def _built(settings: TextCnnSettings, _: Fitted, generator: torch.Generator) -> TextCnn:
    return TextCnn(settings, generator)


TEXT_CNN = Architecture(settings_of, numbers_of, _built)
