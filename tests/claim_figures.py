"""Figures made by hand that claims are judged by, and what is asked of every judgement."""

from dataclasses import replace

from nlpfeat.claims import CLAIMS
from nlpfeat.claims.figures import Figure
from nlpfeat.claims.kept import kept

HOLDS, PART, NOT, OPEN = "holds", "holds in part", "does not hold", "not decidable here"


def figures(named):
    """Figures by name: numbers are exact ones, lists are values of seeds, pairs are intervals.

    A figure is given its name.
    """

    def figure(name, value):
        if isinstance(value, Figure):
            return replace(value, name=name)
        if isinstance(value, list):
            return Figure(name, tuple(value), "", "drawn")
        if isinstance(value, tuple):
            return Figure(name, (sum(value) / 2,), "AUC", "listed", interval=value)
        return Figure(name, (float(value),))

    return {name: figure(name, value) for name, value in named.items()}


def alike(value):
    """Three seeds that gave the same."""
    return [value] * 3


#: Claims whose cases stand in ``test_exact_judgements`` and in ``test_word_judgements``; those of
#: all others stand in ``test_judgements``.
EXACT = (
    "independent-pairs", "position-tuple", "normalizer-coupling", "convex-hull",
    "degrees-of-freedom",
)  # fmt: skip
OF_WORDS = (
    "frequency", "composition", "important-words", "topics", "scope", "abstraction", "quantifier",
)  # fmt: skip
CHANCE, RIGHT, UNSURE = alike(0.5), alike(1.0), [0.4, 0.9, 0.6]


def check_verdict(slug, basis, other, verdict):
    """With some figures in place of those of ``basis`` a claim has this verdict."""
    assert set(other) <= set(basis)
    found = CLAIMS[slug].judge(figures(basis | other))
    assert found.verdict == verdict
    assert found.sentence.endswith(".")


def check_sentences(slug, basis, other, without, within):
    """Other figures take some words out of the sentence, and bring others."""
    before, after = (CLAIMS[slug].judge(figures(basis | each)).sentence for each in ({}, other))
    assert without in before
    assert without not in after
    assert within in after


def check_names(slug, cases):
    """Figures made by hand, of which there are some, have the names of recorded ones."""
    names = {name for case in cases if case[0] == slug for name in case[1]}
    assert names
    assert names <= set(kept().figures(CLAIMS[slug]))
