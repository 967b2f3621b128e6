"""Attention without pre-training against convolutions and an LSTM, on reviews."""

from collections.abc import Iterator, Sequence

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement, open_question
from nlpfeat.claims.figures import (
    Figure,
    Figures,
    by_name,
    difference,
    have_learned,
    is_above,
    is_below,
    over_seeds,
)
from nlpfeat.claims.numbers import ends, shown
from nlpfeat.claims.small_reviews import (
    N_TEST,
    SAME,
    attention_on_reviews,
    convolutions_on_reviews,
    lstm_on_reviews,
    overlap,
)

_NAMES = _ATTENTION, _CNN, _LSTM = "attention", "convolutions", "LSTM in both directions"


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Train three networks of about 10,000 numbers on the same thousand reviews."""
    found = by_name(over_seeds(_accuracies, seeds, "accuracy", N_TEST, overlap()))
    yield from found.values()
    for name in (_CNN, _LSTM):
        yield difference(_difference(name), found[_ATTENTION], found[name])


def _accuracies(seed: int) -> dict[str, float]:
    return {
        _ATTENTION: attention_on_reviews(seed, "dot"),
        _CNN: convolutions_on_reviews(seed),
        _LSTM: lstm_on_reviews(seed),
    }


def judge(figures: Figures) -> Judgement:
    """Judge by both differences."""
    differences = [figures[_difference(name)] for name in (_CNN, _LSTM)]
    accuracies = ", ".join(f"{name} {figures[name].value:.3f}" for name in _NAMES)
    apart = ", ".join(f"{each.name} {shown(each.value)} {ends(each)}" for each in differences)
    told = f"{accuracies}; {apart}"
    if not have_learned(figures[name] for name in _NAMES):
        return open_question(f"Not all have learned enough to be compared: {told}.")
    behind = [bool(is_below(each, 0.0)) for each in differences]
    if all(behind):
        return Judgement(HOLDS, f"Attention is behind both: {told}.")
    if any(behind):
        other = (_CNN, _LSTM)[behind.index(True)]
        return Judgement(IN_PART, f"Attention is behind {other}, not clearly the other: {told}.")
    if all(is_above(each, -SAME) for each in differences):
        return Judgement(DOES_NOT_HOLD, f"Attention is at most {SAME:g} behind: {told}.")
    return open_question(f"Whether attention is more than {SAME:g} behind is open: {told}.")


def _difference(name: str) -> str:
    return f"attention − {name}"


CLAIM = Claim(
    slug="without-pretraining",
    title="Without pre-training attention is worse than an RNN or a CNN",
    section="预训练的意义",
    says="In general a Transformer that is not pre-trained is probably not as good as recurrent or "
    "convolutional networks.",
    shown_by="The accuracy of three networks of about as many numbers, trained from nothing on the "
    "same thousand reviews with the same settings. Worse is a difference below 0 with its whole "
    "interval, from both networks (in part: from one); not worse, one above −.01 with its whole "
    "interval, from both.",
    measure=measure,
    judge=judge,
    reads_reviews=True,
    limits="Short reviews, 2,000 of the same 17,363 for each seed, small networks, one setting for "
    "all that was not tuned for any; whether it was tried on reviews of these seeds is not on "
    "record. With tens of thousands of documents it may be otherwise: that the verdict does not "
    "say. On 45,000 headlines there are runs of three seeds that are no record of this page: "
    "attention, convolutions and an LSTM [side by side](../README.md#side-by-side), one setting "
    "each; and [the bridge](bridge.md) has attention alone and figures of others.",
)
