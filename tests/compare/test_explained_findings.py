"""Documents that are too long to be explained are told of, and never end a comparison."""

import pytest
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from nlpfeat import BagOfWordsVectorizer, Corpus
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.running import compare_models

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
