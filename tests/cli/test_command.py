"""From a dataclass of options to a command: order, defaults, words, and what is called."""

from dataclasses import dataclass, field
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from nlpfeat.cli.command import as_command, epilog
from nlpfeat.cli.options import CommonOptions
from nlpfeat.errors import InvalidInputError

calls: list[object] = []


@dataclass(frozen=True, kw_only=True)
class Cup:
    cup: Annotated[str, typer.Option(help="Which cup.")] = "白瓷"
    size: Annotated[int, typer.Option(help="How large.")] = 3


@dataclass(frozen=True, kw_only=True)
class Brew(Cup, CommonOptions):
    """Brew tea."""

    examples = ("brew 龙井", "brew 普洱 --size 5")

    leaf: Annotated[list[str], typer.Argument(metavar="LEAF")]
    water: Annotated[list[str], typer.Option(help="Which water.")] = field(
        default_factory=lambda: ["泉水"]
    )
    size: int = 4

    def run(self) -> None:
        calls.append(self)
        if self.size == 0:
            raise InvalidInputError("The cup is empty.")


@pytest.fixture
def brew():
    calls.clear()
    app = typer.Typer(rich_markup_mode=None)
    app.command(epilog=epilog(Brew))(as_command(Brew))
    return lambda *arguments: CliRunner().invoke(app, list(arguments))


def test_fields_become_the_object(brew) -> None:
    assert brew("龙井", "普洱", "--size", "5", "--water", "雪水", "-q").exit_code == 0
    assert calls == [Brew(leaf=["龙井", "普洱"], size=5, water=["雪水"], quiet=True)]


def test_defaults_are_those_of_the_dataclass(brew) -> None:
    brew("龙井")
    assert calls == [Brew(leaf=["龙井"])]
    assert calls[0].water == ["泉水"]  # type: ignore[attr-defined]
    assert calls[0].size == 4  # type: ignore[attr-defined]


def test_own_options_first_and_an_overridden_one_in_its_place(brew) -> None:
    text = brew("--help").stdout
    places = [text.index(name) for name in ("--water", "--cup", "--size", "--jobs", "--quiet")]
    assert places == sorted(places)
    assert "How large. [default: 4]" in " ".join(text.split())
    assert text.count("--size") == 2
    assert text.splitlines()[2].strip() == "Brew tea."
    assert text.strip().endswith("Examples:\n    nlpfeat brew 龙井\n    nlpfeat brew 普洱 --size 5")


def test_errors_are_told_in_one_line(brew) -> None:
    result = brew("龙井", "--size", "0")
    assert (result.exit_code, result.stderr) == (1, "nlpfeat: The cup is empty.\n")


def test_an_argument_without_a_default_is_asked_for(brew) -> None:
    result = brew()
    assert result.exit_code == 2
    assert "Missing argument 'LEAF" in result.stderr
