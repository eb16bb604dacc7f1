# make demo   the main job on a real model
# make test   lint, types and all tests, with the real MLIR tools
# Both start from a machine with nothing but Python 3.11 or newer, make, and a package index.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
VENV := .venv
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip install --quiet --disable-pip-version-check

.PHONY: demo test lint types check clean

demo: $(VENV)/.installed
	@$(RUN) examples/demo.py

test: lint types check

lint: $(VENV)/.installed-for-tests
	$(RUN) -m ruff check .

types: $(VENV)/.installed-for-tests
	$(RUN) tests/house/typecheck.py

check: $(VENV)/.installed-for-tests
	$(RUN) -m pytest -n auto

$(RUN):
	@test -n "$(PYTHON)" || { echo "Dealog needs Python 3.11 or newer; name one with make PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(RUN)
	$(PIP) --editable .
	@touch $@

$(VENV)/.installed-for-tests: pyproject.toml | $(RUN)
	$(PIP) --editable '.[test]'
	@touch $(VENV)/.installed $@

clean:
	rm -rf build .mypy_cache .pytest_cache .ruff_cache .hypothesis
