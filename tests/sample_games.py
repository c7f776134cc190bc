"""Games as `cardgen new` begins them, from the samples of the looks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cardgen.looks import look_catalogue
from cardgen.starting import new_game, starter_files


def sample(
    root: Path,
    look: str,
    size: str = "",
    languages: Sequence[str] = ("en", "fi"),
    name: str = "Try",
) -> Path:
    """Write the sample of a look into a new folder, its size unless told otherwise."""
    wish = starter_files.NewGameRequest(
        name, look_catalogue.load_look(look), size, tuple(languages)
    )
    made, problems = new_game.create_game(wish)
    assert problems == []
    for path, data in made.files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
    return root


def change(root: Path, old: str, new: str, name: str = "cards/*.yaml") -> None:
    """Change what the only file of that name says, in one place."""
    path = next(path for path in root.glob(name) if old in path.read_text(encoding="utf-8"))
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    path.write_text(text.replace(old, new), encoding="utf-8")
