"""D7: heads that do nothing are found, and equal heads are one."""

import pytest
import torch
from scipy.stats import spearmanr
from torch.nn.functional import cross_entropy

from nlpfeat.attention import AttentionSpec
from nlpfeat.attention.diagnostics import head_importance as head_importance_module
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.attention.diagnostics.head_importance import (
    ablation_losses,
    head_importance,
    merged_heads,
    pruning_curve,
    rank_correlation,
)
from nlpfeat.attention.diagnostics.head_similarity import head_distances
from nlpfeat.attention.scores import additive
from nlpfeat.errors import InvalidInputError, InvalidParameterError

ONES = torch.ones(4, dtype=torch.float64)


class Model:
    """A layer of four heads and a linear classifier of the mean token."""

    def __init__(self, **spec):
        generator = torch.Generator().manual_seed(0)
        self.layer = draw_attention(generator, 16, AttentionSpec(**spec))
        self.classifier = draw_normal(generator, 16, 3)
        self.tokens = draw_normal(generator, 12, 5, 16)
        self.classes = torch.randint(3, (12,), generator=generator)

    def logits(self, head_mask=None):
        return self.layer(self.tokens, head_mask=head_mask).hidden.mean(1) @ self.classifier

    def losses(self, head_mask):
        return cross_entropy(self.logits(head_mask), self.classes, reduction="none")

    def accuracy(self, head_mask):
        return float((self.logits(head_mask).argmax(1) == self.classes).double().mean())

    @torch.no_grad()
    def copy_head(self, source, target):
        for weight in (self.layer.query_weight, self.layer.key_weight, self.layer.value_weight):
            heads = weight.unflatten(0, (4, -1))
            heads[target] = heads[source]


class TestImportance:
    @pytest.mark.parametrize("score", ["dot", "additive"])
    def test_document_by_document(self, score, monkeypatch) -> None:
        """Also in several portions, and where a score is computed again for the gradient."""
        monkeypatch.setattr(head_importance_module, "_AT_ONCE", 5)
        monkeypatch.setattr(additive, "MAX_ELEMENTS", 2 * 12 * 4 * 5 * 4)
        model = Model(score=score)
        free = ONES.clone().requires_grad_()
        expected = [torch.autograd.grad(model.losses(free)[row], free)[0] for row in range(12)]
        found = head_importance(model.losses, ONES)
        torch.testing.assert_close(found, torch.stack(expected).abs().mean(0))

    def test_by_the_papers_other_form(self) -> None:
        """E |Att_h(x)ᵀ dL/dAtt_h(x)|: the same derivative, at the outputs of the head."""
        model = Model()
        expected = torch.zeros(4, dtype=torch.float64)
        for row in range(12):
            found = model.layer(model.tokens[row : row + 1])
            heads = found.heads.detach().requires_grad_()
            hidden = model.layer.output(heads.transpose(1, 2).flatten(2))
            loss = cross_entropy(hidden.mean(1) @ model.classifier, model.classes[row : row + 1])
            (gradient,) = torch.autograd.grad(loss, heads)
            expected += (heads * gradient).sum((0, 2, 3)).abs().detach()
        found = head_importance(model.losses, ONES)
        torch.testing.assert_close(found, expected / 12, rtol=1e-10, atol=0)

    def test_by_small_steps(self) -> None:
        model, step = Model(normalizer="sinkhorn"), 1e-6
        moves = step * torch.eye(4, dtype=torch.float64)
        slopes = [
            (model.losses(ONES + move) - model.losses(ONES - move)).abs().mean() / (2 * step)
            for move in moves
        ]
        expected = torch.stack(slopes).detach()
        torch.testing.assert_close(head_importance(model.losses, ONES), expected, rtol=1e-6, atol=0)

    def test_signs_do_not_cancel(self) -> None:
        losses = lambda mask: torch.stack([mask[0], -mask[0]])  # noqa: E731
        assert head_importance(losses, torch.ones(2)).tolist() == [1, 0]

    def test_layers_by_their_norm(self) -> None:
        slopes = torch.tensor([[3.0, 4.0], [0.0, 0.0], [0.6, 0.0]])
        losses = lambda mask: (slopes * mask).sum().view(1)  # noqa: E731
        found = head_importance(losses, torch.ones(3, 2), normalized=True)
        torch.testing.assert_close(found, torch.tensor([[0.6, 0.8], [0.0, 0.0], [1.0, 0.0]]))

    def test_a_head_that_nothing_reads(self) -> None:
        model = Model()
        with torch.no_grad():
            model.layer.output.weight.unflatten(1, (4, -1))[:, 2] = 0
        found = head_importance(model.losses, ONES)
        assert found[2] == 0
        assert (found[[0, 1, 3]] > 0).all()
        without = ONES.clone()
        without[2] = 0
        assert torch.equal(model.logits(without), model.logits(ONES))
        assert ablation_losses(model.losses, ONES)[2] == 0

    def test_a_loss_for_each_document(self) -> None:
        with pytest.raises(InvalidInputError, match="vector with the loss of each document"):
            head_importance(lambda mask: mask.sum(), torch.ones(2))


class TestMerging:
    def test_equal_heads_are_one(self) -> None:
        model = Model()
        model.copy_head(0, 2)
        weights = model.layer(model.tokens, return_weights=True).weights
        assert head_distances(weights)[0, 2] == 0
        before = model.logits()
        model.layer = merged_heads(model.layer, 0, 2)
        without = ONES.clone()
        without[2] = 0
        for head_mask in (None, without):
            torch.testing.assert_close(model.logits(head_mask), before, rtol=0, atol=1e-12)
        assert head_importance(model.losses, ONES)[2] == 0

    def test_different_heads_are_not(self) -> None:
        model = Model()
        before = model.logits()
        given = model.layer
        model.layer = merged_heads(given, 0, 2)
        assert (model.logits() - before).abs().max() > 0.01
        model.layer = given
        assert torch.equal(model.logits(), before)

    @pytest.mark.parametrize(("kept", "dropped"), [(1, 1), (0, 4), (-1, 2)])
    def test_heads_that_are_not_there(self, kept, dropped) -> None:
        with pytest.raises(InvalidParameterError, match="must be two heads from 0 to 3"):
            merged_heads(Model().layer, kept, dropped)


class TestAblation:
    def test_by_hand(self) -> None:
        model = Model()
        for head in range(4):
            without = ONES.clone()
            without[head] = 0
            expected = (model.losses(without).mean() - model.losses(ONES).mean()).item()
            assert ablation_losses(model.losses, ONES)[head] == pytest.approx(expected, abs=1e-15)

    def test_heads_of_several_layers(self) -> None:
        gains = torch.tensor([[1.0, 2.0], [3.0, -4.0]])
        found = ablation_losses(lambda mask: -(gains * mask).sum().view(1), torch.ones(2, 2))
        torch.testing.assert_close(found, gains)

    def test_pruning_curve(self) -> None:
        model = Model()
        order = head_importance(model.losses, ONES).argsort().tolist()
        curve = pruning_curve(model.accuracy, ONES, order)
        assert len(curve) == 5
        assert curve[0] == model.accuracy(ONES)
        without = ONES.clone()
        without[order[:2]] = 0
        assert curve[2] == model.accuracy(without)
        assert curve[4] == model.accuracy(0 * ONES)

    @pytest.mark.parametrize("order", [[0, 0], [4], [-1]])
    def test_orders_that_cannot_be(self, order) -> None:
        with pytest.raises(InvalidParameterError, match="heads from 0 to 3, each at most once"):
            pruning_curve(Model().accuracy, ONES, order)


class TestRankCorrelation:
    def test_as_scipy_has_it(self) -> None:
        x = torch.tensor([0.3, 0.1, 0.1, 9.0, -2.0])
        y = torch.tensor([1.0, 4.0, 1.0, 1.0, -7.0])
        expected = spearmanr(x.numpy(), y.numpy()).statistic
        assert rank_correlation(x, y) == pytest.approx(expected, abs=1e-12)
        assert rank_correlation(x, -x) == pytest.approx(-1)

    def test_nothing_to_rank(self) -> None:
        assert torch.tensor(rank_correlation(torch.ones(3), torch.arange(3.0))).isnan()
        with pytest.raises(InvalidInputError, match="vectors of one length, at least 2"):
            rank_correlation(torch.ones(3), torch.ones(4))
