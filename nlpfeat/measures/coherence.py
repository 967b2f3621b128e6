"""Coherence of topics: how much the top terms of a topic keep company in texts."""

from collections.abc import Iterable, Sequence, Set

import numpy as np

from nlpfeat._names import closest, lookup
from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat.counts.cooccurrence import CooccurrenceCounts
from nlpfeat.counts.sorted_keys import find, joined_keys
from nlpfeat.errors import InvalidParameterError
from nlpfeat.measures.coherence_scores import COHERENCES, Coherence, TopicPairs
from nlpfeat.text.vocabulary import Vocabulary

Topics = Iterable[Sequence[str]]


def topic_coherence(
    topics: Topics, counts: CooccurrenceCounts, measure: str = "c_npmi"
) -> Float64Array:
    """Say how much the top terms of each topic keep company, from counts of their pairs.

    Parameters
    ----------
    topics : iterable of sequences of str
        The top terms of each topic, at least two, the most important first (``u_mass`` reads the
        order). Spelled as in ``counts.vocabulary``.
    counts : CooccurrenceCounts
        Made with ``counting="windows"``; for ``u_mass`` with ``window="all"`` and
        ``scope="document"``. The terms of the topics are enough, see the example. Punctuation
        keeps its place in windows; as a term of a topic it needs ``keep_punctuation=True``.
    measure : {"u_mass", "c_npmi", "c_uci"}, default "c_npmi"
        A name in :data:`COHERENCES`. Values of different measures, windows or texts cannot be
        compared.

    Returns
    -------
    ndarray of shape (n_topics,), float64
        The mean over all pairs of a topic's terms; never NaN, never infinite.

    Raises
    ------
    InvalidParameterError
        For an unknown measure, for topics that are not at least two distinct terms each, for
        counts of another kind, and for counts that do not say how often a term or pair occurred.

    Notes
    -----
    gensim's ``CoherenceModel`` differs where a term stands twice in a window (it may forget the
    second), takes a document without any token as a window, adds 1e-12 to p(x,y) in NPMI too (a
    pair never seen is then above -1), and gives 0 in ``u_mass`` for a term never seen.

    Source: Röder, Both and Hinneburg (2015).

    Examples
    --------
    Windows of 10 tokens that slide by one; a shorter document is one window. Only the terms of the
    topics are looked for, which is quick:

    >>> from nlpfeat.counts.counting import count_cooccurrences
    >>> from nlpfeat.text.vocabulary import Vocabulary
    >>> topics = [["茶", "水"], ["茶", "山"]]
    >>> documents = [["茶", "叶", "水"], ["茶", "水"], ["山", "路"]]
    >>> terms = {"vocabulary": Vocabulary.build(topics), "keep_punctuation": True}
    >>> counts = count_cooccurrences(documents, window=10, counting="windows", **terms)
    >>> topic_coherence(topics, counts)
    array([ 1., -1.])

    ``u_mass`` counts whole documents:

    >>> counts = count_cooccurrences(documents, window="all", **terms)
    >>> topic_coherence([["水", "茶"], ["山", "茶"]], counts, "u_mass").round(3)
    array([  0.   , -26.532])
    """
    coherence = lookup(COHERENCES, measure, "measure")
    checked = _checked(topics)
    settings = counts.settings
    usable = settings.counting == "windows"
    if coherence.by_document:
        usable = settings.is_presence and settings.scope == "document"
    if not usable:
        needed = "window='all', scope='document'" if coherence.by_document else "counting='windows'"
        raise InvalidParameterError(
            f"{measure} needs counts made with {needed}. Got counts with window="
            f"{settings.window!r}, scope={settings.scope!r}, counting={settings.counting!r}."
        )
    if counts.min_count > 1:
        raise InvalidParameterError(
            "counts must hold every pair that occurs, or a rare pair is taken for one never seen. "
            f"Got counts with min_count={counts.min_count}: count with min_count=1."
        )
    if not counts.complete_vocabulary:
        _check_known(checked, counts.vocabulary)
    return _means(checked, counts, coherence)


def _checked(topics: Topics) -> list[list[str]]:
    """Return the topics as lists of distinct terms."""
    if isinstance(topics, str) or not isinstance(topics, Iterable):
        raise InvalidParameterError(
            f"topics must be a list of topics, each a list of terms. Got {topics!r}."
        )
    checked = []
    for number, topic in enumerate(topics):
        if isinstance(topic, str | Set) or not isinstance(topic, Iterable):
            raise InvalidParameterError(
                f"topics[{number}] must be a list of terms. Got {topic!r}: use a list of lists."
            )
        terms = list(topic)
        for place, term in enumerate(terms):
            if not isinstance(term, str):
                raise InvalidParameterError(f"topics[{number}] must hold strings. Got {term!r}.")
            if term in terms[:place]:
                raise InvalidParameterError(
                    f"topics[{number}] must hold distinct terms. Got {term!r} a second time: "
                    "leave one out."
                )
        if len(terms) < 2:
            raise InvalidParameterError(
                f"topics[{number}] must hold at least 2 terms. Got {terms!r}."
            )
        checked.append(terms)
    return checked


def _check_known(topics: list[list[str]], vocabulary: Vocabulary) -> None:
    for topic in topics:
        for term in topic:
            if term not in vocabulary.ids:
                raise InvalidParameterError(
                    f"{term!r} is not in the vocabulary of the counts, from which terms were left "
                    "out, so nobody can tell how often it occurs. Count with a vocabulary that "
                    f"has it.{closest(term, vocabulary.ids)}"
                )


def _means(
    topics: list[list[str]], counts: CooccurrenceCounts, coherence: Coherence
) -> Float64Array:
    """Return the mean score of each topic's pairs."""
    places = [counts.vocabulary.encode(topic) for topic in topics]
    # np.tril_indices gives each term, from the second on, with every term before it.
    corners = [np.tril_indices(len(topic), -1) for topic in topics]
    x = np.concatenate([np.empty(0, np.int64), *(p[c[0]] for p, c in zip(places, corners))])
    y = np.concatenate([np.empty(0, np.int64), *(p[c[1]] for p, c in zip(places, corners))])
    # A term that is not there looks up the last entry, which is 0.
    margin = np.append(counts.x_margins[0], 0)
    pairs = TopicPairs(_cells(counts, x, y), margin[x], margin[y], int(counts.totals[0]))
    scores = coherence.function(pairs)
    ends = np.cumsum([len(corner[0]) for corner in corners], dtype=np.int64)
    return np.array([part.mean() for part in np.split(scores, ends)[: len(topics)]])


def _cells(counts: CooccurrenceCounts, x: Int64Array, y: Int64Array) -> Int64Array:
    """Return the counts of pairs of ids, 0 for a pair that has none."""
    table = counts.pairs
    n_terms = table.shape[0]
    rows = np.repeat(np.arange(n_terms, dtype=np.int64), np.diff(table.indptr))
    keys = joined_keys((rows, n_terms), (table.indices, n_terms))
    is_known = (x >= 0) & (y >= 0)
    n_xy = np.zeros(len(x), dtype=np.int64)
    low, high = np.minimum(x, y)[is_known], np.maximum(x, y)[is_known]
    # A pair that is not there has the place -1: it looks up the last entry, which is 0.
    places = find(keys, joined_keys((low, n_terms), (high, n_terms)))
    n_xy[is_known] = np.append(table.data, 0)[places]
    return n_xy
