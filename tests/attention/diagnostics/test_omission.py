"""D10: removed tokens, and what models whose answer is known make of them."""

import math

import pytest
import torch

from nlpfeat.attention import AttentionSpec, attend
from nlpfeat.attention.diagnostics.drawing import draw_attention, draw_normal
from nlpfeat.attention.diagnostics.omission import (
    PRONOUNS,
    Recovery,
    matching_tokens,
    omission_effect,
    omission_robustness,
    random_tokens_like,
    strongest_tokens,
    weight_recovery,
    without_tokens,
)
from nlpfeat.errors import InvalidInputError, InvalidParameterError

TERMS = ("张三", "新", "买", "的", "车", "轮子", "不太", "好")
TEXTS = [["张三", "新", "买", "的", "车", "轮子", "不太", "好"], ["车", "好"], ["新", "车", "新"]]
REMOVED = [[4, 6], [0], []]


@pytest.fixture
def vectors():
    drawn = draw_normal(torch.Generator().manual_seed(0), len(TERMS), 5)
    return dict(zip(TERMS, drawn))


@pytest.fixture
def coefficients():
    return draw_normal(torch.Generator().manual_seed(1), 5, 3)


class TestEffect:
    def test_of_a_linear_model_is_minus_the_coefficients(self, vectors, coefficients) -> None:
        def score(texts):
            return torch.stack([sum(vectors[t] for t in text) for text in texts]) @ coefficients

        found = omission_effect(score, TEXTS, REMOVED)
        gone = torch.stack([vectors["车"] + vectors["不太"], vectors["车"], 0 * vectors["车"]])
        torch.testing.assert_close(found, -gone @ coefficients, rtol=0, atol=1e-10)

    def test_of_uniform_attention_and_a_linear_head(self, vectors, coefficients) -> None:
        """Without r of L tokens, the mean moves by r / (L - r) times mean(all) - mean(removed)."""

        def score(texts):
            rows = []
            for text in texts:
                value = torch.stack([vectors[t] for t in text])[None, None]
                same = torch.zeros(1, 1, len(text), 5, dtype=torch.float64)
                rows.append(attend(same[:, :, :1], same, value)[0].flatten())
            return torch.stack(rows) @ coefficients

        found = omission_effect(score, TEXTS, REMOVED)
        for row, (text, places) in enumerate(zip(TEXTS, REMOVED)):
            whole = torch.stack([vectors[t] for t in text])
            expected = 0 * whole[0]
            if places:
                share = len(places) / (len(text) - len(places))
                expected = share * (whole.mean(0) - whole[places].mean(0))
            torch.testing.assert_close(found[row], expected @ coefficients, rtol=0, atol=1e-10)

    def test_of_a_layer_is_that_of_the_shorter_text(self, vectors, coefficients) -> None:
        layer = draw_attention(torch.Generator().manual_seed(2), 5, AttentionSpec(n_heads=1))

        def score(texts):
            hidden = [layer(torch.stack([vectors[t] for t in text])[None]).hidden for text in texts]
            return torch.cat([each.mean(1) for each in hidden]) @ coefficients

        found = omission_effect(score, TEXTS, REMOVED)
        shorter = [["张三", "新", "买", "的", "轮子", "好"], ["好"], ["新", "车", "新"]]
        torch.testing.assert_close(found, score(shorter) - score(TEXTS), rtol=0, atol=0)
        assert torch.equal(found[2], torch.zeros(3))
        assert found[:2].abs().min() > 1e-4


class TestRemoval:
    def test_nothing_is_put_in_the_place(self) -> None:
        assert without_tokens(TEXTS, REMOVED)[:2] == [
            ["张三", "新", "买", "的", "轮子", "好"],
            ["好"],
        ]
        assert len(TEXTS[0]) == 8

    def test_places_that_are_not_there(self) -> None:
        with pytest.raises(InvalidInputError, match=r"from 0 to 1 for document 1\. Got 2"):
            without_tokens(TEXTS, [[], [2], []])
        with pytest.raises(InvalidInputError, match="Got 1 lists for 3 documents"):
            without_tokens(TEXTS, [[]])

    def test_the_strongest(self) -> None:
        weights = [torch.tensor([0.1, 0.4, 0.4, 0.1]), torch.tensor([1.0])]
        assert strongest_tokens(weights) == [[1], [0]]
        assert strongest_tokens(weights, 2) == [[1, 2], [0]]
        with pytest.raises(InvalidParameterError, match="n_tokens must be an integer"):
            strongest_tokens(weights, 0)

    def test_cues_and_pronouns(self) -> None:
        assert matching_tokens(TEXTS, {"不太", "新"}) == [[1, 6], [], [0, 2]]
        said = [["前者", "一直", "聊天"], ["他们", "学习", "都", "不好"]]
        assert matching_tokens(said, PRONOUNS) == [[0], [0]]

    def test_random_tokens_are_as_frequent_and_others(self) -> None:
        counts = {"的": 1000, "新": 40, "买": 37, "车": 60, "好": 900, "轮子": 3, "张三": 2}
        seen = set()
        for seed in range(30):
            generator = torch.Generator().manual_seed(seed)
            (found,) = random_tokens_like(TEXTS[:1], [[4, 3]], counts, generator=generator)
            seen.add(tuple(found))
        # For 车, 新 or 买; for 的, 好.
        assert seen == {(1, 7), (2, 7)}

    def test_random_tokens_end_with_the_text(self) -> None:
        generator = torch.Generator().manual_seed(0)
        found = random_tokens_like([["车", "好", "车"]], [[0, 2]], {}, generator=generator)
        assert found == [[1]]
        assert random_tokens_like([["车"]], [[0]], {}, generator=generator) == [[]]


class TestRobustness:
    def test_cues_count_more_than_others(self) -> None:
        """A model that knows two cues; without them it says the first class."""
        texts = [["好", "车"], ["坏", "车"], ["车", "坏", "的"], ["好", "的"]]
        classes = torch.tensor([0, 1, 1, 0])

        def score(texts):
            return torch.tensor([[0.5 + ("好" in text), 1.0 * ("坏" in text)] for text in texts])

        cues = matching_tokens(texts, {"好", "坏"})
        others = matching_tokens(texts, {"车", "的"})
        found = omission_robustness(score, texts, classes, cues)
        assert (found.before, found.after, found.ratio) == (1.0, 0.5, 0.5)
        assert omission_robustness(score, texts, classes, others).ratio == 1.0
        wrong = omission_robustness(score, texts, 1 - classes, cues)
        assert wrong.before == 0
        assert math.isnan(wrong.ratio)


class TestRecovery:
    def test_softmax_shares_out_in_proportion(self) -> None:
        scores = draw_normal(torch.Generator().manual_seed(0), 6)
        before, left = scores.softmax(0), [0, 1, 3, 5]
        after = scores[left].softmax(0)
        found = weight_recovery(before, after, [2, 4], [0, 3])
        assert found.lost == pytest.approx(before[[2, 4]].sum().item(), abs=1e-12)
        expected = before[[0, 3]].sum() / before[left].sum()
        assert found.recovered == pytest.approx(expected.item(), abs=1e-12)
        assert weight_recovery(before, after, [4, 2], left).recovered == pytest.approx(1)

    def test_related_tokens_may_lose(self) -> None:
        before, after = torch.tensor([0.5, 0.25, 0.25]), torch.tensor([1.0, 0.0])
        assert weight_recovery(before, after, [0], [2]) == Recovery(0.5, -0.5)

    def test_nothing_lost(self) -> None:
        before = torch.tensor([0.0, 1.0])
        assert math.isnan(weight_recovery(before, before[1:], [0], [1]).recovered)

    def test_what_cannot_be(self) -> None:
        before = torch.tensor([0.5, 0.25, 0.25])
        with pytest.raises(InvalidParameterError, match="must be different places"):
            weight_recovery(before, before[1:], [0], [0])
        with pytest.raises(InvalidParameterError, match="Got 3 weights before, 3 after"):
            weight_recovery(before, before, [0], [1])
