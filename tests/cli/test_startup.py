"""What the program loads, and what its help says."""

import re
import subprocess
import sys

import pytest
import typer

from nlpfeat.cli.app import COMMANDS, app

HEAVY = ("torch", "gensim", "numba", "jieba", "rjieba", "sklearn", "scipy", "pandas", "pyarrow")


def loaded(statement: str) -> set[str]:
    """Return the top-level modules that a new process has after the statement."""
    script = f"import sys\n{statement}\nprint('modules', *sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return {name.split(".")[0] for name in done.stdout.splitlines()[-1].split()[1:]}


def test_import_is_light() -> None:
    assert loaded("import nlpfeat") & {*HEAVY, "numpy", "typer"} == set()


@pytest.mark.parametrize(
    "arguments", [["--help"], ["pmi", "-h"], *([command, "--help"] for command in COMMANDS)]
)
def test_help_is_light(arguments) -> None:
    statement = (
        "from nlpfeat.cli.app import main\n"
        f"sys.argv[1:] = {arguments!r}\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code"
    )
    assert loaded(statement) & {*HEAVY, "numpy", "rich"} == set()


def test_a_small_text_loads_no_compiler() -> None:
    statement = (
        "from nlpfeat.cli.app import main\n"
        "sys.argv[1:] = ['pmi', 'dataset:everyday']\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code"
    )
    assert loaded(statement) & {"torch", "gensim", "numba", "sklearn", "pandas"} == set()


class TestHelp:
    @pytest.mark.parametrize("command", COMMANDS)
    def test_every_option_stands_there_with_its_default(self, run, command) -> None:
        text = " ".join(run(command, "--help").stdout.split("Options:")[1].split())
        found = typer.main.get_command(app).commands[command].params  # type: ignore[attr-defined]
        options = [option for option in found if option.param_type_name == "option"]
        assert len(options) >= 7
        for option in options:
            name = max(option.opts, key=len)
            own = re.search(rf"(?:^|, |\s){name} .*?(?=\s--?[a-z]+[a-z-]* [A-Za-z|]+ |$)", text)
            assert own, name
            assert option.help
            assert "default: " in text[own.start() :][: len(option.help) + 200], name

    def test_every_command_is_listed(self, run) -> None:
        text = run("--help").stdout
        for command in COMMANDS:
            assert re.search(rf"\n  {command} +\S", text)

    @pytest.mark.parametrize("command", COMMANDS)
    def test_examples_stand_below(self, run, command) -> None:
        text = run(command, "--help").stdout
        examples = text.split("Examples:\n")[1].strip("\n").splitlines()
        assert len(examples) >= 2
        assert all(line.startswith(f"    nlpfeat {command} ") for line in examples)

    @pytest.mark.parametrize("command", COMMANDS)
    def test_examples_name_options_that_exist(self, command) -> None:
        found = typer.main.get_command(app).commands[command].params  # type: ignore[attr-defined]
        known = {name for option in found for name in (*option.opts, *option.secondary_opts)}
        for example in COMMANDS[command].examples:
            used = {word for word in example.split() if word.startswith("-") and word != "-"}
            assert used <= known

    def test_no_words_for_programmers(self, run) -> None:
        for command in COMMANDS:
            options = run(command, "--help").stdout.split("Options:")[1]
            assert not re.search(r"<\w+>|int range|list\[|x>=", options)

    def test_version(self, run) -> None:
        assert re.fullmatch(r"nlpfeat \d+\.\d+\S*\n", run("--version").stdout)

    def test_unknown_option_and_command(self, run) -> None:
        assert "--window" in run("pmi", "a.txt", "--windo", "5", code=2).stderr
        assert "No such command 'pim'" in run("pim", code=2).stderr
        assert "Missing argument 'CORPUS'" in run("pmi", code=2).stderr
