"""Quantifier: of whom it is said that not one did, that one did, or that each did."""

from nlpfeat.datasets.phenomena.lexicon import asides
from nlpfeat.datasets.phenomena.phenomenon import Ceiling, Item, Phenomenon, words, write
from nlpfeat.datasets.phenomena.sampling import Draw

_SOME, _NONE = "学生有", "学生没有"

_OTHERS = words("家长 老师 校友 教授 助教 评委 嘉宾 职员 客人 义工 乘客 导游")
#: Three words and more, so that no triple holds the quantifier and the noun.
_ATTRIBUTES = (
    "参加 活动 的",
    "住 在 城里 的",
    "坐在 后排 的",
    "收到 通知 的",
    "走进 礼堂 的",
    "留在 现场 的",
    "穿着 校服 的",
    "报了名 到场 的",
    "在 名单 上 的",
)
#: Two words, so that no triple holds the noun and 都 or 曾.
_OCCASIONS = ("在 那天", "在 会上", "在 现场", "在 路上", "在 事后", "在 晚会 上")
_DEEDS = words(
    "迟到 早退 发言 提问 缺席 抱怨 犹豫 反对 哭泣 失约 逃跑 迷路 摔倒 感冒 作弊 吵闹 后悔 动摇"
)


def _group(draw: Draw) -> tuple[Item, ...]:
    nouns = ("学生", draw.one(draw.own(_OTHERS)))
    attribute, occasion = draw.one(_ATTRIBUTES), draw.one(draw.own(_OCCASIONS))
    deed = draw.one(draw.own(_DEEDS))
    some = draw.one(("有 一个 {who} 曾 {deed} 过", "每 一个 {who} 都 {deed} 过"))
    none = "没有 一个 {who} 曾 {deed} 过"
    before, after = asides(draw, 2)
    opening, closing = draw.one(((f"{before} 。 ", ""), ("", f" ， {after}"), ("", "")))
    mark = draw.one("，；")

    def text(nouns: tuple[str, str], claims: tuple[str, str]) -> Item:
        clauses = f" {mark} ".join(
            claim.format(who=f"{attribute} {noun} {occasion}", deed=deed)
            for noun, claim in zip(nouns, claims)
        )
        claim = claims[nouns.index("学生")]
        label = _NONE if claim == none else _SOME
        return write(f"{opening}{clauses}{closing} 。", label, claim.split()[0], "学生")

    return tuple(
        text(order, claims)
        for order in (nouns, nouns[::-1])
        for claims in ((some, none), (none, some))
    )


QUANTIFIER = Phenomenon(
    name="quantifier",
    title="没有一个与每一个",
    description="Of two groups of people the same is said, of the one with 没有一个 and of the "
    "other with 有一个 or 每一个 … 都; the label says whether any of the students did it.",
    asks="which noun a quantifier binds, over the words between them",
    labels=(_SOME, _NONE),
    ceilings={
        "bag": Ceiling(0.5, "all four texts of a group are the same bag of words"),
        "positional": Ceiling(
            0.5,
            "it depends on the order of nouns and of quantifiers at once, and each says nothing",
        ),
        "bigrams": Ceiling(0.5, "no pair of neighbors holds the quantifier and the noun"),
        "trigrams": Ceiling(0.5, "no three neighbors hold the quantifier and the noun"),
        "attention": Ceiling(1.0, "the text says it"),
    },
    grammar=_group,
    group_size=4,
)
