"""Features in a file: what comes back is what went in, and nothing else is taken for it."""

import io
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import coo_matrix, csr_array

from nlpfeat.errors import InvalidInputError, InvalidParameterError, OutputError
from nlpfeat.io.feature_files import load_features, save_features
from nlpfeat.io.matrices import load_arrays, save_arrays

NAMES = ["今天", "天气\n", ""]
IDS = ["诗.txt:1", "诗.txt:2"]
COUNTS = csr_array(np.array([[2, 0, 1], [0, 0, 3]]))


def round_trip(matrix, *rest):
    stream = io.BytesIO()
    save_features(stream, matrix, *rest)
    return load_features(stream)


@pytest.mark.parametrize("dtype", [np.int64, np.float64, np.float32])
def test_sparse(dtype):
    matrix = COUNTS.astype(dtype)
    got = round_trip(matrix, NAMES, IDS, ["好", "坏"], {"kind": "bow", "min_df": 1})
    assert isinstance(got.matrix, csr_array)
    assert got.matrix.dtype == dtype
    for part in ("data", "indices", "indptr"):
        before, after = getattr(matrix, part), getattr(got.matrix, part)
        assert before.dtype == after.dtype
        assert before.tolist() == after.tolist()
    assert got[1:] == (NAMES, IDS, ["好", "坏"], {"kind": "bow", "min_df": 1})


@given(arrays(np.float64, (2, 3), elements=st.floats(allow_nan=False)))
def test_dense_and_sparse_come_back_equal(matrix):
    assert np.array_equal(round_trip(matrix, NAMES, IDS).matrix, matrix)
    sparse = round_trip(csr_array(matrix), NAMES, IDS).matrix
    assert np.array_equal(sparse.toarray(), matrix)


def test_stored_zeros_stay():
    matrix = csr_array((np.array([0.0, 1.5]), np.array([0, 2]), np.array([0, 1, 2])), shape=(2, 3))
    assert round_trip(matrix, NAMES, IDS).matrix.nnz == 2


def test_nothing_but_a_shape():
    got = round_trip(csr_array((0, 3), dtype=np.int64), NAMES, [])
    assert got.matrix.shape == (0, 3)
    assert (got.labels, got.metadata) == (None, {})


def test_other_sparse_matrices_become_csr():
    got = round_trip(coo_matrix(COUNTS), NAMES, IDS)
    assert got.matrix.toarray().tolist() == COUNTS.toarray().tolist()


def test_same_input_same_bytes(tmp_path):
    for name in ("a.npz", "b.npz"):
        save_features(tmp_path / name, COUNTS, NAMES, IDS, ["好", "坏"])
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert load_features(tmp_path / "a.npz").labels == ["好", "坏"]


def test_the_layout_is_as_documented():
    stream = io.BytesIO()
    save_features(stream, COUNTS, NAMES, IDS, ["好", "坏"], {"kind": "bow"})
    arrays_, texts, metadata = load_arrays(stream)
    assert {*arrays_} == {"data", "indices", "indptr", "shape"}
    assert {*texts} == {"feature_names", "document_ids", "labels"}
    assert metadata["kind"] == "nlpfeat.features"
    assert metadata["settings"] == {"kind": "bow"}
    assert "arrays/indptr.npy" in zipfile.ZipFile(stream).namelist()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((COUNTS, ["天"], IDS), r"feature_names must be as many as the columns .*, 3\. Got 1\."),
        ((COUNTS, NAMES, ["a"]), r"document_ids must be as many as the rows .*, 2\. Got 1\."),
        ((COUNTS, NAMES, IDS, ["好"]), r"labels must be as many as the rows .*, 2\. Got 1\."),
        ((np.ones(3), NAMES, IDS), r"matrix must have two dimensions.* Got 1\."),
        (([[1]], ["天"], ["a"]), r"matrix must be a sparse matrix or a NumPy array\. Got a list\."),
        ((COUNTS, NAMES, IDS, None, {"a": (1,)}), r"metadata must come back from JSON"),
    ],
)
def test_what_does_not_fit_is_refused(arguments, told):
    with pytest.raises(InvalidParameterError, match=told):
        save_features(io.BytesIO(), *arguments)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(OutputError, match="the folder"):
        save_features(tmp_path / "no" / "a.npz", COUNTS, NAMES, IDS)


class TestOtherFiles:
    def test_missing(self, tmp_path):
        with pytest.raises(InvalidInputError, match=r"cannot read .*a\.npz"):
            load_features(tmp_path / "a.npz")

    def test_another_kind(self):
        stream = io.BytesIO()
        save_arrays(stream, {"matrix": np.ones((2, 2))}, {}, {"kind": "nlpfeat.WordVectors"})
        with pytest.raises(InvalidInputError, match=r"it holds no features\. Give a file that"):
            load_features(stream)

    @pytest.mark.parametrize(
        "parts",
        [
            {"matrix": np.ones(3)},
            {"matrix": np.ones((2, 4))},
            {"matrix": np.ones((1, 3))},
            {"data": np.ones(1), "indices": np.array([7]), "indptr": np.array([0, 1, 1]),
             "shape": np.array([2, 3])},
            {"data": np.ones(1), "indices": np.array([0]), "shape": np.array([2, 3])},
        ],
    )  # fmt: skip
    def test_parts_that_do_not_fit(self, parts):
        stream = io.BytesIO()
        texts = {"feature_names": NAMES, "document_ids": IDS}
        save_arrays(stream, parts, texts, {"kind": "nlpfeat.features", "settings": {}})
        with pytest.raises(InvalidInputError, match="its parts do not fit together"):
            load_features(stream)

    def test_labels_of_other_documents(self):
        stream = io.BytesIO()
        texts = {"feature_names": NAMES, "document_ids": IDS, "labels": ["好"]}
        save_arrays(stream, {"matrix": np.ones((2, 3))}, texts,
                    {"kind": "nlpfeat.features", "settings": {}})  # fmt: skip
        with pytest.raises(InvalidInputError, match=r"labels must be as many .*\. Make it again\."):
            load_features(stream)
