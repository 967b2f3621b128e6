"""What a prior is: settings that are fitted on training text, and what they then say of a text."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from nlpfeat._typing import Float32Array, Int64Array
from nlpfeat._validation import check_bool, check_int, check_real
from nlpfeat.errors import InvalidInputError
from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.priors.forms import Form, sizes_of

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class PriorInputs:
    """What a fitted prior says of N documents; any of the three.

    Parameters
    ----------
    tokens : ndarray of float32, shape (n_tokens,), or None
        A log-weight for each token, in the order of ``documents.tokens.ids``; 0 at gaps.
    rows : ndarray of float32, shape (N, width), or None
        Numbers of each document: topic shares, log-probabilities.
    table : csr_array of float32, shape (N, n_features), or None
        Which n-grams each document holds.
    """

    tokens: Float32Array | None = None
    rows: Float32Array | None = None
    table: "csr_array | None" = None


class FittedPrior(ABC):
    """A prior that has seen the training documents: finite arrays, which change no more.

    Whether they are sound is known as soon as it is made, copied, or read from a file.
    """

    #: The arrays, by the names of the attributes.
    forms: ClassVar[Mapping[str, Form]]

    def __post_init__(self) -> None:
        self.sizes()
        self.check_parts()
        check_real(self.scale, f"{type(self).__name__}.scale", above=0.0)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what was stored, once it is known to be sound."""
        self.__dict__.update(state)
        self.__post_init__()

    @property
    @abstractmethod
    def scale(self) -> float:
        """Standard deviation of the entries that are not 0, before any scaling.

        Strengths times scales can be compared between corpora.
        """

    def sizes(self) -> dict[str, int]:
        """Return the lengths of the arrays, by the names that ``forms`` gives them.

        Raises
        ------
        InvalidInputError
            When an array has another shape or type of element, or a number that is not finite.
        """
        return sizes_of(self, self.forms)

    def check_parts(self) -> None:  # noqa: B027 - most have nothing else
        """Check what the forms of the arrays do not tell.

        Raises
        ------
        InvalidInputError, InvalidParameterError
            For a part that cannot be what it is.
        """

    def check_fits(self, n_terms: int, n_classes: int) -> None:
        """Make sure that it was fitted for so many terms and classes.

        Parameters
        ----------
        n_terms : int
            V, of the vocabulary that the tokens are read over.
        n_classes : int
            C.

        Raises
        ------
        InvalidInputError
            When it was fitted for others.
        """
        wanted = {"V": n_terms, "V + 1": n_terms + 1, "C": n_classes}
        for name, size in self.sizes().items():
            if size != wanted.get(name, size):
                raise InvalidInputError(
                    f"{type(self).__name__} must be for {n_terms:,} terms and {n_classes:,} "
                    f"classes: {name} = {wanted[name]:,}. Got {name} = {size:,}: fit again, or "
                    "load a file that is whole."
                )


class FittedTextPrior(FittedPrior):
    """A fitted prior that speaks of documents without help."""

    def inputs(self, documents: ReadDocuments) -> PriorInputs:  # noqa: ARG002
        """Return what the prior says of documents; of each alone, whatever it comes with.

        Parameters
        ----------
        documents : ReadDocuments
            Read over the vocabulary of the training documents.

        Returns
        -------
        PriorInputs
            Nothing, for a prior whose arrays are looked up by the ids of the tokens.
        """
        return PriorInputs()


@dataclass(frozen=True, kw_only=True)
class Prior(ABC):
    """Settings of a prior: of a `TextPrior`, or of one that needs an expert.

    Parameters
    ----------
    placebo : int, default None
        With a seed: the same numbers belong to the wrong words (or documents), so that what a
        prior gains by its knowledge can be told from what it gains by its form.
    """

    name: ClassVar[str]
    #: Whether it adds log-scores of its own to those of attention.
    adds_logits: ClassVar[bool] = False
    #: Whether it takes what a model that the classifier fits beside the network decides.
    needs_expert: ClassVar[bool] = False
    #: Whether it learns the labels of the very documents that it then weighs: it is fitted
    #: without the documents on which parts of the model are weighed.
    counts_labels: ClassVar[bool] = False

    placebo: int | None = None

    def shuffled(self, seed: int) -> Self:
        """Return the placebo: the same settings, fitted the same way, then shuffled.

        Parameters
        ----------
        seed : int
            At least 0.

        Returns
        -------
        Prior
        """
        return replace(self, placebo=check_int(seed, "seed", minimum=0))

    @abstractmethod
    def validate(self) -> None:
        """Check the settings; those of a kind of prior call this first.

        Raises
        ------
        InvalidParameterError
            For a setting that cannot be; the message names it.
        """
        if self.placebo is not None:
            check_int(self.placebo, f"{type(self).__name__}.placebo (or None)", minimum=0)


@dataclass(frozen=True, kw_only=True)
class TextPrior(Prior):
    """Settings of a prior that is fitted on documents and their classes, and on nothing else."""

    @abstractmethod
    def fit(
        self, documents: ReadDocuments, classes: Int64Array, n_classes: int, seed: int
    ) -> FittedTextPrior:
        """Learn from the training documents.

        Parameters
        ----------
        documents : ReadDocuments
            N training documents.
        classes : ndarray of int64, shape (N,)
            The class of each, from 0 to ``n_classes`` - 1.
        n_classes : int
            C.
        seed : int
            What is drawn in learning; ``placebo`` is the seed of the shuffling.

        Returns
        -------
        FittedTextPrior
        """


def check_common(prior: Prior, *flags: str, strength: float | None = None) -> None:
    """Check the settings that several priors have.

    Parameters
    ----------
    prior : Prior
    *flags : str
        Names of settings that are True or False.
    strength : float, default None
        Where the learned strength starts, or what it is; any finite number.

    Raises
    ------
    InvalidParameterError
        For a setting that cannot be.
    """
    owner = type(prior).__name__
    for flag in flags:
        check_bool(getattr(prior, flag), f"{owner}.{flag}")
    if strength is not None:
        check_real(strength, f"{owner}.strength")


def spread(values: NDArray[np.floating[Any]]) -> float:
    """Return the standard deviation of the values that are not 0; 1 where they do not differ.

    Examples
    --------
    >>> spread(np.array([1.0, 0.0, 3.0])), spread(np.array([2.0])), spread(np.array([]))
    (1.0, 1.0, 1.0)
    """
    seen = values[values != 0].astype(np.float64)
    deviation = float(seen.std()) if len(seen) else 0.0
    # Of equal numbers the computed deviation may be a rounding error instead of 0.
    return deviation if deviation > 1e-12 * float(np.abs(seen).max(initial=0.0)) else 1.0
