"""``nlpfeat diagnose``: the claims of the library, and what the exit status says of them."""

import json
import subprocess
import sys

import pytest
from typer.main import get_command

from nlpfeat.attention.diagnostics import DIAGNOSTICS, Check, Diagnostic
from nlpfeat.cli.app import app

HEADER = ["diagnostic", "name", "claim", "setting", "expected", "measured", "holds"]


@pytest.fixture
def rows(run):
    """Run the command without a word; return the header and the rows."""

    def rows_of(*arguments: str, **settings: object) -> list[list[str]]:
        result = run("diagnose", *arguments, "--quiet", **settings)
        assert result.stderr == ""
        return [line.split("\t") for line in result.stdout.splitlines()]

    return rows_of


@pytest.fixture
def two(monkeypatch) -> None:
    """A catalog of two diagnostics, of which one is wrong."""
    right = Diagnostic("d1", "tea is hot", lambda generator: [Check("龙井", ">", 60, 80.1234567)])
    wrong = Diagnostic("d2", "tea is cold", lambda generator: [Check("龙井", "<", 20, 80)])
    catalog = {"hot_tea": right, "cold_tea": wrong}
    monkeypatch.setattr("nlpfeat.attention.diagnostics.DIAGNOSTICS", catalog)


class TestTable:
    def test_all_claims_hold(self, rows) -> None:
        header, *got = rows()
        assert header == HEADER
        assert {row[-1] for row in got} == {"yes"}
        names = list(dict.fromkeys(row[1].replace("-", "_") for row in got))
        assert names == list(DIAGNOSTICS)

    def test_numbers_are_those_of_the_library(self, rows) -> None:
        got = rows("--only", "counting", "--seed", "3")[1:]
        wanted = DIAGNOSTICS["counting"].measure(3)
        assert [row[3] for row in got] == [check.setting for check in wanted]
        assert [row[4] for row in got] == [check.wanted for check in wanted]
        assert [float(row[5]) for row in got] == pytest.approx(
            [check.measured for check in wanted], rel=1e-5
        )

    def test_by_hand(self, rows, two) -> None:
        assert rows("--only", "hot-tea") == [
            HEADER,
            ["d1", "hot-tea", "tea is hot", "龙井", "> 60", "80.1235", "yes"],
        ]

    def test_by_name_and_number_in_the_order_of_the_catalog(self, rows) -> None:
        got = rows("--only", "absence, D4,coupling")[1:]
        assert list(dict.fromkeys(row[0] for row in got)) == ["d4", "d9"]

    def test_one_alone_says_what_it_says_in_all(self, rows) -> None:
        together = [row for row in rows("--only", "d5,d13")[1:] if row[0] == "d13"]
        assert rows("--only", "neutrality")[1:] == together

    def test_seeds(self, rows) -> None:
        measured = [[row[5] for row in rows("--only", "d5", "--seed", seed)] for seed in "001"]
        assert measured[0] == measured[1] != measured[2]

    def test_same_bytes_in_another_process(self, start) -> None:
        first, second = (
            start("diagnose", "--only", "d2,d6", check=True, variables={"PYTHONHASHSEED": seed})
            for seed in "12"
        )
        assert first.stdout == second.stdout

    @pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
    def test_formats(self, run, folder, name) -> None:
        run("diagnose", "--only", "absence", "--output", name)
        first = (folder / name).read_text("utf-8").splitlines()[name == "a.csv"]
        if name == "a.jsonl":
            assert list(json.loads(first)) == HEADER
        assert "0.605006" in first

    def test_metadata(self, run, folder) -> None:
        parquet = pytest.importorskip("pyarrow.parquet")
        run("diagnose", "--only", "absence", "--seed", "5", "--output", "a.parquet")
        metadata = parquet.read_schema(folder / "a.parquet").metadata
        assert metadata[b"seed"] == b"5"
        assert metadata[b"made_with"].startswith(b"nlpfeat ")


class TestExit:
    def test_said_beside(self, run) -> None:
        assert run("diagnose", "--only", "absence").stderr == "18 of 18 claims hold\n"

    def test_a_claim_that_does_not_hold(self, run, two, folder) -> None:
        result = run("diagnose", "--output", "a.tsv", code=1)
        assert result.stderr.splitlines() == [
            "1 of 2 claims hold",
            "nlpfeat: 1 of the claims do not hold, see the last column.",
        ]
        written = (folder / "a.tsv").read_text("utf-8").splitlines()
        assert written[2] == "d2\tcold-tea\ttea is cold\t龙井\t< 20\t80.0\tno"

    def test_without_torch(self, folder) -> None:
        script = "import sys; sys.modules['torch'] = None; sys.argv[1:] = ['diagnose']\n"
        script += "from nlpfeat.cli.app import main; main()"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == (
            "nlpfeat: nlpfeat diagnose needs the package torch; "
            "install it with: pip install 'nlpfeat[attention]'\n"
        )


class TestBadInput:
    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["--only", "couplin"], "Did you mean 'coupling'?"),
            (["--only", ""], "only must be one of 'degrees-of-freedom', "),
            (["--only", "d8"], "d8 (substitutability against synonymy) is about corpora, not"),
            (["--only", "d4,D11"], "d11 (dependency against distance) is about corpora, not"),
            (["--only", "d11"], "Diagnostics of attention are d1, d2, d3, d4, d5, d6, d7, d9,"),
            (["--only", "d14"], "Got 'd14'"),
            (["--seed", "-1"], "seed must be an integer that is at least 0"),
            (["--seed", str(2**32)], "seed must be at most"),
            (["--jobs", "0"], "--jobs"),
            (["--output", "a.gexf"], "'a.gexf' must end in one of .tsv"),
        ],
    )
    def test_usage(self, run, arguments, told) -> None:
        assert told in run("diagnose", *arguments, code=2).stderr

    def test_unwritable_output(self, run) -> None:
        told = run("diagnose", "--output", "no/a.tsv", code=1).stderr
        assert "the folder 'no' does not exist" in told
        assert "hold" not in told


def test_help_names_every_diagnostic() -> None:
    (only,) = [each for each in get_command(app).commands["diagnose"].params if each.name == "only"]
    named = only.help.split(": ")[1].rstrip(".").split(", ")
    assert named == [
        f"{diagnostic.number} {name.replace('_', '-')}" for name, diagnostic in DIAGNOSTICS.items()
    ]
