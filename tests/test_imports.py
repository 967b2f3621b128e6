"""A light import, and no warning of ours on the way."""

import subprocess
import sys

import pytest

HEAVY = ("torch", "gensim", "numba", "jieba", "rjieba", "sklearn", "scipy", "numpy", "pandas",
         "pyarrow", "typer", "rich")  # fmt: skip
PUBLIC = "import nlpfeat; [getattr(nlpfeat, name) for name in nlpfeat.__all__]; "


def _run(code):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )


def _loaded_by(code):
    done = _run(f"{code}\nimport sys\nprint(*(set(sys.modules) & set({HEAVY!r})))")
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_import_loads_nothing_heavy():
    assert _loaded_by("import nlpfeat") == set()


def test_dir_loads_nothing_heavy():
    assert _loaded_by("import nlpfeat; dir(nlpfeat)") == set()


def test_the_check_sees_what_is_loaded():
    assert _loaded_by("import numpy") == {"numpy"}


def test_public_names_load_no_segmenter_and_no_compiler():
    # The estimators need scikit-learn, which looks for data frame libraries.
    loaded = _loaded_by(PUBLIC)
    assert not loaded & {"torch", "gensim", "numba", "jieba", "rjieba", "typer"}


def test_help_loads_no_numpy():
    code = "import sys; sys.argv = ['nlpfeat', 'pmi', '--help']\n"
    code += "from nlpfeat.cli.app import main\ntry:\n    main()\nexcept SystemExit: pass\n"
    code += "sys.stderr.write(' '.join(sys.modules))"
    done = _run(code)
    assert "--window" in done.stdout
    assert not {"numpy", "scipy", "jieba", "rjieba", "numba"} & set(done.stderr.split())


@pytest.mark.parametrize("code", ["import nlpfeat", PUBLIC], ids=["package", "public names"])
def test_import_warns_of_nothing(code):
    done = _run(code)
    assert (done.returncode, done.stderr) == (0, "")


def test_unknown_name_is_an_attribute_error():
    import nlpfeat

    with pytest.raises(AttributeError, match="module 'nlpfeat' has no attribute 'pim'"):
        _ = nlpfeat.pim
