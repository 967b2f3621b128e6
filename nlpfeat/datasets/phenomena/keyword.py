"""Keyword: one word says it all."""

from nlpfeat.datasets.phenomena.lexicon import DISHES, asides
from nlpfeat.datasets.phenomena.phenomenon import Ceiling, Item, Phenomenon, words, write
from nlpfeat.datasets.phenomena.sampling import Draw

_GOOD, _BAD = "好评", "差评"

_EATERIES = words(
    "餐厅 酒楼 小吃店 夜市 快餐店 酒馆 大排档 火锅店 餐馆 酒店 茶楼 饭店 旅馆 客栈 茶餐厅"
)
_PRAISE = words("美味 可口 鲜美 爽口 入味 地道 正宗 香甜")
_BLAME = words("难吃 油腻 寡淡 乏味 腥臭 难闻 苦涩 恶心")
_FRAMES = (
    "{eatery} 的 {dish} 十分 {word}",
    "{eatery} 卖 的 {dish} 实在 {word}",
    "{eatery} 新 做 的 {dish} 特别 {word}",
    "大家 都 说 {eatery} 的 {dish} {word}",
)
_PLACES = (
    "{opinion} ， {before} 。",
    "{before} ， {opinion} 。",
    "{before} 。 {opinion} ， {after} 。",
)


def _group(draw: Draw) -> tuple[Item, ...]:
    eatery, dish = draw.one(draw.own(_EATERIES)), draw.one(draw.own(DISHES))
    frame, place = draw.one(_FRAMES), draw.one(_PLACES)
    before, after = asides(draw, 2)

    def text(word: str, label: str) -> Item:
        opinion = frame.format(eatery=eatery, dish=dish, word=word)
        return write(place.format(opinion=opinion, before=before, after=after), label, word)

    return text(draw.one(_PRAISE), _GOOD), text(draw.one(_BLAME), _BAD)


_SEEN = "each opinion word belongs to one label"

KEYWORD = Phenomenon(
    name="keyword",
    title="关键字",
    description="A remark on food; the label says whether the one opinion word in it praises "
    "(餐馆的饺子十分美味) or blames (餐馆的饺子十分难吃).",
    asks="whether a word is there",
    labels=(_GOOD, _BAD),
    ceilings={
        "bag": Ceiling(1.0, _SEEN),
        "positional": Ceiling(1.0, _SEEN + ", wherever it stands"),
        "bigrams": Ceiling(1.0, _SEEN),
        "trigrams": Ceiling(1.0, _SEEN),
        "attention": Ceiling(1.0, _SEEN),
    },
    grammar=_group,
)
