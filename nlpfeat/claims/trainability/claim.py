"""Small Transformers are hard to train: the claim, judged from the runs that are kept."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, Claim, Judgement, open_question
from nlpfeat.claims.figures import Figure, Figures
from nlpfeat.claims.records import find_records
from nlpfeat.claims.trainability.records import ENOUGH_SEEDS, Records, Summary, summaries
from nlpfeat.claims.trainability.runs import Run
from nlpfeat.claims.trainability.settings import NOTES, RECIPES, SETTINGS

_MOST_SEEDS = 20
_SAID = "rows where most reruns end on the side of 1 that the notes print"
_FEWEST = "runs of each row under the recipe of the notes, at least"
_NOTES = "rows that train in every run under the recipe of the notes"


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
    runs = [
        Run(setting, recipe, seed)
        for setting in SETTINGS
        for recipe in RECIPES.values()
        for seed in range(_MOST_SEEDS)
    ]
    return list(summaries(runs, Records(path)))


def figures_of(found: Sequence[Summary]) -> Iterator[Figure]:
    """Yield how many rows each recipe trains beside that of the notes, on common rows and seeds."""
    if not found:
        return
    rows = {(each.setting, each.recipe): each for each in found}
    by_notes = [each for each in found if each.recipe == NOTES]
    runs = {each.setting: len(each.outcomes) for each in by_notes}
    yield _count(_FEWEST, min(runs.get(setting, 0) for setting in SETTINGS), "runs")
    enough = [each for each in by_notes if len(each.outcomes) >= ENOUGH_SEEDS]
    yield _count(_NOTES, sum(each.always_trains for each in enough), _of(enough))
    for recipe in RECIPES.values():
        pairs = [(each, rows.get((each.setting, recipe))) for each in enough]
        common = [
            (notes, other, seeds)
            for notes, other in pairs
            if other is not None and recipe != NOTES
            and len(seeds := notes.outcomes.keys() & other.outcomes.keys()) >= ENOUGH_SEEDS
        ]  # fmt: skip
        if common:
            for name, place in ((_beside(recipe.name), 0), (_trained(recipe.name), 1)):
                always = sum(seeds <= (notes, other)[place].trained
                             for notes, other, seeds in common)  # fmt: skip
                yield _count(name, always, _of(common))
    yield _count(_SAID, sum(each.is_as_the_notes_say for each in enough), _of(enough))


def judge(figures: Figures) -> Judgement:
    """Judge by the rows in which the recipe of the notes trains, and any other on the same runs."""
    n_rows = len(SETTINGS)
    if figures[_FEWEST].value < ENOUGH_SEEDS:
        return open_question(
            f"Some rows have fewer than {ENOUGH_SEEDS} runs under the recipe of the notes, and "
            "single runs differ from seed to seed."
        )
    notes = figures[_NOTES].value
    told = f"Under the recipe of the notes {notes:.0f} of {n_rows} rows train in every run"
    if notes == n_rows:
        return Judgement(DOES_NOT_HOLD, f"{told}.")
    more = {
        recipe: figures[_trained(recipe)].value - figures[_beside(recipe)].value
        for recipe in RECIPES
        if _trained(recipe) in figures
    }
    best = max(more, key=more.__getitem__, default=None)
    if best is None:
        return Judgement(HOLDS, f"{told}; no other recipe has as many runs of a row.")
    found, beside = figures[_trained(best)], figures[_beside(best)]
    told = (
        f"{told}. Of rows with the same seeds of both, {beside.value:.0f} {found.unit} train under "
        f"it and {found.value:.0f} under “{best}”"
    )
    if more[best] <= 0:
        return Judgement(HOLDS, f"{told}: no recipe trains more.")
    return Judgement(
        IN_PART, f"{told}: it is the recipe that is hard to train, not every Transformer."
    )


def _count(name: str, value: float, unit: str) -> Figure:
    return Figure(name, (float(value),), unit, "counted")


def _of(rows: Sequence[object]) -> str:
    return f"of {len(rows)} rows"


def _trained(recipe: str) -> str:
    return f"rows that train in every run, recipe “{recipe}”"


def _beside(recipe: str) -> str:
    return f"the recipe of the notes with the rows and seeds of “{recipe}”"


CLAIM = Claim(
    slug="trainability",
    title="Small Transformers are hard to train without pre-training",
    section="预训练的意义",
    says="A Transformer is not easily trained: on (a + 1)² + b, place by place, most learning "
    "rates and initializations of six layers fail within a thousand steps; a short warm-up and the "
    "initialization of torch help.",
    shown_by="The rows of the five tables of the notes, run again with several seeds: the share of "
    "runs that end below 1, the loss of the best linear function; and the same under what newer "
    "practice adds.",
    judge=judge,
    limits="Input and target stand at the same place, so nothing has to be attended to; the notes "
    "measure with dropout on, and begin all layers as copies of one.",
    command="python examples/trainability.py",
)
