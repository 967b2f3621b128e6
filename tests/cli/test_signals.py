"""Ctrl-C, and the progress bar of a terminal."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryFile

import pytest
from generated_text import lines

pty = pytest.importorskip("pty", reason="there are no pseudo-terminals here")

PROGRAM = (sys.executable, "-m", "nlpfeat")


@pytest.fixture(scope="module")
def long_text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a file that takes some seconds to cut."""
    path = tmp_path_factory.mktemp("text") / "long.txt"
    path.write_text(lines(25_000_000), encoding="utf-8")
    return str(path)


def group_is_gone(group: int) -> bool:
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


class TestInterrupt:
    @pytest.mark.parametrize("whom", ["everyone", "the parent"])
    @pytest.mark.parametrize(
        ("command", "jobs"),
        [("pmi", "1"), ("pmi", "2"), ("segment", "1"), ("segment", "2"), ("keywords", "2")],
    )
    def test_ends_at_once_and_leaves_nothing(self, long_text, folder, command, jobs, whom) -> None:
        process = subprocess.Popen(
            [*PROGRAM, command, long_text, "--jobs", jobs, "--output", "result.tsv"],
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        assert process.stderr is not None
        told = process.stderr.readline()
        time.sleep(0.7)
        assert process.poll() is None
        begun = time.monotonic()
        if whom == "everyone":
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=20)[1]
        assert process.returncode == 130
        assert told.endswith(b"read as utf-8 (valid UTF-8)\n")
        assert rest == b""
        assert time.monotonic() - begun < 5
        assert group_is_gone(process.pid)
        assert os.listdir(folder) == []

    def test_an_older_result_stays(self, long_text, write, folder: Path) -> None:
        write("result.tsv", "older")
        process = subprocess.Popen(
            [*PROGRAM, "segment", long_text, "--output", "result.tsv"], stderr=subprocess.PIPE
        )
        assert process.stderr is not None
        process.stderr.readline()
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        assert process.returncode == 130
        assert (folder / "result.tsv").read_text() == "older"


def on_terminal(*arguments: str, stdout: bool) -> tuple[str, bytes]:
    """Run with stderr, and stdout if asked, on a terminal; return what it and a file got."""
    terminal, other_end = pty.openpty()
    with TemporaryFile() as file:
        process = subprocess.Popen(
            [*PROGRAM, *arguments],
            stdout=other_end if stdout else file,
            stderr=other_end,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
        )
        os.close(other_end)
        shown = b""
        while part := read_terminal(terminal):
            shown += part
        os.close(terminal)
        assert process.wait(timeout=60) == 0
        file.seek(0)
        return shown.decode("utf-8"), file.read()


def read_terminal(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux says so that the other end is closed
        return b""


class TestProgress:
    def test_rate_and_time_left_on_a_terminal(self, long_text) -> None:
        shown, table = on_terminal("pmi", long_text, "--output", "-", stdout=False)
        assert "segmenting" in shown
        assert re.search(r"[\d.]+ MB, [\d.]+ MB/s", shown)
        assert re.search(r"\d+%", shown)
        assert re.search(r"\d:\d\d:\d\d", shown)
        assert table.startswith(b"x\ty\tn_xy")
        assert b"\x1b" not in table
        assert "read as utf-8 (valid UTF-8)" in shown

    def test_none_when_quiet(self) -> None:
        shown, table = on_terminal("pmi", "dataset:everyday", "--quiet", stdout=False)
        assert shown == ""
        assert table.count(b"\n") > 100

    def test_none_without_a_terminal(self, start) -> None:
        done = start("pmi", "dataset:everyday")
        assert b"\x1b" not in done.stderr
        assert b"segmenting" not in done.stderr

    @pytest.mark.parametrize("command", ["pmi", "segment"])
    def test_rows_on_the_terminal_are_not_crossed(self, start, command) -> None:
        shown, _ = on_terminal(command, "dataset:everyday", stdout=True)
        table = start(command, "dataset:everyday").stdout.decode("utf-8")
        assert shown.replace("\r\n", "\n").endswith(table)
