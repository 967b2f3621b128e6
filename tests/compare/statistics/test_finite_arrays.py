import numpy as np
import pytest

from nlpfeat.compare.statistics.finite_arrays import finite_array, runs_by_documents
from nlpfeat.errors import InvalidInputError


def test_numbers_become_float64():
    found = finite_array([[1, 2], [3, 4]], "differences", "repeats", "halves")
    assert found.dtype == np.float64
    assert found.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert finite_array([], "p_values", "tests").shape == (0,)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.1, float("nan")], r"p_values must be finite\. Got nan at index 1: leave it out"),
        ([float("-inf"), 0.1], "Got -inf at index 0"),
        (["好", "坏"], "p_values must hold numbers. Got an array of <U1"),
        ([0.1, None], "p_values must hold numbers. Got an array of object"),
        ([[0.1], [0.2]], r"p_values must be an array \(tests\). Got an array of shape \(2, 1\)"),
        ([[0.1], [0.2, 0.3]], "its rows differ in length"),
        (0.1, r"Got an array of shape \(\)"),
    ],
)
def test_what_is_no_array_of_numbers(values, message):
    with pytest.raises(InvalidInputError, match=message):
        finite_array(values, "p_values", "tests")


def test_the_place_of_a_missing_number_in_a_table():
    values = np.zeros((3, 4))
    values[2, 1] = np.nan
    with pytest.raises(InvalidInputError, match=r"Got nan at index \(2, 1\)"):
        runs_by_documents(values, "values_a")


def test_one_run_may_be_flat_and_bool_stays_bool():
    assert runs_by_documents([True, False], "values").dtype == np.bool_
    assert runs_by_documents([1, 0, 1], "values").tolist() == [[1.0, 0.0, 1.0]]


@pytest.mark.parametrize(
    "values", [[], [0.5], [[0.5], [0.5]], np.empty((0, 5)), np.zeros((2, 3, 4))]
)
def test_what_cannot_be_resampled(values):
    with pytest.raises(InvalidInputError, match=r"values (must have the shape|must be an array)"):
        runs_by_documents(values, "values")


def test_runs_of_different_documents():
    with pytest.raises(InvalidInputError, match=r"values must be .* its rows differ in length"):
        runs_by_documents([[0.1, 0.2], [0.3]], "values")
