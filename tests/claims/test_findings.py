"""What runs say of what was expected of them, each verdict from runs made by hand."""

import pytest
from scipy.stats import hypergeom
from trainings import outcome

from nlpfeat.claims.trainability.findings import findings
from nlpfeat.claims.trainability.records import Summary
from nlpfeat.claims.trainability.settings import NOTES, RECIPES, SETTINGS

INDEPENDENT, CONTROL = RECIPES["independent layers"], RECIPES["without attention"]
VECTORS = RECIPES["notes, vectors drawn too"]
PLAIN, WARMED, SAME_AS_WARMED = SETTINGS[0], SETTINGS[3], SETTINGS[4]
NORMAL, UNIFORM = SETTINGS[9], SETTINGS[11]  # the notes print 3.50 and 0.424
MODES, COPIES, WARMUP, WITHOUT, DROPOUT, DRAWN = range(6)


def summary(setting, recipe, *losses):
    return Summary(setting, recipe, {seed: outcome(loss) for seed, loss in enumerate(losses)})


def found(place, *summaries):
    return list(findings(summaries))[place].judgement


def test_nothing_is_said_of_too_few_runs():
    assert {each.judgement.verdict for each in findings([])} == {"not yet measured"}
    assert {each.judgement.verdict for each in findings([summary(PLAIN, NOTES, 0.1, 3.5)])} == {
        "not yet measured"
    }


@pytest.mark.parametrize(
    ("losses", "verdict", "told"),
    [
        (
            (0.1, 3.5, 3.5),
            "holds",
            "Of 3 runs with the rate 0.001 under the recipe of the notes 0 end",
        ),
        ((0.1, 0.1, 0.1), "does not hold", "of 1 rows 0 have runs on both sides"),
        ((0.1, 2.0, 3.5), "does not hold", "1 end between 1 and 3.3"),
    ],
)
def test_two_modes(losses, verdict, told):
    judgement = found(MODES, summary(PLAIN, NOTES, *losses))
    assert judgement.verdict == verdict
    assert told in judgement.sentence


def test_rows_that_are_one_training_count_once():
    judgement = found(MODES, *(summary(row, NOTES, 0.1, 3.5) for row in (WARMED, SAME_AS_WARMED)))
    assert judgement.verdict == "not yet measured"  # two runs, not four


@pytest.mark.parametrize(
    ("copies", "independent", "verdict"),
    [(0, 5, "holds"), (5, 0, "does not hold"), (2, 3, "not decidable here")],
)
def test_copies_are_held_against_the_same_seeds(copies, independent, verdict):
    rows = [
        summary(PLAIN, recipe, *[0.1] * trained, *[3.5] * (5 - trained))
        for recipe, trained in ((NOTES, copies), (INDEPENDENT, independent))
    ]
    rows[1].outcomes[9] = outcome(3.5)  # a seed that only one of them has
    judgement = found(COPIES, *rows)
    assert judgement.verdict == verdict
    assert f"{copies} of 5 runs train copies, {independent} of 5" in judgement.sentence


def test_probability_of_fishers_test_by_counting():
    judgement = found(COPIES, summary(PLAIN, NOTES, *[3.5] * 5),
                      summary(PLAIN, INDEPENDENT, *[0.1] * 5))  # fmt: skip
    # Of five that train among ten, all or none on one side: both ends of the distribution.
    ends = 2 * hypergeom(10, 5, 5).pmf(0)
    assert f"p = {ends:.2g})" in judgement.sentence


def test_warmup_is_compared_within_a_recipe():
    cold = [summary(PLAIN, recipe, *[3.5] * 4) for recipe in (NOTES, INDEPENDENT)]
    warm = [summary(WARMED, recipe, *[0.1] * 4) for recipe in (NOTES, RECIPES["pre-norm"])]
    judgement = found(WARMUP, *cold, *warm)
    assert "0 of 4 runs train without, 4 of 4" in judgement.sentence
    assert judgement.verdict == "does not hold"
    judgement = found(WARMUP, *cold, summary(WARMED, NOTES, 0.1, 3.5, 3.5, 3.5))
    assert judgement.verdict == "not decidable here"


def test_a_recipe_with_its_own_warmup_says_nothing_of_warmup():
    recipe = RECIPES["warm-up 100"]
    rows = [summary(row, recipe, 0.1, 0.1, 0.1) for row in (PLAIN, WARMED)]
    assert found(WARMUP, *rows).verdict == "not yet measured"


@pytest.mark.parametrize(
    ("without", "verdict", "told"),
    [
        ((0.1, 0.1, 0.1), "holds", "3 train with it, 3 without; where both do"),
        ((0.2, 0.2, 0.2), "does not hold", "is 2.00 times the other"),
        ((3.5, 3.5, 3.5), "not decidable here", "too few train both ways"),
    ],
)
def test_the_control_without_attention(without, verdict, told):
    judgement = found(WITHOUT, summary(PLAIN, INDEPENDENT, 0.1, 0.1, 0.1),
                      summary(PLAIN, CONTROL, *without))  # fmt: skip
    assert judgement.verdict == verdict
    assert told in judgement.sentence


def test_half_of_a_good_loss_is_dropout():
    judgement = found(DROPOUT, summary(PLAIN, NOTES, 0.1, 0.1, 0.1, 3.5))
    assert judgement.verdict == "holds"
    assert "Of 3 runs below 0.2" in judgement.sentence
    assert "50 to 50 %" in judgement.sentence


@pytest.mark.parametrize(
    ("vectors", "verdict"),
    [(0.1, "does not hold"), (3.5, "holds")],
)
def test_drawn_vectors_are_judged_by_what_the_notes_print(vectors, verdict):
    other = 3.5 if vectors == 0.1 else 0.1
    rows = [
        summary(NORMAL, NOTES, *[other] * 3),
        summary(NORMAL, VECTORS, *[vectors] * 3),
        summary(UNIFORM, NOTES, *[0.1] * 3),
        summary(UNIFORM, VECTORS, *[0.1] * 3),
        summary(PLAIN, VECTORS, *[0.1] * 3),  # no draw of its own
    ]
    judgement = found(DRAWN, *rows)
    assert judgement.verdict == verdict
    assert "Of 2 rows" in judgement.sentence
    same = [summary(NORMAL, recipe, 3.5, 3.5, 3.5) for recipe in (NOTES, VECTORS)]
    assert found(DRAWN, *same).verdict == "not decidable here"
