"""D4: which pairs a normalizer ties together."""

import pytest
import torch

from nlpfeat.attention.diagnostics.coupling import (
    Coupling,
    coupling_shares,
    normalizer_jacobian,
    uniform_coupling,
)
from nlpfeat.attention.diagnostics.drawing import draw_normal
from nlpfeat.attention.normalizers import (
    NORMALIZERS,
    Capsule,
    Dual,
    Entmax15,
    Sinkhorn,
    Softmax,
    Sparsemax,
)
from nlpfeat.errors import InvalidInputError, InvalidParameterError

#: At equal scores and n = 4: own, same query, same key, neither.
AT_FOUR = {
    "softmax": (Softmax(), (0.1875, -0.0625, 0, 0)),
    "capsule-raw": (Capsule(renormalize=False), (0.1875, 0, -0.0625, 0)),
    "capsule-renormalized": (Capsule(), (0.140625, -0.046875, -0.046875, 0.015625)),
    "sinkhorn": (Sinkhorn(), (0.140625, -0.046875, -0.046875, 0.015625)),
    "sinkhorn-once": (Sinkhorn(n_iterations=1), (0.1875, -0.0625, 0, 0)),
    "dual": (Dual(), (0.09375, -0.015625, -0.015625, 0)),
    "sparsemax": (Sparsemax(), (0.75, -0.25, 0, 0)),
    "entmax15": (Entmax15(), (0.375, -0.125, 0, 0)),
}


@pytest.fixture
def scores():
    return draw_normal(torch.Generator().manual_seed(0), 6, 6)


def test_every_normalizer_has_a_row() -> None:
    assert {normalizer.name for normalizer, _ in AT_FOUR.values()} == set(NORMALIZERS)


@pytest.mark.parametrize("name", AT_FOUR)
def test_values_at_equal_scores(name) -> None:
    normalizer, expected = AT_FOUR[name]
    found = uniform_coupling(normalizer, 4)
    for kind, value in zip(("own", "row", "column", "cross"), expected):
        measured = getattr(found, kind)
        assert measured == pytest.approx(value, abs=1e-9 if value else 1e-12)


@pytest.mark.parametrize("n", [2, 3, 7])
def test_formulas_for_any_number(n) -> None:
    u = 1 / n
    softmax, sinkhorn = uniform_coupling(Softmax(), n), uniform_coupling(Sinkhorn(), n)
    assert softmax.own == pytest.approx(u * (1 - u), abs=1e-12)
    assert softmax.row == pytest.approx(-(u**2), abs=1e-12)
    assert sinkhorn.own == pytest.approx((1 - u) ** 2 * u, abs=1e-12)
    assert sinkhorn.row == sinkhorn.column == pytest.approx(-(1 - u) * u**2, abs=1e-12)
    assert sinkhorn.cross == pytest.approx(u**3, abs=1e-12)


@pytest.mark.parametrize("name", AT_FOUR)
def test_jacobian_by_small_steps(name, scores) -> None:
    normalizer, step = AT_FOUR[name][0], 1e-5
    jacobian = normalizer_jacobian(normalizer, scores)
    for query, key in ((0, 0), (2, 5), (4, 1)):
        moved = torch.zeros_like(scores)
        moved[query, key] = step
        slope = (normalizer(scores + moved) - normalizer(scores - moved)) / (2 * step)
        torch.testing.assert_close(jacobian[:, :, query, key], slope, rtol=0, atol=1e-8)


@pytest.mark.parametrize("name", AT_FOUR)
def test_shares_at_random_scores(name, scores) -> None:
    normalizer, expected = AT_FOUR[name]
    found = coupling_shares(normalizer, scores)
    assert found.own + found.row + found.column + found.cross == pytest.approx(1, abs=1e-12)
    for kind, value in zip(("row", "column", "cross"), expected[1:]):
        if value:
            assert getattr(found, kind) > 0.01
        else:
            assert getattr(found, kind) <= 1e-12


def test_shares_by_hand() -> None:
    """Each weight is its own score plus twice the one above or below it."""
    mixed = lambda scores, mask: scores + 2 * scores.flip(0)  # noqa: E731
    assert coupling_shares(mixed, torch.zeros(2, 3)) == Coupling(0.2, 0.0, 0.8, 0.0)


def test_rectangles_have_a_jacobian(scores) -> None:
    assert normalizer_jacobian(Softmax(), scores[:2]).shape == (2, 6, 2, 6)


def test_what_cannot_be() -> None:
    with pytest.raises(InvalidInputError, match="take one head of one document"):
        normalizer_jacobian(Softmax(), torch.zeros(1, 2, 2))
    with pytest.raises(InvalidParameterError, match="n_tokens must be an integer that is at least"):
        uniform_coupling(Softmax(), 1)
