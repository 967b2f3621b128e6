"""Attention in torch: every part a slot, every variant of a part a small file.

``SCORES``, ``POSITIONS`` and ``NORMALIZERS`` are the catalogs; an :class:`AttentionSpec` takes one
of each and a layout of heads, and :class:`Attention` is that as a layer. :func:`attend` is the one
place where score, prior, mask and normalizer meet. ``PRESETS`` has the well-known combinations by
name.
"""

from nlpfeat._optional import missing_dependency

try:
    from nlpfeat.attention.functional import attend
except ModuleNotFoundError as error:
    if error.name != "torch":
        raise
    raise missing_dependency("torch", "attention", "nlpfeat.attention") from error
from nlpfeat.attention.module import Attention
from nlpfeat.attention.normalizers import NORMALIZERS
from nlpfeat.attention.output import AttentionOutput, KeyValueCache
from nlpfeat.attention.positions import POSITIONS
from nlpfeat.attention.presets import PRESETS
from nlpfeat.attention.scores import SCORES
from nlpfeat.attention.spec import AttentionSpec

__all__ = [
    "NORMALIZERS",
    "POSITIONS",
    "PRESETS",
    "SCORES",
    "Attention",
    "AttentionOutput",
    "AttentionSpec",
    "KeyValueCache",
    "attend",
]
