"""Where tokens stand: one file a kind of position, one row of ``POSITIONS`` each."""

from nlpfeat.attention.positions.absolute import AbsolutePosition
from nlpfeat.attention.positions.alibi import AlibiPosition
from nlpfeat.attention.positions.none import NoPosition
from nlpfeat.attention.positions.position import Position, PositionFunction
from nlpfeat.attention.positions.rope import RopePosition
from nlpfeat.attention.positions.shaw import ShawPosition
from nlpfeat.attention.positions.t5 import T5Position

POSITIONS: dict[str, type[Position]] = {
    "none": NoPosition,
    "absolute": AbsolutePosition,
    "t5": T5Position,
    "shaw": ShawPosition,
    "alibi": AlibiPosition,
    "rope": RopePosition,
}

__all__ = [
    "POSITIONS",
    "AbsolutePosition",
    "AlibiPosition",
    "NoPosition",
    "Position",
    "PositionFunction",
    "RopePosition",
    "ShawPosition",
    "T5Position",
]
