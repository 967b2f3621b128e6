"""Where tokens stand: one file a kind of position, one row of ``POSITIONS`` each."""

from nlpfeat.attention.positions.absolute import AbsolutePosition
from nlpfeat.attention.positions.alibi import AlibiPosition
from nlpfeat.attention.positions.none import NoPosition
from nlpfeat.attention.positions.position import Position, PositionFunction
from nlpfeat.attention.positions.rope import RopePosition
from nlpfeat.attention.positions.shaw import ShawPosition
from nlpfeat.attention.positions.t5 import T5Position

POSITIONS: dict[str, type[Position]] = {
    position.name: position
    for position in (
        NoPosition,
        AbsolutePosition,
        T5Position,
        ShawPosition,
        AlibiPosition,
        RopePosition,
    )
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
