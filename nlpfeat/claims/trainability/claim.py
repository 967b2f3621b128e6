"""Small Transformers are hard to train: the claim, judged from the runs that are kept."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figure, Figures
from nlpfeat.claims.records import find_records
from nlpfeat.claims.trainability.records import Records, Summary, distinct, summaries
from nlpfeat.claims.trainability.runs import Run
from nlpfeat.claims.trainability.settings import NEWEST, NOTES, RECIPES, SETTINGS, Recipe

_ENOUGH_RUNS = 3
_DEEP = 6
#: Training is hard where half of the rows fail, and in part where a quarter does.
_MANY, _SOME = 1 / 2, 1 / 4
_FEWEST = "runs of each row under the recipe of the notes, at least"
_ALWAYS = "trainings of the notes that learn in every run"
_SAID = "trainings where most runs end on the side of 1 that the notes print"
_HARD = "trainings of six layers in which most runs fail"
_FAILING = "of these, such as were run under “{}”: learn in every run"
_BESIDE = "“{}”, the recipe of the notes with the same rows and seeds: learn in every run"
_TRAINED = "“{}”: learn in every run"


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


def figures_of(found: Sequence[Summary]) -> Iterator[Figure]:
    """Yield how many trainings learn, under the recipe of the notes and beside it under others.

    Two rows of the notes are one training, and count once. Recipes are compared on the rows and
    seeds that both have, of rows that have three in common.
    """
    if not found:
        return
    once = distinct(found)
    by_notes = [each for each in once if each.recipe == NOTES]
    runs = {each.setting.training: len(each.outcomes) for each in by_notes}
    fewest = min(runs.get(setting.training, 0) for setting in SETTINGS)
    yield _count(_FEWEST, fewest, "runs")
    enough = [each for each in by_notes if len(each.outcomes) >= _ENOUGH_RUNS]
    yield _count(_ALWAYS, sum(each.always_trains for each in enough), _of(enough))
    yield _count(_SAID, sum(each.is_as_the_notes_say for each in enough), _of(enough))
    deep = [each for each in enough if each.setting.n_layers == _DEEP]
    failing = [each for each in deep if 2 * len(each.trained) < len(each.outcomes)]
    yield _count(_HARD, len(failing), _of(deep))
    for recipe in NEWEST:
        if run := _beside(failing, once, recipe):
            n_trained = sum(seeds <= other.trained for _, other, seeds in run)
            yield _count(_FAILING.format(recipe.name), n_trained, _of(run))
    for recipe in RECIPES.values():
        common = [] if recipe == NOTES else _beside(enough, once, recipe)
        if common:
            notes, others = (
                sum(seeds <= pair[place].trained for *pair, seeds in common) for place in (0, 1)
            )
            yield _count(_BESIDE.format(recipe.name), notes, _of(common))
            yield _count(_TRAINED.format(recipe.name), others, _of(common))


def _beside(
    rows: Sequence[Summary], found: Sequence[Summary], recipe: Recipe
) -> list[tuple[Summary, Summary, set[int]]]:
    """Return rows with the same under another recipe, and the seeds of both."""
    others = {each.setting.training: each for each in found if each.recipe == recipe}
    return [
        (row, other, seeds)
        for row in rows
        if (other := others.get(row.setting.training)) is not None
        and len(seeds := row.outcomes.keys() & other.outcomes.keys()) >= _ENOUGH_RUNS
    ]


def judge(figures: Figures) -> Judgement:
    """Judge by how many rows of six layers fail, and whether one recipe trains those."""
    if figures[_FEWEST].value < _ENOUGH_RUNS:
        return open_question(
            f"Some rows have fewer than {_ENOUGH_RUNS} runs under the recipe of the notes, and "
            "single runs differ from seed to seed."
        )
    hard = figures[_HARD]
    n_hard, n_deep = round(hard.value), _number(hard)
    told = f"Under the recipe of the notes most runs fail in {n_hard} {hard.unit} of six layers"
    if n_hard < _SOME * n_deep:
        return Judgement(DOES_NOT_HOLD, f"{told}: fewer than a quarter.")
    newest = {recipe: figures.get(_FAILING.format(recipe.name)) for recipe in NEWEST}
    newer = " ".join(_newer(recipe, found, n_hard) for recipe, found in newest.items())
    if any(found is not None and found.value == n_hard for found in newest.values()):
        newer = f"{newer} It is the recipe that is hard to train, not every Transformer."
        return Judgement(IN_PART, f"{told}. {newer}")
    if n_hard < _MANY * n_deep:
        return Judgement(IN_PART, f"{told}: many, but fewer than half. {newer}")
    return Judgement(HOLDS, f"{told}. {newer}")


def _newer(recipe: Recipe, found: Figure | None, n_hard: int) -> str:
    """Say how many of the rows that fail a newer recipe trains."""
    if found is None:
        return f"Whether “{recipe.name}” trains them is not known: it was not run."
    if _number(found) < n_hard:
        return (
            f"Whether “{recipe.name}” trains them is not known of all: it was run in "
            f"{_number(found)}, and trains {found.value:.0f} of these in every run."
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
    judge=judge,
    limits="Nothing is pre-trained here: what is tested is how hard training from nothing is. "
    "Input and target stand at the same place, so nothing has to be attended to; the notes measure "
    "with dropout on, and begin layers as copies of one where no matrix is drawn anew. Where many "
    "rows begin is a convention, set with the runs in sight. The recipe with Prodigy was added "
    "when the other of newer practice had failed with the rate 1e-5: Prodigy begins with the rate "
    "of a row, and raises it. A few runs a row: that all of three train has a chance of .42 where "
    "three of four do.",
    command="python examples/trainability.py",
)
