# Every target sets up what it needs; `make setup` alone does it without running anything.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
BROWSER := $(VENV)/.browser
OLDEST := .venv-oldest
# npm writes it when it has installed what package-lock.json names.
EXTENSION := editors/vscode/node_modules/.package-lock.json
# Packs extensions of VS Code. It has some two hundred packages of its own, so it is no dependency of the extension.
VSCE := @vscode/vsce@3.9.2

# Settings of the caller's shell that would send packages or imports elsewhere than into $(VENV),
# or have every start compile every module again.
unexport PYTHONHOME PYTHONPATH PYTHONDONTWRITEBYTECODE PIP_USER PIP_TARGET PIP_PREFIX PIP_REQUIRE_VIRTUALENV

# Workers share the cores, a module of tests at a time; each has a virtual display
# of its own. The longest begin first, so that no core waits for the other's last module. Windows come after all else,
# because real mouse clicks need prompt answers. A worker that dies ends the run with a failure: a new one in its place
# waits for ever.
SHARED_CORES := -n auto --dist loadfile --no-loadscope-reorder --max-worker-restart=0 -p tests.near.longest_first

# Hundreds of planted bugs, each diagnosed, and those of the example; what they are planted in is found right. The long
# searches of a diagnosis, for several bugs at once and for slips of an index.
FAULTS := $(filter-out tests/faults/test_checks.py,$(wildcard tests/faults/test_*.py)) tests/faults/fresh/test_fresh.py \
          tests/pure/diagnose/test_search.py tests/pure/diagnose/hypotheses/test_float_index_errors.py
# The bugs that rules may be written against. `everything` has those that they were not, which take half the time and
# tell more.
KNOWN := tests/faults/test_diagnosis.py
# All bugs in shaders of other languages and in effects, some of which `everything` has too.
TRANSLATED := tests/faults/test_every_language.py tests/faults/test_spirv.py tests/faults/test_effects.py
# One promise each, held for every operator by the nodes that ONNX tests it with.
OPERATORS := tests/gl/operators/test_conformance.py tests/gl/read_trace/test_every_operator.py tests/gl/read_trace/test_every_stray.py \
             tests/gl/read_trace/test_every_scan.py tests/pure/gradients/test_finite_differences.py tests/gl/gradients/test_backward_passes.py
# Training until something is learned, thousands of steps.
TRAINING := tests/gl/training/test_sine.py
# Whatever a window may be given, one after the other; a missing file and a shader that fails are tried with the rest.
# Before that what once did harm to a command, and a hundred files of strangers.
HOSTILE := tests/gl/fuzz/test_corpus_lines.py tests/gl/fuzz/test_corpus_answers.py \
           tests/gl/fuzz/test_files.py tests/gl/fuzz/test_models.py \
           tests/gui/test_bad_files.py tests/gui/test_hostile_shaders.py tests/gui/test_events.py
OFF_SCREEN := tests/gl tests/faults tests/installed/test_wheel.py tests/pure
# Shaders as people bring them, from the file to a compared pass by hand: a minute, of the half hour that CI has.
BROUGHT := tests/gui/test_brought_shaders.py
# A page of the docs, and whole features, worked by hand in the window; what is behind them is tested without one.
WALKS := $(patsubst %,tests/gui/test_%.py,looking debugging answer stepping manners \
           first_bug variables runs forms conventions inputs injecting) $(BROUGHT)
WINDOWS := $(filter-out $(HOSTILE) $(WALKS),$(wildcard tests/gui/test_*.py))
# Whole programs written, models reduced, loops of very many turns, every mode of ncnn, layouts of wrong shaders: off
# screen, and long.
SLOW := tests/gl/reduce/test_reduce.py tests/gl/export/test_eject.py tests/gl/dialects/ncnn/test_modes.py \
        tests/gl/operators/test_long_loops.py tests/gl/commands/test_numbers_beyond_measure.py \
        tests/gl/draft/test_wrong_shaders.py

.DEFAULT_GOAL := help
.PHONY: help setup run test everything near proposes faults fresh operators hostile windows slow oldest installed container drivers browser editors vscode tfjs webgl webgpu releases arrayapi commandlines conformance events fuzz kills machines models outside traces reduce training check format lint caps types snippets \
        pictures causes constraints site clean

help:  ## this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /make \1\t/' | expand -t 20

setup: $(READY)  ## .venv with the pinned packages, and the system's GL libraries

$(READY): pyproject.toml constraints.txt tools/setup.sh
	@tools/setup.sh $(PYTHON) $(VENV)
	@touch $@

$(OLDEST)/.ready: pyproject.toml constraints-oldest.txt tools/setup.sh
	@tools/setup.sh $(PYTHON) $(OLDEST) oldest
	@touch $@

run: $(READY)  ## the window; without a display, the same session as a table and snapshots
	@$(BIN)/python app.py

test: $(READY)  ## all tests but those of the targets below
	@$(BIN)/python -m pytest $(SHARED_CORES) $(FAULTS:%=--ignore=%) $(OPERATORS:%=--ignore=%) $(TRAINING:%=--ignore=%) $(HOSTILE:%=--ignore=%) $(SLOW:%=--ignore=%) $(OFF_SCREEN); \
	 off_screen=$$?; \
	 $(BIN)/python -m pytest $(SHARED_CORES) $(WINDOWS) && exit $$off_screen

# As one, so that workers start and import everything once.
everything: $(READY)  ## the tests of test, faults, operators, hostile, windows, slow and training; not BROUGHT of windows, KNOWN and TRANSLATED of faults
	@$(BIN)/python -m pytest $(SHARED_CORES) $(KNOWN:%=--ignore=%) $(TRANSLATED:%=--ignore=%) $(OFF_SCREEN); \
	 off_screen=$$?; \
	 $(BIN)/python -m pytest $(SHARED_CORES) $(BROUGHT:%=--ignore=%) tests/gui && exit $$off_screen

# One `--target` a list, so that what is left out is named with the target that runs it.
near: $(READY)  ## tests near to what differs from main, nearest first, in two minutes or BUDGET=seconds; SINCE=commit
	@$(BIN)/python -m tests.near --budget $(or $(BUDGET),120) $(SINCE:%=--since %) \
	  --target faults="$(FAULTS)" --target operators="$(OPERATORS)" --target training="$(TRAINING)" \
	  --target hostile="$(HOSTILE)" --target windows="$(WALKS)" --target slow="$(SLOW)" \
	  --target installed="$(filter-out $(OFF_SCREEN),$(wildcard tests/installed/test_*.py))" --target browser="$(wildcard tests/browser/test_*.py)" \
	  --target container="$(wildcard tests/container/test_*.py)" \
	  --target editors="$(wildcard tests/editors/test_*.py)" \
	  --target outside="$(wildcard tests/outside/test_*.py tests/outside/*/test_*.py)"

oldest: $(OLDEST)/.ready  ## tests of test that need no window, and of installed, with the oldest packages; in five minutes
	@$(OLDEST)/bin/python -m pytest $(SHARED_CORES) $(OPERATORS:%=--ignore=%) $(TRAINING:%=--ignore=%) $(HOSTILE:%=--ignore=%) $(SLOW:%=--ignore=%) \
	  $(FAULTS:%=--ignore=%) tests/gl tests/pure tests/installed

proposes: $(READY)  ## the planted bugs that CAUSE's rule proposes for, and what that explains, in minutes; LIMIT=n for a share
	@$(BIN)/python -m tests.faults.proposes $(CAUSE) $(LIMIT:%=--limit %)

faults: $(READY)  ## diagnosis on all planted bugs, those too that no rule was written against, in minutes
	@$(BIN)/python -m pytest $(SHARED_CORES) $(FAULTS)

fresh: $(READY)  ## diagnosis and repairs of bugs that no rule's author has seen, in two hours: totals by style
	@$(BIN)/python -m tests.faults.fresh.score --jobs 2

operators: $(READY)  ## every operator by a share of ONNX's own nodes: its values, its reads, its gradients; in two minutes
	@$(BIN)/python -m pytest $(SHARED_CORES) $(OPERATORS)

hostile: $(READY)  ## what once did harm; a window given bad files, shaders of any kind, random events; in a minute
	@$(BIN)/python -m pytest $(SHARED_CORES) $(HOSTILE)

windows: $(READY)  ## features worked by hand in the window, and the walk of docs/first-bug.md; in three minutes
	@$(BIN)/python -m pytest $(SHARED_CORES) $(WALKS)

slow: $(READY)  ## reductions, ejected programs, modes, long loops and large numbers; in a minute
	@$(BIN)/python -m pytest $(SHARED_CORES) $(SLOW)

installed: $(READY)  ## the tests of the installed command, in an environment that pip fills as a user's
	@$(BIN)/python -m pytest tests/installed --empty-environment

container: $(READY)  ## Containerfile built as a folder by debootstrap, and run by chroot, as root on Debian; in three minutes
	@tools/setup.sh $(PYTHON) $(VENV) container
	@$(BIN)/python -m pytest tests/container

drivers: $(READY)  ## every software driver that can be had on Debian, tried; writes docs/drivers.md, in half an hour, as root
	@tools/setup.sh $(PYTHON) $(VENV) drivers
	@$(BIN)/python -m tests.drivers

browser: $(READY) $(BROWSER)  ## the tests of the probe page and of the report's page in headless Chromium
	@$(BIN)/python -m pytest tests/browser

editors: $(READY) $(EXTENSION)  ## the extension for VS Code in Node, with both servers as processes; in two minutes
	@$(BIN)/python -m pytest tests/editors

vscode: $(EXTENSION)  ## the extension for VS Code, packed as out/texelscope-VERSION.vsix
	@mkdir -p out
	@cd editors/vscode && npx --yes $(VSCE) package --allow-missing-repository --out ../../out/

$(EXTENSION): editors/vscode/package-lock.json tools/setup.sh
	@tools/setup.sh $(PYTHON) $(VENV) editors
	@touch $@

tfjs: $(READY) $(BROWSER)  ## TensorFlow.js from npm, recorded in headless Chromium, its programs run and edited here
	@$(BIN)/python -m benchmarks.peers.install
	@$(BIN)/python -m pytest tests/browser/test_tfjs.py tests/browser/test_peers.py

webgl: $(READY) $(BROWSER)  ## three engines from npm, ONNX Runtime Web among them, recorded in headless Chromium, compared with a model and edited here
	@$(BIN)/python -m tests.browser.webgl_engines.fetch
	@$(BIN)/python -m pytest tests/browser/test_webgl.py tests/browser/test_webgl_engines.py

webgpu: $(READY) $(BROWSER)  ## TensorFlow.js and ONNX Runtime Web on WebGPU from npm, recorded in headless Chromium, run and edited here, in two minutes
	@$(BIN)/python -m tests.browser.webgpu_engines.fetch
	@$(BIN)/python -m pytest tests/browser/test_webgpu.py tests/browser/test_webgpu_engines.py

releases: $(READY) $(BROWSER)  ## three releases of TensorFlow.js: each pass held against their own CPU backend, in half an hour
	@$(BIN)/python -m tests.browser.tfjs_releases

arrayapi: $(READY)  ## every name of the Python array API on tensors, held against array-api-strict, which it fetches; in minutes
	@$(BIN)/python -m tests.array_api.fetch
	@$(BIN)/python -m tests.array_api

$(BROWSER): tools/setup.sh | $(READY)
	@tools/setup.sh $(PYTHON) $(VENV) browser
	@touch $@

commandlines: $(READY)  ## 400 odd command lines, in minutes: each is answered by a code of the help and a line
	@$(BIN)/python -m tests.command_lines

conformance: $(READY)  ## ONNX's node cases as passes, in minutes; writes docs/operators.md. OPERATOR=Conv alone takes seconds
	@$(BIN)/python -m tests.conformance $(OPERATOR:%=--operator %)

events: $(READY)  ## 1,000 opens that fail; 20,000 random strokes, files and saves on one window, 2,000 more of bad files; half an hour
	@$(BIN)/python -m tests.events
	@$(BIN)/python -m tests.events --opens 0 --count 2000 --drops 100

fuzz: $(READY)  ## 10,000 seeded files of strangers and 2,000 events on the window, in an hour or two; SEED=n COUNT=n
	@$(BIN)/python -m tests.fuzz --count $(or $(COUNT),10000) --seed $(or $(SEED),1) --every 500
	@$(BIN)/python -m tests.events --count 2000 --seed $(or $(SEED),1)

kills: $(READY)  ## 200 kills of what writes files, at random moments, in minutes: nothing is found half written
	@$(BIN)/python -m tests.kills

machines: $(READY)  ## other people's machines, imitated: tests and planted bugs on older drivers and other systems; in ten minutes
	@$(BIN)/python -m tests.machines

models: $(READY)  ## small models of every exporter, quantiser and optimiser; writes docs/models.md
	@$(BIN)/python -m tests.models

outside: $(READY)  ## files of others, fetched: shaders of mpv as published, every layer of ncnn that is known, in minutes
	@$(BIN)/python -m tests.outside.fetch
	@$(BIN)/python -m tests.outside.ncnn.fetch
	@$(BIN)/python -m pytest $(SHARED_CORES) tests/outside

traces: $(READY)  ## 300 traces of fragments of all kinds of shaders, each held against the texel, in minutes
	@$(BIN)/python -m tests.traces

reduce: $(READY)  ## faults planted in large networks, each reduced to one small pass, in minutes
	@$(BIN)/python -m benchmarks.reduce

training: $(READY)  ## a network learns the sine within half a minute, and 2,000 steps hold their memory; in minutes
	@$(BIN)/python -m pytest $(TRAINING)

check: lint types snippets test  ## format, lint, types, the snippets in the docs, tests

lint: $(READY)  ## format and lint, changing nothing
	@$(BIN)/ruff format --check --quiet . || { echo "make format puts this right"; exit 1; }
	@$(BIN)/ruff check --quiet .

caps: $(READY)  ## modules, functions and packages that have grown large, with the reasons of those that may; fails nothing
	@$(BIN)/python -m tests.caps

types: $(READY)  ## static types
	@tools/types.sh $(BIN)/mypy

snippets: $(READY)  ## run the Python and shell snippets of the docs
	@$(BIN)/python tools/run_snippets.py $(wildcard *.md) docs examples

format: $(READY)  ## format, and fix what lint can fix
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format --quiet .

site: $(READY)  ## the documentation as a site, out/site/index.html; a warning is an error
	@$(BIN)/python tools/build_site.py

pictures: $(READY)  ## take the pictures of the window anew, on a virtual display
	@$(BIN)/python docs/pictures.py

causes: $(READY)  ## plant the bugs anew and write docs/causes.md, in minutes. CAUSE=stride alone prints a table, in seconds
	@$(BIN)/python $(if $(CAUSE),-m tests.faults.score --names-only seen not_yet_named $(CAUSE),docs/make_causes.py)

constraints: $(READY) $(OLDEST)/.ready  ## write constraints.txt and constraints-oldest.txt anew, as installed
	@$(BIN)/python tools/pin_installed.py > constraints.new && mv constraints.new constraints.txt
	@$(OLDEST)/bin/python tools/pin_installed.py > constraints.new && mv constraints.new constraints-oldest.txt

clean:  ## remove .venv and all caches
	@rm -rf $(VENV) $(OLDEST) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
