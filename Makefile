# Needs Python 3.11 or newer, git and make. Everything else goes into .venv, once for each state of pyproject.toml.

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= 2
PYTEST_ARGS ?=
PIP := $(BIN)/python -m pip --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo demo-check test lint format bench bench-claims screenshots snapshots clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 22

demo: $(VENV)/.run ## write a sample project and open its review
	@$(BIN)/memreview demo

demo-check: $(VENV)/.run ## write a memory with planted faults and let the nightly check find them
	@$(BIN)/memreview demo --check

test: $(VENV)/.dev ## run the tests
	$(BIN)/python -m pytest -n $(JOBS) $(PYTEST_ARGS)

lint: $(VENV)/.dev ## check style, types and imports between layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev ## measure speed against the floors, as ratios
	$(BIN)/python -m pytest -o addopts= -p no:cacheprovider -q -s tests/bench

bench-claims: $(VENV)/.dev ## measure how well the claim check finds planted faults, beside a peer
	@$(PIP) install -q corroborate || true
	$(BIN)/python -m tests.bench.bench_claims

screenshots: $(VENV)/.dev ## make screenshots/*.png from the running app
	$(BIN)/python -m tests.shots screenshots

snapshots: $(VENV)/.dev ## accept what the screens look like now as right
	$(BIN)/python -m pytest -n $(JOBS) --snapshot-update tests/tui

clean: ## remove .venv, caches and the demo
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist demo snapshot-report .client
	find memreview tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.run: pyproject.toml | $(BIN)/python
	@echo "Installing memreview into $(VENV) (once)."
	@$(PIP) install --quiet --editable . && touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@echo "Installing memreview and its tools for development into $(VENV) (once)."
	@$(PIP) install --quiet --editable '.[dev]' && touch $@ $(VENV)/.run

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 or newer found: install one, or name it with make PYTHON=..." >&2; exit 1; }
	@rm -rf $(VENV)
	@if "$(PYTHON)" -m venv $(VENV) >/dev/null 2>&1; then :; \
	elif rm -rf $(VENV); "$(PYTHON)" -m virtualenv --quiet $(VENV) >/dev/null 2>&1; then :; \
	elif rm -rf $(VENV); uv venv --quiet --seed --python "$(PYTHON)" $(VENV) >/dev/null 2>&1; then :; \
	else rm -rf $(VENV); \
	  echo "$(PYTHON) cannot make a virtual environment (its venv or ensurepip module is missing):" >&2; \
	  echo "install your system's python3-venv package, or virtualenv, or uv, and run make again." >&2; exit 1; fi
