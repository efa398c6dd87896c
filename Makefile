# Everything that you do in this repository. `make` alone lists the targets.
# The files that a step makes, and stamps in .venv, record which steps are done, so that a second run takes only a moment.

.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory --no-builtin-rules

PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3)
VENV := .venv
BIN := $(VENV)/bin
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 2
MINUTES ?= 30
SECONDS ?= 60
EXAMPLES ?= 300
READER ?=
OPTIONS ?=

# Text from a person reaches the programs through the environment, and neither the shell nor make interprets it: $(value) takes
# it unexpanded, and the recipes quote the variable. So quotes, $ and backslashes arrive as they were typed.
override export TEXT := $(value TEXT)
override export FILE := $(value FILE)
override export ENTRY := $(value ENTRY)
override export ADD := $(value ADD)
# Everything that the model needs is local; a request to the hub would only cost time.
export HF_HUB_OFFLINE := 1

SERVE_STAMP := $(VENV)/.installed-serve
ALL_STAMP := $(VENV)/.installed-all
KNOWLEDGE := kb/artefacts/knowledge.bin
ENCODER := index/artefacts/encoder.json
INDEX := index/artefacts/manifest.json
CONFIDENCE := service/artefacts/confidence.json
# Folders are sources too: the time stamp of a folder shows that a file was removed.
KNOWLEDGE_SOURCES := $(shell find kb/entries kb/compat kb/derived -name __pycache__ -prune -o -print 2>/dev/null) $(wildcard kb/*.py kb/*.yaml kb/*.txt)

# One step after another: two pips at once damage an environment.
.NOTPARALLEL:

say = @printf '\n==> %s\n' "$(1)" >&2
failed = { printf '\n==> failed: %s\n' "$(1)" >&2; exit 1; }

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

## ---------------------------------------------------------------- environment

$(BIN)/python:
	$(call say,making $(VENV) with $(PYTHON))
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || $(call failed,$(PYTHON) is missing or older than 3.11. Name another one: make PYTHON=/path/to/python3.11 ...)
	@"$(PYTHON)" -m venv "$(VENV)" \
	  || { rm -rf "$(VENV)"; $(call failed,the environment could not be made. On Debian and Ubuntu: apt-get install python3.11-venv); }

# $(1): extras. torch alone is hundreds of MB, so the first installation takes minutes; pip shows the progress.
install = "$(BIN)/python" -m pip install --disable-pip-version-check --constraint requirements.txt --editable ".[$(1)]" \
	  || $(call failed,pip could not install the packages; the lines above say why. Run the same command again when the network works)

$(SERVE_STAMP): pyproject.toml setup.py requirements.txt | $(BIN)/python
	$(call say,installing what the build and the server need)
	@$(call install,build)
	@touch "$@"

$(ALL_STAMP): pyproject.toml setup.py requirements.txt | $(BIN)/python
	$(call say,installing TensorFlow and what else the build and the tests need)
	@$(call install,build$(comma)test$(comma)check)
	@touch "$(SERVE_STAMP)" "$@"

comma := ,

## ---------------------------------------------------------------- build products

$(KNOWLEDGE): $(KNOWLEDGE_SOURCES) | $(SERVE_STAMP)
	$(call say,compiling the knowledge base)
	@"$(BIN)/python" -m tfhelp.kb.compile || $(call failed,an entry or a table has a fault; the lines above name the file and the field)
	@touch "$@"

$(ENCODER): index/export.py index/encoder.py index/parity.py | $(KNOWLEDGE)
	$(call say,exporting the query encoder)
	@"$(BIN)/python" -m tfhelp.index.export || $(call failed,the encoder could not be exported; the line above says why)

$(INDEX): $(KNOWLEDGE) $(ENCODER) index/build.py index/vectors.py index/sentence_encoder.py
	$(call say,building the vector index)
	@"$(BIN)/python" -m tfhelp.index.build || $(call failed,the index could not be built; the line above says why)
	@touch "$@"

$(CONFIDENCE): $(INDEX) service/curation/fit.py service/curation/folds.py service/curation/training_cases.py service/diagnosis/features.py service/diagnosis/candidates.py
	$(call say,learning how much each sign counts)
	@"$(BIN)/python" -m tfhelp.service.curation.fit || $(call failed,the confidence could not be learned; the line above says why)

## ---------------------------------------------------------------- daily use

.PHONY: setup kb atlas index serve ask
setup: $(ALL_STAMP) $(CONFIDENCE) ## make .venv, install everything, compile the knowledge base and build the index
	$(call say,ready: make serve; make ask TEXT='...'; make test)

kb: $(KNOWLEDGE) ## compile the knowledge base

atlas: $(SERVE_STAMP) ## rebuild the atlas of names and messages from released wheels: make atlas ADD=keras==3.16.0
	@"$(BIN)/python" -m tfhelp.kb.atlas.build --cache build/atlas $(if $(ADD),--add "$$ADD") \
	  || $(call failed,the atlas could not be made; the line above says why)

index: $(CONFIDENCE) ## build the encoder and the vector index, and learn the confidence

serve: $(SERVE_STAMP) $(CONFIDENCE) ## serve the web form and the API at http://127.0.0.1:8000 (HOST=, PORT=, OPTIONS=--open-to-all)
	@exec "$(BIN)/tfhelp" serve --host "$(HOST)" --port "$(PORT)" $(OPTIONS)

ask: $(SERVE_STAMP) $(CONFIDENCE) ## ask about a text: make ask TEXT='...' or FILE=train.log
	@if [ -n "$$FILE" ]; then exec "$(BIN)/tfhelp" ask --file="$$FILE"; \
	elif [ -n "$$TEXT" ]; then printf '%s\n' "$$TEXT" | "$(BIN)/tfhelp" ask; \
	else $(call failed,say what to ask: make ask TEXT='...' or make ask FILE=train.log); fi

## ---------------------------------------------------------------- tests

.PHONY: test test-fast coverage check bench bench-growth bench-incidents sizing redaction record programs programs-all fuzz schema-test memory-test
test: $(ALL_STAMP) $(CONFIDENCE) programs ## run all tests
	$(call say,running all tests)
	@PATH="$(abspath $(BIN)):$$PATH" "$(BIN)/python" -m pytest -n "$(WORKERS)" --dist loadgroup

test-fast: $(ALL_STAMP) $(CONFIDENCE) ## run the tests that need no TensorFlow, browser or build
	@PATH="$(abspath $(BIN)):$$PATH" "$(BIN)/python" -m pytest -m "not slow" --dist loadgroup -n "$(WORKERS)"

# atheris keeps its findings in build/fuzz; the property tests run with fresh examples here, and with fixed ones in 'make test'.
fuzz: $(ALL_STAMP) $(CONFIDENCE) ## fuzz every reader of external input: make fuzz READER='json form' SECONDS=600
	@"$(BIN)/python" -m tests.fuzz $(READER) --seconds "$(SECONDS)"
	@[ -n "$(READER)" ] || "$(BIN)/python" -m pytest -m "not slow" -n "$(WORKERS)" --dist loadgroup --hypothesis-profile=fresh \
	  $$(grep -rl --include='test_*.py' '^from hypothesis\|^import hypothesis' tests)

schema-test: $(ALL_STAMP) $(CONFIDENCE) ## test every route of a real server against its description: make schema-test EXAMPLES=1000
	@TFHELP_SCHEMA_EXAMPLES="$(EXAMPLES)" "$(BIN)/python" -m pytest -n 0 --hypothesis-profile=fresh tests/fuzz/test_schema.py

memory-test: $(ALL_STAMP) $(CONFIDENCE) ## compare random calls of a team's memory with a model, in SQLite and in PostgreSQL
	@"$(BIN)/python" -m pytest -n 0 --hypothesis-profile=fresh tests/service/memory/test_stateful.py

coverage: $(ALL_STAMP) $(CONFIDENCE) ## run the fast tests and list the lines and branches that they miss
	@PATH="$(abspath $(BIN)):$$PATH" "$(BIN)/python" -m pytest -m "not slow" --dist loadgroup -n "$(WORKERS)" --cov --cov-report=term-missing

# Programs that the tests start and pip cannot install: a browser for the web form, nginx for the replicas. (shellcheck comes from pip or the system.)
programs: $(ALL_STAMP)
	@missing=""; \
	command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing="chromium"; \
	command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || missing="$$missing nginx"; \
	command -v shellcheck >/dev/null || [ -x "$(BIN)/shellcheck" ] || missing="$$missing shellcheck"; \
	[ -n "$$missing" ] || exit 0; \
	printf '\n==> installing with apt-get: %s\n' "$$missing" >&2; \
	root=""; [ "$$(id -u)" = 0 ] || root="sudo -n"; \
	{ $$root apt-get update -q; $$root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$missing; } \
	  || $(call failed,the tests need these programs and they could not be installed: $$missing)

check: $(ALL_STAMP) ## lint, formatting, types
	@"$(BIN)/ruff" check .
	@"$(BIN)/ruff" format --check .
	@$(link_types)
	@MYPYPATH=build/types "$(BIN)/mypy" -p tfhelp

# mypy cannot follow setuptools' mapping of the rooms to tfhelp.*, so links show it the installed layout.
link_types = rm -rf build/types; \
	for room in kb collectors index service; do \
	  mkdir -p "build/types/tfhelp/$$room"; \
	  for part in "$$room"/*; do ln -s "../../../../$$part" "build/types/tfhelp/$$room/"; done; \
	done; \
	rm build/types/tfhelp/kb/entries build/types/tfhelp/service/public; \
	for part in service/public/*; do ln -s "../../../$$part" build/types/tfhelp/; done

bench: $(ALL_STAMP) $(CONFIDENCE) wheel ## measure speed against peers, and correctness; writes the table of docs/benchmarks.md
	@"$(BIN)/python" -m tests.benchmarks

redaction: $(ALL_STAMP) ## insert made-up secrets, redact them, and count by kind those that redaction misses
	@"$(BIN)/python" -m tests.redaction

.PHONY: soak burst
soak: $(ALL_STAMP) $(CONFIDENCE) ## serve for half an hour at half load; fails if memory, descriptors, threads or processes grow (MINUTES=)
	@"$(BIN)/python" -m tests.benchmarks.soak --minutes "$(MINUTES)"

burst: $(ALL_STAMP) $(CONFIDENCE) ## send ten times the load that the service can answer; fails if accepted requests slow down
	@"$(BIN)/python" -m tests.benchmarks.burst

bench-growth: $(ALL_STAMP) $(CONFIDENCE) ## measure the cost of ten and a hundred times as much knowledge (an hour)
	@"$(BIN)/python" -m tests.benchmarks.growth

bench-incidents: $(ALL_STAMP) $(CONFIDENCE) ## measure a memory with a million failures (an hour, 12 GB); writes its table of docs/benchmarks.md
	@"$(BIN)/python" -m tests.benchmarks.incidents

sizing: $(ALL_STAMP) $(CONFIDENCE) ## measure the cost of a request; writes the tables of docs/sizing.md, after make bench-incidents
	@"$(BIN)/python" -m tests.benchmarks.sizing

programs-all: $(ALL_STAMP) $(CONFIDENCE) ## run every program that 'make test' runs only in turn (an hour)
	@TFHELP_EVERY_PROGRAM=1 PATH="$(abspath $(BIN)):$$PATH" "$(BIN)/python" -m pytest -n "$(WORKERS)" \
	  tests/faults/test_programs_run.py tests/faults/test_healthy.py tests/silent/test_watching.py tests/stopping/test_stopping.py

record: $(ALL_STAMP) ## run an entry's programs and record them: make record ENTRY=kb/entries/<family>/<entry>
	@[ -n "$$ENTRY" ] || $(call failed,say which entry: make record ENTRY=kb/entries/<family>/<entry>)
	@"$(BIN)/python" -m tests.faults.record "$$ENTRY"

## ---------------------------------------------------------------- packages

# Archives get the time of the last commit, so that two builds of it are identical bit for bit.
ifeq ($(strip $(SOURCE_DATE_EPOCH)),)
SOURCE_DATE_EPOCH := $(shell git log -1 --format=%ct 2>/dev/null || echo 1580601600)
endif
export SOURCE_DATE_EPOCH
SERVED := build/served/.made

.PHONY: wheel man lock sbom licences image-size release-check clean clean-index
man: $(SERVE_STAMP) ## write the manual page build/man/tfhelp.1 (read it with man -l)
	@mkdir -p build/man
	@"$(BIN)/tfhelp" man > build/man/tfhelp.1.new
	@mv build/man/tfhelp.1.new build/man/tfhelp.1

wheel: $(SERVE_STAMP) $(CONFIDENCE) man ## build the wheels of tfhelp and of tfhelp-notebook into dist/
	@rm -rf build/lib build/bdist.* dist/tfhelp-*.whl
	@"$(BIN)/python" -m pip wheel --no-deps --wheel-dir dist .
	@"$(MAKE)" notebook-wheel

# From a copy with fixed modes, because modes in the archive would otherwise depend on the umask of whoever builds it. (setup.py
# does the same for tfhelp's own wheel; one in the notebook's folder would be a module of tfhelp.)
.PHONY: notebook-wheel
notebook-wheel: | $(BIN)/python
	@rm -rf build/notebook dist/tfhelp_notebook-*.whl
	@umask 022 && mkdir -p build/notebook/kernel \
	  && install -m 644 service/doors/notebook/pyproject.toml service/doors/notebook/README.md build/notebook \
	  && install -m 644 service/doors/notebook/kernel/*.py build/notebook/kernel \
	  && "$(BIN)/python" -m pip wheel --no-deps --wheel-dir dist ./build/notebook

lock: $(ALL_STAMP) ## rewrite requirements.txt from .venv, and the locks with digests under deploy/
	@{ grep '^#' requirements.txt; "$(BIN)/python" -m pip freeze --exclude-editable | sed 's/+[a-z0-9.]*$$//'; } > requirements.new
	@mv requirements.new requirements.txt
	@$(call digests,serve,--extra hosting --extra otel)
	@$(call digests,build,--extra build --override -)

# $(1): name of the lock, $(2): more options. The lock has the digests of the files for every platform, so one lock is enough. torch is
# excluded by a requirement that no Python meets.
digests = { grep '^\#' deploy/$(1).lock; echo 'torch ; python_version < "3"' | "$(BIN)/uv" pip compile pyproject.toml $(2) \
	    --universal --python-version 3.11 --generate-hashes --constraint requirements.txt --no-header --no-annotate --quiet; \
	  } > deploy/$(1).new && mv deploy/$(1).new deploy/$(1).lock

# An installation of what is shipped: the lock and the wheel, without the build's tools. It is made again for each wheel, so that
# nothing is said of an older one.
$(SERVED): deploy/serve.lock tests/deploy/served.py wheel
	@"$(BIN)/python" -m tests.deploy.served environment
	@touch "$@"

sbom: $(SERVED) ## write the bill of materials of everything that is shipped (CycloneDX) to dist/tfhelp.cdx.json
	@"$(BIN)/python" -m tests.deploy.served sbom

licences: $(SERVED) ## write docs/licences.md, and the texts of all licences to dist/licences.txt
	@"$(BIN)/python" -m tests.deploy.served licences

image-size: $(SERVED) ## print the size of the image, calculated from its layers
	@"$(BIN)/python" -m tests.deploy.served size

release-check: check ## check whether this commit can be released: version, CHANGELOG, locks, no changes
	@"$(BIN)/python" -m tests.deploy.release

clean-index: ## remove the encoder, the vector index and the confidence
	@rm -rf index/artefacts service/artefacts

clean: clean-index ## remove everything that was built, but not .venv
	@rm -rf kb/artefacts build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache
	@find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +
