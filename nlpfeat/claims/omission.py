"""What attention does when the element that it looks for is left out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, Claim, Judgement, open_question
from nlpfeat.claims.figures import (
    Figure,
    Figures,
    by_name,
    difference,
    have_learned,
    is_below,
    over_seeds,
)
from nlpfeat.claims.numbers import ends, shown
from nlpfeat.claims.small_models import attention_of, n_groups, texts_of

if TYPE_CHECKING:
    from nlpfeat.attention.diagnostics.omission import Robustness

_TASK = "negation"
_WHOLE = "negation: accuracy"
_CUE = "negation, without the cue: accuracy"
_RANDOM = "negation, without as many other tokens: accuracy"
_MORE = "without the cue − without as many other tokens"


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Take tokens out of test texts, and see what is left of the accuracy."""
    found = by_name(over_seeds(_left, seeds, "accuracy", n_groups(_TASK)))
    yield found[_WHOLE]
    # What is left is the same whether the opinion praised or blamed, and that is drawn even.
    yield Figure(_CUE, (0.5,), "accuracy", "built")
    yield found[_RANDOM]
    yield difference(_MORE, found[_CUE], found[_RANDOM])


def _left(seed: int) -> dict[str, float]:
    cue, random = _robustness(_TASK, seed)
    return {_WHOLE: cue.before, _CUE: cue.after, _RANDOM: random.after}


def _robustness(task: str, seed: int) -> "tuple[Robustness, Robustness]":
    """Return the accuracies with and without the cue, and other tokens as many and as frequent."""
    import torch

    from nlpfeat.attention.diagnostics.omission import omission_robustness, random_tokens_like

    model = attention_of(task, seed)
    items = texts_of(task, seed).test_items
    documents = [list(item.tokens) for item in items]
    classes = torch.tensor([model.classes_.tolist().index(item.label) for item in items])
    cues = [[place for place, token in enumerate(item.tokens) if token in item.cue]
            for item in items]  # fmt: skip
    counts = Counter(token for document in documents for token in document)
    generator = torch.Generator().manual_seed(seed)
    random = random_tokens_like(documents, cues, counts, generator=generator)

    def score(texts: list[list[str]]) -> torch.Tensor:
        return torch.from_numpy(model.predict_proba(texts))

    with_cue, with_random = (
        omission_robustness(score, documents, classes, removed) for removed in (cues, random)
    )
    return with_cue, with_random


def judge(figures: Figures) -> Judgement:
    """Judge by the control: that the cue leaves chance is built into the texts."""
    costs_more = is_below(figures[_MORE], 0.0)
    told = (
        f"Of an accuracy of {shown(figures[_WHOLE].value)}, {shown(figures[_RANDOM].value)} is "
        "left without as many other tokens, and chance without the cue: a difference of "
        f"{shown(figures[_MORE].value)} {ends(figures[_MORE])}"
    )
    if not have_learned([figures[_WHOLE]]):
        return open_question(f"The models have not learned enough to lose it. {told}.")
    if costs_more is None:
        return open_question(f"Whether as many other tokens cost less is open. {told}.")
    if not costs_more:
        return Judgement(DOES_NOT_HOLD, f"As many other tokens cost as much. {told}.")
    return Judgement(HOLDS, f"As many other tokens cost less. {told}.")


CLAIM = Claim(
    slug="omission",
    title="What is left out cannot be attended to, and other tokens cost less",
    section="省略",
    says="Chinese leaves out what the reader can supply (张三新买的车，轮子不太好). If the element "
    "that attention wants to look at is not there, it is open whether a model can still work. "
    "Here: whether it is that element which a model needs, and not as many of any.",
    shown_by="The accuracy that is left when the deciding tokens are taken out of a text, below "
    "that which is left without as many other tokens that are about as frequent.",
    measure=measure,
    judge=judge,
    limits="That one half is right without the cue follows from how the texts are written, and is "
    "not judged: what is left is the same whether the opinion praised or blamed. Without other "
    "tokens a text still says its label. Small models without pre-training know nothing but these "
    "texts, so that what is taken out cannot be supplied. A large model may supply it from what it "
    "has stored: whether one can still work is not measured.",
)
