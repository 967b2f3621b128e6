"""Nothing that is fitted knows a word of the test part: vocabularies, PMI, priors, experts."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone

from nlpfeat import Corpus
from nlpfeat.compare.models import MODELS, ComparedModel
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.runs.plan import make_plan, runs_of
from nlpfeat.compare.runs.run import fitted_model
from nlpfeat.compare.runs.store import RunStore
from nlpfeat.compare.runs.token_file import read_tokens

#: Characters that stand in no other text.
TEST, TRAINING = "魑魅", "饕餮"
#: So small that every model is fitted in well under a second.
TINY = {"d_model": 8, "max_epochs": 1, "n_layers": 1, "n_filters": 4, "d_hidden": 4, "d_head": 2}


def corpora() -> tuple[Corpus, Corpus]:
    random = np.random.default_rng(0)
    labels = ["好评", "差评"] * 30
    says = {"好评": "很香", "差评": "很臭"}
    texts = [
        f"{says[label]}的{''.join(random.choice(list('天地人你我他'), 4))}{TRAINING}第{row}次"
        for row, label in enumerate(labels)
    ]
    tests = [f"{TEST}很{word}{TEST}" for word in ("香", "臭", "甜", "脏")]
    return Corpus.from_texts(texts, labels), Corpus.from_texts(tests, ["好评", "差评"] * 2)


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    train, test = corpora()
    protocol = Protocol(split="given", seeds=(0,), n_trials=1, n_explained=0)
    store = RunStore(tmp_path_factory.mktemp("cache"))
    return make_plan(train, protocol, store, test=test)


def small(model: ComparedModel) -> ComparedModel:
    known = model.estimator.get_params(deep=False)
    settings = {name: value for name, value in TINY.items() if known.get(name) is not None}
    estimator = clone(model.estimator).set_params(**settings)
    return ComparedModel(name=model.name, family=model.family, estimator=estimator)


@pytest.mark.parametrize("name", MODELS)
def test_no_model_knows_a_word_of_the_test_part(planted, name):
    tokens = read_tokens(planted.tokens)
    assert any(TEST[0] in token for document in tokens.documents for token in document)
    (run,) = runs_of(planted, [small(MODELS[name])])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        tuned = fitted_model(run, tokens)
    learned = pickle.dumps(tuned.scores.estimator)
    # What it was fitted on stands in it: the search would find the others.
    assert any(character.encode() in learned for character in TRAINING)
    assert not any(character.encode() in learned for character in TEST)
