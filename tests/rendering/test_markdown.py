"""The Markdown of a page."""

import sys

from nlpfeat.rendering import (
    Cell,
    Column,
    DataTable,
    Facts,
    Figure,
    FigureGrid,
    Folded,
    Page,
    Prose,
    Section,
    TokenStrip,
    TokenStrips,
    render_page_markdown,
)

TABLE = DataTable(
    "词频", [Column("词", "head"), Column("n", "number")],
    [[Cell("a|b"), Cell("3", 3, "1 … 5\nsd 1")], [Cell("`语`"), Cell("2", 2)]], "注",
)  # fmt: skip


def undrawn():
    raise AssertionError("Markdown draws no chart")


def test_the_whole_page_by_hand():
    page = Page(
        "语料", "kicker", "副题", [Prose(["一", "二"])],
        [
            Section("s", "节", [Facts([("种子", "<0>")]), TABLE, Folded("折", [Prose(["三"])])]),
            Section("f", "图", [Figure("a", "甲", "乙。", undrawn, TABLE),
                                FigureGrid([Figure("b", "丙", "丁。", undrawn)])]),
            Section("d", "文", [TokenStrips([
                TokenStrip("不好", [("类", "差")], ["不", "好"], {"idf": [0.5, 0.25]})
            ])]),
        ],
        "完",
    )  # fmt: skip
    table = (
        "**词频**\n\n| 词 | n |\n| --- | ---: |\n| a\\|b | 3 (1 … 5, sd 1) |\n"
        "| \\`语\\` | 2 |\n\n注"
    )
    assert render_page_markdown(page) == (
        "# 语料\n\n副题\n\n一\n\n二\n\n"
        f"## 节\n\n- 种子: \\<0\\>\n\n{table}\n\n### 折\n\n三\n\n"
        f"## 图\n\n甲. 乙。\n\n{table}\n\n"
        "## 文\n\n### 不好\n\n- 类: 差\n\n**Token by token**\n\n"
        "| Token | idf |\n| --- | ---: |\n| 不 | 0.500 |\n| 好 | 0.250 |\n\n"
        "---\n\n完\n"
    )


def test_needs_no_package_of_the_extra(monkeypatch):
    for module in ("jinja2", "altair", "vl_convert"):
        monkeypatch.setitem(sys.modules, module, None)
    assert render_page_markdown(Page("题", lead=[TABLE])).startswith("# 题\n")
