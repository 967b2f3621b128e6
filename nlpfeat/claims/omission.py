"""What attention does when the element that it looks for is left out."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figure, Figures, by_name, have_learned, is_above, over_seeds
from nlpfeat.claims.small_models import attention_of, n_groups, texts_of

if TYPE_CHECKING:
    from nlpfeat.attention.diagnostics.omission import Robustness

_TASK = "negation"
_WHOLE = "negation: accuracy"
_CUE = "negation, without the cue: share of that"
_RANDOM = "negation, without as many other tokens: share of that"
_BUILT = "keyword, without the cue: accuracy"
_NEEDED, _SPARED = 0.8, 0.9


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Take tokens out of test texts, and see what is left of the accuracy."""
    found = by_name(over_seeds(_left, seeds, "", n_groups(_TASK)))
    yield replace(found[_WHOLE], unit="accuracy")
    yield from (replace(found[name], unit="of the accuracy") for name in (_CUE, _RANDOM))
    alone = [_robustness("keyword", seed)[0].after for seed in seeds]
    yield Figure(_BUILT, (sum(alone) / len(alone),), "accuracy", "built")


def _left(seed: int) -> dict[str, float]:
    cue, random = _robustness(_TASK, seed)
    return {_WHOLE: cue.before, _CUE: cue.ratio, _RANDOM: random.ratio}


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
    """Judge by what the cue costs, and whether as many other tokens cost the same."""
    without_cue = is_above(figures[_CUE], _NEEDED)
    random = is_above(figures[_RANDOM], _SPARED)
    told = (
        f"{figures[_CUE].value:.2f} of the accuracy is left without the cue of negation, "
        f"{figures[_RANDOM].value:.2f} without as many other tokens"
    )
    if not have_learned([figures[_WHOLE]]):
        return open_question(f"The models have not learned enough to lose it: {told}.")
    if without_cue is None or random is None:
        return open_question(f"What tokens cost is not known well enough: {told}.")
    if without_cue:
        return Judgement(DOES_NOT_HOLD, f"The models do without the cue: {told}.")
    if not random:
        return Judgement(IN_PART, f"Other tokens cost much, too: {told}.")
    return Judgement(
        HOLDS, f"Nothing takes the place of what is left out: {told}. One half is chance."
    )


CLAIM = Claim(
    slug="omission",
    title="Attention cannot look at what is left out",
    section="省略",
    says="Chinese leaves out what the reader can supply (张三新买的车，轮子不太好). If the element "
    "that attention wants to look at is not there, it is open whether a model can still work.",
    shown_by="What is left of the accuracy when the deciding tokens are taken out of a text, and "
    "as a control as many other tokens that are about as frequent. What is left of a remark, "
    "很内向 against 不内向, would be enough to a model that had learned that as well.",
    measure=measure,
    judge=judge,
    limits="Without its keyword a text is the same under both labels, so that one half follows "
    "from how the texts are written and is not judged. Small models without pre-training know "
    "nothing but these texts, so that what is taken out cannot be supplied. A large model may "
    "supply it from what it has stored.",
)
