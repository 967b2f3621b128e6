"""What ``nlpfeat diagnose`` does with its options."""

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
import typer

from nlpfeat import __version__
from nlpfeat._names import lookup
from nlpfeat._optional import missing_dependency
from nlpfeat.cli.commands.diagnose import ClaimOptions, Diagnose, ModelOptions
from nlpfeat.cli.console import usage
from nlpfeat.cli.options import FileOptions
from nlpfeat.cli.output import check_files, make_and_write, output_ending, write_table
from nlpfeat.cli.parsing import check_seed, option_names, refuse_given
from nlpfeat.cli.progress import Report
from nlpfeat.cli.sources import check_jobs
from nlpfeat.errors import InvalidParameterError, MissingDependencyError
from nlpfeat.io.tables import Column, Table, TextColumn

if TYPE_CHECKING:
    from nlpfeat.attention.diagnostics import Check, Diagnostic

logger = logging.getLogger(__name__)

#: Numbers that the catalog leaves out, and where the documentation shows what they ask.
_OF_CORPORA = {
    "d8": "d8 (substitutability against synonymy) is about corpora, not about attention: see "
    "docs/vectors.md",
    "d11": "d11 (dependency against distance) is about corpora, not about attention: see "
    "docs/pmi.md",
}


def diagnose(options: Diagnose) -> None:
    """Measure and write; exit with 1 when a claim does not hold."""
    output_ending(options)
    check_files(options)
    check_seed(options)
    check_jobs(options.jobs)
    diagnostics = _catalog()
    if options.model is None:
        if options.corpus:
            raise typer.BadParameter(
                "--corpus has the texts that a model is measured on: name a saved "
                "AttentionClassifier with --model. Without one the claims are measured, on "
                "attentions drawn anew, which read no texts."
            )
        names = option_names(ModelOptions, FileOptions)
        refuse_given(options, names, "--model, which names what to measure on texts")
        _diagnose_claims(options, _chosen(diagnostics, options.only))
    else:
        from nlpfeat.cli.work.diagnose_model import diagnose_model

        refuse_given(options, option_names(ClaimOptions), "the claims, not of --model")
        diagnose_model(options)


def _diagnose_claims(options: Diagnose, chosen: Mapping[str, "Diagnostic"]) -> None:
    failed = 0

    def make(report: Report) -> Table:
        nonlocal failed
        rows: list[tuple[str, Diagnostic, Check]] = []
        for done, (name, diagnostic) in enumerate(chosen.items()):
            report("measuring", done, len(chosen))
            rows += [(name, diagnostic, check) for check in diagnostic.measure(options.seed)]
        failed = sum(not check.holds for *_, check in rows)
        logger.info("%s of %s claims hold", f"{len(rows) - failed:,}", f"{len(rows):,}")
        return _table(rows, options.seed)

    def write(table: Table, stream: BinaryIO, report: Report) -> None:
        write_table(options, table, table.metadata, stream, report)

    make_and_write(options, make, write)
    if failed:
        logger.error("nlpfeat: %s of the claims do not hold, see the last column.", failed)
        raise SystemExit(1)


def _catalog() -> Mapping[str, "Diagnostic"]:
    try:
        from nlpfeat.attention.diagnostics import DIAGNOSTICS
    except MissingDependencyError as error:
        raise missing_dependency("torch", "attention", "nlpfeat diagnose") from error
    return DIAGNOSTICS


def _chosen(diagnostics: Mapping[str, "Diagnostic"], only: str | None) -> dict[str, "Diagnostic"]:
    """Return the diagnostics that --only names, in the order of the catalog."""
    if only is None:
        return dict(diagnostics)
    spelled = {name.replace("_", "-"): name for name in diagnostics}
    spelled |= {diagnostic.number: name for name, diagnostic in diagnostics.items()}
    with usage("--only"):
        wanted = {_named(spelled, part.strip().lower()) for part in only.split(",")}
    return {name: diagnostic for name, diagnostic in diagnostics.items() if name in wanted}


def _named(spelled: Mapping[str, str], part: str) -> str:
    if part in _OF_CORPORA:
        known = ", ".join(name for name in spelled if name[1:].isdecimal())
        raise InvalidParameterError(f"{_OF_CORPORA[part]}. Diagnostics of attention are {known}.")
    return lookup(spelled, part, "only")


def _table(rows: Sequence[tuple[str, "Diagnostic", "Check"]], seed: int) -> Table:
    columns: dict[str, Column] = {
        "diagnostic": texts_column([diagnostic.number for _, diagnostic, _ in rows]),
        "name": texts_column([name.replace("_", "-") for name, *_ in rows]),
        "claim": texts_column([diagnostic.claim for _, diagnostic, _ in rows]),
        "setting": texts_column([check.setting for *_, check in rows]),
        "expected": texts_column([check.wanted for *_, check in rows]),
        "measured": np.array([rounded(check.measured) for *_, check in rows]),
        "holds": texts_column(["yes" if check.holds else "no" for *_, check in rows]),
    }
    return Table(columns, {"made_with": f"nlpfeat {__version__}", "seed": str(seed)})


def rounded(number: float) -> float:
    """Return six digits of a number: whatever lies below is noise of the processor."""
    return float(f"{number:.6g}")


def texts_column(cells: list[str]) -> TextColumn:
    """Return a column with each distinct text once."""
    return TextColumn(np.arange(len(cells), dtype=np.int32), cells).compacted()
