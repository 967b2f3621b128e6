"""The catalog: every claim holds, whatever was drawn."""

import math

import pytest
import torch

from nlpfeat.attention.diagnostics import DIAGNOSTICS, Check, Diagnostic


@pytest.mark.parametrize("name", DIAGNOSTICS)
@pytest.mark.parametrize("seed", [0, 1])
def test_every_claim_holds(name, seed) -> None:
    checks = DIAGNOSTICS[name].measure(seed)
    assert checks
    assert [check for check in checks if not check.holds] == []


def test_numbers_are_in_order() -> None:
    numbers = [diagnostic.number for diagnostic in DIAGNOSTICS.values()]
    assert numbers == ["d1", "d2", "d3", "d4", "d5", "d6", "d7", "d9", "d10", "d12", "d13"]


def test_settings_are_told_apart() -> None:
    for diagnostic in DIAGNOSTICS.values():
        settings = [check.setting for check in diagnostic.measure()]
        assert len(set(settings)) == len(settings)


def test_nothing_of_torch_is_changed() -> None:
    state, threads = torch.get_rng_state(), torch.get_num_threads()
    for diagnostic in DIAGNOSTICS.values():
        diagnostic.measure()
    assert torch.equal(torch.get_rng_state(), state)
    assert (torch.get_num_threads(), torch.get_default_dtype()) == (threads, torch.float32)


def test_seeds_draw_other_attentions() -> None:
    numbers = [
        [check.measured for check in DIAGNOSTICS["position_tuple"].measure(seed)]
        for seed in (0, 0, 1)
    ]
    assert numbers[0] == numbers[1] != numbers[2]


@pytest.mark.parametrize(
    ("relation", "measured", "holds"),
    [
        ("=", 0.5, True),
        ("=", 0.5000009, True),
        ("=", 0.51, False),
        ("<", 0.4, True),
        ("<", 0.5, False),
        (">", 0.6, True),
        (">", 0.5, False),
        ("=", math.nan, False),
        ("<", math.nan, False),
        (">", math.nan, False),
    ],
)
def test_relations(relation, measured, holds) -> None:
    check = Check("茶", relation, 0.5, measured, 1e-6)
    assert check.holds is holds
    assert check.wanted == f"{relation} 0.5"


def test_one_that_does_not_hold_is_told() -> None:
    wrong = Diagnostic("d0", "1 = 2", lambda generator: [Check("numbers", "=", 1.0, 2.0)])
    assert [check.holds for check in wrong.measure()] == [False]
