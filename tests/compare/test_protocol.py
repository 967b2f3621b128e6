"""The rules of a comparison: what they may be, and how a report keeps them."""

import json

import pytest

from nlpfeat.compare.protocol import Protocol
from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.segmenters import WhitespaceSegmenter


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"split": "fold"}, r"Protocol.split must be one of .*Did you mean 'folds'"),
        ({"test_fraction": 0.0}, "Protocol.test_fraction must be a finite number above 0"),
        ({"test_fraction": 1.0}, "Protocol.test_fraction must be above 0 and below 1"),
        ({"dev_fraction": float("nan")}, "Protocol.dev_fraction must be a finite number"),
        ({"n_folds": 1}, "Protocol.n_folds must be an integer that is at least 2"),
        ({"n_trials": 0}, "Protocol.n_trials must be an integer that is at least 1"),
        ({"n_trials": True}, "Protocol.n_trials must be an integer"),
        ({"seeds": ()}, "Protocol.seeds must hold at least one integer"),
        ({"seeds": (1, 1)}, "Protocol.seeds must hold different numbers"),
        ({"seeds": "012"}, "Protocol.seeds must be a list of integers"),
        ({"seeds": (-1,)}, "Protocol.seeds must be an integer that is at least 0"),
        ({"seeds": (2**32,)}, "Protocol.seeds must be at most 4294967295"),
        ({"train_sizes": (1,)}, "Protocol.train_sizes must be an integer that is at least 2"),
        ({"equivalence": -0.1}, "Protocol.equivalence must be from 0 to 1, or None. Got -0.1"),
        ({"equivalence": 1.5}, "Protocol.equivalence must be from 0 to 1, or None. Got 1.5"),
        ({"equivalence": "no"}, r"Protocol.equivalence \(or None\) must be a finite number"),
        ({"time_budget": 0}, r"Protocol.time_budget \(or None\) must be a finite number above 0"),
        ({"segmenter": "jeiba"}, "Did you mean 'jieba'"),
    ],
)
def test_what_cannot_be_is_told(settings, message):
    with pytest.raises(InvalidParameterError, match=message):
        Protocol(**settings)


@pytest.mark.parametrize(
    ("n_documents", "half_width"), [(2, 0.01), (4_999, 0.01), (5_000, 0.005), (100_000, 0.005)]
)
def test_what_matters_is_less_where_more_documents_tell_more(n_documents, half_width):
    assert Protocol().equivalence_for(n_documents) == half_width
    assert Protocol(equivalence=0).equivalence_for(n_documents) == 0.0
    assert Protocol(equivalence=0.02).equivalence_for(n_documents) == 0.02


def test_a_report_keeps_every_setting_as_json():
    protocol = Protocol(seeds=[3, 1], train_sizes=[100], segmenter=WhitespaceSegmenter())
    facts = protocol.facts()
    assert facts["seeds"] == [3, 1]
    assert facts["train_sizes"] == [100]
    assert facts["equivalence"] is None
    assert facts["segmenter"] == "WhitespaceSegmenter()"
    assert set(facts) == set(Protocol.__dataclass_fields__)
    assert json.loads(json.dumps(facts)) == facts
