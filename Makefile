# Everything a newcomer needs: `make demo` and `make test` set up all they use, in .venv, with pinned versions.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
SETUP := pyproject.toml constraints.txt

.PHONY: demo test browser lint catalogues lock clean

demo: $(VENV)/.ready
	$(BIN)/magister demo

# One worker more than cores: many tests wait for a browser or another program. So each needs one thread only. The tests
# start Python hundreds of times: what one has compiled serves the others, also where the environment says not to keep
# it; it stays out of the tree.
TEST_ENV := OPENCV_FOR_THREADS_NUM=1 OPENBLAS_NUM_THREADS=1 \
    PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(CURDIR)/$(VENV)/bytecode
test: $(VENV)/.ready-test $(VENV)/.compiled browser
	$(TEST_ENV) $(BIN)/python -m pytest -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --dist worksteal

# The first time, each worker would compile all tests and all they use, and all at the same moment.
$(VENV)/.compiled: $(VENV)/.ready-test
	for rooms in 'tests/engine tests/hardware tests/vision' 'tests/contract tests/firmware tests/webui'; do \
		$(TEST_ENV) $(BIN)/python -m pytest --collect-only --quiet $$rooms >/dev/null & \
	done; wait
	touch $@

# The page is tested in a real Chromium: found, or installed.
browser: $(VENV)/.ready-test
	$(BIN)/python tests/tools/browser.py

lint: $(VENV)/.ready-lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Take new texts of the source into the catalogues and compile them.
catalogues: $(VENV)/.ready-test
	$(BIN)/python tests/tools/catalogues.py

# Choose the newest versions that fit, for every platform and Python from 3.11 on.
lock: $(VENV)/.ready
	$(PIP) uv
	$(BIN)/uv pip compile --quiet --universal --upgrade --all-extras --python-version 3.11 pyproject.toml -o constraints.txt
	# What the installer puts on a machine, with the hash of every file.
	grep -v '^setuptools==' constraints.txt >constraints.part
	sed -n 's/^requires = \["\(.*\)"\]/\1/p' pyproject.toml | $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-annotate \
		--custom-compile-command "make lock" --python-version 3.11 --constraint constraints.part pyproject.toml - -o firmware/system/lock.txt
	rm constraints.part

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Magister Ludi needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: $(VENV)/bin/python $(SETUP)
	$(PIP) --editable .
	touch $@

$(VENV)/.ready-test: $(VENV)/.ready
	$(PIP) --editable '.[test,hub]'
	$(PIP) --no-deps picamera2==0.3.38 # only its source is read: the tests hold our camera against it
	touch $@

$(VENV)/.ready-lint: $(VENV)/.ready-test
	$(PIP) --editable '.[test,lint,hub]'
	touch $@

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
