# make demo   the main job on a real model
# make test   lint, types and tests, with the real MLIR tools
# make nightly   all tests, with many more generated programs, and with what takes too long for every run
# make bench  measurements beside mlir-opt and xDSL; make bench ARGS=--quick for a short run
# make docs   the documentation site, into build/site
# make dist   the sdist and the wheel, into dist/, checked
# All start from a machine with nothing but Python 3.11 or newer, make, and a package index.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip install --quiet --disable-pip-version-check

.PHONY: scale demo test lint types first check nightly bench docs dist clean

demo: $(VENV)/.installed
	@$(RUN) examples/demo.py

# Types are checked by one processor; another one meanwhile makes what is cached the first time that Dealog runs.
test: $(VENV)/.installed-for-tests
	@$(MAKE) --no-print-directory -j3 lint types first
	@$(MAKE) --no-print-directory check

nightly: export DEALOG_NIGHTLY := 1
nightly: export DEALOG_GENERATED ?= 300
nightly: export PYTHONDONTWRITEBYTECODE :=
# Each folder in processes of its own: the embedded engine keeps what it has met, and in the end that makes them slow.
nightly: lint types
	@failed=0; for folder in $(sort $(dir $(wildcard tests/*/test_*.py))); do \
	    echo "$$folder"; $(RUN) -m pytest -n auto $$folder || failed=1; done; exit $$failed

lint: $(VENV)/.installed-for-tests
	$(RUN) -m ruff check .

types: $(VENV)/.installed-for-tests
	$(RUN) tests/house/typecheck.py

first: $(VENV)/.installed-for-tests
	@$(RUN) -m dealog dealloc examples/mlp.mlir > /dev/null
	@$(RUN) -m dealog rules list > /dev/null

# The tests start hundreds of processes: without bytecode each of them would compile every module.
# In two runs, as the embedded engine keeps what it has met, and in the end that makes processes slow.
LONGEST := $(patsubst %,tests/%/,cli compiled differential explain extensions lsp python report scale)
OTHERS := $(filter-out $(LONGEST),$(sort $(dir $(wildcard tests/*/test_*.py))))
check: export PYTHONDONTWRITEBYTECODE :=
check: $(VENV)/.installed-for-tests
	@failed=0; for folders in "$(LONGEST)" "$(OTHERS)"; do \
	    $(RUN) -m pytest -n auto $$folders || failed=1; done; exit $$failed

$(RUN):
	@test -n "$(PYTHON)" || { echo "Dealog needs Python 3.11 or newer; name one with make PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(RUN)
	$(PIP) --editable .
	@touch $@

$(VENV)/.installed-for-tests: pyproject.toml | $(RUN)
	$(PIP) --editable '.[test]'
	@touch $(VENV)/.installed $@

$(VENV)/.installed-for-bench: pyproject.toml | $(RUN)
	$(PIP) --editable '.[test,bench]'
	@touch $(VENV)/.installed $(VENV)/.installed-for-tests $@

bench: $(VENV)/.installed-for-bench
	@$(RUN) -m bench $(filter scale,$(MAKECMDGOALS)) $(ARGS)

scale: bench  # as in: make bench scale
	@:

docs: $(VENV)/.installed-for-docs
	$(RUN) docs/site.py
	$(RUN) -m mkdocs build --strict --quiet

dist: $(VENV)/.installed-for-release
	rm -rf dist
	$(RUN) -m build --outdir dist
	$(RUN) -m twine check --strict dist/*

$(VENV)/.installed-for-docs: pyproject.toml | $(RUN)
	$(PIP) --editable '.[docs]'
	@touch $@

$(VENV)/.installed-for-release: pyproject.toml | $(RUN)
	$(PIP) --editable '.[release]'
	@touch $@

clean:
	rm -rf build .mypy_cache .pytest_cache .ruff_cache .hypothesis
