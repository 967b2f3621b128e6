import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.text.normalization import Normalization, fold_width

TEXT = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("Ａａ０９Ｚｚ，％　"))


def test_letters_and_digits_are_folded_and_nothing_else() -> None:
    assert fold_width("２０２６年ＧＤＰ增长５％，ａｚ　") == "2026年GDP增长5％，az　"
    changed = {chr(point) for point in range(0x110000) if fold_width(chr(point)) != chr(point)}
    assert len(changed) == 10 + 26 + 26
    assert all(fold_width(c) == unicodedata.normalize("NFKC", c) for c in changed)


@given(TEXT)
def test_offsets_keep_their_meaning(text: str) -> None:
    folded = fold_width(text)
    assert len(folded) == len(text)
    assert fold_width(folded) == folded


def test_four_spellings_of_one_term() -> None:
    spellings = ["Ａ股", "A股", "a股", "ａ股"]
    assert set(Normalization().terms(spellings)) == {"a股"}
    assert Normalization(lowercase=False).terms(spellings) == ["A股", "A股", "a股", "a股"]
    assert Normalization(fold_width=False).terms(spellings) == ["ａ股", "a股", "a股", "ａ股"]
    assert Normalization(False, False).terms(spellings) == spellings


@given(st.lists(TEXT, max_size=6), st.booleans(), st.booleans())
def test_a_list_is_its_members(tokens: list[str], fold: bool, lower: bool) -> None:
    normalization = Normalization(fold, lower)
    before = list(tokens)
    terms = list(normalization.terms(tokens))
    assert terms == [normalization.term(token) for token in tokens]
    expected = [fold_width(token) if fold else token for token in tokens]
    assert list(normalization.before_cutting(tokens)) == expected
    assert terms == ([token.lower() for token in expected] if lower else expected)
    assert tokens == before


@pytest.mark.parametrize("lower", [True, False])
def test_nothing_to_fold_nothing_copied(lower: bool) -> None:
    texts = ["今天", "VIP"]
    assert Normalization(lowercase=lower).before_cutting(texts) is texts
    assert Normalization().terms([]) == []
