import bz2
import gzip
import lzma
import random

import pytest

from nlpfeat.datasets import load_everyday
from nlpfeat.errors import InvalidInputError
from nlpfeat.io.detection import Verdict, everyday_share, judge, refuse_binary

SIMPLIFIED = "".join(load_everyday())
TRADITIONAL = (
    "昨天傍晚下了一場大雨，街上沒有幾個人，只有賣麵的老闆還開著燈。我點了一碗湯麵，他問要不要加蛋，"
    "說今天的蛋特別新鮮。後來雨停了，我們坐在門口聊起從前的學校和同學，誰也不想先回家。"
)


def guess(raw: bytes) -> str:
    return judge(raw, at_start=True, complete=True).encoding


@pytest.mark.parametrize("n_chars", [12, 25, 100, 1000])
@pytest.mark.parametrize("encoding", ["gb18030", "utf-16-le", "utf-16-be"])
def test_simplified_text_is_recognized(encoding: str, n_chars: int) -> None:
    starts = range(0, len(SIMPLIFIED) - n_chars, 397)
    wrong = [
        start
        for start in starts
        if guess(SIMPLIFIED[start : start + n_chars].encode(encoding)) != encoding
    ]
    assert len(starts) > 80
    assert wrong == []


@pytest.mark.parametrize("encoding", ["cp950", "gb18030", "utf-16-le", "utf-16-be"])
def test_traditional_text_is_recognized(encoding: str) -> None:
    for start in range(len(TRADITIONAL) - 12):
        assert guess(TRADITIONAL[start : start + 12].encode(encoding)) == encoding


def test_hong_kong_characters_make_big5_big5hkscs() -> None:
    text = "你哋喺邊度食飯呀？我哋嚟搵你"
    with pytest.raises(UnicodeEncodeError):
        text.encode("cp950")
    assert guess(text.encode("big5hkscs")) == "big5hkscs"


def test_windows_signs_of_big5_are_read_as_windows_reads_them() -> None:
    # big5 and big5hkscs read the first as U+223C and do not know the second.
    raw = "價錢三～五百元，約二十€，不貴".encode("cp950")
    assert raw.decode(guess(raw)) == "價錢三～五百元，約二十€，不貴"


def test_english_in_utf16_is_recognized() -> None:
    assert guess("The weather is fine.\n".encode("utf-16-le")) == "utf-16-le"
    assert guess("The weather is fine.\n".encode("utf-16-be")) == "utf-16-be"


def test_utf16_is_considered_at_the_start_alone() -> None:
    raw = "天气很好，我们去公园".encode("utf-16-le")
    assert judge(raw, at_start=True, complete=True).encoding == "utf-16-le"
    assert judge(raw, at_start=False, complete=True).encoding != "utf-16-le"


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "cp950", "utf-16-le"])
def test_a_character_cut_by_the_sample_spoils_nothing(encoding: str) -> None:
    raw = TRADITIONAL.encode(encoding)
    for cut in range(len(raw) - 4, len(raw)):
        assert judge(raw[:cut], at_start=True, complete=False).encoding == encoding


def test_utf8_comes_first() -> None:
    # In GBK the same two bytes are 陆.
    assert judge("½".encode(), at_start=True, complete=True) == Verdict("utf-8", "valid UTF-8")


def test_utf8_with_a_broken_place_is_not_taken_for_gb18030() -> None:
    raw = "今天天气很好".encode() + b"\xff" + "我们去公园".encode()
    assert judge(raw, at_start=True, complete=True) == Verdict("utf-8", "mostly UTF-8")


def test_gb18030_with_a_broken_place_stays_gb18030() -> None:
    raw = SIMPLIFIED[:300].encode("gb18030") + b"\xff" + SIMPLIFIED[300:600].encode("gb18030")
    assert judge(raw, at_start=True, complete=True) == Verdict(
        "gb18030", "guessed, with broken places"
    )


def test_random_bytes_fit_nothing() -> None:
    draw = random.Random(7)
    for _ in range(50):
        verdict = judge(draw.randbytes(400), at_start=True, complete=True)
        assert verdict == Verdict("utf-8", "no known encoding fits")


def test_ascii_with_a_stray_nul_is_no_utf16() -> None:
    text = b"the quick brown fox jumps over the lazy dog\n" * 20
    for place in range(0, 600, 7):
        raw = text[:place] + b"\0" + text[place + 1 :]
        assert guess(raw) == "utf-8"


def test_share_by_hand() -> None:
    assert everyday_share("天气很好", count_ascii=False) == 1.0
    assert everyday_share("天气龘龘", count_ascii=False) == 0.5
    assert everyday_share("天气龘龘ab", count_ascii=False) == 0.5
    assert everyday_share("天气龘龘ab", count_ascii=True) == pytest.approx(4 / 6)
    assert everyday_share("abc", count_ascii=False) == 0.0
    # One control character weighs as five characters that are not everyday ones.
    assert everyday_share("天气很好好\x01", count_ascii=False) == 0.5


@pytest.mark.parametrize(
    ("head", "what"),
    [
        (b"\x89PNG\r\n\x1a\n", "PNG image"),
        (b"%PDF-1.7\n", "PDF document"),
        (b"PK\x03\x04", r"\.docx"),
        (gzip.compress(b"a", mtime=0), r"must end in \.gz"),
        (bz2.compress(b"a"), r"must end in \.bz2"),
        (lzma.compress(b"a"), r"must end in \.xz"),
    ],
)
def test_known_binary_formats_are_named(head: bytes, what: str) -> None:
    with pytest.raises(InvalidInputError, match=rf"a\.txt must be a text file.*{what}"):
        refuse_binary(head, "a.txt")


def test_text_that_looks_a_little_like_a_format_is_text() -> None:
    for head in (b"BZhang", b"GIF8", b"PAR1", b"PK", b"%PDF", b""):
        refuse_binary(head, "a.txt")
