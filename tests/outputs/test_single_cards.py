"""Single cards for those who print them: names, bleed, sizes near a shop's, and proofs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from PIL import Image
from pixels import pages, part, pixel
from small_games import contents, edit, marked_deck, marked_game, options, write_game

from cardgen.core.units import Size
from cardgen.outputs import single_cards
from cardgen.outputs.contract import SingleOptions
from cardgen.pdf.preflight import inspection, printer_spec
from cardgen.pdf.preflight.inspection import InspectionCall
from cardgen.pipeline import build
from cardgen.pipeline.build import BuildReport, Request
from cardgen.rules import rule_file

POKER = Size(63.5, 88.9)
FRONT, BACK = (240, 240, 240), (224, 224, 224)
"""The grounds of both sides."""
NEAR = {"near": Size(56, 87), "lying": Size(121, 70)}
"""Decks of sizes that no shop has."""


@pytest.fixture(scope="module", autouse=True)
def _alone() -> Iterator[None]:
    """A small game takes longer to be handed to helpers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "cpu_count", lambda: 1)
        yield


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    decks = {
        "cards": marked_deck("cards", "poker", (3, 1)),
        "thin": marked_deck("thin", "poker\nbleed: 1\nsafe: 4", (1,)),
        **{name: marked_deck(name, f"{size.width:g} x {size.height:g}", (2,))
           for name, size in NEAR.items()},
    }  # fmt: skip
    files = marked_game(decks)
    files["game.yaml"] += "edition: '1.2'\n"
    return write_game(tmp_path_factory.mktemp("single"), files)


def made(
    game: Path, folder: Path, output: str, decks: tuple[str, ...] = ("cards",), **asked: object
) -> BuildReport:
    single = SingleOptions(**asked)  # type: ignore[arg-type]
    wanted = replace(options(), single=single)
    return build.build(Request(game, (output,), decks=decks, options=wanted, output_folder=folder))


def boxes_of(path: Path) -> list[dict[str, list[float]]]:
    """The boxes of every page, mm."""
    with pikepdf.open(path) as pdf:
        return [
            {name[1:]: [float(v) / 72 * 25.4 for v in page.obj[name]]
             for name in page.obj if name.endswith("Box")}
            for page in pdf.pages
        ]  # fmt: skip


def boxed(size: Size, bleed: float, x: float = 0, y: float = 0) -> dict[str, list[float]]:
    """The boxes of a page on which a card is printed so far from its edges."""
    width, height = size.width + 2 * bleed, size.height + 2 * bleed
    right, top = x + bleed + size.width, y + bleed + size.height
    return {
        "MediaBox": [0, 0, width + 2 * x, height + 2 * y],
        "BleedBox": [x, y, x + width, y + height],
        "TrimBox": [x + bleed, y + bleed, right, top],
    }


def near(one: dict[str, list[float]], other: dict[str, list[float]]) -> bool:
    """Whether boxes are the same to a hundredth of a millimetre."""
    return one.keys() == other.keys() and all(
        one[name] == pytest.approx(other[name], abs=0.005) for name in one
    )


@pytest.mark.parametrize(("asked", "bleed"), [(None, 3), (3, 3), (3.175, 3.175), (2.54, 2.54)])
def test_the_bleed_is_that_of_the_option(
    game: Path, tmp_path: Path, asked: float | None, bleed: float
) -> None:
    report = made(game, tmp_path, "card-pdfs", bleed=asked)
    assert not report.problems
    found = boxes_of(tmp_path / "en/card-pdfs/cards.pdf")
    assert len(found) == 8
    assert all(near(each, boxed(POKER, bleed)) for each in found)


def test_missing_bleed_is_reported_and_mirrored(game: Path, tmp_path: Path) -> None:
    report = made(game, tmp_path, "card-pdfs", ("thin",), bleed=3)
    assert [str(each) for each in report.problems] == [
        "cards/thin.yaml:4: warning: thin: 1 mm of bleed, but --bleed-mm asks for 3; the rest "
        "mirrors the edges of the cards. Write 'bleed: 3' in the deck's file to use your own "
        "background [bleed]"
    ]
    path = tmp_path / "en/card-pdfs/thin.pdf"
    assert all(near(each, boxed(POKER, 3)) for each in boxes_of(path))
    back, front = pages(path, 4)
    for image, ground in ((back, BACK), (front, FRONT)):
        last = image.width - 1, image.height - 1
        assert {pixel(image, at) for at in ((0, 0), last, (0, last[1]), (100, 0))} == {ground}
    for bleed, kinds in ((3, []), (3.1, ["bleed"])):
        asked = printer_spec.PrinterSpec("a printer", bleed=bleed, needs_boxes=True)
        (found,) = inspection.inspect_files([InspectionCall(path, path.name, asked)])
        assert [each.kind for each in found.problems] == kinds
    assert not made(game, tmp_path, "card-pdfs", ("thin",)).problems


def test_a_file_a_card_is_named_after_it(game: Path, tmp_path: Path) -> None:
    """Deck, id and copies; the front, then the back."""
    made(game, tmp_path, "card-pdfs", file_per="card")
    folder = tmp_path / "en/card-pdfs/cards"
    assert sorted(path.name for path in folder.iterdir()) == [
        "cards_card-0_x3.pdf", "cards_card-1_x1.pdf",
    ]  # fmt: skip
    front, back = pages(folder / "cards_card-0_x3.pdf", 2)
    assert (pixel(front, (2, 2)), pixel(back, (2, 2))) == (FRONT, BACK)


def test_too_long_names_are_shortened() -> None:
    assert single_cards.format_card_file_name("loot", "old-mill", 3) == "loot_old-mill_x3"
    first, second = (
        single_cards.format_card_file_name("d" * 100, "c" * 150 + end, 1000) for end in "ab"
    )
    assert first != second
    for name in (first, second):
        assert name.startswith("d" * 100 + "_")
        assert name.endswith("_x1000")
        assert len(f"{name}_front.pdf") <= 255


def test_a_file_a_side(game: Path, tmp_path: Path) -> None:
    made(game, tmp_path, "card-pdfs", file_per="side")
    folder = tmp_path / "en/card-pdfs/cards"
    grounds = {path.name: pixel(pages(path, 2)[0], (2, 2)) for path in sorted(folder.iterdir())}
    assert grounds == {
        "cards_card-0_x3_back.pdf": BACK, "cards_card-0_x3_front.pdf": FRONT,
        "cards_card-1_x1_back.pdf": BACK, "cards_card-1_x1_front.pdf": FRONT,
    }  # fmt: skip
    assert all(near(each, boxed(POKER, 3)) for p in folder.iterdir() for each in boxes_of(p))


@pytest.mark.parametrize("shop", ["mpc", "tgc", "boardgamesmaker"])
def test_single_cards_pass_the_checks_of_shops(game: Path, tmp_path: Path, shop: str) -> None:
    """All that is told is that they take pictures; with less bleed than asked, that is told."""
    asked = printer_spec.load_shops()[shop]
    told = {}
    for bleed in (asked.bleed, 2.9):
        folder = tmp_path / str(bleed)
        made(game, folder, "card-pdfs", file_per="card", bleed=bleed)
        path = folder / "en/card-pdfs/cards/cards_card-0_x3.pdf"
        (found,) = inspection.inspect_files([InspectionCall(path, path.name, asked)])
        told[bleed] = [(problem.kind, problem.severity) for problem in found.problems]
    assert told[asked.bleed] == [("pages", "warning")]
    assert ("bleed", "error") in told[2.9]


def place(image: Image.Image) -> tuple[float, float, float, float]:
    """Where the mark of a front lies, mm from the middle: left, top, right, bottom."""
    px = 300 / 25.4
    data = image.convert("RGB").tobytes()
    blues = [255 * (data[n + 2] > data[n] + 60) for n in range(0, len(data), 3)]
    mask = Image.new("L", image.size)
    mask.putdata(blues)
    found = mask.getbbox()
    assert found
    middle = (image.width / 2, image.height / 2)
    left, top, right, bottom = (
        (edge - middle[n % 2]) / px for n, edge in enumerate(found)
    )  # fmt: skip
    return left, top, right, bottom


def test_a_size_near_a_product_is_offered(game: Path, tmp_path: Path) -> None:
    report = made(game, tmp_path, "mpc", ("near", "cards"))
    assert not report.has_failed
    assert [str(each) for each in report.problems] == [
        "cards/near.yaml:1: warning: near (56 × 87 mm) is left out: MakePlayingCards has no such "
        "size; the nearest is bridge, 57.15 × 88.90 mm, less than a millimetre off at every edge. "
        "--fit scale, or 'fit: scale' in its file, prints it 2.1 % larger, with 0.06 mm of its "
        "bleed above and below; pad prints it as it is, with 0.57 mm of its bleed left and right, "
        "0.95 mm above and below [shop]"
    ]
    assert [path for path in report.file_paths if "/near/" in path] == []


def test_only_sizes_near_products_are_an_error_with_a_hint(game: Path, tmp_path: Path) -> None:
    report = made(game, tmp_path, "mpc", tuple(NEAR))
    assert report.has_failed
    assert (
        "game.yaml: error: none of these decks has a size that MakePlayingCards prints; with "
        "--fit scale or pad it prints lying, near [shop]"
    ) in [str(each) for each in report.problems]


def test_scaling_to_a_product(game: Path, tmp_path: Path) -> None:
    """As a whole: of a mark of 6 × 4 mm, 5 mm right and 6 mm below the corner, both sides grow by
    57.15/56; the picture is the shop's."""
    report = made(game, tmp_path, "mpc", ("near",), fit="scale")
    assert not report.problems
    assert [artefact.summary for artefact in report.new_files if artefact.summary] == [
        "near (56 × 87 mm) becomes bridge, 57.15 × 88.90 mm, of MakePlayingCards: printed 2.1 % "
        "larger, with 0.06 mm of its bleed above and below"
    ]
    image = Image.open(tmp_path / "en/mpc/bridge/near/card-0.png")
    assert image.size == (747, 1122)
    scale = 57.15 / 56
    expected = [scale * side for side in (5 - 28, 6 - 43.5, 11 - 28, 10 - 43.5)]
    assert place(image) == pytest.approx(expected, abs=0.09)


def test_padding_to_a_product(game: Path, tmp_path: Path) -> None:
    """Nothing grows; a deck that lies is turned, and what is too large is cut off."""
    report = made(game, tmp_path, "mpc", tuple(NEAR), fit="pad")
    told = {artefact.summary for artefact in report.new_files if artefact.summary}
    assert told == {
        "near (56 × 87 mm) becomes bridge, 57.15 × 88.90 mm, of MakePlayingCards: printed as it "
        "is, with 0.57 mm of its bleed left and right, 0.95 mm above and below",
        "lying (121 × 70 mm) becomes tarot, 69.85 × 120.65 mm, of MakePlayingCards: printed as it "
        "is, with 0.17 mm cut off left and right, 0.08 mm above and below",
    }
    (problem,) = report.problems
    assert "near: 3 mm of bleed, but MakePlayingCards needs 4.00; " in str(problem)
    image = Image.open(tmp_path / "en/mpc/bridge/near/card-0.png")
    expected = [5 - 28, 6 - 43.5, 11 - 28, 10 - 43.5]
    assert place(image) == pytest.approx(expected, abs=0.09)
    assert pixel(image.convert("RGB"), (0, 0)) == FRONT
    turned = place(Image.open(tmp_path / "en/mpc/tarot/lying/card-0.png"))
    assert turned == pytest.approx([6 - 35, 60.5 - 11, 10 - 35, 60.5 - 5], abs=0.09)


def test_the_fit_option_wins_over_deck_and_game(game: Path, tmp_path: Path) -> None:
    said = game / "game.yaml", game / "cards/near.yaml"
    before = [path.read_text() for path in said]
    told = []
    try:
        said[0].write_text(before[0] + "print: {fit: pad}\n")
        for step, asked in enumerate(({}, {}, {"fit": "pad"})):
            if step == 1:
                edit(game, "cards/near.yaml", "deck: near\n", "deck: near\nfit: scale\n")
            report = made(game, tmp_path / str(step), "mpc", ("near",), **asked)
            told += [a.summary for a in report.new_files if a.summary]
    finally:
        for path, text in zip(said, before, strict=True):
            path.write_text(text)
    assert ["as it is" in each for each in told] == [True, False, True]


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("cards/near.yaml", "deck: near\n", "deck: near\nfit: scael\n",
         "cards/near.yaml:2: error: near: fit is 'scael'; did you mean 'scale'? [type]"),
        ("game.yaml", "title:", "print: {fit: crop}\ntitle:",
         "game.yaml:2: error: fit is 'crop'; expected one of scale, pad [type]"),
    ],
)  # fmt: skip
def test_an_unknown_fit_is_refused(game: Path, file: str, old: str, new: str, message: str) -> None:
    before = (game / file).read_text()
    try:
        edit(game, file, old, new)
        _, problems = rule_file.load_game(game)
    finally:
        (game / file).write_text(before)
    assert [str(each) for each in problems if each.kind == "type"] == [message]


@pytest.fixture(scope="module")
def proofs(game: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("proofs")
    made(game, folder, "card-proof", ("cards", "thin"), bleed=3)
    return folder / "en/card-proof"


def test_a_proof_has_the_boxes_of_the_card(proofs: Path) -> None:
    """Marks stand around what is printed: 8 mm beside it at least, 15 above and below."""
    for name, count in (("cards", 4), ("thin", 2)):
        found = boxes_of(proofs / f"{name}.pdf")
        assert len(found) == count
        for each in found:
            x, y = each["BleedBox"][:2]
            assert x >= 8
            assert y == pytest.approx(15, abs=0.005)
            assert near(each, boxed(POKER, 3, x, y))


def test_a_proof_has_captions(proofs: Path) -> None:
    document = pypdfium2.PdfDocument(proofs / "cards.pdf")
    said = [page.get_textpage().get_text_bounded() for page in document]
    document.close()
    captions = ["card-0, front × 3", "card-1, front × 1", "card-0, back × 3", "card-1, back × 1"]
    for text, caption in zip(said, captions, strict=True):
        assert f"Marked – {caption}" in text
        for words in ("Small game · edition 1.2 · en · 2026-01-02", "cut 63.5 × 88.9 mm",
                      "bleed 3 mm", "safe area 3 mm"):  # fmt: skip
            assert words in text


def test_marks_of_a_proof(proofs: Path) -> None:
    """Crop marks point at the cut from beyond the bleed; lines lie on cut, bleed and safe area."""
    path, px = proofs / "thin.pdf", 20
    image, box = pages(path, px)[0], boxes_of(path)[0]
    left, bottom, right, top = box["TrimBox"]
    height = box["MediaBox"][3]

    def darkest(x: float, y: float, of: float = 0.15) -> tuple[int, ...]:
        """The lowest of each colour around a place, mm from the bottom left."""
        around = ((x - of) * px, (height - y - of) * px, (x + of) * px, (height - y + of) * px)
        data = part(image, around).tobytes()
        return tuple(min(data[n::3]) for n in range(3))

    for x in (left, right):
        assert max(darkest(x, top + 3 + 3)) < 60
        assert max(darkest(x, bottom - 3 - 3)) < 60
    for y in (bottom, top):
        assert max(darkest(left - 3 - 3, y)) < 60
        assert max(darkest(right + 3 + 3, y)) < 60
    for x, y in ((left, top + 3.6), (left - 3.6, bottom), (left - 2, top + 6)):
        assert min(darkest(x, y)) > 200, "nothing begins within a gap beyond the bleed"
    middle = (bottom + top) / 2
    red, green, blue = darkest(left, middle)
    assert red > green + 100, "the cut"
    red, green, blue = darkest(left - 3, middle, 2)
    assert blue > red + 100, "the bleed"
    red, green, blue = darkest(left + 4, middle, 1)
    assert green > red + 50, "the safe area"
    assert min(darkest(left + 3, middle, 0.5)) > 200


def test_the_same_proof_again(game: Path, proofs: Path, tmp_path: Path) -> None:
    made(game, tmp_path, "card-proof", ("cards", "thin"), bleed=3)
    assert contents(tmp_path / "en/card-proof") == contents(proofs)
