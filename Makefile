# make run    the page, in an environment of its own
# make test   the tests of every change, always the same, and what they need (test-long: all)
# make model  RUN=folder: a training run becomes the shipped model, with all that depends on it
# make shots  a picture of every exhibit at five sizes, in shots/
# make film   the animations at the top of both READMEs, recorded from the page
PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
# Each of a dozen processes would compile all sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-long fast check bench model shots film clean

run: .venv/run.stamp
	$(BIN)/python app.py $(ARGS)

# Lint and types beside the tests: their findings stand above the last line, and fail it too. The
# seed is that of the order, and of what a test draws without one of its own.
test: .venv/test.stamp
	$(BIN)/python -m pytest -p tests.check -n auto --maxprocesses 4 --dist worksteal --randomly-seed 1 $(ARGS)

# Every test and every case, in another order each time and with other random inputs; the first
# lines of a run say how to repeat it.
test-long: .venv/long.stamp
	HEADLIGHT_TESTS=long $(BIN)/python -m pytest -p tests.check -n auto --maxprocesses 4 --dist worksteal --randomly-seed $$(date +%s) $(ARGS)

# The tests that need neither the page nor patience nor other libraries; types are left to `make check`.
fast: .venv/test.stamp
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --ignore=tests/parity --ignore=tests/shell --ignore=tests/browser -m "not browser and not page and not slow" $(ARGS)

# What reads the code: lint, format, types and rooms, of Python and of the page's scripts.
check: .venv/test.stamp
	$(BIN)/python -m tests.check

bench: .venv/test.stamp
	$(BIN)/python -m bench $(ARGS)

model: .venv/run.stamp
	$(BIN)/python -m explorer.ship --run $(RUN) $(ARGS)

shots: .venv/test.stamp
	$(BIN)/python -m bench.shots $(ARGS)

film: .venv/test.stamp
	$(BIN)/python -m bench.film $(ARGS)
	$(BIN)/python -m bench.film --language zh --out docs/playing.zh.webp $(ARGS)

.venv/run.stamp: requirements.txt
	@$(PYTHON) -c 'import sys; ok = (3, 10) <= sys.version_info[:2] <= (3, 14); \
	  sys.exit(0 if ok else f"Headlight needs Python 3.10 to 3.14; {sys.executable} is {sys.version.split()[0]}. Use: make PYTHON=python3.13 ...")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/test.stamp: .venv/run.stamp tests/requirements.txt tests/javascript/package-lock.json
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r tests/requirements.txt
	$(BIN)/python -m tests.chromium
	$(BIN)/python -m tests.npm
	@touch $@

.venv/long.stamp: .venv/test.stamp tests/long.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r tests/long.txt
	@touch $@

clean:
	rm -rf .venv tests/javascript/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
