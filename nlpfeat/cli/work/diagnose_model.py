"""What ``nlpfeat diagnose --model`` does with its options, once torch is known to be there."""

import logging
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations, islice
from typing import BinaryIO, TypeAlias

import numpy as np
import torch
import typer
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted
from torch import Tensor

from nlpfeat.attention.diagnostics import DIAGNOSTICS
from nlpfeat.attention.diagnostics.head_similarity import cluster_heads, head_distances
from nlpfeat.attention.diagnostics.omission import random_tokens_like, without_tokens
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
from nlpfeat.text.characters import is_blank

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
        with _long_documents_told(model, texts):
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
    try:
        check_is_fitted(model)
    except NotFittedError as error:
        raise typer.BadParameter(
            f"{path} holds an AttentionClassifier that is not fitted, which has no heads yet. Call "
            "its fit(texts, labels) before it is saved.",
            param_hint="--model",
        ) from error
    return model


@contextmanager
def _long_documents_told(model: AttentionClassifier, texts: list[str]) -> Iterator[None]:
    """Warn once of documents that the model does not read whole, and not at each reading."""
    model._reading().read(texts, model._vocabulary)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".* documents have more than max_length", UserWarning)
        yield


def _measured(
    model: AttentionClassifier, texts: Sequence[str], seed: int, report: Report
) -> Iterator[Row]:
    distances: dict[str, list[tuple[int, Tensor]]] = {}
    chosen: list[str] = []
    documents: list[list[str]] = []
    strongest: list[int] = []
    for start in range(0, len(texts), _AT_ONCE):
        report("measuring", start, len(texts))
        some = texts[start : start + _AT_ONCE]
        for text, seen in zip(some, model.attention_weights(some)):
            for place, n_queries, found in _head_distances(seen):
                distances.setdefault(place, []).append((n_queries, found))
            if len(seen.tokens) > 1:
                chosen.append(text)
                documents.append(seen.tokens)
                strongest.append(int(seen.token_weights.argmax()))
    if not documents:
        raise InvalidInputError(
            "No text has two tokens: there is nothing to take away and compare."
        )
    for place, each in distances.items():
        yield from _alike(place, each)
    yield from _omitted(model, chosen, documents, strongest, seed)


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
    texts: list[str],
    documents: list[list[str]],
    strongest: list[int],
    seed: int,
) -> Iterator[Row]:
    """Yield what is left of the model's own answers without a token."""

    def score(texts: list[str] | list[list[str]]) -> Tensor:
        # Probabilities of 0 would give infinite changes.
        return torch.from_numpy(model.predict_proba(texts)).clamp(min=1e-30).log()

    before = score(texts)
    answers = before.argmax(1)
    counts = Counter(token for document in documents for token in document)
    others = random_tokens_like(
        documents, [[place] for place in strongest], counts,
        generator=torch.Generator().manual_seed(seed),
    )  # fmt: skip
    for which, removed in (
        ("the token with the most weight", strongest),
        ("a random token as frequent", [place for (place,) in others]),
    ):
        after = score(_without(model.unit, texts, documents, removed))
        stay = float((after.argmax(1) == answers).double().mean())
        yield "omission", f"without {which}: answers that stay", stay
        change = (after - before).gather(1, answers[:, None])
        yield (
            "omission",
            f"without {which}: change of their log-probability",
            float(change.mean()),
        )


def _without(
    unit: str, texts: list[str], documents: list[list[str]], removed: list[int]
) -> list[str] | list[list[str]]:
    """Return each document without one of its tokens.

    A model of characters gets text, for priors cut it into words; a model of words gets words: cut
    again, those beside the gap might be other ones.

    Examples
    --------
    >>> _without("char", ["AI 茶，好"], [["a", "i", "茶", "，", "好"]], [2])
    ['AI ，好']
    >>> _without("word", ["喝茶 好"], [["喝茶", "好"]], [0])
    [['好']]
    """
    if unit == "word":
        return without_tokens(documents, [[place] for place in removed])
    left = []
    for text, place in zip(texts, removed):
        # The tokens are the characters that are not blank, one for one.
        at = [at for at, character in enumerate(text) if not is_blank(character)][place]
        left.append(text[:at] + text[at + 1 :])
    return left
