"""Word associations of the shipped corpus: count once, then look at the counts in several ways.

Run: ``python examples/word_associations.py``

Output::

    22925 tokens, 5864 terms, N = 137686
    PMI, window 5: 料酒 酱油 8.74, 预警 高温 8.55, 清淡 饮食 8.43, 排骨 红烧 8.38
    log-likelihood: 延误 航班 99.27, 比 还 66.07, 小火 慢炖 64.37, 料酒 酱油 62.44
    same sentence: 下半场 进球 1.00, 卫生间 瓷砖 1.00, 学分 选修课 1.00, 排骨 红烧 1.00
    pmi(料酒, 酱油) = 8.7401
    merged = whole: True, N = 137686
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from nlpfeat import (
    CooccurrenceCounts,
    Corpus,
    association_table,
    count_cooccurrences,
    load_everyday,
    pmi,
)


def show(title: str, counts: CooccurrenceCounts, measure: str) -> None:
    """Print the four strongest pairs by one measure."""
    table = association_table(counts.prune(5), [measure], top=4)
    pairs = [f"{x} {y} {value:.2f}" for x, y, _, _, _, value in table.itertuples()]
    print(f"{title}: {', '.join(pairs)}")


corpus = load_everyday()
counts = count_cooccurrences(corpus, window=5)
print(f"{counts.n_tokens} tokens, {len(counts.vocabulary)} terms, N = {counts.total}")
show("PMI, window 5", counts, "pmi")
show("log-likelihood", counts, "g2")

sentences = count_cooccurrences(corpus, window="all", scope="sentence")
show("same sentence", sentences, "npmi")

# One cell of the sparse matrix of all PMI values, by the ids of its terms.
ids = counts.vocabulary.ids
print(f"pmi(料酒, 酱油) = {pmi(counts)[ids['料酒'], ids['酱油']]:.4f}")

# Halves of a text that are counted apart and merged give the counts of the whole.
texts = list(corpus)
halves = [Corpus.from_texts(half) for half in (texts[:400], texts[400:])]
first, second = (count_cooccurrences(half, window=5) for half in halves)
with TemporaryDirectory() as folder:
    file = Path(folder) / "first.npz"
    first.save(file)
    merged = CooccurrenceCounts.load(file).merge(second)
print(f"merged = whole: {(merged.matrix != counts.matrix).nnz == 0}, N = {merged.total}")
