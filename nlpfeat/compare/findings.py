"""What a comparison found, as typed rows: a report holds them, and rendering only shows them."""

from dataclasses import dataclass, field
from typing import TypeAlias

from nlpfeat.compare.explaining.findings import Agreement, Faithfulness, Omission

Scalar: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True)
class Record:
    """One figure of one run.

    Parameters
    ----------
    model, family : str
    split : int
        Number of the split, from 0.
    seed : int
    size : int
        Training documents that the model was given; the dev part is not among them.
    metric : str
        A key of ``METRICS`` or ``COSTS``.
    value : float
    """

    model: str
    family: str
    split: int
    seed: int
    size: int
    metric: str
    value: float


@dataclass(frozen=True)
class ModelFacts:
    """What a model is, and how its setting was chosen.

    Parameters
    ----------
    name, family, description : str
    settings : str
        All parameters, as text that is the same in every process.
    n_trials : int
        Settings that were tried on the dev part in each run.
    chosen : list of dict
        The setting that each run chose, in the order of splits and seeds.
    """

    name: str
    family: str
    description: str
    settings: str
    n_trials: int
    chosen: list[dict[str, Scalar]] = field(default_factory=list)


@dataclass(frozen=True)
class Estimate:
    """A figure of a model over all its runs at the full size.

    Parameters
    ----------
    model, metric : str
    mean : float
    spread : float or None
        Standard deviation over what ``mean`` is the mean of; None for a single one.
    low, high : float or None
        Interval of 95 %, of resampled documents and runs; None for costs, and for a model that was
        not tested on all documents.
    n_runs : int
        What ``mean`` is the mean of: of a metric repeats and seeds, each with all its folds
        together; of a cost single fits.
    """

    model: str
    metric: str
    mean: float
    spread: float | None
    low: float | None
    high: float | None
    n_runs: int

    @property
    def ends(self) -> tuple[float, float] | None:
        """Both ends of the interval, where it is known."""
        return None if self.low is None or self.high is None else (self.low, self.high)


@dataclass(frozen=True)
class Difference:
    """A model minus another one on the same documents, of the repeats and seeds that both have.

    Parameters
    ----------
    model, reference, metric : str
    value, low, high : float
        ``model`` minus ``reference``, with its interval of 95 %.
    test : str
        Which test gave ``p_value``. Of accuracy on one test part McNemar's: of one run
        "mcnemar exact mid-p" or "mcnemar chi2", of several "mcnemar, 2 × median of" so many, twice
        the median of their p-values; over several splits "corrected t", and over five repeats of
        two folds "5x2cv F". Of any other metric, and of accuracy where two models share a single
        split, "bootstrap": twice the smaller share of resampled documents and runs on one side of
        0.
    p_value, p_holm : float
        Of the test, and after Holm's correction over all differences of the metric.
    p_worse, p_equivalent, p_better : float or None
        Of the Bayesian correlated t-test with the region of practical equivalence; None without
        several splits.
    outcome : {"better", "worse", "equivalent", "undecided"}
    documents_needed : int or None
        When the interval holds 0: about how many test documents a difference of this size takes.
    says_the_same : bool
        Whether both gave the same prediction for every document in all these runs: the same class
        or, where the metric reads them, the same probabilities.
    """

    model: str
    reference: str
    metric: str
    value: float
    low: float
    high: float
    test: str
    p_value: float
    p_holm: float
    p_worse: float | None
    p_equivalent: float | None
    p_better: float | None
    outcome: str
    documents_needed: int | None = None
    says_the_same: bool = False


@dataclass(frozen=True)
class Resolution:
    """What difference the test documents can tell from chance.

    Parameters
    ----------
    n_documents : int
    accuracy : float
        Of the best model.
    disagreement : float
        Share of documents on which two models differ in being right, median over all pairs.
    unpaired : float
        Half width of the interval of 95 % of the accuracy of one model.
    paired : float
        Half width of that of a difference between two models on the same documents.
    equivalence : float
        Half width of the region of practical equivalence: a difference in accuracy within it is
        none that matters.
    """

    n_documents: int
    accuracy: float
    disagreement: float
    unpaired: float
    paired: float
    equivalence: float


@dataclass(frozen=True)
class CalibrationBin:
    """Documents whose highest probability lies in one bin."""

    low: float
    high: float
    n_documents: int
    confidence: float
    accuracy: float


@dataclass(frozen=True)
class Calibration:
    """How far the confidence of a model is its accuracy, before and after temperature scaling."""

    model: str
    temperature: float
    before: list[CalibrationBin]
    after: list[CalibrationBin]


@dataclass(frozen=True)
class CurvePoint:
    """Accuracy of a model that was given fewer training documents.

    Parameters
    ----------
    model : str
    size : int
    mean, low, high : float
        With its interval of 95 %.
    n_runs : int
    seconds : float or None
        Of training, mean over runs; None where nothing was measured.
    """

    model: str
    size: int
    mean: float
    low: float
    high: float
    n_runs: int
    seconds: float | None


@dataclass(frozen=True)
class TuningPoint:
    """What a model would be expected to reach on the dev part with fewer trials.

    Parameters
    ----------
    model : str
    n_trials : int
    accuracy : float
        Expected best accuracy on the dev part of so many of the settings that were tried, the
        default one always among them; mean over runs.
    """

    model: str
    n_trials: int
    accuracy: float


@dataclass(frozen=True)
class PhenomenonScore:
    """Accuracy of a model on one controlled corpus.

    Parameters
    ----------
    phenomenon, title, model : str
    mean, low, high : float
    ceiling : float or None
        What the features of the model can reach at best, where that is known; see docs.
    n_runs : int
    """

    phenomenon: str
    title: str
    model: str
    mean: float
    low: float
    high: float
    ceiling: float | None
    n_runs: int


@dataclass(frozen=True)
class Strip:
    """A document with what each source says of each of its tokens.

    Parameters
    ----------
    text, label : str
    tokens : list of str
    sources : dict of str to list of float
        For each source ("attention of …" and "evidence of …" a model, "tfidf", "pmi") a number a
        token, L of them, signed where the source has a sign.
    predictions : dict of str to str
        What each model says.
    """

    text: str
    label: str
    tokens: list[str]
    sources: dict[str, list[float]]
    predictions: dict[str, str]


@dataclass(frozen=True)
class Provenance:
    """Everything that is needed to do it again.

    Parameters
    ----------
    command : str
        As it was typed; "" from Python.
    corpus : str
        Name of the corpus.
    corpus_hash, split_hash : str
        SHA-256 of texts and labels, and of the documents of each part.
    n_documents, n_duplicates : int
        Documents that took part, and those that were left out because their text stands in another
        part, or twice.
    classes : dict of str to int
        Documents of each class.
    protocol : dict of str to Scalar or list
    versions : dict of str to str
        Of Python, nlpfeat and the packages that take part.
    """

    command: str
    corpus: str
    corpus_hash: str
    split_hash: str
    n_documents: int
    n_duplicates: int
    classes: dict[str, int]
    protocol: dict[str, Scalar | list[Scalar]]
    versions: dict[str, str]


@dataclass(frozen=True)
class Findings:
    """All that a report shows. A list is empty where nothing was asked for."""

    provenance: Provenance
    models: list[ModelFacts]
    records: list[Record]
    estimates: list[Estimate]
    differences: list[Difference]
    resolution: Resolution
    calibration: list[Calibration] = field(default_factory=list)
    curve: list[CurvePoint] = field(default_factory=list)
    faithfulness: list[Faithfulness] = field(default_factory=list)
    agreement: list[Agreement] = field(default_factory=list)
    omission: list[Omission] = field(default_factory=list)
    phenomena: list[PhenomenonScore] = field(default_factory=list)
    strips: list[Strip] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tuning: list[TuningPoint] = field(default_factory=list)
