"""What topics see of a phenomenon: no linear function of the counts that they are made from."""

import numpy as np
import pytest
from phenomena_features import made
from scipy.stats import binom
from sklearn.linear_model import LogisticRegression

from nlpfeat import BagOfWordsVectorizer, LdaTransformer
from nlpfeat.datasets.phenomena import PHENOMENA, lexicon
from nlpfeat.datasets.phenomena.absence import _WORDS
from nlpfeat.datasets.phenomena.distant_pair import _SUNNY, _WET
from nlpfeat.datasets.phenomena.topic_sense import _SENSES

#: Words that make a topic each. Two of one topic are one label, and one of each the other; of the
#: absence it is how unlike their counts are.
SIDES = {
    "absence": [(word,) for word in _WORDS],
    "distant_pair": [_WET[0] + _WET[1], _SUNNY[0] + _SUNNY[1]],
    "topic_sense": [
        tuple(word for sense in _SENSES for word in (sense[side], *sense[side + 2]))
        for side in (1, 2)
    ],
}
TWINS = [
    name
    for name, each in PHENOMENA.items()
    if each.ceiling("topics").accuracy == 0.5 and name != "synonyms"
]


def counts_of(name):
    """The counts of the training part and of the test part, and their terms."""
    vectorizer = BagOfWordsVectorizer()
    train = vectorizer.fit_transform([item.tokens for item in made(name).train_items])
    test = vectorizer.transform([item.tokens for item in made(name).test_items])
    return train, test, vectorizer.get_feature_names_out().tolist()


def test_where_nothing_is_proved_of_topics_there_is_no_ceiling_below_1():
    assert {name for name, each in PHENOMENA.items() if "topics" in each.ceilings} == set(SIDES)
    for name in SIDES:
        assert PHENOMENA[name].ceiling("topics").accuracy == 1.0
        assert PHENOMENA[name].ceiling("bag").accuracy == 0.5
    assert len(TWINS) == 9


@pytest.mark.parametrize("name", SIDES)
def test_topics_that_were_made_by_hand_tell_what_no_linear_function_of_counts_does(name):
    """A topic of each side, one of both, one of all else: words of both sides go to the third."""
    train, test, terms = counts_of(name)
    sides = SIDES[name]
    both = {word for side in sides for word in side}
    topics = [*map(set, sides), both, set(terms) - both]
    weights = np.array([[term in topic for term in terms] for topic in topics]) + 1e-9
    prior = [0.1] * len(sides) + [0.5, 0.1]
    lda = LdaTransformer(len(topics), document_prior=prior, passes=1, random_state=0).fit(train)
    lda.components_ = weights / weights.sum(axis=1, keepdims=True)
    lda.topic_weights_ = np.full(len(topics), 1e6)
    model = LogisticRegression(C=1000, max_iter=5000)
    model.fit(lda.transform(train), made(name).train.labels())
    assert model.score(lda.transform(test), made(name).test.labels()) == 1.0


@pytest.mark.parametrize("name", TWINS)
def test_topics_of_twins_are_the_same_to_the_last_bit(name):
    train, _, _ = counts_of(name)
    rows = LdaTransformer(4, passes=1, random_state=0).fit_transform(train)
    is_first = np.array(made(name).train.labels()) == made(name).phenomenon.labels[0]
    assert sorted(rows[is_first].tolist()) == sorted(rows[~is_first].tolist())
    assert len(np.unique(rows, axis=0)) > 10


def test_topics_do_not_tell_synonyms():
    """Columns of opposites are equal in training, so that a topic takes them as it happens."""
    train, test, _ = counts_of("synonyms")
    lda = LdaTransformer(12, passes=5, random_state=0).fit(train)
    model = LogisticRegression(max_iter=2000)
    model.fit(lda.transform(train), made("synonyms").train.labels())
    low, high = binom.interval(0.99, 400, 0.5)
    right = 400 * model.score(lda.transform(test), made("synonyms").test.labels())
    assert low <= right <= high


def test_no_thing_of_a_topic_stands_in_a_neutral_clause():
    fillers = {
        word
        for name, words in vars(lexicon).items()
        if name.isupper() and name != "ASIDES"
        for word in words
    }
    assert fillers.isdisjoint(word for sense in _SENSES for word in (*sense[3], *sense[4]))
