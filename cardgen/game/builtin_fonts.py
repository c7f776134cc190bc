"""The families that come with cardgen: for games that name no font, or one of these by its name.

This is the only list of them. Their files lie beside the code, put there by
`distribution/families.py` when a wheel is built or a checkout is set up; which versions,
`assets/fonts/package.json` says. That reads this module where nothing is installed yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cardgen.base import paths

FOLDER = Path(__file__).parents[1] / "assets/fonts"


@dataclass(frozen=True)
class Builtin:
    """A family, each of its weights in each of its styles, for all of its scripts."""

    name: str
    subsets: tuple[str, ...]
    weights: tuple[int, ...] = (400,)
    styles: tuple[str, ...] = ("normal",)

    @property
    def cuts(self) -> list[tuple[int, str]]:
        """Its weights with their styles."""
        return [(weight, style) for weight in self.weights for style in self.styles]

    def file(self, weight: int, style: str) -> str:
        """The file of a cut, below the folder of them all."""
        return f"{slug(self.name)}/{slug(self.name)}-{weight}-{style}.ttf"

    def path(self, weight: int, style: str) -> Path | None:
        """Where a cut is, if it is there."""
        name = self.file(weight, style)
        return FOLDER / name if paths.there(FOLDER, name) else None


FAMILIES = (
    Builtin(
        "Fira Sans Condensed",
        ("latin", "latin-ext", "cyrillic", "greek"),
        (400, 700),
        ("normal", "italic"),
    ),
    Builtin("Yeseva One", ("latin", "latin-ext", "cyrillic")),
)
"""The first is what text is set in where nothing else is said."""
BY_NAME = {family.name: family for family in FAMILIES}


def slug(family: str) -> str:
    """A family's name as files and packages are called after it: `roboto-condensed`."""
    return family.lower().replace(" ", "-")


def package(family: str) -> str:
    """The npm package of a family."""
    return f"@fontsource/{slug(family)}"
