"""Claims on words and how they are composed: each can turn out any way, too."""

import pytest
from claim_figures import (
    CHANCE,
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

from nlpfeat.claims.figures import Figure

FREQUENCY = {"presence of words": 0.5, "bag of words": RIGHT, "attention": UNSURE}
COMPOSITION = {
    "bag of words": 0.5,
    "words with their places": 0.5,
    "words and pairs": 0.5,
    "words, pairs and triples": RIGHT,
    "words, and pairs at their distance": CHANCE,
    "attention": UNSURE,
}
AT_DISTANCE = "words, and pairs at their distance"
FAR_PAIRS = {AT_DISTANCE: RIGHT}
SCOPE = {
    AT_DISTANCE: alike(0.7),
    "words with their places": 0.5,
    "words and pairs": 0.5,
    "words, pairs and triples": 0.5,
    "attention": RIGHT,
    "words, and who does what, given": 1.0,
}
QUANTIFIER = {
    AT_DISTANCE: CHANCE,
    "bag of words": 0.5,
    "words with their places": 0.5,
    "words, pairs and triples": 0.5,
    "attention": RIGHT,
}
UNITS, DEALT = "units of words with near vectors", "the same units, dealt out at random"
ROWS = "different rows of 4 words: so many times those of units"
GAIN, SAVED = "accuracy: units − units dealt out", "rows: units − units dealt out"
ABSTRACTION = {
    "bag of words": 0.5,
    "mean of word vectors": RIGHT,
    "attention": CHANCE,
    UNITS: RIGHT,
    DEALT: CHANCE,
    GAIN: alike(0.5),
    "different words: so many times the units": [3.4, 3.5, 3.6],
    ROWS: [6.4, 6.5, 6.6],
    "the same of units dealt out at random": [5.4, 5.5, 5.6],
    SAVED: alike(1.0),
}


def resplit(*values):
    """Values of seeds that split the same texts anew, one for test to two for training."""
    return Figure("", values, "", "drawn", overlap=0.5)


IMPORTANT = {
    f"{corpus}{name}": value
    for corpus in ("8 topics", "reviews")
    for name, value in {
        ", words by frequency: accuracy": alike(0.3),
        ", words by TF-IDF: accuracy": alike(0.4),
        ", words by surprisal: accuracy": alike(0.5),
        ": TF-IDF − frequency": resplit(0.09, 0.1, 0.11),
        ": surprisal − frequency": resplit(0.19, 0.2, 0.21),
        ": frequency by what an occurrence tells": resplit(-0.31, -0.3, -0.29),
    }.items()
}
GAINS = [name for name in IMPORTANT if "−" in name]
TELLS = "reviews: frequency by what an occurrence tells"
EACH_ALONE = "8 topics, a model of each topic / one model"
TOPICS = {
    EACH_ALONE: alike(0.9),
    "8 topics, a model of each topic / of each random group": alike(0.7),
    "8 topics, a model of each topic on top of the one / one model": alike(0.8),
    "8 topics, the same and topic not told / one model": alike(0.9),
    "8 topics, topic model of 8 / one model": alike(0.9),
    "reviews, topic model of 8 / one model": alike(0.9),
}
LEARNED = "8 topics, topic model of 8 / one model"

CASES = [
    ("frequency", FREQUENCY, {}, HOLDS),
    ("frequency", FREQUENCY, {"attention": CHANCE}, HOLDS),
    ("frequency", FREQUENCY, {"bag of words": CHANCE}, NOT),
    ("frequency", FREQUENCY, {"bag of words": UNSURE}, OPEN),
    ("composition", COMPOSITION, {}, HOLDS),
    ("composition", COMPOSITION, FAR_PAIRS, HOLDS),
    ("composition", COMPOSITION, {AT_DISTANCE: UNSURE}, HOLDS),
    ("composition", COMPOSITION, {"words, pairs and triples": CHANCE}, NOT),
    ("composition", COMPOSITION, {"words, pairs and triples": UNSURE}, OPEN),
    ("important-words", IMPORTANT, {}, HOLDS),
    ("important-words", IMPORTANT, {TELLS: resplit(0.49, 0.5, 0.51)}, PART),
    ("important-words", IMPORTANT, {TELLS: [-0.5, 0.3, 0.9]}, OPEN),
    ("important-words", IMPORTANT, {GAINS[0]: [-0.1, 0.0, 0.1]}, PART),
    # Above 0 as one of one, or with independent texts, and not as one of four.
    ("important-words", IMPORTANT, {GAINS[0]: resplit(0.07, 0.08, 0.09)}, PART),
    ("important-words", IMPORTANT, {GAINS[0]: [0.07, 0.08, 0.09]}, HOLDS),
    ("important-words", IMPORTANT, dict.fromkeys(GAINS, alike(0.0)), NOT),
    ("important-words", IMPORTANT, dict.fromkeys(GAINS, alike(-0.1)), NOT),
    ("important-words", IMPORTANT, {key: [-0.1, 0.0, 0.1] for key in GAINS}, OPEN),
    ("topics", TOPICS, {}, HOLDS),
    ("topics", TOPICS, {EACH_ALONE: alike(1.1)}, PART),
    ("topics", TOPICS, {LEARNED: alike(1.1)}, PART),
    # Below 1 as one of one, and not as one of six.
    ("topics", TOPICS, {LEARNED: [0.85, 0.9, 0.95]}, PART),
    ("topics", TOPICS, {LEARNED: [0.8, 1.0, 1.2]}, PART),
    ("topics", TOPICS, dict.fromkeys(TOPICS, alike(1.1)), NOT),
    ("topics", TOPICS, dict.fromkeys(TOPICS, alike(1.1)) | {LEARNED: [0.8, 1.0, 1.2]}, OPEN),
    ("scope", SCOPE, {}, HOLDS),
    ("scope", SCOPE, FAR_PAIRS, PART),
    ("scope", SCOPE, {"attention": CHANCE}, PART),
    ("scope", SCOPE, FAR_PAIRS | {"attention": CHANCE}, NOT),
    ("scope", SCOPE, {"attention": UNSURE}, OPEN),
    ("scope", SCOPE, {AT_DISTANCE: UNSURE}, OPEN),
    ("abstraction", ABSTRACTION, {}, HOLDS),
    ("abstraction", ABSTRACTION, {UNITS: CHANCE}, PART),
    ("abstraction", ABSTRACTION, {UNITS: CHANCE, "mean of word vectors": CHANCE}, NOT),
    ("abstraction", ABSTRACTION, {UNITS: UNSURE}, OPEN),
    ("abstraction", ABSTRACTION, {"mean of word vectors": UNSURE}, OPEN),
    ("abstraction", ABSTRACTION, {"mean of word vectors": CHANCE}, PART),
    ("abstraction", ABSTRACTION, {GAIN: alike(0.15)}, PART),
    ("abstraction", ABSTRACTION, {GAIN: [0.1, 0.3, 0.5]}, OPEN),
    ("abstraction", ABSTRACTION, {GAIN: [0.5]}, OPEN),
    ("abstraction", ABSTRACTION, {SAVED: alike(0.0)}, PART),
    ("abstraction", ABSTRACTION, {SAVED: alike(-1.0)}, PART),
    ("abstraction", ABSTRACTION, {SAVED: [-1.0, 1.0, 3.0]}, OPEN),
    ("quantifier", QUANTIFIER, {}, HOLDS),
    ("quantifier", QUANTIFIER, FAR_PAIRS, PART),
    ("quantifier", QUANTIFIER, {"attention": CHANCE}, PART),
    ("quantifier", QUANTIFIER, FAR_PAIRS | {"attention": CHANCE}, NOT),
    ("quantifier", QUANTIFIER, {"attention": UNSURE}, OPEN),
]  # fmt: skip


@pytest.mark.parametrize(
    ("slug", "basis", "other", "verdict"), CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)]
)
def test_verdicts_follow_from_figures(slug, basis, other, verdict):
    check_verdict(slug, basis, other, verdict)


@pytest.mark.parametrize(
    ("slug", "basis", "other", "without", "within"),
    [
        ("frequency", FREQUENCY, {"attention": CHANCE}, "of 3 seeds", "attention does not"),
        ("frequency", FREQUENCY, {"attention": RIGHT}, "of 3 seeds", "and attention does"),
        ("frequency", FREQUENCY, {"attention": [1.0, 0.5, 0.95, 0.9]}, "0 of 3 seeds",
         "attention is above 0.9 with 2 of 4 seeds"),
        ("frequency", FREQUENCY | {"attention": RIGHT}, {"attention": [0.75] * 10},
         "and attention does", "attention is above 0.9 with 0 of 10 seeds"),
        ("quantifier", QUANTIFIER, FAR_PAIRS, "stay below", "so do pairs at their relative"),
        ("scope", SCOPE, {"attention": CHANCE}, "attention is right",
         "with these settings, does not learn it"),
        ("scope", SCOPE, FAR_PAIRS | {"attention": CHANCE}, "stay below", "attention misses it"),
        ("composition", COMPOSITION, FAR_PAIRS, "are at chance, so that two words are not enough",
         "distance are right, too, since the idiom is a relation of two words: bag"),
        ("composition", COMPOSITION, {AT_DISTANCE: UNSURE}, "are at chance, so that two words",
         "or are not known:"),
        ("abstraction", ABSTRACTION, {"mean of word vectors": CHANCE}, "What is learned",
         "Units carry over to other words, vectors do not"),
        ("abstraction", ABSTRACTION, {GAIN: alike(0.15)}, "What is learned", "at most .2 less"),
        ("abstraction", ABSTRACTION, {SAVED: alike(0.0)}, "What is learned", "no more rows than"),
        ("topics", TOPICS, {EACH_ALONE: alike(1.1)}, "All models",
         "and worse than one of all texts."),
        ("topics", TOPICS, {EACH_ALONE: [0.8, 1.0, 1.2]}, "All models",
         "open: each topic against all texts."),
        ("topics", TOPICS, {LEARNED: alike(1.1)}, "All", "not below 1: learned topics of the"),
        ("topics", TOPICS, {LEARNED: [0.8, 1.0, 1.2]}, "All", "open: learned topics of the"),
        ("important-words", IMPORTANT, {GAINS[0]: alike(0.0)}, "base rate",
         "Ahead of frequency, with intervals of 98.75 %: surprisal on 8 topics, TF-IDF on reviews, "
         "surprisal on reviews; not ahead: TF-IDF on 8 topics. What is frequent hardly tells more: "
         "rank correlations of −0.300 (8 topics) and −0.300 (reviews), at most .3 with intervals "
         "of 97.5 %."),
        ("important-words", IMPORTANT, {GAINS[0]: [-0.1, 0.0, 0.1]}, "base rate",
         "surprisal on reviews; not known to be ahead: TF-IDF on 8 topics. What"),
        ("important-words", IMPORTANT, dict.fromkeys(GAINS, alike(0.0)), "base rate",
         "No ranking gains more than .01 over the most frequent words, with intervals of 98.75 %."),
        ("important-words", IMPORTANT, {key: [-0.1, 0.0, 0.1] for key in GAINS}, "base rate",
         "ahead of frequency, with intervals of 98.75 %, and whether one gains more than .01 is"),
        ("important-words", IMPORTANT, {TELLS: resplit(0.49, 0.5, 0.51)}, "hardly tells",
         "as many frequent ones, with intervals of 98.75 %. But what is frequent also tells more: "
         "rank correlations of −0.300 (8 topics) and 0.500 (reviews), not both at most .3"),
        ("important-words", IMPORTANT, {TELLS: [-0.5, 0.3, 0.9]}, "hardly tells",
         "is open: rank correlations of −0.300 (8 topics) and 0.233 (reviews), not known to be"),
        ("topics", TOPICS, dict.fromkeys(TOPICS, alike(1.1)) | {LEARNED: [0.8, 1.0, 1.2]}, "All",
         "open: learned topics of the same texts."),
        ("topics", TOPICS, dict.fromkeys(TOPICS, alike(1.1)) | {LEARNED: [0.8, 1.0, 1.2]}, "All",
         "No model of parts is known to be better. Ratios of perplexity, judged with intervals of "
         "99.2 %:"),
    ],
)  # fmt: skip
def test_sentences_say_only_what_figures_do(slug, basis, other, without, within):
    check_sentences(slug, basis, other, without, within)


@pytest.mark.parametrize("slug", OF_WORDS)
def test_cases_have_the_names_of_what_is_recorded(slug):
    check_names(slug, CASES)
