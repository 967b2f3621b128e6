"""What is kept before the runs: cut documents, under what they are cut into."""

from functools import partial

import pytest

from nlpfeat import Corpus
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.runs.plan import explained_path, make_plan
from nlpfeat.compare.runs.store import RunStore
from nlpfeat.compare.runs.token_file import read_tokens

TEXTS = [f"天/气好{row}" for row in range(10)]


def plan_of(segmenter, folder, **more):
    corpus = Corpus.from_texts(TEXTS, ["正", "负"] * 5)
    return make_plan(corpus, Protocol(segmenter=segmenter, **more), RunStore(folder))


class Split:
    def __init__(self, mark):
        self.mark = mark

    def segment(self, text):
        return text.split(self.mark)


def inner(mark):
    return lambda text: text.split(mark)


@pytest.mark.parametrize("make", [Split, inner, lambda mark: partial(str.split, sep=mark)])
def test_tokens_are_never_those_of_another_segmenter(tmp_path, make):
    one, other, again = (plan_of(make(mark), tmp_path) for mark in ("/", "气", "/"))
    assert read_tokens(one.tokens).documents[3] == ["天", "气好3"]
    assert read_tokens(other.tokens).documents[3] == ["天/", "好3"]
    assert one.tokens == again.tokens != other.tokens


def test_a_segmenter_whose_code_has_changed_is_another_one(tmp_path):
    cutter = Split("/")
    before = plan_of(cutter, tmp_path).tokens
    cutter.segment = list
    assert plan_of(cutter, tmp_path).tokens == plan_of("char", tmp_path).tokens != before


def test_damaged_documents_are_told_of_and_written_again(tmp_path, caplog):
    plan = plan_of("char", tmp_path, n_explained=2)
    for path in (plan.tokens, explained_path(plan, RunStore(tmp_path))):
        assert path.exists()
        whole = path.read_bytes()
        path.write_bytes(whole[:30])
        again = plan_of("char", tmp_path, n_explained=2)
        explained_path(again, RunStore(tmp_path))
        assert f"{path} is written again" in caplog.text
        assert len(path.read_bytes()) > 0.9 * len(whole)
    stamp = plan.tokens.stat().st_mtime_ns
    assert plan_of("char", tmp_path).tokens.stat().st_mtime_ns == stamp


def test_a_class_that_is_never_tested_is_told(tmp_path):
    labels = [*["正", "负"] * 5, "中"]
    corpus = Corpus.from_texts([*TEXTS, "一般"], labels)
    plan = make_plan(corpus, Protocol(segmenter="char"), RunStore(tmp_path))
    assert plan.notes == [
        "No test document is of these classes, whose documents stand in brackets, and no figure "
        "says how well models tell them: '中' (1)."
    ]


def test_many_classes_that_are_never_tested_are_one_note(tmp_path):
    classes = [f"类{number:02}" for number in range(12)]
    corpus = Corpus.from_texts([*TEXTS, *classes], [*["正", "负"] * 5, *classes])
    (note,) = make_plan(corpus, Protocol(segmenter="char"), RunStore(tmp_path)).notes
    assert note.endswith("'类08' (1), '类09' (1) and 2 others.")
