"""The wheel, as it is installed elsewhere: games without fonts, and those that it begins itself."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import openpyxl
import pikepdf
import pytest
from conftest import ROOT
from small_games import GAME
from try_release import copy_sources

from cardgen.game import fonts_file
from cardgen.game.fonts_file import BUILTIN_FAMILIES

FILES = {
    "game.yaml": GAME,
    "cards/loot.yaml": "deck: loot\ntitle: Loot\nsize: poker\nfront: loot.html\n"
    "fields: {name: text}\ncards:\n  - {id: barn, name: Barn łąka Сарай}\n",
    "templates/loot.html": '<p style="margin: 9mm">{{ card.name }} <b>and</b> <i>more</i></p>'
    f'<p style="margin: 9mm; font-family: {BUILTIN_FAMILIES[1].name}">{{{{ card.name }}}}</p>'
    f'<p style="margin: 9mm; font-family: {BUILTIN_FAMILIES[2].name}">code → ★</p>\n',
}


def run(folder: Path, *words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    around = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        words, cwd=folder, env={**around, **variables}, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built with what is installed and fetched already."""
    sources = tmp_path_factory.mktemp("checkout") / "sources"
    copy_sources(sources)
    pip = (sys.executable, "-m", "pip", "wheel", "--no-index", "--no-deps", "--no-build-isolation")
    built = run(sources, *pip, "--wheel-dir", "wheels", ".", PATH=os.defpath)
    assert built.returncode == 0, built.stdout + built.stderr
    (made,) = (sources / "wheels").iterdir()
    return made


def test_the_wheel_holds_the_families_with_their_licences(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as held:
        names = [name for name in held.namelist() if name.startswith("cardgen/assets/fonts/")]
    for family in BUILTIN_FAMILIES:
        assert f"cardgen/assets/fonts/{fonts_file.make_family_slug(family.name)}/LICENSE" in names
        for cut in family.cuts:
            assert f"cardgen/assets/fonts/{family.get_file_name(*cut)}" in names
    assert {Path(name).suffix for name in names} == {"", ".ttf", ".json"}, "and what pins them"


@pytest.fixture(scope="module")
def cardgen(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command, in an environment into which the wheel is installed."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=False)
    scripts = "Scripts" if sys.platform == "win32" else "bin"
    python = folder / "venv" / scripts / Path(sys.executable).name
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-deps")
    installed = run(folder, *pip, wheel)
    assert installed.returncode == 0, installed.stderr
    # The libraries are those of this environment; their .pth files are not read, so that what is
    # installed there of cardgen itself is not found.
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    libraries = Path(run(folder, python, "-c", where).stdout.strip())
    (libraries / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python.with_name("cardgen")


def test_a_game_without_fonts_is_built_by_the_wheel(cardgen: Path, tmp_path: Path) -> None:
    game = tmp_path / "game"
    for name, text in FILES.items():
        (game / name).parent.mkdir(parents=True, exist_ok=True)
        (game / name).write_text(text, encoding="utf-8")
    made = run(game, cardgen, "build", "sheets")
    assert (made.returncode, made.stderr) == (0, ""), made.stdout
    with pikepdf.open(game / "build/en/sheets.pdf") as pdf:
        fonts = {str(each.BaseFont) for each in pdf.objects if "/BaseFont" in each}
    for family in (each for each in BUILTIN_FAMILIES if each.is_basic):
        assert any(family.name.replace(" ", "-") in name for name in fonts), fonts


def test_the_wheel_says_the_version_of_pyproject(cardgen: Path, tmp_path: Path) -> None:
    said = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    version = said["project"]["version"]
    assert run(tmp_path, cardgen, "--version").stdout == f"cardgen, version {version}\n"


def test_a_new_game_is_built_at_once(cardgen: Path, tmp_path: Path) -> None:
    begun = run(tmp_path, cardgen, "new", "harbour")
    assert (begun.returncode, begun.stderr) == (0, "")
    made = run(tmp_path, cardgen, "build", "sheets", "harbour")
    assert (made.returncode, made.stderr) == (0, ""), made.stdout
    with pikepdf.open(tmp_path / "harbour/build/en/sheets.pdf") as pdf:
        assert len(pdf.pages) == 4, "18 cards with their backs"


def test_a_new_game_from_a_workbook_is_built_at_once(cardgen: Path, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Qty", "Card Name", "Type", "Cost", "Rules Text"])
    for number in range(20):
        kind = ("Ship", "Quay", "Storm")[number % 3]
        book.active.append([1, f"Card {number}", kind, number % 5, "Draw a card, then rest."])
    book.save(tmp_path / "My cards.xlsx")
    begun = run(tmp_path, cardgen, "new", "fleet", "--from", "My cards.xlsx")
    assert (begun.returncode, begun.stderr) == (0, "")
    made = run(tmp_path, cardgen, "build", "sheets", "fleet")
    assert (made.returncode, made.stderr) == (0, ""), made.stdout
    with pikepdf.open(tmp_path / "fleet/build/en/sheets.pdf") as pdf:
        assert len(pdf.pages) == 6, "20 cards with their backs"
