"""The page of all claims, and the entry of the trainability experiment from records of runs."""

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from trainings import outcome

from nlpfeat.claims import CLAIMS
from nlpfeat.claims.figures import by_name
from nlpfeat.claims.kept import Kept, kept
from nlpfeat.claims.page import PICTURE, claims_page
from nlpfeat.claims.records import Record, find_records
from nlpfeat.claims.trainability.claim import CLAIM as TRAINABILITY
from nlpfeat.claims.trainability.claim import figures_of, kept_summaries
from nlpfeat.claims.trainability.picture import trained_chart
from nlpfeat.claims.trainability.records import Records, summaries
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
from nlpfeat.rendering import chart_svg
from nlpfeat.rendering.charts import specification

PAGE = Path(__file__).parents[2] / "docs" / "claims.md"
PRE_NORM = RECIPES["pre-norm"]


@pytest.fixture
def trainings(tmp_path):
    """Two rows: the notes' recipe trains the first in one of two runs, pre-norm trains both."""
    path = tmp_path / "trainability.json"
    records = Records(path)
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
    return kept_summaries(path)


def keep_three_runs(folder, losses):
    """Keep seeds 0 to 2 of all rows under recipes, each a function of the row; None is not run."""
    records = Records(folder / "trainability.json")
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


def with_recipe(folder, recipe):
    """What a folder keeps, also under a recipe that is none of ours."""
    path = folder / "trainability.json"
    records = Records(path)
    runs = [Run(row, recipe, seed) for row in SETTINGS for seed in records.seeds]
    return [*kept_summaries(path), *summaries(runs, records)]


def judged_runs(folder):
    """What the runs that a folder keeps say of the claim."""
    return TRAINABILITY.judge(by_name(figures_of(kept_summaries(folder / "trainability.json"))))


def entry(page, slug):
    """The part of a page that has one claim."""
    return page.split(f"\n## {slug}\n")[1].split("\n## ")[0]


def test_the_page_is_that_of_the_records():
    assert PAGE.read_text("utf-8") == claims_page(kept())


#: The headings of the notes in their order, and the claims that stand under each.
ORDER = [
    ("点乘注意力与加法注意力", ["additive-and-dot"]),
    ("独立的二元关系", ["independent-pairs", "position-tuple"]),
    ("非独立的二元关系", ["composition", "normalizer-coupling"]),
    ("投影说", ["convex-hull"]),
    ("Bag of Words", ["keywords", "negation", "frequency", "order"]),
    ("TF-IDF", ["important-words", "absence", "topics"]),
    ("PMI", ["substitutability"]),
    ("依赖与作用范围", ["distance", "scope"]),
    ("语义抽象化", ["abstraction"]),
    ("省略", ["quantifier", "omission"]),
    ("单头注意力到多头的发展历史", ["degrees-of-freedom"]),
    ("Multi-query attention", ["multi-query"]),
    ("拆分建模学说", ["heads-alike", "three-and-five"]),
    ("多头注意力真的必要吗？", ["deep-single-head"]),
    ("预训练的意义", ["without-pretraining", "trainability"]),
]


def test_every_claim_has_an_entry_in_the_order_of_the_notes():
    page = claims_page(Kept({}, []))
    slugs = [slug for _, under in ORDER for slug in under]
    assert re.findall(r"^## (.+)$", page, re.M) == [*slugs, "Not tested"]
    assert list(CLAIMS) == slugs
    for section, under in ORDER:
        for slug in under:
            assert f"({section})" in " ".join(entry(page, slug).split())


def test_what_is_not_measured_is_said_so():
    page = claims_page(Kept({}, []))
    for slug in CLAIMS:
        assert "**Not yet measured.**" in entry(page, slug)
    assert "examples/trainability.py" in entry(page, "trainability")
    assert page.count("| not yet measured |") == len(CLAIMS)
    assert "pictures/" not in page


def test_an_entry_shows_figures_verdict_and_origin():
    claim = CLAIMS["degrees-of-freedom"]
    record = Record(claim.measured(()), (), "2025-01-31", "2 cores, CPU", {"python": "3.12.1"})
    page = claims_page(Kept({claim.slug: record}, []))
    text = entry(page, claim.slug)
    row = "| 8 heads, 2 tokens: affine rank | 8 | dimensions | exact |"
    assert row in text
    assert "**Verdict: holds in part.** " in text
    assert "Measured on 2025-01-31, 2 cores, CPU; python 3.12.1." in text
    assert "`nlpfeat claims degrees-of-freedom`" in text
    assert f"| [{claim.title}](#degrees-of-freedom) | holds in part |" in page


def test_another_figure_makes_another_page():
    claim = CLAIMS["degrees-of-freedom"]
    figures = claim.measured(())
    pages = []
    for more in (0.0, 1.0):  # n dimensions, not n − 1
        changed = {
            name: replace(figures[name], values=(figures[name].value + more,))
            for name in (f"one head, {n} tokens: affine rank" for n in (2, 5))
        }
        record = Record(figures | changed, (), "2025-01-31", "", {})
        pages.append(entry(claims_page(Kept({claim.slug: record}, [])), claim.slug))
    assert "Verdict: holds in part" in pages[0]
    assert "Verdict: holds." in pages[1]


def test_no_line_of_prose_becomes_a_list():
    prose, _, after = claims_page(kept()).partition("## Not tested")
    assert not re.search(r"^[+*-] ", prose, re.M)
    assert after.count("\n- ") == 9


def test_lines_of_prose_are_short():
    for line in claims_page(kept()).splitlines():
        assert len(line) <= 120 or line.startswith("|")


def test_the_picture_is_that_of_the_records():
    pytest.importorskip("vl_convert")
    shown = (PAGE.parent / PICTURE).read_text("utf-8")
    assert cells_of(shown) == cells_of(chart_svg(trained_chart(kept().trainings)))


def cells_of(picture):
    """Where the texts of an SVG picture stand, and the colors of its cells.

    What fonts make of it, such as the room for labels, is left out.
    """
    found = re.findall(r'<text[^>]* transform="([^"]*)"[^>]*>([^<]*)</text>', picture)
    counts = [each for each in found if re.fullmatch(r"\d+/\d+", each[1])]
    labels = [text for _, text in found if "/" not in text]
    colors = re.findall(r'<path[^>]* fill="(#[^"]*)"', picture)
    assert len(counts) <= len(colors)
    assert {f"table {setting.table}: {setting.name}" for setting in SETTINGS} <= set(labels)
    return counts, labels, colors


def test_the_first_steps_are_those_of_the_kept_runs():
    figure, *_ = kept().records["trainability"].figures.values()
    records = Records(find_records("trainability.json"))
    for seed in range(3):  # each number of a curve is the mean of ten steps
        run = records[Run(SETTINGS[20], NOTES, seed)]
        assert run.curve[200 // 10 - 1] == pytest.approx(figure.values[seed], abs=0.02)


class TestTrainings:
    def test_figures_by_hand(self, trainings):
        figures = by_name(figures_of(trainings))
        # Two runs of a row are too few to say that it learns in every run.
        assert {(figure.value, figure.unit) for figure in figures.values()} == {
            (0, "runs"), (0, "of 0 rows"),
        }  # fmt: skip
        assert {figure.kind for figure in figures.values()} == {"counted"}

    def test_recipes_are_compared_on_the_runs_that_both_have(self, tmp_path):
        records = Records(tmp_path / "trainability.json")
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
        kept_runs = kept_summaries(tmp_path / "trainability.json")
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

    def test_rows_that_are_one_training_count_once(self, tmp_path):
        records = Records(tmp_path / "trainability.json")
        for seed in range(3):
            records.add(Run(SETTINGS[3], NOTES, seed), outcome(0.1))
        found = kept_summaries(tmp_path / "trainability.json")
        assert len(found) == 2
        figures = by_name(figures_of(found))
        assert figures["trainings of the notes that learn in every run"].unit == "of 1 rows"

    def test_more_seeds_do_not_make_more_of_what_the_notes_print_come_again(self, tmp_path):
        name = "trainings where most runs end on the side of 1 that the notes print"
        counts = []
        for n_seeds in (3, 9):
            records = Records(tmp_path / f"{n_seeds}.json")
            for seed in range(n_seeds):  # the notes print 3.37; a third of the runs is like that
                records.add(Run(SETTINGS[0], NOTES, seed), outcome(3.5 if seed % 3 == 0 else 0.1))
            figures = by_name(figures_of(kept_summaries(tmp_path / f"{n_seeds}.json")))
            counts.append(figures[name].value)
        assert counts == [0, 0]

    def test_no_sentence_ends_without_what_it_announces(self, trainings):
        for text in (entry(claims_page(Kept({}, trainings)), "trainability"), claims_page(kept())):
            announcing = [part for part in text.split("\n\n") if part.rstrip().endswith(":")]
            assert announcing in ([], ["The notes also say, and nothing here tests:"])

    def test_no_records_are_none(self, tmp_path):
        assert kept_summaries(tmp_path / "none.json") == []
        assert list(figures_of([])) == []

    def test_the_entry_has_table_picture_and_verdict(self, trainings):
        text = entry(claims_page(Kept({}, trainings)), "trainability")
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
    def test_all_rows_give_a_verdict(self, tmp_path, failing, steady, verdict, told):
        # Rows 3 and 4 are one training. What draws vectors, too, fails as what does not.
        def newer(row):
            return (0.2 if row < steady else 3.5) if row < failing and steady else None

        notes = fails_before(failing)
        records = keep_three_runs(tmp_path, {NOTES: notes, VECTORS: if_drawn(notes), STEADY: newer})
        for row in filter(newer, map(SETTINGS.index, DRAWN)):
            for seed in range(3):
                run = Run(SETTINGS[row], STEADY.with_vectors, seed)
                records.add(run, outcome(newer(row)))
        found = TRAINABILITY.judge(by_name(figures_of(with_recipe(tmp_path, STEADY.with_vectors))))
        assert found.verdict == verdict
        assert told in found.sentence

    @pytest.mark.parametrize(
        ("failing", "verdict"),
        [(15, "not decidable here"), (7, "holds in part"), (4, "not decidable here")],
    )
    def test_one_reading_alone_decides_what_the_other_could_not_change(
        self, tmp_path, failing, verdict
    ):
        keep_three_runs(tmp_path, {NOTES: fails_before(failing), VECTORS: {7: 3.5}.get})
        found = judged_runs(tmp_path)
        assert found.verdict == verdict
        missing = "The other reading, with vectors drawn too, is not complete."
        assert (missing in found.sentence) == (verdict != "holds in part")

    def test_one_recipe_that_trains_all_rows_is_enough(self, tmp_path):
        records = keep_three_runs(tmp_path, {
            NOTES: fails_before(7),
            VECTORS: if_drawn(fails_before(7)),
            STEADY: {**dict.fromkeys(range(7), 0.1), 2: 1.8}.get,
            RATE_FREE: dict.fromkeys(range(7), 0.1).get,
        })  # fmt: skip
        found = judged_runs(tmp_path)
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
        assert "not every Transformer" not in judged_runs(tmp_path).sentence

    @pytest.mark.parametrize("n_runs", [3, 2])
    def test_rows_with_too_few_runs_of_a_recipe_do_not_count(self, tmp_path, n_runs):
        records = Records(tmp_path / "trainability.json")
        for row, setting in enumerate(SETTINGS):
            for seed in range(3):
                records.add(Run(setting, NOTES, seed), outcome(3.5 if row < 7 else 0.1))
                if row != 5 or seed < n_runs:  # it fails
                    records.add(Run(setting, RATE_FREE, seed), outcome(0.1))
        found = by_name(figures_of(kept_summaries(tmp_path / "trainability.json")))
        name = (
            f"trainings of the notes with three runs under “{RATE_FREE.name}”: learn in every run"
        )
        n_rows = 22 if n_runs == 3 else 21
        assert (found[name].value, found[name].trials) == (n_rows, n_rows)
        told = f"“{RATE_FREE.name}” trains " + (
            "6 of these 6" if n_runs == 3 else "5 of the 5 that have three runs so"
        )
        assert told in TRAINABILITY.judge(found).sentence

    def test_more_seeds_of_a_newer_recipe_count_too(self, tmp_path):
        records = keep_three_runs(
            tmp_path, {NOTES: fails_before(7), STEADY: dict.fromkeys(range(7), 0.1).get}
        )
        for seed in (3, 4):  # which the recipe of the notes has not
            records.add(Run(SETTINGS[5], STEADY, seed), outcome(3.5))
        assert "trains 5 of these 6" in judged_runs(tmp_path).sentence

    @pytest.mark.parametrize("n_runs", [2, 3])
    def test_both_readings_of_the_notes_are_counted(self, tmp_path, n_runs):
        # Two of 14 rows fail with matrices drawn; all that draw vectors fail with these, too.
        records = Records(tmp_path / "trainability.json")
        assert len(DRAWN) == 7
        for row, setting in enumerate(SETTINGS):
            for seed in range(3):
                records.add(Run(setting, NOTES, seed), outcome(3.5 if row in (0, 9) else 0.1))
                if setting in DRAWN and seed < n_runs:
                    records.add(Run(setting, VECTORS, seed), outcome(3.5))
        judgement = judged_runs(tmp_path)
        assert "fail in 2 of 14 rows of six layers; none" in judgement.sentence
        if n_runs == 2:  # not yet counted
            assert judgement.verdict == "not decidable here"
            assert "When vectors" not in judgement.sentence
        else:
            assert judgement.verdict == "holds in part"
            assert "on these rows, most runs fail in 7 of 14 rows" in judgement.sentence
            assert judgement.sentence.endswith("half of the rows or more in one reading alone.")

    @pytest.mark.parametrize("is_run", [False, True])
    def test_a_reading_with_vectors_is_rescued_by_recipes_that_draw_them_alone(
        self, tmp_path, is_run
    ):
        # Rows 0 and 9 fail with matrices drawn, those that draw (and so row 9) with vectors, too.
        drawn = [*map(SETTINGS.index, DRAWN)]
        records = keep_three_runs(tmp_path, {
            NOTES: lambda row: 3.5 if row in (0, 1, 2, 9) else 0.1,
            VECTORS: dict.fromkeys(drawn, 3.5).get,
            RATE_FREE: lambda row: 0.1,
        })  # fmt: skip
        if is_run:
            for row in drawn:
                for seed in range(3):
                    run = Run(SETTINGS[row], RATE_FREE.with_vectors, seed)
                    records.add(run, outcome(0.1))
        judgement = judged_runs(tmp_path)
        first, _, second = judgement.sentence.partition("When vectors are drawn, too, and so by ")
        assert f"“{RATE_FREE.name}” trains 4 of these 4" in first
        trained = "9 of these 9" if is_run else "3 of the 3 that have three runs so"
        assert f"in 9 of 14 rows of six layers; none has three runs under “{STEADY.name}”" in second
        assert f"“{RATE_FREE.name}” trains {trained}." in second
        assert ("In both readings every row that has three runs" in second) == is_run
        assert judgement.verdict == "holds in part"

    def test_a_newer_recipe_that_fails_elsewhere_is_no_easy_one(self, tmp_path):
        keep_three_runs(
            tmp_path,
            {NOTES: fails_before(7), STEADY: {**dict.fromkeys(range(7), 0.1), 7: 3.5}.get},
        )
        judgement = judged_runs(tmp_path)
        assert "trains 6 of these 6" in judgement.sentence
        assert "not every Transformer" not in judgement.sentence

    def test_a_recipe_with_its_own_warmup_has_one_training_for_rows_that_differ_in_it(self):
        cold, warm = (Run(SETTINGS[row], STEADY, 0) for row in (0, 3))
        assert cold.key == warm.key
        assert Run(SETTINGS[0], NOTES, 0).key != Run(SETTINGS[3], NOTES, 0).key

    def test_the_picture_has_a_cell_for_each_row_and_recipe(self, trainings):
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
