"""Copies of cards as pieces of their own, in decks whose templates print `copy`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cardgen.core import work_limits
from cardgen.core.problems import Problem, Subject
from cardgen.game.deck_cards import MAX_CARDS_PER_DECK
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.model import Deck, Piece
from cardgen.runtime import game_files

_JINJA_TAG = re.compile(r"\{[{%].*?(?:[%}]\}|\Z)", re.DOTALL)
_TEMPLATE_NAME = re.compile(r"[\"']([^\"'\n]+\.(?:html|svg))[\"']")


def number_copies(root: Path, decks: Sequence[Deck]) -> tuple[tuple[Deck, ...], list[Problem]]:
    """Return the decks, with a piece for each copy where a template prints its number."""
    problems: list[Problem] = []
    return tuple(_number_deck(root, deck, problems) for deck in decks), problems


def _number_deck(root: Path, deck: Deck, problems: list[Problem]) -> Deck:
    numbered = {
        name: any(_prints_copy(text) for text in _read_template(root, deck, name))
        for name in deck.list_templates()
    }
    if not any(numbered.values()):
        return deck
    found: list[Piece] = []
    most = work_limits.scale_limit(MAX_CARDS_PER_DECK)
    for piece in deck.pieces:
        sides = (deck.get_template(piece, side) for side in ("front", "back"))
        found += _split_piece(piece) if any(map(numbered.get, sides)) else [piece]
        if len(found) > most:
            message = f"the templates print the number of each copy, and there are more than {most}"
            problems.append(Problem(deck.source, message, "size", subject=Subject(deck.id)))
            return deck
    taken = {piece.id for piece in deck.pieces}
    clash = next((piece for piece in found if piece.copy and piece.id in taken), None)
    if clash:
        message = f"the id '{clash.id}' is that of a copy of '{clash.base_id}'; change one"
        problems.append(Problem(clash.source, message, "duplicate-id", subject=Subject(deck.id)))
        return deck
    pieces = [replace(piece, number=number) for number, piece in enumerate(found, start=1)]
    return replace(deck, pieces=tuple(pieces))


def _split_piece(piece: Piece) -> list[Piece]:
    """Return a piece for each copy. Their ids end with its number; a card of no copies stays."""
    if not piece.copies:
        return [piece]
    return [
        replace(piece, id=f"{piece.id}-{copy}", copies=1, copy=copy, copies_in_all=piece.copies)
        for copy in range(1, piece.copies + 1)
    ]


def _prints_copy(text: str) -> bool:
    """Return whether a template uses the name `copy` without giving it a value of its own."""
    if not any("copy" in tag for tag in _JINJA_TAG.findall(text)):
        return False
    from jinja2 import Environment, TemplateSyntaxError, meta  # noqa: PLC0415 - rarely needed

    try:
        tree = Environment(autoescape=True).parse(text)
    except (TemplateSyntaxError, RecursionError):
        return False  # rendering reports it
    return "copy" in meta.find_undeclared_variables(tree)


def _read_template(root: Path, deck: Deck, name: str) -> Iterator[str]:
    """Yield the texts of a template and of those that it names."""
    wanted, seen = [name], {name}
    while wanted:
        current = wanted.pop()
        text = deck.look_templates.get(current, "")
        if not text:
            text, _ = game_files.read_text(root, f"{TEMPLATES_FOLDER}/{current}")
        yield text
        fresh = {each for tag in _JINJA_TAG.findall(text) for each in _TEMPLATE_NAME.findall(tag)}
        fresh -= seen
        seen |= fresh
        wanted += sorted(fresh)
