"""Digest of every file that is built of every game here, to compare before and after a change.

    python benchmarks/digests.py [--profile FILE.icc] [GAME ...] > before.txt

Every game is built cold into a folder of its own, with every output that its data allows. Files
for a press need an ICC profile. Two lists are compared with `diff before.txt after.txt`.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cardgen.outputs.registry import OUTPUTS

ROOT = Path(__file__).parent.parent
PARTS = ("game.yaml", "table.yaml", "cards", "templates", "art", "rulebook", "fonts")
SHOPS = ("mpc", "tgc")
SHOP_GAMES = ("flagship", "at43")
"""Games with a card that print shops have."""
GAMES = {
    "flagship": ROOT,
    **{path.parent.name: path.parent for path in sorted((ROOT / "games").glob("*/game.yaml"))},
}


def copy_game(game: Path, target: Path) -> Path:
    """Copy a game's own files, so that nothing of an earlier build is there."""
    target.mkdir()
    for name in PARTS:
        if (game / name).is_dir():
            shutil.copytree(game / name, target / name)
        elif (game / name).exists():
            shutil.copy(game / name, target)
    return target


def digest_build(game: Path, profile: str, *, shops: bool) -> Iterator[tuple[str, str]]:
    """Build a game and yield each file's path and digest."""
    # Without a record of what was printed, `--changed` has nothing to compare with.
    outputs = [
        name
        for name, output in OUTPUTS.items()
        if not output.uses_option("base") and (shops or name not in SHOPS)
    ]
    options = [*(["--fit", "scale"] if shops else []), "--all-editions"]
    if profile:
        options += ["--profile", profile]
    else:
        outputs.remove("press")
    command = [sys.executable, "-P", "-m", "cardgen", "build", str(game), *outputs, *options]
    subprocess.run(command, check=True, stdout=sys.stderr)
    for path in sorted((game / "build").rglob("*")):
        name = path.relative_to(game / "build")
        if path.is_file() and not name.parts[0].startswith("."):
            yield name.as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profile", default="", help="an ICC profile, for files for a press")
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(GAMES))
    arguments = parser.parse_args()
    profile = str(Path(arguments.profile).resolve()) if arguments.profile else ""
    for name in arguments.games or GAMES:
        with tempfile.TemporaryDirectory(prefix="digests-") as scratch:
            game = copy_game(GAMES[name], Path(scratch) / "game")
            for path, digest in digest_build(game, profile, shops=name in SHOP_GAMES):
                print(f"{digest}  {name}/{path}", flush=True)


if __name__ == "__main__":
    main()
