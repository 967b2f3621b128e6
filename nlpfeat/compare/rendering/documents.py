"""Chosen documents: what each source says of each of their tokens."""

from nlpfeat.compare.findings import Findings, Strip
from nlpfeat.rendering import Prose, Section, TokenStrip, TokenStrips


def documents(findings: Findings) -> Section | None:
    """Return a strip a document and source."""
    if not findings.strips:
        return None
    explained = Prose([
        "The stronger the color and the line below a token, the larger its number, held against "
        "the largest of its source in the document. Blue with a solid line is above 0, orange with "
        "a dashed line below 0. The number itself is shown when the pointer rests on a token, and "
        "in the table below each document. Attention is the weights of the model that is named; "
        "evidence is how much a token speaks for the class that the named model predicts, which "
        "stands above the tokens; tfidf is counted in the document, and pmi is the mean positive "
        "PMI with the other tokens of the document, both by the training part."
    ])  # fmt: skip
    strips = [_strip(each) for each in findings.strips]
    return Section("documents", "Documents, token by token", [explained, TokenStrips(strips)])


def _strip(strip: Strip) -> TokenStrip:
    facts = [("Class", strip.label), *strip.predictions.items()]
    return TokenStrip(strip.text, facts, strip.tokens, strip.sources)
