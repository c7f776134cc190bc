"""Why a face looks different, beside its fields: its template, style, pictures, colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cardgen.assets.artwork import Art
from cardgen.base import paths
from cardgen.base.store import digest_of
from cardgen.faces.produce import Face
from cardgen.game.inventory import shown
from cardgen.game.model import Game
from cardgen.templates import stylesheets
from cardgen.templates.render import FOLDER

_AT = re.compile(r" data-at=[\"']?([^\s>:\"']+)")
_ICON = re.compile(r'class="icon icon-([a-z0-9-]+)"')
CALLED = "its id or deck, which its design uses"
"""Of a card that moved."""
DRAWN = "the picture that is drawn for it"
OTHERWISE = "what its template asks of other cards, of game.yaml or of a table"
"""Where nothing of the face's own is another."""


class Reasons:
    """Why faces of two states of a game look different. What is read of their files is read once,
    so it is of one moment."""

    def __init__(self, old: Game, new: Game) -> None:
        self.old, self.new = old, new
        self._read = cache(lambda root, name: paths.read_text(root, name)[0])
        self._drawing = cache(_drawing)

    def of(self, old: Face, new: Face) -> list[str]:
        """What made one face into the other, each in a few words; fields are told elsewhere."""
        before, after = old.html(), new.html()
        return list(
            dict.fromkeys(
                [
                    *_of_deck(old, new),
                    *self._of_templates(old, new, before + after),
                    *_of_styles(old, new, after),
                    *_of_pictures(old, new),
                    *self._of_icons(before + after),
                    *self._of_colours(old, new, after),
                ]
            )
        )

    def _of_templates(self, old: Face, new: Face, html: str) -> Iterator[str]:
        then, now = (face.deck.template(face.piece, face.side) for face in (old, new))
        if then != now:
            yield f"{FOLDER}/{now} in place of {FOLDER}/{then}"
        for name in dict.fromkeys(_AT.findall(html)):
            if self._text(self.old, old, name) != self._text(self.new, new, name):
                yield f"{FOLDER}/{name}"

    def _text(self, game: Game, face: Face, name: str) -> str:
        """A template as a state of the game has it; "" where there is none."""
        written = face.deck.written.get(name)
        return self._read(game.root, f"{FOLDER}/{name}") if written is None else written

    def _of_icons(self, html: str) -> Iterator[str]:
        for name in dict.fromkeys(_ICON.findall(html)):
            if self._drawing(self.old.icons.get(name)) != self._drawing(self.new.icons.get(name)):
                yield f"the icon {name}"

    def _of_colours(self, old: Face, new: Face, html: str) -> Iterator[str]:
        said = html + "".join(text for _, text in (*old.styles, *new.styles))
        for name in dict.fromkeys([*self.new.colours, *self.old.colours]):
            then, now = self.old.colours.get(name, "none"), self.new.colours.get(name, "none")
            if then != now and f"--{name}" in said:
                yield f"the colour {name}: {then} → {now}"


def _of_deck(old: Face, new: Face) -> Iterator[str]:
    then, now = old.deck, new.deck
    if then.size != now.size:
        yield f"the size: {then.size} → {now.size}"
    if then.form != now.form:
        yield "the shape that it is cut to"
    if (then.bleed, then.safe) != (now.bleed, now.safe):
        yield "the bleed or the safe margin"
    for name in dict.fromkeys([*now.constants, *then.constants]):
        before, after = then.constants.get(name), now.constants.get(name)
        if before is None or after is None:
            said = before != after
        else:
            said = shown(before, old.language) != shown(after, new.language)
        if said:
            yield f"the constant {name} of {now.source.path}"


def _of_styles(old: Face, new: Face, html: str) -> Iterator[str]:
    """The stylesheets of which a part that concerns the face is another."""
    words = stylesheets.words(html)
    then, now = dict(old.styles), dict(new.styles)
    for name in dict.fromkeys([*now, *then]):
        before, after = then.get(name, ""), now.get(name, "")
        if before != after and stylesheets.concerning((before,), words) != stylesheets.concerning(
            (after,), words
        ):
            yield name


def _of_pictures(old: Face, new: Face) -> Iterator[str]:
    """The pictures that are others, those among them that came or went; of those that are drawn
    for the card, that they are."""
    then, now = ({art.name: art for art in face.art} for face in (old, new))
    yield from (name for name in now if name in then and _redrawn(then[name], now[name]))
    came = [name for name in now if name not in then and not now[name].kept]
    went = [name for name in then if name not in now and not then[name].kept]
    yield from (
        [f"{came[0]} in place of {went[0]}"] if len(came) == len(went) == 1
        else [*came, *(f"{name}, which is gone" for name in went)]
    )  # fmt: skip
    drawn = [{art.digest for art in face.art if art.kept} for face in (old, new)]
    if drawn[0] != drawn[1] and not came and not went:
        yield DRAWN


def _redrawn(then: Art, now: Art) -> bool:
    return then.digest != now.digest and not (then.kept and now.kept)


def _drawing(path: Path | None) -> str:
    """The hash of an icon's file; "" where there is none."""
    return digest_of([paths.read(path)]) if path else ""
