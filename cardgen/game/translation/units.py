"""Every text of a game that is translated, by a name that stays when lines move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from cardgen.base import paths, yamlnodes
from cardgen.base.problems import Source
from cardgen.base.yaml_edits import Path as Way
from cardgen.base.yamlnodes import Node
from cardgen.game import card_ids, decks, folder, table_file, tables
from cardgen.game.checking import Checker
from cardgen.game.deck_keys import RESERVED
from cardgen.game.looks import catalogue
from cardgen.game.model import Deck, Field, Game
from cardgen.game.signs import spoken


@dataclass(frozen=True)
class Unit:
    """A text. `said` holds what is written in each language that it has; `way` leads to it in its
    file, and is empty for the cell of a table. `shared` are decks of a file that several are like.
    """

    id: str
    file: str
    way: Way
    said: Mapping[str, str]
    source: Source
    what: str
    """What it is of the game, of its deck or of its card: `title`, `words.pay`, a field's name."""
    deck: str = ""
    card: str = ""
    called: str = ""
    """What the card is called."""


def found(game: Game) -> list[Unit]:
    """The texts of a game that was read, as they are written; what is wrong was told with it."""
    units: dict[str, Unit] = {}
    for unit in _Walk(game).all():
        units.setdefault(unit.id, unit)
    return list(units.values())


class _Walk:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.first = game.languages[0]

    def all(self) -> Iterator[Unit]:
        head = self._read(folder.FILE)
        if head is not None:
            yield from self._of_game(head)
        table = (
            self._read(table_file.FILE) if paths.there(self.game.root, table_file.FILE) else None
        )
        if table is not None:
            yield from self._of_table(table, ())
        for name, node in decks.read_files(self.game.root).nodes.items():
            yield from self._of_file(name, node)

    def _read(self, file: str) -> Node | None:
        text, why = paths.read_text(self.game.root, file)
        node = None if why else yamlnodes.load(text, file)[0]
        return node if node is not None and node.is_mapping else None

    def _unit(self, node: Node | None, way: Way, name: str = "") -> Iterator[Unit]:
        """The text that a node is, if it is one."""
        if node is None or node.is_list:
            return
        given = node.items() if node.is_mapping else [(self.first, node)]
        said = {
            code: child.text
            for code, child in given
            if code in self.game.languages and child.is_scalar and child.value is not None
        }
        what = name or ".".join(map(str, way))
        if said:
            file = node.source.path
            yield Unit(f"{file}#{what}", file, way, said, node.source, what)

    def _of_game(self, head: Node) -> Iterator[Unit]:
        yield from self._unit(head.get("title"), ("title",))
        for number, player in enumerate(_nodes(head, "players")):
            called = player.get("id")
            name = f"players.{called.text if called else number}.name"
            yield from self._unit(player.get("name"), ("players", number, "name"), name)
        for key, fact in _items(head, "facts"):
            if fact.is_mapping:  # one that is written once holds in every language
                yield from self._unit(fact, ("facts", key))
        yield from self._named(head, ())
        for name, variant in _items(head, "variants"):
            yield from self._unit(variant.get("title"), ("variants", name, "title"))
            yield from self._named(variant, ("variants", name))
        table = head.get("table")
        if table is not None:
            yield from self._of_table(table, ("table",))

    def _named(self, node: Node, way: Way) -> Iterator[Unit]:
        for key, child in _items(node, "words"):
            yield from self._unit(child, (*way, "words", key))
        for key, child in _items(node, "constants"):
            yield from self._constant(child, (*way, "constants", key))

    def _constant(self, node: Node, way: Way) -> Iterator[Unit]:
        if decks.is_text(node, self.game.languages):
            yield from self._unit(node, way)
            return
        for key, child in node.items():
            yield from self._constant(child, (*way, key))
        for number, child in enumerate(node.nodes()):
            yield from self._constant(child, (*way, number))

    def _of_table(self, table: Node, way: Way) -> Iterator[Unit]:
        for number, note in enumerate(_nodes(table, "notes")):
            for key in ("title", "text"):
                yield from self._unit(note.get(key), (*way, "notes", number, key))
        for place in ("middle", "seat"):
            for number, laying in enumerate(_nodes(table, place)):
                yield from self._unit(laying.get("name"), (*way, place, number, "name"))

    def _of_file(self, name: str, node: Node) -> Iterator[Unit]:
        """The texts of a deck, or of what decks are like."""
        deck = self.game.deck(name) if node.get("deck") else None
        head = [
            *self._unit(node.get("title"), ("title",)),
            *(u for key, child in _items(node, "constants")
              for u in self._constant(child, ("constants", key))),
            *self._defaults(node),
            *(u for key, child in _items(node, "places") for u in self._place(key, child)),
        ]  # fmt: skip
        for unit in head:
            yield replace(unit, deck=name if deck else "")
        if deck is not None:
            yield from self._cards(deck, node)

    def _defaults(self, node: Node) -> Iterator[Unit]:
        """What fields say that a card leaves out, of fields that are declared in the file."""
        file = node.source.path
        declared = {
            name: field
            for deck in self.game.decks
            for name, field in deck.fields.items()
            if field.source.path == file
        }
        for name, child in _items(node, "fields"):
            if name in declared and child.get("default") is not None:
                yield from self._values(
                    child.value["default"], declared[name], ("fields", name, "default")
                )

    def _place(self, name: str, place: Node) -> Iterator[Unit]:
        """The words that a look has in a place: on every card, or by the value of a field."""
        kinds = {look.places[name].kind for look in _looks() if name in look.places}
        if not place.is_mapping or not kinds & set(catalogue.WORDY):
            return
        told: list[tuple[tuple[str, ...], Node | None]] = [
            (("text",), place.get("text")),
            (("else",), place.get("else")),
        ]
        told += [(("values", key), child) for key, child in _items(place, "values")]
        for way, child in told:
            for unit in self._unit(child, ("places", name, *way)):
                if catalogue.WORD.search(unit.said.get(self.first, "")):
                    yield unit

    def _cards(self, deck: Deck, node: Node) -> Iterator[Unit]:
        rows: list[tuple[Node, Way]] = [
            (row, ("cards", number)) for number, row in enumerate(_nodes(node, "cards"))
        ]
        said = tables.columns(node.get("columns"), _ignored)
        beside = [*RESERVED, *(side for side in ("front", "back") if side not in deck.fields)]
        for table in tables.named(node.get("rows"), _ignored):
            found, _, _ = tables.read(table, self.game.root, deck.fields, said, beside)
            rows += [(row, ()) for row in found]
        seen, scratch = card_ids.Seen(), Checker(self.game.languages, (), ())
        for row, way in rows:
            if row.is_mapping:
                card = card_ids.card_id(row, node.source, seen, scratch)
                yield from self._card(deck, card, row, way)

    def _card(self, deck: Deck, card: str, row: Node, way: Way) -> Iterator[Unit]:
        called = self._called(row)
        for key, declared in deck.fields.items():
            child = row.get(key)
            for unit in self._values(child, declared, (key,)) if child else ():
                leads = (*way, *unit.way) if way else ()
                name = f"{unit.file}#{card}/{unit.what}"
                yield replace(unit, id=name, way=leads, deck=deck.id, card=card, called=called)

    def _called(self, row: Node) -> str:
        for key in ("name", "title"):
            given = row.get(key)
            said = (given.get(self.first) or given) if given is not None else None
            if said is not None and said.is_scalar and said.value is not None:
                return spoken(said.text)
        return ""

    def _values(self, node: Node, declared: Field, way: Way) -> Iterator[Unit]:
        """The texts in the value of a field."""
        if declared.kind == "text":
            yield from self._unit(node, way)
        elif declared.kind == "list" and declared.item is not None:
            for number, child in enumerate(node.nodes()):
                yield from self._values(child, declared.item, (*way, number))
        elif declared.kind == "record":
            for key, inner in declared.fields.items():
                held = node.get(key)
                if held is not None:
                    yield from self._values(held, inner, (*way, key))


def _looks() -> Iterator[catalogue.Look]:
    return map(catalogue.of, catalogue.names())


def _items(node: Node, key: str) -> Iterator[tuple[str, Node]]:
    child = node.get(key)
    yield from child.items() if child is not None else ()


def _nodes(node: Node, key: str) -> list[Node]:
    child = node.get(key)
    return child.nodes() if child is not None else []


def _ignored(_source: Source, _message: str, _kind: str) -> None:
    """What is wrong with a deck was told when it was read."""
