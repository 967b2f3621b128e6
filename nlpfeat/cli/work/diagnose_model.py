"""What ``nlpfeat diagnose --model`` does with its options, once torch is known to be there."""

import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import BinaryIO, TypeAlias

import numpy as np
import torch
import typer
from torch import Tensor

from nlpfeat.attention.diagnostics import DIAGNOSTICS
from nlpfeat.attention.diagnostics.head_similarity import cluster_heads, head_distances
from nlpfeat.attention.diagnostics.omission import (
    omission_effect,
    omission_robustness,
    random_tokens_like,
)
from nlpfeat.classifiers.attention import AttentionClassifier
from nlpfeat.classifiers.document_attention import DocumentAttention
from nlpfeat.cli.commands.diagnose import Diagnose
from nlpfeat.cli.output import make_and_write, origin, write_table
from nlpfeat.cli.parsing import check_numbers
from nlpfeat.cli.progress import Report
from nlpfeat.cli.sources import open_corpus
from nlpfeat.cli.work.diagnose import rounded, texts_column
from nlpfeat.errors import InvalidInputError
from nlpfeat.io.tables import Column, Table
from nlpfeat.persistence import load

logger = logging.getLogger(__name__)

Row: TypeAlias = tuple[str, str, float]
"""Name of the diagnostic, setting, measured value."""

#: Documents whose weights are held at a time.
_AT_ONCE = 128


def diagnose_model(options: Diagnose) -> None:
    """Measure a saved model on texts, and write."""
    check_numbers(options, "max_documents")
    if not options.corpus:
        raise typer.BadParameter("--model needs texts: name them with --corpus.")
    corpus = open_corpus(options.corpus, options)
    model = _loaded(options.model or "")

    def make(report: Report) -> Table:
        texts = list(islice(corpus, options.max_documents))
        rows = list(_measured(model, texts, options.seed, report))
        names = [name for name, *_ in rows]
        logger.info("%s documents", f"{len(texts):,}")
        columns: dict[str, Column] = {
            "diagnostic": texts_column([DIAGNOSTICS[name].number for name in names]),
            "name": texts_column([name.replace("_", "-") for name in names]),
            "setting": texts_column([setting for _, setting, _ in rows]),
            "measured": np.array([rounded(measured) for *_, measured in rows]),
        }
        facts = {"model": options.model, "n_documents": len(texts), "seed": options.seed}
        return Table(columns, origin(options.corpus, **facts))

    def write(table: Table, stream: BinaryIO, report: Report) -> None:
        write_table(options, table, table.metadata, stream, report)

    make_and_write(options, make, write)


def _loaded(path: str) -> AttentionClassifier:
    model = load(path)
    if not isinstance(model, AttentionClassifier):
        raise InvalidInputError(
            f"{path} must hold an AttentionClassifier. Got a {type(model).__name__}, which has no "
            "heads."
        )
    return model


def _measured(
    model: AttentionClassifier, texts: Sequence[str], seed: int, report: Report
) -> Iterator[Row]:
    distances: dict[str, list[tuple[int, Tensor]]] = {}
    documents: list[list[str]] = []
    strongest: list[list[int]] = []
    for start in range(0, len(texts), _AT_ONCE):
        report("measuring", start, len(texts))
        for seen in model.attention_weights(texts[start : start + _AT_ONCE]):
            for place, n_queries, found in _head_distances(seen):
                distances.setdefault(place, []).append((n_queries, found))
            if len(seen.tokens) > 1:
                documents.append(seen.tokens)
                strongest.append([int(seen.token_weights.argmax())])
    if not documents:
        raise InvalidInputError(
            "No text has two tokens: there is nothing to take away and compare."
        )
    for place, each in distances.items():
        yield from _alike(place, each)
    yield from _omitted(model, documents, strongest, seed)


def _head_distances(seen: DocumentAttention) -> Iterator[tuple[str, int, Tensor]]:
    """Yield, for each layer and the pooling, the number of queries and the distances of heads."""
    layers, pooling = torch.from_numpy(seen.layers), torch.from_numpy(seen.pooling)
    # A token without weight anywhere is one that the model does not see; it asks nothing.
    real = (pooling > 0).any(0).any(0) | (layers > 0).any(0).any(0).any(0)
    if not real.any():
        return
    asked = {f"layer {number}": layer[:, real] for number, layer in enumerate(layers, 1)}
    for place, weights in {**asked, "pooling": pooling}.items():
        # Not every normalizer has rows that sum to one.
        shares = weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)
        yield place, weights.shape[1], head_distances(shares[None])


def _alike(place: str, found: Sequence[tuple[int, Tensor]]) -> Iterator[Row]:
    """Yield how far apart the heads of a layer are over all queries."""
    weights = torch.tensor([n_queries for n_queries, _ in found], dtype=torch.float64)
    distances = torch.stack([each for _, each in found])
    mean = torch.tensordot(weights / weights.sum(), distances, dims=1)
    n_heads = len(mean)
    yield (
        "head_similarity",
        f"{place}: clusters of {n_heads} heads",
        float(len(set(cluster_heads(mean)))),
    )
    for a, b in combinations(range(n_heads), 2):
        setting = f"{place}: divergence of heads {a + 1} and {b + 1}"
        yield "head_similarity", setting, float(mean[a, b])


def _omitted(
    model: AttentionClassifier,
    documents: list[list[str]],
    strongest: list[list[int]],
    seed: int,
) -> Iterator[Row]:
    """Yield what is left of the model's own answers without a token."""

    def score(texts: list[list[str]]) -> Tensor:
        # Probabilities of 0 would give infinite changes.
        return torch.from_numpy(model.predict_proba(texts)).clamp(min=1e-30).log()

    counts = Counter(token for document in documents for token in document)
    answers = score(documents).argmax(1)
    others = random_tokens_like(
        documents, strongest, counts, generator=torch.Generator().manual_seed(seed)
    )
    for which, removed in (
        ("the token with the most weight", strongest),
        ("a random token as frequent", others),
    ):
        kept = omission_robustness(score, documents, answers, removed).ratio
        yield "omission", f"without {which}: answers that stay", kept
        change = omission_effect(score, documents, removed)
        of_answers = float(change.gather(1, answers[:, None]).mean())
        yield "omission", f"without {which}: change of their log-probability", of_answers
