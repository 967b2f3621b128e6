"""Texts with their classes, each text once: what is compared on."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from nlpfeat._typing import Int64Array
from nlpfeat.errors import InvalidInputError
from nlpfeat.text.characters import is_blank
from nlpfeat.text.corpus import Corpus
from nlpfeat.text.normalization import fold_width

_SHOWN_CLASSES = 10


@dataclass(frozen=True)
class LeftOut:
    """How many documents do not take part, and why.

    Parameters
    ----------
    n_blank : int
        Without a character.
    n_repeated : int
        Of the text and the class of an earlier one.
    n_contradictory : int
        Of a text that stands under several classes; nobody can tell which is right.
    n_shared : int
        Test documents of a text that stands in the training part.
    """

    n_blank: int = 0
    n_repeated: int = 0
    n_contradictory: int = 0
    n_shared: int = 0

    @property
    def n_all(self) -> int:
        """All of them."""
        return self.n_blank + self.n_duplicates

    @property
    def n_duplicates(self) -> int:
        """Those that stand twice, or in another part."""
        return self.n_repeated + self.n_contradictory + self.n_shared

    def notes(self, part: str) -> list[str]:
        """Say it in words.

        Examples
        --------
        >>> LeftOut(n_repeated=2).notes("the corpus")
        ['2 documents of the corpus repeat an earlier text and were left out.']
        """
        reasons = (
            (self.n_blank, "is blank", "are blank"),
            (self.n_repeated, "repeats an earlier text", "repeat an earlier text"),
            (
                self.n_contradictory,
                "has a text that stands under several classes",
                "have a text that stands under several classes",
            ),
            (
                self.n_shared,
                "has a text that stands in the training part",
                "have a text that stands in the training part",
            ),
        )
        return [
            f"1 document of {part} {one} and was left out."
            if count == 1
            else f"{count:,} documents of {part} {several} and were left out."
            for count, one, several in reasons
            if count
        ]


@dataclass(frozen=True)
class LabeledTexts:
    """Different texts, and the class of each.

    Parameters
    ----------
    name : str
    texts, labels : tuple of str
        N each.
    left_out : LeftOut
    """

    name: str
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    left_out: LeftOut = LeftOut()

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes, sorted."""
        return tuple(sorted(set(self.labels)))

    @property
    def places(self) -> Int64Array:
        """The place of the class of each document among ``classes``, shape (N,)."""
        return np.unique(self.labels, return_inverse=True)[1].astype(np.int64)

    def class_counts(self) -> str:
        """Say how many documents each class has, the rarest first.

        Examples
        --------
        >>> LabeledTexts("例", ("好", "坏", "很好"), ("正", "负", "正")).class_counts()
        "1 document of '负', 2 documents of '正'"
        """
        counts = sorted(Counter(self.labels).items(), key=lambda item: (item[1], item[0]))
        shown = [
            f"{count:,} document{'' if count == 1 else 's'} of {label!r}"
            for label, count in counts[:_SHOWN_CLASSES]
        ]
        more = len(counts) - len(shown)
        return ", ".join([*shown, f"and {more:,} other classes"] if more else shown)

    def hash(self, rows: Iterable[int] | None = None) -> str:
        """Return the SHA-256 of texts and classes, of all documents or of some.

        Examples
        --------
        >>> texts = LabeledTexts("例", ("天气好", "天气冷"), ("正", "负"))
        >>> texts.hash() == texts.hash([0, 1]) != texts.hash([1, 0])
        True
        """
        digest = sha256()
        for row in range(len(self.texts)) if rows is None else rows:
            for part in (self.texts[row], self.labels[row]):
                data = part.encode()
                # The length, so that no two lists of texts give the same bytes.
                digest.update(len(data).to_bytes(8, "little"))
                digest.update(data)
        return digest.hexdigest()


def read_labeled(corpus: Corpus, *, is_test: bool = False) -> LabeledTexts:
    """Read a corpus, and leave out what cannot take part.

    Of a text that stands several times the first one stays, and none where it stands under several
    classes. Texts that differ in runs of white space or full width alone are the same.

    Parameters
    ----------
    corpus : Corpus
    is_test : bool, default False
        Test documents may be of one class.

    Returns
    -------
    LabeledTexts

    Raises
    ------
    InvalidInputError
        For a document without a label, and when none or, but for test documents, fewer than two
        classes remain.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["天气好", "天气好 ", "真冷", "冷", "冷"], list("正正负正负"))
    >>> read = read_labeled(corpus)
    >>> read.texts, read.left_out.n_repeated, read.left_out.n_contradictory
    (('天气好', '真冷'), 1, 2)
    """
    if not isinstance(corpus, Corpus):
        raise InvalidInputError(
            "The documents of a comparison must be a Corpus with labels, such as "
            "Corpus.from_texts(texts, labels) or Corpus('reviews.tsv', label_column=2). "
            f"Got a {type(corpus).__name__}."
        )
    texts: list[str] = []
    labels: list[str] = []
    n_blank = 0
    for document in corpus.documents():
        if document.label is None:
            raise InvalidInputError(
                f"{document.id} must have a label: what is compared is how well models tell "
                "classes apart. Got none; labels stand in a column of a table (label_column, "
                "--label-column)."
            )
        if is_blank(document.text):
            n_blank += 1
        else:
            texts.append(document.text)
            labels.append(document.label)
    kept, n_repeated, n_contradictory = _different(texts, labels)
    read = LabeledTexts(
        corpus.name,
        tuple(texts[row] for row in kept),
        tuple(labels[row] for row in kept),
        LeftOut(n_blank, n_repeated, n_contradictory),
    )
    left_out = " ".join(["", *read.left_out.notes("it")])
    if not kept:
        raise InvalidInputError(
            f"{corpus.name} must hold documents that can take part. Got none.{left_out}"
        )
    if not is_test and len(read.classes) < 2:
        raise InvalidInputError(
            f"{corpus.name} must hold documents of at least two classes, since what is compared is "
            f"how well models tell classes apart. Got {read.class_counts()}.{left_out}"
        )
    return read


def without_shared(test: LabeledTexts, train: LabeledTexts) -> LabeledTexts:
    """Return test documents without those whose text stands in the training documents.

    Parameters
    ----------
    test, train : LabeledTexts

    Returns
    -------
    LabeledTexts

    Raises
    ------
    InvalidInputError
        When none remains, and for a class that the training documents do not have.
    """
    unknown = sorted(set(test.labels) - set(train.labels))
    if unknown:
        raise InvalidInputError(
            f"{test.name} has the label {unknown[0]!r}, which no training document has: no model "
            "could be right there. Leave such documents out, or spell labels alike. Training "
            f"labels are {', '.join(map(repr, train.classes[:20]))}."
        )
    seen = {_key(text) for text in train.texts}
    kept = [row for row, text in enumerate(test.texts) if _key(text) not in seen]
    if not kept:
        raise InvalidInputError(
            f"Every text of {test.name} stands in the training documents too: nothing is left to "
            "test on."
        )
    out = test.left_out
    return LabeledTexts(
        test.name,
        tuple(test.texts[row] for row in kept),
        tuple(test.labels[row] for row in kept),
        LeftOut(out.n_blank, out.n_repeated, out.n_contradictory, len(test.texts) - len(kept)),
    )


def _different(texts: list[str], labels: list[str]) -> tuple[list[int], int, int]:
    """Return the rows that stay, and how many repeat one or contradict one."""
    rows: dict[str, list[int]] = defaultdict(list)
    for row, text in enumerate(texts):
        rows[_key(text)].append(row)
    kept, n_repeated, n_contradictory = [], 0, 0
    for same in rows.values():
        if len({labels[row] for row in same}) > 1:
            n_contradictory += len(same)
        else:
            kept.append(same[0])
            n_repeated += len(same) - 1
    return kept, n_repeated, n_contradictory


def _key(text: str) -> str:
    return " ".join(fold_width(text).split())
