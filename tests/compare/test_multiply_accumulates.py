"""Products that a person can count."""

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import StandardScaler

from nlpfeat import (
    AttentionClassifier,
    BagOfWordsVectorizer,
    BiLstmBaseline,
    LdaTransformer,
    NBSVMClassifier,
    NgramVectorizer,
    PmiVectorizer,
    TextCnnBaseline,
)
from nlpfeat.compare.multiply_accumulates import multiply_accumulates
from nlpfeat.priors.topic import TopicPrior

TEXTS = [["房间", "很", "好"], ["早餐", "好吃"], ["房间", "太", "脏"], ["早餐", "难吃"]] * 4
LABELS = np.array(["好评", "好评", "差评", "差评"] * 4)
THREE = np.array(["甲", "乙", "丙", "丙"] * 4)
SMALL = {
    "unit": "word", "d_model": 8, "max_epochs": 1, "min_df": 1, "batch_size": 8, "random_state": 0,
}  # fmt: skip


def test_a_linear_model_multiplies_each_value_once_a_row_of_coefficients():
    words = make_pipeline(BagOfWordsVectorizer(), LogisticRegression())
    # Of five tokens two types are known; of two classes one row of coefficients is.
    document = ["房间", "房间", "茶", "脏", "\n"]
    assert multiply_accumulates(words.fit(TEXTS, LABELS), document) == 2
    assert multiply_accumulates(words.fit(TEXTS, THREE), document) == 2 * 3
    assert multiply_accumulates(words, []) == 0
    both = make_union(BagOfWordsVectorizer(), NgramVectorizer(unit="char", ngram_range=(1, 1)))
    nbsvm = make_pipeline(both, NBSVMClassifier(random_state=0)).fit(TEXTS, THREE)
    assert multiply_accumulates(nbsvm, document) == (2 + 3) * 3  # 房, 间 and 脏


def test_vectors_of_terms_count_too():
    model = make_pipeline(PmiVectorizer(2, random_state=0), StandardScaler(), LogisticRegression())
    model.fit(TEXTS, THREE)
    assert multiply_accumulates(model, ["房间", "脏", "脏", "茶"]) == 2 * 2 + 2 * 3


def test_of_other_models_nothing_is_known():
    forest = make_pipeline(BagOfWordsVectorizer(), RandomForestClassifier(2, random_state=0))
    topics = make_pipeline(
        BagOfWordsVectorizer(), LdaTransformer(2, random_state=0), LogisticRegression()
    )
    for model in (forest, topics):
        assert multiply_accumulates(model.fit(TEXTS, LABELS), TEXTS[0]) is None
    assert multiply_accumulates(object(), TEXTS[0]) is None


pytest.importorskip("torch")


def _attention(n_tokens, d=8, queries=4, classes=2, layers=2):
    """The products of a network of attention, from its definition."""
    pairs = 2 * n_tokens * n_tokens * d  # scores, and weights times values, of all heads
    layer = n_tokens * d * 3 * d + pairs + n_tokens * d * d + 2 * n_tokens * d * 2 * d
    pooling = n_tokens * d * 2 * d + 2 * queries * n_tokens * d + queries * d * d
    return layers * layer + pooling + queries * d * classes


@pytest.mark.parametrize("n_tokens", [1, 5])
def test_attention_by_hand(n_tokens):
    classifier = AttentionClassifier(**SMALL, n_heads=2).fit(TEXTS, LABELS)
    document = ["房间", "很", "好", "茶", "水"][:n_tokens]
    assert multiply_accumulates(classifier, document) == _attention(n_tokens)


def test_wide_parts_and_experts_count_too():
    wide = AttentionClassifier(**SMALL, n_heads=2, priors=["wide"]).fit(TEXTS, THREE)
    read = wide._reading().read([["房间", "很", "好"]], wide._vocabulary)
    n_ngrams = wide.priors_[0].inputs(read).table.nnz
    assert n_ngrams > 3
    expected = _attention(3, classes=3) + n_ngrams * 3
    assert multiply_accumulates(wide, ["房间", "很", "好"]) == expected
    expert = AttentionClassifier(**SMALL, n_heads=2, priors=["expert"]).fit(TEXTS, THREE)
    of_expert = multiply_accumulates(expert.priors_[0].expert, ["房间", "很", "好"])
    # Words: three, and two pairs. Characters: four, three pairs, and two rows of three.
    assert of_expert == (3 + 2 + 4 + 3 + 2) * 3
    assert multiply_accumulates(expert, ["房间", "很", "好"]) == (
        _attention(3, classes=3) + of_expert
    )


@pytest.mark.parametrize("form", ["lift", "gate", "token"])
def test_topics_of_a_prior_are_inferred_in_steps_of_unknown_number(form):
    prior = TopicPrior(n_topics=2, form=form, passes=1)
    topics = AttentionClassifier(**SMALL, n_heads=2, priors=[prior]).fit(TEXTS, LABELS)
    assert multiply_accumulates(topics, TEXTS[0]) is None


def test_recurrent_and_convolutional_networks_by_hand():
    lstm = BiLstmBaseline(**SMALL, d_hidden=3).fit(TEXTS, LABELS)
    # Two directions, four gates, from 8 numbers and 3 states, for each of three tokens; the head.
    expected = 2 * 3 * 4 * 3 * (8 + 3) + 2 * 3 * 2
    assert multiply_accumulates(lstm, ["房间", "很", "好"]) == expected
    cnn = TextCnnBaseline(**SMALL, widths=(2, 3), n_filters=5).fit(TEXTS, LABELS)
    # Windows reach over both ends: 3 + 1 of width 2, and 3 + 2 of width 3.
    expected = 4 * 2 * 8 * 5 + 5 * 3 * 8 * 5 + 2 * 5 * 2
    assert multiply_accumulates(cnn, ["房间", "很", "好"]) == expected


def test_counting_changes_nothing():
    import torch

    classifier = AttentionClassifier(**SMALL, n_heads=2).fit(TEXTS, LABELS)
    is_enabled = torch.backends.mkldnn.enabled
    before = classifier.predict_log_proba(TEXTS)
    multiply_accumulates(classifier, TEXTS[0])
    np.testing.assert_array_equal(classifier.predict_log_proba(TEXTS), before)
    assert torch.backends.mkldnn.enabled == is_enabled
