"""Every error that nlpfeat raises on purpose.

::

    NlpfeatError
    ├── InvalidParameterError (ValueError)   a setting that cannot be
    ├── InvalidInputError (ValueError)       a text or file that cannot be used
    │   └── EncodingError                    bytes that are no text in the encoding
    ├── VocabularyMismatchError (ValueError) two results over different vocabularies
    ├── OutputError (OSError)                a result that cannot be written
    ├── WorkerError (RuntimeError)           a worker process that died
    └── MissingDependencyError (ImportError) an extra that is not installed
"""


class NlpfeatError(Exception):
    """Base of all errors that nlpfeat raises on purpose."""


class InvalidParameterError(NlpfeatError, ValueError):
    """A parameter has a value that it cannot have."""


class InvalidInputError(NlpfeatError, ValueError):
    """A document, a file or a folder cannot be used as it is."""


class EncodingError(InvalidInputError):
    """Bytes that are no text in the chosen encoding."""


class VocabularyMismatchError(NlpfeatError, ValueError):
    """Two results cannot be combined: their vocabularies or settings differ."""


class OutputError(NlpfeatError, OSError):
    """A result cannot be written where it was asked for."""


class WorkerError(NlpfeatError, RuntimeError):
    """A worker process ended before its work was done."""


class MissingDependencyError(NlpfeatError, ImportError):
    """An optional package is needed and not installed."""
