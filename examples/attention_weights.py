"""Which words an attention classifier looks at.

Run: ``python examples/attention_weights.py`` (needs the extra "attention")

Output::

    676 texts, 1715 words that are in two of them or more
    accuracy on 169 others: 85%
    体育 比赛 38% 踢 26%
    健康 医生 48% 血压 24%
    天气 大雾 22% 延误 17%
    美食 酱油 44% 进 25%

The two words of each text that it looks at most. Another number of threads may move a weight by
a point or two.
"""

from sklearn.model_selection import train_test_split

from nlpfeat import AttentionClassifier, load_everyday

documents = list(load_everyday().documents())
texts, labels = [each.text for each in documents], [each.label for each in documents]
train, test, train_labels, test_labels = train_test_split(
    texts, labels, test_size=0.2, random_state=0
)

# No layers: one head and one query put the words together, and weigh each word by itself. With
# layers, the vector of a word has taken from its neighbors what they say, and its weight is not
# its own.
classifier = AttentionClassifier(
    unit="word", n_layers=0, n_heads=1, n_queries=1, d_model=64, batch_size=16, max_epochs=20,
    learning_rate=5e-3, random_state=0,
).fit(train, train_labels)  # fmt: skip
print(f"{len(train)} texts, {len(classifier.vocabulary_)} words that are in two of them or more")
print(f"accuracy on {len(test)} others: {classifier.score(test, test_labels):.0%}")

new = [
    "昨天的比赛踢到最后一分钟才分出胜负",
    "医生说血压有点高，要少吃盐",
    "航班因为大雾延误，在机场等了三个小时",
    "锅里放油，倒进鸡蛋，最后加一点酱油",
]
for label, attention in zip(classifier.predict(new), classifier.attention_weights(new)):
    words = sorted(zip(attention.token_weights, attention.tokens), reverse=True)
    print(label, " ".join(f"{word} {weight:.0%}" for weight, word in words[:2]))
