import numpy as np
import pytest
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.pipeline import FeatureUnion, make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler

from nlpfeat import (
    BagOfWordsVectorizer,
    LdaTransformer,
    NgramVectorizer,
    PositionalBagOfWordsVectorizer,
    SegmentTransformer,
    SurprisalTransformer,
    TfidfVectorizer,
)
from nlpfeat.compare.explaining.feature_places import feature_places
from nlpfeat.compare.explaining.token_places import token_places
from nlpfeat.errors import InvalidParameterError

TEXTS = [
    ["今天", "天气", "很", "好", "。", "”", "我们", "去", "公园", "！"],
    ["Ａ股", "VIP", "很", "很", "\n", "好", "\u200b", "。"],
    [],
    ["没", "见过", "的", "词", "天气"],
]


def _counted(places, n_documents):
    """The counts that the places make: the shares of each feature in each document."""
    counts = np.zeros((n_documents, places.n_columns))
    np.add.at(counts, (places.documents, places.columns), places.shares)
    return counts


VECTORIZERS = {
    "words": BagOfWordsVectorizer(),
    "words and punctuation": BagOfWordsVectorizer(keep_punctuation=True),
    "unknown words": BagOfWordsVectorizer(count_unknown=True, max_features=4),
    "stop words": BagOfWordsVectorizer(stop_words=["很", "我们"], lowercase=False),
    "word bigrams": NgramVectorizer(ngram_range=(2, 2)),
    "with punctuation": NgramVectorizer(ngram_range=(1, 3), keep_punctuation=True),
    "without stop words": NgramVectorizer(ngram_range=(1, 2), stop_words=["很"]),
    "characters": NgramVectorizer(ngram_range=(1, 3), unit="char"),
    "characters, punctuation": NgramVectorizer(
        ngram_range=(2, 4), unit="char", keep_punctuation=True
    ),
    "absolute": PositionalBagOfWordsVectorizer(),
    "from the end": PositionalBagOfWordsVectorizer(positions="end", max_position=3),
    "relative": PositionalBagOfWordsVectorizer(positions="relative", n_bins=3),
    "dropped": PositionalBagOfWordsVectorizer(max_position=2, overflow="drop"),
    "logarithmic": PositionalBagOfWordsVectorizer(positions="log", keep_punctuation=True),
}


@pytest.mark.parametrize("name", VECTORIZERS)
def test_the_places_of_each_feature_are_as_many_as_it_is_counted(name):
    vectorizer = VECTORIZERS[name].fit(TEXTS[:3])
    places = feature_places(vectorizer, TEXTS)
    np.testing.assert_allclose(_counted(places, 4), vectorizer.transform(TEXTS).toarray())


def _found(vectorizer, document):
    """For each feature the tokens that it stands on, in order."""
    places = feature_places(vectorizer, [document])
    names = vectorizer.get_feature_names_out()[places.columns]
    return sorted(zip(names.tolist(), places.places.tolist()))


def test_characters_stand_on_the_tokens_that_they_come_from():
    vectorizer = NgramVectorizer(ngram_range=(2, 2), unit="char").fit(["天气很好"])
    assert _found(vectorizer, ["天", "气很", "\u3000", "好"]) == [
        ("天气", 0), ("天气", 1), ("很好", 1), ("很好", 3), ("气很", 1), ("气很", 1),
    ]  # fmt: skip


def test_no_place_reaches_over_a_gap_or_the_end_of_a_sentence():
    vectorizer = NgramVectorizer(ngram_range=(2, 2), keep_punctuation=True)
    vectorizer.fit([["”", "我", "好", "。"]])
    assert _found(vectorizer, ["”", "我"]) == [("” 我", 0), ("” 我", 1)]
    # The quote closes the sentence before it.
    assert _found(vectorizer, ["好", "。", "”", "我"]) == [("好 。", 0), ("好 。", 1)]


def test_terms_are_folded_and_lower_case():
    vectorizer = BagOfWordsVectorizer().fit([["a股", "vip"]])
    assert _found(vectorizer, ["ＶＩＰ", "Ａ股"]) == [("a股", 1), ("vip", 0)]


def test_a_token_that_holds_the_separator_keeps_every_share():
    # The token "a b" has the name that the two tokens a, b would have as a bigram.
    vectorizer = NgramVectorizer(ngram_range=(1, 2)).fit([["a b", "c"]])
    places = feature_places(vectorizer, [["a b", "c"]])
    counts = vectorizer.transform([["a b", "c"]]).toarray()
    np.testing.assert_allclose(_counted(places, 1), counts)


def test_unions_stand_side_by_side():
    words, characters = BagOfWordsVectorizer(), NgramVectorizer(ngram_range=(1, 2), unit="char")
    union = FeatureUnion([
        ("words", words), ("nothing", "drop"), ("characters", make_pipeline(characters)),
    ]).fit(TEXTS)  # fmt: skip
    places = feature_places(union, TEXTS)
    np.testing.assert_allclose(_counted(places, 4), union.transform(TEXTS).toarray())


def test_transformers_that_keep_columns_keep_places():
    pipeline = make_pipeline(
        SegmentTransformer(), BagOfWordsVectorizer(), "passthrough", MaxAbsScaler()
    ).fit(TEXTS)
    found = feature_places(pipeline, TEXTS)
    plain = feature_places(pipeline[1], TEXTS)
    assert (found.columns == plain.columns).all()
    assert (found.places == plain.places).all()
    tfidf = feature_places(TfidfVectorizer().fit(TEXTS), TEXTS)
    assert (tfidf.columns == plain.columns).all()


def test_selected_columns():
    pipeline = make_pipeline(BagOfWordsVectorizer(), SelectKBest(chi2, k=3))
    pipeline.fit(TEXTS, [0, 1, 1, 0])
    places = feature_places(pipeline, TEXTS)
    assert places.n_columns == 3
    np.testing.assert_allclose(_counted(places, 4), pipeline.transform(TEXTS).toarray())


def test_what_is_no_count_has_no_place():
    texts = TEXTS[:2]
    topics = make_pipeline(BagOfWordsVectorizer(), LdaTransformer(n_topics=2, random_state=0))
    surprisal = make_pipeline(BagOfWordsVectorizer(), SurprisalTransformer())
    for step in (
        topics.fit(texts),
        surprisal.fit(texts),
        make_union(BagOfWordsVectorizer(), surprisal).fit(texts),
        FunctionTransformer(),
        make_pipeline(FunctionTransformer(), BagOfWordsVectorizer()),
    ):
        assert feature_places(step, texts) is None


def test_a_unit_that_there_is_not():
    with pytest.raises(InvalidParameterError, match="unit must be one of 'word', 'char'"):
        token_places(["好"], "letter")
