# Every target works on a fresh machine with Python >= 3.11 and pip: set-up comes first, and only when needed.
# It fills .venv from requirements.lock and installs nothing anywhere else, but for `make agents`. Another Python: make PYTHON=python3.12 test

PYTHON ?= python3
UV ?= uv
NPM ?= npm
VENV := .venv
AGENTS := .agents
RUN := $(VENV)/bin/python
PIP_INSTALL := install -qq --no-input --disable-pip-version-check --no-deps

# A kernel keeps its profile and history here, not in the home folder, and none of the reader's own settings change a notebook.
export IPYTHONDIR := $(CURDIR)/$(VENV)/ipython

# Bytecode is kept, whatever the caller's settings: the tests start thousands of processes that would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: help report docs test check bench bench-scale fuzz reliability slow agents pins setup
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

report: setup ## a dated report from the shipped Jev Social rows, into reports/
	$(VENV)/bin/benchdata report jev-social --demo

docs: setup ## these guides and the reference as a site, into .site
	$(VENV)/bin/zensical build --strict --config-file .zensical.toml
	@echo "shown by: $(RUN) -m http.server --bind 127.0.0.1 --directory .site"

test: setup ## the tests, then every notebook against its committed outputs
	$(RUN) -m pytest --numprocesses auto --dist loadfile
	$(RUN) -m pytest --nbval --nbval-current-env --numprocesses auto --dist loadfile notebooks

check: setup ## format, lint, types, and which module may import which
	$(RUN) -m ruff format --check
	$(RUN) -m ruff check
	$(RUN) -m mypy
	for program in datasets/*/*.py; do $(RUN) -m mypy "$$program" || exit 1; done
	$(RUN) -m pytest --quiet tests/test_arrows.py

bench: setup ## time the reading of rows against the bare reading of their bytes
	$(RUN) -m tests.bench.run

bench-scale: setup ## time per row and memory from 1 to 50 million rows (needs 13 GB among the temporary files)
	$(RUN) -m tests.bench.scale

fuzz: setup ## look for an hour for rows that the two ways of reading take differently (needs Linux)
	$(RUN) -m pip $(PIP_INSTALL) atheris
	$(RUN) -m tests.fuzz.run

reliability: setup ## kill, fill and damage what writes, and put what held into docs/reliability.md
	$(RUN) -m tests.faults.run

slow: setup ## the tests that take long, such as the wheel in a clean environment
	$(RUN) -m pytest -m slow

agents: $(AGENTS)/installed ## install the agent programs that some tests drive into .agents (needs npm, 800 MB)

$(AGENTS)/installed: collectors/harness/agents/package.json
	@mkdir -p $(AGENTS)
	@cp $< $(AGENTS)/package.json
	@$(NPM) install --prefix $(AGENTS) --no-package-lock --no-audit --no-fund --loglevel=error
	@touch $@

pins: ## write requirements.lock from pyproject.toml (needs uv; keeps the versions that still fit)
	$(UV) pip compile pyproject.toml --extra agents --extra dask --extra lab --extra mcp --extra render --extra serve --group dev --output-file requirements.lock --quiet \
		--universal --fork-strategy fewest --generate-hashes --no-emit-index-url --no-header

setup: $(VENV)/installed ## make .venv (the other targets do this by themselves)

# pip comes from the pins: the interpreter's own only puts it there (Debian's Python has no ensurepip).
$(VENV)/pinned: requirements.lock
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("benchdata needs Python 3.11 or newer and $(PYTHON) is %d.%d; name another one: make PYTHON=python3.12" % sys.version_info[:2])'
	@echo "Setting up $(VENV), which takes a minute or two and is done once"
	@$(PYTHON) -m venv --clear --without-pip $(VENV)
	@$(PYTHON) -m pip --python $(RUN) $(PIP_INSTALL) --require-hashes --requirement requirements.lock
	@touch $@

$(VENV)/installed: $(VENV)/pinned pyproject.toml
	@$(RUN) -m pip $(PIP_INSTALL) --no-build-isolation --editable .
	@touch $@
