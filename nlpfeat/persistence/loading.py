"""Reading estimators from files that are not to be trusted."""

import os
import zipfile
import zlib
from collections.abc import Collection
from typing import TYPE_CHECKING, BinaryIO

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.persistence.manifest import ForeignError, check_manifest
from nlpfeat.persistence.trusted_types import TRUSTED

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

# What loading a damaged or foreign file raises.
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, TypeError, AttributeError,
           LookupError, RuntimeError, ImportError)  # fmt: skip


def load(
    path: str | os.PathLike[str] | BinaryIO, *, trusted: Collection[str] = ()
) -> "BaseEstimator":
    """Read an estimator that :func:`save` wrote. Nothing in the file is run.

    A file names the classes that it is made of. Only those of nlpfeat, NumPy, SciPy and
    scikit-learn's estimators are made again; a file with any other is refused as a whole, before
    anything of it is imported.

    Parameters
    ----------
    path : str, path-like or binary file
    trusted : collection of str, default ()
        Full names of classes that may be in the file too, such as ``"my_package.MySegmenter"``.
        Give only those whose code you know.

    Returns
    -------
    estimator

    Raises
    ------
    InvalidInputError
        When the file is missing, was not written by :func:`save`, is damaged, was written by a
        newer nlpfeat, or holds classes that are not trusted; the message names them.

    Examples
    --------
    >>> import io
    >>> from nlpfeat import NgramVectorizer, save
    >>> stream = io.BytesIO()
    >>> save(NgramVectorizer(unit="char", ngram_range=(2, 2)).fit(["天气很好"]), stream)
    >>> load(stream).vocabulary_
    {'天气': 0, '很好': 1, '气很': 2}
    """
    from skops.io import get_untrusted_types, loads
    from skops.io.exceptions import UntrustedTypesFoundException

    if isinstance(trusted, str | bytes) or not isinstance(trusted, Collection):
        raise InvalidParameterError(
            "trusted must be a list of names of classes, such as ['my_package.MySegmenter']. "
            f"Got {trusted!r}."
        )
    data, shown = _read(path)
    try:
        check_manifest(data)
        estimator: BaseEstimator = loads(data, trusted=[*TRUSTED, *trusted])
    except ForeignError as error:
        raise InvalidInputError(f"cannot load {shown}: {error}") from error
    except UntrustedTypesFoundException as error:
        unknown = set(get_untrusted_types(data=data)).difference(TRUSTED, trusted)
        raise InvalidInputError(
            f"cannot load {shown}: it holds {', '.join(sorted(unknown))}, which is not trusted. If "
            "you know what that does and who made the file, name it: "
            f"load(…, trusted={sorted(unknown)!r})."
        ) from error
    except _DAMAGE as error:
        raise InvalidInputError(
            f"cannot load {shown}: it is damaged, or what it is made of is missing here "
            f"({type(error).__name__}: {error}). Install that, or save the estimator again."
        ) from error
    return estimator


def _read(path: str | os.PathLike[str] | BinaryIO) -> tuple[bytes, str]:
    """Return the bytes, and what messages call them."""
    if isinstance(path, (str, os.PathLike)):
        shown = repr(os.fsdecode(path))
        try:
            with open(path, "rb") as stream:
                return stream.read(), shown
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InvalidInputError(f"cannot read {shown}: {reason}.") from error
    if not hasattr(path, "read"):
        raise InvalidParameterError(f"path must be a path or a binary file. Got {path!r}.")
    if path.seekable():
        path.seek(0)
    data = path.read()
    if not isinstance(data, bytes):
        raise InvalidParameterError("path must be a binary file. Open it with mode 'rb'.")
    return data, repr(getattr(path, "name", "stream"))
