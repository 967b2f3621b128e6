"""Phrases straight from their definition, by loops over sentences and strings.

Nothing of ``nlpfeat`` is used. A sentence is a list of terms, ``None`` where a token is a gap.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence

from cooccurrence_oracle import COMMA, END

Sentence = Sequence[str | None]


def sentences_of(texts: Sequence[Sequence[str]]) -> list[list[str | None]]:
    """Cut token lists after 。 and at their ends, punctuation being gaps."""
    sentences: list[list[str | None]] = []
    for tokens in texts:
        sentence: list[str | None] = []
        for token in tokens:
            sentence.append(None if token in (COMMA, END) else token)
            if token == END:
                sentences.append(sentence)
                sentence = []
        sentences.append(sentence)
    return sentences


def occurrences_of(
    sentences: Sequence[Sentence], length: int, stopped: Collection[str] = ()
) -> dict[tuple[str, ...], list[tuple[str | None, str | None]]]:
    """Return what stands before and after each occurrence of each n-gram; None is no term."""
    found = defaultdict(list)
    for sentence in sentences:
        for start in range(len(sentence) - length + 1):
            words = tuple(sentence[start : start + length])
            if all(word is not None and word not in stopped for word in words):
                before = sentence[start - 1] if start else None
                after = sentence[start + length] if start + length < len(sentence) else None
                found[words].append((before, after))
    return dict(found)


def margins_of(counts: dict[tuple[str, ...], int], words: tuple[str, ...], split: int):
    """Return n_x and n_y of a phrase split after so many terms, among all n-grams."""
    n_x = sum(n for other, n in counts.items() if other[:split] == words[:split])
    n_y = sum(n for other, n in counts.items() if other[split:] == words[split:])
    return n_x, n_y


def npmi(n_xy: int, n_x: int, n_y: int, total: int) -> float:
    """Return NPMI, and 1 for a pair that is all there is."""
    if n_xy == total:
        return 1.0
    return math.log(n_xy * total / (n_x * n_y)) / -math.log(n_xy / total)


def g2(n_xy: int, n_x: int, n_y: int, total: int) -> float:
    """Return G2 with the sign of observed minus expected."""
    observed = [n_xy, n_x - n_xy, n_y - n_xy, total - n_x - n_y + n_xy]
    margins = [(n_x, n_y), (n_x, total - n_y), (total - n_x, n_y), (total - n_x, total - n_y)]
    half = sum(o * math.log(o * total / (a * b)) for o, (a, b) in zip(observed, margins) if o)
    return math.copysign(2 * half, n_xy * total - n_x * n_y)


def entropy(beside: Sequence[str | None]) -> float:
    """Return the entropy of neighbors in bits, each None being unlike any other."""
    named = [number if term is None else term for number, term in enumerate(beside)]
    shares = [n / len(named) for n in Counter(named).values()]
    return -sum(share * math.log2(share) for share in shares)


def rows_of(
    texts: Sequence[Sequence[str]], max_length: int, min_count: int, stopped: Collection[str] = ()
) -> dict[str, tuple[float, ...]]:
    """Return n_terms, count, npmi, g2 and both entropies of each phrase."""
    rows = {}
    for length in range(2, max_length + 1):
        found = occurrences_of(sentences_of(texts), length, stopped)
        counts = {words: len(places) for words, places in found.items()}
        total = sum(counts.values())
        for words, n in counts.items():
            if n < min_count:
                continue
            splits = [margins_of(counts, words, split) for split in range(1, length)]
            before, after = zip(*found[words])
            rows[" ".join(words)] = (
                length,
                n,
                min(npmi(n, n_x, n_y, total) for n_x, n_y in splits),
                min(g2(n, n_x, n_y, total) for n_x, n_y in splits),
                entropy(before),
                entropy(after),
            )
    return rows
