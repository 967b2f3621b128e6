import pickle
from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from nlpfeat.counts import indices, sorted_keys
from nlpfeat.counts.feature_space import count_documents, frequencies_of
from nlpfeat.counts.positions import POSITIONS, PositionSettings, PositionSpace
from nlpfeat.errors import InvalidInputError, InvalidParameterError, VocabularyMismatchError
from nlpfeat.text.segmenters import CharSegmenter
from nlpfeat.text.token_spool import TextSettings, spool_tokens

# Nine terms; by code point: 不 喜欢 喝 天气 她 好 我 水 茶.
TEXT = [
    ["我", "喝", "茶", "。", "喝", "水"],
    ["她", "不", "喜欢", "，", "茶"],
    [],
    ["天气", "好"],
]


def learned(documents, position_settings, block=1 << 20):
    """Return the space, its frequencies, and the matrix of the documents it was learned from."""
    with spool_tokens(documents, CharSegmenter()) as spool:
        spool.blocks = partial(spool.blocks, block)
        space, frequencies = PositionSpace.learn(spool, position_settings)
        spool.restrict(space.vocabulary)
        return space, frequencies, count_documents(spool, space)


def counted(documents, space):
    with spool_tokens(documents, CharSegmenter()) as spool:
        spool.restrict(space.vocabulary)
        return count_documents(spool, space)


def cells(documents, position_settings):
    """Return the names of the columns, and what is not 0 in each row."""
    space, _, table = learned(documents, position_settings)
    names = space.names()
    rows = [
        {names[column]: int(row[column]) for column in np.flatnonzero(row)}
        for row in table.toarray()
    ]
    return names, rows


def assert_same_space(ours, theirs):
    assert ours.vocabulary.terms == theirs.vocabulary.terms
    assert ours.keys.tolist() == theirs.keys.tolist()
    assert ours.settings == theirs.settings


def oracle(document, how):
    """Count (rank, name) of the positions and terms of a document, in plain Python."""
    tokens = [token for token in document if token != "\n"]
    n = len(tokens)
    found = Counter()
    for i, token in enumerate(tokens):
        if token in "，。":
            continue
        position = {
            "absolute": i,
            "end": i - n,
            "relative": i * how.n_bins // n,
            "log": (i + 1).bit_length() - 1,
        }[how.positions]
        rank, name = (-position - 1 if position < 0 else position), str(position)
        if how.max_position is not None and rank >= how.max_position:
            if how.overflow == "drop":
                continue
            rank = how.max_position
            name = f"≤{-rank - 1}" if how.positions == "end" else f"≥{rank}"
        found[rank, token, f"{name}:{token}"] += 1
    return found


TOKEN = st.sampled_from(["甲", "乙", "丙", "丁", "甲", "乙", "，", "。", "\n"])
DOCUMENTS = st.lists(st.lists(TOKEN, max_size=14), max_size=7)
SETTINGS = st.builds(
    PositionSettings,
    st.sampled_from(["absolute", "end", "log"]),
    max_position=st.none() | st.integers(1, 5),
    overflow=st.sampled_from(["bin", "drop"]),
) | st.builds(PositionSettings, st.just("relative"), n_bins=st.integers(1, 12))


def test_whole_matrix_by_hand():
    space, frequencies, table = learned(TEXT, PositionSettings(max_position=2))
    assert space.names() == [
        *["0:天气", "0:她", "0:我", "1:不", "1:喝", "1:好"],
        *["≥2:喜欢", "≥2:喝", "≥2:水", "≥2:茶"],
    ]
    assert table.toarray().tolist() == [
        [0, 0, 1, 0, 1, 0, 0, 1, 1, 1],
        [0, 1, 0, 1, 0, 0, 1, 0, 0, 1],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 1, 0, 0, 0, 0],
    ]
    assert frequencies.occurrences.tolist() == [1, 1, 1, 1, 1, 1, 1, 1, 1, 2]
    assert frequencies.documents.tolist() == [1, 1, 1, 1, 1, 1, 1, 1, 1, 2]
    assert (table.dtype, table.indices.dtype) == (np.int64, np.int32)


def test_gaps_count_and_sentences_do_not():
    names, rows = cells(TEXT[:1], PositionSettings())
    assert names == ["0:我", "1:喝", "2:茶", "4:喝", "5:水"]
    assert rows == [dict.fromkeys(names, 1)]


def test_from_the_end_by_hand():
    names, rows = cells(TEXT, PositionSettings("end"))
    assert names == [
        *["-1:好", "-1:水", "-1:茶", "-2:喝", "-2:天气", "-3:喜欢"],
        *["-4:不", "-4:茶", "-5:喝", "-5:她", "-6:我"],
    ]
    assert rows[1] == {"-1:茶": 1, "-3:喜欢": 1, "-4:不": 1, "-5:她": 1}


def test_past_the_last_position_by_hand():
    long = ["你"] * 12
    assert cells([long], PositionSettings(max_position=10))[1][0]["≥10:你"] == 2
    names, rows = cells([long], PositionSettings("end", max_position=10))
    assert names == [*(f"-{p}:你" for p in range(1, 11)), "≤-11:你"]
    assert rows[0]["≤-11:你"] == 2
    names, rows = cells([long], PositionSettings("end", max_position=10, overflow="drop"))
    assert names == [f"-{p}:你" for p in range(1, 11)]
    assert sum(rows[0].values()) == 10


def test_parts_of_a_document_by_hand():
    # Of seven tokens and three parts: 0 1 2 | 3 4 | 5 6.
    _, rows = cells([["你"] * 7, ["好"]], PositionSettings("relative", n_bins=3))
    assert rows == [{"0:你": 3, "1:你": 2, "2:你": 2}, {"0:好": 1}]


def test_logarithmic_positions_by_hand():
    _, rows = cells([["你"] * 9], PositionSettings("log"))
    assert rows == [{"0:你": 1, "1:你": 2, "2:你": 4, "3:你": 2}]
    _, rows = cells([["你"] * 9], PositionSettings("log", max_position=2))
    assert rows == [{"0:你": 1, "1:你": 2, "≥2:你": 6}]


def test_logarithmic_positions_are_exact_beside_powers_of_two():
    powers = [2**exponent for exponent in range(1, 48)]
    index = np.array([i for power in powers for i in (power - 2, power - 1, power)])
    wanted = [(i + 1).bit_length() - 1 for i in index.tolist()]
    assert POSITIONS["log"](index, index + 1, 10).tolist() == wanted


@settings(max_examples=80)
@given(DOCUMENTS, SETTINGS, st.integers(1, 30))
def test_by_brute_force(documents, how, block):
    space, frequencies, table = learned(documents, how, block)
    rows = [oracle(document, how) for document in documents]
    columns = sorted({column for row in rows for column in row})
    assert space.names() == [name for _, _, name in columns]
    assert len(space) == len(columns)
    assert set(space.vocabulary.terms) == {term for _, term, _ in columns}
    assert table.shape == (len(documents), len(columns))
    assert table.toarray().tolist() == [[row[column] for column in columns] for row in rows]
    assert table.has_canonical_format
    assert (table.data > 0).all()
    wanted = frequencies_of(table)
    assert frequencies.occurrences.tolist() == wanted.occurrences.tolist()
    assert frequencies.documents.tolist() == wanted.documents.tolist()


@settings(max_examples=25)
@given(DOCUMENTS, DOCUMENTS, SETTINGS)
def test_union_equals_learning_from_both(some, others, how):
    one, _, _ = learned(some, how)
    other, _, _ = learned(others, how)
    whole, _, table = learned(some + others, how)
    both, ours, theirs = one.union(other)
    assert_same_space(both, whole)
    names = both.names()
    assert [names[place] for place in ours] == one.names()
    assert [names[place] for place in theirs] == other.names()
    assert counted(some + others, both).toarray().tolist() == table.toarray().tolist()
    assert ours.dtype == theirs.dtype == np.int64


@settings(max_examples=25)
@given(DOCUMENTS, SETTINGS, st.randoms())
def test_parts_names_and_order(documents, how, draw):
    space, _, table = learned(documents, how)
    names = space.names()
    columns = np.flatnonzero([draw.random() < 0.4 for _ in names])
    part = space.take(columns)
    assert part.names() == [names[column] for column in columns]
    assert set(part.vocabulary.terms) == {name.partition(":")[2] for name in part.names()}
    assert counted(documents, part).toarray().tolist() == table.toarray()[:, columns].tolist()
    order = list(range(len(names)))
    draw.shuffle(order)
    again, places = PositionSpace.from_names([names[place] for place in order], how)
    assert_same_space(again, space)
    assert places.tolist() == order
    draw.shuffle(documents)
    assert_same_space(learned(documents, how)[0], space)


def test_equals_scikit_learn_on_tokens_that_carry_their_positions():
    documents = [list("今天天气很好我们去公园"), list("好好学习天天向上"), list("我")]

    def placed(document):
        return [f"{position}:{token}" for position, token in enumerate(document)]

    peer = CountVectorizer(analyzer=placed)
    wanted = peer.fit_transform(documents).toarray()
    space, _, table = learned(documents, PositionSettings())
    assert sorted(space.names()) == sorted(peer.vocabulary_)
    places = [peer.vocabulary_[name] for name in space.names()]
    assert table.toarray().tolist() == wanted[:, places].tolist()


def test_a_document_alone_equals_the_same_in_a_batch():
    space, _, table = learned(TEXT, PositionSettings("relative"))
    for row, document in enumerate(TEXT):
        assert counted([document], space).toarray().tolist() == [table.toarray()[row].tolist()]


def test_what_was_never_seen_is_not_counted():
    space, _, _ = learned([["茶", "水"]], PositionSettings())
    table = counted([["水", "茶", "茶"], ["茶"]], space)
    assert table.toarray().tolist() == [[0, 0], [1, 0]]


@pytest.mark.parametrize("documents", [[], [[]], [["，"], ["。", "，"]]])
def test_no_terms(documents):
    space, frequencies, table = learned(documents, PositionSettings(max_position=3))
    assert (space.names(), len(space)) == ([], 0)
    assert len(frequencies.occurrences) == 0
    assert table.shape == (len(documents), 0)
    nothing, places = PositionSpace.from_names([], PositionSettings(max_position=3))
    assert (nothing.names(), places.tolist()) == ([], [])
    both, _, theirs = space.union(nothing)
    assert (both.names(), theirs.tolist()) == ([], [])


def test_indices_widen_when_the_count_needs_it_and_nothing_else_changes(monkeypatch):
    _, _, narrow = learned(TEXT, PositionSettings())
    monkeypatch.setattr(indices, "INT32_LIMIT", 3)
    _, _, wide = learned(TEXT, PositionSettings(), block=6)
    assert wide.indptr.dtype == wide.indices.dtype == np.int64
    assert wide.toarray().tolist() == narrow.toarray().tolist()


def test_more_columns_than_keys(monkeypatch):
    monkeypatch.setattr(sorted_keys, "KEY_LIMIT", 20)
    with pytest.raises(InvalidInputError, match=r"Got 6 by 9 possible ones.*fewer positions"):
        learned(TEXT, PositionSettings())


def test_it_pickles():
    space, _, table = learned(TEXT, PositionSettings("end", max_position=2))
    again = pickle.loads(pickle.dumps(space))
    assert_same_space(again, space)
    assert counted(TEXT, again).toarray().tolist() == table.toarray().tolist()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"positions": "ends"}, r"positions must be one of.*Did you mean 'end'"),
        ({"overflow": "bins"}, r"overflow must be one of.*Did you mean 'bin'"),
        ({"n_bins": 0}, "n_bins must be an integer that is at least 1. Got 0"),
        ({"max_position": 1.5}, r"max_position \(an integer or None\).*Got 1.5"),
        ({"max_position": 0}, "at least 1. Got 0"),
        ({"positions": "relative", "max_position": 3}, "set n_bins instead"),
        ({"n_bins": 1 << 31}, "at most 2,147,483,647.*Got 2,147,483,648"),
    ],
)
def test_settings_that_cannot_be(how, message):
    with pytest.raises(InvalidParameterError, match=message):
        learned(TEXT, PositionSettings(**how))


def test_settings_become_plain_numbers():
    how = PositionSettings(n_bins=np.int64(4), max_position=np.int32(2)).validate()
    assert how == PositionSettings(n_bins=4, max_position=2)
    assert type(how.n_bins) is type(how.max_position) is int


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("你", {}),
        ("0:", {}),
        ("-1:你", {}),
        ("+1:你", {}),
        ("01:你", {}),
        ("１:你", {}),
        ("²:你", {}),
        (":你", {}),
        (3, {}),
        ("9999999999999999999999:你", {}),
        ("≥3:你", {}),
        ("3:你", {"max_position": 3}),
        ("≥2:你", {"max_position": 3}),
        ("≥3:你", {"max_position": 3, "overflow": "drop"}),
        ("0:你", {"positions": "end"}),
        ("≥3:你", {"positions": "end", "max_position": 3}),
        ("≤-3:你", {"positions": "end", "max_position": 3}),
        ("4:你", {"positions": "relative", "n_bins": 4}),
    ],
)
def test_names_that_no_column_can_have(name, how):
    how = PositionSettings(**how)
    with pytest.raises(InvalidParameterError, match=r"vocabulary must hold names of features.*Got"):
        PositionSpace.from_names(["-1:你" if how.positions == "end" else "0:你", name], how)


def test_messages_about_names():
    with pytest.raises(InvalidParameterError, match=r"such as -1:你.*'end', max_position=None"):
        PositionSpace.from_names(["0:你"], PositionSettings("end"))
    with pytest.raises(InvalidParameterError, match=r"'relative', n_bins=4 gives. Got '4:你'"):
        PositionSpace.from_names(["4:你"], PositionSettings("relative", n_bins=4))
    with pytest.raises(InvalidParameterError, match=r"max_position=3, overflow='drop' gives"):
        PositionSpace.from_names(["≥3:你"], PositionSettings(max_position=3, overflow="drop"))


def test_a_term_may_hold_a_colon():
    space, places = PositionSpace.from_names(["1:3:0", "0::"], PositionSettings())
    assert space.names() == ["0::", "1:3:0"]
    assert space.vocabulary.terms == ("3:0", ":")
    assert places.tolist() == [1, 0]


@given(
    st.lists(st.lists(st.text("甲:0≥-", min_size=1, max_size=4), max_size=5), max_size=4),
    st.sampled_from([{}, {"positions": "end"}, {"max_position": 2},
                     {"positions": "end", "max_position": 1}, {"positions": "relative"}]),
)  # fmt: skip
def test_names_with_colons_come_back(documents, how):
    how = PositionSettings(**how).validate()
    with spool_tokens(documents, CharSegmenter(), TextSettings(keep_punctuation=True)) as spool:
        space = PositionSpace.learn(spool, how)[0]
    names = space.names()
    assert len(set(names)) == len(names)
    again, order = PositionSpace.from_names(names[::-1], how)
    assert again.names() == names
    assert again.vocabulary.terms == space.vocabulary.terms
    assert again.keys.tolist() == space.keys.tolist()
    assert order.tolist() == list(range(len(names)))[::-1]


def test_spaces_of_other_settings_do_not_merge():
    space, _, _ = learned(TEXT, PositionSettings())
    with pytest.raises(VocabularyMismatchError, match=r"positions='absolute'.*positions='end'"):
        space.union(learned(TEXT, PositionSettings("end"))[0])
