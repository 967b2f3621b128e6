"""Features of the texts of a phenomenon, by family, for several test files."""

from functools import cache

from sklearn.pipeline import make_pipeline

from nlpfeat import (
    BagOfWordsVectorizer,
    NgramVectorizer,
    PositionalBagOfWordsVectorizer,
    SurprisalTransformer,
    TfidfVectorizer,
    make_phenomenon,
)

VECTORIZERS = {
    "bag": BagOfWordsVectorizer,
    "positional": PositionalBagOfWordsVectorizer,
    "bigrams": lambda: NgramVectorizer(ngram_range=(1, 2)),
    "trigrams": lambda: NgramVectorizer(ngram_range=(1, 3)),
    "tfidf": TfidfVectorizer,
    "surprisal": lambda: make_pipeline(BagOfWordsVectorizer(), SurprisalTransformer()),
}


made = cache(make_phenomenon)


@cache
def features(name, family):
    """The matrices of the training part and of the test part of a phenomenon."""
    parts = made(name)
    vectorizer = VECTORIZERS[family]()
    return (
        vectorizer.fit_transform([item.tokens for item in parts.train_items]),
        vectorizer.transform([item.tokens for item in parts.test_items]),
    )
