"""What a translation lost or broke of its source: icons, places to fill in, bold and italic."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from cardgen.base.yamlnodes import UNPRINTABLE
from cardgen.game import slips
from cardgen.game.signs import TOKEN, held, styled
from cardgen.game.translation import odd_cells

LONGEST = 20_000
"""Letters of a translation."""
_JINJA = re.compile(r"\{\{.{0,200}?\}\}|\{%.{0,200}?%\}", re.DOTALL)
_ESCAPED = re.compile(r"\\\{[^{}\n]{0,100}\\?\}")
# Ends of lines and marks of files, which are no letters of a text.
_NO_TEXT = re.compile("[\u2028\u2029\ufeff\ufff9-\ufffd]")
_UNSEEN = {"\u200b": "a space without width", "\u2060": "a joint without width"}
_SPACES = " \t\n"
_STYLES = {"bold": "<b>", "italic": "<i>"}
_PERCENT = re.compile(r"%(?:\(\w{1,40}\))?[sd]\b")


def wrong(source: str, text: str, icons: Collection[str], *, in_table: bool) -> list[str]:
    """Why a translation cannot be taken; nothing where it can."""
    if len(text) > LONGEST:
        return [f"the text has {len(text):,} letters; {LONGEST:,} are the most"]
    signs = [*UNPRINTABLE.findall(text), *_NO_TEXT.findall(text)]
    sign = next((sign for sign in signs if sign not in source), "")
    if sign:
        return [f"U+{ord(sign):04X} is no character that can be printed"]
    if odd_cells.ERROR.fullmatch(text.strip()) and text.strip() != source.strip():
        return [f"{text.strip()} is what a spreadsheet says of a broken formula"]
    told = {slip.message for slip in slips.in_text(source, icons, in_table)}
    stars = set(slips.unpaired(styled(held(text))))
    found = [
        slip.message
        for slip in slips.in_text(text, icons, in_table)
        if (slip.severity == "error" or slip in stars) and slip.message not in told
    ]
    lost = _placeholders(source, icons) - _placeholders(text, icons)
    if lost and not found:
        found.append(f"it lacks {_named(lost)}, which its source has")
    return found


def doubtful(source: str, text: str) -> list[str]:
    """What may have gone amiss in a translation that is taken."""
    had, has = (styled(held(said)) for said in (source, text))
    counts = {name: (had.count(mark), has.count(mark)) for name, mark in _STYLES.items()}
    lost = [name for name, (before, now) in counts.items() if before and not now]
    told = [f"its source has words in {' and '.join(lost)}, it has none"] if lost else []
    fewer = [
        f"its source has {before} passages in {name}, it has {now}"
        for name, (before, now) in counts.items()
        if 0 < now < before
    ]
    unseen = [
        f"it holds U+{ord(sign):04X}, {name}"
        for sign, name in _UNSEEN.items() if sign in text and sign not in source
    ]  # fmt: skip
    return told + fewer + unseen


def trimmed(source: str, text: str) -> str:
    """A translation without spaces at those ends where its source has none."""
    text = text if source[:1].isspace() else text.lstrip(_SPACES)
    return text if source.rstrip("\n")[-1:].isspace() else text.rstrip(_SPACES)


def icons_of(text: str, icons: Collection[str]) -> list[str]:
    """The icons and places to fill in that a translation must have, too."""
    return list(_placeholders(text, icons))


def _placeholders(text: str, icons: Collection[str]) -> Counter[str]:
    """What stands in a text for something else, as it is written."""
    found = Counter(match[0] for match in _JINJA.finditer(text))
    rest = _JINJA.sub(" ", text)
    found.update(match[0] for match in _ESCAPED.finditer(rest))
    found.update(match[0] for match in _PERCENT.finditer(rest))
    found.update(match[0] for match in TOKEN.finditer(held(rest)) if match[1] in icons)
    return found


def _named(lost: Counter[str]) -> str:
    return ", ".join(f"{count} × {sign}" if count > 1 else sign for sign, count in lost.items())
