"""Negation: 不 before an opinion word turns it round, and elsewhere it does not."""

from nlpfeat.datasets.phenomena.lexicon import DISHES, HOUSES, PEOPLE, aside
from nlpfeat.datasets.phenomena.phenomenon import Ceiling, Item, Phenomenon, words, write
from nlpfeat.datasets.phenomena.sampling import Draw

_GOOD, _BAD = "好评", "差评"

#: What is spoken of, words for it that neither praise nor blame, that praise, and that blame.
_ASPECTS = (
    (DISHES, words("清淡 常见 复杂 传统 家常"), words("好吃 可口 新鲜"), words("难闻 油腻")),
    (
        PEOPLE,
        words("年轻 健谈 内向 严肃 时髦"),
        words("热情 耐心 友好"),
        words("粗鲁 马虎 冷漠"),
    ),
    (
        HOUSES,
        words("热闹 偏僻 古老 显眼 豪华"),
        words("干净 方便 舒适"),
        words("脏乱 杂乱"),
    ),
)


def _group(draw: Draw) -> tuple[Item, ...]:
    subjects, neutral, praise, blame = draw.one(_ASPECTS)
    subject, other = draw.one(draw.own(subjects)), draw.one(neutral)
    is_praise = bool(draw.number(0, 1))
    opinion = draw.one(praise if is_praise else blame)
    last = aside(draw)

    def text(first: str, second: str, negated: str) -> Item:
        adverbs = ["不" if word == negated else "很" for word in (first, second)]
        spaced = f"{subject} {adverbs[0]} {first} ， {adverbs[1]} {second} ， {last} 。"
        is_good = is_praise != (negated == opinion)
        adverb = "不" if negated == opinion else "很"
        return write(spaced, _GOOD if is_good else _BAD, adverb, opinion)

    return (
        text(other, opinion, other),
        text(other, opinion, opinion),
        text(opinion, other, other),
        text(opinion, other, opinion),
    )


_ADJACENT = "the adverb and the opinion word are neighbors"

NEGATION = Phenomenon(
    name="negation",
    title="否定",
    description="A remark with an opinion word and a neutral word, one after 不 and one after 很: "
    "饺子不清淡，很好吃 praises, and 饺子很清淡，不好吃 blames.",
    asks="which of two words the negation stands before",
    labels=(_GOOD, _BAD),
    ceilings={
        "bag": Ceiling(0.5, "不, 很 and both adjectives are there, whichever is negated"),
        "positional": Ceiling(
            0.5, "the place of 不 says nothing without that of the opinion word, and places add up"
        ),
        "bigrams": Ceiling(1.0, _ADJACENT),
        "trigrams": Ceiling(1.0, _ADJACENT),
        "attention": Ceiling(1.0, "the text says it"),
    },
    grammar=_group,
    group_size=4,
)
