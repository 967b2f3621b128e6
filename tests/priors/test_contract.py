"""What every prior keeps to."""

import copy
import inspect
import pickle
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
import skops.io
from sklearn.base import clone

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.priors import (
    PRIORS,
    EmbeddingPrior,
    ExpertPrior,
    FittedPrior,
    KeyPrior,
    PmiPrior,
    Prior,
    ReadDocuments,
    TextPrior,
    TopicPrior,
    WidePrior,
)
from nlpfeat.text.vocabulary import Vocabulary

TEXTS = ["房间很干净，早餐好", "早餐不好", "故事很好看", "作者的故事", "", "房间小，不干净"]
CLASSES = np.array([0, 1, 0, 1, 1, 1])
NEW = ["房间很小", "", "，", "龘故事龘", "好好好", "早餐"]

EXAMPLES = {
    "wide": WidePrior(word_ngrams=None, min_df=1),
    "expert": ExpertPrior(),
    "embedding": EmbeddingPrior(n_components=4),
    "query_key": EmbeddingPrior(n_components=4, use="query_key"),
    "idf": KeyPrior(weight="idf"),
    "sif": KeyPrior(weight="sif"),
    "tfidf": KeyPrior(weight="tfidf"),
    "nb": KeyPrior(weight="nb"),
    "pmi": PmiPrior(),
    "pmi right": PmiPrior(direction="right", decay=2.0, self_term=True),
    "pmi rank": PmiPrior(rank=3),
    "lift": TopicPrior(n_topics=3),
    "gate": TopicPrior(n_topics=3, form="gate"),
    "token": TopicPrior(n_topics=3, form="token"),
}
FITTED_ON_TEXT = {name: each for name, each in EXAMPLES.items() if each.name != "expert"}


def over(priors):
    return pytest.mark.parametrize("prior", priors.values(), ids=priors.keys())


def training(texts=TEXTS, n_jobs=1):
    return ReadDocuments.read(texts, unit="char", n_jobs=n_jobs)


def reading(read, documents):
    return read.alike(documents)


def fitted(prior, read=None, seed=0):
    return prior.fit(training() if read is None else read, CLASSES, 2, seed)


def arrays_of(thing, place=""):
    """Return every array in a fitted prior, by its place."""
    if isinstance(thing, np.ndarray):
        return {place: thing}
    parts = {}
    if isinstance(thing, tuple):
        parts = {f"{place}[{number}]": each for number, each in enumerate(thing)}
    elif is_dataclass(thing) and not isinstance(thing, Vocabulary):
        parts = {f"{place}.{each.name}": getattr(thing, each.name) for each in fields(thing)}
    return {
        name: array
        for place, part in parts.items()
        for name, array in arrays_of(part, place).items()
    }


def said(found, documents):
    """Return all that a fitted prior says of documents, as arrays."""
    given = found.inputs(documents)
    table = None if given.table is None else given.table.toarray()
    parts = {"tokens": given.tokens, "rows": given.rows, "table": table}
    if hasattr(found, "pair_values"):
        parts["pairs"] = found.pair_values(documents.tokens.ids)
    return {name: part for name, part in parts.items() if part is not None}


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name in one:
        assert one[name].dtype == other[name].dtype
        assert np.array_equal(one[name], other[name]), name


def test_every_prior_has_an_example():
    assert {each.name for each in EXAMPLES.values()} == set(PRIORS)
    for name, kind in PRIORS.items():
        assert issubclass(kind, Prior)
        assert kind.name == name


@pytest.mark.parametrize("kind", PRIORS.values(), ids=PRIORS.keys())
def test_settings_go_by_name_and_are_documented(kind):
    parameters = inspect.signature(kind).parameters
    assert {each.kind for each in parameters.values()} == {inspect.Parameter.KEYWORD_ONLY}
    sections = inspect.getdoc(kind).split("Parameters\n----------\n")[1].split("\n\n")[0]
    named = {
        name
        for line in sections.splitlines()
        if not line.startswith(" ")
        for name in line.partition(" : ")[0].split(", ")
    }
    assert named == set(parameters)


@over(EXAMPLES)
def test_settings_are_values(prior):
    prior.validate()
    assert copy.deepcopy(prior) == pickle.loads(pickle.dumps(prior)) == clone(prior, safe=False)
    assert hash(prior) == hash(copy.deepcopy(prior))
    kinds = {kind.__name__: kind for kind in PRIORS.values()}
    assert eval(repr(prior), kinds) == prior


@over(EXAMPLES)
def test_placebo_is_the_same_prior_with_a_seed(prior):
    twin = prior.shuffled(7)
    assert type(twin) is type(prior)
    assert twin.placebo == 7
    assert twin != prior
    assert twin.shuffled(8).placebo == 8
    with pytest.raises(InvalidParameterError, match="seed must be an integer that is at least 0"):
        prior.shuffled(-1)


@over(EXAMPLES)
def test_what_a_prior_needs_is_told(prior):
    assert prior.needs_expert == (not isinstance(prior, TextPrior)) == (prior.name == "expert")
    assert prior.adds_logits == (prior.name in {"wide", "expert"})
    assert prior.counts_labels == (prior.name == "wide")


@over(FITTED_ON_TEXT)
def test_it_fits_its_own_terms_and_classes(prior):
    read = training()
    found = fitted(prior, read)
    n_terms = len(read.vocabulary)
    found.check_fits(n_terms, 2)
    name, others = "V", [(n_terms + 1, 2), (n_terms - 1, 2)]
    if prior.name == "wide":
        name, others = "C", [(n_terms, 3)]
    for terms, classes in others:
        with pytest.raises(InvalidInputError, match=rf"Got {name}.* = \d+: fit again"):
            found.check_fits(terms, classes)


def test_an_expert_fits_its_classes():
    found = ExpertPrior().fit_logits(np.eye(2), np.array([0, 1]))
    found.check_fits(7, 2)
    with pytest.raises(InvalidInputError, match=r"7 terms and 3 classes: C = 3\. Got C = 2"):
        found.check_fits(7, 3)


@over(FITTED_ON_TEXT)
def test_all_is_finite(prior):
    read = training()
    found = fitted(prior, read)
    assert isinstance(found, FittedPrior)
    assert np.isfinite(found.scale)
    assert found.scale > 0
    arrays = arrays_of(found)
    assert arrays
    for part in (*arrays.values(), *said(found, read).values(),
                 *said(found, reading(read, NEW)).values()):  # fmt: skip
        assert np.isfinite(part).all()


@over(FITTED_ON_TEXT)
def test_inputs_have_the_documented_shapes(prior):
    read = training()
    new = reading(read, NEW)
    given = fitted(prior, read).inputs(new)
    if given.tokens is not None:
        assert given.tokens.shape == new.tokens.ids.shape
        assert given.tokens.dtype == np.float32
        assert not given.tokens[new.tokens.ids < 0].any()
    if given.rows is not None:
        assert given.rows.shape[0] == len(NEW)
        assert given.rows.dtype == np.float32
    if given.table is not None:
        assert given.table.shape[0] == len(NEW)
        assert given.table.dtype == np.float32
        assert given.table.has_sorted_indices


@over(FITTED_ON_TEXT)
@pytest.mark.parametrize("placebo", [None, 3], ids=["prior", "placebo"])
def test_same_seed_same_numbers(prior, placebo):
    prior = prior if placebo is None else prior.shuffled(placebo)
    one, other = fitted(prior, seed=5), fitted(prior, seed=5)
    assert_same(arrays_of(one), arrays_of(other))
    threads = fitted(prior, training(n_jobs=2), seed=5)
    assert_same(arrays_of(one), arrays_of(threads))


@over(FITTED_ON_TEXT)
def test_comes_back(prior):
    found = fitted(prior)
    read = reading(training(), NEW)
    before = said(found, read)
    data = skops.io.dumps((prior, found))
    stored, loaded = skops.io.loads(data, trusted=skops.io.get_untrusted_types(data=data))
    assert stored == prior
    for copied in (copy.deepcopy(found), pickle.loads(pickle.dumps(found)), loaded):
        assert type(copied) is type(found)
        assert copied.scale == found.scale
        assert_same(arrays_of(copied), arrays_of(found))
        assert_same(said(copied, read), before)


@over(FITTED_ON_TEXT)
def test_a_document_alone_and_among_others(prior):
    read = training()
    found = fitted(prior, read)
    together = found.inputs(reading(read, NEW))
    place = 0
    for row, text in enumerate(NEW):
        alone = found.inputs(reading(read, [text]))
        if together.tokens is not None:
            # A blank takes no place, and every other character is a token.
            assert np.array_equal(alone.tokens, together.tokens[place : place + len(text)])
            place += len(text)
        if together.rows is not None:
            assert np.array_equal(alone.rows[0], together.rows[row])
        if together.table is not None:
            assert np.array_equal(alone.table.toarray()[0], together.table.toarray()[row])


@over(FITTED_ON_TEXT)
def test_a_word_of_new_documents_has_no_entry(prior):
    """A text with it is one with a gap in its place: it weighs nothing, and joins nothing."""
    read = training()
    found = fitted(prior, read)
    for space in getattr(found, "spaces", ()):
        assert "龘" not in "".join(space.vocabulary.terms)
    planted, gap = reading(read, ["龘故事龘好"]), reading(read, ["，故事，好"])
    is_term = gap.tokens.ids >= 0
    assert is_term.tolist() == [False, True, True, False, True]
    one, other = said(found, planted), said(found, gap)
    for part in one.keys() & {"tokens"}:
        assert np.array_equal(one[part][is_term], other[part][is_term])
        assert len(np.unique(one[part][~is_term])) == 1
    for part in one.keys() & {"rows", "table"}:
        assert np.array_equal(one[part], other[part])
    for part in one.keys() & {"pairs"}:
        assert np.array_equal(one[part], other[part])
        assert not one[part][~is_term].any()
        assert not one[part][:, ~is_term].any()
    if prior.name == "embedding":
        assert found.vectors.shape[0] == len(read.vocabulary) + 1
        assert not found.vectors[planted.tokens.ids[~is_term]].any()


@over(FITTED_ON_TEXT)
def test_new_documents_are_not_learned_from(prior):
    """Reading them before the fit changes nothing."""
    read = training()
    reading(read, NEW)
    assert_same(arrays_of(fitted(prior, read)), arrays_of(fitted(prior)))


@over(FITTED_ON_TEXT)
def test_labels_matter_only_where_they_are_said_to(prior):
    read = training()
    other = prior.fit(read, 1 - CLASSES[::-1], 2, seed=0)
    differs = any(
        not np.array_equal(one, two)
        for one, two in zip(arrays_of(fitted(prior, read)).values(), arrays_of(other).values())
    )
    assert differs == (prior.name == "wide" or getattr(prior, "weight", "") == "nb")


def histogram(found):
    """Return the numbers that belong to terms, in order of size."""
    kept = {}
    for place, part in arrays_of(found).items():
        if place in {".log_weights", ".vectors", ".left", ".right"}:
            part = part[:-1]  # the last is of what is no term
        if part.dtype.kind == "f":
            kept[place] = np.sort(part, axis=None)
    return kept


@over(FITTED_ON_TEXT)
def test_placebo_has_the_same_numbers_in_other_places(prior):
    found, placebo = fitted(prior), fitted(prior.shuffled(1))
    one, two = arrays_of(found), arrays_of(placebo)
    assert any(not np.array_equal(one[place], two[place]) for place in one)
    one, two = histogram(found), histogram(placebo)
    assert one.keys() == two.keys()
    for place, numbers in one.items():
        assert np.array_equal(numbers, two[place]), place


@over(FITTED_ON_TEXT)
def test_one_placebo_is_not_another(prior):
    one, other = (arrays_of(fitted(prior.shuffled(seed))) for seed in (1, 2))
    assert any(not np.array_equal(one[place], other[place]) for place in one)


@over(FITTED_ON_TEXT)
def test_another_unit_and_token_lists(prior):
    lists = [["房间", "很", "干净"], ["早餐", "不", "好"], ["故事", "好看"], []]
    read = ReadDocuments.read(lists, unit="word")
    found = prior.fit(read, np.array([0, 1, 0, 1]), 2, seed=0)
    for part in said(found, read).values():
        assert np.isfinite(part).all()


@over(FITTED_ON_TEXT)
def test_placebo_setting_is_checked(prior):
    with pytest.raises(InvalidParameterError, match="placebo"):
        fitted(type(prior)(placebo=-1))
