"""Checks of single parameters."""

import math

import numpy as np
import pytest

from nlpfeat._validation import check_bool, check_int, check_real
from nlpfeat.errors import InvalidParameterError


@pytest.mark.parametrize("value", [1, 1.0, np.float32(1), np.int64(1)])
def test_numbers_become_plain_floats(value):
    found = check_real(value, "x", above=0.0, at_most=1.0)
    assert (type(found), found) == (float, 1.0)


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf, 10**400, -(10**400), "1", None, True]
)
def test_what_is_no_finite_number_is_refused(value):
    with pytest.raises(InvalidParameterError, match="x must be a finite number"):
        check_real(value, "x")


@pytest.mark.parametrize("value", [0.0, 1.5])
def test_bounds_are_named(value):
    with pytest.raises(InvalidParameterError, match="above 0 and at most 1"):
        check_real(value, "x", above=0.0, at_most=1.0)


@pytest.mark.parametrize("value", [True, 1.0, "1", None])
def test_what_is_no_integer_is_refused(value):
    with pytest.raises(InvalidParameterError, match="x must be an integer"):
        check_int(value, "x")


@pytest.mark.parametrize("value", [1, 0, "True", None])
def test_what_is_no_truth_value_is_refused(value):
    with pytest.raises(InvalidParameterError, match="x must be True or False"):
        check_bool(value, "x")
