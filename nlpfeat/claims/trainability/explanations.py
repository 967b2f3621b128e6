"""Why rows learn or fail, as far as the kept runs tell."""

from collections.abc import Iterator, Sequence

from nlpfeat.claims.trainability.records import Summary, beside, distinct, in_common, readings
from nlpfeat.claims.trainability.settings import (
    NEWEST,
    NOTES,
    RATE_FREE,
    RECIPES,
    STEADY,
    VECTORS,
)

INDEPENDENT = RECIPES["independent layers"]
_CHANGES = [
    each
    for each in RECIPES.values()
    if each not in (NOTES, VECTORS, INDEPENDENT, *NEWEST) and not each.draws_vectors
]

#: What is said of rows that agree in the first reading, in the second.
_AGREEING = {
    (False, True): "only where biases and gains are drawn, too",
    (True, False): "only where matrices alone are drawn",
    (False, False): "in neither, and why is not known",
}


def explanations(found: Sequence[Summary]) -> Iterator[str]:
    """Yield sentences: what single changes do, which rates are too small, which rows do not agree.

    Each is left out where no run tells it.

    Parameters
    ----------
    found : sequence of Summary
    """
    once = distinct(found)
    yield from _single_changes(once)
    yield from _too_slow(once)
    yield from _agreeing(once)


def _single_changes(once: Sequence[Summary]) -> Iterator[str]:
    rows = [each for each in once if each.recipe == INDEPENDENT]
    told = []
    for recipe in _CHANGES:
        common = in_common(rows, once, recipe)
        if common:
            changed = sum(seeds <= other.trained for _, other, seeds in common)
            alone = sum(seeds <= row.trained for row, _, seeds in common)
            told.append(f"“{recipe.name}” {changed} of {len(common)} ({alone})")
    if told:
        yield (
            f"Beside “{INDEPENDENT.name}”, on rows with three runs of the same seeds under both, "
            "so many learn in every run (in parentheses with layers drawn on their own and nothing "
            f"else): {', '.join(told)}."
        )


def _too_slow(once: Sequence[Summary]) -> Iterator[str]:
    for row in (each for each in once if each.recipe == NOTES and not each.trained):
        others = {
            other.recipe: other
            for recipe in RECIPES.values()
            for _, other in beside([row], once, recipe)
        }
        keeping = [
            other for recipe, other in others.items() if recipe.optimizer != RATE_FREE.optimizer
        ]
        raised = others.get(RATE_FREE)
        fails = STEADY in others and not any(each.trained for each in keeping)
        if fails and raised is not None and raised.has_enough_runs and raised.always_trains:
            yield (
                f"“{row.setting.name}” learns in no run of the {len(keeping)} recipes that keep "
                f"its rate, and in every run of “{RATE_FREE.name}”, which is “{STEADY.name}” but "
                "for Prodigy, and raises it: a thousand steps of that rate are too few."
            )


def _agreeing(once: Sequence[Summary]) -> Iterator[str]:
    first, *others = readings(once)
    for second in others:  # there may be none
        told: dict[tuple[bool, bool], list[str]] = {}
        for row, other in zip(first, second):
            agrees = row.is_as_the_notes_say, other.is_as_the_notes_say
            told.setdefault(agrees, []).append(_named(row))
        parts = [
            f"of {', '.join(told[agrees])} {words}"
            for agrees, words in _AGREEING.items()
            if agrees in told
        ]
        if parts:
            yield (
                "In both readings most runs end on the side of 1 that the notes print, but "
                f"{'; '.join(parts)}."
            )


def _named(row: Summary) -> str:
    return f"“{row.setting.name}”{' (of which half do)' if row.is_half else ''}"
