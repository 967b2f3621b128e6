"""Synonyms: training decides by some words, the test by others that mean the same."""

from typing import NamedTuple

from nlpfeat.datasets.phenomena.lexicon import TIMES
from nlpfeat.datasets.phenomena.phenomenon import Ceiling, Item, Phenomenon, words, write
from nlpfeat.datasets.phenomena.sampling import Draw

_GOOD, _BAD = "满意", "不满"


class _Field(NamedTuple):
    """Words of one field, by pairs of opposites, and what is said with them.

    The first two pairs decide in training, the last two in the test. All of them stand in the
    tales of either part, the good ones with the good tails and the bad ones with the bad tails.
    """

    pairs: tuple[tuple[str, str], ...]
    subject: str
    hero: str
    good_tails: tuple[str, ...]
    bad_tails: tuple[str, ...]


_FIELDS = (
    _Field(
        (("高兴", "难过"), ("开心", "伤心"), ("愉快", "沮丧"), ("欢喜", "忧愁")),
        "全家",
        "姑娘",
        ("一边 唱歌 一边 跳舞", "一边 鼓掌 一边 欢笑", "一边 拍手 一边 唱歌"),
        ("一边 叹气 一边 流泪", "一边 哭泣 一边 发呆", "一边 低头 一边 哭泣"),
    ),
    _Field(
        (("干净", "肮脏"), ("整洁", "邋遢"), ("清爽", "污浊"), ("雅致", "杂乱")),
        "房间",
        "旅店",
        ("天天 打扫 ， 定期 消毒", "时常 擦洗 ， 定期 通风", "天天 开窗 ， 时常 打扫"),
        ("堆满 垃圾 ， 爬满 蟑螂", "长满 霉斑 ， 堆满 垃圾", "爬满 蟑螂 ， 长满 霉斑"),
    ),
    _Field(
        (("可口", "难吃"), ("香甜", "苦涩"), ("美味", "乏味"), ("鲜嫩", "腥臭")),
        "饭菜",
        "晚饭",
        ("引来 食客 ， 赢得 称赞", "引来 回头客 ， 全部 吃光", "赢得 称赞 ， 全部 吃光"),
        ("令人 皱眉 ， 当场 吐掉", "剩下 大半 ， 当场 倒掉", "令人 皱眉 ， 剩下 大半"),
    ),
    _Field(
        (("热情", "冷淡"), ("殷勤", "傲慢"), ("友善", "凶狠"), ("亲切", "蛮横")),
        "服务员",
        "掌柜",
        ("微笑 点头 ， 主动 问候", "握手 让座 ， 主动 微笑", "鞠躬 让座 ， 主动 问候"),
        ("瞪眼 摔门 ， 大声 训斥", "冷笑 骂人 ， 大声 赶客", "瞪眼 骂人 ， 大声 训斥"),
    ),
    _Field(
        (("结实", "单薄"), ("耐用", "粗糙"), ("牢固", "劣质"), ("坚韧", "脆弱")),
        "箱子",
        "木船",
        ("经受 风浪 ， 远航 归来", "穿过 风暴 ， 安然 归来", "经受 撞击 ， 照常 远航"),
        ("船底 开裂 ， 中途 沉没", "甲板 断裂 ， 中途 进水", "桅杆 断裂 ， 就此 沉没"),
    ),
    _Field(
        (("聪明", "愚笨"), ("机灵", "糊涂"), ("敏锐", "迟钝"), ("伶俐", "呆板")),
        "助手",
        "侦探",
        ("识破 谎言 ， 顺利 破案", "找到 凶手 ， 顺利 立功", "识破 骗局 ， 找到 凶手"),
        ("错过 线索 ， 轻易 上当", "丢失 证据 ， 轻易 上当", "听信 谎话 ， 丢失 证据"),
    ),
)
_OPENINGS = ("{time} 留言 写道", "{time} 的 反馈 说", "{time} 的 来信 说", "{time} 的 记录 里 说")
_DEGREES = words("格外 相当 极其 确实 实在 特别")
_SOURCES = words("小说 电影 漫画 故事 话剧 寓言 童话 连环画")
_LINKS = words("另外 此外 再者 再说")


def _group(draw: Draw) -> tuple[Item, ...]:
    decisive, told = draw.some(_FIELDS, 2)
    pair = draw.one(decisive.pairs[2:] if draw.part == "test" else decisive.pairs[:2])
    good, bad = draw.one(told.pairs)
    tales = draw.shuffled(
        (
            f"{good} 的 {told.hero} {draw.one(told.good_tails)}",
            f"{bad} 的 {told.hero} {draw.one(told.bad_tails)}",
        )
    )
    sources = draw.some(_SOURCES, 2)
    opening = draw.one(_OPENINGS).format(time=draw.one(draw.own(TIMES)))
    degree, link = draw.one(_DEGREES), draw.one(_LINKS)
    story = f"{link} ， {sources[0]} 里 {tales[0]} ； {sources[1]} 里 {tales[1]}"

    def text(word: str, label: str) -> Item:
        return write(f"{opening} ， {decisive.subject} {degree} {word} 。 {story} 。", label, word)

    return text(pair[0], _GOOD), text(pair[1], _BAD)


_UNSEEN = "in training the words of the test stand by pairs of opposites, and so weigh the same"

SYNONYMS = Phenomenon(
    name="synonyms",
    title="换个说法",
    description="A text says one word of praise or blame (格外愉快, 格外沮丧), and tells two tales "
    "that decide nothing. In training other words decide than in the test; the tales hold all of "
    "them, synonyms with the same neighbors, but never two of one meaning in one text.",
    asks="that words with the same neighbors mean the same",
    labels=(_GOOD, _BAD),
    ceilings={
        "bag": Ceiling(0.5, _UNSEEN),
        "positional": Ceiling(0.5, "in training the words of the test decide nothing at any place"),
        "bigrams": Ceiling(0.5, _UNSEEN),
        "trigrams": Ceiling(0.5, _UNSEEN),
        "vectors": Ceiling(1.0, "vectors of words with the same neighbors are close"),
        "attention": Ceiling(1.0, "the tales tell which words mean the same"),
    },
    grammar=_group,
)
