"""Association measures: pure functions from the cells of a count table to weights.

``MEASURES`` is the catalog, one row a measure. :mod:`nlpfeat.measures.association` applies its
rows to cells (``score``) and to whole tables (``pmi``, ``npmi``, ...).
"""

from nlpfeat.measures.information import npmi_scores, pmi_scores, ppmi_scores
from nlpfeat.measures.measure import Measure
from nlpfeat.measures.overlap import delta_p_scores, dice_scores, logdice_scores
from nlpfeat.measures.significance import chi2_scores, g2_scores, t_scores

MEASURES: dict[str, Measure] = {
    "pmi": Measure(
        pmi_scores,
        value_range="at most -log p(x,y)",
        log_based=True,
        needs_contingency=False,
        description="pointwise mutual information: log of observed over expected",
        options=("base", "smoothing"),
    ),
    "npmi": Measure(
        npmi_scores,
        value_range="-1 to 1",
        log_based=False,
        needs_contingency=True,
        description="PMI divided by its upper bound -log p(x,y)",
        options=("base",),  # any base gives the same value
    ),
    "ppmi": Measure(
        ppmi_scores,
        value_range="at least 0",
        log_based=True,
        needs_contingency=False,
        description="positive PMI: max(PMI - log shift, 0)",
        options=("base", "shift", "smoothing"),
    ),
    "g2": Measure(
        g2_scores,
        value_range="at least 0; any sign with signed",
        log_based=False,
        needs_contingency=True,
        description="log-likelihood ratio of the 2x2 table (natural log)",
        options=("signed",),
    ),
    "t": Measure(
        t_scores,
        value_range="at most the root of the count",
        log_based=False,
        needs_contingency=True,
        description="t score: observed minus expected, over the root of observed",
    ),
    "chi2": Measure(
        chi2_scores,
        value_range="at least 0",
        log_based=False,
        needs_contingency=True,
        description="Pearson's chi-squared of the 2x2 table, without continuity correction",
    ),
    "dice": Measure(
        dice_scores,
        value_range="0 to 1",
        log_based=False,
        needs_contingency=True,
        description="Dice coefficient: the pair's count over the mean of its margins",
    ),
    "logdice": Measure(
        logdice_scores,
        value_range="at most 14",
        log_based=False,
        needs_contingency=True,
        description="14 + log2 of the Dice coefficient",
    ),
    "delta_p": Measure(
        delta_p_scores,
        value_range="-1 to 1",
        log_based=False,
        needs_contingency=True,
        description="how much x raises the probability of y: p(y|x) - p(y|not x)",
    ),
}

__all__ = ["MEASURES", "Measure"]
