"""Every text of a game that is translated, with an id that stays when lines move."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cardgen.core import yaml_nodes
from cardgen.core.problems import Source
from cardgen.core.yaml_nodes import Node
from cardgen.core.yaml_trees import YamlPath as Way
from cardgen.game import card_rows, deck_files, game_folder, plural_forms, tabletop_file
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
    category: str = ""
    """The category of a plural form, which only some languages have."""

    def is_for(self, language: str) -> bool:
        """Return whether the text is translated into a language."""
        return not self.category or self.category in plural_forms.list_categories(language)

    @property
    def plural_id(self) -> str:
        """The id of the word whose plural form this is."""
        return self.id.removesuffix(f".{self.category}")


def find_text_units(game: Game) -> list[TextUnit]:
    """Return the texts of a game as they are written. Problems were reported when it was loaded."""
    units: dict[str, TextUnit] = {}
    for unit in _UnitCollector(game).collect_units():
        units.setdefault(unit.id, unit)
    return list(units.values())


_TEXT = "text"
_LANGUAGES = "languages"
"""A text only if it is a mapping of languages: one that is written once holds in all of them."""
_CONSTANT = "constant"
"""A text in several languages, or a structure with such texts."""
_WORD = "word"
"""A text, or a mapping of its plural forms."""
_Shape = str | Mapping[str, Any] | None
"""Where texts stand in a node: the shapes of its keys, of its other keys under `*`, and of the
items of a list under `#`."""
_WORDS: Mapping[str, _Shape] = {"words": {"*": _WORD}, "constants": {"*": _CONSTANT}}
_TABLE: _Shape = {
    "notes": {"#": {"title": _TEXT, "text": _TEXT}},
    "middle": {"#": {"name": _TEXT}},
    "seat": {"#": {"name": _TEXT}},
}
_GAME: _Shape = {
    "title": _TEXT,
    "players": {"#": {"name": _TEXT}},
    "facts": {"*": _LANGUAGES},
    **_WORDS,
    "variants": {"*": {"title": _TEXT, **_WORDS}},
    "table": _TABLE,
}
_DECK: _Shape = {"title": _TEXT, "constants": {"*": _CONSTANT}}
_PLACE: _Shape = {"text": _TEXT, "else": _TEXT, "values": {"*": _TEXT}}


def _get_field_shape(declared: Field) -> _Shape:
    """Return where texts stand in the value of a field."""
    if declared.kind == "list" and declared.item is not None:
        return {"#": _get_field_shape(declared.item)}
    if declared.kind == "record":
        return {key: _get_field_shape(inner) for key, inner in declared.fields.items()}
    return _TEXT if declared.kind == "text" else None


class _UnitCollector:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.first = game.languages[0]

    def collect_units(self) -> Iterator[TextUnit]:
        head = self._read_mapping(game_folder.GAME_FILE)
        if head is not None:
            for unit in self._walk(head, _GAME, ()):
                yield self._name_player(unit, head) if unit.path[0] == "players" else unit
        if game_files.has_entry(self.game.root, tabletop_file.TABLETOP_FILE):
            table = self._read_mapping(tabletop_file.TABLETOP_FILE)
            yield from self._walk(table, _TABLE, ()) if table else ()
        for name, node in deck_files.read_deck_files(self.game.root).nodes.items():
            deck = self.game.get_deck(name) if node.get("deck") else None
            for unit in self._walk_deck_head(node):
                yield replace(unit, deck=name if deck else "")
            if deck is not None:
                yield from self._walk_cards(deck, node)

    def _read_mapping(self, file: str) -> Node | None:
        text, why = game_files.read_text(self.game.root, file)
        node = None if why else yaml_nodes.load(text, file)[0]
        return node if node is not None and node.is_mapping else None

    def _walk(self, node: Node, shape: _Shape, way: Way) -> Iterator[TextUnit]:
        """Yield the texts of a node."""
        if shape == _CONSTANT and not deck_files.is_translated_text(node, self.game.languages):
            shape = {"*": _CONSTANT, "#": _CONSTANT}
        if shape == _WORD and plural_forms.has_plural_forms(node, self.game.languages):
            yield from self._walk_plural_forms(node, way)
        elif isinstance(shape, Mapping):
            keys = node.value if "*" in shape and node.is_mapping else shape
            for key in keys:
                child, inner = node.get(key), shape.get(key, shape.get("*"))
                if child is not None and inner:
                    yield from self._walk(child, inner, (*way, key))
            for number, child in enumerate(node.list_nodes() if "#" in shape else ()):
                yield from self._walk(child, shape["#"], (*way, number))
        elif not node.is_list and (node.is_mapping or shape != _LANGUAGES):
            texts = self._read_texts(node)
            if texts:
                file, what = node.source.path, ".".join(map(str, way))
                yield TextUnit(f"{file}#{what}", file, way, texts, node.source, what)

    def _read_texts(self, node: Node) -> dict[str, str]:
        given = node.items() if node.is_mapping else [(self.first, node)]
        return {
            code: child.text
            for code, child in given
            if code in self.game.languages and child.is_scalar and child.value is not None
        }

    def _walk_plural_forms(self, node: Node, way: Way) -> Iterator[TextUnit]:
        """Yield every form that a language may have. The source of one that the first language
        lacks is the last form."""
        for category in plural_forms.PLURAL_CATEGORIES:
            form = plural_forms.fill_form(node, category, self.game.languages)
            file, what = node.source.path, ".".join(map(str, (*way, category)))
            yield TextUnit(
                f"{file}#{what}", file, (*way, category), self._read_texts(form), form.source, what,
                category=category,
            )  # fmt: skip

    def _name_player(self, unit: TextUnit, head: Node) -> TextUnit:
        """Return the name of a player, under the player's id."""
        called = head.value["players"].value[unit.path[1]].get("id")
        what = f"players.{called.text}.name" if called else unit.label
        return replace(unit, id=f"{unit.file}#{what}", label=what)

    def _walk_deck_head(self, node: Node) -> Iterator[TextUnit]:
        """Yield the texts of a deck or a kind: its own, the default texts of fields that the file
        declares, and words that stand in places of a look, always or by the value of a field."""
        yield from self._walk(node, _DECK, ())
        defaults = {
            name: {"default": _get_field_shape(field)}
            for deck in self.game.decks
            for name, field in deck.fields.items()
            if field.source.path == node.source.path
        }
        yield from self._walk(node, {"fields": {"*": None, **defaults}}, ())
        looks = list(map(look_catalogue.load_look, look_catalogue.list_looks()))
        text_places = {
            name
            for look in looks
            for name, slot in look.slots.items()
            if slot.kind in look_catalogue.TEXT_SLOT_KINDS
        }
        places = {"*": None, **dict.fromkeys(text_places, _PLACE)}
        for unit in self._walk(node, {"places": places}, ()):
            if look_catalogue.LANGUAGE_WORD.search(unit.texts.get(self.first, "")):
                yield unit

    def _walk_cards(self, deck: Deck, node: Node) -> Iterator[TextUnit]:
        shape = {name: _get_field_shape(field) for name, field in deck.fields.items()}
        for row in card_rows.list_card_rows(self.game.root, deck, node):
            called = self._find_card_name(row.node)
            for unit in self._walk(row.node, shape, ()):
                name = f"{unit.file}#{row.id}/{unit.label}"
                path = (*row.path, *unit.path) if row.path else ()
                yield replace(unit, id=name, path=path, deck=deck.id, card=row.id, card_name=called)

    def _find_card_name(self, row: Node) -> str:
        for key in ("name", "title"):
            given = row.get(key)
            text = (given.get(self.first) or given) if given is not None else None
            if text is not None and text.is_scalar and text.value is not None:
                return strip_markup(text.text)
        return ""


_INCLUDED_TEMPLATE = re.compile(r"""["']([\w./-]+\.(?:html|svg))["']""")
MAX_INCLUDE_DEPTH = 4


def find_where_shown(game: Game, units: Iterable[TextUnit]) -> dict[str, str]:
    """Return where texts are shown, by their ids: `front`, `front, back`, or names of templates.
    Texts about which nothing is known are left out."""
    templates = _TemplateSources(game)
    found = {
        unit.id: templates.find_sides(unit) if unit.card else templates.find_naming(unit.label)
        for unit in units
    }
    return {name: ", ".join(where) for name, where in found.items() if where}


class _TemplateSources:
    def __init__(self, game: Game) -> None:
        self._game = game
        self._decks = {deck.id: deck for deck in game.decks}
        self._texts: dict[tuple[str, str], str] = {}
        self._sides: dict[tuple[str, str], list[str]] = {}

    def find_sides(self, unit: TextUnit) -> list[str]:
        """Return the sides whose templates name the field of a text."""
        deck, field = self._decks[unit.deck], unit.label.partition(".")[0]
        if (deck.id, field) not in self._sides:
            texts = {}
            for side in ("front", "back"):
                names = {deck.get_template(piece, side) for piece in deck.pieces}
                names = {*names, getattr(deck, side)} - {""}
                texts[side] = "\n".join(self._read_with_includes(deck, n) for n in sorted(names))
            # By its full name where any of them says it so; else by its own.
            named = re.compile(rf"\bcard\.{re.escape(field)}\b")
            if not any(map(named.search, texts.values())):
                named = re.compile(rf"\b{re.escape(field)}\b")
            self._sides[deck.id, field] = [side for side in texts if named.search(texts[side])]
        return self._sides[deck.id, field]

    def find_naming(self, what: str) -> list[str]:
        """Return the templates that name `words.pay` or `constants.motto`."""
        if not what.startswith(("words.", "constants.")):
            return []
        named = re.compile(rf"\b{re.escape(what)}\b")
        return sorted({
            _name_template(name)
            for deck in self._game.decks
            for name in deck.list_templates()
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
