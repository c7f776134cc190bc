"""Figures: the game's own faces laid side by side or on a scene, read from YAML.

Lengths within a figure are those of the true pieces, in mm, x to the right and y down.
`drawing` turns a figure into HTML at the scale that fits the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import cos, radians, sin
from typing import Any

from cardgen.base.problems import did_you_mean
from cardgen.base.units import is_number
from cardgen.base.yamlnodes import Node
from cardgen.book.model import FaceId
from cardgen.game.face_facts import NOTHING, Known, NamedPlace, no_place
from cardgen.game.model import Deck, Game, Piece

GAP_MM = 6.0
MAX_ITEMS = 300
_KEYS = ("name", "caption", "width", "row", "rows", "scene", "gap", "label", "align", "scaled")
_LYING = ("on", "place")
_CARD_KEYS = ("card", "side", "turn", "label", "with", "scale", "at", "player", "name", *_LYING)
_ITEM_KEYS = {
    "card": _CARD_KEYS,
    "text": ("text", "at", "size", "colour", *_LYING),
    "arrow": ("arrow", "colour", *_LYING),
    "box": ("box", "colour", *_LYING),
    "circle": ("circle", "colour", *_LYING),
}
Tell = Callable[[Node, str], None]


@dataclass(frozen=True)
class Shown:
    """A face in a figure, by its centre."""

    face: FaceId
    width: float
    height: float
    alt: str
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    label: str = ""
    upon: tuple[Shown, ...] = ()
    scale: float = 1.0
    lies: bool = False
    """Whether it lies on another card of the figure."""

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the card is, which is given in mm from its top left corner as shown."""
        across, down = x - self.width / 2, y - self.height / 2
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        return self.x + across * c - down * s, self.y + across * s + down * c

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of the turned card's bounding box."""
        angle = radians(self.turn)
        c, s = abs(cos(angle)), abs(sin(angle))
        return self.width * c + self.height * s, self.width * s + self.height * c


@dataclass(frozen=True)
class Mark:
    """Words, an arrow, a box or a circle on a scene; `figures` as written: x, y and so on."""

    kind: str
    figures: tuple[float, ...]
    text: str = ""
    size: float = 8.0
    colour: str = ""


@dataclass(frozen=True)
class Row:
    """Cards side by side, or a scene of things in their places."""

    cards: tuple[Shown, ...] = ()
    marks: tuple[Mark, ...] = ()
    gap: float = GAP_MM
    label: str = ""
    scene: bool = False


@dataclass(frozen=True)
class Figure:
    """A figure as written. `width` is asked for in mm on the page, 0 for as wide as fits."""

    name: str = ""
    caption: str = ""
    width: float = 0.0
    rows: tuple[Row, ...] = ()
    alt: str = ""
    scaled: bool | None = None
    """Whether it says that it is not to true size; None where that is for the drawing to see."""


@dataclass
class Reader:
    """Reads the figures of one book; `tell` is called with what is wrong and where. `known` tells
    where the places of faces are."""

    game: Game
    language: str
    tell: Tell
    left: int = field(default=3000)
    known: Known = NOTHING
    named: dict[str, Shown] = field(default_factory=dict)
    """The cards of the scene that is read which others may lie on."""

    def figure(self, node: Node) -> Figure | None:
        """A figure block, or None when nothing of it can be shown."""
        if not node.is_mapping:
            self.tell(node, f"a figure is {node.describe()}; it begins with row: or scene:")
            return None
        self._known(node, _KEYS, "a figure")
        given = [key for key in ("row", "rows", "scene") if key in node.value]
        if len(given) != 1:
            self.tell(node, "a figure needs one of row:, rows: and scene:")
            return None
        rows = self._rows(node, given[0])
        if not any(row.cards or row.marks for row in rows):
            return None
        return Figure(
            name=self._text(node, "name"),
            caption=self._text(node, "caption"),
            width=self._number(node, "width", 0.0, 10, 1000),
            rows=rows,
            scaled=self._flag(node, "scaled"),
        )

    def card(self, written: str, node: Node) -> Figure | None:
        """One face by its address, `deck/card` or `deck/card/back`."""
        shown = self._face(written, node)
        return Figure(rows=(Row((shown,)),)) if shown else None

    def _rows(self, node: Node, kind: str) -> tuple[Row, ...]:
        gap = self._number(node, "gap", GAP_MM, -200, 500)
        body = node.value[kind]
        if kind != "rows":
            return (self._row(body, gap, kind == "scene", self._text(node, "label")),)
        if not body.is_list:
            self.tell(body, f"rows is {body.describe()}; a list of rows is asked for")
        rows = []
        for child in body.nodes():
            inner = child.get("row") or child.get("scene")
            if child.is_mapping and inner is not None:
                self._known(child, ("row", "scene", "label", "gap"), "a row")
                own = self._number(child, "gap", gap, -200, 500)
                scene = child.get("row") is None
                rows.append(self._row(inner, own, scene, self._text(child, "label")))
            else:
                rows.append(self._row(child, gap, False, ""))
        return tuple(rows)

    def _row(self, node: Node, gap: float, scene: bool, label: str) -> Row:
        if not node.is_list:
            what = "scene" if scene else "row"
            self.tell(node, f"{what} is {node.describe()}; a list is asked for")
            return Row(gap=gap, label=label, scene=scene)
        if len(node.nodes()) > MAX_ITEMS:
            self.tell(node, f"a figure shows {MAX_ITEMS} things at most")
            return Row(gap=gap, label=label, scene=scene)
        cards: list[Shown] = []
        marks: list[Mark] = []
        self.named = {}
        for child in node.nodes():
            found = self._item(child, scene)
            if isinstance(found, Shown):
                cards.append(found)
            elif found is not None:
                marks.append(found)
        return Row(tuple(cards), tuple(marks), gap, label, scene)

    def _item(self, node: Node, scene: bool) -> Shown | Mark | None:
        if node.is_scalar:
            return self._shown(node.text, node, None)
        kinds = [kind for kind in _ITEM_KEYS if node.get(kind) is not None]
        if len(kinds) != 1:
            one_of = "card:, text:, arrow:, box: or circle:" if scene else "deck/card or card:"
            self.tell(node, f"{node.describe()} is nothing to show; it is {one_of}")
            return None
        kind = kinds[0]
        self._known(node, _ITEM_KEYS[kind], "it")
        if not scene and node.get("on") is not None:
            self.tell(
                node.value["on"], "on: is for things of a scene:; a card has with: of its own"
            )
        if kind == "card":
            return self._shown(node.value["card"].text, node, node)
        if not scene:
            self.tell(node, f"{kind}: stands in a scene: only")
            return None
        return self._mark(kind, node)

    def _mark(self, kind: str, node: Node) -> Mark | None:
        where = node.value["at"] if kind == "text" and "at" in node.value else node.value[kind]
        asked = {"text": 2, "arrow": 4, "box": 4, "circle": 3}[kind]
        figures = _numbers(where.plain())
        if len(figures) != asked:
            example = {
                "text": "at: [x, y]", "arrow": "arrow: [[x1, y1], [x2, y2]]",
                "box": "box: [x, y, width, height]", "circle": "circle: [x, y, radius]",
            }[kind]  # fmt: skip
            self.tell(where, f"a figure's {kind} is placed by {example}, in mm")
            return None
        text = node.value["text"].text if kind == "text" else ""
        size = self._number(node, "size", 8.0, 4, 72)
        under = self._under(node)
        if under is not None:
            figures = self._marked(kind, figures, node, under)
        return Mark(kind, figures, text, size, self._colour(node))

    def _marked(
        self, kind: str, figures: tuple[float, ...], node: Node, under: Shown
    ) -> tuple[float, ...]:
        """A mark that is written from a place's middle, or from the corner of the card it is on."""
        place = node.get("place")
        found = self._place(place, under) if place is not None else None
        left, top = found.middle if found else (0.0, 0.0)

        def point(x: float, y: float) -> tuple[float, float]:
            return under.point((left + x) * under.scale, (top + y) * under.scale)

        first, rest = point(figures[0], figures[1]), figures[2:]
        if kind == "arrow":
            return (*first, *point(rest[0], rest[1]))
        if kind == "box":
            other = point(figures[0] + rest[0], figures[1] + rest[1])
            (x1, x2), (y1, y2) = (sorted(pair) for pair in zip(first, other, strict=True))
            return (x1, y1, x2 - x1, y2 - y1)
        return (*first, *(size * under.scale for size in rest))

    def _colour(self, node: Node) -> str:
        child = node.get("colour")
        if child is None:
            return ""
        if child.text in self.game.colours:
            return self.game.colours[child.text]
        player = next((p for p in self.game.players if p.id == child.text), None)
        if player is None:
            hint = did_you_mean(
                child.text, [*self.game.colours, *(p.id for p in self.game.players)]
            )
            self.tell(child, f"no colour '{child.text}' in game.yaml{hint}")
        return player.colour if player else ""

    def _shown(
        self, written: str, node: Node, options: Node | None, under: Shown | None = None
    ) -> Shown | None:
        side = options.get("side") if options else None
        if side is not None and side.value not in ("front", "back"):
            self.tell(side, f"side is {side.describe()}; it is front or back")
            side = None
        shown = self._face(f"{written}/{side.value}" if side else written, node)
        if shown is None or options is None:
            return shown
        card = self._laid(shown, options, under or self._under(options))
        name = self._text(options, "name")
        if name in self.named:
            self.tell(options.value["name"], f"'{name}' is the name of two things of this scene")
        elif name:
            self.named[name] = card
        return card

    def _laid(self, shown: Shown, node: Node, under: Shown | None) -> Shown:
        """A face as its keys lay it: on a card that it turns and shrinks with, or by itself."""
        turn = self._number(node, "turn", 0.0, -3600, 3600)
        scale = self._number(node, "scale", 1.0, 0.02, 20)
        scale *= under.scale if under else 1.0
        at = self._spot(node, under) if under else self._point(node)
        card = replace(
            shown, width=shown.width * scale, height=shown.height * scale, x=at[0], y=at[1],
            turn=turn + (under.turn if under else 0.0), label=self._text(node, "label"),
            scale=scale, lies=under is not None,
        )  # fmt: skip
        return replace(card, upon=self._upon(node, card))

    def _upon(self, node: Node, card: Shown) -> tuple[Shown, ...]:
        """What `with` lays on a card, each by its place in it."""
        given = node.get("with")
        if given is not None and not given.is_list:
            self.tell(given, f"with is {given.describe()}; a list of cards is asked for")
        flat = replace(card, x=card.width / 2, y=card.height / 2, turn=0.0)
        found = []
        for child in given.nodes() if given else []:
            placed = child.get("place") is not None and child.get("card") is not None
            item = self._shown(child.value["card"].text, child, child, flat) if placed else (
                self._item(child, False))  # fmt: skip
            found += [item] if isinstance(item, Shown) else []
        return tuple(found)

    def _under(self, node: Node) -> Shown | None:
        """The card of the scene that something lies on, by its name."""
        on = node.get("on")
        if on is None:
            place = node.get("place")
            if place is not None:
                self.tell(place, "place: goes with on:, the name of a card of the scene before it")
            return None
        if on.text not in self.named:
            hint = did_you_mean(on.text, self.named) if self.named else (
                "; give the card that it lies on a name:, and let it stand before")  # fmt: skip
            self.tell(on, f"no card before it in this scene has the name '{on.text}'{hint}")
            return None
        return self.named[on.text]

    def _spot(self, node: Node, under: Shown) -> tuple[float, float]:
        """Where on a card something lies: at a place, or `at` mm from its top left corner; with
        both, so far from the place's middle."""
        written, shift = node.get("place"), self._point(node)
        middle = under.width / under.scale / 2, under.height / under.scale / 2
        if written is not None:
            found = self._place(written, under)
            middle = found.middle if found else middle
            x, y = middle[0] + shift[0], middle[1] + shift[1]
        else:
            x, y = shift if node.get("at") is not None else middle
        return under.point(x * under.scale, y * under.scale)

    def _place(self, written: Node, under: Shown) -> NamedPlace | None:
        face = under.face
        facts = self.known.facts(face.deck, face.piece, face.side, self.language)
        if facts is None:
            return None  # what is wrong with the face is told there
        if written.text not in facts.places:
            what = f"{face.deck}/{face.piece}"
            self.tell(written, no_place(written.text, what, facts.places))
        return facts.places.get(written.text)

    def _point(self, node: Node) -> tuple[float, float]:
        at = node.get("at")
        figures = _numbers(at.plain()) if at else (0.0, 0.0)
        if len(figures) != 2:
            assert at is not None  # else there are two
            self.tell(at, f"at is {at.describe()}; it is [x, y] in mm")
            return 0.0, 0.0
        return figures[0], figures[1]

    def _face(self, written: str, node: Node) -> Shown | None:
        self.left -= 1
        if self.left < 0:
            if self.left == -1:
                self.tell(node, "the book's figures show more than 3000 faces")
            return None
        deck_id, _, rest = written.removeprefix("card:").partition("/")
        name, _, side = rest.partition("/")
        deck = self.game.deck(deck_id)
        if deck is None:
            hint = did_you_mean(deck_id, [deck.id for deck in self.game.decks])
            self.tell(node, f"there is no deck '{deck_id}'{hint}")
            return None
        piece = next((piece for piece in deck.pieces if piece.id == name), None)
        if piece is None:
            hint = did_you_mean(name, [piece.id for piece in deck.pieces])
            self.tell(node, f"there is no card '{name}' in {deck_id}{hint}")
            return None
        if side not in ("", "front", "back") or (side == "back" and not deck.back):
            what = "no back" if side == "back" else f"no side '{side}'; it is front or back"
            self.tell(node, f"{deck_id} has {what}")
            return None
        return self._of(deck, piece, side or "front")

    def _of(self, deck: Deck, piece: Piece, side: str) -> Shown:
        name = piece.values.get("name")
        named = name[self.language] if isinstance(name, Mapping) else str(name or piece.id)
        alt = f"{deck.title.spoken(self.language)}: {named}"
        face = FaceId(deck.id, piece.id, side)
        return Shown(face, deck.size.width, deck.size.height, alt)

    def _known(self, node: Node, known: tuple[str, ...], what: str) -> None:
        for key, hint in node.unknown(known):
            self.tell(node.value[key], f"{what} takes no '{key}'{hint}")

    def _text(self, node: Node, key: str) -> str:
        child = node.get(key)
        if child is None or child.value is None:
            return ""
        if not child.is_scalar:
            self.tell(child, f"{key} is {child.describe()}; words are asked for")
            return ""
        return child.text

    def _flag(self, node: Node, key: str) -> bool | None:
        child = node.get(key)
        if child is not None and child.flag is None:
            self.tell(child, f"{key} is {child.describe()}; it is true or false")
        return child.flag if child else None

    def _number(self, node: Node, key: str, default: float, low: float, high: float) -> float:
        child = node.get(key)
        if child is None:
            return default
        found = child.number(low, high)
        if found is None:
            what = f"a number from {low:g} to {high:g} is asked for"
            self.tell(child, f"{key} is {child.describe()}; {what}")
        return default if found is None else found


def _numbers(value: Any) -> tuple[float, ...]:
    """The numbers of a list, or of a list of lists; nothing when anything else is among them."""
    flat: list[Any] = []
    for item in value if isinstance(value, list) else ():
        flat += item if isinstance(item, list) else [item]
    right = all(is_number(item) and abs(item) < 10_000 for item in flat)
    return tuple(float(item) for item in flat) if right else ()
