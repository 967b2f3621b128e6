"""One semantic unit for words that mean the same."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figure, Figures, by_name, difference, is_above, over_seeds
from nlpfeat.claims.numbers import shown
from nlpfeat.claims.seen_by import ATTENTION, SEEN, accuracies, numbers, sees
from nlpfeat.claims.small_models import n_groups, texts_of

_TASK = "synonyms"
_FAMILIES = ("bag", "vectors", ATTENTION)
_UNITS, _PLACEBO = "units of words with near vectors", "the same units, dealt out at random"
_WORDS = "different words: so many times the units"
_ROWS = "different rows of 4 words: so many times those of units"
_ROWS_DEALT = "the same of units dealt out at random"
_GAIN = "accuracy: units − units dealt out"
_SAVED = "rows: units − units dealt out"
_DIMENSIONS, _FARTHEST, _LENGTH = 50, 0.5, 4
#: So much more accurate units are than units dealt out, where it matters what they join.
_CLEAR = 0.2


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Fit words, vectors, attention, and counts of units that are learned from the same texts."""
    yield from accuracies(_TASK, _FAMILIES)(seeds)
    found = by_name(over_seeds(_of_units, seeds))
    units, placebo = (
        replace(found[name], unit="accuracy", trials=n_groups(_TASK)) for name in (_UNITS, _PLACEBO)
    )
    yield from (units, placebo, difference(_GAIN, units, placebo))
    words, rows, dealt = (
        replace(found[name], unit="ratio") for name in (_WORDS, _ROWS, _ROWS_DEALT)
    )
    yield from (words, rows, dealt, difference(_SAVED, rows, dealt))


def _of_units(seed: int) -> dict[str, float]:
    import numpy as np

    texts = [item.tokens for item in texts_of(_TASK, seed).train_items]
    units = units_of(texts)
    shuffled = np.random.default_rng(seed).permutation(list(units.values())).tolist()
    dealt = dict(zip(units, shuffled))
    return {
        _UNITS: _accuracy(units, seed),
        _PLACEBO: _accuracy(dealt, seed),
        _WORDS: times_fewer(texts, units, 1),
        _ROWS: times_fewer(texts, units, _LENGTH),
        _ROWS_DEALT: times_fewer(texts, dealt, _LENGTH),
    }


def units_of(texts: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the number of the unit of each word: words are one unit whose vectors are near.

    Vectors are of PMI; units are joined while their words are less than .5 apart in the mean, by
    cosine. No label is read.
    """
    from sklearn.cluster import AgglomerativeClustering

    from nlpfeat.features.pmi_embedding import PmiEmbedding

    embedding = PmiEmbedding(_DIMENSIONS, exponent=0.5, min_term_count=1, random_state=0)
    vectors = embedding.fit(texts).vectors_
    joined = AgglomerativeClustering(
        None, metric="cosine", linkage="average", distance_threshold=_FARTHEST
    )
    return dict(zip(vectors.terms, joined.fit_predict(vectors.matrix).tolist()))


def _accuracy(units: Mapping[str, int], seed: int) -> float:
    """Return the accuracy of a logistic regression of counts of units on the test texts."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    def read(tokens: Sequence[str]) -> list[str]:
        return [str(units[token]) for token in tokens if token in units]

    parts = texts_of(_TASK, seed)
    model = make_pipeline(CountVectorizer(analyzer=read), LogisticRegression(max_iter=1_000))
    model.fit([item.tokens for item in parts.train_items], parts.train.labels())
    return float(model.score([item.tokens for item in parts.test_items], parts.test.labels()))


def times_fewer(texts: Sequence[Sequence[str]], units: Mapping[str, int], length: int) -> float:
    """Return how many different rows of so many words there are for one of units.

    Examples
    --------
    >>> texts = [["很", "高兴"], ["很", "开心"], ["真", "高兴"], ["真", "开心"]]
    >>> times_fewer(texts, {"很": 0, "真": 0, "高兴": 1, "开心": 1}, length=2)
    4.0
    """
    words, in_units = set(), set()
    for text in texts:
        mapped = [units.get(token, token) for token in text]
        for start in range(len(text) - length + 1):
            words.add(tuple(text[start : start + length]))
            in_units.add(tuple(mapped[start : start + length]))
    return len(words) / len(in_units)


def judge(figures: Figures) -> Judgement:
    """Judge by units and vectors, then by what units that join anything do."""
    vectors, units = sees(figures, "vectors"), is_above(figures[_UNITS], SEEN)
    told = (
        f"{numbers(figures, _FAMILIES)}, units {shown(figures[_UNITS].value)}, dealt out at random "
        f"{shown(figures[_PLACEBO].value)}"
    )
    if units is None or vectors is None:
        return open_question(f"Units or vectors are neither right nor at chance: {told}.")
    if not (units or vectors):
        return Judgement(DOES_NOT_HOLD, f"Units do not carry over to the other words: {told}.")
    if not units:
        return Judgement(IN_PART, f"Near vectors carry over to other words, units do not: {told}.")
    if not vectors:
        return Judgement(IN_PART, f"Units carry over to other words, vectors do not: {told}.")
    return _judged_by_control(figures, told)


def _judged_by_control(figures: Figures, told: str) -> Judgement:
    """Judge units that carry over by units that join any words."""
    matters, saves = is_above(figures[_GAIN], _CLEAR), is_above(figures[_SAVED], 0.0)
    saved = (
        f"there are {shown(figures[_WORDS].value)} times as many words as units, and "
        f"{shown(figures[_ROWS].value)} times as many rows of {_LENGTH}, with units dealt out "
        f"{shown(figures[_ROWS_DEALT].value)}"
    )
    if matters is None:
        return open_question(f"Whether it matters by more than .2 what units join is open: {told}.")
    if not matters:
        return Judgement(
            IN_PART, f"Units that join any words are at most .2 less accurate: {told}."
        )
    if saves is None:
        return open_question(f"Units carry over; whether they save rows is open: {saved}.")
    if not saves:
        return Judgement(
            IN_PART, f"Units carry over, but save no more rows than any of that size: {saved}."
        )
    return Judgement(
        HOLDS,
        f"What is learned of one word carries over to others through their unit: {told}; and "
        f"{saved}.",
    )


CLAIM = Claim(
    slug="abstraction",
    title="One semantic unit for 高兴, 开心 and 愉快 saves what each of them would need",
    section="语义抽象化",
    says="高兴, 开心 and 愉快 mean the same. To treat each on its own multiplies the ways to say a "
    "thing with each word that is joined to it; one semantic unit (语义单元) for them reduces "
    "that.",
    shown_by="Texts for test decided by words that decide nothing in the texts for training: "
    "counts of words are at chance; vectors, and counts of units of words with near vectors, are "
    "right, by more than .2 above the same units dealt out at random. And rows of four words have "
    "fewer different rows of units than of units dealt out.",
    measure=measure,
    judge=judge,
    limits="That counts of words are at chance follows from how the texts are written, and so does "
    "that synonyms have the same neighbors and opposites others: where opposites stand in the same "
    "places, as in substitutability, near vectors would join them. Units also join what is alike "
    "and not the same, such as the days of the week. Of fewer units there are fewer rows, whatever "
    "they join: therefore the control.",
)
