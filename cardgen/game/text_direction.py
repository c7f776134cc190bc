"""Writing direction of languages, and stylesheets mirrored for right-to-left text."""

from __future__ import annotations

import re

_RTL_SCRIPTS = frozenset(
    {"adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"}
)
_RTL_LANGUAGES = frozenset({
    "ar", "arc", "ars", "ary", "arz", "azb", "bal", "bgn", "bqi", "ckb", "dv", "fa", "glk", "he",
    "iw", "ji", "khw", "ks", "lrc", "mzn", "nqo", "pnb", "ps", "sd", "sdh", "skr", "syr", "ug",
    "ur", "yi",
})  # fmt: skip

_CSS_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_LEFT_OR_RIGHT = re.compile(r"\b(left|right)\b")


def is_right_to_left(language: str) -> bool:
    """Return whether a language is written from right to left. A script in its code decides
    first."""
    first, *more = language.lower().split("-")
    script = next((part for part in more if len(part) == 4 and part.isalpha()), "")
    return script in _RTL_SCRIPTS if script else first in _RTL_LANGUAGES


def format_language_attributes(language: str) -> str:
    """Return the HTML attributes of a language: `lang`, and `dir` if it is written from right to
    left."""
    return f'lang="{language}"' + (' dir="rtl"' if is_right_to_left(language) else "")


def format_part_attributes(language: str) -> str:
    """Return the HTML attributes of a part in another language than its surroundings."""
    return f'lang="{language}" dir="{"rtl" if is_right_to_left(language) else "ltr"}"'


def mirror_stylesheet(text: str) -> str:
    """Return one of cardgen's own stylesheets with left and right exchanged.

    Compositions stay as they are, since their parts have computed positions.
    """

    def mirror_rule(match: re.Match[str]) -> str:
        if ".composition" in match[1]:
            return match[0]
        return f"{match[1]}{{{';'.join(map(_mirror_declaration, match[2].split(';')))}}}"

    return _CSS_RULE.sub(mirror_rule, text)


def _mirror_declaration(declaration: str) -> str:
    swapped = _LEFT_OR_RIGHT.sub(lambda side: "right" if side[0] == "left" else "left", declaration)
    name, colon, value = swapped.partition(":")
    sides = value.split()
    if name.strip() in {"margin", "padding"} and len(sides) == 4:
        top, right, bottom, left = sides
        return f"{name}{colon} {top} {left} {bottom} {right}"
    return swapped
