"""Writing estimators into files that hold no code."""

import inspect
import io
import json
import os
import sys
import zipfile
from functools import partial
from pickle import PicklingError
from typing import TYPE_CHECKING, BinaryIO

from nlpfeat.errors import InvalidParameterError
from nlpfeat.io.atomic import atomic_output
from nlpfeat.persistence.manifest import MANIFEST, SCHEMA, new_manifest
from nlpfeat.persistence.schema import Node, Renumbering, walk
from nlpfeat.persistence.trusted_types import TRUSTED

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

_FUNCTION_LOADERS = ("FunctionNode", "MethodNode", "PartialNode", "OperatorFuncNode")
# JSON turns keys into texts; from those, only these come back as they were.
_LOST_KEYS = ("builtins.bool", "builtins.NoneType", "numpy.bool")
# What saving something that has no state raises.
_NOT_SAVED = (TypeError, ValueError, AttributeError, RecursionError, PicklingError)


def save(estimator: "BaseEstimator", path: str | os.PathLike[str] | BinaryIO) -> None:
    """Write an estimator, fitted or not, into one file that can be loaded without pickle.

    Pipelines, unions and searches of scikit-learn go as well. The same estimator gives the same
    bytes.

    Parameters
    ----------
    estimator : estimator of nlpfeat or scikit-learn
    path : str, path-like or binary file
        A path is written whole or not at all. By convention it ends in ``.skops``.

    Returns
    -------
    None

    Raises
    ------
    InvalidParameterError
        For what is no estimator, and for one that holds a function (such as a ``segmenter``): a
        function is code, and a file must not bring code along.
    OutputError
        When the file cannot be written.

    Examples
    --------
    >>> from nlpfeat import BagOfWordsVectorizer, load
    >>> stream = io.BytesIO()
    >>> save(BagOfWordsVectorizer().fit(["今天天气很好"]), stream)
    >>> load(stream).get_feature_names_out().tolist()
    ['今天天气', '好', '很']
    """
    from sklearn.base import BaseEstimator

    if isinstance(estimator, type) or not isinstance(estimator, BaseEstimator):
        raise InvalidParameterError(
            f"save needs an estimator of nlpfeat or scikit-learn. Got {estimator!r}."
        )
    packed = _packed(estimator)
    if isinstance(path, (str, os.PathLike)):
        with atomic_output(path) as stream:
            stream.write(packed)
    elif hasattr(path, "write"):
        path.write(packed)
    else:
        raise InvalidParameterError(f"path must be a path or a binary file. Got {path!r}.")


def _packed(estimator: "BaseEstimator") -> bytes:
    """Return the bytes of a file: what skops writes, checked, in one order and without dates."""
    from skops.io import dumps

    owner = type(estimator).__name__
    for parameter, value in estimator.get_params().items():
        if inspect.isroutine(value) or isinstance(value, partial):
            module = getattr(value, "__module__", None)
            name = getattr(value, "__qualname__", repr(value))
            if f"{module}.{name}" not in TRUSTED:
                raise _function_refused(owner, parameter, f"{module}.{name}" if module else name)
    try:
        dumped = dumps(estimator)
    except _NOT_SAVED as error:
        raise InvalidParameterError(
            f"Cannot save this {owner}: it holds something that no file can hold ({error}). "
            "Replace generators, open files and the like by lists or names."
        ) from error
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(dumped)) as source,
        zipfile.ZipFile(buffer, "w") as target,
    ):
        schema = json.loads(source.read(SCHEMA))
        _check(schema, owner, dumped)
        renumbering = Renumbering({}, {})
        renumbering.apply(schema)
        for text, name in ((new_manifest(), MANIFEST), (schema, SCHEMA)):
            # A member that is made so is dated 1980, whenever it is written.
            member = zipfile.ZipInfo(name)
            member.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(member, json.dumps(text, separators=(",", ":")), compresslevel=1)
        for old, new in renumbering.files.items():
            target.writestr(zipfile.ZipInfo(new), source.read(old))
    return buffer.getvalue()


def _check(schema: Node, owner: str, dumped: bytes) -> None:
    """Raise for what would not come back."""
    from skops.io import get_untrusted_types

    from nlpfeat.features.user_warnings import warn_user

    functions = {}
    for place, node in walk(schema, ""):
        name = f"{node['__module__']}.{node['__class__']}"
        named = getattr(sys.modules.get(node["__module__"]), node["__class__"], None)
        if node["__loader__"] in _FUNCTION_LOADERS or inspect.isroutine(named):
            functions[place] = name
        elif named is None:
            raise InvalidParameterError(
                f"Cannot save this {owner}: the class of {place} is {name}, which cannot be found "
                "by that name. Define it at the top level of a module."
            )
        if node["__loader__"] == "DictNode":
            _check_keys(node, owner, place)
    unknown = set(get_untrusted_types(data=dumped)).difference(TRUSTED)
    for place, name in functions.items():
        if name in unknown:
            raise _function_refused(owner, place, name)
    if unknown:
        warn_user(
            f"This {owner} holds types that load takes only when they are named: "
            f"load(…, trusted={sorted(unknown)!r}). A plain list needs no trust."
        )


def _function_refused(owner: str, place: str, name: str) -> InvalidParameterError:
    return InvalidParameterError(
        f"Cannot save this {owner}: {place} is the function {name}, and a file does not hold code. "
        "Give a name instead (such as segmenter='jieba'), or an object of a class of your own: "
        "load takes it when you trust it."
    )


def _check_keys(node: Node, owner: str, place: str) -> None:
    for key_type in node["key_types"]["content"]:
        name = f"{key_type['__module__']}.{key_type['__class__']}"
        if name in _LOST_KEYS:
            raise InvalidParameterError(
                f"Cannot save this {owner}: {place} is a dict with a key of the type {name}, which "
                "would not come back. Use texts or numbers as keys."
            )
