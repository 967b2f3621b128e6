"""Every example runs as it is, and prints what its docstring shows."""

import ast
import os
import re
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest
import shared_data

MAX_LINES = 60
OUTPUT = re.compile(r"^Output.*::\n\n", re.MULTILINE)
SHARE = re.compile(r"\d+%")
DECIMAL = re.compile(r"\d+\.\d+")
NUMBER = re.compile(r"[-+−]?\.?\d[\d.,]*(?:e-\d+)?")
ROW = re.compile(r"^([a-z][a-z_+-]*) +(\d.*)")
TRAINED = {"attention_weights"}  # by torch, whose sums depend on processors and threads
TABLES = {"compare_attention"}  # of figures of networks, and of seconds
ARGUMENTS = {  # in full the one takes hours, the other minutes
    "trainability": [
        "--short", "--rows", "17", "18", "--seeds", "0", "--records", "../records.json"
    ],
    "compare_attention": [
        "--suite", "quick", "--phenomena", "order", "--output", "../comparison.md"
    ],
}  # fmt: skip

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
HEADLINES = shared_data.HEADLINES


def _shown_output(source):
    """Return the indented block behind ``Output::`` in the docstring."""
    _, text = OUTPUT.split(ast.get_docstring(ast.parse(source)), maxsplit=1)
    lines = takewhile(lambda line: not line or line.startswith("    "), text.splitlines())
    return "\n".join(line.removeprefix("    ").rstrip() for line in lines).rstrip().splitlines()


def _without_shares(lines):
    """Return the lines without numbers of percent, and these numbers."""
    text = "\n".join(line.rstrip() for line in lines)
    return SHARE.sub("%", text), [int(share[:-1]) for share in SHARE.findall(text)]


def _without_decimals(lines):
    """Return the text without decimal numbers, and these numbers: those of a network."""
    text = "\n".join(line.rstrip() for line in lines)
    return DECIMAL.sub(".", text), [float(number) for number in DECIMAL.findall(text)]


def _without_numbers(lines):
    """Return the lines without numbers and double blanks, sorted: rows are in order of accuracy."""
    return sorted(" ".join(NUMBER.sub("#", line).split()) for line in lines)


def _accuracies(lines):
    """Return the first number of each row of a model, and of all models on a phenomenon."""
    found = {}
    for name, figures in (match.groups() for line in lines if (match := ROW.match(line))):
        numbers = [float(number) for number in figures.split() if NUMBER.fullmatch(number)]
        found[name] = numbers if name == "order" else numbers[:1]
    return found


def test_there_are_examples():
    assert EXAMPLES


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_is_short(path):
    assert len(path.read_text("utf-8").splitlines()) < MAX_LINES


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_prints_what_it_shows(path, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path), *ARGUMENTS.get(path.stem, [])], cwd=tmp_path,
        env=os.environ | {"PYTHONUTF8": "1"}, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    shown = _shown_output(path.read_text("utf-8"))
    assert shown
    if path.stem in TABLES:
        printed = done.stdout.splitlines()
        assert _without_numbers(printed) == _without_numbers(shown)
        wanted = _accuracies(shown)
        assert _accuracies(printed) == {
            name: pytest.approx(numbers, abs=5) for name, numbers in wanted.items()
        }
        assert len(wanted) == 5
        assert "order" in (tmp_path.parent / "comparison.md").read_text("utf-8")
        return
    if path.stem in ARGUMENTS:
        text, numbers = _without_decimals(done.stdout.splitlines())
        wanted, wanted_numbers = _without_decimals(shown)
        assert text == wanted
        assert numbers == pytest.approx(wanted_numbers, rel=0.1)
        return
    text, shares = _without_shares(done.stdout.splitlines())
    wanted, wanted_shares = _without_shares(shown)
    assert text == wanted
    assert shares == pytest.approx(wanted_shares, abs=3 if path.stem in TRAINED else 0)
    assert not list(tmp_path.iterdir())


@pytest.mark.shared
@pytest.mark.slow
def test_headlines_are_told_apart(tmp_path):
    if not HEADLINES.is_dir():
        pytest.skip("there is no text collection beside the checkout")
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "classify_headlines.py"),
         str(HEADLINES / "train.tsv"), str(HEADLINES / "dev.tsv")], cwd=tmp_path,
        env=os.environ | {"PYTHONUTF8": "1"}, capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    accuracy = re.search(r"accuracy ([\d.]+)%", done.stdout)
    assert accuracy, done.stdout
    assert float(accuracy[1]) >= 90.8
