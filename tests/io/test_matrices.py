"""Saved arrays come back equal, and a file that is not sound is refused in words."""

import io
import json
import pathlib
import pickle
import time
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from nlpfeat.errors import InvalidInputError, InvalidParameterError, OutputError
from nlpfeat.io.matrices import load_arrays, save_arrays

ARRAYS = {
    "ids": np.array([3, -1, 0], np.int32),
    "counts": np.arange(6).reshape(2, 3),
    "weights": np.array([0.1, np.nan, -np.inf]),
    "mask": np.array([True, False]),
    "empty": np.zeros((0, 4)),
    "scalar": np.array(7),
}
TEXTS = {"terms": ["语言", "", "a\0b", "😀"], "none": []}
METADATA = {"window": 5, "scope": "句子", "nested": {"alpha": [0.75, None, True]}}


def saved(arrays=ARRAYS, texts=TEXTS, metadata=METADATA):
    stream = io.BytesIO()
    save_arrays(stream, arrays, texts, metadata)
    return stream.getvalue()


def loaded(data):
    return load_arrays(io.BytesIO(data))


def repacked(data, changes):
    """Return the archive with the given members replaced by other arrays or bytes, or removed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        members = {name: old.read(name) for name in old.namelist()} | changes
        for name, content in members.items():
            if isinstance(content, np.ndarray):
                stream = io.BytesIO()
                np.save(stream, content, allow_pickle=True)
                content = stream.getvalue()
            if content is not None:
                new.writestr(name, content)
    return out.getvalue()


def as_metadata(envelope):
    return np.frombuffer(json.dumps(envelope).encode(), np.uint8)


def assert_same(result, arrays, texts, metadata):
    assert list(result[0]) == list(arrays)
    for name, array in arrays.items():
        assert result[0][name].dtype == array.dtype
        assert np.array_equal(result[0][name], array, equal_nan=array.dtype.kind == "f")
        assert result[0][name].shape == array.shape
    assert result[1] == texts
    assert result[2] == metadata


@pytest.mark.parametrize("as_text", [False, True])
def test_round_trip_through_a_file(tmp_path, as_text):
    path = tmp_path / "计数.npz"
    target = str(path) if as_text else path
    save_arrays(target, ARRAYS, TEXTS, METADATA)
    assert_same(load_arrays(target), ARRAYS, TEXTS, METADATA)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == saved()


@given(
    hnp.arrays(
        st.one_of(hnp.boolean_dtypes(), hnp.integer_dtypes(), hnp.floating_dtypes(sizes=(32, 64))),
        hnp.array_shapes(min_dims=0, min_side=0),
    ),
    st.lists(st.text(st.characters(exclude_categories=["Cs"]))),
    st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), st.integers()),
)
def test_any_content(array, texts, metadata):
    assert_same(
        loaded(saved({"a": array}, {"t": texts}, metadata)), {"a": array}, {"t": texts}, metadata
    )


def test_column_order_is_kept():
    array = np.asfortranarray(np.arange(6).reshape(2, 3))
    back = loaded(saved({"a": array}))[0]["a"]
    assert np.array_equal(back, array)
    assert back.flags.f_contiguous


def test_numpy_alone_reads_it(tmp_path):
    save_arrays(tmp_path / "a.npz", ARRAYS, TEXTS, METADATA)
    with np.load(tmp_path / "a.npz", allow_pickle=False) as file:
        assert file["arrays/counts"].tolist() == [[0, 1, 2], [3, 4, 5]]
        assert file["texts/terms/bytes"].tobytes() == "语言a\0b😀".encode()
        assert file["texts/terms/offsets"].tolist() == [0, 6, 6, 9, 13]
        assert json.loads(file["metadata"].tobytes())["metadata"] == METADATA


def test_same_input_same_bytes_at_any_time(monkeypatch):
    first = saved()
    monkeypatch.setattr(time, "time", lambda: 2e9)
    monkeypatch.setattr(time, "localtime", lambda *args: time.gmtime(2_000_000_000))
    turned = dict(reversed(METADATA.items()))
    assert saved(metadata=turned) == first


def test_counts_are_compressed():
    assert len(saved({"n": np.ones(100_000, np.int64)})) < 10_000


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"arrays": {"a": np.array(["语"], object)}}, r"arrays\['a'\] must be .* Got object"),
        ({"arrays": {"a": np.array(["语"])}}, "must be an array of booleans, .* Got <U1"),
        ({"arrays": {"a": [1]}}, "Got list"),
        ({"arrays": {"../a": np.array([1])}}, "made of letters, digits and _. Got '../a'"),
        ({"texts": {"": []}}, "made of letters"),
        ({"texts": {"t": ["\ud800"]}}, r"texts\['t'\] must be texts that UTF-8 can write"),
        ({"metadata": {"n": (1, 2)}}, "lists, not tuples, and str keys"),
        ({"metadata": {1: 2}}, "lists, not tuples, and str keys"),
        ({"metadata": {"n": np.int64(1)}}, "metadata must fit in JSON.*int64"),
        ({"metadata": {"n": float("nan")}}, "metadata must fit in JSON"),
    ],
)
def test_what_cannot_be_saved(tmp_path, parts, message):
    parts = {"arrays": {}, "texts": {}, "metadata": {}} | parts
    with pytest.raises(InvalidParameterError, match=message):
        save_arrays(tmp_path / "a.npz", **parts)
    assert list(tmp_path.iterdir()) == []


def test_folder_that_does_not_exist(tmp_path):
    with pytest.raises(OutputError, match="does not exist"):
        save_arrays(tmp_path / "none" / "a.npz", {}, {}, {})


def test_missing_file(tmp_path):
    with pytest.raises(InvalidInputError, match=r"cannot read '.*none.npz': No such file"):
        load_arrays(tmp_path / "none.npz")


@pytest.mark.parametrize("content", [b"", b"x\ty\n", pickle.dumps([1]), b"PK\x03\x04rest"])
def test_file_that_is_no_archive(tmp_path, content):
    path = tmp_path / "a.npz"
    path.write_bytes(content)
    with pytest.raises(InvalidInputError, match=r"a.npz': it is damaged or no .npz file"):
        load_arrays(path)


def test_archive_of_another_program(tmp_path):
    np.savez(tmp_path / "a.npz", a=np.arange(3))
    with pytest.raises(InvalidInputError, match="an archive that nlpfeat did not save"):
        load_arrays(tmp_path / "a.npz")
    np.savez(tmp_path / "b.npz", metadata=as_metadata({"format": "other", "version": 1}))
    with pytest.raises(InvalidInputError, match="its metadata are not those of nlpfeat"):
        load_arrays(tmp_path / "b.npz")


def test_newer_version():
    newer = as_metadata({"format": "nlpfeat arrays", "version": 2, "metadata": {}})
    with pytest.raises(InvalidInputError, match=r"format version 2 and .* up to 1. Upgrade with"):
        loaded(repacked(saved(), {"metadata.npy": newer}))


class Trap:
    """An object that would write a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return pathlib.Path.touch, (self.path,)


def test_object_array_is_refused_unread(tmp_path):
    marker = tmp_path / "ran"
    trap = np.array([Trap(marker)], object)
    with pytest.raises(InvalidInputError, match=r"arrays/ids.npy holds object, not numbers"):
        loaded(repacked(saved(), {"arrays/ids.npy": trap}))
    assert not marker.exists()


def huge_header():
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        stream, {"descr": "<i8", "fortran_order": False, "shape": (10**15,)}
    )
    return stream.getvalue()


def with_header(text):
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


@pytest.mark.parametrize(
    ("member", "content", "message"),
    [
        ("arrays/ids.npy", huge_header(), "has not the size that its header says"),
        ("arrays/ids.npy", b"\x93NUMPY\x03\x00rest", "unknown .npy version"),
        ("arrays/ids.npy", b"text", "damaged"),
        ("arrays/ids.npy", with_header(b"{'descr': '<i8', 'shape': (3,"), "damaged"),
        ("arrays/ids.npy", with_header(b"{'descr' '<i8'}:"), "damaged"),
        ("texts/terms/bytes.npy", None, "'terms' lack their bytes"),
        ("texts/terms/bytes.npy", np.arange(13), "'terms' lack their bytes"),
        ("texts/terms/bytes.npy", np.full(13, 0xFF, np.uint8), "can't decode"),
        ("texts/terms/offsets.npy", np.array([], np.int64), "offsets that do not fit"),
        ("texts/terms/offsets.npy", np.array([0, 12]), "offsets that do not fit"),
        ("texts/terms/offsets.npy", np.array([3, 13]), "offsets that do not fit"),
        ("texts/terms/offsets.npy", np.array([0, 9, 6, 13]), "offsets that do not fit"),
        ("texts/terms/offsets.npy", np.array([0.0, 13.0]), "offsets that do not fit"),
        ("texts/terms/offsets.npy", np.array([0, 1, 13]), "can't decode"),
        ("metadata.npy", np.frombuffer(b"{", np.uint8), "damaged"),
        ("metadata.npy", as_metadata([1]), "not those of nlpfeat"),
        (
            "metadata.npy",
            as_metadata({"format": "nlpfeat arrays", "version": "1"}),
            "format version is '1'",
        ),
        (
            "metadata.npy",
            as_metadata({"format": "nlpfeat arrays", "version": 1}),
            "metadata are no JSON object",
        ),
    ],
)
def test_unsound_members(member, content, message):
    with pytest.raises(InvalidInputError, match=message):
        loaded(repacked(saved(), {member: content}))


def test_every_truncation_is_noticed():
    data = saved()
    for length in range(0, len(data), 7):
        with pytest.raises(InvalidInputError, match=r"damaged|did not save"):
            loaded(data[:length])


def test_no_flipped_byte_changes_the_result_unnoticed():
    data = saved()
    n_refused = 0
    for place in range(len(data)):
        broken = bytearray(data)
        broken[place] ^= 0x10
        try:
            result = loaded(bytes(broken))
        except InvalidInputError:
            n_refused += 1
        else:
            # Dates, flags and member names carry no content of ours, or name it otherwise.
            for name in ARRAYS.keys() & result[0].keys():
                assert np.array_equal(result[0][name], ARRAYS[name], equal_nan=name == "weights")
            for name in TEXTS.keys() & result[1].keys():
                assert result[1][name] == TEXTS[name]
            assert result[2] == METADATA
    assert n_refused > len(data) / 2
