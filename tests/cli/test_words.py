"""Words and names of options that are given once for each, given with commas between them."""

import pytest

from nlpfeat.cli.words import check_apart
from nlpfeat.errors import InvalidParameterError

TEXT = "酒店 的 房间 很 好\n房间 不 好\n"


@pytest.mark.parametrize(
    ("value", "apart"),
    [
        ("好,坏", "--word 好 --word 坏"),
        ("好，坏、茶", "--word 好 --word 坏 --word 茶"),
        ("好, 坏", "--word 好 --word 坏"),
    ],
)
def test_known_values_with_commas_are_several(value, apart):
    with pytest.raises(InvalidParameterError, match=f"Give each by itself: {apart}.$"):
        check_apart(["茶", value], {"好", "坏", "茶"}.__contains__, "--word")


@pytest.mark.parametrize("value", ["好", "好,", "好,丑", "丑", ",", "好,坏"])
def test_other_values_are_left_to_others(value):
    check_apart([value], {"好", "坏", "好,坏"}.__contains__, "--word")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (
            ("pmi", "a.txt", "--word", "酒店,房间", "--min-count", "1"), 1,
            "'酒店,房间' is 2 values. Give each by itself: --word 酒店 --word 房间.",
        ),
        (
            ("pmi", "a.txt", "--measure", "pmi,npmi"), 2,
            "'pmi,npmi' is 2 values. Give each by itself: --measure pmi --measure npmi.",
        ),
        (("pmi", "a.txt", "--measure", "pmi,nmpi"), 2, "Got 'pmi,nmpi'. Did you mean 'pmi'?"),
        (
            ("similar", "酒店，房间", "--corpus", "a.txt", "--min-term-count", "1"), 1,
            "'酒店，房间' is 2 values. Give each by itself: 酒店 房间.",
        ),
        (
            ("pmi", "a.txt", "--word", "酒店,火车", "--min-count", "1"), 1,
            "'酒店,火车' is no word of the text",
        ),
    ],
)  # fmt: skip
def test_commands_say_how_to_give_them(run, write, arguments, code, told):
    write("a.txt", TEXT)
    given = () if "--measure" in arguments else ("--segmenter", "whitespace")
    assert told in " ".join(run(*arguments, *given, "--quiet", code=code).stderr.split())


def test_words_of_vectors_that_are_loaded(run, write):
    write("v.txt", "2 2\n酒店 1 0\n房间 0 1\n")
    told = run("similar", "酒店,房间", "--vectors", "v.txt", "-q", code=1).stderr
    assert told == "nlpfeat: '酒店,房间' is 2 values. Give each by itself: 酒店 房间.\n"
