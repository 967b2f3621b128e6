"""Where the attention of an omitted token goes: to tokens that could stand for it, or anywhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.classifiers.attention import AttentionClassifier
from nlpfeat.compare.explaining.deletion import without
from nlpfeat.compare.explaining.evidence import attention_on_tokens


@dataclass(frozen=True, eq=False)
class RecoveryEffect:
    """Where the lost weight of each of N documents went.

    Parameters
    ----------
    share : ndarray of float64, shape (N,)
        Share of it that the neighbors of the token gained, of any size where little was lost; NaN
        where nothing was, and where none or all of the tokens that are left are neighbors.
    proportional : ndarray of float64, shape (N,)
        The share that they would gain if all weights that are left grew alike.
    """

    share: Float64Array
    proportional: Float64Array


def recovery(
    classifier: AttentionClassifier,
    documents: Sequence[Sequence[str]],
    weights: Sequence[Float64Array],
    pair_ppmi: Sequence[Float64Array],
    places: Mapping[str, Sequence[int]],
) -> dict[str, RecoveryEffect]:
    """Return where the weight of an omitted token goes.

    Parameters
    ----------
    classifier : AttentionClassifier
        Fitted.
    documents : sequence of sequences of str
        N token lists.
    weights : sequence of ndarray of shape (L,)
        Of their tokens in the pooling, with every token there.
    pair_ppmi : sequence of ndarray of shape (L, L)
        Of their tokens: the neighbors of a token are those with which it is above 0.
    places : mapping of str to sequence of int
        Under the name of each kind the place of each document that is left out.

    Returns
    -------
    dict of str to RecoveryEffect

    Notes
    -----
    `weight_recovery` of D10 of the diagnostics, with what renormalizing alone would give beside it.
    """
    from torch import from_numpy

    from nlpfeat.attention.diagnostics.omission import weight_recovery

    found = {}
    for kind, chosen in places.items():
        left = [list(without(document, {place})) for document, place in zip(documents, chosen)]
        after = attention_on_tokens(classifier.attention_weights(left), left, classifier.unit)
        shares = np.full((2, len(documents)), np.nan)
        for row, place in enumerate(chosen):
            related = np.flatnonzero(pair_ppmi[row][place] > 0)
            before, lost = weights[row], weights[row][place]
            if not 0 < len(related) < len(left[row]) or not 0 < lost < 1:
                continue
            gained = weight_recovery(
                from_numpy(before), from_numpy(after.weights[row]), [place], related.tolist()
            )
            shares[:, row] = gained.recovered, before[related].sum() / (1 - lost)
        found[kind] = RecoveryEffect(*shares)
    return found
