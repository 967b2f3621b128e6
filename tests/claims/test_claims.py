"""The claims measured again: exact figures are the recorded ones, drawn ones a seed of them."""

import math
from pathlib import Path

import numpy as np
import pytest

from nlpfeat.claims import CLAIMS, absence, additive_and_dot, omission, scope, substitutability
from nlpfeat.claims.claim import Claim
from nlpfeat.claims.figures import Figure
from nlpfeat.claims.kept import changed, kept
from nlpfeat.claims.seen_by import accuracies, is_at_chance
from nlpfeat.claims.small_models import attention_of, linear_accuracy, n_groups, texts_of
from nlpfeat.datasets.phenomena import PHENOMENA

CHEAP = ("independent-pairs", "position-tuple", "normalizer-coupling", "convex-hull",
         "degrees-of-freedom", "three-and-five")  # fmt: skip
TRAINED = [slug for slug in CLAIMS if slug not in (*CHEAP, "trainability")]
#: Whose seed 0 ends elsewhere where a processor rounds otherwise: of pairs of heads apart .39 and
#: .89 were seen, of layers of one head .50, .66 and .68. Seed 1 ended each time where it did.
OTHER_SEEDS = {"heads-alike": 1, "deep-single-head": 1}
#: Shares and what is made of them: of some test texts a rounding decides. Other figures repeat
#: closer, since no network is trained for them.
SHARES = ("accuracy", "difference", "of all pairs", "of all texts", "bits")
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
    claim, seed = CLAIMS[slug], OTHER_SEEDS.get(slug, 0)
    figures, recorded = claim.measured((seed,)), RECORDED.figures(claim)
    assert list(figures) == list(recorded)
    assert list(changed(figures, recorded)) == []
    for name, figure in figures.items():
        assert (figure.unit, figure.trials) == (recorded[name].unit, recorded[name].trials)
        assert figure.overlap == pytest.approx(recorded[name].overlap)
        if figure.kind in ("drawn", "timed"):
            assert repeats(figure, recorded[name], seed), name


def repeats(figure: Figure, recorded: Figure, seed: int) -> bool:
    """Whether what one seed gives is what is recorded of it: a share nearly, others within 1 %.

    A share of n texts may be off by three standard errors at ½, and by .1 at most. Seconds are of
    another machine altogether.
    """
    if figure.kind == "timed":
        return recorded.value / 3 <= figure.value <= 3 * recorded.value
    nearly = min(0.1, 1.5 / math.sqrt(figure.trials)) if figure.trials else 0.1
    margin = nearly if figure.unit in SHARES else 0.01 * abs(recorded.values[seed])
    return abs(figure.values[0] - recorded.values[seed]) <= margin


@pytest.mark.parametrize(
    ("value", "unit", "trials", "is_repeated"),
    [(0.58, "accuracy", 0, True), (0.61, "accuracy", 0, False), (0.39, "accuracy", 50, False),
     (0.54, "accuracy", 1000, True), (0.56, "accuracy", 1000, False),
     (0.504, "ratio", 0, True), (0.51, "ratio", 0, False)],
)  # fmt: skip
def test_what_another_seed_gave_is_no_excuse(value, unit, trials, is_repeated):
    recorded = Figure("", (1.0, 0.5, 0.6), unit, "drawn", trials)
    assert repeats(Figure("", (value,), unit, "drawn", trials), recorded, 1) == is_repeated


@pytest.mark.slow
def test_first_steps_repeat_with_one_seed_and_samples_see_each_other():
    claim = CLAIMS["trainability"]
    figures = claim.measured((0,))
    recorded = RECORDED.records[claim.slug].figures
    assert list(figures) == list(recorded)
    assert list(changed(figures, recorded)) == []
    steps, across, within = figures.values()
    assert steps.values[0] == pytest.approx(next(iter(recorded.values())).values[0], abs=0.02)
    assert across.value > 0.01
    assert within.value == 0


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


@pytest.mark.parametrize(
    ("slug", "name", "other", "same"),
    [("omission", "negation: accuracy", "negation", "attention"),
     ("additive-and-dot", "dot: accuracy", "without-pretraining", "attention")],
)  # fmt: skip
def test_the_same_models_have_the_same_figures(slug, name, other, same):
    one, another = (RECORDED.figures(CLAIMS[each]) for each in (slug, other))
    assert one[name].values == another[same].values


def test_pairs_of_dictionaries_are_those_of_the_page_on_word_vectors():
    page = (Path(__file__).parents[2] / "docs" / "vectors.md").read_text("utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| all | 504 "))
    _, n_antonyms, n_synonyms, cosine, _, odds = row.strip("| ").split(" | ")
    limits = CLAIMS["substitutability"].limits
    assert f"{n_antonyms} pairs of antonyms and {n_synonyms} of synonyms" in limits
    assert f"an AUC of {cosine} by cosine and of {odds} by the classes" in limits
    # By the rule of the claim, and its own interval, they would decide it.
    area = float(cosine.split()[0])
    ends = substitutability.area_interval(area, 504, 1336)
    listed = Figure(substitutability._COSINE, (area,), "AUC", "listed", interval=ends)
    figures = RECORDED.figures(CLAIMS["substitutability"])
    assert CLAIMS["substitutability"].judge(figures | {listed.name: listed}).verdict == "holds"
    assert "by the same rule the claim would hold of them" in limits


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
    from nlpfeat.claims.small_models import accuracy_of
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
         ("synonyms", "bag"), ("omitted_argument", "trigrams")]  # fmt: skip


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


@pytest.mark.parametrize("task", ["negation", "omitted_argument"])
def test_cues_strongest_tokens_and_as_many_others_are_taken_out(monkeypatch, task):
    pytest.importorskip("torch")
    from nlpfeat.attention.diagnostics import omission as diagnostics

    models, given = [], []

    def briefly(task, seed, **settings):
        models.append(attention_of(task, seed, **settings | {"max_epochs": 1}))
        return models[-1]

    def watched(score, documents, classes, removed):
        given.append(removed)
        return diagnostics.Robustness(1.0, 0.5 + len(given) / 100)

    monkeypatch.setattr(omission, "attention_of", briefly)
    monkeypatch.setattr(diagnostics, "omission_robustness", watched)
    found = omission._left(task, 0)
    items = texts_of(task, 0).test_items
    strongest, others = given[-2:]
    for item, seen, place in zip(
        items, models[0].attention_weights([item.tokens for item in items]), strongest
    ):
        weights = [sum(head[0][at] for head in seen.pooling) for at in range(len(item.tokens))]
        assert place == [weights.index(max(weights))]
    assert all(len(each) == 1 for each in others)
    assert all(one != other for one, other in zip(strongest, others))
    name = {"negation": "negation", "omitted_argument": "omitted whole"}[task]
    lefts = [f"{name}, without the strongest token: accuracy", f"{name}, without another: accuracy"]
    if task == "negation":
        cues, as_many = given[:2]
        assert all([item.tokens[at] for at in cue] == list(item.cue)
                   for item, cue in zip(items, cues))  # fmt: skip
        assert {len(each) for each in as_many} == {2}
        assert all(not set(cue) & set(other) for cue, other in zip(cues, as_many))
        lefts = [f"{name}, without the cue: accuracy", f"{name}, without two others: accuracy",
                 *lefts]  # fmt: skip
    expected = {left: 0.5 + number / 100 for number, left in enumerate(lefts, start=1)}
    assert found == {f"{name}: accuracy": 1.0} | expected


def test_no_two_remarks_without_their_cue_are_alike_so_that_what_is_left_is_drawn():
    items = texts_of("negation", 0).test_items
    left = {tuple(token for token in item.tokens if token not in item.cue) for item in items}
    assert len(left) == len(items)


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


def test_changes_of_scores_by_hand(monkeypatch):
    torch = pytest.importorskip("torch")
    from nlpfeat.attention.diagnostics import drawing

    layers, draw = [], drawing.draw_attention

    def watched(*settings):
        layers.append(draw(*settings))
        return layers[-1]

    monkeypatch.setattr(drawing, "draw_attention", watched)
    figures = CLAIMS["position-tuple"].measured(())
    # The first of four heads of ALiBi takes 1/4 off for each place between the two.
    assert figures["ALiBi: keys alone 17 places on"].value == 17 / 4
    tokens = drawing.draw_normal(torch.Generator().manual_seed(0), 6, 16).numpy()

    def scores(places):
        waves = [[(math.sin, math.cos)[k % 2](place / 10_000 ** (k // 2 * 2 / 16))
                  for k in range(16)] for place in places]  # fmt: skip
        rows = layers[2].project(torch.from_numpy(tokens + waves)[None])
        query, key = (each.detach().numpy()[0] for each in rows[:2])
        return [[[sum(q * k) / 2 for k in keys] for q in head] for head, keys in zip(query, key)]

    found = figures["sines: all tokens 17 places on"].value
    change = np.subtract(scores(range(17, 23)), scores(range(6)))
    assert found == pytest.approx(abs(change).max(), rel=1e-6)


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
