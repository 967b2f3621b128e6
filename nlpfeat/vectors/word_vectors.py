"""Words as vectors: look up, compare, save."""

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, BinaryIO

import numpy as np

from nlpfeat import __version__
from nlpfeat._names import closest
from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.io.matrices import load_arrays, save_arrays
from nlpfeat.text.packed_terms import pack_terms, unpack_terms
from nlpfeat.vectors.similarity import FloatMatrix, cosines, ranked, row_norms
from nlpfeat.vectors.text_format import read_vectors, write_vectors

_KIND = "nlpfeat.WordVectors"


@dataclass(frozen=True, eq=False)
class WordVectors:
    """A vector for each term, and how they were made.

    Close vectors mean that two words can stand in each other's place (substitutability), not that
    they mean the same: 好 and 坏 can be close.

    Parameters
    ----------
    terms : tuple of str
        Distinct, in code-point order.
    matrix : ndarray of float32 or float64, shape (n_terms, n_dims)
        Finite; kept as it is, and read-only here.
    term_frequencies : ndarray of int64, shape (n_terms,), or None
        Occurrences of each term in the text, where they are known. Ties of cosines go to the more
        frequent term.
    settings : mapping
        How the vectors were made; what JSON can hold.
    n_tokens : int, default 0
        Size of the text; 0 where it is not known.

    Raises
    ------
    InvalidInputError
        When terms, matrix and frequencies do not fit together, or a number is not finite.

    Examples
    --------
    >>> vectors = WordVectors(("坏", "好", "的"), np.array([[1.0, 2.0], [2.0, 4.0], [2.0, -1.0]]))
    >>> vectors.similarity("好", "坏"), vectors.similarity("好", "的")
    (1.0, 0.0)
    >>> vectors.most_similar("好")
    [('坏', 1.0), ('的', 0.0)]
    >>> "差" in vectors, vectors["的"].tolist()
    (False, [2.0, -1.0])
    """

    terms: tuple[str, ...] = field(repr=False)
    matrix: FloatMatrix = field(repr=False)
    term_frequencies: Int64Array | None = field(default=None, repr=False)
    settings: Mapping[str, Any] = field(default_factory=dict)
    n_tokens: int = 0

    def __post_init__(self) -> None:
        matrix = np.asarray(self.matrix).view()
        if matrix.ndim != 2 or matrix.dtype not in (np.float32, np.float64):
            raise InvalidInputError(
                "matrix must be a table of float32 or float64, one row a term. "
                f"Got {matrix.dtype} of shape {matrix.shape}."
            )
        matrix.setflags(write=False)
        object.__setattr__(self, "matrix", matrix)
        if any(first >= second for first, second in pairwise(self.terms)):
            raise InvalidInputError(
                "terms must be distinct and in code-point order, as sorted(set(terms)) has them."
            )
        counted = self.term_frequencies
        if len(matrix) != len(self.terms) or (counted is not None and len(counted) != len(matrix)):
            raise InvalidInputError(
                f"matrix and term_frequencies must have a row for each of the {len(self.terms)} "
                f"terms. Got {len(matrix)} rows and "
                f"{'no' if counted is None else len(counted)} frequencies."
            )
        if counted is not None and (counted.dtype != np.int64 or counted.ndim != 1):
            raise InvalidInputError(
                "term_frequencies must be int64, one for each term. "
                f"Got {counted.dtype} of shape {counted.shape}."
            )
        if not np.isfinite(self._norms).all():
            row = int(np.flatnonzero(~np.isfinite(self._norms))[0])
            raise InvalidInputError(
                "matrix must hold numbers that are finite, and so must their squares be. "
                f"The row of {self.terms[row]!r} is not."
            )

    def __getstate__(self) -> dict[str, Any]:
        """Return what is given alone, terms as arrays: small and quick to store."""
        return {
            **pack_terms(self.terms),
            "matrix": self.matrix,
            "term_frequencies": self.term_frequencies,
            "settings": self.settings,
            "n_tokens": self.n_tokens,
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what `__getstate__` gave, once it is known to be sound."""
        given = dict(state)
        given["terms"] = unpack_terms(given.pop("text"), given.pop("ends"))
        self.__dict__.update(given)
        self.__post_init__()

    def __repr__(self) -> str:
        """Show the size and the first terms."""
        shown = ", ".join(map(repr, self.terms[:5])) + (", …" if len(self) > 5 else "")
        return f"<WordVectors of {len(self):,} terms, {self.n_dims} dimensions: {shown}>"

    def __len__(self) -> int:
        """Return the number of terms."""
        return len(self.terms)

    def __iter__(self) -> Iterator[str]:
        """Yield the terms."""
        return iter(self.terms)

    def __contains__(self, term: object) -> bool:
        """Tell whether a term has a vector."""
        return term in self._ids

    def __getitem__(self, term: str) -> FloatMatrix:
        """Return the vector of a term, shape (n_dims,), read-only.

        Raises
        ------
        InvalidParameterError
            For an unknown term; the message names the closest.
        """
        row: FloatMatrix = self.matrix[self._id(term)]
        return row

    @property
    def n_dims(self) -> int:
        """Number of dimensions."""
        return int(self.matrix.shape[1])

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {term: number for number, term in enumerate(self.terms)}

    @cached_property
    def _norms(self) -> Float64Array:
        return row_norms(self.matrix)

    def _id(self, term: str) -> int:
        number = self._ids.get(term) if isinstance(term, str) else None
        if number is not None:
            return number
        if not isinstance(term, str):
            raise InvalidParameterError(f"A term must be a string. Got {term!r}.")
        # Comparing with a hundred thousand terms would take seconds.
        alike = (known for known in self.terms if not set(term).isdisjoint(known))
        raise InvalidParameterError(
            f"The term must be one of the {len(self):,} that have a vector. "
            f"Got {term!r}.{closest(term, alike)}"
        )

    def similarity(self, term: str, other: str) -> float:
        """Return the cosine of two terms, in [-1, 1]; 0 when one has the zero vector.

        It tells how well each can stand in the place of the other, not whether they mean the same.

        Raises
        ------
        InvalidParameterError
            For an unknown term.
        """
        number = self._id(term)
        rows = slice(number, number + 1)
        return float(cosines(self.matrix[rows], self._norms[rows], self[other])[0])

    def most_similar(self, term: str | Sequence[str], n: int = 10) -> list[tuple[str, float]]:
        """Return the terms with the highest cosine; the terms asked for are left out.

        Close words can stand in each other's place; they need not mean the same: 好 and 坏 can be
        close.

        Parameters
        ----------
        term : str or sequence of str
            Of several terms, the mean of their vectors, each of length 1, is what others are
            compared with.
        n : int, default 10
            At least 1.

        Returns
        -------
        list of (str, float)
            Highest first; ties by frequency, where it is known, then by code point. Cosines are
            rounded to 12 decimals (6 for float32).

        Raises
        ------
        InvalidParameterError
            For an unknown term, no term, or an ``n`` below 1.
        """
        n = check_int(n, "n", minimum=1)
        asked = [self._id(each) for each in ([term] if isinstance(term, str) else term)]
        if not asked:
            raise InvalidParameterError("most_similar needs at least one term. Got none.")
        lengths = self._norms[asked]
        units = self.matrix[asked] / np.where(lengths > 0, lengths, 1.0)[:, None]
        found = cosines(self.matrix, self._norms, units.mean(axis=0))
        found[asked] = -np.inf
        return [
            (self.terms[number], float(found[number]))
            for number in ranked(found, self.term_frequencies, n).tolist()
        ]

    def save(self, path: str | os.PathLike[str] | BinaryIO) -> None:
        """Write everything to one ``.npz`` file, without pickle; equal vectors give equal bytes.

        Raises
        ------
        InvalidParameterError
            When ``settings`` holds what JSON cannot.
        OutputError
            When the file cannot be written.
        """
        arrays: dict[str, np.ndarray] = {"matrix": self.matrix}
        if self.term_frequencies is not None:
            arrays["term_frequencies"] = self.term_frequencies
        metadata = {
            "kind": _KIND,
            "made_with": f"nlpfeat {__version__}",
            "settings": dict(self.settings),
            "n_tokens": self.n_tokens,
        }
        save_arrays(path, arrays, {"terms": self.terms}, metadata)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "WordVectors":
        """Read what :meth:`save` wrote.

        Raises
        ------
        InvalidInputError
            When the file is not one of these, or damaged.
        """
        arrays, texts, metadata = load_arrays(path)
        if metadata.get("kind") != _KIND:
            raise InvalidInputError(f"{os.fspath(path)} holds no word vectors.")
        try:
            return cls(tuple(texts["terms"]), arrays["matrix"], arrays.get("term_frequencies"),
                       metadata["settings"], metadata["n_tokens"])  # fmt: skip
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInputError(
                f"cannot load {os.fspath(path)!r}: its parts do not fit together ({error}). "
                "Make it again."
            ) from error

    def save_text(self, path: str | os.PathLike[str]) -> None:
        """Write the text format of word2vec, which most tools read; ``.gz`` compresses.

        UTF-8; the first line holds the numbers of terms and dimensions, every other line a term
        and its numbers, between single spaces. The most frequent terms come first, since many
        readers stop after so many lines. Numbers read back equal. The format has no place for
        frequencies and settings.

        Raises
        ------
        InvalidParameterError
            For a term that holds white space: nothing could tell it from two.
        OutputError
            When the file cannot be written.
        """
        order = np.arange(len(self))
        if self.term_frequencies is not None:
            order = np.argsort(-self.term_frequencies, kind="stable")
        write_vectors(os.fspath(path), [self.terms[i] for i in order.tolist()], self.matrix, order)

    @classmethod
    def load_text(cls, path: str | os.PathLike[str], *, dtype: str = "float32") -> "WordVectors":
        """Read the text format of word2vec, such as published vectors have; also compressed.

        Parameters
        ----------
        path : path
            May end in .gz, .bz2, .xz or .zst.
        dtype : {"float32", "float64"}, default "float32"

        Raises
        ------
        InvalidInputError
            When the file is damaged; the message names the line.
        """
        terms, matrix = read_vectors(os.fspath(path), dtype)
        order = sorted(range(len(terms)), key=terms.__getitem__)
        return cls(tuple(terms[i] for i in order), matrix[order])
