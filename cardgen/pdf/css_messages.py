"""WeasyPrint's messages about CSS that it ignores, in the words of those who write CSS."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cardgen.core.problems import did_you_mean

_IS_WRAPPER = re.compile(r":is\([^()]*\)")
"""WeasyPrint puts this before a selector that is nested in another rule."""
_LENGTH_UNITS = "mm|cm|in|pt|pc|px|em|rem|ex|ch|q|vw|vh|%"
_SPACED_UNIT = re.compile(rf"(\d)\s+({_LENGTH_UNITS})(?![\w-])", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(rf"(?<![\w(,.])(\d+),(\d+)({_LENGTH_UNITS})?(?![\w,.])", re.IGNORECASE)
_UNITLESS_NUMBER = re.compile(r"-?\d+(?:\.\d+)?\Z")
_BARE_HEX_COLOUR = re.compile(r"(?<![#\w])(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})(?!\w)")
_HASH_WORD = re.compile(r"#[\w-]*")
_LENGTH_PROPERTIES = re.compile(
    r"(?:min-|max-)?(?:width|height)|left|right|top|bottom|(?:margin|padding)(?:-\w+)?|font-size|"
    r"letter-spacing|word-spacing|text-indent|border(?:-\w+)*-(?:width|radius)|border-radius|gap"
)
_KEYWORDS = {
    "position": "static relative absolute",
    "display": "block inline inline-block none flex grid table table-row table-cell list-item",
    "text-align": "left right center justify start end",
    "vertical-align": "baseline top middle bottom sub super text-top text-bottom",
    "font-style": "normal italic oblique",
    "font-weight": "normal bold bolder lighter",
    "text-transform": "none uppercase lowercase capitalize",
    "text-decoration": "none underline overline line-through",
    "white-space": "normal nowrap pre pre-wrap pre-line",
    "overflow": "visible hidden",
    "float": "none left right",
    "hyphens": "none manual auto",
    "object-fit": "fill contain cover none scale-down",
    "box-sizing": "content-box border-box",
    "visibility": "visible hidden",
}


def format_ignored_declaration(what: str, why: str, properties: Iterable[str]) -> str:
    """Say that a declaration such as `colour: red` is ignored, and what may be meant."""
    name, _, value = what.partition(":")
    hint = ""
    if "unknown" in why:
        hint = did_you_mean(name, properties, 0.75)
    elif "value" in why:
        hint = _explain_value(name.strip().lower(), value.strip())
    return f"'{' '.join(what.split())}' is ignored: {why.rstrip('.')}{hint}"


def _explain_value(name: str, value: str) -> str:
    """Say what is wrong with a value, if that is known; the first rule that matches."""
    spaced, comma, bare = (
        _SPACED_UNIT.search(value),
        _DECIMAL_COMMA.search(value),
        _UNITLESS_NUMBER.match(value),
    )
    sign, digits = _HASH_WORD.search(value), _BARE_HEX_COLOUR.search(value)
    near = did_you_mean(value, _KEYWORDS.get(name, "").split())
    rules = (
        (":" in value and "(" not in value, "is a ; missing?"),
        (re.search("[“”„‘’«»]", value), "quotes are straight, \"…\" or '…'"),
        (re.search(r"var\(\s*(?!--)", value), "a variable begins with --, as in var(--ink)"),
        (spaced, f"no space stands before the unit, {spaced and spaced[1] + spaced[2]}"),
        (comma, f"decimals follow a point, {comma and comma[1] + '.' + comma[2]}"),
        (bare and _LENGTH_PROPERTIES.fullmatch(name), f"a length has a unit, {value}mm"),
        (sign, "a colour is # and six signs, 0 to 9 and a to f"),
        (digits, f"a colour begins with #, #{digits and digits[0]}"),
        ("did you mean" in near, near.removeprefix("; ")),
    )
    return next((f"; {advice}" for matches, advice in rules if matches), "")


def format_bad_selector(written: str) -> str:
    """Say that a rule is ignored because of its selector."""
    selector = " ".join(_IS_WRAPPER.sub(" ", written).split())
    selector = selector if len(selector) <= 60 else f"{selector[:59]}…"
    if "//" in written:
        return f"'{selector}' is no selector; a comment is written /* … */"
    if selector.startswith("}"):
        return f"'{selector}' is no selector; a }} before it closes nothing"
    if re.search(r":\s", written):
        return f"'{selector}' is no selector; a }} or ; is missing before it"
    return f"the selector '{selector}' is not known, and its rule passed over"


def find_selector_line(text: str, written: str) -> int:
    """Return the line of a stylesheet on which a selector begins, from 1; 0 if it is not found.

    WeasyPrint reports a selector with single spaces, and a nested one after that of its outer rule.
    """
    words = _IS_WRAPPER.sub(" ", written).split()[:12]
    found = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
    return text.count("\n", 0, found.start()) + 1 if found else 0


def format_other_message(message: str) -> str:
    """Reword any other message about a stylesheet."""
    if "Stop token reached" in message or "EOF reached" in message:
        return "what stands there is neither a rule nor PROPERTY: VALUE;"
    if message.startswith("Font-face"):
        return "@font-face is not read; declare the family in fonts/fonts.yaml"
    return message
