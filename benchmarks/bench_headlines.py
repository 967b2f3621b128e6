"""What each family of features can tell about short texts: accuracy with a linear classifier.

Usage: python benchmarks/bench_headlines.py train.tsv dev.tsv [--cache FILE] [--rows NAME...]

Both files hold a text, a tab and a label in each line, UTF-8. Each row of the table has a few
settings; which one stands in it is decided by cross-validation on the training file alone, and that
one is fitted on all of it and tried on the dev file once. Dev texts that stand in the training file
are left out. Texts are cut once, for all rows. With --cache, results are kept in a JSON file, and a
run that was broken off goes on from there; delete it when features change.
"""

import argparse
import json
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline, make_union
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import LinearSVC

from nlpfeat import (
    BagOfWordsVectorizer,
    Corpus,
    LdaTransformer,
    NBSVMClassifier,
    NgramVectorizer,
    PmiVectorizer,
    PositionalBagOfWordsVectorizer,
    SegmentTransformer,
    SurprisalTransformer,
    TfidfVectorizer,
)

Settings: TypeAlias = dict[str, Any]
"""Pipelines by what tells them from the others of their row."""

FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)

svm = partial(LinearSVC, random_state=0)
words = partial(NgramVectorizer, binary=True)
characters = partial(NgramVectorizer, binary=True, unit="char")
mark = FunctionTransformer(lambda documents: [["⊢", *tokens, "⊣"] for tokens in documents])


def punctuation(kept: bool) -> str:
    return "with punctuation" if kept else "without punctuation"


def counted(vectorizer: Callable[..., Any], *c_values: float) -> Settings:
    """Return the settings of one vectorizer that counts, with an SVM."""
    return {
        f"{punctuation(kept)}, C={c}": make_pipeline(vectorizer(keep_punctuation=kept), svm(C=c))
        for kept, c in product((False, True), c_values)
    }


def both(longest_word: int, longest_character: int, *, kept: bool) -> Any:
    """Return n-grams of words and of characters, side by side."""
    return make_union(
        words(ngram_range=(1, longest_word), keep_punctuation=kept),
        characters(ngram_range=(1, longest_character), keep_punctuation=kept),
    )


def word_and_character() -> Settings:
    return {
        f"{punctuation(kept)}, C={c}": make_pipeline(both(2, 3, kept=kept), svm(C=c))
        for kept, c in product((False, True), (0.03, 0.1))
    }


def tfidf() -> Settings:
    def weighted(kept: bool) -> Any:
        sides = [words(ngram_range=(1, 2)), characters(ngram_range=(1, 3))]
        return make_union(
            *[TfidfVectorizer(side.set_params(keep_punctuation=kept)) for side in sides]
        )

    return {
        f"{punctuation(kept)}, C={c}": make_pipeline(weighted(kept), svm(C=c))
        for kept, c in product((False, True), (0.3, 1.0))
    }


def nbsvm() -> Settings:
    return {
        f"{punctuation(kept)}, alpha={alpha}": make_pipeline(
            both(2, 3, kept=kept), NBSVMClassifier(alpha=alpha, random_state=0)
        )
        for kept, alpha in product((False, True), (0.3, 1.0))
    }


def nbsvm_with_marks() -> Settings:
    return {
        f"{words_named}, characters 1–{longest_character}, alpha=0.3": make_pipeline(
            mark,
            both(longest_word, longest_character, kept=True),
            NBSVMClassifier(alpha=0.3, random_state=0),
        )
        for (longest_word, words_named), longest_character in product(
            ((1, "words"), (2, "words 1–2")), (2, 3)
        )
    }


def positional() -> Settings:
    makers = {
        "absolute": partial(PositionalBagOfWordsVectorizer, max_position=10),
        "log": partial(PositionalBagOfWordsVectorizer, positions="log"),
        "3 parts": partial(PositionalBagOfWordsVectorizer, positions="relative", n_bins=3),
    }
    return {
        f"{name}, C=0.1": make_pipeline(make(binary=True, keep_punctuation=True), svm(C=0.1))
        for name, make in makers.items()
    }


def surprisal() -> Settings:
    return {
        f"C={c}": make_pipeline(
            BagOfWordsVectorizer(keep_punctuation=True), SurprisalTransformer(), svm(C=c)
        )
        for c in (0.0003, 0.001, 0.003)
    }


def pmi() -> Settings:
    return {
        f"{n} dimensions, exponent {exponent}": make_pipeline(
            PmiVectorizer(n, exponent=exponent, keep_punctuation=True, random_state=0),
            StandardScaler(),
            LogisticRegression(max_iter=300),
        )
        for n, exponent in ((100, 0.5), (300, 0.5))
    }


def lda() -> Settings:
    return {
        f"{n} topics": make_pipeline(
            BagOfWordsVectorizer(min_df=5), LdaTransformer(n, random_state=0),
            StandardScaler(), LogisticRegression(max_iter=300),
        )
        for n in (20, 100)
    }  # fmt: skip


ROWS: dict[str, tuple[str, Callable[[], Settings]]] = {
    "words": ("LinearSVC", lambda: counted(words, 0.03, 0.1, 0.3)),
    "words 1–2": ("LinearSVC", lambda: counted(partial(words, ngram_range=(1, 2)), 0.1, 0.3)),
    "characters 1–3": (
        "LinearSVC",
        lambda: counted(partial(characters, ngram_range=(1, 3)), 0.03, 0.1),
    ),
    "words 1–2 + characters 1–3": ("LinearSVC", word_and_character),
    "TF-IDF of words 1–2 + characters 1–3": ("LinearSVC", tfidf),
    "words 1–2 + characters 1–3, naive Bayes": ("NBSVMClassifier", nbsvm),
    "with punctuation and marks at both ends, naive Bayes": ("NBSVMClassifier", nbsvm_with_marks),
    "words at positions": ("LinearSVC", positional),
    "signed surprisal of words": ("LinearSVC", surprisal),
    "mean PPMI vectors": ("LogisticRegression", pmi),
    "LDA shares": ("LogisticRegression", lda),
}


class Cache(dict[str, Any]):
    """Results by name, in a file when there is one."""

    def __init__(self, path: Path | None) -> None:
        stored = json.loads(path.read_text("utf-8")) if path is not None and path.exists() else {}
        super().__init__(stored)
        self._path = path

    def get_or(self, key: str, compute: Callable[[], Any]) -> Any:
        """Return what is stored, or compute and store it."""
        if key not in self:
            self[key] = compute()
            if self._path is not None:
                self._path.write_text(json.dumps(self, ensure_ascii=False, indent=1), "utf-8")
        return self[key]


def read(path: str) -> tuple[list[str], list[str]]:
    """Return texts and labels."""
    documents = list(Corpus(path, text_column=1, label_column=2, encoding="utf-8").documents())
    return [document.text for document in documents], [str(each.label) for each in documents]


def on_dev(pipeline: Any, train: tuple[Any, Any], dev: tuple[Any, Any]) -> list[float]:
    """Return accuracy and macro-F1 after fitting on the training part."""
    predicted = pipeline.fit(*train).predict(dev[0])
    return [
        float(accuracy_score(dev[1], predicted)),
        float(f1_score(dev[1], predicted, average="macro")),
    ]


def row(name: str, train: tuple[Any, Any], dev: tuple[Any, Any], cache: Cache) -> str:
    """Return a row of the table."""
    classifier, make = ROWS[name]
    settings = make()
    scores = {
        label: cache.get_or(
            f"{name}: {label}",
            lambda: float(np.mean(cross_val_score(pipeline, *train, cv=FOLDS))),  # noqa: B023
        )
        for label, pipeline in settings.items()
    }
    best = max(scores, key=scores.__getitem__)
    accuracy, macro_f1 = cache.get_or(f"{name}: dev", lambda: on_dev(settings[best], train, dev))
    return (f"| {name} | {classifier} | {best}, of {len(settings)} | {scores[best]:.2%} "
            f"| {accuracy:.2%} | {macro_f1:.2%} |")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("train")
    parser.add_argument("dev")
    parser.add_argument("--cache", type=Path, help="a JSON file")
    parser.add_argument("--rows", nargs="+", choices=ROWS, default=list(ROWS), metavar="NAME")
    arguments = parser.parse_args()
    texts, labels = read(arguments.train)
    dev_texts, dev_labels = read(arguments.dev)
    seen = set(texts)
    new = [place for place, text in enumerate(dev_texts) if text not in seen]
    segment = SegmentTransformer()
    train = segment.transform(texts), np.array(labels)
    dev = segment.transform([dev_texts[place] for place in new]), np.array(dev_labels)[new]
    cache = Cache(arguments.cache)
    print(f"{len(texts):,} texts to learn from, {len(new):,} of {len(dev_texts):,} to try on\n\n"
          "| features | classifier | setting | cross-validation | dev accuracy | dev macro-F1 |\n"
          "|---|---|---|---|---|---|", flush=True)  # fmt: skip
    for name in arguments.rows:
        print(row(name, train, dev, cache), flush=True)


if __name__ == "__main__":
    main()
