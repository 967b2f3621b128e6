import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.normalization import fold_width
from nlpfeat.text.segmenters.user_words import UserWords

SHORT = st.text("甲乙A/[^-]\\", min_size=1, max_size=4)


LATIN = re.compile(r"[A-Za-z0-9]{2}")


def stands_alone(word: str, text: str, place: int) -> bool:
    """Tell whether no letter or digit of ASCII goes on across an end of the word."""
    end = place + len(word)
    return not any(LATIN.fullmatch(text, max(at - 1, 0), at + 1) for at in (place, end))


def longest_first(words: set[str], text: str) -> list[tuple[str, bool]]:
    """Try every word at every place."""
    pieces: list[tuple[str, bool]] = []
    rest = ""
    place = 0
    while place < len(text):
        found = [w for w in words if text.startswith(w, place) and stands_alone(w, text, place)]
        word = max(found, key=len, default="")
        if word:
            if rest:
                pieces.append((rest, False))
                rest = ""
            pieces.append((word, True))
            place += len(word)
        else:
            rest += text[place]
            place += 1
    return [*pieces, (rest, False)] if rest else pieces


def test_the_longest_word_wins_from_left_to_right() -> None:
    words = UserWords(["北京", "北京大学", "大学生", "生"])
    assert list(words.split("去北京大学生活")) == [
        ("去", False), ("北京大学", True), ("生", True), ("活", False),
    ]  # fmt: skip


def test_without_words_a_text_stays_whole() -> None:
    assert list(UserWords([]).split("今天")) == [("今天", False)]
    assert list(UserWords(["甲"]).split("")) == []


@given(words=st.sets(SHORT, max_size=6), text=st.text("甲乙A/[^-]\\丙", max_size=20))
def test_against_a_trial_of_every_word(words: set[str], text: str) -> None:
    assert list(UserWords(words).split(text)) == longest_first(words, text)


@given(words=st.sets(st.text("甲A1é Ａ", min_size=1, max_size=3), max_size=6),
       text=st.text("甲A1é Ａ", max_size=20))  # fmt: skip
def test_words_within_runs_of_letters(words: set[str], text: str) -> None:
    found = {*words, *map(fold_width, words)}
    assert list(UserWords(words).split(text)) == longest_first(found, text)


def test_a_latin_word_is_no_part_of_another() -> None:
    words = UserWords(["New York", "AI", "A股"])
    assert list(words.split("我在New York的MAIN街用AI，AI2和BA股")) == [
        ("我在", False), ("New York", True), ("的MAIN街用", False), ("AI", True),
        ("，AI2和BA股", False),
    ]  # fmt: skip


@pytest.mark.parametrize("word", ["C++", "A/B", "[甲]", "^", "]", "a\\b", ".*", "a-z", "😀", "㐀"])
def test_special_characters_mean_themselves(word: str) -> None:
    assert list(UserWords([word]).split(f"好{word}好")) == [
        ("好", False), (word, True), ("好", False),
    ]  # fmt: skip


def test_half_width_forms_are_found_too() -> None:
    words = UserWords(["Ａ股"])
    assert list(words.split("A股和Ａ股")) == [("A股", True), ("和", False), ("Ａ股", True)]


@pytest.mark.slow
def test_many_words_cost_little() -> None:
    text = "词99/号和词5号，" * 2000

    def seconds(words: UserWords) -> float:
        start = time.process_time()
        found = [piece for piece, is_word in words.split(text) if is_word]
        duration = time.process_time() - start
        assert found == ["词99/号"] * 2000
        return duration

    few, many = (UserWords([f"词{n}/号" for n in range(size)]) for size in (100, 100_000))
    runs = [(seconds(few), seconds(many)) for _ in range(5)]
    # Words of two lengths and of five: the time depends on these, and not on how many words.
    assert min(many for _, many in runs) < 8 * min(few for few, _ in runs)


@pytest.mark.parametrize("word", ["", None, 5, b"x"])
def test_a_word_must_be_a_string(word: object) -> None:
    with pytest.raises(InvalidParameterError, match="user_words must hold non-empty"):
        UserWords(["好", word])
