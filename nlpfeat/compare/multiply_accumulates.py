"""How many multiplications, each with its addition, a model needs for a document.

Only products of matrices are counted. What is done element by element (activations, norms, softmax,
idf, the counting itself) is not: it grows with the numbers, not with their products.
"""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from nlpfeat.classifiers._network_classifier import NetworkClassifier
from nlpfeat.compare.fitted_parts import fitted_parts
from nlpfeat.compare.opened_networks import OpenedNetwork, open_network
from nlpfeat.features.lda import LdaTransformer
from nlpfeat.features.pmi_vectorizer import PmiVectorizer
from nlpfeat.priors.topic import TopicPrior
from nlpfeat.text.normalization import Normalization


def multiply_accumulates(estimator: Any, document: Sequence[str]) -> int | None:
    """Return the multiply-accumulate operations of a model for one document.

    Parameters
    ----------
    estimator : object
        Fitted.
    document : sequence of str
        Its tokens.

    Returns
    -------
    int or None
        Of a network: the products of matrices of its layers, as they are computed for this
        document alone, and the features of wide parts times classes. Of a pipeline that ends in a
        linear classifier: the features of the document that are not 0, times the rows of
        coefficients (the classes; one for two of them); with vectors of terms also the numbers of
        the vectors of its terms. None for any other model, and wherever topics take part, also as
        a prior: they are inferred in steps whose number is not known.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import LinearSVC
    >>> from nlpfeat import BagOfWordsVectorizer
    >>> model = make_pipeline(BagOfWordsVectorizer(), LinearSVC(random_state=0))
    >>> model = model.fit([["好"], ["坏"], ["冷"]], ["正", "负", "天"])
    >>> multiply_accumulates(model, ["好", "好", "坏", "茶"])
    6
    """
    if isinstance(estimator, NetworkClassifier):
        return _of_network(estimator, document)
    if not isinstance(estimator, Pipeline) or not hasattr(estimator[-1], "coef_"):
        return None
    parts = list(fitted_parts(estimator))
    if any(isinstance(each, LdaTransformer) for each in parts):
        return None
    n_features = _n_values(estimator[:-1].transform([list(document)]))
    total = n_features * len(np.atleast_2d(estimator[-1].coef_))
    for part in parts:
        if isinstance(part, PmiVectorizer):
            total += _n_values(_known_vectors(part, document))
    return total


def _known_vectors(vectorizer: PmiVectorizer, document: Sequence[str]) -> Any:
    """Return the vectors of the terms of a document that have one."""
    terms = set(Normalization().terms(list(document)))
    return vectorizer.term_vectors_[
        [row for row, term in enumerate(vectorizer.terms_) if term in terms]
    ]


def _n_values(values: Any) -> int:
    """Return how many numbers of an array or a sparse matrix are not 0."""
    return int(values.nnz if hasattr(values, "nnz") else np.count_nonzero(values))


def _of_network(classifier: NetworkClassifier, document: Sequence[str]) -> int | None:
    priors = classifier._learned_priors()
    if any(isinstance(each.prior, TopicPrior) for each in priors):
        return None
    opened = open_network(classifier, [document])
    total = _of_products(opened) + _of_wide_parts(opened, len(classifier.classes_))
    for prior in priors:
        if prior.expert is not None:
            of_expert = multiply_accumulates(prior.expert, document)
            if of_expert is None:
                return None
            total += of_expert
    return total


def _of_products(opened: OpenedNetwork) -> int:
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    from nlpfeat.classifiers._network import Network

    # A fused kernel, of attention or of an LSTM, hides its products.
    steps = {"path": "explicit"} if isinstance(opened.network, Network) else {}
    (batch,) = opened.batches.batches(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of oneDNN, about GPUs
        with (
            torch.backends.mkldnn.flags(enabled=False),
            torch.enable_grad(),  # the counter watches gradients too
            FlopCounterMode(display=False) as counter,
        ):
            opened.network(batch.to(opened.device), **steps)
    return int(counter.get_total_flops()) // 2


def _of_wide_parts(opened: OpenedNetwork, n_classes: int) -> int:
    (batch,) = opened.batches.batches(1)
    tables = [each.indices for each in batch.priors if each.indices is not None]
    return sum(len(indices) for indices in tables) * n_classes
