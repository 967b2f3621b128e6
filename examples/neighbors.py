"""Which words stand in the same places: vectors from PPMI, and the words that are close.

Run: ``python examples/neighbors.py``

Output::

    788 words, 30 dimensions
    今天: 昨天 0.77 气温 0.74 多少 0.72 最高 0.71
    航班: 延误 0.98 机场 0.93 高速 0.82 大雾 0.81
    酱油: 料酒 0.98 两次 0.80 一起 0.71 放 0.71
    医生: 建议 0.85 血压 0.69 干脆 0.64 那么 0.64
    今天 and 昨天: 0.77
    酱油 and 料酒: 0.98
    酱油 and 航班: 0.02
"""

from nlpfeat import PmiEmbedding, load_everyday

# The corpus is small: few dimensions, and no word that occurs less than five times.
embedding = PmiEmbedding(30, exponent=0.5, min_term_count=5, random_state=0).fit(load_everyday())
print(f"{len(embedding.vectors_)} words, {embedding.vectors_.n_dims} dimensions")

# Close means that one can stand where the other stands, not that both mean the same.
for word in ("今天", "航班", "酱油", "医生"):
    close = embedding.most_similar(word, n=4)
    print(f"{word}: {' '.join(f'{other} {cosine:.2f}' for other, cosine in close)}")

for word, other in (("今天", "昨天"), ("酱油", "料酒"), ("酱油", "航班")):
    print(f"{word} and {other}: {embedding.similarity(word, other):.2f}")
