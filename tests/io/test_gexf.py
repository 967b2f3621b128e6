"""Networks parse as XML and come back the same in networkx."""

import io
import math
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlpfeat.errors import InvalidParameterError
from nlpfeat.io import gexf
from nlpfeat.io.gexf import write_gexf

NAMESPACE = "{http://gexf.net/1.3}"


def network(**changes):
    given_parts = {
        "nodes": ["学习", "语言", '<&">', "孤立"],
        "node_attributes": {"n": np.array([7, 5, 2, 1]), "share": np.array([0.5, 1e-9, 2.0, 0.1])},
        "x_ids": np.array([0, 1], np.int32),
        "y_ids": np.array([1, 2], np.int32),
        "edge_attributes": {
            "n_xy": np.array([3, 2]),
            "pmi": np.array([-1.5, math.nan]),
            "g2": np.array([0.25, 1 / 3]),
        },
        "directed": False,
        "weight": "n_xy",
        "metadata": {"window": "5", "measure": "pmi < 1"},
    }
    return given_parts | changes


def written(**changes):
    stream = io.BytesIO()
    write_gexf(stream, **network(**changes))
    return stream.getvalue()


def test_by_hand():
    assert written().decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<gexf xmlns="http://gexf.net/1.3" version="1.3">\n'
        "<meta>\n"
        "<creator>nlpfeat</creator>\n"
        "<description>weight: n_xy; window: 5; measure: pmi &lt; 1</description>\n"
        "</meta>\n"
        '<graph defaultedgetype="undirected" mode="static">\n'
        '<attributes class="node" mode="static">\n'
        '<attribute id="0" title="n" type="long"/>\n'
        '<attribute id="1" title="share" type="double"/>\n'
        "</attributes>\n"
        '<attributes class="edge" mode="static">\n'
        '<attribute id="0" title="pmi" type="double"/>\n'
        '<attribute id="1" title="g2" type="double"/>\n'
        "</attributes>\n"
        "<nodes>\n"
        '<node id="0" label="学习"><attvalues><attvalue for="0" value="7"/>'
        '<attvalue for="1" value="0.5"/></attvalues></node>\n'
        '<node id="1" label="语言"><attvalues><attvalue for="0" value="5"/>'
        '<attvalue for="1" value="1e-09"/></attvalues></node>\n'
        '<node id="2" label=\'&lt;&amp;"&gt;\'><attvalues><attvalue for="0" value="2"/>'
        '<attvalue for="1" value="2.0"/></attvalues></node>\n'
        '<node id="3" label="孤立"><attvalues><attvalue for="0" value="1"/>'
        '<attvalue for="1" value="0.1"/></attvalues></node>\n'
        "</nodes>\n"
        "<edges>\n"
        '<edge id="0" source="0" target="1" weight="3"><attvalues><attvalue for="0" value="-1.5"/>'
        '<attvalue for="1" value="0.25"/></attvalues></edge>\n'
        '<edge id="1" source="1" target="2" weight="2"><attvalues>'
        '<attvalue for="1" value="0.3333333333333333"/></attvalues></edge>\n'
        "</edges>\n"
        "</graph>\n"
        "</gexf>\n"
    )


@pytest.mark.parametrize("directed", [False, True])
def test_networkx_reads_the_same_network(directed):
    nx = pytest.importorskip("networkx")
    graph = nx.read_gexf(io.BytesIO(written(directed=directed)), node_type=int)
    assert graph.is_directed() == directed
    assert not graph.is_multigraph()
    assert {i: (d["label"], d["n"], d["share"]) for i, d in graph.nodes(data=True)} == {
        0: ("学习", 7, 0.5),
        1: ("语言", 5, 1e-9),
        2: ('<&">', 2, 2.0),
        3: ("孤立", 1, 0.1),
    }
    edges = {(x, y): data for x, y, data in graph.edges(data=True)}
    assert set(edges) == {(0, 1), (1, 2)}
    assert edges[0, 1]["weight"] == 3.0
    assert (edges[0, 1]["pmi"], edges[0, 1]["g2"]) == (-1.5, 0.25)
    assert edges[1, 2]["weight"] == 2.0
    assert "pmi" not in edges[1, 2]
    assert edges[1, 2]["g2"] == 1 / 3
    assert list(nx.isolates(graph)) == [3]


def test_without_attributes_and_without_edges():
    none = np.array([], np.int32)
    root = ElementTree.fromstring(
        written(
            nodes=["天"],
            node_attributes={},
            x_ids=none,
            y_ids=none,
            edge_attributes={"n_xy": np.array([], np.int64)},
        )
    )
    assert [node.attrib for node in root.iter(NAMESPACE + "node")] == [{"id": "0", "label": "天"}]
    assert not list(root.iter(NAMESPACE + "edge"))
    assert not list(root.iter(NAMESPACE + "attributes"))


def test_self_loops_and_both_directions():
    changes = {
        "x_ids": np.array([0, 1, 1], np.int32),
        "y_ids": np.array([1, 0, 1], np.int32),
        "edge_attributes": {"n_xy": np.array([1.5, 2.5, 3.5])},
    }
    root = ElementTree.fromstring(written(directed=True, **changes))
    edges = [
        (e.get("source"), e.get("target"), e.get("weight")) for e in root.iter(NAMESPACE + "edge")
    ]
    assert edges == [("0", "1", "1.5"), ("1", "0", "2.5"), ("1", "1", "3.5")]
    with pytest.raises(
        InvalidParameterError,
        match=r"each edge once, in one direction only. The edge between the nodes 0 and 1 comes",
    ):
        written(directed=False, **changes)


def is_legal(character):
    """XML 1.0, section 2.2."""
    number = ord(character)
    return (
        number in (0x9, 0xA, 0xD)
        or 0x20 <= number <= 0xD7FF
        or 0xE000 <= number <= 0xFFFD
        or number >= 0x10000
    )


@given(st.text(max_size=10), st.text(max_size=10))
def test_any_label_comes_back_with_illegal_characters_replaced(label, note):
    root = ElementTree.fromstring(
        written(nodes=[label, "b", "c", "d"], metadata={"note": f"[{note}]"})
    )
    expected = "".join(c if is_legal(c) else "\ufffd" for c in label)
    assert next(root.iter(NAMESPACE + "node")).get("label") == expected


def test_more_rows_than_a_chunk(monkeypatch):
    n = 100
    parts = {
        "nodes": [f"词{i}" for i in range(n)],
        "node_attributes": {"n": np.arange(n) + 1},
        "x_ids": np.arange(n - 1, dtype=np.int32),
        "y_ids": np.arange(1, n, dtype=np.int32),
        "edge_attributes": {"n_xy": np.arange(n - 1) + 1, "pmi": np.arange(n - 1) / 7},
    }
    whole = written(**parts)
    monkeypatch.setattr(gexf, "_CHUNK_ROWS", 7)
    assert written(**parts) == whole
    weights = [e.get("weight") for e in ElementTree.fromstring(whole).iter(NAMESPACE + "edge")]
    assert weights == [str(i + 1) for i in range(n - 1)]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weight": "pmi"}, "weight must name an attribute above 0 everywhere.* 'pmi' goes down"),
        (
            {"edge_attributes": {"n_xy": np.array([0, 1])}},
            "weight must name an attribute above 0 .* 'n_xy' goes down to 0",
        ),
        ({"weight": "npmi"}, "weight must be one of edge_attributes: 'n_xy', .* Got 'npmi'"),
        ({"node_attributes": {"n": np.array([1])}}, r"must be .* of shape \(4,\). Got int64 of"),
        ({"edge_attributes": {"n_xy": np.array([1, 1], np.int32)}}, "Got int32"),
        (
            {"edge_attributes": {"n_xy": np.array([1, 1]), "pmi": np.array([math.inf, 1])}},
            r"edge_attributes\['pmi'\] must be finite, or NaN",
        ),
        ({"y_ids": np.array([1, 4], np.int32)}, "between 0 and 3, .* Got 0 to 4"),
        ({"y_ids": np.array([-1, 2], np.int32)}, "Got -1 to 2"),
        ({"y_ids": np.array([1], np.int32)}, r"vectors of one length. Got \(2,\) and \(1,\)"),
        (
            {"x_ids": np.array([0, 0], np.int32), "y_ids": np.array([1, 1], np.int32)},
            "each edge once",
        ),
    ],
)
def test_wrong_parameters(changes, message):
    with pytest.raises(InvalidParameterError, match=message):
        written(**changes)
