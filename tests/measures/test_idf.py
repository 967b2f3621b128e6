import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from sklearn.feature_extraction.text import TfidfTransformer

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.measures.idf import idf


def test_by_hand():
    # Four documents; the terms are in 4, 1 and 0 of them.
    assert idf([4, 1, 0], 4).tolist() == pytest.approx([1, 1 + math.log(5 / 2), 1 + math.log(5)])
    assert idf([4, 1], 4, smooth=False).tolist() == pytest.approx([1, 1 + math.log(4)])


def test_a_term_in_no_document_is_infinitely_rare_without_smoothing():
    assert idf([0, 2], 2, smooth=False).tolist() == [math.inf, 1.0]


@pytest.mark.parametrize("smooth", [True, False])
@given(
    presence=st.lists(
        st.lists(st.booleans(), min_size=3, max_size=3).filter(any), min_size=1, max_size=9
    )
)
def test_it_is_that_of_scikit_learn(smooth, presence):
    counts = np.array(presence).astype(int)
    if not smooth:
        counts = np.vstack([counts, np.ones((1, 3), dtype=int)])  # theirs warns of division by 0
    theirs = TfidfTransformer(smooth_idf=smooth).fit(csr_array(counts)).idf_
    ours = idf((counts > 0).sum(axis=0), len(counts), smooth=smooth)
    assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("frequencies", [[5], [-1], [math.nan]])
def test_frequencies_out_of_range(frequencies):
    with pytest.raises(
        InvalidInputError, match=r"document_frequencies must lie between 0 and .* 4"
    ):
        idf(frequencies, 4)


def test_no_documents():
    with pytest.raises(
        InvalidParameterError, match=r"n_documents must be an integer .* at least 1"
    ):
        idf([0], 0)
