"""The priors of a classifier: fitted on its training documents, and what they say of new ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from nlpfeat._typing import Int64Array
from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.priors.expert import ExpertPrior, FittedExpertPrior
from nlpfeat.priors.prior import (
    FittedPrior,
    FittedTextPrior,
    Prior,
    PriorInputs,
    TextPrior,
)


@dataclass(frozen=True, eq=False)
class LearnedPrior:
    """A prior, what it has learned, and the expert where it needs one.

    Parameters
    ----------
    prior : Prior
    fitted : FittedPrior
    expert : object, default None
        The classical model, fitted on all training documents.
    """

    prior: Prior
    fitted: FittedPrior
    expert: Any = None

    def inputs(self, documents: ReadDocuments) -> PriorInputs:
        """Return what the prior says of documents that it was not fitted on."""
        if not self.prior.needs_expert:
            return cast("FittedTextPrior", self.fitted).inputs(documents)
        from nlpfeat.classifiers._experts import expert_decisions

        decisions = expert_decisions(self.expert, documents.documents)
        return PriorInputs(rows=cast("FittedExpertPrior", self.fitted).calibrated(decisions))


def learn_priors(
    priors: Sequence[Prior],
    documents: ReadDocuments,
    classes: Int64Array,
    n_classes: int,
    seeds: Sequence[int],
    *,
    unseen: Int64Array,
) -> tuple[list[LearnedPrior], list[PriorInputs]]:
    """Fit priors on the training documents.

    Parameters
    ----------
    priors : sequence of Prior
    documents : ReadDocuments
        N training documents.
    classes : ndarray of int64, shape (N,)
        From 0 to ``n_classes`` - 1.
    n_classes : int
    seeds : sequence of int
        One for each prior.
    unseen : ndarray of int64
        The documents on which the parts of the log-scores are weighed. A prior that counts labels
        is fitted on the others: of n-grams that it has seen a wide part is far too sure, and
        attention would lose its weight.

    Returns
    -------
    learned : list of LearnedPrior
    inputs : list of PriorInputs
        What each says of the training documents; an expert as one that has not seen the document.
    """
    learned, inputs = [], []
    seen = np.setdiff1d(np.arange(len(classes)), unseen)
    for prior, seed in zip(priors, seeds):
        if prior.needs_expert:
            each, said = _learn_expert(cast("ExpertPrior", prior), documents, classes, seed)
        else:
            text, its_classes = documents, classes
            if prior.counts_labels and len(unseen):
                text, its_classes = documents.chosen(seen), classes[seen]
            fitted = cast("TextPrior", prior).fit(text, its_classes, n_classes, seed)
            each = LearnedPrior(prior, fitted)
            said = each.inputs(documents)
        learned.append(each)
        inputs.append(said)
    return learned, inputs


def _learn_expert(
    prior: ExpertPrior, documents: ReadDocuments, classes: Int64Array, seed: int
) -> tuple[LearnedPrior, PriorInputs]:
    from nlpfeat.classifiers._experts import fit_expert

    expert, decisions = fit_expert(
        prior, documents.documents, classes, seed, documents.n_jobs, segmenter=documents.segmenter
    )
    fitted = prior.fit_logits(decisions, classes)
    return LearnedPrior(prior, fitted, expert), PriorInputs(rows=fitted.calibrated(decisions))
