"""What runs come to, as the lines of a Markdown table."""

from collections.abc import Iterable, Iterator

from nlpfeat.claims.trainability.records import Summary

_COLUMNS = (
    "setting", "recipe", "notes", "median (range)", "no dropout", "trained", "steps", "agrees",
)  # fmt: skip


def table(summaries: Iterable[Summary]) -> Iterator[str]:
    """Yield the head and a line for each setting and recipe.

    "notes" is the loss that the notes print, "no dropout" the median in evaluation mode, "steps"
    the median of those to a loss of 1, and a row agrees when most runs end on the side of 1 that
    the notes print.

    Examples
    --------
    >>> from nlpfeat.claims.trainability.runs import Outcome
    >>> from nlpfeat.claims.trainability.settings import NOTES, SETTINGS
    >>> outcome = Outcome(loss=0.13, loss_without_dropout=0.07, steps_to_trained=420, curve=[],
    ...                   seconds=150.0, date="2026-01-31", machine="CPU")
    >>> list(table([Summary(SETTINGS[3], NOTES, {0: outcome})]))[-1]
    '| lr=1e-3, 1% warm-up | notes | 0.1 | 0.130 (0.130–0.130) | 0.070 | 1 of 1 | 420 | yes |'
    """
    yield f"| {' | '.join(_COLUMNS)} |"
    yield f"|{'---|' * len(_COLUMNS)}"
    for each in summaries:
        steps = "" if each.steps is None else f"{each.steps:.0f}"
        cells = (
            each.setting.name,
            each.recipe.name,
            f"{each.setting.notes_loss:g}",
            f"{each.median:.3f} ({each.losses[0]:.3f}–{each.losses[-1]:.3f})",
            f"{each.median_without_dropout:.3f}",
            f"{len(each.trained)} of {len(each.outcomes)}",
            steps,
            "yes" if each.is_as_the_notes_say else "no",
        )
        yield f"| {' | '.join(cells)} |"
