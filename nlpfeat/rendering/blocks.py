"""What a page is made of: sections of blocks, which HTML and Markdown both show.

A block holds what is shown, as text or as numbers with their text, and knows nothing of HTML.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from nlpfeat.errors import InvalidParameterError

if TYPE_CHECKING:
    import altair

#: What a figure draws.
Chart: TypeAlias = "altair.Chart | altair.LayerChart | altair.FacetChart"

_NAME = re.compile(r"[a-z][a-z0-9-]*")
_KINDS = ("head", "text", "number")
TONES = ("", "better", "worse", "equal", "open")


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    title : str
    kind : {"text", "number", "head"}
        Numbers stand on the right; a head names its row.
    note : str
        What the title means, where it is short.
    """

    title: str
    kind: str = "text"
    note: str = ""

    def __post_init__(self) -> None:
        if self.kind not in _KINDS:
            raise InvalidParameterError(
                f"kind must be one of {', '.join(_KINDS)}. Got {self.kind!r}."
            )


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Parameters
    ----------
    text : str
    order : float or None
        What the row is sorted by in this column; None sorts by the text. Where others have a
        number, a row without a finite one stays below.
    detail : str
        Shown small below the text, an interval most of all.
    tone : {"", "better", "worse", "equal", "open"}
        Sets a colour and a mark; the text says the same.
    """

    text: str
    order: float | None = None
    detail: str = ""
    tone: str = ""

    def __post_init__(self) -> None:
        if self.tone not in TONES:
            raise InvalidParameterError(
                f"tone must be one of {', '.join(map(repr, TONES))}. Got {self.tone!r}."
            )


@dataclass(frozen=True)
class DataTable:
    """A table with a caption.

    Parameters
    ----------
    caption : str
    columns : sequence of Column
    rows : sequence of sequence of Cell
        As many cells a row as there are columns.
    note : str
        Shown below the table.
    """

    kind: ClassVar[str] = "table"
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    note: str = ""

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise InvalidParameterError(
                    f"rows must have a cell for each of {len(self.columns)} columns. Row {number} "
                    f"has {len(row)}."
                )


@dataclass(frozen=True)
class Prose:
    """Paragraphs.

    Parameters
    ----------
    paragraphs : sequence of str
    role : {"text", "lead", "note"}
        A lead says the main thing; a note explains.
    """

    kind: ClassVar[str] = "prose"
    paragraphs: Sequence[str]
    role: str = "text"


@dataclass(frozen=True)
class Facts:
    """Names, each with its value.

    Parameters
    ----------
    pairs : sequence of (str, str)
    is_code : bool
        Whether the values are names for machines: hashes, commands, parameters.
    is_prominent : bool
        Whether they stand large, side by side.
    """

    kind: ClassVar[str] = "facts"
    pairs: Sequence[tuple[str, str]]
    is_code: bool = False
    is_prominent: bool = False


@dataclass(frozen=True)
class Figure:
    """A chart, with what it shows in words and in numbers.

    Parameters
    ----------
    name : str
        Lower-case letters, digits and hyphens; also the name of its file.
    title, description : str
        The description says to those who do not see the chart what can be seen.
    draw : callable
        Makes the chart when it is needed, so that a page can be made of blocks without altair.
    table : DataTable or None
        The numbers behind it; None where a table beside it has them.
    min_width : int
        In pixels: on a narrower screen the chart scrolls inside its frame.
    """

    kind: ClassVar[str] = "figure"
    name: str
    title: str
    description: str
    draw: Callable[[], Chart]
    table: DataTable | None = None
    min_width: int = 300

    def __post_init__(self) -> None:
        _check_name(self.name)


@dataclass(frozen=True)
class FigureGrid:
    """Small charts side by side."""

    kind: ClassVar[str] = "grid"
    figures: Sequence[Figure]


@dataclass(frozen=True)
class TokenStrip:
    """The tokens of a document, with a number of each source for each token.

    Parameters
    ----------
    title : str
    facts : sequence of (str, str)
        What else is known of the document.
    tokens : sequence of str
    sources : mapping of str to sequence of float
        As many numbers a source as there are tokens. NaN is no number.
    """

    title: str
    facts: Sequence[tuple[str, str]]
    tokens: Sequence[str]
    sources: Mapping[str, Sequence[float]]

    def __post_init__(self) -> None:
        for name, values in self.sources.items():
            if len(values) != len(self.tokens):
                raise InvalidParameterError(
                    f"sources must hold a number for each of {len(self.tokens)} tokens. "
                    f"{name!r} has {len(values)}."
                )


@dataclass(frozen=True)
class TokenStrips:
    """Strips, one below the other."""

    kind: ClassVar[str] = "strips"
    strips: Sequence[TokenStrip]


@dataclass(frozen=True)
class Folded:
    """Blocks that open on request."""

    kind: ClassVar[str] = "folded"
    title: str
    blocks: "Sequence[Block]"


Block: TypeAlias = DataTable | Prose | Facts | Figure | FigureGrid | TokenStrips | Folded


@dataclass(frozen=True)
class Section:
    """A part of a page.

    Parameters
    ----------
    name : str
        Lower-case letters, digits and hyphens: the anchor.
    title : str
    blocks : sequence of blocks
    """

    name: str
    title: str
    blocks: Sequence[Block]

    def __post_init__(self) -> None:
        _check_name(self.name)


@dataclass(frozen=True)
class Page:
    """A whole page.

    Parameters
    ----------
    title : str
    kicker : str
        What kind of page it is, above the title.
    subtitle : str
    lead : sequence of blocks
        Before the first section.
    sections : sequence of Section
    footer : str
    """

    title: str
    kicker: str = ""
    subtitle: str = ""
    lead: Sequence[Block] = ()
    sections: Sequence[Section] = field(default_factory=tuple)
    footer: str = ""

    def figures(self) -> list[Figure]:
        """Return all figures, in their order.

        Raises
        ------
        InvalidParameterError
            When two have one name.
        """
        blocks = [*self.lead, *(block for section in self.sections for block in section.blocks)]
        found = [figure for block in blocks for figure in _figures_of(block)]
        names = [figure.name for figure in found]
        if len(set(names)) < len(names):
            raise InvalidParameterError(f"figures must have different names. Got {names}.")
        return found


def _figures_of(block: Block) -> list[Figure]:
    if isinstance(block, Figure):
        return [block]
    if isinstance(block, FigureGrid):
        return list(block.figures)
    if isinstance(block, Folded):
        return [figure for inner in block.blocks for figure in _figures_of(inner)]
    return []


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise InvalidParameterError(
            f"name must be lower-case letters, digits and hyphens, a letter first. Got {name!r}."
        )
