"""Every estimator, with text that it can be fitted on: what tests of all estimators go over."""

import io
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from scipy.sparse import csr_array

from nlpfeat import (
    AttentionClassifier,
    BagOfWordsVectorizer,
    BiLstmBaseline,
    LdaTransformer,
    NaiveBayesRatioTransformer,
    NBSVMClassifier,
    NgramVectorizer,
    PmiEmbedding,
    PmiVectorizer,
    PositionalBagOfWordsVectorizer,
    SegmentTransformer,
    SurprisalTransformer,
    TextCnnBaseline,
    TfidfVectorizer,
    load,
    save,
)

#: For properties whose every example fits several estimators.
few = settings(max_examples=40)

#: Punctuation, full width, mixed case, several lines, an emoji, a repeated text, an empty one.
DOCUMENTS = [
    "今天天气很好，我们去公园喝茶。",
    "天气不好！不去公园，在家看书。",
    "ＶＩＰ会员买了Ａ股，vip也买了a股？",
    "他说：“天气很好。”我们不去。",
    "第一行天气很好\n第二行，去公园",
    "",
    "妈妈喜欢喝茶，朋友喜欢看书；都很高兴😀",
    "天气很好 天气很好　天气很好",
    "T恤和C++，iPhone15卖５％的折扣",
    "今天天气很好，我们去公园喝茶。",
    "……！！！",
    "我们在公园。我们在公园看书。",
]
LABELS = ["好", "坏", "好", "好", "好", "坏", "好", "坏", "坏", "好", "坏", "坏"]

#: The terms of these documents, which are the columns of a matrix of counts.
COLUMNS = BagOfWordsVectorizer().fit(DOCUMENTS).get_feature_names_out().tolist()

Factory = Callable[[], Any]

COUNTERS: dict[str, Factory] = {
    "bag": BagOfWordsVectorizer,
    "bag with unknown": lambda: BagOfWordsVectorizer(count_unknown=True, min_df=2),
    "bag without stop words": lambda: BagOfWordsVectorizer(stop_words=["的", "很"], binary=True),
    "absolute": PositionalBagOfWordsVectorizer,
    "end": lambda: PositionalBagOfWordsVectorizer(positions="end", max_position=3),
    "relative": lambda: PositionalBagOfWordsVectorizer(positions="relative", n_bins=3),
    "log": lambda: PositionalBagOfWordsVectorizer(
        positions="log", max_position=2, overflow="drop"
    ),
    "words": lambda: NgramVectorizer(ngram_range=(1, 3), max_features=40),
    "characters": lambda: NgramVectorizer(ngram_range=(1, 2), unit="char", min_df=2),
}  # fmt: skip
"""The vectorizers that count."""

VECTORIZERS: dict[str, Factory] = {
    **COUNTERS,
    "tfidf": TfidfVectorizer,
    **{f"tfidf of {name}": (lambda make=make: TfidfVectorizer(make()))
       for name, make in COUNTERS.items()},
    "mean vectors": lambda: PmiVectorizer(3, random_state=0),
    "mean rows": lambda: PmiVectorizer(None, window=2, scope="sentence"),
}  # fmt: skip
"""All that turn documents into a matrix."""

TAKE_DOCUMENTS: dict[str, Factory] = {
    **VECTORIZERS,
    "segment": SegmentTransformer,
    "embedding": lambda: PmiEmbedding(3, min_term_count=1, random_state=0),
}
"""All that take documents."""

CLASSIFY_DOCUMENTS: dict[str, Factory] = {
    "attention": lambda: AttentionClassifier(
        n_layers=1, d_model=8, n_heads=2, batch_size=32, max_epochs=2, min_df=1, random_state=0
    ),
    "convolutions": lambda: TextCnnBaseline(
        n_filters=4, d_model=8, batch_size=32, max_epochs=2, min_df=1, random_state=0
    ),
    "lstm": lambda: BiLstmBaseline(
        d_hidden=4, d_model=8, batch_size=32, max_epochs=2, min_df=1, random_state=0
    ),
}
"""All that take documents and their classes; quick ones, which learn little."""

TAKE_COUNTS: dict[str, Factory] = {
    "surprisal": SurprisalTransformer,
    "ratio": NaiveBayesRatioTransformer,
    "topics": lambda: LdaTransformer(2, passes=2, random_state=0),
    "nbsvm": lambda: NBSVMClassifier(random_state=0),
}
"""All that take a matrix of counts."""

ALL: dict[str, Factory] = {**TAKE_DOCUMENTS, **CLASSIFY_DOCUMENTS, **TAKE_COUNTS}

GIVE_ROWS: dict[str, Factory] = {
    **VECTORIZERS, "segment": SegmentTransformer, **TAKE_COUNTS
}  # fmt: skip
"""All that make something of each document or row."""


def over(table: dict[str, Factory]) -> pytest.MarkDecorator:
    """Run a test with every estimator of a table, made anew."""
    return pytest.mark.parametrize("make", table.values(), ids=table.keys())


def data_for(estimator: Any) -> tuple[Any, list[str]]:
    """Return what the estimator is fitted on: documents or counts, and labels."""
    if estimator.__sklearn_tags__().input_tags.string:
        return DOCUMENTS, LABELS
    return counts_of(DOCUMENTS), LABELS


def counts_of(documents: Any) -> csr_array:
    """Return documents as the matrix that estimators of counts take."""
    return BagOfWordsVectorizer(vocabulary=COLUMNS).transform(documents)


def fit_anew(make: Factory) -> Any:
    """Return the estimator, fitted."""
    estimator = make()
    return estimator.fit(*data_for(estimator))


#: The estimator, fitted once for all tests: not to be changed.
fitted = cache(fit_anew)


@cache
def learned_with_priors() -> dict[str, AttentionClassifier]:
    """Return a quick classifier with each prior, fitted: not to be changed."""
    from nlpfeat.priors import PRIORS, PmiPrior

    by_name = {name: [name] for name in PRIORS}
    by_name["pmi of low rank"] = [PmiPrior(rank=2)]
    return {
        name: CLASSIFY_DOCUMENTS["attention"]().set_params(priors=priors).fit(DOCUMENTS, LABELS)
        for name, priors in by_name.items()
    }


def output_of(estimator: Any, data: Any) -> Any:
    """Return what a fitted estimator makes of its input."""
    if hasattr(estimator, "transform"):
        return estimator.transform(data)
    return estimator.predict(data) if hasattr(estimator, "predict") else estimator.vectors_


def content(output: Any) -> Any:
    """Return an output in a form that is equal when, and only when, every byte and type is."""
    if isinstance(output, list):
        return output
    if hasattr(output, "terms"):
        return output.terms, content(output.matrix)
    arrays = [output] if isinstance(output, np.ndarray) else list(parts(output))
    return output.shape, [(array.dtype.str, array.tobytes()) for array in arrays]


def saved(estimator: Any) -> bytes:
    """Return the bytes of the file that an estimator is saved in."""
    stream = io.BytesIO()
    save(estimator, stream)
    return stream.getvalue()


def loaded(data: bytes, **options: Any) -> Any:
    """Return the estimator of such a file."""
    return load(io.BytesIO(data), **options)


def parts(matrix: csr_array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the arrays that a sparse matrix is made of."""
    assert isinstance(matrix, csr_array)
    return matrix.data, matrix.indices, matrix.indptr


#: Nine terms; in code-point order 不 今天 公园 去 喝茶 天气 好 很 我们.
TOY = [
    ["今天", "天气", "很", "好"],
    ["天气", "不", "好", "，", "不", "去", "公园"],
    ["我们", "去", "公园", "喝茶", "。"],
    ["很", "好", "很", "好"],
]
TOY_TERMS = ["不", "今天", "公园", "去", "喝茶", "天气", "好", "很", "我们"]
