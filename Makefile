# One entry for people and CI. Every target makes .venv first, from pip and nothing else.
#   make test    the tests, compiled
#   make check   everything CI checks
# PYTHON chooses the interpreter when .venv is made: make clean; make PYTHON=python3.12 test

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
EXTRAS := dev,openspiel,pettingzoo,gymnasium,sb3,tensorboard,notebook,web
# Tests share the cores; on an empty cache each worker compiles what it needs first, so not too many.
# WORKERS=0 runs them one after the other, in this process.
WORKERS ?= auto
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --maxprocesses=4 --dist=worksteal

APT_GET := $(if $(filter 0,$(shell id -u)),,sudo -n) apt-get

# Bounds-checked kernels and plain Python are slower: these subsets keep `make check` short.
NO_JIT_TESTS := -m "not slow and not compiled"
BOUNDS_TESTS := -m "not slow"

.PHONY: help install test chromium test-nojit test-bounds coverage check static format lint types layers \
	spelling fix train serve bench clean

help:  ## Show this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

install: $(INSTALLED)  ## Make .venv and install the package with its tools

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "spiel_bot needs Python 3.11 or later; $(PYTHON) is older. Try: make PYTHON=python3.11"; exit 1; }
	@echo 'Installing into $(VENV): some minutes ...'
	$(PYTHON) -m venv $(VENV)
	PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $@

test: $(INSTALLED) chromium  ## Run the tests with compiled kernels
	$(PYTEST)

# The page is tested in Debian's own browser; playwright would fetch another from elsewhere.
chromium:  ## Install the browser that the tests of the page use
	@command -v chromium >/dev/null || { $(APT_GET) update -qq && $(APT_GET) install -qq -y chromium >/dev/null; } \
		|| { echo "The tests of the page need chromium; install it as root: apt-get install chromium"; exit 1; }

test-nojit: $(INSTALLED)  ## Run the quick tests as plain Python, with coverage
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(NO_JIT_TESTS) --cov --cov-report=term --cov-fail-under=95

test-bounds: $(INSTALLED)  ## Run the tests with every array index checked
	NUMBA_BOUNDSCHECK=1 $(PYTEST) $(BOUNDS_TESTS)

coverage: $(INSTALLED)  ## Write htmlcov/index.html (kernels as plain Python)
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(NO_JIT_TESTS) --cov --cov-report=html --cov-report=term
	@echo "Open htmlcov/index.html"

check: static test test-nojit test-bounds  ## Everything CI checks

static: format lint types layers spelling  ## The checks that run nothing

format: $(INSTALLED)  ## Check the formatting
	$(BIN)/ruff format --check .

lint: $(INSTALLED)  ## Check for likely mistakes
	$(BIN)/ruff check .

types: $(INSTALLED)  ## Check the types
	$(BIN)/mypy

layers: $(INSTALLED)  ## Check who imports whom
	$(BIN)/lint-imports

spelling: $(INSTALLED)  ## Check the spelling
	$(BIN)/codespell

fix: $(INSTALLED)  ## Format, and mend what can be mended automatically
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

train: $(INSTALLED)  ## Learn trictrac: the quick preset, some minutes
	$(BIN)/spiel-bot train --preset quick

serve: $(INSTALLED)  ## Serve the web page on http://127.0.0.1:8000
	$(BIN)/spiel-bot serve

bench: $(INSTALLED)  ## Measure speed
	$(BIN)/spiel-bot bench

clean:  ## Remove what the targets above have made
	rm -rf $(VENV) htmlcov .coverage .mypy_cache .ruff_cache .pytest_cache .import_linter_cache build dist
