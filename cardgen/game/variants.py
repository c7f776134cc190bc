"""Variants: several games made from the cards and templates of one folder.

A variant names decks and languages of the game, and what differs in it. It is read with the game;
`apply_variant` makes it a game of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cardgen.core import json_schema
from cardgen.core.problems import did_you_mean
from cardgen.core.units import Size
from cardgen.core.yaml_nodes import Node
from cardgen.game import game_settings
from cardgen.game.card_ids import check_id
from cardgen.game.checker import Checker
from cardgen.game.deck_files import read_constant
from cardgen.game.deck_keys import SIZE_KEY
from cardgen.game.keys import Key, build_schema, read_keys
from cardgen.game.model import Deck, Game, TableSetup, Text, Value, Variant

ALL_VARIANTS, DRAFT_FOLDER = "all", "draft"
_RESERVED_NAMES = {ALL_VARIANTS: "the word for every variant", DRAFT_FOLDER: "the draft folder"}
MAX_VARIANTS = 64
_VARIANT_KEYS: Mapping[str, Key] = {
    "title": Key.node(json_schema.TEXT),
    "edition": Key.word("Printed on every sheet; in quotes."),
    "decks": Key.node(json_schema.allow_list(json_schema.DECK, 1), "Without it, all decks."),
    "languages": Key.node(
        json_schema.allow_list(json_schema.LANGUAGE, 1), "Without it, all languages."
    ),
    "sizes": Key.mapping(json_schema.allow_named_values(SIZE_KEY.schema), "Other sizes of decks."),
    "constants": Key.mapping(about="Other values of the game's constants."),
    "colours": Key.mapping(
        json_schema.allow_named_values(game_settings.COLOUR_KEY.schema),
        "Other values of the game's colours.",
    ),
    "words": Key.mapping(
        json_schema.allow_named_values(game_settings.WORD_SCHEMA),
        "Other texts of the game's words.",
    ),
    "print": Key.mapping(game_settings.PRINT_SCHEMA, "Other defaults of the build command."),
}
VARIANTS_SCHEMA = json_schema.allow_named_values(build_schema(_VARIANT_KEYS))
_VARIANTS_KEY = Key.mapping(example="NAME: {decks: …}")


def read_variants(
    node: Node | None, game: Game, checker: Checker, is_complete: bool
) -> dict[str, Variant]:
    """Return the variants of a game by their ids. Problems go to the checker.

    Where not all decks could be read (`is_complete`), a deck that is unknown is not reported.
    """
    node = _VARIANTS_KEY.read(node, "variants", checker.report)
    found: dict[str, Variant] = {}
    for name, child in node.items() if node else ():
        error = check_id(name)
        if name in game.languages or name in _RESERVED_NAMES:
            what = _RESERVED_NAMES.get(name, "a language of the game")
            error = f"'{name}' is {what}; give the variant another name"
        if error:
            checker.report(node.keys[name], error, "fields")
        elif len(found) == MAX_VARIANTS:
            message = f"the game has {len(node.value)} variants; {MAX_VARIANTS} are allowed"
            checker.report(node.source, message, "bounds")
            break
        else:
            found[name] = _VariantReader(name, child, game, checker, is_complete).read_variant()
    return found


@dataclass
class _VariantReader:
    name: str
    node: Node
    game: Game
    checker: Checker
    is_complete: bool

    def read_variant(self) -> Variant:
        node, game, report = self.node, self.game, self.checker.report
        what = f"the variant {self.name}"
        if not node.is_mapping and node.value is not None:
            report(node.source, f"{what} is {node.describe()}; expected {{decks: …}}", "type")
        given = read_keys(node, _VARIANT_KEYS, what, report)
        languages = self._read_chosen("languages", game.languages, "language")
        decks = self._read_chosen("decks", [deck.id for deck in game.decks], "deck")
        texts = _VariantTexts(self.checker, game.languages, languages)
        title = given["title"]
        defaults = game_settings.read_print_defaults(given["print"], self.checker, game.defaults)
        colours = dict(self._read_items(given, "colours", game.colours))
        words = {
            name: game_settings.read_word(name, child, game.languages, texts.read_text)
            for name, child in self._read_items(given, "words", game.words)
        }
        return Variant(
            self.name,
            node.source,
            texts.read_text(title, f"the title of {self.name}") if title else game.title,
            given["edition"] or game.edition,
            decks,
            languages,
            dict(self._read_sizes(given["sizes"], decks)),
            self._read_constants(given["constants"], game.constants, "", texts),
            {
                **game.colours,
                **game_settings.read_colours(Node(colours, node.source), self.checker),
                **dict(defaults.press.spots),
            },
            {**game.words, **words},
            defaults,
        )

    def _read_chosen(self, key: str, known: Collection[str], noun: str) -> tuple[str, ...]:
        """Return the decks or languages that a key names, in the game's order; without the key,
        all of them."""
        given = self.node.get(key)
        if given is None:
            return tuple(known)
        if not given.is_list or not given.value:
            example = f", [{given.text}]" if given.is_scalar and given.value is not None else ""
            found = "an empty list" if given.is_list else given.describe()
            message = f"{key} is {found}; expected a list of {noun}s{example}"
            self.checker.report(given.source, message, "type")
        named = {child.text for child in given.list_nodes() if self._is_known(child, known, noun)}
        return tuple(each for each in known if each in named) or tuple(known)

    def _is_known(self, node: Node, known: Collection[str], noun: str) -> bool:
        if node.is_scalar and node.text in known:
            return True
        if self.is_complete or noun != "deck":
            text = node.text if node.is_scalar else node.describe()
            message = (
                f"the variant {self.name}: the game has no {noun} '{text}'"
                f"{did_you_mean(text, known)}"
            )
            kind = "language" if noun == "language" else "reference"
            self.checker.report(node.source, message, kind)
        return False

    def _read_sizes(self, node: Node | None, decks: Collection[str]) -> Iterator[tuple[str, Size]]:
        for name, child in node.items() if node else ():
            deck = Node(name, node.keys[name] if node else child.source)
            size = SIZE_KEY.read(child, f"the size of {name}", self.checker.report)
            if self._is_known(deck, decks, "deck") and size:
                yield name, size

    def _read_constants(
        self, node: Node | None, base: Mapping[str, Value], prefix: str, texts: _VariantTexts
    ) -> dict[str, Value]:
        """Return the game's constants with those that differ here. Records are merged."""
        found = dict(base)
        for key, child in node.items() if node else ():
            default, name = base.get(key), f"{prefix}{key}"
            if key not in base:
                self._report_unknown(node, key, f"constant '{name}'", base)
            elif isinstance(default, Text):
                found[key] = texts.read_text(child, f"the constant {name}")
            elif isinstance(default, dict) and child.is_mapping:
                found[key] = self._read_constants(child, default, f"{name}.", texts)
            else:
                found[key] = read_constant(child, self.checker, name)
        return found

    def _read_items(
        self, given: Mapping[str, Any], key: str, known: Collection[str]
    ) -> Iterator[tuple[str, Node]]:
        """Yield the items of a mapping whose names the game has; report the others."""
        for name, child in given[key].items() if given[key] else ():
            if name in known:
                yield name, child
            else:
                self._report_unknown(given[key], name, f"{key.removesuffix('s')} '{name}'", known)

    def _report_unknown(self, node: Any, key: str, what: str, known: Collection[str]) -> None:
        message = (
            f"the variant {self.name}: the game has no {what} that could differ here"
            f"{did_you_mean(key, known)}"
        )
        self.checker.report(node.keys[key], message, "fields")


@dataclass
class _VariantTexts:
    """Reader of texts in the languages of a variant, or in all of the game's."""

    checker: Checker
    every: tuple[str, ...]
    own: tuple[str, ...]

    def read_text(self, node: Node, what: str) -> Text:
        has_others = any(language not in self.own for language, _ in node.items())
        self.checker.languages = self.every if has_others else self.own
        try:
            return self.checker.read_text(node, what)
        finally:
            self.checker.languages = self.every


def apply_variant(game: Game, name: str) -> Game:
    """Return a variant as a game of its own; the game itself for ""."""
    if not name:
        return game
    variant = game.variants[name]
    decks = tuple(
        _resize_deck(deck, variant.sizes[deck.id]) if deck.id in variant.sizes else deck
        for deck in game.decks
        if deck.id in variant.decks
    )
    return replace(
        game,
        id=f"{game.id}-{name}",
        variant=name,
        title=variant.title,
        edition=variant.edition,
        languages=variant.languages,
        constants=variant.constants,
        colours=variant.colours,
        words=variant.words,
        decks=decks,
        defaults=variant.defaults,
        table=game.table and _filter_table(game.table, variant.decks),
        rules=tuple(rule for rule in game.variant_rules if name in rule.variants),
        variant_rules=(),
    )


def _resize_deck(deck: Deck, size: Size) -> Deck:
    """Return a deck in another size, with corners and safe margins that fit it."""
    most = min(size.width, size.height) / 2
    return replace(deck, size=size, safe=min(deck.safe, most), corner=min(deck.corner, most))


def _filter_table(table: TableSetup, decks: Collection[str]) -> TableSetup:
    """Return the table with the placements of these decks."""
    middle, seat = (
        tuple(
            replace(each, markers=tuple(m for m in each.markers if m.deck in decks))
            for each in placements
            if each.deck in decks
        )
        for placements in (table.middle, table.seat)
    )
    return replace(table, middle=middle, seat=seat)
