"""Variants: several games from the cards and templates of one folder.

A variant says which decks and languages it has, and what is another in it. It is read with the
game, and `applied` to it is a game like any other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cardgen.core.problems import did_you_mean
from cardgen.core.units import Size
from cardgen.core.yaml_nodes import Node
from cardgen.game import game_settings
from cardgen.game.card_ids import check_id
from cardgen.game.checker import Checker
from cardgen.game.deck_files import read_constant, read_size
from cardgen.game.keys import check_keys
from cardgen.game.model import Deck, Game, TableSetup, Text, Value, Variant

ALL_VARIANTS, DRAFT_FOLDER = "all", "draft"
_RESERVED_NAMES = {ALL_VARIANTS: "what asks for each", DRAFT_FOLDER: "the folder of drafts"}
"""What asks for every variant."""
MAX_VARIANTS = 64
_VARIANT_KEYS = (
    "title", "edition", "decks", "languages", "sizes", "constants", "colours", "words", "print",
)  # fmt: skip


def read_variants(
    node: Node | None, game: Game, checker: Checker, whole: bool = True
) -> dict[str, Variant]:
    """The variants of a game, by their ids. Mistakes go to the checker. Where not the whole of the
    decks could be read, one that is not there is none."""
    if node is None:
        return {}
    if not node.is_mapping:
        message = f"variants is {node.describe()}; a mapping is asked for, NAME: what it has"
        checker.report(node.source, message, "type")
    found: dict[str, Variant] = {}
    for name, child in node.items():
        wrong = check_id(name)
        if name in game.languages or name in _RESERVED_NAMES:
            what = _RESERVED_NAMES.get(name, "a language of the game")
            wrong = f"'{name}' is {what}; give the variant another name"
        if wrong:
            checker.report(node.keys[name], wrong, "fields")
        elif len(found) == MAX_VARIANTS:
            message = f"the game has {len(node.value)} variants; {MAX_VARIANTS} are the most"
            checker.report(node.source, message, "bounds")
            break
        else:
            found[name] = _VariantReader(name, child, game, checker, whole).read_variant()
    return found


@dataclass
class _VariantReader:
    name: str
    node: Node
    game: Game
    checker: Checker
    is_complete: bool

    def read_variant(self) -> Variant:
        node, game = self.node, self.game
        if not node.is_mapping and node.value is not None:
            message = (
                f"the variant {self.name} is {node.describe()}; a mapping such as {{decks: …}}"
            )
            self.checker.report(node.source, message, "type")
        check_keys(node, _VARIANT_KEYS, f"the variant {self.name}", self.checker.report)
        languages = self._read_chosen("languages", game.languages, "language")
        decks = self._read_chosen("decks", [deck.id for deck in game.decks], "deck")
        texts = _VariantTexts(self.checker, game.languages, languages)
        title, edition = node.get("title"), node.get("edition")
        defaults = game_settings.read_print_defaults(node.get("print"), self.checker, game.defaults)
        return Variant(
            self.name,
            node.source,
            texts.read_text(title, f"the title of {self.name}") if title else game.title,
            edition.text if edition and edition.is_scalar else game.edition,
            decks,
            languages,
            dict(self._read_sizes(decks)),
            self._read_constants(node.get("constants"), game.constants, "", texts),
            {
                **game.colours,
                **game_settings.read_colours(
                    self._read_known_mapping("colours", game.colours), self.checker
                ),
                **dict(defaults.press.spots),
            },
            {
                **game.words,
                **{
                    name: texts.read_text(child, f"the word {name}")
                    for name, child in self._read_known_items("words", game.words)
                },
            },
            defaults,
        )

    def _read_chosen(self, key: str, known: Collection[str], noun: str) -> tuple[str, ...]:
        """Those of the game's decks or languages that it names, in the game's order; all without
        a word."""
        given = self.node.get(key)
        if given is None:
            return tuple(known)
        if not given.is_list or not given.value:
            such = f", [{given.text}]" if given.is_scalar and given.value is not None else ""
            said = "an empty list" if given.is_list else given.describe()
            message = f"{key} is {said}; a list of {noun}s is asked for{such}"
            self.checker.report(given.source, message, "type")
        named = {child.text for child in given.list_nodes() if self._is_known(child, known, noun)}
        return tuple(each for each in known if each in named) or tuple(known)

    def _is_known(self, node: Node, known: Collection[str], noun: str) -> bool:
        if node.is_scalar and node.text in known:
            return True
        if self.is_complete or noun != "deck":
            said = node.text if node.is_scalar else node.describe()
            message = f"the variant {self.name}: no {noun} '{said}'{did_you_mean(said, known)}"
            kind = "language" if noun == "language" else "reference"
            self.checker.report(node.source, message, kind)
        return False

    def _read_sizes(self, decks: Collection[str]) -> Iterator[tuple[str, Size]]:
        for name, child in self._read_items("sizes"):
            named = Node(name, self.node.value["sizes"].keys[name])
            if self._is_known(named, decks, "deck") and (size := read_size(child, self.checker)):
                yield name, size

    def _read_constants(
        self, node: Node | None, base: Mapping[str, Value], within: str, texts: _VariantTexts
    ) -> dict[str, Value]:
        """The game's constants with those that are another here; records are joined."""
        found = dict(base)
        if node is not None and not node.is_mapping:
            message = f"constants is {node.describe()}; a mapping is asked for, NAME: VALUE"
            self.checker.report(node.source, message, "type")
        for key, child in node.items() if node else ():
            was, called = base.get(key), f"{within}{key}"
            if key not in base:
                self._report_unknown(node, key, f"constant '{called}'", base)
            elif isinstance(was, Text):
                found[key] = texts.read_text(child, f"the constant {called}")
            elif isinstance(was, dict) and child.is_mapping:
                found[key] = self._read_constants(child, was, f"{called}.", texts)
            else:
                found[key] = read_constant(child, self.checker, called)
        return found

    def _read_known_items(self, key: str, known: Collection[str]) -> Iterator[tuple[str, Node]]:
        """What a key maps to, of names that the game has."""
        for name, child in self._read_items(key):
            if name in known:
                yield name, child
            else:
                self._report_unknown(
                    self.node.value[key], name, f"{key.removesuffix('s')} '{name}'", known
                )

    def _read_known_mapping(self, key: str, known: Collection[str]) -> Node | None:
        """The mapping under a key, without names that the game has not."""
        given = self.node.get(key)
        return given and Node(dict(self._read_known_items(key, known)), given.source, given.keys)

    def _read_items(self, key: str) -> Iterator[tuple[str, Node]]:
        given = self.node.get(key)
        if given is not None and not given.is_mapping:
            message = f"{key} is {given.describe()}; a mapping is asked for, NAME: VALUE"
            self.checker.report(given.source, message, "type")
        yield from given.items() if given else ()

    def _report_unknown(self, node: Any, key: str, what: str, known: Collection[str]) -> None:
        hint = did_you_mean(key, known)
        message = f"the variant {self.name}: the game has no {what} that could be another{hint}"
        self.checker.report(node.keys[key], message, "fields")


@dataclass
class _VariantTexts:
    """Reads texts in the languages of a variant, or in all of the game's."""

    checker: Checker
    every: tuple[str, ...]
    own: tuple[str, ...]

    def read_text(self, node: Node, what: str) -> Text:
        beyond = any(language not in self.own for language, _ in node.items())
        self.checker.languages = self.every if beyond else self.own
        try:
            return self.checker.read_text(node, what)
        finally:
            self.checker.languages = self.every


def apply_variant(game: Game, name: str) -> Game:
    """The variant of that name as a game by itself; the game as a whole for ""."""
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
    """The deck in another size; corners and margins no larger than it has room for."""
    most = min(size.width, size.height) / 2
    return replace(deck, size=size, safe=min(deck.safe, most), corner=min(deck.corner, most))


def _filter_table(table: TableSetup, decks: Collection[str]) -> TableSetup:
    """What lies on the table of those decks."""
    middle, seat = (
        tuple(
            replace(laying, markers=tuple(m for m in laying.markers if m.deck in decks))
            for laying in layings
            if laying.deck in decks
        )
        for layings in (table.middle, table.seat)
    )
    return replace(table, middle=middle, seat=seat)
