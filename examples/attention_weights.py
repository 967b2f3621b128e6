"""Which words an attention classifier looks at.

Run: ``python examples/attention_weights.py`` (needs the extra "attention")

Output::

    676 texts, 1715 words that are in two of them or more
    accuracy on 169 others: 85%
    体育 昨天 13% 的 2% 比赛 51% 踢 18% 到 3% 最后 3% 一分钟 1% 才 7% 分出 1% 胜负 1%
    健康 医生 45% 说 4% 血压 30% 有点 13% 高 7% ， 1% 要少 1% 吃盐 1%
    天气 航班 10% 因为 10% 大雾 26% 延误 18% ， 1% 在 3% 机场 5% 等 14% 了 2% 三个 9% 小时 3%
    美食 锅里 1% 放油 1% ， 1% 倒 9% 进 21% 鸡蛋 6% ， 1% 最后 5% 加一点 1% 酱油 53%
"""

from sklearn.model_selection import train_test_split

from nlpfeat import AttentionClassifier, load_everyday

documents = list(load_everyday().documents())
texts, labels = [each.text for each in documents], [each.label for each in documents]
train, test, train_labels, test_labels = train_test_split(
    texts, labels, test_size=0.2, random_state=0
)

# No layers: the one head that puts the words together weighs each word by itself. With layers, the
# vector of a word has taken from its neighbors what they say, and its weight is not its own.
classifier = AttentionClassifier(
    unit="word", n_layers=0, n_heads=1, d_model=64, batch_size=16, max_epochs=10,
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
    words = zip(attention.tokens, attention.token_weights)
    print(label, " ".join(f"{word} {weight:.0%}" for word, weight in words))
