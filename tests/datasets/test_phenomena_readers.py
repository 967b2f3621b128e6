"""A second method for the labels: readers that know no grammar, only the text and some words."""

import re
from collections import Counter
from collections.abc import Callable

import pytest

from nlpfeat import JiebaSegmenter
from nlpfeat.datasets.phenomena import Item, make_phenomenon
from nlpfeat.datasets.phenomena.phenomenon import words

ELDERS = words("父亲 母亲 外公 祖母 祖父 伯父 伯母 岳父 婆婆 师傅")
FAULTS = re.compile("不结实|坏了|裂开了|脱落了|松动了|毛病不少|变形了")


def read_scope(text: str) -> str:
    """Names the former and the latter, and then looks who tastes."""
    former, latter = re.search(r"(\w\w)[和与跟](\w\w)[去在参]\w*，[前后]者", text).groups()
    pointer = re.search(r"([前后]者)\w*在品尝", text).group(1)
    taster = former if pointer == "前者" else latter
    assert (former in ELDERS) != (latter in ELDERS)
    return "长辈" if taster in ELDERS else "晚辈"


def read_counting(text: str) -> str:
    counts = [text.count(word) for word in ("跑步", "下雨", "春卷")]
    return {3: "三次", 5: "五次"}[sum(counts)]


def read_omitted_argument(text: str) -> str:
    """Goes back from the fault to the end of the clause before."""
    fault = FAULTS.search(text).start()
    whole = text[: text.rindex("，", 0, fault)]
    assert whole[-1] in "车箱"
    return "车" if whole.endswith("车") else "箱子"


def read_quantifier(text: str) -> str:
    return "学生没有" if re.search(r"没有一个\w*学生", text) else "学生有"


def read_repeated_word(text: str) -> str:
    first, second = re.search(r"我\w\w\w了(\w\w)，\w\w\w了(\w\w)[；。]", text).groups()
    return "同一样" if first == second else "两样"


READERS: dict[str, Callable[[str], str]] = {
    "scope": read_scope,
    "counting_three_five": read_counting,
    "omitted_argument": read_omitted_argument,
    "quantifier": read_quantifier,
    "repeated_word": read_repeated_word,
}


def items_of(name: str, random_state: int = 0) -> tuple[Item, ...]:
    parts = make_phenomenon(name, random_state=random_state)
    return parts.train_items + parts.test_items


@pytest.mark.parametrize("random_state", [0, 1])
@pytest.mark.parametrize("name", list(READERS))
def test_the_text_alone_tells_the_label(name: str, random_state: int) -> None:
    for item in items_of(name, random_state):
        assert READERS[name](item.text) == item.label, item.text


def test_crossings_seen_in_training_tell_the_sense() -> None:
    # The label is a function of thing and word; each crossing of the test is seen in training.
    parts = make_phenomenon("topic_sense")
    known = {item.cue: item.label for item in parts.train_items}
    assert len(known) == 9 * 2 * 10
    assert {(item.cue, item.label) for item in parts.train_items} == set(known.items())
    assert all(known[item.cue] == item.label for item in parts.test_items)
    senses = Counter(
        (cue, known[thing, cue], known[other, cue])
        for thing, cue in known
        for other, another in known
        if another == cue
    )
    # Each word praises as many things as it blames.
    for cue in {cue for _, cue in known}:
        assert senses[cue, "好评", "好评"] == senses[cue, "差评", "差评"] == 5 * 5


def test_idioms_seen_in_training_are_known_in_the_test() -> None:
    parts = make_phenomenon("idiom")
    idioms = {item.cue for item in parts.train_items}
    assert len(idioms) == 20
    for item in parts.train_items + parts.test_items:
        is_figurative = any(f"{verb}了{noun}" in item.text for verb, noun in idioms)
        assert item.label == ("比喻" if is_figurative else "字面"), item.text


def test_tales_tell_which_words_mean_the_same() -> None:
    # Words of the test are good or bad as the words of training that share the words of a tale.
    parts = make_phenomenon("synonyms")
    segment = JiebaSegmenter().segment
    known = {item.cue[0]: item.label for item in parts.train_items}
    tales: dict[str, Counter[str]] = {}
    for item in parts.train_items:
        for tale in re.findall(r"里(\w+的\w+(?:，\w+)?)[；。]", item.text):
            word, _, *rest = segment(tale)
            tales.setdefault(word, Counter()).update(rest)

    def meaning(word: str) -> str:
        def shared(other: str) -> float:
            return (tales[word] & tales[other]).total() / tales[other].total()

        return known[max(known, key=shared)]

    asked = {item.cue[0]: item.label for item in parts.test_items}
    assert asked.keys().isdisjoint(known)
    assert {word: meaning(word) for word in asked} == asked
