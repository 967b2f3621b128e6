"""Each claim can turn out any way: figures that would refute it give another verdict."""

import pytest

from nlpfeat.claims import CLAIMS
from nlpfeat.claims.figures import Figure
from nlpfeat.claims.kept import judged

HOLDS, PART, NOT, OPEN = "holds", "holds in part", "does not hold", "not decidable here"


def figures(named):
    """Figures by name: numbers are exact ones, lists are values of seeds."""
    return {
        name: Figure(name, tuple(value), "", "drawn")
        if isinstance(value, list)
        else Figure(name, (float(value),))
        for name, value in named.items()
    }


def both(value):
    """Two seeds that gave the same."""
    return [value, value]


PAIRS = {
    "dot product: bilinear defect": 0.0,
    "dot product, turned places (rope): bilinear defect": 0.0,
    "text as the sum of its halves: scores": 0.0,
    "another token changed: scores of the other pairs": 0.0,
    "another token changed: weights of the other pairs": 0.3,
}
COUPLING = {
    f"{name}: {pairs}": value
    for name, values in {
        "softmax": (-0.0625, 0, 0),
        "capsule": (0, -0.0625, 0),
        "sinkhorn": (-0.05, -0.05, 0.0156),
    }.items()
    for pairs, value in zip(("ab by ac", "ab by cb", "ab by cd"), values)
} | {"sinkhorn: share of ab by cd, 6 × 6 random scores": 0.07}
HULL = {
    "softmax, one head: to the hull": 1e-16,
    "softmax, four heads: to the hull of each": 1e-16,
    "softmax per dimension: to the hull": 1.0,
    "query to the nearest point of the hull": 2.0,
    "query to its output": 2.5,
}
FREEDOM = {
    "one head, 2 tokens: affine rank": 1,
    "one head, 2 tokens: linear rank": 2,
    "one head, 5 tokens: affine rank": 4,
    "4 heads, 2 tokens: affine rank": 4,
    "8 heads, 2 tokens: affine rank": 8,
    "softmax per dimension, 2 tokens: affine rank": 32,
}
LAYOUTS = {
    f"{layout}, {n} tokens: affine rank": rank * (n - 1)
    for layout, rank in {
        "one head": 1,
        "8 heads": 8,
        "8 heads on 2 of keys and values": 8,
        "multi-query, 8 heads on one": 8,
    }.items()
    for n in (2, 3)
}
SHARED = {f"multi-query, 8 heads on one, {n} tokens: affine rank": n - 1 for n in (2, 3)}
GROUPED = {f"8 heads on 2 of keys and values, {n} tokens: affine rank": 2 * (n - 1) for n in (2, 3)}
COUNTING = {
    "one head: error of sums": both(1.05),
    "both heads: error of sums": both(0.02),
    "one head, beginning token in a dimension of its own: error of sums": both(0.001),
}
ABSENCE = {
    "tokens that make an absence significant, rate 1 %": 299,
    "texts a group that tell 1 % from 0.1 %, 80 % power": 22,
    "bag of words": both(0.5),
    "presence of words": both(1.0),
    "surprisal": both(1.0),
}
CLOSENESS = {
    "made-up texts, 好 and 坏 in the same frames: cosine": 1.0,
    "reviews: antonyms farther apart than synonyms, by cosine": [0.5, 0.52],
    "reviews: antonyms farther apart than synonyms, by log-odds of the classes": [0.8, 0.81],
}
COST = "seconds of a forward and backward pass, 128 tokens: additive / dot"
SCORES = {
    "dot: accuracy": both(0.8),
    "additive: accuracy": both(0.8),
    "additive − dot": [-0.001, 0.001],
    COST: [4.0, 4.1],
}
LEFT = {
    "keyword: without the cue": both(0.5),
    "keyword: without a random token": both(0.99),
    "negation: without the cue": both(0.5),
    "negation: without a random token": both(0.97),
}
HEADS = {
    "pairs of heads alike (divergence at most 0.1)": [0.2, 0.21],
    "pairs of heads apart (divergence above 0.3)": [0.4, 0.41],
    "accuracy lost with the least needed head": both(0.0),
    "accuracy lost with the most needed head": both(0.3),
}
DEPTH = {
    "1 layer of 4 heads: accuracy": both(0.99),
    "4 layers of one head: accuracy": both(0.99),
    "deep − wide": [0.0, 0.001],
    "seconds of training: deep / wide": [3.0, 3.1],
}
NETWORKS = {
    "attention": both(0.7),
    "convolutions": both(0.75),
    "LSTM in both directions": both(0.75),
    "attention − convolutions": [-0.05, -0.051],
    "attention − LSTM in both directions": [-0.05, -0.051],
}
CHANCE, RIGHT, UNSURE = both(0.5), both(1.0), [0.4, 0.9]
KEYWORDS = {"bag of words": RIGHT, "attention": RIGHT}
NEGATION = {"bag of words": CHANCE, "words and pairs": RIGHT, "attention": RIGHT}
ORDER = NEGATION | {"words with their places": RIGHT}
DISTANCE = {
    "words with their places": CHANCE,
    "words and pairs": CHANCE,
    "words, pairs and triples": CHANCE,
    "attention": RIGHT,
}
TRAINED = "rows that train in every run, recipe “{}”"
TRAININGS = {
    "runs of each row under the recipe of the notes, at least": 3,
    TRAINED.format("notes"): 9,
    TRAINED.format("pre-norm"): 23,
}

CASES = [
    ("independent-pairs", PAIRS, {}, HOLDS),
    ("independent-pairs", PAIRS, {"another token changed: scores of the other pairs": 0.1}, NOT),
    ("independent-pairs", PAIRS, {"another token changed: weights of the other pairs": 0.0}, NOT),
    ("independent-pairs", PAIRS, {"dot product: bilinear defect": 0.1}, PART),
    ("normalizer-coupling", COUPLING, {}, HOLDS),
    ("normalizer-coupling", COUPLING, {"softmax: ab by cd": 0.01}, NOT),
    ("normalizer-coupling", COUPLING, {"softmax: ab by ac": 0.0}, NOT),
    ("normalizer-coupling", COUPLING, {"capsule: ab by ac": 0.1}, PART),
    ("normalizer-coupling", COUPLING, {"sinkhorn: ab by cd": 0.0}, PART),
    ("convex-hull", HULL, {}, PART),
    ("convex-hull", HULL, {"softmax, one head: to the hull": 0.01}, NOT),
    ("convex-hull", HULL, {"query to its output": 2.0}, HOLDS),
    ("degrees-of-freedom", FREEDOM, {}, PART),
    ("degrees-of-freedom", FREEDOM, {"one head, 2 tokens: affine rank": 2}, HOLDS),
    ("degrees-of-freedom", FREEDOM, {"one head, 2 tokens: affine rank": 32}, NOT),
    ("degrees-of-freedom", FREEDOM, {"8 heads, 2 tokens: affine rank": 4}, NOT),
    ("multi-query", LAYOUTS, {}, NOT),
    ("multi-query", LAYOUTS, SHARED, HOLDS),
    ("multi-query", LAYOUTS, GROUPED, PART),
    ("three-and-five", COUNTING, {}, PART),
    ("three-and-five", COUNTING,
     {"one head, beginning token in a dimension of its own: error of sums": both(0.9)}, HOLDS),
    ("three-and-five", COUNTING, {"one head: error of sums": both(0.01)}, NOT),
    ("three-and-five", COUNTING, {"both heads: error of sums": both(0.9)}, NOT),
    ("three-and-five", COUNTING, {"both heads: error of sums": [0.02]}, OPEN),
    ("absence", ABSENCE, {}, HOLDS),
    ("absence", ABSENCE, {"tokens that make an absence significant, rate 1 %": 40}, NOT),
    ("absence", ABSENCE, {"surprisal": CHANCE}, PART),
    ("absence", ABSENCE, {"surprisal": UNSURE}, OPEN),
    ("substitutability", CLOSENESS, {}, HOLDS),
    ("substitutability", CLOSENESS,
     {"made-up texts, 好 and 坏 in the same frames: cosine": 0.5}, NOT),
    ("substitutability", CLOSENESS,
     {"reviews: antonyms farther apart than synonyms, by cosine": [0.9, 0.91]}, NOT),
    ("substitutability", CLOSENESS,
     {"reviews: antonyms farther apart than synonyms, by cosine": [0.3, 0.9]}, OPEN),
    ("keywords", KEYWORDS, {}, HOLDS),
    ("keywords", KEYWORDS, {"bag of words": CHANCE}, NOT),
    ("keywords", KEYWORDS, {"bag of words": UNSURE}, OPEN),
    ("negation", NEGATION, {}, HOLDS),
    ("negation", NEGATION, {"bag of words": RIGHT}, NOT),
    ("negation", NEGATION, {"words and pairs": CHANCE}, PART),
    ("negation", NEGATION, {"bag of words": UNSURE}, OPEN),
    ("order", ORDER, {}, HOLDS),
    ("order", ORDER, {"bag of words": RIGHT}, NOT),
    ("order", ORDER, {"words with their places": CHANCE, "words and pairs": CHANCE}, NOT),
    ("order", ORDER, {"words with their places": CHANCE}, PART),
    ("order", ORDER, {"words and pairs": UNSURE}, OPEN),
    ("distance", DISTANCE, {}, HOLDS),
    ("distance", DISTANCE, {"words and pairs": RIGHT}, NOT),
    ("distance", DISTANCE, {"attention": CHANCE}, PART),
    ("distance", DISTANCE, {"words and pairs": UNSURE}, OPEN),
    ("distance", DISTANCE, {"attention": UNSURE}, OPEN),
    ("additive-and-dot", SCORES, {}, HOLDS),
    ("additive-and-dot", SCORES, {COST: [0.9, 0.91]}, NOT),
    ("additive-and-dot", SCORES, {COST: [0.5, 2.0]}, OPEN),
    ("additive-and-dot", SCORES, {"additive − dot": [-0.1, 0.1]}, HOLDS),
    ("additive-and-dot", SCORES, {"additive − dot": [0.2, 0.21]}, PART),
    ("additive-and-dot", SCORES, {"additive − dot": [-0.2, -0.21]}, PART),
    ("additive-and-dot", SCORES, {"additive − dot": [0.0]}, OPEN),
    ("additive-and-dot", SCORES, {"dot: accuracy": CHANCE}, OPEN),
    ("omission", LEFT, {}, HOLDS),
    ("omission", LEFT,
     {"keyword: without the cue": both(0.95), "negation: without the cue": both(0.95)}, NOT),
    ("omission", LEFT, {"keyword: without the cue": both(0.95)}, PART),
    ("omission", LEFT, {"keyword: without a random token": both(0.5)}, PART),
    ("omission", LEFT, {"keyword: without the cue": UNSURE}, OPEN),
    ("heads-alike", HEADS, {}, HOLDS),
    ("heads-alike", HEADS, {"pairs of heads alike (divergence at most 0.1)": both(0.0)}, PART),
    ("heads-alike", HEADS, dict.fromkeys(list(HEADS)[:2], both(0.0)), NOT),
    ("heads-alike", HEADS, {"pairs of heads apart (divergence above 0.3)": [0.0, 0.9]}, OPEN),
    ("deep-single-head", DEPTH, {}, PART),
    ("deep-single-head", DEPTH, {"seconds of training: deep / wide": both(1.0)}, HOLDS),
    ("deep-single-head", DEPTH, {"deep − wide": both(-0.3)}, NOT),
    ("deep-single-head", DEPTH, {"deep − wide": [-0.3, 0.3]}, OPEN),
    ("without-pretraining", NETWORKS, {}, HOLDS),
    ("without-pretraining", NETWORKS, {"attention − convolutions": both(0.0)}, PART),
    ("without-pretraining", NETWORKS, dict.fromkeys(list(NETWORKS)[3:], both(0.01)), NOT),
    ("without-pretraining", NETWORKS, {key: [-0.1, 0.1] for key in list(NETWORKS)[3:]}, OPEN),
    ("trainability", TRAININGS, {}, PART),
    ("trainability", TRAININGS, {TRAINED.format("notes"): 23}, NOT),
    ("trainability", TRAININGS, {TRAINED.format("pre-norm"): 9}, HOLDS),
    ("trainability", TRAININGS, {"runs of each row under the recipe of the notes, at least": 1},
     OPEN),
]  # fmt: skip


@pytest.mark.parametrize(
    ("slug", "basis", "other", "verdict"), CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)]
)
def test_verdicts_follow_from_figures(slug, basis, other, verdict):
    assert set(other) <= set(basis)
    found = CLAIMS[slug].judge(figures(basis | other))
    assert found.verdict == verdict
    assert found.sentence.endswith(".")


def test_every_claim_is_judged_in_more_than_one_way():
    found = {slug: {case[3] for case in CASES if case[0] == slug} for slug in CLAIMS}
    assert all(len(verdicts) > 1 for verdicts in found.values())


@pytest.mark.parametrize("slug", CLAIMS)
def test_what_is_not_measured_is_not_judged(slug):
    assert judged(CLAIMS[slug], {}).verdict == "not yet measured"


def test_notes_alone_with_failing_rows_hold():
    given = dict(TRAININGS)
    del given[TRAINED.format("pre-norm")]
    assert CLAIMS["trainability"].judge(figures(given)).verdict == HOLDS
