import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest

from nlpfeat.datasets import everyday, load_everyday
from nlpfeat.errors import InvalidInputError

FOLDER = Path(__file__).parents[2] / "corpora" / "everyday"
RAW = (FOLDER / "everyday.tsv").read_bytes().decode("utf-8")
ROWS = [line.split("\t") for line in RAW.split("\n")[:-1]]


def test_the_file_is_as_its_card_says() -> None:
    assert RAW.endswith("\n")
    assert "\r" not in RAW
    assert not RAW.startswith("\ufeff")
    assert unicodedata.normalize("NFC", RAW) == RAW
    assert {len(row) for row in ROWS} == {2}
    assert all(text and text == text.strip() for text, _ in ROWS)
    assert len({text for text, _ in ROWS}) == len(ROWS)


def test_the_counts_of_the_card() -> None:
    card = (FOLDER / "CARD.md").read_text(encoding="utf-8")
    told = re.findall(r"^\| (\S+) \| [^|]*\| ([\d,]+) \| ([\d,]+) \|$", card, flags=re.MULTILINE)
    texts = Counter(label for _, label in ROWS)
    characters: Counter[str] = Counter()
    for text, label in ROWS:
        characters[label] += len(text)
    counted = [(label, f"{n:,}", f"{characters[label]:,}") for label, n in texts.items()]
    assert told == [*counted, ("total", f"{len(ROWS):,}", f"{characters.total():,}")]
    assert f"of {min(len(t) for t, _ in ROWS)} to {max(len(t) for t, _ in ROWS)} characters" in card


def test_the_topics_take_turns() -> None:
    remaining = Counter(label for _, label in ROWS)
    topics = list(remaining)
    expected = []
    while remaining.total():
        for topic in topics:
            if remaining[topic]:
                expected.append(topic)
                remaining[topic] -= 1
    assert [label for _, label in ROWS] == expected


def test_load() -> None:
    corpus = load_everyday()
    assert [list(row) for row in zip(corpus, corpus.labels())] == ROWS
    assert corpus.name == "everyday"
    assert next(corpus.documents()).id == "everyday:1"


def test_the_installed_package_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "nlpfeat" / "datasets" / "everyday.py"
    monkeypatch.setattr(everyday, "__file__", str(module))
    with pytest.raises(InvalidInputError, match=r"The corpus everyday is missing.*Install nlpfeat"):
        load_everyday()
    for where, text in ((tmp_path, "旁边"), (tmp_path / "nlpfeat", "里面")):
        folder = where / "corpora" / "everyday"
        folder.mkdir(parents=True)
        (folder / "everyday.tsv").write_text(f"{text}\t天气\n", encoding="utf-8")
        assert list(load_everyday()) == [text]
