"""Pair at a distance: two words far apart that must agree."""

from nlpfeat.datasets.phenomena.lexicon import PEOPLE, asides
from nlpfeat.datasets.phenomena.phenomenon import (
    TOPICS_THAT_MEET,
    Ceiling,
    Item,
    Phenomenon,
    words,
    write,
)
from nlpfeat.datasets.phenomena.sampling import Draw

_RIGHT, _WRONG = "带对", "带错"

#: What the sky brings, and what one takes along for it.
_WET = (words("小雨 大雨 阵雨 雷雨"), words("雨衣 雨靴 蓑衣"))
_SUNNY = (words("烈日 骄阳 艳阳 高温"), words("草帽 墨镜 防晒霜"))
_DAYS = words("今天 明天 后天 下午 上午 午后 下周 当天 近日")
_FORECASTS = (
    "天气预报 说 {day} 有 {sky}",
    "电视 里 说 {day} 会 有 {sky}",
    "大家 都 说 {day} 有 {sky}",
)


def _group(draw: Draw) -> tuple[Item, ...]:
    forecast, day = draw.one(_FORECASTS), draw.one(draw.own(_DAYS))
    between = " ， ".join(asides(draw, draw.number(1, 3)))
    person = draw.one(draw.own(PEOPLE))
    skies, things = zip(*((draw.one(sky), draw.one(gear)) for sky, gear in (_WET, _SUNNY)))

    def text(sky: str, thing: str) -> Item:
        is_right = skies.index(sky) == things.index(thing)
        spaced = (
            f"{forecast.format(day=day, sky=sky)} 。 {between} 。 {person} 出门 带上 {thing} 。"
        )
        return write(spaced, _RIGHT if is_right else _WRONG, sky, thing)

    return tuple(text(sky, thing) for sky in skies for thing in things)


_EITHER = "each word goes with both labels equally often, and only the two together tell"

DISTANT_PAIR = Phenomenon(
    name="distant_pair",
    title="远距离配对",
    description="A forecast of rain or sun, one to three neutral clauses, and what somebody takes "
    "along. The label says whether it suits the forecast (小雨 … 雨衣) or not (小雨 … 草帽).",
    asks="the agreement of two words that stand far apart",
    labels=(_RIGHT, _WRONG),
    ceilings={
        "bag": Ceiling(0.5, _EITHER),
        "positional": Ceiling(0.5, _EITHER),
        "bigrams": Ceiling(0.5, "no pair of neighbors holds both words"),
        "trigrams": Ceiling(0.5, "no three neighbors hold both words"),
        "attention": Ceiling(1.0, "the text says it"),
        "topics": Ceiling(1.0, TOPICS_THAT_MEET),
    },
    grammar=_group,
    group_size=4,
)
