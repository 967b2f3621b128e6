"""What estimators of documents give: the same for the same documents, whatever the way."""

import random

import numpy as np
import pandas as pd
import pytest
from estimators import (
    ALL,
    COUNTERS,
    DOCUMENTS,
    GIVE_ROWS,
    LABELS,
    TAKE_COUNTS,
    VECTORIZERS,
    content,
    counts_of,
    data_for,
    fit_anew,
    fitted,
    over,
    parts,
    saved,
)
from generated_text import WORDS
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.svm import LinearSVC

from nlpfeat import BagOfWordsVectorizer, NgramVectorizer, PmiVectorizer, SegmentTransformer

DENSE = {"mean vectors": VECTORIZERS["mean vectors"]}
SPARSE = {name: make for name, make in VECTORIZERS.items() if name not in DENSE}
TRANSFORMERS = {**VECTORIZERS, "segment": SegmentTransformer}


def outputs_of(estimator, data):
    """Return all that a fitted estimator makes of rows, classes and their scores too."""
    names = ("transform", "predict", "decision_function", "predict_proba")
    return [getattr(estimator, name)(data) for name in names if hasattr(estimator, name)] or [
        estimator.vectors_
    ]


def contents_of(estimator, data):
    """Return the outputs in a form that is equal when every byte is."""
    outputs = outputs_of(estimator, data)
    return [
        # The bytes of objects are their addresses.
        output.tolist() if isinstance(output, np.ndarray) and output.dtype.hasobject
        else content(output) for output in outputs
    ]  # fmt: skip


#: More than two batches of 1,000.
MANY = [random.Random(row).choices(WORDS, k=row % 7) for row in range(2_500)]


@over(TRANSFORMERS)
def test_fit_transform_is_fit_and_transform(make):
    wanted = content(fitted(make).transform(DOCUMENTS))
    assert content(make().fit_transform(DOCUMENTS)) == wanted
    assert content(make().fit_transform(DOCUMENTS, LABELS)) == wanted
    assert content(make().fit(DOCUMENTS, LABELS).transform(DOCUMENTS)) == wanted


@over(GIVE_ROWS)
def test_transform_changes_nothing(make):
    estimator = fitted(make)
    data, _ = data_for(estimator)
    before = saved(estimator)
    once = contents_of(estimator, data)
    contents_of(estimator, data[3:5])
    assert contents_of(estimator, data) == once
    assert saved(estimator) == before


@over(GIVE_ROWS)
def test_a_document_alone_is_the_same_as_in_a_batch(make):
    estimator = fitted(make)
    data, _ = data_for(estimator)
    together = outputs_of(estimator, data)
    for row in range(len(DOCUMENTS)):
        alone = outputs_of(estimator, data[row : row + 1])
        for one, whole in zip(alone, together):
            assert content(one) == content(whole[row : row + 1])


@over(TAKE_COUNTS)
def test_counts_are_not_touched(make):
    for counts in (counts_of(DOCUMENTS), counts_of(DOCUMENTS).toarray()):
        before = counts.copy()
        outputs_of(make().fit(counts, LABELS), counts)
        assert content(counts) == content(before)


@over(TAKE_COUNTS)
def test_any_form_of_counts(make):
    wanted = contents_of(fitted(make), counts_of(DOCUMENTS))
    counts = counts_of(DOCUMENTS)
    for form in (counts.toarray(), counts.tocsc(), counts.tocoo(), counts.astype(float),
                 counts.toarray().tolist()):  # fmt: skip
        assert contents_of(make().fit(form, LABELS), form) == wanted


@over(SPARSE)
def test_sparse_matrices_are_in_order(make):
    matrix = fitted(make).transform(DOCUMENTS)
    values, indices, indptr = parts(matrix)
    assert indices.dtype == indptr.dtype == np.int32
    assert matrix.has_canonical_format
    assert values.all()
    assert not make().get_params().get("binary") or set(values) == {1}


@over(VECTORIZERS)
def test_feature_names(make):
    estimator = fitted(make)
    names = estimator.get_feature_names_out()
    assert names.dtype == object
    assert names.shape == (estimator.transform(DOCUMENTS).shape[1],)
    assert len(set(names)) == len(names)
    assert set(map(type, names)) == {str}


@over({name: make for name, make in VECTORIZERS.items() if name not in DENSE})
def test_order_of_documents_does_not_change_columns(make):
    order = np.random.default_rng(0).permutation(len(DOCUMENTS))
    forward, shuffled = fitted(make), make().fit([DOCUMENTS[row] for row in order])
    assert content(forward.get_feature_names_out().astype(str)) == content(
        shuffled.get_feature_names_out().astype(str)
    )
    assert content(forward.transform(DOCUMENTS)) == content(shuffled.transform(DOCUMENTS))


def test_order_of_documents_does_not_change_mean_vectors():
    make = DENSE["mean vectors"]
    shuffled = make().fit(DOCUMENTS[::-1])
    assert content(fitted(make).transform(DOCUMENTS)) == content(shuffled.transform(DOCUMENTS))


@over(ALL)
def test_same_seed_same_bytes(make):
    first, second = fitted(make), fit_anew(make)
    data, _ = data_for(first)
    assert contents_of(first, data) == contents_of(second, data)


def test_a_random_state_is_used_up():
    state = np.random.RandomState(3)
    first = PmiVectorizer(2, random_state=state).fit(DOCUMENTS)
    assert state.get_state()[2] != np.random.RandomState(3).get_state()[2]
    again = PmiVectorizer(2, random_state=np.random.RandomState(3)).fit(DOCUMENTS)
    assert first.term_vectors_.tobytes() == again.term_vectors_.tobytes()


# Of each class one or two: to start processes takes time.
TAKES_JOBS = {
    name: (make, "vectorizer__n_jobs" if name.startswith("tfidf") else "n_jobs")
    for name, make in ALL.items()
    if name in ("bag", "bag with unknown", "absolute", "words", "characters", "mean vectors",
                "mean rows", "segment", "embedding", "tfidf of bag", "tfidf of words", "topics",
                "nbsvm", "attention", "convolutions", "lstm")
}  # fmt: skip


def test_all_that_take_jobs_are_tried():
    def takes_jobs(make):
        return any(name.endswith("n_jobs") for name in make().get_params())

    tried = {type(make()) for make, _ in TAKES_JOBS.values()}
    assert tried == {type(make()) for make in ALL.values() if takes_jobs(make)}


@pytest.mark.parametrize(("make", "parameter"), TAKES_JOBS.values(), ids=TAKES_JOBS)
def test_processes_do_not_change_results(make, parameter):
    alone, shared = (make().set_params(**{parameter: n_jobs}) for n_jobs in (1, 2))
    data = MANY if alone.__sklearn_tags__().input_tags.string else counts_of(MANY)
    labels = ["甲", "乙", "丙", "丁", "戊"] * (len(MANY) // 5)
    wanted = contents_of(alone.fit(data, labels), data)
    assert contents_of(shared.fit(data, labels), data) == wanted


@over(SPARSE)
def test_sparse_frames_are_refused_by_scikit_learn(make):
    estimator = fit_anew(make).set_output(transform="pandas")
    with pytest.raises(ValueError, match=r"outputs a scipy sparse matrix.*set_output"):
        estimator.transform(DOCUMENTS)
    assert content(estimator.set_output(transform="default").transform(DOCUMENTS))


@over(DENSE)
def test_dense_frames_have_names(make):
    estimator = fit_anew(make).set_output(transform="pandas")
    frame = estimator.transform(DOCUMENTS)
    assert isinstance(frame, pd.DataFrame)
    assert frame.columns.tolist() == estimator.get_feature_names_out().tolist()
    assert frame.shape == (len(DOCUMENTS), 3)


def test_token_lists_stay_lists():
    segment = SegmentTransformer().set_output(transform="pandas")
    assert isinstance(segment.fit_transform(DOCUMENTS), list)
    pipeline = make_pipeline(SegmentTransformer(), DENSE["mean vectors"]())
    frame = pipeline.set_output(transform="pandas").fit_transform(DOCUMENTS)
    assert frame.columns.tolist() == pipeline.get_feature_names_out().tolist()


@over(VECTORIZERS)
def test_in_a_pipeline(make):
    pipeline = make_pipeline(SegmentTransformer(), make(), LinearSVC(random_state=0))
    alone = LinearSVC(random_state=0).fit(make().fit_transform(DOCUMENTS), LABELS)
    pipeline.fit(DOCUMENTS, LABELS)
    assert pipeline[-1].coef_.tobytes() == alone.coef_.tobytes()
    assert pipeline[:-1].get_feature_names_out().tolist() == (
        fitted(make).get_feature_names_out().tolist()
    )
    assert len(pipeline.predict(["天气很好"])) == 1


def test_in_a_union():
    names = list(COUNTERS)
    union = FeatureUnion([(name, make()) for name, make in COUNTERS.items()])
    matrix = union.fit_transform(SegmentTransformer().transform(DOCUMENTS))
    blocks = [fitted(make).transform(DOCUMENTS) for make in COUNTERS.values()]
    ends = np.cumsum([block.shape[1] for block in blocks])
    assert matrix.shape == (len(DOCUMENTS), ends[-1])
    for block, end in zip(blocks, ends):
        assert (matrix[:, end - block.shape[1] : end].toarray() == block.toarray()).all()
    assert union.get_feature_names_out()[0] == f"{names[0]}__5"


SEARCHES = {
    "tfidf": {
        "vectorizer": [NgramVectorizer(ngram_range=(1, 2)), BagOfWordsVectorizer(min_df=3)],
        "norm": ["l1", "l2"],
    },
    "words": {"ngram_range": [(1, 1), (1, 3)], "min_df": [1, 3]},
    "mean rows": {"stop_words": [None, ["好", "很"]], "window": [1, 5]},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SEARCHES)
def test_in_a_search(name):
    pipeline = Pipeline([("features", VECTORIZERS[name]()), ("classes", LinearSVC(random_state=0))])
    choices = {f"features__{each}": values for each, values in SEARCHES[name].items()}
    texts = [*DOCUMENTS, *DOCUMENTS[3:]]
    labels = [*LABELS, *LABELS[::-1][3:]]
    parallel, serial = (
        GridSearchCV(pipeline, choices, cv=2, n_jobs=n_jobs, error_score="raise").fit(texts, labels)
        for n_jobs in (2, None)
    )
    scores = serial.cv_results_["mean_test_score"]
    assert len(scores) == 4
    assert len(set(scores)) > 1, "the candidates are alike"
    assert parallel.cv_results_["mean_test_score"].tolist() == scores.tolist()
    assert parallel.best_params_.keys() == choices.keys()
    assert parallel.predict(texts).tolist() == serial.predict(texts).tolist()


tokens = st.lists(st.sampled_from(["天", "地", "人", "。", "，", " ", "A", "Ａ"]), max_size=6)


@over(COUNTERS)
@settings(max_examples=10)
@given(documents=st.lists(tokens, min_size=1, max_size=6))
def test_any_token_lists(make, documents):
    # 天 in two documents, so that something is left to count.
    documents = [*documents, ["天", "天"], ["天", "天"]]
    vectorizer = make().fit(documents)
    matrix = vectorizer.transform(documents)
    assert content(make().fit_transform(iter(documents))) == content(matrix)
    assert matrix.shape == (len(documents), len(vectorizer.vocabulary_))
    rows = [vectorizer.transform([document]) for document in documents]
    assert np.concatenate([row.toarray() for row in rows]).tolist() == matrix.toarray().tolist()
