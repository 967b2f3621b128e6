"""Finished runs and cut documents on disk."""

import re
from dataclasses import replace

import numpy as np
import pytest

from nlpfeat.compare.labeled_texts import LabeledTexts
from nlpfeat.compare.runs.store import RunResult, RunStore, Trial
from nlpfeat.compare.runs.token_file import LabeledTokens, cut, read_tokens, write_tokens
from nlpfeat.errors import OutputError

SHAPE = 2, 2
RESULT = RunResult(
    log_probabilities=np.log([[0.9, 0.1], [0.0625, 0.9375]]).astype(np.float32),
    temperature=1.5,
    trials=[Trial({}, 0.5, 0.7), Trial({"C": 0.1, "名": None}, None, None, "ValueError: 坏")],
    chosen=0,
    costs={"training_seconds": 0.25},
    warnings=["UserWarning: 慢 \ud800"],
    explained={"model": "词", "weights": [[0.5, 1.0]]},
)


def same(one: RunResult, other: RunResult) -> bool:
    return one.log_probabilities.tobytes() == other.log_probabilities.tobytes() and {
        **vars(one),
        "log_probabilities": None,
    } == {**vars(other), "log_probabilities": None}


def test_what_is_kept_comes_back_from_one_file(tmp_path):
    store = RunStore(tmp_path / "cache")
    assert store.load("a", SHAPE) is None
    store.save("a", RESULT)
    assert [path.name for path in (tmp_path / "cache" / "runs").iterdir()] == ["a.npz"]
    found = RunStore(tmp_path / "cache").load("a", SHAPE)
    assert found is not None
    assert same(found, RESULT)
    assert found.dev_accuracy == 0.5


def test_a_figure_that_is_no_number_comes_back(tmp_path):
    store = RunStore(tmp_path)
    store.save("a", replace(RESULT, explained={"tau": [float("nan")]}))
    found = store.load("a", SHAPE)
    assert found is not None
    assert np.isnan(found.explained["tau"]).all()


@pytest.mark.parametrize("n_bytes", [0, 40, -1])
def test_what_is_not_whole_is_told_of_and_done_again(tmp_path, n_bytes, caplog):
    store = RunStore(tmp_path)
    store.save("a", RESULT)
    file = tmp_path / "runs" / "a.npz"
    file.write_bytes(file.read_bytes()[:n_bytes])
    assert store.load("a", SHAPE) is None
    assert "a.npz cannot be used, and its run is done again" in caplog.text


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"log_probabilities": RESULT.log_probabilities[:1]}, r"of shape (2, 2). Got .*(1, 2)"),
        ({"log_probabilities": RESULT.log_probabilities.astype(np.float64)}, "Got float64"),
        ({"log_probabilities": np.full(SHAPE, np.nan, np.float32)}, "must be finite"),
        ({"log_probabilities": np.full(SHAPE, -0.1, np.float32)}, "sum to 1"),
        ({"log_probabilities": np.array([[0, -np.inf]] * 2, np.float32)}, "must be finite"),
        ({"chosen": 2}, "one of 2 trials, from 0. Got 2"),
        ({"chosen": -1}, "one of 2 trials, from 0. Got -1"),
        ({"chosen": True}, "Got True"),
        ({"chosen": 1}, "the chosen trial must have an accuracy"),
        ({"trials": []}, "one of 0 trials"),
        ({"temperature": 0.0}, "temperature must be above 0"),
        ({"temperature": float("nan")}, "must be finite numbers"),
        ({"costs": {"training_seconds": float("inf")}}, "must be finite numbers"),
        ({"costs": {"training_seconds": "1"}}, "must be finite numbers"),
        ({"warnings": [1]}, "warnings must be texts"),
        ({"explained": []}, "explained must be a mapping"),
    ],
)
def test_what_no_run_leaves_is_told_of_and_done_again(tmp_path, change, told, caplog):
    store = RunStore(tmp_path)
    store.save("a", replace(RESULT, **change))
    assert store.load("a", SHAPE) is None
    assert "its run is done again" in caplog.text
    assert re.search(re.sub(r"[()]", r"\\\g<0>", told), caplog.text)


def test_a_file_in_the_place_of_the_folder_is_told(tmp_path):
    (tmp_path / "cache").write_text("")
    with pytest.raises(OutputError, match="cannot keep runs in"):
        RunStore(tmp_path / "cache")


def test_documents_come_back_as_they_were_cut(tmp_path):
    texts = LabeledTexts("例", ("今天天气很好！", "\U00020000好\n冷", "VIP"), ("正", '"负', "\\n"))
    tokens = cut(texts, "jieba", 1)
    write_tokens(tokens, tmp_path / "t.npz")
    found = read_tokens(tmp_path / "t.npz")
    assert found.documents == tokens.documents
    assert found.documents[0] == ["今天天气", "很", "好", "！"]
    assert found.labels == ["正", '"负', "\\n"]
    assert found.segmentation_seconds == tokens.segmentation_seconds > 0
    assert found.classes == ['"负', "\\n", "正"]
    assert found.hash == tokens.hash


def test_documents_without_a_token_come_back(tmp_path):
    write_tokens(LabeledTokens([[], ["好"], []], list("正负正"), 0.0), tmp_path / "t.npz")
    assert read_tokens(tmp_path / "t.npz").documents == [[], ["好"], []]


def test_the_hash_tells_where_a_token_and_a_document_end():
    hashes = {
        LabeledTokens(documents, labels, 0.0).hash
        for documents, labels in [
            ([["天", "气"], ["好"]], ["正", "负"]), ([["天气"], ["好"]], ["正", "负"]),
            ([["天"], ["气", "好"]], ["正", "负"]), ([["天", "气"], ["好"]], ["负", "正"]),
        ]
    }  # fmt: skip
    assert len(hashes) == 4
    assert LabeledTokens([["天"]], ["正"], 0.0).hash == LabeledTokens([["天"]], ["正"], 9.0).hash
