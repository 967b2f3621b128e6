"""Claims of a tutorial on attention, each measured and judged.

Each file has one claim: what is said, what would show it, the figures, and a verdict that follows
from them. ``CLAIMS`` is the catalog, in the order of the notes.
"""

from nlpfeat.claims import (
    absence,
    abstraction,
    additive_and_dot,
    composition,
    convex_hull,
    deep_single_head,
    degrees_of_freedom,
    distance,
    frequency,
    heads_alike,
    important_words,
    independent_pairs,
    keywords,
    multi_query,
    negation,
    normalizer_coupling,
    omission,
    order,
    position_tuple,
    quantifier,
    scope,
    substitutability,
    three_and_five,
    topics,
    without_pretraining,
)
from nlpfeat.claims.claim import Claim, Judgement, Verdict
from nlpfeat.claims.figures import Figure
from nlpfeat.claims.trainability import claim as trainability_claim

CLAIMS: dict[str, Claim] = {
    module.CLAIM.slug: module.CLAIM
    for module in (
        additive_and_dot,
        independent_pairs,
        position_tuple,
        composition,
        normalizer_coupling,
        convex_hull,
        keywords,
        negation,
        frequency,
        order,
        important_words,
        absence,
        topics,
        substitutability,
        distance,
        scope,
        abstraction,
        quantifier,
        omission,
        degrees_of_freedom,
        multi_query,
        heads_alike,
        three_and_five,
        deep_single_head,
        without_pretraining,
        trainability_claim,
    )
}
"""By the name on the command line, in the order of the notes."""

__all__ = ["CLAIMS", "Claim", "Figure", "Judgement", "Verdict"]
