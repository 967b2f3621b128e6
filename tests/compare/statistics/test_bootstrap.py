import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from nlpfeat.compare.metrics import METRICS
from nlpfeat.compare.statistics.bootstrap import (
    bootstrap_mean,
    bootstrap_statistic,
    difference_interval,
    figure_interval,
    paired_bootstrap,
)
from nlpfeat.compare.statistics.interval import Interval
from nlpfeat.compare.statistics.resampled_figures import observed_figures, resampled_figures
from nlpfeat.compare.statistics.resolution import half_width, paired_half_width
from nlpfeat.errors import InvalidInputError, InvalidParameterError


def right(*accuracies, n_documents=2_000, seed=0):
    random = np.random.default_rng(seed)
    return np.stack([random.random(n_documents) < accuracy for accuracy in accuracies])


def predicted(n_runs=2, n_documents=300, n_classes=3, sharpness=1.5, seed=0):
    """Classes, and log-probabilities that know something of them."""
    random = np.random.default_rng(seed)
    classes = np.random.default_rng(99).integers(n_classes, size=n_documents)
    scores = random.normal(size=(n_runs, n_documents, n_classes))
    scores[:, np.arange(n_documents), classes] += sharpness
    return classes, scores - np.log(np.exp(scores).sum(axis=2, keepdims=True))


def test_one_run_is_resampled_as_a_binomial():
    values = np.repeat([True, False], [180, 20])
    found = bootstrap_mean(values, n_resamples=20_000)
    # A resample has Binomial(200, .9) documents right.
    low, high = stats.binom.ppf([0.025, 0.975], 200, 0.9) / 200
    assert found.value == 0.9
    assert (found.low, found.high) == pytest.approx((low, high), abs=1 / 200)


def test_the_interval_of_a_difference_is_that_of_scipy():
    ours, theirs = right(0.85, n_documents=500)[0], right(0.8, n_documents=500, seed=1)[0]
    found = paired_bootstrap(ours, theirs)
    expected = stats.bootstrap(
        (ours * 1.0, theirs * 1.0), lambda a, b, axis: np.mean(a - b, axis=axis), paired=True,
        method="percentile", n_resamples=5_000, random_state=np.random.default_rng(5),
    ).confidence_interval  # fmt: skip
    assert found.value == pytest.approx(ours.mean() - theirs.mean())
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.003)


def test_the_half_widths_are_those_of_the_formulas():
    ours = right(0.91, n_documents=5_000)[0]
    theirs = ours ^ (np.arange(5_000) % 20 == 0)  # 5 % are not the same
    single = bootstrap_mean(ours, n_resamples=4_000)
    pair = paired_bootstrap(ours, theirs, n_resamples=4_000)
    assert (single.high - single.low) / 2 == pytest.approx(half_width(5_000, 0.91), rel=0.05)
    # The formula leaves out the square of the difference, here 4 % of one point.
    assert (pair.high - pair.low) / 2 == pytest.approx(paired_half_width(5_000, 0.05), rel=0.05)


def test_bool_and_float_are_the_same():
    ours, theirs = right(0.85, 0.86, n_documents=300), right(0.8, n_documents=300, seed=1)
    found = paired_bootstrap(ours, theirs, n_resamples=500)
    assert paired_bootstrap(ours * 1.0, theirs, n_resamples=500) == pytest.approx(found)
    assert paired_bootstrap(ours * 1, theirs * 1.0, n_resamples=500) == pytest.approx(found)


def test_the_other_way_round_it_is_the_opposite():
    # One run a side, so that no draw of runs tells the sides apart.
    ours, theirs = right(0.85, n_documents=200), right(0.8, n_documents=200, seed=1)
    one, other = paired_bootstrap(ours, theirs), paired_bootstrap(theirs, ours)
    assert (other.value, other.low, other.high) == pytest.approx((-one.value, -one.high, -one.low))


def test_runs_that_belong_together():
    # Both models suffer from the same bad training part: their difference does not vary at all.
    luck = np.array([[0.0], [0.3], [-0.3]])
    ours, theirs = np.full((3, 50), 0.5) + luck, np.full((3, 50), 0.4) + luck
    together = paired_bootstrap(ours, theirs, paired=True)
    assert (together.low, together.high) == pytest.approx((0.1, 0.1))
    apart = paired_bootstrap(ours, theirs)
    assert apart.low < -0.1 < 0.3 < apart.high


def test_of_several_runs_the_interval_knows_their_spread():
    values = np.array([[0.8], [0.9]]) + np.zeros((2, 100))
    found = bootstrap_mean(values)
    # Both drawn alike in every other resample: .05 from the mean, widened by √2.
    half = 0.05 * np.sqrt(2)
    assert (found.value, found.low, found.high) == pytest.approx((0.85, 0.85 - half, 0.85 + half))


def test_what_is_widened_stays_within_what_can_be():
    # One run has all right and one none: √2 times their distance is more than there is.
    ours = np.stack([np.ones(50, bool), np.zeros(50, bool)])
    assert bootstrap_mean(ours) == Interval(0.5, 0.0, 1.0)
    assert bootstrap_mean(ours * 1.0).high == pytest.approx(0.5 + 0.5**0.5)
    apart = paired_bootstrap(ours, ~ours)
    assert (apart.low, apart.high) == (-1.0, 1.0)
    assert bootstrap_statistic("accuracy", np.zeros(50, int), 1 - ours) == Interval(0.5, 0.0, 1.0)
    apart = bootstrap_statistic("accuracy", np.zeros(50, int), 1 - ours, ours * 1)
    assert (apart.low, apart.high) == (-1.0, 1.0)


def test_the_p_value_is_that_of_a_binomial():
    # Of 20 discordant documents 14 are a's: a resample has no more of them with the probability
    # that Binomial(100, .14) is no more than Binomial(.06) drawn with it.
    ours, theirs = np.zeros((2, 100), bool)
    ours[:14], theirs[14:20] = True, True
    found = paired_bootstrap(ours, theirs, n_resamples=20_000)
    ways = stats.multinomial(100, [0.14, 0.06, 0.8])
    below = sum(ways.pmf([a, b, 100 - a - b]) for a in range(51) for b in range(a, 51))
    assert found.p_value == pytest.approx(2 * below, abs=0.01)
    assert paired_bootstrap(theirs, ours, n_resamples=20_000).p_value == found.p_value
    assert paired_bootstrap(ours, ours).p_value == 1.0


def test_runs_are_not_drawn_as_documents_are():
    # Run i has document i alone right. If run and document were drawn by the same numbers, every
    # resample would have more right than there are: twice as many on the average.
    found = bootstrap_mean(np.eye(30, dtype=bool), n_resamples=2_000)
    assert found.low < found.value < found.high


def test_a_model_and_itself():
    ours = right(0.85, n_documents=200)
    found = paired_bootstrap(ours, ours)
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say():
    random = np.random.default_rng(0)
    held = []
    for _ in range(300):
        both = random.random((2, 200))
        ours, theirs = both[0] < 0.8, np.where(both[1] < 0.2, both[1] < 0.14, both[0] < 0.8)
        found = paired_bootstrap(ours, theirs, n_resamples=300)
        # Where the second model is redrawn it has 70 % right, else it is the first.
        held.append(found.low <= 0.2 * 0.1 <= found.high)
    assert np.mean(held) == pytest.approx(0.95, abs=0.03)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 3), st.integers(1, 3), st.integers(2, 30), st.integers(0, 2**32))
def test_the_interval_is_within_what_can_be(n_ours, n_theirs, n_documents, seed):
    random = np.random.default_rng(seed)
    ours = random.random((n_ours, n_documents)) < 0.9
    theirs = random.random((n_theirs, n_documents)) < 0.2
    found = paired_bootstrap(ours, theirs, n_resamples=50, random_state=seed)
    assert -1 <= found.low <= found.high <= 1
    assert found == paired_bootstrap(ours, theirs, n_resamples=50, random_state=seed)
    wide = paired_bootstrap(ours, theirs, n_resamples=50, random_state=seed, level=0.99)
    assert wide.low <= found.low
    assert found.high <= wide.high


@pytest.mark.parametrize("name", ["accuracy", "log_loss", "brier"])
def test_of_a_mean_both_ways_agree(name):
    classes, ours = predicted()
    _, theirs = predicted(n_runs=3, sharpness=1.3, seed=1)
    sums = METRICS[name].sums
    values = [np.hstack([sums.terms(classes, run) for run in runs]).T for runs in (ours, theirs)]
    expected = paired_bootstrap(*values)
    found = bootstrap_statistic(name, classes, ours, theirs)
    assert found.value == pytest.approx(expected.value)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=5e-4)
    alone = bootstrap_statistic(name, classes, ours)
    assert alone.value == pytest.approx(values[0].mean())
    assert alone.low == pytest.approx(bootstrap_mean(values[0]).low, abs=1e-3)


def test_macro_f1_is_that_of_scipy():
    classes, (ours,) = predicted(n_runs=1)
    _, (theirs,) = predicted(n_runs=1, sharpness=1.3, seed=1)
    found = bootstrap_statistic("macro_f1", classes, ours, theirs, n_resamples=3_000)
    compute = METRICS["macro_f1"].compute

    def difference(drawn):
        drawn = drawn.astype(int)
        return compute(classes[drawn], ours[drawn]) - compute(classes[drawn], theirs[drawn])

    expected = stats.bootstrap(
        (np.arange(len(classes)),), difference, vectorized=False, method="percentile",
        n_resamples=600, random_state=np.random.default_rng(0),
    ).confidence_interval  # fmt: skip
    width = found.high - found.low
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.12 * width)


def test_a_calibration_error_lies_in_its_interval():
    # Perfectly calibrated: the classes are drawn from the probabilities.
    random = np.random.default_rng(0)
    chances = random.uniform(0.5, 1.0, size=1_000)
    logs = np.log(np.stack([chances, 1 - chances], axis=1))
    classes = (random.random(1_000) > chances).astype(int)
    found = bootstrap_statistic("calibration_error", classes, logs)
    figures = resampled_figures("calibration_error", classes, logs)
    # A resample is worse calibrated than the documents that it is drawn from.
    assert figures.mean() > 1.3 * found.value
    low, high = np.percentile(figures, [2.5, 97.5]) - (figures.mean() - found.value)
    assert (found.low, found.high) == pytest.approx((low, high))
    assert 0 < found.low < found.value < found.high


def test_what_is_moved_stays_within_its_bounds():
    # One document of 40 is wrong, and calibration is as good: moved down, it would be below 0.
    logs = np.log(np.tile([0.975, 0.025], (40, 1)))
    classes = np.repeat([0, 1], [39, 1])
    found = bootstrap_statistic("calibration_error", classes, logs)
    assert found.value == pytest.approx(0, abs=1e-12)
    assert found.low == 0.0
    assert found.high > 0.0


def test_many_models_in_one_call():
    classes, ours = predicted()
    _, theirs = predicted(n_runs=3, sharpness=1.3, seed=1)
    both = np.concatenate([ours, theirs])
    settings = {"n_resamples": 500, "random_state": 3}
    figures = resampled_figures("macro_f1", classes, both, **settings)
    observed = observed_figures("macro_f1", classes, both)
    expected = bootstrap_statistic("macro_f1", classes, ours, theirs, level=0.9, **settings)
    sides = observed[:2], observed[2:], figures[:, :2], figures[:, 2:]
    assert difference_interval(*sides, level=0.9, random_state=3) == expected
    alone = bootstrap_statistic("macro_f1", classes, theirs, **settings)
    assert figure_interval(observed[2:], figures[:, 2:], random_state=3) == alone


def test_everything_right():
    classes = np.array([0, 1] * 20)
    everything = bootstrap_statistic("accuracy", classes, classes)
    assert (everything.value, everything.low, everything.high) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (([0.1, 0.2], [0.1, 0.2, 0.3]), "of the same documents. Got 2 and 3 documents"),
        (([], []), r"values_a must have the shape \(runs, documents\).*Got \(1, 0\)"),
        (([True], [False]), "at least 1 run and 2 documents: fewer cannot be resampled"),
        (([0.1, 0.2], [0.1, float("nan")]), r"values_b must be finite. Got nan at index \(0, 1\)"),
        (([0.1, 0.2], ["好", "坏"]), "values_b must hold numbers"),
        ((np.zeros((2, 3, 4)), np.zeros(4)), "values_a must"),
    ],
)
def test_values_that_cannot_be_compared(values, message):
    with pytest.raises(InvalidInputError, match=message):
        paired_bootstrap(*values)


def test_parameters_that_cannot_be():
    ours, theirs = right(0.8, 0.9), right(0.8)
    with pytest.raises(InvalidInputError, match="Got 2 and 1 runs: use paired=False"):
        paired_bootstrap(ours, theirs, paired=True)
    with pytest.raises(InvalidParameterError, match="paired must be True or False"):
        paired_bootstrap(ours, theirs, paired="yes")
    with pytest.raises(InvalidParameterError, match="level must be"):
        paired_bootstrap(ours, theirs, level=95)
    with pytest.raises(InvalidParameterError, match="n_resamples must be"):
        bootstrap_mean(ours, n_resamples=0)
    with pytest.raises(InvalidParameterError, match="random_state must be"):
        bootstrap_mean(ours, random_state=1.5)


def test_predictions_that_cannot_be_compared():
    classes, ours = predicted()
    with pytest.raises(InvalidInputError, match="predictions_b must be of the 300 documents"):
        bootstrap_statistic("macro_f1", classes, ours, ours[:, :200])
    wide = np.log(np.full((300, 4), 0.25))
    with pytest.raises(InvalidInputError, match=r"of the same classes\. Got 3 and 4"):
        bootstrap_statistic("macro_f1", classes, ours, wide)
    with pytest.raises(InvalidInputError, match="Got 2 and 1 runs"):
        bootstrap_statistic("macro_f1", classes, ours, ours[0], paired=True)
