"""What ``nlpfeat claims`` does with its options, before anything is measured."""

import os
from pathlib import Path

import typer

from nlpfeat.cli.commands.claims import Claims
from nlpfeat.cli.output import check_writable
from nlpfeat.cli.sources import check_jobs
from nlpfeat.cli.work.measured_claims import list_claims, measure_claims, record_claims
from nlpfeat.rendering import check_chart_packages

_SEED_DIGITS = 9


def claims(options: Claims) -> None:
    """List what is recorded, or measure; exit with 1 when a figure does not repeat."""
    check_jobs(options.jobs)
    seeds = _seeds(options)
    _check_files(options)
    if options.record is not None:
        record_claims(options)
    elif options.names:
        measure_claims(options, seeds)
    else:
        list_claims(options)


def _seeds(options: Claims) -> list[int] | None:
    """Return the seeds that are asked for."""
    if options.seeds is None:
        return None
    if options.record is not None or not options.names:
        raise typer.BadParameter(
            "--seeds is an option of claims that are measured by name, without --record."
        )
    parts = [part.strip() for part in options.seeds.split(",")]
    if not all(part.isascii() and part.isdecimal() and len(part) <= _SEED_DIGITS for part in parts):
        raise typer.BadParameter(
            f"seeds must be whole numbers from 0 to {10**_SEED_DIGITS - 1}, such as 0,1,2. "
            f"Got {options.seeds[:50]!r}.",
            param_hint="--seeds",
        )
    return list(dict.fromkeys(map(int, parts)))


def _check_files(options: Claims) -> None:
    """Raise for files that cannot be written, before anything is measured."""
    if options.json and options.record is not None:
        raise typer.BadParameter("--json tells what is measured; --record keeps it. Take one.")
    if options.record in ("-", ""):
        raise typer.BadParameter("records are written to a file only. Give its name.",
                                 param_hint="--record")  # fmt: skip
    if options.json and options.page is not None:
        raise typer.BadParameter("--json tells what is listed; --page writes it. Take one.")
    if options.page is not None:
        if not options.page.endswith(".md"):
            raise typer.BadParameter(f"{options.page!r} must end in .md.", param_hint="--page")
        if options.names and options.record is None:
            raise typer.BadParameter(
                "--page is made of records: name claims with --record, or name none."
            )
        check_writable(options.page)
        check_chart_packages("writing --page")
    if options.record is not None:
        check_writable(options.record)
        if options.page is not None and _is_same(options.record, options.page):
            raise typer.BadParameter("--record and --page are the same file. Give each a name.")


def _is_same(first: str, second: str) -> bool:
    return os.path.realpath(Path(first)) == os.path.realpath(Path(second))
