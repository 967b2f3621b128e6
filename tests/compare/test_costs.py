"""What a model costs."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import StandardScaler

from nlpfeat import (
    AttentionClassifier,
    BagOfWordsVectorizer,
    NBSVMClassifier,
    NgramVectorizer,
    PmiVectorizer,
)
from nlpfeat.compare.costs import COSTS, peak_memory, sizes, speeds, timed
from nlpfeat.priors.expert import ExpertPrior

DOCUMENTS = [["好", "吃"], ["好"], ["坏"], ["坏", "吃"], ["冷"], ["冷", "雨"]]
LABELS = np.array(["正", "正", "负", "负", "天", "天"])


def test_parameters_are_those_that_answers_are_computed_with():
    bow = make_pipeline(BagOfWordsVectorizer(), LogisticRegression()).fit(DOCUMENTS, LABELS)
    assert sizes(bow, [])["n_parameters"] == 3 * 5 + 3  # three classes, five words
    both = make_union(BagOfWordsVectorizer(), NgramVectorizer(unit="char"))
    nbsvm = make_pipeline(both, NBSVMClassifier(random_state=0)).fit(DOCUMENTS, LABELS)
    assert sizes(nbsvm, [])["n_parameters"] == 3 * 10 + 3
    vectors = make_pipeline(
        PmiVectorizer(2, random_state=0), StandardScaler(), LogisticRegression()
    ).fit(DOCUMENTS, LABELS)
    # Vectors of five words, mean and scale of two columns, three classes.
    assert sizes(vectors, [])["n_parameters"] == 5 * 2 + 2 * 2 + 3 * 2 + 3
    assert sizes(vectors, [])["n_parameters_non_embedding"] == 2 * 2 + 3 * 2 + 3
    assert sizes(bow, [])["n_parameters_non_embedding"] == 3 * 5 + 3


def test_parameters_of_priors_hold_those_of_the_expert():
    pytest.importorskip("torch")
    classifier = AttentionClassifier(
        unit="word", d_model=4, n_heads=1, n_layers=0, n_queries=1, max_epochs=1, min_df=1,
        random_state=0, priors=["expert"],
    ).fit(DOCUMENTS * 3, np.tile(LABELS, 3))  # fmt: skip
    found = sizes(classifier, [["好"]])
    expert = sizes(classifier.priors_[0].expert, [])["n_parameters"]
    network = classifier.n_parameters_
    vectors = (5 + 2) * 4  # five words, the unknown one and the masked one
    assert expert > 0
    assert found["n_parameters"] == network["total"] + expert
    assert found["n_parameters_non_embedding"] == found["n_parameters"] - vectors
    assert found["n_parameters_prior"] == network["priors"] + expert


def test_vectors_of_an_expert_are_vectors_and_an_unknown_expert_leaves_the_network_unknown():
    pytest.importorskip("torch")

    def fitted(*steps):
        return AttentionClassifier(
            unit="word", d_model=4, n_heads=1, n_layers=0, n_queries=1, max_epochs=1, min_df=1,
            random_state=0, priors=[ExpertPrior(expert=make_pipeline(*steps))],
        ).fit(DOCUMENTS * 3, np.tile(LABELS, 3))  # fmt: skip

    linear = fitted(PmiVectorizer(2, random_state=0), LogisticRegression())
    found, network = sizes(linear, []), linear.n_parameters_
    # Vectors of five words; three classes of two coefficients and an intercept.
    assert found["n_parameters"] == network["total"] + 5 * 2 + 3 * 3
    assert found["n_parameters_non_embedding"] == network["non_embedding"] + 3 * 3
    unknown = fitted(BagOfWordsVectorizer(), RandomForestClassifier(2, random_state=0))
    assert sizes(unknown, [["好"]]) == {}


def test_operations_are_those_of_the_document_nearest_to_the_mean_length():
    model = make_pipeline(BagOfWordsVectorizer(), LogisticRegression()).fit(DOCUMENTS, LABELS)
    documents = [["好"], ["好", "吃", "坏"], ["坏", "吃"], ["好"] * 3]  # 9 / 4 tokens on average
    assert sizes(model, documents)["multiply_accumulates"] == 3 * 2
    assert sizes(model, documents[1:2])["multiply_accumulates"] == 3 * 3
    assert "multiply_accumulates" not in sizes(model, [])


def test_of_a_stranger_nothing_is_known():
    class Strange:
        @property
        def coef_(self):
            raise RuntimeError

    assert sizes(Strange(), [["好"]]) == {}


def test_speeds_count_documents_and_add_the_time_of_cutting():
    asked = []

    def score(documents):
        asked.append(len(documents))
        return np.zeros((len(documents), 2))

    found = speeds(score, [["好"], ["坏"]], segmentation_seconds=0.01)
    assert asked == [128] * 6 + [1] * 20 * 6
    assert set(found) < set(COSTS)
    assert 99 < found["documents_per_second_with_segmentation"] < 100
    seconds = [1 / found[f"documents_per_second_alone{end}"] for end in ("_with_segmentation", "")]
    assert seconds[0] - seconds[1] == pytest.approx(0.01)
    assert found["documents_per_second"] > found["documents_per_second_alone"]
    assert speeds(score, [], 0.01) == {}


def test_time_and_memory_are_measured():
    with timed() as times:
        table = np.ones(4_000_000) * 2
    assert times.wall > 0
    assert times.cpu > 0
    memory = peak_memory()
    assert memory is None or memory > table.nbytes / 1e6
