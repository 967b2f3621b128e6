"""The corpus and the segmenter that the options ask for."""

import logging
import os
import re
from collections.abc import Sequence
from typing import Any

import typer

from nlpfeat._names import lookup
from nlpfeat._validation import check_int
from nlpfeat.cli.console import usage
from nlpfeat.cli.options import CuttingOptions, FileOptions, ReadingOptions, TermOptions
from nlpfeat.cli.parsing import flag, refuse_given
from nlpfeat.datasets import DATASETS, load_dataset
from nlpfeat.errors import InvalidInputError
from nlpfeat.io.encodings import DECODE_ERRORS, check_encoding
from nlpfeat.io.files import find_text_files
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.text.corpus import UNITS, Corpus
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import JiebaSegmenter, Segmenter, as_segmenter
from nlpfeat.text.segmenters.jieba import ENGINES
from nlpfeat.text.token_spool import TextSettings
from nlpfeat.text.word_lists import read_words

logger = logging.getLogger(__name__)

_DATASET = "dataset:"
_COLUMNS = ("text_column", "label_column", "id_column")
_OF_FILES = ("unit", "encoding", "decode_errors")
_OF_JIEBA = ("engine", "hmm", "user_dict", "user_word", "user_words")
_JOBS_A_PROCESSOR = 4
#: A line of a dictionary for jieba: word, frequency, part of speech.
_ENTRY = re.compile(r"\S+\s+\d+(\s+[a-zA-Z]+)?")


def open_corpus(
    paths: Sequence[str],
    options: FileOptions,
    *,
    keep_blank: bool = False,
    written: Sequence[str] = ("output",),
) -> Corpus:
    """Return the corpus of files, or a dataset by name; nothing is read from files yet.

    Files that the options name to be ``written`` are left out where a folder or a pattern holds
    them: a command that is run again reads what it read before.

    Raises
    ------
    InvalidInputError
        For a file that is not there, and where none is left.
    typer.BadParameter
        For what cannot be, whatever the files hold.
    """
    columns = named_columns(options)
    named = [path for path in paths if path.startswith(_DATASET)]
    if named:
        if len(paths) > 1:
            raise typer.BadParameter(f"{named[0]} must stand alone.", param_hint="CORPUS")
        refuse_given(options, tuple(columns) + _OF_FILES, "files, not of a dataset")
        name = named[0].removeprefix(_DATASET)
        with usage("CORPUS"):
            lookup(DATASETS, name, "dataset")
        return load_dataset(name)
    with usage("--unit"):
        lookup(UNITS, options.unit, "unit")
    outputs = [getattr(options, name) for name in written]
    files = _without(find_text_files(paths), [path for path in outputs if path is not None])
    return Corpus(*files, unit=options.unit, keep_blank=keep_blank, **decoding(options), **columns)


def _without(files: Sequence[str], outputs: Sequence[str]) -> list[str]:
    there = [path for path in outputs if os.path.isfile(path)]
    left = []
    for file in files:
        if os.path.isfile(file) and any(os.path.samefile(file, path) for path in there):
            logger.info("%s: not read, as it is to be written", file)
        else:
            left.append(file)
    if not left:
        raise InvalidInputError(f"There is no text to read but {files[0]}, which is to be written.")
    return left


def decoding(options: ReadingOptions) -> dict[str, Any]:
    """Return how bytes become text.

    Raises
    ------
    typer.BadParameter
        For an unknown encoding, and for another way with errors.
    """
    with usage("--decode-errors"):
        lookup(DECODE_ERRORS, options.decode_errors, "decode_errors")
    with usage("--encoding"):
        check_encoding("utf-8" if options.encoding is None else options.encoding)
    return {"encoding": options.encoding, "decode_errors": options.decode_errors}


def named_columns(options: ReadingOptions) -> dict[str, Any]:
    """Return the columns of a table, by name or number, of which the command has options.

    Raises
    ------
    typer.BadParameter
        For a number below 1.
    """
    names = [name for name in _COLUMNS if hasattr(options, name)]
    return {name: _name_or_number(name, getattr(options, name)) for name in names}


def _name_or_number(name: str, column: str | None) -> str | int | None:
    if column is None or not column.isdecimal():
        return column
    with usage(flag(name)):
        return check_int(int(column), "the number of a column", minimum=1)


def make_segmenter(options: CuttingOptions) -> Segmenter:
    """Return the segmenter, with its user dictionary read.

    Raises
    ------
    typer.BadParameter
        For an unknown name, and for an option of jieba with another segmenter.
    """
    if "" in (options.user_word or ()):
        raise typer.BadParameter("a word must not be empty.", param_hint="--user-word")
    if options.segmenter == "jieba":
        with usage("--engine"):
            lookup(ENGINES, options.engine, "engine")
        jieba = JiebaSegmenter(
            engine=options.engine, hmm=options.hmm, user_dict=options.user_dict,
            user_words=_user_words(options),
        )  # fmt: skip
        # Reads the dictionary: what is wrong with it is said before a long text is cut.
        logger.debug("%d entries can never match", len(jieba.unmatchable_entries))
        return jieba
    with usage("--segmenter"):
        segmenter = as_segmenter(options.segmenter)
    refuse_given(options, _OF_JIEBA, f"--segmenter jieba, not of {options.segmenter}")
    return segmenter


def _user_words(options: CuttingOptions) -> tuple[str, ...]:
    from_file = [] if options.user_words is None else read_words(options.user_words)
    entries = [word for word in from_file if _ENTRY.fullmatch(word)]
    if 2 * len(entries) > len(from_file):
        logger.warning(
            "%s looks like a dictionary in the format of jieba, as %r: --user-dict reads those.",
            options.user_words, entries[0],
        )  # fmt: skip
    return (*(options.user_word or ()), *from_file)


def text_settings(options: TermOptions) -> TextSettings:
    """Return how text becomes terms."""
    normalization = Normalization(options.fold_width, options.lowercase)
    return TextSettings(normalization, options.keep_punctuation, options.stop_words)


def reading_parameters(options: TermOptions, segmenter: Segmenter, n_jobs: int) -> dict[str, Any]:
    """Return the parameters that every estimator of documents has."""
    names = ("stop_words", "lowercase", "fold_width", "keep_punctuation")
    given = {name: getattr(options, name) for name in names}
    return {"segmenter": segmenter, "n_jobs": n_jobs, **given}


def check_jobs(jobs: int) -> int:
    """Return the number of processes, at most four for each processor.

    More would only take memory; so that a command line runs on a smaller machine too, that is
    said and mended.

    Raises
    ------
    typer.BadParameter
        For 0.
    """
    with usage("--jobs"):
        n_jobs = resolve_n_jobs(jobs)
    most = _JOBS_A_PROCESSOR * (os.cpu_count() or 1)
    if n_jobs > most:
        logger.warning(
            "--jobs %d is lowered to %d, %d for each processor; more do not make it faster.",
            n_jobs, most, _JOBS_A_PROCESSOR,
        )  # fmt: skip
    return min(n_jobs, most)
