"""Ready sets of models."""

SUITES: dict[str, tuple[str, ...]] = {
    "quick": ("word-bow", "word-ngrams", "nbsvm", "attention"),
    "standard": (
        "word-bow", "char-bow", "positional-bow", "word-ngrams", "char-ngrams", "tfidf",
        "surprisal", "nbsvm", "lda", "pmi-vectors", "attention", "attention+expert", "text-cnn",
        "bilstm",
    ),
    "full": (),
    "priors": (
        "nbsvm", "attention",
        "attention+wide", "attention+wide-placebo",
        "attention+expert", "attention+expert-placebo",
        "attention+embedding", "attention+embedding-placebo",
        "attention+key", "attention+key-placebo",
        "attention+pmi", "attention+pmi-placebo",
        "attention+topic", "attention+topic-placebo",
    ),
    "variants": (
        "nbsvm", "attention", "attention-single-head", "attention-grouped",
        "attention-multi-query", "attention-2x8", "attention-16x1", "attention-words",
    ),
}  # fmt: skip
"""Names of models; none stands for all."""
