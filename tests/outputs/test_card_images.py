"""Card images: sizes in pixels, edges, corners, and what the file says of itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pixels import pixel
from small_games import colour_of, make, marked_deck, marked_game, options, write_game

from cardgen.pdf import raster


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two poker cards, one of them twice, and a landscape card."""
    decks = {
        "cards": marked_deck("cards", "poker", (1, 2)),
        "lying": marked_deck("lying", "60 x 40", (1,)),
    }
    return write_game(tmp_path_factory.mktemp("images"), marked_game(decks))


def images(game: Path, folder: Path, **asked: Any) -> dict[str, Image.Image]:
    """The images of a build, by their path below images/."""
    make(game, options(**asked), outputs=("images",), folder=folder)
    found = sorted((folder / "en/images").rglob("*.png"))
    return {path.relative_to(folder / "en/images").as_posix(): Image.open(path) for path in found}


def test_one_image_a_face(game: Path, tmp_path: Path) -> None:
    """Copies are alike: they need no image of their own."""
    assert list(images(game, tmp_path)) == [
        "cards/card-0-back.png",
        "cards/card-0.png",
        "cards/card-1-back.png",
        "cards/card-1.png",
        "lying/card-0-back.png",
        "lying/card-0.png",
    ]


@pytest.mark.parametrize(
    ("asked", "poker", "lying"),
    [
        ({"dpi": 300}, (750, 1050), (709, 472)),
        ({"dpi": 72}, (180, 252), (170, 113)),
        ({"dpi": 300, "bleed": True}, (821, 1121), (780, 543)),
        ({"dpi": 150, "bleed": True}, (410, 560), (390, 272)),
        ({"dpi": 300, "bleed": True, "rounded": True}, (821, 1121), (780, 543)),
    ],
)
def test_size_in_pixels(
    game: Path,
    tmp_path: Path,
    asked: dict[str, object],
    poker: tuple[int, int],
    lying: tuple[int, int],
) -> None:
    """Millimetres at so many dots an inch, to the nearest dot."""
    found = images(game, tmp_path, **asked)
    for name, image in found.items():
        assert image.size == (poker if name.startswith("cards") else lying)
        assert [round(value) for value in image.info["dpi"]] == [asked["dpi"]] * 2
        assert image.mode == "RGB"


@pytest.mark.parametrize("bleed", [False, True])
def test_the_image_is_the_card_from_edge_to_edge(game: Path, tmp_path: Path, bleed: bool) -> None:
    """The mark stands 5 mm from the left edge and 6 mm from the top, 3 mm more with the bleed."""
    image = images(game, tmp_path, dpi=254, bleed=bleed)["cards/card-0.png"]
    edge = 30 if bleed else 0
    inside = [(edge + 50 + 2, edge + 60 + 2), (edge + 110 - 3, edge + 100 - 3)]
    outside = [(edge + 50 - 2, edge + 60 + 9), (edge + 110 + 2, edge + 60 + 9)]
    assert {image.getpixel(at) for at in inside} == {colour_of(0)}
    assert {image.getpixel(at) for at in outside} == {(240, 240, 240)}
    corners = [(0, 0), (image.width - 1, 0), (0, image.height - 1)]
    assert {image.getpixel(at) for at in corners} == {(240, 240, 240)}


def test_a_back_is_shown_as_it_is_seen_when_turned_over(game: Path, tmp_path: Path) -> None:
    back = images(game, tmp_path, dpi=254)["cards/card-0-back.png"]
    assert back.getpixel((back.width - 50 - 10, 60 + 10)) == colour_of(0)
    assert back.getpixel((50 + 10, 60 + 10)) == (224, 224, 224)


def test_round_corners_are_transparent(game: Path, tmp_path: Path) -> None:
    image = images(game, tmp_path, dpi=254, rounded=True)["cards/card-0.png"]
    assert image.mode == "RGBA"
    right, foot = image.width - 1, image.height - 1
    assert {pixel(image, at)[3] for at in ((0, 0), (right, 0), (0, foot), (right, foot))} == {0}
    # A radius of 3 mm: the edge is whole from there on, and the arc passes 0.88 mm within.
    assert {pixel(image, at)[3] for at in ((31, 0), (0, 31), (right - 31, foot))} == {255}
    assert pixel(image, (7, 7))[3] == 0
    assert image.getpixel((11, 11)) == (240, 240, 240, 255)


def test_the_bleed_has_no_round_corners(game: Path, tmp_path: Path) -> None:
    image = images(game, tmp_path, dpi=72, rounded=True, bleed=True)["cards/card-0.png"]
    assert image.mode == "RGB"


def test_another_resolution_is_another_image(game: Path, tmp_path: Path) -> None:
    """The files of an earlier build at another resolution do not stay."""
    images(game, tmp_path, dpi=72)
    assert images(game, tmp_path, dpi=144)["cards/card-0.png"].size == (360, 504)


def test_equal_faces_are_drawn_once_and_are_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twelve cards with one back: a picture of it, which stands under twelve names. Each name is
    looked after by itself: a picture that somebody paints on is made anew, all others with it."""
    drawn: list[object] = []
    draw = raster.encode_cropped

    def counted(*given: Any) -> bytes:
        drawn.append(given[0])
        return draw(*given)

    monkeypatch.setattr(raster, "encode_cropped", counted)
    deck = marked_deck("cards", "poker", (1,) * 12)
    root = write_game(
        tmp_path,
        {
            **marked_game({"cards": deck}),
            "templates/back.html": '<div class="bleed" style="background: #ddd"></div>',
        },
    )
    make(root, outputs=("images",))
    assert len(drawn) == 13
    backs = sorted((root / "build/en/images/cards").glob("*-back.png"))
    assert len({path.stat().st_ino for path in backs}) == 1
    whole = backs[0].read_bytes()
    backs[3].write_bytes(whole[:200])
    make(root, outputs=("images",))
    assert len(drawn) == 14
    assert {path.read_bytes() for path in backs} == {whole}


@pytest.mark.parametrize("dpi", [72, 96])
def test_thin_lines_are_as_pale_as_they_are(tmp_path: Path, dpi: int) -> None:
    """Graph paper of lines of 0.05 mm is not drawn in lines of a whole pixel."""
    lines = "".join(f"M0 {y}h50M{y} 0v50" for y in range(1, 50, 2))
    paper = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 50" width="50mm" height="50mm">'
        f'<path d="{lines}" stroke="#06f" stroke-width="0.05" fill="none"/>'
        '<rect x="3" y="20.3" width="40" height="0.05" fill="#06f"/></svg>'
    )
    root = write_game(
        tmp_path,
        {
            **marked_game({"cards": marked_deck("cards", "poker", (1,))}),
            "art/paper.svg": paper,
            "templates/back.html": '<img src="art/paper.svg">',
        },
    )
    fine, coarse = (
        raster.measure_darkness(
            images(root, tmp_path / str(each), dpi=each)["cards/card-0-back.png"]
        )
        for each in (1200, dpi)
    )
    assert coarse == pytest.approx(fine, rel=0.1)
