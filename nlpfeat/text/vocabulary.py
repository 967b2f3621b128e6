"""The terms of a corpus and their ids."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256

import numpy as np

from nlpfeat._typing import Int32Array, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.text.packed_terms import pack_terms, unpack_terms
from nlpfeat.text.token_ids import GAP


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Immutable map between terms and ids, with frequencies; ids follow the code points.

    Because the order depends on the terms alone, two runs over the same text give the same ids,
    whatever the number of processes and the order of the documents.

    Parameters
    ----------
    terms : tuple of str
        Distinct, in code-point order; the id of a term is its place.
    term_frequencies : ndarray of int64, shape (n_terms,)
        Occurrences of each term in the corpus.
    document_frequencies : ndarray of int64, shape (n_terms,)
        Documents that hold each term.

    Examples
    --------
    >>> vocabulary = Vocabulary.build([["天气", "好"], ["好", "好"]])
    >>> vocabulary.terms, vocabulary.term_frequencies.tolist()
    (('天气', '好'), [1, 3])
    >>> vocabulary.encode(["好", "坏"]).tolist()
    [1, -1]
    """

    terms: tuple[str, ...] = field(repr=False)
    term_frequencies: Int64Array = field(repr=False)
    document_frequencies: Int64Array = field(repr=False)

    @classmethod
    def build(cls, documents: Iterable[Sequence[str]]) -> "Vocabulary":
        """Count the tokens of documents, each a sequence of terms."""
        terms: dict[str, int] = {}
        occurrences: list[int] = []
        documents_with: list[int] = []
        for document in documents:
            for term in document:
                number = terms.setdefault(term, len(occurrences))
                if number == len(occurrences):
                    occurrences.append(0)
                    documents_with.append(0)
                occurrences[number] += 1
            for term in set(document):
                documents_with[terms[term]] += 1
        return cls.from_counts(list(terms), np.array(occurrences), np.array(documents_with))[0]

    @classmethod
    def from_counts(
        cls, terms: Sequence[str], term_frequencies: Int64Array, document_frequencies: Int64Array
    ) -> tuple["Vocabulary", Int32Array]:
        """Sort terms in any order into a vocabulary.

        Returns
        -------
        vocabulary : Vocabulary
            Of the terms that occur.
        ids : ndarray of int32, shape (n_terms,)
            The id of each given term; :data:`GAP` for one that never occurs.
        """
        occurring = np.flatnonzero(term_frequencies).tolist()
        order = np.array(sorted(occurring, key=terms.__getitem__), dtype=np.int64)
        ids = np.full(len(terms), GAP, dtype=np.int32)
        ids[order] = np.arange(len(order), dtype=np.int32)
        vocabulary = cls(
            tuple(terms[index] for index in order.tolist()),
            term_frequencies[order].astype(np.int64),
            document_frequencies[order].astype(np.int64),
        )
        return vocabulary, ids

    def __getstate__(self) -> dict[str, np.ndarray]:
        """Return arrays alone, without what is derived from them: small and quick to store."""
        return {
            **pack_terms(self.terms),
            "term_frequencies": self.term_frequencies,
            "document_frequencies": self.document_frequencies,
        }

    def __setstate__(self, state: dict[str, np.ndarray]) -> None:
        """Take what `__getstate__` gave, once it is known to be sound."""
        terms = unpack_terms(state["text"], state["ends"])
        frequencies = {name: state[name] for name in ("term_frequencies", "document_frequencies")}
        terms_shape = (len(terms),)
        for name, counted in frequencies.items():
            if counted.dtype != np.int64 or counted.shape != terms_shape or (counted < 0).any():
                raise InvalidInputError(
                    f"{name} of a vocabulary must be {len(terms)} integers that are at least 0."
                )
        self.__dict__.update(terms=terms, **frequencies)

    def __repr__(self) -> str:
        """Show the first terms and their number."""
        shown = ", ".join(map(repr, self.terms[:5])) + (", …" if len(self) > 5 else "")
        return f"<Vocabulary of {len(self):,} terms: {shown}>"

    def __len__(self) -> int:
        """Return the number of terms."""
        return len(self.terms)

    def __eq__(self, other: object) -> bool:
        """Two vocabularies are equal when terms and frequencies are."""
        return (
            isinstance(other, Vocabulary)
            and self.terms == other.terms
            and np.array_equal(self.term_frequencies, other.term_frequencies)
            and np.array_equal(self.document_frequencies, other.document_frequencies)
        )

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of each term, as plain ints."""
        return {term: number for number, term in enumerate(self.terms)}

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the terms in order: equal when, and only when, ids mean the same."""
        # With their lengths, since a term may hold whatever could separate terms.
        joined = "".join(f"{len(term)}:{term}" for term in self.terms)
        return sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()

    def encode(self, tokens: Iterable[str]) -> Int32Array:
        """Return the id of each token, :data:`GAP` for one that is not a term."""
        get = self.ids.get
        return np.array([get(token, GAP) for token in tokens], dtype=np.int32)

    def decode(self, ids: Iterable[int]) -> list[str | None]:
        """Return the term of each id, None for a gap."""
        return [None if number == GAP else self.terms[number] for number in ids]

    def prune(self, *, min_count: int = 1, max_terms: int | None = None) -> "Vocabulary":
        """Keep the terms that occur at least ``min_count`` times, and the most frequent of them.

        Parameters
        ----------
        min_count : int, default 1
        max_terms : int, default None
            Ties are broken by code point, so the result does not depend on the documents' order.

        Raises
        ------
        InvalidParameterError
            When no term is left.
        """
        check_int(min_count, "min_count", minimum=1)
        kept = np.flatnonzero(self.term_frequencies >= min_count)
        if max_terms is not None:
            check_int(max_terms, "max_terms", minimum=1)
            by_frequency = np.argsort(-self.term_frequencies[kept], kind="stable")
            kept = np.sort(kept[by_frequency[:max_terms]])
        if len(kept) == len(self):
            return self
        if not len(kept):
            raise InvalidParameterError(
                f"No term occurs at least {min_count} times; the most frequent one occurs "
                f"{self.term_frequencies.max()} times. Lower the least term count "
                "(--min-term-count, min_term_count)."
            )
        return self.take(kept)

    def take(self, ids: Int64Array) -> "Vocabulary":
        """Return the vocabulary of some ids, which must be in order."""
        return Vocabulary(
            tuple(self.terms[number] for number in ids.tolist()),
            self.term_frequencies[ids],
            self.document_frequencies[ids],
        )

    def counted_over(self, other: "Vocabulary") -> "Vocabulary":
        """Return the terms of another vocabulary with the frequencies that they have here.

        Examples
        --------
        >>> here = Vocabulary.build([["好", "好"]])
        >>> here.counted_over(Vocabulary.build([["坏", "好"]])).term_frequencies.tolist()
        [0, 2]
        """
        # A term that is not here looks up the last entry, which is 0.
        places = self.positions_of(other)
        return Vocabulary(
            other.terms,
            np.append(self.term_frequencies, 0)[places],
            np.append(self.document_frequencies, 0)[places],
        )

    def holds(self, other: "Vocabulary") -> bool:
        """Tell whether every term of another vocabulary is here."""
        return self.ids.keys() >= set(other.terms)

    def positions_of(self, other: "Vocabulary") -> Int32Array:
        """Return the id here of each term of another vocabulary, :data:`GAP` where it has none."""
        return self.encode(other.terms)

    def merge(self, other: "Vocabulary") -> "Vocabulary":
        """Return the vocabulary of both corpora together; frequencies add up.

        Examples
        --------
        >>> merged = Vocabulary.build([["好"]]).merge(Vocabulary.build([["坏", "好"]]))
        >>> merged.terms, merged.document_frequencies.tolist()
        (('坏', '好'), [1, 2])
        """
        terms = tuple(sorted({*self.terms, *other.terms}))
        result = Vocabulary(terms, np.zeros(len(terms), np.int64), np.zeros(len(terms), np.int64))
        for part in (self, other):
            places = result.positions_of(part)
            result.term_frequencies[places] += part.term_frequencies
            result.document_frequencies[places] += part.document_frequencies
        return result
