"""The Markdown of a comparison."""

import re
import sys

from nlpfeat.compare.rendering import render_markdown

VERDICT = ["注意力在先。"]


def tables_of(text):
    """Return the tables, each as rows of cells."""
    found, now = [], []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            now.append(re.split(r"(?<!\\)\|", line)[1:-1])
        elif now:
            found.append(now)
            now = []
    return found


def test_every_table_has_as_many_cells_in_each_row(findings, hostile_findings):
    for each in (findings, hostile_findings):
        tables = tables_of(render_markdown(each, VERDICT))
        assert len(tables) > 10
        for table in tables:
            assert len({len(row) for row in table}) == 1
            assert all(set(cell.strip()) <= {"-", ":"} for cell in table[1])


def test_holds_the_numbers_of_the_charts(findings):
    text = render_markdown(findings, VERDICT)
    plain = text.replace("\\", "")
    assert "| bow (counts) | 84.6 [82.9, 86.3], sd 0.4 |" in plain
    assert "| 语序 (order) | 50.0 [47.0, 52.0], ≤ 50 |" in plain


def test_texts_are_no_markup(hostile_findings):
    text = render_markdown(hostile_findings, VERDICT)
    bare = re.sub(r"\\.", "", text)
    assert not re.search("[<>`]", bare)
    assert r"\</script\>\<script\>window.hacked=1\</script\>" in text
    text.encode()


def test_without_documents(findings):
    assert "早餐" in render_markdown(findings)
    assert "早餐" not in render_markdown(findings, include_documents=False)


def test_needs_no_package_of_the_extra(findings, monkeypatch):
    for module in ("jinja2", "altair", "vl_convert"):
        monkeypatch.setitem(sys.modules, module, None)
    assert render_markdown(findings).startswith("# 酒店评论")
