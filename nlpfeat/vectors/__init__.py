"""Word vectors: from counts (PPMI-SVD) or from gensim's word2vec.

``METHODS`` is the catalog, one row a method. :func:`nlpfeat.vectors.embedding.embed_spool` applies
its rows to a corpus, and :func:`nlpfeat.vectors.embedding.embed_counts` those that need no text to
counts.
"""

from nlpfeat.vectors.method import Method
from nlpfeat.vectors.ppmi_svd import ppmi_svd
from nlpfeat.vectors.word2vec import word2vec

METHODS: dict[str, Method] = {
    "svd": Method(
        ppmi_svd,
        takes_counts=True,
        description="PPMI of exact counts, factorized (UΣ^p)",
        options=(
            "window", "scope", "direction", "weighting", "counting",
            "smoothing", "shift", "exponent", "context_weight", "max_contexts",
        ),
    ),
    "word2vec": Method(
        word2vec,
        takes_counts=False,
        description="skip-gram with negative sampling (gensim)",
        options=("window", "scope", "epochs", "negative"),
    ),
}  # fmt: skip

__all__ = ["METHODS", "Method"]
