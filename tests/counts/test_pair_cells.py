import numpy as np
import pytest

from nlpfeat.counts.pair_cells import PairCells
from nlpfeat.errors import InvalidInputError


def build(**changes):
    settings = {
        "n_xy": np.array([1, 2]),
        "n_x": np.array([3, 3]),
        "n_y": np.array([2, 2]),
        "total": 7,
        "twice": None,
        "y_margin": np.array([2, 1, 2, 2]),
    }
    return PairCells(**(settings | changes))


def test_remainder_of_integers_is_exact_for_huge_tables():
    total = 10**15
    cells = build(n_x=np.array([total - 1, total]), total=total)
    assert cells.remainder(cells.n_x).tolist() == [1.0, 0.0]


def test_remainder_of_weighted_counts_drops_rounding_alone():
    # .1 + .2 is one step above .3: the sums of one and the same table in two orders.
    cells = build(n_xy=np.array([0.3, 0.3]), n_x=np.array([0.3, 0.3 - 1e-9]), total=0.1 + 0.2)
    assert cells.total - 0.3 > 0
    assert cells.remainder(cells.n_x) == pytest.approx([0.0, 1e-9], rel=1e-6, abs=0)
    assert cells.remainder(np.array([0.1 + 0.2 + 1e-16, 0.5]))[0] == 0.0


def test_no_cells_at_all():
    nothing = np.array([], dtype=np.int64)
    cells = build(n_xy=nothing, n_x=nothing, n_y=nothing, total=0)
    assert cells.remainder(cells.n_x).shape == (0,)


@pytest.mark.parametrize("name", ["n_x", "n_y", "twice"])
def test_arrays_of_different_length_are_refused(name):
    with pytest.raises(
        InvalidInputError, match=rf"{name} must have one entry a pair.*\(2,\).*\(3,\)"
    ):
        build(**{name: np.array([1, 1, 1])})


@pytest.mark.parametrize("bad", [0, -1, np.nan])
def test_a_cell_without_a_count_is_refused(bad):
    with pytest.raises(InvalidInputError, match=r"n_xy must be above 0 in every cell.*Got"):
        build(n_xy=np.array([1.0, bad]))


def test_a_pair_never_seen_is_a_cell_where_that_is_said():
    cells = build(n_xy=np.array([0, 2]), holds_unseen=True)
    assert cells.n_xy.tolist() == [0, 2]
    with pytest.raises(InvalidInputError, match=r"n_xy must be at least 0 in every cell\. Got -1"):
        build(n_xy=np.array([-1, 2]), holds_unseen=True)
    with pytest.raises(InvalidInputError, match="n_y must have one entry a pair"):
        build(n_y=np.array([1, 1, 1]), holds_unseen=True)
