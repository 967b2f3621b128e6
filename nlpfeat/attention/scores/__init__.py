"""Scores: how well a query fits a key. ``SCORES`` is the catalog, one row a score."""

from nlpfeat.attention.scores.additive import AdditiveScore
from nlpfeat.attention.scores.bilinear import BilinearScore
from nlpfeat.attention.scores.cosine import CosineScore
from nlpfeat.attention.scores.dot import DotScore
from nlpfeat.attention.scores.multidim import MultiDimScore
from nlpfeat.attention.scores.score import Score, ScoreFunction

SCORES: dict[str, type[Score]] = {
    "dot": DotScore,
    "bilinear": BilinearScore,
    "additive": AdditiveScore,
    "multidim": MultiDimScore,
    "cosine": CosineScore,
}

__all__ = [
    "SCORES",
    "AdditiveScore",
    "BilinearScore",
    "CosineScore",
    "DotScore",
    "MultiDimScore",
    "Score",
    "ScoreFunction",
]
