"""What a comparison says, in plain words: no winner where the documents do not decide."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite

from nlpfeat.compare.findings import Difference, Estimate, Findings, Resolution
from nlpfeat.rendering.numbers import decimal, interval, p_value, percent, points

_TURNED = {"better": "worse", "worse": "better"}
_MOST_NAMES = 6
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

Sides = Mapping[tuple[str, str], Difference]
"""Differences in accuracy by model and reference, each both ways round."""


def verdict(findings: Findings) -> list[str]:
    """Return the verdict, the main sentence first.

    Parameters
    ----------
    findings : Findings

    Returns
    -------
    list of str
        Sentences without markup; names of models are as they were given. The first one names the
        model with the highest accuracy, its figure, and whether it is ahead.
    """
    accuracies = {
        each.model: each
        for each in findings.estimates
        if each.metric == "accuracy" and isfinite(each.mean)
    }
    rows = [
        row
        for row in findings.differences
        if row.metric == "accuracy" and row.model in accuracies and row.reference in accuracies
    ]
    if not accuracies:
        return ["No model was tested, so there is nothing to say."]
    if not rows:
        return [_alone(accuracies)]
    compared = dict.fromkeys(name for row in rows for name in (row.model, row.reference))
    ranked = sorted((accuracies[name] for name in compared), key=lambda each: -each.mean)
    families = {model.name: model.family for model in findings.models}
    sentences = _headline(ranked, rows, findings.resolution)
    if len(ranked) > 2:
        sentences += _beside_reference(rows, families)
        sentences += _attention(rows, families)
    sentences += _placebos(rows)
    sentences.append(_resolution(findings.resolution, rows))
    if {"attention", "prior", "network"} & {families.get(name) for name in compared}:
        sentences.append(
            "All networks here were trained from nothing on these documents; a pretrained model "
            "knows the language already and is no part of this comparison."
        )
    return sentences


def _alone(accuracies: Mapping[str, Estimate]) -> str:
    best = max(accuracies.values(), key=lambda each: each.mean)
    if len(accuracies) == 1:
        return f"{best.model} has an accuracy of {_figure(best)}; nothing was compared with it."
    return (
        "No winner: no two models were tested on the same documents with the same seeds. The "
        f"highest accuracy is that of {best.model}, {_figure(best)}."
    )


def _headline(
    ranked: Sequence[Estimate], rows: Sequence[Difference], resolution: Resolution
) -> list[str]:
    """Say which model is the highest, and whether it is ahead of the others."""
    best, others = ranked[0], ranked[1:]
    sides = {(row.model, row.reference): row for row in map(_turned, rows)}
    sides |= {(row.model, row.reference): row for row in rows}
    rivals = [each for each in others if not _is_ahead(best.model, each.model, sides)]
    highest = f"{best.model} has the highest accuracy, {_figure(best)}"
    if not rivals:
        row = sides.get((best.model, others[0].model))
        if row is not None and len(others) == 1:
            return [f"{highest}, and is ahead of {row.reference} {_by(row)}."]
        if row is not None:
            return [
                f"{highest}, and is ahead of every other model; of the next one, {row.reference}, "
                f"{_by(row)}."
            ]
    reference = rows[0].reference
    row = sides.get((best.model, reference))
    if row is not None and row.outcome == "better":
        told = f"{highest}, and is ahead of {reference} {_by(row)}."
        open_ = f"Whether it is ahead of {_names(rivals)}, too, is open." if rivals else ""
        return [told, open_ or "Every other model is behind, too."]
    return [_no_winner(best, rivals, others, resolution, sides)]


def _no_winner(
    best: Estimate,
    rivals: Sequence[Estimate],
    others: Sequence[Estimate],
    resolution: Resolution,
    sides: Sides,
) -> str:
    documents = f"{resolution.n_documents:,} documents"
    if any(best.mean - each.mean > resolution.paired for each in rivals):
        open_ = (
            f"No winner: {best.model} has the highest accuracy, {_figure(best)}, but whether it is "
            f"ahead of {_names(rivals)} is open on {documents}"
        )
        row = sides.get((best.model, rivals[0].model))
        return f"{open_}." if row is None else f"{open_}: of {rivals[0].model} {_by(row)}."
    resolved = f"what {documents} can resolve ({_points(resolution.paired)})"
    if len(rivals) == 1:
        return (
            f"No winner: {best.model}, {_figure(best)}, and {rivals[0].model}, "
            f"{_figure(rivals[0])}, lie within {resolved}."
        )
    count = _number(len(rivals) + 1)
    are_first = list(rivals) == list(others[: len(rivals)])
    which = f"the best {count}" if are_first else f"{count} models"
    return (
        f"No winner: {which} lie within {resolved}; the highest accuracy is that of {best.model}, "
        f"{_figure(best)}."
    )


def _is_ahead(model: str, other: str, sides: Sides) -> bool:
    """Tell whether a model is ahead, by its own test or by way of a model between the two.

    Both steps of such a way are certain together, since Holm's correction covers all of them.
    """
    row = sides.get((model, other))
    if row is not None:
        return row.outcome == "better"
    between = [second for first, second in sides if first == model]
    return any(
        sides[model, each].outcome == "better"
        and (each, other) in sides
        and sides[each, other].outcome == "better"
        for each in between
    )


def _turned(row: Difference) -> Difference:
    """Return a difference the other way round."""
    return replace(
        row, model=row.reference, reference=row.model, value=-row.value, low=-row.high,
        high=-row.low, outcome=_TURNED.get(row.outcome, row.outcome),
    )  # fmt: skip


def _beside_reference(rows: Sequence[Difference], families: Mapping[str, str]) -> list[str]:
    """Say which models are ahead of the first reference, behind it, as good, or neither."""
    reference = rows[0].reference
    words = {
        "better": "ahead", "equivalent": "as good", "undecided": "not told apart",
        "worse": "behind",
    }  # fmt: skip
    parts = []
    for outcome, word in words.items():
        mine = [row for row in rows if row.reference == reference and row.outcome == outcome]
        mine.sort(key=lambda row: -row.value)
        if mine:
            parts.append(f"{word}: {_listed([row.model for row in mine])}")
    if not parts:
        return []
    return [f"Against {reference}{_role(reference, families)}, {'; '.join(parts)}."]


def _attention(rows: Sequence[Difference], families: Mapping[str, str]) -> list[str]:
    """Say how attention alone stands to the classical reference."""
    for row in rows:
        if row.model == "attention" and families.get(row.reference) == "classical":
            return [f"Attention alone {_stands(row, row.reference)}."]
    return []


def _placebos(rows: Sequence[Difference]) -> list[str]:
    """Say which priors do more than their placebos."""
    told = [
        f"{row.model} {_stands(row, 'its placebo')}"
        for row in rows
        if row.reference == f"{row.model}-placebo"
    ]
    return [f"Priors beside the same prior of the wrong words: {'; '.join(told)}."] if told else []


def _resolution(found: Resolution, rows: Sequence[Difference]) -> str:
    equal = ""
    if any(row.outcome == "equivalent" for row in rows):
        equal = f" As good means within ±{_points(found.equivalence)}."
    return (
        f"These {found.n_documents:,} test documents can tell differences in accuracy from about "
        f"{_points(found.paired)} on, and smaller ones between models that agree on more of them; "
        f"no lead below that is called one.{equal} Intervals are of 95 %; p-values are corrected "
        "for all comparisons (Holm)."
    )


def _stands(row: Difference, other: str) -> str:
    """Say how a model stands to another one.

    Examples
    --------
    >>> row = Difference("a", "b", "accuracy", -0.213, -0.276, -0.15, "mcnemar chi2", 1e-9, 2e-9,
    ...                  None, None, None, "worse")
    >>> _stands(row, "b")
    'is behind b by 21.3 points [15.0, 27.6], p < .001'
    >>> _stands(replace(row, value=-0.012, low=-0.054, high=0.03, p_holm=0.4,
    ...                 outcome="undecided"), "b")
    'is not told apart from b: −1.2 points [−5.4, +3.0], p = .40'
    """
    if row.outcome == "better":
        return f"is ahead of {other} {_by(row)}"
    if row.outcome == "worse":
        return f"is behind {other} {_by(_turned(row))}"
    if row.says_the_same:
        return f"gave the same predictions as {other} on every document"
    start = "is as good as" if row.outcome == "equivalent" else "is not told apart from"
    ends = interval(points(row.low), points(row.high))
    return f"{start} {other}: {points(row.value)} points {ends}, {_p(row)}"


def _by(row: Difference) -> str:
    """Return by how much a model is ahead, which is above 0."""
    return f"by {_points(row.value)} {interval(percent(row.low), percent(row.high))}, {_p(row)}"


def _p(row: Difference) -> str:
    text = p_value(row.p_holm)
    return f"p {text}" if text[0] in "<>" else f"p = {text}"


def _points(value: float) -> str:
    return f"{decimal(100 * value, 1)} points"


def _figure(each: Estimate) -> str:
    """Return the accuracy of a model with its interval, where it has one."""
    mean = f"{percent(each.mean)} %"
    return mean if each.ends is None else f"{mean} {interval(*map(percent, each.ends))}"


def _role(reference: str, families: Mapping[str, str]) -> str:
    """Return what a reference is, in brackets."""
    is_classical = families.get(reference) == "classical"
    return " (the best classical model on the dev parts)" if is_classical else ""


def _number(count: int) -> str:
    return _NUMBERS[count] if count < len(_NUMBERS) else str(count)


def _names(models: Sequence[Estimate]) -> str:
    return _listed([each.model for each in models])


def _listed(names: Sequence[str]) -> str:
    """Return names as a list in words, the first of many.

    Examples
    --------
    >>> _listed(["a"]), _listed(["a", "b", "c"]), _listed(list("abcdefgh"))
    ('a', 'a, b and c', 'a, b, c, d, e and 3 others')
    """
    if len(names) > _MOST_NAMES:
        names = [*names[: _MOST_NAMES - 1], f"{len(names) - _MOST_NAMES + 1} others"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
