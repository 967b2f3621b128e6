"""A file is written whole or not at all, and errors say what to do."""

import errno
import os
import stat
import subprocess
import sys
import threading

import pytest

from nlpfeat.errors import OutputError
from nlpfeat.io import atomic
from nlpfeat.io.atomic import atomic_output

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX files")


def write(path, data=b"new"):
    with atomic_output(path) as stream:
        stream.write(data)


def plain_mode(folder):
    """Mode that a plain open gives in this process."""
    plain = folder / "plain"
    plain.write_bytes(b"")
    mode = stat.S_IMODE(plain.stat().st_mode)
    plain.unlink()
    return mode


@pytest.mark.parametrize("size", [0, 3, 1_000_000])
@pytest.mark.parametrize("as_text", [False, True])
def test_writes_all_bytes(tmp_path, size, as_text):
    path = tmp_path / "结果.tsv"
    write(str(path) if as_text else path, b"x" * size)
    assert path.read_bytes() == b"x" * size
    assert os.listdir(tmp_path) == ["结果.tsv"]


def test_relative_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write("out")
    assert (tmp_path / "out").read_bytes() == b"new"


def test_the_name_appears_only_at_the_end(tmp_path):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    with atomic_output(path) as stream:
        stream.write(b"y" * 1_000_000)
        stream.flush()
        assert path.read_bytes() == b"old"
    assert path.read_bytes() == b"y" * 1_000_000


@pytest.mark.parametrize("kind", [ValueError, KeyboardInterrupt, SystemExit, OSError])
@pytest.mark.parametrize("size", [1, 1_000_000])
@pytest.mark.parametrize("older", [False, True])
def test_a_failing_block_leaves_nothing(tmp_path, kind, size, older):
    path = tmp_path / "out"
    if older:
        path.write_bytes(b"old")
    error = kind("from the block")

    def fail_after(stream):
        stream.write(b"x" * size)
        raise error

    with pytest.raises(kind) as caught, atomic_output(path) as stream:
        fail_after(stream)
    assert caught.value is error
    assert os.listdir(tmp_path) == (["out"] if older else [])
    if older:
        assert path.read_bytes() == b"old"


@posix
def test_new_file_has_the_mode_of_a_plain_open(tmp_path):
    for umask in (0o022, 0o077, 0o002):
        before = os.umask(umask)
        try:
            path = tmp_path / f"out{umask}"
            write(path)
            assert stat.S_IMODE(path.stat().st_mode) == plain_mode(tmp_path) == 0o666 & ~umask
        finally:
            os.umask(before)


@posix
@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_replaced_file_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(mode)
    write(path)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix
@pytest.mark.parametrize("exists", [False, True])
def test_symbolic_link_is_followed(tmp_path, exists):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    target = folder / "target"
    if exists:
        target.write_bytes(b"old")
    link = tmp_path / "link"
    link.symlink_to(target)
    write(link)
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert os.listdir(folder) == ["target"]
    assert os.listdir(tmp_path) in (["elsewhere", "link"], ["link", "elsewhere"])


def test_missing_folder(tmp_path):
    with pytest.raises(OutputError, match=r"the folder '.*none' does not exist. Create it first"):
        write(tmp_path / "none" / "out")
    assert os.listdir(tmp_path) == []


def test_missing_folder_of_a_relative_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match=r"cannot write 'none.out': the folder 'none' does not"):
        write(os.path.join("none", "out"))


def test_file_in_place_of_a_folder(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OutputError, match=r"a part of its path is a file, not a folder"):
        write(tmp_path / "file" / "out")


@pytest.mark.parametrize("tail", ["", "/", "new/"])
def test_folder_in_place_of_a_file(tmp_path, tail):
    with pytest.raises(OutputError, match=r"it is a folder. Give the name of a file in it"):
        write(os.path.join(tmp_path, tail))
    assert os.listdir(tmp_path) == []


def test_empty_name():
    with pytest.raises(OutputError, match="cannot write '': it is a folder"):
        write("")


@posix
def test_longest_possible_name_works_and_a_longer_one_is_refused_at_once(tmp_path):
    write(tmp_path / ("x" * 255))
    with (
        pytest.raises(OutputError, match="the name is too long"),
        atomic_output(tmp_path / ("x" * 256)),
    ):
        pytest.fail("the block must not start")


@posix
def test_links_in_a_circle(tmp_path):
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OutputError, match="lead in a circle"):
        write(tmp_path / "a")


@posix
def test_write_protected_file_is_refused_as_a_plain_open_would(tmp_path, monkeypatch):
    path = tmp_path / "out"
    path.write_bytes(b"old")
    path.chmod(0o444)
    if os.access(path, os.W_OK):  # root may write everything
        monkeypatch.setattr(os, "access", lambda *args: False)
    with pytest.raises(OutputError, match=r"no permission. Choose a folder and a file"):
        write(path)
    assert path.read_bytes() == b"old"


class Refusing(atomic._RawOutput):
    """A file that the operating system refuses to open."""

    number = errno.EACCES

    def __init__(self, *args):
        raise OSError(self.number, os.strerror(self.number))


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, "no permission"),
        (errno.EROFS, "the file system is read-only. Choose another place"),
        (errno.ENOSPC, "no space left on the disk; nothing was written. Free some"),
        (errno.EIO, os.strerror(errno.EIO)),
    ],
)
def test_file_that_cannot_be_created(tmp_path, monkeypatch, number, words):
    monkeypatch.setattr(Refusing, "number", number)
    monkeypatch.setattr(atomic, "_RawOutput", Refusing)
    with pytest.raises(OutputError, match=words) as caught:
        write(tmp_path / "out")
    assert caught.value.__cause__.errno == number
    assert "\n" not in str(caught.value)
    assert os.listdir(tmp_path) == []


class OnFullDisk(atomic._RawOutput):
    """A file on a disk that takes ``room`` bytes more."""

    room = 0

    def write(self, data):
        if self.tell() + len(data) > self.room:
            with atomic._reported(self.shown, self.fate):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)


@pytest.mark.parametrize(("room", "size"), [(0, 10), (0, 1_000_000), (500_000, 1_000_000)])
def test_full_disk_while_writing_and_while_flushing(tmp_path, monkeypatch, room, size):
    (tmp_path / "out").write_bytes(b"old")
    monkeypatch.setattr(OnFullDisk, "room", room)
    monkeypatch.setattr(atomic, "_RawOutput", OnFullDisk)
    with pytest.raises(OutputError, match="no space left on the disk; nothing was written"):
        write(tmp_path / "out", b"x" * size)
    assert os.listdir(tmp_path) == ["out"]
    assert (tmp_path / "out").read_bytes() == b"old"


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_full_disk_at_the_very_end(tmp_path, monkeypatch, call):
    def full(*args):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, full)
    with pytest.raises(OutputError, match="no space left on the disk; nothing was written"):
        write(tmp_path / "out")
    monkeypatch.undo()
    assert os.listdir(tmp_path) == []


@posix
def test_size_limit_of_the_operating_system(tmp_path):
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(OutputError, match="larger than a file may be here; nothing was writ"):
            write(tmp_path / "out", b"x" * 1_000_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("size", [10, 1_000_000])
def test_full_device(size):
    message = "cannot write '/dev/full': no space left on the disk; what was written is incomplete"
    with pytest.raises(OutputError, match=message):
        write("/dev/full", b"x" * size)
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@posix
def test_null_device_stays_a_device():
    write("/dev/null", b"x" * 1_000_000)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@posix
def test_fifo(tmp_path):
    path = tmp_path / "fifo"
    os.mkfifo(path)
    received = []
    reader = threading.Thread(target=lambda: received.append(path.read_bytes()))
    reader.start()
    write(path, "语言".encode())
    reader.join(timeout=10)
    assert received == ["语言".encode()]
    assert stat.S_ISFIFO(path.stat().st_mode)


@posix
def test_pipe_whose_reader_has_left():
    reader, writer = os.pipe()
    os.close(reader)
    try:
        with pytest.raises(BrokenPipeError):
            write(f"/dev/fd/{writer}")
    finally:
        os.close(writer)


PROGRAM = """
from nlpfeat.io.atomic import atomic_output
with atomic_output("/dev/stdout") as stream:
    stream.write(b"rows" * 100_000)
"""


@posix
def test_standard_output_that_is_a_pipe():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, check=True)
    assert done.stdout == b"rows" * 100_000


@posix
def test_standard_output_that_the_shell_appends_to_a_file(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"before")
    with path.open("ab") as log:
        subprocess.run([sys.executable, "-c", PROGRAM], stdout=log, check=True)
    assert path.read_bytes() == b"before" + b"rows" * 100_000
    assert os.listdir(tmp_path) == ["log"]
