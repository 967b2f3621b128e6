"""Position: the same sentence at the beginning or at the end."""

from nlpfeat.datasets.phenomena.lexicon import asides
from nlpfeat.datasets.phenomena.phenomenon import Ceiling, Item, Phenomenon, words, write
from nlpfeat.datasets.phenomena.sampling import Draw

_FIRST, _LAST = "在先", "在后"

_EVENTS = words("下雨 打雷 停电 刮风 下雪 起雾 堵车 着火 漏水")


def _group(draw: Draw) -> tuple[Item, ...]:
    event = draw.one(_EVENTS)
    sentence = f"忽然 {event} 了 。"
    rest = " 。 ".join(asides(draw, draw.number(2, 4))) + " 。"
    return (
        write(f"{sentence} {rest}", _FIRST, "忽然", event),
        write(f"{rest} {sentence}", _LAST, "忽然", event),
    )


_MOVED = "sentences that change places leave counts and neighbors as they are"
_PLACE = "places are counted from the beginning"

POSITION = Phenomenon(
    name="position",
    title="位置",
    description="Short sentences, one of which tells of a sudden event (忽然下雨了). The label "
    "says whether it is the first or the last.",
    asks="where in the text a word stands",
    labels=(_FIRST, _LAST),
    ceilings={
        "bag": Ceiling(0.5, _MOVED),
        "positional": Ceiling(1.0, _PLACE),
        "bigrams": Ceiling(0.5, _MOVED),
        "trigrams": Ceiling(0.5, _MOVED),
        "attention": Ceiling(1.0, _PLACE),
    },
    grammar=_group,
)
