"""Speed of attention: beside the same network written by hand, with priors, decoding, and whole.

Usage: python benchmarks/bench_attention.py train.tsv [--device cpu|cuda] [--threads N] [--rounds N]
       [--skip-classifier]

The file holds a text, a tab and a label in each line, UTF-8. Every figure is a ratio within the
run: in each round all candidates take the same batches one after the other, and the ratio is that
of the medians of their processor times (of their times on a GPU). A step is a forward pass, a
backward pass and a step of AdamW. Sizes are the defaults of the classifier; nothing is dropped, and
on both sides a batch without padding has no mask (a GPU is not asked).
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from nlpfeat import Corpus
from nlpfeat._typing import Int64Array
from nlpfeat.attention import PRESETS, Attention, AttentionSpec, KeyValueCache
from nlpfeat.classifiers._batching import Batch, BatchMaker
from nlpfeat.classifiers._network import Block, Network, NetworkSettings
from nlpfeat.classifiers.attention import AttentionClassifier
from nlpfeat.priors import PmiPrior, Prior
from nlpfeat.priors.documents import ReadDocuments
from nlpfeat.priors.prior import FittedTextPrior
from nlpfeat.text.normalization import Normalization
from nlpfeat.text.segmenters import as_segmenter
from nlpfeat.text.token_spool import TextSettings

T = TypeVar("T")

DEFAULT = AttentionClassifier()
D_MODEL, N_QUERIES = DEFAULT.d_model, DEFAULT.n_queries
SPEC = AttentionSpec(
    DEFAULT.attention_score, DEFAULT.position, DEFAULT.n_heads, DEFAULT.n_kv_heads, DEFAULT.d_head,
    DEFAULT.normalizer,
)  # fmt: skip


class HandWrittenBlock(nn.Module):
    """A pre-norm layer, straight on scaled_dot_product_attention."""

    def __init__(self, n_heads: int) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.first_norm, self.second_norm = nn.LayerNorm(D_MODEL), nn.LayerNorm(D_MODEL)
        self.projection = nn.Linear(D_MODEL, 3 * D_MODEL, bias=False)
        self.output = nn.Linear(D_MODEL, D_MODEL, bias=False)
        self.wide, self.narrow = nn.Linear(D_MODEL, 2 * D_MODEL), nn.Linear(2 * D_MODEL, D_MODEL)

    def forward(self, tokens: Tensor, mask: Tensor | None) -> Tensor:
        """Return the tokens, (B, L, d_model); the mask is (B, 1, 1, L), None without padding."""
        n_documents, n_tokens = tokens.shape[:2]
        projected = self.projection(self.first_norm(tokens))
        query, key, value = projected.view(n_documents, n_tokens, 3, self.n_heads, -1).permute(
            2, 0, 3, 1, 4
        )
        mask = None if mask is None else mask.expand(-1, 1, n_tokens, -1)
        heads = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        tokens = tokens + self.output(heads.transpose(1, 2).flatten(2))
        result: Tensor = tokens + self.narrow(functional.gelu(self.wide(self.second_norm(tokens))))
        return result


class HandWritten(nn.Module):
    """The network of the classifier without a prior, straight on scaled_dot_product_attention."""

    def __init__(self, n_terms: int, n_classes: int) -> None:
        super().__init__()
        self.n_heads = SPEC.n_heads
        self.embedding = nn.Embedding(n_terms + 2, D_MODEL)
        self.places = nn.Parameter(0.02 * torch.randn(DEFAULT.max_length, D_MODEL))
        self.layers = nn.ModuleList(HandWrittenBlock(self.n_heads) for _ in range(DEFAULT.n_layers))
        self.norm = nn.LayerNorm(D_MODEL)
        self.query = nn.Parameter(torch.randn(self.n_heads, N_QUERIES, D_MODEL // self.n_heads))
        self.projection = nn.Linear(D_MODEL, 2 * D_MODEL, bias=False)
        self.output = nn.Linear(D_MODEL, D_MODEL, bias=False)
        self.head = nn.Linear(N_QUERIES * D_MODEL, n_classes)

    def forward(self, batch: Batch) -> Tensor:
        """Return the log-scores, (B, C)."""
        n_documents, n_tokens = batch.ids.shape
        mask = mask_of(batch)
        tokens = self.embedding(batch.ids) + self.places[:n_tokens]
        for layer in self.layers:
            tokens = layer(tokens, mask)
        projected = self.projection(self.norm(tokens))
        key, value = projected.view(n_documents, n_tokens, 2, self.n_heads, -1).permute(
            2, 0, 3, 1, 4
        )
        query = self.query.expand(n_documents, -1, -1, -1)
        pooled = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        logits: Tensor = self.head(self.output(pooled.transpose(1, 2).flatten(2)).flatten(1))
        return logits


def mask_of(batch: Batch) -> Tensor | None:
    """Return which keys are real, (B, 1, 1, L); None, on the CPU, when all are."""
    if not batch.mask.is_cuda and bool(batch.mask.all()):
        return None
    return batch.mask[:, None, None, :]


def read(path: str) -> tuple[list[str], list[str]]:
    """Return texts and labels."""
    documents = list(Corpus(path, text_column=1, label_column=2, encoding="utf-8").documents())
    return [document.text for document in documents], [str(each.label) for each in documents]


def as_read(texts: list[str]) -> ReadDocuments:
    """Return texts as the classifier reads them."""
    return ReadDocuments.read(
        texts, unit="char", segmenter=as_segmenter("char"),
        settings=TextSettings(Normalization(True, True), keep_punctuation=True),
    )  # fmt: skip


def network_settings(n_terms: int, n_classes: int) -> NetworkSettings:
    """Return the default sizes, without dropout."""
    return NetworkSettings(
        n_terms, n_classes, D_MODEL, DEFAULT.n_layers, SPEC, N_QUERIES,
        max_length=DEFAULT.max_length,
    )  # fmt: skip


def by_hand_loss(model: HandWritten, batch: Batch) -> Tensor:
    """Return the loss of a batch."""
    return functional.cross_entropy(model(batch), targets_of(batch))


def network_loss(model: Network, batch: Batch) -> Tensor:
    """Return the loss of a batch."""
    return functional.cross_entropy(model(batch).logits, targets_of(batch))


def stepper(
    module: nn.Module, loss: Callable[[T], Tensor], batches: Sequence[T]
) -> Callable[[], object]:
    """Return what trains on all batches once."""
    optimizer = torch.optim.AdamW(module.parameters(), lr=1e-4, foreach=True)

    def steps() -> None:
        for batch in batches:
            optimizer.zero_grad()
            loss(batch).backward()
            optimizer.step()

    return steps


def targets_of(batch: Batch) -> Tensor:
    """Return the classes of a batch that has some."""
    if batch.targets is None:
        raise ValueError("a batch to learn from has classes")
    return batch.targets


def medians(
    candidates: dict[str, Callable[[], object]], rounds: int, device: torch.device
) -> dict[str, float]:
    """Return the seconds of each candidate, run in turn."""
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    clock = time.perf_counter if device.type == "cuda" else time.process_time
    for number in range(rounds + 1):
        for name, run in candidates.items():
            start = clock()
            run()
            if device.type == "cuda":
                torch.cuda.synchronize()
            if number:  # the first round warms up
                seconds[name].append(clock() - start)
    return {name: statistics.median(each) for name, each in seconds.items()}


def print_ratios(title: str, seconds: dict[str, float], unit: int) -> None:
    """Print a table; the first candidate is 1."""
    first = next(iter(seconds.values()))
    print(f"\n| {title} | ms | ratio |\n|---|---|---|")
    for name, each in seconds.items():
        print(f"| {name} | {each / unit * 1e3:.2f} | {each / first:.2f} |", flush=True)


def block_steps(batches: list[Batch], rounds: int, device: torch.device) -> None:
    """Compare training steps of one block of the preset ``multi_head``, on random tokens."""
    draw, spec = torch.Generator().manual_seed(0), PRESETS["multi_head"]
    inputs = [
        (torch.randn(*batch.ids.shape, D_MODEL, generator=draw).to(device), mask_of(batch))
        for batch in batches
    ]
    by_hand = HandWrittenBlock(spec.n_heads).to(device)
    block = Block(replace(network_settings(1, 2), n_layers=1), spec, draw).to(device)

    def by_hand_loss(batch: tuple[Tensor, Tensor | None]) -> Tensor:
        loss: Tensor = by_hand(*batch).square().mean()
        return loss

    def block_loss(batch: tuple[Tensor, Tensor | None]) -> Tensor:
        tokens, mask = batch
        given = None if mask is None else mask[:, 0, 0]
        hidden, _ = block(tokens, given, None, None, False, "auto")
        loss: Tensor = hidden.square().mean()
        return loss

    candidates = {
        "by hand": stepper(by_hand, by_hand_loss, inputs),
        "nlpfeat": stepper(block, block_loss, inputs),
    }
    title = f"training step of one block, {spec.n_heads} heads"
    print_ratios(title, medians(candidates, rounds, device), len(batches))


def training_steps(
    texts: list[str], classes: Int64Array, rounds: int, device: torch.device
) -> None:
    """Compare training steps of a block and of the network."""
    documents = as_read(texts)
    n_terms, n_classes = len(documents.vocabulary), int(classes.max()) + 1
    settings = network_settings(n_terms, n_classes)
    priors: dict[str, list[tuple[Prior, FittedTextPrior]]] = {"nlpfeat": []}
    for name, prior in (
        ("nlpfeat, PMI prior of rank 64", PmiPrior(rank=64, strength=0.1)),
        ("nlpfeat, exact PMI prior", PmiPrior(strength=0.1)),
    ):
        priors[name] = [(prior, prior.fit(documents, classes, n_classes, seed=0))]
    maker = BatchMaker(documents.tokens, n_terms, classes)
    by_hand = HandWritten(n_terms, n_classes).to(device)
    rng = np.random.default_rng(0)
    batches = [batch.to(device) for batch in maker.batches(DEFAULT.batch_size, rng)][:40]
    block_steps(batches, rounds, device)
    candidates = {"by hand": stepper(by_hand, partial(by_hand_loss, by_hand), batches)}
    for name, pairs in priors.items():
        inputs = [fitted.inputs(documents) for _, fitted in pairs]
        maker = BatchMaker(documents.tokens, n_terms, classes, inputs)
        own = [maker.batch(batch.rows.cpu().numpy()).to(device) for batch in batches]
        model = Network(settings, pairs, torch.Generator().manual_seed(0)).to(device)
        candidates[name] = stepper(model, partial(network_loss, model), own)
    title = "training step of the network"
    print_ratios(title, medians(candidates, rounds, device), len(batches))


def decode(attention: Attention, cache: KeyValueCache, token: Tensor, n_tokens: int) -> None:
    """Decode 20 tokens behind the first ones."""
    cache.n_tokens = n_tokens
    with torch.inference_mode():
        for _ in range(20):
            attention.decode(token, cache)


def decoding_steps(rounds: int, device: torch.device) -> None:
    """Compare steps of decoding, and what is remembered, by the number of key heads."""
    width, n_heads, n_documents, n_tokens = 512, 8, 16, 1024
    candidates: dict[str, Callable[[], object]] = {}
    n_bytes: dict[str, int] = {}
    for n_kv_heads in (n_heads, 2, 1):
        spec = AttentionSpec(n_heads=n_heads, n_kv_heads=n_kv_heads, causal=True)
        attention = Attention(width, spec).to(device).eval()
        cache = attention.new_cache(n_documents, n_tokens + 32)
        token = torch.randn(n_documents, 1, width, device=device)
        name = f"n_kv_heads={n_kv_heads}"
        candidates[name] = partial(decode, attention, cache, token, n_tokens)
        n_bytes[name] = cache.n_bytes
    title = f"decoding step behind {n_tokens:,} tokens, {n_heads} heads"
    print_ratios(title, medians(candidates, rounds, device), 20)
    largest = max(n_bytes.values())
    for name, each in n_bytes.items():
        print(f"{name}: keys and values take {each / 2**20:.1f} MiB, {each / largest:.3f}")


def whole_classifier(texts: list[str], labels: list[str], device: str) -> None:
    """Time an epoch and the prediction of the classifier as it is by default."""
    classifier = AttentionClassifier(max_epochs=1, device=device, random_state=0)
    start = time.perf_counter()
    classifier.fit(texts, labels)
    whole = time.perf_counter() - start
    epoch = classifier.history_[0]["seconds"]
    print(f"\none epoch on {len(texts):,} texts: {epoch:.1f} s; fit as a whole {whole:.1f} s")
    start = time.perf_counter()
    classifier.predict(texts)
    seconds = time.perf_counter() - start
    print(f"prediction: {len(texts) / seconds:,.0f} texts a second", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("train")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--threads", type=int, default=None, help="of torch, on the CPU")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--skip-classifier", action="store_true")
    arguments = parser.parse_args()
    if arguments.threads is not None:
        torch.set_num_threads(arguments.threads)
    device = torch.device(arguments.device)
    texts, labels = read(arguments.train)
    classes = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    print(f"torch {torch.__version__}, {device}, {torch.get_num_threads()} threads")
    training_steps(texts, classes, arguments.rounds, device)
    decoding_steps(arguments.rounds, device)
    if not arguments.skip_classifier:
        whole_classifier(texts, labels, arguments.device)


if __name__ == "__main__":
    main()
