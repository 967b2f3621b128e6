"""``nlpfeat claims``: the list, claims measured again, records and their page."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from trainings import outcome

from nlpfeat.claims import CLAIMS
from nlpfeat.claims.figures import Figure
from nlpfeat.claims.kept import Kept, kept
from nlpfeat.claims.page import claims_page
from nlpfeat.claims.records import Record, read_records, write_records
from nlpfeat.claims.trainability.claim import kept_summaries
from nlpfeat.claims.trainability.records import Records
from nlpfeat.claims.trainability.runs import Run
from nlpfeat.claims.trainability.settings import NOTES, SETTINGS
from nlpfeat.cli.work import measured_claims

RECORD = Record({"one": Figure("one", (1.0,))}, (), "2025-01-31", "2 cores", {})
WITHOUT_TORCH = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name == "torch":
            raise ModuleNotFoundError("No module named 'torch'", name="torch")

sys.meta_path.insert(0, Missing())
from nlpfeat.cli.app import main
main()
"""


@pytest.fixture
def nothing_kept(monkeypatch) -> None:
    monkeypatch.setattr(measured_claims, "kept", lambda: Kept({}, []))


class TestList:
    def test_all_claims_with_their_recorded_verdicts(self, run) -> None:
        lines = run("claims").stdout.splitlines()
        assert [line.split()[0] for line in lines] == list(CLAIMS)
        found = kept()
        for line, claim in zip(lines, CLAIMS.values()):
            assert line.split("  ", 1)[1].strip().startswith(found.judgement(claim).verdict)
            assert line.endswith(claim.title)

    def test_json(self, run) -> None:
        listed = json.loads(run("claims", "--json").stdout)
        assert [each["name"] for each in listed] == list(CLAIMS)
        assert listed[0]["claim"] == next(iter(CLAIMS.values())).says

    def test_what_is_not_measured(self, run, nothing_kept) -> None:
        (first, *_) = json.loads(run("claims", "--json").stdout)
        assert first["verdict"] == "not yet measured"
        assert first["sentence"] == "`nlpfeat claims additive-and-dot` measures it."


class TestMeasured:
    def test_figures_stand_beside_the_recorded_ones(self, run) -> None:
        result = run("claims", "degrees-of-freedom")
        assert result.stderr == "measuring degrees-of-freedom\n"
        lines = result.stdout.splitlines()
        assert lines[0] == "degrees-of-freedom: holds in part"
        assert lines[2] == "recorded: the same"
        row = next(line for line in lines if line.startswith("8 heads, 2 tokens"))
        assert row.split()[-5:] == ["8", "exact", "8", "exact", "dimensions"]

    def test_json_has_values_and_bounds(self, run) -> None:
        result = run("claims", "three-and-five", "--seeds", "0,1,2", "--json", "--quiet")
        assert result.stderr == ""
        (found,) = json.loads(result.stdout)
        figures = {each["name"]: each for each in found["figures"]}
        exact = figures["3 tokens: weight of a beginning token"]
        assert (exact["value"], exact["low"], exact["kind"]) == (0.25, 0.25, "exact")
        drawn = figures["both heads: error of sums"]
        assert len(drawn["values"]) == 3
        assert drawn["low"] < drawn["value"] < drawn["high"]
        assert drawn["recorded"]["values"][:3] == pytest.approx(drawn["values"], rel=1e-3)

    def test_one_seed_has_no_bounds(self, run) -> None:
        result = run("claims", "three-and-five", "--seeds", "4", "--json", "--quiet")
        (found,) = json.loads(result.stdout)
        assert found["verdict"] == "not decidable here"
        assert {each["low"] for each in found["figures"] if each["kind"] == "drawn"} == {None}

    def test_another_recorded_verdict_is_told_in_full(self, run) -> None:
        lines = run("claims", "three-and-five", "--seeds", "0", "--quiet").stdout.splitlines()
        assert lines[0] == "three-and-five: not decidable here"
        assert lines[2].startswith("recorded: holds in part. Two heads undo the division")

    def test_a_claim_without_records(self, run, nothing_kept) -> None:
        lines = run("claims", "degrees-of-freedom", "--quiet").stdout.splitlines()
        assert lines[0] == "degrees-of-freedom: holds in part"
        assert lines[2] == "not yet recorded"
        assert lines[5].split()[-4:] == ["exact", "–", "–", "dimensions"]

    def test_another_exact_figure_ends_with_1(self, run, monkeypatch) -> None:
        found = kept()
        figures = dict(found.records["degrees-of-freedom"].figures)
        name = next(iter(figures))
        figures[name] = Figure(name, (7.0,), "dimensions")
        changed = Kept({"degrees-of-freedom": Record(figures, (), "", "", {})}, [])
        monkeypatch.setattr(measured_claims, "kept", lambda: changed)
        result = run("claims", "degrees-of-freedom", "--quiet", code=1)
        assert result.stderr == f"nlpfeat: not the recorded figures: degrees-of-freedom: {name}.\n"
        assert result.stdout.startswith("degrees-of-freedom: ")

    def test_without_torch(self, folder) -> None:
        def told(*arguments: str) -> subprocess.CompletedProcess[str]:
            command = [sys.executable, "-c", WITHOUT_TORCH, *arguments]
            return subprocess.run(command, capture_output=True, text=True)

        listed = told("claims")  # what is recorded needs none
        assert (listed.returncode, listed.stderr) == (0, "")
        assert len(listed.stdout.splitlines()) == len(CLAIMS)
        measured = told("claims", "convex-hull", "--quiet")
        assert (measured.returncode, measured.stdout) == (1, "")
        assert measured.stderr == (
            "nlpfeat: measuring claims needs the package torch; "
            "install it with: pip install 'nlpfeat[attention]'\n"
        )

    def test_a_figure_that_is_no_longer_measured_ends_with_1(self, run, monkeypatch) -> None:
        found = kept()
        figures = found.records["degrees-of-freedom"].figures | {"gone": Figure("gone", (7.0,))}
        changed = Kept({"degrees-of-freedom": Record(figures, (), "", "", {})}, [])
        monkeypatch.setattr(measured_claims, "kept", lambda: changed)
        result = run("claims", "degrees-of-freedom", "--quiet", code=1)
        assert result.stderr == "nlpfeat: not the recorded figures: degrees-of-freedom: gone.\n"


class TestRecords:
    def test_named_claims_are_kept_and_others_stay(self, run, folder: Path) -> None:
        run("claims", "degrees-of-freedom", "--record", "a.json")
        run("claims", "convex-hull", "--record", "a.json", "--page", "a.md")
        found = read_records(folder / "a.json")
        assert list(found) == ["convex-hull", "degrees-of-freedom"]  # the order of the notes
        assert found["degrees-of-freedom"].versions.keys() >= {"nlpfeat", "python", "torch"}
        page = (folder / "a.md").read_text("utf-8")
        assert page == claims_page(Kept(found, kept().trainings))

    def test_what_others_wrote_meanwhile_stays(self, run, folder: Path, monkeypatch) -> None:
        path = folder / "a.json"

        def measured(claim, seeds, machine) -> Record:
            write_records(path, {"of another version": RECORD, "convex-hull": RECORD})
            return RECORD

        monkeypatch.setattr(measured_claims, "measured_record", measured)
        run("claims", "degrees-of-freedom", "--record", "a.json")
        assert list(read_records(path)) == [
            "convex-hull", "degrees-of-freedom", "of another version",
        ]  # fmt: skip

    def test_the_page_of_what_is_recorded(self, run, folder: Path) -> None:
        run("claims", "--page", "a.md")
        assert (folder / "a.md").read_text("utf-8") == claims_page(kept())

    def test_trainings_are_kept_elsewhere_and_have_a_picture(
        self, run, folder: Path, monkeypatch
    ) -> None:
        pytest.importorskip("vl_convert")
        records = Records(folder / "t.json")
        records.add(Run(SETTINGS[0], NOTES, 0), outcome(3.5))
        found = Kept({}, kept_summaries(folder / "t.json"))
        monkeypatch.setattr(measured_claims, "kept", lambda: found)
        run("claims", "convex-hull", "--record", "a.json", "--page", "a.md")
        assert "0/1</text>" in (folder / "pictures/trainability.svg").read_text("utf-8")
        assert "](pictures/trainability.svg)" in (folder / "a.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["convex-hul"], "Did you mean 'convex-hull'?"),
        (
            ["convex-hull", "--seeds", "a"],
            "seeds must be whole numbers from 0 to 999999999, such as 0,1,2.",
        ),
        (["convex-hull", "--seeds", ""], "Got ''"),
        (["convex-hull", "--seeds", "1000000000"], "from 0 to 999999999"),
        (["--record", "-"], "records are written to a file only."),
        (["--record", ""], "records are written to a file only."),
        (["--page", "a.md", "--json"], "--json tells what is listed; --page writes it."),
        (["--seeds", "1"], "--seeds is an option of claims that are measured by name"),
        (["--record", "a.json", "--json"], "--json tells what is measured; --record keeps it."),
        (["--page", "a.html"], "'a.html' must end in .md."),
        (["convex-hull", "--page", "a.md"], "--page is made of records"),
        (["--record", "a.md", "--page", "a.md"], "--record and --page are the same file."),
        (["--jobs", "0"], "--jobs"),
    ],
)
def test_bad_input(run, arguments, told) -> None:
    assert told in " ".join(run("claims", *arguments, code=2).stderr.split())


def test_a_page_needs_the_packages_of_its_picture(run, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    told = run("claims", "convex-hull", "--record", "a.json", "--page", "a.md", code=1).stderr
    assert "pip install 'nlpfeat[report]'" in told
    assert "measuring" not in told


def test_a_file_that_cannot_be_written_is_told_before_the_work(run) -> None:
    result = run("claims", "--record", "no/a.json", code=1)
    assert "the folder 'no' does not exist" in result.stderr
    assert "measuring" not in result.stderr


def test_records_that_are_none_are_told(run, write) -> None:
    write("a.json", "[1]")
    result = run("claims", "degrees-of-freedom", "--record", "a.json", code=1)
    assert "must hold records of claims" in result.stderr
