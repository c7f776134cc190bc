"""Games to mutate: the tests', the documentation's, and small pieces of the whole games."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from trials.attack import FONT, ROOT, SMALL

TESTS = ROOT / "tests"
OF_TESTS = {"problems": "problems", "rules": "rules/kinds", "books": "book/books"}
GAMES = (ROOT, *sorted(path.parent for path in (ROOT / "games").glob("*/game.yaml")))
PLAIN_FONTS = "fonts:\n  - family: Roboto Condensed\n"
HYPHENS = "fonts/node_modules/hyphen/patterns/fi-x-school.js"
PARTS = ("game.yaml", "cards/*", "templates/**/*", "art/**/*", "fonts/fonts.yaml")
LARGEST = 60_000
"""A file of more bytes is no seed: what is mutated should be small."""
SQUARE = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
Files = dict[str, bytes]


@dataclass(frozen=True)
class Seed:
    """A small game: its files by name. Fonts are among them, so that faces are set."""

    name: str
    files: Mapping[str, bytes]


def _files(folder: Path) -> Files:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != "expected.txt" and path.stat().st_size < LARGEST
        and "node_modules" not in path.parts and "build" not in path.parts
    }  # fmt: skip


@cache
def _font(name: str) -> bytes:
    return (FONT / name).read_bytes()


def with_fonts(files: Files) -> Files:
    """The game with one font of its own, under every family that it declares."""
    text = files.get("fonts/fonts.yaml", PLAIN_FONTS.encode())
    files.setdefault("fonts/fonts.yaml", text)
    try:
        declared = yaml.safe_load(text)["fonts"]
        families = [entry for entry in declared if isinstance(entry["family"], str)]
    except (yaml.YAMLError, TypeError, KeyError, UnicodeDecodeError):
        families = []
    for entry in families:
        slug = entry["family"].lower().replace(" ", "-")
        for weight in entry.get("weights", [400]):
            for style in entry.get("styles", ["normal"]):
                source = f"roboto-condensed-latin-{700 if weight == 700 else 400}-normal.woff2"
                files[f"fonts/{slug}-{weight}-{style}.woff2"] = _font(source)
    return files


def _of_tests() -> Iterator[Seed]:
    for kind, where in OF_TESTS.items():
        for folder in sorted((TESTS / where).iterdir()):
            files = _files(folder) if folder.is_dir() else {}
            if "game.yaml" in files:
                yield Seed(f"{kind}/{folder.name}", with_fonts(files))


def _of_documentation() -> Iterator[Seed]:
    sys.path.insert(0, str(TESTS))
    from docs_examples import PAGES, examples  # noqa: PLC0415

    for page in PAGES:
        for example in examples(page):
            files = {name: text.encode() for name, text in example.files.items()}
            yield Seed(f"docs/{page}:{example.line}", with_fonts(files))


def _first_cards(text: str, number: int = 1) -> str:
    """A deck's file with its first card alone, as its writer laid it out."""
    head, found, rest = text.partition("\ncards:\n")
    if not found:
        return text
    entries = re.split(r"(?m)^(?=  - )", rest)
    return head + found + "".join(entries[: number + 1])


def _of_games() -> Iterator[Seed]:
    """A deck each of every game, with a card or two, and what all of the game's decks share."""
    for root in GAMES:
        files = {
            name: path.read_bytes()
            for pattern in PARTS
            for path in sorted(root.glob(pattern))
            if path.is_file() and (name := path.relative_to(root).as_posix())
        }
        for name, data in files.items():
            text = data.decode("utf-8", "replace")
            if name.startswith("cards/") and re.search(r"(?m)^deck:", text) and _is_small(text):
                label = "flagship" if root == ROOT else root.name
                yield Seed(f"{label}/{name}", with_fonts(_reduced(name, text, files)))
    for root in GAMES:
        for book in sorted((root / "rulebook").glob("*.md")):
            yield Seed(f"{root.name}/rulebook/{book.name}", with_fonts(_book(book)))


def _is_small(text: str) -> bool:
    """Whether a deck, cut to its first card, costs little to set."""
    text = _first_cards(text)
    sides = re.search(r'(?m)^size: "?(\d+)(?:\.\d+)? x (\d+)', text)
    large = sides is not None and max(int(sides[1]), int(sides[2])) > 300
    return len(text) < 2500 and "for_each:" not in text and not large


def _reduced(name: str, text: str, files: Files) -> Files:
    """One deck of a game, with what it names and is like; of its art a few drawings as they are,
    and plain squares in place of the others."""
    text = _first_cards(text)
    kept = {name: text.encode()}
    waiting = [text]
    while waiting:
        said = waiting.pop()
        for other, data in files.items():
            folder, _, rest = other.partition("/")
            like = re.search(rf"(?m)^like: {re.escape(Path(other).stem)}$", said) is not None
            wanted = folder in ("templates", "cards") and (Path(other).name in said or like)
            if wanted and other not in kept and rest != "rules.yaml" and len(data) < LARGEST:
                kept[other] = data
                waiting.append(data.decode("utf-8", "replace"))
    real = 0
    for other, data in files.items():
        if other.startswith("art/") and other.endswith(".svg"):
            drawn = other.startswith("art/icons/") or (Path(other).stem in text and real < 4)
            real += drawn and not other.startswith("art/icons/")
            kept[other] = data if drawn and len(data) < LARGEST else SQUARE
    declared = files.get("fonts/fonts.yaml", b"").partition(b"\nhyphenation:")[0]
    return {"game.yaml": files["game.yaml"], "fonts/fonts.yaml": declared, **kept}


def _book(path: Path) -> Files:
    """A book's first pages with a game around it, whose cards it may miss."""
    text = path.read_text(encoding="utf-8")[:6000]
    small = {name: data for name, data in SMALL.items() if isinstance(data, str)}
    files = {name: data.encode() for name, data in small.items()}
    files[f"rulebook/{path.stem}.md"] = text.encode()
    files["game.yaml"] = f"game: small\ntitle: Small\nlanguages: [{path.stem}]\n".encode()
    return files


SAVE = """{"SaveName": "Small", "GameMode": "Small", "VersionNumber": "", "ObjectStates": [
 {"GUID": "abc123", "Name": "DeckCustom", "Nickname": "Loot", "Transform": {"posX": 0, "scaleX": 1},
  "DeckIDs": [100, 101],
  "CustomDeck": {"1": {"FaceURL": "a.png", "BackURL": "b.png", "NumWidth": 2, "NumHeight": 2,
    "BackIsHidden": true}},
  "ContainedObjects": [
   {"GUID": "abc124", "Name": "Card", "CardID": 100, "Transform": {}, "CustomDeck": {}},
   {"GUID": "abc125", "Name": "Card", "CardID": 101, "Transform": {}, "CustomDeck": {}}]},
 {"GUID": "abc126", "Name": "Custom_Tile", "Transform": {},
  "CustomImage": {"ImageURL": "file:///a.png", "ImageSecondaryURL": "http://x/b.png"}},
 {"GUID": "abc127", "Name": "Bag", "Transform": {}, "ContainedObjects": [], "States": {"1": {}}}]}
"""
TABLE = """seat:
  - {deck: loot, as: spread, take: 1, where: copies > 0}
middle:
  - {deck: loot, as: stacks, by: name, row: 2, turn: 90, face: up}
  - deck: loot
    as: board
    markers:
      - {card: loot/school, at: [5, 2 * 3]}
notes:
  - {title: One, text: Two}
gap: 4
width: 500
"""


def _made_up() -> Iterator[Seed]:
    small = {name: data() if callable(data) else data for name, data in SMALL.items()}
    files = {name: data.encode() if isinstance(data, str) else data for name, data in small.items()}
    yield Seed("made/save", {**files, "save.json": SAVE.encode()})
    players = b"players:\n  - {id: a, name: A}\n  - {id: b, name: B}\n"
    files["game.yaml"] += players
    yield Seed("made/table", {**files, "table.yaml": TABLE.encode()})
    hyphens = f"{PLAIN_FONTS}hyphenation:\n  fi: fi-x-school\n".encode()
    finnish = {"game.yaml": b"game: small\ntitle: Pieni\nlanguages: [fi]\n"}
    trie = (ROOT / HYPHENS).read_bytes()
    yield Seed("made/hyphens", {**files, **finnish, "fonts/fonts.yaml": hyphens, HYPHENS: trie})
    package = b'{"private": true, "dependencies": {"@fontsource/roboto-condensed": "5.3.0"}}\n'
    yield Seed("made/font", {**files, "fonts/package.json": package})


@cache
def all_seeds() -> tuple[Seed, ...]:
    """Every seed, always in the same order."""
    return (*_of_tests(), *_of_documentation(), *_of_games(), *_made_up())
