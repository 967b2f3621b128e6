"""Some heads of a trained network do the same, some something else."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from nlpfeat.claims.claim import (
    DOES_NOT_HOLD,
    HOLDS,
    IN_PART,
    QUICK_SEEDS,
    SEEDS,
    Claim,
    Judgement,
    open_question,
)
from nlpfeat.claims.figures import Figure, Figures, is_above, over_seeds
from nlpfeat.claims.small_models import accuracy_of, attention_of, texts_of

if TYPE_CHECKING:
    from nlpfeat.classifiers.attention import AttentionClassifier

_TASK, _N_HEADS, _N_TEXTS = "far_modifier", 8, 100
_ALIKE, _APART = 0.1, 0.3
_DIVERGENCE, _BEFORE = "divergence of two heads", "the same before training"
_SHARE_ALIKE = "pairs of heads alike (divergence at most 0.1)"
_SHARE_APART = "pairs of heads apart (divergence above 0.3)"
_LEAST = "accuracy lost with the least needed head"
_MOST = "accuracy lost with the most needed head"
_UNITS = {
    _DIVERGENCE: "bits",
    _BEFORE: "bits",
    _SHARE_ALIKE: "of all pairs",
    _SHARE_APART: "of all pairs",
    _LEAST: "of all texts",
    _MOST: "of all texts",
}


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Train eight heads, compare where they look, and take each out."""
    for figure in over_seeds(_heads, seeds):
        yield replace(figure, unit=_UNITS[figure.name])


def _heads(seed: int) -> dict[str, float]:
    trained = attention_of(_TASK, seed, n_heads=_N_HEADS)
    # A step of length nearly 0 keeps what was drawn.
    drawn = attention_of(_TASK, seed, n_heads=_N_HEADS, learning_rate=1e-12, max_epochs=1)
    distances = _divergences(trained, seed)
    lost = _losses(trained, seed)
    n = len(distances)
    before = _divergences(drawn, seed)
    return {
        _DIVERGENCE: sum(distances) / n,
        _BEFORE: sum(before) / n,
        _SHARE_ALIKE: sum(each <= _ALIKE for each in distances) / n,
        _SHARE_APART: sum(each > _APART for each in distances) / n,
        _LEAST: min(lost),
        _MOST: max(lost),
    }


def _divergences(model: "AttentionClassifier", seed: int) -> list[float]:
    """Return the mean divergence of each two heads of the layer over test texts, in bits."""
    import torch

    from nlpfeat.attention.diagnostics.head_similarity import head_distances

    items = texts_of(_TASK, seed).test_items[:_N_TEXTS]
    found = [
        head_distances(torch.from_numpy(seen.layers[0])[None])
        for seen in model.attention_weights([item.tokens for item in items])
    ]
    mean = torch.stack(found).mean(0)
    return [float(mean[pair]) for pair in combinations(range(_N_HEADS), 2)]


def _losses(model: "AttentionClassifier", seed: int) -> list[float]:
    """Return the accuracy that is lost with each head: its output weights are 0 for a while."""
    import torch

    from nlpfeat.classifiers._kept_networks import network_and_device

    network, _ = network_and_device(model)
    weight = network.get_parameter("layers.0.attention.output.weight").data
    slices = weight.unflatten(1, (_N_HEADS, -1))
    whole, lost = accuracy_of(model, _TASK, seed), []
    for head in range(_N_HEADS):
        kept = slices[:, head].clone()
        slices[:, head] = torch.zeros_like(kept)
        lost.append(whole - accuracy_of(model, _TASK, seed))
        slices[:, head] = kept
    return lost


def judge(figures: Figures) -> Judgement:
    """Judge by whether there are heads that are alike, and heads that are apart."""
    alike, apart = is_above(figures[_SHARE_ALIKE], 0.0), is_above(figures[_SHARE_APART], 0.0)
    told = (
        f"{100 * figures[_SHARE_ALIKE].value:.0f} % of the pairs are alike, "
        f"{100 * figures[_SHARE_APART].value:.0f} % apart; one head can be taken out at "
        f"{100 * figures[_LEAST].value:.1f} points, another costs {100 * figures[_MOST].value:.1f}"
    )
    if alike is None or apart is None:
        return open_question(f"The seeds differ too much: {told}.")
    if alike and apart:
        return Judgement(HOLDS, f"There are both: {told}.")
    if not alike and not apart:
        return Judgement(DOES_NOT_HOLD, f"No heads are alike and none apart: {told}.")
    kind = "Some are alike, none clearly differ" if alike else "Some clearly differ, none are alike"
    return Judgement(IN_PART, f"{kind}: {told}.")


CLAIM = Claim(
    slug="heads-alike",
    title="Some heads behave alike, others clearly not",
    section="拆分建模学说",
    says="Each head models something simple, and several together something complex: some heads "
    "behave alike, some clearly differ, so that they cooperate.",
    shown_by="The Jensen-Shannon divergence of the weights of each two heads, in bits, after "
    "training and before; and what is lost without each head.",
    measure=measure,
    judge=judge,
    limits="Eight heads of width 2 in one layer, for one task that needs few of them.",
    seeds=SEEDS,
    quick_seeds=QUICK_SEEDS,
)
