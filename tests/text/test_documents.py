import io
import logging
import sys
from collections.abc import Iterator
from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.text.columns import ColumnChoice
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.documents import Document, table_documents


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch):
    def set_stdin(text: str) -> None:
        raw = io.TextIOWrapper(io.BytesIO(text.encode()))
        monkeypatch.setattr(sys, "stdin", raw)

    return set_stdin


class TestTableOnStandardInput:
    @pytest.mark.parametrize(
        "text",
        [
            "编号\t内容\t类\n1\t今天, 天气\t好\n",
            '\n编号,内容,类\n1,"今天, 天气",好\n',
            '\n  {"编号": 1, "内容": "今天, 天气", "类": "好"}\n',
        ],
    )
    def test_kinds(self, stdin, text) -> None:
        stdin(text)
        corpus = Corpus("-", text_column="内容", label_column="类", id_column="编号")
        assert list(corpus.documents()) == [Document("1", "今天, 天气", "好")]

    def test_what_was_chosen_is_logged(self, stdin, caplog) -> None:
        stdin("今天\t好\n")
        with caplog.at_level(logging.INFO, logger="nlpfeat"):
            assert list(Corpus("-", text_column=1)) == ["今天"]
        assert (
            "standard input: taken as tab-separated, as its first line holds a tab" in caplog.text
        )

    def test_only_when_a_column_is_asked_for(self, stdin) -> None:
        stdin("今天\t好\n\n")
        assert list(Corpus("-")) == ["今天\t好", ""]

    def test_ids_name_it(self, stdin) -> None:
        stdin("内容\n今天\n")
        documents = Corpus("-", text_column="内容").documents()
        assert [document.id for document in documents] == ["standard input:2"]

    def test_messages_name_it(self, stdin) -> None:
        stdin('内容\n"今天\n')
        with pytest.raises(
            InvalidInputError, match=r"^standard input: the row that starts on line"
        ):
            list(Corpus("-", text_column="内容"))
        stdin("编号,内容\n")
        with pytest.raises(InvalidParameterError, match="standard input, which has '编号', '内容'"):
            list(Corpus("-", text_column="文"))

    def test_is_no_single_document(self, stdin) -> None:
        with pytest.raises(InvalidParameterError, match="each row of standard input is a document"):
            list(Corpus("-", text_column=1, unit="file"))

    def test_long_table_is_streamed_whole(self, stdin) -> None:
        stdin("".join(f"今天天气{number}\t好\n" for number in range(60_000)))
        texts = list(Corpus("-", text_column=1))
        assert (len(texts), texts[-1]) == (60_000, "今天天气59999")


@given(
    st.lists(st.sampled_from(["", "7\t床前明月光\t李白", "8\t春眠不觉晓\t孟浩然", "9\t冷\t王之涣"]),
             max_size=30),
    st.booleans(),
    st.booleans(),
    st.data(),
)  # fmt: skip
def test_where_a_stream_is_cut_changes_nothing(
    lines: list[str], with_names: bool, keep_blank: bool, data: st.DataObject
) -> None:
    lines = ["", "", "编号\t诗句\t作者"] * with_names + lines
    cuts = sorted(data.draw(st.lists(st.integers(0, len(lines)), max_size=6)))
    batches = [lines[start:end] for start, end in pairwise([0, *cuts, len(lines)])]

    def read(batches: list[list[str]]) -> list[Document] | str:
        blocks = table_documents("a.tsv", batches, ColumnChoice(), keep_blank=keep_blank)
        try:
            return list(chain.from_iterable(blocks))
        except InvalidParameterError as error:
            return str(error)

    assert read(batches) == read([lines])


@pytest.mark.parametrize("name", ["a.tsv", "a.jsonl"])
def test_no_more_than_the_first_rows_is_held(name: str) -> None:
    read = 0

    def batches() -> Iterator[list[str]]:
        nonlocal read
        yield [""] * 10_000
        while True:
            read += 1
            yield ['{"poem": "床前明月光"}' if name == "a.jsonl" else f"{read}\t床前明月光"]

    documents = table_documents(name, batches(), ColumnChoice(), keep_blank=True)
    assert len(next(documents)) == 10_000
    assert read == 0
    assert next(documents) == [Document(f"{name}:10001", "床前明月光", None)]
    assert read == 100


def test_long_rows_are_held_in_small_number() -> None:
    read = 0

    def batches() -> Iterator[list[str]]:
        nonlocal read
        while True:
            read += 1
            yield ["长" * 400_000]

    next(table_documents("a.tsv", batches(), ColumnChoice()))
    assert read == 3


def test_a_json_object_without_the_usual_label_is_still_a_text(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "茶", "label": "a"}\n{"text": "水"}\n', encoding="utf-8")
    assert list(Corpus(path)) == ["茶", "水"]
    with pytest.raises(InvalidInputError, match=r"a\.jsonl:2 has no label"):
        Corpus(path).labels()
    with pytest.raises(InvalidInputError, match="line 2 must have the key 'label'"):
        list(Corpus(path, label_column="label"))
