"""Each claim can turn out any way: figures that would refute it give another verdict."""

import pytest
from claim_figures import (
    CHANCE,
    EXACT,
    HOLDS,
    NOT,
    OF_WORDS,
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
from nlpfeat.claims.trainability.settings import RATE_FREE

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
    "reviews: pairs of antonyms, both words at least 20 times": 50,
    "reviews: pairs of synonyms, both words at least 20 times": 60,
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
CUE_MORE = "negation: without the cue − without as many others"
STRONGEST = "without the strongest token − without as many others"
STRONGEST_MORE, WHOLE_MORE = f"negation: {STRONGEST}", f"omitted whole: {STRONGEST}"
FOUND = "omitted whole: accuracy"
LEFT = {
    "negation: accuracy": alike(0.98),
    "negation, without the cue: accuracy": alike(0.5),
    "negation, without two others: accuracy": alike(0.87),
    "negation, without the strongest token: accuracy": alike(0.6),
    "negation, without another: accuracy": alike(0.9),
    CUE_MORE: [-0.38, -0.37, -0.36],
    STRONGEST_MORE: [-0.31, -0.3, -0.29],
    FOUND: alike(0.97),
    "omitted whole, without the strongest token: accuracy": alike(0.8),
    "omitted whole, without another: accuracy": alike(0.9),
    WHOLE_MORE: [-0.11, -0.1, -0.09],
}
NO_LOSS = dict.fromkeys((CUE_MORE, STRONGEST_MORE, WHOLE_MORE), alike(0.0))
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
    return Figure("", (count,), f"of {of} rows", "counted", trials=of)


FEWEST = "runs of each row under the recipe of the notes, at least"
HARD = "trainings of six layers in which most runs fail"
FAILING = f"of those that fail, such as were run under “{RATE_FREE.name}”: learn in every run"
ALL = f"trainings of the notes with three runs under “{RATE_FREE.name}”: learn in every run"
HARD_TOO, FAILING_TOO, ALL_TOO = (f"{name}, vectors drawn too" for name in (HARD, FAILING, ALL))
TRAININGS = {
    FEWEST: 3,
    HARD: rows(9, of=14), FAILING: rows(9, of=9), ALL: rows(9, of=9),
    HARD_TOO: rows(9, of=14), FAILING_TOO: rows(9, of=9), ALL_TOO: rows(9, of=9),
}  # fmt: skip

CASES = [
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
    ("omission", LEFT, NO_LOSS | {FOUND: CHANCE}, NOT),
    ("omission", LEFT, NO_LOSS, PART),
    ("omission", LEFT, {CUE_MORE: alike(0.1)}, PART),
    ("omission", LEFT, {STRONGEST_MORE: alike(0.0)}, PART),
    ("omission", LEFT, {WHOLE_MORE: alike(0.0)}, PART),
    ("omission", LEFT, {FOUND: CHANCE}, PART),
    ("omission", LEFT, {CUE_MORE: [-0.4, 0.0, 0.1]}, OPEN),
    ("omission", LEFT, {CUE_MORE: [-0.4, 0.0, 0.1], WHOLE_MORE: alike(0.0)}, PART),
    ("omission", LEFT, {FOUND: UNSURE}, OPEN),
    # Of a model that learned nothing nothing can be taken.
    ("omission", LEFT, {FOUND: CHANCE, WHOLE_MORE: [-0.4, 0.0, 0.1]}, PART),
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
    ("without-pretraining", NETWORKS, dict.fromkeys(list(NETWORKS)[3:], alike(0.009)), NOT),
    ("without-pretraining", NETWORKS, dict.fromkeys(list(NETWORKS)[3:], alike(0.02)), NOT),
    ("without-pretraining", NETWORKS,
     {key: [-0.015, -0.01, 0.01] for key in list(NETWORKS)[3:]}, OPEN),
    ("without-pretraining", NETWORKS, {key: [-0.1, 0.0, 0.1] for key in list(NETWORKS)[3:]}, OPEN),
    ("without-pretraining", NETWORKS,
     dict.fromkeys(NETWORKS, CHANCE) | dict.fromkeys(list(NETWORKS)[3:], alike(0.0)), OPEN),
    ("trainability", TRAININGS, {}, PART),
    ("trainability", TRAININGS, {HARD: rows(3, of=14), HARD_TOO: rows(3, of=14)}, NOT),
    ("trainability", TRAININGS, {HARD: rows(6, of=14), HARD_TOO: rows(6, of=14),
                                 FAILING: rows(5, of=6)}, PART),
    ("trainability", TRAININGS, {HARD: rows(3, of=14), FAILING_TOO: rows(8, of=9)}, PART),
    ("trainability", TRAININGS, {HARD_TOO: rows(6, of=14), FAILING: rows(8, of=9)}, PART),
    ("trainability", TRAININGS, {FAILING: rows(8, of=9)}, HOLDS),
    ("trainability", TRAININGS, {FAILING_TOO: rows(8, of=9)}, HOLDS),
    ("trainability", TRAININGS, {ALL: rows(9, of=10)}, HOLDS),
    ("trainability", TRAININGS, {ALL_TOO: rows(9, of=10)}, HOLDS),
    ("trainability", TRAININGS, {FAILING: rows(3, of=3)}, HOLDS),
    ("trainability", TRAININGS, {HARD: rows(3, of=14), HARD_TOO: rows(6, of=14),
                                 FAILING_TOO: rows(5, of=6)}, PART),
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
        ("multi-query", LAYOUTS, WORSE, "better than one head", "not work as well as is said"),
        ("multi-query", LAYOUTS, UNCLEAR, "better than one head:", "is open"),
        ("additive-and-dot", SCORES, {"additive − dot": alike(0.2)}, "within 0.01",
         "Additive attention is clearly better"),
        ("additive-and-dot", SCORES, {"additive − dot": alike(-0.2)}, "within 0.01",
         "Dot products are clearly better"),
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
        ("omission", LEFT, {CUE_MORE: [-0.4, 0.0, 0.1]}, "More is lost without the cue",
         "More is lost without the strongest token (negation) or the strongest token (omitted "
         "whole) than without as many others. Whether more is lost without the cue (negation) than "
         "without as many others is open. A whole that the clause before says is found. Of an "
         "accuracy of 0.980 (negation) are left 0.500 without the cue and 0.870 without two"),
        ("omission", LEFT, {WHOLE_MORE: alike(0.0)}, "(negation) or the strongest token (omitted",
         "No more is lost without the strongest token (omitted whole) than without as many"),
        ("omission", LEFT, {FOUND: CHANCE}, "the strongest token (omitted whole) than",
         "A whole that the clause before says is not found."),
        ("omission", LEFT, {FOUND: UNSURE}, "says is found.",
         "Whether a whole that the clause before says is found is open."),
        ("substitutability", CLOSENESS,
         {"reviews: antonyms farther apart than synonyms, by cosine": (0.3, 0.7)}, "within .15",
         "tell: of 50 pairs of antonyms and 60 of synonyms, AUC 0.50 by cosine, 0.80 by the "
         "classes of the texts. At such an AUC by cosine it would take at least 26 pairs of each"),
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


@pytest.mark.parametrize("slug", [slug for slug in CLAIMS if slug not in (*EXACT, *OF_WORDS)])
def test_cases_have_the_names_of_what_is_recorded(slug):
    check_names(slug, CASES)
