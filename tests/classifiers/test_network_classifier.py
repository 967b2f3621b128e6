"""What holds of every classifier that is a network, from documents to classes."""

import copy
import logging
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import torch
from estimators import DOCUMENTS, LABELS, content, loaded, saved
from network_classifiers import KINDS, each, everyday, learned, small
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from nlpfeat.classifiers import _fitting, _training
from nlpfeat.classifiers._text_network import TextNetwork
from nlpfeat.errors import InvalidInputError, InvalidParameterError


@each
def test_it_learns(kind):
    texts, labels = everyday()
    assert learned(kind).score(texts[::2], labels[::2]) > 0.9
    assert learned(kind).score(texts[1::2], labels[1::2]) > 0.5  # guessing one of ten: 0.1


@each
def test_probabilities(kind):
    texts, _ = everyday()
    classifier = learned(kind)
    shares = classifier.predict_proba(texts[:50])
    assert shares.dtype == np.float64
    assert shares.shape == (50, len(classifier.classes_))
    assert (shares > 0).all()
    assert shares.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert classifier.predict(texts[:50]).tolist() == [
        classifier.classes_[place] for place in shares.argmax(axis=1)
    ]
    assert classifier.classes_.tolist() == sorted(set(everyday()[1]))


@each
def test_a_document_alone_is_the_same_as_in_a_batch(kind):
    texts = [*everyday()[0][:40], "", "龘"]
    together = learned(kind).predict_proba(texts)
    alone = np.concatenate([learned(kind).predict_proba([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-5
    backwards = learned(kind).predict_proba(texts[::-1])[::-1]
    assert np.abs(together - backwards).max() < 1e-5


@each
def test_an_empty_document_has_the_answer_of_the_empty_document(kind):
    shares = learned(kind).predict_proba(["", "　\n", "", "今天天气很好"])
    assert np.isfinite(shares).all()
    assert np.abs(shares[:3] - shares[0]).max() < 1e-7
    assert np.abs(shares[3] - shares[0]).max() > 1e-3
    assert learned(kind).predict_proba([[]]) == pytest.approx(shares[:1], abs=1e-7)
    assert learned(kind).predict([]).shape == (0,)
    assert learned(kind).predict_proba([]).shape == (0, len(learned(kind).classes_))


@each
def test_predicting_changes_nothing(kind):
    before = saved(learned(kind))
    texts = everyday()[0][:20]
    once = content(learned(kind).predict_proba(texts))
    learned(kind).predict(texts[3:5])
    assert content(learned(kind).predict_proba(texts)) == once
    assert saved(learned(kind)) == before


@each
@pytest.mark.parametrize("labels", [
    [1 if label == "好" else 0 for label in LABELS],
    [label == "好" for label in LABELS],
    np.array(LABELS, dtype=object),
    ["丙" if row == 4 else label for row, label in enumerate(LABELS)],
], ids=["numbers", "truth values", "objects", "three"])  # fmt: skip
def test_classes_of_any_kind(kind, labels):
    classifier = small(kind).fit(DOCUMENTS, labels)
    assert classifier.classes_.tolist() == sorted(set(labels))
    assert classifier.classes_.dtype == np.asarray(labels).dtype
    found = classifier.predict(DOCUMENTS)
    assert found.dtype == np.asarray(labels).dtype
    assert set(found.tolist()) <= set(labels)


@each
def test_what_is_learned(kind):
    classifier = small(kind, max_epochs=3).fit(DOCUMENTS, LABELS)
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
    assert classifier.stop_words_ == ()


@each
def test_unknown_tokens_are_one(kind):
    classifier = small(kind, min_df=2).fit(DOCUMENTS, LABELS)
    assert "折" not in classifier.vocabulary_
    one, other, known = classifier.predict_proba(["折", "龘", "天"])
    assert one == pytest.approx(other, abs=1e-7)
    assert np.abs(one - known).max() > 1e-4


@each
def test_punctuation_is_seen_unless_it_is_not_to_be(kind):
    texts, labels = ["好！", "好。"] * 8, ["急", "缓"] * 8
    quiet = small(kind, keep_punctuation=False).fit(texts, labels)
    assert quiet.predict_proba(["好！"]) == pytest.approx(quiet.predict_proba(["好。"]))
    loud = small(kind, max_epochs=20, learning_rate=1e-2).fit(texts, labels)
    assert loud.predict(["好！", "好。"]).tolist() == ["急", "缓"]


@each
@pytest.mark.parametrize("unit", ["char", "word"])
def test_a_gap_keeps_its_place(kind, unit):
    texts = ["天很好", "天不好"] * 4
    classifier = small(kind, stop_words=["很"], unit=unit, segmenter="char").fit(texts, [0, 1] * 4)
    stopped, near, far = classifier.predict_proba(["天很好", "天好", "天很很好"])
    assert np.abs(stopped - near).max() > 1e-7  # a place lies between 天 and 好
    assert np.abs(stopped - far).max() > 1e-7
    assert "很" not in classifier.vocabulary_


@each
def test_same_seed_same_bytes(kind):
    first, again, other = (
        small(kind, random_state=seed).fit(DOCUMENTS, LABELS) for seed in (3, 3, 4)
    )
    assert first._weights == again._weights
    assert first._weights != other._weights
    assert saved(first) == saved(again)
    state = np.random.RandomState(3)
    used = [small(kind, random_state=state).fit(DOCUMENTS, LABELS)._weights for _ in range(2)]
    assert used[0] != used[1]


@each
def test_nothing_global_is_touched_or_read(kind):
    before = torch.get_rng_state(), np.random.get_state()[1].tolist()  # noqa: NPY002
    threads, dtype = torch.get_num_threads(), torch.get_default_dtype()
    wanted = small(kind).fit(DOCUMENTS, LABELS)._weights
    assert torch.equal(torch.get_rng_state(), before[0])
    assert np.random.get_state()[1].tolist() == before[1]  # noqa: NPY002
    assert (torch.get_num_threads(), torch.get_default_dtype()) == (threads, dtype)
    torch.rand(1)
    try:
        assert small(kind).fit(DOCUMENTS, LABELS)._weights == wanted
    finally:
        torch.set_rng_state(before[0])


@each
def test_copies_are_the_same(kind):
    texts = everyday()[0][:20]
    wanted = content(learned(kind).predict_proba(texts))
    for copied in (
        pickle.loads(pickle.dumps(learned(kind))),
        copy.deepcopy(learned(kind)),
        copy.copy(learned(kind)),
        loaded(saved(learned(kind))),
    ):
        assert content(copied.predict_proba(texts)) == wanted
        assert copied.history_[0].keys() >= {"epoch", "training_loss"}
    twin = clone(learned(kind))
    assert twin.get_params() == learned(kind).get_params()
    assert not hasattr(twin, "classes_")


@each
def test_a_second_fit_replaces_the_first(kind):
    classifier = small(kind).fit(DOCUMENTS, LABELS)
    classifier.predict(DOCUMENTS)
    texts, labels = everyday()
    classifier.fit(texts[:40], labels[:40])
    wanted = small(kind).fit(texts[:40], labels[:40]).predict_proba(texts[:40])
    assert content(classifier.predict_proba(texts[:40])) == content(wanted)


@each
def test_a_failed_fit_leaves_what_was_learned(kind):
    classifier = small(kind).fit(DOCUMENTS, LABELS)
    before = content(classifier.predict_proba(DOCUMENTS))
    for documents, labels in ((["好", None], [0, 1]), (DOCUMENTS, LABELS[:3]), (["", ""], [0, 1])):
        with pytest.raises(InvalidInputError):
            classifier.fit(documents, labels)
        assert content(classifier.predict_proba(DOCUMENTS)) == before


@each
def test_in_a_search(kind):
    texts, labels = everyday()
    search = GridSearchCV(
        small(kind, min_df=2, learning_rate=5e-3), {"d_model": [4, 16], "unit": ["char", "word"]},
        cv=2, error_score="raise",
    )  # fmt: skip
    search.fit(texts[:200], labels[:200])
    scores = search.cv_results_["mean_test_score"]
    assert len(set(scores)) > 1
    assert search.predict(texts[:3]).shape == (3,)


@each
def test_weights_of_classes(kind):
    texts = ["好茶"] * 30 + ["好书"] * 2
    labels = ["多"] * 30 + ["少"] * 2
    shares = {
        name: small(kind, class_weight=weight, max_epochs=4, learning_rate=5e-3)
        .fit(texts, labels).predict_proba(["好书"])[0, 1]
        for name, weight in [("none", None), ("balanced", "balanced"), ("given", {"少": 15.0}),
                             ("less", {"少": 0.01})]
    }  # fmt: skip
    assert shares["less"] < shares["none"] < shares["balanced"]
    assert shares["given"] == pytest.approx(shares["balanced"], abs=1e-4)  # 15 to 1, both


@each
def test_a_class_that_was_seen_once(kind):
    texts, labels = everyday()
    texts, labels = [*texts[:60], "只见一次"], [*labels[:60], "稀有"]
    for fraction in (0.0, 0.3):
        classifier = small(kind, validation_fraction=fraction, max_epochs=1).fit(texts, labels)
        assert "稀有" in classifier.classes_
        assert "次" in classifier.vocabulary_


@each
def test_the_validation_part_is_not_learned_from(kind, monkeypatch):
    seen = {}

    def watched(network, documents, *arguments, validation=None, **options):
        seen.update(training=documents, validation=validation)
        return _training.train(network, documents, *arguments, validation=validation, **options)

    monkeypatch.setattr(_fitting, "train", watched)
    texts = [chr(0x4E00 + row) * 3 for row in range(40)]  # each has a character of its own
    classifier = small(kind, validation_fraction=0.25).fit(texts, [0, 1, 2, 3] * 10)
    assert len(seen["validation"]) == 10
    assert np.bincount(seen["validation"].targets).tolist() in ([2, 3, 2, 3], [3, 2, 3, 2],
        [2, 2, 3, 3], [3, 3, 2, 2], [2, 3, 3, 2], [3, 2, 2, 3])  # fmt: skip
    assert len(classifier.vocabulary_) == len(seen["training"]) == 30
    ids = seen["validation"].batch(np.arange(10)).ids
    assert ids.unique().tolist() == [30]  # unknown, all of them
    assert classifier.history_[0]["validation_accuracy"] is not None


@each
def test_an_interrupted_fit_keeps_the_best_epoch(kind, monkeypatch):
    epochs = []
    original = _training._Run.epoch

    def epoch(run):
        if len(epochs) == 2:
            raise KeyboardInterrupt
        epochs.append(1)
        original(run)

    monkeypatch.setattr(_training._Run, "epoch", epoch)
    with pytest.warns(UserWarning, match="interrupted in epoch 3 of 5") as caught:
        classifier = small(kind, max_epochs=5).fit(DOCUMENTS, LABELS)
    assert [warning.filename for warning in caught] == [__file__]
    assert (classifier.n_iter_, classifier.best_epoch_) == (2, 2)
    assert classifier.predict(DOCUMENTS).shape == (len(DOCUMENTS),)
    epochs[:] = [1, 1]
    unfitted = small(kind)
    with pytest.raises(KeyboardInterrupt):
        unfitted.fit(DOCUMENTS, LABELS)
    assert not hasattr(unfitted, "classes_")


@each
def test_long_documents_are_cut_with_a_warning(kind):
    texts = ["天" * 20 + "好", "天" * 20 + "坏"] * 4
    with pytest.warns(UserWarning, match="8 of 8 documents have more than max_length=10") as caught:
        classifier = small(kind, max_length=10).fit(texts, [0, 1] * 4)
    assert [warning.filename for warning in caught] == [__file__]
    assert list(classifier.vocabulary_) == ["天"]
    with pytest.warns(UserWarning, match="1 of 2 documents have more than max_length=10"):
        shares = classifier.predict_proba(["天" * 10 + "好", "天" * 10])
    assert shares[0] == pytest.approx(shares[1], abs=1e-7)


@each
@pytest.mark.parametrize(("parameters", "message"), [
    ({"unit": "chars"}, r"unit must be one of .*Got 'chars'. Did you mean 'char'\?"),
    ({"d_model": 0}, "d_model must be an integer that is at least 1"),
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
    ({"learning_rate": 1e39}, r"learning_rate must be .* of 32 bits.*Got 1e\+39"),
    ({"learning_rate": 10**400}, "learning_rate must be a finite number of 32 bits"),
    ({"weight_decay": 1e300}, "weight_decay must be a finite number of 32 bits"),
    ({"batch_size": 10**20}, "batch_size must be at most 2,147,483,647. Got 100,000,000,0"),
    ({"max_epochs": 10**20}, "max_epochs must be at most 2,147,483,647"),
    ({"max_length": 10**30}, "max_length must be at most 2,147,483,647"),
    ({"d_model": 10**20}, "d_model must be at most 1,048,576"),
    ({"class_weight": {"好": 1e308}}, r"class_weight\['好'\] must be .* at most 1e\+30"),
    ({"device": torch.device("cpu")}, "device must be .*Give its name, 'cpu'"),
    ({"calibration_fraction": 0.01}, r"fraction=0.01 of 12 .* or set calibration_fraction=0\.$"),
    ({"fold_width": "yes"}, "fold_width must be True or False"),
], ids=lambda value: value if isinstance(value, str) else "-".join(value))  # fmt: skip
def test_parameters_that_cannot_be(kind, parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        small(kind, **parameters).fit(DOCUMENTS, LABELS)


@each
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
def test_what_cannot_be_learned_from(kind, documents, labels, message):
    with pytest.raises(InvalidInputError, match=message):
        small(kind, min_df=2).fit(documents, labels)


@each
def test_a_device_that_is_gone_can_be_replaced(kind):
    classifier = copy.deepcopy(learned(kind)).set_params(device="cuda:77")
    with pytest.raises(InvalidParameterError, match=r"device='cuda:77' is not there.*'auto'"):
        classifier.predict(["好"])
    assert classifier.set_params(device="cpu").predict(["好"]).shape == (1,)


@each
@pytest.mark.parametrize("where", ["made", "moved", "weighed"])
def test_the_memory_of_a_fit(kind, monkeypatch, where):
    def full(*_, **__):
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB.")

    if where == "made":
        monkeypatch.setattr(TextNetwork, "__init__", full)
    elif where == "moved":
        monkeypatch.setattr(TextNetwork, "to", full)
    else:
        monkeypatch.setattr(_fitting, "weights_as_bytes", full)
    with pytest.raises(InvalidParameterError, match="Lower batch_size first, then max_length"):
        small(kind).fit(DOCUMENTS, LABELS)


@each
@pytest.mark.parametrize("name", ["load_state_dict", "to"])
def test_the_memory_of_a_network_that_is_loaded(kind, monkeypatch, name):
    def full(*_, **__):
        raise RuntimeError("MPS backend out of memory (MPS allocated: 9.0 GB)")

    classifier = loaded(saved(learned(kind)))
    monkeypatch.setattr(TextNetwork, name, full)
    with pytest.raises(InvalidParameterError, match="Lower batch_size first, then max_length"):
        classifier.predict(["好"])


@each
def test_the_memory_of_a_prediction(kind, monkeypatch):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr("nlpfeat.classifiers._predicting.evaluate", full)
    with pytest.raises(InvalidParameterError, match="Lower batch_size first, then max_length"):
        learned(kind).predict(["好"])


@each
def test_a_bar_is_for_terminals_alone(kind, capsys, caplog):
    with caplog.at_level(logging.INFO, logger="nlpfeat"):
        small(kind, verbose=True).fit(DOCUMENTS, LABELS)
    assert len(caplog.messages) == 2
    assert tuple(capsys.readouterr()) == ("", "")


@each
def test_a_bar_on_a_terminal(kind, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    small(kind, verbose=True).fit(DOCUMENTS, LABELS)
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
for name in {names!r}:
    priors = dict(priors=["wide"]) if name == "AttentionClassifier" else dict()
    classifier = getattr(nlpfeat, name)(device="cuda", **priors)
    repr(classifier), classifier.get_params(), nlpfeat.save(classifier, sys.argv[1])
    nlpfeat.load(sys.argv[1])
    try:
        classifier.fit(["好", "坏"], [0, 1])
    except MissingDependencyError as error:
        print(error)
"""


@pytest.mark.parametrize("package", ["torch", "safetensors"])
def test_without_the_extra(tmp_path, package):
    names = [kind[0].__name__ for kind in KINDS.values()]
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT.format(package=package, names=names),
         str(tmp_path / "saved")], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"{name} needs the package {package}; install it with: pip install 'nlpfeat[attention]'"
        for name in names
    ]


def test_torch_is_loaded_by_fit_alone():
    code = (
        "import sys, nlpfeat\n"
        "from sklearn.base import clone\n"
        f"for name in {[kind[0].__name__ for kind in KINDS.values()]}:\n"
        "    repr(clone(getattr(nlpfeat, name)(d_model=8)))\n"
        "print(*{'torch', 'safetensors'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
