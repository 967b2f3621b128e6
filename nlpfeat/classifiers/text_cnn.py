"""A classifier of texts by convolutions over tokens: what attention is to be compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nlpfeat.classifiers._network_classifier import NetworkClassifier
from nlpfeat.classifiers._settings import (
    MOST_WIDE,
    baseline_parts,
    checked_size,
    checked_widths,
)

if TYPE_CHECKING:
    from nlpfeat.classifiers._architecture import Architecture


@dataclass(kw_only=True, eq=False, repr=False)
class TextCnnBaseline(NetworkClassifier):
    """Documents → class: filters over windows of tokens, and the maximum of each.

    A filter is a pattern of a few tokens in a row, as an n-gram is, but of their vectors: tokens
    that are alike fit the same pattern. Of each filter the best fit in the document counts,
    wherever it stands. It is read, trained, and saved as ``AttentionClassifier`` is, with the same
    budget and seeds, for comparisons on equal terms.

    ``fit`` and all that follows needs the extra ``attention`` (torch).

    Parameters
    ----------
    widths : sequence of int, default (2, 3, 4)
        Tokens that a filter sees, each from 1 to 1,024, all different.
    n_filters : int, default 300
        Filters of each width.
    d_model : int, default 128
        Width of the vector of a token.
    dropout : float, default 0.4
        Share of numbers that are dropped in training, of the vectors of tokens and of the maxima;
        at least 0 and below 1.
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
    With V known tokens and C classes there are (V + 2) · d_model + Σ_w (w · d_model + 1) ·
    n_filters + (len(widths) · n_filters + 1) · C numbers; by default, for ten classes, 355,510
    beside the vectors of tokens, where ``AttentionClassifier`` has 351,754.

    A window lies wherever it covers a token, so documents may be shorter than any filter. A
    document gets the same probabilities alone and in any batch, to about 1e-6. An empty one gets
    those of a document in which no filter fits.

    Source: Kim (2014), with vectors learned from nothing. There dropout is on the maxima alone, and
    the norms of the head are bounded instead of decayed.

    Examples
    --------
    >>> texts = ["房间很干净", "早餐好吃", "房间太脏", "早餐难吃"] * 8
    >>> classifier = TextCnnBaseline(d_model=16, n_filters=8, max_epochs=40, learning_rate=0.01,
    ...                              batch_size=8, random_state=0)
    >>> classifier = classifier.fit(texts, ["好评", "好评", "差评", "差评"] * 8)
    >>> classifier.predict(["房间干净", "太脏"]).tolist()
    ['好评', '差评']
    """

    widths: Sequence[int] = (2, 3, 4)
    n_filters: int = 300

    def _architecture(self) -> "Architecture":
        from nlpfeat.classifiers._text_cnn import TEXT_CNN

        return TEXT_CNN

    def _network_parts(self) -> dict[str, Any]:
        return {
            **baseline_parts(self),
            "widths": checked_widths(self.widths),
            "n_filters": checked_size(self.n_filters, "n_filters", MOST_WIDE),
        }
