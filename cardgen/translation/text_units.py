"""Every text of a game that is translated, with an id that stays when lines move."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from cardgen.core import yaml_nodes
from cardgen.core.problems import Source
from cardgen.core.yaml_edits import YamlPath as Way
from cardgen.core.yaml_nodes import Node
from cardgen.game import card_ids, card_tables, deck_files, game_folder, tabletop_file
from cardgen.game.checker import Checker
from cardgen.game.deck_keys import CARD_KEYS
from cardgen.game.look_templates import LOOK_PREFIX
from cardgen.game.markup import strip_markup
from cardgen.game.model import Deck, Field, Game
from cardgen.looks import look_catalogue
from cardgen.runtime import game_files


@dataclass(frozen=True)
class TextUnit:
    """A text to translate.

    `texts` holds it in each language that it has. `path` leads to it in its YAML file, and is empty
    for the cell of a table.
    """

    id: str
    file: str
    path: Way
    texts: Mapping[str, str]
    source: Source
    label: str
    """Its name within the game, its deck or its card: `title`, `words.pay`, a field's name."""
    deck: str = ""
    card: str = ""
    card_name: str = ""
    """The name or title of its card."""


def find_text_units(game: Game) -> list[TextUnit]:
    """Return the texts of a game as they are written. Problems were reported when it was loaded."""
    units: dict[str, TextUnit] = {}
    for unit in _UnitCollector(game).collect_units():
        units.setdefault(unit.id, unit)
    return list(units.values())


class _UnitCollector:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.first = game.languages[0]

    def collect_units(self) -> Iterator[TextUnit]:
        head = self._read_mapping(game_folder.GAME_FILE)
        if head is not None:
            yield from self._walk_game(head)
        table = (
            self._read_mapping(tabletop_file.TABLETOP_FILE)
            if game_files.has_entry(self.game.root, tabletop_file.TABLETOP_FILE)
            else None
        )
        if table is not None:
            yield from self._walk_table(table, ())
        for name, node in deck_files.read_deck_files(self.game.root).nodes.items():
            yield from self._walk_deck_file(name, node)

    def _read_mapping(self, file: str) -> Node | None:
        text, why = game_files.read_text(self.game.root, file)
        node = None if why else yaml_nodes.load(text, file)[0]
        return node if node is not None and node.is_mapping else None

    def _make_unit(self, node: Node | None, way: Way, name: str = "") -> Iterator[TextUnit]:
        """Yield the text of a node, if it is one."""
        if node is None or node.is_list:
            return
        given = node.items() if node.is_mapping else [(self.first, node)]
        texts = {
            code: child.text
            for code, child in given
            if code in self.game.languages and child.is_scalar and child.value is not None
        }
        what = name or ".".join(map(str, way))
        if texts:
            file = node.source.path
            yield TextUnit(f"{file}#{what}", file, way, texts, node.source, what)

    def _walk_game(self, head: Node) -> Iterator[TextUnit]:
        yield from self._make_unit(head.get("title"), ("title",))
        for number, player in enumerate(_get_nodes(head, "players")):
            called = player.get("id")
            name = f"players.{called.text if called else number}.name"
            yield from self._make_unit(player.get("name"), ("players", number, "name"), name)
        for key, fact in _get_items(head, "facts"):
            if fact.is_mapping:  # one that is written once holds in every language
                yield from self._make_unit(fact, ("facts", key))
        yield from self._walk_words_and_constants(head, ())
        for name, variant in _get_items(head, "variants"):
            yield from self._make_unit(variant.get("title"), ("variants", name, "title"))
            yield from self._walk_words_and_constants(variant, ("variants", name))
        table = head.get("table")
        if table is not None:
            yield from self._walk_table(table, ("table",))

    def _walk_words_and_constants(self, node: Node, way: Way) -> Iterator[TextUnit]:
        for key, child in _get_items(node, "words"):
            yield from self._make_unit(child, (*way, "words", key))
        for key, child in _get_items(node, "constants"):
            yield from self._walk_constant(child, (*way, "constants", key))

    def _walk_constant(self, node: Node, way: Way) -> Iterator[TextUnit]:
        if deck_files.is_translated_text(node, self.game.languages):
            yield from self._make_unit(node, way)
            return
        for key, child in node.items():
            yield from self._walk_constant(child, (*way, key))
        for number, child in enumerate(node.list_nodes()):
            yield from self._walk_constant(child, (*way, number))

    def _walk_table(self, table: Node, way: Way) -> Iterator[TextUnit]:
        for number, note in enumerate(_get_nodes(table, "notes")):
            for key in ("title", "text"):
                yield from self._make_unit(note.get(key), (*way, "notes", number, key))
        for place in ("middle", "seat"):
            for number, laying in enumerate(_get_nodes(table, place)):
                yield from self._make_unit(laying.get("name"), (*way, place, number, "name"))

    def _walk_deck_file(self, name: str, node: Node) -> Iterator[TextUnit]:
        """Yield the texts of a deck or a kind."""
        deck = self.game.get_deck(name) if node.get("deck") else None
        head = [
            *self._make_unit(node.get("title"), ("title",)),
            *(u for key, child in _get_items(node, "constants")
              for u in self._walk_constant(child, ("constants", key))),
            *self._walk_defaults(node),
            *(u for key, child in _get_items(node, "places") for u in self._walk_place(key, child)),
        ]  # fmt: skip
        for unit in head:
            yield replace(unit, deck=name if deck else "")
        if deck is not None:
            yield from self._walk_cards(deck, node)

    def _walk_defaults(self, node: Node) -> Iterator[TextUnit]:
        """Yield the default texts of fields that the file declares."""
        file = node.source.path
        declared = {
            name: field
            for deck in self.game.decks
            for name, field in deck.fields.items()
            if field.source.path == file
        }
        for name, child in _get_items(node, "fields"):
            if name in declared and child.get("default") is not None:
                yield from self._walk_field(
                    child.value["default"], declared[name], ("fields", name, "default")
                )

    def _walk_place(self, name: str, place: Node) -> Iterator[TextUnit]:
        """Yield the words that stand in a place of a look, on every card or by the value of a
        field."""
        kinds = {look.slots[name].kind for look in _list_looks() if name in look.slots}
        if not place.is_mapping or not kinds & set(look_catalogue.TEXT_SLOT_KINDS):
            return
        texts: list[tuple[tuple[str, ...], Node | None]] = [
            (("text",), place.get("text")),
            (("else",), place.get("else")),
        ]
        texts += [(("values", key), child) for key, child in _get_items(place, "values")]
        for way, child in texts:
            for unit in self._make_unit(child, ("places", name, *way)):
                if look_catalogue.LANGUAGE_WORD.search(unit.texts.get(self.first, "")):
                    yield unit

    def _walk_cards(self, deck: Deck, node: Node) -> Iterator[TextUnit]:
        rows: list[tuple[Node, Way]] = [
            (row, ("cards", number)) for number, row in enumerate(_get_nodes(node, "cards"))
        ]
        columns = card_tables.read_columns(node.get("columns"), _ignore_problem)
        beside = [*CARD_KEYS, *(side for side in ("front", "back") if side not in deck.fields)]
        for table in card_tables.read_table_list(node.get("rows"), _ignore_problem):
            found, _, _ = card_tables.read_table(
                table, self.game.root, deck.fields, columns, beside
            )
            rows += [(row, ()) for row in found]
        used_ids, scratch = card_ids.UsedIds(), Checker(self.game.languages, (), ())
        for row, way in rows:
            if row.is_mapping:
                card = card_ids.read_card_id(row, node.source, used_ids, scratch)
                yield from self._walk_card(deck, card, row, way)

    def _walk_card(self, deck: Deck, card: str, row: Node, way: Way) -> Iterator[TextUnit]:
        called = self._find_card_name(row)
        for key, declared in deck.fields.items():
            child = row.get(key)
            for unit in self._walk_field(child, declared, (key,)) if child else ():
                leads = (*way, *unit.path) if way else ()
                name = f"{unit.file}#{card}/{unit.label}"
                yield replace(unit, id=name, path=leads, deck=deck.id, card=card, card_name=called)

    def _find_card_name(self, row: Node) -> str:
        for key in ("name", "title"):
            given = row.get(key)
            text = (given.get(self.first) or given) if given is not None else None
            if text is not None and text.is_scalar and text.value is not None:
                return strip_markup(text.text)
        return ""

    def _walk_field(self, node: Node, declared: Field, way: Way) -> Iterator[TextUnit]:
        """Yield the texts in the value of a field."""
        if declared.kind == "text":
            yield from self._make_unit(node, way)
        elif declared.kind == "list" and declared.item is not None:
            for number, child in enumerate(node.list_nodes()):
                yield from self._walk_field(child, declared.item, (*way, number))
        elif declared.kind == "record":
            for key, inner in declared.fields.items():
                value = node.get(key)
                if value is not None:
                    yield from self._walk_field(value, inner, (*way, key))


def _list_looks() -> Iterator[look_catalogue.Look]:
    return map(look_catalogue.load_look, look_catalogue.list_looks())


def _get_items(node: Node, key: str) -> Iterator[tuple[str, Node]]:
    child = node.get(key)
    yield from child.items() if child is not None else ()


def _get_nodes(node: Node, key: str) -> list[Node]:
    child = node.get(key)
    return child.list_nodes() if child is not None else []


def _ignore_problem(_source: Source, _message: str, _kind: str) -> None:
    """Do nothing: problems of a deck were reported when it was loaded."""


_INCLUDED_TEMPLATE = re.compile(r"""["']([\w./-]+\.(?:html|svg))["']""")
MAX_INCLUDE_DEPTH = 4


def find_where_shown(game: Game, units: Iterable[TextUnit]) -> dict[str, str]:
    """Return where texts are shown, by their ids: `front`, `front, back`, or names of templates.
    Texts about which nothing is known are left out."""
    templates = _TemplateSources(game)
    found = {}
    for unit in units:
        deck = game.get_deck(unit.deck) if unit.card else None
        where = (
            templates.find_sides(deck, unit)
            if deck is not None
            else templates.find_naming(unit.label)
        )
        if where:
            found[unit.id] = ", ".join(where)
    return found


class _TemplateSources:
    def __init__(self, game: Game) -> None:
        self._game = game
        self._texts: dict[tuple[str, str], str] = {}
        self._sides: dict[tuple[str, str], list[str]] = {}

    def find_sides(self, deck: Deck, unit: TextUnit) -> list[str]:
        """Return the sides whose templates name the field of a text."""
        field = unit.label.partition(".")[0]
        if (deck.id, field) not in self._sides:
            # By its full name where any of them says it so; else by its own.
            full = re.compile(rf"\bcard\.{re.escape(field)}\b")
            templates: Mapping[str, set[str]] = {
                side: {deck.get_template(piece, side) for piece in deck.pieces}
                | {getattr(deck, side)}
                for side in ("front", "back")
            }
            texts = {
                side: "\n".join(
                    self._read_with_includes(deck, name) for name in sorted(names) if name
                )
                for side, names in templates.items()
            }
            has_full = any(map(full.search, texts.values()))
            named = full if has_full else re.compile(rf"\b{re.escape(field)}\b")
            self._sides[deck.id, field] = [
                side for side, text in texts.items() if named.search(text)
            ]
        return self._sides[deck.id, field]

    def find_naming(self, what: str) -> list[str]:
        """Return the templates that name `words.pay` or `constants.motto`."""
        if not what.startswith(("words.", "constants.")):
            return []
        named = re.compile(rf"\b{re.escape(what)}\b")
        names = {
            (deck.id, name): deck for deck in self._game.decks for name in deck.list_templates()
        }
        return sorted({
            _name_template(name) for (_, name), deck in names.items()
            if named.search(self._read_with_includes(deck, name))
        })  # fmt: skip

    def _read_with_includes(self, deck: Deck, name: str, deep: int = 0) -> str:
        """Return a template with the templates that it includes."""
        own = deck.id if name in deck.look_templates else ""
        if (own, name) not in self._texts:
            text = (
                deck.look_templates.get(name)
                or game_files.read_text(self._game.root, f"templates/{name}")[0]
            )
            self._texts[own, name] = text
            if deep < MAX_INCLUDE_DEPTH:
                more = {each for each in _INCLUDED_TEMPLATE.findall(text) if each != name}
                below = [self._read_with_includes(deck, each, deep + 1) for each in sorted(more)]
                self._texts[own, name] = "\n".join([text, *below])
        return self._texts[own, name]


def _name_template(template: str) -> str:
    """Return the name of a template for people; one of a look is named by its deck and its side."""
    if not template.startswith(LOOK_PREFIX):
        return template
    return template.removeprefix(LOOK_PREFIX).removesuffix(".html").replace("/", " ")
