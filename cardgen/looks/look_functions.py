"""Functions that templates call for their looks: colours, drawings, ornaments, lists and tracks.

Lengths are in millimetres, colours "#rrggbb". The same call gives the same bytes on every machine.
A wrong argument raises ValueError, whose text says what was expected. The names of the functions
and of their parameters are those that templates write.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cardgen.core.problems import did_you_mean
from cardgen.looks import motif_words, ornaments, scenery
from cardgen.looks.look_colours import check_colour, check_number, legible, mix, readable

MAX_PICTURE_MM = 1400
"""Longest side of a drawing: a piece has up to 1200 mm, and backgrounds cover the bleed as well."""
MAX_TRACK_SPACES = 200
MAX_SEED_LENGTH = 1000
_DEFAULT_COLOUR = "#2f6068"
_VARIABLE = re.compile(r"var\(--([\w-]+)\)")
_RANGE = re.compile(
    r"(?P<first>[-−+]?\d+)\s*(?:-|–|—|−|～|〜|\.\.+|…|→)\s*(?P<last>[-−+]?\d+)"
    r"(?:\s*\(\s*(?P<start>[-−+]?\d+)\s*\))?\Z"
)


def placeholder(  # noqa: PLR0913, PLR0917 - as templates call it
    text: str | None,
    width: float,
    height: float,
    colour: str = _DEFAULT_COLOUR,
    mood: str = "",
    name: str | None = None,
    language: str = "",
) -> bytes:
    """Draw what a card without a picture is called, or its initials if that has no drawing.

    `text` makes its scene different from those of other cards; it is also what the card is called
    if there is no `name`. `width` and `height` are 2 to 1400 mm. All colours derive from `colour`.
    `mood` is dawn, noon, evening or midnight; without it, the text decides.
    """
    seed = "" if text is None else str(text)
    if len(seed) > MAX_SEED_LENGTH:
        raise ValueError(f"the text of a picture has at most {MAX_SEED_LENGTH} characters")
    moods = tuple(scenery.MOODS)
    if mood and mood not in moods:
        raise ValueError(f"mood must be {', '.join(moods[:-1])} or {moods[-1]}, not '{mood}'")
    scene = scenery.Scene(seed, *_check_size(width, height), check_colour(colour), mood)
    title = _strip_tags(name)
    found = motif_words.find_motif(title, language) if title else motif_words.find_slug(seed)
    if found:
        return scenery.draw_motif(found, scene)
    return scenery.draw_monogram(title or seed, scene)


def motif(  # noqa: PLR0913, PLR0917 - as templates call it
    name: str | None,
    colour: str,
    ground: str = "#ffffff",
    language: str = "",
    hatch: float = 0,
    halo: float = 0,
    tone: str = "",
    line: float = 0,
) -> bytes:
    """Draw what something is called, in one colour and its mixture with the ground.

    With `hatch`, lines that far apart (1 to 20) stand for the mixture; `halo` is the width of a rim
    of the ground (0 to 10). `tone` is another colour in place of the mixture. `line` draws outlines
    of that width (0 to 5). Return nothing if the name has no drawing.
    """
    found = motif_words.find_motif(_strip_tags(name), language)
    if not found:
        return b""
    return scenery.draw_alone(
        found,
        check_colour(colour),
        check_colour(ground),
        tone=tone and check_colour(tone),
        hatch=hatch and check_number(hatch, "the hatch of a drawing", 1, 20),
        halo=check_number(halo, "the halo of a drawing", 0, 10),
        line=check_number(line, "the line of a drawing", 0, 5),
    )


def palette(paper: str, ink: str, accent: str, back: str) -> dict[str, str]:
    """Return the colours of a face by name, and those that follow from them.

    `deep` is the accent made readable on paper, `on_accent` and `on_back` are readable on the
    accent and on the back, and `faint` is a lighter ink.
    """
    colours = {"paper": paper, "ink": ink, "accent": accent, "back": back}
    colours |= {
        "deep": readable(accent, paper),
        "on_accent": readable(legible(accent, ink, paper), accent, 3),
        "on_back": readable(legible(back, ink, paper), back, 3),
        "faint": readable(mix(ink, paper, 0.3), paper),
    }
    return colours


def fill_variables(svg: str, colours: Mapping[str, str]) -> str:
    """Return a drawing with the colours that it names as variables of CSS, as `var(--accent)`."""
    known = {name.replace("_", "-"): value for name, value in colours.items()}
    return _VARIABLE.sub(lambda match: known.get(match[1], match[0]), svg)


def pattern(kind: str, width: float, height: float, colour: str, size: float = 4) -> bytes:
    """Draw a pattern of one colour over a box of 2 to 1400 mm a side.

    `kind` is `rings`, `leaves`, `waves`, `diamonds`, `rays`, `stars`, `linen` or `laid`. The
    pattern repeats about every `size` mm (1 to 100).
    """
    cell = check_number(size, "the size of a pattern", 1, 100)
    name = _check_choice("pattern", kind, ornaments.PATTERN_NAMES)
    return ornaments.draw_pattern(name, *_check_size(width, height), check_colour(colour), cell)


def frame(
    width: float, height: float, colour: str, ground: str = "none", shape: str = "notched"
) -> bytes:
    """Draw a double line round a box of 2 to 1400 mm a side, filled with the colour `ground`.

    `shape` is `notched`, `cut`, `square`, `round` or `hexagon`.
    """
    name = _check_choice("shape", shape, ornaments.SHAPES)
    fill = ground if ground == "none" else check_colour(ground)
    return ornaments.draw_frame(*_check_size(width, height), check_colour(colour), fill, name)


def labelled(values: Any) -> list[dict[str, Any]]:
    """Return values with their labels, each a record of `label` and `value`.

    They may be written as a record (`speed: 4`), a list of such records or of pairs, or a list of
    texts such as `Speed: 4`. The names of a record become labels (`max_speed`: Max speed). Empty
    values are left out.
    """
    if isinstance(values, Mapping):
        pairs = [(_humanise_name(str(name)), value) for name, value in values.items()]
    elif _is_list(values):
        pairs = [_parse_label(entry) for entry in values]
    else:
        pairs = [] if values is None else [_parse_label(values)]
    return [{"label": label, "value": value} for label, value in pairs if value not in (None, "")]


def tracks(values: Any) -> list[dict[str, Any]]:
    """Return the tracks of a board, each a record of `name`, `spaces` and `start`.

    `spaces` are the texts in the spaces, and `start` is the index of the first one, or nothing.
    Tracks are written as a text or a list of texts: `Morale: 0-10`, `Morale: 0-10 (5)` with a
    start, or `Season: spring, summer` with words.
    """
    if values is None:
        return []
    return [_parse_track(value) for value in (values if _is_list(values) else [values])]


def around(count: int, width: float, height: float) -> list[dict[str, float]]:
    """Return 4 to 200 spaces round the edge of a box, clockwise from the left top corner.

    The box has 2 to 1400 mm a side. Each space is a record of `x`, `y`, `width`, `height`. If their
    number is odd, one side has a space fewer, and its spaces are longer.
    """
    spaces = int(check_number(count, "the number of spaces round an edge", 4, MAX_TRACK_SPACES))
    wide, high = _check_size(width, height)
    half = (spaces + spaces % 2) // 2 + 2
    columns = min(half - 2, max(2, round(half * wide / (wide + high))))
    rows = half - columns
    across, down = wide / columns, high / rows
    is_short_left = bool(spaces % 2) and rows > max(columns, 3)
    below = columns - (spaces % 2 and not is_short_left)
    before = rows - 2 - is_short_left
    step, rise = wide / below, (rows - 2) * down / max(before, 1)
    ring = [(column * across, 0.0, across, down) for column in range(columns)]
    ring += [(wide - across, row * down, across, down) for row in range(1, rows - 1)]
    ring += [(wide - (place + 1) * step, high - down, step, down) for place in range(below)]
    ring += [(0.0, high - down - (place + 1) * rise, across, rise) for place in range(before)]
    names = ("x", "y", "width", "height")
    return [dict(zip(names, (round(side, 3) for side in box), strict=True)) for box in ring]


def abreast(count: int, most: float) -> int:
    """Return how many of `count` things (0 to 1000) stand in each row if the rows are even.

    A row has room for `most` things, rounded down but at least 1: 9 things of which 4 fit in a row
    stand in rows of 3.
    """
    things = int(check_number(count, "the number of things in rows", 0, 1000))
    room = int(max(1, check_number(most, "the number of things in a row", 0, 1e6)))
    return max(1, -(-things // max(1, -(-things // room))))


def _parse_track(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        first, last = value.get("first", 0), value.get("last")
        name, spaces = str(value.get("name") or ""), f"{first}-{last}"
        spaces += f" ({value['start']})" if value.get("start") is not None else ""
    else:
        name, _, spaces = str(value).replace("：", ":").rpartition(":")
        name, spaces = name.strip(), spaces.strip()
    match = _RANGE.match(spaces)
    if match:
        first, last = _parse_int(match["first"]), _parse_int(match["last"])
        step = 1 if last >= first else -1
        if abs(last - first) >= MAX_TRACK_SPACES:
            raise ValueError(f"the track '{name}' has more than {MAX_TRACK_SPACES} spaces")
        numbers = range(first, last + step, step)
        start = _parse_int(match["start"]) if match["start"] else None
        if start is not None and start not in numbers:
            raise ValueError(f"the track '{name}' goes from {first} to {last}; it has no {start}")
        texts = [f"{number}".replace("-", "−") for number in numbers]
        return {
            "name": name,
            "spaces": texts,
            "start": None if start is None else numbers.index(start),
        }
    words = [word.strip() for word in re.split(r"[,;،؛、，；]", spaces) if word.strip()]
    if len(words) < 2:
        raise ValueError(
            f"write a track like 'Morale: 0-10' or 'Season: spring, summer', not '{value}'"
        )
    if len(words) > MAX_TRACK_SPACES:
        raise ValueError(f"the track '{name}' has more than {MAX_TRACK_SPACES} spaces")
    starts = (k for k, word in enumerate(words) if word.startswith("(") and word.endswith(")"))
    return {
        "name": name,
        "spaces": [word.strip("()") for word in words],
        "start": next(starts, None),
    }


def _parse_label(entry: Any) -> tuple[str, Any]:
    """Return the label of an entry and its value."""
    if isinstance(entry, Mapping):
        label = next((entry[key] for key in ("label", "name", "title") if key in entry), None)
        if label is not None and "value" in entry:
            return str(label), entry["value"]
        if len(entry) == 1:
            ((name, value),) = entry.items()
            return _humanise_name(str(name)), value
    elif _is_list(entry) and len(entry) == 2:
        return str(entry[0]), entry[1]
    elif isinstance(entry, str) and ":" in entry:
        label, _, value = entry.partition(":")
        return label.strip(), value.strip()
    elif isinstance(entry, str | int | float) and not isinstance(entry, bool):
        return "", entry
    raise ValueError(f"write a value with its name, 'Speed: 4' or speed: 4, not '{entry}'")


def _humanise_name(name: str) -> str:
    """Return a label for the name of a field: max_speed becomes Max speed."""
    words = re.sub(r"[-_]+", " ", name).strip()
    return words[:1].upper() + words[1:]


def _parse_int(text: str) -> int:
    return int(text.replace("−", "-"))


def _strip_tags(name: str | None) -> str:
    return html.unescape(re.sub(r"<[^>]*>", " ", str(name or "")[:MAX_SEED_LENGTH])).strip()


def _is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def _check_size(width: float, height: float) -> tuple[float, float]:
    return (
        check_number(width, "the width of a picture in mm", 2, MAX_PICTURE_MM),
        check_number(height, "the height of a picture in mm", 2, MAX_PICTURE_MM),
    )


def _check_choice(kind: str, name: str, choices: Iterable[str]) -> str:
    if name not in choices:
        raise ValueError(f"there is no {kind} '{name}'{did_you_mean(str(name), choices)}")
    return str(name)


PICTURE_FUNCTIONS: Mapping[str, Callable[..., bytes]] = {
    function.__name__: function for function in (placeholder, motif, pattern, frame)
}
"""Functions that draw, by the name that templates call. They return the bytes of an SVG."""
NAMED_PICTURES = ("placeholder", "motif")
"""Those of them that draw what a name means, and take its language."""
LOOK_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (palette, mix, legible, readable, labelled, tracks, around, abreast)
}
"""Functions that return a value, by the name that templates call."""
