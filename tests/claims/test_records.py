"""Records of claims on disk, and what is said of those that do not repeat."""

import pytest

from nlpfeat.claims.figures import Figure, by_name
from nlpfeat.claims.kept import changed
from nlpfeat.claims.records import Record, find_records, read_records, write_records
from nlpfeat.errors import InvalidInputError

FIGURES = by_name([
    Figure("好 near 坏", (1.0,), "cosine"),
    Figure("对", (0.25, 0.5), "AUC", "listed"),
    Figure("accuracy", (0.9, 1.0), "accuracy", "drawn"),
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
    with pytest.raises(InvalidInputError, match=r"must hold records of claims .* Got "):
        read_records(path)


def test_records_that_are_nowhere_are_none():
    assert find_records("none.json") is None


def test_only_what_ought_to_repeat_is_told():
    other = by_name(
        Figure(each.name, tuple(2 * value for value in each.values), each.unit, each.kind)
        for each in FIGURES.values()
    )
    assert list(changed(other, FIGURES)) == ["好 near 坏", "对"]
    assert list(changed(FIGURES, FIGURES)) == []
    assert list(changed(other, {})) == []  # nothing is recorded


def test_a_figure_that_was_not_recorded_or_has_fewer_values_is_told():
    shorter = by_name([Figure("对", (0.25,), "AUC", "listed"), Figure("新", (1.0,))])
    assert list(changed(shorter, FIGURES)) == ["对", "新"]


def test_rounding_is_no_change():
    near = by_name([Figure("好 near 坏", (1.0 + 1e-9,), "cosine")])
    assert list(changed(near, FIGURES)) == []
