"""A page as Markdown (GitHub's): the same words and numbers, without its charts."""

from collections.abc import Iterator, Sequence

from nlpfeat.rendering.blocks import (
    Block,
    Cell,
    DataTable,
    Facts,
    Figure,
    FigureGrid,
    Folded,
    Page,
    Prose,
    TokenStrips,
)
from nlpfeat.rendering.escaping import markdown_text
from nlpfeat.rendering.strips import strip_table


def render_page_markdown(page: Page) -> str:
    r"""Return the Markdown of a page: of a chart, its description and its numbers.

    Needs no package of the extra ``report``. Texts are escaped: none of them is markup.

    Parameters
    ----------
    page : Page

    Examples
    --------
    >>> from nlpfeat.rendering import Page, Prose
    >>> print(render_page_markdown(Page("语料 <b>", lead=[Prose(["`好`|坏"])])), end="")
    # 语料 \<b\>
    <BLANKLINE>
    \`好\`\|坏
    """
    return "\n\n".join(_page_parts(page)) + "\n"


def _page_parts(page: Page) -> Iterator[str]:
    yield f"# {markdown_text(page.title)}"
    if page.subtitle:
        yield markdown_text(page.subtitle)
    for block in page.lead:
        yield from _parts(block)
    for section in page.sections:
        yield f"## {markdown_text(section.title)}"
        for block in section.blocks:
            yield from _parts(block)
    if page.footer:
        yield f"---\n\n{markdown_text(page.footer)}"


def _parts(block: Block) -> Iterator[str]:
    if isinstance(block, Prose):
        yield from map(markdown_text, block.paragraphs)
    elif isinstance(block, Facts):
        yield "\n".join(_fact(name, value) for name, value in block.pairs)
    elif isinstance(block, DataTable):
        yield from _table(block)
    elif isinstance(block, Figure):
        yield from _figure(block)
    elif isinstance(block, FigureGrid):
        for figure in block.figures:
            yield from _figure(figure)
    elif isinstance(block, TokenStrips):
        yield from _strips(block)
    elif isinstance(block, Folded):
        yield f"### {markdown_text(block.title)}"
        for inner in block.blocks:
            yield from _parts(inner)


def _fact(name: str, value: str) -> str:
    return f"- {markdown_text(name)}: {markdown_text(value)}"


def _table(table: DataTable) -> Iterator[str]:
    yield f"**{markdown_text(table.caption)}**"
    titles = [markdown_text(column.title) for column in table.columns]
    rules = ["---:" if column.kind == "number" else "---" for column in table.columns]
    yield "\n".join([_row(titles), _row(rules), *(_row(_cells(row)) for row in table.rows)])
    if table.note:
        yield markdown_text(table.note)


def _cells(row: Sequence[Cell]) -> list[str]:
    """Return the text of each cell, with its detail; an interval has brackets of its own."""
    return [markdown_text(f"{cell.text} {_detail(cell)}" if cell.detail else cell.text)
            for cell in row]  # fmt: skip


def _detail(cell: Cell) -> str:
    text = cell.detail.replace("\n", ", ")
    return text if text.startswith("[") else f"({text})"


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _figure(figure: Figure) -> Iterator[str]:
    if figure.table is not None:
        yield markdown_text(f"{figure.title}. {figure.description}")
        yield from _table(figure.table)


def _strips(block: TokenStrips) -> Iterator[str]:
    for strip in block.strips:
        yield f"### {markdown_text(strip.title)}"
        if strip.facts:
            yield "\n".join(_fact(name, value) for name, value in strip.facts)
        yield from _table(strip_table(strip))
