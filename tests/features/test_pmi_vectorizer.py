"""Mean PPMI vectors: by hand, by a loop, by numpy's decomposition."""

import math

import numpy as np
import pytest
from estimators import DOCUMENTS, TOY, content, few
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat import PmiVectorizer
from nlpfeat.errors import InvalidInputError, InvalidParameterError

corpora = st.lists(
    st.lists(st.sampled_from("天地人你。，"), max_size=7), min_size=1, max_size=5
).filter(lambda documents: any(set(document) - set("。，") for document in documents))


def rows_by_loop(documents, *, window=5, scope="document", smoothing=0.75, shift=1.0):
    """Return the terms and their rows of PPMI, one pair of positions after the other."""
    units = []
    for document in documents:
        unit = []
        for token in document:
            unit.append(token)
            if token == "。" and scope == "sentence":
                units.append(unit)
                unit = []
        units.append(unit)
    terms = sorted({token for document in documents for token in document} - set("。，"))
    counts = np.zeros((len(terms), len(terms)))
    for unit in units:
        for i, one in enumerate(unit):
            for other in unit[i + 1 : i + 1 + window]:
                if one in terms and other in terms:
                    counts[terms.index(one), terms.index(other)] += 1
                    counts[terms.index(other), terms.index(one)] += 1
    margins = counts.sum(axis=1)
    contexts = margins**smoothing
    rows = np.zeros_like(counts)
    for x, y in np.argwhere(counts):
        pmi = math.log2(counts[x, y] * contexts.sum() / (margins[x] * contexts[y]))
        rows[x, y] = max(pmi - math.log2(shift), 0)
    return terms, rows


def means_by_loop(documents, terms, rows):
    """Return the mean row of the known tokens of each document."""
    found = np.zeros((len(documents), rows.shape[1]))
    for mean, document in zip(found, documents):
        known = [terms.index(token) for token in document if token in terms]
        if known:
            mean += rows[known].mean(axis=0)
    return found


def test_rows_by_hand():
    # 猫 吃 鱼 and 狗 吃 肉: three pairs of neighbors each, twelve cells in all. 吃 has four, so
    # each other word two; 猫 and 吃 stand together once: log2(1 · 12 / (2 · 4)).
    texts = [["猫", "吃", "鱼"], ["狗", "吃", "肉"]]
    vectorizer = PmiVectorizer(None, smoothing=1.0).fit(texts)
    assert vectorizer.terms_ == ("吃", "狗", "猫", "肉", "鱼")
    assert vectorizer.get_feature_names_out().tolist() == list(vectorizer.terms_)
    near, far = math.log2(12 / 8), math.log2(12 / 4)
    assert vectorizer.transform([["猫"]]).toarray()[0] == pytest.approx([near, 0, 0, 0, far])
    assert vectorizer.transform([["吃"]]).toarray()[0] == pytest.approx([0, near, near, near, near])
    # The mean of two 猫 and one 吃; 鸟 is unknown.
    assert vectorizer.transform([["猫", "吃", "鸟", "，", "猫"]]).toarray()[0] == pytest.approx(
        np.array([2 * near, near, near, near, near + 2 * far]) / 3
    )


@few
@given(
    documents=corpora,
    window=st.integers(1, 4),
    scope=st.sampled_from(["document", "sentence"]),
    smoothing=st.sampled_from([1.0, 0.75]),
    shift=st.sampled_from([1.0, 2.0]),
)
def test_rows_equal_a_loop(documents, **settings):
    terms, rows = rows_by_loop(documents, **settings)
    vectorizer = PmiVectorizer(None, **settings)
    found = vectorizer.fit_transform(documents)
    assert list(vectorizer.terms_) == terms
    assert vectorizer.term_vectors_.toarray() == pytest.approx(rows, abs=1e-12)
    assert found.toarray() == pytest.approx(means_by_loop(documents, terms, rows), abs=1e-12)
    assert found.has_sorted_indices


@pytest.mark.parametrize("exponent", [1.0, 0.5, 0.0])
def test_dimensions_equal_a_full_decomposition(exponent):
    terms, rows = rows_by_loop(TOY)
    left, values, _ = np.linalg.svd(rows)
    vectors = (left * values**exponent)[:, :3]
    vectorizer = PmiVectorizer(3, exponent=exponent, random_state=0).fit(TOY)
    assert list(vectorizer.terms_) == terms
    # The sign of a dimension means nothing: products of vectors do not depend on it.
    assert vectorizer.term_vectors_ @ vectorizer.term_vectors_.T == pytest.approx(
        vectors @ vectors.T, abs=1e-8
    )
    wanted = means_by_loop(TOY, terms, vectorizer.term_vectors_)
    assert vectorizer.transform(TOY) == pytest.approx(wanted)


def test_all_dimensions_keep_all_distances():
    rows = PmiVectorizer(None).fit_transform(TOY).toarray()
    vectors = PmiVectorizer(9, random_state=0).fit_transform(TOY)
    assert vectors @ vectors.T == pytest.approx(rows @ rows.T, abs=1e-8)


def test_names_of_dimensions():
    vectorizer = PmiVectorizer(2, random_state=0).fit(TOY)
    assert vectorizer.get_feature_names_out().tolist() == ["pmi0", "pmi1"]


def test_more_dimensions_than_terms():
    vectorizer = PmiVectorizer(random_state=0)
    for fit in (vectorizer.fit, vectorizer.fit_transform):
        with pytest.warns(UserWarning, match="number of terms, 9. Got 100: 9 dimen") as told:
            fit(TOY)
        assert [each.filename for each in told] == [__file__]
    assert vectorizer.transform(TOY).shape == (4, 9)
    assert len(vectorizer.get_feature_names_out()) == 9


@pytest.mark.parametrize(("before", "after"), [(None, 2), (2, None)])
def test_parameters_set_after_fit_change_nothing(before, after):
    vectorizer = PmiVectorizer(before, random_state=0).fit(TOY)
    wanted, names = content(vectorizer.transform(TOY)), vectorizer.get_feature_names_out().tolist()
    vectorizer.set_params(n_components=after)
    assert content(vectorizer.transform(TOY)) == wanted
    assert vectorizer.get_feature_names_out().tolist() == names


@pytest.mark.parametrize("n_components", [None, 3])
@pytest.mark.parametrize("dtype", [np.float32, "float32", np.dtype(np.float32)])
def test_single_precision(n_components, dtype):
    wanted = PmiVectorizer(n_components, random_state=0).fit_transform(TOY)
    vectorizer = PmiVectorizer(n_components, random_state=0, dtype=dtype)
    for found in (vectorizer.fit_transform(TOY), vectorizer.transform(TOY)):
        assert found.dtype == np.float32
        assert abs(found - wanted).max() < 1e-6


def test_documents_near_without_a_common_term():
    texts = [list("我去学校看书"), list("我去公园看花"), list("他买车"), list("他买菜")]
    vectors = PmiVectorizer(None).fit(texts).transform([["书"], ["花"], ["车"]]).toarray()
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors.T
    assert cosines[0, 1] > cosines[0, 2] == 0


def test_the_seed_changes_rounding_alone():
    products = [
        vectors @ vectors.T
        for seed in (0, 1)
        for vectors in [PmiVectorizer(3, random_state=seed).fit_transform(DOCUMENTS)]
    ]
    assert products[0] == pytest.approx(products[1], abs=1e-8)


def test_rare_terms_become_gaps():
    frequent = PmiVectorizer(None, min_term_count=2, window=1).fit(TOY)
    # 很 and 好 occur 3 and 4 times; every other pair of neighbors has a rare term or a gap inside.
    assert frequent.terms_ == ("不", "公园", "去", "天气", "好", "很")
    assert PmiVectorizer(None, max_terms=2).fit(TOY).terms_ == ("好", "很")
    gapped = PmiVectorizer(None, min_term_count=2, window=1, smoothing=1.0)
    gapped.fit([["天", "鑫", "地"], ["天", "人", "地", "人"]])
    assert gapped.terms_ == ("人", "地", "天")
    assert gapped.term_vectors_.toarray()[2, 1] == 0


def test_transform_of_a_batch_is_that_of_each():
    vectorizer = PmiVectorizer(4, random_state=0).fit(DOCUMENTS)
    together = vectorizer.transform(DOCUMENTS)
    alone = np.concatenate([vectorizer.transform([document]) for document in DOCUMENTS])
    assert content(together) == content(alone)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 0}, "n_components .* must be an integer that is at least 1. Got 0"),
        ({"n_components": "all"}, "n_components"),
        ({"exponent": 2.0}, "exponent"),
        ({"smoothing": 0}, "smoothing"),
        ({"shift": -1}, "shift"),
        ({"window": 0}, "window"),
        ({"scope": "chapter"}, "scope must be one of"),
        ({"weighting": "steep"}, "weighting"),
        ({"min_term_count": 0}, "min_term_count must be an integer that is at least 1"),
        ({"min_term_count": 99}, "No term occurs at least 99 times"),
        ({"max_terms": 0}, "max_terms must be an integer that is at least 1"),
        (
            {"dtype": np.int64},
            "dtype must be numpy.float64 or numpy.float32. Got <class 'numpy.int",
        ),
        ({"dtype": "double"}, "dtype must be numpy.float64 or numpy.float32. Got 'double'"),
        ({"random_state": "seed"}, "random_state must be an integer, a numpy RandomState or None"),
    ],
)
def test_parameters_that_cannot_be(parameters, message):
    for more in ({}, {"n_components": None}):
        with pytest.raises(InvalidParameterError, match=message):
            PmiVectorizer(**{**more, **parameters}).fit(TOY)


def test_nothing_to_learn_from():
    with pytest.raises(InvalidInputError, match=r"hold no term.* in 2 documents"):
        PmiVectorizer().fit(["。", ""])
