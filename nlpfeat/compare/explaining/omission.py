"""Which token a model cannot do without: the one it weighs most, the cue, or any like it.

The same question as D10 of ``nlpfeat.attention.diagnostics``, and on purpose not the same code.
That package asks single tensors and templates, stands on torch, and imports nothing of the toolkit;
this module explains classical models where torch is not installed, so it cannot import D10, and
`recovery`, which is asked of attention alone, does. The tests hold one against the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpfeat._typing import BoolArray, Float64Array, Int64Array
from nlpfeat.compare.explaining.deletion import Evaluations, log_odds, without
from nlpfeat.errors import InvalidInputError

KINDS = {
    "strongest": "the token that the model weighs most",
    "cue": "the token with the most evidence of naive Bayes for the class of the document",
    "random": "another token, of about the document frequency of the cue",
}
"""Tokens that are left out."""

WITHOUT_WEIGHTS = {
    "pooling weights": "the weights with which attention puts the tokens of a document together",
    "all weights": "those and the weights of all layers",
    "weights of a bag": "the pooling weights in a linear model on sums of token vectors",
}
"""Weights of attention that are made uniform: see ``attention_controls``."""

FITTED_TWICE = "weights of a bag"
"""The one that compares two fitted models: of their log-odds no difference is shown."""


@dataclass(frozen=True, eq=False)
class OmissionEffect:
    """What the loss of one token of each of N documents does.

    Parameters
    ----------
    right_before, right_after : ndarray of bool, shape (N,)
        Whether the prediction is the class of the document.
    delta : ndarray of float64, shape (N,)
        Change of the log-odds of the class that was predicted before: below 0 when the token spoke
        for it.
    """

    right_before: BoolArray
    right_after: BoolArray
    delta: Float64Array

    def to_dict(self) -> dict[str, Any]:
        """Return lists that JSON holds."""
        return {name: values.tolist() for name, values in vars(self).items()}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "OmissionEffect":
        """Return what ``to_dict`` gave."""
        return cls(
            np.array(stored["right_before"], dtype=np.bool_),
            np.array(stored["right_after"], dtype=np.bool_),
            np.array(stored["delta"], dtype=np.float64),
        )


def omission(
    evaluations: Evaluations,
    documents: Sequence[Sequence[str]],
    classes: Sequence[int],
    places: Mapping[str, Sequence[int]],
) -> dict[str, OmissionEffect]:
    """Return what a model does when one token of each document is left out.

    Parameters
    ----------
    evaluations : Evaluations
        Of the model.
    documents : sequence of sequences of str
        N documents, each of at least one token.
    classes : sequence of int
        The column of the right class of each; -1 for a class that the model does not know.
    places : mapping of str to sequence of int
        Under the name of each kind one place of each document, from 0.

    Returns
    -------
    dict of str to OmissionEffect
        For each kind. For a linear model on counts of words with two classes ``delta`` is minus the
        evidence of the token.

    Raises
    ------
    InvalidInputError
        For a place that is not in its document.

    Examples
    --------
    >>> def score(documents):
    ...     good = np.array([sum(token == "好" for token in document) for document in documents])
    ...     return np.stack([-np.logaddexp(0, good), -np.logaddexp(0, -good)], axis=1)
    >>> found = omission(Evaluations(score), [["很", "好"]], [1], {"cue": [1], "random": [0]})
    >>> found["cue"].delta.round(6).tolist(), found["random"].delta.round(6).tolist()
    ([-1.0], [0.0])
    """
    if not documents:
        nothing = np.zeros(0, dtype=np.bool_)
        return {kind: OmissionEffect(nothing, nothing, np.zeros(0)) for kind in places}
    _check_places(documents, places)
    before = evaluations.log_probabilities(documents)
    right = np.asarray(classes)
    effects = {}
    for kind, chosen in places.items():
        after = evaluations.log_probabilities(
            without(document, {place}) for document, place in zip(documents, chosen)
        )
        effects[kind] = effect_of(before, after, right)
    return effects


def effect_of(before: Float64Array, after: Float64Array, classes: Int64Array) -> OmissionEffect:
    """Return the effect of a change on what a model says.

    Parameters
    ----------
    before, after : ndarray of float64, shape (N, C)
        Log-probabilities.
    classes : ndarray of int, shape (N,)
        The column of the right class of each document; -1 for one that the model does not know.

    Examples
    --------
    >>> found = effect_of(np.log([[0.5, 0.25, 0.25]]), np.log([[0.2, 0.4, 0.4]]), np.array([0]))
    >>> found.right_before, found.right_after, found.delta.round(4)
    (array([ True]), array([False]), array([-1.3863]))
    """
    predicted = before.argmax(axis=1)
    return OmissionEffect(
        predicted == classes,
        after.argmax(axis=1) == classes,
        log_odds(after, predicted) - log_odds(before, predicted),
    )


def _check_places(documents: Sequence[Sequence[str]], places: Mapping[str, Sequence[int]]) -> None:
    for kind, chosen in places.items():
        if len(chosen) != len(documents):
            raise InvalidInputError(
                f"places[{kind!r}] must hold one place for each of the {len(documents)} documents. "
                f"Got {len(chosen)}."
            )
        for row, (document, place) in enumerate(zip(documents, chosen)):
            if not 0 <= place < len(document):
                raise InvalidInputError(
                    f"places[{kind!r}][{row}] must be from 0 to {len(document) - 1}. Got {place}."
                )


def place_like(
    document: Sequence[str],
    place: int,
    frequencies: Int64Array,
    generator: np.random.Generator,
) -> int | None:
    """Return a random place of another type that is about as frequent.

    The bands are those of ``random_tokens_like`` of D10. There only the place itself is left alone;
    here all places of its type are, since a second cue is a cue.

    Parameters
    ----------
    document : sequence of str
        L tokens.
    place : int
        Of the token that is to be matched.
    frequencies : ndarray of int, shape (L,)
        Training documents that hold each token. A band is the binary logarithm of 1 + frequency,
        rounded down.
    generator : numpy.random.Generator

    Returns
    -------
    int or None
        A place in the same band, else in the nearest one; None when all tokens are alike.

    Examples
    --------
    >>> frequencies = np.array([70, 900, 65])
    >>> place_like(["好", "的", "茶"], 0, frequencies, np.random.default_rng(0))
    2
    """
    bands = [(1 + int(each)).bit_length() for each in frequencies]
    others = [at for at, token in enumerate(document) if token != document[place]]
    if not others:
        return None
    nearest = min(abs(bands[at] - bands[place]) for at in others)
    band = [at for at in others if abs(bands[at] - bands[place]) == nearest]
    return int(band[generator.integers(len(band))])
