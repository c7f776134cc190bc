"""HTML written into a rulebook: a short list of tags is let through, all else is shown as text."""

from __future__ import annotations

from html.parser import HTMLParser

from markupsafe import escape

INLINE = frozenset({
    "abbr", "b", "br", "cite", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "s", "small",
    "span", "strong", "sub", "sup", "u", "wbr",
})  # fmt: skip
BLOCK = frozenset({
    "blockquote", "caption", "center", "dd", "details", "div", "dl", "dt", "hr", "li", "ol", "p",
    "pre", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
})  # fmt: skip
_EMPTY = frozenset({"br", "hr", "wbr"})
_KEPT = frozenset({"class", "colspan", "rowspan"})
_BARE = {"center": "div", "details": "div", "summary": "p"}
"""Tags of which a printed page has no use, and what they become."""


class Cleaner(HTMLParser):
    """Cleans one piece of HTML after another; what is open stays known between them.

    `refused` are the names of tags that were shown as text, since it was last emptied.
    """

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.refused: list[str] = []
        self.open: list[tuple[str, int]] = []
        self._level = 0
        self._out: list[str] = []

    def clean(self, html: str, level: int) -> str:
        """The piece, cleaned. `level` is how deep in the Markdown it stands."""
        self._level, self._out = level, []
        self.feed(html)
        rest = self.rawdata
        self.reset()  # a tag cut short, or a <script> left open, ends with its piece
        return "".join([*self._out, str(escape(rest))])

    def close_to(self, level: int) -> str:
        """The end tags of whatever was opened deeper than a level and not closed there."""
        closed = ""
        while self.open and self.open[-1][1] > level:
            closed += f"</{self.open.pop()[0]}>"
        return closed

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in INLINE | BLOCK:
            self._refuse(tag)
            return
        kept = "".join(f' {name}="{escape(value or "")}"' for name, value in attrs if name in _KEPT)
        name = _BARE.get(tag, tag)
        self._out.append(f"<{name}{kept}>")
        if tag not in _EMPTY and len(self.open) < 40:
            self.open.append((name, self._level))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag in INLINE | BLOCK and tag not in _EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in INLINE | BLOCK:
            self._out.append(str(escape(f"</{tag}>")))
            return
        name = _BARE.get(tag, tag)
        here = [index for index, entry in enumerate(self.open) if entry == (name, self._level)]
        if here:  # else it closes nothing that was opened here
            for left, _ in reversed(self.open[here[-1] :]):
                self._out.append(f"</{left}>")
            del self.open[here[-1] :]

    def handle_data(self, data: str) -> None:
        self._out.append(str(escape(data)))

    def handle_entityref(self, name: str) -> None:
        self._out.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._out.append(f"&#{name};")

    def _refuse(self, tag: str) -> None:
        self.refused.append(tag)
        self._out.append(str(escape(self.get_starttag_text() or f"<{tag}>")))
