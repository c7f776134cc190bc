"""Fast search for tags, attributes and URLs in HTML and CSS.

Regular expressions replace a parser, since every face is searched before typesetting. Text between
tags, comments and the values of other attributes are skipped.
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
    """Return the addresses of pictures in HTML as written, each once, from tags and styles."""
    return list(dict.fromkeys(_find_pictures(text)))


def _find_pictures(text: str) -> Iterator[str]:
    for match in _TAG.finditer(text):
        rest = match[2] or ""
        if not any(word in rest.lower() for word in ("src", "href", "url(")):
            continue
        sources = _PICTURE_ATTRIBUTES.get(match[1].lower(), ())
        for attribute in _ATTRIBUTE.finditer(rest):
            name = attribute[1].lower()
            value = attribute[2] or attribute[3] or attribute[4] or ""
            if name in sources and value:
                yield value
            elif name == "style":
                yield from list_urls(html.unescape(value))


def list_urls(css: str) -> list[str]:
    """Return the URLs in CSS as written, each once, except those within the same file (#…)."""
    urls = (match[1] or match[2] or match[3] for match in _URL.finditer(css))
    return [url for url in dict.fromkeys(urls) if url and not url.startswith("#")]


def find_attribute(text: str, name: str) -> Iterator[tuple[int, int, str]]:
    """Yield each occurrence of an attribute in HTML: (start, end, value)."""
    if name not in text:
        return
    for tag in _TAG.finditer(text):
        if tag[2] and name in tag[2]:
            for found in _ATTRIBUTE.finditer(tag[2]):
                if found[1].lower() == name:
                    start = tag.start(2)
                    value = found[2] or found[3] or found[4] or ""
                    yield start + found.start(), start + found.end(), value
