"""Scope: the former and the latter, who did what."""

from nlpfeat.datasets.phenomena.lexicon import asides
from nlpfeat.datasets.phenomena.phenomenon import Ceiling, Item, Phenomenon, words, write
from nlpfeat.datasets.phenomena.sampling import Draw

_ELDER, _YOUNGER = "长辈", "晚辈"

_PAIRS = (
    ("父亲", "儿子"),
    ("母亲", "女儿"),
    ("外公", "外孙"),
    ("祖母", "孙女"),
    ("祖父", "孙子"),
    ("伯父", "侄子"),
    ("伯母", "侄女"),
    ("岳父", "女婿"),
    ("婆婆", "儿媳"),
    ("师傅", "徒弟"),
)
_OCCASIONS = (
    "去 参加 宴会",
    "去 参加 婚礼",
    "去 看 花展",
    "去 看 画展",
    "在 船上 过节",
    "去 乡下 做客",
    "参加 茶话会",
    "参加 聚会",
    "在 河边 野餐",
)
#: Two words and more between 前者 and the deed, so that no triple holds both.
_MANNERS = ("一直 在", "从头到尾 都 在", "大部分 时间 在", "整晚 都 在", "始终 在", "多半 时候 在")
_TASTED = words("点心 水果 美食 小吃 甜品 糕点 烤肉 海鲜 果酱 凉菜 奶酪 布丁")
_OTHERS = words("聊天 下棋 看书 拍照 打牌 唱歌 看报 画画 跳舞 打瞌睡 猜谜 写字 弹琴 听戏 打电话")


def _group(draw: Draw) -> tuple[Item, ...]:
    elder, younger = draw.one(_PAIRS)
    taste = f"品尝 {draw.one(draw.own(_TASTED))}"
    other, occasion = draw.one(draw.own(_OTHERS)), draw.one(draw.own(_OCCASIONS))
    manner, first = draw.one(_MANNERS), draw.one(("前者", "后者"))
    before, after = asides(draw, 2)
    link = draw.one(words("和 与 跟"))
    opening = draw.one((f"{before} 。 ", f"{before} ， ", ""))

    def text(names: tuple[str, str], deeds: tuple[str, str]) -> Item:
        # The clauses may stand in either order, so that the sentence is no list of two.
        pointers = ("前者", "后者") if first == "前者" else ("后者", "前者")
        clauses = " ， ".join(f"{who} {manner} {deed}" for who, deed in zip(pointers, deeds))
        taster = names[("前者", "后者").index(pointers[deeds.index(taste)])]
        label = _ELDER if taster == elder else _YOUNGER
        sentence = f"{opening}{names[0]} {link} {names[1]} {occasion} ， {clauses} ， {after} 。"
        return write(sentence, label, *names, *pointers, "品尝")

    return tuple(
        text(names, deeds)
        for names in ((elder, younger), (younger, elder))
        for deeds in ((taste, other), (other, taste))
    )


_BALANCED = "who tastes depends on two orders at once, and each of them alone says nothing"

SCOPE = Phenomenon(
    name="scope",
    title="前者与后者",
    description="Two persons go somewhere, the former does one thing and the latter another "
    "(父亲和儿子去参加宴会，前者一直在品尝点心，后者一直在聊天); the label says whether the elder "
    "or the younger one tastes something.",
    asks="whom 前者 and 后者 point back to",
    labels=(_ELDER, _YOUNGER),
    ceilings={
        "bag": Ceiling(0.5, "all four texts of a group are the same bag of words"),
        "positional": Ceiling(0.5, _BALANCED),
        "bigrams": Ceiling(0.5, "no pair of neighbors holds 前者 and what the former does"),
        "trigrams": Ceiling(0.5, "no three neighbors hold 前者 and what the former does"),
        "attention": Ceiling(1.0, "the text says it"),
    },
    grammar=_group,
    group_size=4,
)
