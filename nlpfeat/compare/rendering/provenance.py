"""The models, and everything that is needed to do it again."""

from nlpfeat.compare.findings import Findings, ModelFacts, Scalar
from nlpfeat.rendering import Cell, Column, DataTable, Facts, Folded, Section

_BY_DOCUMENTS = "by the number of test documents"


def models(findings: Findings) -> Section | None:
    """Return what each model is, all its parameters, and which setting each run chose."""
    found = findings.models
    if not found:
        return None
    columns = [Column("Model", "head"), Column("Family"), Column("What it is"),
               Column("Settings tried", "number", "on the dev part, in each run")]  # fmt: skip
    rows = [
        [
            Cell(each.name),
            Cell(each.family),
            Cell(each.description),
            Cell(str(each.n_trials), each.n_trials),
        ]
        for each in found
    ]
    blocks: list[DataTable | Folded] = [DataTable("What took part", columns, rows)]
    settings = [(each.name, each.settings) for each in found if each.settings]
    if settings:
        blocks.append(Folded("All parameters of each model", [Facts(settings, is_code=True)]))
    if any(each.chosen for each in found):
        blocks.append(Folded("The setting that each run chose", [_chosen(found)]))
    return Section("models", "Models", blocks)


def provenance(findings: Findings) -> Section:
    """Return the corpus, the protocol, the versions and the command."""
    found = findings.provenance
    facts = [("Command", found.command)] if found.command else []
    facts += [
        ("Corpus", found.corpus),
        ("SHA-256 of texts and labels", found.corpus_hash),
        ("SHA-256 of the parts", found.split_hash),
        ("Documents", f"{found.n_documents:,}"),
        ("Left out as duplicates", f"{found.n_duplicates:,}"),
    ]
    classes = DataTable(
        "Documents of each class",
        [Column("Class", "head"), Column("Documents", "number")],
        [[Cell(name), Cell(f"{count:,}", count)] for name, count in found.classes.items()],
    )
    protocol = [
        (name, _BY_DOCUMENTS if (name, value) == ("equivalence", None) else _written(value))
        for name, value in found.protocol.items()
    ]
    return Section(
        "provenance",
        "How to do it again",
        [
            Facts(facts, is_code=True),
            Folded("Classes", [classes]),
            Folded("Protocol", [Facts(protocol, is_code=True)]),
            Folded("Versions", [Facts(list(found.versions.items()), is_code=True)]),
        ],
    )


def _chosen(found: list[ModelFacts]) -> DataTable:
    rows = [
        [
            Cell(each.name),
            Cell(str(run), run),
            Cell(", ".join(f"{name} = {_written(value)}" for name, value in chosen.items())),
        ]
        for each in found
        for run, chosen in enumerate(each.chosen, start=1)
    ]
    columns = [Column("Model", "head"), Column("Run", "number"), Column("Setting")]
    return DataTable("The setting that each run chose, on its dev part", columns, rows)


def _written(value: Scalar | list[Scalar]) -> str:
    if isinstance(value, list):
        return ", ".join(map(_written, value))
    return "none" if value is None else str(value)
