"""Text cut part by part, in processes that know no more than what is sent to them."""

import multiprocessing
import pickle
from functools import partial

import pytest

from nlpfeat.text.cutting import cut_documents
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import JiebaSegmenter

TEXTS = ["云原生底座很好用", "今天天气很好"] * 3


def test_a_segmenter_takes_its_user_dictionary_with_it(tmp_path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("云原生底座 1000\n", encoding="utf-8")
    segmenter = JiebaSegmenter(user_dict=words)
    cut = pickle.dumps(partial(cut_documents, segmenter=segmenter, normalization=Normalization()))
    words.unlink()  # another machine has no such file
    assert next(iter(pickle.loads(cut)(iter(TEXTS)))) == ["云原生底座", "很", "好", "用"]


@pytest.mark.slow
def test_parts_of_a_bag_are_cut_in_processes_of_their_own() -> None:
    bag = pytest.importorskip("dask.bag")
    segmenter = JiebaSegmenter(user_words=["云原生底座"])

    def cut(texts):
        return list(cut_documents(texts, segmenter, Normalization()))

    parts = bag.from_sequence(TEXTS, npartitions=2).map_partitions(cut)
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert parts.compute(scheduler="processes", pool=pool) == cut(TEXTS)
