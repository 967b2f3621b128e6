"""What is asked of attention alone, on a small one that was really trained."""

import json

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from nlpfeat import AttentionClassifier
from nlpfeat.attention.diagnostics.omission import weight_recovery
from nlpfeat.compare.explaining.agreement import agreement, type_sums
from nlpfeat.compare.explaining.all_rows import combine
from nlpfeat.compare.explaining.attention_controls import (
    Uniform,
    controls,
    token_vector_means,
    uniformed,
)
from nlpfeat.compare.explaining.deletion import Evaluations, without
from nlpfeat.compare.explaining.divergence import divergences
from nlpfeat.compare.explaining.documents_to_explain import explain_texts
from nlpfeat.compare.explaining.evidence import token_weights
from nlpfeat.compare.explaining.omission import KINDS, WITHOUT_WEIGHTS
from nlpfeat.compare.explaining.pair_agreement import agreement_of_pairs, pair_agreement
from nlpfeat.compare.explaining.recovery import recovery
from nlpfeat.compare.explaining.run_explanation import RunExplanation, explain_run
from nlpfeat.compare.explaining.untrained import untrained_attention
from nlpfeat.compare.log_scores import ModelScores
from nlpfeat.compare.opened_networks import open_network

GOOD, BAD = ["干净", "好吃", "热情", "安静"], ["脏", "难吃", "冷淡", "吵"]
FILLERS = ["房间", "早餐", "服务", "位置", "前台", "晚上", "也", "很"]


def _texts(n, seed):
    generator = np.random.default_rng(seed)
    texts, labels = [], []
    for number in range(n):
        label = ("好评", "差评")[number % 2]
        cue = generator.choice(GOOD if label == "好评" else BAD)
        fillers = generator.choice(FILLERS, 5, replace=False).tolist()
        texts.append(generator.permutation([cue, *fillers]).tolist())
        labels.append(label)
    return texts, labels


def _fitted(seed=0, **parameters):
    settings = {
        "unit": "word", "n_layers": 1, "d_model": 16, "n_heads": 2, "n_queries": 1,
        "max_epochs": 12, "learning_rate": 1e-2, "min_df": 1, "dropout": 0.0, "token_dropout": 0.0,
        "batch_size": 16, "position": "rope", "random_state": seed,
    }  # fmt: skip
    return AttentionClassifier(**(settings | parameters)).fit(*_texts(80, 0))


@pytest.fixture(scope="module")
def texts():
    return explain_texts(*_texts(80, 0), *_texts(40, 9), n_explained=6)


@pytest.fixture(scope="module")
def classifiers():
    return [_fitted(seed) for seed in (0, 1)]


@pytest.fixture(scope="module")
def runs(classifiers, texts):
    return [
        explain_run(
            each, ModelScores(each, texts.classes), texts, model="attention", seed=seed, n_random=1,
            width=1,
        )
        for seed, each in enumerate(classifiers)
    ]  # fmt: skip


def test_uniform_weights_by_hand():
    scores = torch.tensor([[[5.0, -3.0, 0.0], [1.0, 2.0, 3.0]]], dtype=torch.float64)
    mask = torch.tensor([[[True, False, True], [False, False, False]]])
    assert Uniform()(scores, mask).tolist() == [[[0.5, 0.0, 0.5], [0.0, 0.0, 0.0]]]
    assert Uniform()(scores)[0, 0].tolist() == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("is_everywhere", [False, True])
def test_a_uniformed_network_weighs_all_tokens_alike_and_the_model_stays(
    classifiers, texts, is_everywhere
):
    documents = [texts.documents[0], ["房间", "很"]]  # the second is padded
    before = classifiers[0].predict_log_proba(documents)
    opened = open_network(classifiers[0], documents)
    changed = uniformed(opened.network, is_everywhere=is_everywhere)
    (batch,) = opened.batches.batches(2)
    with torch.no_grad():
        layer, pooling = changed(batch, return_weights=True, path="explicit").weights
        given = opened.network(batch, return_weights=True, path="explicit").weights
    for place, row in enumerate(batch.rows.tolist()):
        n = len(documents[row])
        expected = torch.zeros(pooling.shape[-1])
        expected[:n] = 1 / n
        torch.testing.assert_close(pooling[place], expected.expand_as(pooling[place]))
        if is_everywhere:
            rows = layer[place][:, :n]
            torch.testing.assert_close(rows, expected.expand_as(rows))
        else:
            torch.testing.assert_close(layer[place], given[0][place])
    np.testing.assert_array_equal(classifiers[0].predict_log_proba(documents), before)


def test_with_uniform_weights_that_were_uniform_nothing_is_lost(texts):
    # A score of 0 for each key: its projection of keys is 0.
    classifier = _fitted(n_layers=0, max_epochs=1)
    opened = open_network(classifier, texts.documents)
    with torch.no_grad():
        opened.network.pooling.key_weight.zero_()
    found = controls(classifier, ModelScores(classifier, texts.classes), texts)
    for kind in ("pooling weights", "all weights"):
        np.testing.assert_allclose(found[kind].delta, 0.0, atol=1e-5)
        assert found[kind].right_after.tolist() == found[kind].right_before.tolist()
    # Nor in a bag.
    np.testing.assert_allclose(found["weights of a bag"].delta, 0.0, atol=1e-3)


def test_controls_are_accuracies_on_the_control_documents(classifiers, runs, texts):
    found = runs[0].attention.controls
    assert list(found) == list(WITHOUT_WEIGHTS)
    expected = [
        str(predicted) == label
        for predicted, label in zip(
            classifiers[0].predict(texts.controls.test), texts.controls.test_labels
        )
    ]
    for kind in ("pooling weights", "all weights"):
        assert found[kind].right_before.tolist() == expected
        assert np.abs(found[kind].delta).max() > 0.01
    assert len(found["weights of a bag"].delta) == 40


def test_vectors_of_a_bag_by_hand(classifiers):
    documents = [["房间", "很", "好吃"], [], ["没见过", "吵"]]
    weighted, uniform = token_vector_means(classifiers[0], documents)
    opened = open_network(classifiers[0], documents)
    table = opened.network.embedding.weight.detach().double().numpy()
    ids, n_terms = classifiers[0].vocabulary_, len(classifiers[0].vocabulary_)
    for row, attention in enumerate(classifiers[0].attention_weights(documents)):
        vectors = table[[ids.get(token, n_terms) for token in documents[row]]]
        np.testing.assert_allclose(weighted[row], attention.token_weights @ vectors, atol=1e-6)
        mean = vectors.mean(axis=0) if len(vectors) else 0.0
        np.testing.assert_allclose(uniform[row], mean, atol=1e-6)


def test_a_bag_is_a_linear_model_on_these_vectors(classifiers, runs, texts):
    given = texts.controls
    training = token_vector_means(classifiers[0], given.training)
    test = token_vector_means(classifiers[0], given.test)
    answers = []
    for features, asked in zip(training, test):
        model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
        answers.append(model.fit(features, given.training_labels).predict(asked))
    effect = runs[0].attention.controls["weights of a bag"]
    right = np.array(given.test_labels)
    assert effect.right_before.tolist() == (answers[0] == right).tolist()
    assert effect.right_after.tolist() == (answers[1] == right).tolist()


def test_there_is_no_bag_of_one_class(classifiers, texts):
    controls_of_one = type(texts.controls)(
        texts.controls.training[:1], ["好评"], texts.controls.test, texts.controls.test_labels
    )
    one = type(texts)(**(vars(texts) | {"controls": controls_of_one}))
    found = controls(classifiers[0], ModelScores(classifiers[0], one.classes), one)
    assert list(found) == ["pooling weights", "all weights"]


@pytest.mark.parametrize("parameters", [{}, {"priors": ["pmi", "embedding"], "unit": "char"}])
def test_untrained_weights_are_those_of_steps_too_small_to_change_a_number(texts, parameters):
    trained = _fitted(max_epochs=1, **parameters)
    still = _fitted(max_epochs=1, learning_rate=1e-30, **parameters)
    found = untrained_attention(trained, texts.documents)
    expected = token_weights(still, texts.documents, Evaluations(ModelScores(still, texts.classes)))
    for name in ("weights", "pairs"):
        for one, other in zip(getattr(found, name), getattr(expected, name)):
            np.testing.assert_array_equal(one, other)
    after = token_weights(trained, texts.documents, Evaluations(lambda documents: None))
    assert np.abs(found.weights[0] - after.weights[0]).max() > 1e-5


def test_what_was_drawn_without_a_seed_cannot_be_drawn_again(texts):
    assert untrained_attention(_fitted(None, max_epochs=1), texts.documents) is None


def test_initial_weights_are_drawn_again(classifiers, runs, texts):
    weights = untrained_attention(classifiers[0], texts.documents).weights
    scores = [
        each.of_class(column) for each, column in zip(texts.scores, runs[0].predicted, strict=True)
    ]
    expected = agreement(texts.documents, runs[0].weights, scores, initial=weights)
    for name, each in runs[0].agreement.items():
        np.testing.assert_array_equal(each.initial, expected[name].initial)
    assert not np.isnan(expected["idf"].initial).all()


def test_pairs_of_characters_are_put_together_as_tokens():
    classifier = _fitted(unit="char", max_epochs=1, stop_words=["很"])
    document = ["早餐", "很", "好吃"]
    found = token_weights(classifier, [document, []], Evaluations(lambda documents: None))
    (attention, _) = classifier.attention_weights([document, []])
    taken = attention.layers.mean(axis=(0, 1))
    expected = [
        [taken[np.ix_(rows, columns)].sum() / len(rows) for columns in ([0, 1], [2], [3, 4])]
        for rows in ([0, 1], [2], [3, 4])
    ]
    np.testing.assert_allclose(found.pairs[0], expected, atol=1e-7)
    assert found.pairs[0][0].sum() == pytest.approx(1.0, abs=1e-6)
    assert found.pairs[0][:, 1].tolist() == [0.0, 0.0, 0.0]  # the stop word is not seen
    assert found.pairs[1].shape == (0, 0)
    assert token_weights(_fitted(n_layers=0, max_epochs=1), [document], None).pairs is None


def test_pairs_in_a_run_are_held_against_ppmi(classifiers, runs, texts):
    found = token_weights(classifiers[0], texts.documents, None)
    tables = [each.pair_ppmi for each in texts.scores]
    initial = untrained_attention(classifiers[0], texts.documents).pairs
    expected = pair_agreement(texts.documents, found.pairs, tables, initial=initial)
    for name in ("tau", "permutation", "initial"):
        np.testing.assert_array_equal(
            getattr(runs[0].attention.pair_agreement, name), getattr(expected, name)
        )
    np.testing.assert_allclose(runs[0].attention.pairs[0], found.pairs[0], atol=1e-6)


def test_recovery_is_that_of_the_diagnostics(classifiers, texts):
    weights = token_weights(classifiers[0], texts.documents, None).weights
    tables = [each.pair_ppmi for each in texts.scores]
    places = [int(each.argmax()) for each in weights]
    found = recovery(classifiers[0], texts.documents, weights, tables, {"strongest": places})
    told = 0
    for row, (document, place) in enumerate(zip(texts.documents, places)):
        left = list(without(document, {place}))
        after = classifiers[0].attention_weights([left])[0].token_weights
        related = [at for at in range(len(document)) if tables[row][place, at] > 0]
        share = found["strongest"].share[row]
        if not 0 < len(related) < len(left):
            assert np.isnan(share)
            continue
        told += 1
        expected = weight_recovery(
            torch.from_numpy(weights[row]), torch.from_numpy(after).double(), [place], related
        )
        assert share == pytest.approx(expected.recovered, abs=1e-5)
        kept = [at for at in range(len(document)) if at != place]
        alike = weights[row][kept] / weights[row][kept].sum()
        gained = sum(alike[kept.index(at)] - weights[row][at] for at in related)
        assert found["strongest"].proportional[row] == pytest.approx(
            gained / weights[row][place], abs=1e-6
        )
    assert told > 0


def test_json_and_back(runs):
    for run in runs:
        text = json.dumps(run.to_dict(), ensure_ascii=False, allow_nan=False)
        assert RunExplanation.from_dict(json.loads(text)).to_dict() == run.to_dict()
        assert not any(token in text for token in GOOD + BAD + FILLERS)


def test_rows_of_attention(runs, texts):
    found = combine([texts], runs, n_resamples=200)
    pairs = next(row for row in found.agreement if row.score == "ppmi of pairs")
    taus = np.mean([run.attention.pair_agreement.tau for run in runs], axis=0)
    assert pairs.tau == pytest.approx(np.nanmean(taus))
    assert pairs.low <= pairs.tau <= pairs.high
    assert pairs.top_three is pairs.top_three_permutation is None
    assert pairs.seed_divergence is pairs.uniform_divergence is None
    between = agreement_of_pairs(texts.documents, *(run.attention.pairs for run in runs))
    assert pairs.other_seed == pytest.approx(np.nanmean(between))
    idf = next(row for row in found.agreement if row.score == "idf")
    assert idf.seed_divergence == pytest.approx(
        divergences(runs[0].weights, runs[1].weights).mean()
    )
    assert idf.initial == pytest.approx(
        np.nanmean([np.nanmean(run.agreement["idf"].initial) for run in runs])
    )
    even = [[np.ones(len(each)) for each in run.weights] for run in runs]
    expected = np.mean([divergences(run.weights, each) for run, each in zip(runs, even)])
    assert idf.uniform_divergence == pytest.approx(expected)
    assert len(type_sums(texts.documents[0], runs[0].weights[0])) == 6

    assert [row.kind for row in found.omission] == [*KINDS, *WITHOUT_WEIGHTS]
    for row in found.omission:
        if row.kind in WITHOUT_WEIGHTS:
            effects = [run.attention.controls[row.kind] for run in runs]
            assert row.recovery is None
            assert row.n_documents == 40
            assert row.accuracy_after == pytest.approx(
                np.mean([effect.right_after.mean() for effect in effects])
            )
        else:
            _check_recovery(row, runs, texts)


def _check_recovery(row, runs, texts):
    """Sums over documents, of each the mean over the runs that tell it, by loops."""
    gained = proportional = lost = 0.0
    told = 0
    for place, document in enumerate(texts.rows_of_omission):
        effects = []
        for run in runs:
            weights, moved = run.weights[document], run.attention.recovery[row.kind]
            left_out = {
                "strongest": int(weights.argmax()),
                "cue": texts.cues[document],
                "random": texts.alike[document],
            }[row.kind]
            if not np.isnan(moved.share[place]):
                effects.append((moved.share[place], moved.proportional[place], weights[left_out]))
        told += bool(effects)
        for share, alike, weight in effects:
            gained += share * weight / len(effects)
            proportional += alike * weight / len(effects)
            lost += weight / len(effects)
    assert row.recovery.n_documents == told
    assert row.recovery.share == pytest.approx(gained / lost)
    assert row.recovery.proportional == pytest.approx(proportional / lost)
    assert row.recovery.low <= row.recovery.share <= row.recovery.high


def test_a_single_seed_has_no_divergence_between_seeds(runs, texts):
    for row in combine([texts], runs[:1], n_resamples=50).agreement:
        assert row.other_seed is row.seed_divergence is None


def test_other_models_have_none_of_it(texts):
    from nlpfeat import BagOfWordsVectorizer

    model = make_pipeline(BagOfWordsVectorizer(), LogisticRegression()).fit(*_texts(80, 0))
    run = explain_run(model, ModelScores(model, texts.classes), texts, model="words", width=1)
    assert run.attention is None
    found = combine([texts], [run], n_resamples=50)
    assert {row.kind for row in found.omission} == set(KINDS)
    assert all(row.recovery is None for row in found.omission)
    assert all(row.score != "ppmi of pairs" for row in found.agreement)
    assert all(row.uniform_divergence is None for row in found.agreement)
