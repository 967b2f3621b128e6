"""The charts of a comparison as objects and as files."""

import dataclasses
import sys
import warnings
import xml.etree.ElementTree as ET
from contextlib import nullcontext

import altair
import pytest

from nlpfeat.compare.rendering import figures, save_figures
from nlpfeat.compare.rendering import figures as package
from nlpfeat.errors import InvalidParameterError, MissingDependencyError, OutputError
from nlpfeat.rendering import chart_svg, pictures
from nlpfeat.rendering.pictures import lacks_chinese_font

NAMES = ["differences-0", "phenomena", "learning-curve", "accuracy-seconds", "tuning",
         "calibration-0", "calibration-1", "calibration-2", "calibration-3", "comprehensiveness",
         "sufficiency", "agreement"]  # fmt: skip


def test_all_charts_of_the_page(findings):
    charts = figures(findings)
    assert list(charts) == NAMES
    assert all(isinstance(chart, altair.Chart | altair.LayerChart) for chart in charts.values())


def test_none_without_data(only):
    assert figures(only()) == {}


def test_files(only, tmp_path):
    findings = only("phenomena")
    (chart,) = figures(findings).values()
    warned = pytest.warns(match="No font") if lacks_chinese_font(chart) else nullcontext()
    with warned:
        written = save_figures(findings, tmp_path / "图")
    assert [path.name for path in written] == ["phenomena.svg", "phenomena.png"]
    tree = ET.parse(written[0])
    texts = {element.text for element in tree.iter("{http://www.w3.org/2000/svg}text")}
    titles = {" ".join(text.split()) for text in texts if text}
    assert {"语序 order", "远距搭配 distant pair", "bow", "50"} <= titles
    assert written[1].read_bytes().startswith(b"\x89PNG")


def test_numbers_that_are_none(holed_findings):
    for chart in figures(holed_findings).values():
        ET.fromstring(chart_svg(chart))


def test_axes_name_quantity_unit_and_scale(findings):
    charts = figures(findings)
    titles = {
        name: {
            layer["encoding"][axis]["title"]
            for layer in charts[name].to_dict(validate=False)["layer"]
            for axis in "xy" if "title" in layer["encoding"].get(axis, {})
        }
        for name in ("learning-curve", "accuracy-seconds")
    }  # fmt: skip
    assert titles == {
        "learning-curve": {"Number of training documents, log scale", "Accuracy, %"},
        "accuracy-seconds": {"Seconds of training, log scale", "Accuracy, %"},
    }


def test_what_is_not_known_is_not_drawn(findings, only):
    accuracy, seconds = (
        [dataclasses.replace(each, model=name, mean=mean)
         for name, mean in (("known", 0.8), ("bare", 0.9))]
        for each in findings.estimates if (each.model, each.metric) in
        (("bow", "accuracy"), ("bow", "training_seconds"))
    )  # fmt: skip
    accuracy[1] = dataclasses.replace(accuracy[1], low=None, high=None)
    chart = figures(dataclasses.replace(only(), estimates=accuracy + seconds))["accuracy-seconds"]
    drawn = ET.fromstring(chart_svg(chart))
    marks = {each.get("class", "").split(" ")[0]: len(each) for each in drawn.iter()
             if "layer_" in each.get("class", "")}  # fmt: skip
    assert (marks["mark-rule"], marks["mark-symbol"]) == (1, 2)


def test_warns_once_where_no_font_has_chinese(only, tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "chinese_font", lambda: None)
    with pytest.warns(UserWarning, match="No font with Chinese characters") as told:
        save_figures(only("phenomena", "differences"), tmp_path)
    assert len(told) == 1
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save_figures(only("phenomena"), tmp_path, ["svg"])


def test_a_folder_that_cannot_be_made(only, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match=r"cannot make the folder .*图"):
        save_figures(only(), tmp_path / "file" / "图")


def test_names_beside_points_are_few(findings, only):
    first = {each.model: each for each in findings.estimates if each.metric == "accuracy"}["bow"]
    accuracies = [0.7, 0.8, 0.75, 0.9, 0.9, 0.85, 0.91, 0.6, 0.65, 0.5]
    estimates = []
    for place, accuracy in enumerate(accuracies):
        name = f"m{place}"
        estimates += [
            dataclasses.replace(first, model=name, mean=accuracy),
            dataclasses.replace(first, model=name, metric="training_seconds", mean=place + 1.0),
        ]
    difference = dataclasses.replace(findings.differences[0], model="m0", reference="m7")

    def named(estimates):
        changed = dataclasses.replace(only(), estimates=estimates, differences=[difference])
        spec = figures(changed)["accuracy-seconds"].to_dict(validate=False)
        rows = next(rows for rows in spec["datasets"].values())
        assert len(rows) == len(estimates) / 2
        return {row["model"] for row in rows if row["side"]}

    # Faster and as accurate is better: m4 is behind m3; m7 is a reference.
    assert named(estimates) == {"m0", "m1", "m3", "m6", "m7"}
    assert named(estimates[:8]) == {"m0", "m1", "m2", "m3"}


def test_unknown_format(findings, tmp_path):
    with pytest.raises(InvalidParameterError, match="formats must be one of 'svg', 'png'"):
        save_figures(findings, tmp_path, ["svg", "gif"])
    assert list(tmp_path.iterdir()) == []


def test_missing_packages_are_named(findings, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingDependencyError, match=r"the package vl-convert-python; .*\[report"):
        save_figures(findings, tmp_path)
    assert callable(package)
