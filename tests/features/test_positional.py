"""Positional bag of words: by hand for each kind of position, and by a slow loop."""

import math

import numpy as np
import pytest
from estimators import TOY, content, few
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat import BagOfWordsVectorizer, PositionalBagOfWordsVectorizer
from nlpfeat.errors import InvalidParameterError, VocabularyMismatchError

SHORT = [["猫", "追", "狗"], ["狗", "，", "追", "猫", "追"]]
KINDS = ["absolute", "end", "relative", "log"]

corpora = st.lists(
    st.lists(st.sampled_from(["天", "地", "人", "，", " "]), max_size=9), min_size=1, max_size=6
).filter(lambda documents: any(set(document) - {"，", " "} for document in documents))
kinds = st.one_of(
    st.tuples(st.sampled_from(["absolute", "end", "log"]), st.none() | st.integers(1, 4)),
    st.tuples(st.just("relative"), st.none()),
)


def names_and_counts(vectorizer, documents):
    """Return the counts of each name."""
    counts = vectorizer.fit_transform(documents).toarray()
    return dict(zip(vectorizer.get_feature_names_out(), counts.T.tolist()))


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        (
            {"positions": "absolute"},
            {"0:狗": [0, 1], "0:猫": [1, 0], "1:追": [1, 0], "2:狗": [1, 0], "2:追": [0, 1],
             "3:猫": [0, 1], "4:追": [0, 1]},
        ),
        (
            {"positions": "end"},
            {"-1:狗": [1, 0], "-1:追": [0, 1], "-2:猫": [0, 1], "-2:追": [1, 0], "-3:猫": [1, 0],
             "-3:追": [0, 1], "-5:狗": [0, 1]},
        ),
        (  # ⌊i·2/3⌋ = 0, 0, 1 and ⌊i·2/5⌋ = 0, (0), 0, 1, 1
            {"positions": "relative", "n_bins": 2},
            {"0:狗": [0, 1], "0:猫": [1, 0], "0:追": [1, 1], "1:狗": [1, 0], "1:猫": [0, 1],
             "1:追": [0, 1]},
        ),
        (  # 0, 1, 1, 2, 2
            {"positions": "log"},
            {"0:狗": [0, 1], "0:猫": [1, 0], "1:狗": [1, 0], "1:追": [1, 1], "2:猫": [0, 1],
             "2:追": [0, 1]},
        ),
        (
            {"positions": "absolute", "max_position": 2},
            {"0:狗": [0, 1], "0:猫": [1, 0], "1:追": [1, 0], "≥2:狗": [1, 0], "≥2:猫": [0, 1],
             "≥2:追": [0, 2]},
        ),
        (
            {"positions": "end", "max_position": 1},
            {"-1:狗": [1, 0], "-1:追": [0, 1], "≤-2:狗": [0, 1], "≤-2:猫": [1, 1],
             "≤-2:追": [1, 1]},
        ),
        (
            {"positions": "log", "max_position": 1, "overflow": "drop"},
            {"0:狗": [0, 1], "0:猫": [1, 0]},
        ),
    ],
)  # fmt: skip
def test_by_hand(settings, wanted):
    vectorizer = PositionalBagOfWordsVectorizer(**settings)
    found = names_and_counts(vectorizer, SHORT)
    assert found == wanted
    assert list(found) == list(wanted)
    assert vectorizer.term_frequencies_.tolist() == [sum(each) for each in wanted.values()]
    binary = names_and_counts(PositionalBagOfWordsVectorizer(binary=True, **settings), SHORT)
    assert binary == {name: np.minimum(counts, 1).tolist() for name, counts in wanted.items()}


def loop(documents, positions, max_position, n_bins, overflow):
    """Return name → counts of documents, one token at a time."""
    found = {}
    for row, document in enumerate(documents):
        tokens = [token for token in document if token != " "]
        n = len(tokens)
        for i, token in enumerate(tokens):
            if token == "，":
                continue
            place = {
                "absolute": i,
                "end": i - n,
                "relative": i * n_bins // n,
                "log": math.floor(math.log2(i + 1)),
            }[positions]
            name = str(place)
            if max_position is not None and positions == "end" and place < -max_position:
                name = f"≤{-max_position - 1}"
            elif max_position is not None and positions != "end" and place >= max_position:
                name = f"≥{max_position}"
            if name[0] in "≤≥" and overflow == "drop":
                continue
            found.setdefault(f"{name}:{token}", [0] * len(documents))[row] += 1
    return found


@few
@given(
    documents=corpora, kind=kinds, n_bins=st.integers(1, 5),
    overflow=st.sampled_from(["bin", "drop"]),
)  # fmt: skip
def test_equals_a_loop(documents, kind, n_bins, overflow):
    positions, max_position = kind
    wanted = loop(documents, positions, max_position, n_bins, overflow)
    if not wanted:
        return
    vectorizer = PositionalBagOfWordsVectorizer(
        positions=positions, max_position=max_position, n_bins=n_bins, overflow=overflow
    )
    assert names_and_counts(vectorizer, documents) == wanted


@pytest.mark.parametrize("positions", KINDS)
def test_positions_add_up_to_the_bag_of_words(positions):
    vectorizer = PositionalBagOfWordsVectorizer(positions=positions)
    for name, counts in names_and_counts(BagOfWordsVectorizer(), TOY).items():
        parts = [
            part
            for place, part in names_and_counts(vectorizer, TOY).items()
            if place.partition(":")[2] == name
        ]
        assert np.sum(parts, axis=0).tolist() == counts


def test_stop_words_keep_their_place():
    vectorizer = PositionalBagOfWordsVectorizer(stop_words=["的"])
    assert names_and_counts(vectorizer, [["我", "的", "猫"]]) == {"0:我": [1], "2:猫": [1]}


def test_terms_may_hold_a_colon():
    vectorizer = PositionalBagOfWordsVectorizer(keep_punctuation=True)
    documents = [["3:2", ":", "胜"]]
    assert list(names_and_counts(vectorizer, documents)) == ["0:3:2", "1::", "2:胜"]
    given = PositionalBagOfWordsVectorizer(keep_punctuation=True, vocabulary=["1::", "0:3:2"])
    assert given.transform(documents).toarray().tolist() == [[1, 1]]


@pytest.mark.parametrize("bounds", [{"min_df": 2}, {"max_df": 1}, {"max_features": 3}])
def test_chosen_columns(bounds):
    documents = [["天", "地"], ["天", "人"], ["人", "地"], ["地", "天"]]
    whole = PositionalBagOfWordsVectorizer().fit(documents)
    chosen = PositionalBagOfWordsVectorizer(**bounds).fit(documents)
    wanted = {"min_df": ["0:天", "1:地"], "max_df": ["0:人", "0:地", "1:人", "1:天"],
              "max_features": ["0:人", "0:天", "1:地"]}[next(iter(bounds))]  # fmt: skip
    assert chosen.get_feature_names_out().tolist() == wanted
    columns = [whole.vocabulary_[name] for name in wanted]
    assert chosen.transform(documents).toarray().tolist() == (
        whole.transform(documents).toarray()[:, columns].tolist()
    )


@few
@given(documents=corpora, cut=st.integers(0, 6), kind=kinds)
def test_merging_is_fitting_on_both(documents, cut, kind):
    positions, max_position = kind
    make = lambda: PositionalBagOfWordsVectorizer(  # noqa: E731
        positions=positions, max_position=max_position
    )
    if not all(any(set(document) - {"，", " "} for document in part)
               for part in (documents[:cut], documents[cut:])):  # fmt: skip
        return
    merged = make().fit(documents[:cut]).merge(make().fit(documents[cut:]))
    whole = make().fit(documents)
    assert merged.vocabulary_ == whole.vocabulary_
    assert merged.term_frequencies_.tolist() == whole.term_frequencies_.tolist()
    assert merged.document_frequencies_.tolist() == whole.document_frequencies_.tolist()
    assert content(merged.transform(documents)) == content(whole.transform(documents))


def test_parts_add_up():
    make = lambda: PositionalBagOfWordsVectorizer(vocabulary=["1:追", "0:猫"])  # noqa: E731
    whole = make().fit(SHORT)
    parts = make().partial_fit(SHORT[:1]).partial_fit(SHORT[1:])
    assert parts.term_frequencies_.tolist() == whole.term_frequencies_.tolist() == [1, 1]
    assert parts.n_documents_ == 2


def test_wide_indices_when_they_are_needed(monkeypatch):
    narrow = PositionalBagOfWordsVectorizer().fit_transform(TOY)
    monkeypatch.setattr("nlpfeat.counts.indices.INT32_LIMIT", 10)
    wide = PositionalBagOfWordsVectorizer().fit_transform(TOY)
    assert wide.indptr.dtype == wide.indices.dtype == np.int64
    assert (wide != narrow).nnz == 0


def test_merging_needs_the_same_positions():
    one = PositionalBagOfWordsVectorizer().fit(SHORT)
    other = PositionalBagOfWordsVectorizer(positions="end").fit(SHORT)
    with pytest.raises(VocabularyMismatchError, match="positions is 'absolute' here and 'end'"):
        one.merge(other)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"positions": "begin"}, "positions must be one of 'absolute', 'end', 'relative', 'log'"),
        ({"overflow": "cut"}, "overflow must be one of 'bin', 'drop'"),
        ({"n_bins": 0}, "n_bins must be an integer that is at least 1"),
        ({"max_position": 0}, "max_position .* must be an integer that is at least 1"),
        ({"positions": "relative", "max_position": 3}, "max_position must be None. Got 3"),
        ({"vocabulary": ["天"]}, "vocabulary must hold names of features such as 0:你"),
        ({"vocabulary": ["-1:天"]}, "Got '-1:天'"),
    ],
)
def test_parameters_that_cannot_be(parameters, message):
    with pytest.raises(InvalidParameterError, match=message):
        PositionalBagOfWordsVectorizer(**parameters).fit(SHORT)
