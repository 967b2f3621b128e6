"""Claims that are computed, and drawn from nothing: each can turn out any way, too."""

import pytest
from claim_figures import (
    EXACT,
    HOLDS,
    NOT,
    PART,
    check_names,
    check_sentences,
    check_verdict,
)

PAIRS = {
    "dot product: bilinear defect": 0.0,
    "dot product, turned places (rope): bilinear defect": 0.0,
    "dot product of projections with a bias: bilinear defect": 0.3,
    "text as the sum of its halves: scores": 0.0,
    "another token changed: scores of the other pairs": 0.0,
    "another token changed: weights of the other pairs": 0.3,
}
ABSOLUTE, RELATIVE = ("learned vectors", "sines"), ("T5's biases", "Shaw's vectors", "rope")
PLACES = {
    f"{name}: {what}": value
    for names, values in {
        ("no places",): (0.0, 0.0, 0.0, 0.0),
        ABSOLUTE: (3.0, 2.0, 2.5, 0.0),
        RELATIVE: (1e-15, 4.0, 3.0, 0.0),
        ("ALiBi",): (0.0, 4.25, 0.0, 0.0),
    }.items()
    for name in names
    for what, value in zip(
        ("all tokens 17 places on", "keys alone 17 places on", "places counted from the end",
         "another token changed, scores of the other pairs"), values,
    )
}  # fmt: skip
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
    "one head, 5 tokens: linear rank": 5,
    "4 heads, 2 tokens: affine rank": 4,
    "8 heads, 2 tokens: affine rank": 8,
    "softmax per dimension, 2 tokens: affine rank": 32,
}

CASES = [
    ("independent-pairs", PAIRS, {}, HOLDS),
    ("independent-pairs", PAIRS, {"another token changed: scores of the other pairs": 0.1}, NOT),
    ("independent-pairs", PAIRS, {"another token changed: weights of the other pairs": 0.0}, NOT),
    ("independent-pairs", PAIRS, {"dot product: bilinear defect": 0.1}, PART),
    ("position-tuple", PLACES, {}, HOLDS),
    ("position-tuple", PLACES, {"rope: keys alone 17 places on": 0.0}, PART),
    ("position-tuple", PLACES, {"Shaw's vectors: all tokens 17 places on": 0.1}, PART),
    ("position-tuple", PLACES, {"sines: all tokens 17 places on": 0.0}, PART),
    ("position-tuple", PLACES, {"sines: another token changed, scores of the other pairs": 0.1},
     NOT),
    ("position-tuple", PLACES, dict.fromkeys(PLACES, 0.0), NOT),
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
]  # fmt: skip


@pytest.mark.parametrize(
    ("slug", "basis", "other", "verdict"), CASES, ids=[f"{c[0]}-{i}" for i, c in enumerate(CASES)]
)
def test_verdicts_follow_from_figures(slug, basis, other, verdict):
    check_verdict(slug, basis, other, verdict)


@pytest.mark.parametrize(
    ("slug", "basis", "other", "without", "within"),
    [
        ("degrees-of-freedom", FREEDOM, {"one head, 5 tokens: affine rank": 3}, "n − 1", "not n."),
        ("degrees-of-freedom", FREEDOM, {"one head, 2 tokens: linear rank": 1}, "linear rank", ""),
        ("degrees-of-freedom", FREEDOM, {"one head, 5 tokens: linear rank": 4}, "linear rank", ""),
        ("normalizer-coupling", COUPLING, {"dual softmax: ab by cd": 0.1}, "does not tie",
         "dual softmax, the product of both softmaxes, ties ab to cd"),
        ("normalizer-coupling", COUPLING, {
            "capsule, rows renormalized: ab by cd": 0.0,
            "capsule, rows renormalized: share of ab by cd, 6 × 6 random scores": 0.0,
         },
         "renormalized ties", "renormalized does not tie"),
        ("independent-pairs", PAIRS,
         {"dot product of projections with a bias: bilinear defect": 0.0}, "bias", ""),
        ("position-tuple", PLACES, {"ALiBi: places counted from the end": 1.0}, "|i − j|",
         "change with the distance. No score"),
        ("position-tuple", PLACES, {"rope: keys alone 17 places on": 0.0}, "ALiBi, rope",
         "They are neither with rope."),
        ("normalizer-coupling", COUPLING, {"capsule: ab by ac": 0.1}, "Sinkhorn all",
         "not of softmax over queries."),
        ("normalizer-coupling", COUPLING, SINKHORN_APART, "of one key alone", "not of Sinkhorn."),
        ("normalizer-coupling", COUPLING, SINKHORN_APART | {"capsule: ab by ac": 0.1},
         "Sinkhorn all", "not of softmax over queries and not of Sinkhorn."),
        ("convex-hull", HULL, {"softmax per dimension: to the hull": 0.0}, "dimension leaves",
         "dimension keeps to"),
        ("convex-hull", HULL, {"query to its output": 2.0}, "1.25 times as far",
         "by definition of its weights"),
    ],
)  # fmt: skip
def test_sentences_say_only_what_figures_do(slug, basis, other, without, within):
    check_sentences(slug, basis, other, without, within)


@pytest.mark.parametrize("slug", EXACT)
def test_cases_have_the_names_of_what_is_recorded(slug):
    check_names(slug, CASES)
