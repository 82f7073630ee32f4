# Each target sets up .venv by itself, and installs there what it needs and is not there yet; pip runs again only when
# pyproject.toml has changed.

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
BIN := .venv/bin
READY := .venv/.ready
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable
JOBS ?= 2
PYTEST := $(BIN)/python -m pytest -n $(JOBS) --dist worksteal
# in CI, test-slow looks at all generated examples: they need no look at some of them before
FAST := -m "not slow and not browser and not servers$(if $(CI), and not hypothesis)" \
	--ignore tests/browser --ignore tests/extras
# tests that look at pages, maps, odds and bots, which are no part of playing a turn
ASIDE := bot error europe handbook map minsk odds page preview report schema simul sheet why

# Python keeps what it has compiled, whatever the shell says: the tests start it hundreds of times
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help dev demo play demo-all quick test test-slow test-browser test-mail bench lint format clauses look mutants docs man evidence image clean

help:
	@echo "make demo       play the example campaign and say where its reports are"
	@echo "make play       play in your browser, alone against programs"
	@echo "make demo-all   the same for every game that the program knows"
	@echo "make quick      what a rule can break: core, orders, steps, battles and the example campaign"
	@echo "make test       the fast tests"
	@echo "make test-slow  the long tests: all generated examples, statistics, extras, the built wheel"
	@echo "make test-browser  the reports and the order writer in a real Chromium"
	@echo "make test-mail  whole games over real mail servers: Dovecot and Postfix, started by root"
	@echo "make clauses    which test proves which clause of the rules; fails when one has none"
	@echo "make bench      the speed against its budget; ARGS=--quick: without the largest maps and the peer"
	@echo "make mutants    plant faults in battles and steps: which does no test notice? (about five minutes; ARGS=combat/siege.py)"
	@echo "make docs       the documentation as a site in build/docs;  make man: man pages in build/man"
	@echo "make evidence   run what the documentation claims, print a table, write its page; ARGS=--dice: dieharder, too"
	@echo "make image      build the container and let it play a week over its mail server: root, Debian's buildah, debootstrap"
	@echo "make look       photograph the pages with Chromium, for people to look at"
	@echo "make dev        install what all of these need, at once"
	@echo "make lint       ruff and mypy;  make format: let ruff rewrite the code"

# what the program needs
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "pbem needs Python 3.11 or newer"; exit 1; }
	@echo "setting up .venv ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) .
	@touch $@

# and what an extra of pyproject.toml adds to it
.venv/.with-%: $(READY)
	@echo "installing what '$*' needs ..."
	@$(PIP) '.[$*]'
	@touch $@

dev: .venv/.with-dev
	@touch $(patsubst %,.venv/.with-%,browser lint slow test)

demo: $(READY)
	@$(BIN)/python -m examples.medieval.demo

play: .venv/.with-play
	@$(BIN)/python -m gm play solo $(ARGS)

demo-all: $(READY)
	@$(BIN)/python -m examples.play

quick: .venv/.with-test
	$(PYTEST) $(FAST) tests/core tests/medieval tests/playthroughs $(ASIDE:%=--ignore-glob='tests/medieval/test_%*')

test: .venv/.with-test
	$(PYTEST) $(FAST) -rs --durations=5 --durations-min=5

test-slow: .venv/.with-slow
	$(PYTEST) --hypothesis-profile=all -m "(slow or hypothesis) and not servers and not browser"

test-browser: .venv/.with-browser
	$(PYTEST) -m browser tests/browser

test-mail: .venv/.with-test
	$(PYTEST) -m servers tests/mail

bench: $(READY)
	@$(BIN)/python -m bench $(ARGS)

lint: .venv/.with-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.density

format: .venv/.with-lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clauses: .venv/.with-slow
	@$(BIN)/python -m tests.clauses

mutants: .venv/.with-mutants
	$(BIN)/python -m tests.mutation --jobs $(JOBS) $(ARGS)

docs: .venv/.with-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build

man: .venv/.with-docs
	@$(BIN)/python docs/pages.py build/man

evidence: .venv/.with-slow
	@$(BIN)/python -m tests.evidence $(ARGS)

image:
	.ci/image $(ARGS)

look: .venv/.with-browser
	@$(BIN)/python -m tests.browser.look look

clean:
	rm -rf .venv demo look build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
