"""`picture("ships/tug")` in templates: the file of the game's art that bears a name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cardgen.base import paths
from cardgen.base.problems import did_you_mean

FOLDER = "art"
_ENDINGS = (".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff")


class ArtNames:
    """The pictures under art/, listed when first one is asked for."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._found: dict[str, str] | None = None

    @property
    def all(self) -> Iterable[str]:
        """Every picture's path, in order."""
        return dict.fromkeys(self._index.values())

    def picture(self, given: object, *others: object) -> str | None:
        """The path of a picture, such as `art/ships/tug.svg`: of the one that is given, which must
        be there; else of the first of the others that is. None if there is none.

        A name may leave out `art/` and its ending.
        """
        if given and (found := self._index.get(_key(given))) is not None:
            return found
        if given and others:
            near = did_you_mean(str(given), [name.removeprefix("art/") for name in self.all])
            hint = near if "did you mean" in near else ""
            raise LookupError(f"no picture '{given}' in art/{hint}")
        return next((self._index[key] for key in map(_key, others) if key in self._index), None)

    @property
    def _index(self) -> dict[str, str]:
        if self._found is None:
            self._found = {}
            for path in sorted(paths.listed(self._root, FOLDER), key=_rank):
                stem, _, ending = path.rpartition(".")
                if f".{ending.lower()}" in _ENDINGS:
                    self._found.setdefault(_key(path), path)
                    self._found.setdefault(_key(stem), path)
        return self._found


def _key(name: object) -> str:
    return str(name).removeprefix(f"{FOLDER}/").casefold()


def _rank(path: str) -> tuple[int, str]:
    """Of pictures that differ in their ending alone, drawings come first."""
    ending = f".{path.rpartition('.')[2].lower()}"
    return _ENDINGS.index(ending) if ending in _ENDINGS else len(_ENDINGS), path
