"""What ``nlpfeat features`` does with its options."""

import logging
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from nlpfeat._names import lookup
from nlpfeat._typing import Int64Array
from nlpfeat.cli.commands.features import Features
from nlpfeat.cli.console import usage
from nlpfeat.cli.named_corpus import NamedCorpus
from nlpfeat.cli.output import check_files, make_and_write, origin, output_ending, write_table
from nlpfeat.cli.parsing import refuse_given
from nlpfeat.cli.progress import Report
from nlpfeat.cli.sources import check_jobs, make_segmenter, open_corpus, reading_parameters
from nlpfeat.cli.work.feature_kinds import KINDS
from nlpfeat.errors import InvalidInputError
from nlpfeat.io.feature_files import save_features
from nlpfeat.io.tables import Column, Table, TextColumn

logger = logging.getLogger(__name__)

_ARRAYS = ".npz"
_SVMLIGHT = (".svm", ".svmlight")


@dataclass(frozen=True)
class Made:
    """The matrix, and what its rows and columns are called.

    ``labels`` is None where documents have none.
    """

    matrix: Any
    names: list[str]
    ids: list[str]
    labels: list[str] | None


@dataclass(frozen=True)
class FeaturesRun:
    """One run of ``nlpfeat features``.

    Parameters
    ----------
    options : Features
    """

    options: Features

    def run(self) -> None:
        """Count, weigh and write."""
        options = self.options
        ending = output_ending(options, (_ARRAYS, *_SVMLIGHT))
        check_files(options)
        with usage("--kind"):
            kind = lookup(KINDS, options.kind, "kind")
        self._check_kind(kind.options)
        reading = reading_parameters(options, make_segmenter(options), check_jobs(options.jobs))
        estimator = kind.make(options, reading)
        corpus = NamedCorpus(open_corpus(options.corpus, options), needs_labels=ending in _SVMLIGHT)

        def make(report: Report) -> Made:
            corpus.report = report
            matrix = estimator.fit_transform(corpus)
            names = estimator.get_feature_names_out().tolist()
            made = Made(matrix, names, corpus.document_ids, corpus.labels_of_all())
            _describe(made, corpus)
            return made

        make_and_write(options, make, self._write)

    def _check_kind(self, own: tuple[str, ...]) -> None:
        owners: dict[str, list[str]] = {}
        for name, kind in KINDS.items():
            for option in kind.options:
                owners.setdefault(option, []).append(name)
        for option, kinds in owners.items():
            if option not in own:
                refuse_given(
                    self.options,
                    (option,),
                    f"--kind {', '.join(kinds)}, not of {self.options.kind}",
                )

    def _write(self, made: Made, stream: BinaryIO, report: Report) -> None:
        ending = output_ending(self.options, (_ARRAYS, *_SVMLIGHT))
        if ending == _ARRAYS:
            save_features(
                stream, made.matrix, made.names, made.ids, made.labels, self._metadata(made)
            )
        elif ending in _SVMLIGHT:
            _write_svmlight(made, stream, self._metadata(made))
        else:
            write_table(self.options, _long_form(made), self._metadata(made), stream, report)

    def _metadata(self, made: Made) -> dict[str, str]:
        options = self.options
        own = KINDS[options.kind].options
        prepared = ("segmenter", "stop_words", "lowercase", "fold_width", "keep_punctuation")
        settings = {name: getattr(options, name) for name in ("kind", *own, *prepared)}
        n_documents, n_features = made.matrix.shape
        return origin(options.corpus, **settings, n_documents=n_documents, n_features=n_features)


def _describe(made: Made, corpus: NamedCorpus) -> None:
    n_documents, n_features = made.matrix.shape
    logger.info(
        "%s documents, %s features, %s numbers that are not 0",
        f"{n_documents:,}", f"{n_features:,}", f"{np.count_nonzero(_cells(made.matrix)[2]):,}",
    )  # fmt: skip
    if 0 < corpus.n_unlabeled < n_documents:
        logger.warning(
            "%s of %s documents have no label, so no labels are written.",
            f"{corpus.n_unlabeled:,}", f"{n_documents:,}",
        )  # fmt: skip


def _cells(matrix: Any) -> tuple[Int64Array, Int64Array, Any]:
    """Return rows, columns and values of what is stored, row by row; of a dense matrix, all."""
    if isinstance(matrix, np.ndarray):
        n_rows, n_columns = matrix.shape
        return (
            np.repeat(np.arange(n_rows), n_columns),
            np.tile(np.arange(n_columns), n_rows),
            matrix.ravel(),
        )
    return (
        np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr)),
        matrix.indices,
        matrix.data,
    )


def _long_form(made: Made) -> Table:
    """Return a row for each number: document, label where there are any, feature, value."""
    rows, columns, values = _cells(made.matrix)
    document = rows.astype(np.int32)
    dtype = np.int64 if values.dtype.kind in "biu" else np.float64
    table: dict[str, Column] = {"document": TextColumn(document, made.ids)}
    if made.labels is not None:
        table["label"] = TextColumn(document, made.labels)
    table["feature"] = TextColumn(columns.astype(np.int32), made.names)
    table["value"] = values.astype(dtype)
    return Table(table)


def _write_svmlight(made: Made, stream: BinaryIO, metadata: dict[str, str]) -> None:
    """Write labels as numbers from 0 on, in the order of their code points; a comment says which.

    The lines of the file are those of the documents, and columns are numbered from 1.
    """
    from sklearn.datasets import dump_svmlight_file

    labels = made.labels
    if labels is None:
        raise InvalidInputError("The documents have no labels, which .svm needs.")
    classes = sorted(set(labels))
    numbers = {label: number for number, label in enumerate(classes)}
    about = [f"{name}: {value}" for name, value in metadata.items()]
    about += [f"label {number}: {label}" for label, number in numbers.items()]
    # A label may hold what ends a line.
    comment = "\n".join(" ".join(line.split()) for line in about)
    target = [numbers[label] for label in labels]
    dump_svmlight_file(made.matrix, target, stream, zero_based=False, comment=comment)
