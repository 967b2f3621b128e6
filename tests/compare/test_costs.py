"""What a model costs."""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import StandardScaler

from nlpfeat import BagOfWordsVectorizer, NBSVMClassifier, NgramVectorizer, PmiVectorizer
from nlpfeat.compare.costs import COSTS, n_parameters, peak_memory, speeds, timed

DOCUMENTS = [["好", "吃"], ["好"], ["坏"], ["坏", "吃"], ["冷"], ["冷", "雨"]]
LABELS = np.array(["正", "正", "负", "负", "天", "天"])


def test_parameters_are_those_that_answers_are_computed_with():
    bow = make_pipeline(BagOfWordsVectorizer(), LogisticRegression()).fit(DOCUMENTS, LABELS)
    assert n_parameters(bow) == 3 * 5 + 3  # three classes, five words
    both = make_union(BagOfWordsVectorizer(), NgramVectorizer(unit="char"))
    nbsvm = make_pipeline(both, NBSVMClassifier(random_state=0)).fit(DOCUMENTS, LABELS)
    assert n_parameters(nbsvm) == 3 * 10 + 3
    vectors = make_pipeline(
        PmiVectorizer(2, random_state=0), StandardScaler(), LogisticRegression()
    ).fit(DOCUMENTS, LABELS)
    # Vectors of five words, mean and scale of two columns, three classes.
    assert n_parameters(vectors) == 5 * 2 + 2 * 2 + 3 * 2 + 3


def test_of_a_stranger_nothing_is_known():
    class Strange:
        @property
        def coef_(self):
            raise RuntimeError

    assert n_parameters(Strange()) is None


def test_speeds_count_documents_and_add_the_time_of_cutting():
    asked = []

    def score(documents):
        asked.append(len(documents))
        return np.zeros((len(documents), 2))

    found = speeds(score, [["好"], ["坏"]], segmentation_seconds=0.01)
    assert asked == [128] * 6 + [1] * 20 * 6
    assert set(found) < set(COSTS)
    assert 99 < found["documents_per_second_with_segmentation"] < 100
    assert found["documents_per_second"] > found["documents_per_second_alone"]
    assert speeds(score, [], 0.01) == {}


def test_time_and_memory_are_measured():
    with timed() as times:
        table = np.ones(4_000_000) * 2
    assert times.wall > 0
    assert times.cpu > 0
    memory = peak_memory()
    assert memory is None or memory > table.nbytes / 1e6
