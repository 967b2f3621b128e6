"""What a comparison does: its documents, splits and runs."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from nlpfeat._typing import Int64Array
from nlpfeat.compare.explaining.explained_texts import explain_texts
from nlpfeat.compare.labeled_texts import LabeledTexts, read_labeled, without_shared
from nlpfeat.compare.models.compared_model import ComparedModel
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.run import Run
from nlpfeat.compare.run_store import RunStore
from nlpfeat.compare.splits import Split, joined, make_parts, make_splits
from nlpfeat.compare.token_file import cut, read_tokens, write_tokens
from nlpfeat.compare.versions import versions
from nlpfeat.errors import InvalidInputError
from nlpfeat.io.atomic import atomic_output
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.segmenters import as_segmenter

_EXPLAINED_SPLIT = 0
_EXPLAINED_SEEDS = 2
"""Runs of the first split that are explained: two seeds, to hold one against the other."""


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
    segmenter : str
        What tells it from others.
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
    segmenter: str
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
    segmenter = as_segmenter(protocol.segmenter).identity
    tokens = store.tokens(sha256(f"{texts.hash()} {segmenter} {versions()}".encode()).hexdigest())
    if not tokens.exists():
        write_tokens(cut(texts, protocol.segmenter, n_jobs), tokens)
    return Plan(texts, notes, n_duplicates, splits, protocol, segmenter, tokens, phenomenon, groups)


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
    facts = f"{split.hash} {plan.tokens.name} {n_explained} {plan.protocol.split_seed} {versions()}"
    path = store.explained_texts(sha256(facts.encode()).hexdigest())
    if not path.exists():
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

    On a phenomenon each model is what ``ComparedModel.for_phenomena`` makes of it.

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
        models = [model.for_phenomena() for model in models]
    for place, seed in enumerate(protocol.seeds):
        for split in plan.splits:
            parts = make_parts(split, plan.expected, protocol, seed, size, plan.groups)
            is_explained = split.number == _EXPLAINED_SPLIT and place < _EXPLAINED_SEEDS
            for model in models:
                yield Run(
                    model=model, phenomenon=plan.phenomenon, split=split.number, seed=seed,
                    split_hash=split.hash, segmenter=plan.segmenter, parts=parts,
                    is_full=size is None, n_trials=protocol.n_trials,
                    dev_fraction=protocol.dev_fraction,
                    explained_texts=explained_texts if is_explained else None,
                    measures_costs=not plan.phenomenon, tokens=plan.tokens,
                )  # fmt: skip
