import json

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from nlpfeat import BagOfWordsVectorizer, NgramVectorizer, SurprisalTransformer
from nlpfeat.compare.explaining.all_rows import combine
from nlpfeat.compare.explaining.aopc import FIGURES
from nlpfeat.compare.explaining.classical_scores import SCORES
from nlpfeat.compare.explaining.deletion import Evaluations
from nlpfeat.compare.explaining.documents_to_explain import explain_texts
from nlpfeat.compare.explaining.evidence import token_weights
from nlpfeat.compare.explaining.omission import KINDS
from nlpfeat.compare.explaining.orders import ORDERS
from nlpfeat.compare.explaining.run_explanation import RunExplanation, explain_run
from nlpfeat.compare.log_scores import ModelScores
from nlpfeat.errors import InvalidInputError

GOOD, BAD = ["干净", "好吃", "热情", "安静", "方便"], ["脏", "难吃", "冷淡", "吵", "偏僻"]
FILLERS = ["房间", "早餐", "服务", "位置", "前台", "晚上", "，", "也", "很", "</script>"]


def _texts(n, seed):
    generator = np.random.default_rng(seed)
    texts, labels = [], []
    for number in range(n):
        label = ("好评", "差评")[number % 2]
        cues = generator.choice(GOOD if label == "好评" else BAD, 2, replace=False).tolist()
        fillers = generator.choice(FILLERS, 6, replace=False).tolist()
        texts.append(generator.permutation(cues + fillers).tolist())
        labels.append(label)
    return texts, labels


MODELS = {
    "words": lambda: make_pipeline(BagOfWordsVectorizer(), LogisticRegression()),
    "n-grams": lambda: make_pipeline(NgramVectorizer(ngram_range=(1, 2)), LinearSVC()),
    "surprisal": lambda: make_pipeline(
        BagOfWordsVectorizer(), SurprisalTransformer(), LogisticRegression()
    ),
}


@pytest.fixture(scope="module")
def splits():
    return [
        explain_texts(*_texts(60, split), *_texts(20, 9 + split), split=split, n_explained=8)
        for split in (0, 1)
    ]


@pytest.fixture(scope="module")
def runs(splits):
    found = []
    for name, make in MODELS.items():
        for split, texts in enumerate(splits):
            documents, labels = _texts(60, split)
            model = make().fit(documents, labels)
            scores = ModelScores(model, texts.classes)
            found += [
                explain_run(model, scores, texts, model=name, seed=seed, random_state=seed)
                for seed in (0, 1)
            ]
    return found


def test_a_run_has_all_figures(runs, splits):
    for run in runs:
        assert list(run.faithfulness) == list(ORDERS)
        assert list(run.agreement) == list(SCORES)
        assert list(run.omission) == list(KINDS)
        assert [len(each) for each in run.weights] == [8] * 8
        for figures in run.faithfulness.values():
            for figure in FIGURES:
                assert ((figures.normalized[figure] >= 0) & (figures.normalized[figure] <= 1)).all()
    assert {run.model: run.method for run in runs} == {
        "words": "evidence", "n-grams": "evidence", "surprisal": "leave one out",
    }  # fmt: skip


def test_own_weights_of_a_linear_model_are_the_most_faithful(runs):
    for run in runs:
        if run.model == "words":  # additive, two classes: exactly the bounds
            own = run.faithfulness["own"]
            assert own.normalized["comprehensiveness"].tolist() == pytest.approx([1.0] * 8)
            assert own.normalized["sufficiency"].tolist() == pytest.approx([0.0] * 8, abs=1e-9)


def test_the_same_run_again_is_the_same_to_the_last_digit(splits):
    documents, labels = _texts(60, 0)
    model = MODELS["n-grams"]().fit(documents, labels)
    score = ModelScores(model, splits[0].classes)
    once, twice = (explain_run(model, score, splits[0], model="m").to_dict() for _ in range(2))
    assert json.dumps(once) == json.dumps(twice)


def test_json_and_back_without_a_word_of_the_texts(runs):
    for run in runs:
        text = json.dumps(run.to_dict(), ensure_ascii=False, allow_nan=False)
        assert RunExplanation.from_dict(json.loads(text)).to_dict() == run.to_dict()
        assert not any(token in text for token in GOOD + BAD + FILLERS if token != "，")


def test_rows_are_means_over_documents_splits_and_seeds(runs, splits):
    found = combine(splits, runs, n_resamples=200)
    assert [(row.model, row.order) for row in found.faithfulness] == [
        (model, order) for model in MODELS for order in ORDERS
    ]
    mine = [run for run in runs if run.model == "n-grams"]
    row = next(row for row in found.faithfulness if (row.model, row.order) == ("n-grams", "idf"))
    values = [run.faithfulness["idf"] for run in mine]
    expected = np.mean([each.raw["sufficiency"].mean() for each in values])
    assert row.sufficiency == pytest.approx(expected)
    expected = np.mean([each.normalized["comprehensiveness"].mean() for each in values])
    assert row.normalized_comprehensiveness.mean == pytest.approx(expected)
    assert row.normalized_comprehensiveness.n_documents == 16
    assert row.n_documents == 16

    row = next(row for row in found.omission if (row.model, row.kind) == ("n-grams", "cue"))
    effects = [run.omission["cue"] for run in mine]
    assert row.delta == pytest.approx(np.mean([each.delta.mean() for each in effects]))
    assert row.accuracy_before == pytest.approx(np.mean([e.right_before.mean() for e in effects]))
    assert row.robustness == pytest.approx(row.accuracy_after / row.accuracy_before)
    assert row.n_documents == 16

    row = next(row for row in found.agreement if (row.model, row.score) == ("words", "linear"))
    taus = [run.agreement["linear"].tau for run in runs if run.model == "words"]
    assert row.tau == pytest.approx(np.mean(taus))
    assert row.low <= row.tau <= row.high
    assert row.tau > 0.5
    assert row.other_seed == pytest.approx(1.0)  # the model is the same with each seed
    assert abs(row.permutation) < 0.3
    assert row.n_documents == 16


def test_an_interval_is_that_of_resampled_documents(runs, splits):
    mine = [run for run in runs if run.model == "words"]
    row = next(each for each in combine(splits, mine).agreement if each.score == "idf")
    taus = np.concatenate([run.agreement["idf"].tau for run in mine if run.seed == 0])
    generator = np.random.default_rng(5)
    means = taus[generator.integers(0, len(taus), (10_000, len(taus)))].mean(axis=1)
    expected = np.percentile(means, [2.5, 97.5])
    np.testing.assert_allclose([row.low, row.high], expected, atol=0.02)


def _percentiles(figure, n_documents):
    """The ends of a figure of drawn documents, drawn by another generator."""
    generator = np.random.default_rng(5)
    drawn = generator.integers(0, n_documents, (10_000, n_documents))
    return np.nanpercentile([figure(rows) for rows in drawn], [2.5, 97.5])


def test_intervals_of_faithfulness_and_omission_are_those_of_resampled_documents(runs, splits):
    mine = [run for run in runs if run.model == "surprisal"]
    found = combine(splits, mine)

    def of_documents(values):  # the mean over both seeds, split after split
        return np.concatenate([
            np.mean([each for run, each in zip(mine, values) if run.split == split], axis=0)
            for split in (0, 1)
        ])  # fmt: skip

    row = next(each for each in found.faithfulness if each.order == "random")
    for name in FIGURES:
        figure = getattr(row, f"normalized_{name}")
        values = of_documents([run.faithfulness["random"].normalized[name] for run in mine])
        expected = _percentiles(lambda rows, values=values: values[rows].mean(), 16)
        np.testing.assert_allclose([figure.low, figure.high], expected, atol=0.02)
        assert figure.low < figure.mean < figure.high

    row = next(each for each in found.omission if each.kind == "strongest")
    before, after, delta = (
        of_documents([getattr(run.omission["strongest"], name) for run in mine])
        for name in ("right_before", "right_after", "delta")
    )
    expected = _percentiles(lambda rows: after[rows].sum() / before[rows].sum(), 16)
    np.testing.assert_allclose([row.robustness_low, row.robustness_high], expected, atol=0.02)
    expected = _percentiles(lambda rows: delta[rows].mean(), 16)
    np.testing.assert_allclose([row.delta_low, row.delta_high], expected, atol=0.05)


def test_documents_that_tell_no_order_take_no_part_in_normalized_figures(runs, splits):
    run = RunExplanation.from_dict(runs[0].to_dict())
    figures = run.faithfulness["own"]
    figures.normalized["comprehensiveness"][:] = [0.25, 0.75, *[np.nan] * 6]
    figures.normalized["sufficiency"][:] = np.nan
    row = combine(splits, [run], n_resamples=500).faithfulness[0]
    assert (row.order, row.n_documents) == ("own", 8)
    figure = row.normalized_comprehensiveness
    assert (figure.mean, figure.low, figure.high, figure.n_documents) == (0.5, 0.25, 0.75, 2)
    assert row.normalized_sufficiency is None
    assert row.sufficiency == pytest.approx(figures.raw["sufficiency"].mean())


def test_a_model_that_was_never_right_has_no_robustness(runs, splits):
    run = RunExplanation.from_dict(runs[0].to_dict())
    for effect in run.omission.values():
        effect.right_before[:] = False
    for row in combine(splits, [run], n_resamples=50).omission:
        assert row.accuracy_before == 0.0
        assert row.robustness is row.robustness_low is row.robustness_high is None


def test_a_model_without_runs_of_a_split_counts_the_documents_of_the_others(runs, splits):
    rows = combine(splits, [run for run in runs if run.split == 1], n_resamples=50)
    for row in [*rows.faithfulness, *rows.omission]:
        assert row.n_documents == 8
    values = next(run for run in runs if run.split == 1).faithfulness["own"]
    assert rows.faithfulness[0].comprehensiveness == pytest.approx(values.mean("comprehensiveness"))


def test_top_three_stand_beside_those_of_shuffled_weights(runs, splits):
    rows = combine(splits, runs, n_resamples=50).agreement
    n_types = [len(set(each)) for texts in splits for each in texts.documents]
    for row in rows:
        if row.n_documents == 16:
            expected = np.mean([3 / each for each in n_types])
            assert row.top_three_permutation == pytest.approx(expected)


def test_notes_tell_of_long_documents(runs, splits):
    short = explain_texts(*_texts(60, 0), *_texts(20, 9), n_explained=8, max_tokens=4)
    assert combine(splits, runs, n_resamples=10).notes == []
    found = combine([short], [], n_resamples=10)
    assert (found.faithfulness, found.agreement, found.omission) == ([], [], [])
    assert found.notes == [short.note]
    with pytest.raises(InvalidInputError, match="texts must hold at least one document"):
        explain_run(object(), lambda documents: np.zeros((0, 2)), short, model="m")


def test_documents_without_tau_take_no_part(runs, splits):
    run = RunExplanation.from_dict(runs[0].to_dict())
    run.agreement["idf"].tau[1:] = np.nan
    run.agreement["ppmi"].tau[:] = np.nan
    rows = {row.score: row for row in combine(splits, [run], n_resamples=50).agreement}
    assert rows["idf"].n_documents == 1
    assert rows["idf"].low == rows["idf"].tau == rows["idf"].high
    assert rows["idf"].tau == pytest.approx(run.agreement["idf"].tau[0])
    assert "ppmi" not in rows
    assert rows["idf"].other_seed is None


def test_models_that_are_not_attention_have_no_initial_weights(runs, splits):
    rows = combine(splits, runs, n_resamples=50).agreement
    assert {row.model for row in rows if row.initial is None} == set(MODELS)


def test_strips_show_the_first_run_of_the_first_split(runs, splits):
    found = combine(splits, runs, n_strips=3, linear="n-grams", n_resamples=10).strips
    assert len(found) == 3
    run = next(run for run in runs if (run.model, run.split, run.seed) == ("n-grams", 0, 0))
    for strip in found:
        row = splits[0].documents.index(strip.tokens)
        assert list(strip.sources) == ["evidence of n-grams", "tfidf", "pmi"]
        assert strip.sources["evidence of n-grams"] == run.weights[row].tolist()
        assert strip.sources["tfidf"] == splits[0].scores[row].tfidf.tolist()
        assert strip.text == "".join(strip.tokens)
        assert list(strip.predictions) == list(MODELS)
        assert strip.predictions["n-grams"] == splits[0].classes[run.predicted[row]]
    assert combine(splits, runs, n_strips=0, n_resamples=10).strips == []
    assert combine([], []).agreement == []


def test_splits_without_texts(runs, splits):
    with pytest.raises(InvalidInputError, match="Got none of split 1"):
        combine(splits[:1], runs)


def test_a_score_with_other_classes(splits):
    with pytest.raises(InvalidInputError, match=r"a column for each of the 2 classes\. Got 3"):
        explain_run(
            object(), lambda documents: np.full((len(documents), 3), -1.1), splits[0], model="m"
        )


def test_documents_that_have_no_token_like_the_cue_are_left_out_of_omission():
    documents, labels = _texts(20, 0)
    texts = explain_texts(documents, labels, [["脏"], ["脏", "房间"]], ["差评", "差评"])
    model = MODELS["words"]().fit(documents, labels)
    run = explain_run(model, ModelScores(model, texts.classes), texts, model="words")
    assert [len(each.delta) for each in run.omission.values()] == [1, 1, 1]
    alone = explain_texts(documents, labels, [["脏"]], ["差评"])
    run = explain_run(model, ModelScores(model, alone.classes), alone, model="words")
    found = combine([alone], [run], n_resamples=10)
    assert found.omission == []
    assert found.agreement == []  # one type tells no order
    assert found.faithfulness[0].normalized_comprehensiveness is None
    assert found.faithfulness[0].normalized_sufficiency is None
    assert found.faithfulness[0].n_documents == 1


def test_weights_in_a_run_are_those_of_the_model(runs, splits):
    documents, labels = _texts(60, 0)
    model = MODELS["words"]().fit(documents, labels)
    score = Evaluations(ModelScores(model, splits[0].classes))
    expected = token_weights(model, splits[0].documents, score).weights
    for one, other in zip(runs[0].weights, expected):
        np.testing.assert_allclose(one, other)
