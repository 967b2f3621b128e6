"""Records of claims on disk, and what is said of those that do not repeat."""

import json
import math
from dataclasses import replace

import pytest

from nlpfeat.claims import CLAIMS
from nlpfeat.claims.figures import Figure, by_name
from nlpfeat.claims.kept import Kept, changed, judged
from nlpfeat.claims.records import Record, find_records, read_records, write_records
from nlpfeat.errors import InvalidInputError

FIGURES = by_name([
    Figure("好 near 坏", (1.0,), "cosine"),
    Figure("对", (0.25,), "AUC", "listed", interval=(0.125, 0.5)),
    Figure("一半", (0.5,), "accuracy", "built"),
    Figure("rows", (3.0,), "of 8 rows", "counted"),
    Figure("accuracy", (0.9, 1.0), "accuracy", "drawn", 200),
    Figure("seconds", (2.5, 2.75), "ratio", "timed"),
])  # fmt: skip
RECORD = Record(FIGURES, (0, 1), "2025-01-31", "2 cores", {"python": "3.12"})


def test_records_come_back(tmp_path):
    path = tmp_path / "claims.json"
    write_records(path, {"b": RECORD, "a": RECORD})
    found = read_records(path)
    assert list(found) == ["b", "a"]
    assert found["a"] == RECORD
    assert "好 near 坏" in path.read_text("utf-8")


@pytest.mark.parametrize(
    "content",
    ["", "[]", '{"a": 1}', '{"a": {"figures": []}}', '{"a": {"figures": [{"kind": "guessed"}]}}'],
)
def test_what_is_no_record_is_told(tmp_path, content):
    path = tmp_path / "claims.json"
    path.write_text(content, "utf-8")
    with pytest.raises(
        InvalidInputError, match=r"must hold records of claims .*Error\(.*Give the name"
    ):
        read_records(path)


def test_records_that_are_nowhere_are_none():
    assert find_records("none.json") is None


def test_only_what_ought_to_repeat_is_told():
    other = by_name(
        replace(each, values=tuple(2 * value for value in each.values)) for each in FIGURES.values()
    )
    assert list(changed(other, FIGURES)) == ["好 near 坏", "对", "一半", "rows"]
    assert list(changed(FIGURES, FIGURES)) == []
    assert list(changed(other, {})) == []  # nothing is recorded


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("对", {"interval": (0.125, 0.75)}),
        ("对", {"interval": None}),
        ("好 near 坏", {"values": (1.0, 1.0)}),
        ("好 near 坏", {"kind": "built"}),
        ("accuracy", {"kind": "exact"}),
    ],
)
def test_another_interval_length_or_kind_is_told(name, other):
    measured = FIGURES | {name: replace(FIGURES[name], **other)}
    assert list(changed(measured, FIGURES)) == [name]


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_that_is_only_on_one_side_is_told(name):
    fewer = {each: figure for each, figure in FIGURES.items() if each != name}
    assert list(changed(fewer, FIGURES)) == [name]
    assert list(changed(FIGURES, fewer)) == [name]


def test_rounding_is_no_change():
    near = replace(FIGURES["好 near 坏"], values=(1.0 + 1e-9,))
    assert list(changed(FIGURES | {near.name: near}, FIGURES)) == []


def test_records_of_another_version_do_not_hide_those_of_other_claims():
    other = replace(RECORD, figures={"rows": FIGURES["rows"]})
    kept = Kept({"keywords": other}, [])
    found = kept.judgement(CLAIMS["keywords"])
    assert found.verdict == "not yet measured"
    assert "of another version. Measure it again: `nlpfeat claims keywords`" in found.sentence
    assert kept.judgement(CLAIMS["order"]).verdict == "not yet measured"


def test_records_of_another_version_are_told():
    with pytest.raises(InvalidInputError, match="keywords must have the figure 'bag of words'"):
        judged(CLAIMS["keywords"], {"rows": FIGURES["rows"]})


@pytest.mark.parametrize(
    "damaged",
    [
        {"values": []},
        {"values": "12"},
        {"values": ["0.5"]},
        {"values": [math.nan]},
        {"values": [True]},
        {"trials": -5},
        {"trials": math.inf},
        {"interval": [0.3]},
        {"overlap": -1},
    ],
)
def test_damaged_figures_are_refused_on_reading(tmp_path, damaged):
    path = tmp_path / "claims.json"
    write_records(path, {"a": RECORD})
    kept = json.loads(path.read_text("utf-8"))
    kept["a"]["figures"][0] |= damaged
    path.write_text(json.dumps(kept), "utf-8")
    with pytest.raises(InvalidInputError, match="must hold records of claims"):
        read_records(path)


def test_fewer_than_three_seeds_decide_nothing():
    figures = by_name([Figure("bag of words", (1.0, 1.0), "accuracy", "drawn", 200)])
    found = judged(CLAIMS["keywords"], figures)
    assert found.verdict == "not decidable here"
    assert found.sentence == (
        "“bag of words” is known of 2 of the three seeds that an interval needs."
    )
