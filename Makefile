# `make demo` and `make test` need python3 (3.11 or newer) and make, and set up the rest in .venv.

PYTHON ?= python3
CORPUS ?=
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet -c constraints.txt
CORE := $(VENV)/.installed-core
DEV := $(VENV)/.installed-dev
PACKAGES := pyproject.toml constraints.txt

# Whatever the user has set up for other projects neither enters .venv nor is changed by us.
unexport PYTHONPATH PYTHONHOME PYTHONSTARTUP VIRTUAL_ENV CONDA_PREFIX
unexport PIP_TARGET PIP_PREFIX PIP_ROOT PIP_PYTHON PIP_REQUIRE_VIRTUALENV
export PIP_USER := 0
export PYTHONNOUSERSITE := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test lint format bench clean

help:
	@echo 'make demo    word associations of the shipped corpus'
	@echo 'make test    the whole test suite'
	@echo 'make lint    style, types and the direction of imports'
	@echo 'make format  put the code in the form that lint asks for'
	@echo 'make bench CORPUS=FILE   speed beside other ways to count (docs/performance.md)'
	@echo 'make clean   remove .venv and everything else that was made here'
	@echo
	@echo 'The first run installs into .venv. PYTHON=/path/to/python chooses another Python.'

demo: $(CORE)
	$(BIN)/nlpfeat pmi corpora/everyday/everyday.tsv --window 5 --top 20

test: $(DEV)
	OMP_NUM_THREADS=1 PYTHONHASHSEED=0 $(BIN)/python -m pytest --numprocesses logical --maxprocesses 8 --dist worksteal

lint: $(DEV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(DEV)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

bench: $(DEV)
	@test -n '$(CORPUS)' || { echo 'make bench CORPUS=FILE: which text?' >&2; exit 2; }
	$(BIN)/python benchmarks/bench_pmi.py '$(CORPUS)'

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find nlpfeat tests examples benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@command -v '$(PYTHON)' >/dev/null || \
	  { echo 'There is no $(PYTHON). Install Python 3.11 or newer, or say which: make PYTHON=/path/to/python' >&2; exit 1; }
	@'$(PYTHON)' -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "nlpfeat needs Python 3.11 or newer; $(PYTHON) is $$('$(PYTHON)' -V 2>&1 | head -n 1). Say which: make PYTHON=/path/to/python" >&2; exit 1; }
	@echo 'Making $(VENV) ...' >&2
	@'$(PYTHON)' -m venv $(VENV) || \
	  { rm -rf $(VENV); echo 'python -m venv failed; on Debian and Ubuntu: apt install python3-venv' >&2; exit 1; }

$(CORE): $(PACKAGES) | $(BIN)/python
	@echo 'Installing nlpfeat into $(VENV) (once; a minute or so) ...' >&2
	@$(PIP) -e .
	@touch $@

# The extras include the core: after this, demo has nothing to install.
$(DEV): $(PACKAGES) | $(BIN)/python
	@echo 'Installing nlpfeat and what its tests need into $(VENV) (once; some minutes) ...' >&2
	@$(PIP) -e '.[dev]'
	@touch $(CORE) $@
