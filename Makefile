# Bare `make` does what CI does. `make help` lists the targets.
PYTHON ?= python3
export PYTHON
BIN := .venv/bin
# Tests stay together with those of their file, which share what they have built, but a worker that is done takes from others.
# A worker more than there are processors: one of them is often waiting.
WORKERS = $(shell $(PYTHON) -c 'import os; print(min((os.cpu_count() or 1) + 1, 5))')
PARALLEL = -n $(WORKERS) --dist worksteal

.PHONY: ci help setup setup-tests setup-corpus setup-inspector setup-editors setup-clients setup-vscode setup-vscode-host setup-processors vsix dist lock index test verify fuzz soak lint docs docs-check bench bench-growth clean

ci: ## what CI does: the tests, the linters, the docs check
	@bash .ci/run

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup:
	@.ci/setup

setup-tests:
	@.ci/setup tests

setup-corpus: setup-tests
	@.ci/setup corpus

setup-inspector: setup-tests
	@.ci/setup inspector

setup-editors: setup-tests
	@.ci/setup editors

setup-clients: setup-tests
	@.ci/setup clients

setup-vscode: setup
	@.ci/setup vscode

setup-vscode-host: setup-tests
	@.ci/setup vscode-host

setup-processors: setup-tests
	@.ci/setup processors

vsix: setup-vscode ## make the extension for Visual Studio Code: dist/oblist-VERSION.vsix
	@.ci/vsix

dist: setup ## make the wheel and the archive of the sources in dist/, and check both
	rm -f dist/oblist-*.whl dist/oblist-*.tar.gz
	$(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/twine check --strict dist/oblist-*.whl dist/oblist-*.tar.gz
	$(BIN)/check-wheel-contents dist/oblist-*.whl

lock: setup ## renew .ci/requirements.txt: the newest versions that pyproject.toml allows, with their hashes
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra dev --generate-hashes \
	    --no-annotate --no-header --no-emit-index-url --output-file .ci/requirements.txt pyproject.toml

index: setup ## build the default index of the installed SBCL, and ask it a first question
	$(BIN)/oblist index
	$(BIN)/oblist describe mapcar

test: setup-tests ## the suite that CI runs
	$(BIN)/pytest -m 'not full' $(PARALLEL)

verify: setup-corpus setup-inspector setup-editors setup-clients setup-vscode-host setup-processors ## every bar in full: all tests, seeded samples replaced by everything
	TESTS_IN_FULL=1 $(BIN)/pytest --timeout 1800 $(PARALLEL)

fuzz: setup-tests ## try what others may write until something breaks: FUZZ_SECONDS for each target (600), FUZZ=name for one
	$(BIN)/python tests/fuzz/run.py --seconds $(or $(FUZZ_SECONDS),600) $(FUZZ)

soak: setup-tests ## all servers, asked by 16 clients while their project is edited, for SOAK_SECONDS (900): what grows, what is slow
	$(BIN)/python tests/soak/run.py --seconds $(or $(SOAK_SECONDS),900)

lint: setup ## ruff, mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: setup ## generate what is generated: docs/*.md, the output of the README's examples
	$(BIN)/python docs/generate.py

docs-check: setup ## fail when a generated part of the docs is out of date
	$(BIN)/python docs/generate.py --check

bench: setup ## the speed table: medians, and ratios within one run
	$(BIN)/python tests/bench/bench.py

bench-growth: setup ## the growth table: builds and questions from 30 thousand to 3 million symbols
	$(BIN)/python tests/bench/growth/bench.py $(GROWTH)

clean: ## remove the virtual environment and caches
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .test-cache dist build
