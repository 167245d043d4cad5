# A fresh machine needs Python 3.11 or newer and make; everything else is installed into .venv, from lock files.

PYTHON ?= $(firstword $(foreach candidate,python3.13 python3.12 python3.11 python3 python,$(shell \
	$(candidate) -c 'import sys; sys.version_info >= (3, 11) and print("$(candidate)")' 2>/dev/null)))
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
RUN_READY := $(VENV)/.installed-run
DEV_READY := $(VENV)/.installed-dev
CORPUS ?= corpus/
SCENARIOS ?= corpus/conformance/scenarios
TESTS ?= tests
JOBS ?= auto
ENGINES ?= legacy,new
SEEDS ?= 20
MINUTES ?= 10
SEED ?= 1
FUZZED ?= .diffharness/fuzz

# Tests and runs start many processes, each of which would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run schedules fuzz equivalence migration test check bench dist lock protocol clean
.DELETE_ON_ERROR:

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

run: $(RUN_READY) ## Set up and run the corpus (CORPUS=path for another one, ARGS="--shard 1/3" for options)
	$(BIN)/diffharness run $(CORPUS) $(ARGS)

schedules: $(RUN_READY) ## Set up and run the scenarios under many schedules (ENGINES=name, SEEDS=n)
	$(BIN)/diffharness run --engines $(ENGINES) --schedules $(SEEDS) $(SCENARIOS)
	$(BIN)/diffharness run --engines $(ENGINES) --handover file --handover memory --handover process $(SCENARIOS)

fuzz: $(RUN_READY) ## Set up and run generated stories (MINUTES=n, SEED=n); new findings become cases in FUZZED=path
	@mkdir -p $(FUZZED)
	$(BIN)/diffharness fuzz --minutes $(MINUTES) --seed $(SEED) --jobs $$(getconf _NPROCESSORS_ONLN) \
		--save $(FUZZED)/cases --json $(FUZZED)/fuzz.json

equivalence: $(RUN_READY) ## Set up and run the equivalence tests of a Terraform or OpenTofu checkout (TESTS=path)
	$(BIN)/diffharness equivalence $(TESTS) $(ARGS)

# A run that shows differences ends with 1 or 3, and its page is written all the same.
migration: $(RUN_READY) ## Set up and renew docs/opentofu-migration.md from the recorded runtimes of OpenTofu
	$(BIN)/diffharness run corpus/opentofu-migration --engines recorded:opentofu-main,recorded:opentofu-main-new \
		--migration docs/opentofu-migration.md || test $$? -eq 1 -o $$? -eq 3

# pytest takes what "pip install ." leaves here for an installed plugin with all of our modules, and rewrites them.
test: check ## Set up, check, and run the whole test suite (TESTS=path for a part, JOBS=n for workers)
	@rm -rf diffharness.egg-info
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(TESTS)

check: $(DEV_READY) ## Set up and check style, types and prose, without running tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python tests/check_prose.py

bench: $(DEV_READY) ## Set up and measure what users wait for, beside terraform and tofu (ARGS="--rounds 7 --keep")
	$(BIN)/python -m benchmarks.summary $(ARGS)

dist: $(DEV_READY) ## Set up and build dist/: a wheel, an sdist, and one executable file, which is then tried
	$(BIN)/python -m distribution.build

lock: $(BIN)/python ## Renew requirements/*.lock from pyproject.toml
	$(PIP) install uv
	$(call compile_lock,--upgrade --extra dev,requirements/dev.lock)
	$(call compile_lock,--constraint requirements/dev.lock,requirements/run.lock)

# The generator has its own environment, and the version whose output the oldest protobuf we accept can load.
protocol: $(BIN)/python ## Renew the message classes of provider plugins from protocol.proto
	$(BIN)/python -m venv $(VENV)/protoc
	$(VENV)/protoc/bin/python -m pip --disable-pip-version-check --quiet install grpcio-tools==1.75.1
	$(VENV)/protoc/bin/python -m grpc_tools.protoc --proto_path=. --python_out=. --pyi_out=. \
		harness/plugins/wire/protocol.proto

clean: ## Remove the environment, the caches and everything built
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# One resolution for every platform and every Python from 3.11 on; no index is named, so each machine uses its own.
define compile_lock
$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
	--group build $(1) --output-file $(2) pyproject.toml
endef

# The package itself is installed without dependencies and without build isolation: the lock has provided everything.
define install_locked
$(PIP) install --require-hashes --requirement $(1)
$(PIP) install --no-deps --no-build-isolation --editable .
endef

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "diffharness needs Python 3.11 or newer, and none was found on PATH." \
		"Install one, or name it: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(RUN_READY): requirements/run.lock pyproject.toml | $(BIN)/python
	$(call install_locked,requirements/run.lock)
	@touch $@

# The development lock contains the other one, with the same versions.
$(DEV_READY): requirements/dev.lock pyproject.toml | $(BIN)/python
	$(call install_locked,requirements/dev.lock)
	@touch $(RUN_READY) $@
