from collections import Counter
from itertools import product

import numpy as np
import pytest
from scipy import stats
from scipy.sparse import csr_array

from nlpfeat.compare.statistics import resampling
from nlpfeat.compare.statistics.resampling import mean_of_drawn_runs, resampled_sums
from nlpfeat.errors import InvalidParameterError


def loop(terms, n_resamples, seed):
    """The same by plain loops: documents drawn one resample after the other, and added up."""
    random = np.random.default_rng(seed)
    n = len(terms)
    return np.array([terms[random.integers(n, size=n)].sum(axis=0) for _ in range(n_resamples)])


@pytest.mark.parametrize("kind", [bool, float])
def test_sums_are_those_of_a_loop(kind):
    terms = np.random.default_rng(1).normal(size=(37, 5)) > 0.3
    terms = terms if kind is bool else terms * np.random.default_rng(2).normal(size=(37, 5))
    expected = loop(terms, 50, seed=3)
    np.testing.assert_allclose(resampled_sums(terms, 50, 3), expected, rtol=1e-12, atol=1e-12)
    if kind is bool:
        np.testing.assert_array_equal(resampled_sums(terms, 50, 3), expected)


@pytest.mark.parametrize("n_columns", [3, 400])  # the second is sparse enough to stay sparse
def test_sparse_terms(n_columns):
    dense = np.zeros((40, n_columns))
    dense[np.arange(40), np.arange(40) % n_columns] = np.arange(40) - 20.5
    expected = resampled_sums(dense, 30)
    np.testing.assert_allclose(resampled_sums(csr_array(dense), 30), expected, rtol=1e-12)
    right = csr_array(dense > 0)
    np.testing.assert_array_equal(resampled_sums(right, 30), resampled_sums(dense > 0, 30))


def test_each_way_to_draw_is_as_frequent_as_it_should_be():
    # 27 ways to draw 3 of 3 documents, told apart by powers of ten.
    terms = np.array([[1.0], [10.0], [100.0]])
    expected = Counter(sum(ways) for ways in product([1.0, 10.0, 100.0], repeat=3))
    found = Counter(resampled_sums(terms, 54_000).ravel().tolist())
    assert found.keys() == expected.keys()
    observed, wanted = zip(*((found[key], 2_000 * n) for key, n in expected.items()))
    assert stats.chisquare(observed, wanted).pvalue > 0.001


def test_blocks_change_nothing(monkeypatch):
    terms = np.random.default_rng(0).random((50, 3)) < 0.5
    whole = resampled_sums(terms, 103)
    for drawn in (1, 50, 77, 1_000):
        monkeypatch.setattr(resampling, "_DRAWN", drawn)
        np.testing.assert_array_equal(resampled_sums(terms, 103), whole)


def test_seeds():
    terms = np.random.default_rng(0).random((50, 3))
    assert resampled_sums(terms, 9, 4).tobytes() == resampled_sums(terms, 9, 4).tobytes()
    assert resampled_sums(terms, 9, 4).tobytes() != resampled_sums(terms, 9, 5).tobytes()
    # The first columns do not depend on the others, nor the first resamples on the rest.
    np.testing.assert_allclose(
        resampled_sums(terms[:, :2], 5, 4), resampled_sums(terms, 9, 4)[:5, :2]
    )


def test_drawn_runs_are_those_of_a_loop():
    figures = np.random.default_rng(0).random((200, 3))
    runs = np.random.default_rng(7).integers(3, size=(200, 3))
    expected = []
    for row, drawn in zip(figures, runs):
        mean = sum(row) / 3
        expected.append(mean + (sum(row[run] for run in drawn) / 3 - mean) * (3 / 2) ** 0.5)
    found = mean_of_drawn_runs(figures, np.random.default_rng(7))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    alone = figures[:, :1]
    np.testing.assert_array_equal(mean_of_drawn_runs(alone, np.random.default_rng(7)), alone[:, 0])


def test_drawn_runs_by_hand():
    # Of two runs with 0 and 1 the mean is 0, 1/2 or 1 with probabilities 1/4, 1/2, 1/4, and its
    # distance from 1/2 is widened by √2: its variance is 1/4, that of the mean of two new runs,
    # s² / 2 with s² = 1/2.
    means = mean_of_drawn_runs(np.tile([0.0, 1.0], (40_000, 1)), np.random.default_rng(0))
    ends = [0.5 - 0.5**0.5, 0.5, 0.5 + 0.5**0.5]
    shares = [np.isclose(means, value).mean() for value in ends]
    np.testing.assert_allclose(shares, [0.25, 0.5, 0.25], atol=0.01)
    assert means.var() == pytest.approx(1 / 4, rel=0.02)


def test_few_runs_vary_as_new_ones_would():
    """The truth is 0; three runs of variance 1 have a mean of variance 1/3."""
    random = np.random.default_rng(0)
    variances, held = [], []
    for _ in range(800):
        figures = np.tile(random.normal(size=3), (200, 1))
        means = mean_of_drawn_runs(figures, random)
        plain = figures.mean() + (means - figures.mean()) * np.sqrt(2 / 3)
        variances.append([means.var(), plain.var()])
        held.append([low <= 0 <= high for low, high in
                     (np.percentile(each, [2.5, 97.5]) for each in (means, plain))])  # fmt: skip
    widened, plain = np.mean(variances, axis=0)
    assert widened == pytest.approx(1 / 3, rel=0.07)
    assert plain == pytest.approx(2 / 9, rel=0.07)
    # Nearer to 95 % than without, though percentiles of three runs alone stay below it.
    widened, plain = np.mean(held, axis=0)
    assert plain + 0.03 < widened < 0.95


def test_documents_and_runs_together_vary_as_they_should():
    # x = mean + run + document + rest. Drawing both, the mean has the variance
    # (of runs) / R + (of documents) / N + (of the rest) / (R N): Owen (2007). What runs add is
    # widened by R / (R - 1).
    values = np.random.default_rng(0).normal(size=(4, 60))
    values += np.array([[0.0], [0.2], [-0.1], [0.4]])
    runs = values.mean(axis=1, keepdims=True) - values.mean()
    documents = values.mean(axis=0, keepdims=True) - values.mean()
    rest = values - values.mean() - runs - documents
    expected = (runs.var() / 4 + rest.var() / 240) * 4 / 3 + documents.var() / 60
    sums = resampled_sums(values.T, 40_000)
    means = mean_of_drawn_runs(sums / 60, np.random.default_rng(1))
    assert means.mean() == pytest.approx(values.mean(), abs=0.003)
    assert means.var() == pytest.approx(expected, rel=0.03)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_resamples": 0}, "n_resamples must be an integer that is at least 1. Got 0"),
        ({"n_resamples": 1e4}, "n_resamples must be an integer that is at least 1. Got 10000.0"),
        ({"random_state": -1}, "random_state must be an integer that is at least 0. Got -1"),
        ({"random_state": None}, "random_state must be an integer"),
    ],
)
def test_parameters_that_cannot_be(settings, message):
    with pytest.raises(InvalidParameterError, match=message):
        resampled_sums(np.zeros((3, 1)), **settings)
