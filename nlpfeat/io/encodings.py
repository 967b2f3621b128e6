"""Decode a stream of bytes without holding it, in a given encoding or in the one it shows.

The order is: byte-order mark, strict UTF-8, then a guess between GB18030, Big5 and UTF-16 (see
`nlpfeat.io.detection`). ASCII reads the same in all but UTF-16, so it is passed on and the verdict
waits for the first byte that says something: a GBK file with a long ASCII head is recognized.
"""

import codecs
import io
import logging
import re
from collections.abc import Iterable, Iterator
from encodings.aliases import aliases

from nlpfeat._names import closest, lookup
from nlpfeat.errors import EncodingError, InvalidInputError, InvalidParameterError
from nlpfeat.io.detection import (
    BYTE_ORDER_MARKS,
    SAMPLE_BYTES,
    Verdict,
    byte_order_mark,
    judge,
    refuse_binary,
)

logger = logging.getLogger(__name__)

#: What to do with bytes that are no text in the encoding.
DECODE_ERRORS = {"strict": "an error", "replace": "U+FFFD stands in for them"}

_USUAL_ENCODINGS = ("utf-8", "gb18030", "gbk", "big5", "big5hkscs", "utf-16")
#: Text transformations that Python lists among its encodings; they can make lone surrogates.
_NO_FILE_ENCODINGS = {"idna", "punycode", "raw-unicode-escape", "undefined", "unicode-escape"}
_NO_FILE_ENCODINGS |= {"utf-7"}
#: Their mark is taken off here, so that byte offsets stay those of the file. Without a mark the
#: byte order is that of Windows.
_MARKED_ENCODINGS = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
_PARTS_OF_GB = {"gb2312", "gbk"}
_TELLING_BYTE = re.compile(rb"[\x00\x80-\xff]")


def check_encoding(encoding: str) -> str:
    """Return the name that Python has for ``encoding``.

    Raises
    ------
    InvalidParameterError
        When Python knows no such text encoding.

    Examples
    --------
    >>> check_encoding("GB2312"), check_encoding("utf8")
    ('gb2312', 'utf-8')
    """
    try:
        "".encode(encoding)  # refuses, unlike codecs.lookup, what is no text encoding
        name = codecs.lookup(encoding).name.replace("_", "-")
    except (LookupError, TypeError, ValueError):
        name = "undefined"
    if name not in _NO_FILE_ENCODINGS:
        return name
    hint = closest(encoding, (*_USUAL_ENCODINGS, *aliases)) if isinstance(encoding, str) else ""
    raise InvalidParameterError(
        f"encoding must be the name of a text encoding, such as {', '.join(_USUAL_ENCODINGS)}. "
        f"Got {encoding!r}.{hint}"
    )


def decode_chunks(
    chunks: Iterable[bytes],
    name: str,
    *,
    encoding: str | None = None,
    decode_errors: str = "strict",
) -> Iterator[str]:
    r"""Yield the text of a byte stream, piece by piece, with ``\n`` for every line end.

    Parameters
    ----------
    chunks : iterable of bytes
        The stream, cut anywhere; how it is cut changes nothing about the text.
    name : str
        What messages call the stream.
    encoding : str, optional
        Without it the encoding is found out, and logged.
    decode_errors : {"strict", "replace"}
        Whether bytes that are no text, and NUL characters, are an error or become U+FFFD.

    Yields
    ------
    str
        Pieces of text without byte-order mark. ``\r\n`` and ``\r`` have become ``\n``; no other
        character counts as a line end.

    Raises
    ------
    EncodingError
        At the first byte that is no text in the encoding.
    InvalidInputError
        For a format that is no text (an image, a compressed file) and for NUL characters.
    InvalidParameterError
        For an unknown encoding.

    Examples
    --------
    >>> "".join(decode_chunks(["天气\r\n".encode("gbk"), "很好".encode("gbk")], "a.txt"))
    '天气\n很好'
    """
    asked = None if encoding is None else check_encoding(encoding)
    lookup(DECODE_ERRORS, decode_errors, "decode_errors")
    source = iter(chunks)
    decoder = _TextDecoder(name, decode_errors)
    if asked is None:
        yield from _decode_undecided(source, decoder)
    else:
        yield decoder.feed(_start_as_asked(source, decoder, asked))
    for chunk in source:
        yield decoder.feed(chunk)
    yield decoder.feed(b"", final=True)


def _start_as_asked(source: Iterator[bytes], decoder: "_TextDecoder", encoding: str) -> bytes:
    """Settle the decoder on ``encoding``, skip its mark, and return the bytes after it."""
    longest_mark = max(len(mark) for mark, _ in BYTE_ORDER_MARKS)
    head = b""
    for chunk in source:
        head += chunk
        if len(head) >= longest_mark:
            break
    found = byte_order_mark(head)
    default = _MARKED_ENCODINGS.get(encoding, encoding)
    agrees = found is not None and found[1].startswith(encoding.removesuffix("-sig"))
    if found is None or not agrees:
        decoder.settle(Verdict(default, "as asked"))
        return head
    decoder.settle(Verdict(found[1], "as asked"), skip=len(found[0]))
    return head[len(found[0]) :]


def _decode_undecided(source: Iterator[bytes], decoder: "_TextDecoder") -> Iterator[str]:
    """Yield text until the encoding is settled, and what was read up to there."""
    pending = bytearray()
    telling: re.Match[bytes] | None = None
    start = scanned = 0  # of the stream: where pending starts; of pending: what holds only ASCII
    complete = True
    for chunk in source:
        pending += chunk
        telling = telling or _TELLING_BYTE.search(pending, scanned)
        if telling is None and len(pending) >= SAMPLE_BYTES:
            if start == 0:
                refuse_binary(bytes(pending[:16]), decoder.name)
            yield decoder.feed(bytes(pending))
            start += len(pending)
            pending = bytearray()
        elif telling and len(pending) - telling.start() >= SAMPLE_BYTES:
            complete = False
            break
        scanned = len(pending)
    data = bytes(pending)
    mark = byte_order_mark(data) if start == 0 else None
    if mark:
        decoder.settle(Verdict(mark[1], "byte-order mark"), skip=len(mark[0]))
        yield decoder.feed(data[len(mark[0]) :])
        return
    if start == 0:
        refuse_binary(data, decoder.name)
    if telling is None:
        decoder.settle(Verdict("utf-8", "plain ASCII"))
    else:
        decoder.settle(_judge_from(data, start, telling.start(), complete))
    yield decoder.feed(data)


def _judge_from(data: bytes, start: int, telling: int, complete: bool) -> Verdict:
    """Judge by a sample that does not depend on how the stream was cut into chunks."""
    at_start = start + telling < SAMPLE_BYTES
    first = 0 if at_start else telling
    sample = data[first : telling + SAMPLE_BYTES]
    whole = complete and first + len(sample) == len(data)
    return judge(sample, at_start=at_start, complete=whole)


class _TextDecoder:
    """An incremental decoder that knows its place in the stream when something is wrong.

    Until it is settled on an encoding it takes ASCII.
    """

    def __init__(self, name: str, errors: str) -> None:
        self.name = name
        self._errors = errors
        self._newlines = io.IncrementalNewlineDecoder(None, translate=True)
        self._verdict = Verdict("ascii", "undecided")
        self._codec = codecs.getincrementaldecoder("ascii")()
        self._offset = 0
        self._line_ends = 0

    def settle(self, verdict: Verdict, *, skip: int = 0) -> None:
        """Go on in the encoding of ``verdict``, after ``skip`` bytes of byte-order mark."""
        logger.info("%s: read as %s (%s)", self.name, verdict.encoding, verdict.reason)
        self._verdict = verdict
        self._codec = codecs.getincrementaldecoder(verdict.encoding)(self._errors)
        self._offset += skip

    def feed(self, data: bytes, *, final: bool = False) -> str:
        """Return the text of ``data``, with what was left over from the bytes before."""
        before = self._codec.getstate()
        try:
            text = self._codec.decode(data, final)
        except UnicodeDecodeError as error:
            self._codec.setstate(before)
            raise self._undecodable(error, data, len(before[0])) from None
        if "\0" in text:
            text = self._without_nul(text)
        text = self._newlines.decode(text, final)
        self._offset += len(data)
        self._line_ends += text.count("\n")
        return text

    def _without_nul(self, text: str) -> str:
        if self._errors == "replace":
            return text.replace("\0", "\ufffd")
        line = self._line_after(text[: text.index("\0")])
        raise InvalidInputError(
            f"{self.name} holds NUL characters at line {line}: a binary file, or UTF-16 read as "
            "another encoding. Name its encoding (encoding, --encoding utf-16-le), or have them "
            "replaced (decode_errors, --decode-errors replace)."
        )

    def _undecodable(self, error: UnicodeDecodeError, data: bytes, left_over: int) -> EncodingError:
        good = self._codec.decode(data[: max(error.start - left_over, 0)])
        encoding, reason = self._verdict
        why = "" if reason in ("valid UTF-8", "as asked") else f" ({reason})"
        wider = " (gb18030 reads all that it reads, and more)" if encoding in _PARTS_OF_GB else ""
        return EncodingError(
            f"{self.name}: line {self._line_after(good)}, byte offset "
            f"{self._offset - left_over + error.start}: byte 0x{error.object[error.start]:02X} is "
            f"no text in {encoding}{wider}{why}. Name the right encoding (encoding, "
            f"--encoding {', '.join(_USUAL_ENCODINGS)} …), or have such bytes replaced "
            "(decode_errors, --decode-errors replace)."
        )

    def _line_after(self, text: str) -> int:
        """Return the number of the line on which ``text``, the next to come, ends."""
        return self._line_ends + self._newlines.decode(text, final=True).count("\n") + 1
