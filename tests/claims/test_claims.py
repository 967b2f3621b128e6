"""The claims measured again: exact figures are the recorded ones, drawn ones a seed of them."""

import math

import pytest

from nlpfeat.claims import CLAIMS
from nlpfeat.claims.claim import Claim
from nlpfeat.claims.kept import changed, kept

CHEAP = ("independent-pairs", "normalizer-coupling", "convex-hull", "degrees-of-freedom",
         "multi-query", "three-and-five")  # fmt: skip
TRAINED = [slug for slug in CLAIMS if slug not in (*CHEAP, "trainability")]
RECORDED = kept()


def test_slugs_are_those_of_the_claims_and_differ():
    assert [claim.slug for claim in CLAIMS.values()] == list(CLAIMS)
    assert len({claim.title for claim in CLAIMS.values()}) == len(CLAIMS)


@pytest.mark.parametrize("claim", CLAIMS.values(), ids=CLAIMS)
def test_a_claim_says_all_that_it_must(claim: Claim):
    assert claim.says.endswith(".")
    assert claim.shown_by.endswith(".")
    assert set(claim.quick_seeds) <= set(claim.seeds)
    assert bool(claim.seeds) == bool(claim.quick_seeds)


@pytest.mark.parametrize("slug", CHEAP)
def test_cheap_claims_repeat_in_full(slug):
    claim = CLAIMS[slug]
    figures, recorded = claim.measured(claim.seeds), RECORDED.figures(claim)
    assert list(figures) == list(recorded)
    assert list(changed(figures, recorded)) == []
    for name, figure in figures.items():
        assert figure.kind == recorded[name].kind
        assert figure.values == pytest.approx(recorded[name].values, rel=1e-3, abs=1e-9)
    assert claim.judge(figures).verdict == RECORDED.judgement(claim).verdict


@pytest.mark.slow
@pytest.mark.parametrize("slug", TRAINED)
def test_trained_claims_repeat_with_one_seed(slug):
    claim = CLAIMS[slug]
    recorded = RECORDED.figures(claim)
    if not recorded:
        pytest.skip("not yet measured")
    figures = claim.measured(claim.seeds[:1])
    assert list(figures) == list(recorded)
    assert list(changed(figures, recorded)) == []
    for name, figure in figures.items():
        assert all(map(math.isfinite, figure.values))
        values = recorded[name].values
        if figure.unit == "accuracy" and max(values) - min(values) <= 0.1:
            # Another processor rounds otherwise: where seeds agree, it has to agree with them.
            assert figure.values[0] == pytest.approx(values[0], abs=0.1), name


def test_torch_has_as_many_threads_as_before():
    torch = pytest.importorskip("torch")
    seen = []
    before = torch.get_num_threads()
    claim = CLAIMS["multi-query"]
    watched = Claim(**{**vars(claim), "measure": lambda seeds: seen.append(torch.get_num_threads())
                       or claim.measure(seeds)})  # fmt: skip
    watched.measured(())
    assert seen == [1]
    assert torch.get_num_threads() == before


def test_heads_are_taken_out_and_put_back():
    pytest.importorskip("torch")
    from nlpfeat.claims.heads_alike import _losses
    from nlpfeat.claims.small_models import accuracy_of, attention_of
    from nlpfeat.classifiers._kept_networks import network_and_device

    model = attention_of("far_modifier", 0, n_heads=8, max_epochs=2)
    weight = network_and_device(model)[0].get_parameter("layers.0.attention.output.weight")
    kept_weight = weight.detach().clone()
    lost = _losses(model, 0)
    assert (weight == kept_weight).all()
    assert len(lost) == 8
    # By hand, for the third head: its two columns of the output matrix.
    whole = accuracy_of(model, "far_modifier", 0)
    weight.data[:, 4:6] = 0
    assert lost[2] == whole - accuracy_of(model, "far_modifier", 0)


@pytest.mark.parametrize("name", ["negation", "order", "far_modifier"])
def test_what_counts_cannot_see_is_at_chance(name):
    from nlpfeat.claims.small_models import linear_accuracy

    assert linear_accuracy(name, "bag", 0) == 0.5  # twins: exactly
