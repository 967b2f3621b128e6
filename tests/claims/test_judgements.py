"""Each claim can turn out any way: figures that would refute it give another verdict."""

import pytest
from claim_figures import (
    CHANCE,
    HOLDS,
    NOT,
    OPEN,
    PART,
    RIGHT,
    UNSURE,
    alike,
    check_names,
    check_sentences,
    check_verdict,
)

from nlpfeat.claims import CLAIMS
from nlpfeat.claims.figures import Figure
from nlpfeat.claims.kept import judged
from nlpfeat.claims.trainability.settings import STEADY

PAIRS = {
    "dot product: bilinear defect": 0.0,
    "dot product, turned places (rope): bilinear defect": 0.0,
    "dot product of projections with a bias: bilinear defect": 0.3,
    "text as the sum of its halves: scores": 0.0,
    "another token changed: scores of the other pairs": 0.0,
    "another token changed: weights of the other pairs": 0.3,
}
COUPLING = {
    f"{name}: {pairs}": value
    for name, values in {
        "softmax": (-0.0625, 0, 0),
        "capsule": (0, -0.0625, 0),
        "capsule, rows renormalized": (-0.05, -0.05, 0.0156),
        "sinkhorn": (-0.05, -0.05, 0.0156),
        "dual softmax": (-0.0156, -0.0156, 0),
    }.items()
    for pairs, value in zip(("ab by ac", "ab by cb", "ab by cd"), values)
} | {
    f"{name}: share of ab by cd, 6 × 6 random scores": value
    for name, value in {
        "softmax": 0, "capsule": 0, "capsule, rows renormalized": 0.06, "sinkhorn": 0.07,
        "dual softmax": 0,
    }.items()
}  # fmt: skip
SINKHORN_APART = {
    "sinkhorn: ab by cd": 0.0,
    "sinkhorn: share of ab by cd, 6 × 6 random scores": 0.0,
}
HULL = {
    "softmax, one head: to the hull": 1e-16,
    "softmax, four heads: to the hull of each": 1e-16,
    "softmax per dimension: to the hull": 1.0,
    "softmax, weights dropped in training: to the hull": 2.0,
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
    f"{layout}, 3 tokens: affine rank": rank
    for layout, rank in {
        "one head": 2,
        "8 heads": 16,
        "8 heads on 2 of keys and values": 16,
        "multi-query, 8 heads on one": 16,
    }.items()
} | {
    "one head: accuracy": alike(0.7),
    "8 heads: accuracy": alike(0.98),
    "multi-query, 8 heads on one: accuracy": alike(0.97),
    "multi-query − 8 heads": [-0.011, -0.01, -0.009],
    "multi-query − one head": [0.26, 0.27, 0.28],
}
SHARED = {"multi-query, 8 heads on one, 3 tokens: affine rank": 2}
BETWEEN = {"multi-query, 8 heads on one, 3 tokens: affine rank": 4}
WORSE = {"multi-query − 8 heads": alike(-0.2)}
NO_GAIN = {"multi-query − one head": alike(-0.01)}
UNCLEAR = {"multi-query − 8 heads": [-0.2, 0.0, 0.1]}
COUNTING = {
    "one head: error of sums": alike(1.05),
    "both heads: error of sums": alike(0.02),
    "one head, beginning token in a dimension of its own: error of sums": alike(0.001),
}
ABSENCE = {
    "tokens that make an absence significant, rate 1 %": 299,
    "texts a group that tell 1 % from 0.1 %, 80 % power": 22,
    "1 % against 0.1 %, absent": 0.5,
    "1 % against 0.1 %, present": 8.0,
    "texts below: how often the word that may be missing is expected": 3.5,
    "bag of words": 0.5,
    "presence of words": alike(1.0),
    "surprisal": alike(1.0),
}
CLOSENESS = {
    "reviews: antonyms farther apart than synonyms, by cosine": (0.4, 0.6),
    "reviews: antonyms farther apart than synonyms, by log-odds of the classes": (0.7, 0.9),
}
COST = "seconds of a forward and backward pass, both written out: additive / dot"
SCORES = {
    "dot: accuracy": alike(0.8),
    "additive: accuracy": alike(0.8),
    "additive − dot": [-0.001, 0.0, 0.001],
    COST: [4.0, 4.1, 4.2],
}
CUE_MORE = "without the cue − without as many other tokens"
LEFT = {
    "negation: accuracy": alike(0.98),
    "negation, without the cue: accuracy": 0.5,
    "negation, without as many other tokens: accuracy": alike(0.87),
    CUE_MORE: [-0.38, -0.37, -0.36],
}
PAIRS_ALIKE = "pairs of heads alike (divergence at most 0.1)"
PAIRS_APART = "pairs of heads apart (divergence above 0.3)"
MORE_ALIKE, MORE_APART = f"{PAIRS_ALIKE}: after − before", f"{PAIRS_APART}: after − before"


def of_pairs(value, n_seeds=10):
    """A share of the pairs of heads: 4 of a network have no head in common."""
    return Figure("", (value,) * n_seeds, "of all pairs", "drawn", 4)


ALIKE, APART = f"{PAIRS_ALIKE}, after training", f"{PAIRS_APART}, after training"
HEADS = {
    ALIKE: of_pairs(0.3),
    f"{PAIRS_ALIKE}, before training": of_pairs(0.1),
    MORE_ALIKE: alike(0.2),
    APART: of_pairs(0.4),
    f"{PAIRS_APART}, before training": of_pairs(0.2),
    MORE_APART: alike(0.2),
    "accuracy lost with the head that training texts need least": alike(0.0),
    "accuracy lost with the head that training texts need most": alike(0.3),
}
DEPTH = {
    "1 layer of 4 heads: accuracy": alike(0.99),
    "4 layers of one head: accuracy": alike(0.99),
    "deep − wide": [0.0, 0.001, 0.002],
    "seconds of training: deep / wide": [3.0, 3.1, 3.2],
}
NETWORKS = {
    "attention": alike(0.7),
    "convolutions": alike(0.75),
    "LSTM in both directions": alike(0.75),
    "attention − convolutions": [-0.05, -0.051, -0.052],
    "attention − LSTM in both directions": [-0.05, -0.051, -0.052],
}
KEYWORDS = {"bag of words": RIGHT, "attention": RIGHT}
NEGATION = {"bag of words": 0.5, "words and pairs": RIGHT, "attention": RIGHT}
ORDER = NEGATION | {"words with their places": RIGHT}
AT_DISTANCE = "words, and pairs at their distance"
ABOVE_CHANCE = [0.8, 0.9, 0.85]
DISTANCE = {
    "words with their places": 0.5,
    "words and pairs": 0.5,
    "words, pairs and triples": 0.5,
    AT_DISTANCE: CHANCE,
    "attention": RIGHT,
}


def rows(count, of):
    return Figure("", (count,), f"of {of} rows", "counted")


FEWEST = "runs of each row under the recipe of the notes, at least"
HARD = "trainings of six layers in which most runs fail"
FAILING = f"of these, such as were run under “{STEADY.name}”: learn in every run"
TRAININGS = {FEWEST: 3, HARD: rows(9, of=14), FAILING: rows(9, of=9)}

CASES = [
    ("independent-pairs", PAIRS, {}, HOLDS),
    ("independent-pairs", PAIRS, {"another token changed: scores of the other pairs": 0.1}, NOT),
    ("independent-pairs", PAIRS, {"another token changed: weights of the other pairs": 0.0}, NOT),
    ("independent-pairs", PAIRS, {"dot product: bilinear defect": 0.1}, PART),
    ("normalizer-coupling", COUPLING, {}, HOLDS),
    ("normalizer-coupling", COUPLING, {"softmax: ab by cd": 0.01}, NOT),
    ("normalizer-coupling", COUPLING, {"softmax: ab by ac": 0.0}, NOT),
    ("normalizer-coupling", COUPLING, {"capsule: ab by ac": 0.1}, PART),
    ("normalizer-coupling", COUPLING, {"capsule: ab by cd": 0.01}, PART),
    ("normalizer-coupling", COUPLING, {"sinkhorn: ab by ac": 0.0}, PART),
    ("normalizer-coupling", COUPLING, SINKHORN_APART, PART),
    ("normalizer-coupling", COUPLING,
     {"softmax: share of ab by cd, 6 × 6 random scores": 0.01}, NOT),
    ("normalizer-coupling", COUPLING,
     {"capsule: share of ab by cd, 6 × 6 random scores": 0.01}, PART),
    ("convex-hull", HULL, {}, PART),
    ("convex-hull", HULL, {"query to its output": 2.0}, HOLDS),
    ("convex-hull", HULL, {"softmax, one head: to the hull": 0.01}, NOT),
    ("convex-hull", HULL, {"softmax, four heads: to the hull of each": 0.01}, NOT),
    ("degrees-of-freedom", FREEDOM, {}, PART),
    ("degrees-of-freedom", FREEDOM,
     {"one head, 2 tokens: affine rank": 2, "one head, 5 tokens: affine rank": 5}, HOLDS),
    ("degrees-of-freedom", FREEDOM, {"one head, 2 tokens: affine rank": 2}, PART),
    ("degrees-of-freedom", FREEDOM, {"one head, 5 tokens: affine rank": 32}, NOT),
    ("degrees-of-freedom", FREEDOM, {"one head, 2 tokens: affine rank": 32}, NOT),
    ("degrees-of-freedom", FREEDOM, {"8 heads, 2 tokens: affine rank": 4}, NOT),
    ("multi-query", LAYOUTS, {}, NOT),
    ("multi-query", LAYOUTS, WORSE, NOT),
    ("multi-query", LAYOUTS, SHARED, HOLDS),
    ("multi-query", LAYOUTS, BETWEEN, PART),
    ("multi-query", LAYOUTS, BETWEEN | WORSE, PART),
    ("multi-query", LAYOUTS, SHARED | WORSE, NOT),
    ("multi-query", LAYOUTS, SHARED | NO_GAIN, NOT),
    ("multi-query", LAYOUTS, SHARED | UNCLEAR, OPEN),
    ("multi-query", LAYOUTS, SHARED | {"8 heads: accuracy": CHANCE}, OPEN),
    ("three-and-five", COUNTING, {}, PART),
    ("three-and-five", COUNTING,
     {"one head, beginning token in a dimension of its own: error of sums": alike(0.9)}, HOLDS),
    ("three-and-five", COUNTING, {"one head: error of sums": alike(0.01)}, NOT),
    ("three-and-five", COUNTING, {"both heads: error of sums": alike(0.9)}, NOT),
    ("three-and-five", COUNTING, {"both heads: error of sums": [0.02]}, OPEN),
    ("absence", ABSENCE, {}, HOLDS),
    ("absence", ABSENCE, {"tokens that make an absence significant, rate 1 %": 40}, NOT),
    ("absence", ABSENCE, {"surprisal": CHANCE}, PART),
    ("absence", ABSENCE, {"presence of words": CHANCE}, PART),
    ("absence", ABSENCE, {"presence of words": UNSURE}, OPEN),
    ("absence", ABSENCE, {"bag of words": 1.0}, OPEN),
    ("absence", ABSENCE, {"surprisal": UNSURE}, OPEN),
    ("substitutability", CLOSENESS, {}, HOLDS),
    ("substitutability", CLOSENESS,
     {"reviews: antonyms farther apart than synonyms, by cosine": (0.7, 0.9)}, NOT),
    ("substitutability", CLOSENESS,
     {"reviews: antonyms farther apart than synonyms, by cosine": (0.02, 0.15)}, NOT),
    ("substitutability", CLOSENESS,
     {"reviews: antonyms farther apart than synonyms, by cosine": (0.3, 0.6)}, OPEN),
    ("keywords", KEYWORDS, {}, HOLDS),
    ("keywords", KEYWORDS, {"bag of words": CHANCE}, NOT),
    ("keywords", KEYWORDS, {"bag of words": UNSURE}, OPEN),
    ("negation", NEGATION, {}, HOLDS),
    ("negation", NEGATION, {"words and pairs": CHANCE}, NOT),
    ("negation", NEGATION, {"words and pairs": UNSURE}, OPEN),
    ("order", ORDER, {}, HOLDS),
    ("order", ORDER, {"words with their places": CHANCE, "words and pairs": CHANCE}, NOT),
    ("order", ORDER, {"words with their places": CHANCE}, PART),
    ("order", ORDER, {"words and pairs": UNSURE}, OPEN),
    ("distance", DISTANCE, {}, HOLDS),
    ("distance", DISTANCE, {AT_DISTANCE: RIGHT}, PART),
    ("distance", DISTANCE, {"attention": CHANCE}, PART),
    ("distance", DISTANCE, {AT_DISTANCE: RIGHT, "attention": CHANCE}, NOT),
    ("distance", DISTANCE, {AT_DISTANCE: alike(0.8)}, HOLDS),
    ("distance", DISTANCE, {AT_DISTANCE: [0.8, 0.9, 1.0]}, OPEN),
    ("distance", DISTANCE, {"attention": UNSURE}, OPEN),
    ("distance", DISTANCE, {"attention": ABOVE_CHANCE}, OPEN),
    ("distance", DISTANCE, {AT_DISTANCE: RIGHT, "attention": ABOVE_CHANCE}, OPEN),
    ("additive-and-dot", SCORES, {}, HOLDS),
    ("additive-and-dot", SCORES, {COST: [0.9, 0.91, 0.92]}, PART),
    ("additive-and-dot", SCORES, {COST: alike(0.9), "additive − dot": alike(0.2)}, NOT),
    ("additive-and-dot", SCORES, {COST: [0.5, 1.0, 2.0]}, OPEN),
    ("additive-and-dot", SCORES, {"additive − dot": [-0.1, 0.0, 0.1]}, OPEN),
    ("additive-and-dot", SCORES, {"additive − dot": [-0.2, -0.05, 0.1]}, OPEN),
    ("additive-and-dot", SCORES, {"additive − dot": [0.2, 0.21, 0.22]}, PART),
    ("additive-and-dot", SCORES, {"additive − dot": [-0.2, -0.21, -0.22]}, PART),
    ("additive-and-dot", SCORES, {"additive − dot": [0.0, 0.0]}, OPEN),
    ("additive-and-dot", SCORES, {"dot: accuracy": CHANCE}, OPEN),
    ("additive-and-dot", SCORES, {"additive: accuracy": CHANCE}, OPEN),
    ("omission", LEFT, {}, HOLDS),
    ("omission", LEFT, {CUE_MORE: alike(0.0)}, NOT),
    ("omission", LEFT, {CUE_MORE: alike(0.1)}, NOT),
    ("omission", LEFT, {CUE_MORE: [-0.4, 0.0, 0.1]}, OPEN),
    ("omission", LEFT, {"negation: accuracy": CHANCE}, OPEN),
    ("heads-alike", HEADS, {}, HOLDS),
    ("heads-alike", HEADS, {MORE_ALIKE: alike(-0.1), MORE_APART: alike(-0.1)}, HOLDS),
    ("heads-alike", HEADS, {ALIKE: of_pairs(0.0)}, PART),
    ("heads-alike", HEADS, {APART: of_pairs(0.0)}, PART),
    ("heads-alike", HEADS, {ALIKE: of_pairs(0.0), APART: of_pairs(0.0)}, NOT),
    ("heads-alike", HEADS, {APART: of_pairs(0.1)}, OPEN),
    ("heads-alike", HEADS, {ALIKE: of_pairs(0.0, n_seeds=3)}, OPEN),
    ("deep-single-head", DEPTH, {}, HOLDS),
    ("deep-single-head", DEPTH, {"seconds of training: deep / wide": [1.0, 2.0, 3.0]}, HOLDS),
    ("deep-single-head", DEPTH, {"deep − wide": alike(-0.05)}, NOT),
    ("deep-single-head", DEPTH, {"deep − wide": alike(-0.3)}, NOT),
    ("deep-single-head", DEPTH, {"deep − wide": [-0.3, 0.0, 0.3]}, OPEN),
    ("deep-single-head", DEPTH, dict.fromkeys(list(DEPTH)[:2], CHANCE), OPEN),
    ("without-pretraining", NETWORKS, {}, HOLDS),
    ("without-pretraining", NETWORKS, {"attention − convolutions": alike(0.0)}, PART),
    ("without-pretraining", NETWORKS, dict.fromkeys(list(NETWORKS)[3:], alike(0.01)), NOT),
    ("without-pretraining", NETWORKS, {key: [-0.1, 0.0, 0.1] for key in list(NETWORKS)[3:]}, OPEN),
    ("without-pretraining", NETWORKS,
     dict.fromkeys(NETWORKS, CHANCE) | dict.fromkeys(list(NETWORKS)[3:], alike(0.0)), OPEN),
    ("trainability", TRAININGS, {}, PART),
    ("trainability", TRAININGS, {HARD: rows(3, of=14)}, NOT),
    ("trainability", TRAININGS, {HARD: rows(6, of=14), FAILING: rows(2, of=6)}, PART),
    ("trainability", TRAININGS, {FAILING: rows(8, of=9)}, HOLDS),
    ("trainability", TRAININGS, {FAILING: rows(3, of=3)}, HOLDS),
    ("trainability", TRAININGS, {FEWEST: 1}, OPEN),
]  # fmt: skip


@pytest.mark.parametrize(
    ("slug", "basis", "other", "verdict"), CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)]
)
def test_verdicts_follow_from_figures(slug, basis, other, verdict):
    check_verdict(slug, basis, other, verdict)


@pytest.mark.parametrize("slug", CLAIMS)
def test_what_is_not_measured_is_not_judged(slug):
    assert judged(CLAIMS[slug], {}).verdict == "not yet measured"


@pytest.mark.parametrize(
    ("slug", "basis", "other", "without", "within"),
    [
        ("degrees-of-freedom", FREEDOM, {"one head, 5 tokens: affine rank": 3}, "n − 1", "not n."),
        ("degrees-of-freedom", FREEDOM, {"one head, 2 tokens: linear rank": 1}, "linear rank", ""),
        ("normalizer-coupling", COUPLING, {"dual softmax: ab by cd": 0.1}, "does not tie",
         "dual softmax, the product of both softmaxes, ties ab to cd"),
        ("normalizer-coupling", COUPLING, {
            "capsule, rows renormalized: ab by cd": 0.0,
            "capsule, rows renormalized: share of ab by cd, 6 × 6 random scores": 0.0,
         },
         "renormalized ties", "renormalized does not tie"),
        ("independent-pairs", PAIRS,
         {"dot product of projections with a bias: bilinear defect": 0.0}, "bias", ""),
        ("multi-query", LAYOUTS, WORSE, "better than one head", "not work as well as is said"),
        ("multi-query", LAYOUTS, UNCLEAR, "better than one head:", "is open"),
        ("additive-and-dot", SCORES, {"additive − dot": alike(0.2)}, "within 0.02",
         "Additive attention is clearly better"),
        ("additive-and-dot", SCORES, {"additive − dot": alike(-0.2)}, "within 0.02",
         "Dot products are clearly better"),
        ("normalizer-coupling", COUPLING, {"capsule: ab by ac": 0.1}, "Sinkhorn all",
         "not of softmax over queries."),
        ("normalizer-coupling", COUPLING, SINKHORN_APART, "of one key alone", "not of Sinkhorn."),
        ("normalizer-coupling", COUPLING, SINKHORN_APART | {"capsule: ab by ac": 0.1},
         "Sinkhorn all", "not of softmax over queries and not of Sinkhorn."),
        ("convex-hull", HULL, {"softmax per dimension: to the hull": 0.0}, "dimension leaves",
         "dimension keeps to"),
        ("convex-hull", HULL, {"query to its output": 2.0}, "1.25 times as far",
         "by definition of its weights"),
        ("heads-alike", HEADS, {ALIKE: of_pairs(0.0)}, "are alike, and apart",
         "pairs are apart; that some are alike does not hold"),
        ("heads-alike", HEADS, {APART: of_pairs(0.1)}, "are alike, and apart",
         "Whether more than a tenth of the pairs are apart is open: 30 %"),
        ("deep-single-head", DEPTH, {"deep − wide": alike(-0.3)}, "at most 0.05", "0.05 or more"),
        ("distance", DISTANCE, {AT_DISTANCE: RIGHT}, "stay below 0.9",
         "two words and their relative place are enough here"),
        ("distance", DISTANCE, {AT_DISTANCE: RIGHT, "attention": ABOVE_CHANCE}, "stay below 0.9",
         "Attention is above chance, but not known to be above 0.9. Pairs at their relative "
         "distance are right, so that this half of the criterion has failed already, and it can "
         "hold in part at most:"),
        ("distance", DISTANCE, {"attention": ABOVE_CHANCE}, "attention is right",
         "not known to be above 0.9. Pairs at their relative distance stay below 0.9, which"),
        ("distance", DISTANCE, {"attention": [0.79, 0.8, 0.81]}, "attention is right",
         "Attention is above chance, but not above 0.9."),
        ("distance", DISTANCE, {"attention": UNSURE}, "attention is right",
         "Attention is not known to be right or at chance."),
        ("distance", DISTANCE, {AT_DISTANCE: [0.8, 0.9, 1.0]}, "stay below",
         "Attention is right. Whether pairs at their relative distance are right is open:"),
        ("distance", DISTANCE, {AT_DISTANCE: [0.8, 0.9, 1.0], "attention": CHANCE}, "stay below",
         "Attention is at chance. Whether pairs"),
        ("omission", LEFT, {CUE_MORE: [-0.4, 0.0, 0.1]}, "cost less. Of an accuracy",
         "Whether as many other tokens cost less is open"),
        ("substitutability", CLOSENESS,
         {"reviews: antonyms farther apart than synonyms, by cosine": (0.3, 0.7)}, "within .15",
         "it would take at least 26 pairs of each kind."),
        ("absence", ABSENCE, {
            "texts below: how often the word that may be missing is expected": 2.0,
            "1 % against 0.1 %, present": 4.0,
         }, "3.5", "An occurrence weighs 2 bits, an absence 1."),
        ("absence", ABSENCE, {"tokens that make an absence significant, rate 1 %": 300}, "299",
         "At a rate of 1 % absence is significant from 300 tokens on"),
    ],
)  # fmt: skip
def test_sentences_say_only_what_figures_do(slug, basis, other, without, within):
    check_sentences(slug, basis, other, without, within)


@pytest.mark.parametrize("slug", [slug for slug in CLAIMS if slug != "trainability"])
def test_cases_have_the_names_of_what_is_recorded(slug):
    check_names(slug, CASES)
