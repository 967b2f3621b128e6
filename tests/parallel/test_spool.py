import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.parallel.spool import ArraySpool


@given(
    st.lists(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=9), max_size=6),
    st.sampled_from([np.int32, np.int64]),
    st.data(),
)
def test_what_is_written_is_read(parts: list[list[int]], dtype: type, data: st.DataObject) -> None:
    written: list[int] = []
    with ArraySpool(dtype) as spool:
        for part in parts:
            spool.append(np.array(part, dtype=np.int64))
            written += part
            assert len(spool) == len(written)
            start = data.draw(st.integers(0, len(written)))
            stop = data.draw(st.integers(0, len(written)))
            found = spool.read(start, stop)
            assert found.dtype == dtype
            assert found.tolist() == written[start:stop]


def test_a_strided_array_is_written_in_order() -> None:
    with ArraySpool(np.int64) as spool:
        spool.append(np.arange(10)[::-3])
        assert spool.read(0, 4).tolist() == [9, 6, 3, 0]


def test_what_is_read_cannot_be_changed() -> None:
    with ArraySpool(np.int32) as spool:
        spool.append(np.array([1, 2]))
        with pytest.raises(ValueError, match="read-only"):
            spool.read(0, 2)[0] = 5


def test_an_offset_need_not_be_a_page() -> None:
    values = np.arange(100_000, dtype=np.int32)
    with ArraySpool(np.int32) as spool:
        spool.append(values)
        for start in (1, 1023, 1025, 99_999):
            assert np.array_equal(spool.read(start, 100_000), values[start:])


def test_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    spool = ArraySpool(np.int64)
    spool.append(np.arange(10_000))
    kept = spool.read(0, 10_000)
    spool.close()
    assert list(tmp_path.iterdir()) == []
    assert kept.sum() == 49_995_000  # the map lives on
    spool.close()


def test_the_file_lies_where_it_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="none"):
        ArraySpool(np.int32, str(tmp_path / "none"))
    with ArraySpool(np.int32, str(tmp_path)) as spool:
        spool.append(np.array([1]))
        assert spool.read(0, 1).tolist() == [1]
    assert list(tmp_path.iterdir()) == []
