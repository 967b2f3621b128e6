from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlpfeat.compare.explaining.aopc import FIGURES, aopc, size_weights
from nlpfeat.compare.explaining.bounds import Problem, beam_bounds, exact_bounds, solve_together
from nlpfeat.compare.explaining.deletion import Evaluations

NAMES = "甲乙丙丁戊己庚辛壬癸子丑寅卯辰巳午未申酉"


def _additive(strengths, bias=0.0):
    """Two classes whose log-odds are a sum over tokens."""

    def score(documents):
        odds = np.array([bias + sum(strengths[token] for token in each) for each in documents])
        return np.stack([-np.logaddexp(0, odds), -np.logaddexp(0, -odds)], axis=1)

    return score


def _rugged(seed):
    """Three classes whose probabilities depend on every set of tokens by itself."""

    def score(documents):
        rows = []
        for document in documents:
            number = sum(1 << NAMES.index(token) for token in document)
            rows.append(np.random.default_rng([seed, number]).normal(size=3))
        logits = np.array(rows)
        return logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)

    return score


def _problem(evaluations, document, figure, shares=(0.01, 0.05, 0.1, 0.2, 0.5)):
    log_p = evaluations.log_probabilities([document])[0]
    predicted = int(log_p.argmax())
    weights = size_weights(len(document), shares)
    return Problem(document, predicted, float(np.exp(log_p[predicted])), weights, FIGURES[figure])


def _brute_force(evaluations, problem):
    """The bounds from the AOPC of every order there is."""
    found = []
    for order in permutations(range(len(problem.document))):
        left = problem.left([order[:size] for size in problem.weights])
        losses = problem.losses(evaluations.log_probabilities(left))
        found.append(aopc(dict(zip(problem.weights, losses)), problem.weights))
    return min(found), max(found)


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("n_tokens", [1, 2, 3, 5, 6])
def test_exact_bounds_are_those_of_all_orders(figure, n_tokens):
    for seed in range(3):
        evaluations = Evaluations(_rugged(seed))
        problem = _problem(evaluations, list(NAMES[:n_tokens]), figure, (0.2, 0.4, 0.5, 0.9))
        expected = _brute_force(evaluations, problem)
        assert solve_together([exact_bounds(problem)], evaluations)[0] == pytest.approx(expected)


@pytest.mark.parametrize("figure", FIGURES)
def test_a_wide_beam_is_exact(figure):
    evaluations = Evaluations(_rugged(7))
    problem = _problem(evaluations, list(NAMES[:6]), figure)
    expected = _brute_force(evaluations, problem)
    assert solve_together([beam_bounds(problem, 720)], evaluations)[0] == pytest.approx(expected)


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.floats(-4, 4), min_size=1, max_size=6),
    st.floats(-2, 2),
    st.sampled_from(list(FIGURES)),
)
def test_the_narrowest_beam_is_exact_for_an_additive_model(values, bias, figure):
    evaluations = Evaluations(_additive(dict(zip(NAMES, values)), bias))
    problem = _problem(evaluations, list(NAMES[: len(values)]), figure)
    expected = _brute_force(evaluations, problem)
    found = solve_together([beam_bounds(problem, 1)], evaluations)[0]
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("width", [1, 3])
def test_an_additive_model_in_closed_form(width):
    # Twenty tokens; the best order of deletion is that of the strengths.
    # Ascending, so that ties by place would lead a search away from the strongest.
    values = np.sort(np.random.default_rng(3).normal(1.0, 2.0, size=20))
    evaluations = Evaluations(_additive(dict(zip(NAMES, values))))
    problem = _problem(evaluations, list(NAMES), "comprehensiveness")
    signed = values if problem.predicted else -values
    strongest = np.sort(signed)[::-1]

    def of(order):
        return np.mean([
            1 / (1 + np.exp(-signed.sum())) - 1 / (1 + np.exp(order[:n].sum() - signed.sum()))
            for n in (1, 1, 2, 4, 10)
        ])  # fmt: skip

    found = solve_together([beam_bounds(problem, width)], evaluations)[0]
    assert found == pytest.approx((of(strongest[::-1]), of(strongest)))


def test_a_beam_never_leaves_the_true_bounds_and_grows_with_its_width():
    for seed in range(5):
        evaluations = Evaluations(_rugged(seed))
        problem = _problem(evaluations, list(NAMES[:8]), "comprehensiveness")
        true = solve_together([exact_bounds(problem)], evaluations)[0]
        narrow, wide = solve_together(
            [beam_bounds(problem, width) for width in (1, 200)], evaluations
        )
        assert true[0] - 1e-12 <= wide[0] <= narrow[0] + 1e-12
        assert narrow[1] - 1e-12 <= wide[1] <= true[1] + 1e-12


def test_long_documents_go_in_larger_steps_and_an_additive_model_stays_exact():
    values = np.random.default_rng(0).normal(0.0, 0.2, size=100)
    names = [f"词{number}" for number in range(100)]
    evaluations = Evaluations(_additive(dict(zip(names, values))))
    problem = _problem(evaluations, names, "sufficiency")
    signed = values if problem.predicted else -values
    strongest = np.sort(signed)[::-1]
    whole = 1 / (1 + np.exp(-signed.sum()))

    def of(order):
        return np.mean([whole - 1 / (1 + np.exp(-order[:n].sum())) for n in (1, 5, 10, 20, 50)])

    found = solve_together([beam_bounds(problem, 1)], evaluations)[0]
    assert found == pytest.approx((of(strongest), of(strongest[::-1])))
    # 13 steps of at most 100 tokens, twice; one by one it would be 50 steps.
    assert evaluations.n_evaluations < 2700


def test_searches_together_find_what_each_finds_alone():
    scores = _rugged(1)
    evaluations = Evaluations(scores)
    documents = [list(NAMES[:n]) for n in (3, 7, 5)]
    problems = [_problem(evaluations, each, "sufficiency") for each in documents]
    alone = [solve_together([beam_bounds(each, 3)], Evaluations(scores))[0] for each in problems]
    together = solve_together([beam_bounds(each, 3) for each in problems], Evaluations(scores))
    assert together == alone
    assert solve_together([], evaluations) == []
