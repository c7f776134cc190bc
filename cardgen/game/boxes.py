"""`boxes:` of game.yaml: read, checked against the decks, and what is boxed without it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardgen.core import colour_math, json_schema
from cardgen.core.problems import Source, did_you_mean
from cardgen.core.units import NUMERAL_PATTERN, Size
from cardgen.core.yaml_nodes import Node
from cardgen.game.box_specs import (
    BOARD_MM,
    CARD_MM,
    DIVIDERS,
    FORMS,
    LOCK,
    OUTER,
    PLAY_MM,
    PRISM,
    STAND,
    TELESCOPE,
    TRAY,
    TUCK,
    BoxItem,
    BoxSpec,
    Sleeve,
    SleeveNeed,
    find_sleeves,
    load_sleeves,
)
from cardgen.game.card_ids import check_id
from cardgen.game.checker import Checker
from cardgen.game.keys import Key, build_schema, read_keys
from cardgen.game.model import Deck, Game, Text
from cardgen.runtime import game_files

_MIN_CARD_MM, _MAX_CARD_MM = 35.0, 160.0
"""Sides of pieces that are boxed as cards unless game.yaml says otherwise."""
_MAX_BOXES = 100
_SPACE_PATTERN = re.compile(r"\s*[x×]\s*".join([f"({NUMERAL_PATTERN})"] * 3) + r"\s*(?:mm)?\Z")
_ART_FOLDER = "art"
_MIN_ROOM_MM, _MAX_ROOM_MM = 3.0, 1000.0


def _parse_measures(node: Node) -> tuple[float, ...] | None:
    match = _SPACE_PATTERN.match(node.text.strip()) if node.is_scalar else None
    sides = tuple(map(float, match.groups())) if match else ()
    return sides if sides and 0 < min(sides) <= max(sides) <= _MAX_ROOM_MM else None


def _parse_room(node: Node) -> tuple[float, ...] | None:
    sides = _parse_measures(node)
    return sides if sides and min(sides) >= _MIN_ROOM_MM else None


def _parse_names(node: Node) -> tuple[Node, ...] | None:
    nodes = node.list_nodes() if node.is_list else [node]
    return tuple(nodes) if all(each.is_scalar and each.value for each in nodes) else None


_ROOM_KEY = Key(
    json_schema.describe(
        "Width, height and depth inside, in mm: 60 x 40 x 20.",
        json_schema.allow_pattern(_SPACE_PATTERN),
    ),
    _parse_room,
    f"three lengths from {_MIN_ROOM_MM:g} to {_MAX_ROOM_MM:g} mm, such as 60 x 40 x 20",
    kind="size",
)  # fmt: skip
_ITEM_KEYS: Mapping[str, Key] = {
    "title": Key.node(json_schema.TEXT, required=True),
    "size": Key(
        _ROOM_KEY.schema, _parse_measures, "three lengths in mm, such as 148 x 210 x 3",
        kind="size", required=True,
    ),
}  # fmt: skip
_BOX_KEYS: Mapping[str, Key] = {
    "form": Key.choice(FORMS, "How it is folded.", TUCK),
    "decks": Key(
        json_schema.describe(
            "A deck or several; without it, the deck of the box's name.",
            json_schema.allow_either(json_schema.DECK, json_schema.allow_list(json_schema.DECK, 1)),
        ),
        _parse_names, "a deck or a list of decks, such as [loot, money]",
    ),
    "title": Key.node(json_schema.TEXT, "On the spine; the deck's title without it."),
    "size": _ROOM_KEY,
    "sleeve": Key.word("The name on the packet of the cards' sleeves.", "the name of a sleeve"),
    "card": Key.number(0.05, 20, "How thick a card is.", CARD_MM),
    "play": Key.number(0, 20, "Room on each side of the cards.", PLAY_MM),
    "board": Key.number(0.1, 5, "How thick the box's own board is.", BOARD_MM),
    "lid": Key.number(3, _MAX_ROOM_MM, "How high the lid is.", 0.0),
    "picture": Key.file_name(json_schema.PICTURE, "On the faces, in place of the deck's back."),
    "colour": Key.word("A colour of the game, or '#rrggbb'.", schema=json_schema.COLOUR),
    "font": Key.word("The family of the title.", "a font of the game", schema=json_schema.FONT),
    "template": Key.file_name(json_schema.TEMPLATE, "HTML of the faces, in templates/."),
    "styles": Key.sequence(json_schema.STYLE, "CSS files in templates/."),
    "by": Key.word("A field: its values get dividers.", schema=json_schema.STRING),
    "tabs": Key.choice(("top", "side"), "The side at which dividers stick out.", "top"),
    "base": Key.choice(("printed", "white"), "The base's walls, which a lid may hide.", "printed"),
    "thumb": Key.flag("A hole for the thumb.", True),
    "items": Key.sequence(
        build_schema(_ITEM_KEYS), "What else lies in the box of the game.",
        "a list of things, each with - title: … and size: …",
    ),
}  # fmt: skip
BOXES_SCHEMA = json_schema.allow_named_values(build_schema(_BOX_KEYS))


def read_boxes(node: Node | None, root: Path, game: Game, checker: Checker) -> tuple[BoxSpec, ...]:
    """Return the boxes under `boxes:`. Problems go to the checker."""
    found = []
    for name, child in [*node.items()][:_MAX_BOXES] if node else ():
        if wrong := check_id(name):
            checker.report(node.keys[name] if node else child.source, wrong, "fields")
        elif not child.is_mapping and child.value is not None:
            message = f"the box {name} is {child.describe()}; expected {{form: tuck}}"
            checker.report(child.source, message, "type")
        else:
            found.append(_BoxReader(name, child, root, game, checker).read_box())
    if node and len(node.value) > _MAX_BOXES:
        message = f"the game has {len(node.value)} boxes; {_MAX_BOXES} are allowed"
        checker.report(node.source, message, "bounds")
    return tuple(found)


@dataclass
class _BoxReader:
    name: str
    node: Node
    root: Path
    game: Game
    checker: Checker

    def read_box(self) -> BoxSpec:
        given = read_keys(self.node, _BOX_KEYS, f"the box {self.name}", self.checker.report)
        decks = self._read_decks(given["decks"])
        spec = BoxSpec(
            self.name, self.node.source, self._read_title(given["title"], given["form"], decks),
            given["form"],
            tuple(deck.id for deck in decks), given["size"], self._read_sleeve(given["sleeve"]),
            given["card"], given["play"], given["board"], given["lid"],
            self._read_picture(given["picture"]), self._read_colour(given["colour"]),
            given["font"], given["template"], tuple(each.text for each in given["styles"]),
            given["by"], given["tabs"], given["thumb"],
            tuple(self._read_items(given["items"])), given["base"],
        )  # fmt: skip
        self._check(spec, decks)
        return spec

    def _report_key(self, key: str, message: str, kind: str) -> None:
        node = self.node.get(key) or self.node
        self.checker.report(node.source, f"the box {self.name}: {message}", kind)

    def _read_decks(self, nodes: Iterable[Node] | None) -> list[Deck]:
        if nodes is None:
            own = self.game.get_deck(self.name)
            return [own] if own else []
        found = []
        for node in nodes:
            deck = self.game.get_deck(node.text)
            if deck:
                found.append(deck)
            else:
                hint = did_you_mean(node.text, [each.id for each in self.game.decks])
                self._report_key("decks", f"the game has no deck '{node.text}'{hint}", "reference")
        return found

    def _read_title(self, node: Node | None, form: str, decks: Sequence[Deck]) -> Text:
        if node is not None:
            return self.checker.read_text(node, f"the title of the box {self.name}")
        if decks or form == OUTER:
            return join_titles(decks, self.game) if decks else self.game.title
        return Text(name_in_words(self.name, self.game), self.node.source)

    def _read_sleeve(self, name: str) -> Sleeve | None:
        known = load_sleeves()
        if name and name.lower() not in known:
            hint = did_you_mean(name, [each.name for each in known.values()])
            if "did you mean" not in hint:
                hint = "; 'cardgen list' names sleeves that fit. For others give size: or card:"
            self._report_key("sleeve", f"cardgen knows no sleeve '{name}'{hint}", "fields")
        return known.get(name.lower())

    def _read_picture(self, name: str) -> str:
        """Return the path of a picture, which may leave out `art/`."""
        for path in (f"{_ART_FOLDER}/{name}", name) if name else ():
            if game_files.has_entry(self.root, path):
                return path
        if name:
            files = game_files.list_files(self.root, _ART_FOLDER)
            hint = did_you_mean(name, [file.removeprefix(f"{_ART_FOLDER}/") for file in files])
            self._report_key("picture", f"there is no picture '{name}' in art/{hint}", "art")
        return ""

    def _read_colour(self, name: str) -> str:
        colours = self.game.colours
        found = (
            colours.get(name) or colour_math.parse_hex(name) or colour_math.find_css_colour(name)
        )
        if name and not found:
            hint = did_you_mean(name, colours)
            if "did you mean" not in hint:
                hint = f"{hint}; or write it as '#rrggbb', such as '#1f5a96'"
            self._report_key("colour", f"no colour '{name}'{hint}", "fields")
        return found

    def _read_items(self, nodes: Iterable[Node]) -> Iterator[BoxItem]:
        for node in nodes:
            given = read_keys(node, _ITEM_KEYS, "an item", self.checker.report)
            if node.get("title") is None or node.get("size") is None:
                message = "an item needs a title and a size, such as size: 148 x 210 x 3"
                self.checker.report(node.source, message, "fields")
            elif given["size"] is not None:
                title = self.checker.read_text(given["title"], "the title of an item")
                yield BoxItem(title, given["size"])

    def _check(self, spec: BoxSpec, decks: Sequence[Deck]) -> None:
        """Report a box without contents, cards too large for it or its sleeves, unknown fields."""
        needs_cards = spec.form in {DIVIDERS, PRISM} or self.node.get("size") is None
        if not decks:
            if needs_cards and spec.form != OUTER and self.node.get("decks") is None:
                ids = [deck.id for deck in self.game.decks]
                names = f"the decks it is for, such as decks: [{', '.join(ids[:1])}]"
                room = "the room inside, such as size: 60 x 40 x 20"
                hint = did_you_mean(self.name, ids)
                wanted = room if spec.form in {TRAY, STAND} else f"{names}, or {room}"
                wanted = names if spec.form in {DIVIDERS, PRISM} else wanted
                if "did you mean" in hint:
                    wanted = f"no deck has its name{hint} Or give it {wanted}"
                else:
                    wanted = f"give it {wanted}"
                self._report_key("form", wanted, "fields")
            return
        for deck in decks:
            if spec.sleeve and not spec.sleeve.fits(deck.size):
                best = find_sleeves(deck.size)
                hint = f"; {best[0].name} fits" if best else "; leave sleeve out"
                message = f"{spec.sleeve.name} sleeves take {spec.sleeve.card}, and the cards of "
                self._report_key("sleeve", f"{message}{deck.id} are {deck.size}{hint}", "size")
            if spec.by and spec.by not in deck.fields:
                hint = did_you_mean(spec.by, deck.fields)
                self._report_key("by", f"{deck.id} has no field '{spec.by}'{hint}", "reference")
        if spec.form in {TUCK, LOCK, TELESCOPE}:
            self._check_room(spec, decks)

    def _check_room(self, spec: BoxSpec, decks: Sequence[Deck]) -> None:
        needed = measure_stack(spec, decks)
        if max(needed) > _MAX_ROOM_MM:
            message = f"its cards are a stack of {max(needed):.4g} mm; make several boxes"
            self._report_key("decks", message, "size")
        room = sorted(spec.size or needed)
        if any(a > b + 1e-6 for a, b in zip(sorted(needed), room, strict=True)):
            count = sum(deck.count for deck in decks)
            sides = " x ".join(f"{side:.4g}" for side in needed)
            message = f"its {count} cards do not fit; they need size: {sides}, or leave it out"
            self._report_key("size", message, "size")


def join_titles(decks: Sequence[Deck], game: Game) -> Text:
    """Return the titles of decks as one text."""
    texts = {
        language: ", ".join(deck.title.get_plain_text(language) for deck in decks)
        for language in game.languages
    }
    return Text(texts, decks[0].title.source)


def name_in_words(name: str, game: Game) -> Mapping[str, str]:
    """Return the game's word of a name in every language; without one, or where it has plural
    forms, the name as a word."""
    word = game.words.get(name)
    return (
        word
        if isinstance(word, Text)
        else dict.fromkeys(game.languages, name.replace("-", " ").capitalize())
    )


def measure_stack(spec: BoxSpec, decks: Sequence[Deck]) -> tuple[float, float, float]:
    """Return the room that the cards of decks need in one stack, upright, with play."""
    sizes = [(spec.sleeve.size if spec.sleeve else deck.size) for deck in decks]
    card = spec.card + (2 * spec.sleeve.film if spec.sleeve else 0)
    width = max(min(size.width, size.height) for size in sizes)
    height = max(max(size.width, size.height) for size in sizes)
    thick = sum(deck.count for deck in decks) * card
    play = 2 * spec.play
    return width + play, height + play, round(thick + play, 6)


def is_card_deck(deck: Deck) -> bool:
    """Return whether a deck's pieces are cards: rectangles that are held in a hand."""
    sides = deck.size.width, deck.size.height
    fits = min(sides) >= _MIN_CARD_MM and max(sides) <= _MAX_CARD_MM
    return fits and deck.shape == "rectangle" and deck.count > 1


def list_boxes(game: Game) -> tuple[BoxSpec, ...]:
    """Return the boxes that game.yaml describes, or a tuck box for every deck of cards and the
    box of the game around them."""
    decks = {deck.id for deck in game.decks}
    if game.boxes:
        return tuple(spec for spec in game.boxes if decks.issuperset(spec.decks))
    boxed = [deck for deck in game.decks if is_card_deck(deck)]
    found = [BoxSpec(d.id, d.source, d.title, decks=(d.id,)) for d in boxed]
    if not found:
        return ()
    name = next(n for n in ("box", "outer-box", "box-of-the-game") if n not in decks)
    outer = BoxSpec(name, Source("game.yaml"), game.title, OUTER)
    return (*found, outer)


def list_sleeve_needs(game: Game) -> list[SleeveNeed]:
    """Return how many cards of each size there are, and the sleeves that fit them."""
    counts: dict[Size, int] = {}
    for deck in game.decks:
        if is_card_deck(deck):
            size = deck.size if deck.size.width <= deck.size.height else deck.size.rotate()
            counts[size] = counts.get(size, 0) + deck.count
    needs = (SleeveNeed(size, count, find_sleeves(size)) for size, count in counts.items())
    return [need for need in needs if need.sleeves]
