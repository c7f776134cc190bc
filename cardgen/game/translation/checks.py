"""What a translation lost or broke of its source: icons, places to fill in, bold and italic."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from cardgen.base.yamlnodes import UNPRINTABLE
from cardgen.game import slips
from cardgen.game.signs import TOKEN, held, styled

LONGEST = 20_000
"""Letters of a translation."""
_JINJA = re.compile(r"\{\{.{0,200}?\}\}|\{%.{0,200}?%\}", re.DOTALL)
_ESCAPED = re.compile(r"\\\{[^{}\n]{0,100}\\?\}")
_PERCENT = re.compile(r"%(?:\(\w{1,40}\))?[sd]\b")


def wrong(source: str, text: str, icons: Collection[str], *, in_table: bool) -> list[str]:
    """Why a translation cannot be taken; nothing where it can."""
    if len(text) > LONGEST:
        return [f"the text has {len(text):,} letters; {LONGEST:,} are the most"]
    sign = UNPRINTABLE.search(text)
    if sign is not None:
        return [f"U+{ord(sign[0]):04X} is no character that can be printed"]
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
    lost = [name for name, mark in (("bold", "<b>"), ("italic", "<i>"))
            if mark in styled(held(source)) and mark not in styled(held(text))]  # fmt: skip
    return [f"its source has words in {' and '.join(lost)}, it has none"] if lost else []


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
