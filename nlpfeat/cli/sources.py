"""The corpus and the segmenter that the options ask for."""

import logging
from collections.abc import Sequence

import typer

from nlpfeat._names import lookup
from nlpfeat._validation import check_int
from nlpfeat.cli.console import usage
from nlpfeat.datasets import DATASETS, load_dataset
from nlpfeat.io.encodings import DECODE_ERRORS, check_encoding
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.text.corpus import UNITS, Corpus
from nlpfeat.text.segmenters import JiebaSegmenter, Segmenter, as_segmenter
from nlpfeat.text.segmenters.jieba import ENGINES

logger = logging.getLogger(__name__)

_DATASET = "dataset:"


def open_corpus(
    paths: Sequence[str], unit: str, text_column: str | None, encoding: str | None,
    decode_errors: str, *, keep_blank: bool = False,
) -> Corpus:  # fmt: skip
    """Return the corpus of files, or a dataset by name; nothing is read from files yet.

    Raises
    ------
    typer.BadParameter
        For what cannot be, whatever the files hold.
    """
    given = {"--unit": unit != "line", "--text-column": text_column is not None,
             "--encoding": encoding is not None,
             "--decode-errors": decode_errors != "strict"}  # fmt: skip
    named = [path for path in paths if path.startswith(_DATASET)]
    if named:
        if len(paths) > 1:
            raise typer.BadParameter(f"{named[0]} must stand alone.", param_hint="CORPUS")
        _refuse(given, "files, not of a dataset")
        name = named[0].removeprefix(_DATASET)
        with usage("CORPUS"):
            lookup(DATASETS, name, "dataset")
        return load_dataset(name)
    column = _name_or_number(text_column)
    with usage("--unit"):
        lookup(UNITS, unit, "unit")
    with usage("--decode-errors"):
        lookup(DECODE_ERRORS, decode_errors, "decode_errors")
    with usage("--encoding"):
        check_encoding("utf-8" if encoding is None else encoding)
    return Corpus(
        *paths, unit=unit, text_column=column, encoding=encoding, decode_errors=decode_errors,
        keep_blank=keep_blank,
    )  # fmt: skip


def _name_or_number(column: str | None) -> str | int | None:
    if column is None or not column.isdecimal():
        return column
    with usage("--text-column"):
        return check_int(int(column), "the number of a column", minimum=1)


def make_segmenter(
    name: str, engine: str, hmm: bool, user_dict: str | None, user_words: Sequence[str] | None
) -> Segmenter:
    """Return the segmenter, with its user dictionary read.

    Raises
    ------
    typer.BadParameter
        For an unknown name, and for an option of jieba with another segmenter.
    """
    if "" in (user_words or ()):
        raise typer.BadParameter("a word must not be empty.", param_hint="--user-word")
    if name == "jieba":
        with usage("--engine"):
            lookup(ENGINES, engine, "engine")
        jieba = JiebaSegmenter(
            engine=engine, hmm=hmm, user_dict=user_dict, user_words=tuple(user_words or ())
        )
        # Reads the dictionary: what is wrong with it is said before a long text is cut.
        logger.debug("%d entries can never match", len(jieba.unmatchable_entries))
        return jieba
    with usage("--segmenter"):
        segmenter = as_segmenter(name)
    given = {"--engine": engine != "rust", "--no-hmm": not hmm, "--user-dict": bool(user_dict),
             "--user-word": bool(user_words)}  # fmt: skip
    _refuse(given, f"--segmenter jieba, not of {name}")
    return segmenter


def check_jobs(jobs: int) -> int:
    """Return the number of processes.

    Raises
    ------
    typer.BadParameter
        For 0.
    """
    with usage("--jobs"):
        return resolve_n_jobs(jobs)


def _refuse(given: dict[str, bool], owner: str) -> None:
    for option, is_given in given.items():
        if is_given:
            raise typer.BadParameter(f"{option} is an option of {owner}.")
