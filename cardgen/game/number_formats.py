"""Numbers as people write them in tables, and the decimal sign of a language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from fractions import Fraction

from cardgen.core.yaml_nodes import parse_scalar

_COMMA_LANGUAGES = frozenset({
    "af", "be", "bg", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fr", "gl", "hr", "hu",
    "id", "is", "it", "kk", "lt", "lv", "mk", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk",
    "sl", "sq", "sr", "sv", "tr", "uk", "vi",
})  # fmt: skip
_POINT_REGIONS = frozenset({
    "de-ch", "de-li", "es-cr", "es-do", "es-gt", "es-hn", "es-mx", "es-ni", "es-pa", "es-pe",
    "es-pr", "es-sv", "es-us", "fr-ch", "it-ch",
})  # fmt: skip
_SPACES = " \u00a0\u2007\u2009\u202f"
_SPACE_GROUPS = re.compile(rf"[0-9]{{1,3}}(?:[{_SPACES}'’][0-9]{{3}})+(?![0-9])")
_PLAIN = re.compile(r"[0-9]{1,18}(?:[.,][0-9]{1,18})?\Z")
_GROUPED = re.compile(r"([1-9][0-9]{0,2})(?:([.,])[0-9]{3}(?:\2[0-9]{3})*)\Z")
_GROUPED_DECIMAL = re.compile(r"[1-9][0-9]{0,2}(?:([.,])[0-9]{3})(?:\1[0-9]{3})*(?!\1)[.,][0-9]+\Z")
_FRACTION = re.compile(r"(?:([0-9]{1,9})[ \u00a0\u2009\u202f]?)??([0-9]{1,9})[/⁄]([0-9]{1,9})\Z")
_VULGAR = re.compile(r"([0-9]{0,9})[ \u00a0\u2009\u202f]?([¼½¾⅐-⅞↉])\Z")
_COPIES = re.compile(
    r"(?:[x×✕х*][ \u00a0]*)?([0-9]{1,9})"
    r"(?:[ \u00a0]*(?:[x×✕х*]|(?:pcs?|pieces?|copy|copies|cards?|kpl|"
    r"kappaletta|korttia|stk|stck|stück|karten?|st|ex|шт|штуки?|копи[йяи]|карт[аы]?)\.?))?\Z",
    re.IGNORECASE,
)
_COUNT_LIKE = re.compile(
    r"[x×✕х*]?\s*[-+−]?[0-9][0-9.,e]*(?:\s*[^\w\s].*)?\Z|[-–—?]+\Z", re.DOTALL | re.I
)


def get_decimal_sign(language: str) -> str:
    """Return the decimal sign of a language: a comma in Finnish."""
    is_comma = language.partition("-")[0].lower() in _COMMA_LANGUAGES
    return "," if is_comma and language.lower() not in _POINT_REGIONS else "."


def parse_number(text: str) -> int | float | None:
    """Return the number that a cell holds in any language, such as 1,5 or ½ or 50 %.

    None is returned for a text without a number, and for `1.000`, which may be two numbers.
    """
    text = text.strip().translate({ord("−"): "-", ord("–"): "-", ord("－"): "-"})
    sign = -1 if text.startswith("-") else 1
    body = text[1:].lstrip() if text[:1] in {"-", "+"} else text
    percent = body.endswith("%")
    body = body.removesuffix("%").rstrip(_SPACES)
    if match := _SPACE_GROUPS.match(body):
        body = re.sub(rf"[{_SPACES}'’]", "", match[0]) + body[match.end() :]
    elif is_ambiguous(body):
        return None
    number = _parse_unsigned(body)
    if number is None:
        return None
    number *= sign
    return number / 100 if percent else number


def _parse_unsigned(text: str) -> int | float | None:
    if _GROUPED_DECIMAL.match(text) or (_GROUPED.match(text) and not is_ambiguous(text)):
        *groups, last = re.split("[.,]", text)
        is_grouped = _GROUPED.match(text)
        text = "".join((*groups, last)) if is_grouped else f"{''.join(groups)}.{last}"
    if _PLAIN.match(text):
        value = parse_scalar(text.replace(",", "."))
        return value if isinstance(value, int | float) else None
    if match := _FRACTION.match(text) or _VULGAR.match(text):
        whole, *parts = match.groups()
        return _parse_fraction(int(whole or 0), parts)
    return None


def _parse_fraction(whole: int, parts: list[str]) -> float | None:
    """Return a number with a fraction, None where its decimals have no end."""
    if len(parts) == 2 and not int(parts[1]):
        return None
    fraction = (
        Fraction(int(parts[0]), int(parts[1]))
        if len(parts) == 2
        else Fraction(unicodedata.numeric(parts[0])).limit_denominator(100)
    )
    rest = fraction.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    number = whole + fraction
    return None if rest > 1 else int(number) if number.denominator == 1 else float(number)


def is_ambiguous(text: str) -> bool:
    """Return whether a text is a number with one comma or point that may group thousands."""
    text = text[1:] if text[:1] in {"-", "+", "−"} else text
    return bool(_GROUPED.match(text)) and sum(map(text.count, ".,")) == 1


def find_decimal_signs(texts: Iterable[str]) -> frozenset[str]:
    """Return the decimal signs of numbers that leave no doubt: a comma for 2,5 and 1.000,5."""
    found = set()
    for text in texts:
        body = text.strip().lstrip("+-−").rstrip(f"%{_SPACES}")
        signs = re.findall("[.,]", body)
        if _GROUPED_DECIMAL.match(body) or (len(signs) == 1 and _PLAIN.match(body)):
            found.add("" if is_ambiguous(body) else signs[-1])
        elif len(signs) > 1 and _GROUPED.match(body):
            found.add("," if signs[0] == "." else ".")
    return frozenset(found - {""})


def parse_grouped_number(
    text: str, languages: Iterable[str], signs: frozenset[str] = frozenset()
) -> tuple[int | float | None, str]:
    """Return what a number such as `1,000` is in some languages. Where it may be two numbers,
    return None and what to do. `signs` are the decimal signs of the other cells of its column."""
    sign, body = ("-", text[1:]) if text[:1] in {"-", "−"} else ("", text.removeprefix("+"))
    if not is_ambiguous(text):
        return None, ""
    thousands, decimal = sign + re.sub("[.,]", "", body), sign + body.replace(",", ".")
    own = "," if "," in body else "."
    of_languages = {*map(get_decimal_sign, languages)}
    known = signs | (of_languages if len(of_languages) == 1 else set())
    if known == {own} and (own == "." or signs or not body.endswith("000")):
        return float(decimal), ""
    if known == of_languages == {"."}:
        return int(thousands), ""
    return None, f"may be {thousands} or {float(decimal):.15g}; write one of these"


def parse_copies(text: str) -> str:
    """Return the digits of a number of copies such as `x2`, `3×` or `2 pcs`; other texts as they
    are."""
    match = _COPIES.match(text)
    return match[1] if match else text


def is_count_like(text: str) -> bool:
    """Return true for what people write where copies are counted, readable or not: `3 pcs`,
    `2 (3)`, `2.5`, `-`."""
    return bool(_COPIES.match(text) or _COUNT_LIKE.match(text))
