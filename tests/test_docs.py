"""What the documentation shows is what happens: commands, Python, links, names and options.

A ``console`` block is run in a folder that holds the shipped corpora, the blocks of one page in one
folder and in their order, and must print what it shows. ``<!-- not run: reason -->`` on the line
above a block excuses it.
"""

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest
import typer.main

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
READ_AND_RUN = [page for page in PAGES if page.name != "CHANGELOG.md"]

_FENCE = re.compile(
    r"^(?:<!-- not run: (?P<excuse>.+?) -->\n+)?```(?P<kind>\w*)\n(?P<body>.*?)^```$", re.M | re.S
)
_FLOAT = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
_LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")
_NAME = re.compile(r"\bnlpfeat(?:\.[A-Za-z_]\w*)+")
_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
#: Options of other programs.
_FOREIGN_OPTIONS = {"--check", "--exclude-editable", "--fix"}
#: Those of examples/trainability.py.
_FOREIGN_OPTIONS |= {"--recipes", "--records", "--rows"}
#: Names with a dot that are files or stand for one's own.
_FILES = re.compile(r"nlpfeat\.(?:git|toml)$")


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, text and line, and why it is not run, if so."""

    kind: str
    body: str
    line: int
    excuse: str | None


def blocks_of(text):
    """Return the fenced blocks of a page."""
    return [
        Block(
            match["kind"], match["body"], text.count("\n", 0, match.start("body")), match["excuse"]
        )
        for match in _FENCE.finditer(text)
    ]


def commands_of(body):
    """Return the commands of a console block, each with the output shown below it."""
    result = []
    for line in body.splitlines():
        if line.startswith("$ "):
            result.append((line[2:], []))
        else:
            result[-1][1].append(line)
    return result


def slug(heading):
    """Return the anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors_of(text):
    """Return the anchors of a page."""
    prose = _FENCE.sub("", text)
    return {slug(heading) for heading in re.findall(r"^#+ (.+)$", prose, re.M)}


@pytest.fixture
def workplace(tmp_path, monkeypatch):
    """A folder with the shipped corpora, where pages may write."""
    (tmp_path / "corpora").symlink_to(ROOT / "corpora")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def by_page(pages):
    return pytest.mark.parametrize("page", pages, ids=lambda page: str(page.relative_to(ROOT)))


def test_pages_are_found():
    assert {"README.md", "definitions.md", "pmi.md"} <= {page.name for page in PAGES}


def test_parsing_by_hand():
    text = (
        "# A b: c\n\n"
        "<!-- not run: long -->\n```console\n$ x\nout\n$ y\n```\n\n"
        "```\nq\n```\n"
    )  # fmt: skip
    first, second = blocks_of(text)
    assert first == Block("console", "$ x\nout\n$ y\n", 4, "long")
    assert second == Block("", "q\n", 10, None)
    assert commands_of(first.body) == [("x", ["out"]), ("y", [])]
    assert anchors_of(text) == {"a-b-c"}


def shortened(line):
    """Return a line with 12 digits of each float: the last ones are those of the processor."""
    return _FLOAT.sub(lambda match: f"{float(match[0]):.12g}", line)


def test_shortened_by_hand():
    assert shortened("的\t5\t0.1000000000000001,x") == "的\t5\t0.1,x"
    assert shortened("1.231524941222697") == shortened("1.2315249412226963") != "1.2"


def check_commands(block, place):
    for command, shown in commands_of(block.body):
        done = subprocess.run(
            ["bash", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, encoding="utf-8", check=False,
        )  # fmt: skip
        printed = done.stdout.splitlines()
        assert list(map(shortened, printed)) == list(map(shortened, shown)), f"{place}: {command}"


def check_python(block, place, names):
    """Run a block, with prompts as a doctest; later blocks of the page see its names."""
    if ">>> " not in block.body:
        exec(compile(block.body, place, "exec"), names)
        return
    test = doctest.DocTestParser().get_doctest(block.body, names, place, place, block.line)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    report = []
    runner.run(test, out=report.append, clear_globs=False)
    assert not runner.failures, "".join(report)
    names.update(test.globs)


@by_page(READ_AND_RUN)
def test_what_is_shown_happens(page, workplace):
    names = {"__name__": "__main__"}
    for block in blocks_of(page.read_text("utf-8")):
        place = f"{page.name}, line {block.line}"
        if block.kind == "console" and not block.excuse:
            check_commands(block, place)
        elif block.kind == "python" and not block.excuse:
            check_python(block, place, names)


@by_page(READ_AND_RUN)
def test_console_blocks_begin_with_a_command(page):
    for block in blocks_of(page.read_text("utf-8")):
        if block.kind == "console":
            assert block.body.startswith("$ ")


@by_page(PAGES)
def test_links_lead_somewhere(page):
    text = page.read_text("utf-8")
    for link in _LINK.findall(_FENCE.sub("", text)):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors_of(target.read_text("utf-8")), link


def _resolve(name):
    """Import as far as modules go, then look up attributes."""
    value, path = import_module("nlpfeat"), "nlpfeat"
    for part in name.split(".")[1:]:
        path = f"{path}.{part}"
        try:
            value = getattr(value, part)
        except AttributeError:
            value = import_module(path)
    return value


@by_page(READ_AND_RUN)
def test_names_exist(page):
    for name in set(_NAME.findall(page.read_text("utf-8"))):
        if not _FILES.match(name):
            assert _resolve(name) is not None


@by_page(READ_AND_RUN)
def test_files_of_the_project_exist(page):
    text = page.read_text("utf-8")
    for path in re.findall(r"`((?:nlpfeat|tests|docs|corpora|benchmarks|examples)/[\w./]+)`", text):
        assert (ROOT / path).exists(), path


@by_page(READ_AND_RUN)
def test_options_exist(page):
    from nlpfeat.cli.app import app

    commands = typer.main.get_command(app).commands.values()
    known = {
        option
        for command in commands
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
    } | {"--help", "--version"}
    text = page.read_text("utf-8")
    in_code = re.findall(r"`([^`\n]+)`", _FENCE.sub("", text))
    in_code += [block.body for block in blocks_of(text) if "nlpfeat" in block.body]
    used = {option for code in in_code for option in _OPTION.findall(code)}
    assert used - known <= _FOREIGN_OPTIONS


def test_every_option_is_documented():
    from nlpfeat.cli.app import app

    text = "".join(page.read_text("utf-8") for page in READ_AND_RUN)
    pmi = typer.main.get_command(app).commands["pmi"]
    missing = [
        parameter.name
        for parameter in pmi.params
        if parameter.param_type_name == "option"
        and not any(name in text for name in (*parameter.opts, *parameter.secondary_opts))
    ]
    assert not missing
