"""D5: what each position knows, and what none cannot know."""

import pytest
import torch

from nlpfeat.attention import POSITIONS, AttentionSpec
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.attention.diagnostics.position_tuple import permutation_defect, shift_defect
from nlpfeat.attention.positions import AbsolutePosition
from nlpfeat.errors import InvalidParameterError


@pytest.fixture
def generator():
    return torch.Generator().manual_seed(0)


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("shift", [1, 17])
def test_shifted_texts(generator, position, shift) -> None:
    layer = draw_attention(generator, 16, AttentionSpec(position=position))
    found = shift_defect(layer, draw_normal(generator, 10, 16), shift)
    assert (found < 1e-9) == POSITIONS[position].relative
    if not POSITIONS[position].relative:
        assert found > 1e-3


def test_sines_are_absolute_too(generator) -> None:
    layer = draw_attention(generator, 16, AttentionSpec(position=AbsolutePosition(learned=False)))
    assert shift_defect(layer, draw_normal(generator, 10, 16)) > 1e-3


@pytest.mark.parametrize("position", POSITIONS)
def test_permuted_texts(generator, position) -> None:
    layer = draw_attention(generator, 16, AttentionSpec(position=position))
    tokens, order = draw_normal(generator, 10, 16), torch.randperm(10, generator=generator)
    found = permutation_defect(layer, tokens, order)
    if position == "none":
        assert found < 1e-12
    else:
        assert found > 1e-3


@pytest.mark.parametrize("normalizer", ["softmax", "capsule", "sinkhorn", "dual", "sparsemax"])
def test_no_normalizer_sees_order(generator, normalizer) -> None:
    layer = draw_attention(generator, 16, AttentionSpec(normalizer=normalizer))
    tokens, order = draw_normal(generator, 10, 16), torch.randperm(10, generator=generator)
    assert permutation_defect(layer, tokens, order) < 1e-12


def test_no_shift_changes_nothing(generator) -> None:
    layer = draw_attention(generator, 16, AttentionSpec(position="absolute"))
    tokens = draw_normal(generator, 4, 16)
    assert shift_defect(layer, tokens, 0) == 0
    assert permutation_defect(layer, tokens, torch.arange(4)) == 0
    with pytest.raises(InvalidParameterError, match="shift must be an integer that is at least 0"):
        shift_defect(layer, tokens, -1)
