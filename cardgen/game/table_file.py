"""`table:` of game.yaml, or table.yaml beside it: what lies where on a virtual table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from cardgen.base import paths, schema, yamlnodes
from cardgen.base.problems import Problem, Source, did_you_mean
from cardgen.base.schema import Schema
from cardgen.base.yamlnodes import Node
from cardgen.game.checking import Checker
from cardgen.game.model import Deck, Laying, Marker, Table, TableNote, Text
from cardgen.game.reading import flag, known_keys, length, whole

FILE = "table.yaml"
KINDS = ("deck", "stacks", "spread", "tiles", "board", "bag", "infinite", "none")
FACES = ("up", "down")
_TURNS = (0, 90, 180, 270)
_MOST_LAYINGS = 400
_MOST_ROW = 40
_WIDTHS = (100.0, 5000.0)
_GAPS = (0.0, 100.0)
_MARKER_KEYS: Mapping[str, Schema] = {
    "card": schema.said("DECK/CARD", {"type": "string", "pattern": "/"}),
    "at": schema.said("[x, y] in mm; expressions, too", schema.listed(schema.EXPRESSION, 2, 2)),
    "place": schema.said(
        "A place that the board's template names: food-3, or food-{food.start}", {"type": "string"}
    ),
}
_MARKER: Schema = {
    **schema.mapping(_MARKER_KEYS, ["card"]),
    "oneOf": [{"required": ["at"]}, {"required": ["place"]}],
}
_NOTE_KEYS: Mapping[str, Schema] = {"title": schema.TEXT, "text": schema.TEXT}
_LAYING_KEYS: Mapping[str, Schema] = {
    "deck": schema.DECK,
    "as": schema.said("How its pieces lie.", schema.one_of(KINDS)),
    "where": schema.said("Only the pieces for which this holds.", schema.EXPRESSION),
    "by": schema.said("A stack for each value of this field.", {"type": "string"}),
    "take": schema.said("How many of each, a schema.number or an expression.", schema.EXPRESSION),
    "face": schema.one_of(FACES),
    "turn": schema.one_of(_TURNS),
    "locked": schema.FLAG,
    "name": schema.TEXT,
    "row": schema.said("How many lie side by side.", schema.whole(1, _MOST_ROW)),
    "markers": schema.listed(_MARKER),
}
_TABLE_KEYS: Mapping[str, Schema] = {
    "middle": schema.said("What all share.", schema.listed(schema.mapping(_LAYING_KEYS, ["deck"]))),
    "seat": schema.said(
        "What lies before each player.", schema.listed(schema.mapping(_LAYING_KEYS, ["deck"]))
    ),
    "notes": schema.listed(schema.mapping(_NOTE_KEYS, _NOTE_KEYS)),
    "hands": schema.FLAG,
    "width": schema.said("In mm.", schema.number(*_WIDTHS)),
    "gap": schema.said("In mm.", schema.number(*_GAPS)),
}
SCHEMA = schema.mapping(_TABLE_KEYS)


def load(
    root: Path, inline: Node | None, decks: Iterable[Deck], checker: Checker, whole: bool = True
) -> Table | None:
    """The table that a game declares, or None. Mistakes go to the checker.

    Where not the whole of the decks could be read, one that is not there is none.
    """
    node = inline
    if paths.there(root, FILE):
        if inline is not None:
            message = f"the table stands in {FILE}, too; keep one of them"
            checker.problem(inline.source, message, "tabletop")
        text, why = paths.read_text(root, FILE)
        if why:
            checker.problem(Source(FILE), f"the file {why}", "file")
            return None
        node, problems = yamlnodes.load(text, FILE)
        checker.problems += problems
    if node is None:
        return None
    if not node.is_mapping:
        message = f"the table is {node.describe()}; it has middle: and seat:, lists of decks"
        checker.problem(node.source, message, "tabletop")
        return None
    return _Reader({deck.id: deck for deck in decks}, checker, whole).table(node)


class _Reader:
    def __init__(self, decks: dict[str, Deck], checker: Checker, whole: bool) -> None:
        self.decks = decks
        self.checker = checker
        self.whole = whole

    def table(self, node: Node) -> Table:
        known_keys(node, _TABLE_KEYS, "the table", self._wrong)
        layings = [*self._list(node, "middle"), *self._list(node, "seat")]
        if len(layings) > _MOST_LAYINGS:
            self._wrong(node.source, f"more than {_MOST_LAYINGS} entries on one table")
            return Table(node.source)
        return Table(
            node.source,
            tuple(filter(None, map(self._laying, self._list(node, "middle")))),
            tuple(filter(None, map(self._laying, self._list(node, "seat")))),
            tuple(filter(None, map(self._note, self._list(node, "notes")))),
            flag(node.get("hands"), "hands", self._wrong) is not False,
            length(node.get("width"), "width", Table.width, _WIDTHS, self._wrong),
            length(node.get("gap"), "gap", Table.gap, _GAPS, self._wrong),
        )

    def _laying(self, node: Node) -> Laying | None:
        named = node.get("deck")
        if named is None:
            self._wrong(node.source, f"an entry is {node.describe()}; it begins with deck: NAME")
            return None
        known_keys(node, _LAYING_KEYS, "an entry of the table", self._wrong)
        deck = self.decks.get(named.text)
        if deck is None:
            self._no_deck(named.text, named.source)
            return None
        name = node.get("name")
        return Laying(
            deck.id,
            node.source,
            kind=self._word(node, "as", KINDS),
            where=self._expression(node, "where"),
            by=self._field(node, deck),
            take=self._expression(node, "take"),
            face=self._word(node, "face", FACES),
            turn=self._turn(node),
            locked=flag(node.get("locked"), "locked", self._wrong),
            name=self.checker.text(name, f"the name of {deck.id}") if name else None,
            row=whole(node.get("row"), "row", 0, (1, _MOST_ROW), self._wrong),
            markers=tuple(filter(None, map(self._marker, self._list(node, "markers")))),
        )

    def _marker(self, node: Node) -> Marker | None:
        card, at, place = node.get("card"), node.get("at"), node.get("place")
        placed = at is None if place is not None else at is not None and len(at.nodes()) == 2
        named = place is None or (place.is_scalar and place.text)
        if card is None or not placed or not named:
            message = (
                "a marker is {card: DECK/CARD, place: NAME}, a place that the board's template "
                "names, or {card: DECK/CARD, at: [x, y]}, in mm"
            )
            self._wrong(node.source, message)
            return None
        known_keys(node, _MARKER_KEYS, "a marker", self._wrong)
        deck_id, _, piece = card.text.partition("/")
        deck = self.decks.get(deck_id)
        ids = [each.id for each in deck.pieces] if deck else []
        if deck is None:
            self._no_deck(deck_id, card.source)
        elif piece not in ids:
            hint = did_you_mean(piece, ids)
            self._wrong(card.source, f"there is no '{piece}' in {deck_id}{hint}", "reference")
        else:
            x, y = (child.text for child in at.nodes()) if at else ("", "")
            return Marker(deck_id, piece, (x, y), node.source, place.text if place else "")
        return None

    def _no_deck(self, name: str, source: Source) -> None:
        if self.whole:
            hint = did_you_mean(name, self.decks)
            self._wrong(source, f"there is no deck '{name}'{hint}", "reference")

    def _note(self, node: Node) -> TableNote | None:
        title, text = node.get("title"), node.get("text")
        if title is None or text is None:
            self._wrong(node.source, "a note needs title: and text:")
            return None
        known_keys(node, _NOTE_KEYS, "a note", self._wrong)
        texts: list[Text] = [
            self.checker.text(child, f"the {what} of a note")
            for what, child in (("title", title), ("text", text))
        ]
        return TableNote(texts[0], texts[1], node.source)

    def _list(self, node: Node, key: str) -> list[Node]:
        child = node.get(key)
        if child is not None and not child.is_list:
            self._wrong(child.source, f"{key} is {child.describe()}; a list is asked for", "type")
        return child.nodes() if child else []

    def _word(self, node: Node, key: str, known: tuple[str, ...]) -> str:
        child = node.get(key)
        if child is None:
            return ""
        if child.value not in known:
            hint = did_you_mean(child.text, known)
            self._wrong(child.source, f"{key} is {child.describe()}{hint}", "type")
            return ""
        return child.text

    def _expression(self, node: Node, key: str) -> str:
        child = node.get(key)
        if child is not None and not child.is_scalar:
            message = f"{key} is {child.describe()}; an expression is asked for"
            self._wrong(child.source, message, "type")
            return ""
        return child.text if child else ""

    def _field(self, node: Node, deck: Deck) -> str:
        child = node.get("by")
        if child is None:
            return ""
        if child.text not in deck.fields:
            hint = did_you_mean(child.text, deck.fields)
            self._wrong(child.source, f"{deck.id} has no field '{child.text}'{hint}", "fields")
            return ""
        return child.text

    def _turn(self, node: Node) -> int:
        child = node.get("turn")
        if child is None:
            return 0
        if child.value not in _TURNS:
            self._wrong(child.source, f"turn is {child.describe()}; 0, 90, 180 or 270", "type")
            return 0
        return int(child.value)

    def _wrong(self, source: Source, message: str, kind: str = "tabletop") -> None:
        self.checker.problems.append(Problem(source, message, kind))
