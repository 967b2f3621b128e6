"""Why rows learn or fail, as far as the kept runs tell."""

from collections.abc import Iterator, Sequence

from nlpfeat.claims.trainability.records import ENOUGH_RUNS, Summary, beside, distinct
from nlpfeat.claims.trainability.settings import NOTES, RECIPES, VECTORS, Recipe

INDEPENDENT = RECIPES["independent layers"]
_CHANGES = ("pre-norm", "QK-norm", "AdamW, clipped", "Muon", "without attention")
_OWN_RATE = "prodigy"


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
    yield from _not_agreeing(once)


def _single_changes(once: Sequence[Summary]) -> Iterator[str]:
    told = []
    for name in _CHANGES:
        changed, alone, n_rows = _counted(once, RECIPES[name])
        if n_rows:
            told.append(f"“{name}” {changed} of {n_rows} rows (“{INDEPENDENT.name}” {alone})")
    if told:
        yield (
            "One change at a time, on rows and seeds that have runs of both, so many learn in "
            f"every run: {', '.join(told)}."
        )


def _counted(once: Sequence[Summary], recipe: Recipe) -> tuple[int, int, int]:
    """Return how many rows always learn under a recipe and with independent layers, and of all."""
    rows = [each for each in once if each.recipe == INDEPENDENT]
    common = [
        (row, other, seeds)
        for row, other in beside(rows, once, recipe)
        if len(seeds := row.outcomes.keys() & other.outcomes.keys()) >= ENOUGH_RUNS
    ]
    changed = sum(seeds <= other.trained for _, other, seeds in common)
    alone = sum(seeds <= row.trained for row, _, seeds in common)
    return changed, alone, len(common)


def _too_slow(once: Sequence[Summary]) -> Iterator[str]:
    for row in (each for each in once if each.recipe == NOTES and not each.trained):
        others = [
            other
            for recipe in RECIPES.values()
            for _, other in beside([row], once, recipe)
            if len(other.outcomes) >= ENOUGH_RUNS
        ]
        keeping = [each for each in others if each.recipe.optimizer != _OWN_RATE]
        raising = [each for each in others if each.recipe.optimizer == _OWN_RATE]
        fails = not any(each.trained for each in keeping)
        if len(keeping) > 1 and raising and fails and all(each.always_trains for each in raising):
            yield (
                f"“{row.setting.name}” learns under none of the {len(keeping)} recipes that keep "
                "its rate, and in every run with Prodigy, which raises it: a thousand steps of "
                "that rate are too few."
            )


def _not_agreeing(once: Sequence[Summary]) -> Iterator[str]:
    rows = [each for each in once if each.recipe == NOTES]
    plain = {row.setting.name: row.is_as_the_notes_say for row in rows if not row.is_half}
    drawn = {
        row.setting.name: other.is_as_the_notes_say
        for row, other in beside(rows, once, VECTORS)
        if not other.is_half
    }
    told = {
        "These rows end on the side of 1 that the notes print where biases and gains are drawn, "
        "too, and not where matrices alone are":
            [name for name in drawn if drawn[name] and plain.get(name) is False],
        "these where matrices alone are drawn, and not otherwise":
            [name for name in drawn if not drawn[name] and plain.get(name)],
        "these in neither reading, and why is not known":
            [name for name in plain if not plain[name] and not drawn.get(name, False)],
    }  # fmt: skip
    sentences = [f"{words}: {_listed(names)}" for words, names in told.items() if names]
    if sentences:
        text = "; ".join(sentences)
        yield f"{text[0].upper()}{text[1:]}."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"“{each}”" for each in names)
