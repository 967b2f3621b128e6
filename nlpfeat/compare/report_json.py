"""Findings as JSON and back, without loss; a file from elsewhere is checked field by field."""

import json
import math
import types
from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields, is_dataclass
from functools import cache
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from nlpfeat.compare.findings import Findings
from nlpfeat.errors import InvalidInputError

FORMAT = "nlpfeat comparison"
VERSION = 1

_NOT_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
_REMEDY = "give a file that ComparisonReport.to_json or nlpfeat compare wrote"


def to_json(findings: Findings) -> str:
    """Return findings as JSON.

    Parameters
    ----------
    findings : Findings

    Returns
    -------
    str
        Standard JSON, UTF-8 text with a line end; numbers that are not finite are the texts "nan",
        "inf" and "-inf".
    """
    document = {"format": FORMAT, "version": VERSION, "findings": _plain(asdict(findings))}
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def from_json(text: str | bytes) -> Findings:
    """Return the findings of a JSON text.

    Parameters
    ----------
    text : str or bytes
        What `to_json` gave.

    Returns
    -------
    Findings

    Raises
    ------
    InvalidInputError
        For anything else; the message names the place.

    Examples
    --------
    >>> from_json('{"format": "nlpfeat comparison", "version": 1, "findings": {}}')
    Traceback (most recent call last):
        ...
    nlpfeat.errors.InvalidInputError: The report is damaged: findings must have the key \
'provenance'; give a file that ComparisonReport.to_json or nlpfeat compare wrote.
    """
    document = _parsed(text)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InvalidInputError(f"This is no report of a comparison; {_REMEDY}.")
    if document.get("version") != VERSION:
        raise InvalidInputError(
            f"The report must be of version {VERSION}. Got {document.get('version')!r}: another "
            "version of nlpfeat wrote it; read it with that one."
        )
    try:
        return cast("Findings", _of_dataclass(Findings, document.get("findings"), "findings"))
    except RecursionError as error:
        raise InvalidInputError(f"The report is damaged: it is too deep; {_REMEDY}.") from error


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def _parsed(text: str | bytes) -> object:
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8-sig")
        document: object = json.loads(
            text, object_pairs_hook=_without_twins, parse_constant=_no_constant
        )
        # Escapes can spell half of a character, which no file can hold.
        json.dumps(document, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(f"This is no JSON of a report: {error}; {_REMEDY}.") from error
    return document


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twin = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twin!r} stands twice in one object")
    return found


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _of_dataclass(kind: type, value: object, place: str) -> object:
    if not isinstance(value, dict):
        raise _damaged(place, "an object", value)
    known = {each.name: each for each in fields(cast("Any", kind))}
    for key in value:
        if key not in known:
            raise InvalidInputError(
                f"The report is damaged: {place} has the unknown key {key!r}; {_REMEDY}."
            )
    given = {}
    for name, each in known.items():
        if name in value:
            given[name] = _of(_hints(kind)[name], value[name], f"{place}.{name}")
        elif each.default is MISSING and each.default_factory is MISSING:
            raise InvalidInputError(
                f"The report is damaged: {place} must have the key {name!r}; {_REMEDY}."
            )
    return kind(**given)


def _of(kind: Any, value: Any, place: str) -> Any:
    """Return a value as what a field holds."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        return _of_union(get_args(kind), value, place)
    if origin is list:
        if not isinstance(value, list):
            raise _damaged(place, "a list", value)
        (each_kind,) = get_args(kind)
        return [_of(each_kind, each, f"{place}[{row}]") for row, each in enumerate(value)]
    if origin is dict:
        if not isinstance(value, dict):
            raise _damaged(place, "an object", value)
        value_kind = get_args(kind)[1]
        return {key: _of(value_kind, each, f"{place}.{key}") for key, each in value.items()}
    if is_dataclass(kind):
        return _of_dataclass(cast("type", kind), value, place)
    return _of_scalar(kind, value, place)


def _of_union(kinds: tuple[Any, ...], value: Any, place: str) -> Any:
    """Return the value as the first kind that it is; a bool is no int, an int no float."""
    for kind in kinds:
        exact = dict if is_dataclass(kind) else get_origin(kind) or kind
        if value is None if kind is types.NoneType else type(value) is exact:
            return _of(kind, value, place)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if float in kinds and (is_number or (isinstance(value, str) and value in _NOT_FINITE)):
        return _of_scalar(float, value, place)
    names = " or ".join(_word(kind) for kind in kinds)
    raise _damaged(place, names, value)


def _of_scalar(kind: Any, value: Any, place: str) -> Any:
    if kind is float:
        if isinstance(value, str) and value in _NOT_FINITE:
            return _NOT_FINITE[value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            try:
                return float(value)
            except OverflowError:
                pass
    elif type(value) is kind or (kind is types.NoneType and value is None):
        return value
    raise _damaged(place, _word(kind), value)


def _word(kind: Any) -> str:
    words = {float: "a number", int: "a whole number", str: "a text", bool: "true or false"}
    if kind in words:
        return words[kind]
    return (
        "null" if kind is types.NoneType else "a list" if get_origin(kind) is list else "an object"
    )


def _damaged(place: str, wanted: str, value: object) -> InvalidInputError:
    got = repr(value)
    return InvalidInputError(
        f"The report is damaged: {place} must be {wanted}. Got "
        f"{got if len(got) <= 60 else got[:60] + '…'}; {_REMEDY}."
    )
