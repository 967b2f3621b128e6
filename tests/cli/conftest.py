"""Run the program inside the test, or in a process of its own, and see that it tidies up."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import jieba
import pytest
from typer.testing import CliRunner, Result

from nlpfeat.cli.app import app

PROGRAM = (sys.executable, "-m", "nlpfeat")


@pytest.fixture(scope="session")
def jieba_cut(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], list[str]]:
    """Cut with jieba itself; its cache stays away from the folders that must be tidy."""
    tokenizer = jieba.Tokenizer()
    tokenizer.tmp_dir = str(tmp_path_factory.mktemp("jieba"))
    return tokenizer.lcut  # type: ignore[no-any-return]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work in an empty folder with one for temporary files; both must be tidy at the end."""
    temporary = tmp_path / "temporary"
    work = tmp_path / "work"
    temporary.mkdir()
    work.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    monkeypatch.chdir(work)
    yield work
    assert list(temporary.iterdir()) == []
    assert [path for path in work.rglob("*") if path.name.startswith(".nlpfeat-")] == []


@pytest.fixture
def write(folder: Path) -> Callable[..., str]:
    """Write a file and return its name."""

    def write_file(name: str, content: str | bytes, encoding: str = "utf-8") -> str:
        path = folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return name

    return write_file


@pytest.fixture
def run() -> Callable[..., Result]:
    """Run a command in this process; it must end well unless another ``code`` is named."""

    def run_program(*arguments: str, stdin: str | bytes | None = None, code: int = 0) -> Result:
        result = CliRunner().invoke(app, list(arguments), input=stdin, prog_name="nlpfeat")
        assert result.exit_code == code, result.output
        return result

    return run_program


@pytest.fixture
def rows(run: Callable[..., Result]) -> Callable[..., list[list[str]]]:
    """Run ``pmi`` without a word and return the rows of its table, without the header."""

    def rows_of(*arguments: str, stdin: str | bytes | None = None) -> list[list[str]]:
        result = run("pmi", *arguments, "--quiet", stdin=stdin)
        assert result.stderr == ""
        return [line.split("\t") for line in result.stdout.splitlines()[1:]]

    return rows_of


@pytest.fixture
def start() -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run the program in a process of its own and return what it wrote."""

    def start_program(*arguments: str, **settings: object) -> subprocess.CompletedProcess[bytes]:
        variables = settings.pop("variables", {})
        environment = {**os.environ, **variables}  # type: ignore[dict-item]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 120}
        return subprocess.run(  # type: ignore[call-overload,no-any-return]
            [*PROGRAM, *arguments], env=environment, **{**options, **settings}
        )

    return start_program
