"""Templates of decks with a look, written from the look and the fields of the deck.

A look's templates use `place.title`, `place.cost`, …; lines before them say which field fills each
place. A deck with a look is thus a deck with templates, which `cardgen eject` writes to files.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from cardgen.core.problems import Problem, Severity, Source, did_you_mean
from cardgen.core.units import CARD_SIZES, Size, parse_size
from cardgen.core.yaml_nodes import Node
from cardgen.game import game_folder, look_classes
from cardgen.game.deck_keys import PICTURE_PREFIX
from cardgen.game.deck_style import read_style
from cardgen.game.look_places import LookContext, LookReport, PlaceWriter, parse_focus
from cardgen.game.model import Deck, Field
from cardgen.looks import look_catalogue
from cardgen.looks.look_catalogue import BACK_FILE, FRONT_FILE, STYLE_FILE, Look

LOOK_PREFIX = "@"
"""Prefix of the names of templates that belong to a look."""
_PLACE_ASSIGNMENT = re.compile(
    r'^\{% set place\.(?P<place>\w+) = .*?\bcard(?:\.(?P<name>\w+)|\["(?P<other>[^"]*)"\])',
    re.MULTILINE,
)
_VARIABLE = re.compile(r"\{% (?:set|for) (\w+) (?:=|in) ([^%]*)%\}")
"""A variable of a template and the expression that it stands for, or goes through in a loop."""
_TAG_CONTENT = re.compile(r"\{[{%]([^{}%]*)")
_DEFAULT_TYPES = {
    "text": "text",
    "value": "string",
    "picture": "string",
    "list": "list",
    "record": "record",
    "colour": "colour",
    "icon": "icon",
}
"""Types of the fields of a deck that declares none, by kind of place."""
OVERFLOW_PHRASE = "at its smallest size"
"""Part of the message about a text that does not fit its box."""
_OWN_KINDS = frozenset({"template", "css"})
"""Kinds of problems that whoever writes a look mends."""
_TINT_NAMES = ("paper", "ink", "accent", "back", "deep", "on_accent", "on_back", "faint")
_TINT_STYLE = "; ".join(
    f"--{name.replace('_', '-')}: {{{{ tint.{name} }}}}" for name in _TINT_NAMES
)
"""Variables of the colours that `palette` returns."""
_OPENING = '<div class="look '
FOCUS_VARIABLE = "; --focus:"
"""Stands in the style of a face whose deck says what stays of a picture."""
_TEXTURED_GROUND = (
    '<div class="bleed paper">{{ pattern("%s", deck.width + 6, deck.height + 6, '
    "mix(tint.paper, tint.ink, 0.13), 2) }}</div>"
)
"""Threads half a millimetre apart and more, hardly darker or lighter than the paper."""
_CONSEQUENT_KINDS = frozenset({"overflow", "overlap", "safe-margin", "contrast"})
"""Kinds of problems that follow from a text that does not fit its place."""


def check_look_size(look: Look | None, size: Size, source: Source, report: LookReport) -> Size:
    """Return the size if the look fits in it; else report it, and return the look's own."""
    if look is None or min(size.width, size.height) >= look.min_side:
        return size
    message = f"the look {look.name} needs {look.min_side:g} mm a side at least, not {size}"
    report(source, message, "size")
    return parse_size(look.size, CARD_SIZES) or size


def make_look_fields(look: Look, source: Source) -> dict[str, Field]:
    """Return the fields of a deck that declares none: one for each place, with its name."""
    empty = {"list": ()}
    item = Field("", "string", source)
    return {
        place.name: Field(
            place.name, kind, source, default=empty.get(kind), item=item if kind == "list" else None
        )
        for place in look.slots.values()
        if (kind := _DEFAULT_TYPES[place.kind]) != "record"
    }


def mark_colour_fields(
    fields: dict[str, Field], look: Look, places: Node | None
) -> dict[str, Field]:
    """Return the fields, with those strings as colours that fill a place for a colour."""
    named = {
        node.text
        for place in look.slots.values()
        if place.kind == "colour" and places and (node := places.get(place.name)) is not None
    }
    return {
        name: replace(field, kind="colour") if name in named and field.kind == "string" else field
        for name, field in fields.items()
    }


def write_look_templates(
    deck: Deck, look: Look, shared: Mapping[str, Node], context: LookContext, report: LookReport
) -> dict[str, str]:
    """Return the templates and the stylesheets of a deck with a look, by their names.

    `shared` has the keys `places` and `style` of the deck.
    """
    places, style = shared.get("places"), read_style(shared.get("style"), look, context, report)
    if places is not None and not places.is_mapping:
        message = f"places is {places.describe()}; expected a mapping, PLACE: FIELD"
        report(places.source, message, "type")
    nodes = {name: places.get(name) if places else None for name in look.slots}
    nodes |= _place_others(places, look, deck.fields, report) if places else {}
    writer = PlaceWriter(deck, look, context, report)
    expressions = {
        name: writer.write_place(place, nodes[name]) for name, place in look.slots.items()
    }
    front = [
        "{% set place = namespace() %}",
        *(f"{{% set place.{name} = {each} %}}" for name, each in expressions.items()
          if name != "accent"),
        writer.write_palette(expressions.get("accent", ""), style.colours),
    ]  # fmt: skip
    # Other backs tell nothing of their cards: they have no places, and the deck's colour.
    hidden = writer.write_palette("", {**style.colours, "accent": style.colours["back"]})
    back = [*front] if look.is_two_sided else [hidden]
    back.append(f"{{% set back = {json.dumps(dict(look.back))} %}}")
    constants = {name: _measure_words(node) for name, node in nodes.items()
                 if node and name not in writer.used}  # fmt: skip
    filled = [name for name, each in expressions.items() if each != "none"]
    filled = [name for name in filled if name not in writer.used]
    used = {name: writer.used.get(name, ()) for name in look.slots}
    classes = look_classes.write_classes(deck, style, used, filled, constants)
    pictures = (name for name, place in look.slots.items() if place.kind == "picture")
    crops = (node.get("focus") for node in map(nodes.get, pictures) if node and node.is_mapping)
    focus = next(filter(None, map(parse_focus, crops)), "center")

    texture = style.choices.get(look_catalogue.TEXTURE_KEY, "")
    textured = _TEXTURED_GROUND % texture if texture in look_catalogue.TEXTURES[1:] else ""

    def wrap(head: list[str], file: str) -> str:
        html = look_classes.scale_fitted_sizes(look.read_file(file), deck.size, style)
        if textured:
            html = html.replace(look_catalogue.GROUND_BOX, textured)
        chosen = f"{FOCUS_VARIABLE} {focus}" if focus != "center" else ""
        opened = f'{_OPENING}{classes}" style="{_TINT_STYLE}{chosen}">'
        return "\n".join([*head, opened, f"{html.rstrip()}\n</div>\n"])

    return {
        f"{LOOK_PREFIX}{deck.id}/{FRONT_FILE}": wrap(front, FRONT_FILE),
        f"{LOOK_PREFIX}{deck.id}/{BACK_FILE}": wrap(back, BACK_FILE),
        f"{LOOK_PREFIX}/{look_catalogue.BASE_STYLE_FILE}": look_catalogue.read_shared_file(
            "base.css"
        ),
        f"{LOOK_PREFIX}{deck.id}/deck.css": look_classes.format_variables(deck.size, style, focus),
        f"{LOOK_PREFIX}{look.name}/{STYLE_FILE}": look.read_file(STYLE_FILE),
        **{f"{LOOK_PREFIX}{look.name}/{name}": text for name, text in look.drawings.items()},
    }


def _place_others(
    places: Node, look: Look, fields: Collection[str], report: LookReport
) -> dict[str, Node | None]:
    """Return what a deck puts into places that the look calls otherwise; report other names.

    What another look calls `cost` stands in the place that a field `cost` would fill by itself, so
    that a deck may change its look. A place that only other looks have is a warning.
    """
    found: dict[str, Node | None] = {}
    for key, child in places.items():
        if key in look.slots:
            continue
        same = [
            name
            for name, slot in look.slots.items()
            if key in slot.default_fields
            and not any(field in fields for field in slot.default_fields if field != key)
        ]
        if len(same) == 1 and same[0] not in found and places.get(same[0]) is None:
            found[same[0]] = child
            continue
        hint = did_you_mean(key, look.slots)
        if key == "focus":
            hint = "; what stays of a picture is written picture: {focus: top}"
        others = map(look_catalogue.load_look, look_catalogue.list_looks())
        severity: Severity = "warning" if any(key in other.slots for other in others) else "error"
        message = f"the look {look.name} has no place '{key}'{hint}"
        report(places.keys[key], message, "fields", severity=severity)
    return found


def _measure_words(node: Node) -> int:
    """Return the length of the longest text in a node."""
    if node.is_scalar:
        return len(node.text)
    children = node.list_nodes() or [child for _, child in node.items()]
    return max(map(_measure_words, children), default=0)


def relocate_problems(problems: Sequence[Problem], decks: Mapping[str, Deck]) -> list[Problem]:
    """Return problems in which those of a look's templates name the deck file instead.

    They point at the card's words in that place. Where words do not fit their place, problems that
    follow from it are left out.
    """
    full = {p.subject for p in problems if _is_in_look(p) and OVERFLOW_PHRASE in p.message}
    relevant = (
        p
        for p in problems
        if p.subject not in full or p.kind not in _CONSEQUENT_KINDS or OVERFLOW_PHRASE in p.message
        or not _is_in_look(p)
    )  # fmt: skip
    return [_relocate_problem(p, decks) for p in relevant]


def _is_in_look(problem: Problem) -> bool:
    return problem.source.path.startswith(f"{game_folder.TEMPLATES_FOLDER}/{LOOK_PREFIX}")


def _relocate_problem(problem: Problem, decks: Mapping[str, Deck]) -> Problem:
    name = problem.source.path.removeprefix(f"{game_folder.TEMPLATES_FOLDER}/")
    deck = decks.get(problem.subject.deck)
    if not _is_in_look(problem) or deck is None:
        return problem
    if name.startswith(PICTURE_PREFIX):
        own = next((each for each in deck.pieces if each.id == problem.subject.card), None)
        side = problem.subject.side
        source = (own.sources.get(side) if own else None) or deck.sources.get(side, deck.source)
        return replace(problem, source=source)
    text = deck.look_templates.get(name, "")
    written = text.split("\n")
    lines = written[: problem.source.line]
    where, source = f"the look {deck.look}", deck.sources.get("look", deck.source)
    piece = next((each for each in deck.pieces if each.id == problem.subject.card), None)
    title = bool(lines) and "deck.title" in lines[-1]
    # A box is reported at its first line; what it prints stands below.
    first, *inner = _list_places(text)[len(lines) - 1 :] if lines else ("",)
    place = first or ("" if title else next(filter(None, inner), ""))
    if deck.look_folder and (authored := _locate_in_own_look(problem, name, written, deck)):
        return authored
    if place and piece:
        where = f"{place}, a place of the look {deck.look}"
        field = _find_field("\n".join(lines), place)
        source = piece.sources.get(field, piece.source) if field else source
        sized = "--text-size" in deck.look_templates.get(f"{LOOK_PREFIX}{deck.id}/deck.css", "")
        if sized and place == "text":
            shorter = problem.message.replace("shorten it", "shorten it, or lower text_size")
            problem = replace(problem, message=shorter)
    elif title:
        where, source = f"the deck's title on the back of the look {deck.look}", deck.title.source
    return replace(problem, source=source, message=f"{problem.message} ({where})")


def _locate_in_own_look(
    problem: Problem, name: str, written: Sequence[str], deck: Deck
) -> Problem | None:
    """Return a problem of a look of the game at its file; None if it is one of a card's words."""
    file = name.rpartition("/")[2]
    if problem.kind not in _OWN_KINDS or name.startswith(f"{LOOK_PREFIX}/"):
        return None
    head = next((n for n, line in enumerate(written, 1) if line.startswith(_OPENING)), 0)
    line = problem.source.line - (head if file.endswith(".html") else 0)
    return replace(problem, source=Source(f"{deck.look_folder}/{file}", max(line, 0)))


@lru_cache(maxsize=32)
def _list_places(text: str) -> tuple[str, ...]:
    """Return the place that each line of a template prints, itself or through variables and loops
    that it or lines before it set; "" for none."""
    found, places = [], dict[str, str]()
    variables = deque(_VARIABLE.finditer(text))
    for number, line in enumerate(text.split("\n")):
        while variables and text.count("\n", 0, variables[0].end()) <= number:
            name, expression = variables.popleft().groups()
            direct = re.search(r"\bplace\.(\w+)", expression)
            if place := direct[1] if direct else _get_first_place(expression, places):
                places[name] = place
        printed = re.search(r"{{ place\.(\w+)", line) or re.search(r"\bplace\.(\w+)", line)
        content = " ".join(_TAG_CONTENT.findall(line))
        found.append(printed[1] if printed else _get_first_place(content, places))
    return tuple(found)


def _get_first_place(expression: str, places: Mapping[str, str]) -> str:
    """Return the place of the first variable of an expression that has one, or ""."""
    words = re.findall(r"(?<!\.)\b[A-Za-z_]\w*", expression)
    return next((places[word] for word in words if word in places), "")


def _find_field(text: str, place: str) -> str:
    """Return the field that fills a place, from the first lines of a template; "" if there is
    none."""
    found = next(
        (each for each in _PLACE_ASSIGNMENT.finditer(text) if each["place"] == place), None
    )
    return (found["name"] or found["other"] or "") if found else ""
