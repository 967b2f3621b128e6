"""Doing a comparison: every run once, whatever interrupts it, and the report of all of them."""

import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TypeAlias

from nlpfeat._optional import missing_dependency
from nlpfeat.compare.explained_findings import with_explanations
from nlpfeat.compare.findings import PhenomenonScore
from nlpfeat.compare.models import ComparedModel, ModelLike, chosen_models
from nlpfeat.compare.notes import notes_of
from nlpfeat.compare.phenomenon_scores import (
    chosen_phenomena,
    phenomenon_plan,
    phenomenon_scores,
)
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.provenance import provenance_of
from nlpfeat.compare.report import ComparisonReport
from nlpfeat.compare.runs.plan import Plan, explained_path, make_plan, runs_of
from nlpfeat.compare.runs.run import Run
from nlpfeat.compare.runs.store import RunStore
from nlpfeat.compare.runs.workers import Failure, do_runs
from nlpfeat.compare.summarizing.finished import FinishedRun
from nlpfeat.compare.summarizing.summary import Compared, summarize
from nlpfeat.errors import InvalidParameterError, WorkerError
from nlpfeat.parallel.pool import resolve_n_jobs
from nlpfeat.text.corpus import Corpus

OnProgress: TypeAlias = Callable[[str, int, int | None], None]
OnRun: TypeAlias = Callable[[str, int, int], None]

DEFAULT_PROTOCOL = Protocol()


def compare_models(
    models: str | Iterable[ModelLike],
    corpus: Corpus,
    protocol: Protocol = DEFAULT_PROTOCOL,
    *,
    test: Corpus | None = None,
    cache: str | os.PathLike[str] | None = None,
    n_jobs: int | None = None,
    on_progress: OnProgress | None = None,
    on_run: OnRun | None = None,
    phenomena: str | Iterable[str] = (),
    keep_documents: bool = True,
    command: str = "",
) -> ComparisonReport:
    """Compare models of documents on equal terms.

    Every run (a model, a split, a seed, a number of training documents) is a process of its own
    with one thread. It is fitted on the training part, its setting is chosen and its temperature
    learned on the dev part, and it is asked about the test part once.

    Parameters
    ----------
    models : str, or iterable of str, ComparedModel or (str, estimator)
        A suite ("quick", "standard", "full", "priors", "variants"), or names of ``MODELS`` and
        models of one's own: anything with ``fit`` and ``predict`` over token lists.
    corpus : Corpus
        Documents with labels.
    protocol : Protocol, default Protocol()
    test : Corpus, default None
        Test documents, for ``Protocol(split="given")``.
    cache : path, default None
        A folder in which finished runs are kept: the same comparison goes on where it ended. None
        is a temporary one.
    n_jobs : int or None, default None
        Runs at a time; -1 takes all processors. Seconds and documents per second are only told
        apart well with as many processors.
    on_progress : callable, default None
        Called with what is done, how many runs are finished, and how many there are.
    on_run : callable, default None
        Called with the title of each run that ended here (model, split or phenomenon, seed and
        number of documents; and the kind of error, when it failed), and with the same two numbers.
    phenomena : "all", or iterable of str, default ()
        Controlled corpora of ``nlpfeat.datasets.phenomena`` on which the models are tried, too,
        with one setting each: see ``on_phenomena`` of ``ComparedModel``.
    keep_documents : bool, default True
        Whether the report may hold texts: chosen documents, and what errors say of them.
    command : str, default ""
        What was typed, for the report.

    Returns
    -------
    ComparisonReport

    Raises
    ------
    InvalidInputError
        For documents without labels, of one class, or too few.
    InvalidParameterError
        For models, phenomena or a protocol that cannot be, and when the time budget did not
        suffice for one run.
    MissingDependencyError
        When a model needs torch and it is not installed; nothing has run then.
    WorkerError
        When every run failed, or processes could not begin (a script needs the guard
        ``if __name__ == "__main__"``).

    Notes
    -----
    A run that fails is told of in the notes of the report, and the others go on. What a run depends
    on is its key in the cache: the settings of the model, the texts of its parts and what they are
    cut into, seed, size and trials, and the versions of nlpfeat and of what it works with. Code of
    models of one's own is not: empty the cache when it has changed.

    Examples
    --------
    >>> texts = [f"{word}的房间{number}" for number in "一二三四五六七八" for word in ("好", "脏")]
    >>> corpus = Corpus.from_texts(texts, ["好评", "差评"] * 8)
    >>> report = compare_models(
    ...     ["word-bow"], corpus,
    ...     Protocol(seeds=[0], n_trials=1, n_explained=0, n_resamples=100))
    >>> [model.name for model in report.findings.models]
    ['word-bow']
    >>> sorted({record.metric for record in report.findings.records})[:2]
    ['accuracy', 'adaptive_calibration_error']
    """
    chosen = chosen_models(models)
    names = chosen_phenomena(phenomena)
    jobs = resolve_n_jobs(n_jobs)
    _check_packages(chosen)
    deadline = None if protocol.time_budget is None else time.time() + protocol.time_budget
    with _store(cache) as store:
        plan = make_plan(corpus, protocol, store, test=test, n_jobs=n_jobs)
        plans = [phenomenon_plan(name, protocol, store) for name in names]
        work = _work(plan, plans, chosen, store)
        failures = _do(work, store, jobs, deadline, on_progress, on_run)
        runs, lost = _finished(work, store, failures)
        _warn_of_missing(chosen, runs, lost, keep_documents=keep_documents)
        return _report(plan, plans, chosen, runs, lost, command, keep_documents=keep_documents)


@dataclass
class _Work:
    """The runs in the order in which they begin, and which share a process."""

    batches: list[list[Run]] = field(default_factory=list)

    @property
    def runs(self) -> list[Run]:
        """All runs."""
        return [run for batch in self.batches for run in batch]


def _work(plan: Plan, plans: Sequence[Plan], models: list[ComparedModel], store: RunStore) -> _Work:
    """Plan all runs: the corpus first, then phenomena, then the smaller sizes.

    Runs of a phenomenon share a process: nothing is told of what they cost.
    """
    explained = explained_path(plan, store)
    work = _Work([[run] for run in runs_of(plan, models, explained_texts=explained)])
    work.batches += [list(runs_of(each, models)) for each in plans]
    for size in plan.sizes()[0]:
        work.batches += [[run] for run in runs_of(plan, models, size)]
    return work


def _do(
    work: _Work,
    store: RunStore,
    n_jobs: int,
    deadline: float | None,
    on_progress: OnProgress | None,
    on_run: OnRun | None,
) -> dict[str, Failure]:
    """Do the runs that are not there yet; return those that failed, by their keys."""
    failures: dict[str, Failure] = {}
    n_runs = len(work.runs)
    missing = [
        [run for run in batch if store.load(run.key, run.shape) is None] for batch in work.batches
    ]
    n_done = n_runs - sum(map(len, missing))
    report = on_progress or _show_nothing
    report("running", n_done, n_runs)

    def ended(run: Run, failure: Failure | None) -> None:
        nonlocal n_done
        n_done += 1
        if failure is not None:
            failures[run.key] = failure
        report("running", n_done, n_runs)
        if on_run is not None and (failure is None or not failure.is_late):
            how = "" if failure is None else f": failed with {failure.kind}"
            on_run(run.title + how, n_done, n_runs)

    do_runs(missing, store, n_jobs=n_jobs, deadline=deadline, on_run=ended)
    return failures


def _finished(
    work: _Work, store: RunStore, failures: dict[str, Failure]
) -> tuple[list[FinishedRun], list[tuple[Run, Failure]]]:
    """Return the runs that are finished, and those that are not, with the reason.

    Raises
    ------
    InvalidParameterError, WorkerError
        When no run of the corpus at the full size is finished.
    """
    finished, lost = [], []
    for run in work.runs:
        result = store.load(run.key, run.shape)
        if result is not None:
            finished.append(FinishedRun(run, result))
        else:
            lost.append((run, failures.get(run.key, Failure("OutputError", "it left nothing"))))
    if not any(each.run.is_full and not each.run.phenomenon for each in finished):
        failed = [(run, failure) for run, failure in lost if not failure.is_late]
        if not failed:
            raise InvalidParameterError(
                "Protocol.time_budget (--time-budget) did not suffice for one run. Raise it; with "
                "a cache, what is finished is not done again."
            )
        run, failure = failed[0]
        raise WorkerError(
            f"No run was finished. The first, {run.title}, ended with {failure.kind}: "
            f"{failure.message}"
        )
    return finished, lost


def _warn_of_missing(
    models: Sequence[ComparedModel],
    runs: Sequence[FinishedRun],
    lost: Sequence[tuple[Run, Failure]],
    *,
    keep_documents: bool,
) -> None:
    """Warn of models that are in no table, since each of their runs failed."""
    finished = {each.run.model.name for each in runs}
    for model in models:
        failed = [each for run, each in lost if run.model.name == model.name and not each.is_late]
        if model.name in finished or not failed:
            continue
        message = f": {failed[0].message.rstrip('.')}" if keep_documents else ""
        hint = ""
        if "'list' object has no attribute" in failed[0].message:
            hint = " Models get lists of tokens: give vectorizers of scikit-learn analyzer=list."
        warnings.warn(
            f"No run of {model.name} was finished. The first ended with {failed[0].kind}{message}."
            f"{hint}",
            stacklevel=3,
        )


def _report(
    plan: Plan,
    plans: Sequence[Plan],
    models: list[ComparedModel],
    runs: list[FinishedRun],
    lost: list[tuple[Run, Failure]],
    command: str,
    *,
    keep_documents: bool,
) -> ComparisonReport:
    order = {model.name: place for place, model in enumerate(models)}
    runs = sorted(
        runs,
        key=lambda each: (
            order[each.run.model.name], -each.run.size, each.run.split, each.run.seed
        ),
    )  # fmt: skip
    on_corpus = [each for each in runs if not each.run.phenomenon]
    scores: list[PhenomenonScore] = []
    for each in plans:
        mine = {
            model.name: [
                run for run in runs
                if run.run.phenomenon == each.phenomenon and run.run.model.name == model.name
            ]
            for model in models
        }  # fmt: skip
        scores += phenomenon_scores(each, models, mine)
    findings = summarize(
        Compared(
            models, plan.protocol, plan.splits, plan.expected, on_corpus,
            provenance_of(plan, models, command), scores,
            notes_of(plan, models, runs, lost, keep_documents=keep_documents),
        )
    )  # fmt: skip
    findings = with_explanations(findings, plan, on_corpus, keep_documents=keep_documents)
    return ComparisonReport(findings)


@contextmanager
def _store(cache: str | os.PathLike[str] | None) -> Iterator[RunStore]:
    if cache is not None:
        yield RunStore(Path(cache))
        return
    with tempfile.TemporaryDirectory(prefix="nlpfeat-") as folder:
        yield RunStore(Path(folder))


def _check_packages(models: Sequence[ComparedModel]) -> None:
    """Raise before anything runs when a package is missing."""
    needing = [model.name for model in models if model.needs_torch]
    for package in ("torch", "safetensors"):
        if needing and find_spec(package) is None:
            raise missing_dependency(package, "attention", f"the model {needing[0]!r}")


def _show_nothing(step: str, done: int, total: int | None) -> None:
    pass
