"""What runs come to, as the lines of a Markdown table."""

from collections.abc import Iterable, Iterator

from nlpfeat.claims.trainability.records import Summary

_COLUMNS = "setting", "recipe", "notes", "median (range)", "no dropout", "trained", "steps"


def table(summaries: Iterable[Summary]) -> Iterator[str]:
    """Yield the head and a line for each setting and recipe.

    "notes" is the loss that the notes print, "no dropout" the median in evaluation mode, "steps"
    the median of those to a loss of 1.

    Examples
    --------
    >>> from nlpfeat.claims.trainability.settings import NOTES, SETTINGS
    >>> summary = Summary(SETTINGS[3], NOTES, seeds=(0, 1, 2), trained=(2,), median=3.49,
    ...                   low=0.13, high=3.51, median_without_dropout=3.48, steps=420.0)
    >>> list(table([summary]))[-1]
    '| lr=1e-3, 1% warm-up | notes | 0.1 | 3.490 (0.130–3.510) | 3.480 | 1 of 3 | 420 |'
    """
    yield f"| {' | '.join(_COLUMNS)} |"
    yield f"|{'---|' * len(_COLUMNS)}"
    for each in summaries:
        steps = "" if each.steps is None else f"{each.steps:.0f}"
        cells = (
            each.setting.name,
            each.recipe.name,
            f"{each.setting.notes_loss:g}",
            f"{each.median:.3f} ({each.low:.3f}–{each.high:.3f})",
            f"{each.median_without_dropout:.3f}",
            f"{each.n_trained} of {each.n_runs}",
            steps,
        )
        yield f"| {' | '.join(cells)} |"
