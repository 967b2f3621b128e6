"""Save fitted estimators, and load them, without pickle."""

import inspect
import io
import json
import os
import re
import sys
import zipfile
import zlib
from collections.abc import Collection, Iterator
from functools import partial
from pickle import PicklingError
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias, TypeGuard

from nlpfeat import __version__
from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.io.atomic import atomic_output

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

_Node: TypeAlias = dict[str, Any]
"""An object, or a part of one, as skops writes it into schema.json."""

_FORMAT = "nlpfeat estimator"
_MANIFEST = "nlpfeat.json"
_SCHEMA = "schema.json"

#: Every class of nlpfeat that a saved estimator can be made of. A test compares the list with what
#: is found in files.
_OWN_TYPES = (
    "nlpfeat.classifiers.nbsvm.NBSVMClassifier",
    "nlpfeat.counts.documents.TermSpace",
    "nlpfeat.counts.feature_space.FeatureFrequencies",
    "nlpfeat.counts.ngrams.NgramSpace",
    "nlpfeat.counts.positions.PositionSettings",
    "nlpfeat.counts.positions.PositionSpace",
    "nlpfeat.features.bag_of_words.BagOfWordsVectorizer",
    "nlpfeat.features.lda.LdaTransformer",
    "nlpfeat.features.naive_bayes.NaiveBayesRatioTransformer",
    "nlpfeat.features.ngrams.NgramVectorizer",
    "nlpfeat.features.pmi_embedding.PmiEmbedding",
    "nlpfeat.features.pmi_vectorizer.PmiVectorizer",
    "nlpfeat.features.positional.PositionalBagOfWordsVectorizer",
    "nlpfeat.features.segmenting.SegmentTransformer",
    "nlpfeat.features.surprisal.SurprisalTransformer",
    "nlpfeat.features.tfidf.TfidfVectorizer",
    "nlpfeat.text.segmenters.jieba.JiebaSegmenter",
    "nlpfeat.text.segmenters.simple.CharSegmenter",
    "nlpfeat.text.segmenters.simple.WhitespaceSegmenter",
    "nlpfeat.text.vocabulary.Vocabulary",
    "nlpfeat.vectors.word_vectors.WordVectors",
)

#: What parameters and learned attributes are made of, and skops asks about.
_PLAIN_TYPES = (
    "builtins.frozenset", "numpy.dtype", "pathlib.PosixPath", "pathlib.WindowsPath",
    "pathlib._local.PosixPath", "pathlib._local.WindowsPath",  # where Python 3.13 has them
    "scipy.sparse._csc.csc_array", "scipy.sparse._csr.csr_array",
)  # fmt: skip

#: What scikit-learn's searches, selections and calibrations hold beside estimators.
_SKLEARN_HELPERS = (
    "sklearn.calibration._CalibratedClassifier",
    "sklearn.calibration._SigmoidCalibration",
    "sklearn.feature_selection._univariate_selection.chi2",
    "sklearn.feature_selection._univariate_selection.f_classif",
    "sklearn.metrics._classification.accuracy_score",
    "sklearn.metrics._classification.balanced_accuracy_score",
    "sklearn.metrics._classification.f1_score",
    "sklearn.metrics._classification.log_loss",
    "sklearn.metrics._classification.precision_score",
    "sklearn.metrics._classification.recall_score",
    "sklearn.metrics._ranking.roc_auc_score",
    "sklearn.metrics._scorer._PassthroughScorer",
    "sklearn.metrics._scorer._Scorer",
    "sklearn.model_selection._split.KFold",
    "sklearn.model_selection._split.StratifiedKFold",
)

_TRUSTED = (*_OWN_TYPES, *_PLAIN_TYPES, *_SKLEARN_HELPERS)

_FUNCTION_LOADERS = ("FunctionNode", "MethodNode", "PartialNode", "OperatorFuncNode")
# JSON turns keys into texts; from those, only these come back as they were.
_LOST_KEYS = ("builtins.bool", "builtins.NoneType", "numpy.bool")

# What saving something that has no state raises, and what loading a damaged or foreign file does.
_NOT_SAVED = (TypeError, ValueError, AttributeError, RecursionError, PicklingError)
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, TypeError, AttributeError,
           LookupError, RuntimeError, ImportError)  # fmt: skip


class _ForeignError(Exception):
    """A file that is sound as far as one can see, and that this nlpfeat cannot read."""


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
    >>> from nlpfeat import BagOfWordsVectorizer
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
    >>> from nlpfeat import NgramVectorizer
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
        _check_manifest(data)
        estimator: BaseEstimator = loads(data, trusted=[*_TRUSTED, *trusted])
    except _ForeignError as error:
        raise InvalidInputError(f"cannot load {shown}: {error}") from error
    except UntrustedTypesFoundException as error:
        unknown = set(get_untrusted_types(data=data)).difference(_TRUSTED, trusted)
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


def _packed(estimator: "BaseEstimator") -> bytes:
    """Return the bytes of a file: what skops writes, checked, in one order and without dates."""
    from skops.io import dumps

    owner = type(estimator).__name__
    for parameter, value in estimator.get_params().items():
        if inspect.isroutine(value) or isinstance(value, partial):
            module = getattr(value, "__module__", None)
            name = getattr(value, "__qualname__", repr(value))
            if f"{module}.{name}" not in _TRUSTED:
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
        schema = json.loads(source.read(_SCHEMA))
        _check(schema, owner, dumped)
        renumbering = _Renumbering({}, {})
        renumbering.apply(schema)
        for text, name in ((_manifest(), _MANIFEST), (schema, _SCHEMA)):
            # A member that is made so is dated 1980, whenever it is written.
            member = zipfile.ZipInfo(name)
            member.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(member, json.dumps(text, separators=(",", ":")), compresslevel=1)
        for old, new in renumbering.files.items():
            target.writestr(zipfile.ZipInfo(new), source.read(old))
    return buffer.getvalue()


def _manifest() -> dict[str, str]:
    import sklearn

    return {"format": _FORMAT, "nlpfeat": __version__, "scikit-learn": sklearn.__version__}


def _check_manifest(data: bytes) -> None:
    manifest = None
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if {_MANIFEST, _SCHEMA} <= set(archive.namelist()):
                manifest = json.loads(archive.read(_MANIFEST))
    if not isinstance(manifest, dict) or manifest.get("format") != _FORMAT:
        raise _ForeignError(
            "nlpfeat.save did not write it, or it is damaged. Give a file that it wrote."
        )
    version = str(manifest.get("nlpfeat"))
    if _release(version) > _release(__version__):
        raise _ForeignError(
            f"it was saved by nlpfeat {version}, and this is {__version__}. "
            "Upgrade with: pip install --upgrade nlpfeat"
        )


def _release(version: str) -> list[int]:
    """Return the numbers of a release; a development version counts as the release to come."""
    return [int(number) for number in re.findall(r"\d+", version)[:3]]


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


def _check(schema: _Node, owner: str, dumped: bytes) -> None:
    """Raise for what would not come back."""
    from skops.io import get_untrusted_types

    from nlpfeat.features.user_warnings import warn_user

    functions = {}
    for place, node in _walk(schema, ""):
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
    unknown = set(get_untrusted_types(data=dumped)).difference(_TRUSTED)
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


def _check_keys(node: _Node, owner: str, place: str) -> None:
    for key_type in node["key_types"]["content"]:
        name = f"{key_type['__module__']}.{key_type['__class__']}"
        if name in _LOST_KEYS:
            raise InvalidParameterError(
                f"Cannot save this {owner}: {place} is a dict with a key of the type {name}, which "
                "would not come back. Use texts or numbers as keys."
            )


def _walk(node: _Node, place: str) -> Iterator[tuple[str, _Node]]:
    """Yield every object of a schema, and where it stands, such as ``steps[0][1].segmenter``."""
    yield place, node
    content = node.get("content")
    if _is_node(content):
        is_attributes = node["__loader__"] == "ObjectNode" and content["__loader__"] == "DictNode"
        parts = content["content"].items() if is_attributes else [("", content)]
        yield from (
            found
            for name, part in parts
            for found in _walk(part, f"{place}.{name}".lstrip(".") if is_attributes else place)
        )
    elif isinstance(content, dict | list):
        parts = content.items() if isinstance(content, dict) else enumerate(content)
        for key, part in parts:
            if _is_node(part):
                yield from _walk(part, f"{place}[{key!r}]")


def _is_node(value: object) -> TypeGuard[_Node]:
    return isinstance(value, dict) and isinstance(value.get("__loader__"), str)


class _Renumbering(NamedTuple):
    """New numbers for the objects and files of a schema, in the order in which they stand.

    skops takes memory addresses, which differ from run to run.
    """

    objects: dict[int, int]
    files: dict[str, str]

    def apply(self, part: dict[str, Any] | list[Any]) -> None:
        """Change a part of a schema in place."""
        if _is_node(part):
            self._renumber(part)
        for each in part.values() if isinstance(part, dict) else part:
            if isinstance(each, dict | list):
                self.apply(each)

    def _renumber(self, node: _Node) -> None:
        if node["__loader__"] == "JsonNode":
            # Texts and numbers need no identity.
            node.pop("__id__", None)
        elif isinstance(number := node.get("__id__"), int):
            node["__id__"] = self.objects.setdefault(number, len(self.objects) + 1)
        if isinstance(file := node.get("file"), str):
            ending = os.path.splitext(file)[1]
            node["file"] = self.files.setdefault(file, f"{len(self.files)}{ending}")
        content: Any = node.get("content")
        if node["__class__"] == "frozenset":
            members = content["content"][0]["content"]  # the list that its constructor takes
        elif node["__loader__"] == "SetNode":
            members = content
        else:
            return
        if all(each["__loader__"] == "JsonNode" for each in members):
            members.sort(key=lambda each: each["content"])
