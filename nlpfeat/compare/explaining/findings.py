"""What a comparison found of what models go by, as typed rows of a report."""

from dataclasses import dataclass


@dataclass(frozen=True)
class NormalizedFigure:
    """A mean over the documents whose best and worst order differ, from 0 to 1.

    Parameters
    ----------
    mean, low, high : float
        With the interval of 95 % from resampled documents.
    n_documents : int
        Those that differ; the others tell no order from another and take no part.
    """

    mean: float
    low: float
    high: float
    n_documents: int


@dataclass(frozen=True)
class Faithfulness:
    """Whether the tokens that an order puts first are those that a model goes by.

    Parameters
    ----------
    model : str
    order : str
        A key of ``ORDERS``: "own" is the model's own weights.
    comprehensiveness, sufficiency : float
        Mean loss of probability of the predicted class without the first tokens, and with them
        alone, over the shares 1, 5, 10, 20 and 50 % (their AOPC).
    normalized_comprehensiveness, normalized_sufficiency : NormalizedFigure or None
        (AOPC - lower) / (upper - lower): these alone compare between models. None where no document
        tells one order from another.
    n_documents : int
        All that were explained.
    n_runs : int or None
        Explained runs; None in a report that does not tell.
    """

    model: str
    order: str
    comprehensiveness: float
    sufficiency: float
    normalized_comprehensiveness: NormalizedFigure | None
    normalized_sufficiency: NormalizedFigure | None
    n_documents: int
    n_runs: int | None = None


@dataclass(frozen=True)
class Agreement:
    """Kendall's tau_b of what a model weighs and a classical score, per type of a document.

    Parameters
    ----------
    model, score : str
        A key of ``SCORES``, or "ppmi of pairs": what attention takes of one token for another, and
        their PPMI, with their distance held fast.
    tau, low, high : float
        Mean over documents, with its interval of 95 % from resampled documents.
    top_three : float or None
        Share of the three highest that are the same; with ties at the cut, what is expected when
        chance breaks them. None for pairs.
    top_three_permutation : float or None
        The same for shuffled weights: its mean over all shuffles.
    permutation, other_seed, initial : float or None
        The references: tau of shuffled weights, of the same model with another seed, and of the
        model before training; None where there is none. These and the divergences are means over
        those of the ``n_documents`` documents that define them.
    seed_divergence, uniform_divergence : float or None
        Of the weights of an attention: mean Jensen-Shannon divergence, in bits from 0 to 1, between
        two seeds of the model, and from uniform weights; None for other models, for pairs, and the
        first for a single seed.
    n_documents : int
        Those where ``tau`` is defined.
    n_runs : int or None
        Explained runs; None in a report that does not tell.
    """

    model: str
    score: str
    tau: float
    low: float
    high: float
    top_three: float | None
    top_three_permutation: float | None
    permutation: float
    other_seed: float | None
    initial: float | None
    n_documents: int
    seed_divergence: float | None = None
    uniform_divergence: float | None = None
    n_runs: int | None = None


@dataclass(frozen=True)
class Recovery:
    """Where the attention went that tokens had before they were left out.

    Parameters
    ----------
    share, low, high : float
        Of all the weight that was lost in these documents the share that neighbors gained (tokens
        with which the PPMI of the lost one is above 0), with the interval of 95 % from resampled
        documents. Below 0 when they lost weight too.
    proportional : float
        The share that they would have gained if all weights that are left grew alike.
    n_documents : int
        Those where some of the tokens that are left are neighbors, and not all.
    """

    share: float
    low: float
    high: float
    proportional: float
    n_documents: int


@dataclass(frozen=True)
class Omission:
    """What is lost when one token of a document is left out, or the weights of an attention.

    Parameters
    ----------
    model, kind : str
        "strongest" (the token that the model weighs most), "cue" (the token with the largest
        evidence of naive Bayes for the class), "random" (a token of the frequency band of the cue).
        Of an attention also what is lost with uniform weights, on more documents: "pooling
        weights", "all weights", and "weights of a bag" (a linear model on the sum of token vectors,
        weighted by the pooling before, alike after).
    accuracy_before, accuracy_after : float
    robustness, robustness_low, robustness_high : float or None
        Accuracy after divided by that before, with its interval of 95 % from resampled documents;
        None when nothing was right before.
    delta, delta_low, delta_high : float or None
        Mean change of the log-odds of the predicted class, with its interval; below 0 the token was
        needed. None for "weights of a bag": two models that were fitted apart have no scale of
        log-odds in common, and the class that one of them says is that for which it happens to err
        upwards.
    n_documents : int
    recovery : Recovery or None
        Of a token that an attention weighed.
    n_runs : int or None
        Explained runs; None in a report that does not tell.
    """

    model: str
    kind: str
    accuracy_before: float
    accuracy_after: float
    robustness: float | None
    robustness_low: float | None
    robustness_high: float | None
    delta: float | None
    delta_low: float | None
    delta_high: float | None
    n_documents: int
    recovery: Recovery | None = None
    n_runs: int | None = None
