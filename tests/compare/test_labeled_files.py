"""Labeled documents in the three forms in which people have them."""

import pytest

from nlpfeat.compare.labeled_files import open_labeled
from nlpfeat.errors import InvalidInputError, InvalidParameterError


def rows(corpus) -> list[tuple[str, str]]:
    return [(document.label, document.text) for document in corpus.documents()]


def test_tables(tmp_path):
    (tmp_path / "a.tsv").write_text("房间很好\t好评\n太脏\t差评\n", "utf-8")
    (tmp_path / "b.csv").write_text("星,评论\n5,好\n1,差\n", "utf-8")
    (tmp_path / "c.jsonl").write_text('{"text": "好", "label": 1}\n', "utf-8")
    assert rows(open_labeled(tmp_path / "a.tsv")) == [("好评", "房间很好"), ("差评", "太脏")]
    given = open_labeled(tmp_path / "b.csv", text_column="评论", label_column="星")
    assert rows(given) == [("5", "好"), ("1", "差")]
    assert rows(open_labeled(tmp_path / "c.jsonl")) == [("1", "好")]


def test_a_folder_for_each_class(tmp_path):
    for label, texts in {"体育": ["球\n赛", "跑"], "天气": ["晴"]}.items():
        (tmp_path / label).mkdir()
        for number, text in enumerate(texts):
            (tmp_path / label / f"{number}.txt").write_text(text, "utf-8")
    (tmp_path / ".git").mkdir()
    corpus = open_labeled(tmp_path)
    assert rows(corpus) == [("体育", "球\n赛"), ("体育", "跑"), ("天气", "晴")]
    assert corpus.name == tmp_path.name
    (tmp_path / "readme.txt").write_text("", "utf-8")
    with pytest.raises(InvalidInputError, match=r"Got the file 'readme\.txt' beside them"):
        open_labeled(tmp_path)


def test_a_folder_without_classes_is_told(tmp_path):
    with pytest.raises(InvalidInputError, match=r"must hold a folder for each class.*Got none"):
        open_labeled(tmp_path)


def test_lines_of_fasttext(tmp_path):
    (tmp_path / "a.txt").write_text(
        "__label__好评 房间 很 好 __label__x\n\n__label__差_评\t太 脏\n__label__空\n", "utf-8"
    )
    assert rows(open_labeled(tmp_path / "a.txt")) == [
        ("好评", "房间 很 好 __label__x"), ("差_评", "太 脏"), ("空", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("__label__a 好\n好 天气\n", r"line 2 must begin with __label__ .*Got '好 天气'"),
        ("__label__ 好\n", r"line 1 must begin with __label__"),
        ("__label__a __label__b 好\n", r"line 1 must have one label. Got __label__a __label__b"),
    ],
)
def test_bad_lines_are_told(tmp_path, text, message):
    (tmp_path / "a.txt").write_text(text, "utf-8")
    with pytest.raises(InvalidInputError, match=message):
        open_labeled(tmp_path / "a.txt")


def test_columns_of_what_is_no_table_are_told(tmp_path):
    with pytest.raises(
        InvalidParameterError, match="text_column and label_column must be left out"
    ):
        open_labeled(tmp_path, text_column=1)
