"""``--jobs``: no more processes than the machine can use."""

import os
from types import SimpleNamespace

import pytest

from nlpfeat.cli import sources
from nlpfeat.cli.sources import check_jobs


@pytest.fixture(autouse=True)
def two_processors(monkeypatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)


@pytest.mark.parametrize(("asked", "given"), [(1, 1), (8, 8), (9, 8), (400, 8), (-1, 2), (-9, 1)])
def test_at_most_four_a_processor(asked, given) -> None:
    assert check_jobs(asked) == given


@pytest.mark.parametrize("command", ["pmi", "segment"])
def test_it_is_said_once(run, write, monkeypatch, command) -> None:
    path = write("a.txt", "茶叶茶杯\n")
    arguments = [command, path, *(["--min-count", "1"] if command == "pmi" else [])]
    few = run(*arguments)
    many = run(*arguments, "--jobs", "400")
    assert many.stdout == few.stdout
    told = "--jobs 400 is lowered to 8, 4 for each processor; more do not make it faster."
    assert many.stderr.splitlines().count(told) == 1
    assert told not in few.stderr


def test_an_unknown_number_of_processors_is_one(monkeypatch) -> None:
    monkeypatch.setattr(sources, "os", SimpleNamespace(cpu_count=lambda: None))
    assert check_jobs(400) == 4
