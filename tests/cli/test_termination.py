"""Being told to end, from outside."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nlpfeat.datasets import load_everyday

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs POSIX signals")


def started(folder: Path, jobs: int) -> "subprocess.Popen[bytes]":
    """Start a command that takes some seconds, in a session of its own."""
    folder.mkdir()
    corpus = folder / "long.txt"
    with corpus.open("w", encoding="utf-8") as stream:
        lines = [f"{text}\n" for text in load_everyday()]
        for _ in range(300):
            stream.writelines(lines)
    command = [sys.executable, "-m", "nlpfeat", "pmi", str(corpus), "--jobs", str(jobs),
               "--output", str(folder / "out.tsv"), "--quiet"]  # fmt: skip
    process = subprocess.Popen(command, start_new_session=True)
    time.sleep(2)
    assert process.poll() is None
    return process


def is_alone(group: int) -> bool:
    """Tell whether no process of the group is left, waiting a while for the last."""
    for _ in range(100):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_ends_all_and_leaves_nothing(tmp_path: Path, name: str, jobs: int) -> None:
    process = started(tmp_path / "here", jobs)
    process.send_signal(getattr(signal, name))
    assert process.wait(20) == 128 + getattr(signal, name)
    assert is_alone(process.pid)
    assert sorted(path.name for path in (tmp_path / "here").iterdir()) == ["long.txt"]


def test_workers_do_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    process = started(tmp_path / "here", 2)
    process.kill()
    process.wait(20)
    assert is_alone(process.pid)
