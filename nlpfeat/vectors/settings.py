"""How word vectors are learned."""

from dataclasses import dataclass, field, replace

from nlpfeat._validation import check_int, check_real
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.errors import InvalidParameterError

_HIGHEST_SEED = (1 << 32) - 1


@dataclass(frozen=True)
class EmbeddingSettings:
    """What :func:`nlpfeat.vectors.embedding.embed_spool` learns, and how.

    Parameters
    ----------
    n_components : int, default 300
        Dimensions; at most as many as there are terms and, for ``"svd"``, contexts.
    method : {"svd", "word2vec"}, default "svd"
        Factorized PPMI, or word2vec's skip-gram.
    counting : CountingSettings
        What counts as near. word2vec takes ``window`` and ``scope`` from it.
    smoothing : float, default 0.75
        Exponent of the context distribution, above 0 and at most 1. For ``"svd"``.
    shift : float, default 1.0
        k of PPMI, above 0; 1 is none. For ``"svd"``.
    exponent : float, default 0.0
        p of U Σ^p, from 0 to 1. For ``"svd"``.
    context_weight : float, default 0.0
        How much of the context vector V Σ^p is added, not negative; 1 is "w + c". For ``"svd"``.
    max_contexts : int, default 10,000
        So many of the most frequent terms serve as contexts and are factorized; the others are
        folded in. For ``"svd"``.
    epochs : int, default 5
        How often the text is read. For ``"word2vec"``.
    negative : int, default 5
        Words drawn against each pair. For ``"word2vec"``.
    seed : int, default 0
        From 0 to 2^32 - 1; what is drawn at the start.
    """

    n_components: int = 300
    method: str = "svd"
    counting: CountingSettings = field(default_factory=CountingSettings)
    smoothing: float = 0.75
    shift: float = 1.0
    exponent: float = 0.0
    context_weight: float = 0.0
    max_contexts: int = 10_000
    epochs: int = 5
    negative: int = 5
    seed: int = 0

    def validate(self) -> "EmbeddingSettings":
        """Return these settings, with plain numbers, when each is in its range.

        Raises
        ------
        InvalidParameterError
            Naming the parameter and the remedy. The method is looked up where it is used.
        """
        counting = self.counting.validate()
        if self.method == "word2vec" and (counting.window == "all" or counting.counting != "pairs"):
            raise InvalidParameterError(
                "method='word2vec' needs a window of so many tokens on each side. "
                f"Got window={counting.window!r} and counting={counting.counting!r}: give a "
                "number, or choose method='svd'."
            )
        seed = check_int(self.seed, "seed", minimum=0)
        if seed > _HIGHEST_SEED:
            raise InvalidParameterError(f"seed must be at most {_HIGHEST_SEED}. Got {seed}.")
        return replace(
            self,
            counting=counting,
            n_components=check_int(self.n_components, "n_components", minimum=1),
            smoothing=check_real(self.smoothing, "smoothing", above=0.0, at_most=1.0),
            shift=check_real(self.shift, "shift", above=0.0),
            exponent=_check_from_zero(self.exponent, "exponent", at_most=1.0),
            context_weight=_check_from_zero(self.context_weight, "context_weight"),
            max_contexts=check_int(self.max_contexts, "max_contexts", minimum=1),
            epochs=check_int(self.epochs, "epochs", minimum=1),
            negative=check_int(self.negative, "negative", minimum=1),
            seed=seed,
        )

    def fitting(self, n_terms: int) -> "EmbeddingSettings":
        """Return the settings with no more dimensions than terms and, for ``"svd"``, contexts.

        Examples
        --------
        >>> EmbeddingSettings(max_contexts=100).fitting(5000).n_components
        100
        """
        most = min(n_terms, self.max_contexts) if self.method == "svd" else n_terms
        return replace(self, n_components=min(self.n_components, most))


def _check_from_zero(value: object, parameter: str, *, at_most: float | None = None) -> float:
    bound = "" if at_most is None else f" and at most {at_most:g}"
    number = check_real(value, parameter)
    if number < 0 or (at_most is not None and number > at_most):
        raise InvalidParameterError(f"{parameter} must be at least 0{bound}. Got {value!r}.")
    return number
