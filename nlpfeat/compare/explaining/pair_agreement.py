"""Whether a token attends to those that it likes the company of, whatever their distance."""

from collections.abc import Sequence

import numpy as np

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.compare.explaining.agreement import MIN_TYPES, DocumentAgreement, pair_signs
from nlpfeat.compare.explaining.document_means import means_of_told

PAIR_SCORE = "ppmi of pairs"
"""What the agreement of pairs is called beside that of ``SCORES``."""

_WHOLE = 1e-9


def partial_tau(first: Float64Array, second: Float64Array, control: Float64Array) -> float:
    """Return Kendall's tau_b of two lists of values where a third one is held fast.

    Parameters
    ----------
    first, second, control : ndarray of shape (n,)

    Returns
    -------
    float
        (τ₁₂ - τ₁₃ τ₂₃) / √((1 - τ₁₃²)(1 - τ₂₃²)), from -1 to 1; NaN where a list has no two
        different values, and where the third tells the order of the first or second by itself.

    Notes
    -----
    Tau_b is the cosine of the signs of all pairs, so this is the partial correlation of the signs.
    Source: Kendall (1942).

    Examples
    --------
    τ₁₂ = 4/6, τ₁₃ = 2/6 and τ₂₃ = 4/6: (2/3 - 2/9) / √(8/9 · 5/9).

    >>> first, second = np.array([1.0, 3.0, 2.0, 4.0]), np.array([1.0, 2.0, 3.0, 4.0])
    >>> round(partial_tau(first, second, np.array([2.0, 1.0, 3.0, 4.0])), 4)
    0.6325
    """
    return float(_partial_taus(first[None], second, control)[0])


def pair_agreement(
    documents: Sequence[Sequence[str]],
    pairs: Sequence[Float64Array],
    scores: Sequence[Float64Array],
    *,
    initial: Sequence[Float64Array] | None = None,
    n_permutations: int = 10,
    random_state: int = 0,
) -> DocumentAgreement:
    """Return how far what each token takes of the others goes with a score of pairs.

    Parameters
    ----------
    documents : sequence of sequences of str
        N token lists.
    pairs : sequence of ndarray of shape (L, L)
        How much token i takes of token j.
    scores : sequence of ndarray of shape (L, L)
        The score of each two tokens.
    initial : sequence of ndarray of shape (L, L), default None
        What was taken before training.
    n_permutations : int, default 10
        How often what a token takes is shuffled among the others.
    random_state : int, default 0
        What shuffles.

    Returns
    -------
    DocumentAgreement
        Of a document the mean of `partial_tau` over its tokens i, between row i of ``pairs`` and of
        ``scores`` over the tokens of other types, with the distance |i - j| held fast. NaN where no
        token has at least ``MIN_TYPES`` - 1 others of which that is defined. ``top_three`` is NaN.
    """
    n_permutations = check_int(n_permutations, "n_permutations", minimum=1)
    generator = np.random.default_rng(random_state)
    taus, shuffled, before = np.full((3, len(documents)), np.nan)
    for row, document in enumerate(documents):
        found: list[list[float]] = []
        for place, others, distances in _rows(document):
            mine, theirs = pairs[row][place, others], scores[row][place, others]
            orders = [generator.permutation(len(mine)) for _ in range(n_permutations)]
            values = _partial_taus(np.stack([mine, *(mine[each] for each in orders)]), theirs,
                                   distances)  # fmt: skip
            if not np.isnan(values[0]):
                first = np.nan
                if initial is not None:
                    first = partial_tau(initial[row][place, others], theirs, distances)
                found.append([values[0], float(means_of_told(values[1:])), first])
        if found:
            taus[row], shuffled[row], before[row] = means_of_told(np.array(found))
    nothing = np.full(len(documents), np.nan)
    return DocumentAgreement(taus, nothing, shuffled, None if initial is None else before)


def agreement_of_pairs(
    documents: Sequence[Sequence[str]],
    first: Sequence[Float64Array],
    second: Sequence[Float64Array],
) -> Float64Array:
    """Return the same of two trainings of a model: how far its pairs repeat themselves.

    Parameters
    ----------
    documents : sequence of sequences of str
        N token lists.
    first, second : sequence of ndarray of shape (L, L)

    Returns
    -------
    ndarray of float64, shape (N,)
        NaN as in `pair_agreement`.
    """
    found = np.full(len(documents), np.nan)
    for row, document in enumerate(documents):
        taus = [
            partial_tau(first[row][place, others], second[row][place, others], distances)
            for place, others, distances in _rows(document)
        ]
        found[row] = means_of_told(np.array(taus))
    return found


def _rows(document: Sequence[str]) -> list[tuple[int, Int64Array, Float64Array]]:
    """Return each token that has enough others of other types, these, and how far they are."""
    tokens = np.array(document, dtype=object)
    found = []
    for place in range(len(document)):
        others = np.flatnonzero(tokens != document[place])
        if len(others) >= MIN_TYPES - 1:
            found.append((place, others, np.abs(others - place).astype(np.float64)))
    return found


def _partial_taus(many: Float64Array, second: Float64Array, control: Float64Array) -> Float64Array:
    """Return `partial_tau` for each of the rows of ``many``."""
    signs = np.stack([pair_signs(each).ravel() for each in (*many, second, control)])
    lengths = np.sqrt(np.count_nonzero(signs, axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        signs = signs / lengths[:, None]
        with_second, with_control = signs[:-2] @ signs[-2], signs[:-2] @ signs[-1]
        between = float(signs[-2] @ signs[-1])
        left = (1 - with_control**2) * (1 - between**2)
        taus: Float64Array = (with_second - with_control * between) / np.sqrt(left)
    taus[~(left > _WHOLE)] = np.nan
    return np.clip(taus, -1.0, 1.0)
