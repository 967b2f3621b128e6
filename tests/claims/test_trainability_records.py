"""Runs of the experiment of the notes in processes, and what is kept of them."""

import json
import math
import multiprocessing
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest
from trainings import outcome

from nlpfeat.claims.trainability.records import Records, Summary, summaries
from nlpfeat.claims.trainability.running import do_all
from nlpfeat.claims.trainability.runs import Run
from nlpfeat.claims.trainability.settings import NOTES, RECIPES, SETTINGS, Setting
from nlpfeat.claims.trainability.table import table
from nlpfeat.errors import InvalidInputError, InvalidParameterError, OutputError, WorkerError

SMALL = Setting(0, "small", 0.0, n_layers=1, batch_size=4)


def test_records_come_back_and_tell_what_is_there(tmp_path):
    path = tmp_path / "records.json"
    records = Records(path)
    one, two = Run(SETTINGS[0], NOTES, 0), Run(SETTINGS[0], NOTES, 1)
    records.add(one, outcome(0.5, 300))
    records.add(two, outcome(math.inf))
    again = Records(path)
    assert one in again
    assert Run(SETTINGS[0], NOTES, 2) not in again
    assert again[one] == outcome(0.5, 300)
    assert again[two] == outcome(math.inf)
    assert "Infinity" not in path.read_text("utf-8")


def test_two_that_write_one_file_lose_nothing(tmp_path):
    path = tmp_path / "records.json"
    first, second = Records(path), Records(path)
    first.add(Run(SETTINGS[0], NOTES, 0), outcome(0.5))
    second.add(Run(SETTINGS[0], NOTES, 7), outcome(0.25))
    second.add(Run(SETTINGS[0], NOTES, 9, n_steps=10), outcome(0.25))
    again = Records(path)
    assert again[Run(SETTINGS[0], NOTES, 0)].loss == 0.5
    assert again.seeds == [0, 7]  # of whole runs


@pytest.mark.parametrize(
    "content", ["", "[]", '{"a | b | c": {}}', '{"a": 1}', '{"a": {"loss": "x"}}', '{"a": {}}']
)
def test_what_is_no_record_is_told(tmp_path, content):
    path = tmp_path / "records.json"
    path.write_text(content, "utf-8")
    with pytest.raises(InvalidInputError, match="must hold outcomes as this program writes them"):
        Records(path)


def test_a_place_that_cannot_be_written_is_told_before_the_work(tmp_path):
    for path in (tmp_path, tmp_path / "no" / "records.json"):
        with pytest.raises(OutputError, match="it must be a file, in a folder that is there"):
            Records(path)


@pytest.mark.parametrize(
    ("settings", "told"),
    [({"n_jobs": 0}, "n_jobs"), ({"device": "nonsense"}, "device must be"),
     ({"device": "cuda:99"}, "cuda:99")],
)  # fmt: skip
def test_processes_and_devices_that_cannot_be_are_told_before_the_work(tmp_path, settings, told):
    runs = [Run(SMALL, NOTES, 0, n_steps=1, n_test=1)]
    with pytest.raises(InvalidParameterError, match=told):
        do_all(runs, Records(tmp_path / "records.json"), on_done=pytest.fail, **settings)


def test_what_is_kept_is_shown_without_torch(tmp_path):
    path = tmp_path / "records.json"
    Records(path).add(Run(SETTINGS[0], NOTES, 0), outcome(0.2, 300))
    told = {}
    for more in ([], ["--seeds", "-1"]):
        example = str(Path(__file__).parents[2] / "examples" / "trainability.py")
        program = (
            "import runpy, sys\nsys.modules['torch'] = None\n"
            f"sys.argv = [{example!r}, '--rows', '0', '--seeds', '0', '--records', {str(path)!r}]\n"
            f"sys.argv += {more!r}\nrunpy.run_path({example!r}, run_name='__main__')"
        )
        told[bool(more)] = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=False
        )
    assert "| 0.200 (0.200–0.200) |" in told[False].stdout
    assert "seed must be a whole number from 0 to 4294967295. Got -1." in told[True].stderr


def test_a_process_that_is_ended_from_outside_is_told(tmp_path):
    def end():
        while not (found := multiprocessing.active_children()):
            time.sleep(0.05)
        for each in found:
            each.kill()

    ending = Thread(target=end, daemon=True)  # were no process begun, it would wait forever
    ending.start()
    with pytest.raises(WorkerError, match="for want of memory"):
        do_all([Run(SMALL, NOTES, 0)], Records(tmp_path / "records.json"), on_done=pytest.fail)
    ending.join()


@pytest.mark.parametrize(
    "damaged",
    [{"curve": []}, {"date": None}, {"steps_to_trained": "x"}, {"loss": math.nan},
     {"loss": 10**400}, {"machine": 3}],
)  # fmt: skip
def test_damaged_outcomes_are_told(tmp_path, damaged):
    path = tmp_path / "records.json"
    Records(path).add(Run(SETTINGS[0], NOTES, 0), outcome(0.2, 300))
    ((key, kept),) = json.loads(path.read_text("utf-8")).items()
    path.write_text(json.dumps({key: kept | damaged}), "utf-8")
    with pytest.raises(InvalidInputError, match="must hold outcomes"):
        Records(path)


@pytest.mark.parametrize("seed", [-1, 2**32])
def test_seeds_that_cannot_be_are_told_before_the_work(tmp_path, seed):
    with pytest.raises(InvalidParameterError, match=rf"from 0 to 4294967295\. Got {seed}\."):
        do_all([Run(SMALL, NOTES, seed)], Records(tmp_path / "records.json"), on_done=pytest.fail)


def test_rows_that_are_the_same_share_their_runs_and_short_runs_do_not():
    assert Run(SETTINGS[3], NOTES, 0).key == Run(SETTINGS[4], NOTES, 0).key
    assert Run(SETTINGS[3], NOTES, 0, n_steps=10).key != Run(SETTINGS[3], NOTES, 0).key
    keys = {Run(each, recipe, 0).key for each in SETTINGS for recipe in RECIPES.values()}
    assert len({each.training for each in SETTINGS}) == 22
    # Four recipes have their own warm-up, and two pairs of rows differ in theirs alone.
    assert sum(each.warmup is not None for each in RECIPES.values()) == 4
    assert len(keys) == 11 * 22 + 4 * 20


def test_a_summary_by_hand(tmp_path):
    records = Records(tmp_path / "records.json")
    runs = [Run(SETTINGS[0], NOTES, seed) for seed in range(4)]
    for each, found in zip(runs, [outcome(3.5), outcome(0.1, 400), outcome(0.3, 200)]):
        records.add(each, found)
    (summary,) = summaries(runs, records)
    assert (list(summary.outcomes), summary.trained) == ([0, 1, 2], {1, 2})
    assert (summary.median, summary.losses) == (0.3, [0.1, 0.3, 3.5])
    assert not summary.always_trains
    assert not summary.mostly_fails
    assert summary.is_decided_by_one
    assert not summary.is_half
    assert not summary.is_as_the_notes_say  # 3.37
    assert summary.median_without_dropout == 0.15
    assert summary.steps == 300
    assert list(table([summary]))[-1] == (
        "| 0 | lr=1e-3, no warm-up | notes | 3.37 | 0.300 (0.100–3.500) | 0.150 | 2 of 3 | 300 | "
        "no |"
    )
    records.add(runs[3], outcome(3.4))
    (even,) = summaries(runs, records)
    assert list(table([even]))[-1].endswith("| 2 of 4 | 300 | half |")
    assert even.is_half


@pytest.mark.parametrize(
    ("n_trained", "n_failed", "fails", "is_close"),
    [(0, 3, True, False), (1, 2, True, True), (2, 1, False, True), (3, 0, False, False),
     (3, 3, False, True), (2, 4, True, True), (4, 2, False, False), (0, 1, True, True)],
)  # fmt: skip
def test_one_run_decides_where_the_majority_hangs_on_it(n_trained, n_failed, fails, is_close):
    losses = [0.1] * n_trained + [3.5] * n_failed
    summary = Summary(SETTINGS[0], NOTES, {n: outcome(loss) for n, loss in enumerate(losses)})
    assert (summary.mostly_fails, summary.is_decided_by_one) == (fails, is_close)
