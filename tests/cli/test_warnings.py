"""What the library warns of is told in one line, without a place in the program."""

import pytest

CLAUSES = "今天天气很好我们去公园散步 昨天下雨我们在家里看书喝茶\n" * 3
ARGUMENTS = ("keywords", "a.txt", "--segmenter", "whitespace")


@pytest.fixture(autouse=True)
def clauses(write) -> None:
    write("a.txt", CLAUSES)


@pytest.mark.parametrize("place", ["inside", "on its own"])
def test_one_line(run, start, place) -> None:
    told = run(*ARGUMENTS).stderr if place == "inside" else start(*ARGUMENTS).stderr.decode()
    warning = next(line for line in told.splitlines() if "longer than 6 characters" in line)
    assert warning.startswith("More than half of the Chinese tokens are longer")
    assert ".py:" not in told
    assert "UserWarning" not in told


def test_quiet(run) -> None:
    assert run(*ARGUMENTS, "--quiet").stderr == ""


@pytest.mark.parametrize(
    ("content", "is_told"),
    [
        ("云原生底座 100 n\n酒店 3\n", True),
        ("云原生底座 100 nz\n第 2 版\nNew York\n", False),  # words with blanks
        ("云原生底座\n酒店\n", False),
        ("", False),
    ],
)
def test_a_dictionary_is_told_from_a_list_of_words(run, write, content, is_told) -> None:
    told = run("segment", "a.txt", "--user-words", write("d.txt", content)).stderr
    assert (
        "looks like a dictionary in the format of jieba, as '云原生底座 100 n'" in told
    ) == is_told


@pytest.mark.parametrize(("name", "is_told"), [("a.json", True), ("a.HTML", True), ("a", False)])
def test_marks_are_no_text(run, write, name, is_told) -> None:
    told = run("segment", write(name, '[{"text": "茶"}]\n')).stderr
    assert (f"{name} is read as plain text, its marks included" in told) == is_told
