"""The attention classifier, from documents to classes."""

import copy
import logging
import pickle
import subprocess
import sys
from functools import cache

import numpy as np
import pandas as pd
import pytest
import torch
from estimators import DOCUMENTS, LABELS, content, loaded, saved
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

from nlpfeat import AttentionClassifier, Corpus, SegmentTransformer, load_everyday
from nlpfeat.classifiers import _fitting, _training
from nlpfeat.classifiers._settings import checked_priors, training_settings
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.priors import KeyPrior, WidePrior

SMALL = {"d_model": 16, "n_layers": 1, "n_heads": 2, "min_df": 1, "random_state": 0}


def small(**parameters):
    return AttentionClassifier(**{**SMALL, "max_epochs": 2, "batch_size": 8, **parameters})


@cache
def everyday():
    """Return texts and labels, shuffled."""
    documents = list(load_everyday().documents())
    order = np.random.default_rng(0).permutation(len(documents)).tolist()
    return [documents[row].text for row in order], [documents[row].label for row in order]


@cache
def learned():
    """Return a classifier that has learned something; not to be changed."""
    texts, labels = everyday()
    parameters = {"d_model": 32, "min_df": 2, "max_epochs": 8, "learning_rate": 5e-3}
    # Fewer texts than the defaults are for: what they hold back is needed here.
    parameters |= {"dropout": 0.3, "averaging": None, "label_smoothing": 0.0, "n_queries": 1}
    return small(**parameters, batch_size=32).fit(texts[::2], labels[::2])


def test_it_learns():
    texts, labels = everyday()
    assert learned().score(texts[::2], labels[::2]) > 0.9
    assert learned().score(texts[1::2], labels[1::2]) > 0.5  # guessing one of ten: 0.1


def test_probabilities():
    texts, _ = everyday()
    classifier = learned()
    shares = classifier.predict_proba(texts[:50])
    assert shares.dtype == np.float64
    assert shares.shape == (50, len(classifier.classes_))
    assert (shares > 0).all()
    assert shares.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert classifier.predict(texts[:50]).tolist() == [
        classifier.classes_[place] for place in shares.argmax(axis=1)
    ]
    assert classifier.classes_.tolist() == sorted(set(everyday()[1]))


def test_a_document_alone_is_the_same_as_in_a_batch():
    texts = [*everyday()[0][:40], "", "龘"]
    together = learned().predict_proba(texts)
    alone = np.concatenate([learned().predict_proba([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-5
    backwards = learned().predict_proba(texts[::-1])[::-1]
    assert np.abs(together - backwards).max() < 1e-5


def test_an_empty_document_has_the_answer_of_the_empty_document():
    shares = learned().predict_proba(["", "　\n", "", "今天天气很好"])
    assert np.isfinite(shares).all()
    assert np.abs(shares[:3] - shares[0]).max() < 1e-7
    assert np.abs(shares[3] - shares[0]).max() > 1e-3
    assert learned().predict_proba([[]]) == pytest.approx(shares[:1], abs=1e-7)
    assert learned().predict([]).shape == (0,)
    assert learned().predict_proba([]).shape == (0, len(learned().classes_))


def test_predicting_changes_nothing():
    before = saved(learned())
    texts = everyday()[0][:20]
    once = content(learned().predict_proba(texts))
    learned().attention_weights(texts)
    learned().predict(texts[3:5])
    assert content(learned().predict_proba(texts)) == once
    assert saved(learned()) == before


def test_any_form_of_documents(tmp_path):
    file = tmp_path / "documents.csv"
    pd.DataFrame({"text": DOCUMENTS}).to_csv(file, index=False)
    tokens = SegmentTransformer().transform(DOCUMENTS)
    ragged = np.empty(len(tokens), dtype=object)
    ragged[:] = tokens
    for unit in ("char", "word"):
        wanted = content(small(unit=unit).fit(DOCUMENTS, LABELS).predict_proba(DOCUMENTS))
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
            classifier = small(unit=unit).fit(form, pd.Series(LABELS))
            assert content(classifier.predict_proba(DOCUMENTS)) == wanted, type(form)
        for form in (tokens, iter(DOCUMENTS), Corpus(file, text_column="text")):
            assert content(classifier.predict_proba(form)) == wanted, type(form)


@pytest.mark.parametrize("labels", [
    [1 if label == "好" else 0 for label in LABELS],
    [label == "好" for label in LABELS],
    np.array(LABELS, dtype=object),
    ["丙" if row == 4 else label for row, label in enumerate(LABELS)],
], ids=["numbers", "truth values", "objects", "three"])  # fmt: skip
def test_classes_of_any_kind(labels):
    classifier = small().fit(DOCUMENTS, labels)
    assert classifier.classes_.tolist() == sorted(set(labels))
    assert classifier.classes_.dtype == np.asarray(labels).dtype
    found = classifier.predict(DOCUMENTS)
    assert found.dtype == np.asarray(labels).dtype
    assert set(found.tolist()) <= set(labels)


def test_what_is_learned():
    classifier = small(max_epochs=3).fit(DOCUMENTS, LABELS)
    characters = {c for c in "".join(DOCUMENTS).lower() if not c.isspace()}
    vocabulary = classifier.vocabulary_
    assert {"天", "，", "a", "v"} <= set(vocabulary)
    assert "Ａ" not in vocabulary
    assert set(vocabulary) - characters <= set("avip5%?")  # full-width ones, folded
    assert list(vocabulary.values()) == list(range(len(vocabulary)))
    assert (classifier.n_iter_, classifier.best_epoch_) == (3, 3)
    assert [epoch["epoch"] for epoch in classifier.history_] == [1, 2, 3]
    assert pd.DataFrame(classifier.history_).columns.tolist() == [
        "epoch", "training_loss", "validation_loss", "validation_accuracy", "learning_rate",
        "seconds",
    ]  # fmt: skip
    assert classifier.priors_ == []
    assert classifier.stop_words_ == ()


def test_unknown_tokens_are_one():
    classifier = small(min_df=2).fit(DOCUMENTS, LABELS)
    assert "折" not in classifier.vocabulary_
    one, other, known = classifier.predict_proba(["折", "龘", "天"])
    assert one == pytest.approx(other, abs=1e-7)
    assert np.abs(one - known).max() > 1e-4


def test_punctuation_is_seen_unless_it_is_not_to_be():
    texts, labels = ["好！", "好。"] * 8, ["急", "缓"] * 8
    quiet = small(keep_punctuation=False).fit(texts, labels)
    assert quiet.predict_proba(["好！"]) == pytest.approx(quiet.predict_proba(["好。"]))
    loud = small(max_epochs=20, learning_rate=1e-2).fit(texts, labels)
    assert loud.predict(["好！", "好。"]).tolist() == ["急", "缓"]


@pytest.mark.parametrize("unit", ["char", "word"])
def test_a_gap_keeps_its_place(unit):
    texts = ["天很好", "天不好"] * 4
    classifier = small(stop_words=["很"], unit=unit, segmenter="char").fit(texts, [0, 1] * 4)
    stopped, near, far = classifier.predict_proba(["天很好", "天好", "天很很好"])
    assert np.abs(stopped - near).max() > 1e-7  # a place lies between 天 and 好
    assert np.abs(stopped - far).max() > 1e-7
    assert "很" not in classifier.vocabulary_


def test_same_seed_same_bytes():
    first, again, other = (small(random_state=seed).fit(DOCUMENTS, LABELS) for seed in (3, 3, 4))
    assert first._weights == again._weights
    assert first._weights != other._weights
    assert saved(first) == saved(again)
    state = np.random.RandomState(3)
    used = [small(random_state=state).fit(DOCUMENTS, LABELS)._weights for _ in range(2)]
    assert used[0] != used[1]


def test_nothing_global_is_touched_or_read():
    before = torch.get_rng_state(), np.random.get_state()[1].tolist()  # noqa: NPY002
    threads, dtype = torch.get_num_threads(), torch.get_default_dtype()
    wanted = small().fit(DOCUMENTS, LABELS)._weights
    assert torch.equal(torch.get_rng_state(), before[0])
    assert np.random.get_state()[1].tolist() == before[1]  # noqa: NPY002
    assert (torch.get_num_threads(), torch.get_default_dtype()) == (threads, dtype)
    torch.rand(1)
    try:
        assert small().fit(DOCUMENTS, LABELS)._weights == wanted
    finally:
        torch.set_rng_state(before[0])


def test_copies_are_the_same():
    texts = everyday()[0][:20]
    wanted = content(learned().predict_proba(texts))
    for copied in (
        pickle.loads(pickle.dumps(learned())),
        copy.deepcopy(learned()),
        copy.copy(learned()),
        loaded(saved(learned())),
    ):
        assert content(copied.predict_proba(texts)) == wanted
        assert copied.history_[0].keys() >= {"epoch", "training_loss"}
    twin = clone(learned())
    assert twin.get_params() == learned().get_params()
    assert not hasattr(twin, "classes_")


def test_a_second_fit_replaces_the_first():
    classifier = small().fit(DOCUMENTS, LABELS)
    classifier.predict(DOCUMENTS)
    texts, labels = everyday()
    classifier.fit(texts[:40], labels[:40])
    wanted = small().fit(texts[:40], labels[:40]).predict_proba(texts[:40])
    assert content(classifier.predict_proba(texts[:40])) == content(wanted)


def test_a_failed_fit_leaves_what_was_learned():
    classifier = small().fit(DOCUMENTS, LABELS)
    before = content(classifier.predict_proba(DOCUMENTS))
    for documents, labels in ((["好", None], [0, 1]), (DOCUMENTS, LABELS[:3]), (["", ""], [0, 1])):
        with pytest.raises(InvalidInputError):
            classifier.fit(documents, labels)
        assert content(classifier.predict_proba(DOCUMENTS)) == before


def test_in_a_search():
    texts, labels = everyday()
    search = GridSearchCV(
        small(min_df=2, learning_rate=5e-3), {"n_layers": [0, 1], "unit": ["char", "word"]}, cv=2,
        error_score="raise",
    )  # fmt: skip
    search.fit(texts[:200], labels[:200])
    scores = search.cv_results_["mean_test_score"]
    assert len(set(scores)) > 1
    assert search.predict(texts[:3]).shape == (3,)


@pytest.mark.slow
def test_in_processes():
    texts, labels = everyday()
    alone, shared = (
        cross_val_score(small(min_df=2), texts[:120], labels[:120], cv=2, n_jobs=n_jobs)
        for n_jobs in (None, 2)
    )
    assert alone.tolist() == shared.tolist()


def test_weights_of_classes():
    texts = ["好茶"] * 30 + ["好书"] * 2
    labels = ["多"] * 30 + ["少"] * 2
    shares = {
        name: small(class_weight=weight, max_epochs=4, learning_rate=5e-3)
        .fit(texts, labels).predict_proba(["好书"])[0, 1]
        for name, weight in [("none", None), ("balanced", "balanced"), ("given", {"少": 15.0}),
                             ("less", {"少": 0.01})]
    }  # fmt: skip
    assert shares["less"] < shares["none"] < shares["balanced"]
    assert shares["given"] == pytest.approx(shares["balanced"], abs=1e-4)  # 15 to 1, both


def test_a_class_that_was_seen_once():
    texts, labels = everyday()
    texts, labels = [*texts[:60], "只见一次"], [*labels[:60], "稀有"]
    for fraction in (0.0, 0.3):
        classifier = small(validation_fraction=fraction, max_epochs=1).fit(texts, labels)
        assert "稀有" in classifier.classes_
        assert "次" in classifier.vocabulary_


def test_the_validation_part_is_not_learned_from(monkeypatch):
    seen = {}

    def watched(network, documents, *arguments, validation=None, **options):
        seen.update(training=documents, validation=validation)
        return _training.train(network, documents, *arguments, validation=validation, **options)

    monkeypatch.setattr(_fitting, "train", watched)
    texts = [chr(0x4E00 + row) * 3 for row in range(40)]  # each has a character of its own
    classifier = small(validation_fraction=0.25).fit(texts, [0, 1, 2, 3] * 10)
    assert len(seen["validation"]) == 10
    assert np.bincount(seen["validation"].targets).tolist() in ([2, 3, 2, 3], [3, 2, 3, 2],
        [2, 2, 3, 3], [3, 3, 2, 2], [2, 3, 3, 2], [3, 2, 2, 3])  # fmt: skip
    assert len(classifier.vocabulary_) == len(seen["training"]) == 30
    ids = seen["validation"].batch(np.arange(10)).ids
    assert ids.unique().tolist() == [30]  # unknown, all of them
    assert classifier.history_[0]["validation_accuracy"] is not None


def test_an_interrupted_fit_keeps_the_best_epoch(monkeypatch):
    epochs = []
    original = _training._Run.epoch

    def epoch(run):
        if len(epochs) == 2:
            raise KeyboardInterrupt
        epochs.append(1)
        original(run)

    monkeypatch.setattr(_training._Run, "epoch", epoch)
    with pytest.warns(UserWarning, match="interrupted in epoch 3 of 5") as caught:
        classifier = small(max_epochs=5).fit(DOCUMENTS, LABELS)
    assert [warning.filename for warning in caught] == [__file__]
    assert (classifier.n_iter_, classifier.best_epoch_) == (2, 2)
    assert classifier.predict(DOCUMENTS).shape == (len(DOCUMENTS),)
    epochs[:] = [1, 1]
    unfitted = small()
    with pytest.raises(KeyboardInterrupt):
        unfitted.fit(DOCUMENTS, LABELS)
    assert not hasattr(unfitted, "classes_")


def test_long_documents_are_cut_with_a_warning():
    texts = ["天" * 20 + "好", "天" * 20 + "坏"] * 4
    with pytest.warns(UserWarning, match="8 of 8 documents have more than max_length=10") as caught:
        classifier = small(max_length=10).fit(texts, [0, 1] * 4)
    assert [warning.filename for warning in caught] == [__file__]
    assert list(classifier.vocabulary_) == ["天"]
    with pytest.warns(UserWarning, match="1 of 2 documents have more than max_length=10"):
        shares = classifier.predict_proba(["天" * 10 + "好", "天" * 10])
    assert shares[0] == pytest.approx(shares[1], abs=1e-7)


@pytest.mark.parametrize(("parameters", "message"), [
    ({"unit": "chars"}, r"unit must be one of .*Got 'chars'. Did you mean 'char'\?"),
    ({"attention_score": "dott"}, r"^attention_score must be one of .*Did you mean 'dot'\?"),
    ({"position": "t6"}, r"position must be one of .*Did you mean 't5'\?"),
    ({"normalizer": "max"}, "normalizer must be one of "),
    ({"n_layers": -1}, "n_layers must be an integer that is at least 0. Got -1"),
    ({"d_model": 0}, "d_model must be an integer that is at least 1"),
    ({"n_queries": 0}, "n_queries must be an integer that is at least 1"),
    ({"n_heads": 3}, "n_heads|d_model"),
    ({"dropout": 1.0}, "dropout must be at least 0 and below 1. Got 1.0"),
    ({"token_dropout": -0.1}, "token_dropout must be at least 0 and below 1"),
    ({"learning_rate": 0}, "learning_rate must be a finite number above 0"),
    ({"weight_decay": -1}, "weight_decay must be at least 0"),
    ({"warmup": 1}, "warmup must be at least 0 and below 1"),
    ({"label_smoothing": 1}, r"label_smoothing \(or None\) must be at least 0 and below 1"),
    ({"averaging": 0.0}, r"averaging \(or None\) must be a finite number above 0"),
    ({"batch_size": 0}, "batch_size must be an integer that is at least 1"),
    ({"max_epochs": 0}, "max_epochs must be an integer that is at least 1"),
    ({"max_length": 0}, "max_length must be an integer that is at least 1"),
    ({"patience": 0, "validation_fraction": 0.2}, r"patience \(or None\) must be an integer"),
    ({"patience": 3}, "patience=3 .*validation_fraction=0 sets none aside. Set validation_fr"),
    ({"validation_fraction": 1.0}, "validation_fraction must be at least 0 and below 1"),
    ({"validation_fraction": 0.01}, "validation_fraction=0.01 of 12 documents is none"),
    ({"class_weight": "even"}, "class_weight must be None, 'balanced' or a mapping"),
    ({"class_weight": {"很": 1}}, r"class_weight must name classes of y, \['坏', '好'\]. Got '很'"),
    ({"class_weight": {"好": 0}}, r"class_weight\['好'\] must be a finite number above 0"),
    ({"min_df": -1}, "min_df"),
    ({"device": "gpu"}, "device must be 'auto', 'cpu', 'cuda'"),
    ({"device": "cuda:77"}, "device='cuda:77' is not there"),
    ({"verbose": 1}, "verbose must be True or False"),
    ({"random_state": "0"}, "random_state must be an integer"),
    ({"n_jobs": 0}, "n_jobs must be positive"),
    ({"priors": "wide"}, r"priors must be a list of priors, .* or \['wide'\]\. Got 'wide'"),
    ({"priors": ["widee"]}, "priors must be one of "),
    ({"priors": [5]}, "priors must be one of .*Got 5"),
    ({"priors": iter(["key"])}, r"must be a list of priors, .*Got a list_iterator\."),
    ({"priors": {"key"}}, r"must be a list of priors, .*Got \{'key'\}"),
    ({"priors": KeyPrior()}, r"must be a list of priors, .*Got KeyPrior\("),
    ({"priors": [KeyPrior]}, r"such as KeyPrior\(\)\. Got the class KeyPrior itself"),
    ({"priors": [KeyPrior(strength=1e300)]}, "KeyPrior.strength must be a finite number of 32 bi"),
    ({"priors": [WidePrior(l2=-1e39)]}, "WidePrior.l2 must be a finite number of 32 bits"),
    ({"learning_rate": 1e39}, r"learning_rate must be .* of 32 bits.*Got 1e\+39"),
    ({"learning_rate": 10**400}, "learning_rate must be a finite number of 32 bits"),
    ({"weight_decay": 1e300}, "weight_decay must be a finite number of 32 bits"),
    ({"batch_size": 10**20}, "batch_size must be at most 2,147,483,647. Got 100,000,000,0"),
    ({"max_epochs": 10**20}, "max_epochs must be at most 2,147,483,647"),
    ({"max_length": 10**30}, "max_length must be at most 2,147,483,647"),
    ({"d_model": 10**20}, "d_model must be at most 1,048,576"),
    ({"n_queries": 10**12}, "n_queries must be at most 1,048,576"),
    ({"n_layers": 10**30}, "n_layers must be at most 1,000"),
    ({"n_heads": 10**20, "d_head": 10**20}, "n_heads must be at most 1,048,576"),
    ({"d_head": 10**20}, "d_head must be at most 1,048,576"),
    ({"class_weight": {"好": 1e308}}, r"class_weight\['好'\] must be .* at most 1e\+30"),
    ({"device": torch.device("cpu")}, "device must be .*Give its name, 'cpu'"),
    ({"calibration_fraction": 0.01}, r"fraction=0.01 of 12 .* or set calibration_fraction=0\.$"),
    ({"position": "rope", "attention_score": "additive"}, "and attention_score='additive' is none"),
    ({"fold_width": "yes"}, "fold_width must be True or False"),
], ids=lambda value: value if isinstance(value, str) else "-".join(value))  # fmt: skip
def test_parameters_that_cannot_be(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        small(**parameters).fit(DOCUMENTS, LABELS)


@pytest.mark.parametrize(("documents", "labels", "message"), [
    (DOCUMENTS, None, "requires y to be passed"),
    (DOCUMENTS, ["好"] * 12, "at least two classes. Got one class: '好' for every"),
    (DOCUMENTS, LABELS[:5], "one class to each of the 12 documents. Got 5 classes"),
    (DOCUMENTS, [0.5] * 11 + [1.25], "Unknown label type"),
    ([], [], "y is empty: there is nothing to learn from"),
    (["", "　", "\n"], [0, 1, 0], "All documents are empty"),
    (["好", None], [0, 1], r"Row 2 of the documents \(documents\[1\]\) is None"),
    ("今天", [0, 1], r"not one string"),
    (["龘", "鑫"], [0, 1], "No term is left: .*min_df=2"),
], ids=["no y", "one class", "too few", "numbers", "nothing", "empty", "none", "string",
        "rare"])  # fmt: skip
def test_what_cannot_be_learned_from(documents, labels, message):
    with pytest.raises(InvalidInputError, match=message):
        small(min_df=2).fit(documents, labels)


def test_a_device_that_is_gone_can_be_replaced():
    classifier = copy.deepcopy(learned()).set_params(device="cuda:77")
    with pytest.raises(InvalidParameterError, match=r"device='cuda:77' is not there.*'auto'"):
        classifier.predict(["好"])
    assert classifier.set_params(device="cpu").predict(["好"]).shape == (1,)


@pytest.mark.parametrize("where", ["made", "moved", "weighed"])
def test_the_memory_of_a_fit(monkeypatch, where):
    def full(*_, **__):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB.")

    if where == "made":
        monkeypatch.setattr(_fitting, "Network", full)
    elif where == "moved":
        monkeypatch.setattr(_fitting.Network, "to", full)
    else:
        monkeypatch.setattr(_fitting, "weights_as_bytes", full)
    with pytest.raises(InvalidParameterError, match="Lower batch_size first, then max_length"):
        small().fit(DOCUMENTS, LABELS)


@pytest.mark.parametrize("name", ["load_state_dict", "to"])
def test_the_memory_of_a_network_that_is_loaded(monkeypatch, name):
    def full(*_, **__):
        raise RuntimeError("MPS backend out of memory (MPS allocated: 9.0 GB)")

    classifier = loaded(saved(learned()))
    monkeypatch.setattr(f"nlpfeat.classifiers._network.Network.{name}", full)
    with pytest.raises(InvalidParameterError, match="Lower batch_size first, then max_length"):
        classifier.predict(["好"])


@pytest.mark.parametrize(("priors", "given", "used"), [
    ((), None, 0.1), (["key"], None, 0.1), (["wide"], None, 0.0), (["key", "expert"], None, 0.0),
    ((), 0.0, 0.0), ((), 0.3, 0.3), (["wide"], 0.2, 0.2), (["expert"], 0.0, 0.0),
], ids=str)  # fmt: skip
def test_targets_are_smoothed_as_asked_and_else_where_no_prior_adds_log_scores(priors, given, used):
    classifier = small(priors=priors, label_smoothing=given)
    assert training_settings(classifier, checked_priors(priors)).label_smoothing == used


def test_the_memory_of_a_prediction(monkeypatch):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr("nlpfeat.classifiers._predicting.evaluate", full)
    with pytest.raises(InvalidParameterError, match="Lower batch_size first, then max_length"):
        learned().predict(["好"])


def test_a_bar_is_for_terminals_alone(capsys, caplog):
    with caplog.at_level(logging.INFO, logger="nlpfeat"):
        small(verbose=True).fit(DOCUMENTS, LABELS)
    assert len(caplog.messages) == 2
    assert tuple(capsys.readouterr()) == ("", "")


def test_a_bar_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    small(verbose=True).fit(DOCUMENTS, LABELS)
    out, err = capsys.readouterr()
    assert out == ""
    assert "epoch 2 of 2" in err


WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {package!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
import nlpfeat
from nlpfeat.errors import MissingDependencyError
import nlpfeat.classifiers.attention
classifier = nlpfeat.AttentionClassifier(priors=["wide"], device="cuda")
repr(classifier), classifier.get_params(), nlpfeat.save(classifier, sys.argv[1])
nlpfeat.load(sys.argv[1])
try:
    classifier.fit(["好", "坏"], [0, 1])
except MissingDependencyError as error:
    print(error)
"""


@pytest.mark.parametrize("package", ["torch", "safetensors"])
def test_without_the_extra(tmp_path, package):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT.format(package=package),
         str(tmp_path / "saved")], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == (
        f"AttentionClassifier needs the package {package}; install it with: "
        "pip install 'nlpfeat[attention]'"
    )


def test_torch_is_loaded_by_fit_alone():
    code = (
        "import sys, nlpfeat, nlpfeat.classifiers.attention\n"
        "from sklearn.base import clone\n"
        "repr(clone(nlpfeat.AttentionClassifier(d_model=8)))\n"
        "print(*{'torch', 'safetensors'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
