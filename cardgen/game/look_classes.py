"""Class names and CSS variables of a deck with a look, so that its templates need no formulas.

They are the same on all cards of a deck: a hand that is held as a fan has its bands and boxes at
one height.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from cardgen.core.units import Size
from cardgen.game.deck_style import LookStyle
from cardgen.game.model import Deck, Text, Value
from cardgen.looks.look_catalogue import BODY_SLOTS, TEXTURE_KEY

_POKER_SHORT_MM, _POKER_LONG_MM = 63.5, 88.9
_TEXT_CLASSES = {80: "short", 210: "medium", 320: "long", 520: "very-long"}
"""How many characters each class of text has at most on a poker card; more are `full`."""
_MAX_TITLE_CHARS = 25
"""Longest title that stands on one line."""
_WIDE_LETTERS = frozenset({"ja", "ko", "zh"})
"""Languages whose characters take the room of two letters."""
_MIN_SIZE_PT = 6.0
_SMALL_SCALE = 0.85
_SIZE = r"[0-9]{1,4}(?:\.[0-9]{1,4})?"
_FIT_LIMITS = re.compile(
    rf'(?P<head><\w+ class="(?P<classes>[^"{{]*)" )data-fit="(?P<low>{_SIZE})-(?P<high>{_SIZE})"'
)


def get_scale(size: Size) -> float:
    """Return how large a card is beside a poker card, measured along its tighter side."""
    short, long = sorted((size.width, size.height))
    return min(short / _POKER_SHORT_MM, long / _POKER_LONG_MM)


def get_type_scale(size: Size) -> float:
    """Return how large the type of a card is: on large cards it grows less than the card."""
    scale = get_scale(size)
    return scale if scale < 1 else 0.35 + 0.65 * scale


def format_variables(size: Size, style: LookStyle, focus: str) -> str:
    """Return the stylesheet that sets the variables of a deck."""
    scale = get_scale(size)
    fonts = {role: f'"{family}"' for role, (family, _) in style.fonts.items() if family}
    fallback = fonts.get("text", "")
    values = {
        "u": f"{scale:.4g}mm",
        "t": f"{get_type_scale(size):.4g}pt",
        **{
            f"font-{role}": ", ".join(filter(None, dict.fromkeys((family, fallback))))
            for role, family in fonts.items()
        },
        **{f"weight-{role}": str(weight) for role, (_, weight) in style.fonts.items()},
        **({"text-size": f"{style.text_size:g}pt"} if style.text_size else {}),
        "radius": f"{2.4 * scale:.4g}mm" if style.choices.get("corners") == "round" else "0mm",
        "focus": focus,
    }
    lines = "".join(f"  --{name}: {value};\n" for name, value in values.items())
    return f".look {{\n{lines}}}\n"


def scale_fitted_sizes(html: str, size: Size, style: LookStyle) -> str:
    """Return a template whose `data-fit` sizes, in points on a poker card, are those of the size.

    The box of the text has the size that the style asks for.
    """
    scale = get_type_scale(size)

    def convert(match: re.Match[str]) -> str:
        low = max(_MIN_SIZE_PT, float(match["low"]) * scale)
        high = max(low, float(match["high"]) * scale)
        if style.text_size and "text" in match["classes"].split():
            low = high = style.text_size
        return f'{match["head"]}data-fit="{low:.3g}-{high:.3g}"'

    return _FIT_LIMITS.sub(convert, html)


def write_classes(
    deck: Deck, style: LookStyle, fields: Mapping[str, Collection[str]], filled: Collection[str],
    constants: Mapping[str, int],
) -> str:  # fmt: skip
    """Return the classes of a face, as part of a template.

    `fields` fill places, `filled` are places that hold something on every card, and `constants`
    are the lengths of texts that do not stand in fields.
    """
    wide = deck.size.width > deck.size.height * 1.05
    always = [
        "wide" if wide else "tall",
        *(["size-small"] if get_scale(deck.size) < _SMALL_SCALE else []),
        *(f"{key}-{word}" for key, word in style.choices.items() if key != TEXTURE_KEY),
        *(f"has-{place}" for place in fields if place in filled or _has_value(deck, fields[place])),
    ]
    by_language = {
        language: " ".join(_list_text_classes(deck, language, fields, constants))
        for language in deck.title
    }
    if len(set(by_language.values())) == 1:
        return " ".join([*always, *set(by_language.values())])
    listed = ", ".join(f'"{language}": "{each}"' for language, each in by_language.items())
    return f"{' '.join(always)} {{{{ {{{listed}}}[language] }}}}"


def _list_text_classes(
    deck: Deck, language: str, fields: Mapping[str, Collection[str]], constants: Mapping[str, int]
) -> Iterator[str]:
    signs = 2 if language.split("-", maxsplit=1)[0] in _WIDE_LETTERS else 1

    def measure(place: str) -> list[int]:
        names = fields.get(place, ())
        return [
            signs * sum(_measure(piece.values, name, language) for name in names)
            for piece in deck.pieces
        ] or [0]

    lengths = zip(*map(measure, BODY_SLOTS), strict=True)
    words = sum(signs * constants.get(place, 0) for place in BODY_SLOTS)
    longest = words + max(map(sum, lengths))
    scale = get_scale(deck.size)
    # Type is damped on large cards, and hardly shrinks on small ones.
    load = longest * (1.5 if scale < _SMALL_SCALE else (get_type_scale(deck.size) / scale) ** 2)
    name = next((name for most, name in _TEXT_CLASSES.items() if load < most), "full")
    yield f"text-{name if longest else 'none'}"
    if max(measure("title")) + constants.get("title", 0) > _MAX_TITLE_CHARS / signs:
        yield "long-title"


def _has_value(deck: Deck, names: Collection[str]) -> bool:
    return any(
        _get_value(piece.values, name) not in (None, "", ()) for piece in deck.pieces
        for name in names
    )  # fmt: skip


def _measure(values: Mapping[str, Value], name: str, language: str) -> int:
    value = _get_value(values, name)
    if isinstance(value, Text):
        return len(value[language])
    return 0 if value is None else len(str(value))


def _get_value(values: Mapping[str, Value], name: str) -> Value:
    """Return the value of a field, which may be one of a record."""
    outer, _, inner = name.partition(".")
    value = values.get(outer)
    return value.get(inner) if inner and isinstance(value, Mapping) else value
