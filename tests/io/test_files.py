import bz2
import gzip
import logging
import lzma
import os
import threading
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.errors import EncodingError, InvalidInputError, InvalidParameterError
from nlpfeat.io.files import find_text_files, iter_line_batches, total_bytes

LINES = [f"第{number}行：今天天气很好。" for number in range(20_000)]
TEXT = "\n".join(LINES) + "\n"
as_root = hasattr(os, "geteuid") and os.geteuid() == 0
needs_permissions = pytest.mark.skipif(as_root, reason="the superuser may read everything")


def zstd_compress(raw: bytes) -> bytes:
    from backports import zstd

    return zstd.compress(raw, options={zstd.CompressionParameter.checksum_flag: 1})


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstd_compress,
}


def lines_of(path: Path, **settings: Any) -> list[str]:
    return [line for batch in iter_line_batches(str(path), **settings) for line in batch]


def extend(lines: list[str], path: Path) -> None:
    for batch in iter_line_batches(str(path)):
        lines += batch


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.txt", "a.tsv", "sub/c.CSV", "sub/d.jsonl.gz", "e.text", "f.ndjson.zst"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("甲\n", encoding="utf-8")
    for name in (".hidden.txt", "image.png", "noending", "sub/.git/x.txt", "g.conllu"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("甲\n", encoding="utf-8")
    return tmp_path


class TestFind:
    def names(self, folder: Path, *paths: str | Path) -> list[str]:
        return [Path(file).relative_to(folder).as_posix() for file in find_text_files(paths)]

    def test_folder(self, folder: Path) -> None:
        expected = ["a.tsv", "b.txt", "e.text", "f.ndjson.zst", "sub/c.CSV", "sub/d.jsonl.gz"]
        assert self.names(folder, folder) == expected

    def test_what_is_left_out_is_told(self, tmp_path: Path, caplog) -> None:
        for name in ("a.txt", "b.md", "c.md", "d.docx", "README", ".hidden"):
            (tmp_path / name).write_text("甲", encoding="utf-8")
        with caplog.at_level(logging.INFO, "nlpfeat"):
            assert len(find_text_files([tmp_path])) == 1
        assert "4 files left out, as their endings are none of text: .md, " in caplog.text
        caplog.clear()
        (tmp_path / "only").mkdir()
        (tmp_path / "only" / "a.txt").write_text("甲", encoding="utf-8")
        find_text_files([tmp_path / "only"])
        assert caplog.text == ""

    def test_files_in_the_order_given(self, folder: Path) -> None:
        names = self.names(folder, folder / "e.text", str(folder / "noending"), folder / "a.tsv")
        assert names == ["e.text", "noending", "a.tsv"]

    def test_pattern(self, folder: Path) -> None:
        assert self.names(folder, folder / "*.t*") == ["a.tsv", "b.txt", "e.text"]
        assert self.names(folder, folder / "**" / "*.CSV") == ["sub/c.CSV"]
        assert self.names(folder, folder / "[ab]*") == ["a.tsv", "b.txt"]
        assert self.names(folder, folder / "sub" / "*", folder / "?.tsv")[-1] == "a.tsv"
        with pytest.raises(InvalidInputError, match="No file matches the pattern"):
            find_text_files([folder / "su*"])

    def test_a_file_with_a_pattern_for_a_name(self, folder: Path) -> None:
        (folder / "[ab].txt").write_text("甲", encoding="utf-8")
        assert self.names(folder, folder / "[ab].txt") == ["[ab].txt"]

    def test_standard_input_and_addresses(self) -> None:
        assert find_text_files(["-", "s3://bucket/a.txt"]) == ["-", "s3://bucket/a.txt"]
        with pytest.raises(InvalidInputError, match="only once; it was given twice"):
            find_text_files(["-", "-"])

    def test_a_lone_path(self, folder: Path) -> None:
        assert find_text_files(folder / "b.txt") == find_text_files(str(folder / "b.txt"))

    def test_missing(self, folder: Path) -> None:
        with pytest.raises(InvalidInputError, match=r"no file or folder .*b\.tx\. Did you mean 'b"):
            find_text_files([folder / "b.tx"])
        with pytest.raises(InvalidInputError, match=r"no file or folder .*: no folder .*nowhere"):
            find_text_files([folder / "nowhere" / "b.txt"])
        with pytest.raises(InvalidInputError, match=r"No file matches the pattern .*\*\.doc"):
            find_text_files([folder / "*.doc"])
        with pytest.raises(InvalidInputError, match="At least one file"):
            find_text_files([])

    def test_folder_without_text(self, tmp_path: Path) -> None:
        (tmp_path / "a.png").write_bytes(b"")
        with pytest.raises(InvalidInputError, match=r"holds no text file.*\.txt, .*\.jsonl.*\.zst"):
            find_text_files([tmp_path])

    @pytest.mark.parametrize("path", ["", b"a.txt", None, 3])
    def test_what_is_no_path(self, path: object) -> None:
        with pytest.raises(InvalidParameterError, match="A path must be a string or a Path"):
            find_text_files([path])  # type: ignore[list-item]

    def test_dangling_link(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").symlink_to(tmp_path / "gone.txt")
        with pytest.raises(InvalidInputError, match=r"Cannot read .*a\.txt: it links to nothing"):
            find_text_files([tmp_path / "a.txt"])

    @needs_permissions
    def test_no_permission(self, folder: Path) -> None:
        (folder / "b.txt").chmod(0)
        with pytest.raises(InvalidInputError, match=r"Cannot read .*b\.txt: no permission"):
            find_text_files([folder / "b.txt"])
        (folder / "sub").chmod(0)
        try:
            with pytest.raises(InvalidInputError, match=r"Cannot read folder .*sub: Permission"):
                find_text_files([folder])
        finally:
            (folder / "sub").chmod(0o700)


class TestLines:
    @pytest.mark.parametrize(
        ("raw", "lines"),
        [
            (b"", []),
            (b"a", ["a"]),
            (b"a\n", ["a"]),
            (b"\n", [""]),
            (b"a\n\nb", ["a", "", "b"]),
            (b"a\r\nb\rc\n\rd\r", ["a", "b", "c", "", "d"]),
            ("\ufeffa\n".encode(), ["a"]),
            ("a\x0bb\x0cc\x85d\u2028e\x1cf".encode(), ["a\x0bb\x0cc\x85d\u2028e\x1cf"]),
        ],
    )
    def test_line_ends(self, tmp_path: Path, raw: bytes, lines: list[str]) -> None:
        (tmp_path / "a.txt").write_bytes(raw)
        assert lines_of(tmp_path / "a.txt") == lines

    @given(st.lists(st.text("天a，\u2028 ", max_size=4)), st.sampled_from(["\n", "\r\n", "\r"]))
    def test_reads_what_was_written(
        self, tmp_path_factory: pytest.TempPathFactory, lines: list[str], line_end: str
    ) -> None:
        path = tmp_path_factory.mktemp("lines") / "a.txt"
        path.write_bytes("".join(line + line_end for line in lines).encode())
        assert lines_of(path) == lines

    def test_batches_are_of_some_size_and_hold_every_line(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8", newline="")
        batches = list(iter_line_batches(str(tmp_path / "a.txt")))
        assert [line for batch in batches for line in batch] == LINES
        sizes = [sum(len(line.encode()) + 1 for line in batch) for batch in batches]
        assert len(sizes) > 2
        assert all(200_000 < size < 600_000 for size in sizes[:-1])

    def test_line_ends_across_chunks(self, tmp_path: Path) -> None:
        for shift in range(3):
            raw = b"x" * shift + b"ab\r\n" * 300_000
            (tmp_path / "a.txt").write_bytes(raw)
            lines = lines_of(tmp_path / "a.txt")
            assert len(lines) == 300_000
            assert set(lines[1:]) == {"ab"}

    @pytest.mark.parametrize("suffix", ["", *COMPRESS, ".GZ"])
    def test_compressed(self, tmp_path: Path, suffix: str) -> None:
        compress = COMPRESS.get(suffix.lower(), bytes)
        path = tmp_path / f"a.txt{suffix}"
        path.write_bytes(compress(TEXT.encode("gbk")))
        seen: list[int] = []
        batches = iter_line_batches(str(path), on_bytes=seen.append)
        assert [line for batch in batches for line in batch] == LINES
        assert sum(seen) == path.stat().st_size == total_bytes([str(path)])

    def test_several_members(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"a\nb") + gzip.compress(b"c\n"))
        assert lines_of(tmp_path / "a.txt.gz") == ["a", "bc"]

    def test_remote_address(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt.gz").write_bytes(gzip.compress(TEXT.encode()))
        assert lines_of(f"file://{tmp_path}/a.txt.gz") == LINES  # type: ignore[arg-type]
        with pytest.raises(InvalidInputError, match="Cannot read nosuch://a"):
            lines_of("nosuch://a")  # type: ignore[arg-type]

    def test_decode_errors(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_bytes("天\n气".encode() + b"\xff\n")
        with pytest.raises(EncodingError, match=r"a\.txt: line 2, byte offset 7: byte 0xFF"):
            lines_of(tmp_path / "a.txt")
        replaced = lines_of(tmp_path / "a.txt", decode_errors="replace")
        assert replaced == ["天", "气\ufffd"]

    def test_unreadable(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidInputError, match=r"Cannot read .*gone\.txt: No such file"):
            lines_of(tmp_path / "gone.txt")
        with pytest.raises(InvalidInputError, match=r"Cannot read .*: Is a directory"):
            lines_of(tmp_path)


class TestBrokenFiles:
    @pytest.mark.parametrize("share", [0.05, 0.5, 0.9, 0.999])
    @pytest.mark.parametrize("suffix", COMPRESS)
    def test_cut_short(self, tmp_path: Path, suffix: str, share: float) -> None:
        whole = COMPRESS[suffix](TEXT.encode())
        path = tmp_path / f"a.txt{suffix}"
        path.write_bytes(whole[: int(len(whole) * share)])
        read: list[str] = []
        whole_lines = r"is cut short; [\d,]+ whole lines could be read"
        with pytest.raises(InvalidInputError, match=whole_lines) as caught:
            extend(read, path)
        assert read == LINES[: len(read)]
        assert f"a.txt{suffix} is cut short; {len(read):,} whole lines" in str(caught.value)

    def test_much_of_a_cut_file_can_be_read(self, tmp_path: Path) -> None:
        whole = gzip.compress(TEXT.encode())
        (tmp_path / "a.txt.gz").write_bytes(whole[: len(whole) // 2])
        read: list[str] = []
        with pytest.raises(InvalidInputError, match="cut short"):
            extend(read, tmp_path / "a.txt.gz")
        assert len(read) > len(LINES) // 4

    @pytest.mark.parametrize("suffix", COMPRESS)
    def test_damaged_inside(self, tmp_path: Path, suffix: str) -> None:
        raw = bytearray(COMPRESS[suffix](TEXT.encode()))
        middle = len(raw) // 2
        raw[middle : middle + 40] = bytes(40)
        path = tmp_path / f"a.txt{suffix}"
        path.write_bytes(raw)
        for decode_errors in ("strict", "replace"):
            with pytest.raises(InvalidInputError, match=r"is corrupt \(.+\); [\d,]+ whole lines"):
                lines_of(path, decode_errors=decode_errors)

    @pytest.mark.parametrize("suffix", COMPRESS)
    def test_not_compressed_at_all(self, tmp_path: Path, suffix: str) -> None:
        path = tmp_path / f"a.txt{suffix}"
        path.write_bytes(TEXT.encode())
        with pytest.raises(InvalidInputError, match=r"is corrupt \(.*\); 0 whole lines"):
            lines_of(path)

    def test_compressed_under_a_plain_name(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_bytes(gzip.compress(TEXT.encode()))
        with pytest.raises(InvalidInputError, match=r"gzip-compressed: its name must end in \.gz"):
            lines_of(tmp_path / "a.txt")


class TestTotalBytes:
    def test_sum(self, tmp_path: Path) -> None:
        for name, size in (("a.txt", 5), ("b.txt", 0), ("c.txt", 12)):
            (tmp_path / name).write_bytes(b"x" * size)
        assert total_bytes([str(tmp_path / name) for name in ("a.txt", "b.txt", "c.txt")]) == 17

    def test_unknown(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_bytes(b"x")
        assert total_bytes([str(tmp_path / "a.txt"), "-"]) is None
        assert total_bytes(["https://example.org/a.txt"]) is None


def test_a_very_long_line_takes_linear_time_and_memory(tmp_path: Path) -> None:
    def seconds(n_bytes: int) -> float:
        (tmp_path / "a.txt").write_bytes("天".encode() * (n_bytes // 3))
        start = time.process_time()
        (line,) = lines_of(tmp_path / "a.txt")
        assert len(line) == n_bytes // 3
        return time.process_time() - start

    short = min(seconds(3_000_000) for _ in range(3))
    assert min(seconds(30_000_000) for _ in range(2)) < 60 * short
    tracemalloc.start()
    seconds(30_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * 20_000_000  # the line takes two bytes a character


def test_reading_keeps_up_with_python(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(TEXT * 20, encoding="utf-8", newline="")

    def ours() -> int:
        return sum(map(len, iter_line_batches(str(path))))

    def plain() -> int:
        with open(path, encoding="utf-8", newline="\n") as file:
            return sum(1 for _ in file)

    def fastest(read: Callable[[], int]) -> float:
        times = []
        for _ in range(5):
            start = time.process_time()
            assert read() == 20 * len(LINES)
            times.append(time.process_time() - start)
        return min(times)

    assert fastest(ours) < 2.5 * fastest(plain)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_a_pipe_is_read_though_it_has_no_place_to_seek(tmp_path: Path, ending: str) -> None:
    pipe = tmp_path / f"pipe.txt{ending}"
    os.mkfifo(pipe)
    raw = "今天\n天气\n".encode()
    writer = threading.Thread(
        target=pipe.write_bytes, args=(COMPRESS[ending](raw) if ending else raw,)
    )
    writer.start()
    consumed: list[int] = []
    assert lines_of(pipe, on_bytes=consumed.append) == ["今天", "天气"]
    writer.join()
    assert sum(consumed) == len(raw)
