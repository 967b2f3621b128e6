"""A stream of documents that can be gone through again and again and is never held in memory."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from numbers import Integral
from typing import Any, TypeAlias

from nlpfeat._names import lookup
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.io.files import ending, find_text_files, iter_line_batches, total_bytes
from nlpfeat.io.records import TABLE_ENDINGS
from nlpfeat.io.streams import STDIN, display_name
from nlpfeat.text.columns import ColumnChoice
from nlpfeat.text.documents import Document, table_documents
from nlpfeat.text.wrapped_lines import are_wrapped, paragraphs

logger = logging.getLogger(__name__)

OnBytes: TypeAlias = Callable[[int], None] | None

_TEXTS_PER_BATCH = 4096
_MARKUP = (".json", ".html", ".htm", ".xml")

UNITS = {
    "line": "each line or row is a document",
    "paragraph": "lines up to a blank or an indented one are a document",
    "file": "each file is a document",
}


class Corpus:
    """Documents in files: one a line, a row of a table, a paragraph, or a file.

    The constructor only stores; files are looked for and opened on iteration.

    Parameters
    ----------
    *paths : path
        Files, folders, patterns, remote addresses, or ``"-"`` for standard input (which can be
        gone through once). See `nlpfeat.io.files.find_text_files`.
    unit : {"line", "paragraph", "file"}
        What a document is. With ``"line"`` it is a row in tables (.tsv, .csv, .jsonl, .ndjson)
        and a line in all other files. ``"paragraph"`` joins the lines of texts that were wrapped at
        a fixed width: a blank line ends a document, and an indented one begins another. Like
        ``"file"`` it takes no tables.
    text_column, label_column, id_column : str or int, optional
        Columns of tables, by name or by position from 1. A name means that the first row is a
        header. Without one it is a header when one of its cells is text, content, sentence,
        review, comment, 文本, 内容, 正文, 句子, 评论, 留言, 弹幕, 微博, title or 标题, which is
        then the text, or label, class, category, sentiment, 标签, 类别, 分类, 情感 or 类型, the
        label; and when it differs in kind from the rows below it, as 编号 above numbers does.
        Where no name tells, the text is the column whose cells are clearly the longest words, and
        where two could be meant it must be given. Without a header two columns are text and
        label, unless the second clearly is the text; in a wider table the last column is the
        label when it holds few different cells. What was chosen is logged. JSON Lines takes keys
        in the same way. Standard input is a table when a column of it is asked for: JSON Lines
        when it begins with ``{``, else tab-separated when its first line holds a tab, else
        comma-separated. Lines without a single character are no rows unless ``keep_blank``.
    encoding : str, optional
        Found out for each file when not given.
    decode_errors : {"strict", "replace"}
        Whether bytes that are no text are an error or become U+FFFD.
    keep_blank : bool
        Whether a blank line in a table is a document without text, as it is in a text file.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["今天天气很好", "真冷"], ["正面", "负面"])
    >>> list(corpus)
    ['今天天气很好', '真冷']
    >>> next(corpus.documents())
    Document(id='texts:1', text='今天天气很好', label='正面')
    """

    def __init__(
        self,
        *paths: str | os.PathLike[str],
        unit: str = "line",
        text_column: str | int | None = None,
        label_column: str | int | None = None,
        id_column: str | int | None = None,
        encoding: str | None = None,
        decode_errors: str = "strict",
        keep_blank: bool = False,
    ) -> None:
        self.paths = paths
        self.unit = unit
        self.text_column = text_column
        self.label_column = label_column
        self.id_column = id_column
        self.encoding = encoding
        self.decode_errors = decode_errors
        self.keep_blank = keep_blank
        self._stdin_is_read = False

    @classmethod
    def from_texts(
        cls, texts: Iterable[str], labels: Iterable[object] | None = None, name: str = "texts"
    ) -> "Corpus":
        """Return a corpus of texts that are already in memory.

        Parameters
        ----------
        texts : iterable of str
            One document each, which may be blank. List, tuple, array, Series and generator do.
        labels : iterable of str or int, optional
            As many as texts; integers become strings.
        name : str
            What messages and document ids call the texts.

        Raises
        ------
        InvalidInputError
            For a lone string, a missing value, anything else that is no string, a lone surrogate
            (the message names the row), and for another number of labels than of texts.
        """
        return _TextsCorpus(texts, labels, name)

    @property
    def name(self) -> str:
        """What messages and progress bars call the corpus."""
        names = [display_name(os.fspath(path)) for path in self.paths]
        return ", ".join(names) if len(names) <= 3 else f"{names[0]} and {len(names) - 1} more"

    @property
    def n_bytes(self) -> int | None:
        """Bytes on disk, for progress; None when it cannot be known (standard input)."""
        return total_bytes(self._files())

    def __iter__(self) -> Iterator[str]:
        for batch in self.batches():
            yield from batch

    def __repr__(self) -> str:
        settings = {key: value for key, value in vars(self).items() if not key.startswith("_")}
        defaults = vars(Corpus())
        parts = [repr(os.fspath(path)) for path in settings.pop("paths")]
        parts += [f"{key}={value!r}" for key, value in settings.items() if value != defaults[key]]
        return f"Corpus({', '.join(parts)})"

    def batches(self, on_bytes: OnBytes = None) -> Iterator[list[str]]:
        """Yield the texts in lists: the fast way through.

        Parameters
        ----------
        on_bytes : callable, optional
            Called with the number of bytes that each step has consumed; together they are
            `n_bytes`.
        """
        for file in self._files():
            if self.unit == "line" and not self._is_table(file):
                yield from self._lines(file, on_bytes)
            else:
                for batch in self._document_batches(file, on_bytes):
                    if batch:
                        yield [document.text for document in batch]

    def documents(self) -> Iterator[Document]:
        """Yield the documents; without an id column their id is ``file:line``, or the file."""
        for file in self._files():
            for batch in self._document_batches(file, None):
                yield from batch

    def labels(self) -> list[str]:
        """Return the label of every document.

        Raises
        ------
        InvalidInputError
            When a document has none.
        """
        labels = []
        for document in self.documents():
            if document.label is None:
                raise InvalidInputError(
                    f"{document.id} has no label. Labels stand in a column of a table "
                    "(label_column)."
                )
            labels.append(document.label)
        return labels

    def _files(self) -> list[str]:
        """Return the files, after a check of the settings against them."""
        lookup(UNITS, self.unit, "unit")
        choice = self._choice()
        choice.check()
        files = find_text_files(self.paths)
        tables = [file for file in files if self._is_table(file)]
        if self.unit != "line" and tables:
            raise InvalidParameterError(
                f"unit must be 'line' for tables: each row of {display_name(tables[0])} is a "
                f"document. Got {self.unit!r}."
            )
        asked = [f"{field}_column" for field, value in zip(choice._fields, choice) if value]
        if asked and not tables:
            raise InvalidParameterError(
                f"{', '.join(asked)} must be left out: {files[0]} is no table. "
                f"The name of a table ends in {', '.join(TABLE_ENDINGS)}."
            )
        return files

    def _is_table(self, file: str) -> bool:
        """Tell a table by its name, and standard input by being asked for a column of it."""
        if file == STDIN:
            return any(column is not None for column in self._choice())
        return ending(file) in TABLE_ENDINGS

    def _choice(self) -> ColumnChoice:
        return ColumnChoice(self.text_column, self.label_column, self.id_column)

    def _lines(self, file: str, on_bytes: OnBytes) -> Iterator[list[str]]:
        if file == STDIN:
            if self._stdin_is_read:
                raise InvalidInputError(
                    "Standard input has been read and cannot be read again. "
                    "Save it to a file where two passes are needed."
                )
            self._stdin_is_read = True
        batches = iter_line_batches(
            file, encoding=self.encoding, decode_errors=self.decode_errors, on_bytes=on_bytes
        )
        if ending(file) in _MARKUP:
            logger.warning(
                "%s is read as plain text, its marks included. Take the text out first; of JSON, a "
                "file that ends in .jsonl may have an object a line.", display_name(file),
            )  # fmt: skip
        if self.unit == "line" and not self._is_table(file):
            return _told_if_wrapped(display_name(file), batches)
        return batches

    def _document_batches(self, file: str, on_bytes: OnBytes) -> Iterator[list[Document]]:
        batches = self._lines(file, on_bytes)
        name = display_name(file)
        if self.unit == "file":
            lines = [line for batch in batches for line in batch]
            yield [Document(name, "\n".join(lines))]
        elif self.unit == "paragraph":
            for found in paragraphs(batches):
                yield [Document(f"{name}:{number}", text) for number, text in found]
        elif self._is_table(file):
            replace = self.decode_errors == "replace"
            yield from table_documents(
                file, batches, self._choice(), replace_nul=replace, keep_blank=self.keep_blank
            )
        else:
            yield from _numbered(name, batches)


class _TextsCorpus(Corpus):
    """The corpus behind `Corpus.from_texts`."""

    def __init__(self, texts: Iterable[str], labels: Iterable[object] | None, name: str) -> None:
        super().__init__()
        self._name = name
        self._texts = _checked_texts(texts, name)
        self._labels = None if labels is None else _checked_labels(labels, name)
        if self._labels is not None and len(self._labels) != len(self._texts):
            raise InvalidInputError(
                f"labels of {name} must be as many as the texts, {len(self._texts):,}. "
                f"Got {len(self._labels):,}."
            )

    @property
    def name(self) -> str:
        return self._name

    @property
    def n_bytes(self) -> int:
        return sum(len(text.encode()) for text in self._texts)

    def __repr__(self) -> str:
        return f"Corpus.from_texts(<{len(self._texts):,} texts>, name={self._name!r})"

    def batches(self, on_bytes: OnBytes = None) -> Iterator[list[str]]:
        for start in range(0, len(self._texts), _TEXTS_PER_BATCH):
            batch = self._texts[start : start + _TEXTS_PER_BATCH]
            if on_bytes is not None:
                on_bytes(sum(len(text.encode()) for text in batch))
            yield batch

    def documents(self) -> Iterator[Document]:
        labels: Sequence[str | None] = self._labels or [None] * len(self._texts)
        for row, (text, label) in enumerate(zip(self._texts, labels), 1):
            yield Document(f"{self._name}:{row}", text, label)


def _numbered(name: str, batches: Iterable[list[str]]) -> Iterator[list[Document]]:
    number = 0
    for batch in batches:
        yield [Document(f"{name}:{at}", line) for at, line in enumerate(batch, number + 1)]
        number += len(batch)


def _told_if_wrapped(name: str, batches: Iterable[list[str]]) -> Iterator[list[str]]:
    for number, batch in enumerate(batches):
        if number == 0 and are_wrapped(batch):
            logger.warning(
                "%s seems to be wrapped at a fixed width: its lines end within sentences, and each "
                "is a document. Take its paragraphs instead (unit='paragraph', --unit paragraph).",
                name,
            )
        yield batch


def _as_list(values: Any, what: str) -> list[Any]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise InvalidInputError(f"{what} must be a list or another iterable. Got {values!r}.")
    return list(values)


def _checked_texts(texts: Iterable[str], name: str) -> list[str]:
    checked = _as_list(texts, name)
    for row, text in enumerate(checked):
        if not isinstance(text, str):
            raise InvalidInputError(
                f"Row {row + 1} of {name} ({name}[{row}]) must be a string. Got {text!r}. "
                "Drop rows without a text, or make them ''."
            )
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise InvalidInputError(
                f"Row {row + 1} of {name} ({name}[{row}]) holds the lone surrogate "
                f"\\u{ord(text[error.start]):04x} at character {error.start}, half of a character."
            ) from error
    return checked


def _checked_labels(labels: Iterable[object], name: str) -> list[str]:
    checked = _as_list(labels, f"labels of {name}")
    for row, label in enumerate(checked):
        if not isinstance(label, (str, Integral)):
            raise InvalidInputError(
                f"Label {row + 1} of {name} (labels[{row}]) must be a string or an integer. "
                f"Got {label!r}."
            )
    return [str(label) for label in checked]
