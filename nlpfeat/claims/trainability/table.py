"""What runs come to, as the lines of Markdown tables."""

from collections.abc import Iterable, Iterator, Sequence

from nlpfeat.claims.trainability.records import Summary, distinct, in_common
from nlpfeat.claims.trainability.settings import NOTES, RECIPES, SETTINGS, VECTORS

_COLUMNS = (
    "row", "setting", "recipe", "printed", "median (range)", "no dropout", "trained", "steps",
    "agrees",
)  # fmt: skip


def table(summaries: Iterable[Summary]) -> Iterator[str]:
    """Yield the head and a line for each setting and recipe.

    "row" is its number from 0, "printed" the loss that the notes print, "no dropout" the median in
    evaluation mode, "steps" the median of those to a loss of 1 in the runs that end below it, and a
    row agrees when most runs end on the side of 1 that the notes print ("half" when half do), which
    is said of their recipe alone.

    Examples
    --------
    >>> from nlpfeat.claims.trainability.runs import Outcome
    >>> from nlpfeat.claims.trainability.settings import NOTES, SETTINGS
    >>> outcome = Outcome(loss=0.13, loss_without_dropout=0.07, steps_to_trained=420, curve=[],
    ...                   seconds=150.0, date="2026-01-31", machine="CPU")
    >>> list(table([Summary(SETTINGS[3], NOTES, {0: outcome})]))[-1]
    '| 3 | lr=1e-3, 1% warm-up | notes | 0.1 | 0.130 (0.130–0.130) | 0.070 | 1 of 1 | 420 | yes |'
    """
    yield f"| {' | '.join(_COLUMNS)} |"
    yield f"|{'---|' * len(_COLUMNS)}"
    for each in summaries:
        steps = "" if each.steps is None else f"{each.steps:.0f}"
        cells = (
            str(SETTINGS.index(each.setting)),
            each.setting.name,
            each.recipe.name,
            f"{each.setting.notes_loss:g}",
            f"{each.median:.3f} ({each.losses[0]:.3f}–{each.losses[-1]:.3f})",
            f"{each.median_without_dropout:.3f}",
            f"{len(each.trained)} of {len(each.outcomes)}",
            steps,
            _agrees(each) if each.recipe in (NOTES, VECTORS) else "",
        )
        yield f"| {' | '.join(cells)} |"


def recipes_table(found: Sequence[Summary]) -> Iterator[str]:
    """Yield the head and a line for each recipe beside that of the notes, on rows that both have.

    "rows" are such as have three runs with the same seeds under both; the others are how many of
    them learn in every one of these runs. A newer recipe that draws vectors, too, stands beside the
    recipe of the notes that does.

    Examples
    --------
    >>> from nlpfeat.claims.trainability.runs import Outcome
    >>> from nlpfeat.claims.trainability.settings import SETTINGS
    >>> good, bad = (Outcome(loss=loss, loss_without_dropout=loss, steps_to_trained=None, curve=[],
    ...                      seconds=1.0, date="2026-01-31", machine="CPU") for loss in (0.1, 3.5))
    >>> three = lambda name, *runs: Summary(SETTINGS[0], RECIPES[name], dict(enumerate(runs)))
    >>> runs = three("notes", good, good, bad), three("pre-norm", *[good] * 3)
    >>> list(recipes_table(runs))[-1].split(" | ")[2:]
    ['1', '1', '0 |']
    """
    yield "| recipe | what it is | rows | learn in every run | under “notes” |"
    yield "|---|---|---:|---:|---:|"
    once = distinct(found)
    for recipe in RECIPES.values():
        notes = VECTORS if recipe.draws_vectors and recipe != VECTORS else NOTES
        rows = [each for each in once if each.recipe == notes]
        common = in_common(rows, once, recipe)
        if common and recipe != NOTES:
            always, by_the_notes = (
                sum(seeds <= pair[place].trained for *pair, seeds in common) for place in (1, 0)
            )
            cells = (recipe.name, recipe.description, len(common), always, by_the_notes)
            yield f"| {' | '.join(map(str, cells))} |"


def _agrees(each: Summary) -> str:
    if each.is_half:
        return "half"
    return "yes" if each.is_as_the_notes_say else "no"
