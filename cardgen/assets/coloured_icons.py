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
from cardgen.game.game_folder import ICONS_FOLDER
from cardgen.game.game_settings import NAME_PATTERN
from cardgen.game.model import Game

_CLASS_PATTERN = re.compile(r"\bicon-([a-z][a-z0-9-]*)")


def check_coloured_icons(game: Game) -> tuple[frozenset[str], list[Problem]]:
    """Return the files of coloured icons that cannot be used, and a problem for each."""
    found: list[Problem] = []
    for address in game.coloured_icons.values():
        try:
            artwork.load_art(game.root, address)
        except UnusableArtError as error:
            reason = str(error).removeprefix(f"{address} ")
            message = f"it cannot be an icon: it {reason}"
            found.append(Problem(Source(address), message, "art"))
    return frozenset(problem.source.path for problem in found), found


def format_icon_css(icons: Mapping[str, str]) -> str:
    """Return CSS that puts each icon's picture under its glyph; `icons` maps name to file.

    Skips names that are not valid identifiers, so that no file name can inject CSS.
    """
    rules = []
    for name, address in sorted(icons.items()):
        place = "0 0 / 1em 1em" if address.lower().endswith(".svg") else "50% 50% / contain"
        picture = f'url("{BASE_URL}{quote(address)}") {place} no-repeat'
        if NAME_PATTERN.match(name):
            rules.append(f".icon.icon-{name} {{ background: {picture} }}\n")
    return "".join(rules)


def find_coloured_icons(art: Iterable[Art]) -> dict[str, str]:
    """Return the coloured icons among pictures as a mapping from name to file."""
    named = (each.name for each in art if each.is_icon)
    return {name.rpartition("/")[2].rpartition(".")[0]: name for name in named}


def is_icon_file(name: str) -> bool:
    """Return True if a picture of that name is an icon."""
    return name.startswith(f"{ICONS_FOLDER}/")


def find_icons_in_html(html: str, icons: Mapping[str, str]) -> list[str]:
    """Return the files of the icons used in HTML."""
    if not icons:
        return []
    names: Collection[str] = dict.fromkeys(_CLASS_PATTERN.findall(html))
    return [icons[name] for name in names if name in icons]
