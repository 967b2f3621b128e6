"""A classifier of texts that attends: trained with torch, used like any other of scikit-learn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from sklearn.utils.validation import check_is_fitted

from nlpfeat._typing import Float32Array
from nlpfeat.classifiers._kept_networks import network_and_device
from nlpfeat.classifiers._learned_priors import LearnedPrior
from nlpfeat.classifiers._network_classifier import NetworkClassifier
from nlpfeat.classifiers._prior_strengths import part_weights_of, prior_strengths_of
from nlpfeat.classifiers._settings import attention_parts, checked_priors
from nlpfeat.classifiers.document_attention import DocumentAttention
from nlpfeat.priors.prior import Prior
from nlpfeat.text.batches import Documents

if TYPE_CHECKING:
    from nlpfeat.attention.normalizers import Normalizer
    from nlpfeat.attention.positions import Position
    from nlpfeat.attention.scores import Score
    from nlpfeat.classifiers._architecture import Architecture
    from nlpfeat.classifiers._fitting import Learned
    from nlpfeat.classifiers._network import Network


@dataclass(kw_only=True, eq=False, repr=False)
class AttentionClassifier(NetworkClassifier):
    """Documents → class: layers of attention over characters or words, and classical priors.

    Tokens become vectors; in each layer every token takes from all others what its attention
    weights say; learned queries put the tokens of a document together; a linear layer gives the
    log-scores of the classes. It is trained from nothing on the documents of ``fit``, so it is at
    its best with tens of thousands of them; with fewer, priors help.

    ``fit`` and all that follows needs the extra ``attention`` (torch).

    Parameters
    ----------
    unit : {"char", "word"}, default "char"
        What tokens are. Characters need no segmenter: of a token list, they are those of its
        tokens put together.
    attention_score : str or Score, default "dot"
        How well a key answers a query: "dot", "bilinear", "additive", "multidim", "cosine". (Not
        ``score``: that is the method.)
    position : str or Position, default "absolute"
        What a pair of tokens knows of its places: "none", "absolute", "t5", "shaw", "alibi",
        "rope".
    normalizer : str or Normalizer, default "softmax"
        How scores become weights: "softmax", "capsule", "sinkhorn", "dual", "sparsemax",
        "entmax15".
    n_layers : int, default 2
        At least 0: the tokens are then pooled as they are.
    d_model : int, default 128
        Width of the vector of a token.
    n_heads : int, default 4
    n_kv_heads : int, default None
        Heads of keys and values: None is ``n_heads``, 1 is multi-query attention.
    d_head : int, default None
        Width of a head; None is ``d_model`` divided by ``n_heads``.
    n_queries : int, default 4
        Learned queries that put the tokens together.
    priors : sequence of Prior or str, default ()
        Classical features that take part, from ``nlpfeat.priors``, such as ``WidePrior()`` or
        ``"wide"``. They are fitted on the training documents alone; a generator is refused.
    dropout : float, default 0.4
        Share of numbers that are dropped in training, at least 0 and below 1.
    token_dropout : float, default 0.2
        Share of tokens that are hidden in training.
    learning_rate : float, default 1.5e-3
        The highest one: it rises to it, then falls to 0.
    weight_decay : float, default 0.01
        Of the matrices, as in AdamW.
    warmup : float, default 0.1
        Share of the training in which the learning rate rises, at least 0 and below 1.
    label_smoothing : float, default None
        Share of each target that goes to all classes alike, so that attention is not too sure of
        itself. None is 0.1, and 0 where a prior adds log-scores: those are calibrated, and targets
        that are less than sure would undo it.
    averaging : float, default 0.1
        Keep the mean of the weights over about the last steps, this share of them all; None keeps
        the last.
    batch_size : int, default 64
        Documents of a step.
    max_epochs : int, default 8
        How often each document is learned from, at most.
    patience : int, default None
        End after so many epochs in a row that were no better on the validation part. None trains
        all epochs.
    validation_fraction : float, default 0.0
        Share of the documents that are not learned from, of each class in proportion, to tell
        which epoch is best: the one with the highest accuracy, of equals the one with the least
        loss. A class that was seen once is learned from. With 0 the last epoch is kept.
    calibration_fraction : float, default None
        Share of the documents that attention does not learn from, though priors do, to tell how
        much attention, the wide part and each expert count in the log-scores. None is a tenth, at
        most 2,000 documents, when a prior adds log-scores, and else 0; without one it can be set
        to make probabilities honest (temperature scaling). With 0 all parts count as in training.
    class_weight : mapping of class to float, "balanced" or None, default None
        How much an error counts in a class (1 when a mapping does not name it). "balanced": all
        classes count alike.
    min_df : int or float, default 2
        Tokens in fewer documents are unknown ones, which have one vector together. An integer is a
        number of documents, a float from 0 to 1 a share of them.
    max_length : int, default 256
        Tokens of a document that are read; of a longer one the first, with a warning.
    device : str, default "auto"
        Where torch works: "cpu", "cuda", "mps"; "auto" takes the fastest that is there.
    random_state : int, RandomState or None, default None
        What is drawn. An integer makes the result the same each time, on one device with as many
        threads.
    verbose : bool, default False
        Whether a bar on stderr shows how far the training is, where that is a terminal. The log of
        ``nlpfeat.classifiers._training`` has a line for each epoch in any case.
    segmenter : {"jieba", "char", "whitespace"}, Segmenter or callable, default "jieba"
        Cuts texts into words, for ``unit="word"`` and for priors that speak of words.
    stop_words : iterable of str, path of a file with one word a line, or None
        Tokens that are not seen; the others stay at their places.
    lowercase, fold_width : bool, default True
        Whether upper case, and full-width letters and digits, make no difference.
    keep_punctuation : bool, default True
        Whether punctuation is seen. Short texts are told apart by it: 《》 stand in film news.
    n_jobs : int, default None
        Processes that segment; -1 takes all processors. The result is the same.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted.
    vocabulary_ : dict of str to int
        The number of each token that is known.
    priors_ : list
        Each prior with what it has learned.
    part_weights_ : dict of str to float
        How much "attention" and each prior that adds log-scores count in prediction.
    prior_strengths_ : list of ndarray of float32, or None
        What the strengths of each prior became: (rows, ``n_heads``) for a bias of scores, with a
        row for the layers (or for each of them) and then one for the pooling, where the prior acts
        on these; (1,) or (C,) for an expert; () for a token of topics; None where there is none.
    history_ : list of dict
        For each epoch: ``epoch``, ``training_loss``, ``validation_loss`` and
        ``validation_accuracy`` (None without a validation part), ``learning_rate`` (at its end)
        and ``seconds`` (in the classifier that was fitted alone: neither files nor pickles nor deep
        copies keep them, so that equal classifiers are equal there).
    n_parameters_ : dict of str to int
        How many numbers are trained: "total", "non_embedding" (all but the vectors of tokens), and
        "priors" (those of them that priors brought). What a prior keeps frozen is not among them.
    n_iter_ : int
        Epochs that were trained.
    best_epoch_ : int
        The epoch whose weights are kept, from 1.
    stop_words_ : tuple of str
        The stop words as ``fit`` read them.

    Notes
    -----
    A parameter that is set after ``fit`` acts in the next ``fit``, but for ``device``, ``n_jobs``
    and ``verbose``.

    A document gets the same probabilities alone and in any batch, to about 1e-6. An empty one gets
    those that the classifier gives to a document without tokens: finite, and equal each time.

    A training that is interrupted (Ctrl-C) keeps the best epoch so far, with a warning; while the
    parts are weighed after it, it keeps the training, and all parts count 1.

    Sources: Vaswani et al. (2017); Lin et al. (2017) for pooling by learned queries; Loshchilov and
    Hutter (2019) for AdamW.

    Examples
    --------
    >>> texts = ["房间很干净", "早餐好吃", "房间太脏", "早餐难吃"] * 8
    >>> classifier = AttentionClassifier(d_model=16, max_epochs=40, learning_rate=0.01,
    ...                                  batch_size=8, random_state=0)
    >>> classifier = classifier.fit(texts, ["好评", "好评", "差评", "差评"] * 8)
    >>> classifier.predict(["房间干净", "太脏"]).tolist()
    ['好评', '差评']
    >>> classifier.attention_weights(["房间干净"])[0].tokens
    ['房', '间', '干', '净']
    """

    attention_score: "str | Score" = "dot"
    position: "str | Position" = "absolute"
    normalizer: "str | Normalizer" = "softmax"
    n_layers: int = 2
    n_heads: int = 4
    n_kv_heads: int | None = None
    d_head: int | None = None
    n_queries: int = 4
    priors: Sequence[Prior | str] = ()

    def attention_weights(self, documents: Documents) -> list[DocumentAttention]:
        """Return where each head looked in each document.

        Parameters
        ----------
        documents : Corpus, or iterable of texts or token lists
            Not too many: for each, ``n_layers`` · ``n_heads`` · length² numbers are returned.

        Returns
        -------
        list of DocumentAttention
            The tokens of each document, with the weights of each layer and of the pooling.

        Raises
        ------
        InvalidInputError
            For documents that cannot be used.
        """
        network, device = network_and_device(self)
        from nlpfeat.classifiers._predicting import attentions

        read, tokens = self._reading().read_with_tokens(documents, self._vocabulary)
        return attentions(cast("Network", network), self._batches(read), tokens, device)

    @property
    def part_weights_(self) -> dict[str, float]:
        """How much attention, and each prior that adds log-scores, counts in prediction."""
        check_is_fitted(self)
        return part_weights_of(self._weights, self.priors_)

    @property
    def prior_strengths_(self) -> list[Float32Array | None]:
        """What the strengths of each prior became, by layer and head."""
        check_is_fitted(self)
        return prior_strengths_of(self._weights, self.priors_)

    def _architecture(self) -> "Architecture":
        from nlpfeat.classifiers._attention_architecture import ATTENTION

        return ATTENTION

    def _network_parts(self) -> dict[str, Any]:
        return attention_parts(self)

    def _checked_priors(self) -> list[Prior]:
        return checked_priors(self.priors)

    def _learned_priors(self) -> list[LearnedPrior]:
        return self.priors_

    def _keep(self, learned: "Learned") -> None:
        super()._keep(learned)
        self.priors_: list[LearnedPrior] = learned.priors
