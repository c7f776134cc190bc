"""Pictures of faces, sheets and pages as they are meant to look, small enough to be kept.

`make golden` draws those anew that look different, and puts what they were, what they are and the
difference beside each other into build/golden.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from PIL import Image, ImageChops, ImageStat
from pixels import pages
from sample_games import sample
from small_games import A4, TEXT_GAME, make, options, write_game
from whole_games import typeset

from cardgen.assets.font_files import FontSet
from cardgen.faces.model import Face, get_face_pdf
from cardgen.looks import look_catalogue
from cardgen.outputs.card_images import CardImages, ImageRecipe
from cardgen.runtime.content_store import Store

TESTS = Path(__file__).parent
GOLDEN = TESTS / "golden"
SIDE = 240
"""The longer side of a picture, in pixels."""
PAGE = 360
"""The height of a page of A4."""
COLOURS = 128
MEAN, CELL, PART = 2.0, 16, 24.0
"""So far, of 255, may pictures be apart: as a whole, and in any cell of so many pixels."""

# Game → language, and the decks whose first front is drawn, or first back.
FACES = {
    "": ("fi", ("areas", "loot-city", "status-boards", "tokens", "units-back")),
    "at43": ("en", ("routines", "units-una", "missions")),
    "kasvoton": ("fi", ("blue", "reference")),
    "marengo": ("en", ("aids", "stands")),
    "mbubuz": ("ru", ("profiles", "events", "counters-back")),
}
BOOK = """# Small

A game of **two** houses. Whoever has most {coin} wins.

## Setting up

1. Shuffle the loot.
2. Deal {{ count("loot") }} cards.

| Place | Price |
| --- | --: |
| Barn | 3 |
| Shop | 5 |

![The barn](card:loot/barn)

::: example
Ann takes the barn and leaves.
:::

## Playing

Take a card, do what it says, and put it back.
"""
PRINTED = ("small-sheet", "small-sheet-back", "book-page")
SCRIPTS = {f"script-{language}": language for language in ("ar", "hi", "ja")}
"""Letters that are joined, stacked, and broken between any two: a card of tests/scripts each."""
LOOKS = tuple(f"look-{look}" for look in look_catalogue.list_looks())
NAMES = (
    *(f"{game or 'flagship'}-{deck}" for game, (_, decks) in FACES.items() for deck in decks),
    *PRINTED,
    *SCRIPTS,
    *LOOKS,
)


def drawn(name: str) -> Image.Image:
    """A picture as it looks today."""
    source = name.partition("-")[0]
    if name in PRINTED:
        return _printed()[name]
    if name in SCRIPTS:
        return _scripts()[name]
    if name in LOOKS:
        return _look(name.removeprefix("look-"))
    return _faces("" if source == "flagship" else source)[name]


def apart(one: Image.Image, other: Image.Image) -> tuple[float, float]:
    """How far two pictures are from each other: on average, and in their worst cell."""
    if one.size != other.size:
        return 255.0, 255.0
    difference = ImageChops.difference(one.convert("RGB"), other.convert("RGB"))
    mean = ImageStat.Stat(difference).mean
    worst = max(high for _, high in difference.reduce(CELL).getextrema())  # type: ignore[misc]
    return max(mean), float(worst)


def same(one: Image.Image, other: Image.Image) -> bool:
    mean, worst = apart(one, other)
    return mean <= MEAN and worst <= PART


@cache
def _faces(game: str) -> dict[str, Image.Image]:
    language, decks = FACES[game]
    root = TESTS.parent / "games" / game if game else TESTS.parent
    wanted = {deck.removesuffix("-back"): deck.endswith("-back") for deck in decks}

    def choose(faces: list[Face]) -> list[Face]:
        first: dict[str, Face] = {}
        for face in faces:
            if wanted.get(face.deck.id) == (face.side == "back"):
                first.setdefault(face.deck.id, face)
        return list(first.values())

    with tempfile.TemporaryDirectory() as scratch:
        chosen, store = typeset(root, Path(scratch), (language,), choose, wanted)
        found = {}
        for face in chosen.faces:
            side = "-back" if face.side == "back" else ""
            name = f"{game or 'flagship'}-{face.deck.id}{side}"
            found[name] = _picture(face, chosen.fonts, store)
    return found


def _picture(face: Face, fonts: FontSet, store: Store) -> Image.Image:
    size, deck = face.deck.size, face.deck
    dpi = SIDE * 25.4 / max(size.width, size.height)
    recipe = ImageRecipe(get_face_pdf(face, store), fonts.files, dpi, deck.bleed, deck.form, "png")
    return Image.open(io.BytesIO(CardImages().make([recipe])[0])).convert("RGB")


@cache
def _scripts() -> dict[str, Image.Image]:
    """The front of one card in each language."""
    with tempfile.TemporaryDirectory() as scratch:
        chosen, store = typeset(
            TESTS / "scripts",
            Path(scratch),
            tuple(SCRIPTS.values()),
            lambda faces: [face for face in faces if face.side == "front"],
        )
        return {
            f"script-{face.language}": _picture(face, chosen.fonts, store) for face in chosen.faces
        }


def _look(look: str) -> Image.Image:
    """The first card of a look's sample, and its back beside it."""
    with tempfile.TemporaryDirectory() as name:
        root = sample(Path(name) / "game", look, languages=("en",))
        (root / "fonts/node_modules").mkdir(parents=True)
        chosen, store = typeset(root, Path(name) / "store", ("en",), lambda faces: faces[:2])
        front, back = (_picture(face, chosen.fonts, store) for face in chosen.faces)
    both = Image.new("RGB", (front.width + back.width, front.height))
    both.paste(front, (0, 0))
    both.paste(back, (front.width, 0))
    return both


@cache
def _printed() -> dict[str, Image.Image]:
    """Both sides of a sheet, and a page of a rulebook."""
    with tempfile.TemporaryDirectory() as scratch:
        root = write_game(
            Path(scratch), {**TEXT_GAME, "rulebook/en.md": BOOK, "rulebook/fi.md": BOOK}
        )
        make(root, options(A4), outputs=("sheets", "rulebook"), languages=("en",), decks=("loot",))
        sheets = pages(root / "build/en/sheets/loot.pdf", PAGE / 297)
        leaves = pages(root / "build/en/rulebook.pdf", PAGE / 297)
    return dict(zip(PRINTED, [*sheets[:2], leaves[0]], strict=True))


def kept(name: str) -> Image.Image:
    return Image.open(GOLDEN / f"{name}.png").convert("RGB")


def renewed(shown: Path) -> Iterator[str]:
    """Draw anew what looks different, and show what changed; the names of it."""
    GOLDEN.mkdir(exist_ok=True)
    for path in GOLDEN.glob("*.png"):
        if path.stem not in NAMES:
            path.unlink()
    for name in NAMES:
        now, path = drawn(name), GOLDEN / f"{name}.png"
        before = kept(name) if path.is_file() else Image.new("RGB", now.size, "white")
        if path.is_file() and same(before, now):
            continue
        now.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
        shown.mkdir(parents=True, exist_ok=True)
        _beside(before, now).save(shown / f"{name}.png")
        yield name


def _beside(before: Image.Image, now: Image.Image) -> Image.Image:
    """What was, what is, and where they differ, from left to right."""
    old = before.resize(now.size)
    wide = Image.new("RGB", (now.width * 3, now.height))
    for column, part in enumerate((old, now, ImageChops.difference(old, now))):
        wide.paste(part, (column * now.width, 0))
    return wide


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        tempfile.tempdir = scratch  # what the drawings of a game share ends with them
        changed = list(renewed(TESTS.parent / "build/golden"))
    print("\n".join(changed) or "nothing changed")  # noqa: T201
