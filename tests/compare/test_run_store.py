"""Finished runs and cut documents on disk."""

import numpy as np
import pytest

from nlpfeat.compare.labeled_texts import LabeledTexts
from nlpfeat.compare.run_store import RunResult, RunStore, Trial
from nlpfeat.compare.token_file import LabeledTokens, cut, read_tokens, write_tokens
from nlpfeat.errors import OutputError

RESULT = RunResult(
    log_probabilities=np.array([[-0.1, -2.4], [-3.0, -0.05]], dtype=np.float32),
    temperature=1.5,
    trials=[Trial({}, 0.5, 0.7), Trial({"C": 0.1, "名": None}, None, None, "ValueError: 坏")],
    chosen=0,
    costs={"training_seconds": 0.25},
    warnings=["UserWarning: 慢"],
    explained={"model": "词", "weights": [[0.5, 1.0]]},
)


def same(one: RunResult, other: RunResult) -> bool:
    return one.log_probabilities.tobytes() == other.log_probabilities.tobytes() and {
        **vars(one),
        "log_probabilities": None,
    } == {**vars(other), "log_probabilities": None}


def test_what_is_kept_comes_back(tmp_path):
    store = RunStore(tmp_path / "cache")
    assert store.load("a") is None
    store.save("a", RESULT)
    found = RunStore(tmp_path / "cache").load("a")
    assert found is not None
    assert same(found, RESULT)
    assert found.dev_accuracy == 0.5


@pytest.mark.parametrize("ending", ["json", "npz"])
def test_what_is_not_whole_is_told_of_and_done_again(tmp_path, ending, caplog):
    store = RunStore(tmp_path)
    store.save("a", RESULT)
    file = tmp_path / "runs" / f"a.{ending}"
    file.write_bytes(file.read_bytes()[:40])
    assert store.load("a") is None
    assert "cannot be read and is done again" in caplog.text


def test_arrays_alone_are_no_finished_run(tmp_path):
    store = RunStore(tmp_path)
    store.save("a", RESULT)
    (tmp_path / "runs" / "a.json").unlink()
    assert store.load("a") is None


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


def test_documents_without_a_token_come_back(tmp_path):
    write_tokens(LabeledTokens([[], ["好"], []], list("正负正"), 0.0), tmp_path / "t.npz")
    assert read_tokens(tmp_path / "t.npz").documents == [[], ["好"], []]
