"""What scikit-learn asks of every estimator."""

import inspect
import json
import pickle

import joblib
import pytest
from estimators import (
    ALL,
    COUNTERS,
    DOCUMENTS,
    LABELS,
    TAKE_DOCUMENTS,
    VECTORIZERS,
    content,
    data_for,
    fit_anew,
    fitted,
    output_of,
    over,
    saved,
)
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

CLASSES = {type(make()).__name__: type(make()) for make in ALL.values()}
by_class = pytest.mark.parametrize("kind", CLASSES.values(), ids=CLASSES.keys())


def equal(one, other):
    """Tell whether two parameters are the same, estimators by their own parameters."""
    if hasattr(one, "get_params"):
        return type(one) is type(other) and equal(one.get_params(), other.get_params())
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[name], other[name]) for name in one)
    return one == other


@by_class
def test_defaults_are_those_of_the_signature(kind):
    signature = inspect.signature(kind)
    defaults = {name: each.default for name, each in signature.parameters.items()}
    assert kind().get_params(deep=False) == defaults


@by_class
def test_all_but_the_first_parameter_go_by_name(kind):
    kinds = [each.kind for each in inspect.signature(kind).parameters.values()]
    assert set(kinds[1:]) == {inspect.Parameter.KEYWORD_ONLY}


@by_class
def test_constructor_stores_and_does_nothing_else(kind):
    values = {name: object() for name in inspect.signature(kind).parameters}
    estimator = kind(**values)
    assert vars(estimator) == values


@by_class
def test_every_parameter_is_documented(kind):
    sections = inspect.getdoc(kind).split("Parameters\n----------\n")[1].split("\n\n")[0]
    named = {
        name
        for line in sections.splitlines()
        if not line.startswith(" ")
        for name in line.partition(" : ")[0].split(", ")
    }
    assert named == set(inspect.signature(kind).parameters)


@over(ALL)
def test_clone(make):
    estimator = fitted(make)
    twin = clone(estimator)
    assert type(twin) is type(estimator)
    assert equal(twin.get_params(), make().get_params())
    assert vars(twin).keys() == vars(make()).keys()


@over(ALL)
def test_repr_shows_what_is_changed(make):
    shown = repr(make())
    assert shown.startswith(f"{type(make()).__name__}(")
    names = {**globals(), **CLASSES}
    assert equal(eval(shown, names).get_params(), make().get_params())
    assert repr(fitted(make)) == shown


@over(ALL)
def test_set_params(make):
    estimator = make()
    for name, value in estimator.get_params().items():
        assert estimator.set_params(**{name: value}) is estimator
    assert equal(estimator.get_params(), make().get_params())
    with pytest.raises(ValueError, match="Invalid parameter 'no_such'"):
        estimator.set_params(no_such=1)


@over({name: make for name, make in VECTORIZERS.items() if name.startswith("tfidf of")})
def test_deep_parameters(make):
    estimator = make().set_params(vectorizer__lowercase=False, norm="l1")
    assert estimator.get_params()["vectorizer__lowercase"] is False
    assert estimator.vectorizer.lowercase is False
    assert estimator.fit(DOCUMENTS).vectorizer_.lowercase is False
    assert estimator.transform(DOCUMENTS[:1]).sum() == pytest.approx(1)


@over(ALL)
def test_fit_returns_self_and_leaves_parameters_alone(make):
    estimator = make()
    before = estimator.get_params(deep=False)
    assert estimator.fit(*data_for(estimator)) is estimator
    after = estimator.get_params(deep=False)
    assert all(after[name] is before[name] for name in before)


@over({name: make for name, make in ALL.items() if name != "segment"})
def test_unfitted(make):
    estimator = make()
    with pytest.raises(NotFittedError):
        check_is_fitted(estimator)
    data, _ = data_for(estimator)
    calls = [getattr(estimator, name) for name in ("transform", "predict", "most_similar")
             if hasattr(estimator, name)]  # fmt: skip
    assert calls
    for call in calls:
        with pytest.raises(NotFittedError):
            call(data)
    check_is_fitted(estimator.fit(*data_for(estimator)))


@over(VECTORIZERS)
def test_names_of_an_unfitted_one(make):
    with pytest.raises(NotFittedError):
        make().get_feature_names_out()


@over(TAKE_DOCUMENTS)
def test_tags(make):
    tags = get_tags(make())
    assert tags.input_tags.string
    assert not tags.input_tags.two_d_array
    assert not tags.target_tags.required
    assert tags.requires_fit is (type(make()).__name__ != "SegmentTransformer")


@over(ALL)
def test_pickle_and_joblib(make, tmp_path):
    estimator = fitted(make)
    data, _ = data_for(estimator)
    wanted = content(output_of(estimator, data))
    joblib.dump(estimator, tmp_path / "estimator")
    for copy in (pickle.loads(pickle.dumps(estimator)), joblib.load(tmp_path / "estimator")):
        assert repr(copy) == repr(estimator)
        assert content(output_of(copy, data)) == wanted
    unfitted = pickle.loads(pickle.dumps(make()))
    assert content(output_of(unfitted.fit(*data_for(unfitted)), data)) == wanted


@over(ALL)
def test_files_of_equal_estimators_are_equal(make):
    assert saved(fitted(make)) == saved(fit_anew(make))
    assert saved(pickle.loads(pickle.dumps(fitted(make)))) == saved(fitted(make))


@over(ALL)
def test_fit_forgets_what_was_learned_before(make):
    estimator = fit_anew(make)
    data, labels = data_for(estimator)
    half = data[:8]
    again = estimator.fit(half, labels[:8])
    afresh = make().fit(half, labels[:8])
    assert content(output_of(again, half)) == content(output_of(afresh, half))
    assert vars(again).keys() == vars(afresh).keys()


@over(COUNTERS)
def test_vocabulary_goes_through_json(make):
    vectorizer = fitted(make)
    vocabulary = vectorizer.vocabulary_
    n_columns = vectorizer.transform(DOCUMENTS).shape[1]
    assert list(vocabulary.values()) == list(range(n_columns))
    assert len(vectorizer.term_frequencies_) == len(vectorizer.document_frequencies_) == n_columns
    assert list(vocabulary) == vectorizer.get_feature_names_out().tolist()
    assert set(map(type, vocabulary.values())) == {int}
    assert json.loads(json.dumps(vocabulary)) == vocabulary


@over(COUNTERS)
def test_learned_columns_can_be_given(make):
    vectorizer = fitted(make)
    given = make().set_params(vocabulary=json.loads(json.dumps(vectorizer.vocabulary_)))
    wanted = content(vectorizer.transform(DOCUMENTS))
    assert content(given.transform(DOCUMENTS)) == wanted
    assert content(given.fit(DOCUMENTS, LABELS).transform(DOCUMENTS)) == wanted
    assert given.vocabulary_ == vectorizer.vocabulary_
