"""Segmentation as a step."""

import pytest
from estimators import DOCUMENTS
from sklearn.base import clone

from nlpfeat import CharSegmenter, JiebaSegmenter, SegmentTransformer
from nlpfeat.errors import InvalidParameterError
from nlpfeat.text.characters import is_blank


def test_by_hand():
    tokens = SegmentTransformer().transform(DOCUMENTS[:6])
    assert tokens == [
        ["今天天气", "很", "好", "，", "我们", "去", "公园", "喝茶", "。"],
        ["天气", "不好", "！", "不去", "公园", "，", "在家", "看书", "。"],
        ["VIP", "会员", "买", "了", "A股", "，", "vip", "也", "买", "了", "a", "股", "？"],
        ["他", "说", "：", "“", "天气", "很", "好", "。", "”", "我们", "不去", "。"],
        ["第一行", "天气", "很", "好", "\n", "第二行", "，", "去", "公园"],
        [],
    ]


def test_tokens_are_those_of_the_segmenter():
    segmenter = JiebaSegmenter()
    for document, tokens in zip(
        DOCUMENTS, SegmentTransformer(fold_width=False).transform(DOCUMENTS)
    ):
        wanted = [token for token in segmenter.segment(document) if not is_blank(token)]
        assert [token for token in tokens if token != "\n"] == wanted


def test_token_lists_are_taken_as_they_are():
    tokens = [["今天天气很好", "ＶＩＰ", " ", "\n"], []]
    assert SegmentTransformer().transform(tokens) == [["今天天气很好", "VIP", "\n"], []]
    assert SegmentTransformer(fold_width=False).transform(tokens)[0][1] == "ＶＩＰ"


def test_transform_twice():
    once = SegmentTransformer().transform(DOCUMENTS)
    assert SegmentTransformer().transform(once) == once


@pytest.mark.parametrize("segmenter", ["char", CharSegmenter(), lambda text: list(text)])
def test_any_segmenter(segmenter):
    segment = SegmentTransformer(segmenter=segmenter)
    assert segment.transform(["很好 吗"]) == [["很", "好", "吗"]]
    assert clone(segment).fit_transform(["很好 吗"]) == [["很", "好", "吗"]]


def test_fit_does_not_read_documents():
    documents = iter(DOCUMENTS)
    assert isinstance(SegmentTransformer().fit(documents), SegmentTransformer)
    assert next(documents) == DOCUMENTS[0]


def test_names():
    assert SegmentTransformer().get_feature_names_out().tolist() == ["tokens"]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"segmenter": "jeiba"}, "Did you mean 'jieba'"),
        ({"fold_width": "no"}, "fold_width must be True or False"),
        ({"n_jobs": 0}, "n_jobs must be positive"),
        ({"n_jobs": "two"}, "n_jobs must be an integer"),
    ],
)
def test_parameters_that_cannot_be(parameters, message):
    segment = SegmentTransformer(**parameters)
    for call in (segment.fit, segment.transform):
        with pytest.raises(InvalidParameterError, match=message):
            call(DOCUMENTS)
