"""HTML's opening tags and their attributes, found fast: for every face, before anything is set.

What stands in the text between tags, in comments or in other attributes is no tag and no address,
whatever it looks like.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

_TAG = re.compile(
    r"""<!--.*?-->|<([a-zA-Z][^\s/>]*+)((?:[^>"']++|"[^"]*+"|'[^']*+')*+)>""", re.DOTALL
)
_ATTRIBUTE = re.compile(
    r"""([^\s=>"'/]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++)))?""", re.DOTALL
)
_URL = re.compile(
    r"""/\*.*?\*/|(?<![\w-])url\(\s*+(?:"([^"\n]*+)"|'([^'\n]*+)'|([^"'()\s]++))\s*+\)"""
    r"""|"(?:[^"\\\n]|\\.)*+"|'(?:[^'\\\n]|\\.)*+'""",
    re.DOTALL | re.IGNORECASE,
)
_PICTURE_ATTRIBUTES = {"img": ("src",), "embed": ("src",), "image": ("href", "xlink:href")}


def list_pictures(text: str) -> list[str]:
    """The addresses of pictures in HTML, as written, each once: of tags that show one, and in
    styles."""
    return list(dict.fromkeys(_find_pictures(text)))


def _find_pictures(text: str) -> Iterator[str]:
    for match in _TAG.finditer(text):
        rest = match[2] or ""
        asked = rest.lower()
        if not ("src" in asked or "href" in asked or "url(" in asked):
            continue
        shown = _PICTURE_ATTRIBUTES.get(match[1].lower(), ())
        for found in _ATTRIBUTE.finditer(rest):
            name, value = found[1].lower(), found[2] or found[3] or found[4] or ""
            if name in shown and value:
                yield value
            elif name == "style":
                yield from list_urls(html.unescape(value))


def list_urls(css: str) -> list[str]:
    """The addresses in CSS, as written, each once, those in its strings and comments left out;
    what begins with # is a place of the same file."""
    found = (match[1] or match[2] or match[3] for match in _URL.finditer(css))
    return [a for a in dict.fromkeys(found) if a and not a.startswith("#")]


def find_attribute(text: str, name: str) -> Iterator[tuple[int, int, str]]:
    """Where an attribute stands in HTML's tags, from and to, and its value."""
    if name not in text:
        return
    for tag in _TAG.finditer(text):
        if tag[2] and name in tag[2]:
            for found in _ATTRIBUTE.finditer(tag[2]):
                if found[1].lower() == name:
                    start = tag.start(2)
                    value = found[2] or found[3] or found[4] or ""
                    yield start + found.start(), start + found.end(), value
