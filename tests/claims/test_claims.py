"""The claims measured again: exact figures are the recorded ones, drawn ones a seed of them."""

import math

import pytest

from nlpfeat.claims import CLAIMS, absence, additive_and_dot, omission, scope
from nlpfeat.claims.claim import Claim
from nlpfeat.claims.figures import Figure
from nlpfeat.claims.kept import changed, kept
from nlpfeat.claims.seen_by import accuracies, is_at_chance
from nlpfeat.claims.small_models import attention_of, linear_accuracy, n_groups
from nlpfeat.datasets.phenomena import PHENOMENA
from nlpfeat.errors import InvalidParameterError

CHEAP = ("independent-pairs", "normalizer-coupling", "convex-hull", "degrees-of-freedom",
         "three-and-five")  # fmt: skip
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
    assert len(claim.quick_seeds) in (0, 3)  # fewer have no interval


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


def test_an_interrupted_training_measures_nothing(monkeypatch):
    from nlpfeat.classifiers._training import _Run

    epoch, done = _Run.epoch, []

    def interrupted(run):
        if done:
            raise KeyboardInterrupt
        epoch(run)
        done.append(run)

    monkeypatch.setattr(_Run, "epoch", interrupted)
    with pytest.raises(KeyboardInterrupt, match="interrupted in epoch 2"):
        CLAIMS["keywords"].measured((0,))


@pytest.mark.slow
@pytest.mark.parametrize("slug", TRAINED)
def test_trained_claims_repeat_with_one_seed(slug):
    claim = CLAIMS[slug]
    figures, recorded = claim.measured(claim.seeds[:1]), RECORDED.figures(claim)
    assert list(figures) == list(recorded)
    assert list(changed(figures, recorded)) == []
    for name, figure in figures.items():
        assert (figure.unit, figure.trials) == (recorded[name].unit, recorded[name].trials)
        if figure.kind in ("drawn", "timed"):
            assert repeats(figure, recorded[name]), name


def repeats(figure: Figure, recorded: Figure) -> bool:
    """Whether what one seed gives is what is recorded of it.

    Another processor rounds otherwise, and a training ends elsewhere: as far as seeds differ, and a
    little more. Seconds are of another machine altogether.
    """
    if figure.kind == "timed":
        return recorded.value / 3 <= figure.value <= 3 * recorded.value
    margin = 0.05 + max(recorded.values) - min(recorded.values)
    return abs(figure.values[0] - recorded.values[0]) <= margin


@pytest.mark.parametrize("slug", [slug for slug in CLAIMS if slug != "trainability"])
def test_all_figures_are_recorded_and_each_seed_has_its_value(slug):
    claim, figures = CLAIMS[slug], RECORDED.figures(CLAIMS[slug])
    assert figures
    for figure in figures.values():
        assert all(map(math.isfinite, figure.values))
        if figure.kind == "drawn":
            assert len(figure.values) == len(claim.seeds)
        if figure.unit == "accuracy" and figure.kind == "drawn":
            assert figure.trials > 0
        if figure.unit == "accuracy" and figure.kind == "built":
            assert figure.values in ((0.5,), (1.0,))


def test_what_another_command_measures_is_not_measured_here():
    with pytest.raises(InvalidParameterError, match=r"Got 'trainability', .*trainability.py"):
        CLAIMS["trainability"].measured([0])


def test_torch_has_as_many_threads_as_before():
    torch = pytest.importorskip("torch")
    seen = []
    before = torch.get_num_threads()
    claim = CLAIMS["convex-hull"]
    watched = Claim(**{**vars(claim), "measure": lambda seeds: seen.append(torch.get_num_threads())
                       or claim.measure(seeds)})  # fmt: skip
    watched.measured(())
    assert seen == [1]
    assert torch.get_num_threads() == before


def test_heads_are_taken_out_and_put_back():
    pytest.importorskip("torch")
    from nlpfeat.claims.heads_alike import losses, without_head
    from nlpfeat.claims.small_models import accuracy_of, texts_of
    from nlpfeat.classifiers._kept_networks import network_and_device

    model = attention_of("far_modifier", 0, n_heads=8, max_epochs=2)
    weight = network_and_device(model)[0].get_parameter("layers.0.attention.output.weight")
    kept_weight = weight.detach().clone()
    lost = losses(model, 0)
    assert (weight == kept_weight).all()
    assert len(lost) == 8
    items = texts_of("far_modifier", 0).train_items
    on_train = model.predict([item.tokens for item in items]) == [item.label for item in items]
    assert accuracy_of(model, "far_modifier", 0, "train") == on_train.mean()
    with pytest.raises(AssertionError, match="taken out"), without_head(model, 2):
        assert (weight[:, 4:6] != 0).any(), "taken out"
    assert (weight == kept_weight).all()
    # By hand, for the third head: its two columns of the output matrix.
    whole = accuracy_of(model, "far_modifier", 0)
    weight.data[:, 4:6] = 0
    assert lost[2] == whole - accuracy_of(model, "far_modifier", 0)


BUILT = [("negation", "bag"), ("order", "bag"), ("absence", "bag"),
         ("far_modifier", "positional"), ("far_modifier", "bigrams"),
         ("far_modifier", "trigrams"), ("frequency", "presence"),
         ("idiom", "bag"), ("idiom", "positional"), ("idiom", "bigrams"),
         ("scope", "positional"), ("scope", "bigrams"), ("scope", "trigrams"),
         ("quantifier", "bag"), ("quantifier", "positional"), ("quantifier", "trigrams"),
         ("synonyms", "bag")]  # fmt: skip


@pytest.mark.parametrize(("name", "family"), BUILT)
def test_what_a_family_cannot_see_is_at_chance_by_construction(name, family):
    assert is_at_chance(name, family)
    assert linear_accuracy(name, family, 0) == 0.5


def test_what_can_be_learned_is_not_built():
    for name, family in (
        ("negation", "bigrams"), ("order", "positional"), ("absence", "surprisal"),
        ("absence", "presence"), ("far_modifier", "attention"), ("keyword", "bag"),
        ("frequency", "bag"), ("idiom", "trigrams"), ("idiom", "pairs"), ("scope", "pairs"),
        ("synonyms", "vectors"),
    ):  # fmt: skip
        assert not is_at_chance(name, family)
    found = accuracies("negation", ("bag", "bigrams"))([0, 1, 2])
    assert [(each.kind, each.trials, len(each.values)) for each in found] == [
        ("built", 0, 1), ("drawn", 100, 3),
    ]  # fmt: skip


def test_groups_of_test_texts_by_hand():
    # 400 texts in groups of 2, of 4 and of 8.
    assert [n_groups(name) for name in ("keyword", "negation", "absence")] == [200, 100, 50]


def test_as_many_tokens_are_taken_out_as_the_cue_has(monkeypatch):
    pytest.importorskip("torch")
    from nlpfeat.attention.diagnostics import omission as diagnostics

    given = []

    def watched(score, documents, classes, removed):
        given.append(removed)
        return diagnostics.Robustness(1.0, 0.5)

    monkeypatch.setattr(diagnostics, "omission_robustness", watched)
    monkeypatch.setattr(
        omission, "attention_of", lambda task, seed: attention_of(task, seed, max_epochs=1)
    )
    omission._robustness("negation", 0)
    cues, others = given
    assert {len(each) for each in cues} == {len(each) for each in others} == {2}
    assert all(not set(cue) & set(other) for cue, other in zip(cues, others))


class FirstWords:
    """Draws what stands first, and the number that is given."""

    def __init__(self, number):
        self.number = lambda low, high: number
        self.own, self.one = tuple, lambda words: words[0]
        self.some = lambda words, n: words[:n]


def test_without_its_cue_a_remark_may_praise_as_well_as_blame():
    blamed, praised = (PHENOMENA["negation"].grammar(FirstWords(number)) for number in (0, 1))
    assert len(blamed) == len(praised) == 4
    for one, other in zip(blamed, praised):
        assert one.label != other.label
        left = [[token for token in item.tokens if token not in item.cue] for item in (one, other)]
        assert left[0] == left[1]
        assert one.text != other.text


def test_given_dependencies_are_right_by_construction():
    assert scope.accuracy_of_given(0) == 1.0


def test_the_word_that_may_be_missing_is_expected_fourteen_quarters_of_times():
    assert absence._expected() == 14 / 4


def test_seconds_are_of_the_paths_that_are_named(monkeypatch):
    pytest.importorskip("torch")
    from nlpfeat.attention.module import Attention

    forward, paths = Attention.forward, []

    def watched(self, tokens, **settings):
        assert tokens.shape == (32, 64, 32)
        assert self.spec.n_heads == 2
        paths.append((self.spec.score, settings["path"]))
        return forward(self, tokens, **settings)

    monkeypatch.setattr(Attention, "forward", watched)
    ratios = additive_and_dot._ratios()
    assert len(ratios) == 7
    assert all(ratio > 0 for pair in ratios for ratio in pair)
    assert paths[:3] == [("additive", "explicit"), ("dot", "explicit"), ("dot", "fused")]
    assert paths == paths[:3] * 9
