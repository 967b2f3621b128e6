"""Omitted argument: a part is blamed, and the whole that it belongs to is not said again."""

from nlpfeat.datasets.phenomena.lexicon import PEOPLE, asides
from nlpfeat.datasets.phenomena.phenomenon import Ceiling, Item, Phenomenon, words, write
from nlpfeat.datasets.phenomena.sampling import Draw

_VEHICLE, _CASE = "车", "箱子"

_VEHICLES = words("三轮车 电动车 婴儿车 平板车 手推车 购物车")
_CASES = words("行李箱 拉杆箱 手提箱 旅行箱 工具箱 化妆箱")
_PARTS = words("轮子 把手 锁扣 支架 外壳 螺丝 轴承 拉手 脚垫 铆钉 底板 边角")
#: All of two words, so that no place tells which verdict came first.
_BAD = ("不 结实", "坏 了", "裂开 了", "脱落 了", "松动 了", "毛病 不少", "变形 了")
_GOOD = ("挺 好", "很 结实", "很 牢固", "十分 可靠", "相当 牢靠", "做工 精细", "非常 耐用")
#: Two words and more between whose it is and what it is, so that no triple holds both.
_BOUGHT = ("新买 的", "刚刚 买来 的", "最近 买来 的", "在 网上 买 的", "才 买 不久 的")


def _group(draw: Draw) -> tuple[Item, ...]:
    vehicle, case = draw.one(_VEHICLES), draw.one(_CASES)
    part, bought = draw.one(draw.own(_PARTS)), draw.one(_BOUGHT)
    bad, good = draw.one(_BAD), draw.one(_GOOD)
    owners = draw.some(draw.own(PEOPLE), 2)
    before, after = asides(draw, 2)
    opening, closing = draw.one(((f"{before} 。 ", ""), ("", f" ； {after}"), ("", "")))
    mark = draw.one("，；")

    def text(wholes: tuple[str, str], verdicts: tuple[str, str]) -> Item:
        clauses = f" {mark} ".join(
            f"{owner} {bought} {whole} ， {part} {verdict}"
            for owner, whole, verdict in zip(owners, wholes, verdicts)
        )
        blamed = wholes[verdicts.index(bad)]
        label = _VEHICLE if blamed == vehicle else _CASE
        return write(f"{opening}{clauses}{closing} 。", label, blamed, *bad.split())

    return tuple(
        text(wholes, verdicts)
        for wholes in ((vehicle, case), (case, vehicle))
        for verdicts in ((bad, good), (good, bad))
    )


OMITTED_ARGUMENT = Phenomenon(
    name="omitted_argument",
    title="省略的整体",
    description="Two persons have bought a vehicle and a case; a part of the one is bad and the "
    "same part of the other is good (舅舅新买的三轮车，轮子坏了；店主新买的行李箱，轮子很结实). "
    "The label says which of the two is blamed; the clause that blames does not name it.",
    asks="the whole in the clause before, which the clause about the part leaves out",
    labels=(_VEHICLE, _CASE),
    ceilings={
        "bag": Ceiling(0.5, "all four texts of a group are the same bag of words"),
        "positional": Ceiling(
            0.5, "what is blamed depends on two orders at once, and each alone says nothing"
        ),
        "bigrams": Ceiling(0.5, "a comma stands between the whole and the blame"),
        "trigrams": Ceiling(0.5, "a comma stands between the whole and the blame"),
        "attention": Ceiling(1.0, "the clause before says it"),
    },
    grammar=_group,
    group_size=4,
)
