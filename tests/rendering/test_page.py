"""The HTML of a page: what stands in it, what may run on it, and the same bytes every time."""

import json
import math
import sys

import altair
import pytest
from report_pages import ReadPage, hash_source

from nlpfeat.errors import MissingDependencyError
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
    render_page,
)
from nlpfeat.rendering.charts import chart_data

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>]]>{{7*7}}{% raw %}\"'&lt;"


def bars(text="词"):
    return (
        altair.Chart(chart_data([{"word": text, "n": 3}]))
        .mark_bar()
        .encode(x="n:Q", y=altair.Y("word:N", title=text))
        .properties(width="container", height=40)
    )


def whole_page(text: str) -> Page:
    """Return a page on which this text stands in every place that takes text."""
    table = DataTable(text, [Column(text, "head", text), Column(text, "number")],
                      [[Cell(text, detail=text), Cell(text, 2.5, text, "better")],
                       [Cell(text), Cell(text, 0.5)]], text)  # fmt: skip
    strip = TokenStrip(text, [(text, text)], [text, "好"], {text: [0.5, -1.0]})
    blocks = [
        Prose([text], role="note"), Facts([(text, text)], is_code=True), table,
        Figure("one", text, text, lambda: bars(text), table),
        FigureGrid([Figure("two", text, text, lambda: bars(text))]),
        TokenStrips([strip]), Folded(text, [Prose([text])]),
    ]  # fmt: skip
    sections = [Section(name, text, blocks if name == "a" else []) for name in "abc"]
    return Page(text, text, text, [Prose([text], role="lead")], sections, text)


@pytest.fixture(scope="module")
def hostile() -> ReadPage:
    return ReadPage(render_page(whole_page(EVIL)))


class TestHostileTexts:
    def test_make_no_element_and_no_attribute(self, hostile) -> None:
        clean = ReadPage(render_page(whole_page("词")))
        assert [tag for tag, _ in hostile.elements] == [tag for tag, _ in clean.elements]
        assert [set(each) for _, each in hostile.elements] == [
            set(each) for _, each in clean.elements
        ]
        assert hostile.programs() == clean.programs()

    def test_are_shown_as_text(self, hostile) -> None:
        clean = ReadPage(render_page(whole_page("词")))
        assert hostile.text.count(EVIL) == clean.text.count("词")
        assert "49" not in hostile.text

    def test_json_reads_back(self, hostile) -> None:
        data = hostile.json_scripts()
        assert set(data) == {"themes", "spec-one", "spec-two"}
        for text in data.values():
            assert not set("<>&\u2028\u2029") & set(text)
        spec = json.loads(data["spec-one"])
        assert spec["encoding"]["y"]["title"] == EVIL
        assert [rows[0]["word"] for rows in spec["datasets"].values()] == [EVIL]

    def test_text_that_no_page_can_hold(self) -> None:
        html = render_page(whole_page("a\x00b\ud800c\r\nd"))
        assert html.encode().decode() == html
        assert "a�b�c\nd" in ReadPage(html).text


class TestPolicy:
    def test_names_what_runs_and_nothing_else(self, hostile) -> None:
        rules = dict(rule.strip().split(" ", 1) for rule in hostile.policy().split(";"))
        assert rules["default-src"] == "'none'"
        assert rules["script-src"].split() == [hash_source(text) for text in hostile.programs()]
        assert rules["style-src"].split() == [hash_source(text) for text in hostile.styles]
        assert (rules["base-uri"], rules["form-action"]) == ("'none'", "'none'")
        assert "unsafe" not in hostile.policy()

    def test_stands_before_anything_that_it_is_for(self, hostile) -> None:
        tags = [(tag, each.get("http-equiv")) for tag, each in hostile.elements]
        assert tags.index(("meta", "Content-Security-Policy")) < tags.index(("style", None))

    def test_nothing_is_loaded(self, hostile) -> None:
        loading = {"src", "href", "srcset", "action", "data", "poster", "style"}
        found = {each[name] for _, each in hostile.elements for name in loading & set(each)}
        assert found == {"#content", "#a", "#b", "#c"}
        assert "@import" not in hostile.styles[0]
        assert "url(" not in hostile.styles[0]

    def test_one_copy_of_the_library_however_many_charts(self, hostile) -> None:
        assert len(hostile.programs()) == 2
        assert sum("vegaEmbed=" in text for text in hostile.programs()) == 1


class TestReaders:
    """What a screen reader and a keyboard need."""

    def test_language_viewport_and_schemes(self, hostile) -> None:
        metas = {each.get("name"): each.get("content") for tag, each in hostile.elements
                 if tag == "meta"}  # fmt: skip
        assert ("html", {"lang": "en"}) in hostile.elements
        assert metas["viewport"] == "width=device-width, initial-scale=1"
        assert metas["color-scheme"] == "light dark"

    def test_tables_have_captions_and_scopes(self, hostile) -> None:
        tags = [tag for tag, _ in hostile.elements]
        assert tags.count("caption") == tags.count("table") == 3
        heads = [each.get("scope") for tag, each in hostile.elements if tag == "th"]
        assert set(heads) == {"col", "row"}

    def test_what_scrolls_takes_the_keyboard_and_has_a_name(self, hostile) -> None:
        frames = [each for _, each in hostile.elements if each.get("class") == "scroll"]
        assert frames
        for each in frames:
            assert (each["tabindex"], each["role"]) == ("0", "region")
            assert each["aria-label"] in (EVIL, "Token by token")

    def test_charts_are_images_with_words(self, hostile) -> None:
        charts = [each for _, each in hostile.elements if "data-chart" in each]
        assert [each["role"] for each in charts] == ["img", "img"]
        assert charts[0]["aria-label"] == f"{EVIL}. {EVIL}"

    def test_ids_are_different(self, hostile) -> None:
        ids = [each["id"] for _, each in hostile.elements if "id" in each]
        assert len(set(ids)) == len(ids)


class TestStrips:
    def test_level_and_number_of_each_token(self) -> None:
        strip = TokenStrip("早餐不好", [], ["早餐", "不", "好"], {"linear": [0.5, -1.0, 0.0]})
        html = render_page(Page("题", lead=[TokenStrips([strip])]))
        found = [(each["class"], each["title"]) for tag, each in ReadPage(html).elements
                 if tag == "span"]  # fmt: skip
        assert found == [
            ("t p3", "linear: +0.500"), ("t n6", "linear: −1.000"), ("t z0", "linear: 0.000")
        ]  # fmt: skip


def test_only_finite_numbers_are_sorted_by():
    cells = [[Cell("a", value)] for value in (0.5, math.nan, math.inf, None)]
    html = render_page(Page("题", lead=[DataTable("词", [Column("n", "number")], cells)]))
    orders = [each.get("data-order") for tag, each in ReadPage(html).elements if tag == "td"]
    assert orders == ["0.5", None, None, None]


def test_equal_pages_are_equal_bytes():
    assert render_page(whole_page("词")) == render_page(whole_page("词"))


def test_a_theme_of_the_user_changes_nothing():
    page = Page("题", lead=[Figure("one", "词", "词", bars)])
    before = render_page(page)
    with altair.theme.enable("dark"):
        assert render_page(page) == before


def test_a_page_of_words_runs_nothing():
    read = ReadPage(render_page(Page("题", lead=[Prose(["语言"])])))
    assert read.scripts == []
    assert "script-src 'none'" in read.policy()


@pytest.mark.parametrize(
    ("module", "package"),
    [("jinja2", "jinja2"), ("altair", "altair"), ("vl_convert", "vl-convert-python")],
)
def test_missing_packages_are_named_before_any_work(module, package, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)

    def draw():
        pytest.fail("work was done")

    with pytest.raises(
        MissingDependencyError,
        match=rf"an HTML page needs the package {package}; .*'nlpfeat\[report\]'",
    ):
        render_page(Page("题", lead=[Figure("one", "词", "词", draw)]))
