"""Icons that keep their colours: pictures that stand in a text like letters.

In the font of the icons they are blank, one em wide; the picture is the background of that letter.
So texts are laid out with them as with all icons, and a redrawn one sets nothing anew.
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
"""By so much a side may be longer than the other."""
_CLASS_PATTERN = re.compile(r"\bicon-([a-z][a-z0-9-]*)")


def check_coloured_icons(game: Game) -> tuple[frozenset[str], list[Problem]]:
    """The files of coloured icons that cannot be used, and why."""
    found: list[Problem] = []
    for address in game.coloured_icons.values():
        try:
            art = artwork.load_art(game.root, address)
        except UnusableArtError as error:
            reason = str(error).removeprefix(f"{address} ")
            found.append(_make_problem(address, f"no icon can be made of it: it {reason}"))
            continue
        if abs(art.width - art.height) > _MAX_ASPECT_ERROR * max(art.width, art.height):
            size = f"{art.width:g} × {art.height:g}"
            found.append(_make_problem(address, f"an icon is as wide as high; this one is {size}"))
    return frozenset(problem.source.path for problem in found), found


def _make_problem(address: str, message: str) -> Problem:
    return Problem(Source(address), message, "art")


def format_icon_css(icons: Mapping[str, str]) -> str:
    """The rules that lay their pictures under those icons: name → file. A name that is no icon's
    has none: whatever a stranger's file is called, it is no CSS."""
    return "".join(
        f'.icon.icon-{name} {{ background: url("{BASE_URL}{quote(address)}") 0 0 / 1em 1em '
        "no-repeat }\n"
        for name, address in sorted(icons.items())
        if NAME_PATTERN.match(name)
    )


def find_coloured_icons(art: Iterable[Art]) -> dict[str, str]:
    """The coloured icons among pictures: name → file."""
    named = (each.name for each in art if is_coloured_icon(each.name))
    return {name.rpartition("/")[2].rpartition(".")[0]: name for name in named}


def is_coloured_icon(name: str) -> bool:
    """Whether a picture of that name is a coloured icon."""
    return name.startswith(f"{COLOURED_ICONS_FOLDER}/")


def find_icons_in_html(html: str, icons: Mapping[str, str]) -> list[str]:
    """The files of those icons that stand in HTML."""
    if not icons:
        return []
    standing: Collection[str] = dict.fromkeys(_CLASS_PATTERN.findall(html))
    return [icons[name] for name in standing if name in icons]
