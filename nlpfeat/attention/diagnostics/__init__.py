"""Diagnostics: what is said of attention, as numbers that can be measured.

Each file has the functions of one diagnostic, for tensors and layers of one's own, and ``checks``,
which measures freshly drawn attentions whose answers are known. ``DIAGNOSTICS`` is the catalog.
"""

from nlpfeat.attention.diagnostics import (
    absence,
    bilinearity,
    convex_hull,
    counting,
    coupling,
    degrees_of_freedom,
    head_importance,
    head_similarity,
    neutrality,
    omission,
    position_tuple,
)
from nlpfeat.attention.diagnostics.check import Check, Diagnostic

DIAGNOSTICS: dict[str, Diagnostic] = {
    "degrees_of_freedom": Diagnostic(
        "d1", "n keys give each head n - 1 dimensions", degrees_of_freedom.checks
    ),
    "convex_hull": Diagnostic("d2", "outputs are mixtures of the values", convex_hull.checks),
    "bilinearity": Diagnostic("d3", "scores treat pairs one by one", bilinearity.checks),
    "coupling": Diagnostic("d4", "the normalizer says which pairs interact", coupling.checks),
    "position_tuple": Diagnostic(
        "d5", "absolute positions see i and j, relative ones i - j", position_tuple.checks
    ),
    "head_similarity": Diagnostic("d6", "heads that do the same are found", head_similarity.checks),
    "head_importance": Diagnostic("d7", "heads that do nothing are found", head_importance.checks),
    "absence": Diagnostic("d9", "absence tells little in a short text", absence.checks),
    "omission": Diagnostic("d10", "what a removed token did is measured", omission.checks),
    "counting": Diagnostic("d12", "two heads can count what one cannot", counting.checks),
    "neutrality": Diagnostic("d13", "a prior of strength 0 is none", neutrality.checks),
}
"""By name, in the order of their numbers; d8 and d11 are about corpora, not about attention."""

__all__ = ["DIAGNOSTICS", "Check", "Diagnostic"]
