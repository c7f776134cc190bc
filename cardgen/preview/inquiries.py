"""What is asked of cards, in the press: for which an expression holds, what one says and where, and
what is where on a face."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from cardgen.asking import Cards, NotThere, narrowed
from cardgen.faces import chunks, produce
from cardgen.game import folder, inventory
from cardgen.game.model import Game
from cardgen.preview.press import Place, at

_SLOW = 2.0
"""An expression that took so many s is not tried in another form."""


def holding(call: tuple[Place, str]) -> tuple[tuple[str, ...], str]:
    """The cards, as deck/card, for which an expression holds, and why that cannot be told."""
    place, where = call
    game = at(place).game
    if game is None:
        return (), "the game cannot be read"
    started = time.monotonic()
    try:
        decks = narrowed(game, game.decks, Cards((), where))
    except NotThere as error:
        slow = time.monotonic() - started > _SLOW
        return (), "" if not slow and _holds_for_none(game, where) else str(error)
    return tuple(f"{deck.id}/{piece.id}" for deck in decks for piece in deck.pieces), ""


def fields(call: tuple[Place, str, str]) -> list[dict[str, Any]]:
    """The fields of a card that say anything, in the order of their deck: name, values (of a text,
    one a language) and line."""
    place, deck_id, card = call
    game = at(place).game
    deck = game.deck(deck_id) if game else None
    piece = next((each for each in deck.pieces if each.id == card), None) if deck else None
    if game is None or deck is None or piece is None:
        return []
    told = []
    for name in deck.fields:
        value = piece.values.get(name)
        source = piece.sources.get(name, piece.source)
        if value in (None, (), "", False):
            continue
        values = [inventory.shown(value, code) for code in game.languages]
        own = list(dict.fromkeys(values))
        told.append({"name": name, "values": own, **asdict(source)})
    return told


def inspect(call: tuple[Place, str]) -> dict[str, Any]:
    """What is where on a picture's face, mm from its bleed box's top left: boxes with their sizes
    and what they leave, and texts, each with its line. Empty for pictures of an earlier look, and
    for what stands in the place of a face."""
    place, picture = call
    press = at(place)
    face = press.by_picture.get(picture)
    if press.game is None or press.faces is None or face is None or face.instead:
        return {"boxes": [], "texts": []}
    (chunk,) = produce.chunked(press.game, press.faces.fonts, {face.key: face})
    found = chunks.inspected(chunk, press.store)
    boxes = [{**vars(box), **_line(box.at)} for box in found.boxes]
    texts = [
        {"text": run.text, "left": run.left, "top": run.top, "width": run.right - run.left,
         "height": run.bottom - run.top, "size": run.size, **_line(run.at)}
        for run in found.runs
    ]  # fmt: skip
    return {"boxes": boxes, "texts": texts}


def _line(at: str) -> dict[str, Any]:
    """The file and line of a template's mark, `loot.html:3`."""
    name, _, line = at.rpartition(":")
    return {"path": f"{folder.TEMPLATES}/{name}", "line": int(line) if line.isdigit() else 0}


def _holds_for_none(game: Game, where: str) -> bool:
    """Whether an expression that was refused only holds for no card."""
    try:
        narrowed(game, game.decks, Cards((), f"({where}) or true"))
    except NotThere:
        return False
    return True
