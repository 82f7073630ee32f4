# Each target sets up .venv by itself; pip runs again only when pyproject.toml has changed.

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
BIN := .venv/bin
READY := .venv/.ready
JOBS ?= 2

.PHONY: help demo demo-all test test-slow test-browser test-mail bench lint format clauses look mutants clean

help:
	@echo "make demo       play the example campaign and say where its reports are"
	@echo "make demo-all   the same for every game that the program knows"
	@echo "make test       the fast tests"
	@echo "make test-slow  the long tests: more generated games, statistics, the built wheel"
	@echo "make test-browser  the reports and the order writer in a real Chromium"
	@echo "make test-mail  whole games over real mail servers: Dovecot and Postfix, started by root; a few are in make test"
	@echo "make clauses    which test proves which clause of the rules; fails when one has none"
	@echo "make bench      the speed against its budget; ARGS=--quick: without the largest maps and the peer"
	@echo "make mutants    plant faults in battles and steps: which does no test notice? (about five minutes; ARGS=combat/siege.py)"
	@echo "make look       photograph the pages with Chromium, for people to look at"
	@echo "make lint       ruff and mypy;  make format: let ruff rewrite the code"

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "gm needs Python 3.11 or newer"; exit 1; }
	@echo "setting up .venv ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@$(BIN)/python -m compileall -q gm
	@touch $@

demo: $(READY)
	@$(BIN)/python -m examples.medieval.demo

demo-all: $(READY)
	@$(BIN)/python -m examples.play

test: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) -rs -m "not slow and not browser and (not servers or smoke)"

test-slow: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) -m "slow and not servers"

test-browser: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile -m browser tests/browser

test-mail: $(READY)
	$(BIN)/python -m pytest -n $(JOBS) -m servers tests/mail

bench: $(READY)
	@$(BIN)/python -m bench $(ARGS)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clauses: $(READY)
	@$(BIN)/python -m tests.clauses

mutants: $(READY)
	$(BIN)/python -m tests.mutation --jobs $(JOBS) $(ARGS)

look: $(READY)
	@$(BIN)/python -m tests.browser.look look

clean:
	rm -rf .venv demo look build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
