"""What estimators of documents give: the same for the same documents, whatever the way."""

import random

import numpy as np
import pandas as pd
import pytest
from estimators import (
    COUNTERS,
    DOCUMENTS,
    LABELS,
    TAKE_DOCUMENTS,
    VECTORIZERS,
    content,
    fit_anew,
    fitted,
    output_of,
    over,
    parts,
)
from generated_text import WORDS
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.svm import LinearSVC

from nlpfeat import PmiVectorizer, SegmentTransformer

DENSE = {"mean vectors": VECTORIZERS["mean vectors"]}
SPARSE = {name: make for name, make in VECTORIZERS.items() if name not in DENSE}
TRANSFORMERS = {**VECTORIZERS, "segment": SegmentTransformer}

#: More than two batches of 1,000.
MANY = [random.Random(row).choices(WORDS, k=row % 7) for row in range(2_500)]


@over(TRANSFORMERS)
def test_fit_transform_is_fit_and_transform(make):
    wanted = content(fitted(make).transform(DOCUMENTS))
    assert content(make().fit_transform(DOCUMENTS)) == wanted
    assert content(make().fit_transform(DOCUMENTS, LABELS)) == wanted
    assert content(make().fit(DOCUMENTS, LABELS).transform(DOCUMENTS)) == wanted


@over(TRANSFORMERS)
def test_transform_changes_nothing(make):
    estimator = fitted(make)
    once = content(estimator.transform(DOCUMENTS))
    estimator.transform(["全新的词"])
    assert content(estimator.transform(DOCUMENTS)) == once


@over(TRANSFORMERS)
def test_a_document_alone_is_the_same_as_in_a_batch(make):
    estimator = fitted(make)
    together = estimator.transform(DOCUMENTS)
    for row, document in enumerate(DOCUMENTS):
        one = estimator.transform([document])
        assert content(one) == content(together[row : row + 1])


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


@over(TAKE_DOCUMENTS)
def test_same_seed_same_bytes(make):
    first, second = fitted(make), fit_anew(make)
    assert content(output_of(first, DOCUMENTS)) == content(output_of(second, DOCUMENTS))


def test_a_random_state_is_used_up():
    state = np.random.RandomState(3)
    first = PmiVectorizer(2, random_state=state).fit(DOCUMENTS)
    assert state.get_state()[2] != np.random.RandomState(3).get_state()[2]
    again = PmiVectorizer(2, random_state=np.random.RandomState(3)).fit(DOCUMENTS)
    assert first.term_vectors_.tobytes() == again.term_vectors_.tobytes()


TAKES_JOBS = {
    name: make
    for name, make in TAKE_DOCUMENTS.items()
    if not name.startswith("tfidf of") and name not in ("tfidf", "end", "relative", "log")
}


@over(TAKES_JOBS)
def test_processes_do_not_change_results(make):
    alone, shared = make().set_params(n_jobs=1), make().set_params(n_jobs=2)
    wanted = content(output_of(alone.fit(MANY), MANY))
    assert content(output_of(shared.fit(MANY), MANY)) == wanted


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


@pytest.mark.slow
@over({name: VECTORIZERS[name] for name in ("tfidf", "words", "mean rows")})
def test_in_a_search(make):
    pipeline = make_pipeline(make(), LinearSVC(random_state=0))
    step = pipeline.steps[0][0]
    name = "vectorizer" if step.startswith("tfidf") else "stop_words"
    choices = [None] if name == "vectorizer" else [None, ["的"]]
    search = GridSearchCV(
        pipeline, {f"{step}__{name}": choices}, cv=2, n_jobs=2, error_score="raise"
    )
    texts, labels = DOCUMENTS * 4, LABELS * 4
    search.fit(np.array(texts, dtype=object), labels)
    serial = GridSearchCV(pipeline, {f"{step}__{name}": choices}, cv=2, error_score="raise")
    serial.fit(texts, labels)
    assert (search.cv_results_["mean_test_score"] == serial.cv_results_["mean_test_score"]).all()
    assert search.predict(texts).tolist() == serial.predict(texts).tolist()


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
