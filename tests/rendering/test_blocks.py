"""Blocks refuse what no page could show."""

import pytest

from nlpfeat.errors import InvalidParameterError
from nlpfeat.rendering import (
    Cell,
    Column,
    DataTable,
    Figure,
    FigureGrid,
    Folded,
    Page,
    Section,
    TokenStrip,
)


def figure(name):
    return Figure(name, "title", "description", lambda: None)


def test_a_table_has_a_cell_for_each_column():
    with pytest.raises(InvalidParameterError, match=r"each of 2 columns\. Row 1 has 1"):
        DataTable("词", [Column("x"), Column("y")], [[Cell("甲"), Cell("乙")], [Cell("甲")]])


def test_a_strip_has_a_number_for_each_token():
    with pytest.raises(InvalidParameterError, match=r"each of 2 tokens\. 'idf' has 1"):
        TokenStrip("好 吃", [], ["好", "吃"], {"idf": [0.5]})


@pytest.mark.parametrize("name", ["", "a b", "A", "1a", 'a"onload', "好"])
def test_names_are_safe_in_html_and_in_file_names(name):
    with pytest.raises(InvalidParameterError, match="name must be lower-case letters"):
        figure(name)
    with pytest.raises(InvalidParameterError, match="name must be lower-case letters"):
        Section(name, "title", [])


def test_kinds_and_tones_are_known():
    with pytest.raises(InvalidParameterError, match="kind must be one of head, text, number"):
        Column("x", "numeric")
    with pytest.raises(InvalidParameterError, match="tone must be one of"):
        Cell("x", tone="red")


def test_figures_of_a_page_in_their_order_wherever_they_stand():
    page = Page(
        "题",
        lead=[figure("a")],
        sections=[
            Section("s", "s", [FigureGrid([figure("b"), figure("c")]),
                               Folded("f", [figure("d")])]),
        ],
    )  # fmt: skip
    assert [each.name for each in page.figures()] == ["a", "b", "c", "d"]


def test_two_figures_of_one_name():
    with pytest.raises(InvalidParameterError, match="figures must have different names"):
        Page("题", lead=[figure("a"), figure("a")]).figures()
