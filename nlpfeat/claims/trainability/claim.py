"""Small Transformers are hard to train: the claim, judged from the runs that are kept."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from nlpfeat.claims.claim import DOES_NOT_HOLD, HOLDS, IN_PART, NOT_DECIDABLE, Claim, Judgement
from nlpfeat.claims.figures import Figure, Figures
from nlpfeat.claims.records import find_records
from nlpfeat.claims.trainability.records import Records, Run, Summary, summaries
from nlpfeat.claims.trainability.settings import NOTES, RECIPES, SETTINGS

_MOST_SEEDS = 20
_ENOUGH_RUNS = 3
_SAID = "rows of the notes whose loss lies within that of its reruns"
_FEWEST = "runs of each row under the recipe of the notes, at least"


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
    """Yield how many rows each recipe trains, and how many of the notes' losses come again."""
    if not found:
        return
    by_notes = [each for each in found if each.recipe == NOTES]
    runs = {each.setting: each.n_runs for each in by_notes}
    fewest = min(runs.get(setting, 0) for setting in SETTINGS)
    yield Figure(_FEWEST, (float(fewest),), "runs")
    for recipe in RECIPES.values():
        rows = [each for each in found if each.recipe == recipe]
        if rows:
            always = sum(each.n_trained == each.n_runs for each in rows)
            yield Figure(_trained(recipe.name), (float(always),), f"of {len(rows)} rows")
    within = sum(each.low <= each.setting.notes_loss <= each.high for each in by_notes)
    yield Figure(_SAID, (float(within),), f"of {len(by_notes)} rows")


def measure(_seeds: Sequence[int]) -> Iterator[Figure]:
    """Count what the kept runs say; nothing is trained."""
    return figures_of(kept_summaries())


def judge(figures: Figures) -> Judgement:
    """Judge by the rows in which the recipe of the notes trains, and any other one."""
    n_rows = len(SETTINGS)
    if figures[_FEWEST].value < _ENOUGH_RUNS:
        return Judgement(
            NOT_DECIDABLE,
            f"Some rows have fewer than {_ENOUGH_RUNS} runs under the recipe of the notes, and "
            "single runs differ from seed to seed.",
        )
    notes = figures[_trained(NOTES.name)]
    counts = {
        recipe: figures[_trained(recipe)]
        for recipe in RECIPES
        if recipe != NOTES.name and _trained(recipe) in figures
    }
    told = f"Under the recipe of the notes {notes.value:.0f} of {n_rows} rows train in every run"
    if notes.value == n_rows:
        return Judgement(DOES_NOT_HOLD, f"{told}.")
    best = max(counts, key=lambda recipe: counts[recipe].value, default=None)
    if best is None:
        return Judgement(HOLDS, f"{told}; other recipes were not tried.")
    more = f"{told}, under “{best}” {counts[best].value:.0f} {counts[best].unit}"
    if counts[best].value <= notes.value:
        return Judgement(HOLDS, f"{more}: no recipe trains more of them.")
    return Judgement(
        IN_PART, f"{more}. It is the recipe that is hard to train, not every Transformer."
    )


def _trained(recipe: str) -> str:
    return f"rows that train in every run, recipe “{recipe}”"


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
    measure=measure,
    judge=judge,
    limits="Input and target stand at the same place, so nothing has to be attended to; the notes "
    "measure with dropout on, and begin all layers as copies of one.",
    command="python examples/trainability.py",
)
