"""What priors add to a network: one term for each kind of prior."""

from collections.abc import Callable
from typing import Any

import torch

from nlpfeat._names import lookup
from nlpfeat.classifiers._prior_terms.embedding import build_embedding
from nlpfeat.classifiers._prior_terms.expert import build_expert
from nlpfeat.classifiers._prior_terms.key import build_key
from nlpfeat.classifiers._prior_terms.pmi import build_pmi
from nlpfeat.classifiers._prior_terms.term import POOLING, PriorTerm, TermReading, TermSizes
from nlpfeat.classifiers._prior_terms.topic import build_topic
from nlpfeat.classifiers._prior_terms.wide import build_wide
from nlpfeat.priors.prior import FittedPrior, Prior

# A builder takes the prior and the fitted prior of its own kind.
Build = Callable[[Any, Any, TermSizes, torch.Generator], PriorTerm]

TERMS: dict[str, Build] = {
    "wide": build_wide,
    "expert": build_expert,
    "embedding": build_embedding,
    "key": build_key,
    "pmi": build_pmi,
    "topic": build_topic,
}
"""How the term of each prior is built, by the name of the prior."""

__all__ = ["POOLING", "TERMS", "PriorTerm", "TermReading", "TermSizes", "build_term"]


def build_term(
    prior: Prior, fitted: FittedPrior, sizes: TermSizes, generator: torch.Generator
) -> PriorTerm:
    """Return the term of a prior; what it draws comes from ``generator``.

    Raises
    ------
    InvalidParameterError
        For a prior that no term is known for.
    InvalidInputError
        For one that was fitted for other terms or classes than the network has.
    """
    build = lookup(TERMS, prior.name, "The name of a prior")
    fitted.check_fits(sizes.n_terms, sizes.n_classes)
    return build(prior, fitted, sizes, generator)
