"""The claim on trainability: what is counted of runs, its verdicts, its entry and its picture."""

import math

import pytest
from trainings import MadeRuns, outcome

from nlpfeat.claims.figures import by_name
from nlpfeat.claims.kept import Kept, kept
from nlpfeat.claims.page import claims_page
from nlpfeat.claims.trainability.claim import CLAIM as TRAINABILITY
from nlpfeat.claims.trainability.claim import figures_of, kept_summaries
from nlpfeat.claims.trainability.picture import trained_chart
from nlpfeat.claims.trainability.runs import Run
from nlpfeat.claims.trainability.settings import (
    NOTES,
    RATE_FREE,
    RECIPES,
    SETTINGS,
    STEADY,
    VECTORS,
)
from nlpfeat.claims.trainability.table import recipes_table
from nlpfeat.rendering.charts import specification

PRE_NORM = RECIPES["pre-norm"]


@pytest.fixture
def trainings():
    """Two rows: the notes' recipe trains the first in one of two runs, pre-norm trains both."""
    records = MadeRuns()
    first, second = SETTINGS[:2]
    for setting, recipe, losses in (
        (first, NOTES, (3.5, 0.1)),
        (second, NOTES, (0.6, 0.5)),
        (first, PRE_NORM, (0.2, 0.3)),
        (second, PRE_NORM, (0.4, math.inf)),
    ):
        for seed, loss in enumerate(losses):
            steps = 300 + 100 * seed if loss < 1 else None
            records.add(Run(setting, recipe, seed), outcome(loss, steps))
    return records.summaries()


def keep_three_runs(losses):
    """Keep seeds 0 to 2 of all rows under recipes, each a function of the row; None is not run."""
    records = MadeRuns()
    for row, setting in enumerate(SETTINGS):
        for recipe, loss_of in losses.items():
            if (loss := loss_of(row)) is not None:
                for seed in range(3):
                    records.add(Run(setting, recipe, seed), outcome(loss, 100))
    return records


def fails_before(end):
    """A loss that fails in the rows before one, and trains in the others."""
    return lambda row: 3.5 if row < end else 0.1


DRAWN = [each for each in SETTINGS if each.draws]


def if_drawn(loss_of):
    """The same losses of the rows that can draw vectors, too; the others are not run."""
    return lambda row: loss_of(row) if SETTINGS[row] in DRAWN else None


def judged_runs(records, *recipes):
    """What runs say of the claim, under some recipes or all of ours."""
    return TRAINABILITY.judge(by_name(figures_of(records.summaries(*recipes))))


def entry(page):
    """The part of a page that has the claim."""
    return page.split("\n## trainability\n")[1].split("\n## ")[0]


def test_figures_by_hand(trainings):
    figures = by_name(figures_of(trainings))
    # Two runs of a row are too few to say that it learns in every run.
    assert {(figure.value, figure.unit) for figure in figures.values()} == {
        (0, "runs"), (0, "of 0 rows"),
    }  # fmt: skip
    assert {figure.kind for figure in figures.values()} == {"counted"}


def test_recipes_are_compared_on_the_runs_that_both_have():
    records = MadeRuns()
    first, second, third, fourth = (SETTINGS[row] for row in (0, 1, 2, 5))
    for setting, recipe, losses in (
        (first, NOTES, {0: 3.5, 1: 3.5, 2: 0.1, 30: 3.5}),
        (second, NOTES, {0: 3.5, 1: 0.5, 2: 3.5}),
        (third, NOTES, {0: 0.1, 1: 0.1, 2: 0.1, 30: 3.5}),
        (fourth, NOTES, {0: 0.1, 1: 0.1, 2: 0.1}),
        (first, PRE_NORM, {0: 0.1, 1: 0.1, 2: 0.1}),
        (second, PRE_NORM, {0: 0.1}),  # one run learns "in every run": not counted
        (third, PRE_NORM, {0: 0.1, 1: 0.1, 2: 0.1, 4: 3.5}),
        (fourth, PRE_NORM, {2: 0.1, 30: 0.1, 4: 0.1}),  # one seed in common
        (first, STEADY, {0: 0.1, 1: 0.1, 2: 0.1}),
        (second, STEADY, {0: 0.1, 1: 3.5, 2: 0.1}),
    ):
        for seed, loss in losses.items():
            records.add(Run(setting, recipe, seed), outcome(loss))
    kept_runs = records.summaries()
    assert list(recipes_table(kept_runs))[2:] == [
        f"| pre-norm | {PRE_NORM.description} | 2 | 2 | 1 |",
        f"| {STEADY.name} | {STEADY.description} | 2 | 1 | 0 |",
    ]
    figures = by_name(figures_of(kept_runs))
    found = {name: (figure.value, figure.unit) for name, figure in figures.items()}
    assert found == {
        "runs of each row under the recipe of the notes, at least": (0, "runs"),
        "trainings of the notes that learn in every run": (1, "of 4 rows"),
        # The notes print 3.37, 0.56, 2.31 and 0.191: the first and the last come again.
        "trainings where most runs end on the side of 1 that the notes print": (2, "of 4 rows"),
        "trainings of six layers in which most runs fail": (2, "of 4 rows"),
        # 1 of 4 and 1 of 3 learn, 3 of 4 and 3 of 3: one more would do for the first two.
        "trainings of six layers where one run decides whether most fail": (2, "of 4 rows"),
        f"of those that fail, such as were run under “{STEADY.name}”: learn in every run": (
            1, "of 2 rows",
        ),
        f"trainings of the notes with three runs under “{STEADY.name}”: learn in every run": (
            1, "of 2 rows",
        ),
    }  # fmt: skip


def test_rows_that_are_one_training_count_once():
    records = MadeRuns()
    for seed in range(3):
        records.add(Run(SETTINGS[3], NOTES, seed), outcome(0.1))
    found = records.summaries()
    assert len(found) == 2
    figures = by_name(figures_of(found))
    assert figures["trainings of the notes that learn in every run"].unit == "of 1 rows"


def test_more_seeds_do_not_make_more_of_what_the_notes_print_come_again():
    name = "trainings where most runs end on the side of 1 that the notes print"
    counts = []
    for n_seeds in (3, 9):
        records = MadeRuns()
        for seed in range(n_seeds):  # the notes print 3.37; a third of the runs is like that
            records.add(Run(SETTINGS[0], NOTES, seed), outcome(3.5 if seed % 3 == 0 else 0.1))
        figures = by_name(figures_of(records.summaries()))
        counts.append(figures[name].value)
    assert counts == [0, 0]


def test_no_sentence_ends_without_what_it_announces(trainings):
    for text in (entry(claims_page(Kept({}, trainings))), claims_page(kept())):
        announcing = [part for part in text.split("\n\n") if part.rstrip().endswith(":")]
        assert announcing in ([], ["The notes also say, and nothing here tests:"])


def test_no_records_are_none(tmp_path):
    assert kept_summaries(tmp_path / "none.json") == []
    assert list(figures_of([])) == []


def test_the_entry_has_table_picture_and_verdict(trainings):
    text = entry(claims_page(Kept({}, trainings)))
    assert "Not yet measured" not in text
    assert "](pictures/trainability.svg)" in text
    row = "lr=1e-3, no warm-up | notes | 3.37 | 1.800 (0.100–3.500) | 0.900 | 1 of 2 | 400 |"
    assert f"| 0 | {row} half |" in text
    row = "lr=1e-4, no warm-up | pre-norm | 0.56 | inf (0.400–inf) | inf | 1 of 2 | 300 |  |"
    assert row in text
    assert "**Verdict: not decidable here.**" in text  # 21 rows have no run
    assert text.index(row) > text.index("lr=1e-4, no warm-up | notes |")  # a table of its own
    assert "| The outcome has two modes" in text
    assert "with seeds 0, 1: on 2025-01-31, 2 cores, CPU, one thread, torch 2." in text


@pytest.mark.parametrize(
    ("failing", "steady", "verdict", "told"),
    [
        (15, 15, "holds in part", f"fail in 14 of 14 rows of six layers; “{STEADY.name}” tra"),
        (15, 15, "holds in part", "trains 14 of these 14, none has three runs under “pre-nor"),
        (15, 14, "holds", "trains 13 of these 14, none has"),
        (15, 0, "holds", f"none has three runs under “{STEADY.name}”, none has three runs"),
        (15, 0, "holds", "That is half of the rows or more in both readings."),
        (4, 0, "does not hold", f"under “{RATE_FREE.name}”. That is fewer than a quarter in"),
        (0, 0, "does not hold", "in 0 of 14 rows of six layers. When"),
        (7, 4, "holds in part", "trains 2 of these 6, none has"),  # rows 0 and 3 are one there
        (7, 4, "holds in part", "That is a quarter of the rows or more, but not half."),
        (7, 7, "holds in part", f"every row that has three runs under “{STEADY.name}” learns"),
        (7, 7, "holds in part", "it is the recipe that is hard to train, not every"),
        (9, 9, "holds in part", "most runs fail in 8 of 14 rows"),
    ],
)
def test_all_rows_give_a_verdict(failing, steady, verdict, told):
    # Rows 3 and 4 are one training. What draws vectors, too, fails as what does not.
    def newer(row):
        return (0.2 if row < steady else 3.5) if row < failing and steady else None

    notes = fails_before(failing)
    records = keep_three_runs({NOTES: notes, VECTORS: if_drawn(notes), STEADY: newer})
    for row in filter(newer, map(SETTINGS.index, DRAWN)):
        for seed in range(3):
            run = Run(SETTINGS[row], STEADY.with_vectors, seed)
            records.add(run, outcome(newer(row)))
    found = TRAINABILITY.judge(
        by_name(figures_of(records.summaries(*RECIPES.values(), STEADY.with_vectors)))
    )
    assert found.verdict == verdict
    assert told in found.sentence


@pytest.mark.parametrize(
    ("failing", "verdict"),
    [(15, "not decidable here"), (7, "holds in part"), (4, "not decidable here")],
)
def test_one_reading_alone_decides_what_the_other_could_not_change(failing, verdict):
    records = keep_three_runs({NOTES: fails_before(failing), VECTORS: {7: 3.5}.get})
    found = judged_runs(records)
    assert found.verdict == verdict
    missing = "The other reading, with vectors drawn too, is not complete."
    assert (missing in found.sentence) == (verdict != "holds in part")


def test_one_recipe_that_trains_all_rows_is_enough():
    records = keep_three_runs({
        NOTES: fails_before(7),
        VECTORS: if_drawn(fails_before(7)),
        STEADY: {**dict.fromkeys(range(7), 0.1), 2: 1.8}.get,
        RATE_FREE: dict.fromkeys(range(7), 0.1).get,
    })  # fmt: skip
    found = judged_runs(records)
    assert found.verdict == "holds in part"
    told = (
        f"most runs fail in 6 of 14 rows of six layers; “{STEADY.name}” trains 5 of these 6, "
        f"“{RATE_FREE.name}” trains 6 of these 6."
    )
    assert found.sentence == (
        f"Under the recipe of the notes {told} When vectors are drawn, too, and so by newer "
        f"recipes on these rows, {told} In both readings every row that has three runs under "
        f"“{RATE_FREE.name}” learns in each of them: it is the recipe that is hard to train, "
        "not every Transformer."
    )
    # One run that fails is enough to know that a row does not always learn.
    records.add(Run(SETTINGS[12], RATE_FREE.with_vectors, 0), outcome(3.5))
    assert "not every Transformer" not in judged_runs(records).sentence


@pytest.mark.parametrize("n_runs", [3, 2])
def test_rows_with_too_few_runs_of_a_recipe_do_not_count(n_runs):
    records = MadeRuns()
    for row, setting in enumerate(SETTINGS):
        for seed in range(3):
            records.add(Run(setting, NOTES, seed), outcome(3.5 if row < 7 else 0.1))
            if row != 5 or seed < n_runs:  # it fails
                records.add(Run(setting, RATE_FREE, seed), outcome(0.1))
    found = by_name(figures_of(records.summaries()))
    name = f"trainings of the notes with three runs under “{RATE_FREE.name}”: learn in every run"
    n_rows = 22 if n_runs == 3 else 21
    assert (found[name].value, found[name].trials) == (n_rows, n_rows)
    told = f"“{RATE_FREE.name}” trains " + (
        "6 of these 6" if n_runs == 3 else "5 of the 5 that have three runs so"
    )
    assert told in TRAINABILITY.judge(found).sentence


def test_more_seeds_of_a_newer_recipe_count_too():
    records = keep_three_runs({NOTES: fails_before(7), STEADY: dict.fromkeys(range(7), 0.1).get})
    for seed in (3, 4):  # which the recipe of the notes has not
        records.add(Run(SETTINGS[5], STEADY, seed), outcome(3.5))
    assert "trains 5 of these 6" in judged_runs(records).sentence


@pytest.mark.parametrize("n_runs", [2, 3])
def test_both_readings_of_the_notes_are_counted(n_runs):
    # Two of 14 rows fail with matrices drawn; all that draw vectors fail with these, too.
    records = MadeRuns()
    assert len(DRAWN) == 7
    for row, setting in enumerate(SETTINGS):
        for seed in range(3):
            records.add(Run(setting, NOTES, seed), outcome(3.5 if row in (0, 9) else 0.1))
            if setting in DRAWN and seed < n_runs:
                records.add(Run(setting, VECTORS, seed), outcome(3.5))
    judgement = judged_runs(records)
    assert "fail in 2 of 14 rows of six layers; none" in judgement.sentence
    if n_runs == 2:  # not yet counted
        assert judgement.verdict == "not decidable here"
        assert "When vectors" not in judgement.sentence
    else:
        assert judgement.verdict == "holds in part"
        assert "on these rows, most runs fail in 7 of 14 rows" in judgement.sentence
        assert judgement.sentence.endswith("half of the rows or more in one reading alone.")


@pytest.mark.parametrize("is_run", [False, True])
def test_a_reading_with_vectors_is_rescued_by_recipes_that_draw_them_alone(is_run):
    # Rows 0 and 9 fail with matrices drawn, those that draw (and so row 9) with vectors, too.
    drawn = [*map(SETTINGS.index, DRAWN)]
    records = keep_three_runs({
        NOTES: lambda row: 3.5 if row in (0, 1, 2, 9) else 0.1,
        VECTORS: dict.fromkeys(drawn, 3.5).get,
        RATE_FREE: lambda row: 0.1,
    })  # fmt: skip
    if is_run:
        for row in drawn:
            for seed in range(3):
                run = Run(SETTINGS[row], RATE_FREE.with_vectors, seed)
                records.add(run, outcome(0.1))
    judgement = judged_runs(records)
    first, _, second = judgement.sentence.partition("When vectors are drawn, too, and so by ")
    assert f"“{RATE_FREE.name}” trains 4 of these 4" in first
    trained = "9 of these 9" if is_run else "3 of the 3 that have three runs so"
    assert f"in 9 of 14 rows of six layers; none has three runs under “{STEADY.name}”" in second
    assert f"“{RATE_FREE.name}” trains {trained}." in second
    assert ("In both readings every row that has three runs" in second) == is_run
    assert judgement.verdict == "holds in part"


def test_a_newer_recipe_that_fails_elsewhere_is_no_easy_one():
    records = keep_three_runs(
        {NOTES: fails_before(7), STEADY: {**dict.fromkeys(range(7), 0.1), 7: 3.5}.get},
    )
    judgement = judged_runs(records)
    assert "trains 6 of these 6" in judgement.sentence
    assert "not every Transformer" not in judgement.sentence


def test_a_recipe_with_its_own_warmup_has_one_training_for_rows_that_differ_in_it():
    cold, warm = (Run(SETTINGS[row], STEADY, 0) for row in (0, 3))
    assert cold.key == warm.key
    assert Run(SETTINGS[0], NOTES, 0).key != Run(SETTINGS[3], NOTES, 0).key


def test_the_picture_has_a_cell_for_each_row_and_recipe(trainings):
    pytest.importorskip("altair")
    spec = specification(trained_chart(trainings))
    (rows,) = spec["datasets"].values()
    cells = {(each["row"], each["recipe"]): each for each in rows}
    assert len(cells) == 4
    cell = cells["table 1: lr=1e-3, no warm-up", "notes"]
    assert (cell["share"], cell["text"], cell["is_strong"]) == (0.5, "1/2", True)
    assert cells["table 1: lr=1e-3, no warm-up", "pre-norm"]["text"] == "2/2"
    assert spec["layer"][0]["encoding"]["x"]["scale"]["domain"] == ["notes", "pre-norm"]
    assert spec["layer"][0]["encoding"]["y"]["scale"]["domain"] == [
        "table 1: lr=1e-3, no warm-up", "table 1: lr=1e-4, no warm-up",
    ]  # fmt: skip
