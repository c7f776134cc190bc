"""Attacks that read and write elsewhere, or wait for ever: links, pipes, names, addresses."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from trials.attack import (
    BOX,
    DECK,
    EITHER,
    SMALL,
    Attack,
    Content,
    Place,
    cards,
)  # fmt: skip

MANY = {"cards/loot.yaml": cards(60)}
CARD = "  - {id: school, name: School}\n"


def linked(name: str, links: Mapping[str, str], command: tuple[str, ...] = ("build",),
           files: Mapping[str, Content] | None = None, first: tuple[str, ...] = ()) -> Attack:  # fmt: skip
    """Links in the game that lead elsewhere; `first` is a command that is run before."""

    def make(place: Place) -> None:
        if first:
            subprocess.run([str(Path(sys.executable).parent / "cardgen"), first[0], str(place.game),
                            *first[1:]], capture_output=True, check=False)  # fmt: skip
        for link, target in links.items():
            _remove(place.game / link)
            place.link(link, place.filled(target))

    return Attack(f"link/{name}", files or MANY, (), EITHER, made=make, command=command)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        for child in path.iterdir():
            _remove(child)
        path.rmdir()
    else:
        path.unlink(missing_ok=True)


def special(kind: str, name: str, command: tuple[str, ...] = ("build",),
            files: Mapping[str, Content] | None = None) -> Attack:  # fmt: skip
    """A pipe or a socket in place of a file: whoever opens it waits for ever."""

    def make(place: Place) -> None:
        path = place.game / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove(path)
        if kind == "pipe":
            os.mkfifo(path)
            return
        here = Path.cwd()
        try:  # the address of a socket is short
            os.chdir(path.parent)
            with socket.socket(socket.AF_UNIX) as made:
                made.bind(path.name)
        finally:
            os.chdir(here)

    label = name.replace("/", "-").replace(".", "-").strip("-")
    return Attack(f"{kind}/{label}", files or {}, (), EITHER, made=make, command=command)


OWN_TABLE: dict[str, Content] = {
    "cards/loot.yaml": DECK.replace("cards:", "rows: loot.csv\ncards:") + CARD
}
OWN_ART: dict[str, Content] = {
    "templates/loot.html": '<img class="box" src="art/a.svg"><img class="box" src="art/a.png">'
}
OWN_PATTERN: dict[str, Content] = {
    "fonts/fonts.yaml": "fonts:\n  - family: Roboto Condensed\nhyphenation: {en: x}\n"
}
IN_PACKAGE: dict[str, Content] = {
    **{key: value for key, value in SMALL.items() if not key.endswith("woff2")},
    "fonts/fonts.yaml": "fonts:\n  - {family: Roboto Condensed, package: '@fontsource/roboto-condensed'}\n",
}
SAVE = json.dumps({"ObjectStates": [{"Name": "Card", "CardID": 100, "CustomDeck": {
    "1": {"FaceURL": "a.png", "BackURL": "a.png", "NumWidth": 1, "NumHeight": 1}}}]})  # fmt: skip
WAITING: tuple[tuple[str, Mapping[str, Content], tuple[str, ...]], ...] = (
    ("game.yaml", {}, ("build",)),
    ("cards/loot.yaml", {}, ("build",)),
    ("cards/rules.yaml", {}, ("build",)),
    ("cards/loot.csv", OWN_TABLE, ("build",)),
    ("templates/loot.html", {}, ("build",)),
    ("templates/loot.css", {}, ("build",)),
    ("templates/part.html", {"templates/loot.html": '{% include "part.html" %}'}, ("build",)),
    ("art/a.svg", OWN_ART, ("build",)),
    ("art/a.png", OWN_ART, ("build",)),
    ("art/icons/coin.svg", {}, ("build",)),
    ("fonts/fonts.yaml", {}, ("build",)),
    ("fonts/roboto-condensed-400-normal.woff2", {}, ("build",)),
    ("fonts/node_modules/@fontsource/roboto-condensed/files/roboto-condensed-latin-400-normal.woff2",
     IN_PACKAGE, ("build",)),
    ("fonts/node_modules/hyphen/patterns/x.js", OWN_PATTERN, ("build",)),
    ("fonts/package.json", {}, ("fonts",)),
    ("fonts/package-lock.json", {"fonts/package.json": "{}"}, ("fonts",)),
    ("rulebook/en.md", {}, ("build",)),
    ("rulebook/book.css", {"rulebook/en.md": "# One\n"}, ("build",)),
    ("table.yaml", {}, ("build", "tts")),
    ("printed.yaml", {}, ("build", "sheets", "--changed")),
    ("build/.cardgen.json", {}, ("build",)),
    ("build/en/sheets.pdf", {}, ("build",)),
    ("build/.store/faces", {}, ("build",)),
    ("build/.store", {}, ("build",)),
    ("build", {}, ("build",)),
    ("save.json", {}, ("check-tts", "@GAME@/save.json")),
    ("a.png", {"save.json": SAVE}, ("check-tts", "@GAME@/save.json")),
)  # fmt: skip
PIPES = tuple(special("pipe", name, command, files) for name, files, command in WAITING)
SOCKETS = tuple(special("socket", name, command, files) for name, files, command in WAITING[:12:3])
KINDS = ("faces", "rendered", "drawn", "art", "fonts", "books", "hyphenation")
FOLDER = "@ELSEWHERE@/folder"
LINKS: tuple[Attack, ...] = (
    *(linked(f"store-{kind}", {f"build/.store/{kind}": FOLDER}) for kind in KINDS),
    *(linked(f"store-{kind}-fresh", {f"build/.store/{kind}": FOLDER}, ("build", "--fresh")) for kind in KINDS[:2]),
    linked("store", {"build/.store": FOLDER}),
    linked("store-fresh", {"build/.store": FOLDER}, ("build", "--fresh")),
    linked("store-at-check", {"build/.store": FOLDER}, ("check",)),
    linked("build", {"build": FOLDER}),
    linked("build-fresh", {"build": FOLDER}, ("build", "--fresh")),
    linked("build-clean", {"build": FOLDER}, ("clean",)),
    linked("build-within", {"build": "cards"}),
    linked("build-within-clean", {"build": "cards"}, ("clean",)),
    linked("language", {"build/en": FOLDER}),
    linked("language-later", {"build/en": FOLDER}, first=("build", "sheets")),
    linked("images", {"build/en/images": FOLDER}),
    linked("images-of-a-deck", {"build/en/images/loot": FOLDER}),
    linked("images-clean", {"build/en/images": FOLDER}, ("clean",), first=("build",)),
    linked("sheets", {"build/en/sheets.pdf": "@ELSEWHERE@/secret.txt"}),
    linked("sheets-of-a-deck", {"build/en/sheets/loot.pdf": "@ELSEWHERE@/secret.txt"}),
    linked("manifest", {"build/.cardgen.json": "@ELSEWHERE@/secret.json"}),
    linked("table-of-the-game", {"build/en/tts": FOLDER}, ("build", "tts")),
    linked("tables-of-the-game", {"build/en/tts/images": FOLDER}, ("build", "tts")),
    linked("playground", {"build/en/tabletop-playground": FOLDER}, ("build", "tabletop-playground")),
    linked("folder", {"build/en/folder": FOLDER}, ("build", "folder")),
    linked("calibration", {"build/calibration.pdf": "@ELSEWHERE@/secret.txt"}, ("calibrate",)),
    linked("calibration-folder", {"build": FOLDER}, ("calibrate",)),
    linked("printed", {"printed.yaml": "@ELSEWHERE@/secret.yaml"}, ("printed",)),
    linked("printed-read", {"printed.yaml": "@ELSEWHERE@/secret.yaml"}, ("build", "sheets", "--changed")),
    linked("faces-one-by-one", {f"build/.store/faces/{n}.pdf": f"@ELSEWHERE@/folder/{n}.pdf" for n in range(500)}),
    linked("cards", {"cards": "@ELSEWHERE@"}),
    linked("templates", {"templates": "@ELSEWHERE@"}),
    linked("art", {"art": "@ELSEWHERE@"}, files={"templates/loot.html": '<img class="box" src="art/secret.svg">'}),
    linked("fonts", {"fonts": "@ELSEWHERE@"}),
    linked("rulebook", {"rulebook": "@ELSEWHERE@"}),
    linked("deck", {"cards/secret.yaml": "@ELSEWHERE@/secret.yaml"}),
    linked("table", {"cards/loot.csv": "@ELSEWHERE@/secret.csv"}, files=OWN_TABLE),
    linked("template", {"templates/loot.html": "@ELSEWHERE@/secret.html"}),
    linked("style", {"templates/loot.css": "@ELSEWHERE@/secret.css"}),
    linked("icon", {"art/icons/coin.svg": "@ELSEWHERE@/secret.svg"}),
    linked("book", {"rulebook/en.md": "@ELSEWHERE@/secret.md"}),
    linked("book-style", {"rulebook/book.css": "@ELSEWHERE@/secret.css"}, files={"rulebook/en.md": "# One\n"}),
    linked("rules", {"cards/rules.yaml": "@ELSEWHERE@/secret.yaml"}),
    linked("things-on-the-table", {"table.yaml": "@ELSEWHERE@/secret.yaml"}),
    linked("game", {"game.yaml": "@ELSEWHERE@/secret.yaml"}),
    linked("zero", {"templates/loot.css": "/dev/zero", "art/a.png": "/dev/zero", "cards/b.yaml": "/dev/zero",
                    "rulebook/en.md": "/dev/zero", "art/icons/a.svg": "/dev/zero"}),
    linked("tty", {"templates/loot.css": "/dev/tty", "cards/b.yaml": "/dev/stdin", "rulebook/en.md": "/proc/self/mem"}),
    linked("loop-of-two", {"cards/a.yaml": "b.yaml", "cards/b.yaml": "a.yaml"}),
    linked("loop-game", {"game.yaml": "game.yaml"}),
    linked("loop-template", {"templates/loot.html": "loot.html"}),
    linked("loop-style", {"templates/loot.css": "loot.css"}),
    linked("loop-art", {"art/a.svg": "a.svg"}, files=OWN_ART),
    linked("loop-icon", {"art/icons/a.svg": "a.svg"}),
    linked("loop-font", {"fonts/roboto-condensed-400-normal.woff2": "roboto-condensed-400-normal.woff2"}),
    linked("loop-fonts", {"fonts/fonts.yaml": "fonts.yaml"}),
    linked("loop-book", {"rulebook/en.md": "en.md"}),
    linked("loop-table", {"table.yaml": "table.yaml"}),
    linked("loop-rules", {"cards/rules.yaml": "rules.yaml"}),
    linked("loop-printed", {"printed.yaml": "printed.yaml"}, ("build", "sheets", "--changed")),
    linked("loop-build", {"build": "build"}),
    linked("loop-store", {"build/.store": ".store"}),
    linked("loop-store-kind", {"build/.store/faces": "faces"}),
    linked("loop-language", {"build/en": "en"}),
    linked("loop-sheets", {"build/en/sheets.pdf": "sheets.pdf"}),
    linked("loop-manifest", {"build/.cardgen.json": ".cardgen.json"}),
    linked("folder-in-itself", {"art/in": ".", "templates/in": "."}, files={
        "templates/loot.html": '<img class="box" src="art/nowhere.svg">{% include "nowhere.html" %}'}),
    linked("root-as-art", {"art/all": "/"}, files={"templates/loot.html": '<img class="box" src="art/nowhere.svg">'}),
    linked("root-as-art-itself", {"art": "/"}, files={"templates/loot.html": '<img class="box" src="art/nowhere.svg">'}),
    linked("root-as-templates", {"templates/all": "/"}, files={
        "cards/loot.yaml": DECK.replace("loot.css", "nowhere.css").replace("loot.html", "nowhere.html") + CARD}),
    linked("root-as-cards", {"cards/all": "/"}),
    linked("root-as-rulebook", {"rulebook": "/"}),
    linked("root-as-fonts", {"fonts/node_modules": "/"}),
    linked("root-as-icons", {"art/icons": "/"}),
)  # fmt: skip


def misnamed(folder: str, end: bytes, content: str) -> Attack:
    """A file whose name is no UTF-8."""

    def make(place: Place) -> None:
        path = os.fsencode(place.game / folder)
        os.makedirs(path, exist_ok=True)  # noqa: PTH103
        with open(os.path.join(path, b"\xff\xfe" + end), "w") as file:  # noqa: PTH118, PTH123
            file.write(content)

    return Attack(
        f"name/no-utf-8-in-{folder.replace('/', '-')}",
        {},
        (),
        EITHER,
        made=make,
        command=("build",),
    )


SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
NAMES: tuple[Attack, ...] = (
    misnamed("cards", b".yaml", DECK + CARD),
    misnamed("templates", b".html", BOX),
    misnamed("art", b".svg", SQUARE),
    misnamed("art/icons", b".svg", SQUARE),
    misnamed("rulebook", b".md", "# One\n"),
    misnamed("fonts", b"-400-normal.ttf", "x"),
    misnamed("build/en/images/loot", b".png", "x"),
    misnamed("build/.store/faces", b".pdf", "x"),
    Attack("name/escapes", {
        "cards/\x1b[2Ja.yaml": "x: y\n", "cards/\u202ea.yaml": "x: y\n", "art/icons/\x07.svg": "x",
        "templates/\x9b.css": "x", "rulebook/\x1b]0;x\x07.md": "# One\n"}, (), EITHER),
    Attack("name/lines", {"cards/a\nb.yaml": "x: y\n", "art/icons/a\nb.svg": SQUARE}, (), EITHER),
)  # fmt: skip
READS: tuple[Attack, ...] = tuple(
    Attack(f"read/{name}", files, (), EITHER, command=("build",))
    for name, files in {
        "art-above": {"templates/loot.html": '<img class="box" src="../../elsewhere/secret.svg">'},
        "art-by-dots": {"templates/loot.html": '<img class="box" src="art/../../elsewhere/secret.svg">'},
        "art-in-percents": {"templates/loot.html": '<img class="box" src="art/%2e%2e/%2e%2e/elsewhere/secret.svg">'},
        "art-absolute": {"templates/loot.html": '<img class="box" src="@ELSEWHERE@/secret.svg">'},
        "art-as-a-file": {"templates/loot.html": '<img class="box" src="file://@ELSEWHERE@/secret.svg">'},
        "art-by-host": {"templates/loot.html": '<img class="box" src="http://game/../elsewhere/secret.svg">'},
        "art-by-css": {"templates/loot.css": ".box { background: url(file://@ELSEWHERE@/secret.svg); content: url('@ELSEWHERE@/secret.svg') }"},
        "attachment": {"templates/loot.html": '<div class="box"><a rel="attachment" href="file://@ELSEWHERE@/secret.txt">a</a></div>'},
        "link-attachment": {"templates/loot.html": '<link rel="attachment" href="file://@ELSEWHERE@/secret.txt">'},
        "object": {"templates/loot.html": '<object data="file://@ELSEWHERE@/secret.svg"></object><embed src="file://@ELSEWHERE@/secret.svg">'},
        "input-picture": {"templates/loot.html": '<input type="image" src="file://@ELSEWHERE@/secret.svg"><video poster="http://@ENEMY@/a"></video>'},
        "srcset": {"templates/loot.html": '<img class="box" srcset="http://@ENEMY@/a.png 1x" src="//@ENEMY@/b.png">'},
        "svg-inline-use": {"templates/loot.html": '<div class="box"><svg viewBox="0 0 9 9"><use href="file://@ELSEWHERE@/secret.svg#a"/>'
                           '<image href="file://@ELSEWHERE@/secret.svg"/></svg></div>'},
        "base": {"templates/loot.html": '<base href="file://@ELSEWHERE@/"><img class="box" src="secret.svg">'},
        "styles-of-html": {"templates/loot.html": '<div class="box" style="background: url(file://@ELSEWHERE@/secret.svg)">a</div>'},
        "environment": {"templates/loot.html": '<div class="box">{{ environ }}{{ config }}{{ request }}{{ SECRET_TOKEN }}</div>'},
    }.items()
)  # fmt: skip


def manifest(name: str, entries: object) -> Attack:
    """A manifest that lists files of other places as made by an earlier build."""
    files = {"build/.cardgen.json": json.dumps(entries)}
    return Attack(f"manifest/{name}", files, (), EITHER, command=("build",))


ENTRY = {"key": "x", "output": "sheets", "language": "en"}
MANIFESTS: tuple[Attack, ...] = (
    manifest("leads-out", {"../../elsewhere/secret.txt": ENTRY, "en/../../../elsewhere/secret.css": ENTRY}),
    Attack("manifest/absolute", {"build/.cardgen.json": json.dumps({"@ELSEWHERE@/secret.txt": ENTRY})}, (), EITHER, command=("build",)),
    Attack("manifest/absolute-clean", {"build/.cardgen.json": json.dumps({"@ELSEWHERE@/secret.txt": ENTRY})}, (), EITHER, command=("clean",)),
    Attack("manifest/leads-out-clean", {"build/.cardgen.json": json.dumps({"../../elsewhere/secret.txt": ENTRY, "../game.yaml": ENTRY})}, (), EITHER, command=("clean",)),
    manifest("own-files", {"../game.yaml": ENTRY, "../cards/loot.yaml": ENTRY}),
    manifest("no-entries", {"en/sheets.pdf": 7, "en/x": [], "": None}),
    manifest("entries-odd", {"en/sheets.pdf": {"key": []}, "en/x": {"output": {}}, "\0": ENTRY, "a" * 5000: ENTRY}),
    manifest("list", [1, 2]),
    Attack("manifest/deep", {"build/.cardgen.json": "[" * 100_000}, (), EITHER, command=("build",)),
    Attack("manifest/bytes", {"build/.cardgen.json": bytes(range(256))}, (), EITHER, command=("build",)),
)  # fmt: skip


ATTACKS = (*LINKS, *MANIFESTS, *PIPES, *SOCKETS, *NAMES, *READS)
