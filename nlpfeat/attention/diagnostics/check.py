"""What a diagnostic claims of one setting, and what was measured there."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch

Relation: TypeAlias = Literal["=", "<", ">"]


@dataclass(frozen=True)
class Check:
    """One expected value beside the measured one.

    Parameters
    ----------
    setting : str
        What was measured, in a few words.
    relation : {"=", "<", ">"}
        How the measured value must stand to the expected one.
    expected : float
    measured : float
        NaN never holds.
    tolerance : float, default 0.0
        How far apart the two may be where they must be equal.

    Examples
    --------
    >>> check = Check("softmax, 4 keys, own score", "=", 0.1875, 0.1875000001, 1e-9)
    >>> check.holds, check.wanted
    (True, '= 0.1875')
    >>> Check("好 and 坏", "<", 1e-8, float("nan")).holds
    False
    """

    setting: str
    relation: Relation
    expected: float
    measured: float
    tolerance: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether the measured value is as expected."""
        if self.relation == "=":
            return abs(self.measured - self.expected) <= self.tolerance
        if self.relation == "<":
            return self.measured < self.expected
        return self.measured > self.expected

    @property
    def wanted(self) -> str:
        """The relation and the expected value, six digits of it."""
        return f"{self.relation} {self.expected:.6g}"


@dataclass(frozen=True)
class Diagnostic:
    """A diagnostic of the catalogue.

    Parameters
    ----------
    number : str
        Its number, such as ``"d4"``.
    claim : str
        What it tests, in a few words.
    checks : callable
        ``checks(generator)`` measures freshly drawn small attentions whose answers are known.
        All chance comes from the generator.
    """

    number: str
    claim: str
    checks: Callable[[torch.Generator], Iterable[Check]]

    def measure(self, seed: int = 0) -> list[Check]:
        """Return the checks for one seed: the same, whichever diagnostics were measured before.

        Examples
        --------
        >>> from nlpfeat.attention.diagnostics import DIAGNOSTICS
        >>> [check.measured for check in DIAGNOSTICS["coupling"].measure()][:3]
        [0.1875, -0.0625, 0.0]
        """
        return list(self.checks(torch.Generator().manual_seed(seed)))
