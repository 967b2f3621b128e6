"""What the page shows of attention alone."""

from dataclasses import replace

import pytest

from nlpfeat.compare.explaining.findings import Agreement, Omission, Recovery
from nlpfeat.compare.rendering.explanations import agreement, omission
from nlpfeat.rendering import DataTable


def _tables(section):
    tables = [each for each in section.blocks if isinstance(each, DataTable)]
    return {table.caption: table for table in tables}


def _rows(table):
    """The text of each cell, with what stands below it."""
    return [[(cell.text, cell.detail) for cell in row] for row in table.rows]


@pytest.fixture
def shown(findings):
    return replace(
        findings,
        agreement=[
            Agreement("a", "idf", 0.2, 0.1, 0.3, 0.5, 0.25, 0.0, 0.6, 0.1, 9, 0.125, 0.5),
            Agreement("a", "ppmi of pairs", 0.4, 0.3, 0.5, None, None, 0.0, 0.7, 0.2, 8),
            Agreement("b", "idf", 0.2, 0.1, 0.3, 0.5, 0.25, 0.0, None, None, 9),
        ],
        omission=[
            Omission("a", "cue", 0.9, 0.6, 2 / 3, 0.5, 0.75, -1.0, -2.0, -0.5, 9,
                     Recovery(0.75, 0.5, 1.25, 0.4, 7)),
            Omission("a", "random", 0.9, 0.9, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 9),
            Omission("a", "all weights", 0.8, 0.4, 0.5, 0.25, 0.75, -3.0, -4.0, -2.0, 200),
        ],
    )  # fmt: skip


def test_divergences_stand_once_for_each_model_with_weights(shown):
    table = _tables(agreement(shown))["How far weights of attention are apart"]
    assert _rows(table) == [[("a", ""), ("0.125", ""), ("0.500", ""), ("9", ""), ("–", "")]]
    # Of the scores that of the most documents speaks for the model, wherever it stands.
    more = replace(
        shown.agreement[0], score="tfidf", n_documents=10, seed_divergence=0.25, n_runs=2
    )
    for both in ([more, shown.agreement[0]], [shown.agreement[0], more]):
        table = _tables(agreement(replace(shown, agreement=both)))[
            "How far weights of attention are apart"
        ]
        assert _rows(table) == [[("a", ""), ("0.250", ""), ("0.500", ""), ("10", ""), ("2", "")]]
    plain = replace(shown, agreement=shown.agreement[2:])
    assert _tables(agreement(plain)) == {}


def test_tokens_and_weights_have_tables_of_their_own(shown):
    tables = _tables(omission(shown))
    assert list(tables) == [
        "What is lost when one token is left out",
        "Where the attention of a token goes that is left out",
        "What is lost when weights of attention are made uniform",
    ]
    lost, moved, uniform = map(_rows, tables.values())
    assert [row[1][0] for row in lost] == ["cue", "random"]
    assert moved == [[("a", ""), ("cue", ""), ("75.0", "[50.0, 125.0]"), ("40.0", ""), ("7", ""),
                      ("–", "")]]  # fmt: skip
    assert [cell[0] for cell in uniform[0]] == [
        "a", "all weights", "80.0", "40.0", "0.50", "−3.00", "200", "–"
    ]  # fmt: skip
    bag = replace(
        shown.omission[-1], kind="weights of a bag", delta=None, delta_low=None, delta_high=None,
        n_runs=2,
    )  # fmt: skip
    (row,) = map(_rows, _tables(omission(replace(shown, omission=[bag]))).values())
    assert row[0][5:] == [("–", ""), ("200", ""), ("2", "")]
    without = replace(shown, omission=shown.omission[1:2])
    assert list(_tables(omission(without))) == ["What is lost when one token is left out"]
    assert omission(replace(shown, omission=[])) is None
