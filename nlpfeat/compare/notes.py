"""What a reader must know beside the figures: what was left out, what failed, what warned."""

from collections import Counter
from collections.abc import Sequence

from nlpfeat.compare.models.compared_model import ComparedModel
from nlpfeat.compare.models.on_phenomena import on_phenomena
from nlpfeat.compare.runs.plan import Plan
from nlpfeat.compare.runs.run import Run
from nlpfeat.compare.runs.workers import Failure
from nlpfeat.compare.summarizing.finished import FinishedRun

_LONGEST = 300
_ENOUGH_SEEDS = 5


def notes_of(
    plan: Plan,
    models: Sequence[ComparedModel],
    runs: Sequence[FinishedRun],
    lost: Sequence[tuple[Run, Failure]],
    *,
    keep_documents: bool,
) -> list[str]:
    """Return the notes of a comparison.

    Parameters
    ----------
    plan : Plan
    models : sequence of ComparedModel
    runs : sequence of FinishedRun
    lost : sequence of (Run, Failure)
        Those that failed, and those that were not begun.
    keep_documents : bool
        Whether messages of errors, which may hold texts, are told.

    Returns
    -------
    list of str
    """
    notes = list(plan.notes)
    notes += _protocol(plan)
    notes += _budget(plan, models)
    notes += _phenomena(models, runs)
    for run, failure in lost:
        if not failure.is_late:
            message = f": {failure.message[:_LONGEST]}" if keep_documents else ""
            notes.append(f"{run.title}, failed with {failure.kind}{message}.")
    late = [run.title for run, failure in lost if failure.is_late]
    if late:
        notes.append(
            f"The time budget of {plan.protocol.time_budget:g} s did not suffice for {len(late):,} "
            f"runs: {'; '.join(late)}."
        )
    return notes + _warnings(runs, keep_documents=keep_documents)


def _protocol(plan: Plan) -> list[str]:
    notes = []
    n_seeds = len(plan.protocol.seeds)
    if n_seeds < _ENOUGH_SEEDS:
        notes.append(
            f"With {n_seeds} {'seed' if n_seeds == 1 else 'seeds'} the intervals know little of "
            f"how much a model varies from training to training; {_ENOUGH_SEEDS} are better."
        )
    too_large = plan.sizes()[1]
    if too_large:
        notes.append(
            f"Sizes {', '.join(f'{size:,}' for size in too_large)} are left out of the learning "
            "curve: there are not more training documents."
        )
    return notes


def _budget(plan: Plan, models: Sequence[ComparedModel]) -> list[str]:
    n_trials = plan.protocol.n_trials
    return [
        f"{model.name} has {model.n_settings:,} settings, fewer than the {n_trials:,} trials of "
        "others."
        for model in models
        if model.n_settings < n_trials
    ]


def _phenomena(models: Sequence[ComparedModel], runs: Sequence[FinishedRun]) -> list[str]:
    if not any(each.run.phenomenon for each in runs):
        return []
    note = "On phenomena each model has one setting"
    names = [model.name for model in models if model.on_phenomena]
    if names:
        note += f", for {', '.join(names)} another one than on the corpus: see their parameters"
    return [
        f"{note}.",
        *(
            f"On phenomena {model} is the same model as {first}, which stands for both."
            for model, first in on_phenomena(models).stand_ins.items()
        ),
    ]


def _warnings(runs: Sequence[FinishedRun], *, keep_documents: bool) -> list[str]:
    n_runs = Counter(each.run.model.name for each in runs)
    told: Counter[tuple[str, str]] = Counter()
    for each in runs:
        name = each.run.model.name
        failed = [trial.error[:_LONGEST] for trial in each.result.trials if trial.error]
        texts = each.result.warnings + [f"a setting failed with {error}" for error in failed]
        for text in {text if keep_documents else text.split(":")[0] for text in texts}:
            told[name, text] += 1
    return [
        f"{name}: {text} (in {count:,} of {n_runs[name]:,} runs)"
        for (name, text), count in sorted(told.items())
    ]
