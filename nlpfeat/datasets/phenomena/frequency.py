"""Frequency: both words are there, and the one that comes more often wins."""

from nlpfeat.datasets.phenomena.lexicon import PEOPLE, TIMES, aside
from nlpfeat.datasets.phenomena.phenomenon import Ceiling, Item, Phenomenon, words, write
from nlpfeat.datasets.phenomena.sampling import Draw

_YES, _NO = "通过", "否决"

_PLANS = words("修路 架桥 种树 搬家 旅行 聚餐 装修 停工 涨价 降价 换班 放假")
_OPENINGS = (
    "{time} 大家 商量 {plan}",
    "{time} 大家 表决 {plan} 方案",
    "{time} 大家 讨论 {plan} 的 事",
)
#: How many votes the winner and the loser get.
_RESULTS = ((2, 1), (3, 1), (3, 2), (4, 2), (4, 3))


def _group(draw: Draw) -> tuple[Item, ...]:
    n_more, n_fewer = draw.one(_RESULTS)
    time, plan = draw.one(draw.own(TIMES)), draw.one(draw.own(_PLANS))
    opening = draw.one(_OPENINGS).format(time=time, plan=plan)
    voters = draw.some(draw.own(PEOPLE), n_more + n_fewer)
    wins = draw.shuffled([True] * n_more + [False] * n_fewer)
    last = aside(draw)

    def text(winner: str, loser: str, label: str) -> Item:
        cast = [winner if is_winner else loser for is_winner in wins]
        votes = " ， ".join(f"{voter} {vote}" for voter, vote in zip(voters, cast))
        return write(f"{opening} ， {votes} 。 {last} 。", label, *cast)

    return text("赞成", "反对", _YES), text("反对", "赞成", _NO)


_COUNTED = "the difference of two counts is a linear function of them"

FREQUENCY = Phenomenon(
    name="frequency",
    title="频率",
    description="A vote of three to seven people; the label says whether 赞成 (for) or 反对 "
    "(against) comes more often. Both always occur.",
    asks="how often words occur, not whether",
    labels=(_YES, _NO),
    ceilings={
        "bag": Ceiling(1.0, _COUNTED),
        "positional": Ceiling(1.0, _COUNTED + ", summed over the places"),
        "bigrams": Ceiling(1.0, _COUNTED),
        "trigrams": Ceiling(1.0, _COUNTED),
        "attention": Ceiling(1.0, "the text says it"),
    },
    grammar=_group,
)
