"""What is told of many files is told of a few of them, and the others are counted."""

import pytest


@pytest.fixture
def many(write):
    for number in range(1, 10):
        write(f"many/{number}.txt", "茶 很 香\n")
    write("many/odd.txt", "茶 很 香 水 很 甜\n", "gb18030")


def test_the_odd_one_is_seen(run, many) -> None:
    told = run("keywords", "many", "--segmenter", "whitespace").stderr.splitlines()
    assert [line for line in told if "read as" in line] == [
        "many/1.txt: read as utf-8 (valid UTF-8)",
        "many/2.txt: read as utf-8 (valid UTF-8)",
        "many/3.txt: read as utf-8 (valid UTF-8)",
        "many/odd.txt: read as gb18030 (guessed)",
        "… and 6 more: read as utf-8 (valid UTF-8)",
    ]
    assert "10 documents" in told[-1]


def test_tables_are_told_of_by_kind(run, write) -> None:
    for number in range(1, 6):
        write(f"tables/{number}.csv", "text,label\n茶 很 香,好评\n")
    told = run("keywords", "tables", "--segmenter", "whitespace").stderr.splitlines()
    assert sum("csv: read as" in line for line in told) == 3
    assert sum("csv: first line is the header" in line for line in told) == 3
    assert "… and 2 more: read as utf-8 (valid UTF-8)" in told


def test_warnings_of_many_files_are_counted_too(run, write) -> None:
    for number in range(1, 6):
        write(f"{number}.json", "茶 很 香\n")
    told = run("keywords", "*.json", "--segmenter", "whitespace").stderr.splitlines()
    assert sum(".json is read as plain text" in line for line in told) == 3
    assert sum(line.startswith("… and 2 more is read as plain text") for line in told) == 1
