import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.features.surprisal import SurprisalTransformer
from nlpfeat.measures.surprisal import signed_surprisal

# 的 天气 公园 股票; the rates are 50, 20, 20 and 10 of 100.
TEXTS = np.array([[10, 0, 8, 2], [0, 6, 0, 0], [40, 14, 12, 8]])

TABLES = arrays(
    np.int64, st.tuples(st.integers(1, 5), st.integers(1, 6)), elements=st.integers(0, 40)
).filter(np.any)


@parametrize_with_checks([SurprisalTransformer(), SurprisalTransformer(min_expected=0.01)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


def loop(counts, rates, min_expected, dispersion=None):
    """The definition, one cell at a time."""
    values = np.zeros(counts.shape)
    for row, document in enumerate(counts):
        n = document.sum()
        for column, k in enumerate(document):
            if k or n * rates[column] >= min_expected:
                values[row, column] = signed_surprisal(k, n, rates[column], dispersion=dispersion)
    return values


def test_by_hand():
    transformer = SurprisalTransformer()
    values = transformer.fit_transform(TEXTS).toarray()
    assert transformer.rates_.tolist() == [0.5, 0.2, 0.2, 0.1]
    assert transformer.n_tokens_ == 100
    # The first has 20 tokens: 的 and 股票 are as expected, and 天气 is missing for 4 expected.
    assert values[0, [0, 3]].tolist() == [0, 0]
    assert values[0, 1] == pytest.approx(20 * np.log2(0.8), rel=1e-14)
    # The second has 6: 的 is missing for 3 expected, the others for 1.2 and 0.6.
    assert values[1, 0] == pytest.approx(-6, rel=1e-14)
    assert values[1, 1] == pytest.approx(6 * np.log2(5), rel=1e-14)
    assert values[1, 2:].tolist() == [0, 0]


def test_only_absences_that_say_something_are_stored():
    values = SurprisalTransformer().fit(TEXTS).transform(TEXTS)
    assert isinstance(values, csr_array)
    assert values.has_sorted_indices
    assert (values.dtype, values.indices.dtype, values.indptr.dtype) == (
        "float64", "int32", "int32",
    )  # fmt: skip
    # Row 0: 天气 公园; row 1: 的 天气; row 2: all but what is as expected.
    assert values.indices[: values.indptr[2]].tolist() == [1, 2, 0, 1]
    assert np.all(values.data)
    lower = SurprisalTransformer(min_expected=1).fit(TEXTS).transform(TEXTS[[1]])
    assert lower.indices.tolist() == [0, 1, 2]


@given(counts=TABLES, min_expected=st.floats(0.01, 10))
def test_against_the_definition(counts, min_expected):
    transformer = SurprisalTransformer(min_expected=min_expected).fit(counts)
    expected = loop(counts, transformer.rates_, min_expected)
    assert transformer.transform(csr_array(counts)).toarray().tolist() == expected.tolist()
    assert transformer.rates_.sum() == pytest.approx(1)


@settings(max_examples=40)
@given(counts=TABLES, dispersion=st.floats(0.001, 0.9))
def test_against_the_definition_with_dispersion(counts, dispersion):
    transformer = SurprisalTransformer(dispersion=dispersion).fit(counts)
    expected = loop(counts, transformer.rates_, 3.0, dispersion)
    assert transformer.transform(counts).toarray() == pytest.approx(expected, rel=1e-12)


@settings(max_examples=40)
@given(counts=TABLES)
def test_a_document_alone_and_in_any_order_is_the_same(counts):
    transformer = SurprisalTransformer().fit(counts)
    whole = transformer.transform(counts).toarray()
    for row in range(len(counts)):
        assert transformer.transform(counts[[row]]).toarray()[0].tolist() == whole[row].tolist()
    other = SurprisalTransformer().fit(counts[::-1])
    assert other.transform(counts).toarray().tolist() == whole.tolist()


def test_absences_are_found_in_parts(monkeypatch):
    rng = np.random.default_rng(0)
    counts = rng.poisson(rng.random(30) * 4, (40, 30))
    whole = SurprisalTransformer().fit(counts).transform(counts)
    monkeypatch.setattr("nlpfeat.features.surprisal._CELLS", 1)
    parts = SurprisalTransformer().fit(counts).transform(counts)
    assert parts.toarray().tolist() == whole.toarray().tolist()


def test_fractional_counts():
    values = SurprisalTransformer().fit(TEXTS).transform(TEXTS / 3).toarray()
    assert values[1, 1] == pytest.approx(2 * np.log2(5), rel=1e-14)  # 2 of 2 tokens


def test_documents_without_tokens_are_rows_of_zeros():
    counts = np.vstack([TEXTS, np.zeros((2, 4), dtype=int)])
    values = SurprisalTransformer().fit(counts).transform(counts)
    assert values[[3, 4]].nnz == 0
    assert SurprisalTransformer().fit(counts).transform(counts[[3]]).nnz == 0


def test_a_term_that_fit_did_not_see_is_the_most_surprising_but_finite():
    transformer = SurprisalTransformer().fit([[99, 1, 0]])
    values = transformer.transform([[9, 1, 0], [9, 0, 1], [0, 0, 10]]).toarray()
    assert values[1, 2] == signed_surprisal(1, 10, 1 / 101)
    assert values[1, 2] > values[0, 1] > 0
    assert np.isfinite(values).all()
    # 500 tokens at 1 / 101 would hold 5: one is no surprise.
    assert transformer.transform([[499, 0, 1]]).toarray()[0, 2] == 0


def test_the_only_term_that_fit_saw_may_be_missing():
    transformer = SurprisalTransformer().fit([[100, 0]])
    values = transformer.transform([[0, 5], [7, 0]]).toarray()
    assert values[0, 0] == pytest.approx(5 * np.log2(1 / 101), rel=1e-12)
    assert values[1].tolist() == [0, 0]


class TestSignificantTerms:
    def fitted(self):
        counts = csr_array([[500, 200, 200, 90, 10]])
        return SurprisalTransformer().fit(counts)

    def test_by_hand(self):
        # 50 tokens without the first term: 2 / 2^50 and 5 tests; the rest is chance.
        found = self.fitted().significant_terms([0, 22, 20, 8, 0], alpha=1e-3)
        assert [each.term for each in found] == ["x0", "x1"]
        first = found[0]
        assert (first.count, first.expected) == (0, 25)
        assert first.surprisal == pytest.approx(-50, rel=1e-14)
        assert first.p_value == pytest.approx(2.0**-49, rel=1e-12)
        assert first.q_value == pytest.approx(5 * 2.0**-49, rel=1e-12)

    def test_every_form_of_a_row(self):
        transformer, row = self.fitted(), np.array([0, 22, 20, 8, 0])
        found = transformer.significant_terms(row)
        forms = (row[None], csr_array(row[None]), csr_array(row[None])[0], row.tolist(), row * 1.0)
        for form in forms:
            assert transformer.significant_terms(form) == found

    @given(arrays(np.float64, (3, 40), elements=st.sampled_from([0.0, 0.1, 0.7, 1 / 3, 2.6, 50.3])))
    def test_fractions_give_the_bits_of_transform(self, counts):
        counts[:, 0] += 0.1
        transformer = SurprisalTransformer(min_expected=1e-9).fit(counts)
        together = transformer.transform(csr_array(counts)).toarray()
        for row, values in zip(counts, together):
            found = transformer.significant_terms(row, alpha=1.0)
            assert {each.term: each.surprisal for each in found} == {
                f"x{column}": value for column, value in enumerate(values.tolist())
            }

    def test_all_terms_are_tested_and_all_pass_at_one(self):
        row = [3, 2, 2, 1, 0]
        found = self.fitted().significant_terms(row, alpha=1.0)
        assert sorted(each.term for each in found) == ["x0", "x1", "x2", "x3", "x4"]
        sizes = [abs(each.surprisal) for each in found]
        assert sizes == sorted(sizes, reverse=True)
        # Without surprise on either side the p value is 1.
        assert all(each.p_value == 1 for each in found if each.surprisal == 0)

    def test_ties_go_by_count_and_then_by_term(self):
        transformer = SurprisalTransformer().fit([[25, 25, 25, 25]])
        found = transformer.significant_terms(
            [10, 0, 10, 0], alpha=1.0, feature_names=["水", "杯", "一", "茶"]
        )
        # None of 20 at a quarter is more surprising than 10 of 20.
        assert [each.term for each in found] == ["杯", "茶", "一", "水"]

    def test_names_of_a_data_frame(self):
        frame = pd.DataFrame([[50, 50]], columns=["好", "坏"])
        found = SurprisalTransformer().fit(frame).significant_terms(pd.Series([0, 30]))
        assert [(each.term, each.count) for each in found] == [("坏", 30), ("好", 0)]

    def test_bad_input(self):
        transformer = self.fitted()
        for names, got in ((["一"], "Got 1"), ("一二三四五", "Got '一二三四五'")):
            with pytest.raises(InvalidParameterError, match=f"names must be the 5 terms .*{got}"):
                transformer.significant_terms([1, 1, 1, 1, 1], feature_names=names)
        with pytest.raises(InvalidInputError, match="row must be the counts of one document"):
            transformer.significant_terms([1, 1])
        for alpha in (0, 1.5):
            with pytest.raises(InvalidParameterError, match=r"alpha must be .* at most 1"):
                transformer.significant_terms([1, 1, 1, 1, 1], alpha=alpha)
        with pytest.raises(NotFittedError):
            SurprisalTransformer().significant_terms([1])


def test_names_pickles_and_clones():
    transformer = SurprisalTransformer(min_expected=1.5, dispersion=0.01).fit(TEXTS)
    assert transformer.get_feature_names_out(["的", "天气", "公园", "股票"]).tolist() == [
        "的", "天气", "公园", "股票",
    ]  # fmt: skip
    again = pickle.loads(pickle.dumps(transformer))
    assert (
        again.transform(TEXTS).toarray().tolist() == transformer.transform(TEXTS).toarray().tolist()
    )
    assert clone(transformer).get_params() == {"dispersion": 0.01, "min_expected": 1.5}


def test_in_a_pipeline():
    texts = ["天气 很 好", "天气 不 好", "很 好 很 好"]
    pipeline = make_pipeline(
        CountVectorizer(token_pattern=r"\S+"), SurprisalTransformer(min_expected=0.5)
    )
    values = pipeline.fit_transform(texts)
    assert values.shape == (3, 4)
    assert pipeline.get_feature_names_out().tolist() == ["不", "天气", "好", "很"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"dispersion": 1.5}, "dispersion must be a finite number above 0 and at most 1"),
        ({"dispersion": 1}, "dispersion must be below 1"),
        ({"min_expected": 0}, "min_expected must be a finite number above 0"),
        ({"min_expected": None}, "min_expected must be a finite number above 0"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        SurprisalTransformer(**parameters).fit(TEXTS)
    with pytest.raises(InvalidParameterError, match=message):
        SurprisalTransformer().fit(TEXTS).set_params(**parameters).transform(TEXTS)


def test_bad_input():
    with pytest.raises(InvalidInputError, match="X must hold at least one count above 0"):
        SurprisalTransformer().fit(np.zeros((2, 2)))
    with pytest.raises(InvalidInputError, match="counts must be whole numbers with dispersion"):
        SurprisalTransformer(dispersion=0.1).fit(TEXTS).transform(TEXTS / 3)
