"""The page of a comparison: all that was found stands on it, as text, and nothing else does."""

import dataclasses
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from report_pages import ReadPage

from nlpfeat.compare.findings import Findings
from nlpfeat.compare.rendering import render_html
from nlpfeat.compare.rendering.contents import SECTIONS
from nlpfeat.datasets.phenomena import PHENOMENA
from nlpfeat.errors import MissingDependencyError

VERDICT = ["注意力在先。", "It is not told apart from NBSVM."]
#: What makes each section, where anything does.
NEEDS = {
    "side-by-side": ["estimates"],
    "differences": ["differences"],
    "phenomena": ["phenomena"],
    "learning-curve": ["curve"],
    "accuracy-seconds": ["estimates"],
    "tuning": ["tuning"],
    "calibration": ["calibration"],
    "faithfulness": ["faithfulness"],
    "agreement": ["agreement"],
    "omission": ["omission"],
    "documents": ["strips"],
    "models": ["models"],
    "provenance": [],
}


@pytest.fixture(scope="module")
def html(findings) -> str:
    return render_html(findings, VERDICT)


@pytest.fixture(scope="module")
def page(html) -> ReadPage:
    return ReadPage(html)


@pytest.fixture(scope="module")
def hostile(hostile_findings) -> ReadPage:
    return ReadPage(render_html(hostile_findings, VERDICT))


def sections_of(page: ReadPage) -> list[str]:
    return [each["id"] for tag, each in page.elements if tag == "h2"]


class TestSections:
    def test_all_in_their_order(self, page) -> None:
        assert sections_of(page) == list(NEEDS)
        assert len(SECTIONS) == len(NEEDS)

    @pytest.mark.parametrize("name", sorted({name for names in NEEDS.values() for name in names}))
    def test_without_data_are_left_out(self, only, name) -> None:
        found = sections_of(ReadPage(render_html(only(name))))
        assert found == [section for section, needs in NEEDS.items()
                         if not needs or needs == [name]]  # fmt: skip

    def test_of_nothing(self, only) -> None:
        page = ReadPage(render_html(only()))
        assert sections_of(page) == ["provenance"]
        assert "酒店评论" in page.text


class TestContents:
    def test_verdict_comes_first(self, page) -> None:
        assert page.text.index(VERDICT[0]) < page.text.index(VERDICT[1])
        assert page.text.index(VERDICT[1]) < page.text.index("Models side by side")

    def test_numbers_by_hand(self, page) -> None:
        # bow: accuracy .846 in .829 … .863; log loss 1.1 - .846; attention+pmi - bow = .047.
        # tuning: .893 - .04 / 4 = .883.
        for text in ("84.6", "[82.9, 86.3]", "0.254", "+4.7", "[+3.1, +6.3]", "< .001", "±1.6",
                     "is known to about ±1.7 points", "88.3"):  # fmt: skip
            assert text in page.text

    def test_every_model_phenomenon_and_score(self, page, findings) -> None:
        names = {each.name for each in findings.models}
        names |= {each.title for each in findings.phenomena}
        names |= {each.score for each in findings.agreement}
        names |= {each.order for each in findings.faithfulness}
        names |= set(findings.provenance.versions.values())
        assert {name for name in names if name not in page.text} == set()

    def test_provenance(self, page, findings) -> None:
        found = findings.provenance
        for text in (found.command, found.corpus_hash, found.split_hash, "6,240", "0, 1, 2"):
            assert text in page.text

    def test_charts_hold_what_was_found(self, page, findings) -> None:
        spec = json.loads(page.json_scripts()["spec-phenomena"])
        (rows,) = spec["datasets"].values()
        shown = {(row["phenomenon"].split()[-1], row["model"]): row for row in rows}
        assert len(shown) == len(findings.phenomena)
        for each in findings.phenomena:
            row = shown[each.phenomenon.split("_")[-1], each.model]
            assert row["accuracy"] == each.mean
            assert row["text"] == f"{100 * each.mean:.0f}"
            ceiling = "–" if each.ceiling is None else f"{100 * each.ceiling:.0f}"
            assert row["bound"] == ceiling

    def test_phenomena_by_the_catalog_and_models_by_family(self, page, only, findings) -> None:
        spec = json.loads(page.json_scripts()["spec-phenomena"])
        encoding = spec["layer"][0]["encoding"]
        rows = [title.split()[-1] for title in encoding["y"]["scale"]["domain"]]
        known = [name.split("_")[-1] for name in PHENOMENA]
        assert rows[:-1] == sorted(rows[:-1], key=known.index)
        assert rows[-1] == "counting"  # it is in no catalog
        columns = encoding["x"]["scale"]["domain"]
        models = [name for name in columns if name.strip("\u200b")]
        assert models == [each.name for each in findings.models]  # families come together there
        gaps = [columns.index(name) - 1 for name in ("topics", "text-cnn", "attention")]
        assert all(not columns[gap].strip("\u200b") for gap in gaps)
        assert len(set(columns)) == len(models) + 3
        mixed = dataclasses.replace(
            only("phenomena"), models=[findings.models[place] for place in (6, 0, 7, 1)]
        )
        spec = json.loads(ReadPage(render_html(mixed)).json_scripts()["spec-phenomena"])
        columns = spec["layer"][0]["encoding"]["x"]["scale"]["domain"]
        names = [name for name in columns if name.strip("\u200b")]
        assert names[:4] == ["attention", "attention+pmi", "bow", "tfidf"]

    def test_an_unknown_metric_is_shown_by_its_name(self, only, findings) -> None:
        estimate = dataclasses.replace(findings.estimates[0], metric="f_beta")
        changed = dataclasses.replace(only(), estimates=[estimate])
        assert "f_beta" in ReadPage(render_html(changed)).text

    def test_what_a_bootstrap_is_where_one_is(self, page, only, findings) -> None:
        told = "bootstrap: p is twice the smaller share"
        assert told not in page.text
        row = dataclasses.replace(findings.differences[0], test="bootstrap")
        assert told in ReadPage(render_html(dataclasses.replace(only(), differences=[row]))).text

    def test_a_model_of_other_documents_has_no_interval(self, only, findings) -> None:
        bare = dataclasses.replace(findings.estimates[0], mean=0.777, low=None, high=None)
        sure = dataclasses.replace(findings.estimates[0], model="sure", mean=1.0, low=1.0, high=1.0)
        text = ReadPage(render_html(dataclasses.replace(only(), estimates=[bare, sure]))).text
        assert "77.7sd 0.4" in text  # no interval between them
        assert "[100.0, 100.0]" in text

    def test_models_that_say_the_same_of_every_document(self, page, only, findings) -> None:
        told = "both models gave the same predictions on every document"
        assert told not in page.text
        same = dataclasses.replace(findings.differences[0], value=0.0, low=0.0, high=0.0,
                                   outcome="equivalent", says_the_same=True)  # fmt: skip
        text = ReadPage(render_html(dataclasses.replace(only(), differences=[same]))).text
        assert f"A point at 0 without a line: {told}, so there is nothing to resample." in text
        assert text.count(told) >= 2  # below the chart, and in the table
        assert "[0.0, 0.0]" not in text

    def test_the_region_of_equivalence(self, page, only, findings) -> None:
        assert "A difference in accuracy within ±1.0 points counts as none that" in page.text
        changed = dataclasses.replace(
            only("differences"),
            resolution=dataclasses.replace(findings.resolution, equivalence=0.005),
            provenance=dataclasses.replace(findings.provenance, protocol={"equivalence": None}),
        )
        read = ReadPage(render_html(changed))
        assert "A difference in accuracy within ±0.5 points counts" in read.text
        assert "The grey band, ±0.5, is the region of practical equivalence" in read.text
        assert "equivalenceby the number of test documents" in read.text
        band = json.loads(read.json_scripts()["spec-differences-0"])["datasets"].values()
        assert [{"low": -0.5, "high": 0.5}] in list(band)

    def test_several_references_stand_in_the_labels(self, only, findings) -> None:
        first = findings.differences[0]
        other = dataclasses.replace(first, reference="nbsvm")
        changed = dataclasses.replace(only(), differences=[first, other])
        spec = json.loads(ReadPage(render_html(changed)).json_scripts()["spec-differences-0"])
        labels = {row["model"] for rows in spec["datasets"].values() for row in rows
                  if "model" in row}  # fmt: skip
        assert labels == {"tfidf − bow", "tfidf − nbsvm"}


class TestHostileTexts:
    def test_make_no_element(self, page, hostile) -> None:
        assert hostile.tags() == page.tags()
        assert "img" not in hostile.tags()
        assert hostile.programs() == page.programs()
        handlers = {name for _, each in hostile.elements for name in each if name.startswith("on")}
        assert handlers == set()

    def test_are_shown_as_text(self, hostile) -> None:
        for text in ("</script><script>window.hacked=1</script>", "]]><!--<script>", "{{7*7}}",
                     "<img src=x onerror=window.hacked=2>", "&lt;b&gt;"):  # fmt: skip
            assert text in hostile.text

    def test_stay_inside_their_json(self, hostile) -> None:
        for text in hostile.json_scripts().values():
            assert not set("<>&\u2028\u2029") & set(text)
            json.loads(text)

    def test_are_no_field_names_and_no_expressions(self, page, hostile) -> None:
        # The specification around the data is the same, but for titles and labels of axes.
        def shape(text):
            spec = json.loads(text)
            return [sorted(row) for rows in spec["datasets"].values() for row in rows]

        clean, evil = page.json_scripts(), hostile.json_scripts()
        assert set(clean) == set(evil)
        for name in set(clean) - {"themes"}:
            assert sorted(shape(clean[name])) == sorted(shape(evil[name]))


def test_numbers_that_are_none(holed_findings, page):
    holed = ReadPage(render_html(holed_findings, VERDICT))
    assert sections_of(holed) == sections_of(page)
    # Settings are shown as they are; figures are not.
    assert "nan" not in holed.text[: holed.text.index("What took part")]
    for text in holed.json_scripts().values():
        json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))


class TestWithoutDocuments:
    def test_no_text_and_no_token_is_in_the_bytes(self, findings, html) -> None:
        texts = {text for strip in findings.strips for text in (strip.text, *strip.tokens)}
        told = render_html(findings, VERDICT, include_documents=False)
        # Single characters and marks may stand in any Chinese sentence.
        long = {text for text in texts if len(text) > 1}
        assert {"早餐", "干净"} <= long
        assert {text for text in long if text not in html} == set()
        assert {text for text in long if text in told} == set()
        assert "documents" not in sections_of(ReadPage(told))
        assert "Texts of documents are left out" in told

    def test_says_nothing_where_there_were_none(self, only) -> None:
        assert "are left out" not in render_html(only("models"), include_documents=False)


def test_equal_findings_are_equal_bytes(findings, html):
    assert render_html(findings, VERDICT) == html


@pytest.mark.slow
def test_another_process_writes_the_same_bytes(html, tmp_path):
    place = Path(__file__).with_name("conftest.py")
    code = (
        "import importlib.util, hashlib\n"
        f"spec = importlib.util.spec_from_file_location('made', {str(place)!r})\n"
        "made = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(made)\n"
        "from nlpfeat.compare.rendering import render_html\n"
        f"page = render_html(made.make_findings(), {VERDICT!r})\n"
        "print(hashlib.sha256(page.encode()).hexdigest())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONHASHSEED": "7"},
        capture_output=True, text=True, check=True, cwd=tmp_path,
    )  # fmt: skip
    assert done.stdout.strip() == hashlib.sha256(html.encode()).hexdigest()


@pytest.mark.parametrize("module", ["jinja2", "altair", "vl_convert"])
def test_missing_packages_are_said_before_any_work(module, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    no_findings: Findings = None  # type: ignore[assignment]
    with pytest.raises(MissingDependencyError, match=r"an HTML report needs .*nlpfeat\[report\]"):
        render_html(no_findings)


def test_where_lower_is_better_the_page_says_so(only, findings):
    first = findings.differences[0]
    lower = dataclasses.replace(first, metric="log_loss", value=-0.2, outcome="better")
    changed = dataclasses.replace(only(), differences=[first, lower])
    text = ReadPage(render_html(changed)).text
    accuracy, log_loss = (
        text.index("Accuracy: model minus bow"),
        text.index("Log loss: model minus"),
    )
    assert "Below 0 is better." not in text[accuracy:log_loss]
    assert "Below 0 is better." in text[log_loss:]
