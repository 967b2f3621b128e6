"""The packages of the extra are asked for, and not loaded."""

import subprocess
import sys

import pytest

from nlpfeat.errors import MissingDependencyError
from nlpfeat.rendering import check_chart_packages, check_page_packages


def test_import_and_check_load_nothing_heavy():
    code = (
        "import sys, nlpfeat.rendering\n"
        "nlpfeat.rendering.check_page_packages('x')\n"
        "print(*{'altair', 'jinja2', 'vl_convert', 'numpy', 'pandas'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("\n", "")


def test_a_page_without_charts_needs_jinja2_alone(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    check_page_packages("a page", charts=False)
    with pytest.raises(MissingDependencyError, match=r"^a page needs the package altair; install"):
        check_page_packages("a page")


def test_charts_do_not_need_jinja2(monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    check_chart_packages("a figure")
    with pytest.raises(MissingDependencyError, match=r"^a page needs the package jinja2; install"):
        check_page_packages("a page")
