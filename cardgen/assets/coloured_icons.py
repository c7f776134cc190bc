"""Icons that keep their colours.

The icon font has a blank glyph, one em wide, for each; its picture is the background of that
glyph. Layout treats them like all icons, so a changed picture needs no new layout.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import quote

from cardgen.assets import artwork
from cardgen.assets.artwork import BASE_URL, Art, UnusableArtError
from cardgen.core.problems import Problem, Source
from cardgen.game.game_folder import COLOURED_ICONS_FOLDER
from cardgen.game.game_settings import NAME_PATTERN
from cardgen.game.model import Game

_MAX_ASPECT_ERROR = 0.02
"""Maximum difference of an icon's sides, as a share of the longer one."""
_CLASS_PATTERN = re.compile(r"\bicon-([a-z][a-z0-9-]*)")


def check_coloured_icons(game: Game) -> tuple[frozenset[str], list[Problem]]:
    """Return the files of coloured icons that cannot be used, and a problem for each."""
    found: list[Problem] = []
    for address in game.coloured_icons.values():
        try:
            art = artwork.load_art(game.root, address)
        except UnusableArtError as error:
            reason = str(error).removeprefix(f"{address} ")
            found.append(_make_problem(address, f"it cannot be an icon: it {reason}"))
            continue
        is_square = abs(art.width - art.height) <= _MAX_ASPECT_ERROR * max(art.width, art.height)
        if not is_square and not art.vector:
            size = f"{art.width:g} × {art.height:g}"
            message = f"a bitmap must be square as an icon; this one is {size}"
            found.append(_make_problem(address, message))
    return frozenset(problem.source.path for problem in found), found


def _make_problem(address: str, message: str) -> Problem:
    return Problem(Source(address), message, "art")


def format_icon_css(icons: Mapping[str, str]) -> str:
    """Return CSS that puts each icon's picture under its glyph; `icons` maps name to file.

    Skips names that are not valid identifiers, so that no file name can inject CSS.
    """
    return "".join(
        f'.icon.icon-{name} {{ background: url("{BASE_URL}{quote(address)}") 0 0 / 1em 1em '
        "no-repeat }\n"
        for name, address in sorted(icons.items())
        if NAME_PATTERN.match(name)
    )


def find_coloured_icons(art: Iterable[Art]) -> dict[str, str]:
    """Return the coloured icons among pictures as a mapping from name to file."""
    named = (art.name for art in art if is_coloured_icon(art.name))
    return {name.rpartition("/")[2].rpartition(".")[0]: name for name in named}


def is_coloured_icon(name: str) -> bool:
    """Return True if a picture of that name is a coloured icon."""
    return name.startswith(f"{COLOURED_ICONS_FOLDER}/")


def find_icons_in_html(html: str, icons: Mapping[str, str]) -> list[str]:
    """Return the files of the icons used in HTML."""
    if not icons:
        return []
    names: Collection[str] = dict.fromkeys(_CLASS_PATTERN.findall(html))
    return [icons[name] for name in names if name in icons]
