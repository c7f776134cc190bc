"""Less ink: what colours become, and that the flagship's faces stay legible with little of it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from click.testing import CliRunner
from conftest import ROOT
from PIL import Image, ImageChops
from pixels import part
from small_games import GAME, make, options, times, write_game
from whole_games import typeset

from cardgen.cli.command_line import cli
from cardgen.core.colour_math import BLACK, WHITE, Colour, get_contrast, get_luma
from cardgen.core.problems import Problem, Source
from cardgen.faces.model import Face, FaceSet, get_face_pdf
from cardgen.outputs.face_measurement import COVERAGE_MEASURE, MeasureTask, run_measure_task
from cardgen.pdf import raster
from cardgen.pdf.composition import Composer
from cardgen.pdf.face_file import FacePdf
from cardgen.pdf.graphics_state import operands_to_rgb
from cardgen.pdf.ink_modes import FULL_INK, READABLE_CONTRAST, InkMode
from cardgen.pdf.recolour import recolour_drawing
from cardgen.pipeline import build

LOW, GREY, BOTH = InkMode(low=True), InkMode(grey=True), InkMode(low=True, grey=True)
MOST, MOST_OF_FULL, LITTLE = 0.3, 0.6, 0.25
"""What a face may cover with little ink: of its area, and of what it covers in full."""
ENOUGH = 4.5


@pytest.mark.parametrize("colour", [(1, 1, 1), (0.9, 0.7, 0.2), (0.85, 0.37, 0.55), (0, 0, 0)])
def test_every_text_can_be_read_on_white(colour: Colour) -> None:
    assert get_contrast(LOW.convert_text(colour)) >= READABLE_CONTRAST


def test_dark_text_keeps_its_colour() -> None:
    assert LOW.convert_text((0.13, 0.12, 0.1)) == (0.13, 0.12, 0.1)


@pytest.mark.parametrize("colour", [BLACK, (0.72, 0.22, 0.16), (0.18, 0.21, 0.38)])
def test_grounds_are_a_breath_of_their_colour(colour: Colour) -> None:
    pale = LOW.convert_ground(colour)
    assert all(part >= 0.9 for part in pale)
    assert pale != WHITE


def test_paper_goes_white() -> None:
    assert LOW.convert_ground((0.945, 0.902, 0.812)) == WHITE


def test_tones_of_a_picture_stay_apart() -> None:
    tones = [get_luma(LOW.convert_picture((n / 10,) * 3)) for n in range(11)]
    assert tones == sorted(set(tones))


def test_full_ink_changes_nothing() -> None:
    some = (0.1, 0.5, 0.9)
    changed = {
        f(some)
        for f in (
            FULL_INK.convert_text,
            FULL_INK.convert_ground,
            FULL_INK.convert_line,
            FULL_INK.convert_picture,
            FULL_INK.convert_backdrop,
        )
    }
    assert changed == {some}


def test_operands_are_grey_rgb_or_cmyk() -> None:
    assert operands_to_rgb([0.25]) == (0.25, 0.25, 0.25)
    assert operands_to_rgb([0, 1, 1, 0]) == (1, 0, 0)
    assert operands_to_rgb([b"0.1", b"0.2", b"0.3"]) == (0.1, 0.2, 0.3)


def test_a_drawing_keeps_its_paths_and_patterns() -> None:
    """Only colours are written anew; a ground is paler than a figure before it."""
    drawing = (
        b"q 2 0 0 2 0 0 cm/c0 cs 0 0 0 scn 0 0 50 50 re\nf\n1 0 0 scn 10 10 m 12 10 l 12 12 l h f\n"
        b"/Pattern cs /P1 scn 1 1 m 3 3 l 5 1 l h f Q"
    )
    done = recolour_drawing(drawing, LOW, 10_000.0)
    words = done.split(b"\n", 1)[1].split()
    assert words[:9] == b"q 2 0 0 2 0 0 cm/c0 cs".split()
    assert words[9:13] == b"0.86 0.86 0.86 rg".split()
    assert words[13:23] == b"0 0 50 50 re f 1 0.6 0.6 rg".split()
    assert done.endswith(b"/Pattern cs /P1 scn 1 1 m 3 3 l 5 1 l h f Q")


def test_a_panel_with_an_outline_is_a_ground_and_its_outline_a_figure() -> None:
    """Its text is dark in little ink: on four tenths of a black panel it could not be read."""
    drawing = b"/c0 cs 0 0 0 scn/c0 CS 0 0 0 SCN 0.3 w 0 0 m 90 0 l 90 90 l 0 90 l h B"
    words = recolour_drawing(drawing, LOW, 10_000.0).split(b"\n", 1)[1].split()
    assert words[2:6] == b"0.86 0.86 0.86 rg/c0".split()
    assert words[7:11] == b"0.6 0.6 0.6 RG".split()


FRONT = """<div class="bleed" style="background: #203060"></div>
<div style="position: absolute; left: 5mm; top: 5mm; width: 50mm; color: #f1e6cf">{{ card.id }}
</div><div style="position: absolute; left: 10mm; top: 60mm; width: 30mm; height: 10mm;
background: linear-gradient(to right, #000000, #c02020)"></div>
<div style="position: absolute; left: 5mm; top: 75mm; opacity: 0.5; width: 9mm; height: 9mm;
background: #102040"></div>
<img style="position: absolute; left: 10mm; top: 20mm; width: 30mm" src="art/photo.png">
<img style="position: absolute; left: 45mm; top: 20mm; width: 10mm" src="art/house.svg">"""
HOUSE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><defs>
<linearGradient id="g"><stop stop-color="#300030"/><stop offset="1" stop-color="#00a040"/>
</linearGradient></defs><path fill="url(#g)" d="M0 0H40V40H0z"/><path d="M9 9H20V20H9z"/></svg>"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A dark card with text, a gradient, half a tag, a photograph and a drawing."""
    deck = "deck: dark\ntitle: {en: Dark}\nsize: poker\nfront: front.html\ncards:\n  - id: night\n"
    files = {
        "game.yaml": GAME, "cards/dark.yaml": deck, "templates/front.html": FRONT,
        "art/house.svg": HOUSE,
    }  # fmt: skip
    root = write_game(tmp_path / "game", files)
    photo = Image.linear_gradient("L").resize((360, 240)).convert("RGB")
    Image.blend(photo, Image.new("RGB", photo.size, "#d02010"), 0.4).save(root / "art/photo.png")
    return root


def sheet(root: Path, ink: InkMode, folder: Path) -> Image.Image:
    make(root, options(ink=ink), outputs=("sheets",), output_folder=folder)
    return next(raster.rasterise_pages((folder / "en/sheets.pdf").read_bytes(), 72))


def colours(image: Image.Image) -> list[tuple[int, ...]]:
    found = image.getcolors(1 << 24)
    assert found
    return [colour for _, colour in found]  # type: ignore[misc]


@pytest.mark.parametrize("ink", [GREY, BOTH])
def test_grayscale_is_grey_everywhere(game: Path, tmp_path: Path, ink: InkMode) -> None:
    """Photographs, gradients and half transparent tags, too."""
    coloured = sheet(game, FULL_INK, tmp_path / "full")
    assert any(len(set(colour)) > 1 for colour in colours(coloured))
    assert all(len(set(colour)) == 1 for colour in colours(sheet(game, ink, tmp_path / "grey")))


def test_low_ink_leaves_nothing_dark_but_letters(game: Path, tmp_path: Path) -> None:
    full, low = sheet(game, FULL_INK, tmp_path / "full"), sheet(game, LOW, tmp_path / "low")
    assert raster.measure_darkness(low) < 0.3 * raster.measure_darkness(full)


def test_nothing_is_typeset_again_and_files_are_told_apart(game: Path, tmp_path: Path) -> None:
    """The ink is part of a file's key; another ink makes the file anew, the same does not."""
    out = tmp_path / "out"
    made = [
        make(game, options(ink=ink), outputs=("sheets",), output_folder=out)
        for ink in (FULL_INK, LOW, BOTH)
    ]
    assert [report.typeset_count for report in made] == [1, 0, 0]
    assert len({report.new_files[0].key for report in made}) == 3
    before = times(out)
    again = make(game, options(ink=BOTH), outputs=("sheets",), output_folder=out)
    assert not again.new_files
    assert times(out) == before


def test_ink_is_estimated(game: Path, tmp_path: Path) -> None:
    """One card of 203 × 283 points on A4, most of it dark blue; then the saving."""
    wanted = replace(options(ink=LOW), estimate=True)
    report = make(game, wanted, outputs=("sheets",), output_folder=tmp_path / "low")
    (text,) = [a.summary for a in report.new_files if a.path == "en/sheets.pdf"]
    full = make(
        game, replace(options(), estimate=True), outputs=("sheets",), output_folder=tmp_path / "f"
    )
    (full_text,) = [a.summary for a in full.new_files if a.path == "en/sheets.pdf"]
    page = sheet(game, FULL_INK, tmp_path / "page")
    share = int(full_text.rpartition("ink: ")[2].partition("\u00a0")[0])
    assert share == pytest.approx(100 * raster.measure_darkness(page), abs=1.0)
    assert "1 printed pages" not in full_text
    assert int(text.rpartition("; ")[2].partition("\u00a0")[0]) > 70


def test_an_estimate_is_remembered(
    game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = replace(options(), estimate=True)
    first = make(game, wanted, outputs=("sheets",), output_folder=tmp_path)
    monkeypatch.setattr("cardgen.outputs.face_measurement.run_measure_task", None)
    again = make(game, wanted, outputs=("sheets",), output_folder=tmp_path)
    summaries = [
        [a.summary for a in (*r.new_files, *r.unchanged_files) if a.summary] for r in (first, again)
    ]
    assert summaries[0] == summaries[1]


@pytest.mark.parametrize(("ground", "ink", "told"), [
    ("#101010", FULL_INK, True), ("#101010", LOW, False), ("#a0a0a0", FULL_INK, False),
])  # fmt: skip
def test_backs_that_are_almost_wholly_inked_are_told_with_what_low_ink_saves(
    game: Path, tmp_path: Path, ground: str, ink: InkMode, *, told: bool
) -> None:
    (game / "templates/back.html").write_text(
        f'<div class="bleed" style="background: {ground}"></div>'
    )
    deck = game / "cards/dark.yaml"
    deck.write_text(deck.read_text().replace("cards:\n", "back: back.html\ncards:\n"))
    report = make(game, options(ink=ink), outputs=("sheets",), output_folder=tmp_path / "out")
    (text,) = [a.summary for a in report.new_files if a.path == "en/sheets.pdf"]
    _, phrase, saving = text.partition("what --low-ink saves: dark\u00a0(")
    assert bool(phrase) == told
    assert not told or int(saving.partition("\u00a0")[0]) > 80


def test_options_of_the_command_line(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """White grounds end nowhere, so little ink comes with a line round every piece."""
    asked: list[build.Request] = []

    def note(request: build.Request, _progress: object) -> build.BuildReport:
        asked.append(request)
        return build.BuildReport(game, [Problem(Source("x"), "enough", "x")])

    monkeypatch.setattr(build, "build", note)
    for words in ([], ["--low-ink"], ["--grayscale", "--estimate"]):
        CliRunner().invoke(cli, ["build", str(game), "sheets", *words])
    told = [request.options for request in asked]
    layouts = [(o.layout.ink, o.layout.style.has_cut_lines, o.estimate) for o in told if o]
    assert layouts == [(FULL_INK, False, False), (LOW, True, False), (GREY, False, True)]


# --- the flagship ---


Chosen = list[tuple[str, FacePdf]]


@pytest.fixture(scope="module")
def flagship(tmp_path_factory: pytest.TempPathFactory) -> tuple[FaceSet, Chosen]:
    """The first front and back of each deck, in English."""

    def choose(faces: list[Face]) -> list[Face]:
        wanted: dict[tuple[str, str], Face] = {}
        for face in faces:
            wanted.setdefault((face.deck.id, face.side), face)
        return list(wanted.values())

    chosen, store = typeset(ROOT, tmp_path_factory.mktemp("inks"), ("en",), choose)
    return chosen, [(f"{f.deck.id} {f.side}", get_face_pdf(f, store)) for f in chosen.faces]


def composed(flagship: tuple[FaceSet, Chosen], ink: InkMode) -> bytes:
    composer = Composer(flagship[0].fonts.files, ink=ink)
    for _, face in flagship[1]:
        composer.add_page(face.width, face.height, b"/F Do", {"F": composer.add_face(face)})
    return composer.save("faces", "en")


def test_the_flagship_takes_little_ink(flagship: tuple[FaceSet, Chosen]) -> None:
    chosen, named = flagship
    pdfs, cuts = tuple(face for _, face in named), chosen.fonts.files
    low, full = (
        [
            COVERAGE_MEASURE.parse(share) or 0.0
            for share in run_measure_task(MeasureTask(pdfs, cuts, ink, COVERAGE_MEASURE.compute))
        ]
        for ink in (LOW, FULL_INK)
    )
    assert len(low) > 25
    for (name, _), little, much in zip(named, low, full, strict=True):
        assert 0.01 < little < MOST, (name, little)
        # What takes little in full is a sign on bare paper: there is nothing to save.
        assert little < MOST_OF_FULL * much or much < LITTLE, (name, little, much)
    assert sum(low) < 0.4 * sum(full)


def letters(pdf: bytes, dpi: float) -> Iterator[list[float]]:
    """The contrast within the box of each letter, page by page."""
    document = pypdfium2.PdfDocument(pdf)
    for page in document:
        image = page.render(scale=dpi / 72).to_pil().convert("RGB")
        text, found = page.get_textpage(), []
        height = page.get_height()
        for index in range(text.count_chars()):
            left, bottom, right, top = text.get_charbox(index)
            box = [round(v * dpi / 72) for v in (left, height - top, right, height - bottom)]
            if (
                box[2] - box[0] > 3
                and box[3] - box[1] > 3
                and text.get_text_range(index, 1).strip()
            ):
                darkest, lightest = extremes(part(image, box))
                found.append(get_contrast(darkest, lightest))
        yield found


def extremes(image: Image.Image) -> tuple[Colour, Colour]:
    grey = image.convert("L")
    shares = [level / 255 for level, many in enumerate(grey.histogram()) if many]
    low, high = shares[0], shares[-1]
    return (low, low, low), (high, high, high)


@pytest.mark.parametrize("ink", [LOW, BOTH])
def test_the_flagship_can_be_read(flagship: tuple[FaceSet, Chosen], ink: InkMode) -> None:
    """Every letter stands out from its ground: by 4.5, or as much as in full ink."""
    pairs = zip(letters(composed(flagship, FULL_INK), 200), letters(composed(flagship, ink), 200),
                strict=True)  # fmt: skip
    count = 0
    for (name, _), (full, low) in zip(flagship[1], pairs, strict=True):
        for index, (before, after) in enumerate(zip(full, low, strict=True)):
            assert after >= min(ENOUGH, 0.9 * before), (name, index, before, after)
            count += 1
    assert count > 3000


def test_the_flagship_in_grey(flagship: tuple[FaceSet, Chosen]) -> None:
    for (name, _), image in zip(
        flagship[1], raster.rasterise_pages(composed(flagship, GREY), 40), strict=True
    ):
        r, g, b = image.split()
        for other in (g, b):
            assert ImageChops.difference(r, other).getbbox() is None, name


def test_a_drawing_is_still_stored_once(flagship: tuple[FaceSet, Chosen]) -> None:
    """Recoloured forms are shared as before: the file hardly grows."""
    assert len(composed(flagship, LOW)) < 1.05 * len(composed(flagship, FULL_INK))
    with pikepdf.open(io.BytesIO(composed(flagship, LOW))) as pdf:
        assert len(pdf.pages) == len(flagship[1])
