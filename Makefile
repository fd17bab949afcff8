# Everything works from a fresh clone with Python 3.11+ and make; .venv is made on the way.
# Another interpreter: make clean; make PYTHON=python3.13 test

PYTHON ?= python3
ARGS ?=
# Processes that share the tests; auto is about one per core, 0 none but make's own.
WORKERS ?= auto

VENV := .venv
BIN := $(VENV)/bin

# An install counts when its stamp stands. WHOLE holds the folder that .venv was made in, and is
# gone while pip works: an interrupted install, a moved tree or a removed Python make .venv anew.
WHOLE := $(VENV)/.whole
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
$(shell test -x $(BIN)/python && test "$$(cat $(WHOLE) 2>/dev/null)" = "$$(pwd -P)" \
	|| rm -f $(WHOLE) $(RUNTIME) $(DEV))

export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_ROOT_USER_ACTION := ignore
export PIP_USER := 0

# Tests start many programs: compiled once is enough, whatever the machine prefers.
export PYTHONDONTWRITEBYTECODE :=

PYTEST = $(BIN)/pytest -n $(WORKERS) --maxprocesses 8 --dist worksteal

# Tests that start programs often wait for them: with one process more than cores, no core does.
PYTEST_WAITING = PYTEST_XDIST_AUTO_NUM_WORKERS=$$(($$(getconf _NPROCESSORS_ONLN) + 1)) $(PYTEST)

# Coverage takes two to three times as long: only tests that reach what no other does are measured.
# Those of engine and protocol are, without the longest; of the cheats, those that reach what is left.
LONGEST := $(patsubst %,tests/%.py, \
	engine/test_trees engine/fruitoplay/test_games engine/fruitoplay/test_trick \
	engine/frutopia/test_games \
	protocol/file/test_bytes protocol/peer/test_crossings \
	protocol/table/test_agreement_model protocol/table/test_forked_step_model \
	protocol/table/test_forker_model protocol/table/test_hop_model \
	protocol/table/test_whole_tables)
MEASURED = $(patsubst %,tests/adversary/test_%.py,choices encodings keys shares) \
	$(filter-out $(LONGEST),$(sort $(shell find tests/engine tests/protocol -name 'test_*.py')))

.PHONY: help .venv play test lint test-long bench translations manual clean
.NOTPARALLEL:
.DEFAULT_GOAL := help

help: ## print this list
	@awk -F ':.*## ' '/^[a-z.-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

.venv: $(RUNTIME) ## create .venv with what the program needs

play: $(RUNTIME) ## play against bots; options go in ARGS="..."
	@$(BIN)/p2pfruit play $(ARGS)

test: lint ## lint, then the tests, with coverage of engine and protocol
	$(measure)
	@echo "then the tests that are not measured" >&2
	@$(PYTEST_WAITING) $(addprefix --ignore=,$(MEASURED))

lint: $(DEV) ## ruff, mypy and the import contracts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

test-long: lint ## everything in test, with the slow tests and many more examples
	$(measure)
	HYPOTHESIS_PROFILE=long $(PYTEST_WAITING) -m '' --timeout 1800

bench: $(DEV) ## print how fast things are
	$(BIN)/python -m tests.bench

translations: $(DEV) ## bring the catalogues up to date with the code and compile them
	$(BIN)/pybabel -q extract -k plural:1,2 --no-location --sort-output \
		-o $(VENV)/messages.pot p2pfruit
	$(BIN)/pybabel -q update -N --ignore-pot-creation-date --ignore-obsolete -w 100 \
		-D p2pfruit -i $(VENV)/messages.pot -d p2pfruit/locale
	$(BIN)/pybabel -q compile -D p2pfruit -d p2pfruit/locale

manual: $(DEV) ## bring the manual page up to date with the command line
	$(BIN)/python -m p2pfruit.cli.manual >$(VENV)/p2pfruit.1
	mv $(VENV)/p2pfruit.1 docs/p2pfruit.1

clean: ## back to a fresh clone
	rm -rf $(VENV) .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache \
		.pytest_cache .ruff_cache build dist
	find engine protocol p2pfruit tests -name __pycache__ -type d -prune -exec rm -rf {} +

define measure
@echo "the tests that are measured: $(words $(MEASURED)) files" >&2
@$(PYTEST) --cov=engine --cov=protocol --cov-report= $(MEASURED)
$(BIN)/coverage report --include='engine/*,protocol/*' --fail-under=100
endef

$(WHOLE):
	@command -v "$(PYTHON)" >/dev/null || { \
		echo "error: $(PYTHON) not found" >&2; \
		echo "hint: install Python 3.11 or newer, or name one: make PYTHON=python3.13" >&2; \
		exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "error: p2pfruit needs Python 3.11 or newer; $(PYTHON) is" \
			"$$("$(PYTHON)" -V 2>&1)" >&2; \
		echo "hint: install a newer one, or name one: make PYTHON=python3.13" >&2; \
		exit 1; }
	@echo "creating $(VENV)" >&2
	@"$(PYTHON)" -m venv --clear $(VENV) >&2 || { \
		echo "error: $(PYTHON) could not create a virtual environment in $(VENV)" >&2; \
		echo "hint: on Debian and Ubuntu first run, as root: apt install python3-venv" >&2; \
		exit 1; }
	@pwd -P >$(WHOLE)

$(RUNTIME): pyproject.toml | $(WHOLE)
	$(call install,.)
	@touch $(RUNTIME)

$(DEV): pyproject.toml | $(WHOLE)
	$(call install,.[dev])
	@touch $(RUNTIME) $(DEV)

# pip warns of a cache that belongs to somebody else, or that has no place.
define install
@echo "installing $(1) into $(VENV): once, and again when pyproject.toml changes" >&2
@rm -f $(WHOLE)
@test -O "$${XDG_CACHE_HOME:-$$HOME}" || export PIP_NO_CACHE_DIR=1; \
	$(BIN)/python -m pip install --quiet --no-input --editable '$(1)' || { \
	echo "error: the install failed" >&2; \
	echo "hint: it downloads from the package index: check the network and try again" >&2; \
	exit 1; }
@pwd -P >$(WHOLE)
endef
