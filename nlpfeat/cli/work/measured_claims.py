"""What ``nlpfeat claims`` lists, measures and keeps."""

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from nlpfeat._names import lookup
from nlpfeat.claims import CLAIMS
from nlpfeat.claims.claim import Claim, Judgement
from nlpfeat.claims.figures import Figure
from nlpfeat.claims.kept import Kept, changed, judged, kept, measured_record
from nlpfeat.claims.machine import machine
from nlpfeat.claims.numbers import ends, shown
from nlpfeat.claims.page import PICTURE, claims_page
from nlpfeat.claims.records import read_records, write_records
from nlpfeat.cli.commands.claims import Claims
from nlpfeat.cli.console import usage
from nlpfeat.cli.output import open_output
from nlpfeat.compare.text_table import table
from nlpfeat.io.atomic import atomic_output

logger = logging.getLogger(__name__)


def list_claims(options: Claims) -> None:
    """Write the recorded verdict of each claim; with --page write their page instead."""
    found = kept()
    if options.page is not None:
        _write_page(options.page, found)
        return
    judgements = {claim: found.judgement(claim) for claim in CLAIMS.values()}
    if options.json:
        _write_json([_plain(claim, each, {}, found) for claim, each in judgements.items()])
        return
    rows = [[claim.slug, each.verdict, claim.title] for claim, each in judgements.items()]
    widths = [max(len(row[place]) for row in rows) for place in range(2)]
    _write(f"{slug:<{widths[0]}}  {verdict:<{widths[1]}}  {title}" for slug, verdict, title in rows)


def measure_claims(options: Claims, seeds: Sequence[int] | None) -> None:
    """Measure claims by name, and write their figures beside the recorded ones."""
    found, chosen = kept(), _chosen(options.names)
    told: list[dict[str, Any]] = []
    differing: list[str] = []
    for claim in chosen:
        logger.info("measuring %s", claim.slug)
        with _without_epochs():
            figures = claim.measured(claim.quick_seeds if seeds is None else seeds)
        judgement = judged(claim, found.counts(claim) | figures)
        recorded = found.records[claim.slug].figures if claim.slug in found.records else {}
        differing += [f"{claim.slug}: {name}" for name in changed(figures, recorded)]
        if options.json:
            told.append(_plain(claim, judgement, figures, found))
        else:
            _write(_lines(claim, judgement, figures, found))
    if options.json:
        _write_json(told)
    if differing:
        logger.error("nlpfeat: not the recorded figures: %s.", "; ".join(differing))
        raise SystemExit(1)


def record_claims(options: Claims) -> None:
    """Measure claims with the seeds of the records, and keep each figure as soon as it is there."""
    path = Path(options.record or "")
    records = read_records(path) if path.is_file() else {}
    for claim in _chosen(options.names or list(CLAIMS)):
        logger.info("measuring %s", claim.slug)
        with _without_epochs():
            measured = {claim.slug: measured_record(claim, claim.seeds, machine())}
        # Another process may have written meanwhile; what is no claim of ours stays behind ours.
        records = (read_records(path) if path.is_file() else {}) | measured
        ours = [slug for slug in CLAIMS if slug in records]
        write_records(path, {slug: records[slug] for slug in dict.fromkeys((*ours, *records))})
    if options.page is not None:
        _write_page(options.page, replace(kept(), records=records))


@contextmanager
def _without_epochs() -> Iterator[None]:
    """Keep the lines of each epoch away, of which there are hundreds."""
    training = logging.getLogger("nlpfeat.classifiers")
    level = training.level
    training.setLevel(logging.WARNING)
    try:
        yield
    finally:
        training.setLevel(level)


def _chosen(names: Sequence[str]) -> list[Claim]:
    with usage("NAME"):
        return [lookup(CLAIMS, name, "name") for name in dict.fromkeys(names)]


def _lines(
    claim: Claim, judgement: Judgement, figures: Mapping[str, Figure], found: Kept
) -> list[str]:
    before, recorded = found.judgement(claim), found.figures(claim)
    told = "the same" if before == judgement else f"{before.verdict}. {before.sentence}"
    lines = [f"{claim.slug}: {judgement.verdict}", judgement.sentence]
    lines.append(f"recorded: {told}" if recorded else "not yet recorded")
    if claim.is_counted:
        lines.append("(counted from kept runs: what is measured here decides nothing)")
    if figures:
        rows = [["figure", "measured", "95 %", "recorded", "95 %", "unit"]]
        for name, figure in figures.items():
            earlier = recorded.get(name)
            kept_cells = ["–", "–"] if earlier is None else [shown(earlier.value), ends(earlier)]
            rows.append([name, shown(figure.value), ends(figure), *kept_cells, figure.unit])
        lines += ["", *table(rows)]
    return [*lines, ""]


def _plain(
    claim: Claim, judgement: Judgement, figures: Mapping[str, Figure], found: Kept
) -> dict[str, Any]:
    before = found.judgement(claim)
    plain: dict[str, Any] = {
        "name": claim.slug,
        "claim": claim.says,
        "verdict": judgement.verdict,
        "sentence": judgement.sentence,
        "recorded_verdict": before.verdict,
    }
    if figures:
        recorded = found.figures(claim)
        plain["figures"] = [
            _plain_figure(figure) | {"recorded": _plain_figure(recorded[name])}
            if name in recorded
            else _plain_figure(figure) | {"recorded": None}
            for name, figure in figures.items()
        ]
    return plain


def _plain_figure(figure: Figure) -> dict[str, Any]:
    low, high = figure.bounds or (None, None)
    return {
        "name": figure.name, "value": figure.value, "low": low, "high": high, "unit": figure.unit,
        "kind": figure.kind, "values": list(figure.values),
    }  # fmt: skip


def _write_page(path: str, found: Kept) -> None:
    if found.trainings:
        from nlpfeat.claims.trainability.picture import trained_chart
        from nlpfeat.rendering import chart_svg

        picture = Path(path).parent / PICTURE
        picture.parent.mkdir(exist_ok=True)
        with atomic_output(picture) as file:
            file.write(chart_svg(trained_chart(found.trainings)).encode())
    with atomic_output(path) as file:
        file.write(claims_page(found).encode())


def _write_json(value: list[dict[str, Any]]) -> None:
    _write([json.dumps(value, ensure_ascii=False, indent=1)])


def _write(lines: Iterable[str]) -> None:
    with open_output(None) as stream:
        stream.write("".join(f"{line}\n" for line in lines).encode())
