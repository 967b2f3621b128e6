"""Documents that are too long to be explained are told of, and never end a comparison."""

from dataclasses import replace

import pytest
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from nlpfeat import AttentionClassifier, BagOfWordsVectorizer, Corpus
from nlpfeat.compare import comparison
from nlpfeat.compare.comparison import compare_models
from nlpfeat.compare.costs import COSTS
from nlpfeat.compare.explaining.omission import KINDS, WITHOUT_WEIGHTS
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.rendering import render_markdown
from nlpfeat.compare.report_json import from_json, to_json

PROTOCOL = Protocol(seeds=(0,), n_trials=1, n_explained=3, n_resamples=20, segmenter="char")


@pytest.mark.parametrize("n_short", [0, 60])
def test_long_documents(in_this_process, n_short):
    # 101 characters, each a token, and one to keep the documents apart.
    texts = [("好坏"[row % 2] * (1 if row < n_short else 101)) + chr(0x5000 + row)
             for row in range(80)]  # fmt: skip
    corpus = Corpus.from_texts(texts, ["好", "坏"] * 40, name="例")
    model = ("bayes", make_pipeline(BagOfWordsVectorizer(), MultinomialNB()))
    findings = compare_models([model], corpus, PROTOCOL).findings
    told = [note for note in findings.notes if note.startswith("What models go by")]
    assert len(told) == 1
    assert not any("not explained" in note for note in findings.notes)
    assert [each.metric for each in findings.estimates if each.metric == "accuracy"]
    if n_short:
        assert {row.n_documents for row in findings.faithfulness} == {3}
        assert "measured on test documents of at most 100 tokens; " in told[0]
    else:
        assert findings.faithfulness == findings.agreement == findings.omission == []
        assert findings.strips == []
        assert "not measured: no test document has from 1 to 100 tokens" in told[0]


def test_what_is_in_no_figure_is_not_explained_either(in_this_process, monkeypatch, tmp_path):
    """The second seed misses a fold, so none of its runs counts: in the explanations, too."""
    texts = [f"{'好坏'[row % 2]}房间早餐服务{chr(0x5000 + row)}" for row in range(60)]
    corpus = Corpus.from_texts(texts, ["好", "坏"] * 30, name="例")
    model = ("bayes", make_pipeline(BagOfWordsVectorizer(), MultinomialNB()))
    protocol = replace(PROTOCOL, seeds=(0, 1), split="folds", n_folds=2)
    whole = compare_models([model], corpus, replace(protocol, seeds=(0,)), cache=tmp_path).findings
    done = comparison._finished

    def without_a_fold(*given):
        finished, lost = done(*given)
        taken = [each for each in finished if (each.run.split, each.run.seed) != (1, 1)]
        assert len(taken) == 3
        assert sum(bool(each.result.explained) for each in taken) == 2
        return taken, lost

    monkeypatch.setattr(comparison, "_finished", without_a_fold)
    findings = compare_models([model], corpus, protocol, cache=tmp_path).findings
    for name in ("faithfulness", "agreement", "omission"):
        rows = getattr(findings, name)
        assert rows == getattr(whole, name)
        assert {row.n_runs for row in rows} == {1}


def test_what_is_asked_of_attention_alone_is_in_the_report(in_this_process):
    pytest.importorskip("torch")
    # Two-character texts would have no rows of pairs: eight types, one of which tells the class.
    fillers = "房间早餐服务位置"
    texts = [
        f"{fillers[row % 8 :]}{fillers[: row % 8]}{'好坏'[row % 2]}{chr(0x5000 + row)}"
        for row in range(80)
    ]
    corpus = Corpus.from_texts(texts, ["好", "坏"] * 40, name="例")
    attention = AttentionClassifier(
        n_layers=1, d_model=8, n_heads=2, n_queries=1, max_epochs=2, min_df=1, batch_size=16
    )
    protocol = Protocol(seeds=(0, 1), n_trials=1, n_explained=3, n_resamples=20, segmenter="char")
    report = compare_models([("attention", attention)], corpus, protocol)
    findings = report.findings
    assert not any("not explained" in note for note in findings.notes)
    pairs = next(row for row in findings.agreement if row.score == "ppmi of pairs")
    assert None not in (pairs.other_seed, pairs.initial, pairs.permutation)
    idf = next(row for row in findings.agreement if row.score == "idf")
    assert 0 < idf.seed_divergence < 1
    kinds = {row.kind: row for row in findings.omission}
    assert list(kinds) == [*KINDS, *WITHOUT_WEIGHTS]
    accuracy = next(each for each in findings.estimates if each.metric == "accuracy")
    n_test = findings.resolution.n_documents
    costs = {each.metric: each.mean for each in findings.estimates if each.metric in COSTS}
    assert list(costs) == list(COSTS)
    assert costs["n_parameters"] > costs["n_parameters_non_embedding"] > 0
    assert costs["n_parameters_prior"] == 0
    assert costs["multiply_accumulates"] > 0
    for name in ("documents_per_second", "documents_per_second_alone"):
        assert costs[f"{name}_with_segmentation"] <= costs[name]
    assert {kinds[kind].n_documents for kind in WITHOUT_WEIGHTS} == {n_test}
    assert kinds["weights of a bag"].delta is None
    assert {each.n_runs for each in [*findings.agreement, *findings.omission]} == {2}
    for kind in ("pooling weights", "all weights"):
        assert kinds[kind].accuracy_before == pytest.approx(accuracy.mean)
    assert from_json(to_json(findings)) == findings
    text = render_markdown(findings)
    for caption in (
        "How far weights of attention are apart",
        "Where the attention of a token goes that is left out",
        "What is lost when weights of attention are made uniform",
    ):
        assert caption in text
