"""Tables come out byte by byte as promised and read back equal in other programs."""

import csv
import io
import json
import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.errors import InvalidInputError, InvalidParameterError, MissingDependencyError
from nlpfeat.io import byte_rows, tables
from nlpfeat.io.atomic import atomic_output
from nlpfeat.io.tables import TABLE_WRITERS, Table, TextColumn

SUFFIXES = [".tsv", ".csv", ".jsonl", ".parquet"]
any_text = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    st.text("=+-@\t\r\n\"',\\＝＋－＠ 词", max_size=5),
)
any_row = st.tuples(
    any_text, any_text, st.integers(-(2**63), 2**63 - 1), st.floats(allow_infinity=False)
)


def text_column(*texts):
    values = sorted(set(texts), reverse=True)
    ids = [values.index(text) for text in texts]
    return TextColumn(np.array(ids, np.int32), values)


def table_of(rows):
    x, y, n, pmi = zip(*rows) if rows else ((), (), (), ())
    return Table(
        {
            "x": text_column(*x),
            "y": text_column(*y),
            "n_xy": np.array(n, np.int64),
            "pmi": np.array(pmi, np.float64),
        }
    )


def written(table, suffix, **options):
    stream = io.BytesIO()
    TABLE_WRITERS[suffix](table, stream, **options)
    return stream.getvalue()


def same_float(cell, number):
    return cell == "" if math.isnan(number) else repr(float(cell)) == repr(number)


SMALL = table_of(
    [("学习", "语言", 12, 0.1), ("天", 'a\t"b"', 3, math.nan), ("=1", "x,\\y", 0, -2.0)]
)


def test_tsv_by_hand():
    assert written(SMALL, ".tsv").decode() == (
        'x\ty\tn_xy\tpmi\n学习\t语言\t12\t0.1\n天\ta\\t"b"\t3\t\n=1\tx,\\\\y\t0\t-2.0\n'
    )


def test_csv_by_hand():
    assert written(SMALL, ".csv").decode() == (
        'x,y,n_xy,pmi\n学习,语言,12,0.1\n天,"a\t""b""",3,\n=1,"x,\\y",0,-2.0\n'
    )


def test_jsonl_by_hand():
    assert written(SMALL, ".jsonl").decode() == (
        '{"x":"学习","y":"语言","n_xy":12,"pmi":0.1}\n'
        '{"x":"天","y":"a\\t\\"b\\"","n_xy":3,"pmi":null}\n'
        '{"x":"=1","y":"x,\\\\y","n_xy":0,"pmi":-2.0}\n'
    )


def test_spreadsheet_csv_by_hand():
    assert written(SMALL, ".csv", spreadsheet=True) == (
        b"\xef\xbb\xbf"
        + (
            'x,y,n_xy,pmi\r\n学习,语言,12,0.1\r\n天,"a\t""b""",3,\r\n\'=1,"x,\\y",0,-2.0\r\n'
        ).encode()
    )


def test_spreadsheet_tsv_by_hand():
    assert written(SMALL, ".tsv", spreadsheet=True) == (
        b"\xef\xbb\xbf"
        + (
            "x\ty\tn_xy\tpmi\r\n学习\t语言\t12\t0.1\r\n"
            '天\t"a\\t""b"""\t3\t\r\n\'=1\t"x,\\\\y"\t0\t-2.0\r\n'
        ).encode()
    )


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
@pytest.mark.parametrize("suffix", [".tsv", ".csv"])
def test_formula_is_disarmed_and_numbers_are_not_touched(start, suffix):
    table = Table(
        {
            "x": text_column(start + "SUM(A1)", "语" + start),
            "n": np.array([-5, 7]),
            "pmi": np.array([-0.5, -1e-9]),
        }
    )
    separator = "\t" if suffix == ".tsv" else ","
    text = written(table, suffix, spreadsheet=True).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    assert [row[0][:1] for row in rows] == ["x", "'", "语"]
    assert [row[1:] for row in rows[1:]] == [["-5", "-0.5"], ["7", "-1e-09"]]


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_spreadsheet_is_refused_elsewhere(suffix):
    with pytest.raises(InvalidParameterError, match=f"spreadsheet must be False for {suffix}"):
        written(SMALL, suffix, spreadsheet=True)


def test_infinities():
    table = Table({"pmi": np.array([math.inf, -math.inf])})
    assert written(table, ".tsv") == written(table, ".csv") == b"pmi\ninf\n-inf\n"
    assert written(table, ".jsonl") == b'{"pmi":"inf"}\n{"pmi":"-inf"}\n'


def test_weighted_counts_are_written_as_floats():
    table = Table({"n_xy": np.array([1.0, 2.5, 1 / 3])})
    assert written(table, ".tsv") == b"n_xy\n1.0\n2.5\n0.3333333333333333\n"


@pytest.mark.parametrize(
    ("suffix", "expected"),
    [(".tsv", b"x\ty\tn_xy\tpmi\n"), (".csv", b"x,y,n_xy,pmi\n"), (".jsonl", b"")],
)
def test_no_rows(suffix, expected):
    assert written(table_of([]), suffix) == expected


@given(st.lists(any_row, max_size=8))
def test_tsv_reads_back(rows):
    header, *lines = written(table_of(rows), ".tsv").decode().split("\n")
    assert header == "x\ty\tn_xy\tpmi"
    assert lines.pop() == ""
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows):
        x, y, n, pmi = line.split("\t")
        for cell, text in ((x, row[0]), (y, row[1])):
            # A second way back: left to right, one escape at a time.
            plain, rest = "", cell
            while rest:
                step = 2 if rest[0] == "\\" else 1
                plain += {"\\t": "\t", "\\n": "\n", "\\r": "\r", "\\\\": "\\"}.get(
                    rest[:step], rest[:step]
                )
                rest = rest[step:]
            assert plain == text
        assert int(n) == row[2]
        assert same_float(pmi, row[3])


@given(st.lists(any_row, max_size=8))
def test_csv_reads_back_with_the_csv_module(rows):
    text = written(table_of(rows), ".csv").decode()
    _, *read = csv.reader(io.StringIO(text, newline=""))
    assert [row[:2] for row in read] == [list(row[:2]) for row in rows]
    assert [int(row[2]) for row in read] == [row[2] for row in rows]
    assert all(same_float(cells[3], row[3]) for cells, row in zip(read, rows))


@given(st.lists(any_text, min_size=1, max_size=8))
def test_csv_of_one_column_keeps_empty_texts(texts):
    text = written(Table({"x": text_column(*texts)}), ".csv").decode()
    assert list(csv.reader(io.StringIO(text, newline=""))) == [["x"], *([text] for text in texts)]


@given(st.lists(any_row, max_size=8), st.sampled_from(["\t", ","]))
def test_no_cell_of_a_spreadsheet_runs(rows, separator):
    suffix = ".tsv" if separator == "\t" else ".csv"
    text = written(table_of(rows), suffix, spreadsheet=True).decode("utf-8-sig")
    _, *read = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    assert len(read) == len(rows)
    for cells, row in zip(read, rows):
        assert len(cells) == 4
        assert not any(cell.startswith(tuple("=+-@\t\r\n＝＋－＠")) for cell in cells[:2])
        assert int(cells[2]) == row[2]
        assert same_float(cells[3], row[3])


@given(st.lists(any_row, max_size=8))
def test_jsonl_reads_back(rows):
    # Split at newlines alone: a text may hold U+2028, where splitlines would cut.
    lines = written(table_of(rows), ".jsonl").decode().split("\n")
    assert lines.pop() == ""
    read = [json.loads(line) for line in lines]
    assert [(row["x"], row["y"], row["n_xy"]) for row in read] == [row[:3] for row in rows]
    for row, (_, _, _, pmi) in zip(read, rows):
        assert row["pmi"] is None if math.isnan(pmi) else repr(row["pmi"]) == repr(pmi)


@settings(deadline=None)  # the first example imports pyarrow
@given(st.lists(any_row, max_size=8))
def test_parquet_reads_back(rows):
    pq = pytest.importorskip("pyarrow.parquet")
    table = Table(table_of(rows).columns, {"窗口": "5"})
    read = pq.read_table(io.BytesIO(written(table, ".parquet")))
    assert read.schema.metadata["窗口".encode()] == b"5"
    assert str(read.schema.field("x").type).startswith("dictionary<values=string, indices=int32")
    columns = read.to_pydict()
    assert columns["x"] == [row[0] for row in rows]
    assert columns["y"] == [row[1] for row in rows]
    assert columns["n_xy"] == [row[2] for row in rows]
    assert list(map(repr, columns["pmi"])) == [repr(row[3]) for row in rows]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_pandas_reads_it(suffix):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    table = table_of([("学习", "语言", 12, 0.1), ("天", "NA", 3, 1 / 3)])
    read = {
        ".tsv": lambda file: pd.read_csv(file, sep="\t", quoting=csv.QUOTE_NONE, na_filter=False),
        ".csv": lambda file: pd.read_csv(file, na_filter=False),
        ".jsonl": lambda file: pd.read_json(file, lines=True, precise_float=True),
        ".parquet": pd.read_parquet,
    }[suffix](io.BytesIO(written(table, suffix)))
    assert read["x"].tolist() == ["学习", "天"]
    assert read["y"].tolist() == ["语言", "NA"]
    assert read["n_xy"].tolist() == [12, 3]
    assert read["pmi"].tolist() == pytest.approx([0.1, 1 / 3], abs=1e-15)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_chunks_change_nothing_and_report_their_rows(suffix, monkeypatch):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    rows = [(f"词{i % 7}", f"字{i % 3}", i, i / 7) for i in range(100)]
    whole = written(table_of(rows), suffix)
    monkeypatch.setattr(byte_rows, "_CHUNK_ROWS", 30)
    monkeypatch.setattr(tables, "_ROW_GROUP", 30)
    sizes = []
    parts = written(table_of(rows), suffix, progress=sizes.append)
    assert sizes == [30, 30, 30, 10]
    if suffix == ".parquet":
        import pyarrow.parquet as pq

        assert pq.ParquetFile(io.BytesIO(parts)).num_row_groups == 4
        assert pq.read_table(io.BytesIO(parts)).equals(pq.read_table(io.BytesIO(whole)))
    else:
        assert parts == whole


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_same_table_same_bytes(suffix):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    assert written(SMALL, suffix) == written(SMALL, suffix)


def test_parquet_without_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingDependencyError, match=r"writing .parquet needs the package pyarrow"):
        written(SMALL, ".parquet")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_into_a_file(tmp_path, suffix):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    path = tmp_path / f"pairs{suffix}"
    with atomic_output(path) as stream:
        TABLE_WRITERS[suffix](SMALL, stream)
    assert path.read_bytes() == written(SMALL, suffix)


class FailingStream(io.BytesIO):
    """A stream that takes some bytes and then fails with the error of a full disk."""

    def write(self, data):
        if self.tell() + len(data) > 1000:
            raise OSError(28, "No space left on device")
        return super().write(data)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_error_of_the_stream_comes_through(suffix):
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    rows = [(f"词{i}", f"字{i}", i, i / 7) for i in range(1000)]
    with pytest.raises(OSError, match="No space left on device"):
        TABLE_WRITERS[suffix](table_of(rows), FailingStream())


def test_half_of_a_surrogate_pair():
    with pytest.raises(InvalidInputError, match="surrogate"):
        written(Table({"x": text_column("\udc80")}), ".tsv")


def test_slices_and_head():
    assert SMALL.n_rows == 3
    assert written(SMALL.rows(1, 2), ".tsv").decode() == 'x\ty\tn_xy\tpmi\n天\ta\\t"b"\t3\t\n'
    assert written(SMALL.head(1), ".tsv").decode() == "x\ty\tn_xy\tpmi\n学习\t语言\t12\t0.1\n"
    assert SMALL.head(10).n_rows == 3
    assert np.shares_memory(SMALL.rows(1, 3).columns["pmi"], SMALL.columns["pmi"])
    assert Table(SMALL.columns, {"a": "b"}).head(1).metadata == {"a": "b"}


@given(st.lists(any_text, min_size=1, max_size=6), st.data())
def test_compacted_holds_each_used_text_once(values, data):
    ids = data.draw(st.lists(st.integers(0, len(values) - 1), max_size=10))
    column = TextColumn(np.array(ids, np.int32), values).compacted()
    texts = [values[i] for i in ids]
    assert [column.values[i] for i in column.ids] == texts
    assert sorted(column.values) == sorted(set(texts))


def test_unused_texts_cost_nothing():
    column = TextColumn(np.array([1], np.int32), ["\ud800", "天"])
    assert written(Table({"x": column}), ".tsv").decode() == "x\n天\n"


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "at least one column"),
        ({"a": np.array([1]), "b": np.array([1, 2])}, r"equal lengths. Got {'a': 1, 'b': 2}"),
        ({"a": [1]}, "column 'a' must be a NumPy vector of int64 or float64. Got list"),
        ({"a": np.array([[1]])}, r"Got shape \(1, 1\), int64"),
        ({"a": np.array([1], np.int32)}, r"Got shape \(1,\), int32"),
    ],
)
def test_wrong_tables(columns, message):
    with pytest.raises(InvalidParameterError, match=message):
        Table(columns)


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (np.array([0, 2], np.int32), "between 0 and 1, the last index of values. Got 0 to 2"),
        (np.array([-1], np.int32), "Got -1 to -1"),
        (np.array([0]), "ids must be a NumPy vector of int32. Got shape"),
        ([0], "Got list"),
    ],
)
def test_wrong_ids(ids, message):
    with pytest.raises(InvalidParameterError, match=message):
        TextColumn(ids, ["语言", "天"])


def test_a_table_becomes_a_data_frame():
    pytest.importorskip("pandas")
    words = TextColumn(np.array([1, 0], dtype=np.int32), ["语言", "学习"])
    table = Table({"x": words, "n": np.array([3, 4]), "pmi": np.array([0.5, np.nan])})
    frame = table.to_frame()
    assert list(frame.columns) == ["x", "n", "pmi"]
    assert frame["x"].tolist() == ["学习", "语言"]
    assert frame["n"].dtype == np.int64
    assert np.isnan(frame["pmi"][1])
    assert len(table) == 2
