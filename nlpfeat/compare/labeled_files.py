"""Labeled documents in files: tables, a folder for each class, and fastText's lines."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.io.files import ending
from nlpfeat.io.records import TABLE_ENDINGS
from nlpfeat.text.corpus import Corpus

logger = logging.getLogger(__name__)

LABEL = "__label__"
"""What a label begins with in files of fastText."""


def open_labeled(
    path: str | os.PathLike[str],
    *,
    text_column: str | int | None = None,
    label_column: str | int | None = None,
    encoding: str | None = None,
    decode_errors: str = "strict",
) -> Corpus:
    r"""Return the labeled documents of a file or folder.

    Parameters
    ----------
    path : path
        A table (.tsv, .csv, .jsonl, .ndjson); a folder with a folder for each class, in which each
        file is a document; or lines that begin with ``__label__`` and the class, as fastText has
        them. Files may be compressed.
    text_column, label_column : str or int, default None
        Columns of a table, found out where they are not given; see `Corpus`.
    encoding : str, default None
        Found out where it is not given.
    decode_errors : {"strict", "replace"}, default "strict"

    Returns
    -------
    Corpus

    Raises
    ------
    InvalidInputError
        For a file that is none of these, a line without a label or with several, and a folder with
        files beside the folders of its classes.
    InvalidParameterError
        For columns of what is no table.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "reviews.txt")
    ...     _ = file.write_text("__label__好评 房间 很 好\n__label__差评 太 脏\n", "utf-8")
    ...     open_labeled(file).labels()
    ['好评', '差评']
    """
    name = os.fspath(path)
    reading = {"encoding": encoding, "decode_errors": decode_errors}
    if ending(name) in TABLE_ENDINGS:
        return Corpus(name, text_column=text_column, label_column=label_column, **reading)  # type: ignore[arg-type]
    if text_column is not None or label_column is not None:
        raise InvalidParameterError(
            f"text_column and label_column must be left out: {name!r} is no table. The name of a "
            f"table ends in {', '.join(TABLE_ENDINGS)}."
        )
    if os.path.isdir(name):
        return _of_folder(Path(name), reading)
    return _of_lines(name, reading)


def _of_folder(folder: Path, reading: dict[str, str | None]) -> Corpus:
    entries = sorted(each for each in folder.iterdir() if not each.name.startswith("."))
    classes = [each for each in entries if each.is_dir()]
    files = [each for each in entries if not each.is_dir()]
    if not classes or files:
        got = f"the file {files[0].name!r} beside them" if files and classes else "none"
        raise InvalidInputError(
            f"{str(folder)!r} must hold a folder for each class, with a file for each document, "
            f"and nothing else. Got {got}."
        )
    texts: list[str] = []
    labels: list[str] = []
    for each in classes:
        found = list(Corpus(each, unit="file", **reading))  # type: ignore[arg-type]
        texts += found
        labels += [_shown(each.name)] * len(found)
    return Corpus.from_texts(texts, labels, name=_shown(folder.name))


def _of_lines(name: str, reading: dict[str, str | None]) -> Corpus:
    texts: list[str] = []
    labels: list[str] = []
    for label, text in _labeled_lines(name, Corpus(name, **reading)):  # type: ignore[arg-type]
        labels.append(label)
        texts.append(text)
    logger.info(
        "%s: lines of fastText; where words are parted by blanks, the segmenter whitespace takes "
        "them as they are", name,
    )  # fmt: skip
    return Corpus.from_texts(texts, labels, name=_shown(os.path.basename(name)))


def _labeled_lines(name: str, lines: Corpus) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if not words:
            continue
        label = words[0].removeprefix(LABEL)
        if label == words[0] or not label:
            raise InvalidInputError(
                f"{name}: line {number} must begin with {LABEL} and the class, as in fastText. "
                f"Got {line[:30]!r}. Other labeled documents are tables "
                f"({', '.join(TABLE_ENDINGS)}) or a folder for each class."
            )
        if len(words) > 1 and words[1].startswith(LABEL):
            raise InvalidInputError(
                f"{name}: line {number} must have one label. Got {' '.join(words[:2])}: a document "
                "of several classes cannot be compared on."
            )
        yield label, line.split(words[0], 1)[1].strip()


def _shown(name: str) -> str:
    """Return a file name as text; it may hold bytes that are none."""
    return name.encode("utf-8", "backslashreplace").decode()
