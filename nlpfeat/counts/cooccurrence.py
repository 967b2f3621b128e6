"""Exact co-occurrence counts, and how they were made."""

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from nlpfeat import __version__
from nlpfeat._optional import missing_dependency
from nlpfeat._typing import Int32Array, Int64Array, NumberArray
from nlpfeat._validation import check_int
from nlpfeat.counts.indices import with_fitting_indices
from nlpfeat.counts.pair_cells import PairCells
from nlpfeat.counts.settings import CountingSettings
from nlpfeat.counts.stored_counts import check_stored, stored_slice
from nlpfeat.errors import InvalidInputError, VocabularyMismatchError
from nlpfeat.io.matrices import load_arrays, save_arrays
from nlpfeat.text.segmenters.found_names import UNIDENTIFIED
from nlpfeat.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    import pandas as pd
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class CooccurrenceCounts:
    """A table of pairs with its margins; made by :func:`nlpfeat.count_cooccurrences`.

    Counts are whole numbers (int64), one table for each distance where pairs are weighted, so that
    they merge exactly; weights are applied when the table is read.

    Parameters
    ----------
    settings : CountingSettings
    vocabulary : Vocabulary
        Rows and columns of the table.
    slices : tuple of csr_array of int64, shape (n_terms, n_terms)
        The pairs; one slice, or one for each distance of a weighted window. Where order does not
        count (``direction="both"``), a pair stands once, above the diagonal or on it.
    x_margins, y_margins : ndarray of int64, shape (n_slices, n_terms)
        Margins of each slice before pruning.
    totals : ndarray of int64, shape (n_slices,)
        N of each slice.
    min_count : int, default 1
        Pairs that occur less often were left out.
    highest : int, default 0
        The count of the most frequent pair, left-out pairs included.
    n_documents, n_tokens : int
        Size of the text.
    complete_vocabulary : bool, default True
        Whether every term of the text is in the vocabulary.
    preparation : mapping of str to str
        How the text became terms: segmenter, folding, punctuation, stop words.
    """

    settings: CountingSettings
    vocabulary: Vocabulary = field(repr=False)
    slices: tuple["csr_array", ...] = field(repr=False)
    x_margins: Int64Array = field(repr=False)
    y_margins: Int64Array = field(repr=False)
    totals: Int64Array = field(repr=False)
    min_count: int = 1
    highest: int = 0
    n_documents: int = 0
    n_tokens: int = 0
    complete_vocabulary: bool = True
    preparation: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def pairs(self) -> "csr_array":
        """The counted pairs, shape (n_terms, n_terms): n_xy, weighted where a weighting was given.

        Without order each pair stands once, in the upper triangle, and the diagonal holds the
        number of pairs of a term with itself (half of what :attr:`matrix` holds there).
        """
        weights = self.settings.weights
        if weights is None:
            return self.slices[0]
        table = self.slices[0] * weights[0]
        for weight, part in zip(weights[1:].tolist(), self.slices[1:]):
            table = table + part * weight
        table.eliminate_zeros()
        return with_fitting_indices(table)

    @cached_property
    def matrix(self) -> "csr_array":
        """C[x, y] as docs/definitions.md has it: the full table, symmetric without order."""
        if not self.settings.is_symmetric:
            return self.pairs
        full = self.pairs + self.pairs.T.tocsr()
        full.sort_indices()
        return with_fitting_indices(full)

    @property
    def _diagonal_factor(self) -> int:
        """How often the full table holds a pair of a term with itself."""
        return 2 if self.settings.is_symmetric else 1

    @property
    def x_margin(self) -> NumberArray:
        """n_x, shape (n_terms,): row sums of the table before pruning."""
        return self._weigh(self.x_margins)

    @property
    def y_margin(self) -> NumberArray:
        """n_y, shape (n_terms,): column sums of the table before pruning."""
        return self._weigh(self.y_margins)

    @property
    def total(self) -> int | float:
        """N: the sum of the table before pruning, or the number of windows or units."""
        total: int | float = self._weigh(self.totals[:, None])[0].item()
        return total

    def _weigh(self, per_slice: Int64Array) -> NumberArray:
        weights = self.settings.weights
        if weights is None:
            whole: Int64Array = per_slice[0]
            return whole
        # One slice after the other, so that the sum never depends on how NumPy groups it.
        result = np.zeros(per_slice.shape[1])
        for weight, part in zip(weights.tolist(), per_slice):
            result += weight * part
        return result

    def cells(self) -> PairCells:
        """Return the cells of :attr:`matrix`, in its order: what the measures read."""
        return self._cells_of(self.matrix, self.matrix.data)

    def pair_cells(self) -> tuple[Int64Array, Int64Array, PairCells]:
        """Return each counted pair once: ids of x, ids of y, and the cells.

        The cell of a pair of a term with itself is the one of :attr:`matrix`: without order it
        holds each such pair twice.
        """
        x, y = _coordinates(self.pairs)
        n_xy = np.where(x == y, self._diagonal_factor, 1) * self.pairs.data
        return x, y, self._cells_of(self.pairs, n_xy)

    def _cells_of(self, table: "csr_array", n_xy: NumberArray) -> PairCells:
        x, y = _coordinates(table)
        y_margin = self.y_margin
        return PairCells(
            n_xy=n_xy,
            n_x=self.x_margin[x],
            n_y=y_margin[y],
            total=self.total,
            twice=x == y if self.settings.is_symmetric else None,
            y_margin=y_margin,
            contingency=self.settings.counting != "textgcn",
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return a pandas data frame with the columns x, y, n_xy, n_x, n_y, one row a pair.

        Raises
        ------
        MissingDependencyError
            Without pandas.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise missing_dependency("pandas", "parquet", "to_frame()") from error
        x, y, cells = self.pair_cells()
        terms = np.array(self.vocabulary.terms, dtype=object)
        return pd.DataFrame(
            {"x": terms[x], "y": terms[y], "n_xy": cells.n_xy, "n_x": cells.n_x, "n_y": cells.n_y}
        )

    def merge(self, other: "CooccurrenceCounts") -> "CooccurrenceCounts":
        """Return the counts of both texts together, equal to counting them as one.

        Raises
        ------
        VocabularyMismatchError
            When the counts were made with other settings, or when something was pruned from one
            of them, so that the sum would not be exact.
        """
        self._check_mergeable(other)
        vocabulary = self.vocabulary.merge(other.vocabulary)
        ours, theirs = self._over(vocabulary), other._over(vocabulary)
        slices = tuple(a + b for a, b in zip(ours.slices, theirs.slices))
        return replace(
            ours,
            slices=slices,
            x_margins=ours.x_margins + theirs.x_margins,
            y_margins=ours.y_margins + theirs.y_margins,
            totals=self.totals + other.totals,
            highest=_highest(slices),
            n_documents=self.n_documents + other.n_documents,
            n_tokens=self.n_tokens + other.n_tokens,
            complete_vocabulary=self.complete_vocabulary and other.complete_vocabulary,
        )

    def _check_mergeable(self, other: "CooccurrenceCounts") -> None:
        ours = {**_saved_settings(self.settings), **self.preparation}
        theirs = {**_saved_settings(other.settings), **other.preparation}
        for name, value in ours.items():
            if value != theirs.get(name):
                raise VocabularyMismatchError(
                    f"Counts with different settings cannot be merged: {name} is {value!r} here "
                    f"and {theirs.get(name)!r} there."
                )
        if UNIDENTIFIED in str(self.preparation.get("segmenter")):
            raise VocabularyMismatchError(
                "Counts cut by a function without a name, or by an object that does not show its "
                "settings, cannot be merged, since nothing tells it from another. Give a function "
                "at the top of a module, or a Segmenter whose repr shows its settings. "
                f"Got {self.preparation['segmenter']}."
            )
        if self.min_count > 1 or other.min_count > 1:
            raise VocabularyMismatchError(
                "Counts whose rare pairs were left out cannot be merged exactly. Count with "
                "min_count=1, merge, and prune afterwards."
            )
        complete = self.complete_vocabulary and other.complete_vocabulary
        if not complete and self.vocabulary.fingerprint != other.vocabulary.fingerprint:
            raise VocabularyMismatchError(
                "Counts over different pruned vocabularies cannot be merged exactly. Count both "
                "with the same vocabulary=, or without pruning terms."
            )

    def _over(self, vocabulary: Vocabulary) -> "CooccurrenceCounts":
        """Return the same counts with the rows and columns of a larger vocabulary."""
        places = vocabulary.positions_of(self.vocabulary)
        margins = np.zeros((2, len(self.slices), len(vocabulary)), dtype=np.int64)
        margins[0][:, places] = self.x_margins
        margins[1][:, places] = self.y_margins
        slices = tuple(_reindexed(part, places, len(vocabulary)) for part in self.slices)
        return replace(self, vocabulary=vocabulary, slices=slices,
                       x_margins=margins[0], y_margins=margins[1])  # fmt: skip

    def prune(self, min_count: int) -> "CooccurrenceCounts":
        """Leave out the pairs that occur less than ``min_count`` times; margins stay."""
        min_count = check_int(min_count, "min_count", minimum=1)
        return replace(self, slices=pruned(self.slices, min_count),
                       min_count=max(min_count, self.min_count))  # fmt: skip

    def save(self, path: str | os.PathLike[str] | BinaryIO) -> None:
        """Write counts, margins, vocabulary and settings to one ``.npz`` file, without pickle."""
        arrays: dict[str, np.ndarray] = {
            "x_margins": self.x_margins,
            "y_margins": self.y_margins,
            "totals": self.totals,
            "term_frequencies": self.vocabulary.term_frequencies,
            "document_frequencies": self.vocabulary.document_frequencies,
        }
        for number, part in enumerate(self.slices):
            arrays |= {
                f"slice_{number}_data": part.data,
                f"slice_{number}_indices": part.indices,
                f"slice_{number}_indptr": part.indptr,
            }
        metadata = {
            "kind": _KIND,
            "made_with": f"nlpfeat {__version__}",
            "settings": _saved_settings(self.settings),
            "n_slices": len(self.slices),
            **{name: getattr(self, name) for name in _SAVED},
        }
        save_arrays(path, arrays, {"terms": self.vocabulary.terms}, metadata)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "CooccurrenceCounts":
        """Read what :meth:`save` wrote.

        Raises
        ------
        InvalidInputError
            When the file is not one of these, or damaged.
        """
        arrays, texts, metadata = load_arrays(path)
        if metadata.get("kind") != _KIND:
            raise InvalidInputError(f"{os.fspath(path)} holds no co-occurrence counts.")
        try:
            return _loaded(arrays, tuple(texts["terms"]), metadata)
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidInputError(
                f"cannot load {os.fspath(path)!r}: its parts do not fit together ({error}). "
                "Make it again."
            ) from error


_KIND = "nlpfeat.CooccurrenceCounts"
_SAVED = (
    "min_count", "highest", "n_documents", "n_tokens", "complete_vocabulary", "preparation",
)  # fmt: skip


def _saved_settings(settings: CountingSettings) -> dict[str, object]:
    saved = asdict(settings)
    if not isinstance(settings.weighting, str):
        weights = settings.weights
        saved["weighting"] = [] if weights is None else weights.tolist()
    return saved


def _loaded(
    arrays: dict[str, np.ndarray], terms: tuple[str, ...], metadata: dict[str, Any]
) -> CooccurrenceCounts:
    saved = dict(metadata["settings"])
    if isinstance(saved["weighting"], list):
        saved["weighting"] = tuple(saved["weighting"])
    settings = CountingSettings(**saved).validate()
    check_stored(arrays, terms, metadata, settings)
    slices = tuple(
        stored_slice(arrays, number, len(terms), is_symmetric=settings.is_symmetric)
        for number in range(metadata["n_slices"])
    )
    return CooccurrenceCounts(
        settings,
        Vocabulary(terms, arrays["term_frequencies"], arrays["document_frequencies"]),
        slices,
        arrays["x_margins"],
        arrays["y_margins"],
        arrays["totals"],
        **{name: metadata[name] for name in _SAVED},
    )


def _coordinates(table: "csr_array") -> tuple[Int64Array, Int64Array]:
    rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    return rows, table.indices


def _reindexed(table: "csr_array", places: Int32Array, n_terms: int) -> "csr_array":
    from scipy.sparse import csr_array

    x, y = _coordinates(table)
    moved = csr_array((table.data, (places[x], places[y])), shape=(n_terms, n_terms))
    moved.sum_duplicates()
    return with_fitting_indices(moved)


def pruned(slices: tuple["csr_array", ...], min_count: int) -> tuple["csr_array", ...]:
    """Return the slices without the pairs whose unweighted count is below ``min_count``."""
    if min_count <= 1:
        return slices
    together = sum(slices[1:], slices[0])
    kept = together.copy()
    kept.data = (kept.data >= min_count).astype(np.int64)
    kept.eliminate_zeros()
    result = []
    for part in slices:
        remaining = part.multiply(kept).tocsr()
        remaining.sort_indices()
        result.append(with_fitting_indices(remaining))
    return tuple(result)


def _highest(slices: tuple["csr_array", ...]) -> int:
    return int(sum(slices[1:], slices[0]).data.max(initial=0))
