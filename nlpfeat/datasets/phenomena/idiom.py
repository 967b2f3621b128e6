"""Idiom: a verb and its object mean together what neither of them means."""

from nlpfeat.datasets.phenomena.lexicon import PEOPLE, asides
from nlpfeat.datasets.phenomena.phenomenon import Ceiling, Item, Phenomenon, words, write
from nlpfeat.datasets.phenomena.sampling import Draw

_FIGURATIVE, _LITERAL = "比喻", "字面"

#: Verb and noun of an idiom; another noun for that verb, and another verb for that noun.
_IDIOMS = tuple(
    words(row)
    for row in (
        "炒 鱿鱼 花生 买",
        "碰 钉子 插头 拔",
        "泼 冷水 热水 喝",
        "背 黑锅 书包 刷",
        "走 后门 小路 修",
        "开 夜车 汽车 坐",
        "丢 饭碗 钥匙 洗",
        "吹 牛皮 蜡烛 剪",
        "挖 墙脚 水沟 扫",
        "翘 尾巴 胡子 摸",
        "抱 佛脚 花瓶 擦",
        "蹚 浑水 积水 倒",
        "穿 小鞋 毛衣 缝",
        "戴 高帽 手套 烫",
        "开 绿灯 吊灯 挂",
        "敲 竹杠 木鱼 锯",
        "拖 后腿 地板 踩",
        "捅 马蜂窝 炉灰 拍",
        "倒 苦水 剩菜 煮",
        "摆 架子 碗筷 搬",
    )
)


def _group(draw: Draw) -> tuple[Item, ...]:
    verb, noun, other_noun, other_verb = draw.one(_IDIOMS)
    people = draw.some(draw.own(PEOPLE), 2)
    before, after = asides(draw, 2)
    opening, closing = draw.one(
        ((f"{before} ， ", ""), ("", f" ， {after}"), (f"{before} 。 ", ""))
    )
    mark = draw.one("，；")

    def text(pairs: tuple[tuple[str, str], tuple[str, str]], label: str) -> Item:
        clauses = f" {mark} ".join(
            f"{person} {verb_} 了 {noun_}" for person, (verb_, noun_) in zip(people, pairs)
        )
        return write(f"{opening}{clauses}{closing} 。", label, verb, noun)

    idiomatic = ((verb, noun), (other_verb, other_noun))
    literal = ((verb, other_noun), (other_verb, noun))
    return (
        text(idiomatic, _FIGURATIVE),
        text(literal, _LITERAL),
        text(idiomatic[::-1], _FIGURATIVE),
        text(literal[::-1], _LITERAL),
    )


IDIOM = Phenomenon(
    name="idiom",
    title="惯用语",
    description="Two deeds, two verbs and two nouns: in one text a verb and a noun are an idiom "
    "(炒了鱿鱼, sacked), in its twin the nouns have changed places and all is literal (炒了花生).",
    asks="a verb and its object as a whole",
    labels=(_FIGURATIVE, _LITERAL),
    ceilings={
        "bag": Ceiling(0.5, "all four texts of a group are the same bag of words"),
        "positional": Ceiling(
            0.5, "it depends on the order of verbs and of nouns at once, and each says nothing"
        ),
        "bigrams": Ceiling(0.5, "了 stands between verb and noun"),
        "trigrams": Ceiling(1.0, "verb, 了 and noun are three neighbors"),
        "attention": Ceiling(1.0, "the text says it"),
    },
    grammar=_group,
    group_size=4,
)
