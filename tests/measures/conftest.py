"""Tables counted by plain loops: the truth that the measures are tested on."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.sparse import csr_array

from nlpfeat.counts.pair_cells import PairCells


@dataclass
class Table:
    """A dense table of counts as a CountsLike."""

    dense: np.ndarray
    symmetric: bool = False

    @property
    def matrix(self) -> csr_array:
        return csr_array(self.dense)

    def cells(self) -> PairCells:
        rows, columns = np.nonzero(self.dense)
        total = self.dense.sum()
        return PairCells(
            n_xy=self.dense[rows, columns],
            n_x=self.dense.sum(axis=1)[rows],
            n_y=self.dense.sum(axis=0)[columns],
            total=total.item(),
            twice=rows == columns if self.symmetric else None,
            y_margin=self.dense.sum(axis=0),
        )


@pytest.fixture(scope="session")
def make_table() -> type[Table]:
    return Table


@pytest.fixture(scope="session")
def count() -> Callable[..., Table]:
    def loop(
        documents: list[list[int]], window: int, direction: str = "both", harmonic: bool = False
    ) -> Table:
        """Count the pairs of positions i < j with j - i <= window."""
        n_terms = max(max(document) for document in documents) + 1
        forward = np.zeros((n_terms, n_terms), dtype=np.float64 if harmonic else np.int64)
        for document in documents:
            for i, first in enumerate(document):
                for j in range(i + 1, min(i + window + 1, len(document))):
                    forward[first, document[j]] += 1 / (j - i) if harmonic else 1
        if direction == "both":
            return Table(forward + forward.T, symmetric=True)
        return Table(forward if direction == "right" else forward.T)

    return loop


@pytest.fixture(scope="session")
def one_cell() -> Callable[..., PairCells]:
    def build(
        n_xy: float,
        n_x: float,
        n_y: float,
        total: float,
        *,
        twice: bool = False,
        contingency: bool = True,
    ) -> PairCells:
        return PairCells(
            n_xy=np.array([n_xy]),
            n_x=np.array([n_x]),
            n_y=np.array([n_y]),
            total=total,
            twice=np.array([True]) if twice else None,
            y_margin=np.array([n_y, total - n_y]),
            contingency=contingency,
        )

    return build
