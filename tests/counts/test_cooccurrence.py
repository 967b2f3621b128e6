"""What counts can do: be read, pruned, saved and loaded."""

import io
import re
import sys
import tempfile
import zipfile

import numpy as np
import pytest
from cooccurrence_oracle import documents_of, settings_of, token_lists
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.counts.cooccurrence import CooccurrenceCounts
from nlpfeat.counts.counting import count_cooccurrences
from nlpfeat.errors import InvalidInputError, InvalidParameterError, MissingDependencyError
from nlpfeat.io.matrices import load_arrays, save_arrays

DOCUMENTS = [list("甲丁甲丙戊，甲丁己"), list("戊乙甲丙戊丁")]

HOW = {
    "pairs": {"window": 2},
    "right": {"window": 2, "direction": "right"},
    "pruned": {"window": 3, "min_count": 2, "max_terms": 4},
    "harmonic": {"window": 3, "weighting": "harmonic", "direction": "left"},
    "function": {"window": 3, "weighting": lambda distance: 0.1 * distance},
    "sequence": {"window": 2, "weighting": [1, 0]},
    "windows": {"window": 3, "counting": "windows", "scope": "sentence"},
    "textgcn": {"window": 3, "counting": "textgcn"},
    "all": {"window": "all"},
    "gaps alone": {"window": 2, "stop_words": set("甲乙丙丁戊己")},
}


@pytest.fixture(params=HOW)
def counts(request):
    return count_cooccurrences(DOCUMENTS, **HOW[request.param])


def test_saved_counts_come_back(assert_same, counts, tmp_path):
    path = tmp_path / "计数.npz"
    counts.save(path)
    loaded = CooccurrenceCounts.load(path)
    assert_same(loaded, counts)
    assert (loaded.matrix != counts.matrix).nnz == 0
    assert loaded.matrix.dtype == counts.matrix.dtype
    assert loaded.total == counts.total
    assert loaded.x_margin.tolist() == counts.x_margin.tolist()


def test_saving_what_was_loaded_gives_the_same_bytes(counts, tmp_path):
    first, second = tmp_path / "a.npz", io.BytesIO()
    counts.save(first)
    CooccurrenceCounts.load(first).save(second)
    assert first.read_bytes() == second.getvalue()


def test_loaded_counts_merge_with_counts_of_now(assert_same, tmp_path):
    def weight(distance):
        return 1 / (1 + distance)

    parts = [count_cooccurrences([text], window=3, weighting=weight) for text in DOCUMENTS]
    parts[0].save(tmp_path / "a.npz")
    merged = CooccurrenceCounts.load(tmp_path / "a.npz").merge(parts[1])
    assert_same(merged, count_cooccurrences(DOCUMENTS, window=3, weighting=weight))


def test_files_need_no_pickle(counts, tmp_path):
    counts.save(tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz", allow_pickle=False) as members:
        assert {members[name].dtype.kind for name in members.files} <= set("iuf")
        assert members["arrays/slice_0_data"].sum() == counts.slices[0].sum()
        terms = members["texts/terms/bytes"].tobytes().decode()
    assert terms == "".join(counts.vocabulary.terms)


def test_terms_of_any_plane_come_back(tmp_path):
    words = ["𠮷野家", "😀", "c++", "naïve", "龘"]
    saved = count_cooccurrences([words], window=1)
    saved.save(tmp_path / "a.npz")
    assert CooccurrenceCounts.load(tmp_path / "a.npz").vocabulary == saved.vocabulary
    assert saved.vocabulary.terms == tuple(sorted(words))


def test_numbers_of_numpy_are_saved_too(tmp_path):
    numpy = count_cooccurrences(DOCUMENTS, window=np.int64(2), min_count=np.int64(1))
    numpy.save(tmp_path / "a.npz")
    assert CooccurrenceCounts.load(tmp_path / "a.npz").settings.window == 2


def test_a_file_of_something_else_is_refused(tmp_path):
    save_arrays(tmp_path / "other.npz", {}, {"terms": ["甲"]}, {"kind": "nlpfeat.Other"})
    with pytest.raises(InvalidInputError, match=r"other\.npz holds no co-occurrence counts"):
        CooccurrenceCounts.load(tmp_path / "other.npz")
    np.savez(tmp_path / "foreign.npz", a=np.arange(3))
    with pytest.raises(InvalidInputError, match=r"foreign\.npz.*nlpfeat did not save"):
        CooccurrenceCounts.load(tmp_path / "foreign.npz")
    (tmp_path / "text.npz").write_text("甲 乙", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"text\.npz.*damaged or no \.npz file"):
        CooccurrenceCounts.load(tmp_path / "text.npz")
    with pytest.raises(InvalidInputError, match=r"cannot read .*missing\.npz"):
        CooccurrenceCounts.load(tmp_path / "missing.npz")


def test_a_truncated_file_is_refused(tmp_path):
    path = tmp_path / "a.npz"
    count_cooccurrences(DOCUMENTS).save(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(InvalidInputError, match=r"a\.npz.*damaged"):
        CooccurrenceCounts.load(path)


def _rewritten(source, target, change):
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = change(name, old.read(name))
            if data is not None:
                new.writestr(name, data)


def _as_npy(array):
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.asarray(array), version=(1, 0))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("member", "replacement"),
    [
        ("arrays/slice_0_indices.npy", None),
        ("arrays/totals.npy", None),
        ("arrays/slice_0_indptr.npy", _as_npy(np.array([0, 1]))),
        # A column far outside the table: reading it would go astray in memory.
        ("arrays/slice_0_indices.npy", _as_npy(np.array([10**6], np.int32))),
    ],
)
def test_parts_that_do_not_fit_together_are_refused(tmp_path, member, replacement):
    count_cooccurrences([["甲", "乙"]]).save(tmp_path / "a.npz")
    _rewritten(
        tmp_path / "a.npz",
        tmp_path / "b.npz",
        lambda name, data: replacement if name == member else data,
    )
    with pytest.raises(InvalidInputError, match=r"b\.npz'.*do not fit together.*Make it again"):
        CooccurrenceCounts.load(tmp_path / "b.npz")


def _damaged(how, path, change):
    """Save counts after a change of their arrays, terms or metadata."""
    count_cooccurrences(DOCUMENTS, **how).save(path)
    arrays, texts, metadata = load_arrays(path)
    change(arrays, texts["terms"], metadata)
    save_arrays(path, arrays, texts, metadata)


def _array(name, change):
    def damage(arrays, terms, metadata):
        arrays[name] = change(arrays[name].copy())

    return damage


def _first(value):
    def change(array):
        array.flat[0] = value
        return array

    return change


def _swapped(array):
    """Two columns of the first row that has two, the wrong way round."""
    array[[0, 1]] = array[[1, 0]]
    return array


def _fact(name, value):
    def damage(arrays, terms, metadata):
        metadata[name] = value

    return damage


def _term(place, term):
    def damage(arrays, terms, metadata):
        terms[place] = term

    return damage


COUNTED = {
    "term_frequencies": "(6,)", "document_frequencies": "(6,)", "x_margins": "(2, 6)",
    "y_margins": "(2, 6)", "totals": "(2,)",
}  # fmt: skip
DAMAGE = {
    **{
        f"{name} {what}": (_array(name, change), rf"{name} must be int64 of shape {shape}")
        for name, shape in ((name, re.escape(shape)) for name, shape in COUNTED.items())
        for what, change in {
            "of another shape": lambda array: array[..., :-1],
            "of another dimension": lambda array: array[None],
            "as floats": lambda array: array.astype(float),
            "below 0": _first(-1),
        }.items()
    },
    "terms that descend": (_term(0, "龘"), "terms must be distinct and in code-point order"),
    "a term twice": (_term(1, "丁"), "terms must be distinct and in code-point order"),
    "too few terms": (lambda arrays, terms, _: terms.pop(), "must be int64 of shape"),
    "too few slices": (_fact("n_slices", 1), "n_slices must be 2, as the settings say. Got 1"),
    "too many slices": (_fact("n_slices", 3), "n_slices must be 2, as the settings say. Got 3"),
    "a count of 0": (_array("slice_1_data", _first(0)), "slice_1_data must be int64 .*least 1"),
    "counts as floats": (_array("slice_0_data", lambda data: data * 1.5), "slice_0_data must be"),
    "a count too many": (_array("slice_0_data", lambda data: np.append(data, 1)), "slice_0_data"),
    "places as floats": (
        _array("slice_0_indices", lambda places: places + 0.5), "slice_0_indices must be int32",
    ),
    "ends as floats": (
        _array("slice_0_indptr", lambda ends: ends + 0.5), "slice_0_indptr must be int32",
    ),
    "a column below 0": (_array("slice_0_indices", _first(-1)), "do not fit together"),
    "a column outside": (_array("slice_0_indices", _first(6)), "do not fit together"),
    "columns that descend": (_array("slice_0_indices", _swapped), "must ascend in each row"),
    "a column twice": (
        _array("slice_0_indices", lambda places: places[[0, 0, *range(2, len(places))]]),
        "must ascend in each row",
    ),
    "ends that stop early": (
        _array("slice_0_indptr", lambda ends: np.minimum(ends, ends[-1] - 1)), "must end with",
    ),
    "ends that descend": (
        _array("slice_0_indptr", lambda ends: ends[[0, 2, 1, *range(3, len(ends))]]),
        "do not fit together",
    ),
    "too few ends": (_array("slice_0_indptr", lambda ends: ends[:-1]), "do not fit together"),
    **{
        name: (_fact(name, -1), f"{name} must be an integer that is at least")
        for name in ("min_count", "highest", "n_documents", "n_tokens")
    },
    "complete_vocabulary": (_fact("complete_vocabulary", 1), "complete_vocabulary must be True or"),
    "preparation": (_fact("preparation", {"segmenter": 1}), "preparation must map names to texts"),
}  # fmt: skip


@pytest.mark.parametrize("what", DAMAGE)
def test_each_damaged_part_is_refused(tmp_path, what):
    change, message = DAMAGE[what]
    path = tmp_path / "a.npz"
    _damaged({"window": 2, "weighting": "harmonic"}, path, change)
    with pytest.raises(InvalidInputError, match=rf"cannot load .*a\.npz'.*{message}"):
        CooccurrenceCounts.load(path)


def test_a_pair_below_the_diagonal_is_refused_where_order_does_not_count(tmp_path):
    for direction, fits in (("right", True), ("both", False)):
        path = tmp_path / f"{direction}.npz"
        count_cooccurrences([["甲", "乙"]], window=1, direction=direction).save(path)
        arrays, terms, metadata = load_arrays(path)
        arrays["slice_0_indices"][:] = 0
        arrays["slice_0_indptr"][:] = [0, 0, 1]
        save_arrays(path, arrays, terms, metadata)
        if fits:
            assert CooccurrenceCounts.load(path).matrix.toarray().tolist() == [[0, 0], [1, 0]]
            continue
        with pytest.raises(InvalidInputError, match="slice_0 must have no pair below the diagonal"):
            CooccurrenceCounts.load(path)


@settings(deadline=None, max_examples=60)
@given(documents_of(), settings_of(), st.integers(1, 3))
def test_whatever_is_counted_can_be_loaded(assert_same, documents, how, min_count):
    counts = count_cooccurrences(token_lists(documents), min_count=min_count, **how)
    with tempfile.TemporaryDirectory() as folder:
        counts.save(f"{folder}/a.npz")
        assert_same(CooccurrenceCounts.load(f"{folder}/a.npz"), counts)


@settings(deadline=None)
@given(documents_of(), settings_of(), st.integers(1, 3))
def test_cells_stand_in_the_order_of_the_matrix(documents, how, min_count):
    counts = count_cooccurrences(token_lists(documents), min_count=min_count, **how)
    matrix = counts.matrix
    rows = np.repeat(np.arange(len(counts.vocabulary)), np.diff(matrix.indptr))
    cells = counts.cells()
    assert cells.n_xy.tolist() == matrix.data.tolist()
    assert cells.n_x.tolist() == counts.x_margin[rows].tolist()
    assert cells.n_y.tolist() == counts.y_margin[matrix.indices].tolist()
    assert cells.total == counts.total
    assert cells.y_margin.tolist() == counts.y_margin.tolist()
    assert cells.contingency == (how["counting"] != "textgcn")
    symmetric = how["direction"] == "both"
    assert (cells.twice is not None) == symmetric
    if symmetric:
        assert cells.twice.tolist() == (rows == matrix.indices).tolist()


@settings(deadline=None)
@given(documents_of(), settings_of(), st.integers(1, 3))
def test_pair_cells_hold_each_pair_once_with_the_value_of_the_matrix(documents, how, min_count):
    counts = count_cooccurrences(token_lists(documents), min_count=min_count, **how)
    x, y, cells = counts.pair_cells()
    dense = counts.matrix.toarray()
    symmetric = how["direction"] == "both"
    wanted = [(i, j) for i, j in zip(*np.nonzero(dense)) if i <= j or not symmetric]
    assert list(zip(x.tolist(), y.tolist())) == wanted
    assert cells.n_xy.tolist() == [dense[pair] for pair in wanted]
    assert cells.n_x.tolist() == [counts.x_margin[i] for i, _ in wanted]
    assert cells.n_y.tolist() == [counts.y_margin[j] for _, j in wanted]


def test_frame_typed_out():
    frame = count_cooccurrences([list("甲乙甲甲")], window=1).to_frame()
    assert frame.to_dict("list") == {
        "x": ["乙", "甲"],
        "y": ["甲", "甲"],
        "n_xy": [2, 2],  # 甲 甲 once, and twice in the cell of a symmetric table
        "n_x": [2, 4],
        "n_y": [4, 4],
    }
    assert [str(frame[name].dtype) for name in ("n_xy", "n_x", "n_y")] == ["int64"] * 3


def test_frame_needs_pandas(monkeypatch):
    counts = count_cooccurrences(DOCUMENTS)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        MissingDependencyError, match=r"to_frame\(\) needs the package pandas;.*pip"
    ):
        counts.to_frame()


@settings(deadline=None)
@given(documents_of("甲乙丙"), settings_of(), st.integers(1, 5))
def test_pruning_afterwards_equals_pruning_while_counting(assert_same, documents, how, min_count):
    texts = token_lists(documents)
    whole = count_cooccurrences(texts, **how)
    assert_same(whole.prune(min_count), count_cooccurrences(texts, min_count=min_count, **how))
    assert whole.min_count == 1


def test_pruning_twice_keeps_the_higher_least_count(assert_same):
    counts = count_cooccurrences(DOCUMENTS)
    assert_same(counts.prune(3).prune(2), counts.prune(3))


def test_the_diagonal_of_a_symmetric_table_is_pruned_by_half_its_cell():
    counts = count_cooccurrences([list("甲甲甲")], window=1)  # two pairs 甲 甲, a cell of 4
    assert counts.matrix.toarray().tolist() == [[4]]
    assert counts.prune(2).matrix.toarray().tolist() == [[4]]
    assert counts.prune(3).matrix.nnz == 0
    assert counts.highest == 2


@pytest.mark.parametrize("min_count", [0, -1, True, 1.5, "2"])
def test_least_counts_that_cannot_be(min_count):
    with pytest.raises(InvalidParameterError, match=r"min_count must be an integer .*at least 1"):
        count_cooccurrences(DOCUMENTS).prune(min_count)


def test_a_weight_of_zero_leaves_no_cell():
    counts = count_cooccurrences([list("甲乙丙")], window=2, weighting=[1, 0])
    assert counts.vocabulary.terms == ("丙", "乙", "甲")
    assert counts.matrix.toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    assert counts.matrix.nnz == 4
    assert (counts.x_margin.tolist(), counts.total) == ([1, 2, 1], 4)
