"""No output takes the place of what is read, or of another output."""

import os
from pathlib import Path

import pytest

TEXT = "天 气 好\n天 气 坏\n"
COMMANDS = ("pmi", "segment", "keywords", "phrases", "topics", "features")


@pytest.fixture
def misused(run, write, folder: Path):
    """Run a command that must be refused with the text left as it was; return the last line."""
    write("in.tsv", TEXT)

    def fail(*arguments: str) -> str:
        result = run(*arguments, code=2)
        assert result.stdout == ""
        assert "read as" not in result.stderr
        assert (folder / "in.tsv").read_text("utf-8") == TEXT
        return result.stderr.splitlines()[-1]

    return fail


@pytest.mark.parametrize("command", COMMANDS)
def test_the_text_is_not_replaced(misused, command) -> None:
    told = misused(command, "in.tsv", "-o", "./in.tsv")
    assert "--output ./in.tsv would replace in.tsv, which is to be read." in told


def test_the_text_is_not_replaced_by_another_name(misused, folder) -> None:
    (folder / "link.tsv").symlink_to("in.tsv")
    assert "--output link.tsv would replace in.tsv" in misused("pmi", "in.tsv", "-o", "link.tsv")
    told = misused("topics", "in.tsv", "--model", "in.tsv")
    assert "--model in.tsv would replace in.tsv" in told
    told = misused("similar", "天", "--corpus", "in.tsv", "-o", "in.tsv")
    assert "--output in.tsv would replace in.tsv" in told


@pytest.mark.parametrize("option", ["--stop-words", "--user-words", "--user-dict"])
def test_word_lists_are_not_replaced(misused, write, option) -> None:
    told = misused("pmi", "in.tsv", option, write("w.tsv", "气\n"), "-o", "w.tsv")
    assert "--output w.tsv would replace w.tsv, which is to be read." in told


def test_vectors_are_not_replaced(run, write) -> None:
    arguments = ("--segmenter", "whitespace", "--min-term-count", "1", "-q")
    saved = ("--save-vectors", "v.txt")
    run("similar", "天", "-c", write("a.txt", TEXT), *arguments, *saved)
    os.link("v.txt", "v.tsv")
    told = run("similar", "天", "--vectors", "v.txt", "-o", "v.tsv", code=2).stderr
    assert "--output v.tsv would replace v.txt" in told
    told = run("similar", "天", "-c", "v.txt", *arguments, *saved, code=2).stderr
    assert "--save-vectors v.txt would replace v.txt" in told


def test_two_results_do_not_share_a_file(misused, folder) -> None:
    told = misused("topics", "in.tsv", "--model", "m.tsv", "-o", "./m.tsv")
    assert "--output ./m.tsv and --model m.tsv are the same file." in told
    assert os.listdir(folder) == ["in.tsv"]


def test_a_model_needs_a_name(misused, folder) -> None:
    assert "a model is written to a file only" in misused("topics", "in.tsv", "--model", "-")
    assert os.listdir(folder) == ["in.tsv"]


def test_a_device_takes_everything(run, write) -> None:
    run("topics", write("a.txt", TEXT), "--segmenter", "whitespace", "--topics", "2",
        "--model", "/dev/null", "--output", "/dev/null", "-q")  # fmt: skip
    run("segment", "a.txt", "--output", "/dev/null")


def test_an_older_result_is_replaced(run, write, folder) -> None:
    write("b.txt", "旧\n")
    run("segment", write("a.txt", "茶\n"), "--output", "b.txt")
    assert (folder / "b.txt").read_text("utf-8") == "茶\n"


@pytest.mark.parametrize("place", ["texts", "texts/*.tsv", "texts/*"])
@pytest.mark.parametrize("command", ["segment", "pmi", "keywords"])
def test_what_is_written_is_not_read_the_next_time(run, write, folder, command, place) -> None:
    write("texts/in.tsv", TEXT)
    least = ("--min-count", "1") if command == "pmi" else ()
    arguments = (command, place, "--segmenter", "whitespace", *least, "-o", "texts/out.tsv")
    run(*arguments)
    first = (folder / "texts/out.tsv").read_bytes()
    told = run(*arguments).stderr
    assert (folder / "texts/out.tsv").read_bytes() == first
    assert "texts/out.tsv: not read, as it is to be written" in told


def test_vectors_that_are_written_are_no_text(run, write, folder) -> None:
    write("in.txt", "我 说 天气 好\n我 说 天气 坏\n你 说 书 好\n" * 5)
    arguments = ("similar", "好", "--corpus", "*.txt", "--segmenter", "whitespace",
                 "--min-term-count", "1", "--save-vectors", "v.txt")  # fmt: skip
    run(*arguments)
    first = (folder / "v.txt").read_bytes()
    assert "v.txt: not read" in run(*arguments).stderr
    assert (folder / "v.txt").read_bytes() == first


def test_nothing_is_left_to_read(run, write) -> None:
    write("only/in.tsv", TEXT)
    told = run("pmi", "only/*.tsv", "-o", "only/in.tsv", code=1).stderr
    assert "There is no text to read but only/in.tsv, which is to be written." in told
