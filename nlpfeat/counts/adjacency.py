"""Terms that stand side by side again and again, counted: what phrases are found by."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from nlpfeat._typing import BoolArray
from nlpfeat._validation import check_int
from nlpfeat.counts.adjacent_ngrams import AdjacentNgrams, adjacent_ngrams
from nlpfeat.errors import InvalidInputError
from nlpfeat.text.batches import Documents
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import Segmenter, as_segmenter
from nlpfeat.text.stopwords import StopWords, read_stop_words, warn_of_unreachable
from nlpfeat.text.token_spool import Progress, TextSettings, no_progress, spool_tokens
from nlpfeat.text.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class AdjacentTerms:
    """Terms that stand side by side; made by :func:`nlpfeat.count_adjacent_terms`.

    Parameters
    ----------
    vocabulary : Vocabulary
        The terms of the text, to which the ids of the n-grams refer.
    ngrams : tuple of AdjacentNgrams
        The frequent n-grams of 2, 3, … terms, as far as there are any, with what the measures read.
    max_length, min_count : int
        Terms of the longest n-grams that were counted, and occurrences of the rarest.
    n_documents, n_tokens : int
        Size of the text.
    preparation : mapping of str to str
        How the text became terms: segmenter, folding, punctuation, stop words.
    """

    vocabulary: Vocabulary = field(repr=False)
    ngrams: tuple[AdjacentNgrams, ...] = field(repr=False)
    max_length: int
    min_count: int
    n_documents: int
    n_tokens: int
    preparation: Mapping[str, str]


def count_adjacent_terms(
    documents: Documents,
    segmenter: str | Segmenter = "jieba",
    *,
    max_length: int = 3,
    min_count: int = 5,
    stop_words: StopWords = None,
    fold_width: bool = True,
    lowercase: bool = True,
    n_jobs: int | None = None,
    progress: Progress = no_progress,
) -> AdjacentTerms:
    """Count the terms that stand side by side, and what stands beside them, exactly.

    Parameters
    ----------
    documents : Corpus, or iterable of texts or token lists
        Token lists are taken as they are; texts go through the segmenter.
    segmenter : {"jieba", "char", "whitespace"}, Segmenter or callable, default "jieba"
        With ``"char"`` the phrases are words that no dictionary needs to know.
    max_length : int, default 3
        Terms of the longest phrase, at least 2.
    min_count : int, default 5
        Phrases that occur less often are left out; the counts of all others stay what they are.
    stop_words : iterable of str or path, default None
        Terms that become gaps, so that no phrase holds them. As neighbors they count.
    fold_width, lowercase : bool, default True
        Whether full-width letters and digits, and upper case, make no difference.
    n_jobs : int, default None
        Processes that segment; -1 takes all processors.
    progress : callable
        Called with the step, what is done and what there is to do.

    Returns
    -------
    AdjacentTerms
        What :func:`nlpfeat.phrase_table` weighs.

    Raises
    ------
    InvalidParameterError
        For a setting that cannot be.
    InvalidInputError
        For documents that cannot be used, or that hold no token.

    Notes
    -----
    Terms side by side in one sentence are counted; punctuation is a gap, and no n-gram has one
    inside. Counts are exact, however large the text.

    Examples
    --------
    >>> texts = [["学", "人工", "智能"], ["人工", "智能", "好"], ["学", "好"], ["智能", "好"]]
    >>> adjacent = count_adjacent_terms(texts, min_count=2)
    >>> pairs, = adjacent.ngrams
    >>> [adjacent.vocabulary.decode(row) for row in pairs.terms.tolist()], pairs.counts.tolist()
    ([['人工', '智能'], ['智能', '好']], [2, 2])
    """
    max_length = check_int(max_length, "max_length", minimum=2)
    min_count = check_int(min_count, "min_count", minimum=1)
    normalization = Normalization(fold_width, lowercase)
    stopped = read_stop_words(stop_words, normalization)
    segmenter = as_segmenter(segmenter)
    with spool_tokens(
        documents, segmenter, TextSettings(normalization), n_jobs=n_jobs, progress=progress
    ) as spool:
        if not spool.n_tokens:
            raise InvalidInputError(
                "The documents hold no token, so there is no phrase: nothing but blanks was found "
                f"in {spool.n_documents} documents."
            )
        # Stop words stay in the spool, as neighbors are to see them.
        if spool.was_cut:
            warn_of_unreachable(stopped, segmenter)
        ngrams = adjacent_ngrams(
            spool, max_length, min_count, excluded=_excluded(spool.vocabulary, stopped),
            progress=progress,
        )  # fmt: skip
        return AdjacentTerms(
            spool.vocabulary, tuple(ngrams), max_length, min_count, spool.n_documents,
            spool.n_tokens, {**spool.preparation, "stop_words": " ".join(sorted(stopped))},
        )  # fmt: skip


def _excluded(vocabulary: Vocabulary, stopped: frozenset[str]) -> BoolArray:
    excluded = np.zeros(len(vocabulary) + 1, dtype=np.bool_)
    excluded[vocabulary.encode(stopped)] = True  # one that never occurs takes the last entry
    return excluded[:-1]
