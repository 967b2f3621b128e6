"""The wheel holds all that is needed: it is built, installed elsewhere and used there."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]


def _run(*arguments, cwd, **environment):
    # The checkout is an editable install: PYTHONPATH puts the installed wheel before it.
    done = subprocess.run(
        arguments, cwd=cwd, env=os.environ | environment, capture_output=True, encoding="utf-8",
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder),
         str(ROOT), cwd=folder)  # fmt: skip
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    folder = tmp_path_factory.mktemp("installed")
    _run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
         "--disable-pip-version-check", "--target", str(folder), str(wheel),
         cwd=folder, PIP_USER="0")  # fmt: skip
    return folder


def test_wheel_holds_the_package_the_corpora_and_the_licence_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"nlpfeat"}
    assert "nlpfeat/py.typed" in names
    assert "nlpfeat/corpora/everyday/everyday.tsv" in names
    assert "nlpfeat/corpora/everyday/CARD.md" in names
    assert any(name.endswith("/licenses/LICENSE") for name in names)
    assert "nlpfeat/corpora/phenomena/CARD.md" in names
    code = [name for name in names if not name.startswith("nlpfeat/corpora/")]
    assert not [name for name in code if "test" in name]
    assert not [name for name in names if name.endswith((".pyc", ".nbi"))]


def test_wheel_holds_every_module_and_template(wheel):
    modules = {str(path.relative_to(ROOT)) for path in (ROOT / "nlpfeat").rglob("*.py")}
    templates = {str(path.relative_to(ROOT)) for path in (ROOT / "nlpfeat").rglob("templates/*")}
    assert len(templates) == 4
    assert modules | templates <= set(zipfile.ZipFile(wheel).namelist())


def test_shipped_corpus_loads_from_the_wheel(installed, tmp_path):
    code = "import nlpfeat; print(nlpfeat.__file__); print(len(list(nlpfeat.load_everyday())))"
    place, n_documents = _run(
        sys.executable, "-c", code, cwd=tmp_path, PYTHONPATH=str(installed)
    ).split()
    assert Path(place) == installed / "nlpfeat/__init__.py"
    lines = (ROOT / "corpora/everyday/everyday.tsv").read_text("utf-8").splitlines()
    assert int(n_documents) == len(lines)


def test_command_runs_from_the_wheel_and_says_what_the_checkout_says(installed, tmp_path):
    command = (sys.executable, "-m", "nlpfeat", "pmi", "dataset:everyday")
    from_wheel = _run(*command, cwd=tmp_path, PYTHONPATH=str(installed))
    assert from_wheel.startswith("x\ty\tn_xy\tn_x\tn_y\tpmi\n")
    assert from_wheel == _run(*command, cwd=ROOT)
