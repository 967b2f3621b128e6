"""Chunks of text rows equal rows that are formatted one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.errors import InvalidInputError
from nlpfeat.io import byte_rows
from nlpfeat.io.byte_rows import FloatCells, IntegerCells, TextCells, row_chunks

int64 = st.integers(-(2**63), 2**63 - 1)
# Lengths around the limit above which a text is put in afterwards.
texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=6),
    st.sampled_from(["x" * n for n in (31, 32, 33, 1000)] + ["语" * n for n in (10, 11, 300)]),
)


def joined(pieces, n_rows):
    return b"".join(chunk for _, chunk in row_chunks(pieces, n_rows))


def integers(values):
    return joined([IntegerCells(np.array(values, np.int64)), b"\n"], len(values))


def floats(values, specials=()):
    return joined([FloatCells(np.array(values, float), dict(specials)), b"\n"], len(values))


@given(st.lists(int64))
def test_any_integers(values):
    assert integers(values) == "".join(f"{value}\n" for value in values).encode()


@given(st.lists(st.integers(0, 10**6)))
def test_counts(values):
    assert integers(values) == "".join(f"{value}\n" for value in values).encode()


@pytest.mark.parametrize("power", range(19))
def test_integers_around_each_power_of_ten(power):
    values = [0, 10**power - 1, 10**power, 10**power + 1]
    assert integers(values) == "".join(f"{value}\n" for value in values).encode()


@pytest.mark.parametrize("limit", [2**32, 2**63 - 1])
def test_integers_around_the_width_of_the_division(limit):
    values = [limit - 1, limit, 100, 0]
    assert integers(values) == "".join(f"{value}\n" for value in values).encode()


@given(st.lists(st.floats(width=64)))
def test_any_floats(values):
    assert floats(values) == "".join(f"{value!r}\n" for value in values).encode()


def test_floats_by_hand():
    values = [0.1, 0.1, -0.0, 0.0, 1e300, 1e-5, 3.0, float("nan"), float("inf"), -float("inf")]
    expected = b"0.1\n0.1\n-0.0\n0.0\n1e+300\n1e-05\n3.0\n?\n+\n-inf\n"
    assert floats(values, {"nan": "?", "inf": "+"}.items()) == expected


def test_floats_that_are_not_contiguous():
    column = np.array([[0.5, 9.0], [0.25, 9.0]])[:, 0]
    assert joined([FloatCells(column, {}), b" "], 2) == b"0.5 0.25 "


@given(st.lists(st.tuples(texts, texts, int64), max_size=30), st.integers(1, 7))
def test_rows_whatever_the_chunk(rows, chunk_rows):
    values = sorted({text for x, y, _ in rows for text in (x, y)})
    place = {text: i for i, text in enumerate(values)}
    x = TextCells(np.array([place[row[0]] for row in rows], np.int32), values, str)
    y = TextCells(np.array([place[row[1]] for row in rows], np.int32), values, str.upper)
    n = IntegerCells(np.array([row[2] for row in rows], np.int64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(byte_rows, "_CHUNK_ROWS", chunk_rows)
        chunks = list(row_chunks([b"<", x, b"|", y, b"|", n, b">"], len(rows)))
    expected = "".join(f"<{x}|{y.upper()}|{n}>" for x, y, n in rows)
    assert b"".join(chunk for _, chunk in chunks).decode() == expected
    sizes = [size for size, _ in chunks]
    assert sum(sizes) == len(rows)
    assert all(size == chunk_rows for size in sizes[:-1])


def test_one_very_long_text_does_not_widen_the_rows():
    cells = TextCells(np.array([0, 1, 0], np.int32), ["学", "长" * 1_000_000], str)
    assert cells.block(0, 3).shape == (3, 3)
    assert joined([cells, b"\n"], 3).decode() == "学\n" + "长" * 1_000_000 + "\n学\n"


def test_each_text_is_escaped_once():
    seen = []
    TextCells(np.zeros(1000, np.int32), ["语言", "天"], lambda text: seen.append(text) or text)
    assert seen == ["语言", "天"]


def test_half_of_a_surrogate_pair():
    with pytest.raises(InvalidInputError, match=r"'a\\ud800' holds half of a surrogate pair"):
        TextCells(np.zeros(1, np.int32), ["a\ud800"], str)
