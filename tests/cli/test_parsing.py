"""What an option's text stands for, and what is refused."""

from dataclasses import dataclass, field

import pytest
import typer

from nlpfeat.cli.parsing import (
    check_numbers,
    flag,
    option_names,
    parse_range,
    parse_share,
    refuse_given,
)
from nlpfeat.errors import InvalidParameterError


@dataclass(frozen=True)
class Tea:
    cups: int = 1
    hot: bool = True
    words: list[str] | None = None
    leaves: list[str] = field(default_factory=lambda: ["龙井"])
    top: int | None = None


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("5", 5), ("0.5", 0.5), ("1.0", 1.0), ("0.0", 0.0), ("1", 1)]
)
def test_share(text, number) -> None:
    assert parse_share(text, "min_df") == number
    assert type(parse_share(text, "min_df")) is type(number)


@pytest.mark.parametrize("text", ["", "x", "-1", "-0.5", "1.5", "nan", "inf", "1e9"])
def test_no_share(text) -> None:
    with pytest.raises(InvalidParameterError, match=r"min_df must be a number of documents"):
        parse_share(text, "min_df")


@pytest.mark.parametrize("text", ["", "0,1", "2,1", "1,2,3", "a,b", "1,", "-1,2", "1.5,2"])
def test_no_range(text) -> None:
    with pytest.raises(InvalidParameterError, match=r"ngram_range must be two whole numbers"):
        parse_range(text)


def test_range() -> None:
    assert [parse_range(text) for text in ("1,3", "2", " 1 , 2 ")] == [(1, 3), (2, 2), (1, 2)]


def test_flags() -> None:
    assert [flag("cups"), flag("hot", False), flag("hot", True)] == ["--cups", "--no-hot", "--hot"]


def test_numbers() -> None:
    check_numbers(Tea(top=None), "top", "cups")
    with pytest.raises(typer.BadParameter, match="cups must be an integer that is at least 2"):
        check_numbers(Tea(), "cups", minimum=2)


@pytest.mark.parametrize(
    ("tea", "told"),
    [
        (Tea(cups=2), "--cups is an option of jugs."),
        (Tea(hot=False), "--no-hot is an option of jugs."),
        (Tea(words=["茶"]), "--words is an option of jugs."),
        (Tea(leaves=["普洱"]), "--leaves is an option of jugs."),
    ],
)
def test_options_of_something_else(tea, told) -> None:
    with pytest.raises(typer.BadParameter, match=told):
        refuse_given(tea, option_names(Tea), "jugs")


@pytest.mark.parametrize("tea", [Tea(), Tea(words=[])])
def test_what_was_not_given_is_not_refused(tea) -> None:
    refuse_given(tea, option_names(Tea), "jugs")
    refuse_given(Tea(cups=2), ("hot",), "jugs")
