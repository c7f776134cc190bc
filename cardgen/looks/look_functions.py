"""What templates may call for their looks: colours, pictures made of a name, ornaments, and lists
as people write them. Lengths are in millimetres, colours "#rrggbb".

Everything is reckoned from what is given: the same call gives the same bytes on every machine.
What cannot be meant raises ValueError with a sentence that says what is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from cardgen.core.problems import did_you_mean
from cardgen.looks import look_ornaments, look_scenes
from cardgen.looks.look_colours import check_colour, check_number, legible, mix, readable

MAX_PICTURE_MM = 1400
"""A piece is 1200 mm a side at most; its ground runs over the bleed."""
MAX_TRACK_SPACES = 200
"""So many spaces a track has at most."""
MAX_SEED_LENGTH = 1000
_DEFAULT_COLOUR = "#2f6068"
_RANGE = re.compile(
    r"(?P<first>[-−+]?\d+)\s*(?:-|–|—|−|～|〜|\.\.+|…|→)\s*(?P<last>[-−+]?\d+)"
    r"(?:\s*\(\s*(?P<start>[-−+]?\d+)\s*\))?\Z"
)


def placeholder(
    text: str | None, width: float, height: float, colour: str = _DEFAULT_COLOUR, mood: str = ""
) -> bytes:
    """A landscape made of a text (a card's name), for where there is no picture yet: always the
    same for the same text. `width` and `height` are 2 to 1400 mm; its colours come of `colour`.
    `mood` is dawn, noon, evening or midnight; the text decides without it."""
    name = "" if text is None else str(text)
    if len(name) > MAX_SEED_LENGTH:
        raise ValueError(f"a landscape is made of a text of {MAX_SEED_LENGTH} signs at most")
    moods = tuple(look_scenes.MOODS)
    if mood and mood not in moods:
        raise ValueError(f"a mood is {', '.join(moods[:-1])} or {moods[-1]}, not '{mood}'")
    return look_scenes.landscape(name, *_check_size(width, height), check_colour(colour), mood)


def pattern(kind: str, width: float, height: float, colour: str, size: float = 4) -> bytes:
    """A pattern over a box of 2 to 1400 mm a side, in lines of one colour: `rings`, `leaves`,
    `waves`, `diamonds`, `rays` or `stars`. It repeats about every `size` mm (1 to 100)."""
    cell = check_number(size, "the size of a pattern", 1, 100)
    known = _check_choice("pattern", kind, look_ornaments.PATTERNS)
    return look_ornaments.patterned(known, *_check_size(width, height), check_colour(colour), cell)


def frame(
    width: float, height: float, colour: str, ground: str = "none", shape: str = "notched"
) -> bytes:
    """A double line round a box of 2 to 1400 mm a side and, unless it is none, its ground. `shape`:
    `notched`, `cut`, `square`, `round` or `hexagon`."""
    known = _check_choice("shape", shape, look_ornaments.SHAPES)
    inside = ground if ground == "none" else check_colour(ground)
    return look_ornaments.framed(*_check_size(width, height), check_colour(colour), inside, known)


def guilloche(width: float, height: float, colour: str) -> bytes:
    """The fine waves of a banknote's paper, over a box of 2 to 1400 mm a side."""
    return look_ornaments.engraved(*_check_size(width, height), check_colour(colour))


def rosette(
    width: float, height: float, colour: str, petals: int = 14, hole: float = 0.55
) -> bytes:
    """A banknote's rosette, 2 to 1400 mm a side: an even number of `petals` (4 to 24) round a
    `hole`, a share of the whole (0 to 0.7)."""
    count = check_number(petals, "the number of petals", 4, 24)
    if count % 2:
        raise ValueError("the number of petals is even")
    room = check_number(hole, "the hole of a rosette", 0, 0.7)
    return look_ornaments.turned(
        *_check_size(width, height), check_colour(colour), int(count), room
    )


def labelled(values: Any) -> list[dict[str, Any]]:
    """Values and what they are called, each a record of `label` and `value`. They are written as a
    record (`speed: 4`), a list of such or of pairs, or a list of texts such as `Speed: 4`; a
    record's names are made readable (`max_speed`: Max speed). What has no value is passed over."""
    if isinstance(values, Mapping):
        pairs = [(_humanise_name(str(name)), value) for name, value in values.items()]
    elif _is_list(values):
        pairs = [_parse_label(entry) for entry in values]
    else:
        pairs = [] if values is None else [_parse_label(values)]
    return [{"label": label, "value": value} for label, value in pairs if value not in (None, "")]


def tracks(values: Any) -> list[dict[str, Any]]:
    """Tracks of a board, each a record of `name`, `spaces` (what stands in them) and `start` (the
    place of the space where it begins, or nothing). They are written as a text or a list of texts:
    `Morale: 0-10`, with its start `Morale: 0-10 (5)`, or with words `Season: spring, summer`."""
    if values is None:
        return []
    return [_parse_track(value) for value in (values if _is_list(values) else [values])]


def around(count: int, width: float, height: float) -> list[dict[str, float]]:
    """Spaces side by side round the edge of a box of 2 to 1400 mm a side, clockwise from the left
    top corner: each a record of `x`, `y`, `width`, `height`. 4 to 200 spaces; of an odd number the
    last has the room of two."""
    spaces = int(check_number(count, "the number of spaces round an edge", 4, MAX_TRACK_SPACES))
    wide, high = _check_size(width, height)
    half = (spaces + spaces % 2) // 2 + 2
    columns = min(half - 2, max(2, round(half * wide / (wide + high))))
    rows = half - columns
    across, down = wide / columns, high / rows
    corners = [(column, 0) for column in range(columns)]
    corners += [(columns - 1, row) for row in range(1, rows)]
    corners += [(column, rows - 1) for column in range(columns - 2, -1, -1)]
    corners += [(0, row) for row in range(rows - 2, 0, -1)]
    ring = [
        {"x": round(column * across, 3), "y": round(row * down, 3), "width": round(across, 3),
         "height": round(down, 3)}
        for column, row in corners
    ]  # fmt: skip
    if spaces % 2:
        spare = ring.pop()
        upright = spare["x"] == ring[-1]["x"]
        ring[-1]["height" if upright else "width"] *= 2
        ring[-1]["x"], ring[-1]["y"] = (
            min(spare["x"], ring[-1]["x"]),
            min(spare["y"], ring[-1]["y"]),
        )
    return ring


def abreast(count: int, most: float) -> int:
    """How many of `count` things (0 to 1000) stand in a row where there is room for `most` (rounded
    down, 1 at least), when the rows are as even as can be: of 9 where 4 have room, 3."""
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
    found = _RANGE.match(spaces)
    if found:
        first, last = _parse_int(found["first"]), _parse_int(found["last"])
        step = 1 if last >= first else -1
        if abs(last - first) >= MAX_TRACK_SPACES:
            raise ValueError(f"the track '{name}' has more than {MAX_TRACK_SPACES} spaces")
        numbers = range(first, last + step, step)
        start = _parse_int(found["start"]) if found["start"] else None
        if start is not None and start not in numbers:
            raise ValueError(f"the track '{name}' goes from {first} to {last}; it has no {start}")
        shown = [f"{each}".replace("-", "−") for each in numbers]
        return _make_track(name, shown, None if start is None else numbers.index(start))
    words = [word.strip() for word in re.split(r"[,;،؛、，；]", spaces) if word.strip()]
    if len(words) < 2:
        raise ValueError(
            f"a track is written 'Morale: 0-10' or 'Season: spring, summer', not '{value}'"
        )
    if len(words) > MAX_TRACK_SPACES:
        raise ValueError(f"the track '{name}' has more than {MAX_TRACK_SPACES} spaces")
    marked = [k for k, word in enumerate(words) if word.startswith("(") and word.endswith(")")]
    return _make_track(name, [word.strip("()") for word in words], marked[0] if marked else None)


def _make_track(name: str, spaces: Sequence[str], start: int | None) -> dict[str, Any]:
    return {"name": name, "spaces": list(spaces), "start": start}


def _parse_label(entry: Any) -> tuple[str, Any]:
    """What one value is called, and the value."""
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
    raise ValueError(f"a value and its name are written 'Speed: 4' or speed: 4, not '{entry}'")


def _humanise_name(name: str) -> str:
    """A field's name as people write it: max_speed is Max speed."""
    words = re.sub(r"[-_]+", " ", name).strip()
    return words[:1].upper() + words[1:]


def _parse_int(text: str) -> int:
    return int(text.replace("−", "-"))


def _is_list(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def _check_size(width: float, height: float) -> tuple[float, float]:
    return (
        check_number(width, "the width of a picture in mm", 2, MAX_PICTURE_MM),
        check_number(height, "the height of a picture in mm", 2, MAX_PICTURE_MM),
    )


def _check_choice(what: str, name: str, known: Mapping[str, Any]) -> str:
    if name not in known:
        raise ValueError(f"there is no {what} '{name}'{did_you_mean(str(name), known)}")
    return str(name)


PICTURE_FUNCTIONS: Mapping[str, Callable[..., bytes]] = {
    function.__name__: function for function in (placeholder, pattern, frame, guilloche, rosette)
}
"""What templates may call that gives a picture, by name: the bytes of an SVG."""
LOOK_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (mix, legible, readable, labelled, tracks, around, abreast)
}
"""What templates may call that gives a value, by name."""
