"""`table:` of game.yaml, or table.yaml beside it: what lies where on a virtual table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cardgen.core import json_schema, yaml_nodes
from cardgen.core.json_schema import Schema
from cardgen.core.problems import Problem, Source, did_you_mean
from cardgen.core.yaml_nodes import Node
from cardgen.game.checker import Checker
from cardgen.game.keys import check_keys, read_flag, read_length, read_whole
from cardgen.game.model import BoardMarker, Deck, TableNote, TablePlacement, TableSetup, Text
from cardgen.runtime import game_files

TABLETOP_FILE = "table.yaml"
PLACEMENT_KINDS = ("deck", "stacks", "spread", "tiles", "board", "bag", "infinite", "none")
PLACEMENT_FACES = ("up", "down")
_TURN_DEGREES = (0, 90, 180, 270)
MAX_PLACEMENTS = 400
MAX_ROW_PIECES = 40
_WIDTH_RANGE_MM = (100.0, 5000.0)
_GAP_RANGE_MM = (0.0, 100.0)
MARKER_KEYS: Mapping[str, Schema] = {
    "card": json_schema.describe("DECK/CARD", {"type": "string", "pattern": "/"}),
    "at": json_schema.describe(
        "[x, y] in mm; expressions, too", json_schema.allow_list(json_schema.EXPRESSION, 2, 2)
    ),
    "place": json_schema.describe(
        "A place that the board's template names: food-3, or food-{food.start}", {"type": "string"}
    ),
}
MARKER_SCHEMA: Schema = {
    **json_schema.allow_mapping(MARKER_KEYS, ["card"]),
    "oneOf": [{"required": ["at"]}, {"required": ["place"]}],
}
NOTE_KEYS: Mapping[str, Schema] = {"title": json_schema.TEXT, "text": json_schema.TEXT}
PLACEMENT_KEYS: Mapping[str, Schema] = {
    "deck": json_schema.DECK,
    "as": json_schema.describe("How its pieces lie.", json_schema.allow_values(PLACEMENT_KINDS)),
    "where": json_schema.describe("Only the pieces for which this holds.", json_schema.EXPRESSION),
    "by": json_schema.describe("A stack for each value of this field.", {"type": "string"}),
    "take": json_schema.describe(
        "How many of each, a schema.number or an expression.", json_schema.EXPRESSION
    ),
    "face": json_schema.allow_values(PLACEMENT_FACES),
    "turn": json_schema.allow_values(_TURN_DEGREES),
    "locked": json_schema.BOOLEAN,
    "name": json_schema.TEXT,
    "row": json_schema.describe(
        "How many lie side by side.", json_schema.allow_integer(1, MAX_ROW_PIECES)
    ),
    "markers": json_schema.allow_list(MARKER_SCHEMA),
}
TABLETOP_KEYS: Mapping[str, Schema] = {
    "middle": json_schema.describe(
        "What all share.",
        json_schema.allow_list(json_schema.allow_mapping(PLACEMENT_KEYS, ["deck"])),
    ),
    "seat": json_schema.describe(
        "What lies before each player.",
        json_schema.allow_list(json_schema.allow_mapping(PLACEMENT_KEYS, ["deck"])),
    ),
    "notes": json_schema.allow_list(json_schema.allow_mapping(NOTE_KEYS, NOTE_KEYS)),
    "hands": json_schema.BOOLEAN,
    "width": json_schema.describe("In mm.", json_schema.allow_number(*_WIDTH_RANGE_MM)),
    "gap": json_schema.describe("In mm.", json_schema.allow_number(*_GAP_RANGE_MM)),
}
TABLETOP_SCHEMA = json_schema.allow_mapping(TABLETOP_KEYS)


def load_table_setup(
    root: Path, inline: Node | None, decks: Iterable[Deck], checker: Checker, whole: bool = True
) -> TableSetup | None:
    """The table that a game declares, or None. Mistakes go to the checker.

    Where not the whole of the decks could be read, one that is not there is none.
    """
    node = inline
    if game_files.has_entry(root, TABLETOP_FILE):
        if inline is not None:
            message = f"the table stands in {TABLETOP_FILE}, too; keep one of them"
            checker.report(inline.source, message, "tabletop")
        text, why = game_files.read_text(root, TABLETOP_FILE)
        if why:
            checker.report(Source(TABLETOP_FILE), f"the file {why}", "file")
            return None
        node, problems = yaml_nodes.load(text, TABLETOP_FILE)
        checker.problems += problems
    if node is None:
        return None
    if not node.is_mapping:
        message = f"the table is {node.describe()}; it has middle: and seat:, lists of decks"
        checker.report(node.source, message, "tabletop")
        return None
    return _TabletopReader({deck.id: deck for deck in decks}, checker, whole).read_setup(node)


class _TabletopReader:
    def __init__(self, decks: dict[str, Deck], checker: Checker, whole: bool) -> None:
        self.decks = decks
        self.checker = checker
        self.whole = whole

    def read_setup(self, node: Node) -> TableSetup:
        check_keys(node, TABLETOP_KEYS, "the table", self._report)
        layings = [*self._read_list(node, "middle"), *self._read_list(node, "seat")]
        if len(layings) > MAX_PLACEMENTS:
            self._report(node.source, f"more than {MAX_PLACEMENTS} entries on one table")
            return TableSetup(node.source)
        return TableSetup(
            node.source,
            tuple(filter(None, map(self._read_placement, self._read_list(node, "middle")))),
            tuple(filter(None, map(self._read_placement, self._read_list(node, "seat")))),
            tuple(filter(None, map(self._read_note, self._read_list(node, "notes")))),
            read_flag(node.get("hands"), "hands", self._report) is not False,
            read_length(
                node.get("width"), "width", TableSetup.width, _WIDTH_RANGE_MM, self._report
            ),
            read_length(node.get("gap"), "gap", TableSetup.gap, _GAP_RANGE_MM, self._report),
        )

    def _read_placement(self, node: Node) -> TablePlacement | None:
        named = node.get("deck")
        if named is None:
            self._report(node.source, f"an entry is {node.describe()}; it begins with deck: NAME")
            return None
        check_keys(node, PLACEMENT_KEYS, "an entry of the table", self._report)
        deck = self.decks.get(named.text)
        if deck is None:
            self._report_unknown_deck(named.text, named.source)
            return None
        name = node.get("name")
        return TablePlacement(
            deck.id,
            node.source,
            kind=self._read_word(node, "as", PLACEMENT_KINDS),
            where=self._read_expression(node, "where"),
            by=self._read_field_name(node, deck),
            take=self._read_expression(node, "take"),
            face=self._read_word(node, "face", PLACEMENT_FACES),
            turn=self._read_turn(node),
            locked=read_flag(node.get("locked"), "locked", self._report),
            name=self.checker.read_text(name, f"the name of {deck.id}") if name else None,
            row=read_whole(node.get("row"), "row", 0, (1, MAX_ROW_PIECES), self._report),
            markers=tuple(filter(None, map(self._read_marker, self._read_list(node, "markers")))),
        )

    def _read_marker(self, node: Node) -> BoardMarker | None:
        card, at, place = node.get("card"), node.get("at"), node.get("place")
        placed = at is None if place is not None else at is not None and len(at.list_nodes()) == 2
        named = place is None or (place.is_scalar and place.text)
        if card is None or not placed or not named:
            message = (
                "a marker is {card: DECK/CARD, place: NAME}, a place that the board's template "
                "names, or {card: DECK/CARD, at: [x, y]}, in mm"
            )
            self._report(node.source, message)
            return None
        check_keys(node, MARKER_KEYS, "a marker", self._report)
        deck_id, _, piece = card.text.partition("/")
        deck = self.decks.get(deck_id)
        ids = [each.id for each in deck.pieces] if deck else []
        if deck is None:
            self._report_unknown_deck(deck_id, card.source)
        elif piece not in ids:
            hint = did_you_mean(piece, ids)
            self._report(card.source, f"there is no '{piece}' in {deck_id}{hint}", "reference")
        else:
            x, y = (child.text for child in at.list_nodes()) if at else ("", "")
            return BoardMarker(deck_id, piece, (x, y), node.source, place.text if place else "")
        return None

    def _report_unknown_deck(self, name: str, source: Source) -> None:
        if self.whole:
            hint = did_you_mean(name, self.decks)
            self._report(source, f"there is no deck '{name}'{hint}", "reference")

    def _read_note(self, node: Node) -> TableNote | None:
        title, text = node.get("title"), node.get("text")
        if title is None or text is None:
            self._report(node.source, "a note needs title: and text:")
            return None
        check_keys(node, NOTE_KEYS, "a note", self._report)
        texts: list[Text] = [
            self.checker.read_text(child, f"the {what} of a note")
            for what, child in (("title", title), ("text", text))
        ]
        return TableNote(texts[0], texts[1], node.source)

    def _read_list(self, node: Node, key: str) -> list[Node]:
        child = node.get(key)
        if child is not None and not child.is_list:
            self._report(child.source, f"{key} is {child.describe()}; a list is asked for", "type")
        return child.list_nodes() if child else []

    def _read_word(self, node: Node, key: str, known: tuple[str, ...]) -> str:
        child = node.get(key)
        if child is None:
            return ""
        if child.value not in known:
            hint = did_you_mean(child.text, known)
            self._report(child.source, f"{key} is {child.describe()}{hint}", "type")
            return ""
        return child.text

    def _read_expression(self, node: Node, key: str) -> str:
        child = node.get(key)
        if child is not None and not child.is_scalar:
            message = f"{key} is {child.describe()}; an expression is asked for"
            self._report(child.source, message, "type")
            return ""
        return child.text if child else ""

    def _read_field_name(self, node: Node, deck: Deck) -> str:
        child = node.get("by")
        if child is None:
            return ""
        if child.text not in deck.fields:
            hint = did_you_mean(child.text, deck.fields)
            self._report(child.source, f"{deck.id} has no field '{child.text}'{hint}", "fields")
            return ""
        return child.text

    def _read_turn(self, node: Node) -> int:
        child = node.get("turn")
        if child is None:
            return 0
        if child.value not in _TURN_DEGREES:
            self._report(child.source, f"turn is {child.describe()}; 0, 90, 180 or 270", "type")
            return 0
        return int(child.value)

    def _report(self, source: Source, message: str, kind: str = "tabletop") -> None:
        self.checker.problems.append(Problem(source, message, kind))
