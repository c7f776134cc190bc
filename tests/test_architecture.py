"""The shape of the code, held: imports point down, and the engine knows no game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from conftest import ROOT

PACKAGE = ROOT / "cardgen"

# From the top down, as docs/architecture.md tells it: a module may import those of the lines below
# its own, and those after it in its line.
LAYERS = """
__main__
cli
cli.commands cli.changes cli.asking cli.telling
build steady publishing npm libraries
outputs
outputs.sheets
outputs.images
outputs.rulebook
outputs.contact
outputs.changed
outputs.tts
outputs.playground
outputs.playingcards
outputs.folder
outputs.mpc
outputs.tgc
outputs.cardpdfs
packs coverage
tabletop.installation
tabletop.proof
tabletop.checker
tabletop.save
tabletop.stock
tabletop.pictures tabletop.atlas
sheetjobs
changes.listing
artefacts
changes.bases changes.stamps
changes.states
faces
pdf.book
printing cutfiles
pdf.listing pdf.typeset pdf.shown pdf.painted pdf.peek pdf.checks
pdf.marks pdf.letters
pdf.measure pdf.soundness
pdf.press pdf.csswords
pdf.compose pdf.recolour pdf.redraw
pdf.operators pdf.raster pdf.vector pdf.facepdf pdf.calibration
tabletop.setup tabletop.seats tabletop.words tabletop.objects tabletop.layout
unprinted
book.kept book.book
book.writer book.plates book.drawing book.inline book.figures
book.rawhtml book.headings book.markdown
book.manuscript book.offers book.charts book.words book.pages book.model book
lettering
booklet fontfiles iconpaths hyphenation
renders templates misprints
project
guides silhouette tiling impose
printers
tabletop.declare
rules rulefigures rulekinds expressions colours
strays
decks tables schema fonts artwork texts npmfiles
looks
drawable
rasters
svg
sandbox wording syntax
changes.ledger changes.stylesheets changes.revisions
inventory
yamlnodes folding scope
changes.compare
slips
workers supervisor processes
geometry store turns filing tags variables paths model outline shops units problems inks writing
guard
signs contents
pdf tabletop changes __init__
"""
ORDER = LAYERS.split()
FILES = sorted(PACKAGE.rglob("*.py"))

# Library → the modules that may import it, by the beginning of their names.
ONLY_IN = {
    "yaml": "yamlnodes",
    "weasyprint": "pdf.",
    "pikepdf": "pdf.",
    "reportlab": "pdf.",
    "pypdfium2": "pdf.",
    "typst": "pdf.",
    "ezdxf": "cutfiles",
}


def name_of(file: Path) -> str:
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


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
        if dotted.startswith("cardgen."):
            words = dotted.split(".")[1:]
            ends = (".".join(words[:length]) for length in range(len(words), 0, -1))
            yield next((end for end in ends if end in ORDER), "__init__")


def test_every_module_has_its_place() -> None:
    assert sorted(map(name_of, FILES)) == sorted(ORDER)


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_imports_point_down(file: Path) -> None:
    """Which leaves no room for a circle."""
    place = ORDER.index(name_of(file))
    assert [other for other in own_imports(file) if ORDER.index(other) <= place] == []


def test_outputs_do_not_know_each_other() -> None:
    for file in (PACKAGE / "outputs").glob("[!_]*.py"):
        assert not any(other.startswith("outputs") for other in own_imports(file)), file.name


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_is_imported_in_its_place_only(library: str) -> None:
    importers = [
        name_of(file)
        for file in FILES
        if any(name.split(".")[0] == library for name in imported(file))
    ]
    assert importers
    assert all(name.startswith(ONLY_IN[library]) for name in importers), importers


def test_only_the_command_line_prints() -> None:
    """`libraries` is run by itself, too, while cardgen cannot; the supervisor speaks for a command
    that has died, and helpers answer in pickles."""
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        if name_of(file).split(".")[0] not in {"cli", "libraries", "supervisor", "workers"}:
            assert not any(word in text for word in ("print(", "sys.std", "click")), file.name


def test_every_line_goes_through_one_place() -> None:
    """`telling.say` shows what a terminal would obey; nothing is printed in another way."""
    ways = re.compile(r"\b(?:click\.s?echo|print|print_exc)\(|sys\.std(?:out|err)")
    for file in (PACKAGE / "cli").glob("*.py"):
        if file.stem != "telling":
            assert not ways.search(file.read_text(encoding="utf-8")), file.name


def words_of_the_flagship() -> set[str]:
    """Ids of its game, players, decks and shared kinds, and the fields that only it has."""
    game = yaml.safe_load((ROOT / "game.yaml").read_text(encoding="utf-8"))
    words = {game["game"], *(player["id"] for player in game["players"])}
    # Words of the engine's own that the flagship uses, too: arguments of rules, a font's table,
    # a print shop's order.
    common = {
        "name", "text", "type", "kind", "value", "number", "title", "units", "gives",
        "head", "icon", "common", "gap", "turn", "places", "note", "slots",
    }  # fmt: skip
    for file in (ROOT / "cards").glob("*.yaml"):
        deck = yaml.safe_load(file.read_text(encoding="utf-8"))
        words |= {file.stem, deck.get("deck"), deck.get("kind"), *deck.get("fields", ())}
    return words - common - {None, "rules"}


def test_the_engine_knows_no_game() -> None:
    """No text constant of the code is a word of the flagship's."""
    words = words_of_the_flagship()
    assert {"loot-city", "goods", "atrocity"} <= words
    for file in FILES:
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
    "paths", "filing", "store", "publishing", "turns", "npm", "libraries", "guard", "processes",
    "workers", "supervisor",
})  # fmt: skip
# What else may reach, and for what: temporary folders of our own, the user's own folders, streams
# of a PDF.
MAY = {
    "changes.bases": {"TemporaryDirectory", "mkdir", "is_dir", "lexists"},
    "changes.stamps": {"TemporaryDirectory"},
    "pdf.vector": {"TemporaryDirectory"},
    "tabletop.installation": {"is_dir", "mkdir"},
    "tabletop.checker": {"is_symlink"},
    "cli.asking": {"is_dir"},
    "printers": {"mkdir"},
    "steady": {"mkdir"},
    "pdf.compose": {"read_bytes"},
    "pdf.recolour": {"read_bytes"},
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
