"""What an engine learned."""

from dataclasses import dataclass

from nlpfeat._typing import Float64Array


@dataclass(frozen=True)
class TopicModel:
    """Topics, as the weights of Dirichlet distributions."""

    #: Shape (n_topics,), above 0: the prior weight of each topic in a document (alpha).
    document_prior: Float64Array
    #: Shape (n_topics, n_terms), above 0: the weight of each term in each topic (lambda), which is
    #: how many of its tokens the topic has, plus the term prior.
    term_weights: Float64Array
