"""Nets of a game's boxes: what each box is folded of, and what its faces tell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cardgen.core.units import Size
from cardgen.game.box_specs import (
    DIVIDERS,
    LOCK,
    OUTER,
    PRISM,
    STAND,
    TELESCOPE,
    TRAY,
    BoxSpec,
)
from cardgen.game.boxes import (
    is_card_deck,
    join_titles,
    list_boxes,
    measure_stack,
    name_in_words,
)
from cardgen.game.model import CardReference, Deck, Game, Piece, Text, Value
from cardgen.outputs.contract import Job
from cardgen.sheets import box_forms
from cardgen.sheets.box_forms import Room
from cardgen.sheets.box_plan import BoxPlan, lay_flat, plan_box
from cardgen.sheets.nets import BARE, Net
from cardgen.words.languages import get_word

_STAND_MM = (130.0, 45.0)
"""Usual width and height of a card holder."""
_LOW_LID_MM = 12.0
_MIN_TRAY_MM, _GRIP_MM = 8.0, 6.0
"""Least depth of a tray, and how much of it must show below its lid to be held."""
_TABS_IN_A_ROW = 3
_CONTENTS_MM, _LONG_CONTENTS_MM, _MAX_LINES = Size(63.5, 88.9), Size(105, 148), 13
"""Sizes of the contents card, and lines of the smaller one."""
_MIN_FLAT_MM, _MAX_FLAT_MM = 35.0, 300.0
"""Sides of pieces that lie in the box of the game as a stack."""
_NAME_FIELDS = ("name", "title")
_KEPT = "boxes"


@dataclass(frozen=True)
class BoxNet:
    """A net of a box, and what its faces are told beside the box's own title.

    `lines` are a list of contents, each by language. `piece` is the card that a ruler shows.
    """

    spec: BoxSpec
    net: Net
    title: Mapping[str, str]
    count: int = 0
    lines: tuple[Mapping[str, str], ...] = ()
    piece: Piece | None = None
    decks: tuple[Deck, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class GameBoxes:
    """The boxes of a game that are made, by their ids, and the plan of the outer one."""

    nets: Mapping[str, tuple[BoxNet, ...]]
    plan: BoxPlan | None = None


def make_game_boxes(game: Game) -> GameBoxes:
    """Return the nets of all boxes of a game."""
    specs = list_boxes(game)
    nets = {spec.id: tuple(_make_nets(spec, game)) for spec in specs if spec.form != OUTER}
    outer = next((spec for spec in specs if spec.form == OUTER), None)
    plan = _plan_outer(game, specs, outer, nets) if outer else None
    if outer and plan:
        nets[outer.id] = tuple(_make_outer(outer, game, plan, nets))
    return GameBoxes(nets, plan)


def select_boxes(job: Job) -> GameBoxes:
    """Return the boxes of the selected decks; all of them where all decks are selected. They are
    made once for a job."""
    found: GameBoxes | None = job.kept.get(_KEPT)
    if found is None:
        found = job.kept[_KEPT] = _make_selected_boxes(job)
    return found


def _make_selected_boxes(job: Job) -> GameBoxes:
    boxes = make_game_boxes(job.game)
    if not job.partial_suffix:
        return boxes
    wanted = {deck.id for deck in job.decks}
    nets = {
        name: each
        for name, each in boxes.nets.items()
        if each and any(deck.id in wanted for deck in each[0].decks)
    }
    return GameBoxes(nets)


def measure_room(spec: BoxSpec, decks: Sequence[Deck]) -> Room:
    """Return the room inside a box: what is given, else what its cards need."""
    width, height, depth = spec.size or measure_stack(spec, decks)
    if spec.form in {TELESCOPE, TRAY}:
        depth = max(depth, _MIN_TRAY_MM)
    return Room(width, height, depth, spec.board)


def _measure_box(spec: BoxSpec, game: Game) -> Room:
    """Return the room inside a box, with that of the dividers between its cards."""
    room = measure_room(spec, _get_decks(spec, game))
    if spec.size:
        return room
    for each in game.boxes:
        if each.form == DIVIDERS and _holds(spec, each):
            width, height, depth = (side + 2 * spec.play for side in _measure_dividers(each, game))
            most = max(room.width, width), max(room.height, height)
            room = Room(*most, room.depth + depth - 2 * spec.play, spec.board)
    return room


def _holds(box: BoxSpec, dividers: BoxSpec) -> bool:
    """Return whether a box holds all decks that dividers are for."""
    has_cards = box.form not in {DIVIDERS, PRISM, STAND, OUTER}
    return has_cards and bool(dividers.decks) and set(dividers.decks) <= set(box.decks)


def _measure_dividers(spec: BoxSpec, game: Game) -> tuple[float, float, float]:
    """Return width, height and depth of a stack of dividers with their tabs, upright."""
    decks = _get_decks(spec, game)
    size = spec.sleeve.size if spec.sleeve else decks[0].size
    short, long = sorted((size.width, size.height))
    if spec.tabs == "side":
        short += box_forms.DIVIDER_TAB_MM
    else:
        long += box_forms.DIVIDER_TAB_MM
    return short, long, spec.board * len([*_group_cards(spec, game, decks)])


def _get_decks(spec: BoxSpec, game: Game) -> tuple[Deck, ...]:
    found = (game.get_deck(name) for name in spec.decks)
    return tuple(deck for deck in found if deck)


def _make_nets(spec: BoxSpec, game: Game) -> Iterator[BoxNet]:
    decks = _get_decks(spec, game)
    count = sum(deck.count for deck in decks)
    if spec.form == DIVIDERS:
        yield from _make_dividers(spec, game, decks)
    elif spec.form == PRISM:
        for deck in decks:
            for piece in deck.pieces:
                net = box_forms.make_prism(piece.id, deck.size.width, deck.size.height)
                yield BoxNet(spec, net, deck.title, piece=piece, decks=(deck,))
    elif spec.form == STAND:
        width, height = (spec.size or _STAND_MM)[:2]
        yield BoxNet(spec, box_forms.make_stand(spec.id, width, height), spec.title, decks=decks)
    elif spec.form in {TELESCOPE, TRAY}:
        room = _measure_box(spec, game)
        yield from _make_tray(spec, room, spec.title, count, decks)
    else:
        room, locks = _measure_box(spec, game), spec.form == LOCK
        net = box_forms.make_tuck(spec.id, room, locks=locks, notch=spec.thumb)
        yield BoxNet(spec, net, spec.title, count, decks=decks)


def _make_tray(
    spec: BoxSpec, room: Room, title: Mapping[str, str], count: int, decks: tuple[Deck, ...]
) -> Iterator[BoxNet]:
    """Yield the lid, which is seen first, and the base."""
    low = min(_LOW_LID_MM, room.depth) if spec.form == TRAY else 0.0
    lid = _make_lid(spec, room, spec.lid or low)
    yield BoxNet(spec, lid, title, count, decks=decks)
    yield BoxNet(spec, _make_base(spec, room), title, count, decks=decks)


def _make_lid(spec: BoxSpec, room: Room, height: float) -> Net:
    """Return a lid, with thumb holes where the base below it leaves nothing to hold."""
    lid = box_forms.fit_lid(room, height)
    notch = spec.thumb and lid.depth > room.depth - _GRIP_MM
    return box_forms.make_tray("lid", lid, is_lid=True, notch=notch)


def _make_base(spec: BoxSpec, room: Room) -> Net:
    net = box_forms.make_tray("base", room)
    if spec.base == "printed":
        return net
    walls = (replace(each, art=BARE) if each.art and each.parent else each for each in net.panels)
    return replace(net, panels=tuple(walls))


def _make_dividers(spec: BoxSpec, game: Game, decks: Sequence[Deck]) -> Iterator[BoxNet]:
    groups = [*_group_cards(spec, game, decks)]
    on_side, places = spec.tabs == "side", min(_TABS_IN_A_ROW, max(1, len(groups)))
    for number, (title, pieces) in enumerate(groups):
        size = decks[0].size if not spec.sleeve else spec.sleeve.size
        net = box_forms.make_divider(
            f"divider-{number + 1}", size, at=number % places, places=places, on_side=on_side
        )
        count = sum(piece.copies for piece in pieces)
        lines = tuple(_list_card_names(pieces, game))
        yield BoxNet(spec, net, title, count, lines, decks=tuple(decks))


def _group_cards(
    spec: BoxSpec, game: Game, decks: Sequence[Deck]
) -> Iterator[tuple[Mapping[str, str], list[Piece]]]:
    """Yield a title and the cards of each divider: of a deck, or of a value of a field."""
    if not spec.by:
        for deck in decks:
            yield deck.title, list(deck.pieces)
        return
    groups: dict[str, tuple[Mapping[str, str], list[Piece]]] = {}
    for piece in (piece for deck in decks for piece in deck.pieces):
        value = piece.values.get(spec.by)
        if value not in (None, "", ()):
            title = _get_title(value, game)
            groups.setdefault(title[game.languages[0]], (title, []))[1].append(piece)
    yield from groups.values()


def _get_title(value: Value, game: Game) -> Mapping[str, str]:
    """Return a value of a field in every language: as a text, or as the game's word of its name."""
    if isinstance(value, Text):
        return value
    return name_in_words(value.piece if isinstance(value, CardReference) else str(value), game)


def _list_card_names(pieces: Sequence[Piece], game: Game) -> Iterator[Mapping[str, str]]:
    """Yield the names of cards with their copies, each name once."""
    counts: dict[str, int] = {}
    names: dict[str, Mapping[str, str]] = {}
    for piece in pieces:
        named = [v for f in _NAME_FIELDS if isinstance(v := piece.values.get(f), Text)]
        plain = dict.fromkeys(game.languages, piece.card_id)
        texts: Mapping[str, str] = named[0] if named else plain
        key = texts[game.languages[0]]
        names.setdefault(key, texts)
        counts[key] = counts.get(key, 0) + piece.copies
    for key, texts in names.items():
        times = f"{counts[key]} × " if counts[key] > 1 else ""
        yield {language: f"{times}{texts[language]}" for language in game.languages}


def _plan_outer(
    game: Game, specs: Sequence[BoxSpec], outer: BoxSpec, nets: Mapping[str, tuple[BoxNet, ...]]
) -> BoxPlan | None:
    """Return how boxes, decks without one and other things lie in the outer box."""
    items = []
    for spec in specs:
        if spec.form not in {OUTER, DIVIDERS, PRISM, STAND} and nets[spec.id]:
            room = _measure_box(spec, game)
            walls = 4 * spec.board + (
                box_forms.LID_PLAY_MM if spec.form in {TELESCOPE, TRAY} else 0
            )
            depth = max(room.depth, box_forms.MIN_DEPTH_MM)
            sides = (room.width + walls, room.height + walls, depth + walls)
            items.append(lay_flat(spec.id, sides))
        elif spec.form == STAND:
            items.append(lay_flat(spec.id, nets[spec.id][0].net.measure_folded()))
        elif (
            spec.form == DIVIDERS
            and nets[spec.id]
            and not any(_holds(each, spec) for each in specs)
        ):
            items.append(lay_flat(spec.id, _measure_dividers(spec, game)))
    boxed = {deck for spec in specs for deck in spec.decks if spec.form != DIVIDERS}
    for deck in game.decks:
        if deck.id not in boxed and _lies_flat(deck):
            items.append(lay_flat(deck.id, measure_stack(outer, [deck])))
    items += [lay_flat(each.title[game.languages[0]], each.size) for each in outer.items]
    return plan_box(items) if items else None


def _lies_flat(deck: Deck) -> bool:
    """Return whether a deck's pieces lie in the box as a stack: cards, sheets and rulers."""
    sides = deck.size.width, deck.size.height
    return bool(deck.count) and min(sides) >= _MIN_FLAT_MM and max(sides) <= _MAX_FLAT_MM


def _make_outer(
    spec: BoxSpec, game: Game, plan: BoxPlan, nets: Mapping[str, tuple[BoxNet, ...]]
) -> Iterator[BoxNet]:
    # It stands upright, like a book and its cover.
    short, long = sorted((plan.width, plan.height))
    room = Room(short, long, plan.depth, spec.board)
    if spec.size:
        room = Room(*spec.size, spec.board)
    count = sum(deck.count for deck in game.decks if is_card_deck(deck))
    for net in (_make_lid(spec, room, spec.lid), _make_base(spec, room)):
        yield BoxNet(spec, net, spec.title, count)
    lines: list[Mapping[str, str]] = [
        {each: f"{deck.count} × {deck.title.get_plain_text(each)}" for each in game.languages}
        for deck in game.decks
        if deck.count
    ]
    lines += [item.title for item in spec.items]
    lines += _list_holders(game, nets)
    size = _CONTENTS_MM if len(lines) <= _MAX_LINES else _LONG_CONTENTS_MM
    yield BoxNet(spec, box_forms.make_card("contents", size), spec.title, count, tuple(lines))


def _list_holders(
    game: Game, nets: Mapping[str, tuple[BoxNet, ...]]
) -> Iterator[Mapping[str, str]]:
    """Yield what lies in the box of the game beside decks: trays and holders, and dividers."""
    for made in filter(None, nets.values()):
        spec, decks = made[0].spec, made[0].decks
        if spec.form == DIVIDERS:
            plain = join_titles(decks, game)
            yield {
                each: f"{len(made)} × {title}"
                if (title := spec.title[each]) != plain[each]
                else f"{len(made)} × {get_word('boxes.divider', each)} ({title})"
                for each in game.languages
            }
        elif not decks:
            yield spec.title
