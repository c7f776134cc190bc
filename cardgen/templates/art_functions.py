"""`picture("ships/tug")` in templates: the file of the game's art that bears a name."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

from cardgen.core.problems import did_you_mean
from cardgen.runtime import game_files

ART_FOLDER = "art"
_ART_SUFFIXES = (".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".tif", ".tiff")


class ArtIndex:
    """The pictures under art/, listed when first one is asked for."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._found: dict[str, str] | None = None

    @property
    def paths(self) -> Iterable[str]:
        """Every picture's path, in order."""
        return dict.fromkeys(self._build_index.values())

    def picture(self, given: object, *others: object) -> str | None:
        """The path of a picture, such as `art/ships/tug.svg`: of the one that is given, which must
        be there; else of the first of the others that is. None if there is none.

        A name may leave out `art/` and its ending.
        """
        if given and (found := self._build_index.get(_normalise_name(given))) is not None:
            return found
        if given and others:
            near = did_you_mean(str(given), [name.removeprefix("art/") for name in self.paths])
            hint = near if "did you mean" in near else ""
            raise LookupError(f"no picture '{given}' in art/{hint}")
        return next(
            (
                self._build_index[key]
                for key in map(_normalise_name, others)
                if key in self._build_index
            ),
            None,
        )

    @property
    def _build_index(self) -> dict[str, str]:
        if self._found is None:
            self._found = {}
            for path in sorted(game_files.list_files(self._root, ART_FOLDER), key=_rank_suffix):
                stem, _, ending = path.rpartition(".")
                if f".{ending.lower()}" in _ART_SUFFIXES:
                    self._found.setdefault(_normalise_name(path), path)
                    self._found.setdefault(_normalise_name(stem), path)
        return self._found


def _normalise_name(name: object) -> str:
    return str(name).removeprefix(f"{ART_FOLDER}/").casefold()


def _rank_suffix(path: str) -> tuple[int, str]:
    """Of pictures that differ in their ending alone, drawings come first."""
    ending = f".{path.rpartition('.')[2].lower()}"
    return _ART_SUFFIXES.index(ending) if ending in _ART_SUFFIXES else len(_ART_SUFFIXES), path


QR_LEVELS = ("l", "m", "q", "h")
"""How much of a code may be spoilt and still be read: 7, 15, 25 or 30 %."""
_MAX_QR_LENGTH = 1000


def make_qr_svg(text: str, level: str = "m", colour: str = "#000000", quiet: int = 0) -> bytes:
    """The SVG of a code (ISO/IEC 18004) that fills its picture; `quiet` modules around it stay
    free, where the template does not see to that. Raises ValueError for what no code can hold."""
    import segno  # noqa: PLC0415 - only where codes are printed

    if level not in QR_LEVELS:
        raise ValueError(f"a code's level is {', '.join(QR_LEVELS[:-1])} or {QR_LEVELS[-1]}")
    if not text or len(text) > _MAX_QR_LENGTH:
        raise ValueError(f"a code holds a text of 1 to {_MAX_QR_LENGTH} signs")
    if not 0 <= quiet <= 8:
        raise ValueError("the quiet zone of a code is 0 to 8 modules")
    try:
        code = segno.make_qr(text, error=level, boost_error=False)
        out = io.BytesIO()
        code.save(
            out, kind="svg", dark=colour, border=quiet, xmldecl=False, svgclass=None,
            lineclass=None, omitsize=False, nl=False,
        )  # fmt: skip
    except ValueError as error:
        raise ValueError(f"the code cannot be made: {error}") from None
    return out.getvalue()


def list_qr_modules(text: str, quiet: int) -> list[list[bool]]:
    """The rows of a code of a short text, True for dark, with so many free modules around it."""
    import segno  # noqa: PLC0415 - only where codes are shown

    code = segno.make_qr(text, error="l", boost_error=False)
    return [[bool(each) for each in row] for row in code.matrix_iter(border=quiet)]
