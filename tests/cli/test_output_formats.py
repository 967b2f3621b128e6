"""Where the table goes, in which format, and what is said beside it."""

import csv
import io
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from nlpfeat.counts.cooccurrence import CooccurrenceCounts

TEA = "茶 叶 茶 水\n茶 杯\n"
EACH = ("--segmenter", "whitespace", "--min-count", "1", "--window", "1")
ROWS = [["叶", "茶", "2", "2", "4", "1.0"], ["杯", "茶", "1", "1", "4", "1.0"],
        ["水", "茶", "1", "1", "4", "1.0"]]  # fmt: skip
HEADER = ["x", "y", "n_xy", "n_x", "n_y", "pmi"]


@pytest.fixture
def tea(write) -> str:
    return write("tea.txt", TEA)


@pytest.fixture
def made(run, tea, folder: Path):
    """Write a file in this format and return its bytes."""

    def make(name: str, *arguments: str, text: str = tea) -> bytes:
        result = run("pmi", text, *EACH, "--output", name, *arguments)
        assert result.stdout == ""
        return (folder / name).read_bytes()

    return make


class TestFormats:
    def test_tsv_equals_standard_output(self, run, tea, made) -> None:
        assert made("a.tsv") == run("pmi", tea, *EACH).stdout_bytes
        assert run("pmi", tea, *EACH, "--output", "-").stdout_bytes == made("a.TSV")

    def test_csv(self, made) -> None:
        assert list(csv.reader(io.StringIO(made("a.csv").decode()))) == [HEADER, *ROWS]

    def test_json_lines(self, made) -> None:
        rows = [json.loads(line) for line in made("a.jsonl").splitlines()]
        assert rows[0] == {"x": "叶", "y": "茶", "n_xy": 2, "n_x": 2, "n_y": 4, "pmi": 1.0}
        assert len(rows) == 3

    def test_counts(self, made, folder: Path) -> None:
        made("a.npz")
        counts = CooccurrenceCounts.load(folder / "a.npz")
        assert counts.vocabulary.terms == ("叶", "杯", "水", "茶")
        assert counts.matrix.toarray().tolist() == [
            [0, 0, 0, 2], [0, 0, 0, 1], [0, 0, 0, 1], [2, 1, 1, 0]
        ]  # fmt: skip
        assert (counts.total, counts.n_documents, counts.n_tokens) == (8, 2, 6)

    def test_parquet(self, made, folder: Path) -> None:
        parquet = pytest.importorskip("pyarrow.parquet")
        made("a.parquet")
        table = parquet.read_table(folder / "a.parquet")
        assert table.column_names == HEADER
        assert [str(cell) for cell in table.to_pylist()[0].values()] == ROWS[0]
        assert table.schema.metadata[b"window"] == b"1"
        assert table.schema.metadata[b"n"] == b"8"

    def test_parquet_without_its_package(self, run, tea, folder: Path, monkeypatch) -> None:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        result = run("pmi", tea, *EACH, "--output", "a.parquet", code=1)
        assert result.stderr.splitlines()[-1] == (
            "nlpfeat: writing .parquet needs the package pyarrow; install it with: "
            "pip install 'nlpfeat[parquet]'"
        )
        assert not (folder / "a.parquet").exists()

    def test_network_keeps_words_without_a_pair(self, made, write) -> None:
        text = write("b.txt", TEA + "独\n")
        tree = ET.fromstring(made("a.gexf", text=text))
        name = {"g": tree.tag[1:].split("}")[0]}
        nodes = {node.get("id"): node.get("label") for node in tree.iterfind(".//g:node", name)}
        edges = {
            (nodes[edge.get("source")], nodes[edge.get("target")], float(edge.get("weight") or 0))
            for edge in tree.iterfind(".//g:edge", name)
        }
        assert sorted(nodes.values()) == ["叶", "杯", "水", "独", "茶"]
        assert edges == {("叶", "茶", 2.0), ("杯", "茶", 1.0), ("水", "茶", 1.0)}
        assert tree.find("g:graph", name).get("defaultedgetype") == "undirected"

    def test_directed_network(self, made) -> None:
        tree = ET.fromstring(made("a.gexf", "--direction", "right"))
        name = {"g": tree.tag[1:].split("}")[0]}
        assert tree.find("g:graph", name).get("defaultedgetype") == "directed"

    def test_file_name_that_is_no_text(self, run, folder: Path) -> None:
        name = os.fsdecode(b"\xff.txt")
        try:
            (folder / name).write_text(TEA, encoding="utf-8")
        except OSError:
            pytest.skip("this file system takes no such name")
        run("pmi", name, *EACH, "--output", "a.gexf")
        assert b"\\udcff.txt" in (folder / "a.gexf").read_bytes()


class TestExcel:
    def test_marked_and_harmless(self, made, write) -> None:
        text = write("b.txt", "=1+1 @sum -2 茶\n")
        raw = made("a.csv", "--excel", text=text)
        assert raw.startswith(b"\xef\xbb\xbf")
        assert raw.count(b"\r\n") == raw.count(b"\n")
        words = {word for row in list(csv.reader(io.StringIO(raw.decode("utf-8-sig"))))[1:]
                 for word in row[:2]}  # fmt: skip
        assert words == {"'=1+1", "'@sum", "'-2", "茶"}

    def test_on_standard_output(self, run, tea) -> None:
        raw = run("pmi", tea, *EACH, "--excel").stdout_bytes
        assert raw.startswith(b"\xef\xbb\xbfx\ty\t")

    def test_plain_tables_have_no_mark(self, made) -> None:
        assert made("a.csv").startswith(b"x,y")

    @pytest.mark.parametrize("name", ["a.jsonl", "a.npz", "a.gexf", "a.parquet"])
    def test_is_for_spreadsheets(self, run, tea, name) -> None:
        told = run("pmi", tea, "--excel", "--output", name, code=2).stderr
        assert "--excel is for .tsv and .csv" in told


class TestNames:
    def test_unknown_ending(self, run, tea, folder: Path) -> None:
        told = run("pmi", tea, "--output", "a.tsx", code=2).stderr
        assert "'a.tsx' must end in one of .tsv, .csv," in told
        assert "Did you mean '.tsv'?" in told
        assert os.listdir(folder) == ["tea.txt"]

    @pytest.mark.parametrize(
        "given",
        [("--top", "3"), ("--word", "茶"), ("--measure", "npmi"), ("--signed",), ("--base", "10"),
         ("--shift", "2"), ("--smoothing", "0.75")],
    )  # fmt: skip
    def test_counts_hold_all_pairs_of_which_measures_follow(self, run, tea, given) -> None:
        told = run("pmi", tea, "--output", "a.npz", *given, code=2).stderr
        assert f"{given[0]} is an option of tables" in told

    def test_an_older_file_is_replaced_only_at_the_end(self, run, tea, write, folder) -> None:
        write("a.tsv", "older")
        run("pmi", tea, "--min-count", "99", "--output", "a.tsv", code=1)
        assert (folder / "a.tsv").read_text() == "older"
        run("pmi", tea, *EACH, "--output", "a.tsv")
        assert (folder / "a.tsv").read_text(encoding="utf-8").startswith("x\ty")

    def test_devices_take_the_table(self, start, tea) -> None:
        done = start("pmi", tea, *EACH, "--output", "/dev/stdout", "--quiet")
        assert done.stdout.decode().splitlines()[1].split("\t") == ROWS[0]
        assert done.stderr == b""


class TestStreams:
    def test_quiet_says_nothing(self, run, tea) -> None:
        result = run("pmi", tea, *EACH, "--quiet")
        assert result.stderr == ""
        assert result.stdout

    def test_quiet_still_tells_errors(self, run) -> None:
        assert run("pmi", "no.txt", "--quiet", code=1).stderr.startswith("nlpfeat: ")

    @pytest.mark.parametrize("command", ["pmi", "segment"])
    def test_utf8_whatever_the_locale(self, start, tea, command) -> None:
        options = EACH if command == "pmi" else ()
        plain = start(command, tea, *options)
        ascii_only = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
        assert start(command, tea, *options, variables=ascii_only).stdout == plain.stdout
        assert "茶" in plain.stdout.decode("utf-8")

    def test_help_and_messages_are_utf8_too(self, start, write) -> None:
        ascii_only = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
        assert "中文" in start("--help", variables=ascii_only).stdout.decode("utf-8")
        told = start("pmi", write("茶.txt", ""), variables=ascii_only).stderr
        assert "茶.txt: read as" in told.decode("utf-8")

    @pytest.mark.parametrize("arguments", [["pmi", "--min-count", "1"], ["segment"], ["--help"]])
    def test_full_disk_behind_standard_output(self, start, arguments) -> None:
        corpus = [] if arguments == ["--help"] else ["dataset:everyday", "--quiet"]
        with open("/dev/full", "wb") as full:
            done = start(*arguments, *corpus, stdout=full)
        assert done.returncode == 1
        assert done.stderr.count(b"\n") == 1
        assert b"cannot write to standard output: No space left on device" in done.stderr

    @pytest.mark.parametrize("command", ["pmi", "segment"])
    def test_closed_standard_output(self, start, tea, command) -> None:
        done = subprocess.run(
            f'"{sys.executable}" -m nlpfeat {command} {tea} --quiet >&-',
            shell=True, capture_output=True,
        )  # fmt: skip
        assert done.returncode == 1
        assert done.stderr.count(b"\n") == 1
        assert b"standard output: it is closed" in done.stderr

    @pytest.mark.parametrize("command", ["pmi --min-count 1", "segment"])
    def test_head_ends_quietly(self, command) -> None:
        done = subprocess.run(
            ["bash", "-c", f'set -o pipefail; "{sys.executable}" -m nlpfeat {command} '
             "dataset:everyday --quiet | head -1"],
            capture_output=True,
        )  # fmt: skip
        assert done.returncode == 0
        assert done.stderr == b""
        assert done.stdout.count(b"\n") == 1
