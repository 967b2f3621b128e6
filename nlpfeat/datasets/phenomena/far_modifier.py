"""Modifier far from its head: other modifiers stand in between."""

from nlpfeat.datasets.phenomena.lexicon import PEOPLE, PLACES
from nlpfeat.datasets.phenomena.phenomenon import Ceiling, Item, Phenomenon, write
from nlpfeat.datasets.phenomena.sampling import Draw

_RED, _BLUE = "红盒子", "蓝盒子"

_COLORS = ("红色", "蓝色")
_HEADS = ("盒子", "箱子")
_TRAITS = (
    "边角 圆润",
    "做工 精细",
    "质地 坚硬",
    "结构 简单",
    "样式 新颖",
    "容量 充足",
    "表面 光滑",
    "手感 细腻",
    "底部 结实",
    "内部 干燥",
    "外形 小巧",
    "工艺 复杂",
    "包装 完整",
    "材料 环保",
    "体积 适中",
    "气味 清香",
    "图案 精美",
    "轮廓 清晰",
    "款式 陈旧",
    "形状 方正",
    "重量 适中",
)
_OPENINGS = (
    "{person} 买 了 两样 东西",
    "{person} 收到 两样 东西",
    "{place} 放着 两样 东西",
    "{person} 把 两样 东西 放在 {place}",
)


def _group(draw: Draw) -> tuple[Item, ...]:
    opening = draw.one(_OPENINGS).format(
        person=draw.one(draw.own(PEOPLE)), place=draw.one(draw.own(PLACES))
    )
    n_first, n_second = draw.number(1, 3), draw.number(1, 3)
    traits = draw.some(draw.own(_TRAITS), n_first + n_second)
    listed = " ， ".join(traits[:n_first]), " ， ".join(traits[n_first:])

    def text(colors: tuple[str, ...], heads: tuple[str, ...]) -> Item:
        things = " ， ".join(
            f"一个 {color} ， {between} 的 {head}"
            for color, between, head in zip(colors, listed, heads)
        )
        color = colors[heads.index(_HEADS[0])]
        label = _RED if color == _COLORS[0] else _BLUE
        return write(f"{opening} ， {things} 。", label, color, _HEADS[0])

    return tuple(
        text(colors, heads)
        for colors in (_COLORS, _COLORS[::-1])
        for heads in (_HEADS, _HEADS[::-1])
    )


_FAR = "color and head never stand in one n-gram, and the other color is there too"

FAR_MODIFIER = Phenomenon(
    name="far_modifier",
    title="远距离修饰",
    description="Two things, each with a color, then other modifiers, then its name: 一个红色，表面"
    "光滑的盒子，一个蓝色，做工精细的箱子. The label is the color of the 盒子.",
    asks="which head a modifier belongs to, however far away",
    labels=(_RED, _BLUE),
    ceilings={
        "bag": Ceiling(0.5, "both colors and both heads are there"),
        "positional": Ceiling(
            0.5, "which color comes first says nothing without which head does, and places add up"
        ),
        "bigrams": Ceiling(0.5, _FAR),
        "trigrams": Ceiling(0.5, _FAR),
        "attention": Ceiling(1.0, "a modifier belongs to the first head that follows it"),
    },
    grammar=_group,
    group_size=4,
)
