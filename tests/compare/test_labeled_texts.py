"""Documents of a comparison: each text once, and none in two parts."""

from hashlib import sha256

import pytest

from nlpfeat.compare.labeled_texts import LabeledTexts, LeftOut, read_labeled, without_shared
from nlpfeat.errors import InvalidInputError
from nlpfeat.text.corpus import Corpus


def corpus(*rows: tuple[str, str]) -> Corpus:
    texts, labels = zip(*rows)
    return Corpus.from_texts(texts, labels, name="例")


def test_of_equal_texts_the_first_stays_and_none_under_two_classes():
    read = read_labeled(
        corpus(("天气好", "正"), (" 天气好　", "正"), ("冷", "负"), ("冷", "正"), ("热", "负"),
               ("ＧＤＰ涨", "正"), ("GDP涨", "正"), ("　", "负"))
    )  # fmt: skip
    assert read.texts == ("天气好", "热", "ＧＤＰ涨")
    assert read.labels == ("正", "负", "正")
    assert read.left_out == LeftOut(n_blank=1, n_repeated=2, n_contradictory=2)
    assert read.left_out.n_duplicates == 4
    assert read.left_out.notes("the corpus") == [
        "1 document of the corpus is blank and was left out.",
        "2 documents of the corpus repeat an earlier text and were left out.",
        "2 documents of the corpus have a text that stands under several classes and were left "
        "out.",
    ]


def test_test_documents_that_stand_in_the_training_part_leave_the_test_part():
    train = read_labeled(corpus(("天气好", "正"), ("冷", "负")))
    test = read_labeled(corpus(("天气好 ", "正"), ("真冷", "负")), is_test=True)
    kept = without_shared(test, train)
    assert kept.texts == ("真冷",)
    assert kept.left_out.n_shared == 1


def test_what_no_model_could_be_right_on_is_refused():
    train = read_labeled(corpus(("天气好", "正"), ("冷", "负")))
    strange = read_labeled(corpus(("雨", "0"), ("雪", "正")), is_test=True)
    with pytest.raises(InvalidInputError, match=r"label '0', which no training document has"):
        without_shared(strange, train)
    same = read_labeled(corpus(("冷", "负")), is_test=True)
    with pytest.raises(InvalidInputError, match="nothing is left to test on"):
        without_shared(same, train)


def test_bad_corpora_are_refused():
    with pytest.raises(InvalidInputError, match=r"^\S+ must have a label.*Got none"):
        read_labeled(Corpus.from_texts(["天", "地"]))
    with pytest.raises(InvalidInputError, match=r"must be a Corpus with labels.*Got a list"):
        read_labeled(["天"])
    with pytest.raises(
        InvalidInputError,
        match=r"^例 must hold documents of at least two classes.*Got 2 documents of '正'\. "
        r"1 document of it is blank and was left out\.$",
    ):
        read_labeled(corpus(("天", "正"), ("地", "正"), (" ", "负")))
    with pytest.raises(
        InvalidInputError, match=r"can take part\. Got none\. 2 documents of it have a text that"
    ):
        read_labeled(corpus(("天", "正"), ("天", "负")))


def test_many_classes_are_not_all_shown():
    labels = [f"类{place:02}" for place in range(12) for _ in range(12 - place)]
    texts = LabeledTexts("例", tuple(map(str, range(len(labels)))), tuple(labels))
    assert texts.class_counts().startswith("1 document of '类11', 2 documents of '类10', ")
    assert texts.class_counts().endswith("10 documents of '类02', and 2 other classes")


def test_the_hash_is_that_of_texts_and_classes_with_their_lengths():
    texts = LabeledTexts("例", ("天气", "冷"), ("正", "负"))
    data = b"".join(
        len(part.encode()).to_bytes(8, "little") + part.encode()
        for part in ("天气", "正", "冷", "负")
    )
    assert texts.hash() == sha256(data).hexdigest()
    assert texts.hash() != LabeledTexts("例", ("天", "气冷"), ("正", "负")).hash()
    assert texts.hash([1]) == LabeledTexts("别", ("冷",), ("负",)).hash()
