"""What is recorded of all claims, and the verdicts that follow from it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import nlpfeat
from nlpfeat.claims.claim import NOT_MEASURED, Claim, Judgement, open_question
from nlpfeat.claims.figures import REPEATING, Figure, Figures, by_name
from nlpfeat.claims.records import Record, recorded
from nlpfeat.claims.trainability.claim import figures_of, kept_summaries
from nlpfeat.claims.trainability.records import Summary
from nlpfeat.errors import InvalidInputError

_PACKAGES = ("python", "numpy", "scipy", "scikit-learn", "torch")
_CLOSE = 1e-6


@dataclass(frozen=True)
class Kept:
    """Recorded figures of claims, and what the kept trainings come to.

    Parameters
    ----------
    records : dict of str to Record
        By the slug of the claim.
    trainings : sequence of Summary
        Those of the trainability experiment, from which its figures are counted.
    """

    records: dict[str, Record]
    trainings: Sequence[Summary]

    def figures(self, claim: Claim) -> dict[str, Figure]:
        """Return the recorded figures of a claim; none when it is not yet measured."""
        counts = self.counts(claim)
        record = self.records.get(claim.slug)
        return counts if record is None else counts | record.figures

    def counts(self, claim: Claim) -> dict[str, Figure]:
        """Return those that are counted from kept runs, and are not measured with the claim."""
        return by_name(figures_of(self.trainings)) if claim.is_counted else {}

    def judgement(self, claim: Claim) -> Judgement:
        """Return what the recorded figures say of a claim; those of another version say nothing."""
        try:
            return judged(claim, self.figures(claim))
        except InvalidInputError as error:
            return Judgement(NOT_MEASURED, str(error))


def kept() -> Kept:
    """Return what comes with nlpfeat."""
    return Kept(recorded(), kept_summaries())


def judged(claim: Claim, figures: Figures) -> Judgement:
    """Return what figures say of a claim; without any, that it is not yet measured.

    Raises
    ------
    InvalidInputError
        When a figure is missing, as in records of another version.
    """
    if not figures and not claim.is_counted:
        return Judgement(NOT_MEASURED, f"`{claim.repeated_by}` measures it.")
    for figure in figures.values():
        if figure.kind == "drawn" and figure.bounds is None and not claim.is_counted:
            return open_question(
                f"“{figure.name}” is known of {len(figure.values)} of the three seeds that an "
                "interval needs."
            )
    try:
        return claim.judge(figures)
    except KeyError as error:
        raise InvalidInputError(
            f"The records of {claim.slug} must have the figure {error}: they are of another "
            f"version. Measure it again: `{claim.repeated_by}`, with --record to keep it."
        ) from error


def measured_record(claim: Claim, seeds: Sequence[int], machine: str) -> Record:
    """Measure a claim, and return its figures with the day and the versions.

    Parameters
    ----------
    claim : Claim
    seeds : sequence of int
    machine : str
        In general words.
    """
    from nlpfeat.compare.versions import versions

    figures = claim.measured(seeds)
    found = versions()
    return Record(
        figures=figures,
        seeds=tuple(seeds),
        date=datetime.now(UTC).date().isoformat(),
        machine=machine,
        versions={"nlpfeat": nlpfeat.__version__}
        | {name: found[name] for name in _PACKAGES if name in found},
    )


def changed(measured: Figures, recorded: Figures) -> Iterator[str]:
    """Yield the names of figures that ought to repeat, and do not.

    Those are all but drawn ones, which follow the versions of packages, too, and timed ones, which
    follow the machine. One that is only measured or only recorded does not repeat either, whatever
    its kind; where nothing is recorded, there is nothing to repeat.

    Examples
    --------
    >>> list(changed({"词": Figure("词", (1.0,))}, {"词": Figure("词", (1.1,))}))
    ['词']
    """
    for name in dict.fromkeys((*measured, *recorded)) if recorded else ():
        if not _repeats(measured.get(name), recorded.get(name)):
            yield name


def _repeats(figure: Figure | None, before: Figure | None) -> bool:
    if figure is None or before is None or figure.kind != before.kind:
        return False
    if figure.kind not in REPEATING:
        return True
    numbers, others = (each.values + (each.interval or ()) for each in (figure, before))
    return len(numbers) == len(others) and all(
        abs(one - other) <= _CLOSE * max(1.0, abs(one)) for one, other in zip(numbers, others)
    )
