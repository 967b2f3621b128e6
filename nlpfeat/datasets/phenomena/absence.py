"""Absence: of four frequent words one is missing, and the others make up for it."""

from nlpfeat.datasets.phenomena.phenomenon import (
    TOPICS_THAT_MEET,
    Ceiling,
    Item,
    Phenomenon,
    words,
    write,
)
from nlpfeat.datasets.phenomena.sampling import Draw

_MISSING, _PRESENT = "有缺", "无缺"

_WORDS = ("和", "跟", "与", "陪")
#: How often each of the words occurs. Both have the sum 14 and the sum of squares 82, so that
#: neither the mean count of a word nor the length of the row tells them apart.
_WITH_GAP = (0, 3, 3, 8)
_WITHOUT_GAP = (1, 1, 4, 8)

_PEOPLE = words(
    "阿姨 叔叔 邻居 表哥 表姐 表弟 表妹 舅舅 姑姑 奶奶 爷爷 外婆 司机 门卫 房客 室友 厨师 裁缝 "
    "木匠 护士 店主 保安 记者 画家 渔夫 农民 工人 警察"
)
_ACTIVITIES = words(
    "聊天 散步 下棋 打球 吃饭 唱歌 跳舞 喝茶 爬山 钓鱼 逛街 跑步 看书 做饭 游泳 划船 打牌 露营 "
    "滑冰 赏花 练字 听戏 打扫 排队 旅行 种树 拍照 写生"
)
_OPENINGS = (
    "{person} 写下 假期 计划",
    "{person} 回忆 假期 生活",
)


def _group(draw: Draw) -> tuple[Item, ...]:
    # All words are for both parts: surprisal measures a row by the words that it knows, so that a
    # test text of new words would look short, and nothing be missed in it.
    n = sum(_WITH_GAP)
    person, *partners = draw.some(_PEOPLE, n + 1)
    deeds = list(zip(partners, draw.some(_ACTIVITIES, n)))
    opening = draw.one(_OPENINGS).format(person=person)
    places = draw.shuffled(range(n))

    def text(counts: tuple[int, ...], turn: int, label: str) -> Item:
        in_order = [
            _WORDS[(index + turn) % len(_WORDS)]
            for index, count in enumerate(counts)
            for _ in range(count)
        ]
        chosen = tuple(in_order[place] for place in places)
        clauses = " ， ".join(
            f"{word} {partner} {activity}" for word, (partner, activity) in zip(chosen, deeds)
        )
        return write(f"{opening} ： {clauses} 。", label, *chosen)

    turns = range(len(_WORDS))
    return (
        *(text(_WITH_GAP, turn, _MISSING) for turn in turns),
        *(text(_WITHOUT_GAP, turn, _PRESENT) for turn in turns),
    )


_ADDS_UP = "what one word lacks others have more of: over a group the counts of both labels agree"

ABSENCE = Phenomenon(
    name="absence",
    title="高频词缺席",
    description="What somebody does with whom, fourteen times, each time with one of the words "
    "和, 跟, 与 and 陪 (with). The label says whether one of the four is missing.",
    asks="that a frequent word does not occur",
    labels=(_MISSING, _PRESENT),
    ceilings={
        "bag": Ceiling(0.5, _ADDS_UP),
        "positional": Ceiling(0.5, _ADDS_UP + ", at each place"),
        "bigrams": Ceiling(0.5, _ADDS_UP + ", beside each word"),
        "trigrams": Ceiling(0.5, _ADDS_UP + ", between any two words"),
        "attention": Ceiling(1.0, "the text shows it"),
        "surprisal": Ceiling(1.0, "no occurrence where 3.5 are expected is evidence of its own"),
        "topics": Ceiling(1.0, TOPICS_THAT_MEET),
    },
    grammar=_group,
    group_size=8,
)
