"""The figures of claims as they were measured once, on disk."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from nlpfeat.claims.figures import KINDS, Figure, by_name
from nlpfeat.errors import InvalidInputError
from nlpfeat.io.atomic import atomic_output

_DIGITS = 10


@dataclass(frozen=True)
class Record:
    """What was measured of one claim, when and with what.

    Parameters
    ----------
    figures : dict of str to Figure
    seeds : tuple of int
        Those of the figures that are drawn.
    date : str
        Year, month and day.
    machine : str
        In general words.
    versions : dict of str to str
    """

    figures: dict[str, Figure]
    seeds: tuple[int, ...]
    date: str
    machine: str
    versions: dict[str, str]


def read_records(path: Path) -> dict[str, Record]:
    """Return the records of a file by the slug of the claim.

    Parameters
    ----------
    path : Path

    Raises
    ------
    InvalidInputError
        When the file holds something else.
    """
    try:
        kept = json.loads(path.read_text("utf-8"))
        return {slug: _record(each) for slug, each in kept.items()}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InvalidInputError(
            f"{path} must hold records of claims as nlpfeat claims --record writes them "
            f"({error!r}). Give the name of another file, or of one that is not there yet."
        ) from error


def write_records(path: Path, records: Mapping[str, Record]) -> None:
    """Write records, in their order."""
    kept = {slug: _plain(record) for slug, record in records.items()}
    text = json.dumps(kept, ensure_ascii=False, indent=1)
    with atomic_output(path) as file:
        file.write((text + "\n").encode())


def find_records(name: str) -> Path | None:
    """Return the file of records in the installed package or, in a checkout, beside it.

    Parameters
    ----------
    name : str
        Of the file.

    Returns
    -------
    Path or None
        None when it is in neither place.
    """
    package = Path(__file__).parents[1]
    places = (package / "records" / name, package.parent / "benchmarks" / "records" / name)
    return next((place for place in places if place.is_file()), None)


def recorded() -> dict[str, Record]:
    """Return the records that come with nlpfeat; none where they are missing."""
    path = find_records("claims.json")
    return {} if path is None else read_records(path)


def _plain(record: Record) -> dict[str, Any]:
    figures = [
        {
            **asdict(figure),
            "values": [_rounded(value) for value in figure.values],
            "interval": figure.interval and [_rounded(end) for end in figure.interval],
        }
        for figure in record.figures.values()
    ]
    return asdict(record) | {"figures": figures}


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _record(kept: Any) -> Record:
    return Record(
        by_name(_figure(each) for each in kept["figures"]),
        tuple(int(seed) for seed in kept["seeds"]), str(kept["date"]), str(kept["machine"]),
        {str(name): str(each) for name, each in kept["versions"].items()},
    )  # fmt: skip


def _figure(kept: Any) -> Figure:
    interval = kept["interval"]
    return Figure(
        str(kept["name"]), _numbers(kept["values"]), str(kept["unit"]),
        KINDS[KINDS.index(kept["kind"])], int(_number(kept["trials"], least=0)),
        None if interval is None else (_numbers(interval, 2)[0], _numbers(interval, 2)[1]),
        _number(kept.get("overlap", 0.0), least=0),
    )  # fmt: skip


def _numbers(kept: Any, n: int | None = None) -> tuple[float, ...]:
    if not isinstance(kept, list) or not kept or (n is not None and len(kept) != n):
        raise ValueError(f"{n or 'some'} numbers are wanted, not {kept!r}")
    return tuple(_number(each) for each in kept)


def _number(kept: Any, least: float = -math.inf) -> float:
    is_number = isinstance(kept, int | float) and not isinstance(kept, bool)
    if not is_number or not math.isfinite(kept) or kept < least:
        raise ValueError(f"a number is wanted, not {kept!r}")
    return float(kept)
