import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from lda_oracle import infer_slowly
from scipy.sparse import csr_array
from sklearn.decomposition import LatentDirichletAllocation

from nlpfeat.errors import InvalidInputError
from nlpfeat.topics import TopicModel
from nlpfeat.topics.inference import infer, shares

PRIOR = np.array([0.1, 0.4, 0.2])
WEIGHTS = np.array(
    [
        [9.01, 4.01, 0.01, 0.01, 1.01],
        [0.01, 3.01, 8.01, 0.01, 0.01],
        [0.01, 0.01, 1.01, 7.01, 2.01],
    ]
)
COUNTS = csr_array(
    [
        [3, 1, 0, 0, 0],
        [0, 2, 5, 0, 1],
        [0, 0, 0, 0, 0],
        [1, 1, 1, 1, 1],
        [0, 0, 0, 40, 0],
        [0, 0, 0, 0, 1],
    ]
)
MODEL = TopicModel.of_weights(PRIOR, WEIGHTS)


def test_one_topic_by_hand():
    gamma = infer(
        TopicModel.of_weights(np.array([0.5]), np.array([[2.0, 1.0]])), csr_array([[3, 4], [0, 0]])
    )
    assert gamma.tolist() == [[7.5], [0.5]]


def test_an_empty_document_has_the_prior():
    assert infer(MODEL, COUNTS)[2].tolist() == PRIOR.tolist()


def test_agrees_with_the_slow_loop():
    slow = infer_slowly(PRIOR, WEIGHTS, COUNTS.toarray())
    np.testing.assert_allclose(infer(MODEL, COUNTS), slow, atol=1e-4)


def test_agrees_with_scikit_learn():
    prior = 0.3  # scikit-learn has one for all topics
    theirs = LatentDirichletAllocation(
        3, doc_topic_prior=prior, mean_change_tol=1e-9, max_doc_update_iter=5000, max_iter=1
    ).fit(COUNTS)
    ours = infer(TopicModel.of_weights(np.full(3, prior), theirs.components_), COUNTS)
    np.testing.assert_allclose(shares(ours), theirs.transform(COUNTS), atol=1e-5)


def test_a_row_sums_to_its_tokens_and_the_prior():
    gamma = infer(MODEL, COUNTS)
    np.testing.assert_allclose(gamma.sum(axis=1), COUNTS.sum(axis=1) + PRIOR.sum(), rtol=1e-12)


def test_fractional_counts_are_taken():
    halves = csr_array(COUNTS / 2)
    slow = infer_slowly(PRIOR, WEIGHTS, halves.toarray())
    np.testing.assert_allclose(infer(MODEL, halves), slow, atol=1e-4)


@settings(max_examples=50)
@given(arrays(np.int64, (7, 5), elements=st.integers(0, 6)), st.permutations(range(7)))
def test_a_document_is_the_same_alone_and_in_any_batch(counts, order):
    together = infer(MODEL, csr_array(counts))
    shuffled = infer(MODEL, csr_array(counts[order]))
    assert shuffled.tobytes() == together[order].tobytes()
    for row in range(7):
        alone = infer(MODEL, csr_array(counts[[row]]))
        assert alone.tobytes() == together[[row]].tobytes()


def test_threads_change_nothing():
    draw = np.random.default_rng(0)
    many = csr_array(draw.poisson(0.7, (3000, 5)))
    assert infer(MODEL, many, n_threads=3).tobytes() == infer(MODEL, many).tobytes()


def test_tiny_priors_give_numbers():
    prior = np.full(3, 1e-6)
    weights = np.maximum(np.round(WEIGHTS), 1e-6)
    result = shares(infer(TopicModel.of_weights(prior, weights), COUNTS))
    assert np.all(np.isfinite(result))
    np.testing.assert_allclose(result.sum(axis=1), 1.0, atol=1e-12)


def test_a_term_that_no_topic_knows_says_nothing():
    weights = np.hstack([WEIGHTS, np.full((3, 1), 0.01)])
    weights[:, 5] = 0.01 * weights[:, :5].sum(axis=1)  # nearly as likely in each topic
    without = infer(TopicModel.of_weights(PRIOR, weights), csr_array([[3, 1, 0, 0, 0, 0]]))
    with_it = infer(TopicModel.of_weights(PRIOR, weights), csr_array([[3, 1, 0, 0, 0, 1]]))
    assert np.argmax(with_it) == np.argmax(without) == 0


def test_shares_by_hand():
    assert shares(np.array([[1.0, 3.0], [2.0, 2.0]])).tolist() == [[0.25, 0.75], [0.5, 0.5]]


def test_other_terms():
    with pytest.raises(InvalidInputError, match=r"must have the 5 terms of the topics\. Got 4"):
        infer(MODEL, COUNTS[:, :4])


def test_no_document():
    assert infer(MODEL, COUNTS[:0]).shape == (0, 3)


@pytest.mark.parametrize("width", ["int32", "int64"])
def test_both_widths_of_indices(width):
    table = COUNTS.copy()
    table.indices, table.indptr = table.indices.astype(width), table.indptr.astype(width)
    assert infer(MODEL, table).tobytes() == infer(MODEL, COUNTS).tobytes()
