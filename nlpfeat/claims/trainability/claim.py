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
from nlpfeat.claims.trainability.records import (
    ENOUGH_RUNS,
    Records,
    Summary,
    distinct,
    readings,
    summaries,
    under,
)
from nlpfeat.claims.trainability.runs import Run
from nlpfeat.claims.trainability.samples import changes_by_another_sample
from nlpfeat.claims.trainability.settings import (
    NEWEST,
    NOTES,
    RECIPES,
    SETTINGS,
    TOO,
    TWO_LAYERS,
    Recipe,
)

_DEEP = 6
#: Training is hard where half of the rows fail, and in part where a quarter does.
_MANY, _SOME = 1 / 2, 1 / 4
_FEWEST = "runs of each row under the recipe of the notes, at least"
_ALWAYS = "trainings of the notes that learn in every run"
#: What is counted in both readings of the notes, with names as ``_NAMINGS`` has them.
_SAID = "trainings where most runs end on the side of 1 that the notes print"
_HARD = "trainings of six layers in which most runs fail"
_CLOSE = "trainings of six layers where one run decides whether most fail"
_FAILING = "of those that fail, such as were run under “{}”: learn in every run"
_ALL = "trainings of the notes with three runs under “{}”: learn in every run"
_NAMINGS = ("{}", f"{{}}{TOO}")
_STARTS = (
    "Under the recipe of the notes",
    "When vectors are drawn, too, and so by newer recipes on these rows,",
)
_N_BEGUN = 200
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
    """Train the first steps of two layers, and see whether samples of a batch see each other."""
    yield from over_seeds(_begun, seeds, "half MSE")
    yield from changes_by_another_sample()


def _begun(seed: int) -> dict[str, float]:
    from nlpfeat.claims.trainability.experiment import run

    return {_BEGUN: run(TWO_LAYERS, NOTES, seed, n_steps=_N_BEGUN, n_test=1).curve[-1]}


def figures_of(found: Sequence[Summary]) -> Iterator[Figure]:
    """Yield how many rows of the notes learn and fail, and how many newer recipes train.

    Two rows of the notes are one training, and count once. What the notes drew of "normal" and
    "uniform" they do not say: the second reading is counted when all rows were run so, and in it
    newer recipes count on such rows where they, too, draw vectors.
    """
    if not found:
        return
    once = distinct(found)
    runs = {each.training: len(each.outcomes) for each in once if each.recipe == NOTES}
    yield _count(_FEWEST, min(runs.get(each.training, 0) for each in SETTINGS), "runs")
    first, *others = readings(once)
    yield _count_of(_ALWAYS, sum(each.always_trains for each in first), first)
    for naming, rows in zip(_NAMINGS, (first, *others)):
        yield from _figures_of_reading(rows, once, naming)


def _figures_of_reading(
    rows: Sequence[Summary], once: Sequence[Summary], naming: str
) -> Iterator[Figure]:
    yield _count_of(naming.format(_SAID), sum(each.is_as_the_notes_say for each in rows), rows)
    deep = [each for each in rows if each.setting.n_layers == _DEEP]
    failing = [each for each in deep if each.mostly_fails]
    yield _count_of(naming.format(_HARD), len(failing), deep)
    yield _count_of(naming.format(_CLOSE), sum(each.is_decided_by_one for each in deep), deep)
    for recipe in NEWEST:
        for name, chosen in ((_FAILING, failing), (_ALL, rows)):
            run = under(recipe, chosen, once, draws_vectors=naming != _NAMINGS[0])
            if run:
                n_trained = sum(each.always_trains for each in run)
                yield _count_of(naming.format(name.format(recipe.name)), n_trained, run)


def judge(figures: Figures) -> Judgement:
    """Judge by how many rows of six layers fail, and whether one recipe trains those."""
    if _FEWEST not in figures:
        return Judgement(NOT_MEASURED, "`python examples/trainability.py` trains the rows.")
    if figures[_FEWEST].value < ENOUGH_RUNS:
        return open_question(
            f"Some rows have fewer than {ENOUGH_RUNS} runs under the recipe of the notes, and "
            "single runs differ from seed to seed."
        )
    namings = [each for each in _NAMINGS if each.format(_HARD) in figures]
    hard = [figures[naming.format(_HARD)] for naming in namings]
    least, most = (end(each.value / each.trials for each in hard) for end in (min, max))
    told = " ".join(
        f"{start} most runs fail in {each.value:.0f} of {each.trials} rows of six layers"
        f"{_newer(figures, naming)}."
        for naming, start, each in zip(namings, _STARTS, hard)
    )
    if len(namings) < len(_NAMINGS) and not _SOME <= most < _MANY:
        return open_question(f"{told} The other reading, with vectors drawn too, is not complete.")
    if most < _SOME:
        return Judgement(DOES_NOT_HOLD, f"{told} That is fewer than a quarter in both readings.")
    for recipe in NEWEST:
        if len(namings) > 1 and all(_trains_all(figures, each, recipe) for each in namings):
            return Judgement(
                IN_PART,
                f"{told} In both readings every row that has three runs under “{recipe.name}” "
                "learns in each of them: it is the recipe that is hard to train, not every "
                "Transformer.",
            )
    if most < _MANY:
        return Judgement(IN_PART, f"{told} That is a quarter of the rows or more, but not half.")
    if least < _MANY:
        return Judgement(IN_PART, f"{told} That is half of the rows or more in one reading alone.")
    return Judgement(HOLDS, f"{told} That is half of the rows or more in both readings.")


def _trains_all(figures: Figures, naming: str, recipe: Recipe) -> bool:
    """Tell whether a recipe trains all rows that fail, and is known to fail in no other."""
    failing, run = (
        figures.get(naming.format(name.format(recipe.name))) for name in (_FAILING, _ALL)
    )
    n_hard = figures[naming.format(_HARD)].value
    trains_failing = n_hard == 0 or (failing is not None and failing.value == n_hard)
    return trains_failing and run is not None and run.value == run.trials


def _newer(figures: Figures, naming: str) -> str:
    """Say how many of the rows that fail newer recipes train."""
    n_hard = round(figures[naming.format(_HARD)].value)
    if n_hard == 0:
        return ""
    told = []
    for recipe in NEWEST:
        found = figures.get(naming.format(_FAILING.format(recipe.name)))
        if found is None:
            told.append(f"none has three runs under “{recipe.name}”")
        elif found.trials < n_hard:
            told.append(
                f"“{recipe.name}” trains {found.value:.0f} of the {found.trials} that have three "
                "runs so"
            )
        else:
            told.append(f"“{recipe.name}” trains {found.value:.0f} of these {n_hard}")
    return f"; {', '.join(told)}"


def _count(name: str, value: float, unit: str) -> Figure:
    return Figure(name, (float(value),), unit, "counted")


def _count_of(name: str, value: float, rows: Sequence[object]) -> Figure:
    return Figure(name, (float(value),), f"of {len(rows)} rows", "counted", trials=len(rows))


CLAIM = Claim(
    slug="trainability",
    title="Small Transformers are hard to train",
    section="预训练的意义",
    says="A Transformer that is not pre-trained is not easily trained: on (a+1)²+b, place by "
    "place, most learning rates and initializations of six layers fail within a thousand steps.",
    shown_by="The rows of the five tables of the notes, run again with several seeds, in two "
    "readings: “normal” and “uniform” draw matrices alone, or biases and gains of norms, too. It "
    "holds where in at least half of the rows of six layers most runs end above 1, the loss of the "
    "best linear function, in both readings; and does not where that is so in fewer than a quarter "
    "in both. In part: between the two, or where one recipe of newer practice trains all rows that "
    "fail, and every other one that has three runs under it, in every run and in both readings.",
    measure=measure,
    judge=judge,
    is_counted=True,
    limits="Nothing is pre-trained here: what is tested is how hard training from nothing is. "
    "Input and target stand at the same place, so nothing has to be attended to; the notes "
    "measure with dropout on, and begin layers as copies of one where no matrix is drawn anew. "
    "They feed samples before tokens to layers that read tokens before samples, and so do we: "
    "attention runs across the samples of a batch, and the batch of 64 is attention over 64 as "
    "well, and four times the data. Without attention a layer has one sum and one norm in place "
    "of two, so that the control is less deep, too. Whether “normal” and “uniform” drew biases "
    "and gains, too, the notes do not say: both are counted; other recipes draw matrices alone "
    "unless their name says otherwise. Where many rows begin is a convention, set with the runs "
    "in sight. The recipe with Prodigy was added when the other of newer practice had failed with "
    "the rate 1e-5, and was run with vectors drawn when it was seen to train all rows without; "
    "the other was not. A few runs a row: that all of three train has a chance of .42 where three "
    "of four do. After most runs were made Adam came to be torch's fused one, the same but for "
    "rounding: a run of a row that learns at times need not end alike when it is repeated.",
)
