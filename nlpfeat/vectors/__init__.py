"""Word vectors: from counts (PPMI-SVD) or from gensim's word2vec.

``METHODS`` is the catalog, one row a method. :func:`nlpfeat.vectors.embedding.embed_spool` applies
its rows to a corpus.
"""

from nlpfeat.vectors.method import Method, from_counts, from_text

METHODS: dict[str, Method] = {
    "svd": Method(
        from_counts,
        description="PPMI of exact counts, factorized (UΣ^p)",
        options=(
            "window", "scope", "direction", "weighting", "counting",
            "smoothing", "shift", "exponent", "context_weight", "max_contexts",
        ),
    ),
    "word2vec": Method(
        from_text,
        description="skip-gram with negative sampling (gensim)",
        options=("window", "scope", "epochs", "negative"),
    ),
}  # fmt: skip

__all__ = ["METHODS", "Method"]
