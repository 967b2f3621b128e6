"""``nlpfeat phrases``: the table of the library, from every option to every cell."""

from pathlib import Path

import pytest

from nlpfeat import JiebaSegmenter, count_adjacent_terms, load_everyday
from nlpfeat.measures.phrases import PHRASE_MEASURES, phrase_table

TEXT = "学 人工 智能\n人工 智能 好\n学 好\n智能 好\n"
EACH = ("--segmenter", "whitespace", "--min-count", "2")
HEADER = ["phrase", "joined", "n_terms", "count", "npmi", "g2", "left_entropy", "right_entropy"]


@pytest.fixture
def text(write) -> str:
    return write("a.txt", TEXT)


@pytest.fixture
def rows(run):
    """Run the command without a word; return the header and the rows."""

    def rows_of(*arguments: str, **settings: object) -> list[list[str]]:
        result = run("phrases", *arguments, "--quiet", **settings)
        assert result.stderr == ""
        return [line.split("\t") for line in result.stdout.splitlines()]

    return rows_of


class TestTable:
    def test_by_hand(self, rows, text) -> None:
        header, *got = rows(text, *EACH)
        assert header == HEADER
        # Before 人工 智能 stands 学, or nothing; behind it 好, or nothing: one bit each.
        assert got[0] == ["人工 智能", "人工智能", "2", "2", "1.0", got[0][5], "1.0", "1.0"]
        assert [row[0] for row in got] == ["人工 智能", "智能 好"]

    @pytest.mark.parametrize("measure", PHRASE_MEASURES)
    def test_numbers_are_those_of_the_library(self, rows, measure) -> None:
        got = rows("dataset:everyday", "--measure", measure, "--max-length", "4", "--top", "30",
                   "--min-count", "4", "--user-word", "云原生底座")[1:]  # fmt: skip
        adjacent = count_adjacent_terms(
            load_everyday(), JiebaSegmenter(user_words=("云原生底座",)), max_length=4, min_count=4
        )
        wanted = phrase_table(adjacent, measure=measure, top=30)
        assert got == [[str(cell) for cell in row] for row in wanted.itertuples()]
        assert len(got) == 30

    def test_words_without_a_dictionary(self, rows, write) -> None:
        path = write("a.txt", "云原生底座好\n云原生底座快\n用云原生底座\n")
        got = rows(path, "--segmenter", "char", "--max-length", "5", "--min-count", "3",
                   "--measure", "left_entropy")  # fmt: skip
        assert got[1][1] == "云原"
        assert ["云原生底座", "5", "3"] in [row[1:4] for row in got]

    def test_stop_words_and_spelling(self, rows, write) -> None:
        path = write("a.txt", "喝 ＴＥＡ 的 茶\n喝 tea 的 茶\n")
        got = rows(path, *EACH, "--stop-words", write("s.txt", "的\n"))
        assert [row[0] for row in got[1:]] == ["喝 tea"]
        kept = rows(path, *EACH, "--no-fold-width")
        assert "喝 tea" not in [row[0] for row in kept]

    def test_standard_input(self, rows, text) -> None:
        assert rows("-", *EACH, stdin=TEXT) == rows(text, *EACH)

    def test_said_beside(self, run, text) -> None:
        told = run("phrases", text, *EACH).stderr
        assert "4 documents, 10 tokens; 2 phrases" in told

    def test_stop_words_that_are_cut_apart_are_told(self, run, write) -> None:
        text = write("b.txt", "我们学习人工智能技术\n" * 5)
        words = write("stop.txt", "人工智能技术\n的\n")
        assert "人工智能技术 (人工智能 技术)" in run("phrases", text, "--stop-words", words).stderr

    def test_all_that_are_found_are_said(self, run, text) -> None:
        result = run("phrases", text, *EACH, "--top", "1")
        assert result.stdout.count("\n") == 2
        assert "4 documents, 10 tokens; 2 phrases" in result.stderr

    def test_same_bytes_from_run_to_run_and_on_two_processes(self, start, folder: Path) -> None:
        for jobs in ("1", "2"):
            start("phrases", "dataset:everyday", "--min-count", "2", "--jobs", jobs,
                  "--output", f"{jobs}.csv", check=True,
                  variables={"PYTHONHASHSEED": jobs})  # fmt: skip
        assert (folder / "1.csv").read_bytes() == (folder / "2.csv").read_bytes()

    def test_metadata(self, run, text, folder) -> None:
        parquet = pytest.importorskip("pyarrow.parquet")
        run("phrases", text, *EACH, "--output", "a.parquet")
        metadata = parquet.read_schema(folder / "a.parquet").metadata
        assert (metadata[b"corpus"], metadata[b"min_count"]) == (b"a.txt", b"2")


class TestBadInput:
    def told(self, run, *arguments, code=1) -> str:
        result = run("phrases", *arguments, "--quiet", code=code)
        assert result.stdout == ""
        return result.stderr.splitlines()[-1]

    @pytest.mark.parametrize("content", ["", "\n　\n"])
    def test_no_text(self, run, write, content) -> None:
        assert "nothing but blanks" in self.told(run, write("a.txt", content))

    def test_nothing_but_punctuation(self, run, write) -> None:
        told = self.told(run, write("a.txt", "，。！\n……\n"), "--min-count", "1")
        assert told == (
            "nlpfeat: No word is left to count: the text holds nothing but punctuation."
        )

    @pytest.mark.parametrize("content", ["茶\n", "茶\n茶。茶\n"])
    def test_single_words(self, run, write, content) -> None:
        told = self.told(run, write("a.txt", content), "--min-count", "1")
        assert told.startswith("nlpfeat: No two words stand side by side in a sentence: ")

    @pytest.mark.parametrize("least", ["5", "99999999999999999999"])
    def test_none_is_frequent_enough(self, run, text, least) -> None:
        told = self.told(run, text, "--segmenter", "whitespace", "--min-count", least)
        assert told.startswith(f"nlpfeat: No phrase occurs at least {least} times: lower --min")

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--max-length", "1"], "--max-length: max_length must be an integer that is at least"),
            (["--min-count", "0"], "min_count must be an integer that is at least 1"),
            (["--top", "0"], "top must be an integer that is at least 1"),
            (["--measure", "nmpi"], "Did you mean 'npmi'?"),
            (["--segmenter", "char", "--no-hmm"], "--no-hmm is an option of --segmenter jieba"),
            (["--output", "a.gexf"], "'a.gexf' must end in one of .tsv"),
        ],
    )
    def test_usage(self, run, text, arguments, told) -> None:
        assert told in self.told(run, text, *arguments, code=2)

    def test_missing_stop_words(self, run, text) -> None:
        told = self.told(run, text, "--stop-words", "no.txt")
        assert told == "nlpfeat: Cannot read no.txt: No such file or directory."

    def test_unwritable_output_is_seen_before_the_text_is_read(self, run) -> None:
        told = run("phrases", "dataset:everyday", "--output", "no/a.tsv", code=1).stderr
        assert "the folder 'no' does not exist" in told
        assert "tokens" not in told
