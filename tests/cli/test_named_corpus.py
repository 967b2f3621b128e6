"""A corpus that is read once: texts, ids and labels pass together."""

import pytest

from nlpfeat import Corpus
from nlpfeat.cli.named_corpus import NamedCorpus
from nlpfeat.errors import InvalidInputError

TEXTS = [f"今天第{number}天" for number in range(2_500)]
LABELS = [("晴", "雨")[number % 2] for number in range(2_500)]


def test_what_is_read_is_kept() -> None:
    corpus = NamedCorpus(Corpus.from_texts(TEXTS, LABELS, name="日记"))
    assert list(corpus) == TEXTS
    assert corpus.document_ids == [f"日记:{number}" for number in range(1, 2_501)]
    assert corpus.labels_of_all() == LABELS
    assert corpus.name == "日记"


def test_progress_counts_the_bytes_of_the_texts() -> None:
    corpus = NamedCorpus(Corpus.from_texts(TEXTS))
    told, steps = [], []
    corpus.report = lambda *progress: told.append(progress)
    assert [len(batch) for batch in corpus.batches(steps.append)] == [1_000, 1_000, 500]
    size = sum(len(text.encode()) for text in TEXTS)
    assert told[-1] == ("segmenting", size, None)
    assert sum(steps) == size
    assert corpus.n_bytes is None


def test_without_labels() -> None:
    corpus = NamedCorpus(Corpus.from_texts(["好", "坏"]))
    assert list(corpus) == ["好", "坏"]
    assert (corpus.labels_of_all(), corpus.n_unlabeled) == (None, 2)


def test_needed_labels() -> None:
    corpus = NamedCorpus(Corpus.from_texts(["好"]), needs_labels=True)
    with pytest.raises(InvalidInputError, match=r"texts:1 has no label\. .*--label-column"):
        list(corpus)


def test_nothing() -> None:
    corpus = NamedCorpus(Corpus.from_texts([], name="日记"))
    with pytest.raises(InvalidInputError, match="日记 holds no token: nothing but blanks"):
        list(corpus)
