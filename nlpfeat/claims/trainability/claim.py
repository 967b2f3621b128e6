"""Small Transformers are hard to train: the claim, judged from the runs that are kept."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from nlpfeat.claims.claim import (
    DOES_NOT_HOLD,
    HOLDS,
    IN_PART,
    NOT_MEASURED,
    Claim,
    Judgement,
    open_question,
)
from nlpfeat.claims.figures import Figure, Figures, over_seeds
from nlpfeat.claims.records import find_records
from nlpfeat.claims.trainability.records import Records, Summary, beside, distinct, summaries
from nlpfeat.claims.trainability.runs import Run
from nlpfeat.claims.trainability.settings import (
    NEWEST,
    NOTES,
    RECIPES,
    SETTINGS,
    VECTORS,
    Recipe,
    Setting,
)

_ENOUGH_RUNS = 3
_DEEP = 6
#: Training is hard where half of the rows fail, and in part where a quarter does.
_MANY, _SOME = 1 / 2, 1 / 4
_FEWEST = "runs of each row under the recipe of the notes, at least"
_ALWAYS = "trainings of the notes that learn in every run"
_SAID = "trainings where most runs end on the side of 1 that the notes print"
_HARD = "trainings of six layers in which most runs fail"
_TOO = "{}, vectors drawn too"
_EITHER = "trainings of six layers in which most runs fail under a reading of the notes"
_FAILING = "of these, such as were run under “{}”: learn in every run"
_TWO_LAYERS = next(each for each in SETTINGS if each.n_layers == 2 and each.warmup == 0)
_N_BEGUN = 200
_ALL = "trainings of the notes with three runs under “{}”: learn in every run"
_BEGUN = f"two layers, rate 1e-3, after {_N_BEGUN} steps: training loss under “{NOTES.name}”"


def kept_summaries(path: Path | None = None) -> list[Summary]:
    """Return what the kept runs come to: by row of the notes, and by recipe.

    Parameters
    ----------
    path : Path, optional
        Of the records; those that come with nlpfeat when None.

    Returns
    -------
    list of Summary
        Empty where no records are kept.
    """
    path = find_records("trainability.json") if path is None else path
    if path is None or not path.exists():
        return []
    records = Records(path)
    runs = [
        Run(setting, recipe, seed)
        for setting in SETTINGS
        for recipe in RECIPES.values()
        for seed in records.seeds
    ]
    return list(summaries(runs, records))


def measure(seeds: Sequence[int]) -> Iterator[Figure]:
    """Train the first steps of two layers, as far as a minute goes for three seeds."""
    return over_seeds(_begun, seeds, "half MSE")


def _begun(seed: int) -> dict[str, float]:
    from nlpfeat.claims.trainability.experiment import run

    return {_BEGUN: run(_TWO_LAYERS, NOTES, seed, n_steps=_N_BEGUN, n_test=1).curve[-1]}


def figures_of(found: Sequence[Summary]) -> Iterator[Figure]:
    """Yield how many trainings learn under the recipe of the notes, and of the others elsewhere.

    Two rows of the notes are one training, and count once. What the notes drew of "normal" and
    "uniform" they do not say: the second reading is counted when all rows were run so, and those
    of its rows that are known to fail are always among the failing.
    """
    if not found:
        return
    once = distinct(found)
    by_notes = [each for each in once if each.recipe == NOTES]
    runs = {each.training: len(each.outcomes) for each in by_notes}
    yield _count(_FEWEST, min(runs.get(each.training, 0) for each in SETTINGS), "runs")
    enough = [each for each in by_notes if len(each.outcomes) >= _ENOUGH_RUNS]
    yield _count(_ALWAYS, sum(each.always_trains for each in enough), _of(enough))
    failing = []
    for name, rows in (("{}", enough), (_TOO, _with_vectors(enough, once))):
        deep = [each for each in rows if each.setting.n_layers == _DEEP]
        hard = [each for each in deep if 2 * len(each.trained) < len(each.outcomes)]
        failing += hard
        if len(rows) == len(enough):
            said = sum(each.is_as_the_notes_say for each in rows)
            yield _count(name.format(_SAID), said, _of(rows))
        if sum(each.setting.n_layers == _DEEP for each in enough) == len(deep):
            yield _count(name.format(_HARD), len(hard), _of(deep))
    either = list({each.training: each for each in failing}.values())
    yield _count(_EITHER, len(either), "rows")
    for recipe in NEWEST:
        for name, rows in ((_FAILING, either), (_ALL, enough)):
            run = [other for _, other in beside(rows, once, recipe)
                   if len(other.outcomes) >= _ENOUGH_RUNS]  # fmt: skip
            if run:
                n_trained = sum(each.always_trains for each in run)
                yield _count(name.format(recipe.name), n_trained, _of(run))


def _with_vectors(rows: Sequence[Summary], found: Sequence[Summary]) -> list[Summary]:
    """Return the rows with vectors drawn where matrices are, without those not run so."""
    drawn = {
        each.training: each
        for each in found
        if each.recipe == VECTORS and len(each.outcomes) >= _ENOUGH_RUNS
    }
    both = [drawn.get(each.training) if _draws(each.setting) else each for each in rows]
    return [each for each in both if each is not None]


def _draws(setting: Setting) -> bool:
    return setting.initialization in ("normal", "uniform")


def judge(figures: Figures) -> Judgement:
    """Judge by how many rows of six layers fail, and whether one recipe trains those."""
    if _FEWEST not in figures:
        return Judgement(NOT_MEASURED, "`python examples/trainability.py` trains the rows.")
    if figures[_FEWEST].value < _ENOUGH_RUNS:
        return open_question(
            f"Some rows have fewer than {_ENOUGH_RUNS} runs under the recipe of the notes, and "
            "single runs differ from seed to seed."
        )
    readings = [figures[name] for name in (_HARD, _TOO.format(_HARD)) if name in figures]
    shares = [each.value / _number(each) for each in readings]
    told = "Under the recipe of the notes most runs fail in " + ", and in ".join(
        f"{each.value:.0f} {each.unit} of six layers{where}"
        for each, where in zip(readings, ("", " when vectors are drawn, too"))
    )
    if max(shares) < _SOME:
        return Judgement(DOES_NOT_HOLD, f"{told}: fewer than a quarter.")
    n_hard = round(figures[_EITHER].value)
    newest = {recipe: figures.get(_FAILING.format(recipe.name)) for recipe in NEWEST}
    newer = " ".join(_newer(recipe, found, n_hard) for recipe, found in newest.items())
    whole = {recipe: figures.get(_ALL.format(recipe.name)) for recipe in NEWEST}
    for recipe, each in whole.items():
        if each is not None and each.value == len({row.training for row in SETTINGS}):
            newer += f" Under “{recipe.name}” all {each.value:.0f} trainings of the notes learn."
    if any(_trains_all(newest[recipe], n_hard) and _trains_all(whole[recipe]) for recipe in NEWEST):
        newer = f"{newer} It is the recipe that is hard to train, not every Transformer."
        return Judgement(IN_PART, f"{told}. {newer}")
    if max(shares) < _MANY:
        return Judgement(IN_PART, f"{told}: many, but fewer than half. {newer}")
    if min(shares) < _MANY:
        return Judgement(IN_PART, f"{told}: half of them in one reading alone. {newer}")
    return Judgement(HOLDS, f"{told}. {newer}")


def _trains_all(found: Figure | None, n_rows: int | None = None) -> bool:
    """Tell whether a recipe trains all rows that have three runs under it, and those are enough."""
    return (
        found is not None
        and found.value == _number(found)
        and (n_rows is None or found.value == n_rows)
    )


def _newer(recipe: Recipe, found: Figure | None, n_hard: int) -> str:
    """Say how many of the rows that fail a newer recipe trains."""
    if found is None:
        return f"Whether “{recipe.name}” trains them is not known: none has three runs under it."
    if _number(found) < n_hard:
        return (
            f"Whether “{recipe.name}” trains them is not known of all: {_number(found)} of these "
            f"{n_hard} have three runs under it, and {found.value:.0f} learn in every run."
        )
    return f"“{recipe.name}” trains {found.value:.0f} of these {n_hard} in every run."


def _count(name: str, value: float, unit: str) -> Figure:
    return Figure(name, (float(value),), unit, "counted")


def _of(rows: Sequence[object]) -> str:
    return f"of {len(rows)} rows"


def _number(figure: Figure) -> int:
    """Return of how many rows a count is."""
    return int(figure.unit.split()[1])


CLAIM = Claim(
    slug="trainability",
    title="Small Transformers are hard to train",
    section="预训练的意义",
    says="A Transformer that is not pre-trained is not easily trained: on (a+1)²+b, place by "
    "place, most learning rates and initializations of six layers fail within a thousand steps.",
    shown_by="The rows of the five tables of the notes, run again with several seeds: in at least "
    "half of those of six layers (in part: a quarter) most runs end above 1, the loss of the best "
    "linear function. And the rows that fail, under what newer practice adds.",
    measure=measure,
    judge=judge,
    is_counted=True,
    limits="Nothing is pre-trained here: what is tested is how hard training from nothing is. "
    "Input and target stand at the same place, so nothing has to be attended to; the notes measure "
    "with dropout on, and begin layers as copies of one where no matrix is drawn anew. Whether "
    "“normal” and “uniform” drew biases and gains, too, they do not say: both are counted, and "
    "other recipes draw matrices alone. Where many rows begin is a convention, set with the runs "
    "in sight. The recipe with Prodigy was added when the other of newer practice had failed with "
    "the rate 1e-5: Prodigy begins with the rate of a row, and raises it. A few runs a row: that "
    "all of three train has a chance of .42 where three of four do. After most runs were made Adam "
    "came to be torch's fused one, the same but for rounding: a run of a row that learns at times "
    "need not end alike when it is repeated.",
)
