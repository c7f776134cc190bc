"""Structural checks of a face's HTML before it is laid out in one document with others.

HTML parsers repair errors: an unclosed tag would swallow the cards behind it. Layout is
recursive, so depth is limited.
"""

from __future__ import annotations

from html.parser import HTMLParser

MAX_DEPTH = 50
MAX_ELEMENTS = 5000

_VOID_ELEMENTS = frozenset({"area", "br", "col", "embed", "hr", "img", "input", "wbr"})
_OPTIONAL_END_TAGS = frozenset({"dd", "dt", "li", "p", "tbody", "td", "tfoot", "th", "thead", "tr"})
_FORMATTING_ELEMENTS = frozenset({"b", "em", "i", "s", "small", "strong", "u"})
_REFUSED_ELEMENTS = {
    "style": "put it into a stylesheet, under styles:",
    "link": "name the stylesheet under styles:",
    **dict.fromkeys(
        ("base", "body", "frameset", "head", "html", "iframe", "meta", "noscript", "object",
         "plaintext", "script", "template", "textarea", "title", "xmp"),
        "a card has no use for it",
    ),
}  # fmt: skip


def find_structure_error(html: str) -> tuple[str, str]:
    """Return (template line, message) of the first error, or two empty strings."""
    reader = _StructureParser()
    reader.feed(html)
    reader.check_end()
    return reader.wrong or ("", "")


class _StructureParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.wrong: tuple[str, str] | None = None
        self._open: list[tuple[str, str]] = []
        self._at = ""
        self._count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._at = dict(attrs).get("data-at") or self._at
        self._count += 1
        names = {name for name, _ in attrs}
        if names >= {"id", "data-fit"}:
            self._report_error("a box with data-fit cannot have an id; use a class")
        if tag in _REFUSED_ELEMENTS:
            self._report_error(f"<{tag}> is not allowed in a template; {_REFUSED_ELEMENTS[tag]}")
        if tag not in _VOID_ELEMENTS:
            self._open.append((tag, self._at))
        if len(self._open) > MAX_DEPTH:
            self._report_error(
                f"elements are nested more than {MAX_DEPTH} deep; is a tag unclosed?"
            )
        if self._count > MAX_ELEMENTS:
            self._report_error(f"there are more than {MAX_ELEMENTS} elements on one face")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Close `<path/>` within a drawing; elsewhere the slash has no effect."""
        self.handle_starttag(tag, attrs)
        drawing = any(name == "svg" for name, _ in self._open)
        if tag not in _VOID_ELEMENTS and drawing:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in _OPTIONAL_END_TAGS | _FORMATTING_ELEMENTS:
            self._close_element(tag)
            return
        while self._open and self._open[-1][0] in _OPTIONAL_END_TAGS:
            self._open.pop()
        if self._open and self._open[-1][0] == tag:
            self._open.pop()
        elif any(name == tag for name, _ in self._open):
            self._report_open()
        elif tag not in _VOID_ELEMENTS:
            self._report_error(f"</{tag}> closes nothing: there is no <{tag}> before it")

    def check_end(self) -> None:
        """Report what is still open at the end."""
        if self.rawdata.lstrip().startswith("<"):
            what = "<!--" if self.rawdata.lstrip().startswith("<!--") else "<"
            self._report_error(f"a {what} is not closed")
        self._open = [entry for entry in self._open if entry[0] not in _OPTIONAL_END_TAGS]
        if self._open:
            self._report_open()

    def _close_element(self, tag: str) -> None:
        for index in reversed(range(len(self._open))):
            if self._open[index][0] == tag:
                del self._open[index]
                return

    def _report_open(self) -> None:
        tag, self._at = self._open[-1]
        self._report_error(f"<{tag}> is not closed")

    def _report_error(self, message: str) -> None:
        self.wrong = self.wrong or (self._at, message)
