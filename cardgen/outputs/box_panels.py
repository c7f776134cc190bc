"""Faces of boxes: HTML rendered and typeset like that of cards, one deck for each panel's size."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from cardgen.core import colour_math
from cardgen.core.problems import Problem, Subject, has_errors
from cardgen.core.units import NO_GAP, Size
from cardgen.faces.model import Face, FaceSet, get_face_pdf
from cardgen.faces.rendering import render_faces
from cardgen.faces.typesetting import typeset_faces
from cardgen.game.box_specs import PRISM, BoxSpec
from cardgen.game.game_folder import TEMPLATES_FOLDER
from cardgen.game.look_templates import LOOK_PREFIX
from cardgen.game.model import Deck, FontFamily, Game, Piece, Text, Value
from cardgen.looks import look_catalogue
from cardgen.outputs import face_measurement, neighbour_colours
from cardgen.outputs.box_nets import BoxNet, GameBoxes
from cardgen.outputs.contract import Job
from cardgen.sheets.net_sheets import NET_BLEED_MM, NetPiece, join_surface
from cardgen.sheets.nets import BARE, Net, Panel
from cardgen.words.languages import get_word

GROUND = "ground"
"""What the colour of a box is called as a face."""
_DIVIDER, _BACK_OF_DIVIDER = "divider", "divider-back"
_TEMPLATE, _STYLE, _VARIABLES = (
    f"{LOOK_PREFIX}boxes/{name}" for name in ("box.html", "box.css", "colours.css")
)
_PANEL_NAMES: Mapping[str, str] = {
    "lid-wall": "long wall of the lid", "lid-end": "short wall of the lid",
    "base-wall": "long wall of the base", "base-end": "short wall of the base",
    _DIVIDER: "front", _BACK_OF_DIVIDER: "back", "card": "contents card",
}  # fmt: skip
"""Panels as messages name them, where that is not what templates call them."""
_GROUND_MM = Size(40, 40)
_SAFE_MM = 0.6
_BACK_PANELS, _FRONT_PANELS = frozenset({"front", "back"}), frozenset({"slope", "rear"})
"""Panels that show the back of a deck, and those of a ruler that show its front."""
_DARK, _PALE = "#1d1b19", "#ffffff"
_MIN_WHITE_CONTRAST = 3.6
"""White text needs as much contrast; on lighter colours it is dark."""
_FALLBACK_COLOUR = "#6b6660"
_TITLES, _BOLD = ".box-title, .box-head, .box-count", 700
_KEPT = "faces of boxes"
_TITLE_FONT = re.compile(r"--font-title: ([^;]+)")


@dataclass(frozen=True)
class PanelDeck:
    """A face of a net as a deck of one card, by the net and the panel's art."""

    net: str
    art: str
    deck: Deck

    @property
    def label(self) -> str:
        """The panel in the words of a message."""
        box, _, net = self.net.partition(" ")
        divider = f" of {net}" if self.art in {_DIVIDER, _BACK_OF_DIVIDER} else ""
        return f"the {_PANEL_NAMES.get(self.art, self.art)}{divider} of the box {box}"


@dataclass(frozen=True)
class BoxFaces:
    """The faces of all nets of a game's boxes, rendered, and how they are drawn."""

    job: Job
    panels: tuple[PanelDeck, ...]
    faces: FaceSet

    def make_piece(self, box: BoxNet, language: str) -> NetPiece:
        """Return a net with its faces in a language."""
        found = {}
        for panel in self.panels:
            if panel.net == name_net(box):
                for face in self.faces.find_faces(panel.deck, language, "front"):
                    found[panel.art] = get_face_pdf(face, self.job.store)
        for art in {panel.art for panel in box.net.panels} - found.keys():
            side = _choose_card_side(self.job, box, art)
            card = box.piece.id if box.piece else ""
            if side and (own := _find_face(self.job, box.decks[0], language, side, card)):
                found[art] = get_face_pdf(own, self.job.store)
        ground = found.pop(GROUND, None)
        back = found.pop(_BACK_OF_DIVIDER, None)
        return NetPiece(box.net, found, {_DIVIDER: back} if back else {}, ground)


def name_net(box: BoxNet) -> str:
    """Return the name of a net among all nets of a game."""
    return f"{box.spec.id} {box.net.name}"


def prepare_faces(job: Job, boxes: GameBoxes) -> list[Problem]:
    """Measure the edges of the backs from which boxes take their colours, then typeset the faces
    that the store lacks."""
    backs = [*_list_backs(job, boxes)]
    face_measurement.measure_batch(job, neighbour_colours.SIDES_MEASURE, backs, len(backs))
    found = render_box_faces(job, boxes)
    problems = [*found.faces.problems]
    if not has_errors(problems):
        typeset_faces(job.game, found.faces, job.store, partial(job.progress, "boxes"))
        problems = found.faces.problems
    return [*_relocate_problems(problems, found.panels)]


def render_box_faces(job: Job, boxes: GameBoxes) -> BoxFaces:
    """Return the faces, whose HTML is rendered once for a job. Nothing is typeset."""
    found: BoxFaces | None = job.kept.get(_KEPT)
    if found is None:
        found = job.kept[_KEPT] = _render_faces(job, boxes)
    return found


def _render_faces(job: Job, boxes: GameBoxes) -> BoxFaces:
    panels = tuple(_list_panel_decks(job, boxes))
    decks = [panel.deck for panel in panels]
    game = replace(job.game, decks=(*job.game.decks, *decks))
    faces = render_faces(game, job.faces.fonts, decks, job.languages, job.store)
    return BoxFaces(job, panels, faces)


def _relocate_problems(
    problems: Iterable[Problem], panels: Iterable[PanelDeck]
) -> Iterator[Problem]:
    """Yield the problems of the boxes' own faces; those in built-in templates at their box."""
    known = {panel.deck.id: panel for panel in panels}
    for problem in problems:
        if panel := known.get(problem.subject.deck):
            subject = Subject(panel.label, language=problem.subject.language)
            is_own = problem.source.path.startswith(f"{TEMPLATES_FOLDER}/{LOOK_PREFIX}")
            source = panel.deck.source if is_own else problem.source
            yield replace(problem, source=source, subject=subject)


def select_shown_faces(job: Job, boxes: GameBoxes) -> list[Face]:
    """Return the faces of cards that boxes show: backs, and the fronts on rulers."""
    backs = [net.decks[0].id for nets in boxes.nets.values() for net in nets if net.decks]
    fronts = {
        deck for nets in boxes.nets.values() for net in nets if net.spec.form == PRISM
        for deck in net.spec.decks
    }  # fmt: skip
    return [
        face
        for face in job.faces.faces
        if job.includes_face(face) and face.deck.id in (fronts if face.side == "front" else backs)
    ]


def _list_backs(job: Job, boxes: GameBoxes) -> Iterator[Face]:
    """Yield the back of the first deck of each box, each once."""
    seen = set()
    for deck in (net.decks[0] for nets in boxes.nets.values() for net in nets if net.decks):
        back = _find_face(job, deck, job.languages[0], "back")
        if back and back.key not in seen:
            seen.add(back.key)
            yield back


def _find_face(job: Job, deck: Deck, language: str, side: str, card: str = "") -> Face | None:
    faces = job.faces.find_faces(deck, language, side)
    return next((face for face in faces if not card or face.piece.id == card), None)


def _list_panel_decks(job: Job, boxes: GameBoxes) -> Iterator[PanelDeck]:
    """Yield the faces that are rendered from HTML, as decks."""
    backs = [*_list_backs(job, boxes)]
    sides = face_measurement.load_figures(job, neighbour_colours.SIDES_MEASURE, backs)
    colours = {back.key: sides[back.key][1] for back in backs if back.key in sides}
    first = next(iter(colours.values()), _FALLBACK_COLOUR)
    for box in (net for nets in boxes.nets.values() for net in nets):
        back = _find_face(job, box.decks[0], job.languages[0], "back") if box.decks else None
        colour = box.spec.colour or (colours.get(back.key) if back else None) or first
        yield PanelDeck(
            name_net(box), GROUND, _make_deck(box, GROUND, _GROUND_MM, job.game, colour)
        )
        for art, size in _measure_panels(box.net).items():
            if not _choose_card_side(job, box, art):
                deck = _make_deck(box, art, size, job.game, colour)
                yield PanelDeck(name_net(box), art, deck)


def _measure_panels(net: Net) -> dict[str, Size]:
    """Return the size of each face of a net as it is read."""
    found: dict[str, Size] = {}
    for panel in net.panels:
        if panel.art not in {"", BARE, *found}:
            box = join_surface(net, panel)
            size = Size(box.width, box.height)
            found[panel.art] = size.rotate() if panel.turn % 180 else size
    if _DIVIDER in found:
        found[_BACK_OF_DIVIDER] = found[_DIVIDER]
    return found


def _choose_card_side(job: Job, box: BoxNet, art: str) -> str:
    """Return the side of a card that a panel shows; "" for HTML of its own."""
    if box.spec.form == PRISM and art in _FRONT_PANELS:
        return "front"
    has_own = box.spec.picture or box.spec.template or art not in _BACK_PANELS
    # The back of one of several decks would say what only that one is.
    own = has_own or len(box.decks) != 1
    return "back" if not own and _find_face(job, box.decks[0], job.languages[0], "back") else ""


def _make_deck(box: BoxNet, art: str, size: Size, game: Game, colour: str) -> Deck:
    """Return a deck of one card whose front is a face of a box."""
    spec = box.spec
    id_ = f"box {spec.id} {box.net.name} {art}"
    tab = next((panel for panel in box.net.panels if panel.name == "tab"), None)
    values: dict[str, Value] = {
        "panel": art, "title": _make_text(box.title, game, spec), "count": box.count,
        "box": spec.id, "form": spec.form, "picture": spec.picture, "colour": colour,
        "notch": max((panel.notch for panel in box.net.panels if panel.art == art), default=0),
        "tab": (_measure_tab(tab, size, art == _BACK_OF_DIVIDER), tab.length) if tab else (),
        "lines": tuple(_make_text(line, game, spec) for line in box.lines),
        "facts": tuple(game.facts.values()),
        "contents": Text({e: get_word("boxes.contents", e) for e in game.languages}, spec.source),
    }  # fmt: skip
    plain = art == GROUND or not spec.template
    return Deck(
        id=id_, title=_make_text(box.title, game, spec), size=size, bleed=NET_BLEED_MM,
        safe=_SAFE_MM, corner=0, shape="rectangle", gap=NO_GAP,
        front=_TEMPLATE if plain else spec.template, back="",
        styles=(_STYLE, _VARIABLES, *spec.styles), constants={}, fields={},
        pieces=(Piece(art, id_, values, 1, 1, spec.source),), source=spec.source,
        look_templates={
            _TEMPLATE: look_catalogue.read_shared_file("box.html"),
            _STYLE: look_catalogue.read_shared_file("box.css"),
            _VARIABLES: _write_variables(box, colour, game),
        },
    )  # fmt: skip


def _measure_tab(tab: Panel, size: Size, is_back: bool) -> float:
    """Return where a divider's tab begins, seen from its own side."""
    return size.width - tab.offset - tab.length if is_back else tab.offset


def _make_text(texts: Mapping[str, str], game: Game, spec: BoxSpec) -> Text:
    return Text({each: texts[each] for each in game.languages}, spec.source)


def _write_variables(box: BoxNet, colour: str, game: Game) -> str:
    """Return the CSS of a box's colours, and of its title's font: its own, or the look's."""
    light = colour_math.get_contrast(colour_math.split_hex(colour)) < _MIN_WHITE_CONTRAST
    css = f".trim {{ --box: {colour}; --on-box: {_DARK if light else _PALE} }}\n"
    looks = " ".join(box.decks[0].look_templates.values()) if box.decks else ""
    own = _TITLE_FONT.search(looks)
    families = {family.name: family for family in game.fonts.families}
    family = families.get(box.spec.font) or next(iter(families.values()), None)
    if own and not box.spec.font:
        font = f"{own[1]}; font-weight: var(--box-weight, 400)"
    elif family:
        font = f'"{family.name}"; font-weight: {_choose_weight(family)}'
    return f"{css}{_TITLES} {{ font-family: {font} }}\n" if own or family else css


def _choose_weight(family: FontFamily) -> int:
    """Return the weight of a family that is nearest to bold."""
    weights = [weight for weight, style in family.files if style == "normal"]
    return min(weights or [400], key=lambda weight: (abs(weight - _BOLD), weight))
