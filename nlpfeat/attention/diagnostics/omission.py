"""D10: what happens when the tokens that an attention would look at are left out.

Chinese leaves out what the reader can supply: 张三新买的车，轮子不太好 does not say whose wheels.
Here tokens are removed from documents (not replaced), and logits, accuracy and weights are compared
with those before. Which ones: the token with the most weight, given cues, pronouns, or as a control
random ones that are about as frequent.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from nlpfeat._validation import check_int
from nlpfeat.attention.diagnostics.check import Check
from nlpfeat.attention.diagnostics.drawing import draw_normal
from nlpfeat.attention.functional import attend
from nlpfeat.errors import InvalidInputError, InvalidParameterError

Documents: TypeAlias = Sequence[Sequence[str]]
Removed: TypeAlias = Sequence[Sequence[int]]
"""Places of the removed tokens, from 0, for each document."""

#: Words that stand for what was said before.
PRONOUNS = frozenset({
    "他", "她", "它", "他们", "她们", "它们", "其", "这", "那", "这个", "那个", "这些", "那些",
    "自己", "前者", "后者", "其余",
})  # fmt: skip


@dataclass(frozen=True)
class Robustness:
    """How many documents are classified rightly before and after tokens are removed.

    Parameters
    ----------
    before, after : float
        Accuracies, from 0 to 1.
    """

    before: float
    after: float

    @property
    def ratio(self) -> float:
        """What is left of the accuracy, ``after / before``; NaN when nothing was right before."""
        return self.after / self.before if self.before else float("nan")


@dataclass(frozen=True)
class Recovery:
    """Where the weight of removed tokens went.

    Parameters
    ----------
    lost : float
        Weight of the removed tokens before.
    recovered : float
        Share of it that the related tokens took over; negative when they lost weight too, NaN when
        nothing was lost.
    """

    lost: float
    recovered: float


def without_tokens(documents: Documents, removed: Removed) -> list[list[str]]:
    """Return the documents without the tokens at these places.

    Parameters
    ----------
    documents : sequence of sequences of str
    removed : sequence of sequences of int
        Places from 0, for each document.

    Raises
    ------
    InvalidInputError
        When a place is not in its document, or the two differ in length.

    Examples
    --------
    >>> without_tokens([["张三", "新", "买", "的", "车"]], [[0, 1]])
    [['买', '的', '车']]
    """
    if len(documents) != len(removed):
        raise InvalidInputError(
            "removed must hold a list of places for each document. Got "
            f"{len(removed)} lists for {len(documents)} documents."
        )
    left = []
    for row, (document, places) in enumerate(zip(documents, removed)):
        wrong = [place for place in places if not 0 <= place < len(document)]
        if wrong:
            raise InvalidInputError(
                f"removed must hold places from 0 to {len(document) - 1} for document {row}. "
                f"Got {wrong[0]}."
            )
        gone = set(places)
        left.append([token for place, token in enumerate(document) if place not in gone])
    return left


def omission_effect(
    score: Callable[[list[list[str]]], Tensor], documents: Documents, removed: Removed
) -> Tensor:
    """Return how the logits change when tokens are removed.

    Parameters
    ----------
    score : callable
        ``score(documents)`` returns logits of shape (N, C).
    documents : sequence of sequences of str
        N documents of tokens.
    removed : sequence of sequences of int
        Places from 0, for each document.

    Returns
    -------
    Tensor of shape (N, C)
        Logits after minus before. For a linear model minus the coefficients of what was removed.

    Examples
    --------
    >>> weight = {"轮子": 0.0, "不太": -1.0, "好": 2.0}
    >>> score = lambda texts: torch.tensor([[sum(weight[t] for t in text)] for text in texts])
    >>> omission_effect(score, [["轮子", "不太", "好"]], [[1]])
    tensor([[1.]])
    """
    after = score(without_tokens(documents, removed))
    return after - score([list(document) for document in documents])


def omission_robustness(
    score: Callable[[list[list[str]]], Tensor],
    documents: Documents,
    classes: Tensor,
    removed: Removed,
) -> Robustness:
    """Return the accuracies before and after tokens are removed.

    Parameters
    ----------
    score : callable
        ``score(documents)`` returns logits of shape (N, C).
    documents : sequence of sequences of str
    classes : int64 Tensor of shape (N,)
        The right column of the logits for each document.
    removed : sequence of sequences of int

    Examples
    --------
    >>> score = lambda texts: torch.tensor([["好" in text, "坏" in text] for text in texts]) * 1.0
    >>> documents, classes = [["好", "车"], ["坏", "车"]], torch.tensor([0, 1])
    >>> omission_robustness(score, documents, classes, [[1], [0]]).ratio
    0.5
    """
    left = without_tokens(documents, removed)
    given = [list(document) for document in documents]
    before, after = (
        float((score(each).argmax(1) == classes).double().mean()) for each in (given, left)
    )
    return Robustness(before, after)


def strongest_tokens(weights: Sequence[Tensor], n_tokens: int = 1) -> list[list[int]]:
    """Return the places of the tokens with the most weight, the first of equal ones.

    Parameters
    ----------
    weights : sequence of Tensor of shape (L,)
        One weight a token, for each document: such as the mean over heads and queries.
    n_tokens : int, default 1
        How many; all of a shorter document.

    Examples
    --------
    >>> strongest_tokens([torch.tensor([0.2, 0.7, 0.1])])
    [[1]]
    """
    check_int(n_tokens, "n_tokens", minimum=1)
    orders = (each.argsort(descending=True, stable=True) for each in weights)
    return [sorted(order[:n_tokens].tolist()) for order in orders]


def matching_tokens(documents: Documents, terms: Collection[str]) -> list[list[int]]:
    """Return the places of given terms: cues, or `PRONOUNS`.

    Examples
    --------
    >>> matching_tokens([["李四", "不", "理", "前者"]], PRONOUNS)
    [[3]]
    """
    wanted = frozenset(terms)
    return [[place for place, token in enumerate(text) if token in wanted] for text in documents]


def random_tokens_like(
    documents: Documents,
    removed: Removed,
    counts: Mapping[str, int],
    *,
    generator: torch.Generator,
) -> list[list[int]]:
    """Return as many random places, of tokens about as frequent: what removal of any token does.

    Parameters
    ----------
    documents : sequence of sequences of str
    removed : sequence of sequences of int
        Places to be matched; none of them is chosen.
    counts : mapping of str to int
        How often each term occurs; one that is missing counts 0. The places chosen are those
        nearest in the binary logarithm of 1 + count, rounded down.
    generator : torch.Generator
        What draws among them, on the CPU.

    Returns
    -------
    list of lists of int
        Sorted; fewer where a document has not enough other tokens.

    Examples
    --------
    >>> counts = {"的": 900, "好": 70, "茶": 65}
    >>> generator = torch.Generator().manual_seed(0)
    >>> random_tokens_like([["好", "的", "茶"]], [[0]], counts, generator=generator)
    [[2]]
    """
    chosen = []
    for text, places in zip(documents, removed):
        bands = [(1 + counts.get(token, 0)).bit_length() for token in text]
        free = sorted(set(range(len(text))) - set(places))
        taken = []
        for place in places[: len(free)]:
            order = torch.randperm(len(free), generator=generator).tolist()
            nearest = min(order, key=lambda at: abs(bands[free[at]] - bands[place]))
            taken.append(free.pop(nearest))
        chosen.append(sorted(taken))
    return chosen


def weight_recovery(
    before: Tensor, after: Tensor, removed: Sequence[int], related: Sequence[int]
) -> Recovery:
    """Return which share of the weight of removed tokens went to related ones.

    Parameters
    ----------
    before : Tensor of shape (L,)
        Weights of one query over the tokens of a document; they sum to one.
    after : Tensor of shape (L - len(removed),)
        The same without the removed tokens.
    removed, related : sequence of int
        Places in the document before: what was removed, and what could stand for it, such as
        tokens of the same topic, or a sink (a beginning token).

    Examples
    --------
    >>> weight_recovery(torch.tensor([0.5, 0.25, 0.25]), torch.tensor([0.75, 0.25]), [0], [1])
    Recovery(lost=0.5, recovered=1.0)
    """
    gone = set(removed)
    if len(after) != len(before) - len(gone) or gone & set(related):
        raise InvalidParameterError(
            "removed and related must be different places, and after must have a weight for each "
            f"token that is left. Got {len(before)} weights before, {len(after)} after, removed="
            f"{list(removed)} and related={list(related)}."
        )
    left = [place for place in range(len(before)) if place not in gone]
    gains = after - before[left]
    lost = float(before[sorted(gone)].sum())
    gained = float(gains[[left.index(place) for place in sorted(set(related))]].sum())
    return Recovery(lost, gained / lost if lost else float("nan"))


def checks(generator: torch.Generator) -> Iterator[Check]:
    """Measure freshly drawn attentions."""
    vectors, coefficients = draw_normal(generator, 6, 8), draw_normal(generator, 8, 3)
    number = {term: row for row, term in enumerate(("轮子", "不太", "好", "车", "张三", "新"))}
    documents = [["张三", "新", "车", "轮子", "不太", "好"], ["车", "好", "车"]]
    removed = [[2, 4], [0]]

    def linear(texts: list[list[str]]) -> Tensor:
        return torch.stack([vectors[[number[t] for t in text]].sum(0) for text in texts]) @ (
            coefficients
        )

    def uniform(texts: list[list[str]]) -> Tensor:
        rows = []
        for text in texts:
            values = vectors[[number[term] for term in text]][None, None]
            same = torch.zeros(1, 1, len(text), 1, dtype=torch.float64)
            rows.append(attend(same[:, :, :1], same, values)[0].flatten())
        return torch.stack(rows) @ coefficients

    gone = torch.stack([
        vectors[[number[text[place]] for place in places]].sum(0)
        for text, places in zip(documents, removed)
    ])  # fmt: skip
    whole = torch.stack([vectors[[number[t] for t in text]].mean(0) for text in documents])
    n_gone = torch.tensor([[len(places)] for places in removed], dtype=torch.float64)
    n_left = torch.tensor([[len(text)] for text in documents], dtype=torch.float64) - n_gone
    for name, score, expected in (
        ("linear model: change less minus the coefficients", linear, -gone),
        (
            "uniform attention: change less its closed form",
            uniform,
            (n_gone * whole - gone) / n_left,
        ),
    ):
        change = omission_effect(score, documents, removed)
        yield Check(name, "<", 1e-10, float((change - expected @ coefficients).abs().max()))
    found = omission_robustness(linear, documents, linear(documents).argmax(1), [[], []])
    yield Check("nothing removed: robustness ratio", "=", 1.0, found.ratio)
