"""What the catalog of metrics says about each of them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, Union

from numpy.typing import ArrayLike

from nlpfeat._typing import BoolArray, Float64Array, Int64Array

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Terms: TypeAlias = Union[BoolArray, Float64Array, "csr_array"]


@dataclass(frozen=True)
class DocumentSums:
    """How a metric comes from sums over documents, so that resampling is a matrix product.

    Parameters
    ----------
    terms : callable
        ``terms(expected, log_probabilities)``, arrays of the shapes (N,) and (N, C) that have been
        checked: what each document adds to each of K sums, an array or csr_array (N, K).
    figure : callable
        ``figure(sums, n_documents)`` of an array (..., K): the metric, of shape (...).
    """

    terms: Callable[[Int64Array, Float64Array], Terms]
    figure: Callable[[Float64Array, int], Float64Array]


@dataclass(frozen=True)
class Metric:
    """One figure of a model on documents whose classes are known.

    Parameters
    ----------
    name : str
    compute : callable
        ``compute(expected, log_probabilities) -> float``: classes from 0 to C - 1 of the shape
        (N,), and natural logarithms of probabilities of the shape (N, C).
    is_higher_better : bool
    bounds : tuple of float
        The lowest and the highest value that it can have.
    description : str
        The metric in one line.
    reads_probabilities : bool
        Whether it needs more than which class is the most probable.
    sums : DocumentSums
        How it comes from sums over documents.
    """

    name: str
    compute: Callable[[ArrayLike, ArrayLike], float]
    is_higher_better: bool
    bounds: tuple[float, float]
    description: str
    reads_probabilities: bool
    sums: DocumentSums
