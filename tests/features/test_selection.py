"""Which columns are kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.counts.feature_space import FeatureFrequencies
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.features.selection import Selection, check_selection


def frequencies(occurrences, documents):
    return FeatureFrequencies(np.array(occurrences), np.array(documents))


FOUND = frequencies([5, 9, 1, 5, 7], [3, 4, 1, 2, 4])


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ((1, 1.0, None, 4), [0, 1, 2, 3, 4]),
        ((0, 1.0, None, 4), [0, 1, 2, 3, 4]),
        ((2, 1.0, None, 4), [0, 1, 3, 4]),
        ((0.5, 1.0, None, 4), [0, 1, 3, 4]),
        ((0.51, 1.0, None, 4), [0, 1, 4]),
        ((1, 3, None, 4), [0, 2, 3]),
        ((1, 0.75, None, 4), [0, 2, 3]),
        ((1, 1, None, 4), [2]),
        ((1, 1.0, 3, 4), [0, 1, 4]),
        ((1, 1.0, 4, 4), [0, 1, 3, 4]),
        ((1, 3, 1, 4), [0]),
        ((np.int64(2), np.float64(1), np.int32(9), 4), [0, 1, 3, 4]),
    ],
)
def test_by_hand(settings, wanted):
    assert Selection.of(*settings).columns(FOUND, binary=False).tolist() == wanted


def test_binary_goes_by_documents():
    chosen = Selection.of(1, 1.0, 2, 4)
    assert chosen.columns(frequencies([9, 5, 7], [1, 3, 2]), binary=True).tolist() == [1, 2]
    assert chosen.columns(frequencies([9, 5, 7], [1, 3, 2]), binary=False).tolist() == [0, 2]


def test_least_whole_number_of_documents():
    bounds = [(0, 1), (1, 1), (3, 3), (0.0, 1), (0.3, 3), (0.31, 4), (1.0, 10)]
    assert [Selection.of(bound, 1.0, None, 10).min_documents for bound, _ in bounds] == [
        wanted for _, wanted in bounds
    ]


@given(st.integers(1, 1000), st.integers(0, 100))
def test_a_share_of_so_many_hundredths_includes_its_bound(n, percent):
    # .07 times 100 is 7.000000000000001 in floating point, and .29 times 100 is below 29.
    chosen = Selection.of(percent / 100, 1.0, None, 100 * n)
    assert chosen.least == n * percent
    assert Selection.of(0, percent / 100, None, 100 * n).most == n * percent


@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3)), min_size=1, max_size=9),
    st.integers(1, 10),
    st.randoms(),
)
def test_ties_go_to_the_first(cells, size, draw):
    documents = [document for document, _ in cells]
    occurrences = [document + more for document, more in cells]
    kept = Selection.of(1, 1.0, size, 4).columns(frequencies(occurrences, documents), binary=False)
    ranked = sorted(range(len(cells)), key=lambda column: (-occurrences[column], column))
    assert kept.tolist() == sorted(ranked[:size])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ((-1, 1.0, None), r"min_df \(an integer, or a float from 0 to 1\) must be an integer"),
        ((1.5, 1.0, None), "min_df .* must be a finite number at most 1. Got 1.5"),
        ((-0.5, 1.0, None), "min_df must be an integer of at least 0, or a float from 0 to 1"),
        ((1, True, None), "max_df .* must be an integer"),
        ((1, "all", None), "max_df .* Got 'all'"),
        ((float("nan"), 1.0, None), "min_df .* finite"),
        ((1, 1.0, 0), "max_features must be an integer that is at least 1. Got 0"),
        ((1, 1.0, 2.0), "max_features must be an integer"),
    ],
)
def test_values_that_cannot_be(settings, message):
    with pytest.raises(InvalidParameterError, match=message):
        check_selection(*settings)
    with pytest.raises(InvalidParameterError, match=message):
        Selection.of(*settings, 10)


def test_bounds_that_cross():
    with pytest.raises(
        InvalidParameterError, match=r"Got max_df=0.1 and min_df=2: 1 and 2 of 10 documents"
    ):
        Selection.of(2, 0.1, None, 10)
    check_selection(2, 0.1, None)  # whether they cross depends on the documents


def test_nothing_left():
    with pytest.raises(InvalidInputError, match="no documents"):
        Selection.of(1, 1.0, None, 0)
    chosen = Selection.of(4, 1.0, None, 4)
    with pytest.raises(InvalidInputError, match=r"occur in 1 to 3 documents. Lower min_df"):
        chosen.columns(frequencies([1, 5], [1, 3]), binary=False)
    with pytest.raises(InvalidInputError, match="nothing but blanks, punctuation, stop words"):
        chosen.columns(frequencies([], []), binary=False)
