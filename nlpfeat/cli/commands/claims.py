"""``nlpfeat claims``: what a tutorial on attention claims, and what was measured of it."""

from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import typer

from nlpfeat.cli.options import CommonOptions


@dataclass(frozen=True, kw_only=True)
class Claims(CommonOptions):
    """List what a tutorial on attention claims, with verdicts; or measure a claim again.

    Without a name the recorded verdicts are listed. With names, each claim is measured, and its
    figures stand beside the recorded ones. The exit status is 1 when a figure that is the same
    each time is another one.
    """

    examples: ClassVar[tuple[str, ...]] = (
        "claims degrees-of-freedom",
        "claims three-and-five --seeds 0,1,2,3,4 --json",
        "claims --record claims.json --page claims.md",
    )

    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME", show_default=False,
            help="Claims to measure, such as convex-hull; the list has their names.",
        ),
    ] = field(default_factory=list)  # fmt: skip
    seeds: Annotated[
        str | None,
        typer.Option(
            metavar="N,N", show_default="0,1,2; with --record those of the records",
            help="Seeds of the figures that are drawn.",
        ),
    ] = None  # fmt: skip
    json: Annotated[bool, typer.Option("--json", help="Write JSON.", show_default="off")] = False
    record: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", show_default="none",
            help="Measure with the seeds of the records, the named claims or all, and keep their "
            "figures there; other claims of the file stay.",
        ),
    ] = None  # fmt: skip
    page: Annotated[
        str | None,
        typer.Option(
            metavar="FILE.md", show_default="none",
            help="Write the page of all recorded claims, of --record where that is given, and its "
            "picture in a folder \"pictures\" beside it. It links to other pages of docs/.",
        ),
    ] = None  # fmt: skip

    def run(self) -> None:
        """List, or measure and tell."""
        from nlpfeat.cli.work.claims import claims

        claims(self)
