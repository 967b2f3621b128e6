"""Save arrays, texts and settings in one .npz file, and load them, without pickle.

Members of the archive: ``arrays/NAME.npy``, ``texts/NAME/bytes.npy`` (UTF-8, end to end) with
``texts/NAME/offsets.npy``, and ``metadata.npy`` (UTF-8 JSON). `numpy.load` reads them all.
"""

import json
import os
import re
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from tokenize import TokenError
from typing import Any, BinaryIO, TypeAlias, cast

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from nlpfeat.errors import InvalidInputError, InvalidParameterError
from nlpfeat.io.atomic import atomic_output

_FORMAT = "nlpfeat arrays"
_VERSION = 1
_NAME = re.compile(r"\w+")
_METADATA = "metadata.npy"
# What reading a damaged, encrypted or foreign archive raises; the last two are for the header of an
# array, which numpy reads as a literal of Python.
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, NotImplementedError,
    TokenError, SyntaxError,
)  # fmt: skip

AnyArray: TypeAlias = NDArray[Any]


def save_arrays(
    target: str | os.PathLike[str] | BinaryIO,
    arrays: Mapping[str, AnyArray],
    texts: Mapping[str, Sequence[str]],
    metadata: Mapping[str, Any],
) -> None:
    """Write arrays, texts and metadata into one file; the same input gives the same bytes.

    Parameters
    ----------
    target : str, path-like or binary file
        A path is written whole or not at all.
    arrays : mapping of str to ndarray
        Arrays of booleans, integers or floats, of any shape. Names are made of letters, digits
        and ``_``.
    texts : mapping of str to sequence of str
        Such as the terms of a vocabulary.
    metadata : mapping
        What JSON can hold: dicts with str keys, lists, str, int, finite float, bool and None.

    Raises
    ------
    InvalidParameterError
        When something cannot be held in such a file.
    OutputError
        When the file cannot be written.

    Examples
    --------
    >>> import io
    >>> stream = io.BytesIO()
    >>> save_arrays(stream, {"n": np.array([2, 1])}, {"terms": ["语言", "天"]}, {"window": 5})
    >>> load_arrays(stream)
    ({'n': array([2, 1])}, {'terms': ['语言', '天']}, {'window': 5})
    """
    members: dict[str, AnyArray] = {_METADATA: _metadata_bytes(metadata)}
    for name, array in arrays.items():
        members[f"arrays/{_checked_name(name)}.npy"] = _checked_array(name, array)
    for name, values in texts.items():
        data, offsets = _text_bytes(_checked_name(name), values)
        members[f"texts/{name}/bytes.npy"] = data
        members[f"texts/{name}/offsets.npy"] = offsets
    if isinstance(target, (str, os.PathLike)):
        with atomic_output(target) as stream:
            _write_members(stream, members)
    else:
        _write_members(target, members)


def load_arrays(
    source: str | os.PathLike[str] | BinaryIO,
) -> tuple[dict[str, AnyArray], dict[str, list[str]], dict[str, Any]]:
    """Read what `save_arrays` wrote: the arrays, the texts and the metadata.

    Parameters
    ----------
    source : str, path-like or binary file
        A file that can be sought in.

    Raises
    ------
    InvalidInputError
        When the file is missing, is not of this format, is damaged, or was written by a newer
        version.
    """
    shown = source if isinstance(source, (str, os.PathLike)) else getattr(source, "name", "stream")
    try:
        with zipfile.ZipFile(source) as archive:
            if _METADATA not in archive.namelist():
                raise _ForeignError("it is an archive that nlpfeat did not save")
            members = {info.filename: _read_member(archive, info) for info in archive.infolist()}
        return _unpacked(members)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InvalidInputError(f"cannot read {str(shown)!r}: {reason}.") from error
    except _ForeignError as error:
        raise InvalidInputError(f"cannot load {str(shown)!r}: {error}.") from error
    except _DAMAGE as error:
        raise InvalidInputError(
            f"cannot load {str(shown)!r}: it is damaged or no .npz file ({error}). "
            "Make it again, or give a file that nlpfeat saved."
        ) from error


class _ForeignError(Exception):
    """An archive that is sound and that this module did not write."""


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise InvalidParameterError(
            f"names of arrays and texts must be made of letters, digits and _. Got {name!r}."
        )
    return name


def _checked_array(name: str, array: AnyArray) -> AnyArray:
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "biuf":
        came = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
        raise InvalidParameterError(
            f"arrays[{name!r}] must be an array of booleans, integers or floats. Got {came}."
        )
    return array


def _metadata_bytes(metadata: Mapping[str, Any]) -> AnyArray:
    envelope = {"format": _FORMAT, "version": _VERSION, "metadata": dict(metadata)}
    try:
        text = json.dumps(envelope, ensure_ascii=False, allow_nan=False, sort_keys=True)
        data = text.encode()
    except (TypeError, ValueError) as error:
        raise InvalidParameterError(f"metadata must fit in JSON: {error}.") from error
    # JSON turns tuples into lists and number keys into str; better refused than changed.
    if json.loads(text) != envelope:
        raise InvalidParameterError(
            "metadata must come back from JSON as it went in: lists, not tuples, and str keys. "
            f"Got {dict(metadata)!r}."
        )
    return np.frombuffer(data, np.uint8)


def _text_bytes(name: str, values: Sequence[str]) -> tuple[AnyArray, AnyArray]:
    try:
        encoded = [value.encode() for value in values]
    except UnicodeEncodeError as error:
        raise InvalidParameterError(
            f"texts[{name!r}] must be texts that UTF-8 can write. Got {error.object!r}."
        ) from error
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(value) for value in encoded], out=offsets[1:])
    return np.frombuffer(b"".join(encoded), np.uint8), offsets


def _write_members(stream: BinaryIO, members: Mapping[str, AnyArray]) -> None:
    # Level 1 leaves counts at 5 % and token ids at 50 % of their size, at 65 MB/s or more; level 6
    # saves little more at an eighth of the speed. (Floats stay at 95 %, but few are saved.)
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, array in members.items():
            # A member opened by name is dated 1980, whenever it is written.
            with archive.open(name, "w", force_zip64=True) as member:
                npy.write_array(cast(BinaryIO, member), array, version=(1, 0), allow_pickle=False)


def _read_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> AnyArray:
    with archive.open(info) as member:
        stream = cast(BinaryIO, member)
        if npy.read_magic(stream) != (1, 0):
            raise _ForeignError(f"its member {info.filename} is of an unknown .npy version")
        shape, _, dtype = npy.read_array_header_1_0(stream)
        if dtype.kind not in "biuf":
            raise _ForeignError(f"its member {info.filename} holds {dtype}, not numbers")
        # A false shape would ask for any amount of memory before the data run out.
        if stream.tell() + dtype.itemsize * int(np.prod(shape, dtype=object)) != info.file_size:
            raise ValueError(f"{info.filename} has not the size that its header says")
        stream.seek(0)
        array: AnyArray = npy.read_array(stream, allow_pickle=False)
        # The checksum is compared when the end of the member is met, not before.
        stream.read(1)
        return array


def _unpacked(
    members: dict[str, AnyArray],
) -> tuple[dict[str, AnyArray], dict[str, list[str]], dict[str, Any]]:
    envelope = json.loads(members[_METADATA].tobytes())
    if not isinstance(envelope, dict) or envelope.get("format") != _FORMAT:
        raise _ForeignError("its metadata are not those of nlpfeat")
    version = envelope.get("version")
    if not isinstance(version, int) or version < 1:
        raise ValueError(f"its format version is {version!r}")
    if version > _VERSION:
        raise _ForeignError(
            f"it has format version {version} and this nlpfeat reads up to {_VERSION}. Upgrade "
            "with: pip install --upgrade nlpfeat"
        )
    arrays: dict[str, AnyArray] = {}
    texts: dict[str, list[str]] = {}
    for member, array in members.items():
        kind, _, rest = member.removesuffix(".npy").partition("/")
        if kind == "arrays":
            arrays[rest] = array
        elif kind == "texts" and rest.endswith("/offsets"):
            name = rest.removesuffix("/offsets")
            texts[name] = _texts(name, members.get(f"texts/{name}/bytes.npy"), array)
    metadata = envelope.get("metadata")
    if not isinstance(metadata, dict):
        raise ValueError("its metadata are no JSON object")
    return arrays, texts, metadata


def _texts(name: str, data: AnyArray | None, offsets: AnyArray) -> list[str]:
    if data is None or data.dtype != np.uint8 or data.ndim != 1:
        raise ValueError(f"the texts {name!r} lack their bytes")
    if (
        offsets.dtype != np.int64
        or offsets.ndim != 1
        or not len(offsets)
        or offsets[0] != 0
        or offsets[-1] != len(data)
        or (np.diff(offsets) < 0).any()
    ):
        raise ValueError(f"the texts {name!r} have offsets that do not fit their bytes")
    encoded = data.tobytes()
    bounds = offsets.tolist()
    return [encoded[start:stop].decode() for start, stop in pairwise(bounds)]
