import io
import logging
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.errors import EncodingError, InvalidInputError, InvalidParameterError
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.documents import Document


@pytest.fixture
def write(tmp_path: Path):
    def write_file(name: str, text: str, encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode(encoding))
        return path

    return write_file


class FakeStdin:
    def __init__(self, raw: bytes) -> None:
        self.buffer = io.BufferedReader(io.BytesIO(raw))


class TestLines:
    def test_each_line_is_a_document(self, write) -> None:
        path = write("a.txt", "天气很好\n\n真冷\r\n雪\tA")
        corpus = Corpus(path)
        assert list(corpus) == ["天气很好", "", "真冷", "雪\tA"]
        assert list(corpus) == list(corpus)
        assert list(corpus.documents())[2] == Document(f"{path}:3", "真冷", None)
        assert corpus.n_bytes == path.stat().st_size

    def test_unknown_endings_hold_lines(self, write) -> None:
        assert list(Corpus(write("a.log", "甲,乙\n"))) == ["甲,乙"]

    def test_files_follow_one_another(self, write, tmp_path: Path) -> None:
        write("b.txt", "乙\n")
        write("a.txt", "甲", encoding="gbk")
        write("c/d.txt", "丁\n")
        assert list(Corpus(tmp_path)) == ["甲", "乙", "丁"]
        assert list(Corpus(tmp_path / "b.txt", tmp_path / "a.txt")) == ["乙", "甲"]

    def test_numbers_go_on_across_batches(self, write) -> None:
        path = write("a.txt", "今天天气很好，我们去公园。\n" * 40_000)
        corpus = Corpus(path)
        assert len(list(corpus.batches())) > 2
        ids = [document.id for document in corpus.documents()]
        assert ids == [f"{path}:{number}" for number in range(1, 40_001)]

    @pytest.mark.parametrize("name", ["a.txt", "a.tsv", "a.jsonl"])
    def test_progress_adds_up(self, write, name: str) -> None:
        line = '{"text": "天气"}\n' if name == "a.jsonl" else "天气\t好\n"
        corpus = Corpus(write(name, line * 50_000))
        seen: list[int] = []
        assert sum(map(len, corpus.batches(on_bytes=seen.append))) == 50_000
        assert sum(seen) == corpus.n_bytes

    def test_encoding_and_decode_errors_are_passed_on(self, write) -> None:
        path = write("a.txt", "朱镕基", encoding="gbk")
        assert list(Corpus(path, encoding="gbk")) == ["朱镕基"]
        with pytest.raises(EncodingError, match="is no text in utf-8"):
            list(Corpus(path, encoding="utf-8"))
        replaced = list(Corpus(path, encoding="utf-8", decode_errors="replace"))
        assert "\ufffd" in replaced[0]


class TestFileUnit:
    def test_each_file_is_a_document(self, write) -> None:
        paths = [write("a.txt", "甲\r\n乙\n"), write("b.txt", ""), write("c.txt", "丙")]
        corpus = Corpus(*paths, unit="file")
        assert list(corpus) == ["甲\n乙", "", "丙"]
        assert next(corpus.documents()) == Document(str(paths[0]), "甲\n乙", None)

    def test_tables_are_refused(self, write) -> None:
        with pytest.raises(InvalidParameterError, match=r"unit must be 'line' for tables.*a\.tsv"):
            list(Corpus(write("a.tsv", "甲\t乙"), unit="file"))

    def test_unknown_unit(self, write) -> None:
        with pytest.raises(
            InvalidParameterError, match=r"unit must be one of 'line', 'paragraph', 'file'.*'fil"
        ):
            list(Corpus(write("a.txt", "甲"), unit="files"))


class TestTables:
    def documents(self, path: Path, **settings: object) -> list[tuple[str, str | None]]:
        corpus = Corpus(path, **settings)
        documents = list(corpus.documents())
        assert list(corpus) == [document.text for document in documents]
        return [(document.text, document.label) for document in documents]

    def test_no_header(self, write, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.INFO, logger="nlpfeat")
        path = write("x.tsv", '天气"很好\tx\t正面\n\n真冷"\ty\t负面\n')
        assert self.documents(path) == [('天气"很好', "正面"), ('真冷"', "负面")]
        assert f"{path}: no header; text in column 1, label in column 3" in caplog.messages

    def test_one_column(self, write) -> None:
        assert self.documents(write("x.tsv", "天气\n很好\n")) == [("天气", None), ("很好", None)]

    @pytest.mark.parametrize(
        "name", ["text", "Content", "SENTENCE", "review", "文本", "内容", "正文", "句子"]
    )
    def test_usual_headers(self, write, name: str) -> None:
        path = write("x.csv", f"id,{name},category\r\n1,天气,正面\r\n")
        assert self.documents(path) == [("天气", "正面")]

    @pytest.mark.parametrize("name", ["label", "Class", "category", "标签", "类别", "分类"])
    def test_usual_labels(self, write, name: str, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.INFO, logger="nlpfeat")
        path = write("x.tsv", f"\ufeff{name}\t文本\t来源\n正面\t天气\t网\n")
        assert self.documents(path) == [("天气", "正面")]
        expected = f"text in column 2 (文本), label in column 1 ({name})"
        assert f"{path}: first line is the header; {expected}" in caplog.messages

    def test_header_without_label(self, write) -> None:
        assert self.documents(write("x.tsv", "text\tsource\n天气\t网\n")) == [("天气", None)]

    def test_named_columns(self, write) -> None:
        path = write("x.csv", "标题,评价,号\n天气,正面,a7\n")
        corpus = Corpus(path, text_column="标题", label_column="评价", id_column="号")
        assert list(corpus.documents()) == [Document("a7", "天气", "正面")]
        assert self.documents(path, text_column="标题", label_column=3) == [("天气", "a7")]

    def test_a_blank_label_is_none(self, write) -> None:
        table = write("a.csv", "text,label\n天气,a\n好, \n")
        objects = write("a.jsonl", '{"text": "天气", "label": "a"}\n{"text": "好", "label": ""}\n')
        for path in (table, objects):
            assert [document.label for document in Corpus(path).documents()] == ["a", None]

    @pytest.mark.parametrize("header", ["评论,情感", "情感,评论", "类型,评论"])
    def test_usual_chinese_names(self, write, header) -> None:
        row = header.replace("评论", "天气好").replace("情感", "好评").replace("类型", "好评")
        (document,) = Corpus(write("a.csv", f"{header}\n{row}\n")).documents()
        assert (document.text, document.label) == ("天气好", "好评")

    def test_columns_by_position(self, write) -> None:
        path = write("x.tsv", "负面\t天气\ta7\n正面\t真冷\ta8\n")
        assert self.documents(path, text_column=2) == [("天气", "a7"), ("真冷", "a8")]
        assert self.documents(path, text_column=2, label_column=1)[1] == ("真冷", "正面")
        assert self.documents(path, text_column=3) == [("a7", None), ("a8", None)]
        ids = [d.id for d in Corpus(path, text_column=2, id_column=3).documents()]
        assert ids == ["a7", "a8"]
        assert self.documents(path, text_column=2, id_column=3)[0] == ("天气", None)

    @pytest.mark.parametrize(
        ("header", "text", "label"),
        [
            ("编号,评论内容,类别", 1, 2),
            ("评论内容,标签", 0, 1),
            ("微博内容,情感倾向", 0, 1),
            ("类别,新闻", 1, 0),  # the only column that is left
            ("id,review_text,rating_label", 1, 2),
            ("标题,内容,label", 1, 2),  # the content before the title
        ],
    )
    def test_headers_that_people_write(self, write, header, text, label) -> None:
        row = ["天气", "很好", "晴"][: header.count(",") + 1]
        corpus = Corpus(write("x.csv", f"{header}\n{','.join(row)}\n"))
        assert list(corpus) == [row[text]]
        assert corpus.labels() == [row[label]]

    @pytest.mark.parametrize("header", ["编号;评论内容;类别", '"编号";"评论内容";"类别"'])
    def test_semicolons_of_a_header(self, write, header) -> None:
        path = write("x.csv", f'\n{header}\n1;"好;不贵";正面\n')
        corpus = Corpus(path)
        assert list(corpus) == ["好;不贵"]
        assert corpus.labels() == ["正面"]
        assert list(Corpus(path, text_column="编号")) == ["1"]

    def test_semicolons_of_a_text(self, write) -> None:
        assert list(Corpus(write("x.csv", "他来了;她走了\n好\n"))) == ["他来了;她走了", "好"]

    @pytest.mark.parametrize(
        "row", ["怎么挽回感情,情感", "内容很好,情感", "这条评论,体育", "class,好", "我的内容,正面"]
    )
    def test_texts_that_look_like_names(self, write, row) -> None:
        assert list(Corpus(write("x.csv", f"{row}\n"))) == [row.split(",")[0]]

    def test_missing_columns(self, write) -> None:
        path = write("x.csv", "文本,评价\n天气,正面\n")
        with pytest.raises(
            InvalidParameterError, match=r"text_column must be.*'文本', '评价'.*'文'"
        ):
            list(Corpus(path, text_column="文"))
        with pytest.raises(InvalidParameterError, match=r"label_column must be at most 2.*Got 3"):
            list(Corpus(path, label_column=3))
        with pytest.raises(InvalidParameterError, match=r"label_column.*Got '评'.* mean '评价'"):
            list(Corpus(path, label_column="评"))
        other = write("y.csv", "作者,日期,评价\n天气,晴,正面\n")
        with pytest.raises(
            InvalidParameterError, match=r"text_column must be given.*'作者', '日期', '评价'"
        ):
            list(Corpus(other, label_column="评价"))

    @pytest.mark.parametrize("column", [0, -1, 1.5, True, b"text"])
    def test_columns_of_a_wrong_kind(self, write, column: object) -> None:
        path = write("x.tsv", "天气\t正面\n")
        with pytest.raises(InvalidParameterError, match="text_column must be an integer"):
            list(Corpus(path, text_column=column))  # type: ignore[arg-type]

    def test_columns_without_a_table(self, write) -> None:
        with pytest.raises(
            InvalidParameterError, match=r"label_column must be left out.*a\.txt is"
        ):
            list(Corpus(write("a.txt", "甲"), label_column="标签"))

    def test_ragged_rows(self, write) -> None:
        short = write("x.tsv", "天气\t正面\n\n真冷\n")
        # Who reads texts needs no label; who asks for labels is told.
        assert list(Corpus(short)) == ["天气", "真冷"]
        with pytest.raises(InvalidInputError, match=r"x\.tsv:3 has no label"):
            Corpus(short).labels()
        with pytest.raises(
            InvalidInputError, match=r"x\.tsv: line 3 must have at least 2 col.*Got 1"
        ):
            list(Corpus(short, text_column=1, label_column=2))
        long = write("y.tsv", "天气\t正面\n真\t冷\t负面\n")
        with pytest.raises(
            InvalidInputError, match=r"y\.tsv: line 2 must have at most 2 col.*Got 3"
        ):
            list(Corpus(long))
        assert self.documents(long, text_column=1, label_column=2)[1] == ("真", "冷")

    def test_a_position_leaves_a_header_a_header(self, write) -> None:
        path = write("x.csv", "id,评论,情感\n1,很好,好评\n2,太差,差评\n")
        assert self.documents(path, text_column=2) == [("很好", "好评"), ("太差", "差评")]

    def test_a_comma_that_is_not_quoted_makes_no_label(self, write) -> None:
        rows = "评论,情感\n很好,好评\n太差了,差评,,\n"
        assert self.documents(write("x.csv", rows)) == [("很好", "好评"), ("太差了", "差评")]
        path = write("x.csv", f"{rows}房间干净,早餐不错,好评\n")
        with pytest.raises(InvalidInputError, match=r"line 4 must have at most 2 col.*Got 3"):
            self.documents(path)

    def test_quoted_cells(self, write) -> None:
        path = write("x.csv", 'text,label\n"他说""好""，\n走了",正面\n"a,b",负面\n')
        assert self.documents(path) == [('他说"好"，\n走了', "正面"), ("a,b", "负面")]
        assert [d.id for d in Corpus(path).documents()] == [f"{path}:2", f"{path}:4"]

    def test_cells_longer_than_the_csv_module_allows_by_itself(self, write) -> None:
        path = write("x.csv", f"text,label\n{'天' * 200_000},正面\n")
        assert len(next(iter(Corpus(path)))) == 200_000

    def test_broken_quotes(self, write) -> None:
        with pytest.raises(InvalidInputError, match=r"x\.csv: the row that starts on line 2 is no"):
            list(Corpus(write("x.csv", 'text,label\n"天气,正面\n真冷,负面\n')))
        with pytest.raises(InvalidInputError, match=r"line 3 is no CSV.*must be doubled"):
            list(Corpus(write("x.csv", 'text,label\n天气,正面\n"天"气,正面\n')))

    @given(
        st.lists(st.tuples(st.text('天a",\n ', min_size=1), st.sampled_from("甲乙")), max_size=9)
    )
    def test_csv_reads_what_python_writes(self, tmp_path_factory, rows) -> None:
        import csv

        path = tmp_path_factory.mktemp("csv") / "x.csv"
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["text", "label"])
            writer.writerows(rows)
        assert self.documents(path) == rows

    def test_empty_tables(self, write) -> None:
        for name, text in (("a.tsv", ""), ("b.csv", "text,label\n"), ("c.jsonl", "\n\n")):
            corpus = Corpus(write(name, text))
            assert list(corpus.documents()) == list(corpus.batches()) == []


class TestJsonLines:
    def test_default_keys(self, write, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.INFO, logger="nlpfeat")
        path = write(
            "x.jsonl", '{"id": 7, "text": "天气\\u4f60", "label": 1}\n\n{"text": "", "label": "b"}'
        )
        assert list(Corpus(path).documents()) == [
            Document(f"{path}:1", "天气你", "1"),
            Document(f"{path}:3", "", "b"),
        ]
        assert f"{path}: text in 'text', label in 'label'" in caplog.messages

    def test_chosen_keys(self, write) -> None:
        path = write("x.ndjson", '{"号": 7, "内容": "天气", "情感": true, "text": "no"}\n')
        corpus = Corpus(path, text_column="内容", label_column="情感", id_column="号")
        assert list(corpus.documents()) == [Document("7", "天气", "true")]

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ('{"text": "天气"', "line 2 is no JSON"),
            ('["天气"]', "line 2 must be a JSON object. Got a list"),
            ('{"txt": "天气"}', "line 2 must have the key 'text'. Got txt"),
            ('{"text": null}', "line 2: 'text' must be a string. Got None"),
            ('{"text": 5}', "line 2: 'text' must be a string. Got 5"),
            ('{"text": "天\\ud800气"}', r"line 2: 'text' holds the lone surrogate \\ud800"),
            ('{"text": "天\\u0000气"}', "line 2: 'text' holds a NUL character"),
            ('{"text": "a"} {"text": "b"}', "line 2 is no JSON: Extra data"),
            ("[" * 100_000, "line 2 is no JSON"),
        ],
    )
    def test_broken_lines(self, write, line: str, message: str) -> None:
        path = write("x.jsonl", '{"text": "好"}\n' + line + "\n")
        with pytest.raises(InvalidInputError, match=rf"x\.jsonl: {message}"):
            list(Corpus(path))

    def test_nul_can_be_replaced(self, write) -> None:
        path = write("x.jsonl", '{"text": "天\\u0000气"}\n')
        assert list(Corpus(path, decode_errors="replace")) == ["天\ufffd气"]

    def test_a_surrogate_pair_is_one_character(self, write) -> None:
        assert list(Corpus(write("x.jsonl", '{"text": "\\ud83d\\ude00"}'))) == ["😀"]

    def test_missing_keys(self, write) -> None:
        path = write("x.jsonl", '{"author": "天气", "date": "晴"}\n')
        with pytest.raises(InvalidParameterError, match=r"text_column must be given.*'author'"):
            list(Corpus(path))
        with pytest.raises(InvalidParameterError, match=r"Got 'autor'\. Did you mean 'author'"):
            list(Corpus(path, text_column="autor"))
        with pytest.raises(InvalidParameterError, match="text_column must be a key for JSON Lines"):
            list(Corpus(path, text_column=1))


class TestStandardInput:
    def test_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", FakeStdin("天气\n很好\n".encode("gbk")))
        corpus = Corpus("-")
        assert corpus.n_bytes is None
        assert corpus.name == "standard input"
        assert [d.id for d in corpus.documents()] == ["standard input:1", "standard input:2"]
        with pytest.raises(InvalidInputError, match="has been read and cannot be read again"):
            list(corpus)

    def test_as_one_document(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", FakeStdin("天气\n很好\n".encode()))
        assert list(Corpus("-", unit="file")) == ["天气\n很好"]


class TestTexts:
    @pytest.mark.parametrize("kind", [list, tuple, iter, np.array])
    def test_kinds(self, kind) -> None:
        corpus = Corpus.from_texts(kind(["天气", "", "真冷"]))
        assert list(corpus) == list(corpus) == ["天气", "", "真冷"]
        assert corpus.n_bytes == 12
        assert list(corpus.documents())[2] == Document("texts:3", "真冷", None)

    def test_labels(self) -> None:
        corpus = Corpus.from_texts(["天气", "真冷"], labels=["好", 3], name="两条")
        assert corpus.labels() == ["好", "3"]
        assert corpus.name == "两条"

    @pytest.mark.parametrize("text", [None, float("nan"), 3, b"bytes", ["天气"]])
    def test_what_is_no_text(self, text: object) -> None:
        with pytest.raises(InvalidInputError, match=r"Row 2 of texts \(texts\[1\]\) must be a str"):
            Corpus.from_texts(["天气", text])  # type: ignore[list-item]

    def test_lone_surrogate(self) -> None:
        with pytest.raises(
            InvalidInputError, match=r"Row 1 of 评论 .*surrogate \\udc80 at char.* 1"
        ):
            Corpus.from_texts(["天\udc80"], name="评论")

    @pytest.mark.parametrize("texts", ["天气", b"a", None, 3])
    def test_what_is_no_list(self, texts: object) -> None:
        with pytest.raises(InvalidInputError, match="texts must be a list or another iterable"):
            Corpus.from_texts(texts)  # type: ignore[arg-type]

    def test_wrong_labels(self) -> None:
        with pytest.raises(InvalidInputError, match=r"as many as the texts, 2\. Got 1"):
            Corpus.from_texts(["天气", "真冷"], labels=["好"])
        with pytest.raises(InvalidInputError, match=r"Label 2 of texts \(labels\[1\]\) must be"):
            Corpus.from_texts(["天气", "真冷"], labels=["好", None])
        with pytest.raises(InvalidInputError, match="labels of texts must be a list"):
            Corpus.from_texts(["天气", "真冷"], labels="好坏")

    def test_progress_adds_up(self) -> None:
        corpus = Corpus.from_texts(["天气"] * 10_000)
        seen: list[int] = []
        assert sum(map(len, corpus.batches(on_bytes=seen.append))) == 10_000
        assert len(seen) > 1
        assert sum(seen) == corpus.n_bytes


def test_labels_are_asked_for_where_there_are_none(write) -> None:
    with pytest.raises(InvalidInputError, match=r"a\.txt:1 has no label"):
        Corpus(write("a.txt", "甲\n")).labels()
    assert Corpus(write("a.tsv", "甲\t乙\n")).labels() == ["乙"]


def test_the_constructor_only_stores() -> None:
    corpus = Corpus("nowhere.txt", unit="nonsense", encoding="nonsense")
    assert corpus.paths == ("nowhere.txt",)
    with pytest.raises(InvalidParameterError, match="unit must be one of"):
        list(corpus)


def test_repr_and_name() -> None:
    assert repr(Corpus("a.txt", Path("b.tsv"), encoding="gbk")) == (
        "Corpus('a.txt', 'b.tsv', encoding='gbk')"
    )
    assert repr(Corpus.from_texts(["天气"])) == "Corpus.from_texts(<1 texts>, name='texts')"
    assert Corpus("a.txt", "b.txt").name == "a.txt, b.txt"
    assert Corpus("a.txt", "b.txt", "c.txt", "d.txt").name == "a.txt and 3 more"


def test_pickle(write) -> None:
    corpus = Corpus(write("a.tsv", "天气\t正面\n"), text_column=1)
    assert list(pickle.loads(pickle.dumps(corpus))) == ["天气"]
    assert list(pickle.loads(pickle.dumps(Corpus.from_texts(["真冷"])))) == ["真冷"]
