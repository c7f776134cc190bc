"""`cardgen calibrate`: kept per printer, in the user's own folder; the sheet; what builds do."""

from __future__ import annotations

from math import isclose
from pathlib import Path

import pypdfium2
import pytest
from click.testing import CliRunner, Result
from small_games import A4, TEXT_GAME, write_game

from cardgen.cli.command_line import cli
from cardgen.sheets import printer_profiles
from cardgen.sheets.printer_profiles import PrinterCalibration


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "config"
    monkeypatch.setenv("CARDGEN_CONFIG", str(folder))
    return folder


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_game(tmp_path_factory.mktemp("game"), TEXT_GAME)


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_figures_are_kept_per_printer_outside_the_game(config: Path, game: Path) -> None:
    before = sorted(path for path in game.rglob("*") if "node_modules" not in path.parts)
    result = run("calibrate", game, "--printer", "home", "--dx", "1.2", "--dy=-0.00001")
    assert result.exit_code == 0, result.output
    assert "home: +1.2 mm to the right" in result.output
    run("calibrate", game, "--printer", "At work 2", "--angle=-0.25")
    found, problems = printer_profiles.read_printers(config)
    assert problems == []
    assert found == {
        "home": PrinterCalibration(1.2, 0, 0),
        "At work 2": PrinterCalibration(0, 0, -0.25),
    }
    listed = run("calibrate", "--list").output
    assert listed.splitlines()[0].startswith("At work 2: +0 mm to the right, +0 mm up, -0.25°")
    assert sorted(p for p in game.rglob("*") if "node_modules" not in p.parts) == before


def test_nothing_known_yet(config: Path) -> None:
    assert "no printer is calibrated yet" in run("calibrate", "--list").output


@pytest.mark.parametrize(
    "words", [("--dx", "1"), ("--printer", 'a"b', "--dx", "1"), ("--printer", "a", "--dx", "99")]
)
def test_wrong_words(config: Path, words: tuple[str, ...]) -> None:
    assert run("calibrate", *words).exit_code == 2
    assert not config.exists()


def test_a_broken_file_is_told(config: Path, game: Path) -> None:
    config.mkdir()
    (config / "printers.yaml").write_text("printers:\n  home: {dx: far}\n")
    result = run("build", game, "sheets", "--printer", "home")
    assert result.exit_code == 1
    assert (
        "printers.yaml:2: error: home: dx is not valid; write dx and dy up to 20 mm"
        in result.output
    )


def test_an_unknown_printer_is_told(config: Path, game: Path) -> None:
    run("calibrate", "--printer", "home", "--dx", "1")
    result = run("build", game, "sheets", "--printer", "hom")
    assert result.exit_code == 2
    assert "did you mean 'home'?" in result.output


def test_a_build_for_a_printer_moves_backs_alone(
    config: Path, game: Path, tmp_path: Path, one_process: None
) -> None:
    run("calibrate", "--printer", "home", "--dx", "1.5")
    plain = tmp_path / "plain"
    assert run("build", game, "sheets", "-o", plain).exit_code == 0
    told = run("build", game, "sheets", "--printer", "home", "-o", tmp_path / "home")
    assert told.exit_code == 0, told.output
    drawn = []
    for folder in (plain, tmp_path / "home"):
        document = pypdfium2.PdfDocument(folder / "fi/sheets/loot.pdf")
        drawn.append([page.render(scale=1).to_pil().tobytes() for page in document])
        document.close()
    assert drawn[0][0] == drawn[1][0]
    assert drawn[0][1] != drawn[1][1]


def test_the_sheet_is_two_pages(config: Path, game: Path) -> None:
    result = run("calibrate", game, "--paper", "letter")
    assert result.exit_code == 0, result.output
    document = pypdfium2.PdfDocument(game / "build/calibration.pdf")
    texts = [page.get_textpage().get_text_range() for page in document]
    size = document[0].get_size()
    document.close()
    assert [round(edge) for edge in size] == [612, 792]
    assert "front" in texts[0]
    assert "--dy" in texts[1]
    assert "+10" in texts[1]


def test_turning_is_about_the_middle_and_comes_first() -> None:
    def moved(at: tuple[float, float], c: PrinterCalibration) -> tuple[float, float]:
        a, b, cc, d, e, f = c.compute_matrix(A4)
        return a * at[0] + cc * at[1] + e, b * at[0] + d * at[1] + f

    middle = moved((105, 148.5), PrinterCalibration(1, 2, 3))
    assert isclose(middle[0], 106)
    assert isclose(middle[1], 150.5)
    # Counter-clockwise: what is above the middle goes to the left.
    above = moved((105, 248.5), PrinterCalibration(0, 0, 1))
    assert isclose(above[0], 105 - 1.7452, abs_tol=1e-3)


def test_what_the_sheet_is_read_by() -> None:
    """A printer that puts backs wrong: the readings of its sheet, as told on it, undo that.

    The reading at a place is where the front's cross lies, seen from the back's picture.
    """
    wrong = PrinterCalibration(-1.2, 0.7, 0.4)  # what the printer does to the back's picture
    factor = 180 / 3.14159265 / 200

    def lands(x: float, y: float) -> tuple[float, float]:
        a, b, c, d, e, f = wrong.compute_matrix(A4)
        return a * x + c * y + e, b * x + d * y + f

    upper, middle, lower = (lands(105, 148.5 + y) for y in (100, 0, -100))
    dx, dy = 105 - middle[0], 148.5 - middle[1]
    angle = factor * ((105 - lower[0]) - (105 - upper[0]))
    assert isclose(dx, -wrong.dx, abs_tol=0.02)
    assert isclose(dy, -wrong.dy, abs_tol=0.02)
    assert isclose(angle, -wrong.angle, abs_tol=0.01)
