"""Whether the samples of a batch see each other in the network of the notes."""

from collections.abc import Iterator

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, NOT_MEASURED, Judgement
from nlpfeat.claims.figures import Figure, Figures
from nlpfeat.claims.numbers import shown
from nlpfeat.claims.trainability.settings import D_INPUT, LENGTH, NOTES, TWO_LAYERS

_ACROSS = "another sample changed: answers, fed as the notes do (batch_first=False)"
_WITHIN = "another sample changed: answers, fed as (token, sample, width)"
_CLEAR, _ROUNDING = 1e-3, 1e-9


def changes_by_another_sample() -> Iterator[Figure]:
    """Yield by how much answers change at most with another sample of the batch.

    First as the notes feed it, samples before tokens, to layers that read tokens before samples;
    then tokens before samples. The network has two layers as they are drawn, without dropout.
    """
    import torch

    from nlpfeat.claims.trainability.network import build

    with torch.random.fork_rng([]), torch.no_grad():
        torch.manual_seed(0)
        network = build(TWO_LAYERS, NOTES).double().eval()
        samples = torch.randn(TWO_LAYERS.batch_size, LENGTH, 2 * D_INPUT, dtype=torch.float64)
        changed = samples.clone()
        changed[-1] = torch.randn_like(changed[-1])
        across = network(samples) - network(changed)
        within = network(samples.transpose(0, 1)) - network(changed.transpose(0, 1))
    for name, change in ((_ACROSS, across[:-1]), (_WITHIN, within[:, :-1])):
        yield Figure(name, (float(change.abs().max()),), "greatest change")


def judge_samples(figures: Figures) -> Judgement:
    """Judge whether attention runs across samples as the notes feed them, and only so."""
    if _ACROSS not in figures or _WITHIN not in figures:
        return Judgement(NOT_MEASURED, "Not measured.")
    across, within = figures[_ACROSS].value, figures[_WITHIN].value
    told = (
        f"Answers change by up to {shown(across)} with another sample, and by up to "
        f"{shown(within)} where tokens stand before samples."
    )
    return Judgement(HOLDS if across > _CLEAR and within < _ROUNDING else DOES_NOT_HOLD, told)
