"""What a comparison does: its documents, splits and runs."""

import json
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from nlpfeat._typing import Int64Array
from nlpfeat.compare.explaining.documents_to_explain import ExplainedTexts, explain_texts
from nlpfeat.compare.labeled_texts import LabeledTexts, read_labeled, without_shared
from nlpfeat.compare.models.compared_model import ComparedModel
from nlpfeat.compare.models.on_phenomena import on_phenomena
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.runs.run import Run
from nlpfeat.compare.runs.store import RunStore
from nlpfeat.compare.runs.token_file import LabeledTokens, cut, read_tokens, write_tokens
from nlpfeat.compare.splits import Split, joined, make_parts, make_splits
from nlpfeat.compare.versions import versions
from nlpfeat.errors import InvalidInputError
from nlpfeat.io.atomic import atomic_output
from nlpfeat.text.corpus import Corpus

logger = logging.getLogger(__name__)

_EXPLAINED_SPLIT = 0
_EXPLAINED_SEEDS = 2
"""Runs of the first split that are explained: two seeds, to hold one against the other."""
_NAMED = 10
"""Classes that a note names."""
_TEXTS_FORMAT = 2
"""Of what is kept of explained documents: with another one they are drawn again."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Documents with their splits.

    Parameters
    ----------
    texts : LabeledTexts
        All documents; test documents that are a corpus of their own stand last.
    notes : list of str
        What was left out.
    n_duplicates : int
    splits : list of Split
    protocol : Protocol
    tokens : path
        Where the documents are, cut.
    phenomenon : str, default ""
        "" for the corpus of the comparison.
    groups : ndarray of int64, shape (N,), default None
        The number of the group of each document that depends on others; None where none does.
    """

    texts: LabeledTexts
    notes: list[str]
    n_duplicates: int
    splits: list[Split]
    protocol: Protocol
    tokens: Path
    phenomenon: str = ""
    groups: Int64Array | None = None

    @property
    def expected(self) -> Int64Array:
        """The place of the class of each document."""
        return self.texts.places

    def sizes(self) -> tuple[list[int], list[int]]:
        """Return the sizes of the learning curve that are below all documents, and the others."""
        split, seed = self.splits[0], self.protocol.seeds[0]
        parts = make_parts(split, self.expected, self.protocol, seed, groups=self.groups)
        n_all = len(parts.fit)
        sizes = sorted(self.protocol.train_sizes)
        return [size for size in sizes if size < n_all], [size for size in sizes if size >= n_all]


def make_plan(
    corpus: Corpus,
    protocol: Protocol,
    store: RunStore,
    *,
    test: Corpus | None = None,
    n_jobs: int | None = None,
    phenomenon: str = "",
    groups: Int64Array | None = None,
) -> Plan:
    """Read, clean, split and cut documents, each once.

    Parameters
    ----------
    corpus : Corpus
    protocol : Protocol
    store : RunStore
        Keeps the tokens.
    test : Corpus, default None
        Test documents of ``split="given"``.
    n_jobs : int or None
        Processes that cut.
    phenomenon : str, default ""
    groups : ndarray of int64, default None
        The number of the group of each document, the test documents last. None of a group may be
        left out then.

    Returns
    -------
    Plan

    Raises
    ------
    InvalidInputError, InvalidParameterError
        For documents that cannot be compared on, and for groups that are torn.
    """
    train = read_labeled(corpus)
    notes, n_duplicates = train.left_out.notes("the corpus"), train.left_out.n_duplicates
    tested = None
    if test is not None:
        tested = without_shared(read_labeled(test, is_test=True), train)
        notes += tested.left_out.notes("the test corpus")
        n_duplicates += tested.left_out.n_duplicates
    splits = make_splits(train, protocol, tested)
    texts = train if tested is None else joined(train, tested)
    if groups is not None and len(groups) != len(texts.texts):
        raise InvalidInputError(
            f"{texts.name}: documents in groups must all take part, since a torn group is not "
            f"balanced. Got {len(groups):,} in groups and {len(texts.texts):,} that take part. "
            f"{' '.join(notes)}".rstrip()
        )
    notes += _untested(texts, splits)
    tokens = _kept(cut(texts, protocol.segmenter, n_jobs), store)
    return Plan(texts, notes, n_duplicates, splits, protocol, tokens, phenomenon, groups)


def explained_path(plan: Plan, store: RunStore) -> Path | None:
    """Return where the documents are that models explain; they are drawn when not yet there.

    Parameters
    ----------
    plan : Plan
    store : RunStore

    Returns
    -------
    path or None
        None when none are asked for.
    """
    n_explained = plan.protocol.n_explained
    if not n_explained:
        return None
    split = plan.splits[_EXPLAINED_SPLIT]
    facts = (
        f"{_TEXTS_FORMAT} {split.hash} {plan.tokens.name} {n_explained} "
        f"{plan.protocol.split_seed} {versions()}"
    )
    path = store.explained_texts(sha256(facts.encode()).hexdigest())
    if not _is_whole(path):
        tokens = read_tokens(plan.tokens)
        train, test = split.train.tolist(), split.test.tolist()
        texts = explain_texts(
            [tokens.documents[row] for row in train], [tokens.labels[row] for row in train],
            [tokens.documents[row] for row in test], [tokens.labels[row] for row in test],
            classes=tokens.classes, split=split.number, n_explained=n_explained,
            random_state=plan.protocol.split_seed,
        )  # fmt: skip
        with atomic_output(path) as file:
            file.write(json.dumps(texts.to_dict(), ensure_ascii=False).encode())
    return path


def runs_of(
    plan: Plan,
    models: Sequence[ComparedModel],
    size: int | None = None,
    *,
    explained_texts: Path | None = None,
) -> Iterator[Run]:
    """Yield the runs of one size, seed by seed, so that whoever stops early has some of each model.

    On a phenomenon each model is what ``on_phenomena`` makes of it.

    Parameters
    ----------
    plan : Plan
    models : sequence of ComparedModel
    size : int, default None
        None is all training documents.
    explained_texts : path, default None

    Yields
    ------
    Run
    """
    protocol = plan.protocol
    if plan.phenomenon:
        models = on_phenomena(models).tried
    for place, seed in enumerate(protocol.seeds):
        for split in plan.splits:
            parts = make_parts(split, plan.expected, protocol, seed, size, plan.groups)
            is_explained = split.number == _EXPLAINED_SPLIT and place < _EXPLAINED_SEEDS
            for model in models:
                yield Run(
                    model=model, phenomenon=plan.phenomenon, split=split.number, seed=seed,
                    split_hash=split.hash, parts=parts, n_classes=len(plan.texts.classes),
                    is_full=size is None, n_trials=protocol.n_trials,
                    dev_fraction=protocol.dev_fraction,
                    explained_texts=explained_texts if is_explained else None,
                    measures_costs=not plan.phenomenon, tokens=plan.tokens,
                )  # fmt: skip


def _untested(texts: LabeledTexts, splits: Sequence[Split]) -> list[str]:
    """Say which classes stand in no test part."""
    tested = {texts.labels[row] for split in splits for row in split.test.tolist()}
    counts = Counter(texts.labels)
    missing = [f"{label!r} ({counts[label]:,})" for label in sorted(set(counts) - tested)]
    if not missing:
        return []
    more = len(missing) - _NAMED
    return [
        "No test document is of these classes, whose documents stand in brackets, and no figure "
        f"says how well models tell them: {', '.join(missing[:_NAMED])}"
        f"{f' and {more:,} others' if more > 0 else ''}."
    ]


def _kept(tokens: LabeledTokens, store: RunStore) -> Path:
    """Return where cut documents are kept.

    Their name tells the tokens, not who cut them: nothing tells two functions apart, or a function
    before and after its code has changed. So every start cuts, and the same tokens are the same.
    """
    path = store.tokens(tokens.hash)
    if path.exists():
        try:
            if read_tokens(path).hash == tokens.hash:
                return path  # with the seconds of the first start, which finished runs tell of
        except InvalidInputError as error:
            logger.warning("%s is written again: %s", path, error)
    write_tokens(tokens, path)
    return path


def _is_whole(path: Path) -> bool:
    """Tell whether documents that are explained are kept there."""
    if not path.exists():
        return False
    try:
        ExplainedTexts.from_dict(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError, LookupError, AttributeError) as error:
        logger.warning("%s is written again: %s", path, error)
        return False
    return True
