"""Looking for the terms of a vocabulary alone gives what finding all and restricting gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import CharSegmenter
from nlpfeat.text.token_ids import GAP
from nlpfeat.text.token_spool import TextSettings, spool_tokens
from nlpfeat.text.vocabulary import Vocabulary

TOKEN = st.sampled_from(["甲", "乙", "丙", "丁", "。", " ", "\n", "A", "a"])
DOCUMENTS = st.lists(st.lists(TOKEN, max_size=9), max_size=12)
KNOWN = st.sets(st.sampled_from("甲乙丙丁a。"))


def contents(spool):
    blocks = list(spool.blocks())
    ids = [part.tolist() for block in blocks for part in block]
    return ids, [block.sentence_indptr.tolist() for block in blocks]


@given(DOCUMENTS, KNOWN, st.booleans(), st.sets(st.sampled_from("甲丁")), st.booleans())
def test_it_equals_restricting(documents, known, keep, stop, mark):
    vocabulary = Vocabulary.build([sorted(known)])
    settings = TextSettings(Normalization(), keep, stop)
    unknown = len(vocabulary) if mark else GAP
    with (
        spool_tokens(documents, CharSegmenter(), settings) as spool,
        spool_tokens(
            documents, CharSegmenter(), settings, vocabulary=vocabulary, unknown=unknown
        ) as looked_up,
    ):
        spool.restrict(vocabulary, unknown=unknown)
        assert contents(looked_up) == contents(spool)
        assert looked_up.vocabulary is vocabulary
        assert looked_up.is_complete == spool.is_complete
        assert looked_up.longest_document == spool.longest_document


@pytest.mark.parametrize(("unknown", "expected"), [(GAP, [0, -1, -1]), (1, [0, 1, -1])])
def test_by_hand(unknown, expected):
    vocabulary = Vocabulary.build([["好"]])
    with spool_tokens(["好坏，"], CharSegmenter(), vocabulary=vocabulary, unknown=unknown) as spool:
        assert contents(spool)[0] == [expected]
        assert not spool.is_complete
