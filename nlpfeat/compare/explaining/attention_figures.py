"""What is asked of attention alone: its pairs, what becomes of lost weights, and its controls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.classifiers.attention import AttentionClassifier
from nlpfeat.compare.explaining.agreement import DocumentAgreement
from nlpfeat.compare.explaining.documents_to_explain import ExplainedTexts
from nlpfeat.compare.explaining.evidence import TokenWeights
from nlpfeat.compare.explaining.listing import array, listed
from nlpfeat.compare.explaining.omission import OmissionEffect
from nlpfeat.compare.explaining.pair_agreement import pair_agreement
from nlpfeat.compare.explaining.recovery import RecoveryEffect, recovery
from nlpfeat.compare.log_scores import LogScores

_DIGITS = 6


@dataclass(frozen=True, eq=False)
class AttentionFigures:
    """Figures of one run of an attention.

    Parameters
    ----------
    pairs : list of ndarray of float64, shape (L, L), or None
        How much each token takes of each other one, to six digits, for each explained document;
        None without layers.
    pair_agreement : DocumentAgreement or None
        Of the pairs and PPMI.
    recovery : dict of str to RecoveryEffect
        For each of ``KINDS``, over the documents that have a token for each kind.
    controls : dict of str to OmissionEffect
        For each of ``WITHOUT_WEIGHTS``, over the test documents of ``ExplainedTexts.controls``.
    """

    pairs: list[Float64Array] | None
    pair_agreement: DocumentAgreement | None
    recovery: dict[str, RecoveryEffect]
    controls: dict[str, OmissionEffect]

    def to_dict(self) -> dict[str, Any]:
        """Return lists, texts and numbers that JSON holds; None stands for NaN."""
        pairs, agreement = self.pairs, self.pair_agreement
        return {
            "pairs": None if pairs is None else [each.tolist() for each in pairs],
            "pair_agreement": None if agreement is None else agreement.to_dict(),
            "recovery": {
                kind: {"share": listed(each.share), "proportional": listed(each.proportional)}
                for kind, each in self.recovery.items()
            },
            "controls": {kind: each.to_dict() for kind, each in self.controls.items()},
        }

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "AttentionFigures":
        """Return what ``to_dict`` gave."""
        pairs, agreement = stored["pairs"], stored["pair_agreement"]
        return cls(
            None if pairs is None else [_square(each) for each in pairs],
            None if agreement is None else DocumentAgreement.from_dict(agreement),
            {
                kind: RecoveryEffect(array(each["share"]), array(each["proportional"]))
                for kind, each in stored["recovery"].items()
            },
            {kind: OmissionEffect.from_dict(each) for kind, each in stored["controls"].items()},
        )


def _square(rows: Sequence[Sequence[float]]) -> Float64Array:
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(rows))


def attention_figures(
    classifier: AttentionClassifier,
    score: LogScores,
    texts: ExplainedTexts,
    found: TokenWeights,
    places: Mapping[str, Sequence[int]],
    *,
    initial: Sequence[Float64Array] | None,
    n_permutations: int,
    random_state: int,
) -> AttentionFigures:
    """Return the figures of a fitted attention.

    Parameters
    ----------
    classifier : AttentionClassifier
    score : LogScores
        The same model.
    texts : ExplainedTexts
    found : TokenWeights
        Of the classifier, for ``texts.documents``.
    places : mapping of str to sequence of int
        For each of ``KINDS`` the places that are left out, of the documents that have one of each.
    initial : sequence of ndarray of shape (L, L), or None
        Pairs before training.
    n_permutations, random_state : int
        As for `pair_agreement`.

    Returns
    -------
    AttentionFigures
    """
    from nlpfeat.compare.explaining.attention_controls import controls

    tables = [each.pair_ppmi for each in texts.scores]
    pairs = found.pairs
    agreement = None
    if pairs is not None:
        agreement = pair_agreement(
            texts.documents, pairs, tables, initial=initial, n_permutations=n_permutations,
            random_state=random_state,
        )  # fmt: skip
    rows = texts.rows_of_omission
    return AttentionFigures(
        pairs=None if pairs is None else [each.round(_DIGITS) for each in pairs],
        pair_agreement=agreement,
        recovery=recovery(
            classifier,
            [texts.documents[row] for row in rows],
            [found.weights[row] for row in rows],
            [tables[row] for row in rows],
            places,
        ),
        controls=controls(classifier, score, texts),
    )
