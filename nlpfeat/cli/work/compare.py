"""What ``nlpfeat compare`` does with its options."""

import logging
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import BinaryIO

import typer

from nlpfeat.cli.commands.compare import (
    Compare,
    LabeledOptions,
    ModelChoiceOptions,
    ProtocolOptions,
)
from nlpfeat.cli.console import usage
from nlpfeat.cli.options import LabelOptions, ReadingOptions
from nlpfeat.cli.output import check_files, check_writable, make_and_write
from nlpfeat.cli.parsing import flag, option_names, refuse_given
from nlpfeat.cli.progress import Report, can_be_shown
from nlpfeat.cli.sources import check_jobs, decoding, named_columns
from nlpfeat.compare.comparison import compare_models
from nlpfeat.compare.labeled_files import open_labeled
from nlpfeat.compare.models import ComparedModel, chosen_models
from nlpfeat.compare.phenomenon_scores import chosen_phenomena
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.report import ComparisonReport, report_ending
from nlpfeat.compare.text_table import one_line
from nlpfeat.datasets import load_dataset
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.io.atomic import atomic_output
from nlpfeat.text.corpus import Corpus

logger = logging.getLogger(__name__)

_DATASET = "dataset:"
_OF_FILES = option_names(ReadingOptions, LabelOptions)
_NOT_TYPED = ("output", "figures", "cache", "jobs", "quiet", "debug", "corpus")
"""Options that change nothing in a report."""


def compare(options: Compare) -> None:
    """Compare, or read a report, and write it."""
    ending = _output_ending(options)
    check_files(options)
    if ending == ".html":
        _check_page(options)
    _check_figures(options)
    check_jobs(options.jobs)
    if options.from_report is not None:
        groups = option_names(LabeledOptions, ModelChoiceOptions, ProtocolOptions)
        refuse_given(options, groups, "a comparison that is run, not of --from")
        given = _read(options.from_report)
        shown = given if options.documents else given.without_documents()
        _write(options, lambda _: shown, ending)
        return
    if len(options.corpus) != 1:
        raise typer.BadParameter(
            f"name one file or folder of labeled documents. Got {len(options.corpus)}.",
            param_hint="FILE",
        )
    models, protocol, phenomena = _models(options), _protocol(options), _phenomena(options)
    corpus = _open(options.corpus[0], options)
    test = None if options.test is None else _open(options.test, options)

    def make(report: Report) -> ComparisonReport:
        with _end_told(options.cache):
            return compare_models(
                models, corpus, protocol, test=test, cache=options.cache,
                n_jobs=check_jobs(options.jobs), on_progress=report,
                on_run=None if can_be_shown() else _tell_run, phenomena=phenomena,
                keep_documents=options.documents, command=_command(options),
            )  # fmt: skip

    _write(options, make, ending)


@contextmanager
def _end_told(cache: str | None) -> Iterator[None]:
    """Say at Ctrl-C what is left of the work."""
    try:
        yield
    except KeyboardInterrupt:
        if cache is None:
            logger.warning("Broken off: nothing is kept. --cache FOLDER keeps finished runs.")
        else:
            logger.warning(
                "Broken off: %s keeps the finished runs; the same command goes on.", cache
            )
        raise


def _tell_run(title: str, n_done: int, n_runs: int) -> None:
    """Tell of a run in a log, where no bar can be shown."""
    logger.info("%s/%s: %s", f"{n_done:,}", f"{n_runs:,}", title)


def _write(
    options: Compare, find: Callable[[Report], ComparisonReport], ending: str | None
) -> None:
    """Find a report and write it; with a page, the files beside it, too."""

    def make(progress: Report) -> ComparisonReport:
        found = find(progress)
        if ending is not None:
            for line in found.verdict:
                logger.info("%s", one_line(line))
        return found

    def write(found: ComparisonReport, stream: BinaryIO, progress: Report) -> None:  # noqa: ARG001
        text = found.summary() if ending is None else found.rendered(ending)
        stream.write(text.encode())
        if options.figures is not None:
            from nlpfeat.compare.rendering import save_figures

            save_figures(found.findings, options.figures)
        for path in _beside(options) if ending == ".html" else ():
            with atomic_output(path) as file:
                file.write(found.rendered(path.suffix).encode())

    make_and_write(options, make, write)
    if ending == ".html":
        logger.info("Written: %s", ", ".join(map(str, (options.output, *_beside(options)))))


def _output_ending(options: Compare) -> str | None:
    """Return the ending of the output; None for the summary on standard output."""
    if options.output in (None, "-"):
        return None
    with usage("--output"):
        return report_ending(str(options.output))


def _check_page(options: Compare) -> None:
    """Raise what writing a page and the files beside it would raise, before the work."""
    from nlpfeat.rendering import check_page_packages

    check_page_packages("an HTML report")
    check_writable(str(options.output))
    for path in _beside(options):
        _check_is_no_input(path, options)
        _check_is_earlier_report(path, options)
        check_writable(str(path))


def _beside(options: Compare) -> list[Path]:
    """Return the files that are written beside a page; the report it is made of stays as it is."""
    page = Path(str(options.output))
    paths = [page.with_suffix(".json"), page.with_suffix(".md")]
    return [path for path in paths if not _is_same(path, options.from_report)]


def _check_is_no_input(path: Path, options: Compare) -> None:
    for source in (*options.corpus, options.test):
        if _is_same(path, source):
            raise typer.BadParameter(
                f"{path}, which is written beside the page, would replace {source}, which is to be "
                "read. Choose another name.",
                param_hint="--output",
            )


def _check_is_earlier_report(path: Path, options: Compare) -> None:
    if path.exists() and not Path(str(options.output)).exists():
        raise typer.BadParameter(
            f"{path}, which is written beside the page, is there already and of no earlier report: "
            f"there is no {options.output}. Choose another name, or move {path} away.",
            param_hint="--output",
        )


def _is_same(path: Path, source: str | None) -> bool:
    if source is None or not path.is_file() or not os.path.isfile(source):
        return False
    return path.samefile(source)


def _check_figures(options: Compare) -> None:
    """Raise what writing the figures would raise, before the work."""
    if options.figures is None:
        return
    from nlpfeat.rendering import check_chart_packages

    check_chart_packages("the figures of a report")
    folder = Path(options.figures)
    there = next(path for path in (folder, *folder.absolute().parents) if os.path.lexists(path))
    if not there.is_dir():
        raise typer.BadParameter(f"{str(there)!r} is a file.", param_hint="--figures")
    check_writable(str(there / "figure.svg"))


def _read(path: str) -> ComparisonReport:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InvalidInputError(f"cannot read {path!r}: {error.strerror}.") from error
    return ComparisonReport.from_json(data)


def _open(path: str, options: Compare) -> Corpus:
    if path.startswith(_DATASET):
        refuse_given(options, _OF_FILES, "files, not of a dataset")
        with usage("FILE"):
            return load_dataset(path.removeprefix(_DATASET))
    if not os.path.exists(path):
        raise InvalidInputError(f"{path!r} does not exist. Give a file or a folder.")
    with usage():
        return open_labeled(path, **named_columns(options), **decoding(options))


def _models(options: Compare) -> list[ComparedModel]:
    if options.models is None:
        with usage("--suite"):
            return chosen_models(options.suite)
    refuse_given(options, ("suite",), "ready sets: --models names single models")
    with usage("--models"):
        return chosen_models([name.strip() for name in options.models.split(",")])


def _phenomena(options: Compare) -> list[str]:
    if options.phenomena is None:
        return []
    names = [name.strip() for name in options.phenomena.split(",")]
    with usage("--phenomena"):
        return chosen_phenomena("all" if names == ["all"] else names)


def _protocol(options: Compare) -> Protocol:
    if options.test is not None and options.folds is not None:
        raise typer.BadParameter("--folds tests on the documents of FILE: leave out --test.")
    split = "given" if options.test is not None else "holdout" if options.folds is None else "folds"
    with usage():
        return Protocol(
            split=split,
            n_folds=Protocol.n_folds if options.folds is None else options.folds,
            seeds=_numbers("seeds", options.seeds),
            n_trials=options.trials,
            train_sizes=() if options.sizes is None else _numbers("sizes", options.sizes),
            n_explained=options.explained,
            time_budget=options.time_budget,
            segmenter=options.segmenter,
        )


def _numbers(name: str, text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() for part in parts):
        raise InvalidParameterError(
            f"{flag(name)} must be whole numbers with commas between them, such as 1,2,3. "
            f"Got {text!r}."
        )
    return [int(part) for part in parts]


def _command(options: Compare) -> str:
    """Return the command with the options that are not at their defaults."""
    words = ["nlpfeat", "compare", *options.corpus]
    for each in fields(options):
        value = getattr(options, each.name)
        if each.name in _NOT_TYPED or value == each.default:
            continue
        words.append(flag(each.name, value))
        if not isinstance(value, bool):
            words.append(str(value))
    return shlex.join(words)
