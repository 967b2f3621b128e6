"""What an engine learned."""

from dataclasses import dataclass

import numpy as np

from nlpfeat._typing import Float64Array
from nlpfeat.errors import InvalidInputError


@dataclass(frozen=True)
class TopicModel:
    """Topics, as Dirichlet distributions: their means, and how much they weigh.

    Raises
    ------
    InvalidInputError
        When the parts do not fit together.

    Examples
    --------
    >>> model = TopicModel.of_weights(np.array([0.1]), np.array([[3.0, 1.0]]))
    >>> model.components.tolist(), model.topic_weights.tolist()
    ([[0.75, 0.25]], [4.0])
    """

    #: Shape (n_topics,), above 0: the prior weight of each topic in a document (alpha).
    document_prior: Float64Array
    #: Shape (n_topics, n_terms), above 0, rows sum to 1: the share of each term in each topic.
    components: Float64Array
    #: Shape (n_topics,), above 0: how many tokens each topic has, term priors included.
    topic_weights: Float64Array

    def __post_init__(self) -> None:
        parts = (self.document_prior, self.components, self.topic_weights)
        n_topics = len(self.components)
        if (
            any(np.asarray(part).dtype != np.float64 for part in parts)
            or self.components.ndim != 2
            or not self.document_prior.shape == self.topic_weights.shape == (n_topics,)
        ):
            raise InvalidInputError(
                "A topic model must hold float64 arrays of n_topics prior weights, n_topics rows "
                "of terms and n_topics weights. Got "
                + ", ".join(f"{part.dtype} of shape {part.shape}" for part in parts)
                + "."
            )

    @classmethod
    def of_weights(cls, document_prior: Float64Array, term_weights: Float64Array) -> "TopicModel":
        """Return the model of Dirichlet weights.

        Parameters
        ----------
        document_prior : ndarray of float64, shape (n_topics,)
        term_weights : ndarray of float64, shape (n_topics, n_terms)
            Above 0: how many of its tokens the topic has, plus the term prior (lambda).
        """
        topic_weights = term_weights.sum(axis=1)
        return cls(document_prior, term_weights / topic_weights[:, np.newaxis], topic_weights)
