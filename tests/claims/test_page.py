"""The page of all claims."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from nlpfeat.claims import CLAIMS
from nlpfeat.claims.kept import Kept, kept
from nlpfeat.claims.page import PICTURE, claims_page
from nlpfeat.claims.records import Record, find_records
from nlpfeat.claims.trainability.picture import trained_chart
from nlpfeat.claims.trainability.records import Records
from nlpfeat.claims.trainability.runs import Run
from nlpfeat.claims.trainability.settings import NOTES, SETTINGS
from nlpfeat.rendering import chart_svg

PAGE = Path(__file__).parents[2] / "docs" / "claims.md"


def entry(page, slug):
    """The part of a page that has one claim."""
    return page.split(f"\n## {slug}\n")[1].split("\n## ")[0]


def test_the_page_is_that_of_the_records():
    assert PAGE.read_text("utf-8") == claims_page(kept())


#: The headings of the notes in their order, and the claims that stand under each.
ORDER = [
    ("点乘注意力与加法注意力", ["additive-and-dot"]),
    ("独立的二元关系", ["independent-pairs", "position-tuple"]),
    ("非独立的二元关系", ["composition", "normalizer-coupling"]),
    ("投影说", ["convex-hull"]),
    ("Bag of Words", ["keywords", "negation", "frequency", "order"]),
    ("TF-IDF", ["important-words", "absence", "topics"]),
    ("PMI", ["substitutability"]),
    ("依赖与作用范围", ["distance", "scope"]),
    ("语义抽象化", ["abstraction"]),
    ("省略", ["quantifier", "omission"]),
    ("单头注意力到多头的发展历史", ["degrees-of-freedom"]),
    ("Multi-query attention", ["multi-query"]),
    ("拆分建模学说", ["heads-alike", "three-and-five"]),
    ("多头注意力真的必要吗？", ["deep-single-head"]),
    ("预训练的意义", ["without-pretraining", "trainability"]),
]


def test_every_claim_has_an_entry_in_the_order_of_the_notes():
    page = claims_page(Kept({}, []))
    slugs = [slug for _, under in ORDER for slug in under]
    assert re.findall(r"^## (.+)$", page, re.M) == [*slugs, "Not tested"]
    assert list(CLAIMS) == slugs
    for section, under in ORDER:
        for slug in under:
            assert f"({section})" in " ".join(entry(page, slug).split())


def test_what_is_not_measured_is_said_so():
    page = claims_page(Kept({}, []))
    for slug in CLAIMS:
        assert "**Not yet measured.**" in entry(page, slug)
    assert "examples/trainability.py" in entry(page, "trainability")
    assert page.count("| not yet measured |") == len(CLAIMS)
    assert "pictures/" not in page


def test_an_entry_shows_figures_verdict_and_origin():
    claim = CLAIMS["degrees-of-freedom"]
    record = Record(claim.measured(()), (), "2025-01-31", "2 cores, CPU", {"python": "3.12.1"})
    page = claims_page(Kept({claim.slug: record}, []))
    text = entry(page, claim.slug)
    row = "| 8 heads, 2 tokens: affine rank | 8 | dimensions | exact |"
    assert row in text
    assert "**Verdict: holds in part.** " in text
    assert "Measured on 2025-01-31, 2 cores, CPU; python 3.12.1." in text
    assert "`nlpfeat claims degrees-of-freedom`" in text
    assert f"| [{claim.title}](#degrees-of-freedom) | holds in part |" in page


def test_another_figure_makes_another_page():
    claim = CLAIMS["degrees-of-freedom"]
    figures = claim.measured(())
    pages = []
    for more in (0.0, 1.0):  # n dimensions, not n − 1
        changed = {
            name: replace(figures[name], values=(figures[name].value + more,))
            for name in (f"one head, {n} tokens: affine rank" for n in (2, 5))
        }
        record = Record(figures | changed, (), "2025-01-31", "", {})
        pages.append(entry(claims_page(Kept({claim.slug: record}, [])), claim.slug))
    assert "Verdict: holds in part" in pages[0]
    assert "Verdict: holds." in pages[1]


def test_no_line_of_prose_becomes_a_list():
    prose, _, after = claims_page(kept()).partition("## Not tested")
    assert not re.search(r"^[+*-] ", prose, re.M)
    assert after.count("\n- ") == 9


def test_lines_of_prose_are_short():
    for line in claims_page(kept()).splitlines():
        assert len(line) <= 120 or line.startswith("|")


def test_the_picture_is_that_of_the_records():
    pytest.importorskip("vl_convert")
    shown = (PAGE.parent / PICTURE).read_text("utf-8")
    assert cells_of(shown) == cells_of(chart_svg(trained_chart(kept().trainings)))


def cells_of(picture):
    """Where the texts of an SVG picture stand, and the colors of its cells.

    What fonts make of it, such as the room for labels, is left out.
    """
    found = re.findall(r'<text[^>]* transform="([^"]*)"[^>]*>([^<]*)</text>', picture)
    counts = [each for each in found if re.fullmatch(r"\d+/\d+", each[1])]
    labels = [text for _, text in found if "/" not in text]
    colors = re.findall(r'<path[^>]* fill="(#[^"]*)"', picture)
    assert len(counts) <= len(colors)
    assert {f"table {setting.table}: {setting.name}" for setting in SETTINGS} <= set(labels)
    return counts, labels, colors


def test_the_first_steps_are_those_of_the_kept_runs():
    figure, *_ = kept().records["trainability"].figures.values()
    records = Records(find_records("trainability.json"))
    for seed in range(3):  # each number of a curve is the mean of ten steps
        run = records[Run(SETTINGS[20], NOTES, seed)]
        assert run.curve[200 // 10 - 1] == pytest.approx(figure.values[seed], abs=0.02)
