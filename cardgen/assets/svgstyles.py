"""What of an SVG's looks is inherited, and what its `<style>` says of which elements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from xml.etree.ElementTree import Element

Looks = Mapping[str, str]
"""Property → value, as written."""

INITIAL: Looks = {
    "fill": "#000", "stroke": "none", "stroke-width": "1", "stroke-linecap": "butt",
    "stroke-linejoin": "miter", "stroke-miterlimit": "4", "fill-rule": "nonzero",
    "stroke-dasharray": "none", "fill-opacity": "1", "stroke-opacity": "1", "visibility": "visible",
    "clip-rule": "nonzero", "color": "#000",
}  # fmt: skip
"""What a shape inherits from what it stands in, and what it is at first."""
OWN = frozenset({"opacity", "display", "clip-path", "mask", "filter", "mask-type", "marker-start",
                 "marker-mid", "marker-end"})  # fmt: skip
"""What holds for an element alone."""
_COMMENT = re.compile(r"/\*.*?\*/|<!--|-->", re.DOTALL)
_RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
_COMPOUND = re.compile(r"([\w-]+|\*)?((?:[.#][\w-]+)*)\Z")
_NAME = re.compile(r"[.#][\w-]+")
_BLOCK = re.compile(r"@[\w-]+[^{};]*(?:;|\{(?:[^{}]|\{[^{}]*\})*\})")


class Sheet:
    """The rules of a drawing's `<style>` elements. Only names of elements, classes and ids are
    asked for; `unheeded` are the selectors and at-rules that ask for more."""

    def __init__(self, root: Element) -> None:
        self._rules: list[tuple[tuple[int, int, int], int, str, frozenset[str], Looks]] = []
        self.unheeded: dict[str, None] = {}
        for element in root.iter():
            if local(element) == "style":
                self._read(_COMMENT.sub(" ", "".join(element.itertext())))
        self._rules.sort(key=lambda rule: rule[:2])

    def _read(self, css: str) -> None:
        for block in _BLOCK.findall(css):
            name = block.split("{")[0].split()[0].rstrip(";")
            if name not in ("@charset", "@font-face", "@namespace"):
                self.unheeded[name] = None
        for selectors, written in _RULE.findall(_BLOCK.sub(" ", css)):
            looks = dict(declared(written))
            for selector in selectors.split(","):
                self._add(selector.strip(), looks)

    def _add(self, selector: str, looks: Looks) -> None:
        match = _COMPOUND.match(selector)
        if match is None or not selector:
            self.unheeded[selector[:40]] = None
            return
        names = _NAME.findall(match[2])
        tag = "" if match[1] in (None, "*") else str(match[1])
        weight = (sum(n[0] == "#" for n in names), sum(n[0] == "." for n in names), int(bool(tag)))
        self._rules.append((weight, len(self._rules), tag, frozenset(names), looks))

    def of(self, element: Element) -> dict[str, str]:
        """What an element says of its looks: its `style` before the rules, these before its
        attributes."""
        found = dict(_known(element.items()))
        if self._rules:
            tag, names = local(element), {f"#{element.get('id', '')}"}
            names.update(f".{name}" for name in element.get("class", "").split())
            for _, _, asked, needed, looks in self._rules:
                if asked in ("", tag) and needed <= names:
                    found.update(looks)
        found.update(declared(element.get("style", "")))
        return {name: value for name, value in found.items() if value and value != "inherit"}


def declared(css: str) -> Iterator[tuple[str, str]]:
    """The declarations of a `style` or a rule, as far as they are looks."""
    parts = (part.partition(":") for part in css.split(";"))
    cleaned = ((name.strip(), value.replace("!important", "").strip()) for name, _, value in parts)
    return _known(cleaned)


def _known(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    return ((name, value.strip()) for name, value in pairs if name in INITIAL or name in OWN)


def local(element: Element) -> str:
    """An element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]
