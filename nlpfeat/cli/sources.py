"""The corpus and the segmenter that the options ask for."""

from collections.abc import Sequence

import typer

from nlpfeat._names import lookup
from nlpfeat.cli.console import usage
from nlpfeat.datasets import load_dataset
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.segmenters import JiebaSegmenter, Segmenter, as_segmenter
from nlpfeat.text.segmenters.jieba import ENGINES

_DATASET = "dataset:"


def open_corpus(
    paths: Sequence[str], unit: str, text_column: str | None, encoding: str | None,
    decode_errors: str,
) -> Corpus:  # fmt: skip
    """Return the corpus of files, or a dataset by name."""
    named = [path for path in paths if path.startswith(_DATASET)]
    if not named:
        return Corpus(
            *paths,
            unit=unit,
            text_column=_name_or_number(text_column),
            encoding=encoding,
            decode_errors=decode_errors,
        )
    if len(paths) > 1:
        raise typer.BadParameter(f"{named[0]} must stand alone.", param_hint="CORPUS")
    with usage():
        return load_dataset(named[0].removeprefix(_DATASET))


def _name_or_number(column: str | None) -> str | int | None:
    return int(column) if column and column.isdecimal() else column


def make_segmenter(
    name: str, engine: str, hmm: bool, user_dict: str | None, user_words: Sequence[str] | None
) -> Segmenter:
    """Return the segmenter; options of jieba with another one are a usage error."""
    with usage():
        if name == "jieba":
            lookup(ENGINES, engine, "engine")
            return JiebaSegmenter(
                engine=engine, hmm=hmm, user_dict=user_dict, user_words=list(user_words or ())
            )
        segmenter = as_segmenter(name)
    given = {"--engine": engine != "rust", "--no-hmm": not hmm, "--user-dict": bool(user_dict),
             "--user-word": bool(user_words)}  # fmt: skip
    for option, is_given in given.items():
        if is_given:
            raise typer.BadParameter(f"{option} is an option of --segmenter jieba.")
    return segmenter
