"""Some heads of a trained network do the same, some something else."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figure, Figures, by_name, difference, is_above, over_seeds
from nlpfeat.claims.small_models import accuracy_of, attention_of, n_groups, texts_of

if TYPE_CHECKING:
    from nlpfeat.classifiers.attention import AttentionClassifier

_TASK, _N_HEADS, _N_TEXTS = "far_modifier", 8, 100
_ALIKE, _APART = 0.1, 0.3
#: Some pairs are more than this share of all.
_SOME = 0.1
_TRAINED, _DRAWN = "after training", "before training"
_DIVERGENCE = "divergence of two heads"
_SHARE_ALIKE = "pairs of heads alike (divergence at most 0.1)"
_SHARE_APART = "pairs of heads apart (divergence above 0.3)"
_LEAST = "accuracy lost with the head that training texts need least"
_MOST = "accuracy lost with the head that training texts need most"
#: Of the pairs of a network so many have no head in common.
_SEPARATE = _N_HEADS // 2


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Train eight heads, compare where they look with before, and take each out."""
    found = by_name(over_seeds(_heads, seeds))
    for time in (_TRAINED, _DRAWN):
        yield replace(found[_name(_DIVERGENCE, time)], unit="bits")
    for share in (_SHARE_ALIKE, _SHARE_APART):
        after, before = (
            replace(found[_name(share, time)], unit="of all pairs", trials=_SEPARATE)
            for time in (_TRAINED, _DRAWN)
        )
        yield from (after, before, difference(_change(share), after, before))
    for name in (_LEAST, _MOST):
        yield replace(found[name], unit="of all texts", trials=n_groups(_TASK))


def _heads(seed: int) -> dict[str, float]:
    trained, found = attention_of(_TASK, seed, n_heads=_N_HEADS), {}
    for time, model in ((_TRAINED, trained), (_DRAWN, _drawn(trained))):
        distances = _divergences(model, seed)
        n = len(distances)
        found[_name(_DIVERGENCE, time)] = sum(distances) / n
        found[_name(_SHARE_ALIKE, time)] = sum(each <= _ALIKE for each in distances) / n
        found[_name(_SHARE_APART, time)] = sum(each > _APART for each in distances) / n
    # Chosen on other texts: the least of eight losses would be low by chance alone.
    chosen, lost = losses(trained, seed, "train"), losses(trained, seed, "test")
    heads = range(_N_HEADS)
    found[_LEAST] = lost[min(heads, key=chosen.__getitem__)]
    found[_MOST] = lost[max(heads, key=chosen.__getitem__)]
    return found


def _drawn(trained: "AttentionClassifier") -> "AttentionClassifier":
    """Return the same heads as they were drawn."""
    from nlpfeat.classifiers._untrained import untrained

    model = untrained(trained)
    assert model is not None  # its random state is a seed
    return model


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


def losses(
    model: "AttentionClassifier", seed: int, part: Literal["train", "test"] = "test"
) -> list[float]:
    """Return the accuracy that is lost without each head.

    Parameters
    ----------
    model : AttentionClassifier
        Fitted, of one layer with eight heads.
    seed : int
        Of the texts.
    part : {"train", "test"}, default "test"
    """
    whole, lost = accuracy_of(model, _TASK, seed, part), []
    for head in range(_N_HEADS):
        with without_head(model, head):
            lost.append(whole - accuracy_of(model, _TASK, seed, part))
    return lost


@contextmanager
def without_head(model: "AttentionClassifier", head: int) -> Iterator[None]:
    """Take a head out: its output weights are 0 meanwhile, and what they were afterwards."""
    from nlpfeat.classifiers._kept_networks import network_and_device

    network, _ = network_and_device(model)
    weight = network.get_parameter("layers.0.attention.output.weight").data
    columns = weight.unflatten(1, (_N_HEADS, -1))[:, head]
    kept = columns.clone()
    columns.zero_()
    try:
        yield
    finally:
        columns.copy_(kept)


def judge(figures: Figures) -> Judgement:
    """Judge by the pairs of trained heads; what training changed is a remark."""
    alike, apart = (
        is_above(figures[_name(share, _TRAINED)], _SOME) for share in (_SHARE_ALIKE, _SHARE_APART)
    )
    (alike_now, alike_then), (apart_now, apart_then) = (
        [f"{100 * figures[_name(share, time)].value:.0f} %" for time in (_TRAINED, _DRAWN)]
        for share in (_SHARE_ALIKE, _SHARE_APART)
    )
    told = (
        f"{alike_now} of the pairs are alike, {alike_then} before training; {apart_now} are apart, "
        f"{apart_then} before. The head needed least costs {_points(figures[_LEAST])} points, the "
        f"one needed most {_points(figures[_MOST])}"
    )
    if alike is None or apart is None:
        open_ones = ((alike, "alike"), (apart, "apart"))
        kinds = " or ".join(kind for found, kind in open_ones if found is None)
        return open_question(f"Whether more than a tenth of the pairs are {kinds} is open: {told}.")
    if alike and apart:
        return Judgement(HOLDS, f"More than a tenth of the pairs are alike, and apart: {told}.")
    if not alike and not apart:
        return Judgement(
            DOES_NOT_HOLD, f"No more than a tenth of the pairs are alike, nor apart: {told}."
        )
    many, few = ("alike", "apart") if alike else ("apart", "alike")
    return Judgement(
        IN_PART,
        f"More than a tenth of the pairs are {many}; that some are {few} does not hold, at most a "
        f"tenth are: {told}.",
    )


def _name(what: str, time: str) -> str:
    return f"{what}, {time}"


def _change(share: str) -> str:
    return f"{share}: after − before"


def _points(figure: Figure) -> str:
    return f"{100 * figure.value:.1f}"


CLAIM = Claim(
    slug="heads-alike",
    title="Some heads behave alike, others clearly not",
    section="拆分建模学说",
    says="Each head models something simple, and several together something complex: some heads "
    "behave alike, some clearly differ, so that they cooperate.",
    shown_by="The Jensen-Shannon divergence of the weights of each two trained heads, in bits: "
    "more than a tenth of the pairs are alike, at most 0.1, and more than a tenth apart, above "
    "0.3. Beside it the same heads as they were drawn, and what is lost without a head.",
    measure=measure,
    judge=judge,
    limits="Eight heads of width 2 in one layer, for one task that needs few of them. Where to "
    "part alike, apart and some is a convention, and the tenth was set with ten seeds in sight. "
    "That heads differ does not show that they cooperate.",
)
