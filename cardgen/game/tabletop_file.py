"""The set-up of a virtual table: `table:` of game.yaml, or table.yaml beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cardgen.core import json_schema
from cardgen.core.problems import Source, did_you_mean
from cardgen.core.yaml_nodes import Node
from cardgen.game.checker import Checker
from cardgen.game.keys import Key, build_schema, load_yaml, read_keys
from cardgen.game.model import BoardMarker, Deck, TableNote, TablePlacement, TableSetup
from cardgen.runtime import game_files

TABLETOP_FILE = "table.yaml"
PLACEMENT_KINDS = ("deck", "stacks", "spread", "tiles", "board", "bag", "infinite", "none")
PLACEMENT_FACES = ("up", "down")
MAX_PLACEMENTS = 400
MAX_ROW_PIECES = 40


def _make_expression_key(about: str) -> Key:
    return Key.word(about, "a number or an expression", schema=json_schema.EXPRESSION)


_MARKER_KEYS: Mapping[str, Key] = {
    "card": Key.node({"type": "string", "pattern": "/"}, "DECK/CARD", required=True),
    "at": Key.node(
        json_schema.allow_list(json_schema.EXPRESSION, 2, 2), "[x, y] in mm; expressions, too"
    ),
    "place": Key.node(
        json_schema.STRING, "A place that the board's template names: food-3, or food-{food.start}"
    ),
}
_MARKER_SCHEMA = {
    **build_schema(_MARKER_KEYS),
    "oneOf": [{"required": ["at"]}, {"required": ["place"]}],
}
_NOTE_KEYS: Mapping[str, Key] = {
    "title": Key.node(json_schema.TEXT, required=True),
    "text": Key.node(json_schema.TEXT, required=True),
}
_PLACEMENT_KEYS: Mapping[str, Key] = {
    "deck": Key.node(json_schema.DECK, required=True),
    "as": Key.choice(PLACEMENT_KINDS, "How its pieces lie."),
    "where": _make_expression_key("Only the pieces for which this holds."),
    "by": Key.node(json_schema.STRING, "A stack for each value of this field."),
    "take": _make_expression_key("How many of each, a number or an expression."),
    "face": Key.choice(PLACEMENT_FACES),
    "turn": Key.choice((0, 90, 180, 270), "In degrees, clockwise.", 0),
    "locked": Key.flag(),
    "name": Key.node(json_schema.TEXT),
    "row": Key.integer(1, MAX_ROW_PIECES, "How many lie side by side.", 0),
    "markers": Key.sequence(_MARKER_SCHEMA),
}
_PLACEMENT_SCHEMA = build_schema(_PLACEMENT_KEYS)
_TABLETOP_KEYS: Mapping[str, Key] = {
    "middle": Key.sequence(_PLACEMENT_SCHEMA, "What all share."),
    "seat": Key.sequence(_PLACEMENT_SCHEMA, "What lies before each player."),
    "notes": Key.sequence(build_schema(_NOTE_KEYS)),
    "hands": Key.flag(default=TableSetup.hands),
    "width": Key.number(100, 5000, "In mm.", TableSetup.width),
    "gap": Key.number(0, 100, "In mm.", TableSetup.gap),
    "dice": Key.integer(0, 20, "Six-sided dice.", TableSetup.dice),
}
TABLETOP_SCHEMA = build_schema(_TABLETOP_KEYS)


def load_table_setup(
    root: Path, inline: Node | None, decks: Iterable[Deck], checker: Checker, is_complete: bool
) -> TableSetup | None:
    """Return the table that a game declares, or None. Problems go to the checker.

    Where not all decks could be read (`is_complete`), a deck that is unknown is not reported.
    """
    node = inline
    if game_files.has_entry(root, TABLETOP_FILE):
        if inline is not None:
            message = f"there is a {TABLETOP_FILE}, too; keep one of them"
            checker.report(inline.source, message, "tabletop")
        node, problems = load_yaml(root, TABLETOP_FILE)
        checker.problems += problems
    if node is None:
        return None
    if not node.is_mapping:
        message = f"the table is {node.describe()}; expected middle: and seat:, lists of decks"
        checker.report(node.source, message, "tabletop")
        return None
    return _TabletopReader({deck.id: deck for deck in decks}, checker, is_complete).read_setup(node)


class _TabletopReader:
    def __init__(self, decks: dict[str, Deck], checker: Checker, is_complete: bool) -> None:
        self.decks, self.checker, self.is_complete = decks, checker, is_complete

    def read_setup(self, node: Node) -> TableSetup:
        given = read_keys(node, _TABLETOP_KEYS, "the table", self._report)
        if len(given["middle"]) + len(given["seat"]) > MAX_PLACEMENTS:
            self._report(node.source, f"the table has more than {MAX_PLACEMENTS} entries")
            return TableSetup(node.source)
        return TableSetup(
            node.source,
            tuple(filter(None, map(self._read_placement, given["middle"]))),
            tuple(filter(None, map(self._read_placement, given["seat"]))),
            tuple(filter(None, map(self._read_note, given["notes"]))),
            given["hands"],
            given["width"],
            given["gap"],
            given["dice"],
        )

    def _read_placement(self, node: Node) -> TablePlacement | None:
        name = node.get("deck")
        if name is None:
            self._report(node.source, f"an entry is {node.describe()}; expected deck: NAME first")
            return None
        given = read_keys(node, _PLACEMENT_KEYS, "an entry of the table", self._report)
        deck = self.decks.get(name.text)
        if deck is None:
            self._report_unknown_deck(name.text, name.source)
            return None
        title = given["name"]
        return TablePlacement(
            deck.id,
            node.source,
            kind=given["as"],
            where=given["where"],
            by=self._read_field_name(given["by"], deck),
            take=given["take"],
            face=given["face"],
            turn=given["turn"],
            locked=given["locked"],
            name=self.checker.read_text(title, f"the name of {deck.id}") if title else None,
            row=given["row"],
            markers=tuple(filter(None, map(self._read_marker, given["markers"]))),
        )

    def _read_marker(self, node: Node) -> BoardMarker | None:
        card, at, place = node.get("card"), node.get("at"), node.get("place")
        has_position = at is not None and len(at.list_nodes()) == 2
        has_place = place is not None and bool(place.is_scalar and place.text) and at is None
        if card is None or not (has_place or (has_position and place is None)):
            message = (
                "a marker is {card: DECK/CARD, place: NAME}, a place that the board's template "
                "names, or {card: DECK/CARD, at: [x, y]}, in mm"
            )
            self._report(node.source, message)
            return None
        read_keys(node, _MARKER_KEYS, "a marker", self._report)
        deck_id, _, piece = card.text.partition("/")
        deck = self.decks.get(deck_id)
        if deck is None:
            self._report_unknown_deck(deck_id, card.source)
            return None
        ids = [name for each in deck.pieces for name in (each.base_id, each.id)]
        if piece not in ids:
            hint = did_you_mean(piece, ids)
            self._report(card.source, f"there is no '{piece}' in {deck_id}{hint}", "reference")
            return None
        x, y = (child.text for child in at.list_nodes()) if at else ("", "")
        return BoardMarker(deck_id, piece, (x, y), node.source, place.text if place else "")

    def _report_unknown_deck(self, name: str, source: Source) -> None:
        if self.is_complete:
            hint = did_you_mean(name, self.decks)
            self._report(source, f"there is no deck '{name}'{hint}", "reference")

    def _read_note(self, node: Node) -> TableNote | None:
        given = read_keys(node, _NOTE_KEYS, "a note", self._report)
        if None in given.values():
            self._report(node.source, "a note needs title: and text:")
            return None
        title, text = (
            self.checker.read_text(child, f"the {name} of a note") for name, child in given.items()
        )
        return TableNote(title, text, node.source)

    def _read_field_name(self, node: Node | None, deck: Deck) -> str:
        if node is None:
            return ""
        if node.text not in deck.fields:
            hint = did_you_mean(node.text, deck.fields)
            self._report(node.source, f"{deck.id} has no field '{node.text}'{hint}", "fields")
            return ""
        return node.text

    def _report(self, source: Source, message: str, kind: str = "tabletop") -> None:
        self.checker.report(source, message, kind)
