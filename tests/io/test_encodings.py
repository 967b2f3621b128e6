import logging
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.errors import EncodingError, InvalidInputError, InvalidParameterError
from nlpfeat.io.detection import SAMPLE_BYTES
from nlpfeat.io.encodings import check_encoding, decode_chunks

CHINESE = "今天天气很好，我们去公园散步。\n"
MARKED = {
    "utf-8-sig": "utf-8",
    "utf-16-le": "utf-16-le",
    "utf-16-be": "utf-16-be",
    "utf-32-le": "utf-32-le",
    "utf-32-be": "utf-32-be",
    "gb18030": "gb18030",
}


def chunked(raw: bytes, size: int) -> list[bytes]:
    return [raw[start : start + size] for start in range(0, len(raw), size)]


def read(raw: bytes, size: int = 1 << 18, **settings: str) -> str:
    return "".join(decode_chunks(chunked(raw, size), "a.txt", **settings))


def with_mark(text: str, encoding: str) -> bytes:
    return text.encode(encoding) if encoding == "utf-8-sig" else ("\ufeff" + text).encode(encoding)


texts = st.text(
    st.one_of(
        st.sampled_from("天地玄黄\r\n\n，a \x85\u2028\x0b\x0c"),
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"),
    ),
    max_size=60,
)


def unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


@given(texts, st.sampled_from(["utf-8", "gb18030", "utf-16-le", "utf-16-be"]), st.integers(1, 9))
def test_reads_back_in_the_encoding_asked_for(text: str, encoding: str, size: int) -> None:
    text = text.lstrip("\ufeff")
    assert read(text.encode(encoding), size, encoding=encoding) == unix(text)


@given(texts, st.sampled_from(sorted(MARKED)), st.integers(1, 9))
def test_reads_back_by_the_byte_order_mark(text: str, encoding: str, size: int) -> None:
    assert read(with_mark(text, encoding), size) == unix(text)


@given(texts, st.integers(1, 9))
def test_any_utf8_reads_back(text: str, size: int) -> None:
    raw = text.lstrip("\ufeff").encode()
    assert read(raw, size) == unix(text.lstrip("\ufeff"))


@given(st.binary(max_size=40), st.integers(1, 9))
def test_chunks_change_nothing(raw: bytes, size: int) -> None:
    def outcome(chunk: int) -> str:
        try:
            return read(raw, chunk)
        except InvalidInputError as error:
            return f"error: {error}"

    assert outcome(size) == outcome(1 << 18)


@given(st.binary(max_size=40), st.sampled_from(["utf-8", "gb18030", "cp950", "utf-16-le"]))
def test_replacing_reads_anything(raw: bytes, encoding: str) -> None:
    text = read(raw, encoding=encoding, decode_errors="replace")
    assert "\0" not in text
    text.encode()


@pytest.mark.parametrize("encoding", sorted(MARKED))
def test_a_mark_that_agrees_is_skipped_and_the_order_follows_it(encoding: str) -> None:
    general = encoding.removesuffix("-sig").removesuffix("-le").removesuffix("-be")
    assert read(with_mark(CHINESE, encoding), encoding=encoding) == CHINESE
    assert read(with_mark(CHINESE, encoding), encoding=general) == CHINESE


def test_a_mark_inside_the_text_stays() -> None:
    assert read("甲\ufeff乙".encode()) == "甲\ufeff乙"


@pytest.mark.parametrize("encoding", ["gb18030", "cp950", "utf-8"])
@pytest.mark.parametrize("size", [1000, 1 << 18])
@pytest.mark.parametrize("head", [10, SAMPLE_BYTES - 5, SAMPLE_BYTES + 5, 700_001])
def test_the_verdict_waits_behind_an_ascii_head(encoding: str, size: int, head: int) -> None:
    text = ("plain ascii " * (head // 12 + 1))[:head] + "天氣很好。明天也好。" * 50
    assert read(text.encode(encoding), size) == text


def test_the_verdict_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="nlpfeat")
    read(CHINESE.encode())
    read(CHINESE.encode("gbk"))
    read(with_mark(CHINESE, "utf-16-le"))
    read(b"ascii")
    read(b"")
    read(CHINESE.encode("gbk"), encoding="GBK")
    assert caplog.messages == [
        "a.txt: read as utf-8 (valid UTF-8)",
        "a.txt: read as gb18030 (guessed)",
        "a.txt: read as utf-16-le (byte-order mark)",
        "a.txt: read as utf-8 (plain ASCII)",
        "a.txt: read as utf-8 (plain ASCII)",
        "a.txt: read as gbk (as asked)",
    ]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16-le", "utf-8-sig"])
def test_an_undecodable_byte_is_placed(encoding: str, line_end: str, size: int) -> None:
    good = f"第一行{line_end}第二行{line_end}坏".encode(encoding)
    bad = b"\x00\xdc" if encoding == "utf-16-le" else b"\xff"
    name = encoding.removesuffix("-sig")
    with pytest.raises(EncodingError) as caught:
        read(good + bad + "好。".encode(encoding), size, encoding=encoding)
    message = str(caught.value)
    assert message.startswith(f"a.txt: line 3, byte offset {len(good)}: byte 0x{bad[0]:02X} ")
    assert f"no text in {name}. Name the right" in message
    assert "--encoding" in message
    assert "--decode-errors replace" in message


def test_a_character_cut_at_the_end_is_placed() -> None:
    raw = "天气\n好".encode()
    with pytest.raises(EncodingError, match="line 2, byte offset 7: byte 0xE5 is no text in utf-8"):
        read(raw[:-1], encoding="utf-8")
    assert read(raw[:-1], decode_errors="replace") == "天气\n\ufffd"


def test_a_bad_byte_far_behind_the_sample_is_placed() -> None:
    good = (CHINESE * 20_000).encode()
    with pytest.raises(EncodingError, match=f"line 20001, byte offset {len(good)}: byte 0xFF"):
        read(good + b"\xff\n")


def test_the_bytes_of_a_lone_surrogate_are_undecodable() -> None:
    raw = "天气\n很好".encode() + b"\xed\xa0\x80" + "吗？".encode()
    with pytest.raises(
        EncodingError, match="line 2, byte offset 13: byte 0xED is no text in utf-8"
    ):
        read(raw)
    assert read(raw, decode_errors="replace") == "天气\n很好\ufffd\ufffd\ufffd吗？"


def test_the_error_says_how_the_encoding_was_found() -> None:
    guessed = CHINESE.encode("gbk") * 6000 + b"\xff\n"
    with pytest.raises(EncodingError, match=r"line 6001, .* no text in gb18030 \(guessed\)"):
        read(guessed)
    with pytest.raises(EncodingError, match=r"0xE9 is no text in utf-8 \(no known encoding fits\)"):
        read("café crème".encode("latin-1"))
    with pytest.raises(EncodingError, match=r"no text in utf-16-le \(byte-order mark\)"):
        read(with_mark(CHINESE, "utf-16-le") + b"\x00\xdc")


def test_gb2312_is_told_of_gb18030() -> None:
    with pytest.raises(EncodingError, match="gb18030 reads all that it reads, and more"):
        read("朱镕基".encode("gbk"), encoding="gb2312")


@pytest.mark.parametrize("size", [1, 5, 1000])
def test_nul_characters(size: int) -> None:
    raw = b"first\nsecond\rth\0ird\n"
    with pytest.raises(InvalidInputError, match=r"a\.txt holds NUL characters at line 3: a binary"):
        read(raw, size)
    assert read(raw, size, decode_errors="replace") == "first\nsecond\nth\ufffdird\n"


def test_utf16_read_as_utf8_is_no_silent_mistake() -> None:
    with pytest.raises(InvalidInputError, match=r"NUL characters at line 1.*UTF-16 read as"):
        read("a天\n".encode("utf-16-le"), encoding="gb18030", size=2)


def test_random_bytes_are_an_error() -> None:
    with pytest.raises(InvalidInputError, match=r"no known encoding fits|NUL"):
        read(random.Random(3).randbytes(200_000))


def test_binary_formats_are_named() -> None:
    with pytest.raises(InvalidInputError, match="It is a PNG image"):
        read(b"\x89PNG\r\n\x1a\n" + bytes(100))
    with pytest.raises(InvalidInputError, match="It is a PDF document"):
        read(b"%PDF-1.4\n" + b"ascii " * 20_000)


@pytest.mark.parametrize(
    ("encoding", "hint"),
    [
        ("gb18O30", "Did you mean 'gb18030'"),
        ("utf-88", "Did you mean 'utf-8'"),
        ("hex", "utf-8, gb18030"),
        ("unicode_escape", "utf-8, gb18030"),
        ("utf-7", "utf-8, gb18030"),
        ("", "utf-8, gb18030"),
        ("a\0b", "utf-8, gb18030"),
        (8, "Got 8"),
    ],
)
def test_unknown_encodings_are_refused(encoding: str, hint: str) -> None:
    with pytest.raises(InvalidParameterError, match=f"encoding must be the name of.*{hint}"):
        check_encoding(encoding)


def test_unknown_decode_errors_are_refused() -> None:
    with pytest.raises(InvalidParameterError, match="decode_errors must be one of 'strict', 'repl"):
        read(b"a", decode_errors="ignore")
