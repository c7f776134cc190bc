"""Conventions of the code: where libraries, printing and files are used, and no game is named."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml
from code_map import (
    FILES,
    PACKAGE,
    find_text_constants,
    list_imports,
    list_nodes,
    list_own_imports,
    module_name,
    read_code,
)
from conftest import ROOT

from cardgen.outputs.registry import OUTPUTS

# Library → the modules that may import it, by the beginning of their names.
ONLY_IN = {
    "yaml": ("core.yaml_",),
    "weasyprint": ("pdf.weasyprint_library",),
    "pikepdf": ("pdf.", "faces.", "book.book_pdf", "changes.change_list", "sheets.sheet_captions"),
    "reportlab": ("sheets.printer_profiles",),
    "pypdfium2": ("pdf.raster",),
    "typst": ("pdf.picture_conversion",),
    "ezdxf": ("sheets.cut_files",),
    "distributed": ("runtime.scale.dask",),
    "fsspec": ("runtime.scale.shared_store",),
    "openpyxl": ("translation.",),
    "polib": ("translation.",),
    "starlette": (
        "preview.server",
        "preview.auth",
        "preview.edit_endpoints",
        "preview.endpoints",
    ),
    "uvicorn": ("preview.server",),
    "watchfiles": ("preview.server",),
}


def test_outputs_do_not_know_each_other() -> None:
    outputs = {entry.target.partition(":")[0] for entry in OUTPUTS.values()}
    outputs.remove("outputs.single_cards")  # outputs of single cards share it
    for file in FILES:
        if module_name(file) in outputs:
            assert not outputs & set(list_own_imports(file)), file.name


@pytest.mark.parametrize("library", ONLY_IN)
def test_a_library_is_imported_in_its_place_only(library: str) -> None:
    importers = [
        module_name(file)
        for file in FILES
        if any(name.split(".")[0] == library for name in list_imports(file))
    ]
    assert importers
    assert all(name.startswith(ONLY_IN[library]) for name in importers), importers


SPEAKING = {"system_libraries", "runtime.processes", "runtime.worker_pool"}


def test_only_the_command_line_prints() -> None:
    """`libraries` is run by itself, too, while cardgen cannot; the supervisor speaks for a command
    that has died, and helpers answer in pickles."""
    for file in FILES:
        text = read_code(file)
        name = module_name(file)
        if name.split(".")[0] != "cli" and name not in SPEAKING:
            found = re.search(r"\bprint\(|sys\.std|(?:import|from) click", text)
            assert not found, f"{file.name}: {found}"


def test_every_line_goes_through_one_place() -> None:
    """`terminal.print_text` makes control characters visible; nothing else prints."""
    ways = re.compile(r"\b(?:click\.s?echo|print|print_exc)\(|sys\.std(?:out|err)")
    for file in (PACKAGE / "cli").glob("*.py"):
        if file.stem not in {"command_output", "terminal"}:
            assert not ways.search(read_code(file)), file.name


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
        for text, line in find_text_constants(file).items():
            assert text not in words, f"{file.name}:{line}"


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
        path.name: read_code(path)
        for path in PACKAGE.rglob("*")
        if path.suffix in {".py", ".css", ".conf"}
    }
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})\b", re.IGNORECASE)
    assert {name: named.findall(text) for name, text in texts.items() if named.search(text)} == {}
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
        for text, line in find_text_constants(file).items():
            assert text not in decks | players, f"{file.name}:{line}"


# Whatever reaches into the file system, by its name: reading, listing, writing, removing.
REACHING = frozenset({
    "read_bytes", "read_text", "write_bytes", "write_text", "open", "rglob", "glob", "iterdir",
    "unlink", "rmdir", "mkdir", "exists", "is_file", "is_dir", "is_symlink", "stat", "lstat",
    "rename", "symlink_to", "touch", "scandir", "listdir", "rmtree", "copyfile", "copytree", "move",
    "mkdtemp", "TemporaryDirectory", "lexists", "isfile", "isdir", "makedirs",
})  # fmt: skip
# Modules of the ways in and out, and of what is no game's: processes, libraries, packages.
WAYS = frozenset({
    "runtime.game_files", "runtime.fingerprint", "runtime.safe_files", "runtime.content_store",
    "core.work_limits", "runtime.scale.folder_store",
    "runtime.processes", "runtime.user_secret", "runtime.worker_pool", "pipeline.manifest",
    "assets.npm_client", "system_libraries",
})  # fmt: skip
# What else may reach, and for what: temporary folders of our own, the user's own folders, streams
# of a PDF, an address of a sheet.
MAY = {
    "__main__": {"open"},  # the null device, for closed streams
    "cli.terminal": {"open"},  # the null device, for a reader that has ended
    "changes.baselines": {"is_dir", "lexists"},
    "changes.revisions": {"TemporaryDirectory", "mkdir", "glob", "is_symlink", "iterdir"},
    "tabletop.tts_output": {"is_dir", "mkdir"},
    "pdf.picture_conversion": {"TemporaryDirectory"},
    "tabletop.tts_checker": {"is_symlink", "read_text"},
    "cli.build_arguments": {"is_dir"},
    "sheets.board_tiling": {"move"},  # an outline, by millimetres
    "sheets.sheet_guides": {"move"},
    "outputs.shop_outputs": {"read_bytes"},  # the content of a file to publish
    "tabletop.client_packages": {"read_bytes"},
    "outputs.contact_stats": {"write_text"},  # a method of its page
    "diff.html_page": {"read_text"},  # style and script of the page
    "words.languages": {"read_text"},
    "cli.preview_command": {"open"},  # the page, in a browser
    "game.table_fetch": {"open"},
    "sheets.printer_profiles": {"mkdir"},
    "pipeline.workspace": {"mkdir"},
    # A new game's folder is no game's yet; looks are cardgen's own.
    "cli.start_commands": {"exists", "is_dir", "iterdir", "mkdir"},
    "game.sheet_scan": {"open"},  # a part of a ZIP that is read already
    "game.box_specs": {"read_text"},
    "game.heading_words": {"read_text"},
    "starting.new_game": {"is_dir", "read_text"},
    "starting.picture_game": {"iterdir"},
    "starting.look_pictures": {"TemporaryDirectory"},
    "starting.table_game": {"TemporaryDirectory"},
    "starting.starter_files": {"mkdir", "write_bytes"},
    "looks.look_catalogue": {"glob", "read_text"},
    "looks.motif_words": {"read_text"},
    "pdf.composed_pdf": {"read_bytes"},
    "pdf.recolour": {"read_bytes"},
    "pdf.cmyk.page_conversion": {"read_bytes"},
    "pdf.preflight.bounded_streams": {"read_bytes"},
    "pdf.accessibility_tags": {"read_bytes"},
}


def test_files_are_reached_in_one_way_in_and_one_way_out() -> None:
    """Through `game_files` and `safe_files`, and what builds on them."""
    for file in FILES:
        name = module_name(file)
        reached = set()
        own = {dotted.rpartition(".")[2] for dotted in list_imports(file) if "cardgen" in dotted}
        others = own | {"store", "read", "self", "recipe"}
        for node in list_nodes(file):
            if isinstance(node, ast.Call):
                called = node.func
                name_called = getattr(called, "attr", getattr(called, "id", ""))
                if name_called not in REACHING:
                    continue
                given = ast.unparse(node.args[0]) if node.args else ""
                if given.startswith("io.BytesIO(") or given == "file":
                    continue  # a library opens what is read already
                if node.args and isinstance(called, ast.Attribute) and called.attr == "read_text":
                    continue  # a path's `read_text` takes no positional argument
                if isinstance(called, ast.Name) and called.id == "open":
                    reached.add("open")
                elif isinstance(called, ast.Attribute) and called.attr in REACHING:
                    of = called.value
                    if ast.unparse(of).rpartition(".")[2] not in others:
                        reached.add(called.attr)
        assert name in WAYS or reached <= MAY.get(name, set()), f"{name}: {sorted(reached)}"


# Patterns that begin at one place of a text, or are matched with texts of cardgen or a library.
_ANCHORED = frozenset({
    "book.editions", "book.page_numbers", "pdf.weasyprint_adapter",
    "translation.translation_status", "looks.scenery",
})  # fmt: skip
_ENDLESS_RUN = re.compile(r"\.\*\?(?!\)?\(\?:(?:\\.|[^()\\])*\|\\Z\))")


def test_searches_for_an_end_stop_at_the_end_of_the_text() -> None:
    """`<!--.*?-->` searches all the rest of a text for each beginning that has no end, which takes
    hours where a stranger wrote nothing but beginnings; `<!--.*?(?:-->|\\Z)` searches it once."""
    assert _ENDLESS_RUN.search(r"/\*.*?\*/")
    assert not _ENDLESS_RUN.search(r"/\*.*?(?:\*/|\Z)")
    for file in FILES:
        for node in list_nodes(file):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
                call = ast.unparse(node)
                if "DOTALL" in call and module_name(file) not in _ANCHORED:
                    for each in ast.walk(node):
                        if isinstance(each, ast.Constant) and isinstance(each.value, str | bytes):
                            text = each.value
                            text = text.decode("latin-1") if isinstance(text, bytes) else text
                            assert not _ENDLESS_RUN.search(text), text
