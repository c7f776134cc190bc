"""A digest of every file that is made of every game here: what a change of code must not move.

    python benchmarks/digests.py > before.txt      then change the code, and again
    diff before.txt after.txt

Everything is built cold into a folder of its own, with every output; the store is left out.
"""

from __future__ import annotations

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
GAMES = (ROOT, *sorted(path.parent for path in (ROOT / "games").glob("*/game.yaml")))


def copied(game: Path, target: Path) -> Path:
    """A game's own files alone, so that nothing of an earlier build is there."""
    target.mkdir()
    for name in PARTS:
        if (game / name).is_dir():
            shutil.copytree(game / name, target / name)
        elif (game / name).exists():
            shutil.copy(game / name, target)
    return target


def made(game: Path) -> Iterator[tuple[str, str]]:
    """Every file of a game's build and its hash."""
    # Without a record of what was printed there is nothing to compare with.
    words = [name for name, output in OUTPUTS.items() if not output.uses_option("base")]
    command = [sys.executable, "-P", "-m", "cardgen", "build", str(game), *words]
    subprocess.run(command, check=True, stdout=sys.stderr)
    for path in sorted((game / "build").rglob("*")):
        name = path.relative_to(game / "build")
        if path.is_file() and not name.parts[0].startswith("."):
            yield name.as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()[:16]


def main() -> None:
    for game in GAMES:
        name = "flagship" if game == ROOT else game.name
        with tempfile.TemporaryDirectory(prefix="digests-") as scratch:
            for path, digest in made(copied(game, Path(scratch) / "game")):
                print(f"{digest}  {name}/{path}", flush=True)


if __name__ == "__main__":
    main()
