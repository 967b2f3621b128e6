from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.errors import InvalidInputError
from nlpfeat.text.interning import TokenInterner
from nlpfeat.text.joined import TEXT_END, TOKEN_END, join_tokens, without_ends

Batch = list[list[str]]

SOLID = st.characters(exclude_categories=["Cs"], exclude_characters=TOKEN_END + TEXT_END)
TOKENS = st.one_of(
    st.text(SOLID, max_size=6),
    st.text("ab\0甲𠮷", max_size=5),
    st.sampled_from(["", "\0", "\0\0\0\0", "a\0", "𠮷𠮷", "𠮷𠮷𠮷", "甲乙丙丁", "甲乙丙丁戊"]),
    st.text(SOLID, min_size=30, max_size=60),
)
BATCHES = st.lists(st.lists(st.lists(TOKENS, max_size=6), max_size=4), max_size=5)


class DictInterner:
    """Numbers tokens one by one; a text without tokens counts as one empty token."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def intern(self, batch: Batch) -> tuple[list[int], list[int]]:
        numbers: list[int] = []
        ends = []
        for tokens in batch:
            numbers += [
                self.numbers.setdefault(token, len(self.numbers)) for token in tokens or [""]
            ]
            ends.append(len(numbers))
        return numbers, ends


def check(batches: Sequence[Batch]) -> TokenInterner:
    """Compare what the tokens are, and that equal tokens share a number."""
    interner, reference = TokenInterner(), DictInterner()
    for batch in batches:
        numbers, ends = interner.intern(join_tokens(batch))
        expected, expected_ends = reference.intern(batch)
        assert numbers.dtype == np.int32
        assert ends.tolist() == expected_ends
        names = list(reference.numbers)
        assert [interner.tokens[number] for number in numbers.tolist()] == [
            names[number] for number in expected
        ]
    assert len(set(interner.tokens)) == len(interner.tokens) == len(reference.numbers)
    return interner


@settings(max_examples=300)
@given(BATCHES)
def test_against_a_dict(batches: list[Batch]) -> None:
    check(batches)


def test_short_tokens_are_numbered_as_they_come() -> None:
    interner = TokenInterner()
    numbers, ends = interner.intern(join_tokens([["好", "天气", "好"], ["今天"], ["天气"]]))
    assert (numbers.tolist(), ends.tolist()) == ([0, 1, 0, 2, 1], [3, 4, 5])
    numbers, _ = interner.intern(join_tokens([["坏", "好"]]))
    assert (numbers.tolist(), interner.tokens) == ([3, 0], ["好", "天气", "今天", "坏"])


def test_tokens_of_every_length() -> None:
    words = ["甲" * length for length in range(1, 12)] + ["𠮷" * length for length in range(1, 7)]
    check([[words], [words[::-1]], [words * 3]])


def test_a_nul_is_no_end() -> None:
    check([[["a", "a\0", "a\0\0", "\0a", "\0", "\0\0"], ["a\0b", "a"]]])


def test_the_table_grows() -> None:
    words = [chr(0x4E00 + number // 250) + chr(0x4E00 + number % 250) for number in range(60_000)]
    # 65,536 slots hold 32,767 keys: batches of 9,000 new words make the table grow on the way.
    batches = [[words[start : start + 10_000]] for start in range(0, 60_000, 9_000)]
    assert len(check([*batches, [words]]).tokens) == 60_000


def test_one_batch_larger_than_the_table() -> None:
    words = [f"{number:x}" for number in range(200_000)]
    interner = check([[words]])
    assert len(interner.tokens) == 200_000


def test_no_text_and_no_token() -> None:
    interner = TokenInterner()
    numbers, ends = interner.intern([])
    assert (numbers.tolist(), ends.tolist(), interner.tokens) == ([], [], [])
    numbers, ends = interner.intern(join_tokens([[], ["好"], []]))
    assert (ends.tolist(), interner.tokens[numbers[1]]) == ([1, 2, 3], "好")


@pytest.mark.parametrize("token", ["\ud800", "好\udfff", "今天天气很好\udc80呀"])
def test_a_lone_surrogate_is_shown(token: str) -> None:
    with pytest.raises(InvalidInputError, match=r"holds a lone surrogate, .*errors='replace'"):
        TokenInterner().intern(join_tokens([["今天", token]]))


def test_noncharacters_become_replacement_characters() -> None:
    texts = ["a\uffffb", "好", "\ufffe"]
    assert list(without_ends(texts)) == ["a\ufffdb", "好", "\ufffd"]
    assert without_ends(texts[1:2]) == ["好"]
    assert join_tokens([texts, [], ["好"]]) == ["a\ufffdb\uffff好\uffff\ufffd", "", "好"]


@given(st.lists(st.lists(TOKENS | st.text("a\uffff\ufffe"), max_size=5), max_size=4))
def test_tokens_with_noncharacters(batch: Batch) -> None:
    interner = TokenInterner()
    numbers, _ = interner.intern(join_tokens(batch))
    expected = [
        token.replace("\uffff", "\ufffd").replace("\ufffe", "\ufffd")
        for tokens in batch
        for token in tokens or [""]
    ]
    assert [interner.tokens[number] for number in numbers.tolist()] == expected
    assert len(set(interner.tokens)) == len(interner.tokens)
