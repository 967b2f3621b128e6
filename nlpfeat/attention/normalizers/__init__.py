"""Normalizers: from scores to weights. ``NORMALIZERS`` is the catalog, one row a normalizer."""

from nlpfeat.attention.normalizers.capsule import Capsule
from nlpfeat.attention.normalizers.dual import Dual
from nlpfeat.attention.normalizers.entmax15 import Entmax15
from nlpfeat.attention.normalizers.normalizer import Normalizer
from nlpfeat.attention.normalizers.sinkhorn import Sinkhorn
from nlpfeat.attention.normalizers.softmax import Softmax
from nlpfeat.attention.normalizers.sparsemax import Sparsemax

NORMALIZERS: dict[str, type[Normalizer]] = {
    "softmax": Softmax,
    "capsule": Capsule,
    "sinkhorn": Sinkhorn,
    "dual": Dual,
    "sparsemax": Sparsemax,
    "entmax15": Entmax15,
}

__all__ = [
    "NORMALIZERS",
    "Capsule",
    "Dual",
    "Entmax15",
    "Normalizer",
    "Sinkhorn",
    "Softmax",
    "Sparsemax",
]
