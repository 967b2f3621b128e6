"""Keywords by signed surprisal: which terms a topic has too often, and which it all but lacks.

Run: ``python examples/keywords_with_absence.py``

Output::

    too often:
      体育: 球 17 (8 for 1), 教练 16 (8 for 1)
      健康: 医生 26 (15 for 2), 吃 24 (23 for 6)
      天气: 气温 24 (12 for 2), ℃ 18 (9 for 1)
      家居: 师傅 18 (12 for 2), 螺丝 15 (7 for 1)
    too rarely:
      体育: 还是 -7 (0 for 5), 手机 -5 (0 for 3)
      健康: 在 -10 (8 for 21), 的 -8 (61 for 85)
      天气: 我 -6 (31 for 45), 吃 -6 (1 for 6)
      家居: 人 -8 (2 for 10), 我 -6 (30 for 44)
    健康, q below 0.03: 医生 0.0002 吃 0.0003 体检 0.0237 体重 0.0237 抽血 0.0237
    71 tokens: 了 expected 2.7 times
"""

from nlpfeat import BagOfWordsVectorizer, SurprisalTransformer, keyword_table, load_everyday

documents = list(load_everyday().documents())
topics = [document.label for document in documents]
words = BagOfWordsVectorizer()
counts = words.fit_transform(document.text for document in documents)
names = words.get_feature_names_out().tolist()

# Bits: how surprising the count of a term in a topic is, by its share of the whole corpus.
for side, title in (("over", "too often"), ("under", "too rarely")):
    table = keyword_table(counts, names, topics, measure="surprisal", side=side, top=2)
    found: dict[str | int | float, list[str]] = {}
    for topic, _, term, count, expected, _, _, bits, _, _ in table.itertuples():
        found.setdefault(topic, []).append(f"{term} {bits:.0f} ({count} for {expected:.0f})")
    print(f"{title}:")
    for topic, shown in list(found.items())[:4]:
        print(f"  {topic}: {', '.join(shown)}")

# Thousands of terms were looked at, so that some are rare by chance: q says which are not.
surprisal = SurprisalTransformer().fit(counts)
health = counts[[place for place, topic in enumerate(topics) if topic == "健康"]].sum(axis=0)
significant = surprisal.significant_terms(health, alpha=0.03, feature_names=names)
print("健康, q below 0.03:", " ".join(f"{each.term} {each.q_value:.4f}" for each in significant))

# One text is too short to lack anything: even the most frequent term is expected too rarely.
longest = int(counts.sum(axis=1).argmax())
n_tokens = int(counts[[longest]].sum())
rates = surprisal.rates_
print(f"{n_tokens} tokens: {names[rates.argmax()]} expected {n_tokens * rates.max():.1f} times")
