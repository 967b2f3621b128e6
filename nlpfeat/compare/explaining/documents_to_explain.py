"""The documents of a split that all its models explain, with what the training part says of them.

Nothing here depends on a model, so all models and seeds of a split explain the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from nlpfeat._typing import Float64Array, Int64Array
from nlpfeat._validation import check_int
from nlpfeat.compare.explaining.classical_scores import ClassicalScores, TokenScores
from nlpfeat.compare.explaining.omission import place_like
from nlpfeat.errors import InvalidInputError

_CONTROL_TRAINING, _CONTROL_TEST = 1000, 500


@dataclass(frozen=True, eq=False)
class ControlTexts:
    """More documents, on which accuracies are measured that change where attention is changed.

    Parameters
    ----------
    training, test : list of list of str
        Drawn from both parts: token lists.
    training_labels, test_labels : list of str
    """

    training: list[list[str]]
    training_labels: list[str]
    test: list[list[str]]
    test_labels: list[str]


@dataclass(frozen=True, eq=False)
class ExplainedTexts:
    """N documents of the test part of a split, and classical scores of their tokens.

    Parameters
    ----------
    split : int
        Number of the split, from 0.
    classes : list of str
        C classes, sorted.
    rows : list of int
        The row of each document in the test part, ascending.
    documents : list of list of str
        Their tokens.
    labels : list of str
        Their classes.
    scores : list of TokenScores
        From the training part.
    cues : list of int
        The place of the token with the most evidence of naive Bayes for the class.
    alike : list of int
        The place of a random token that is about as frequent as the cue; -1 where there is none.
    max_tokens : int
        Longer documents were not drawn.
    n_too_long : int
        How many those are in the test part.
    controls : ControlTexts
        Up to 1,000 training and 500 test documents of no more tokens.
    """

    split: int
    classes: list[str]
    rows: list[int]
    documents: list[list[str]]
    labels: list[str]
    scores: list[TokenScores]
    cues: list[int]
    alike: list[int]
    max_tokens: int
    n_too_long: int
    controls: ControlTexts

    @property
    def columns(self) -> list[int]:
        """The column of the class of each document; -1 for a class that is not among them."""
        return self.columns_of(self.labels)

    @property
    def rows_of_omission(self) -> list[int]:
        """The documents that have a token for each kind of omission."""
        return [row for row, place in enumerate(self.alike) if place >= 0]

    def columns_of(self, labels: Sequence[str]) -> list[int]:
        """Return the column of each of these classes; -1 for one that is not among them."""
        column = {name: place for place, name in enumerate(self.classes)}
        return [column.get(label, -1) for label in labels]

    @property
    def note(self) -> str:
        """What a reader must know of documents that could not be drawn; "" when all could."""
        if not self.documents:
            return (
                f"What models go by is not measured: no test document has from 1 to "
                f"{self.max_tokens:,} tokens, and {self.n_too_long:,} have more."
            )
        if self.n_too_long:
            return (
                f"What models go by is measured on test documents of at most {self.max_tokens:,} "
                f"tokens; {self.n_too_long:,} have more."
            )
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Return lists, texts and numbers that JSON holds."""
        stored = {each.name: getattr(self, each.name) for each in fields(self)}
        stored["scores"] = [
            {name: values.tolist() for name, values in asdict(each).items()} for each in self.scores
        ]
        stored["controls"] = asdict(self.controls)
        return stored

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "ExplainedTexts":
        """Return what ``to_dict`` gave."""
        n_classes = len(stored["classes"])
        scores = [
            _scores(each, n_classes, len(document))
            for each, document in zip(stored["scores"], stored["documents"])
        ]
        controls = ControlTexts(**stored["controls"])
        return cls(**{**stored, "scores": scores, "controls": controls})


def _scores(stored: Mapping[str, Any], n_classes: int, length: int) -> TokenScores:
    def floats(name: str, *shape: int) -> Float64Array:
        return np.array(stored[name], dtype=np.float64).reshape(shape)

    return TokenScores(
        idf=floats("idf", length),
        tfidf=floats("tfidf", length),
        ppmi=floats("ppmi", length),
        linear=floats("linear", n_classes, length),
        naive_bayes=floats("naive_bayes", n_classes, length),
        pair_ppmi=floats("pair_ppmi", length, length),
        frequencies=np.array(stored["frequencies"], dtype=np.int64),
    )


def explain_texts(
    train_documents: Sequence[Sequence[str]],
    train_labels: Sequence[str],
    test_documents: Sequence[Sequence[str]],
    test_labels: Sequence[str],
    *,
    classes: Sequence[str] | None = None,
    split: int = 0,
    n_explained: int = 20,
    max_tokens: int = 100,
    random_state: int = 0,
) -> ExplainedTexts:
    """Draw the documents that are explained, and score their tokens from the training part alone.

    Parameters
    ----------
    train_documents, test_documents : sequence of sequences of str
        Token lists of both parts.
    train_labels, test_labels : sequence of str
    classes : sequence of str, default None
        All classes, in the order of the columns that models give; None: those of the training part,
        sorted.
    split : int, default 0
    n_explained : int, default 20
        How many test documents, the classes in turn; all when there are not more.
    max_tokens : int, default 100
        Longer documents are not drawn, nor are empty ones: the longer, the more deletions are tried
        for the bounds of AOPC.
    random_state : int, default 0
        What draws.

    Returns
    -------
    ExplainedTexts
        Without documents where none has from 1 to ``max_tokens`` tokens; ``note`` says so.

    Raises
    ------
    InvalidInputError
        When the training part has less than two classes, or labels or classes are missing.
    InvalidParameterError
        For a number that cannot be.

    Examples
    --------
    >>> train = [["房间", "好"], ["早餐", "好"], ["房间", "差"], ["早餐", "差"]]
    >>> texts = explain_texts(train, list("正正负负"), [[], ["房间", "很", "好"]], list("负正"))
    >>> texts.rows, texts.documents, texts.classes
    ([1], [['房间', '很', '好']], ['正', '负'])
    >>> texts.cues, texts.alike
    ([2], [0])
    """
    n_explained = check_int(n_explained, "n_explained", minimum=1)
    max_tokens = check_int(max_tokens, "max_tokens", minimum=1)
    names = sorted(set(train_labels)) if classes is None else list(classes)
    missing = sorted(set(train_labels) - set(names))
    if missing:
        raise InvalidInputError(
            f"classes must hold every class of the training part. Got no {missing[0]!r}."
        )
    if len(test_documents) != len(test_labels):
        raise InvalidInputError(
            "test_labels must hold one label for each test document. Got "
            f"{len(test_labels)} for {len(test_documents)} documents."
        )
    generator = np.random.default_rng(random_state)
    rows = _drawn(test_documents, test_labels, n_explained, max_tokens, generator)
    learned = ClassicalScores.learn(train_documents, train_labels, names)
    documents = [list(test_documents[row]) for row in rows]
    labels = [str(test_labels[row]) for row in rows]
    scores = [learned.of(document) for document in documents]
    cues = [_cue(each, names, label) for each, label in zip(scores, labels)]
    alike = [
        place_like(document, cue, each.frequencies, generator)
        for document, cue, each in zip(documents, cues, scores)
    ]
    found = [-1 if place is None else place for place in alike]
    n_too_long = sum(len(each) > max_tokens for each in test_documents)
    controls = ControlTexts(
        *_control_part(train_documents, train_labels, _CONTROL_TRAINING, max_tokens, generator),
        *_control_part(test_documents, test_labels, _CONTROL_TEST, max_tokens, generator),
    )
    return ExplainedTexts(
        split, names, rows, documents, labels, scores, cues, found, max_tokens, n_too_long, controls
    )


def _control_part(
    documents: Sequence[Sequence[str]],
    labels: Sequence[str],
    n_drawn: int,
    max_tokens: int,
    generator: np.random.Generator,
) -> tuple[list[list[str]], list[str]]:
    rows = _drawn(documents, labels, n_drawn, max_tokens, generator)
    return [list(documents[row]) for row in rows], [str(labels[row]) for row in rows]


def _drawn(
    documents: Sequence[Sequence[str]],
    labels: Sequence[str],
    n_drawn: int,
    max_tokens: int,
    generator: np.random.Generator,
) -> list[int]:
    """Return rows, drawn from the classes in turn, ascending."""
    fitting = [row for row, each in enumerate(documents) if 0 < len(each) <= max_tokens]
    shuffled: Int64Array = generator.permutation(np.array(fitting, dtype=np.int64))
    by_class: dict[str, list[int]] = {name: [] for name in sorted(set(labels))}
    for row in shuffled.tolist():
        by_class[labels[row]].append(row)
    turns = [(turn, name) for name, rows in by_class.items() for turn in range(len(rows))]
    return sorted(by_class[name][turn] for turn, name in sorted(turns)[:n_drawn])


def _cue(scores: TokenScores, classes: Sequence[str], label: str) -> int:
    """Return the place of the token that speaks most for a class; for any, if it is unknown."""
    ratios = scores.naive_bayes
    evidence = ratios[classes.index(label)] if label in classes else ratios.max(axis=0)
    return int(evidence.argmax())
