"""Findings made by hand: of every kind, with texts of people and with texts of attackers."""

import dataclasses
import math
from collections.abc import Callable
from itertools import pairwise

import pytest

from nlpfeat.compare.explaining.findings import (
    Agreement,
    Faithfulness,
    NormalizedFigure,
    Omission,
)
from nlpfeat.compare.findings import (
    Calibration,
    CalibrationBin,
    CurvePoint,
    Difference,
    Estimate,
    Findings,
    ModelFacts,
    PhenomenonScore,
    Provenance,
    Record,
    Resolution,
    Strip,
    TuningPoint,
)

HOSTILE = (
    "</script><script>window.hacked=1</script>",
    "<img src=x onerror=window.hacked=2>",
    "]]><!--<script>",
    "{{7*7}} {% raw %}",
    "datum['x'] + signal(1) ${8*8}",
    "a.b[0]['c']\\\"",
    "&lt;b&gt; | `x` *y*",
    "行\u2028隔\u2029\u202e\x00\ud800\r\n末",
)
TEXT = "房间很干净，但是早餐不好吃。"
TOKENS = ["房间", "很", "干净", "，", "但是", "早餐", "不", "好吃", "。"]

MODELS = {
    "bow": ("counts", "counts of words, logistic regression", 0.846, 0.9),
    "tfidf": ("counts", "TF-IDF, logistic regression", 0.862, 1.1),
    "bigrams": ("counts", "counts of words and adjacent pairs", 0.874, 2.6),
    "nbsvm": ("counts", "naive Bayes ratios, linear SVM", 0.889, 1.9),
    "topics": ("topics", "LDA shares, logistic regression", 0.731, 14.0),
    "text-cnn": ("network", "convolutions of widths 2, 3 and 4", 0.885, 61.0),
    "attention": ("attention", "one head, dot score", 0.871, 48.0),
    "attention+pmi": ("attention", "the same with the PMI prior", 0.893, 55.0),
}
PHENOMENA = {
    "keyword": "关键词", "frequency": "词频", "negation": "相邻否定", "order": "语序",
    "distant_pair": "远距搭配", "absence": "缺失", "scope": "前者与后者", "counting": "三与五",
}  # fmt: skip
CEILINGS = {"order": 0.5, "distant_pair": 0.625, "scope": 0.5, "counting": 0.75}


def make_findings(name: Callable[[str], str] = str, text: Callable[[str], str] = str) -> Findings:
    """Return findings of every kind; ``name`` and ``text`` change what others have written."""
    models = {name(key): facts for key, facts in MODELS.items()}
    return Findings(
        provenance=Provenance(
            command=name("nlpfeat compare 酒店.tsv --suite standard --output report.html"),
            corpus=name("酒店评论 hotel-reviews.tsv"),
            corpus_hash="9f" * 32, split_hash="4c" * 32, n_documents=6_240, n_duplicates=17,
            classes={name("好评"): 4_310, name("差评"): 1_930},
            protocol={"split": "holdout", "seeds": [0, 1, 2], "equivalence": 0.01,
                      "time_budget": None, "segmenter": name("jieba")},
            versions={"python": "3.11.7", "nlpfeat": "0.1.0", "torch": name("2.6.0")},
        ),
        models=[
            ModelFacts(key, facts[0], name(facts[1]), name(f"Model(C=1.0, of={key!r})"), 4,
                       [{"C": 0.1, "kind": name("l2")}, {"C": 1.0, "kind": None}])
            for key, facts in models.items()
        ],
        records=[Record(key, facts[0], 0, 0, 5_000, "accuracy", facts[2])
                 for key, facts in models.items()],
        estimates=_estimates(models),
        differences=_differences(models, name("bow")),
        resolution=Resolution(1_248, 0.893, 0.081, 0.0172, 0.0158, 0.01),
        calibration=[_calibration(key, number) for number, key in enumerate(list(models)[:4])],
        curve=[
            CurvePoint(key, size, mean, mean - 0.02, mean + 0.018, 3, facts[3] * size / 5_000)
            for key, facts in models.items()
            for size in (250, 500, 1_000, 2_000, 5_000)
            for mean in [facts[2] - 0.35 / math.sqrt(size / 40)]
        ],
        faithfulness=[
            Faithfulness(
                key, order, 0.4 * value, 0.3 - 0.2 * value,
                NormalizedFigure(value, value - 0.06, value + 0.05, 48),
                NormalizedFigure(1 - value, 0.95 - value, 1.06 - value, 47), 50,
            )
            for key in list(models)[-4:]
            for order, value in zip(("own", "leave one out", "random", "position", "idf"),
                                    (0.78, 0.9, 0.31, 0.35, 0.52))
        ],
        agreement=[
            Agreement(key, score, tau, tau - 0.05, tau + 0.06, 0.4, 0.12, 0.004, 0.7, None, 50)
            for key in list(models)[-2:]
            for score, tau in (("idf", 0.31), ("tfidf", 0.36), ("linear", 0.22), ("pmi", 0.18))
        ],
        omission=[
            Omission(key, kind, 0.893, after, after / 0.893, (after - 0.04) / 0.893,
                     (after + 0.03) / 0.893, delta, delta - 0.2, delta + 0.2, 200)
            for key in list(models)[-2:]
            for kind, after, delta in (("strongest", 0.71, -1.8), ("cue", 0.68, -2.1),
                                       ("random", 0.889, -0.05))
        ],
        phenomena=_phenomena(models, name),
        strips=[_strip(text, name), _strip(text, name)],
        notes=[name("One run of topics did not finish within the time budget.")],
        tuning=[TuningPoint(key, trials, facts[2] - 0.04 / trials)
                for key, facts in models.items() for trials in (1, 2, 3, 4)],
    )  # fmt: skip


def _estimates(models: dict[str, tuple]) -> list[Estimate]:
    found = []
    for key, (_, _, accuracy, seconds) in models.items():
        for metric, mean in (
            ("accuracy", accuracy), ("macro_f1", accuracy - 0.012), ("log_loss", 1.1 - accuracy),
            ("brier", 0.9 - 0.75 * accuracy), ("calibration_error", 0.041),
            ("calibration_error_scaled", 0.013),
        ):  # fmt: skip
            found.append(Estimate(key, metric, mean, 0.004, mean - 0.017, mean + 0.017, 3))
        for metric, mean in (("n_parameters", 20_412.0), ("training_seconds", seconds),
                             ("documents_per_second", 9_000 / seconds),
                             ("peak_memory", 412.5)):  # fmt: skip
            found.append(Estimate(key, metric, mean, mean / 20, None, None, 3))
    return found


def _differences(models: dict[str, tuple], reference: str) -> list[Difference]:
    base = models[reference][2]
    found = []
    for key, (_, _, accuracy, _) in models.items():
        if key == reference:
            continue
        value = accuracy - base
        low, high = value - 0.0158, value + 0.0158
        outcome = "better" if low > 0 else "worse" if high < 0 else "undecided"
        outcome = "equivalent" if key.startswith("tfidf") else outcome
        p = math.exp(-abs(value) * 250)
        needed = 5_200 if outcome == "undecided" else None
        found.append(Difference(key, reference, "accuracy", value, low, high, "mcnemar chi2", p,
                                min(1.0, 7 * p), 0.02, 0.3, 0.68, outcome, needed))  # fmt: skip
    return found


def _calibration(model: str, number: int) -> Calibration:
    def bins(gap: float) -> list[CalibrationBin]:
        edges = [number / 15 for number in range(16)]
        return [
            CalibrationBin(low, high, 0, math.nan, math.nan) if high <= 0.5 else
            CalibrationBin(low, high, round(400 * high**3), (low + high) / 2,
                           (low + high) / 2 - gap * (high - 0.45))
            for low, high in pairwise(edges)
        ]  # fmt: skip

    return Calibration(model, 1.2 + 0.2 * number, bins(0.2 + 0.05 * number), bins(0.03))


def _phenomena(models: dict[str, tuple], name: Callable[[str], str]) -> list[PhenomenonScore]:
    found = []
    for row, (phenomenon, title) in enumerate(PHENOMENA.items()):
        for column, key in enumerate(models):
            ceiling = CEILINGS.get(phenomenon) if column < 5 else None
            mean = ceiling if ceiling else 0.995 - 0.045 * ((row * 3 + column * 5) % 9)
            found.append(
                PhenomenonScore(phenomenon, name(title), key, mean, mean - 0.03, mean + 0.02,
                                ceiling if ceiling else 1.0 if column < 3 else None, 3)
            )  # fmt: skip
    return found


def _strip(text: Callable[[str], str], name: Callable[[str], str]) -> Strip:
    sources = {
        "attention": [0.06, 0.02, 0.24, 0.01, 0.03, 0.08, 0.21, 0.34, 0.01],
        "tfidf": [0.31, 0.12, 0.44, 0.0, 0.25, 0.38, 0.15, 0.52, 0.0],
        "linear": [0.1, 0.05, 0.9, 0.0, -0.35, -0.1, -0.82, 0.61, math.nan],
        "pmi": [0.2, 0.0, 0.5, 0.0, 0.1, 0.6, 0.3, 0.8, 0.0],
    }
    predictions = {"bow": name("好评"), "attention+pmi": name("差评")}
    return Strip(text(TEXT), name("差评"), list(map(text, TOKENS)), sources, predictions)


@pytest.fixture(scope="session")
def findings() -> Findings:
    """Findings of every kind."""
    return make_findings()


@pytest.fixture(scope="session")
def hostile_findings() -> Findings:
    """The same, and everything that others have written ends with everything that is hostile."""
    marks = " ".join(HOSTILE)
    return make_findings(lambda name: f"{name} {marks}", lambda text: f"{text}{marks}")


@pytest.fixture(scope="session")
def holed_findings(findings: Findings) -> Findings:
    """The same without a single number that is finite."""

    def holed(value: object) -> object:
        if isinstance(value, float):
            return math.nan
        if isinstance(value, list):
            return [holed(each) for each in value]
        if isinstance(value, dict):
            return {key: holed(each) for key, each in value.items()}
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
            return dataclasses.replace(value, **holed(fields))
        return value

    return holed(findings)


@pytest.fixture
def only(findings: Findings) -> Callable[..., Findings]:
    """Findings that hold the named lists alone."""

    def keep(*names: str) -> Findings:
        fields = [each.name for each in dataclasses.fields(Findings)]
        lists = [name for name in fields if name not in ("provenance", "resolution")]
        return dataclasses.replace(findings, **{name: [] for name in lists if name not in names})

    return keep
