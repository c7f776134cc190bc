"""Custom properties of CSS, `var(--ink)`: which are used, and which are known.

CSS passes over a declaration that uses an unknown one, and says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from cardgen.base.problems import did_you_mean

OF_FACES = ("--bleed", "--safe", "--trim-height", "--trim-width")
"""Those that cardgen itself gives to faces."""
OF_BOOKS = (
    "--accent", "--beside", "--display", "--display-weight", "--full", "--hang", "--in-box",
    "--ink-of-book", "--measure", "--on-accent", "--paper", "--rule", "--side", "--tint", "--unbox",
)  # fmt: skip
"""Those that it gives to books."""
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_USE = re.compile(r"\bvar\(\s*(--[\w-]+)\s*\)")
_DEFINITION = re.compile(r"(?<![\w-])(--[\w-]+)\s*:")


def of_colours(colours: Mapping[str, str] | Iterable[str]) -> set[str]:
    """The properties that colours of a game are."""
    return {f"--{name}" for name in colours}


def defined(text: str) -> set[str]:
    """The properties that a stylesheet, or HTML or a template, sets."""
    return set(_DEFINITION.findall(text)) if "--" in text else set()


def used(css: str) -> Iterator[tuple[str, int]]:
    """The properties that CSS uses with nothing to fall back on, and where."""
    if "var(" not in css:
        return
    plain = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), css)
    for match in _USE.finditer(plain):
        yield match[1], match.start()


def unknown(name: str, known: Iterable[str]) -> str:
    """What is told of a property that nothing sets."""
    # All begin alike, which would make any two of them near.
    hint = did_you_mean(name[2:], (other[2:] for other in known)).replace(" '", " '--")
    return f"var({name}) is set nowhere, so its declaration has no effect{hint}"
