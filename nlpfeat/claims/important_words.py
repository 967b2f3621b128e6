"""A frequent word need not be an important one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from statistics import fmean
from typing import TYPE_CHECKING, Any

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement, open_question
from nlpfeat.claims.figures import (
    Figure,
    Figures,
    by_name,
    difference,
    is_above,
    over_seeds,
    shared_level,
)
from nlpfeat.claims.numbers import shown
from nlpfeat.claims.real_texts import Name, Split, overlap_of, split_of

if TYPE_CHECKING:
    from nlpfeat._typing import Float64Array

_CORPORA: Mapping[Name, str] = {"everyday": "8 topics", "reviews": "reviews"}
_FREQUENCY = "frequency"
#: How words are ranked, and the column of the table of keywords that has it.
_RANKINGS = {_FREQUENCY: "count", "TF-IDF": "tfidf", "surprisal": "surprisal"}
_RELATIVE = [ranking for ranking in _RANKINGS if ranking != _FREQUENCY]
#: Words for each class; an accuracy is the mean of these three.
_BUDGETS = (5, 10, 20)
#: What occurs less often says too little of its classes.
_LEAST = 5
#: Up to here a correlation is hardly any, and a gain of accuracy none.
_WEAK, _SAME = 0.3, 0.01


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Rank the words of each class in three ways, and see what the first of them tell."""
    for corpus in _CORPORA:
        overlap = overlap_of(corpus)
        found = by_name(over_seeds(partial(_of_split, corpus), seeds, overlap=overlap))
        n_test = split_of(corpus, seeds[0]).test.shape[0]
        accuracies = {
            ranking: replace(found[_accuracy_by(corpus, ranking)], unit="accuracy", trials=n_test)
            for ranking in _RANKINGS
        }
        yield from accuracies.values()
        for ranking in _RELATIVE:
            yield difference(_gain(corpus, ranking), accuracies[ranking], accuracies[_FREQUENCY])
        yield replace(found[_correlation(corpus)], unit="rank correlation")


def _of_split(corpus: Name, seed: int) -> dict[str, float]:
    from scipy.stats import spearmanr

    split = split_of(corpus, seed)
    found = {
        _accuracy_by(corpus, ranking): fmean(
            accuracy_of_words(split, in_turn(lists, n * len(lists))) for n in _BUDGETS
        )
        for ranking, lists in ranked_words(split).items()
    }
    frequencies, bits = bits_told(split)
    return found | {_correlation(corpus): float(spearmanr(frequencies, bits).statistic)}


def ranked_words(split: Split) -> dict[str, list[list[str]]]:
    """Return by ranking, for each class, its words with the highest values first."""
    from nlpfeat.measures.keywords import keyword_table

    table = keyword_table(split.train, split.terms, split.train_labels, top=None)
    groups, terms = table.columns["group"].tolist(), table.columns["term"].tolist()
    rows = [
        [row for row, each in enumerate(groups) if each == group] for group in sorted({*groups})
    ]
    found = {}
    for ranking, column in _RANKINGS.items():
        values: list[Any] = table.columns[column].tolist()
        found[ranking] = [
            [terms[row] for row in sorted(each, key=lambda row: (-values[row], terms[row]))]
            for each in rows
        ]
    return found


def in_turn(lists: Sequence[Sequence[str]], n: int) -> list[str]:
    """Return the first n different words of lists that are read in turn, one of each.

    Examples
    --------
    >>> in_turn([["的", "球"], ["的", "菜", "汤"]], 3)
    ['的', '球', '菜']
    """
    words = (word for row in zip_longest(*lists) for word in row if word is not None)
    return list(dict.fromkeys(words))[:n]


def accuracy_of_words(split: Split, words: Sequence[str]) -> float:
    """Return the accuracy on test texts of a logistic regression that counts these words alone."""
    from sklearn.linear_model import LogisticRegression

    places = {term: place for place, term in enumerate(split.terms)}
    columns = [places[word] for word in words]
    model = LogisticRegression(max_iter=1_000).fit(split.train[:, columns], split.train_labels)
    return float(model.score(split.test[:, columns], split.test_labels))


def bits_told(split: Split) -> "tuple[Float64Array, Float64Array]":
    """Return how often words occur for training, and what an occurrence tells in a test text.

    That is log2(P(class | word) / P(class)) of the class that the text has, in the mean over the
    occurrences, both by the tokens for training, to which one occurrence for each class is added as
    classes are distributed. It can be below 0. Words that occur less than 5 times, or in no text
    for test, are left out.
    """
    import numpy as np

    classes = sorted(set(split.train_labels))
    train, test = (
        np.stack([counts[np.array(labels) == each].sum(axis=0) for each in classes])
        for counts, labels in (
            (split.train, split.train_labels),
            (split.test, split.test_labels),
        )
    )
    share = train.sum(axis=1, keepdims=True) / train.sum()
    frequencies = train.sum(axis=0)
    known = (frequencies >= _LEAST) & (test.sum(axis=0) > 0)
    given = (train + len(classes) * share) / (frequencies + len(classes))
    bits = (test * np.log2(given / share)).sum(axis=0)[known] / test.sum(axis=0)[known]
    return frequencies[known].astype(np.float64), bits


def judge(figures: Figures) -> Judgement:
    """Judge by whether relative frequency chooses better, and by frequency against information."""
    gains = {
        f"{ranking} on {_CORPORA[corpus]}": figures[_gain(corpus, ranking)]
        for corpus in _CORPORA
        for ranking in _RELATIVE
    }
    level = shared_level(len(gains))
    by, told = f"with intervals of {100 * level:.4g} %", _told(figures)
    found = {name: is_above(gain, 0.0, level) for name, gain in gains.items()}
    ahead, behind, unsure = (
        [name for name, is_ahead in found.items() if is_ahead is state]
        for state in (True, False, None)
    )
    if not ahead:
        if all(is_above(gain, _SAME, level) is False for gain in gains.values()):
            return Judgement(
                DOES_NOT_HOLD,
                f"No ranking gains more than .01 over the most frequent words, {by}. {told}.",
            )
        return open_question(
            f"No ranking is known to be ahead of frequency, {by}, and whether one gains more than "
            f".01 is open. {told}."
        )
    tells, frequent = _frequent_words(figures)
    if behind or unsure:
        failing = "; ".join(
            f"{text}: {', '.join(names)}"
            for text, names in (("not ahead", behind), ("not known to be ahead", unsure))
            if names
        )
        return Judgement(
            IN_PART,
            f"Ahead of frequency, {by}: {', '.join(ahead)}; {failing}. {frequent}. {told}.",
        )
    better = (
        f"Words far above their base rate tell the class better than as many frequent ones, {by}"
    )
    if tells is None:
        return open_question(f"{better}. {frequent}. {told}.")
    return Judgement(IN_PART if tells else HOLDS, f"{better}. {frequent}. {told}.")


def _frequent_words(figures: Figures) -> tuple[bool | None, str]:
    """Return whether what is frequent tells more in any corpus, and that in words."""
    correlations = [figures[_correlation(corpus)] for corpus in _CORPORA]
    level = shared_level(len(correlations))
    found = [is_above(each, _WEAK, level) for each in correlations]
    tells = True if any(found) else None if None in found else False
    what, most = {
        True: ("But what is frequent also tells more", "not both at most"),
        False: ("What is frequent hardly tells more", "at most"),
        None: ("Whether what is frequent tells more is open", "not known to be at most"),
    }[tells]
    values = " and ".join(
        f"{shown(each.value)} ({_CORPORA[corpus]})" for corpus, each in zip(_CORPORA, correlations)
    )
    return tells, (
        f"{what}: rank correlations of {values}, {most} .3 with intervals of {100 * level:.4g} %"
    )


def _told(figures: Figures) -> str:
    return "Accuracies: " + "; ".join(
        f"{described}, "
        + ", ".join(
            f"{ranking} {shown(figures[_accuracy_by(corpus, ranking)].value)}"
            for ranking in _RANKINGS
        )
        for corpus, described in _CORPORA.items()
    )


def _accuracy_by(corpus: Name, ranking: str) -> str:
    return f"{_CORPORA[corpus]}, words by {ranking}: accuracy"


def _gain(corpus: Name, ranking: str) -> str:
    return f"{_CORPORA[corpus]}: {ranking} − frequency"


def _correlation(corpus: Name) -> str:
    return f"{_CORPORA[corpus]}: frequency by what an occurrence tells"


CLAIM = Claim(
    slug="important-words",
    title="A frequent word need not be important; one far above its base rate is",
    section="TF-IDF",
    says="What is frequent need not be important (之乎者也), and frequent words are often vague "
    "(车 against 特斯拉). Important is a word whose frequency in a text is far above its base "
    "rate, which TF-IDF takes into account.",
    shown_by="Words of each class ranked by frequency, by frequency times inverse document "
    "frequency, and by the surprisal of their count at the base rate: the accuracy of a logistic "
    "regression that counts as many different words of each, in the mean of 5, 10 and 20 words a "
    "class; and the rank correlation of frequency and the bits that an occurrence tells of the "
    "class of a text that was held out. Ahead is a gain above 0 with its whole interval, of 98.75 "
    "%, so that four hold at once at 95 %; frequent words hardly tell more where both correlations "
    "are at most .3 with intervals of 97.5 %. The table has each interval at 95 %, by itself.",
    measure=measure,
    judge=judge,
    reads_reviews=True,
    limits="Important means here that it tells the class; whether frequent words are vague (车 "
    "against 特斯拉) is not measured. Words are ranked by class, since single texts are too "
    "short. Seeds split the same 845 everyday texts anew, and draw 3,000 of the same 17,363 "
    "reviews.",
)
