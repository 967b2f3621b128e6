"""The attention classifier, from documents to classes: what the other networks do not have."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import safetensors.numpy
from estimators import DOCUMENTS, LABELS, content, loaded
from network_classifiers import everyday, small
from sklearn.model_selection import cross_val_score

from nlpfeat import AttentionClassifier, Corpus, SegmentTransformer
from nlpfeat.classifiers._settings import checked_priors, training_settings
from nlpfeat.errors import InvalidParameterError
from nlpfeat.priors import EmbeddingPrior, KeyPrior, WidePrior


def test_any_form_of_documents(tmp_path):
    file = tmp_path / "documents.csv"
    pd.DataFrame({"text": DOCUMENTS}).to_csv(file, index=False)
    tokens = SegmentTransformer().transform(DOCUMENTS)
    ragged = np.empty(len(tokens), dtype=object)
    ragged[:] = tokens
    for unit in ("char", "word"):
        wanted = content(
            small("attention", unit=unit).fit(DOCUMENTS, LABELS).predict_proba(DOCUMENTS)
        )
        for form in (
            tuple(DOCUMENTS),
            np.array(DOCUMENTS),
            pd.Series(DOCUMENTS, index=range(50, 50 + len(DOCUMENTS))),
            (text for text in DOCUMENTS),
            Corpus(file, text_column="text"),
            tokens,
            tuple(map(tuple, tokens)),
            iter(tokens),
            ragged,
            pd.Series(tokens),
        ):
            classifier = small("attention", unit=unit).fit(form, pd.Series(LABELS))
            assert content(classifier.predict_proba(DOCUMENTS)) == wanted, type(form)
        for form in (tokens, iter(DOCUMENTS), Corpus(file, text_column="text")):
            assert content(classifier.predict_proba(form)) == wanted, type(form)


@pytest.mark.slow
def test_in_processes():
    texts, labels = everyday()
    alone, shared = (
        cross_val_score(
            small("attention", min_df=2), texts[:120], labels[:120], cv=2, n_jobs=n_jobs
        )
        for n_jobs in (None, 2)
    )
    assert alone.tolist() == shared.tolist()


@pytest.mark.parametrize(("parameters", "message"), [
    ({"attention_score": "dott"}, r"^attention_score must be one of .*Did you mean 'dot'\?"),
    ({"position": "t6"}, r"position must be one of .*Did you mean 't5'\?"),
    ({"normalizer": "max"}, "normalizer must be one of "),
    ({"n_layers": -1}, "n_layers must be an integer that is at least 0. Got -1"),
    ({"n_queries": 0}, "n_queries must be an integer that is at least 1"),
    ({"n_heads": 3}, "n_heads|d_model"),
    ({"priors": "wide"}, r"priors must be a list of priors, .* or \['wide'\]\. Got 'wide'"),
    ({"priors": ["widee"]}, "priors must be one of "),
    ({"priors": [5]}, "priors must be one of .*Got 5"),
    ({"priors": iter(["key"])}, r"must be a list of priors, .*Got a list_iterator\."),
    ({"priors": {"key"}}, r"must be a list of priors, .*Got \{'key'\}"),
    ({"priors": KeyPrior()}, r"must be a list of priors, .*Got KeyPrior\("),
    ({"priors": [KeyPrior]}, r"such as KeyPrior\(\)\. Got the class KeyPrior itself"),
    ({"priors": [KeyPrior(strength=1e300)]}, "KeyPrior.strength must be a finite number of 32 bi"),
    ({"priors": [WidePrior(l2=-1e39)]}, "WidePrior.l2 must be a finite number of 32 bits"),
    ({"n_queries": 10**12}, "n_queries must be at most 1,048,576"),
    ({"n_layers": 10**30}, "n_layers must be at most 1,000"),
    ({"n_heads": 10**20, "d_head": 10**20}, "n_heads must be at most 1,048,576"),
    ({"d_head": 10**20}, "d_head must be at most 1,048,576"),
    ({"position": "rope", "attention_score": "additive"}, "and attention_score='additive' is none"),
], ids=lambda value: value if isinstance(value, str) else "-".join(value))  # fmt: skip
def test_parameters_that_cannot_be(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        small("attention", **parameters).fit(DOCUMENTS, LABELS)


@pytest.mark.parametrize(("priors", "given", "used"), [
    ((), None, 0.1), (["key"], None, 0.1), (["wide"], None, 0.0), (["key", "expert"], None, 0.0),
    ((), 0.0, 0.0), ((), 0.3, 0.3), (["wide"], 0.2, 0.2), (["expert"], 0.0, 0.0),
], ids=str)  # fmt: skip
def test_targets_are_smoothed_as_asked_and_else_where_no_prior_adds_log_scores(priors, given, used):
    classifier = small("attention", priors=priors, label_smoothing=given)
    assert training_settings(classifier, checked_priors(priors)).label_smoothing == used


#: One classifier whose digits were written down, before the networks had a base in common:
#: what other machines round otherwise moves them less than the tests allow.
WRITTEN = {
    "d_model": 8, "n_layers": 1, "n_heads": 2, "n_queries": 1, "min_df": 2, "batch_size": 4,
    "max_epochs": 3, "learning_rate": 0.02, "random_state": 0, "device": "cpu",
}  # fmt: skip


@pytest.mark.parametrize(("parameters", "shares", "losses", "best", "weights"), [
    ({}, [0.3981, 0.5185, 0.2175, 0.2371, 0.2615, 0.5039], [0.8575, 0.7109, 0.7467], 3,
     {"attention": 1.0}),
    ({"priors": ["wide", "key"]}, [0.0075, 0.9611, 0.1858, 0.2371, 0.1566, 0.5022],
     [0.6066, 0.2388, 0.2877], 3, {"attention": 0.3611, "wide": 0.8033}),
    ({"validation_fraction": 0.25, "patience": 2},
     [0.4675, 0.3708, 0.3131, 0.2863, 0.2748, 0.4967], [1.3581, 0.7823, 0.8234], 1,
     {"attention": 1.0}),
    ({"calibration_fraction": 0.25}, [0.362, 0.4533, 0.2766, 0.3091, 0.2821, 0.4993],
     [1.0319, 0.6756, 0.6968], 3, {"attention": 0.3408}),
], ids=["plain", "priors", "validation", "calibration"])  # fmt: skip
def test_digits_that_were_written_down(parameters, shares, losses, best, weights):
    """So that no change of what lies below changes the results of users unseen."""
    classifier = AttentionClassifier(**WRITTEN, **parameters).fit(DOCUMENTS, LABELS)
    assert classifier.predict_proba(DOCUMENTS)[:6, 0] == pytest.approx(shares, abs=3e-4)
    found = [epoch["training_loss"] for epoch in classifier.history_]
    assert found == pytest.approx(losses, abs=3e-4)
    assert classifier.best_epoch_ == best
    assert classifier.part_weights_ == pytest.approx(weights, abs=3e-4)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.InconsistentVersionWarning")
def test_a_file_of_an_earlier_version_is_read():
    data = (Path(__file__).parents[1] / "saved_models" / "attention.skops").read_bytes()
    classifier = loaded(data)
    assert classifier.predict_proba(DOCUMENTS)[:, 0] == pytest.approx(
        [0.3629, 0.4559, 0.2769, 0.3098, 0.2817, 0.4993, 0.2593, 0.3170, 0.2525, 0.3629, 0.5971,
         0.5715], abs=3e-4,
    )  # fmt: skip
    assert classifier.n_parameters_["priors"] == 4  # a strength of each head, in layer and pooling


@pytest.mark.parametrize(("priors", "of_priors", "is_frozen"), [
    ((), 0, False), (["key"], 4, False),
    ([EmbeddingPrior(n_components=2, mode="frozen")], 0, True),
], ids=["none", "key", "frozen vectors"])  # fmt: skip
def test_how_many_numbers_are_trained(priors, of_priors, is_frozen):
    classifier = small("attention", priors=priors).fit(DOCUMENTS, LABELS)
    stored = safetensors.numpy.load(classifier._weights)
    vectors = stored.pop("embedding.weight")
    del stored["part_weights"]
    found = classifier.n_parameters_
    assert found["priors"] == of_priors
    assert found["non_embedding"] == sum(each.size for each in stored.values())
    assert found["total"] - found["non_embedding"] == (0 if is_frozen else vectors.size)
