"""The shape of the code, held: imports point down, and the engine knows no game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
import yaml
from conftest import ROOT

from cardgen.base import code_digest
from cardgen.outputs.registry import OUTPUTS

PACKAGE = ROOT / "cardgen"

# From the top down, as docs/architecture.md tells it: the folders, and the few modules beside them.
# A module imports from its own floor and from those below.
FLOORS = [
    "__main__", "cli", "preview", "schemas", "build", "differing", "examining", "earlier",
    "request", "asking", "build_folder", "parts", "publishing",
    *code_digest.FLOORS, "libraries", "__init__",
]  # fmt: skip
FILES = sorted(PACKAGE.rglob("*.py"))
PACKAGES = sorted(
    ".".join(file.parent.relative_to(PACKAGE).parts)
    for file in FILES
    if file.name == "__init__.py" and file.parent != PACKAGE
)

# Library → the modules that may import it, by the beginning of their names.
ONLY_IN = {
    "yaml": ("base.yaml",),
    "weasyprint": ("pdf.library",),
    "pikepdf": ("pdf.", "faces.", "book.binding", "changes.list_pdf", "sheets.caption_forms"),
    "reportlab": ("sheets.calibration",),
    "pypdfium2": ("pdf.raster",),
    "typst": ("pdf.vector",),
    "ezdxf": ("sheets.cutfiles",),
    "distributed": ("base.cluster",),
    "fsspec": ("base.shared_store",),
    "openpyxl": ("game.translation.",),
    "polib": ("game.translation.",),
    "starlette": (
        "preview.serving",
        "preview.manners",
        "preview.answering",
        "preview.book_answers",
        "preview.sheet_answers",
        "preview.table_answers",
    ),
    "uvicorn": ("preview.serving", "preview.connections"),
    "watchfiles": ("preview.watching",),
}


def name_of(file: Path) -> str:
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


MODULES = {name_of(file) for file in FILES}


def imported(file: Path) -> Iterator[str]:
    """Whatever a module imports, within functions and under TYPE_CHECKING too."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are written out in full"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(file: Path) -> Iterator[str]:
    """The modules of cardgen that a module imports: the longest name that is one."""
    for dotted in imported(file):
        if dotted == "cardgen" or dotted.startswith("cardgen."):
            words = dotted.split(".")[1:]
            ends = (".".join(words[:length]) for length in range(len(words), 0, -1))
            yield next((end for end in ends if end in MODULES), "__init__")


def floor_of(module: str) -> int:
    return FLOORS.index(module.partition(".")[0])


def test_every_folder_and_module_at_the_top_is_a_floor() -> None:
    assert {name.partition(".")[0] for name in MODULES} == set(FLOORS)
    assert sum((PACKAGE / name).is_dir() for name in FLOORS) <= 14


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_imports_point_down(file: Path) -> None:
    """A folder lies wholly above or below any other."""
    own = floor_of(name_of(file))
    assert [other for other in own_imports(file) if floor_of(other) < own] == []


def test_modules_of_one_floor_go_in_no_circle() -> None:
    """Within a floor, too, one of two modules is the lower one."""
    graph = {name_of(file): set(own_imports(file)) - {name_of(file)} for file in FILES}
    for module in graph.keys() & {"__init__", *PACKAGES}:
        graph.pop(module)  # what a folder's __init__ brings together lies below it
    tuple(TopologicalSorter(graph).static_order())


def test_every_folder_says_what_comes_in_and_what_goes_out() -> None:
    for folder in PACKAGES:
        door = PACKAGE / folder.replace(".", "/") / "__init__.py"
        said = ast.get_docstring(ast.parse(door.read_text(encoding="utf-8")))
        assert len((said or "").splitlines()) >= 3, folder


def test_outputs_do_not_know_each_other() -> None:
    outputs = {type(made).__module__.removeprefix("cardgen.") for made in OUTPUTS.values()}
    for file in FILES:
        if name_of(file) in outputs:
            assert not outputs & set(own_imports(file)), file.name


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_is_imported_in_its_place_only(library: str) -> None:
    importers = [
        name_of(file)
        for file in FILES
        if any(name.split(".")[0] == library for name in imported(file))
    ]
    assert importers
    assert all(name.startswith(ONLY_IN[library]) for name in importers), importers


SPEAKING = {"libraries", "base.supervisor", "base.workers"}


def test_only_the_command_line_prints() -> None:
    """`libraries` is run by itself, too, while cardgen cannot; the supervisor speaks for a command
    that has died, and helpers answer in pickles."""
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        name = name_of(file)
        if name.split(".")[0] != "cli" and name not in SPEAKING:
            words = ("print(", "sys.std", "import click", "from click")
            assert not any(word in text for word in words), file.name


def test_every_line_goes_through_one_place() -> None:
    """`saying.say` shows what a terminal would obey, and so does `report`, which asks what a
    terminal is and prints JSON; nothing is printed in another way."""
    ways = re.compile(r"\b(?:click\.s?echo|print|print_exc)\(|sys\.std(?:out|err)")
    for file in (PACKAGE / "cli").glob("*.py"):
        if file.stem not in {"report", "saying"}:
            assert not ways.search(file.read_text(encoding="utf-8")), file.name


def words_of_the_flagship() -> set[str]:
    """Ids of its game, players, decks and shared kinds, and the fields that only it has."""
    game = yaml.safe_load((ROOT / "game.yaml").read_text(encoding="utf-8"))
    words = {game["game"], *(player["id"] for player in game["players"])}
    # Words of the engine's own that the flagship uses, too: arguments of rules, a font's table,
    # a print shop's order.
    common = {
        "name", "text", "type", "kind", "value", "number", "title", "units", "gives",
        "head", "icon", "common", "gap", "turn", "places", "note", "slots", "level",
        # Those of rules about what is drawn.
        "any", "when", "draws", "exactly",
        # Where on a face something lies; what a page's PDF is painted with; a track's spaces.
        "place", "states", "first", "last",
    }  # fmt: skip
    for file in (ROOT / "cards").glob("*.yaml"):
        deck = yaml.safe_load(file.read_text(encoding="utf-8"))
        words |= {file.stem, deck.get("deck"), deck.get("kind"), *deck.get("fields", ())}
    return words - common - {None, "rules"}


def test_the_engine_knows_no_game() -> None:
    """No text constant of the code is a word of the flagship's."""
    words = words_of_the_flagship() - {"picture"}
    assert {"loot-city", "goods", "atrocity"} <= words
    for file in FILES:
        if {"looks", "starting"} & set(file.parts):
            continue  # they know what cards have anywhere: a cost, a picture
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant):
                assert node.value not in words, f"{file.name}:{node.lineno}"


GAMES = [ROOT, *sorted(folder.parent for folder in (ROOT / "games").glob("*/game.yaml"))]
# Words of the trade that games use as ids, too, and players' ids of two letters.
TRADE = frozenset({
    "at", "back", "base", "board", "end", "figures", "link", "markers", "notes", "pictures",
    "places", "reference",
})  # fmt: skip


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_game_is_named_in_the_engine(game: Path) -> None:
    """Neither its name nor a deck's id, nor a longer word of its title, in any file of the code."""
    told = yaml.safe_load((game / "game.yaml").read_text(encoding="utf-8"))
    titles = {word for title in told["title"].values() for word in re.findall(r"\w{6,}", title)}
    words = {told["game"], *(() if game == ROOT else (game.name,)), *titles}
    words -= {"against", "vastaan", "Faceless"}
    texts = {
        path.name: path.read_text(encoding="utf-8")
        for path in PACKAGE.rglob("*")
        if path.suffix in {".py", ".css", ".conf"}
    }
    for word in words:
        named = re.compile(rf"\b{re.escape(word)}\b", re.IGNORECASE)
        assert [name for name, text in texts.items() if named.search(text)] == [], word
    decks = (
        {
            yaml.safe_load(file.read_text(encoding="utf-8")).get("deck")
            for file in (game / "cards").glob("*.yaml")
        }
        - TRADE
        - {None}
    )
    players = {player["id"] for player in told.get("players", ()) if len(player["id"]) > 2}
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant):
                assert node.value not in decks | players, f"{file.name}:{node.lineno}"


# Whatever reaches into the file system, by its name: reading, listing, writing, removing.
REACHING = frozenset({
    "read_bytes", "read_text", "write_bytes", "write_text", "open", "rglob", "glob", "iterdir",
    "unlink", "rmdir", "mkdir", "exists", "is_file", "is_dir", "is_symlink", "stat", "lstat",
    "rename", "symlink_to", "touch", "scandir", "listdir", "rmtree", "copyfile", "copytree", "move",
    "mkdtemp", "TemporaryDirectory", "lexists", "isfile", "isdir", "makedirs",
})  # fmt: skip
# Modules of the ways in and out, and of what is no game's: processes, libraries, packages.
WAYS = frozenset({
    "base.paths", "base.noted", "base.standing", "base.filing", "base.store", "base.folder_lock",
    "base.guard", "base.folder_store",
    "base.processes", "base.workers", "base.supervisor", "publishing", "assets.npm", "libraries",
})  # fmt: skip
# What else may reach, and for what: temporary folders of our own, the user's own folders, streams
# of a PDF, an address of a sheet.
MAY = {
    "changes.baselines": {"is_dir", "lexists"},
    "changes.revisions": {"TemporaryDirectory", "mkdir"},
    "changes.stamps": {"TemporaryDirectory"},
    "pdf.vector": {"TemporaryDirectory"},
    "outputs.tables.installation": {"is_dir", "mkdir"},
    "outputs.tables.checker": {"is_symlink"},
    "cli.arguments": {"is_dir"},
    "cli.previewing": {"open"},  # the page, in a browser
    "preview.addresses": {"mkdir"},
    "game.fetching": {"open"},
    "sheets.printers": {"mkdir"},
    "build_folder": {"mkdir"},
    "parts": {"is_symlink"},
    # A new game's folder is no game's yet; looks are cardgen's own.
    "cli.starting": {"exists", "is_dir", "iterdir", "mkdir"},
    "game.far_cells": {"open"},  # a part of a ZIP that is read already
    "game.starting.new_game": {"read_text"},
    "game.starting.from_table": {"TemporaryDirectory", "mkdir", "write_bytes"},
    "game.looks.catalogue": {"glob", "read_text"},
    "pdf.compose": {"read_bytes"},
    "pdf.recolour": {"read_bytes"},
    "pdf.press.gradients": {"read_bytes"},
    "pdf.preflight.streams": {"read_bytes"},
    "pdf.tags": {"read_bytes"},
}


def test_files_are_reached_in_one_way_in_and_one_way_out() -> None:
    """Through `paths` and `filing`, and what builds on them."""
    others = {"paths", "filing", "store", "read", "self"}
    for file in FILES:
        name = name_of(file)
        reached = set()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called, given = node.func, ast.unparse(node.args[0]) if node.args else ""
                if given.startswith("io.BytesIO(") or given == "file":
                    continue  # a library opens what is read already
                if isinstance(called, ast.Name) and called.id == "open":
                    reached.add("open")
                elif isinstance(called, ast.Attribute) and called.attr in REACHING:
                    of = called.value
                    if not (isinstance(of, ast.Name) and of.id in others):
                        reached.add(called.attr)
        assert name in WAYS or reached <= MAY.get(name, set()), f"{name}: {sorted(reached)}"
