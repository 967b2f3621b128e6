"""Topic-dependent sense: one word praises in one topic and blames in another."""

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

_GOOD, _BAD = "好评", "差评"

#: What is looked at; the word that praises the first things and blames the second, and the word
#: that does the opposite; the first things; the second things.
_SENSES = (
    (
        "厚度",
        "厚",
        "薄",
        words("羽绒服 棉被 床垫 毛毯 棉袄"),
        words("平板 笔记本 鼠标 手表 遥控器"),
    ),
    ("温度", "热", "凉", words("米粥 奶茶 炒饭 姜茶 红薯"), words("凉席 啤酒 冷饮 汽水 凉茶")),
    ("速度", "快", "慢", words("快递 外卖 救护车 高铁 缆车"), words("掉电 磨损 褪色 生锈 缩水")),
    ("声音", "响", "轻", words("喇叭 铜锣 唢呐 哨子 铃铛"), words("风扇 油烟机 吸尘器 电钻 马达")),
    ("时间", "长", "短", words("续航 保质期 假日 寿命 保修"), words("排队 堵车 广告 候诊 加班")),
    ("数量", "多", "少", words("座位 奖金 赠品 车位 学分"), words("蚊子 错字 灰尘 杂音 污渍")),
    ("幅度", "大", "小", words("涨薪 优惠 进步 折扣 增产"), words("误差 颠簸 噪音 裂缝 偏差")),
    ("数值", "高", "低", words("分数 产量 工资 出勤率 收益"), words("物价 房租 油耗 运费 水价")),
    ("手感", "软", "硬", words("枕头 面包 坐垫 围脖 毛毡"), words("木板 锄头 桌面 钢管 砖头")),
)
_MENTIONS = (
    "{person} 提起 {thing} ， 写道",
    "这次 {person} 说 的 是 {thing} ， 评价 如下",
    "{person} 聊 了 聊 {thing} ， 看法 如下",
    "关于 {thing} ， {person} 留言 说",
    "{person} 记录 了 {thing} 的 情况",
    "{person} 给 {thing} 打分 ， 理由 如下",
)
_DEGREES = words("特别 格外 相当 实在 确实 极其")


def _group(draw: Draw) -> tuple[Item, ...]:
    side, first_cue, second_cue, first_things, second_things = draw.one(_SENSES)
    things = (draw.one(first_things), draw.one(second_things))
    person, degree = draw.one(draw.own(PEOPLE)), draw.one(_DEGREES)
    mention = draw.one(draw.own(_MENTIONS))
    before, after = asides(draw, 2)
    opening = draw.one((f"{before} 。 ", ""))
    closing = draw.one((f" ， {after}", ""))

    def text(thing: str, cue: str) -> Item:
        praises = (thing == things[0]) == (cue == first_cue)
        told = mention.format(thing=thing, person=person)
        sentence = f"{opening}{told} ： {side} 方面 {degree} {cue}{closing} 。"
        return write(sentence, _GOOD if praises else _BAD, thing, cue)

    return tuple(text(thing, cue) for thing in things for cue in (first_cue, second_cue))


_CROSSED = "each word of a group stands as often under either label: only both together decide"

TOPIC_SENSE = Phenomenon(
    name="topic_sense",
    title="因事而异的褒贬",
    description="A text names a thing and says one word about it, which praises one kind of things "
    "and blames another kind (羽绒服 … 厚: 好评; 平板 … 厚: 差评).",
    asks="a word together with the topic that it stands in",
    labels=(_GOOD, _BAD),
    ceilings={
        "bag": Ceiling(0.5, _CROSSED),
        "positional": Ceiling(0.5, _CROSSED),
        "bigrams": Ceiling(0.5, "no pair of neighbors holds the thing and the word about it"),
        "trigrams": Ceiling(0.5, "no three neighbors hold the thing and the word about it"),
        "attention": Ceiling(1.0, "the text says it"),
        "topics": Ceiling(1.0, TOPICS_THAT_MEET),
    },
    grammar=_group,
    group_size=4,
)
