"""Counting: whether a thing happens three times or five times."""

from typing import NamedTuple

from nlpfeat.datasets.phenomena.lexicon import PEOPLE, asides
from nlpfeat.datasets.phenomena.phenomenon import Ceiling, Item, Phenomenon, words, write
from nlpfeat.datasets.phenomena.sampling import Draw

_THREE, _FIVE = "三次", "五次"


class _Record(NamedTuple):
    """A list in which one thing is counted: its heading, its places, the thing, and others."""

    heading: str
    places: tuple[str, ...]
    counted: str
    others: tuple[str, ...]


_RECORDS = (
    _Record(
        "{person} 的 运动 记录",
        words("一号 二号 三号 四号 五号 六号 七号 八号 九号"),
        "跑步",
        words("游泳 爬山 打球 滑冰 骑车 拔河 跳绳 划船 射箭 打拳 做操 散步"),
    ),
    _Record(
        "{person} 的 天气 记录",
        words("一月 二月 三月 四月 五月 六月 七月 八月 九月"),
        "下雨",
        words("刮风 起雾 阴天 打雷 晴天 下霜 多云 降温 转暖 起霾 闷热 凉爽"),
    ),
    _Record(
        "{person} 的 菜单",
        words("初一 初二 初三 初四 初五 初六 初七 初八 初九"),
        "春卷",
        words("锅贴 麻花 凉粉 煎饼 米糕 烧麦 肉饼 花卷 麻团 炒饭 泡菜 排骨"),
    ),
)


def _group(draw: Draw) -> tuple[Item, ...]:
    record = draw.one(_RECORDS)
    another, once = draw.some(record.others, 2)
    heading = record.heading.format(person=draw.one(draw.own(PEOPLE)))
    closing = draw.one((f" {asides(draw, 1)[0]} 。", ""))
    places = draw.shuffled(range(len(record.places)))
    three, five = frozenset(places[:3]), frozenset(places[3:8])

    def text(counted: frozenset[int], rest: frozenset[int], label: str) -> Item:
        entries = " ， ".join(
            f"{place} {_deed(index, counted, rest, (record.counted, another, once))}"
            for index, place in enumerate(record.places)
        )
        cue = [record.counted] * len(counted)
        return write(f"{heading} ： {entries} 。{closing}", label, *cue)

    return text(three, five, _THREE), text(five, three, _FIVE)


def _deed(
    index: int, counted: frozenset[int], rest: frozenset[int], deeds: tuple[str, str, str]
) -> str:
    """Return what stands at a place: the thing that counts, the other one, or the single one."""
    return deeds[0] if index in counted else deeds[1] if index in rest else deeds[2]


COUNTING_THREE_FIVE = Phenomenon(
    name="counting_three_five",
    title="三次还是五次",
    description="A list of nine entries; in one text the thing that counts stands three times and "
    "another thing five times, in its twin the other way round. Which words occur is the same.",
    asks="how often a word occurs, not whether",
    labels=(_THREE, _FIVE),
    ceilings={
        "bag": Ceiling(1.0, "the count of the word; where counts are cut to presence, one half"),
        "positional": Ceiling(1.0, "the sum over the places is the count"),
        "bigrams": Ceiling(1.0, "the counts of single words are among the features"),
        "trigrams": Ceiling(1.0, "the counts of single words are among the features"),
        "attention": Ceiling(
            1.0, "all lists are equally long, so that even a mean tells the count"
        ),
    },
    grammar=_group,
)
