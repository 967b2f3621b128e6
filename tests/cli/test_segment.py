"""``nlpfeat segment``: one line out for each line in, as jieba cuts."""

import subprocess
import sys
from pathlib import Path

import pytest
from generated_text import lines, sentences

from nlpfeat.compare.labeled_files import open_labeled
from nlpfeat.datasets import load_everyday
from nlpfeat.text.normalization import fold_width

TEXT = "今天天气很好，我们去公园。\n\nＣＤ有２张！VIP\n　\n他来到了网易杭研大厦"


@pytest.fixture
def text(write) -> str:
    return write("a.txt", TEXT)


class TestLines:
    def test_golden(self, run, text) -> None:
        result = run("segment", text)
        assert result.stdout_bytes.decode("utf-8") == (
            "今天天气 很 好 ， 我们 去 公园 。\n"
            "\n"
            "ＣＤ 有 ２ 张 ！ VIP\n"
            "\n"
            "他 来到 了 网易 杭研 大厦\n"
        )
        assert result.stderr == "a.txt: read as utf-8 (valid UTF-8)\n"

    def test_equals_jieba(self, run, jieba_cut) -> None:
        got = run("segment", "dataset:everyday", "--quiet").stdout.splitlines()
        wanted = [
            " ".join(word for word in jieba_cut(text) if not word.isspace())
            for text in load_everyday()
        ]
        assert got == wanted

    def test_as_many_lines_as_were_read(self, run, write) -> None:
        path = write("a.txt", "好\r\n\r\n\r坏\n\n\n")
        assert run("segment", path).stdout == "好\n\n\n坏\n\n\n"

    def test_quoted_line_ends_stay_in_their_row(self, run, write) -> None:
        path = write("a.csv", 'id,content\n1,"今天\n天气"\n2,\n3,真冷\n')
        assert run("segment", path).stdout == "今天 天气\n\n真冷\n"

    def test_a_file_as_a_document(self, run, write) -> None:
        assert (
            run("segment", write("a.txt", "今天\n\n真冷\n"), "--unit", "file").stdout
            == "今天 真冷\n"
        )

    def test_empty_and_blank_files(self, run, write) -> None:
        assert run("segment", write("a.txt", "")).stdout == ""
        assert run("segment", write("a.txt", "\n \n　\n")).stdout == "\n\n\n"

    def test_standard_input(self, run) -> None:
        assert run("segment", "-", stdin="真冷\n\n好").stdout == "真冷\n\n好\n"

    def test_table_on_standard_input(self, run) -> None:
        result = run("segment", "-", "--text-column", "1", stdin="真冷\t负\n好\t正\n")
        assert result.stdout == "真冷\n好\n"
        assert "tab-separated" in result.stderr


class TestOptions:
    def test_spellings_change_only_when_asked(self, run, text) -> None:
        third = run("segment", text, "--fold-width").stdout.splitlines()[2]
        assert third == "CD 有 2 张 ！ VIP"
        both = run("segment", text, "--fold-width", "--lowercase").stdout.splitlines()[2]
        assert both == "cd 有 2 张 ！ vip"

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_full_width_text_is_cut_as_other_commands_cut_it(self, run, rows, write, jobs) -> None:
        path = write("a.txt", "２０２６年ＧＤＰ增长５％\n在ＭＡＩＮ街用ＡＩ\n" * 2)
        lines = "２０２６ 年 ＧＤＰ 增长 ５ ％\n在 ＭＡＩＮ 街用 ＡＩ\n" * 2
        cut = ("segment", path, "--user-word", "AI", "--jobs", jobs)
        assert run(*cut).stdout == lines
        assert run(*cut, "--fold-width").stdout == fold_width(lines)
        pairs = rows(path, "--user-word", "AI", "--min-count", "1")
        terms = {term for pair in pairs for term in pair[:2]}
        assert terms == set(fold_width(lines).lower().split()) - {"％"}

    def test_python_engine(self, run) -> None:
        rust = run("segment", "dataset:everyday").stdout
        assert run("segment", "dataset:everyday", "--engine", "python").stdout == rust

    def test_no_hmm(self, run, text) -> None:
        assert run("segment", text, "--no-hmm").stdout.endswith("网易 杭 研 大厦\n")

    def test_user_word_and_dictionary(self, run, write) -> None:
        path = write("a.txt", "云原生底座和型号A/B\n")
        entries = write("dict.txt", "云原生底座\n")
        result = run("segment", path, "--user-word", "型号A/B", "--user-dict", entries)
        assert result.stdout == "云原生底座 和 型号A/B\n"

    def test_a_user_word_with_a_blank_is_told_of_once(self, run, write) -> None:
        path = write("a.txt", "我在New York\n在New York街\n")
        result = run("segment", path, "--user-word", "New York", "--user-word", "云 底座")
        assert result.stdout == "我 在 New York\n在 New York 街\n"
        (told,) = (line for line in result.stderr.splitlines() if "User words" in line)
        assert told.startswith("User words with a blank (New York, 云 底座) are written with it")
        assert "User words" not in run("segment", path, "--user-word", "York").stderr

    def test_characters(self, run, write) -> None:
        assert (
            run("segment", write("a.txt", "天气，A\n"), "--segmenter", "char").stdout
            == "天 气 ， A\n"
        )

    def test_output_file(self, run, text, folder: Path) -> None:
        wanted = run("segment", text).stdout
        assert run("segment", text, "--output", "words.txt", "--quiet").output == ""
        assert (folder / "words.txt").read_text(encoding="utf-8") == wanted


class TestLength:
    def test_two_processes_write_the_same(self, start, write, folder: Path) -> None:
        path = write("a.txt", lines(1_200_000))
        for jobs in ("1", "2"):
            assert start("segment", path, "--jobs", jobs, "--output", jobs).returncode == 0
        assert (folder / "1").read_bytes() == (folder / "2").read_bytes()
        assert (folder / "1").read_bytes().count(b"\n") == lines(1_200_000).count("\n")

    def test_a_long_line_is_cut_as_jieba_cuts_it(self, run, write, jieba_cut) -> None:
        text = sentences(250_000)
        got = run("segment", write("a.txt", text)).stdout
        assert got == " ".join(jieba_cut(text)) + "\n"

    def test_a_long_line_keeps_full_width_numbers_whole(self, run, write) -> None:
        text = "２０２６" * 60_000
        got = run("segment", write("a.txt", text), "--fold-width").stdout
        assert got == "2026" * 60_000 + "\n"

    def test_a_long_line_of_words_keeps_them(self, run, write) -> None:
        text = " ".join(["茶/n"] * 60_000)
        assert (
            run("segment", write("a.txt", text), "--segmenter", "whitespace").stdout == text + "\n"
        )

    def test_a_long_line_keeps_user_words(self, run, write) -> None:
        text = "型号A/B" * 40_000
        got = run("segment", write("a.txt", text), "--user-word", "型号A/B").stdout
        assert got == " ".join(["型号A/B"] * 40_000) + "\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.tsv", "\n茶叶\ta\n\n水杯\tb\n\n"),
        ("a.csv", "\n茶叶,a\n\n水杯,b\n\n"),
        ("a.jsonl", '\n{"text": "茶叶"}\n\n{"text": "水杯"}\n\n'),
    ],
)
def test_blank_lines_of_tables_stay(tmp_path: Path, name: str, content: str) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "nlpfeat", "segment", str(path), "--quiet"],
        stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    assert done.stdout.decode() == "\n茶叶\n\n水杯\n\n"


class TestFasttext:
    def test_what_is_written_is_read_again(self, run, write, folder: Path) -> None:
        table = write("a.csv", "评论,情感\n房间很 干净,好 评\n\n太\u2028脏了,差评\n")
        run("segment", table, "--fasttext", "--output", "a.txt")
        written = (folder / "a.txt").read_text(encoding="utf-8")
        assert written == "__label__好_评 房间 很 干净\n__label__差评 太 脏 了\n"
        read = open_labeled("a.txt")
        assert list(read) == ["房间 很 干净", "太 脏 了"]
        assert read.labels() == ["好_评", "差评"]

    def test_each_line_has_the_label_of_its_document(self, run, folder: Path) -> None:
        corpus = load_everyday()
        run("segment", "dataset:everyday", "--fasttext", "--jobs", "2", "--output", "a.txt", "-q")
        plain = run("segment", "dataset:everyday", "-q").stdout.splitlines()
        written = (folder / "a.txt").read_text(encoding="utf-8").splitlines()
        assert written == [f"__label__{label} {line}" for label, line in
                           zip(corpus.labels(), plain, strict=True)]  # fmt: skip

    def test_what_cannot_be_written(self, run, write) -> None:
        told = run("segment", write("a.txt", "茶\n"), "--fasttext", code=1).stderr
        assert "a.txt:1 has no label" in told
        same = write("a.csv", "text,label\n茶,a b\n水,a_b\n")
        told = run("segment", same, "--fasttext", code=1).stderr
        assert "The labels 'a b' and 'a_b' would both be written a_b." in told
        told = run("segment", same, "--label-column", "label", code=2).stderr
        assert "--label-column is an option of --fasttext" in told
