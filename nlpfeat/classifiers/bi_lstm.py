"""A classifier of texts that reads in both directions: what attention is to be compared with."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nlpfeat._names import lookup
from nlpfeat.classifiers._network_classifier import NetworkClassifier
from nlpfeat.classifiers._settings import (
    MOST_LAYERS,
    MOST_WIDE,
    POOLINGS,
    baseline_parts,
    checked_size,
)

if TYPE_CHECKING:
    from nlpfeat.classifiers._architecture import Architecture


@dataclass(kw_only=True, eq=False, repr=False)
class BiLstmBaseline(NetworkClassifier):
    """Documents → class: an LSTM reads the tokens from both ends, and its states are pooled.

    The state at a token depends on all that stands before it in one direction, and behind it in
    the other. It is read, trained, and saved as ``AttentionClassifier`` is, with the same budget
    and seeds, for comparisons on equal terms.

    ``fit`` and all that follows needs the extra ``attention`` (torch).

    Parameters
    ----------
    d_hidden : int, default 150
        Width of the state of one direction.
    n_layers : int, default 1
        At least 1; each reads the states of both directions of the one before.
    pooling : {"max", "last"}, default "max"
        How the states become one: the highest of each number over all tokens, or the state of each
        direction where it ends.
    d_model : int, default 128
        Width of the vector of a token.
    dropout : float, default 0.4
        Share of numbers that are dropped in training, of the vectors of tokens, between layers,
        and of what is pooled; at least 0 and below 1.
    calibration_fraction : float, default None
        Share of the documents that are not learned from, to make probabilities honest (temperature
        scaling). None is 0.
    label_smoothing : float, default None
        Share of each target that goes to all classes alike. None is 0.1.
    unit, token_dropout, learning_rate, weight_decay, warmup, averaging, batch_size, max_epochs, \
patience, validation_fraction, class_weight, min_df, max_length, device, random_state, verbose, \
segmenter, stop_words, lowercase, fold_width, keep_punctuation, n_jobs
        As in ``AttentionClassifier``, with the same defaults.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    n_parameters_ : dict of str to int
        How many numbers are trained: "total", and "non_embedding" (all but the vectors of tokens);
        "priors" is 0.
    vocabulary_, history_, n_iter_, best_epoch_, stop_words_
        As in ``AttentionClassifier``.

    Notes
    -----
    With V known tokens and C classes there are (V + 2) · d_model + 8 · d_hidden · (d_model +
    d_hidden + 2) + (2 · d_hidden + 1) · C numbers, and 8 · d_hidden · (3 · d_hidden + 2) for each
    further layer; by default, for ten classes, 339,010 beside the vectors of tokens, where
    ``AttentionClassifier`` has 351,754.

    What is padded is not read. A document gets the same probabilities alone and in any batch, to
    about 1e-6. An empty one has zeros where states would be.

    Sources: Hochreiter and Schmidhuber (1997) for the cell; Graves and Schmidhuber (2005) for both
    directions; Conneau et al. (2017) for the maximum over states.

    Examples
    --------
    >>> texts = ["房间很干净", "早餐好吃", "房间太脏", "早餐难吃"] * 8
    >>> classifier = BiLstmBaseline(d_model=16, d_hidden=8, max_epochs=40, learning_rate=0.01,
    ...                             batch_size=8, random_state=0)
    >>> classifier = classifier.fit(texts, ["好评", "好评", "差评", "差评"] * 8)
    >>> classifier.predict(["房间干净", "太脏"]).tolist()
    ['好评', '差评']
    """

    d_hidden: int = 150
    n_layers: int = 1
    pooling: str = "max"

    def _architecture(self) -> "Architecture":
        from nlpfeat.classifiers._bi_lstm import BI_LSTM

        return BI_LSTM

    def _network_parts(self) -> dict[str, Any]:
        lookup(POOLINGS, self.pooling, "pooling")
        return {
            **baseline_parts(self),
            "d_hidden": checked_size(self.d_hidden, "d_hidden", MOST_WIDE),
            "n_layers": checked_size(self.n_layers, "n_layers", MOST_LAYERS),
            "pooling": self.pooling,
        }
