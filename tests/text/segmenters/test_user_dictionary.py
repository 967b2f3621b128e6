import logging
from pathlib import Path

import jieba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.errors import InvalidInputError
from nlpfeat.text.segmenters.user_dictionary import DictionaryEntry, load_user_dictionary


@pytest.fixture
def write(tmp_path: Path):
    def write_file(text: str, encoding: str = "utf-8") -> Path:
        path = tmp_path / "dict.txt"
        path.write_bytes(text.encode(encoding))
        return path

    return write_file


def test_word_frequency_and_tag(write) -> None:
    path = write("云计算\n台中 0\n凱特琳 5 nz\n创新办 i\n\n  \n 前后 3 \nEdu Trust认证 2000\n")
    assert load_user_dictionary(path) == (
        DictionaryEntry("云计算"),
        DictionaryEntry("台中", 0),
        DictionaryEntry("凱特琳", 5, "nz"),
        DictionaryEntry("创新办", None, "i"),
        DictionaryEntry("前后", 3),
        DictionaryEntry("Edu Trust认证", 2000),
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_any_encoding_and_line_end(write, encoding: str) -> None:
    path = write("数字孪生体 5 n\r\n云原生底座\r\n", encoding)
    assert load_user_dictionary(path) == (
        DictionaryEntry("数字孪生体", 5, "n"),
        DictionaryEntry("云原生底座"),
    )


def test_entries_that_cannot_match_are_logged(write, caplog: pytest.LogCaptureFixture) -> None:
    path = write("型号A/B 3\nC-反应蛋白\n㐀㐁\n你 好\n云\t5\n")
    with caplog.at_level(logging.WARNING):
        entries = load_user_dictionary(path)
    hopeless = [entry.word for entry in entries if not entry.can_match]
    assert hopeless == ["型号A/B", "㐀㐁", "你 好", "云\t5"]
    assert f"{path}: 4 of 5 entries can never match" in caplog.text
    assert "Give them as user words (--user-word) instead." in caplog.text


def test_a_long_list_is_cut_short(write, caplog: pytest.LogCaptureFixture) -> None:
    load_user_dictionary(write("".join(f"甲/{number}\n" for number in range(12))))
    assert "12 of 12 entries" in caplog.text
    assert "甲/9, …" in caplog.text
    assert "甲/10" not in caplog.text


def test_a_good_dictionary_says_nothing(write, caplog: pytest.LogCaptureFixture) -> None:
    load_user_dictionary(write("云计算 5\n"))
    assert caplog.text == ""


def test_an_empty_file_has_no_entries(write) -> None:
    assert load_user_dictionary(write("")) == ()


def test_a_frequency_beyond_all_sense(write) -> None:
    assert load_user_dictionary(write("甲乙 999999999999"))[0].frequency == 10**12 - 1
    for digits in ("1000000000000", "9" * 5000):
        path = write(f"好\n甲乙 {digits}\n")
        with pytest.raises(InvalidInputError, match=r"dict.txt: line 2: a frequency must .*'甲乙'"):
            load_user_dictionary(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"none\.txt.*No such file"):
        load_user_dictionary(tmp_path / "none.txt")


@given(st.text("甲A5 n\tZ", min_size=1, max_size=12))
def test_a_line_is_read_as_jieba_reads_it(
    tmp_path_factory: pytest.TempPathFactory, line: str
) -> None:
    path = tmp_path_factory.mktemp("dict") / "d.txt"
    path.write_text(line, encoding="utf-8")
    entries = load_user_dictionary(path)
    if not line.strip():
        assert entries == ()
        return
    word, frequency, tag = jieba.re_userdict.match(line.strip()).groups()
    assert entries == (
        DictionaryEntry(
            word,
            None if frequency is None else int(frequency),
            None if tag is None else tag.strip(),
        ),
    )
