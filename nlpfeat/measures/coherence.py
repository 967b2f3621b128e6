"""Coherence of topics: how much the top terms of a topic keep company in texts."""

from collections.abc import Iterable, Sequence

import numpy as np

from nlpfeat._names import closest, lookup
from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.counts.cooccurrence import CooccurrenceCounts
from nlpfeat.counts.counting import count_spool
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.measures.coherence_scores import COHERENCES, Coherence, TopicPairs
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.text.batches import Documents
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import Segmenter, as_segmenter
from nlpfeat.text.token_spool import Progress, TextSettings, no_progress, spool_tokens
from nlpfeat.text.vocabulary import Vocabulary

Topics = Iterable[Sequence[str]]


def topic_coherence(
    topics: Topics,
    documents: Documents,
    measure: str = "c_npmi",
    *,
    window: int = 10,
    segmenter: str | Segmenter = "jieba",
    fold_width: bool = True,
    lowercase: bool = True,
    n_jobs: int | None = None,
    progress: Progress = no_progress,
) -> Float64Array:
    """Say how much the top terms of each topic keep company in documents.

    Parameters
    ----------
    topics : iterable of sequences of str
        The top terms of each topic, at least two, the most important first (``u_mass`` reads the
        order). They are folded and lower-cased as tokens are.
    documents : Corpus, or iterable of texts or token lists
        The texts that the topics are held against; blank ones count for nothing.
    measure : {"u_mass", "c_npmi", "c_uci"}, default "c_npmi"
        A name in :data:`COHERENCES`. Values of different measures, windows or texts cannot be
        compared.
    window : int, default 10
        Tokens of a window, which slides by one; a shorter document is one window. ``u_mass``
        counts documents and has no window.
    segmenter : {"jieba", "char", "whitespace"}, Segmenter or callable, default "jieba"
        Must cut as the one that the topics come from. Token lists are taken as they are.
    fold_width, lowercase : bool, default True
        Whether full-width letters and digits, and upper case, make no difference.
    n_jobs : int, default None
        Processes that segment, and threads that count; -1 takes all processors.
    progress : callable
        Called with the step, what is done and what there is to do.

    Returns
    -------
    ndarray of shape (n_topics,), float64
        The mean over all pairs of a topic's terms; never NaN, never infinite.

    Raises
    ------
    InvalidParameterError
        For an unknown measure, a window that cannot be, and topics that are not at least two
        distinct terms each.
    InvalidInputError
        For documents that cannot be used, or that hold no token.

    Notes
    -----
    Tokens that are in no topic keep their places, so that windows are those of the text. gensim's
    ``CoherenceModel`` differs where a term stands twice in a window (it may forget the second),
    takes a document without any token as a window, adds 1e-12 to p(x,y) in NPMI too (a pair never
    seen is then above -1), and gives 0 in ``u_mass`` for a term never seen.

    Source: Röder, Both and Hinneburg (2015).

    Examples
    --------
    >>> documents = [["茶", "叶", "水"], ["茶", "水"], ["山", "路"]]
    >>> topic_coherence([["茶", "水"], ["茶", "山"]], documents)
    array([ 1., -1.])
    >>> topic_coherence([["茶", "叶"]], documents, "u_mass").round(3)
    array([-0.693])
    """
    coherence = lookup(COHERENCES, measure, "measure")
    settings = _settings(coherence, window)
    normalization = Normalization(fold_width, lowercase)
    checked = _checked(topics, normalization)
    n_threads = resolve_n_jobs(n_jobs)
    # A topic may hold punctuation; whatever is in no topic becomes a gap below.
    text_settings = TextSettings(normalization, keep_punctuation=True)
    with spool_tokens(
        documents, as_segmenter(segmenter), text_settings, vocabulary=Vocabulary.build(checked),
        n_jobs=n_jobs, progress=progress,
    ) as spool:  # fmt: skip
        if not spool.n_tokens:
            raise InvalidInputError(
                "The documents hold no token, so no topic can be held against them: nothing but "
                f"blanks was found in {spool.n_documents} documents."
            )
        counts = count_spool(spool, settings, n_threads=n_threads, progress=progress)
    return _coherence(checked, counts, coherence)


def coherence_of_counts(
    topics: Topics, counts: CooccurrenceCounts, measure: str = "c_npmi"
) -> Float64Array:
    """Say how much the top terms of each topic keep company, from counts that are there.

    Parameters
    ----------
    topics : iterable of sequences of str
        The top terms of each topic, spelled as in ``counts.vocabulary``.
    counts : CooccurrenceCounts
        Made with ``counting="windows"``; for ``u_mass`` with ``window="all"`` and
        ``scope="document"``.
    measure : {"u_mass", "c_npmi", "c_uci"}, default "c_npmi"

    Returns
    -------
    ndarray of shape (n_topics,), float64
        As of :func:`topic_coherence`.

    Raises
    ------
    InvalidParameterError
        For an unknown measure, for topics that are not at least two distinct terms each, for
        counts of another kind, and for counts that do not say how often a term or pair occurred.

    Examples
    --------
    >>> from nlpfeat.counts.counting import count_cooccurrences
    >>> documents = [["茶", "叶", "水"], ["茶", "水"], ["山", "路"]]
    >>> counts = count_cooccurrences(documents, window=10, counting="windows")
    >>> coherence_of_counts([["茶", "水"], ["茶", "山"]], counts)
    array([ 1., -1.])
    """
    coherence = lookup(COHERENCES, measure, "measure")
    checked = _checked(topics, Normalization(fold_width=False, lowercase=False))
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
    return _coherence(checked, counts, coherence)


def _settings(coherence: Coherence, window: int) -> CountingSettings:
    window = check_int(window, "window", minimum=1)
    by_window = CountingSettings(window, counting="windows").validate()
    return CountingSettings("all").validate() if coherence.by_document else by_window


def _checked(topics: Topics, normalization: Normalization) -> list[list[str]]:
    """Return the topics as lists of distinct terms."""
    if isinstance(topics, str) or not isinstance(topics, Iterable):
        raise InvalidParameterError(
            f"topics must be a list of topics, each a list of terms. Got {topics!r}."
        )
    checked = []
    for number, topic in enumerate(topics):
        if isinstance(topic, str) or not isinstance(topic, Iterable):
            raise InvalidParameterError(
                f"topics[{number}] must be a list of terms. Got {topic!r}: use a list of lists."
            )
        words = list(topic)
        for word in words:
            if not isinstance(word, str):
                raise InvalidParameterError(f"topics[{number}] must hold strings. Got {word!r}.")
        terms = list(normalization.terms(words))
        twice = [word for place, word in enumerate(words) if terms[place] in terms[:place]]
        if twice:
            raise InvalidParameterError(
                f"topics[{number}] must hold distinct terms. Got {twice[0]!r} a second time "
                "(full-width and upper-case spellings are the same term): leave one out."
            )
        if len(terms) < 2:
            raise InvalidParameterError(
                f"topics[{number}] must hold at least 2 terms. Got {words!r}."
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


def _coherence(
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
    keys = np.append(rows * n_terms + table.indices, np.iinfo(np.int64).max)
    wanted = np.minimum(x, y) * n_terms + np.maximum(x, y)
    places = np.searchsorted(keys, wanted)
    found = (keys[places] == wanted) & (x >= 0) & (y >= 0)
    n_xy: Int64Array = np.where(found, np.append(table.data, 0)[places], 0)
    return n_xy
