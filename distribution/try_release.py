"""Build what is released, install it as people do, and make a game with each: `make try-release`.

    python distribution/try_release.py [--into FOLDER] [--some]

A wheel and a source archive are built from a copy of the checkout, and a wheel once more from the
archive alone: the two wheels must hold the same files. Then each Python of `WANTED` gets the wheel
in a fresh environment, in each of the ways of `WAYS`; in a folder elsewhere a game is begun,
checked and built, with the network cut where the system can do that, and what came of it is looked
at. So it is in the container of the Dockerfile, where docker or podman answers, and with the steps
of the GitHub Action, which install from the same sources. Packages come from where `pip` and `uv`
are set to fetch them.

It ends with 1 if anything is not as it should be, or if one of `WANTED` is not on this machine;
with `--some`, those that are there do, each but the first in one way alone.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import try_action

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ("cardgen", "distribution", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in")
"""What of the checkout a wheel is built from."""
WANTED = ("3.11", "3.12", "3.13")
"""The versions of Python that are tried."""
A4 = (595, 842)
"""In points."""
POKER = (750, 1050)
"""A poker card in pixels: 63.5 × 88.9 mm at 300 dpi."""
SHEETS = 4
"""How many pages of A4 the 18 cards of a new game take with their backs."""
_WINDOWS = sys.platform == "win32"
_BIN = "Scripts" if _WINDOWS else "bin"
_EXE = ".exe" if _WINDOWS else ""
_OURS = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CARDGEN_WITHOUT_FONTS")


class Wrong(Exception):  # noqa: N818 - it reads as what it says
    """What is not as it should be, in words for whoever releases."""


@dataclass(frozen=True)
class Place:
    """Where one way of installing is tried: a Python, a folder of its own, and the wheel."""

    python: Path
    folder: Path
    wheel: Path


Command = Sequence[str | Path]
Way = Callable[[Place], tuple[Command, Mapping[str, str]]]
"""Installs the wheel; what `cardgen` is called by, and the variables that go with it."""


def said(words: Command, cwd: Path, variables: Mapping[str, str] | None = None) -> str:
    """What a command prints. Raises `Wrong` with all it said if it fails."""
    around = {name: value for name, value in os.environ.items() if name not in _OURS}
    # A version that is not there is told, and not fetched.
    around |= {"UV_PYTHON_DOWNLOADS": "never", **(variables or {})}
    ran = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=around, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8",
    )  # fmt: skip
    if ran.returncode:
        told = " ".join(str(word) for word in words)
        raise Wrong(f"{told}\nended with {ran.returncode}:\n{ran.stdout}")
    return ran.stdout


def version() -> str:
    """The version that `pyproject.toml` names."""
    named: str = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    return named


def copy_sources(folder: Path) -> None:
    """Have `SOURCES` in a folder, which must not be there yet."""
    folder.mkdir(parents=True)
    unwanted = shutil.ignore_patterns("__pycache__", "*.egg-info")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=unwanted)
        else:
            shutil.copyfile(ROOT / name, folder / name)


def archives(into: Path, scratch: Path) -> tuple[Path, Path]:
    """The wheel and the source archive of this checkout, in `into`. Raises `Wrong`."""
    # In the checkout itself, setuptools would take along what lies in build/lib.
    sources = scratch / "checkout"
    copy_sources(sources)
    building = (sys.executable, "-m", "build", "--no-isolation", "--outdir", into, sources)
    said((*building, "--sdist"), scratch)
    said((*building, "--wheel"), scratch)
    named = f"cardgen-{version()}"
    wheel, source = into / f"{named}-py3-none-any.whl", into / f"{named}.tar.gz"
    for made in (wheel, source):
        if not made.is_file():
            raise Wrong(f"{made.name} was not made, but {[each.name for each in into.iterdir()]}")
    return wheel, source


def rebuilt(source: Path, scratch: Path) -> Path:
    """The wheel that the source archive alone leads to, built as pip builds it: with what it says
    that it needs, and the families fetched. Raises `Wrong`."""
    unpacked = scratch / "unpacked"
    with tarfile.open(source) as held:
        held.extractall(unpacked, filter="data")
    (folder,) = unpacked.iterdir()
    target = scratch / "from-source"
    said((sys.executable, "-m", "build", "--wheel", "--outdir", target, folder), scratch)
    (wheel,) = target.iterdir()
    return wheel


def differences(one: Path, other: Path) -> list[str]:
    """The names of what two wheels do not both hold with the same bytes."""
    with zipfile.ZipFile(one) as first, zipfile.ZipFile(other) as second:
        held = [{name: each.read(name) for name in each.namelist()} for each in (first, second)]
    return sorted(name for name in held[0] | held[1] if held[0].get(name) != held[1].get(name))


def pythons() -> dict[str, Path]:
    """The Python of each of `WANTED` that this machine has."""
    found = {}
    for wanted in WANTED:
        for python in _candidates(wanted):
            asked = "import sys; print('%d.%d' % sys.version_info[:2])"
            try:
                answer = said((python, "-c", asked), ROOT).strip()
            except (Wrong, OSError):
                continue  # a stand-in of pyenv for a version that is not chosen, say
            if answer == wanted:
                found[wanted] = python
                break
    return found


def _candidates(wanted: str) -> Iterator[Path]:
    if here := shutil.which(f"python{wanted}"):
        yield Path(here)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob(f"versions/{wanted}.*/bin/python"))
    try:
        yield Path(said((tool("uv"), "python", "find", wanted), ROOT).strip())
    except Wrong:
        return


def tool(name: str) -> Path:
    """A program beside this Python, or on the path. Raises `Wrong`."""
    beside = Path(sys.executable).with_name(name + _EXE)
    found = beside if beside.is_file() else shutil.which(name)
    if not found:
        raise Wrong(f"{name} is not installed; 'make setup' installs it into .venv")
    return Path(found)


def with_uv(place: Place) -> tuple[Command, Mapping[str, str]]:
    """`uv tool install`."""
    into = {"UV_TOOL_DIR": str(place.folder), "UV_TOOL_BIN_DIR": str(place.folder / "bin")}
    said((tool("uv"), "tool", "install", "--python", place.python, place.wheel), place.folder, into)
    return (place.folder / "bin" / f"cardgen{_EXE}",), {}


def with_pipx(place: Place) -> tuple[Command, Mapping[str, str]]:
    """`pipx install`."""
    into = {"PIPX_HOME": str(place.folder), "PIPX_BIN_DIR": str(place.folder / "bin")}
    said((tool("pipx"), "install", "--python", place.python, place.wheel), place.folder, into)
    return (place.folder / "bin" / f"cardgen{_EXE}",), {}


def with_pip(place: Place) -> tuple[Command, Mapping[str, str]]:
    """`pip install` in an environment of its own."""
    said((place.python, "-m", "venv", place.folder / "venv"), place.folder)
    programs = place.folder / "venv" / _BIN
    said((programs / f"python{_EXE}", "-m", "pip", "install", place.wheel), place.folder)
    return (programs / f"cardgen{_EXE}",), {}


def with_uvx(place: Place) -> tuple[Command, Mapping[str, str]]:
    """`uvx`, which installs nothing that stays: the first call fetches, the others need not."""
    called = (tool("uvx"), "--python", place.python, "--from", place.wheel, "cardgen")
    said((*called, "--version"), place.folder)
    return called, {"UV_OFFLINE": "1"}


WAYS: dict[str, Way] = {
    "pip": with_pip, "pipx": with_pipx, "uv tool install": with_uv, "uvx": with_uvx,
}  # fmt: skip


def planned(found: Sequence[str], some: bool) -> list[tuple[str, str]]:
    """Which version is tried in which way: each in all of them, or the first in all of them and
    the others in turn."""
    ways = list(WAYS)
    return [
        (python, way)
        for nth, python in enumerate(found)
        for way in ([ways[nth % len(ways)]] if some and nth else ways)
    ]


def cutting() -> Command:
    """What a command is put behind so that it has no network; nothing where that cannot be."""
    behind = ("unshare", "--user", "--map-root-user", "--net")
    try:
        said((*behind, "true"), ROOT)
    except (Wrong, OSError):
        return ()
    return behind


def game_made(cardgen: Command, variables: Mapping[str, str], folder: Path) -> str:
    """Begin, check and build a game in a folder; what was made, in words. Raises `Wrong`."""

    def run(*words: str) -> str:
        return said((*cardgen, *words), folder, variables)

    if (told := run("--version").strip()) != f"cardgen, version {version()}":
        raise Wrong(f"--version says '{told}', pyproject.toml {version()}")
    run("new", "mygame")
    checked = run("check", "mygame")
    if "no problems" not in checked:
        raise Wrong(f"a new game is not without problems:\n{checked}")
    run("build", "mygame")
    pieces = json.loads(run("list", "mygame", "--json"))
    cards = sum(len(deck["pieces"]) for deck in pieces["decks"])
    return looked_at(folder / "mygame/build/en", cards)


def looked_at(made: Path, cards: int) -> str:
    """What a build of a new game holds, in words; `cards` is how many different ones it has.
    Raises `Wrong` if a file is missing or has another size."""
    import pikepdf  # noqa: PLC0415 - so that tests of the rest do without
    from PIL import Image  # noqa: PLC0415

    pages = {}
    for name in ("sheets.pdf", "rulebook.pdf"):
        if not (made / name).is_file():
            raise Wrong(f"no {name} in {made}")
        with pikepdf.open(made / name) as pdf:
            sizes = {tuple(round(float(side)) for side in page.mediabox[2:]) for page in pdf.pages}
            pages[name] = len(pdf.pages)
        if sizes != {A4}:
            raise Wrong(f"the pages of {name} are {sizes} points, not {A4}")
    if pages["sheets.pdf"] != SHEETS:
        raise Wrong(f"sheets.pdf has {pages['sheets.pdf']} pages, not {SHEETS}")
    fronts = [each for each in made.glob("images/*/*.png") if not each.stem.endswith("-back")]
    for front in fronts:
        with Image.open(front) as picture:
            if picture.size != POKER:
                raise Wrong(f"{front.name} is {picture.size} pixels, not {POKER}")
    if len(fronts) != cards:
        raise Wrong(f"{len(fronts)} pictures of fronts, and {cards} cards")
    return f"{SHEETS} pages of sheets, {cards} different cards, {pages['rulebook.pdf']} of rules"


def tried(python: Path, way: str, wheel: Path) -> str:
    """Install in one way and make a game; what was made, in words. Raises `Wrong`."""
    with tempfile.TemporaryDirectory(prefix="cardgen-try-") as name:
        folder = Path(name).resolve()
        (folder / "installed").mkdir()
        (folder / "elsewhere").mkdir()
        command, variables = WAYS[way](Place(python, folder / "installed", wheel))
        return game_made((*cutting(), *command), variables, folder / "elsewhere")


def action_run(scratch: Path) -> str:
    """Run the steps of the GitHub Action on a pull request, which install from a copy of the
    sources; what came of it, in words. Raises `Wrong`."""
    sources = scratch / "action"
    copy_sources(sources)
    (scratch / "job").mkdir()
    job = try_action.run(scratch / "job", {"inputs.sarif": "true"}, install=sources)
    if wrong := [*try_action.wrongs(job)]:
        said = "\n".join(f"## {step.name}: {step.code}\n{step.said}" for step in job.steps)
        raise Wrong("\n".join([*wrong, said]))
    return f"{len(job.steps)} steps, a page and sheets of {len(try_action.GAMES)} games"


def contained() -> str:
    """Build the image of the Dockerfile and make a game in it, as this user and without a network;
    what was made, in words. Raises `Wrong`."""
    engine = next((name for name in ("docker", "podman") if _answers(name)), "")
    if not engine:
        return "left out: neither docker nor podman answers on this machine"
    said((engine, "build", "--tag", "cardgen:try", "."), ROOT)
    whose = ("--userns", "keep-id") if engine == "podman" else ("--user", _whoever())
    with tempfile.TemporaryDirectory(prefix="cardgen-try-") as name:
        folder = Path(name).resolve()
        run = (engine, "run", "--rm", "--network", "none", "--volume", f"{folder}:/game", *whose)
        return game_made((*run, "cardgen:try"), {}, folder)


def _answers(engine: str) -> bool:
    try:
        said((engine, "info"), ROOT)
    except (Wrong, OSError):
        return False
    return True


def _whoever() -> str:
    return "1000:1000" if sys.platform == "win32" else f"{os.getuid()}:{os.getgid()}"


def main() -> int:
    """Go through it all, a line for each; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--into", type=Path, default=ROOT / "build/release", metavar="FOLDER")
    parser.add_argument("--some", action="store_true", help="the Pythons that are here, less often")
    asked = parser.parse_args()
    into: Path = asked.into.resolve()
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    bad = 0

    def step(title: str, done: Callable[[], str]) -> None:
        nonlocal bad
        begun = time.monotonic()
        try:
            came = done()
        except Wrong as error:
            came, bad = f"WRONG: {error}", bad + 1
        print(f"{title:<24} {came} ({time.monotonic() - begun:.0f} s)", flush=True)

    with tempfile.TemporaryDirectory(prefix="cardgen-release-") as scratch:
        try:
            wheel, source = archives(into, Path(scratch))
        except Wrong as error:
            print(f"WRONG: {error}")
            return 1
        for made in (wheel, source):
            print(f"{'built':<24} {made.name}, {made.stat().st_size / 1e6:.1f} MB", flush=True)
        step("wheel from the archive", lambda: _same(wheel, rebuilt(source, Path(scratch))))
        step("GitHub Action", lambda: action_run(Path(scratch)))
    print(f"{'network of the game':<24} {'cut' if cutting() else 'left as it is'}", flush=True)
    found = pythons()
    for python, way in planned(list(found), asked.some):
        step(f"{python} {way}", partial(tried, found[python], way, wheel))
    step("container", contained)
    missing = [wanted for wanted in WANTED if wanted not in found]
    for wanted in missing:
        print(f"{wanted:<24} left out: no Python {wanted} on this machine")
    bad += 0 if found and asked.some else len(missing)
    print("this cannot be released" if bad else f"cardgen {version()} can be released")
    return 1 if bad else 0


def _same(wheel: Path, other: Path) -> str:
    if names := differences(wheel, other):
        raise Wrong(f"it differs in {', '.join(names)}")
    with zipfile.ZipFile(wheel) as held:
        return f"the same {len(held.namelist())} files"


if __name__ == "__main__":
    sys.exit(main())
