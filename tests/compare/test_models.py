"""The models that a comparison knows, and how others are given."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from nlpfeat import BagOfWordsVectorizer, Protocol, compare_models, make_phenomenon
from nlpfeat.compare.models import FAMILIES, MODELS, SUITES, ComparedModel, chosen_models
from nlpfeat.compare.models.attention import ON_PHENOMENA, VARIANTS
from nlpfeat.compare.models.on_phenomena import on_phenomena
from nlpfeat.compare.settings import drawn_settings, seeded
from nlpfeat.datasets.phenomena import PHENOMENA
from nlpfeat.errors import InvalidParameterError
from nlpfeat.priors import PRIORS

SVM = make_pipeline(BagOfWordsVectorizer(), LinearSVC())


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_every_model_has_a_grid_of_its_own_parameters_and_a_ceiling_that_is_known(model):
    model.check()
    assert model.family in FAMILIES
    assert model.n_settings >= 12
    drawn = drawn_settings(model.estimator, model.grid, 12, np.random.default_rng(0))
    assert len(drawn) == 12
    seeded(model.estimator, 1).set_params(**drawn[-1])
    assert model.needs_torch == (model.family != "classical")
    if model.sees is not None:
        assert 0 <= PHENOMENA["order"].ceiling(model.sees).accuracy <= 1
    else:
        assert model.family in ("classical", "network")


def test_every_prior_has_its_placebo():
    for name in PRIORS:
        model, placebo = MODELS[f"attention+{name}"], MODELS[f"attention+{name}-placebo"]
        assert model.estimator.priors[0].placebo is None
        assert placebo.estimator.priors == (model.estimator.priors[0].shuffled(0),)
        assert (model.family, placebo.family) == ("prior", "placebo")


def test_equal_heads_are_the_same_in_all():
    deep, wide = MODELS["attention-16x1"].estimator, MODELS["attention-2x8"].estimator
    assert deep.n_layers * deep.n_heads == wide.n_layers * wide.n_heads == 16
    assert deep.d_head == wide.d_head
    assert set(VARIANTS) <= set(MODELS)


def test_suites_hold_models():
    assert set(SUITES) == {"quick", "standard", "full", "priors", "variants"}
    for suite, names in SUITES.items():
        assert [model.name for model in chosen_models(suite)] == list(names or MODELS)
    assert {"text-cnn", "bilstm"} < set(SUITES["standard"])


@pytest.mark.parametrize(
    ("n_documents", "max_epochs", "batch_size"),
    [(100, 20, 32), (2_000, 20, 32), (2_001, 12, 64), (50_000, 8, 64)],
)
def test_with_few_documents_attention_is_trained_for_longer(n_documents, max_epochs, batch_size):
    estimator = MODELS["attention"].estimator_for(n_documents)
    assert (estimator.max_epochs, estimator.batch_size) == (max_epochs, batch_size)
    assert MODELS["attention"].estimator.max_epochs == 8


@pytest.mark.parametrize(
    "model", [each for each in MODELS.values() if each.needs_torch], ids=lambda each: each.name
)
def test_on_phenomena_every_network_is_trained_in_one_way_and_keeps_what_it_is(model):
    changed = model.for_phenomena()
    before, after = model.estimator.get_params(), changed.estimator.get_params()
    assert {name for name in after if after[name] != before[name]} <= set(ON_PHENOMENA)
    assert {after[name] for name in ("dropout", "token_dropout", "label_smoothing")} == {0.0}
    assert (after["unit"], after["max_epochs"], after["min_df"]) == ("word", 60, 1)
    assert changed.estimator_for(100).max_epochs == 60
    assert (changed.name, changed.family, changed.sees) == (model.name, model.family, model.sees)
    assert changed.n_settings == 1
    if model.family != "network":
        assert {name: after[name] for name in ON_PHENOMENA} == ON_PHENOMENA
    assert model.estimator.max_epochs == 8


def test_two_models_that_are_one_on_phenomena_are_tried_once():
    tried, stand_ins = on_phenomena(chosen_models("full"))
    assert stand_ins == {"attention-words": "attention"}
    assert [model.name for model in tried] == [name for name in MODELS if name != "attention-words"]
    assert len({model.settings for model in tried}) == len(tried)
    alone = on_phenomena([MODELS["attention-words"]])
    assert [model.name for model in alone.tried] == ["attention-words"]
    assert alone.stand_ins == {}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_what_a_model_is_said_to_read_is_what_it_reads(model):
    corpus, phenomena = (
        {
            value
            for name, value in each.estimator.get_params().items()
            if name.rpartition("__")[2] == "unit"
        }
        for each in (model, model.for_phenomena())
    )
    told = model.description
    if "over characters, over words on phenomena" in told:
        assert (corpus, phenomena) == ({"char"}, {"word"})
    elif "over words" in told:
        assert corpus == phenomena == {"word"}
    elif "character" in told:
        assert "char" in corpus
        assert corpus == phenomena
    elif "word" in told and model.family == "classical":
        assert corpus | phenomena <= {"word"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:Liblinear failed to converge")  # where there is no evidence
@pytest.mark.parametrize("name", ["positional-bow", "nbsvm", "pmi-vectors"])
def test_the_strength_on_phenomena_is_the_best_of_the_grid_on_seed_0(name):
    model = MODELS[name]
    ((parameter, chosen),) = model.on_phenomena.items()
    totals = dict.fromkeys(model.grid[parameter], 0)
    for phenomenon, each in PHENOMENA.items():
        if model.sees is not None and each.ceiling(model.sees).accuracy == 0.5:
            continue  # no strength is better than another
        parts = make_phenomenon(phenomenon)
        train, test = (
            [list(item.tokens) for item in items] for items in (parts.train_items, parts.test_items)
        )
        *head, last = seeded(model.estimator, 0)
        features = make_pipeline(*head).fit(train, parts.train.labels())
        fitted, asked = features.transform(train), features.transform(test)
        for strength in totals:
            linear = clone(last).set_params(C=strength).fit(fitted, parts.train.labels())
            totals[strength] += (linear.predict(asked) == np.array(parts.test.labels())).sum()
    assert max(totals, key=totals.get) == chosen, totals


TINY = Protocol(seeds=(0,), n_trials=1, n_explained=0, n_resamples=20)


@pytest.mark.slow
def test_every_model_goes_through_a_comparison_on_a_corpus_and_on_a_phenomenon(
    in_this_process, monkeypatch
):
    """As ``full`` does it, on 16 documents: it holds the models of all other suites."""
    small = partial(make_phenomenon, n_train=16, n_test=8)
    monkeypatch.setattr("nlpfeat.datasets.phenomena.make_phenomenon", small)
    findings = compare_models("full", small("keyword").train, TINY, phenomena=["order"]).findings
    assert [model.name for model in findings.models] == list(MODELS)
    assert len(MODELS) == 31
    assert {record.model for record in findings.records} == set(MODELS)
    assert {score.model for score in findings.phenomena} >= set(MODELS) - {"attention-words"}
    assert not [note for note in findings.notes if "failed" in note]
    assert {name for names in SUITES.values() for name in names} <= set(MODELS)


def test_settings_for_phenomena_are_told_and_change_no_run_on_a_corpus():
    changed = replace(MODELS["word-bow"], on_phenomena={"logisticregression__C": 9.0})
    assert changed.settings == MODELS["word-bow"].settings == MODELS["word-bow"].all_settings
    assert changed.all_settings == f"{changed.settings}, on phenomena={{logisticregression__C=9.0}}"
    assert "LogisticRegression(C=9.0," in changed.for_phenomena().settings
    assert "grid={}" in changed.for_phenomena().settings


def test_pairs_of_words_are_counted_on_phenomena_as_their_ceiling_says():
    parts = make_phenomenon("absence")
    ceiling = parts.phenomenon.ceiling(MODELS["word-ngrams"].sees).accuracy
    labels = [item.label for item in parts.train_items]
    tokens = [list(item.tokens) for item in parts.train_items]
    test = [list(item.tokens) for item in parts.test_items]
    expected = [item.label for item in parts.test_items]
    counted = seeded(MODELS["word-ngrams"].for_phenomena().estimator, 0).fit(tokens, labels)
    assert counted.score(test, expected) == pytest.approx(ceiling, abs=0.065)
    present = seeded(MODELS["word-ngrams"].estimator, 0).fit(tokens, labels)
    assert present.score(test, expected) > 0.95


def test_models_are_given_by_name_as_objects_and_as_pairs():
    own = ComparedModel(name="我的", estimator=SVM, grid={"linearsvc__C": (0.1, 1.0)})
    found = chosen_models(["tfidf", own, ("他的", SVM)])
    assert [model.name for model in found] == ["tfidf", "我的", "他的"]
    assert [model.family for model in found] == ["classical", "given", "given"]
    assert "grid={linearsvc__C=[0.1, 1.0]}" in found[1].settings


class Unpicklable(LinearSVC):
    def __reduce_ex__(self, protocol):
        raise TypeError("cannot pickle this")


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ("quik", r"models \(a suite; a list for single models\).*Did you mean 'quick'"),
        (["tfdf"], "Did you mean 'tfidf'"),
        ([], "at least one model"),
        (3, "name of a suite, or a list of models. Got 3"),
        (["tfidf", "tfidf"], "different names. Got 'tfidf' twice"),
        ([SVM], r"a pair \(name, estimator\)"),
        ([("svm", LinearSVC)], "must be an object with fit"),
        ([("svm", object())], "must be an object with fit"),
        ([(" ", SVM)], "a text that is not blank"),
        ([("svm", Unpicklable())], "must be picklable.*cannot pickle this"),
        ([ComparedModel(name="a", estimator=SVM, grid={"C": (1,)})], "The grid of Pipeline"),
        ([ComparedModel(name="a", estimator=SVM, on_phenomena={"C": 1})], "Got 'C'; it has"),
    ],
)
def test_what_is_no_model_is_told(models, message):
    with pytest.raises(InvalidParameterError, match=message):
        chosen_models(models)


def test_an_unknown_family_is_told():
    with pytest.raises(InvalidParameterError, match=r"ComparedModel\.family must be one of"):
        ComparedModel(name="a", estimator=SVM, family="linear")
