"""The summary in plain text."""

from nlpfeat.compare.findings import Estimate, Findings, PhenomenonScore, Provenance, Resolution
from nlpfeat.compare.text_table import summary_of


def findings(phenomena):
    """Return what a comparison of two models found, and of phenomena."""
    return Findings(
        provenance=Provenance("", "例", "", "", 2, 0, {}, {}, {}),
        models=[], records=[], differences=[],
        estimates=[Estimate("词袋", "accuracy", 0.9, None, None, None, 1)],
        resolution=Resolution(2, 0.9, 0.1, 0.1, 0.1, 0.01),
        phenomena=[
            PhenomenonScore(name, "", model, mean, 0.0, 1.0, None, 1)
            for name, model, mean in phenomena
        ],
    )  # fmt: skip


def test_phenomena_have_a_row_each_and_models_a_column():
    lines = summary_of(
        findings([("order", "词袋", 0.5), ("order", "attention", 0.996), ("idiom", "词袋", 0.504)])
    ).splitlines()
    start = lines.index("phenomenon  词袋  attention")
    assert lines[start + 1 : start + 4] == [
        "order         50        100",
        "idiom         50          –",
        "accuracy % on controlled texts of two classes; 50 is chance",
    ]


def test_without_phenomena_nothing_is_said_of_them():
    assert "phenomenon" not in summary_of(findings([]))
