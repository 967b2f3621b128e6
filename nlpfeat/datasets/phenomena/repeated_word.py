"""Repeated word: whether the same word comes back in the place that counts."""

from nlpfeat.datasets.phenomena.lexicon import PEOPLE, PLACES
from nlpfeat.datasets.phenomena.phenomenon import Ceiling, Item, Phenomenon, words, write
from nlpfeat.datasets.phenomena.sampling import Draw

_SAME, _DIFFERENT = "同一样", "两样"

#: Training asks for two of three of these, the test for the others; all stand in the training
#: texts, in a clause that decides nothing.
_THINGS = words(
    "蜡烛 脸盆 枕套 竹椅 水桶 秤砣 笛子 算盘 砚台 印章 扇子 画框 茶杯 花瓶 地毯 屏风 箩筐 铁锹 "
    "绳子 梯子 灯笼 拐杖 木梳 纽扣 渔网 草帽 马鞍 铃鼓 锦旗 面具"
)
_VERBS = words("借 选 挑 搬 画 捡 送 买 卖 取")
_WHEN = (("上午", "下午"), ("早上", "晚上"), ("上周", "本周"), ("去年", "今年"), ("春天", "秋天"))


def _group(draw: Draw) -> tuple[Item, ...]:
    things = draw.some(draw.own(_THINGS), 4)
    shown = draw.some([thing for thing in _THINGS if thing not in things], 3)
    verb, (then, later) = draw.one(_VERBS), draw.one(_WHEN)
    other, place = draw.one(draw.own(PEOPLE)), draw.one(draw.own(PLACES))
    mine_first = draw.one((True, False))
    display = f"{place} 摆着 {' 、 '.join(shown)}"
    opening, closing = draw.one(((f"{display} 。 ", ""), ("", f" {display} 。")))

    def text(mine: tuple[str, str], others: tuple[str, str]) -> Item:
        told = [
            f"{who} {then} {verb} 了 {first} ， {later} {verb} 了 {second}"
            for who, (first, second) in (("我", mine), (other, others))
        ]
        clauses = " ； ".join(told if mine_first else told[::-1])
        label = _SAME if mine[0] == mine[1] else _DIFFERENT
        return write(f"{opening}{clauses} 。{closing}", label, "我", *mine)

    a, b, c, d = things
    halves = (((a, a), (c, d)), ((b, b), (d, c)), ((a, b), (c, c)), ((b, a), (d, d)))
    return tuple(text(*pairs) for half in halves for pairs in (half, half[::-1]))


_EVEN = "each word stands as often in each place under either label: only equality decides"

REPEATED_WORD = Phenomenon(
    name="repeated_word",
    title="同一样东西",
    description="I and another person deal with two things each; one of us takes the same thing "
    "twice (我上午借了梯子，下午借了梯子). The label says whether that is me. The things of the "
    "test were never asked for in training.",
    asks="that two words are equal, whatever they are",
    labels=(_SAME, _DIFFERENT),
    ceilings={
        "bag": Ceiling(0.5, "each text has a twin with the same bag of words"),
        "positional": Ceiling(0.5, _EVEN),
        "bigrams": Ceiling(0.5, "each text has a twin with the same pairs of neighbors"),
        "trigrams": Ceiling(0.5, "each text has a twin with the same triples of neighbors"),
        "attention": Ceiling(1.0, "the text says it"),
    },
    grammar=_group,
    group_size=8,
)
