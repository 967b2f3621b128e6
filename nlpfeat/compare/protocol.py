"""How models are compared: the rules that hold for all of them alike."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, cast

from nlpfeat._names import lookup
from nlpfeat._validation import check_int, check_real
from nlpfeat.compare.findings import Scalar
from nlpfeat.errors import InvalidParameterError
from nlpfeat.features.document_reader import SegmenterLike
from nlpfeat.text.segmenters import as_segmenter

SPLITS: Mapping[str, str] = {
    "holdout": "one test part, drawn once",
    "folds": "every document is tested once in each repeat",
    "given": "the test documents are a corpus of their own",
}
_LARGEST_SEED = 2**32 - 1
# Between tests of about 2,400 documents, which resolve 1.1 points, and of 10,000, which resolve .5:
# their geometric mean.
_MANY_DOCUMENTS = 5_000
_HALF_A_POINT = 0.005


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """The rules of a comparison: who learns from what, chooses on what, and is tested on what.

    Parameters
    ----------
    split : {"holdout", "folds", "given"}, default "holdout"
        Where test documents come from: a share of the corpus, each of several folds in turn, or a
        corpus that is given to ``compare_models`` as ``test``.
    test_fraction : float, default 0.2
        Of "holdout": the share of the documents, of every class in proportion.
    n_folds, n_repeats : int, default 5 and 1
        Of "folds".
    split_seed : int, default 0
        What draws the test part or the folds. It is not among the seeds: all runs of a split are
        tested on the same documents.
    seeds : sequence of int, default (0, 1, 2)
        One run of every model for each split and seed. A seed draws the dev part, the settings that
        are tried, placebos and all that a model draws, so it varies the training part of models
        that draw nothing, too.
    dev_fraction : float, default 0.1
        Share of the training documents, above 0, on which settings are chosen and the temperature
        is learned; models are fitted on the others. The same ones for all models of a split and
        seed.
    n_trials : int, default 4
        Settings that each model may try in each run: its default one first, then others of its
        grid, drawn without replacement. The chosen model is the one that is tested, and is not
        fitted again with the dev part. On phenomena there is one.
    train_sizes : sequence of int, default ()
        For a learning curve: numbers of training documents, besides all of them. The dev part
        shrinks in proportion.
    segmenter : {"jieba", "char", "whitespace"}, Segmenter or callable, default "jieba"
        Cuts every text, once, for all models.
    equivalence : float or None, default None
        Half width of the region of practical equivalence: a difference in accuracy within it is
        none that matters. None is half a point (0.005) from 5,000 test documents on and one point
        (0.01) below, where an interval hardly ever lies within half a point.
    n_resamples : int, default 10,000
        Of the bootstrap.
    n_explained : int, default 20
        Test documents on which it is measured what models go by; 0 for none.
    time_budget : float or None, default None
        Seconds after which no new run starts. Those that are not done are named in the notes.

    Notes
    -----
    With one seed and one split an interval says nothing of how much a model varies from training to
    training: three seeds are few, five the least for a claim about models that draw.

    Examples
    --------
    >>> Protocol(seeds=(0, 1), n_trials=2).seeds
    (0, 1)
    >>> Protocol(split="fold")
    Traceback (most recent call last):
        ...
    nlpfeat.errors.InvalidParameterError: Protocol.split must be one of 'holdout', 'folds', \
'given'. Got 'fold'. Did you mean 'folds'?
    """

    split: str = "holdout"
    test_fraction: float = 0.2
    n_folds: int = 5
    n_repeats: int = 1
    split_seed: int = 0
    seeds: Sequence[int] = (0, 1, 2)
    dev_fraction: float = 0.1
    n_trials: int = 4
    train_sizes: Sequence[int] = ()
    segmenter: SegmenterLike = "jieba"
    equivalence: float | None = None
    n_resamples: int = 10_000
    n_explained: int = 20
    time_budget: float | None = None

    def __post_init__(self) -> None:
        lookup(SPLITS, self.split, "Protocol.split")
        for name in ("test_fraction", "dev_fraction"):
            _share(getattr(self, name), f"Protocol.{name}")
        check_int(self.n_folds, "Protocol.n_folds", minimum=2)
        for name in ("n_repeats", "n_trials", "n_resamples"):
            check_int(getattr(self, name), f"Protocol.{name}", minimum=1)
        check_int(self.n_explained, "Protocol.n_explained", minimum=0)
        _check_seed(self.split_seed, "Protocol.split_seed")
        self._keep_numbers("seeds", minimum=0)
        self._keep_numbers("train_sizes", minimum=2)
        if not self.seeds:
            raise InvalidParameterError(
                "Protocol.seeds must hold at least one integer, such as (0, 1, 2). Got none."
            )
        for seed in self.seeds:
            _check_seed(seed, "Protocol.seeds")
        if self.equivalence is not None and not (
            0.0 <= check_real(self.equivalence, "Protocol.equivalence (or None)") <= 1.0
        ):
            raise InvalidParameterError(
                f"Protocol.equivalence must be from 0 to 1, or None. Got {self.equivalence!r}."
            )
        if self.time_budget is not None:
            check_real(self.time_budget, "Protocol.time_budget (or None)", above=0.0)
        as_segmenter(self.segmenter)

    def equivalence_for(self, n_documents: int) -> float:
        """Return the half width of the region of practical equivalence.

        Parameters
        ----------
        n_documents : int
            Test documents that models are compared on; of folds all of the corpus.

        Returns
        -------
        float
            ``equivalence`` where it is given.

        Examples
        --------
        >>> Protocol().equivalence_for(10_000), Protocol().equivalence_for(1_200)
        (0.005, 0.01)
        >>> Protocol(equivalence=0.02).equivalence_for(10_000)
        0.02
        """
        if self.equivalence is not None:
            return float(self.equivalence)
        return _HALF_A_POINT if n_documents >= _MANY_DOCUMENTS else 2 * _HALF_A_POINT

    def facts(self) -> dict[str, Scalar | list[Scalar]]:
        """Return all settings, as a report keeps them.

        Examples
        --------
        >>> Protocol(seeds=[3]).facts()["seeds"], Protocol().facts()["segmenter"]
        ([3], 'jieba')
        """
        found: dict[str, Scalar | list[Scalar]] = {}
        for field in fields(self):
            value: Any = getattr(self, field.name)
            if field.name == "segmenter" and not isinstance(value, str):
                value = as_segmenter(value).identity
            found[field.name] = list(value) if isinstance(value, tuple) else value
        return found

    def _keep_numbers(self, name: str, minimum: int) -> None:
        """Store a sequence of different integers as a tuple."""
        given = getattr(self, name)
        if isinstance(given, str | bytes) or not isinstance(given, Sequence):
            raise InvalidParameterError(
                f"Protocol.{name} must be a list of integers, such as (1, 2). Got {given!r}."
            )
        owner = f"Protocol.{name}"
        numbers = tuple(check_int(each, owner, minimum=minimum) for each in given)
        if len(set(numbers)) < len(numbers):
            raise InvalidParameterError(
                f"{owner} must hold different numbers: the same one would only be the same again. "
                f"Got {given!r}."
            )
        object.__setattr__(self, name, numbers)


def _share(value: object, parameter: str) -> None:
    if check_real(value, parameter, above=0.0) >= 1.0:
        raise InvalidParameterError(
            f"{parameter} must be above 0 and below 1. Got {cast('float', value)!r}."
        )


def _check_seed(value: object, parameter: str) -> None:
    if check_int(value, parameter, minimum=0) > _LARGEST_SEED:
        raise InvalidParameterError(f"{parameter} must be at most {_LARGEST_SEED}. Got {value!r}.")
