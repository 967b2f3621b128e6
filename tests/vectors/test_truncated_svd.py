"""The truncated factorization against the full one of LAPACK."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, random_array

from nlpfeat.errors import InvalidParameterError
from nlpfeat.vectors.truncated_svd import truncated_svd


def _random(n_rows, n_columns, seed):
    return random_array(
        (n_rows, n_columns), density=0.3, format="csr", rng=np.random.default_rng(seed)
    )


def test_by_hand():
    # Two equal rows: (1, 1)/√2 of them, and the third row by itself.
    u, s, vt = truncated_svd(csr_array(np.array([[3.0, 0.0], [4.0, 0.0], [0.0, 1.0]])), 2)
    assert s == pytest.approx([5.0, 1.0])
    assert np.allclose(u, [[0.6, 0.0], [0.8, 0.0], [0.0, 1.0]])
    assert np.allclose(vt, np.eye(2))


@pytest.mark.parametrize("n_components", [1, 5, 19, 20])
def test_equals_the_full_factorization(n_components):
    matrix = _random(40, 20, 3)
    u, s, vt = truncated_svd(matrix, n_components)
    full_u, full_s, full_vt = np.linalg.svd(matrix.toarray(), full_matrices=False)
    assert np.allclose(s, full_s[:n_components], atol=1e-12)
    best = (full_u[:, :n_components] * full_s[:n_components]) @ full_vt[:n_components]
    assert np.allclose((u * s) @ vt, best, atol=1e-10)
    assert np.allclose(u.T @ u, np.eye(n_components), atol=1e-12)


def test_signs_are_fixed():
    u, _, _ = truncated_svd(_random(40, 30, 1), 5)
    assert (u[np.abs(u).argmax(axis=0), np.arange(5)] > 0).all()


def test_the_seed_changes_rounding_alone():
    matrix = _random(60, 50, 2)
    first, second = (truncated_svd(matrix, 6, seed=seed) for seed in (0, 1))
    for one, other in zip(first, second):
        assert np.allclose(one, other, atol=1e-10)
    again = truncated_svd(matrix, 6, seed=0)
    assert [part.tobytes() for part in again] == [part.tobytes() for part in first]


@given(st.integers(1, 4), st.integers(1, 12), st.integers(0, 9))
def test_what_lies_beyond_the_rank_is_zero(rank, n_components, seed):
    generator = np.random.default_rng(seed)
    dense = generator.uniform(1, 2, (14, rank)) @ generator.uniform(1, 2, (rank, 12))
    u, s, vt = truncated_svd(csr_array(dense), n_components)
    assert (s[rank:] == 0).all()
    assert not u[:, rank:].any()
    assert not vt[rank:].any()
    if n_components >= rank:
        assert np.allclose((u * s) @ vt, dense, atol=1e-8)


def test_nothing_but_zeros():
    u, s, vt = truncated_svd(csr_array((4, 3)), 2)
    assert (u.shape, s.tolist(), vt.shape) == ((4, 2), [0.0, 0.0], (2, 3))
    assert not u.any()
    assert not vt.any()


def test_bad_number():
    with pytest.raises(InvalidParameterError, match="n_components must be an integer that is at"):
        truncated_svd(csr_array(np.eye(3)), 0)
