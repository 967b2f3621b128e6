"""Write a word network as GEXF 1.3, the format of Gephi."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import BinaryIO
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from nlpfeat._typing import Int32Array, NumberArray
from nlpfeat.errors import InvalidParameterError

_TYPES = {np.dtype(np.int64): "long", np.dtype(np.float64): "double"}
# Characters that XML 1.0 cannot hold, not even as a reference.
_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CHUNK_ROWS = 1 << 14


def write_gexf(
    stream: BinaryIO,
    *,
    nodes: Sequence[str],
    node_attributes: Mapping[str, NumberArray],
    x_ids: Int32Array,
    y_ids: Int32Array,
    edge_attributes: Mapping[str, NumberArray],
    directed: bool,
    weight: str,
    metadata: Mapping[str, str],
) -> None:
    """Write all nodes, with or without edges, and the edges between them.

    Parameters
    ----------
    stream : binary file
        Where to write, in UTF-8.
    nodes : sequence of str
        Label of each node; the node's id is its index.
    node_attributes : mapping of str to int64 or float64 array of shape (n_nodes,)
        Numbers of each node. NaN leaves the number out.
    x_ids, y_ids : ndarray of shape (n_edges,), int32
        Both ends of each edge, as indices into ``nodes``; each edge once, and when
        ``directed`` is false in one direction only.
    edge_attributes : mapping of str to int64 or float64 array of shape (n_edges,)
        Numbers of each edge. NaN leaves the number out.
    directed : bool
        Whether an edge leads from x to y.
    weight : str
        The edge attribute that becomes the weight of the edge, above 0: Gephi lays out and ranks
        by weight and takes no other. Give the count, not a measure that can be negative.
    metadata : mapping of str to str
        How the network was made; written as its description.

    Raises
    ------
    InvalidParameterError
        When lengths, ids or types do not fit, a weight is not above 0, or an edge comes twice.

    Notes
    -----
    Characters that XML cannot hold become U+FFFD.

    References
    ----------
    GEXF Working Group (2022). GEXF 1.3 schema. https://gexf.net

    Examples
    --------
    >>> import io
    >>> stream = io.BytesIO()
    >>> write_gexf(
    ...     stream,
    ...     nodes=["学习", "语言", "天"],
    ...     node_attributes={"n": np.array([3, 3, 1])},
    ...     x_ids=np.array([0], dtype=np.int32),
    ...     y_ids=np.array([1], dtype=np.int32),
    ...     edge_attributes={"n_xy": np.array([2]), "pmi": np.array([-0.5])},
    ...     directed=False,
    ...     weight="n_xy",
    ...     metadata={"window": "5"},
    ... )
    >>> [line for line in stream.getvalue().decode().splitlines() if "<edge " in line]
    ['<edge id="0" source="0" target="1" weight="2"><attvalues><attvalue for="0"
    value="-0.5"/></attvalues></edge>']
    """
    _check_attributes(node_attributes, "node_attributes", len(nodes))
    _check_attributes(edge_attributes, "edge_attributes", len(x_ids))
    _check_edges(x_ids, y_ids, len(nodes), directed)
    weights = _checked_weights(edge_attributes, weight)
    measures = {name: array for name, array in edge_attributes.items() if name != weight}
    heads = (
        f'<edge id="{i}" source="{x}" target="{y}" weight="{number!r}">'
        for i, (x, y, number) in enumerate(zip(_items(x_ids), _items(y_ids), _items(weights)))
    )
    labels = (f'<node id="{i}" label={_quoted(label)}>' for i, label in enumerate(nodes))
    _write_lines(stream, _opening(directed, {"weight": weight, **metadata}))
    _write_lines(stream, _declarations("node", node_attributes))
    _write_lines(stream, _declarations("edge", measures))
    _write_lines(stream, _elements("node", labels, node_attributes))
    _write_lines(stream, _elements("edge", heads, measures))
    _write_lines(stream, iter(["</graph>", "</gexf>"]))


def _opening(directed: bool, metadata: Mapping[str, str]) -> Iterator[str]:
    description = "; ".join(f"{name}: {value}" for name, value in metadata.items())
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<gexf xmlns="http://gexf.net/1.3" version="1.3">'
    yield "<meta>"
    yield "<creator>nlpfeat</creator>"
    yield f"<description>{escape(_legal(description))}</description>"
    yield "</meta>"
    yield f'<graph defaultedgetype="{"directed" if directed else "undirected"}" mode="static">'


def _declarations(kind: str, attributes: Mapping[str, NumberArray]) -> Iterator[str]:
    if attributes:
        yield f'<attributes class="{kind}" mode="static">'
        for i, (name, array) in enumerate(attributes.items()):
            yield f'<attribute id="{i}" title={_quoted(name)} type="{_TYPES[array.dtype]}"/>'
        yield "</attributes>"


def _elements(
    kind: str, heads: Iterator[str], attributes: Mapping[str, NumberArray]
) -> Iterator[str]:
    """Yield the lines of all nodes or edges; ``heads`` are their opening tags."""
    yield f"<{kind}s>"
    columns = [_attribute_values(i, array) for i, array in enumerate(attributes.values())]
    for head, *values in zip(heads, *columns):
        inside = "".join(values)
        yield f"{head}<attvalues>{inside}</attvalues></{kind}>" if inside else f"{head[:-1]}/>"
    yield f"</{kind}s>"


def _attribute_values(i: int, array: NumberArray) -> Iterator[str]:
    for value in _items(array):
        # NaN is the one number that differs from itself.
        yield f'<attvalue for="{i}" value="{value!r}"/>' if value == value else ""


def _items(array: Int32Array | NumberArray) -> Iterator[int | float]:
    """Yield Python numbers without holding all of them."""
    for start in range(0, len(array), _CHUNK_ROWS):
        yield from array[start : start + _CHUNK_ROWS].tolist()


def _write_lines(stream: BinaryIO, lines: Iterator[str]) -> None:
    while chunk := list(islice(lines, _CHUNK_ROWS)):
        stream.write(("\n".join(chunk) + "\n").encode())


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\ufffd", text)


def _quoted(text: str) -> str:
    return quoteattr(_legal(text))


def _check_attributes(attributes: Mapping[str, NumberArray], parameter: str, length: int) -> None:
    for name, array in attributes.items():
        if array.dtype not in _TYPES or array.shape != (length,):
            raise InvalidParameterError(
                f"{parameter}[{name!r}] must be int64 or float64 of shape ({length},). "
                f"Got {array.dtype} of shape {array.shape}."
            )
        if np.isinf(array).any():
            raise InvalidParameterError(
                f"{parameter}[{name!r}] must be finite, or NaN where there is no number. "
                "Got an infinite number."
            )


def _check_edges(x_ids: Int32Array, y_ids: Int32Array, n_nodes: int, directed: bool) -> None:
    if x_ids.ndim != 1 or x_ids.shape != y_ids.shape:
        raise InvalidParameterError(
            f"x_ids and y_ids must be vectors of one length. Got {x_ids.shape} and {y_ids.shape}."
        )
    if not len(x_ids):
        return
    ends = np.sort([x_ids, y_ids], axis=0) if not directed else np.stack([x_ids, y_ids])
    if not 0 <= ends.min() <= ends.max() < n_nodes:
        raise InvalidParameterError(
            f"x_ids and y_ids must lie between 0 and {n_nodes - 1}, the last index of nodes. "
            f"Got {ends.min()} to {ends.max()}."
        )
    keys = np.sort(ends[0].astype(np.int64) * n_nodes + ends[1])
    repeated = keys[1:][keys[1:] == keys[:-1]]
    if len(repeated):
        raise InvalidParameterError(
            "x_ids and y_ids must hold each edge once"
            f"{'' if directed else ', in one direction only'}. The edge between the nodes "
            f"{repeated[0] // n_nodes} and {repeated[0] % n_nodes} comes again."
        )


def _checked_weights(attributes: Mapping[str, NumberArray], weight: str) -> NumberArray:
    if weight not in attributes:
        raise InvalidParameterError(
            f"weight must be one of edge_attributes: {', '.join(map(repr, attributes))}. "
            f"Got {weight!r}."
        )
    weights = attributes[weight]
    if not (weights > 0).all():
        raise InvalidParameterError(
            f"weight must name an attribute above 0 everywhere, such as the count. {weight!r} "
            f"goes down to {weights.min()!s}."
        )
    return weights
