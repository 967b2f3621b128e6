"""``--output x.html`` of ``nlpfeat pmi`` and ``nlpfeat topics``: what stands on the pages."""

import json
import os
import re
import sys
from pathlib import Path

import pytest
from report_pages import ReadPage, chromium, visit

from nlpfeat.cli.work import pmi_page

TEA = "茶 叶 茶 水\n茶 杯\n好 好\n"
EVIL = "</script><script>window.hacked=1</script> <img/src=x/onerror=window.hacked=2> ]]> {{7*7}}"
EACH = ("--segmenter", "whitespace", "--min-count", "1", "--window", "1")
SUBJECTS = "".join(
    f"{line}\n"
    for line in ["房间 干净 早餐", "早餐 房间 前台", "书 作者 故事", "故事 书 内容 书"] * 5
)
TWO = ("--segmenter", "whitespace", "--topics", "2", "--top-terms", "3")


@pytest.fixture
def made(run, write, folder: Path):
    """Run a command with its output as HTML, and read the page."""

    def make(command: str, text: str, *arguments: str, name: str = "a.html") -> ReadPage:
        result = run(command, write("文.txt", text), "--output", name, "--quiet", *arguments)
        assert (result.stdout, result.stderr) == ("", "")
        return ReadPage((folder / name).read_bytes().decode())

    return make


def cells_of(page: ReadPage, html: str) -> list[list[str]]:
    """Return the rows of the first table body, each as its texts."""
    body = re.search("<tbody>(.*?)</tbody>", html, re.S)[1]
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S)
            for row in re.findall("<tr>(.*?)</tr>", body, re.S)]  # fmt: skip


def drawn_rows(page: ReadPage, name: str) -> list[dict[str, object]]:
    spec = json.loads(page.json_scripts()[f"spec-{name}"])
    return [row for rows in spec["datasets"].values() for row in rows]


class TestPmi:
    def test_table_is_that_of_tsv(self, made, run, folder: Path) -> None:
        page = made("pmi", TEA, *EACH, "-m", "pmi", "-m", "npmi")
        lines = run("pmi", "文.txt", *EACH, "-m", "pmi", "-m", "npmi", "-q").stdout.splitlines()
        html = (folder / "a.html").read_text("utf-8")
        rows = [line.split("\t") for line in lines[1:]]
        assert len(rows) == 4
        assert cells_of(page, html) == [
            [*row[:5], *(f"{float(cell):.3f}" for cell in row[5:])] for row in rows
        ]

    def test_network_by_hand(self, made) -> None:
        # 茶 beside 叶, 水, 杯; 好 only beside itself, which is no line.
        rows = drawn_rows(made("pmi", TEA, *EACH), "network")
        nodes = {row["word"]: row for row in rows if "word" in row}
        edges = [row for row in rows if "pair" in row]
        assert {word: row["frequency"] for word, row in nodes.items()} == {
            "茶": 3, "叶": 1, "水": 1, "杯": 1
        }  # fmt: skip
        assert {(row["pair"], row["count"]) for row in edges} == {
            ("叶 – 茶", 2), ("水 – 茶", 1), ("杯 – 茶", 1)
        }  # fmt: skip
        for edge in edges:
            one, other = edge["pair"].split(" – ")
            assert (edge["x"], edge["y"]) == (nodes[one]["x"], nodes[one]["y"])
            assert (edge["x2"], edge["y2"]) == (nodes[other]["x"], nodes[other]["y"])
        for number in (row[name] for row in rows for name in ("x", "y")):
            assert isinstance(number, float)
            assert -1 <= number <= 1

    def test_no_network_without_a_pair_of_two_words(self, made) -> None:
        page = made("pmi", "好 好\n", *EACH)
        assert set(page.json_scripts()) == set()
        assert "Pairs of words" in page.text

    def test_a_large_table_is_cut_and_says_so(self, made, monkeypatch) -> None:
        monkeypatch.setattr(pmi_page, "MAX_ROWS", 2)
        page = made("pmi", TEA, *EACH)
        assert "The first 2 of 4 pairs." in page.text
        assert [tag for tag, _ in page.elements].count("tr") == 3

    def test_how_it_was_made(self, made) -> None:
        page = made("pmi", TEA, *EACH)
        assert "window" in page.text
        assert "文.txt" in page.text

    def test_hostile_words(self, made) -> None:
        page = made("pmi", f"茶 {EVIL} 叶\n", *EACH)
        assert not {"img", "b"} & page.tags()
        assert "</script><script>window.hacked=1</script>" in page.text
        assert "{{7*7}}" in page.text
        for text in page.json_scripts().values():
            assert not set("<>&\u2028\u2029") & set(text)

    def test_file_name_that_is_no_text(self, run, folder: Path) -> None:
        name = os.fsdecode(b"\xff.txt")
        try:
            (folder / name).write_text(TEA, encoding="utf-8")
        except OSError:
            pytest.skip("this file system takes no such name")
        run("pmi", name, *EACH, "--output", "a.html")
        assert rb"\udcff.txt" in (folder / "a.html").read_bytes()

    def test_same_bytes_every_time(self, made, folder: Path) -> None:
        made("pmi", TEA, *EACH)
        made("pmi", TEA, *EACH, name="b.html")
        assert (folder / "a.html").read_bytes() == (folder / "b.html").read_bytes()


class TestTopics:
    def test_words_shares_and_coherence_are_those_of_tsv(self, made, run) -> None:
        page = made("topics", SUBJECTS, *TWO)
        lines = run("topics", "文.txt", *TWO, "-q").stdout.splitlines()[1:]
        rows = [line.split("\t") for line in lines]
        tokens = [each["title"] for tag, each in page.elements if tag == "span"]
        assert tokens == [f"probability: {float(row[3]):.3f}" for row in rows]
        for row in rows:
            assert row[2] in page.text
            assert f"{100 * float(row[4]):.1f}" in page.text
            assert f"{float(row[5]):.3f}".replace("-", "−") in page.text
        shares = [row["share"] for row in drawn_rows(page, "shares")]
        assert shares == pytest.approx([100 * float(rows[at][4]) for at in (0, 3)])

    def test_size_of_the_text(self, made) -> None:
        page = made("topics", SUBJECTS, *TWO)
        values = re.findall(r"\d[\d,]*", page.text[page.text.index("documents") :])
        assert "65" in values  # tokens: 5 · (3 + 3 + 3 + 4)

    def test_hostile_words(self, made) -> None:
        page = made("topics", (f"{EVIL}\n" + SUBJECTS) * 3, *TWO)
        assert "img" not in page.tags()
        for text in page.json_scripts().values():
            assert not set("<>&\u2028\u2029") & set(text)

    def test_wide_is_for_tables(self, run, write) -> None:
        told = run("topics", write("a.txt", SUBJECTS), *TWO, "--wide", "--output", "a.html", code=2)
        assert "--wide is for tables" in told.stderr


@pytest.mark.parametrize("command", ["pmi", "topics"])
class TestBoth:
    def test_without_the_extra_nothing_is_read(self, run, folder, command, monkeypatch) -> None:
        monkeypatch.setitem(sys.modules, "vl_convert", None)
        result = run(command, "no-such-file.txt", "--output", "a.html", code=1)
        assert result.stderr.splitlines()[-1] == (
            "nlpfeat: writing .html needs the package vl-convert-python; install it with: "
            "pip install 'nlpfeat[report]'"
        )
        assert list(folder.iterdir()) == []

    def test_excel_is_for_spreadsheets(self, run, write, command) -> None:
        text = write("a.txt", TEA)
        told = run(command, text, "--excel", "--output", "a.html", code=2).stderr
        assert "--excel is for .tsv and .csv" in told


@pytest.mark.slow
def test_in_a_browser(made, folder: Path, tmp_path: Path) -> None:
    made("pmi", f"{EVIL} 茶\n{TEA}", *EACH, name="net.html")
    made("topics", SUBJECTS, *TWO, name="topics.html")
    with chromium() as browser:
        for name, word, scheme in (("net", "茶", "light"), ("topics", "早餐", "dark")):
            with visit(browser, folder / f"{name}.html", scheme=scheme, width=375) as seen:
                seen.drawn()
                drawn = seen.value('document.querySelector("svg").textContent')
                assert word in drawn
                assert seen.value("window.hacked") is None
                assert seen.value("document.documentElement.scrollWidth") <= 375
                assert seen.messages == []
                assert len(seen.requests) == 1
                seen.keep_picture(name, tmp_path)
