"""``nlpfeat compare``: from labeled files to reports in each form."""

import json
from functools import partial
from pathlib import Path

import pytest

from nlpfeat.cli.commands.compare import Compare
from nlpfeat.cli.work import compare as work
from nlpfeat.cli.work.compare import _command, _protocol
from nlpfeat.compare import comparison
from nlpfeat.compare.findings import Findings, Provenance, Resolution, Strip, TuningPoint
from nlpfeat.compare.protocol import Protocol
from nlpfeat.compare.report import ComparisonReport
from nlpfeat.compare.runs import workers

QUICK = ("--models", "word-bow", "--seeds", "0", "--trials", "1", "--explained", "0",
         "--segmenter", "char")  # fmt: skip
ROWS = [(f"{word}天{row}", label) for row in range(15)
        for word, label in (("香甜", "好评"), ("臭烂", "差评"))]  # fmt: skip
TABLE = "".join(f"{text}\t{label}\n" for text, label in ROWS)
REPORT = ComparisonReport(
    Findings(
        Provenance("", "a.tsv", "", "", 2, 0, {"1": 1, "2.5": 1}, {}, {}),
        [], [], [], [], Resolution(1, 1.0, 0.0, 0.0, 0.0, 0.01),
        strips=[Strip("航班", "1", ["航班"], {}, {}), Strip("", "2.5", [], {"idf": []}, {})],
        tuning=[TuningPoint("word-bow", 1, 0.5), TuningPoint("word-bow", 2, 0.75)],
    )
)  # fmt: skip
"""Classes that look like numbers, strips without sources, and one without tokens."""


@pytest.fixture
def here(monkeypatch):
    """Do the runs in this process: one for each takes seconds."""

    def do_runs(batches, store, *, n_jobs, deadline, on_run):
        for run in [run for batch in batches for run in batch]:
            on_run(run, workers._done(run, store))

    quick = partial(Protocol, n_resamples=20)
    quick.n_folds = Protocol.n_folds
    monkeypatch.setattr(work, "Protocol", quick)
    monkeypatch.setattr(comparison, "do_runs", do_runs)


def test_a_summary_is_shown_and_reports_are_written(run, write, folder: Path, here):
    write("a.tsv", TABLE)
    shown = run("compare", "a.tsv", *QUICK, "--quiet").stdout
    assert "word-bow" in shown
    assert "accuracy %" in shown
    result = run("compare", "a.tsv", *QUICK, "--cache", "runs", "--output", "r.json")
    assert "word-bow" in result.stderr
    report = ComparisonReport.from_json((folder / "r.json").read_bytes())
    assert report.findings.provenance.command == (
        "nlpfeat compare a.tsv --seeds 0 --trials 1 --explained 0 --models word-bow "
        "--segmenter char"
    )
    assert report.findings.provenance.classes == {"好评": 15, "差评": 15}
    run("compare", "--from", "r.json", "--output", "r.md", "--quiet")
    assert "word-bow" in (folder / "r.md").read_text("utf-8")
    assert run("compare", "--from", "r.json", "-q").stdout == report.summary()
    run("compare", "--from", "r.json", "--no-documents", "--output", "again.json", "-q")
    assert json.loads((folder / "again.json").read_text("utf-8"))["findings"]["strips"] == []
    run("compare", "a.tsv", *QUICK, "--cache", "runs", "--output", "s.json", "-q")
    assert (folder / "s.json").read_bytes() == (folder / "r.json").read_bytes()


def test_test_documents_of_their_own(run, write, folder: Path, here):
    write("a.tsv", TABLE)
    write("b.txt", "__label__好评 香甜 地\n__label__差评 臭烂 地\n")
    run("compare", "a.tsv", "--test", "b.txt", *QUICK, "--output", "r.json", "-q")
    findings = ComparisonReport.from_json((folder / "r.json").read_bytes()).findings
    assert findings.resolution.n_documents == 2
    assert findings.provenance.protocol["split"] == "given"


@pytest.mark.slow
def test_a_page_comes_with_json_and_markdown(run, write, folder: Path, here):
    write("a.tsv", TABLE)
    run("compare", "a.tsv", *QUICK, "--output", "r.html", "-q")
    assert sorted(path.name for path in folder.iterdir()) == ["a.tsv", "r.html", "r.json", "r.md"]
    assert "word-bow" in (folder / "r.html").read_text("utf-8")
    # Made again from its JSON it is the same, byte for byte, and so is what stands beside it.
    run("compare", "--from", "r.json", "--output", "again.html", "--figures", "图/a", "-q")
    for ending in ("html", "json", "md"):
        made, again = folder / f"r.{ending}", folder / f"again.{ending}"
        assert made.read_bytes() == again.read_bytes()
    names = ["accuracy-seconds", "calibration-0"]
    found = sorted(path.name for path in (folder / "图/a").iterdir())
    assert found == [f"{name}.{ending}" for name in names for ending in ("png", "svg")]
    assert (folder / "图/a/calibration-0.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (folder / "图/a/calibration-0.svg").read_text("utf-8")


def test_a_report_that_is_read_is_not_replaced(run, folder: Path):
    text = REPORT.to_json() + "\n"
    (folder / "r.json").write_text(text, "utf-8")
    run("compare", "--from", "r.json", "--no-documents", "--output", "r.html", "-q")
    assert (folder / "r.json").read_text("utf-8") == text
    assert "航班" not in (folder / "r.html").read_text("utf-8")
    assert "航班" not in (folder / "r.md").read_text("utf-8")
    shown = run("compare", "--from", "r.json", "--figures", "r.json/x", "-q", code=2).stderr
    assert "is a file" in shown
    (folder / "empty").mkdir()
    assert run("compare", "--from", "r.json", "--figures", "empty", "-q").stdout == REPORT.summary()
    assert [path.name for path in (folder / "empty").iterdir()] == ["tuning.png", "tuning.svg"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("a.tsv", "--output", "r.txt"), "A report must be a file that ends in"),
        (("a.tsv", "--suite", "quik"), "Did you mean 'quick'"),
        (("a.tsv", "--models", "tfdif"), "Did you mean 'tfidf'"),
        (("a.tsv", "--models", "tfidf", "--suite", "full"), "--suite is an option of ready sets"),
        (("a.tsv", "--phenomena", "ordr"), "phenomena must be one of"),
        (("a.tsv", "--seeds", "0;1"), "--seeds must be whole numbers"),
        (("a.tsv", "--seeds", "1,1"), "Protocol.seeds must hold different numbers"),
        (("a.tsv", "--folds", "1"), "Protocol.n_folds must be an integer"),
        (("a.tsv", "--folds", "3", "--test", "a.tsv"), "leave out --test"),
        (("a.tsv", "b.tsv"), "name one file or folder of labeled documents. Got 2"),
        ((), "name one file or folder of labeled documents. Got 0"),
        (("a.tsv", "--from", "r.json"), "is an option of a comparison that is run"),
        (("dataset:everday",), "name must be one of 'everyday'"),
        (("dataset:everyday", "--text-column", "1"), "--text-column is an option of files"),
        (("dataset:everyday", "--decode-errors", "replace"), "--decode-errors is an option of"),
        (("a.tsv", "--label-column", "0"), "the number of a column must be"),
        (("a.tsv", "--output", "a.tsv"), "A report must be a file"),
        (("a.md", "--output", "a.html"), "written beside the page, would replace a.md"),
        (("b.tsv", "--test", "a.md", "--output", "a.html"), "would replace a.md"),
        (("a.tsv", "--figures", "a.tsv"), "'a.tsv' is a file"),
        (
            ("a.tsv", "--output", "我的.html"),
            "我的.json, which is written beside the page, is there",
        ),
        (("--from", "我的.json", "--output", "a.html"), "a.md, which is written beside the page"),
    ],
)
def test_what_cannot_be_is_a_usage_error(run, write, folder, arguments, told):
    write("a.tsv", TABLE)
    write("a.md", "__label__好评 香甜\n")
    write("我的.json", "{}")
    before = sorted(folder.iterdir())
    shown = " ".join(run("compare", *arguments, code=2).stderr.replace("│", " ").split())
    assert told in shown
    assert sorted(folder.iterdir()) == before
    assert (folder / "我的.json").read_text("utf-8") == "{}"


def test_files_of_an_earlier_page_are_written_anew_and_all_are_named(run, folder: Path):
    (folder / "r.json").write_text(REPORT.to_json(), "utf-8")
    told = run("compare", "--from", "r.json", "--output", "页.html").stderr
    assert told.endswith("Written: 页.html, 页.json, 页.md\n")
    (folder / "页.md").write_text("older", "utf-8")
    run("compare", "--from", "r.json", "--output", "页.html")
    assert (folder / "页.md").read_text("utf-8") != "older"
    (folder / "页.html").unlink()
    run("compare", "--from", "r.json", "--output", "页.html", code=2)
    told = run("compare", "--from", "r.json", "--output", "r.html", "-q").stderr
    assert told == ""


def test_each_run_is_told_where_there_is_no_terminal(run, write, here):
    write("a.tsv", TABLE)
    arguments = ("compare", "a.tsv", *QUICK, "--models", "word-bow,char-bow", "--cache", "runs")
    told = [line for line in run(*arguments).stderr.splitlines() if line[1:2] == "/"]
    assert told == [  # of 30, 6 are to test on, and a tenth of the others is the dev part
        "1/2: word-bow, split 0, seed 0, 22 documents",
        "2/2: char-bow, split 0, seed 0, 22 documents",
    ]
    assert "1/2" not in run(*arguments).stderr  # none is done again
    assert run(*arguments[:-1], "others", "--quiet").stderr == ""


def test_no_run_is_told_where_a_bar_is_shown(run, write, here, monkeypatch):
    write("a.tsv", TABLE)
    monkeypatch.setattr(work, "can_be_shown", lambda: True)
    assert "1/1" not in run("compare", "a.tsv", *QUICK).stderr


@pytest.mark.parametrize(
    ("cache", "told"),
    [
        ((), "Broken off: nothing is kept. --cache FOLDER keeps finished runs.\n"),
        (("--cache", "存"), "Broken off: 存 keeps the finished runs; the same command goes on.\n"),
    ],
)
def test_ctrl_c_says_what_is_kept(run, write, monkeypatch, cache, told):
    def do_runs(batches, store, **_):
        for run in batches[0]:  # there is none where it is kept already
            store.save(run.key, workers.perform(run))
        raise KeyboardInterrupt

    monkeypatch.setattr(comparison, "do_runs", do_runs)
    write("a.tsv", TABLE)
    arguments = ("compare", "a.tsv", *QUICK, "--seeds", "0,1", *cache)
    assert run(*arguments, code=130).stderr.endswith(told)
    assert run(*arguments, "--quiet", code=130).stderr == ""


def test_a_time_budget_that_is_too_small_is_told_with_its_option(run, write, monkeypatch):
    def do_runs(batches, store, *, on_run, **_):
        on_run(batches[0][0], workers.LATE)

    monkeypatch.setattr(comparison, "do_runs", do_runs)
    write("a.tsv", TABLE)
    told = run("compare", "a.tsv", *QUICK, "--time-budget", "1", code=1).stderr
    assert "Protocol.time_budget (--time-budget) did not suffice for one run." in told
    assert "1/1" not in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("no.tsv",), "'no.tsv' does not exist"),
        (("one.tsv",), "one.tsv must hold documents of at least two classes"),
        (("empty.tsv",), "empty.tsv must hold documents that can take part. Got none."),
        (("rare.tsv",), "two documents each or more, one to learn from and one to test on. Got 1"),
        (("bare.tsv",), "bare.tsv:1 must have a label"),
        (("bytes.tsv",), "no known encoding fits"),
        (("a.tsv", "--output", "none/r.html"), "cannot write 'none/r.html': the folder 'none'"),
        (("a.tsv", "--output", "none/r.json"), "cannot write 'none/r.json': the folder 'none'"),
        (("a.tsv", "--cache", "a.tsv"), "cannot keep runs in 'a.tsv'"),
        (("--from", "no.json"), "cannot read 'no.json'"),
        (("--from", "a.tsv"), "This is no JSON of a report"),
    ],
)
def test_files_that_cannot_be_used_are_told_in_one_line(run, write, folder, arguments, told):
    write("a.tsv", TABLE)
    write("one.tsv", "香甜\t好评\n香\t好评\n")
    write("empty.tsv", "")
    write("rare.tsv", "香甜\t好评\n香\t好评\n臭\t差评\n")
    write("bare.tsv", "香甜\n臭\n")
    (folder / "bytes.tsv").write_bytes(bytes(range(128, 256)) * 4)
    assert told in run("compare", *arguments, "-q", code=1).stderr


def test_bytes_that_are_no_text_are_replaced_where_that_is_asked_for(run, folder, here):
    (folder / "a.tsv").write_bytes(TABLE.encode() + "香".encode() + b"\xff\t" + "好评\n".encode())
    arguments = ("compare", "a.tsv", *QUICK, "--encoding", "utf-8")
    assert "--decode-errors replace" in run(*arguments, code=1).stderr
    assert "word-bow" in run(*arguments, "--decode-errors", "replace").stdout
    assert "--decode-errors" in run(*arguments, "--decode-errors", "ignore", code=2).stderr


def test_options_become_a_protocol_and_a_command():
    options = Compare(corpus=["名 .tsv"], folds=3, seeds="4, 5", sizes="10", time_budget=9.5,
                      documents=False, quiet=True, cache="x")  # fmt: skip
    protocol = _protocol(options)
    assert (protocol.split, protocol.n_folds, protocol.seeds) == ("folds", 3, (4, 5))
    assert (protocol.train_sizes, protocol.time_budget) == ((10,), 9.5)
    assert _command(options) == (
        "nlpfeat compare '名 .tsv' --seeds '4, 5' --folds 3 --sizes 10 --time-budget 9.5 "
        "--no-documents"
    )
