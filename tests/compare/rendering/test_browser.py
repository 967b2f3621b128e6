"""The page of a comparison in a real browser."""

import pytest
from report_pages import chromium, visit

from nlpfeat.compare.rendering import render_html

pytestmark = pytest.mark.slow

VERDICT = ["注意力在先。", "It is not told apart from NBSVM."]


@pytest.fixture(scope="module")
def browser():
    with chromium() as started:
        yield started


@pytest.fixture(scope="module")
def page(findings, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "报告 report.html"
    path.write_bytes(render_html(findings, VERDICT).encode())
    return path


@pytest.fixture(scope="module")
def hostile_page(hostile_findings, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "hostile.html"
    path.write_bytes(render_html(hostile_findings, VERDICT).encode())
    return path


MARKS = """[...document.querySelectorAll("[data-chart]")].map(
    (chart) => [chart.dataset.chart, chart.querySelectorAll("svg path, svg text").length])"""
TEXTS = '[...document.querySelectorAll("svg text")].map((text) => text.textContent)'
FILLS = '[...document.querySelectorAll("svg text")].map((text) => text.getAttribute("fill"))'
OVERFLOW = "document.documentElement.scrollWidth - window.innerWidth"
INK = "getComputedStyle(document.body).color"


def test_charts_are_drawn_and_nothing_leaves(browser, page, tmp_path):
    with visit(browser, page) as seen:
        seen.drawn()
        marks = dict(seen.value(MARKS))
        assert len(marks) == 12
        assert min(marks.values()) > 10
        assert {"语序  order", "远距搭配  distant pair", "attention+pmi"} <= set(seen.value(TEXTS))
        assert "酒店评论 hotel-reviews.tsv" in seen.page.inner_text("h1")
        assert "注意力在先。" in seen.page.inner_text("main")
        assert seen.messages == []
        assert seen.requests == [page.as_uri()]
        assert seen.keep_picture("comparison-light", tmp_path).stat().st_size > 50_000


def test_dark_on_a_phone(browser, page, tmp_path):
    with visit(browser, page, scheme="dark", width=375) as seen:
        seen.drawn()
        assert seen.value(OVERFLOW) <= 0
        # What is wider than the phone scrolls inside its frame.
        inner = 'document.querySelector(".scroll").scrollWidth - 375'
        assert seen.value(inner) > 0
        assert seen.value("document.documentElement.dataset.charts") == "dark"
        assert seen.value(INK) == "rgb(232, 230, 225)"
        assert "#a3abb4" in seen.value(FILLS)
        seen.keep_picture("comparison-dark-phone", tmp_path)
        # The reader turns the light on.
        seen.page.emulate_media(color_scheme="light")
        seen.page.wait_for_selector("html[data-charts=light]")
        assert "#a3abb4" not in seen.value(FILLS)
        assert seen.value(INK) == "rgb(29, 33, 38)"
        assert seen.messages == []


def test_hostile_texts_are_text(browser, hostile_page):
    with visit(browser, hostile_page, width=375) as seen:
        seen.drawn()
        assert seen.value("window.hacked") is None
        assert seen.messages == []
        assert seen.requests == [hostile_page.as_uri()]
        assert seen.value('document.querySelectorAll("img").length') == 0
        assert seen.value(OVERFLOW) <= 0
        shown = seen.page.inner_text("h1")
        assert "</script><script>window.hacked=1</script>" in shown
        assert "{{7*7}}" in shown
        assert any("</script><script>" in text for text in seen.value(TEXTS))


def test_the_policy_stops_what_escaping_would_have_missed(browser, page, tmp_path):
    evil = tmp_path / "evil.html"
    injected = (
        "<script>window.hacked=1</script><img src='http://127.0.0.1:9/x.png' "
        "onerror='window.hacked=2'><script src='http://127.0.0.1:9/x.js'></script><main"
    )
    evil.write_text(page.read_text("utf-8").replace("<main", injected, 1), "utf-8")
    with visit(browser, evil) as seen:
        seen.drawn()
        assert seen.value("window.hacked") is None
        assert len(seen.messages) >= 4
        assert all("Content Security Policy" in message for message in seen.messages)


def test_tables_sort_by_keyboard(browser, page):
    column = """[...document.querySelector("table").tBodies[0].rows].map(
        (row) => [row.cells[0].textContent, Number(row.cells[1].dataset.order)])"""
    with visit(browser, page) as seen:
        button = seen.page.locator("thead").first.get_by_role("button", name="Accuracy")
        button.focus()
        assert seen.value('document.querySelectorAll("[aria-sort]").length') == 0
        before = seen.value(column)
        seen.page.keyboard.press("Enter")
        down = seen.value(column)
        head = 'document.querySelectorAll("thead th")[1].getAttribute("aria-sort")'
        assert seen.value(head) == "descending"
        assert [value for _, value in down] == sorted((value for _, value in before), reverse=True)
        seen.page.keyboard.press("Enter")
        assert seen.value(head) == "ascending"
        assert seen.value(column) == down[::-1]
        assert sorted(down) == sorted(before)
