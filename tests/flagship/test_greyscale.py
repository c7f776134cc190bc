"""Backs, markers and icons are told apart without colour: printed in black, or seen by few cones.

The measure: both pictures as luminance, averaged over cells of about 2.5 mm on a card (what is
left at arm's length, before reading), then the mean absolute difference of the cells, in % of
white. Of a back only what stands above the title counts, for a title is read, not seen. A back
printed a tenth paler is 3 to 8 % from itself; the nearest two backs are 14 % apart, the nearest
two icons 15 %.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path

import pytest
from conftest import ROOT
from PIL import Image, ImageChops, ImageStat
from whole_games import loaded, typeset

from cardgen.assets import artwork
from cardgen.faces.model import Face, get_face_pdf
from cardgen.game.model import Game
from cardgen.game.shapes import PieceForm
from cardgen.outputs.card_images import CardImages, ImageRecipe
from cardgen.pdf import picture_conversion, raster

BACKS_APART, MARKERS_APART, ICONS_APART = 12.0, 12.0, 12.0
ONE_BACK = {"night-attacks", "foreign-aid"}
"""They are shuffled together."""
STATES = ("fatigue", "drunk", "doped", "damage", "atrocity", "goods", "alert", "sleep", "wreck")
DPI, CELLS = 50, 25
ABOVE_TITLE, SIGN = 0.66, 0.6
"""How much of a back, and of a marker's middle, is looked at."""

Drawn = Mapping[str, Image.Image]


@pytest.fixture(scope="module")
def drawn(game_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    """The first back of each deck in each language, and the markers, as `deck/piece/language`."""

    def choose(faces: list[Face]) -> list[Face]:
        return [*_first_backs(faces), *_markers(faces)]

    scratch = tmp_path_factory.mktemp("greyscale")
    chosen, store = typeset(game_folder, scratch, loaded(game_folder).languages, choose)
    fonts, wanted = chosen.fonts, chosen.faces
    recipes = [
        ImageRecipe(
            get_face_pdf(face, store),
            fonts.files,
            DPI,
            face.deck.bleed,
            PieceForm(),
            image_format="png",
        )
        for face in wanted
    ]
    return {
        f"{face.deck.id}/{face.piece.id}/{face.language}": Image.open(io.BytesIO(png)).convert("L")
        for face, png in zip(wanted, CardImages().make(recipes), strict=True)
    }


def _first_backs(faces: list[Face]) -> list[Face]:
    first: dict[tuple[str, str], Face] = {}
    for face in faces:
        if face.side == "back":
            first.setdefault((face.deck.id, face.language), face)
    return list(first.values())


def _markers(faces: list[Face]) -> list[Face]:
    return [face for face in faces if face.deck.id == "tokens" and face.language == "en"]


def apart(one: Image.Image, other: Image.Image, cells: int = CELLS) -> float:
    """The measure, in %; `cells` are those across. Pictures of other proportions are far apart."""
    if abs(one.width * other.height / (one.height * other.width) - 1) > 0.05:
        return 100.0
    size = (cells, round(cells * one.height / one.width))
    cells_of = [image.resize(size, Image.Resampling.BOX) for image in (one, other)]
    return float(ImageStat.Stat(ImageChops.difference(*cells_of)).mean[0]) / 2.55


def nearest(pictures: Drawn, cells: int = CELLS) -> list[tuple[float, str, str]]:
    """All pairs, the nearest first; the nearest is printed (see it with `pytest -s`)."""
    pairs = sorted(
        (round(apart(pictures[one], pictures[other], cells), 1), one, other)
        for one, other in combinations(pictures, 2)
    )
    print("{2} and {1} are {0} % apart".format(*pairs[0]))  # noqa: T201
    return pairs


def too_near(pairs: Iterable[tuple[float, str, str]], least: float) -> list[str]:
    return [f"{one}, {other}: {distance} %" for distance, one, other in pairs if distance < least]


def backs(drawn: Drawn, language: str) -> dict[str, Image.Image]:
    named = {name.split("/")[0]: image for name, image in drawn.items() if language in name[-2:]}
    return {
        deck: image.crop((0, 0, image.width, round(image.height * ABOVE_TITLE)))
        for deck, image in named.items()
        if deck != "tokens"
    }


def sign(marker: Image.Image) -> Image.Image:
    """The middle of a marker: disc and ring are alike on several."""
    edge = round(marker.width * (1 - SIGN) / 2)
    return marker.crop((edge, edge, marker.width - edge, marker.height - edge))


@pytest.mark.parametrize("language", ["fi", "en"])
def test_backs_are_told_apart(drawn: Drawn, language: str) -> None:
    found = backs(drawn, language)
    assert len(found) == 14, "a deck that is not looked at"
    one, other = (found.pop(deck) for deck in sorted(ONE_BACK))
    found["night"] = one
    assert apart(one, other) == 0
    assert too_near(nearest(found), BACKS_APART) == []


def test_a_pale_print_is_no_other_back(drawn: Drawn) -> None:
    """The measure can fail: neither a title nor a printer low on ink makes another back."""
    fi, en = backs(drawn, "fi"), backs(drawn, "en")
    for deck in sorted(fi.keys() - {"money", "player-aids", "units"}):
        assert apart(fi[deck], en[deck]) < 1, deck
        pale = en[deck].point(lambda level: round(255 - (255 - level) * 0.9))
        assert apart(en[deck], pale) < BACKS_APART, deck


def test_markers_are_told_apart(drawn: Drawn) -> None:
    found = {name: sign(image) for name, image in drawn.items() if name.startswith("tokens/")}
    assert len(found) == 6
    assert too_near(nearest(found, 16), MARKERS_APART) == []


@pytest.fixture(scope="module")
def icons(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    """Every icon as black on white."""
    scratch: Path = tmp_path_factory.mktemp("icons")
    found = {}
    for name in game.icons:
        art = artwork.load_by_address(ROOT, f"art/icons/{name}.svg")
        [page] = raster.rasterise_pages(picture_conversion.convert_art(art, scratch), 150)
        found[name] = page.convert("L")
    return found


def test_pictograms_are_told_apart(icons: Drawn) -> None:
    """All of them, as 16 × 16 cells: as small as they are printed in a line of text."""
    assert set(STATES) <= set(icons)
    assert too_near(nearest(icons, 16), ICONS_APART) == []


def test_an_icon_and_its_twin_are_too_near(icons: Drawn) -> None:
    """The measure can fail: an icon set a hair further right is the same icon."""
    for name in STATES:
        moved = ImageChops.offset(icons[name], 1, 0)
        assert apart(icons[name], moved, 16) < ICONS_APART, name
