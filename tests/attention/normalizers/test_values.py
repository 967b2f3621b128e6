"""Values typed out, and every normalizer against a second method in NumPy."""

from itertools import combinations

import numpy as np
import pytest
import torch

from nlpfeat.attention.normalizers import (
    NORMALIZERS,
    Capsule,
    Dual,
    Entmax15,
    Sinkhorn,
    Softmax,
    Sparsemax,
)

KNOWN = [-2.0, 0.0, 0.5]


def exponentials(scores, axis):
    powers = np.exp(scores)
    return powers / powers.sum(axis, keepdims=True)


def plain_sinkhorn(scores, n_iterations):
    """Matrix scaling as Sinkhorn wrote it: of exp S, not of logs."""
    weights = np.exp(scores)
    for step in range(2 * n_iterations - 1):
        weights = weights / weights.sum(-1 if step % 2 == 0 else -2, keepdims=True)
    return weights


def over_supports(scores, threshold, weigh):
    """Return each row's weights, found among all subsets of keys that could have any weight."""
    rows = []
    for row in scores:
        found = []
        for size in range(1, len(row) + 1):
            for support in combinations(range(len(row)), size):
                tau = threshold(row[list(support)])
                weights = weigh(row - tau if tau is not None else row * np.nan)
                if set(np.flatnonzero(weights)) == set(support) and abs(weights.sum() - 1) < 1e-9:
                    found.append(weights)
        assert len(found) == 1
        rows.append(found[0])
    return np.array(rows)


def plain_sparsemax(scores):
    return over_supports(
        scores, lambda some: (some.sum() - 1) / len(some), lambda away: np.maximum(away, 0)
    )


def halved_threshold(some):
    """Return the lower root τ of Σ (s - τ)² = 1."""
    roots = np.roots([len(some), -2 * some.sum(), (some**2).sum() - 1])
    return roots.min() if np.isrealobj(roots) else None


def plain_entmax15(scores):
    return over_supports(scores / 2, halved_threshold, lambda away: np.maximum(away, 0) ** 2)


def raw_capsule(scores):
    return exponentials(scores, -2)


def renormalized_capsule(scores):
    raw = raw_capsule(scores)
    return raw / raw.sum(-1, keepdims=True)


SECOND_METHODS = [
    (Softmax(), lambda scores: exponentials(scores, -1)),
    (Capsule(renormalize=False), raw_capsule),
    (Capsule(), renormalized_capsule),
    (Sinkhorn(n_iterations=1), lambda scores: plain_sinkhorn(scores, 1)),
    (Sinkhorn(n_iterations=2), lambda scores: plain_sinkhorn(scores, 2)),
    (Sinkhorn(), lambda scores: plain_sinkhorn(scores, 5)),
    (Dual(), lambda scores: exponentials(scores, -1) * exponentials(scores, -2)),
    (Sparsemax(), plain_sparsemax),
    (Entmax15(), plain_entmax15),
]


def test_every_normalizer_has_a_second_method():
    assert {type(normalizer) for normalizer, _ in SECOND_METHODS} == set(NORMALIZERS.values())


@pytest.mark.parametrize(
    ("normalizer", "method"), SECOND_METHODS, ids=[repr(each) for each, _ in SECOND_METHODS]
)
@pytest.mark.parametrize("scale", [0.3, 1.0, 3.0])
def test_equals_the_second_method(normalizer, method, scale):
    scores = scale * np.random.default_rng(0).normal(size=(5, 6))
    np.testing.assert_allclose(normalizer(torch.from_numpy(scores)), method(scores), rtol=1e-9)


@pytest.mark.parametrize(
    ("normalizer", "expected"),
    [
        (Softmax(), [0.0486, 0.3592, 0.5922]),
        (Sparsemax(), [0.0, 0.25, 0.75]),
        (Entmax15(), [0.0, 0.3260, 0.6740]),
    ],
    ids=["softmax", "sparsemax", "entmax15"],
)
def test_published_values(normalizer, expected):
    """The three of the entmax package's README."""
    assert normalizer(torch.tensor([KNOWN]))[0].tolist() == pytest.approx(expected, abs=5e-5)


# dA_ij / dS_kl at S = 0 with n = 4, for (k, l) = the pair itself, another key of the query, another
# query of the key, and a pair that shares neither. Softmax: 1/n (1 - 1/n) and -1/n²; the last two:
# (1 - 1/n)² / n, -(1 - 1/n) / n², the same, 1/n³.
COUPLINGS = [
    (Softmax(), [0.1875, -0.0625, 0.0, 0.0]),
    (Capsule(renormalize=False), [0.1875, 0.0, -0.0625, 0.0]),
    (Dual(), [0.09375, -0.015625, -0.015625, 0.0]),
    (Capsule(), [0.140625, -0.046875, -0.046875, 0.015625]),
    (Sinkhorn(n_iterations=50), [0.140625, -0.046875, -0.046875, 0.015625]),
]


@pytest.mark.parametrize(
    ("normalizer", "expected"), COUPLINGS, ids=[repr(each) for each, _ in COUPLINGS]
)
def test_which_scores_a_weight_depends_on(normalizer, expected):
    scores = torch.zeros(4, 4, dtype=torch.float64)
    slopes = torch.autograd.functional.jacobian(normalizer, scores)
    found = [slopes[1, 2, query, key].item() for query, key in [(1, 2), (1, 0), (3, 2), (3, 0)]]
    assert found == pytest.approx(expected, abs=1e-12)


def cross_share(normalizer, scores):
    """Return the share of |J|² on pairs that share neither query nor key with the weight's."""
    slopes = torch.autograd.functional.jacobian(normalizer, scores).square()
    n = scores.shape[0]
    other = ~torch.eye(n, dtype=torch.bool)
    both = other[:, None, :, None] & other[None, :, None, :]
    return (slopes[both].sum() / slopes.sum()).item()


def test_only_sinkhorn_and_the_renormalized_capsule_couple_all_pairs():
    scores = torch.randn(6, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    shares = {
        name: cross_share(normalizer, scores)
        for name, normalizer in {
            "softmax": Softmax(), "raw": Capsule(renormalize=False), "dual": Dual(),
            "sparsemax": Sparsemax(), "entmax15": Entmax15(),
            "capsule": Capsule(), "sinkhorn": Sinkhorn(n_iterations=100),
        }.items()
    }  # fmt: skip
    assert [shares[name] for name in ("softmax", "raw", "dual", "sparsemax", "entmax15")] == [0] * 5
    assert shares["capsule"] > 0.01
    assert shares["sinkhorn"] > 0.01
