"""Numbers as people read them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.rendering import numbers

WRITERS = (numbers.decimal, numbers.signed, numbers.percent, numbers.points, numbers.quantity,
           numbers.p_value)  # fmt: skip


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("value", [None, math.nan])
def test_no_number_is_a_dash(write, value):
    assert write(value) == "–"


@pytest.mark.parametrize("write", WRITERS)
@given(st.floats())
def test_every_number_has_a_text_without_a_hyphen(write, value):
    assert write(value)
    assert "-" not in write(value)


@given(st.floats(-1e6, 1e6))
def test_decimal_reads_back(value):
    written = numbers.decimal(value, 3).replace("−", "-").replace(",", "")
    assert float(written) == pytest.approx(value, abs=0.5001e-3)


@given(st.floats(1e-6, 1e9))
def test_quantity_is_right_to_half_a_percent(value):
    written = numbers.quantity(value).replace("−", "-").replace(",", "")
    assert float(written) == pytest.approx(value, rel=0.00501)


@pytest.mark.parametrize(
    ("value", "written"),
    [(0.0, "0.0"), (-0.0, "0.0"), (-0.0004, "0.0"), (0.0004, "0.0"), (0.0123, "+1.2")],
)
def test_points_have_no_sign_at_zero(value, written):
    assert numbers.points(value) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [(1e-12, "1.0e−12"), (0.0005, "0.000500"), (99.96, "100.0"), (100.4, "100"), (-3.456, "−3.46")],
)
def test_quantities_by_hand(value, written):
    assert numbers.quantity(value) == written
