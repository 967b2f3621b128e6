"""Choose the columns of a table that hold text, label and id."""

import math
from collections.abc import Container, Sequence
from typing import NamedTuple

from nlpfeat._names import closest
from nlpfeat._validation import check_int
from nlpfeat.errors import InvalidParameterError

TEXT_NAMES = (
    "text", "content", "sentence", "review", "comment",
    "文本", "内容", "正文", "句子", "评论", "title", "标题",
)  # fmt: skip
LABEL_NAMES = ("label", "class", "category", "sentiment", "标签", "类别", "分类", "情感", "类型")
#: What also is the class of a text, so that one such cell does not make a header.
_TOPICS = ("情感", "sentiment", "class")


class ColumnChoice(NamedTuple):
    """The columns a user asked for: names, positions from 1, or None to find them."""

    text: str | int | None = None
    label: str | int | None = None
    id: str | int | None = None

    def check(self) -> None:
        """Raise `InvalidParameterError` for what is neither name, position nor None."""
        for field, value in zip(self._fields, self):
            if value is not None and not isinstance(value, str):
                check_int(value, f"{field}_column", minimum=1)


class Columns(NamedTuple):
    """The columns of one table, by position from 0."""

    text: int
    label: int | None
    id: int | None
    has_header: bool
    #: Every row must have at least so many columns …
    min_width: int
    #: … and at most so many, where the label was looked for in the last one.
    max_width: float

    def describe(self, row: Sequence[str]) -> str:
        """Say which columns are read, for the log."""
        parts = ["first line is the header" if self.has_header else "no header"]
        for what, at in (("text", self.text), ("label", self.label), ("id", self.id)):
            if at is not None:
                parts.append(
                    f"{what} in column {at + 1}" + (f" ({row[at]})" if self.has_header else "")
                )
        return f"{parts[0]}; {', '.join(parts[1:])}"


def choose_columns(row: Sequence[str], choice: ColumnChoice, name: str) -> Columns:
    """Choose the columns of a table from its first row.

    Parameters
    ----------
    row : sequence of str
        The cells of the first row.
    choice : ColumnChoice
        A name means that the first row is a header, a position for the text that it is none.
        Without both, the first row is a header when one of its cells is a usual name for text or
        for a label, or when one ends with the first, as 评论内容 does, and another holds the
        second.
    name : str
        What messages call the table.

    Raises
    ------
    InvalidParameterError
        For a column that is not there.

    Examples
    --------
    >>> header = ["编号", "文本", "类别"]
    >>> choose_columns(header, ColumnChoice(), "a.csv").describe(header)
    'first line is the header; text in column 2 (文本), label in column 3 (类别)'
    >>> choose_columns(["天气很好", "正面"], ColumnChoice(), "a.tsv").describe([])
    'no header; text in column 1, label in column 2'
    """
    cells = [cell.strip() for cell in row]
    has_header = any(isinstance(value, str) for value in choice) or (
        choice.text is None and is_header(cells)
    )
    label = _position(cells, choice.label, "label_column", name)
    ident = _position(cells, choice.id, "id_column", name)
    text = _position(cells, choice.text, "text_column", name)
    max_width = math.inf
    if label is None and has_header:
        label = _find_label(cells, {text, ident})
    if text is None:
        text = _default_text(cells, name, {label, ident}) if has_header else 0
    if label is None and not has_header and len(cells) - 1 not in (text, ident):
        label = len(cells) - 1
        max_width = len(cells)
    needed = (text, ident, label if choice.label is not None else None)
    min_width = 1 + max(at for at in needed if at is not None)
    return Columns(text, label, ident, has_header, min_width, max_width)


def choose_keys(keys: Sequence[str], choice: ColumnChoice, name: str) -> ColumnChoice:
    """Choose the keys of JSON Lines from those of the first object; all come back as names.

    Raises
    ------
    InvalidParameterError
        For a key that is not there, and for a position: an object has none.

    Examples
    --------
    >>> choose_keys(["id", "content", "标签"], ColumnChoice(id="id"), "a.jsonl")
    ColumnChoice(text='content', label='标签', id='id')
    """
    chosen: dict[str, str | int | None] = {}
    for field, value in zip(choice._fields, choice):
        if isinstance(value, int):
            raise InvalidParameterError(
                f"{field}_column must be a key for JSON Lines ({name}). Got position {value}."
            )
        at = _position(keys, value, f"{field}_column", name)
        chosen[field] = None if at is None else keys[at]
    taken = {keys.index(key) for key in chosen.values() if isinstance(key, str)}
    if chosen["label"] is None:
        at = _find_label(keys, taken)
        chosen["label"] = None if at is None else keys[at]
        taken |= set() if at is None else {at}
    if chosen["text"] is None:
        chosen["text"] = keys[_default_text(keys, name, taken)]
    return ColumnChoice(**chosen)


def find_name(cells: Sequence[str], names: Sequence[str]) -> int | None:
    """Return where the first of ``names`` that is among the cells stands, whatever its case."""
    folded = [cell.casefold() for cell in cells]
    return next((folded.index(name) for name in names if name in folded), None)


def is_header(cells: Sequence[str]) -> bool:
    """Tell whether a first row is the names of columns and no document.

    Examples
    --------
    >>> is_header(["编号", "评论内容", "情感倾向"]), is_header(["内容很好", "正面"])
    (True, False)
    """
    if find_name(cells, TEXT_NAMES) is not None:
        return True
    if find_name(cells, [each for each in LABEL_NAMES if each not in _TOPICS]) is not None:
        return True
    text = _find_ending(cells)
    return text is not None and _find_label(cells, {text}) is not None


def _find_ending(cells: Sequence[str], taken: Container[int | None] = ()) -> int | None:
    """Return where a cell ends with a usual name for text, the first name first."""
    return next(
        (
            at
            for each in TEXT_NAMES
            for at, cell in enumerate(cells)
            if at not in taken and cell.casefold().endswith(each)
        ),
        None,
    )


def _find_label(cells: Sequence[str], taken: Container[int | None]) -> int | None:
    """Return where a label stands: under a usual name or, failing that, a name that holds one."""
    free = ["" if at in taken else cell.casefold() for at, cell in enumerate(cells)]
    exact = find_name(free, LABEL_NAMES)
    if exact is not None:
        return exact
    return next((at for each in LABEL_NAMES for at, cell in enumerate(free) if each in cell), None)


def _default_text(cells: Sequence[str], name: str, taken: Container[int | None]) -> int:
    """Return where the text stands: under a usual name, one with its end, or in what is left."""
    free = ["" if at in taken else cell for at, cell in enumerate(cells)]
    at = find_name(free, TEXT_NAMES)
    if at is None:
        at = _find_ending(cells, taken)
    if at is None:
        left = [place for place in range(len(cells)) if place not in taken]
        at = left[0] if len(left) == 1 else None
    if at is None:
        raise InvalidParameterError(
            f"text_column must be given for {name}: none of its columns is named "
            f"{', '.join(TEXT_NAMES)}, or ends so. Its columns are {', '.join(map(repr, cells))}."
        )
    return at


def _position(
    cells: Sequence[str], column: str | int | None, parameter: str, name: str
) -> int | None:
    if column is None:
        return None
    if isinstance(column, str):
        if column in cells:
            return list(cells).index(column)
        raise InvalidParameterError(
            f"{parameter} must be a column of {name}, which has "
            f"{', '.join(map(repr, cells))}. Got {column!r}.{closest(column, cells)}"
        )
    if column > len(cells):
        raise InvalidParameterError(
            f"{parameter} must be at most {len(cells)}, the number of columns of {name}. "
            f"Got {column}."
        )
    return column - 1
