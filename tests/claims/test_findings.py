"""What runs say of what was expected of them, each verdict from runs made by hand."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from trainings import outcome

from nlpfeat.claims.figures import by_name
from nlpfeat.claims.trainability.explanations import explanations
from nlpfeat.claims.trainability.findings import (
    findings,
    median_interval,
    sign_flip_probability,
)
from nlpfeat.claims.trainability.records import Summary
from nlpfeat.claims.trainability.samples import changes_by_another_sample
from nlpfeat.claims.trainability.settings import (
    NOTES,
    RATE_FREE,
    RECIPES,
    SETTINGS,
    STEADY,
    VECTORS,
)

INDEPENDENT, CONTROL = RECIPES["independent layers"], RECIPES["without attention"]
PLAIN, WARMED, SAME_AS_WARMED = SETTINGS[0], SETTINGS[3], SETTINGS[4]
NORMAL = SETTINGS[9]  # the notes print 3.50
MODES, COPIES, WARMUP, WITHOUT, DROPOUT, SLOW = range(6)


def summary(setting, recipe, *losses):
    return Summary(setting, recipe, {seed: outcome(loss) for seed, loss in enumerate(losses)})


def found(place, *summaries):
    return list(findings(summaries))[place].judgement


def test_nothing_is_said_of_too_few_runs():
    assert {each.judgement.verdict for each in findings([])} == {"not yet measured"}
    assert {each.judgement.verdict for each in findings([summary(PLAIN, NOTES, 0.1, 3.5)])} == {
        "not yet measured"
    }


def both_readings(plain, drawn):
    """Runs of a row that draws, in either reading, with the same seeds."""
    return summary(NORMAL, NOTES, *plain), summary(NORMAL, VECTORS, *drawn)


@pytest.mark.parametrize(
    ("losses", "verdict", "told"),
    [
        (
            [0.1] * 20 + [3.5] * 20,
            "holds",
            "40 of 40 runs end below 1 or near 3.5; 1 of 1 rows have runs of both kinds, and 0 of "
            "their 40 runs ends between.",
        ),
        ([0.1] * 40, "not decidable here", "0 of 1 rows have runs of both kinds"),
        (
            [0.1] * 5 + [3.5] * 5,
            "not decidable here",
            "10 of 10 runs",
        ),  # too few to exclude a tenth
        (
            [0.1] * 5 + [2.0] * 4 + [float("inf")],
            "does not hold",
            "5 of 10 runs end below 1 or near 3.5",
        ),
    ],
)
def test_two_modes(losses, verdict, told):
    judgement = found(MODES, *both_readings(losses, losses))
    assert judgement.verdict == verdict
    first, second = judgement.sentence.split("Where biases and gains are drawn, too, ")
    assert told in first
    assert told in second
    alone = found(MODES, summary(PLAIN, NOTES, *losses))
    assert alone.verdict == "not decidable here"
    assert alone.sentence.endswith("The other reading is not complete.")


TWO_MODES = [0.1] * 20 + [3.5] * 20


@pytest.mark.parametrize(
    ("others", "verdict"),
    [
        (TWO_MODES, "holds"),
        ([0.1] * 20 + [3.0] * 20, "holds in part"),
        ([0.1] * 5 + [3.5] * 5, "holds in part"),
        ([0.1] * 20 + [3.5] * 10 + [2.0] * 10, "holds in part"),
    ],
)
def test_modes_are_those_of_both_readings(others, verdict):
    assert found(MODES, *both_readings(TWO_MODES, others)).verdict == verdict
    assert found(MODES, *both_readings(others, TWO_MODES)).verdict == verdict


def test_both_halves_of_the_criterion_belong_to_one_reading():
    mixed = [0.1] * 10 + [3.5] * 10 + [2.0] * 10  # in the first no run is stuck, nor between
    assert found(MODES, *both_readings([0.1] * 60, mixed)).verdict == "not decidable here"


def test_a_run_between_is_no_second_mode():
    judgement = found(MODES, *both_readings([0.1] * 60 + [2.0], [0.1] * 60 + [2.0]))
    assert "0 of 1 rows have runs of both kinds" in judgement.sentence
    assert judgement.verdict == "not decidable here"


def test_slow_rates_end_on_the_way_and_say_nothing_of_modes():
    slow = summary(SETTINGS[1], NOTES, *[0.5] * 40)
    assert found(MODES, slow).verdict == "not yet measured"


def test_rows_that_are_one_training_count_once():
    rows = (summary(row, NOTES, *[0.1, 3.5] * 4) for row in (WARMED, SAME_AS_WARMED))
    assert found(MODES, *rows).verdict == "not yet measured"  # eight runs, not sixteen


@pytest.mark.parametrize(
    ("copies", "independent", "verdict"),
    [(0, 6, "holds"), (6, 0, "does not hold"), (2, 3, "not decidable here")],
)
def test_copies_are_held_against_the_same_seeds(copies, independent, verdict):
    rows = [
        summary(PLAIN, recipe, *[0.1] * trained, *[3.5] * (6 - trained))
        for recipe, trained in ((NOTES, copies), (INDEPENDENT, independent))
    ]
    rows[1].outcomes[9] = outcome(3.5)  # a seed that only one of them has
    judgement = found(COPIES, *rows)
    assert judgement.verdict == verdict
    assert judgement.sentence.startswith(
        f"With copies {copies} of 6 runs learn, with layers of their own {independent} of the same"
    )


def test_what_is_drawn_anew_is_no_copy():
    rows = [summary(NORMAL, NOTES, *[3.5] * 6), summary(NORMAL, INDEPENDENT, *[0.1] * 6)]
    assert found(COPIES, *rows).verdict == "not yet measured"


def test_rows_with_one_seed_count_together():
    rows = [(PLAIN, NOTES, 3.5), (WARMED, NOTES, 3.5), (PLAIN, INDEPENDENT, 0.1),
            (WARMED, INDEPENDENT, 0.1)]  # fmt: skip
    judgement = found(COPIES, *(summary(row, recipe, *[loss] * 3) for row, recipe, loss in rows))
    # Six pairs of three seeds: two of the eight signs are as far from 0, not 2 of 64.
    assert "With copies 0 of 6 runs learn, with layers of their own 6" in judgement.sentence
    names = "“lr=1e-3, no warm-up”, “lr=1e-3, 1% warm-up”"
    assert f"({names}; 3 seeds, p = 0.25)" in judgement.sentence
    assert judgement.verdict == "not decidable here"


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_probability_is_that_of_all_signs(differences):
    signs = np.array(list(itertools.product((1, -1), repeat=len(differences))))
    sums = signs @ np.array(differences)
    expected = np.mean(np.abs(sums) >= abs(sum(differences)))
    assert sign_flip_probability(differences) == pytest.approx(expected)


def test_warmup_is_compared_within_a_recipe():
    cold = [summary(PLAIN, recipe, *[3.5] * 6) for recipe in (NOTES, INDEPENDENT)]
    warm = [summary(WARMED, recipe, *[0.1] * 6) for recipe in (NOTES, RECIPES["pre-norm"])]
    judgement = found(WARMUP, *cold, *warm)
    assert "Without it 0 of 6 runs learn, with it 6 of the same rows" in judgement.sentence
    assert judgement.verdict == "does not hold"
    judgement = found(WARMUP, *cold, summary(WARMED, NOTES, 0.1, *[3.5] * 5))
    assert judgement.verdict == "not decidable here"


def test_a_recipe_with_its_own_warmup_says_nothing_of_warmup():
    recipe = RECIPES["warm-up 100"]
    rows = [summary(row, recipe, 0.1, 0.1, 0.1) for row in (PLAIN, WARMED)]
    assert found(WARMUP, *rows).verdict == "not yet measured"


@pytest.mark.parametrize(
    ("without", "verdict", "told"),
    [
        (
            [0.1] * 6,
            "holds",
            "Under “independent layers” 6 of 6 runs learn, without attention 6 (“lr=1e-3, no "
            "warm-up”); where both do, the loss without it is 1.00 to 1.00 times the other.",
        ),
        ([0.2] * 6, "does not hold", "is 2.00 to 2.00 times the other"),
        ([0.1] * 3 + [0.2] * 3, "not decidable here", "is 1.00 to 2.00 times the other"),
        ([0.1] * 5 + [3.5], "not decidable here", "too few learn both ways"),
    ],
)
def test_the_control_without_attention(without, verdict, told):
    judgement = found(WITHOUT, summary(PLAIN, INDEPENDENT, *[0.1] * 6),
                      summary(PLAIN, CONTROL, *without))  # fmt: skip
    assert judgement.verdict == verdict
    assert told in judgement.sentence


@pytest.mark.parametrize(
    ("shares", "verdict", "told"),
    [
        (
            [0.5] * 6,
            "holds",
            "In 6 rows with runs below 0.2 under the recipe of the notes, 50 % of",
        ),
        ([0.1] * 6, "does not hold", "(median of the rows, [10, 10]; 10 to 10 in single rows)"),
        ([0.1] * 3 + [0.5] * 3, "not decidable here", "30 % of their loss go when dropout is off"),
        ([0.5] * 5, "not yet measured", "Fewer than 6 rows"),
    ],
)
def test_half_of_a_good_loss_is_dropout(shares, verdict, told):
    # The median run of a row is that of its share; one run of each is not good.
    rows = []
    for setting, share in zip([each for each in SETTINGS if each != SAME_AS_WARMED], shares):
        good = [replace(outcome(0.1), loss_without_dropout=0.1 * (1 - each))
                for each in (0.0, share, share)]  # fmt: skip
        rows.append(Summary(setting, NOTES, dict(enumerate([*good, outcome(3.5)]))))
    judgement = found(DROPOUT, *rows)
    assert judgement.verdict == verdict
    assert told in judgement.sentence


@pytest.mark.parametrize("n", [6, 9, 31])
def test_the_interval_of_a_median_leaves_out_what_the_binomial_does(n):
    low, high = median_interval([float(each) for each in range(n)])
    # So many values lie below the lower end; that as many or fewer lie below the median is rare.
    assert binom(n, 0.5).cdf(low) <= 0.025 < binom(n, 0.5).cdf(low + 1)
    assert high == n - 1 - low


def with_curve(setting, *curves, recipe=NOTES):
    ended = {seed: replace(outcome(curve[-1]), curve=curve) for seed, curve in enumerate(curves)}
    return Summary(setting, recipe, ended)


FLAT, FALLING = [4.0, 3.5, 3.52, 3.5], [4.0, 3.5, 3.0, 2.5]


@pytest.mark.parametrize(
    ("fast", "slow", "verdict"),
    [
        ([FLAT] * 3, [FALLING] * 3, "holds"),
        ([FALLING] * 3, [FLAT] * 3, "does not hold"),
        ([FLAT, FLAT, FALLING], [FALLING] * 3, "holds in part"),
        ([FLAT] * 3, [FALLING, FALLING, FLAT], "holds in part"),
        ([FLAT, FALLING, FALLING], [FALLING] * 3, "does not hold"),
        ([FLAT] * 3, [FLAT] * 3, "does not hold"),
        ([FLAT] * 3, [FALLING] * 2, "not yet measured"),
        ([[4.0, 3.0, 2.0, 0.5]] * 3, [FALLING] * 3, "not yet measured"),  # those have learned
        ([[4.0, 3.5, 9.0, float("inf")]] * 3, [FALLING] * 3, "not yet measured"),
    ],
)
def test_what_is_slow_still_falls(fast, slow, verdict):
    rows = with_curve(PLAIN, *fast), with_curve(SETTINGS[2], *slow)
    judgement = found(SLOW, *rows, with_curve(SETTINGS[2], FLAT, recipe=INDEPENDENT))
    assert judgement.verdict == verdict


def test_the_fall_is_that_from_the_third_quarter_to_the_last():
    eight = [9.0, 9.0, 9.0, 9.0, 3.0, 2.0, 2.0, 1.5]
    rows = with_curve(PLAIN, FLAT, FLAT, FLAT), with_curve(SETTINGS[2], eight, FALLING, FALLING)
    assert found(SLOW, *rows).sentence.endswith(
        "of 3 of the 3 runs with 0.001 that fail with a finite loss falls by less than 0.1, of all "
        "by at most 0.02; that of 3 of the 3 with smaller rates by more, of all by at least 0.50."
    )


@pytest.mark.parametrize(
    ("across", "within", "verdict"),
    [(0.2, 0.0, "holds"), (0.2, 0.1, "does not hold"), (0.0, 0.0, "does not hold")],
)
def test_samples_see_each_other_where_they_are_read_as_the_length(across, within, verdict):
    measured = [replace(each, values=(value,)) for each, value in
                zip(changes_by_another_sample(), (across, within), strict=True)]  # fmt: skip
    *_, last = findings([], by_name(measured))
    assert last.judgement.verdict == verdict


def explained(*summaries):
    return " ".join(explanations(summaries))


PRE_NORM = RECIPES["pre-norm"]


def test_single_changes_are_counted_beside_independent_layers():
    told = explained(
        summary(PLAIN, INDEPENDENT, 3.5, 0.1, 0.1), summary(PLAIN, PRE_NORM, 0.1, 0.1, 0.1),
        summary(NORMAL, INDEPENDENT, 0.1, 0.1, 0.1), summary(NORMAL, PRE_NORM, 0.1, 3.5, 0.1),
        summary(WARMED, INDEPENDENT, 0.1, 0.1), summary(WARMED, PRE_NORM, 0.1, 0.1),
    )  # fmt: skip
    assert told == (
        "Beside “independent layers”, on rows with three runs of the same seeds under both, so "
        "many learn in every run (in parentheses with layers drawn on their own and nothing else): "
        "“pre-norm” 1 of 2 (1)."
    )


@pytest.mark.parametrize(
    ("kept_rates", "raised", "is_told"),
    [
        ({STEADY: 1.8, PRE_NORM: 2.1}, 0.1, True),
        ({STEADY: 1.8, PRE_NORM: 0.1}, 0.1, False),
        ({STEADY: 0.1, PRE_NORM: 2.1}, 0.1, False),
        ({PRE_NORM: 2.1}, 0.1, False),  # what Prodigy is held against was not run
        ({STEADY: 1.8, PRE_NORM: 2.1}, 3.5, False),
        ({STEADY: 1.8, PRE_NORM: 2.1}, None, False),
    ],
)
def test_a_rate_is_too_small_where_raising_it_alone_helps(kept_rates, raised, is_told):
    losses = {NOTES: 2.3, **kept_rates, RATE_FREE: raised}
    rows = [summary(SETTINGS[2], recipe, *[loss] * 3)
            for recipe, loss in losses.items() if loss is not None]  # fmt: skip
    told = "“lr=1e-5, no warm-up” learns in no run of the 3 recipes that keep its rate, and in ever"
    assert (told in explained(*rows)) == is_told


def test_rows_that_do_not_agree_are_named():
    # The notes print 3.37, .56, .66, 3.50 and .424 of rows 0, 1, 7, 10 and 11.
    rows = [
        summary(PLAIN, NOTES, 3.5, 3.5, 0.1),
        summary(SETTINGS[1], NOTES, 0.1, 3.5, 0.1, 3.5),
        summary(SETTINGS[7], NOTES, 0.1, 0.1, 3.5), summary(SETTINGS[7], VECTORS, 3.5, 3.5, 3.5),
        summary(SETTINGS[10], NOTES, 0.1, 0.1, 0.1), summary(SETTINGS[10], VECTORS, 3.5, 3.5, 3.5),
        summary(SETTINGS[11], NOTES, 3.5, 3.5, 3.5), summary(SETTINGS[11], VECTORS, 3.0, 3.0, 3.0),
    ]  # fmt: skip
    assert explained(*rows) == (
        "In both readings most runs end on the side of 1 that the notes print, but of “uniform "
        "+-0.05” only where biases and gains are drawn, too; of “normal 0.02” only where matrices "
        "alone are drawn; of “lr=1e-4, no warm-up” (of which half do), “uniform +-0.01” in "
        "neither, and why is not known."
    )
    assert explained(*rows[:-1]) == ""  # a row of the second reading is missing


def test_nothing_is_explained_without_runs():
    assert explained() == ""
