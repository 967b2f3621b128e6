"""The network of `BiLstmBaseline`: an LSTM that reads a document from both ends."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence, pack_padded_sequence, pad_packed_sequence

from nlpfeat._names import lookup
from nlpfeat.attention.initialization import xavier_uniform
from nlpfeat.classifiers._architecture import Architecture, Fitted, Parts, checked_numbers
from nlpfeat.classifiers._baseline_network import (
    SHARES,
    SIZES,
    BaselineNetwork,
    BaselineSettings,
    numbers_around,
)
from nlpfeat.classifiers._settings import POOLINGS

_GATES = 4  # of a cell: input, forget, candidate, output
_FORGET = 1
_BIASES = 2  # torch's cell adds two


@dataclass(frozen=True)
class BiLstmSettings(BaselineSettings):
    """The sizes of a network that reads in both directions."""

    #: Width of the state of one direction.
    d_hidden: int
    n_layers: int
    #: A key of ``POOLINGS``.
    pooling: str


class BiLstm(BaselineNetwork):
    """Tokens → layers of an LSTM in both directions → the states of a document as one.

    A document is read from its first place to its last token, and back: what is padded behind it
    is never read. A gap is read as zeros, and its state is not pooled. A document without a token
    has zeros where states would be.

    Parameters
    ----------
    settings : BiLstmSettings
    generator : torch.Generator
        Of the CPU.

    Notes
    -----
    The bias of each forget gate starts at 1 (Gers et al., 2000; Jozefowicz et al., 2015).
    """

    settings: BiLstmSettings

    def __init__(self, settings: BiLstmSettings, generator: torch.Generator) -> None:
        super().__init__(settings, 2 * settings.d_hidden, generator)
        self.layers = nn.ModuleList(
            _layer(n_inputs, settings.d_hidden, generator) for n_inputs in _inputs(settings)
        )

    def pooled(self, hidden: Tensor, mask: Tensor) -> Tensor:
        """Return the states of each document as one, (B, 2 · d_hidden)."""
        n_places = hidden.shape[1]
        ends = (mask * torch.arange(1, n_places + 1, device=mask.device)).amax(dim=1)
        # An LSTM reads one place at least. cuDNN's knows no bfloat16 under autocast.
        with torch.autocast(hidden.device.type, enabled=False):
            packed = pack_padded_sequence(
                hidden.float(), ends.clamp(min=1).cpu(), batch_first=True, enforce_sorted=False
            )
            states, last = self._read(packed)
        if self.settings.pooling == "last":
            pooled = last
        else:
            padded, _ = pad_packed_sequence(states, batch_first=True, total_length=n_places)
            pooled = padded.masked_fill(~mask[..., None], -torch.inf).max(dim=1).values
        return pooled.masked_fill((ends == 0)[:, None], 0.0)

    def _read(self, packed: PackedSequence) -> tuple[PackedSequence, Tensor]:
        """Return the states of the last layer, and where its two directions end, side by side."""
        for number, layer in enumerate(self.layers):
            if number:
                packed = packed._replace(data=self.dropout(packed.data))
            packed, (last, _) = layer(packed)
        return packed, torch.cat([last[0], last[1]], dim=1)


def _layer(n_inputs: int, d_hidden: int, generator: torch.Generator) -> nn.LSTM:
    """Return a layer of two directions, drawn from the generator alone."""
    # Made where nothing is drawn: torch's own weights come from the generator that all share.
    layer = nn.LSTM(n_inputs, d_hidden, batch_first=True, bidirectional=True, device="meta")
    layer = layer.to_empty(device="cpu")
    for name, weight in layer.named_parameters():
        by_gate = weight.detach().unflatten(0, (_GATES, d_hidden))
        if weight.ndim > 1:
            xavier_uniform(by_gate, generator)
        else:
            by_gate.zero_()
            if name.startswith("bias_ih"):
                by_gate[_FORGET] = 1.0
    return layer


def _inputs(settings: BiLstmSettings) -> list[int]:
    """Return how many numbers each layer takes for a token."""
    later = [2 * settings.d_hidden] * (settings.n_layers - 1)
    return [settings.d_model, *later][: settings.n_layers]


def settings_of(parts: Parts) -> BiLstmSettings:
    """Return the settings of a network from a flat dict.

    Raises
    ------
    InvalidParameterError
        For a part that is missing, unknown, or cannot be.
    """
    sizes = {**SIZES, "d_hidden": 1, "n_layers": 1}
    numbers = checked_numbers(parts, sizes, SHARES, ["pooling"])
    lookup(POOLINGS, parts["pooling"], "pooling")
    return BiLstmSettings(pooling=parts["pooling"], **numbers)


def numbers_of(settings: BiLstmSettings, _: Fitted) -> Iterator[int]:
    """Yield how many numbers each part of the network learns, before any is made."""
    d_hidden = settings.d_hidden
    yield from numbers_around(settings, 2 * d_hidden)
    of_state = (d_hidden + _BIASES) * d_hidden
    yield 2 * _GATES * (settings.d_model * d_hidden + of_state)
    yield (settings.n_layers - 1) * 2 * _GATES * (2 * d_hidden * d_hidden + of_state)


def _built(settings: BiLstmSettings, _: Fitted, generator: torch.Generator) -> BiLstm:
    return BiLstm(settings, generator)


BI_LSTM = Architecture(settings_of, numbers_of, _built)
