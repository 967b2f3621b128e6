import json
from collections import Counter

import numpy as np
import pytest

from nlpfeat.compare.explaining.classical_scores import ClassicalScores
from nlpfeat.compare.explaining.documents_to_explain import ExplainedTexts, explain_texts
from nlpfeat.errors import InvalidInputError, InvalidParameterError

TRAIN = [["房间", "很", "好"], ["早餐", "好"], ["房间", "很", "差"], ["早餐", "差"]]
LABELS = ["好评", "好评", "差评", "差评"]
TEST = [["房间", "好", "</script>"], [], ["早餐", "差"], ["很", "很"], ["差"] * 7, ["好", "很"]]
TEST_LABELS = ["好评", "差评", "差评", "好评", "差评", "好评"]


def _explained(**changes):
    return explain_texts(TRAIN, LABELS, TEST, TEST_LABELS, **changes)


def test_all_that_fits_when_there_is_not_more():
    found = _explained(max_tokens=6)
    assert found.rows == [0, 2, 3, 5]
    assert found.documents == [TEST[row] for row in found.rows]
    assert found.labels == [TEST_LABELS[row] for row in found.rows]
    assert found.classes == ["好评", "差评"]
    assert found.columns == [0, 1, 0, 0]


def test_classes_take_turns():
    documents = [[f"词{n}"] for n in range(90)]
    labels = ["好评"] * 80 + ["差评"] * 10
    found = explain_texts(TRAIN, LABELS, documents, labels, n_explained=12)
    assert Counter(found.labels) == {"好评": 6, "差评": 6}
    more = explain_texts(TRAIN, LABELS, documents, labels, n_explained=30)
    assert Counter(more.labels) == {"好评": 20, "差评": 10}
    assert found.rows == sorted(found.rows)
    assert set(found.rows) <= set(more.rows)


def test_control_documents_are_of_both_parts_and_not_too_long():
    controls = _explained(max_tokens=6, n_explained=1).controls
    assert (controls.training, controls.training_labels) == (TRAIN, LABELS)
    assert controls.test == [TEST[row] for row in (0, 2, 3, 5)]
    assert controls.test_labels == [TEST_LABELS[row] for row in (0, 2, 3, 5)]


def test_at_most_so_many_control_documents_the_classes_in_turn():
    documents, labels = [[f"词{n}"] for n in range(1200)], ["好评"] * 1000 + ["差评"] * 200
    controls = explain_texts(documents, labels, documents, labels).controls
    assert Counter(controls.training_labels) == {"好评": 800, "差评": 200}
    assert Counter(controls.test_labels) == {"好评": 300, "差评": 200}
    label = {tokens[0]: label for tokens, label in zip(documents, labels)}
    assert [label[tokens[0]] for tokens in controls.test] == controls.test_labels


def test_the_seed_draws():
    documents, labels = [[f"词{n}"] for n in range(50)], ["好评"] * 50
    draws = [
        explain_texts(TRAIN, LABELS, documents, labels, n_explained=5, random_state=seed).rows
        for seed in (0, 0, 1)
    ]
    assert draws[0] == draws[1] != draws[2]


def test_scores_cues_and_alike_come_from_the_training_part():
    found = _explained()
    learned = ClassicalScores.learn(TRAIN, LABELS, ["好评", "差评"])
    for document, scores in zip(found.documents, found.scores):
        assert scores.idf.tolist() == learned.of(document).idf.tolist()
        assert scores.ppmi.tolist() == learned.of(document).ppmi.tolist()
    # 好 speaks for 好评 and 差 for 差评; in "很 很" nothing does.
    assert found.cues == [1, 1, 0, 0, 0]
    # 房间 is in as many training documents as 好; of 差 alone there is no other token.
    assert found.alike == [0, 0, -1, -1, 1]


def test_a_word_of_the_test_part_is_in_no_score():
    planted = [["泄漏", "好"], ["泄漏", "差"]]
    found = explain_texts(TRAIN, LABELS, planted, ["好评", "差评"])
    for each in found.scores:
        assert each.frequencies[0] == 0
        assert each.ppmi[0] == 0
        assert (each.linear[:, 0] == 0).all()
        assert (each.naive_bayes[:, 0] == 0).all()


def test_a_class_that_the_models_do_not_know():
    found = explain_texts(TRAIN, LABELS, [["房间", "好"]], ["中评"])
    assert found.columns == [-1]
    assert found.cues == [1]  # what speaks most for any class
    known = explain_texts(
        TRAIN, LABELS, [["房间", "好"]], ["中评"], classes=["中评", "好评", "差评"]
    )
    assert known.columns == [0]
    assert known.scores[0].linear.shape == (3, 2)


def test_long_documents_are_counted_and_told_of():
    assert _explained(max_tokens=7).note == ""
    found = _explained(max_tokens=2)
    assert (found.rows, found.max_tokens, found.n_too_long) == ([2, 3, 5], 2, 2)
    assert found.note == (
        "What models go by is measured on test documents of at most 2 tokens; 2 have more."
    )


def test_no_document_that_is_short_enough():
    found = explain_texts(TRAIN, LABELS, [[], ["好"] * 4], ["好评", "差评"], max_tokens=3)
    assert found.documents == found.rows == found.scores == found.cues == found.alike == []
    assert found.note == (
        "What models go by is not measured: no test document has from 1 to 3 tokens, and 1 have "
        "more."
    )
    assert ExplainedTexts.from_dict(json.loads(json.dumps(found.to_dict()))).note == found.note


def test_json_and_back():
    found = _explained()
    stored = json.loads(json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False))
    again = ExplainedTexts.from_dict(stored)
    assert again.to_dict() == found.to_dict()
    assert again.columns == found.columns
    for one, other in zip(found.scores, again.scores):
        for name in ("idf", "tfidf", "ppmi", "linear", "naive_bayes", "frequencies"):
            before, after = getattr(one, name), getattr(other, name)
            assert before.dtype == after.dtype
            assert before.shape == after.shape
            np.testing.assert_array_equal(before, after)


def test_what_cannot_be():
    with pytest.raises(InvalidInputError, match=r"classes must hold every class .* Got no '差评'"):
        _explained(classes=["好评"])
    with pytest.raises(InvalidInputError, match=r"one label for each .* Got 1 for 2 documents"):
        explain_texts(TRAIN, LABELS, TEST[:2], ["好评"])
    with pytest.raises(InvalidParameterError, match="n_explained must be"):
        _explained(n_explained=0)
    with pytest.raises(InvalidParameterError, match="max_tokens must be"):
        _explained(max_tokens=0)
