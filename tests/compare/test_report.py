"""The report: data, text, and JSON that comes back the same or is refused."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.compare.explaining.findings import (
    Agreement,
    Faithfulness,
    NormalizedFigure,
    Omission,
)
from nlpfeat.compare.findings import (
    Calibration,
    CalibrationBin,
    CurvePoint,
    Difference,
    Estimate,
    Findings,
    ModelFacts,
    PhenomenonScore,
    Provenance,
    Record,
    Resolution,
    Strip,
    TuningPoint,
)
from nlpfeat.compare.report import ComparisonReport
from nlpfeat.compare.report_json import from_json, to_json
from nlpfeat.errors import InvalidInputError, InvalidParameterError, MissingDependencyError

FINDINGS = Findings(
    provenance=Provenance(
        "nlpfeat compare 词.tsv", "词.tsv", "ab", "cd", 100, 3, {"好": 60, "</script>": 40},
        {"seeds": [0, 1], "split": "holdout", "time_budget": None, "equivalence": None},
        {"python": "3.12.1"},
    ),
    models=[
        ModelFacts("词袋", "classical", "", "C=1", 2, [{"C": 0.1, "binary": True, "n": 3}, {}]),
        ModelFacts("attention", "attention", "", "", 1, [{}]),
    ],
    records=[Record("词袋", "classical", 0, 1, 80, "accuracy", 1 / 3)],
    estimates=[
        Estimate("词袋", "accuracy", 0.9, 0.01, 0.85, 0.95, 2),
        Estimate("attention", "accuracy", 0.8, 0.01, 0.75, 0.85, 2),
        Estimate("词袋", "training_seconds", 2.0, 0.5, None, None, 2),
        Estimate("attention", "training_seconds", 3.0, None, None, None, 1),
    ],
    differences=[
        Difference("attention", "词袋", "accuracy", -0.1, -0.15, -0.05, "mcnemar chi2", 1e-300,
                   5e-324, None, None, None, "worse", None),
        Difference("a", "b", "accuracy", 0.0, 0.0, 0.0, "mcnemar exact mid-p", 1.0, 1.0, None, None,
                   None, "equivalent", None, says_the_same=True),
    ],
    resolution=Resolution(20, 0.9, 0.1, 0.13, 0.14, 0.01),
    calibration=[Calibration("词袋", 1.2, [CalibrationBin(0.0, 0.1, 3, 0.05, 0.0)], [])],
    curve=[
        CurvePoint("词袋", 80, 0.9, 0.8, 0.95, 2, 1.5),
        CurvePoint("attention", 80, 0.8, 0.7, 0.85, 1, None),
    ],
    faithfulness=[
        Faithfulness("词袋", "own", 0.1, 0.2, NormalizedFigure(0.9, 0.8, 1.0, 8), None, 10)
    ],
    agreement=[Agreement("attention", "idf", 0.1, 0.0, 0.2, 0.3, 0.25, 0.0, None, 0.5, 10)],
    omission=[
        Omission("attention", "cue", 0.9, 0.5, 0.55, 0.5, 0.6, -1.5, -2.0, -1.0, 10),
        Omission("词袋", "cue", 0.0, 0.0, None, None, None, -1.5, -2.0, -1.0, 10),
    ],
    phenomena=[PhenomenonScore("order", "谁对谁", "词袋", 0.5, 0.45, 0.55, None, 2)],
    strips=[
        Strip("<img onerror=x>", "好", ["<img", "]]>"], {"tfidf": [0.5, -1.0]}, {"词袋": "好"})
    ],
    notes=["\u2028 </script>"],
    tuning=[TuningPoint("词袋", 1, 0.5)],
)  # fmt: skip
REPORT = ComparisonReport(FINDINGS)


def test_everything_comes_back_from_json():
    text = REPORT.to_json()
    assert ComparisonReport.from_json(text) == REPORT
    assert ComparisonReport.from_json(text.encode()).to_json() == text
    chosen = from_json(text).models[0].chosen[0]
    assert [type(value) for value in chosen.values()] == [float, bool, int]
    json.loads(text, parse_constant=pytest.fail)


@given(st.floats(), st.text(st.characters(exclude_categories=["Cs"])), st.integers(-(2**70), 2**70))
def test_any_number_and_text_come_back(number, text, whole):
    record = replace(FINDINGS.records[0], value=number, model=text, seed=whole)
    again = from_json(to_json(replace(FINDINGS, records=[record], notes=[text])))
    assert repr(again.records) == repr([record])
    assert again.notes == [text]


def damaged(change):
    document = json.loads(REPORT.to_json())
    change(document["findings"])
    return json.dumps(document)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda f: f.pop("records"), r"findings must have the key 'records'"),
        (lambda f: f.update(more=1), r"findings has the unknown key 'more'"),
        (lambda f: f["records"][0].update(value="1"), r"records\[0\]\.value must be a number"),
        (lambda f: f["records"][0].update(value=True), r"must be a number. Got True"),
        (lambda f: f["records"][0].update(value=10**400), r"must be a number. Got 10000"),
        (lambda f: f["records"][0].update(seed=1.0), r"seed must be a whole number. Got 1\.0"),
        (lambda f: f["records"][0].update(seed=True), r"seed must be a whole number. Got True"),
        (lambda f: f["records"][0].update(model=None), r"model must be a text. Got None"),
        (lambda f: f.update(records={}), r"records must be a list. Got {}"),
        (lambda f: f.update(records=[1]), r"records\[0\] must be an object. Got 1"),
        (lambda f: f["provenance"].update(classes=[]), r"classes must be an object"),
        (lambda f: f["provenance"]["protocol"].update(seeds={}), r"protocol\.seeds must be"),
        (
            lambda f: f["provenance"]["protocol"].update(seeds=[[0]]),
            r"protocol\.seeds\[0\] must be",
        ),
        (lambda f: f["differences"][0].update(p_worse="no"), r"p_worse must be a number or null"),
        (
            lambda f: f["estimates"][0].update(low=[]),
            r"estimates\[0\]\.low must be a number or null",
        ),
        (lambda f: f.update(notes=["x" * 100, 3]), r"notes\[1\] must be a text"),
        (lambda f: f["strips"][0]["sources"].update(pmi=[None]), r"sources\.pmi\[0\]"),
    ],
)
def test_what_is_damaged_is_told_with_its_place(change, message):
    with pytest.raises(InvalidInputError, match=message):
        from_json(damaged(change))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "This is no JSON"),
        ("[" * 100_000, "This is no JSON"),
        ("[]", "This is no report"),
        ('{"format": "nlpfeat comparison", "version": 2}', "must be of version 1. Got 2"),
        ('{"format": "nlpfeat comparison", "version": 1}', "findings must be an object. Got None"),
        (REPORT.to_json().replace("0.85", "NaN", 1), "NaN is no number of JSON"),
        (REPORT.to_json().replace('"notes"', '"records"'), "the key 'records' stands twice"),
        (REPORT.to_json().replace("词.tsv", "\\ud800"), "This is no JSON"),
        (b"\xff\xfe", "This is no JSON"),
    ],
)
def test_what_is_no_report_is_told(text, message):
    with pytest.raises(InvalidInputError, match=message):
        from_json(text)


def test_the_summary_is_aligned_and_holds_verdict_and_notes():
    lines = REPORT.summary().splitlines()
    assert lines[0] == (
        "词袋 has the highest accuracy, 90.0 % [85.0, 95.0], and is ahead of attention by "
        "10.0 points [5.0, 15.0], p < .001."
    )
    start = next(row for row, line in enumerate(lines) if line.startswith("model"))
    assert lines[start].split() == [
        "model", "accuracy", "%", "95", "%", "macro-F1", "%", "log", "loss*", "ECE*", "%",
        "training", "s", "against", "词袋",
    ]  # fmt: skip
    assert lines[start + 1].startswith("词袋             90.0  [85.0, 95.0]")
    assert lines[start + 2].startswith("attention        80.0  [75.0, 85.0]")
    assert lines[start + 2].endswith("worse")
    assert lines[-1] == "Note:   </script>"


def test_the_frame_holds_the_records(monkeypatch):
    frame = REPORT.frame()
    assert frame.to_dict("records") == [
        {"model": "词袋", "family": "classical", "split": 0, "seed": 1, "size": 80,
         "metric": "accuracy", "value": 1 / 3}
    ]  # fmt: skip
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(MissingDependencyError, match=r"frame needs the package pandas"):
        REPORT.frame()


def test_files_are_written_by_their_ending(tmp_path):
    REPORT.save(tmp_path / "报告.json")
    assert ComparisonReport.from_json((tmp_path / "报告.json").read_bytes()) == REPORT
    REPORT.save(tmp_path / "r.md")
    assert "词袋" in (tmp_path / "r.md").read_text("utf-8")
    with pytest.raises(InvalidParameterError, match=r"ends in \.html, \.md, \.json.*Got 'r\.txt'"):
        REPORT.save("r.txt")
    with pytest.raises(InvalidParameterError, match=r"Did you mean '\.html'"):
        REPORT.save("r.htm")


def test_without_documents_no_text_is_left():
    bare = REPORT.without_documents()
    assert bare.findings.strips == []
    assert "onerror" not in bare.to_json()
    assert bare.findings.records == FINDINGS.records


def test_a_report_is_shown_in_a_line():
    n_models, n_documents = len(FINDINGS.models), FINDINGS.resolution.n_documents
    assert repr(REPORT) == (
        f"<ComparisonReport of {n_models} models on {n_documents:,} test documents; see summary()>"
    )
