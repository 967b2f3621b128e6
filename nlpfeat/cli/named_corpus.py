"""A corpus that is read once, and tells afterwards what its documents were called."""

from collections.abc import Iterator
from itertools import islice

from nlpfeat.cli.progress import Report
from nlpfeat.errors import InvalidInputError
from nlpfeat.text.corpus import Corpus, OnBytes
from nlpfeat.text.documents import Document

_DOCUMENTS = 1_000


class NamedCorpus(Corpus):
    """The texts of a corpus; ids and labels are kept as they pass.

    Standard input can be read only once, so all three come from one reading.

    Parameters
    ----------
    corpus : Corpus
    needs_labels : bool
        Whether a document without a label is an error.

    Attributes
    ----------
    document_ids : list of str
        Of the documents that were read.
    document_labels : list of str
        Their labels; "" for a document without one.
    n_unlabeled : int
        How many have none.
    report : callable or None
        Told of the bytes of the texts as they are read.
    """

    def __init__(self, corpus: Corpus, *, needs_labels: bool = False) -> None:
        super().__init__()
        self._corpus = corpus
        self._needs_labels = needs_labels
        self.document_ids: list[str] = []
        self.document_labels: list[str] = []
        self.n_unlabeled = 0
        self.report: Report | None = None

    @property
    def name(self) -> str:
        """What messages call the corpus."""
        return self._corpus.name

    @property
    def n_bytes(self) -> int | None:
        """Unknown: the texts are what is read here, not the bytes that they were."""
        return None

    def batches(self, on_bytes: OnBytes = None) -> Iterator[list[str]]:
        """Yield the texts in lists."""
        documents = self.documents()
        n_bytes = 0
        while batch := [document.text for document in islice(documents, _DOCUMENTS)]:
            step = sum(len(text.encode("utf-8", "surrogatepass")) for text in batch)
            n_bytes += step
            if on_bytes is not None:
                on_bytes(step)
            if self.report is not None:
                self.report("segmenting", n_bytes, None)
            yield batch

    def documents(self) -> Iterator[Document]:
        """Yield the documents.

        Raises
        ------
        InvalidInputError
            For a document without a label, where labels are needed, and when there is none at all.
        """
        for document in self._corpus.documents():
            if document.label is None:
                self.n_unlabeled += 1
                if self._needs_labels:
                    raise InvalidInputError(
                        f"{document.id} has no label. Labels stand in a column of a table; "
                        "name it with --label-column."
                    )
            # A file name may hold bytes that are no text; what is written may not.
            shown = document.id.encode("utf-8", "backslashreplace").decode()
            self.document_ids.append(shown)
            self.document_labels.append(document.label or "")
            yield document
        if not self.document_ids:
            raise InvalidInputError(
                f"{self.name} holds no token: nothing but blanks was found, in 0 documents."
            )

    def labels_of_all(self) -> list[str] | None:
        """Return the labels of the documents that were read, or None when one has none."""
        return None if self.n_unlabeled else self.document_labels
