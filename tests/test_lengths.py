"""No file and no function grows beyond what a reader can hold.

A function's length is its signature and its body, blank lines and comments included, less its
docstring (a long docstring is no fault), its decorators and a line that only closes the signature.
"""

import ast
from pathlib import Path

import pytest

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 50

ROOT = Path(__file__).parents[1]
FILES = sorted((ROOT / "nlpfeat").rglob("*.py"))


def _docstring_lines(function):
    if ast.get_docstring(function, clean=False) is None:
        return 0
    docstring = function.body[0]
    return docstring.end_lineno - docstring.lineno + 1


def _length(function, lines):
    signature = lines[function.lineno - 1 : function.body[0].lineno - 1]
    closing = len(signature) > 1 and signature[-1].strip().startswith(")")
    return function.end_lineno - function.lineno + 1 - _docstring_lines(function) - closing


def _lengths(source):
    """Return the length of every function; a nested one also counts in the one around it."""
    lines = source.splitlines()
    return {
        f"{node.name} (line {node.lineno})": _length(node, lines)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def test_length_of_a_function_by_hand():
    source = (
        "@decorated\n"
        "def f(\n"  # 1
        "    a,\n"  # 2
        "):\n"  # closes the signature
        '    """Say\n\n    much.\n    """\n'  # the docstring
        "    # why\n"  # 3
        "\n"  # 4
        "    return a\n"  # 5
        "def g(): return 1\n"
    )
    assert _lengths(source) == {"f (line 2)": 5, "g (line 12)": 1}


def test_the_package_is_found():
    assert len(FILES) > 30


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_file_and_functions_are_short(path):
    source = path.read_text("utf-8")
    assert len(source.splitlines()) <= MAX_FILE_LINES
    long = {name: n for name, n in _lengths(source).items() if n > MAX_FUNCTION_LINES}
    assert not long
