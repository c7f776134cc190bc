"""Figures read from YAML: faces of the game side by side or on a scene.

Lengths are those of the true pieces, in mm, x to the right and y down. `figure_drawing` turns a
figure into HTML at the scale that fits the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import cos, radians, sin
from typing import Any

from cardgen.book.model import FaceId
from cardgen.core.problems import did_you_mean
from cardgen.core.units import is_number
from cardgen.core.yaml_nodes import Node
from cardgen.game.face_facts import NO_FACE_FACTS, FaceFactsSource, NamedPlace, format_unknown_place
from cardgen.game.model import Deck, Game, Piece

DEFAULT_FIGURE_GAP_MM = 6.0
MAX_FIGURE_ITEMS = 300
_FIGURE_KEYS = (
    "name",
    "caption",
    "width",
    "row",
    "rows",
    "scene",
    "gap",
    "label",
    "align",
    "scaled",
)
_OVERLAY_KEYS = ("on", "place")
_CARD_KEYS = (
    "card",
    "side",
    "turn",
    "label",
    "with",
    "scale",
    "at",
    "player",
    "name",
    *_OVERLAY_KEYS,
)
_ITEM_KEYS = {
    "card": _CARD_KEYS,
    "text": ("text", "at", "size", "colour", *_OVERLAY_KEYS),
    "arrow": ("arrow", "colour", *_OVERLAY_KEYS),
    "box": ("box", "colour", *_OVERLAY_KEYS),
    "circle": ("circle", "colour", *_OVERLAY_KEYS),
}
ReportFigure = Callable[[Node, str], None]


@dataclass(frozen=True)
class ShownFace:
    """A face in a figure, by its centre."""

    face: FaceId
    width: float
    height: float
    alt: str
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0
    label: str = ""
    overlays: tuple[ShownFace, ...] = ()
    scale: float = 1.0
    is_overlay: bool = False
    """True if it lies on another card of the figure."""

    def transform_point(self, x: float, y: float) -> tuple[float, float]:
        """Transform a point in mm from the card's top left corner into the figure's coordinates."""
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
class SceneMark:
    """Text, an arrow, a box or a circle on a scene, with its coordinates as written."""

    kind: str
    coordinates_mm: tuple[float, ...]
    text: str = ""
    size: float = 8.0
    colour: str = ""


@dataclass(frozen=True)
class FigureRow:
    """Cards side by side, or a scene of cards and marks at positions."""

    cards: tuple[ShownFace, ...] = ()
    marks: tuple[SceneMark, ...] = ()
    gap: float = DEFAULT_FIGURE_GAP_MM
    label: str = ""
    is_scene: bool = False


@dataclass(frozen=True)
class Figure:
    """A figure as written. `width` is in mm on the page, 0 for as wide as fits."""

    name: str = ""
    caption: str = ""
    width: float = 0.0
    rows: tuple[FigureRow, ...] = ()
    alt: str = ""
    scaled: bool | None = None
    """True if the figure says that it is not true to size; None lets the drawing decide."""


@dataclass
class FigureReader:
    """Reads the figures of one book and reports their problems."""

    game: Game
    language: str
    report_problem: ReportFigure
    remaining_faces: int = field(default=3000)
    face_facts: FaceFactsSource = NO_FACE_FACTS
    named_cards: dict[str, ShownFace] = field(default_factory=dict)
    """Cards of the current scene by name, on which others may lie."""

    def read_figure(self, node: Node) -> Figure | None:
        """Read a figure block; return None if nothing of it can be shown."""
        if not node.is_mapping:
            self.report_problem(
                node, f"a figure is {node.describe()}; write row: or scene: with what it shows"
            )
            return None
        self._check_keys(node, _FIGURE_KEYS, "a figure")
        kinds = [key for key in ("row", "rows", "scene") if key in node.value]
        if len(kinds) != 1:
            self.report_problem(node, "a figure needs one of row:, rows: and scene:")
            return None
        rows = self._read_rows(node, kinds[0])
        if not any(row.cards or row.marks for row in rows):
            return None
        return Figure(
            name=self._read_text(node, "name"),
            caption=self._read_text(node, "caption"),
            width=self._read_number(node, "width", 0.0, 10, 1000),
            rows=rows,
            scaled=self._read_flag(node, "scaled"),
        )

    def read_face_figure(self, address: str, node: Node) -> Figure | None:
        """Read a figure of one face by its address, `deck/card` or `deck/card/back`."""
        face = self._find_face(address, node)
        return Figure(rows=(FigureRow((face,)),)) if face else None

    def _read_rows(self, node: Node, kind: str) -> tuple[FigureRow, ...]:
        gap = self._read_number(node, "gap", DEFAULT_FIGURE_GAP_MM, -200, 500)
        body = node.value[kind]
        if kind != "rows":
            return (self._read_row(body, gap, kind == "scene", self._read_text(node, "label")),)
        if not body.is_list:
            self.report_problem(body, f"rows is {body.describe()}; expected a list of rows")
        rows = []
        for child in body.list_nodes():
            inner = child.get("row") or child.get("scene")
            if child.is_mapping and inner is not None:
                self._check_keys(child, ("row", "scene", "label", "gap"), "a row")
                row_gap = self._read_number(child, "gap", gap, -200, 500)
                scene = child.get("row") is None
                rows.append(self._read_row(inner, row_gap, scene, self._read_text(child, "label")))
            else:
                rows.append(self._read_row(child, gap, False, ""))
        return tuple(rows)

    def _read_row(self, node: Node, gap: float, scene: bool, label: str) -> FigureRow:
        if not node.is_list:
            kind = "scene" if scene else "row"
            self.report_problem(node, f"{kind} is {node.describe()}; expected a list")
            return FigureRow(gap=gap, label=label, is_scene=scene)
        if len(node.list_nodes()) > MAX_FIGURE_ITEMS:
            self.report_problem(node, f"a figure shows {MAX_FIGURE_ITEMS} things at most")
            return FigureRow(gap=gap, label=label, is_scene=scene)
        cards: list[ShownFace] = []
        marks: list[SceneMark] = []
        self.named_cards = {}
        for child in node.list_nodes():
            item = self._read_item(child, scene)
            if isinstance(item, ShownFace):
                cards.append(item)
            elif item is not None:
                marks.append(item)
        return FigureRow(tuple(cards), tuple(marks), gap, label, scene)

    def _read_item(self, node: Node, scene: bool) -> ShownFace | SceneMark | None:
        if node.is_scalar:
            return self._read_card(node.text, node, None)
        kinds = [kind for kind in _ITEM_KEYS if node.get(kind) is not None]
        if len(kinds) != 1:
            one_of = "card:, text:, arrow:, box: or circle:" if scene else "deck/card or card:"
            self.report_problem(node, f"{node.describe()} cannot be shown; write {one_of}")
            return None
        kind = kinds[0]
        self._check_keys(node, _ITEM_KEYS[kind], "it")
        if not scene and node.get("on") is not None:
            self.report_problem(
                node.value["on"],
                "on: works only in a scene:; in a row, list what lies on a card under its with:",
            )
        if kind == "card":
            return self._read_card(node.value["card"].text, node, node)
        if not scene:
            self.report_problem(node, f"{kind} works only in a scene:")
            return None
        return self._read_mark(kind, node)

    def _read_mark(self, kind: str, node: Node) -> SceneMark | None:
        where = node.value["at"] if kind == "text" and "at" in node.value else node.value[kind]
        number_count = {"text": 2, "arrow": 4, "box": 4, "circle": 3}[kind]
        figures = _flatten_numbers(where.to_plain())
        if len(figures) != number_count:
            example = {
                "text": "at: [x, y]", "arrow": "arrow: [[x1, y1], [x2, y2]]",
                "box": "box: [x, y, width, height]", "circle": "circle: [x, y, radius]",
            }[kind]  # fmt: skip
            self.report_problem(
                where, f"a figure's {kind} needs its position in mm; write {example}"
            )
            return None
        text = node.value["text"].text if kind == "text" else ""
        size = self._read_number(node, "size", 8.0, 4, 72)
        under = self._find_card_below(node)
        if under is not None:
            figures = self._transform_mark(kind, figures, node, under)
        return SceneMark(kind, figures, text, size, self._read_colour(node))

    def _transform_mark(
        self, kind: str, figures: tuple[float, ...], node: Node, under: ShownFace
    ) -> tuple[float, ...]:
        """Transform a mark that is written from a place's middle or from the corner of its card."""
        place = node.get("place")
        named_place = self._find_place(place, under) if place is not None else None
        left, top = named_place.middle if named_place else (0.0, 0.0)

        def transform_point(x: float, y: float) -> tuple[float, float]:
            return under.transform_point((left + x) * under.scale, (top + y) * under.scale)

        first, rest = transform_point(figures[0], figures[1]), figures[2:]
        if kind == "arrow":
            return (*first, *transform_point(rest[0], rest[1]))
        if kind == "box":
            opposite = transform_point(figures[0] + rest[0], figures[1] + rest[1])
            (x1, x2), (y1, y2) = (sorted(pair) for pair in zip(first, opposite, strict=True))
            return (x1, y1, x2 - x1, y2 - y1)
        return (*first, *(size * under.scale for size in rest))

    def _read_colour(self, node: Node) -> str:
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
            self.report_problem(child, f"no colour '{child.text}' in game.yaml{hint}")
        return player.colour if player else ""

    def _read_card(
        self, address: str, node: Node, options: Node | None, under: ShownFace | None = None
    ) -> ShownFace | None:
        side = options.get("side") if options else None
        if side is not None and side.value not in ("front", "back"):
            self.report_problem(side, f"side is {side.describe()}; expected front or back")
            side = None
        face = self._find_face(f"{address}/{side.value}" if side else address, node)
        if face is None or options is None:
            return face
        card = self._place_card(face, options, under or self._find_card_below(options))
        name = self._read_text(options, "name")
        if name in self.named_cards:
            self.report_problem(
                options.value["name"],
                f"'{name}' is the name of two cards of this scene; rename one",
            )
        elif name:
            self.named_cards[name] = card
        return card

    def _place_card(self, face: ShownFace, node: Node, under: ShownFace | None) -> ShownFace:
        """Place a face by its keys: on a card that it turns and scales with, or by itself."""
        turn = self._read_number(node, "turn", 0.0, -3600, 3600)
        scale = self._read_number(node, "scale", 1.0, 0.02, 20)
        scale *= under.scale if under else 1.0
        position = self._locate_on_card(node, under) if under else self._read_point(node)
        card = replace(
            face, width=face.width * scale, height=face.height * scale,
            x=position[0], y=position[1],
            turn=turn + (under.turn if under else 0.0), label=self._read_text(node, "label"),
            scale=scale, is_overlay=under is not None,
        )  # fmt: skip
        return replace(card, overlays=self._read_overlays(node, card))

    def _read_overlays(self, node: Node, card: ShownFace) -> tuple[ShownFace, ...]:
        """Read the cards of `with:`, each at its place on the card."""
        overlay_list = node.get("with")
        if overlay_list is not None and not overlay_list.is_list:
            self.report_problem(
                overlay_list, f"with is {overlay_list.describe()}; expected a list of cards"
            )
        flat = replace(card, x=card.width / 2, y=card.height / 2, turn=0.0)
        overlays = []
        for child in overlay_list.list_nodes() if overlay_list else []:
            placed = child.get("place") is not None and child.get("card") is not None
            item = self._read_card(child.value["card"].text, child, child, flat) if placed else (
                self._read_item(child, False))  # fmt: skip
            overlays += [item] if isinstance(item, ShownFace) else []
        return tuple(overlays)

    def _find_card_below(self, node: Node) -> ShownFace | None:
        """Return the card of the scene that `on:` names."""
        on = node.get("on")
        if on is None:
            place = node.get("place")
            if place is not None:
                self.report_problem(
                    place, "place: needs on: with the name of an earlier card of the scene"
                )
            return None
        if on.text not in self.named_cards:
            hint = did_you_mean(on.text, self.named_cards) if self.named_cards else (
                "; give the card below a name: and write it first")  # fmt: skip
            self.report_problem(on, f"no earlier card of this scene is named '{on.text}'{hint}")
            return None
        return self.named_cards[on.text]

    def _locate_on_card(self, node: Node, under: ShownFace) -> tuple[float, float]:
        """Return where on a card something lies: at a place, or `at` mm from its top left corner;
        with both, that far from the place's middle."""
        place, shift = node.get("place"), self._read_point(node)
        middle = under.width / under.scale / 2, under.height / under.scale / 2
        if place is not None:
            named_place = self._find_place(place, under)
            middle = named_place.middle if named_place else middle
            x, y = middle[0] + shift[0], middle[1] + shift[1]
        else:
            x, y = shift if node.get("at") is not None else middle
        return under.transform_point(x * under.scale, y * under.scale)

    def _find_place(self, place: Node, under: ShownFace) -> NamedPlace | None:
        face = under.face
        facts = self.face_facts.get_facts(face.deck, face.piece, face.side, self.language)
        if facts is None:
            return None  # problems of a face are reported with the face
        if place.text not in facts.places:
            card_name = f"{face.deck}/{face.piece}"
            self.report_problem(place, format_unknown_place(place.text, card_name, facts.places))
        return facts.places.get(place.text)

    def _read_point(self, node: Node) -> tuple[float, float]:
        at = node.get("at")
        figures = _flatten_numbers(at.to_plain()) if at else (0.0, 0.0)
        if len(figures) != 2:
            assert at is not None  # without `at:` there are two
            self.report_problem(at, f"at is {at.describe()}; expected [x, y] in mm")
            return 0.0, 0.0
        return figures[0], figures[1]

    def _find_face(self, address: str, node: Node) -> ShownFace | None:
        self.remaining_faces -= 1
        if self.remaining_faces < 0:
            if self.remaining_faces == -1:
                self.report_problem(node, "the book's figures show more than 3000 faces")
            return None
        deck_id, _, rest = address.removeprefix("card:").partition("/")
        name, _, side = rest.partition("/")
        deck = self.game.get_deck(deck_id)
        if deck is None:
            hint = did_you_mean(deck_id, [deck.id for deck in self.game.decks])
            self.report_problem(node, f"there is no deck '{deck_id}'{hint}")
            return None
        piece = next((piece for piece in deck.pieces if name in (piece.id, piece.base_id)), None)
        if piece is None:
            hint = did_you_mean(name, [piece.id for piece in deck.pieces])
            self.report_problem(node, f"there is no card '{name}' in {deck_id}{hint}")
            return None
        if side not in ("", "front", "back") or (side == "back" and not deck.back):
            problem_text = (
                "no back" if side == "back" else f"no side '{side}'; expected front or back"
            )
            self.report_problem(node, f"{deck_id} has {problem_text}")
            return None
        return self._make_shown_face(deck, piece, side or "front")

    def _make_shown_face(self, deck: Deck, piece: Piece, side: str) -> ShownFace:
        name = piece.values.get("name")
        card_name = name[self.language] if isinstance(name, Mapping) else str(name or piece.id)
        alt = f"{deck.title.get_plain_text(self.language)}: {card_name}"
        face = FaceId(deck.id, piece.id, side)
        return ShownFace(face, deck.size.width, deck.size.height, alt)

    def _check_keys(self, node: Node, allowed: tuple[str, ...], subject: str) -> None:
        for key, hint in node.find_unknown_keys(allowed):
            self.report_problem(node.value[key], f"{subject} takes no '{key}'{hint}")

    def _read_text(self, node: Node, key: str) -> str:
        child = node.get(key)
        if child is None or child.value is None:
            return ""
        if not child.is_scalar:
            self.report_problem(child, f"{key} is {child.describe()}; expected text")
            return ""
        return child.text

    def _read_flag(self, node: Node, key: str) -> bool | None:
        child = node.get(key)
        if child is not None and child.boolean is None:
            self.report_problem(child, f"{key} is {child.describe()}; expected true or false")
        return child.boolean if child else None

    def _read_number(self, node: Node, key: str, default: float, low: float, high: float) -> float:
        child = node.get(key)
        if child is None:
            return default
        number = child.get_number(low, high)
        if number is None:
            expected = f"expected a number from {low:g} to {high:g}"
            self.report_problem(child, f"{key} is {child.describe()}; {expected}")
        return default if number is None else number


def _flatten_numbers(value: Any) -> tuple[float, ...]:
    """Return the numbers of a list, or of a list of lists; nothing if it holds anything else."""
    flat: list[Any] = []
    for item in value if isinstance(value, list) else ():
        flat += item if isinstance(item, list) else [item]
    is_valid = all(is_number(item) and abs(item) < 10_000 for item in flat)
    return tuple(float(item) for item in flat) if is_valid else ()
