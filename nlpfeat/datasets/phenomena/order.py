"""Order of two arguments: who does it, and to whom it is done."""

from nlpfeat.datasets.phenomena.lexicon import TIMES, asides
from nlpfeat.datasets.phenomena.phenomenon import Ceiling, Item, Phenomenon, words, write
from nlpfeat.datasets.phenomena.sampling import Draw

_DOWN, _UP = "由上而下", "由下而上"

_PAIRS = (
    ("老板", "职员"),
    ("房东", "租客"),
    ("老师", "学生"),
    ("教练", "队员"),
    ("师傅", "徒弟"),
    ("经理", "秘书"),
)
_VERBS = words("投诉 批评 表扬 感谢 埋怨 举报 称赞 责怪")


def _group(draw: Draw) -> tuple[Item, ...]:
    above, below = draw.one(_PAIRS)
    verb, time = draw.one(_VERBS), draw.one(draw.own(TIMES))
    before, after = asides(draw, 2)
    opening = draw.one((f"{before} ， {time}", f"{time}", f"{before} 。"))

    def text(subject: str, object_: str, label: str) -> Item:
        spaced = f"{opening} {subject} {verb} 了 {object_} ， {after} 。"
        return write(spaced, label, subject, verb, object_)

    return text(above, below, _DOWN), text(below, above, _UP)


ORDER = Phenomenon(
    name="order",
    title="谁对谁",
    description="One person does something to another; the label says whether the one who does it "
    "stands above the other (老板批评了职员) or below (职员批评了老板).",
    asks="the order of two arguments of one verb",
    labels=(_DOWN, _UP),
    ceilings={
        "bag": Ceiling(0.5, "both orders are the same bag of words"),
        "positional": Ceiling(1.0, "a place is a number: it tells which of the two comes first"),
        "bigrams": Ceiling(1.0, "subject and verb are neighbors"),
        "trigrams": Ceiling(1.0, "subject and verb are neighbors"),
        "attention": Ceiling(1.0, "the text says it"),
    },
    grammar=_group,
)
