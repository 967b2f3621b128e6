"""What attention does when the element that it looks for is left out."""

from collections.abc import Iterator, Sequence

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
from nlpfeat.claims.small_models import attention_of, linear_accuracy, texts_of

_KEYWORD, _NEGATION = "keyword", "negation"
_CUE, _STRONGEST, _RANDOM = (
    "without the cue",
    "without the token with most weight",
    "without a random token",
)
_WAYS = (_CUE, _STRONGEST, _RANDOM)
_WHOLE = "whole left out (omitted_argument), pairs and triples: accuracy"
_NEEDED, _SPARED = 0.8, 0.9


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Take tokens out of test texts of two tasks, and see what is left of the accuracy."""
    yield from over_seeds(_left, seeds, "of the accuracy")
    yield from over_seeds(
        lambda seed: {_WHOLE: linear_accuracy("omitted_argument", "trigrams", seed)},
        seeds, "accuracy",
    )  # fmt: skip


def _left(seed: int) -> dict[str, float]:
    return {
        _name(task, way): left
        for task in (_KEYWORD, _NEGATION)
        for way, left in zip(_WAYS, _ratios(task, seed))
    }


def _ratios(task: str, seed: int) -> list[float]:
    """Return accuracy after / before, without the cue, the strongest and a random token."""
    from collections import Counter

    import torch

    from nlpfeat.attention.diagnostics.omission import (
        omission_robustness,
        random_tokens_like,
        strongest_tokens,
    )

    model = attention_of(task, seed)
    items = texts_of(task, seed).test_items
    documents = [list(item.tokens) for item in items]
    classes = torch.tensor([model.classes_.tolist().index(item.label) for item in items])
    cues = [[place for place, token in enumerate(item.tokens) if token in item.cue]
            for item in items]  # fmt: skip
    seen = [torch.from_numpy(each.token_weights) for each in model.attention_weights(documents)]
    strongest = strongest_tokens(seen)
    counts = Counter(token for document in documents for token in document)
    random = random_tokens_like(
        documents, strongest, counts, generator=torch.Generator().manual_seed(seed)
    )
    return [
        omission_robustness(
            lambda texts: torch.from_numpy(model.predict_proba(texts)), documents, classes, removed
        ).ratio
        for removed in (cues, strongest, random)
    ]


def judge(figures: Figures) -> Judgement:
    """Judge by what the cue costs, and whether any token costs the same."""
    tasks = (_KEYWORD, _NEGATION)
    without_cue = [is_above(figures[_name(task, _CUE)], _NEEDED) for task in tasks]
    random = [is_above(figures[_name(task, _RANDOM)], _SPARED) for task in tasks]
    told = " and ".join(
        f"{figures[_name(task, _CUE)].value:.2f} without the cue of {task}, "
        f"{figures[_name(task, _RANDOM)].value:.2f} without a random token"
        for task in tasks
    )
    if None in without_cue:
        return open_question(f"What the cue costs is not known well enough: {told}.")
    if all(without_cue):
        return Judgement(DOES_NOT_HOLD, f"The models do without the cue: {told}.")
    if any(without_cue) or not all(random):
        return Judgement(IN_PART, f"Not in both tasks, or any token costs something: {told}.")
    return Judgement(
        HOLDS,
        f"What is left of the accuracy is {told}. Nothing takes the place of what is left out; "
        "one half is chance.",
    )


def _name(task: str, way: str) -> str:
    return f"{task}: {way}"


CLAIM = Claim(
    slug="omission",
    title="Attention cannot look at what is left out",
    section="省略",
    says="Chinese leaves out what the reader can supply (张三新买的车，轮子不太好). If the element "
    "that attention wants to look at is not there, it is open whether a model can still work.",
    shown_by="What is left of the accuracy when the deciding tokens are taken out of a text, the "
    "token with the most weight, and as a control a random token that is about as frequent.",
    measure=measure,
    judge=judge,
    limits="Small models without pre-training know nothing but these texts, so that what is taken "
    "out cannot be supplied. A large model may supply it from what it has stored.",
    seeds=SEEDS,
    quick_seeds=QUICK_SEEDS,
)
