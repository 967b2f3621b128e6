"""Tell the encoding of a byte sample: byte-order mark, strict UTF-8, then a guess.

The guess reads the sample in each encoding that Chinese text is met in and asks how many of the
characters are everyday ones. Text read in a wrong encoding either breaks or turns into rare
characters, so ten bytes are mostly enough.
"""

import codecs
import re
from functools import lru_cache
from typing import NamedTuple

from nlpfeat.errors import InvalidInputError

SAMPLE_BYTES = 1 << 16

#: The longest mark comes first: that of UTF-32-LE begins with that of UTF-16-LE.
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_UTF_16 = ("utf-16-le", "utf-16-be")
#: On a tie the earlier one wins. cp950 is Big5 as Windows writes it; big5hkscs wins where the
#: text holds characters of Hong Kong, which cp950 lacks.
_CANDIDATES = ("gb18030", "cp950", "big5hkscs", *_UTF_16)

#: What the formats start with; long enough that no text starts so.
_BINARY_FORMATS = tuple(
    (re.compile(start), what)
    for start, what in (
        (rb"\x89PNG\r\n", "a PNG image"),
        (rb"\xff\xd8\xff", "a JPEG image"),
        (rb"GIF8[79]a", "a GIF image"),
        (rb"%PDF-\d", "a PDF document: export its text first"),
        (rb"PK\x03\x04", "a ZIP archive (as .docx, .xlsx and .epub are): export its text first"),
        (rb"\xd0\xcf\x11\xe0", "an old Word or Excel document: export its text first"),
        (rb"\x1f\x8b\x08", "gzip-compressed: its name must end in .gz"),
        (rb"BZh[1-9]1AY&SY", "bzip2-compressed: its name must end in .bz2"),
        (rb"\xfd7zXZ\x00", "xz-compressed: its name must end in .xz"),
        (rb"\x28\xb5\x2f\xfd", "Zstandard-compressed: its name must end in .zst"),
        (rb"7z\xbc\xaf\x27\x1c", "a 7z archive"),
        (rb"Rar!\x1a\x07", "a RAR archive"),
        (rb"SQLite format 3\x00", "an SQLite database"),
        (rb"\x7fELF", "a program"),
        (rb"PAR1\x15", "a Parquet table"),
    )
)

_BAD_RUN = re.compile("\ufffd+")
_CJK = re.compile("[\u2e80-\ufffc]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")

#: Everyday characters make up at least this share of text that is read in the right encoding.
_MIN_EVERYDAY = 0.5
#: ASCII read as UTF-16 gives ideographs of which a third are everyday ones, in short texts more.
_MIN_EVERYDAY_UTF_16 = 0.7
_CONTROL_PENALTY = 5


class Verdict(NamedTuple):
    """An encoding, and why it was chosen."""

    encoding: str
    reason: str


def judge(sample: bytes, *, at_start: bool, complete: bool) -> Verdict:
    """Choose the encoding of a sample that holds at least one byte that is not plain ASCII.

    Parameters
    ----------
    sample : bytes
        Some `SAMPLE_BYTES` of the stream.
    at_start : bool
        Whether the sample is the start of the stream. UTF-16 is considered only then: one of its
        characters has a zero byte or a high byte long before the first sample is over.
    complete : bool
        Whether the stream ends with the sample; if not, a character may be cut at its end.

    Returns
    -------
    Verdict
        UTF-8 when nothing fits, so that decoding reports the first byte that is not UTF-8.

    Examples
    --------
    >>> judge("今天天气不错".encode("gbk"), at_start=True, complete=True)
    Verdict(encoding='gb18030', reason='guessed')
    """
    nuls = b"\0" in sample
    valid = _decode(sample, "utf-8", complete, "strict") is not None
    if valid and not nuls:
        return Verdict("utf-8", "valid UTF-8")
    if not valid and _mostly_utf8(sample):
        return Verdict("utf-8", "mostly UTF-8")
    candidates: tuple[str, ...] = _UTF_16 if valid else _CANDIDATES
    if not at_start:
        candidates = tuple(encoding for encoding in candidates if encoding not in _UTF_16)
    for errors, reason in (("strict", "guessed"), ("replace", "guessed, with broken places")):
        best = _guess(sample, candidates, complete, errors)
        if best:
            return Verdict(best, reason)
    return Verdict("utf-8", "no known encoding fits")


def byte_order_mark(head: bytes) -> tuple[bytes, str] | None:
    """Return the byte-order mark that ``head`` starts with and its encoding, if there is one."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return mark, encoding
    return None


def refuse_binary(head: bytes, name: str) -> None:
    """Raise `InvalidInputError` when ``head`` starts as a known format that is not text."""
    for start, what in _BINARY_FORMATS:
        if start.match(head):
            raise InvalidInputError(f"{name} must be a text file. It is {what}.")


def everyday_share(text: str, *, count_ascii: bool) -> float:
    """Return the share of everyday characters in ``text``; control characters weigh against it.

    Parameters
    ----------
    text : str
        A sample, decoded.
    count_ascii : bool
        Whether ASCII speaks for the encoding. It does for UTF-16; in the other encodings it is
        the same whatever the encoding, and left out.

    Returns
    -------
    float
        At most 1; negative when there are many control characters; 0 for no evidence.
    """
    everyday = _everyday()
    wide = [char for char in text if char >= "\x80"]
    total = len(wide) + _CONTROL_PENALTY * len(_CONTROL.findall(text))
    good = sum(char in everyday for char in wide)
    if count_ascii:
        ascii_chars = len(text) - len(wide)
        total += ascii_chars
        good += ascii_chars - len(_CONTROL.findall(text))
    return good / total if total else 0.0


@lru_cache(maxsize=1)
def _everyday() -> frozenset[str]:
    """Return the symbols and the first level of GB 2312 (3,755 hanzi) and of Big5 (5,401 hanzi).

    Both standards put the frequent characters first, so the codecs are the only table needed.
    """
    high = range(0xA1, 0xFF)
    gb2312 = [bytes((a, b)) for a in (*range(0xA1, 0xAA), *range(0xB0, 0xD8)) for b in high]
    trails = (*range(0x40, 0x7F), *high)
    big5 = [bytes((a, b)) for a in range(0xA1, 0xC7) for b in trails if (a, b) <= (0xC6, 0x7E)]
    chars = {pair.decode("gb2312", "ignore") for pair in gb2312}
    chars |= {pair.decode("cp950", "ignore") for pair in big5}
    return frozenset(char for char in chars if len(char) == 1 and char >= "\x80")


def _guess(sample: bytes, candidates: tuple[str, ...], complete: bool, errors: str) -> str | None:
    """Return the candidate in which most characters are everyday ones, if enough are."""
    best, best_share = None, 0.0
    for encoding in candidates:
        wide = encoding in _UTF_16
        text = _decode(sample, encoding, complete, errors)
        share = 0.0 if text is None else everyday_share(text, count_ascii=wide)
        if share > best_share and share >= (_MIN_EVERYDAY_UTF_16 if wide else _MIN_EVERYDAY):
            best, best_share = encoding, share
    return best


def _decode(sample: bytes, encoding: str, complete: bool, errors: str) -> str | None:
    """Return the sample as text, or None; a character cut by the end of the sample is left out."""
    try:
        return codecs.getincrementaldecoder(encoding)(errors).decode(sample, complete)
    except UnicodeDecodeError:
        return None


def _mostly_utf8(sample: bytes) -> bool:
    """Tell UTF-8 with a few broken places from text in another encoding.

    Guessing on would read such a file as GB18030 and turn all of it into other characters.
    """
    text = sample.decode("utf-8", "replace")
    return len(_CJK.findall(text)) >= 2 * len(_BAD_RUN.findall(text)) > 0
