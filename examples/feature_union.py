"""Four kinds of features of one corpus, segmented once.

Run: ``python examples/feature_union.py``

Output::

    845 texts, 5652 features, 56 a text
    words: 1257 columns, such as words__打开
    characters: 1804 columns, such as characters__成绩
    parts: 1334 columns, such as parts__1:后
    surprisal: 1257 columns, such as surprisal__打开
    weather: characters__气温 characters__空气 characters__预警 parts__0:气温 words__℃ words__气温
"""

from sklearn.feature_selection import SelectKBest, chi2
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline

from nlpfeat import (
    BagOfWordsVectorizer,
    NgramVectorizer,
    PositionalBagOfWordsVectorizer,
    SegmentTransformer,
    SurprisalTransformer,
    load_everyday,
)

documents = list(load_everyday().documents())
texts = [document.text for document in documents]
topics = [document.label for document in documents]

# Every vectorizer takes token lists as it takes texts, so one segmentation serves all of them.
features = FeatureUnion(
    [
        ("words", BagOfWordsVectorizer(min_df=3)),
        ("characters", NgramVectorizer(ngram_range=(2, 2), unit="char", min_df=3)),
        ("parts", PositionalBagOfWordsVectorizer(positions="relative", n_bins=3, min_df=3)),
        ("surprisal", make_pipeline(BagOfWordsVectorizer(min_df=3), SurprisalTransformer())),
    ]
)
pipeline = Pipeline([("segment", SegmentTransformer()), ("features", features)])
X = pipeline.fit_transform(texts)
print(f"{X.shape[0]} texts, {X.shape[1]} features, {X.nnz / X.shape[0]:.0f} a text")

# Columns carry the name of their side.
names = features.get_feature_names_out()
for side, _ in features.transformer_list:
    own = [name for name in names if name.startswith(f"{side}__")]
    print(f"{side}: {len(own)} columns, such as {own[len(own) // 2]}")

# Such names stay readable behind a selection, here of counts that tell one topic from the others.
counts = X[:, [not name.startswith("surprisal__") for name in names]]
kept = [name for name in names if not name.startswith("surprisal__")]
selection = SelectKBest(chi2, k=6).fit(counts, [topic == "天气" for topic in topics])
print("weather:", " ".join(sorted(selection.get_feature_names_out(kept))))
