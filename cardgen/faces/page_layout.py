"""HTML of a batch, parsed once and laid out as a whole or in parts during the search for sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html.parser import HTMLParser
from typing import Any
from xml.etree.ElementTree import Element

from cardgen.assets.artwork import BASE_URL
from cardgen.pdf import weasyprint_patches
from cardgen.pdf.weasyprint_adapter import ArtFetcher, FontConfiguration, ParsedHtml, weasyprint


@lru_cache(maxsize=1)
def _make_overlay_css() -> weasyprint.CSS:
    """Return CSS that stacks standalone boxes on one page."""
    return weasyprint.CSS(
        string="body > .face { position: absolute !important; left: 0 !important; "
        "top: 0 !important; break-after: auto !important }"
    )


class PageLayout:
    """Sections of HTML, one page per face, with their fonts and styles."""

    def __init__(
        self,
        sections: Iterable[str],
        fonts: FontConfiguration,
        stylesheets: Sequence[weasyprint.CSS],
        styles: Iterable[str],
        fetcher: ArtFetcher,
    ) -> None:
        """Parse the sections; `styles` are the texts of the stylesheets."""
        self._fonts, self._stylesheets, self._fetcher = fonts, stylesheets, fetcher
        text = f"<!doctype html><html><head></head><body>{''.join(sections)}</body></html>"
        html = weasyprint.HTML(string=text, base_url=BASE_URL, url_fetcher=fetcher)
        self._body = html.etree_element.find("body")
        self._own = weasyprint_patches.get_own_stylesheets(html, styles)
        self._images: dict[str, Any] = {}

    def find_chains(self, names: Iterable[str]) -> Iterator[tuple[str, list[Element]]]:
        """Yield id and ancestors, outermost first, of elements with those ids.

        Skips elements nested in each other.
        """
        wanted = set(names)
        if not wanted:
            return
        for section in self._body:
            for chain, nested in _find_element_chains(section, wanted, []):
                if not nested:
                    yield chain[-1].get("id", ""), chain

    def find_section(self, name: str) -> Element | None:
        """Return the section with that id."""
        return next((each for each in self._body if each.get("id") == name), None)

    def lay_out_sections(
        self, without: Iterable[str], sizes: Mapping[str, float]
    ) -> weasyprint.Document:
        """Lay out all sections but those in `without`; `sizes` in pt by element id."""
        left_out = set(without)
        sections = [each for each in self._body if each.get("id") not in left_out]
        return self._lay_out_html(sections, sizes)

    def lay_out_elements(
        self, elements: Iterable[Element], sizes: Mapping[str, float]
    ) -> weasyprint.Document:
        """Lay out elements made by `copy_chain`, stacked on one page."""
        return self._lay_out_html(elements, sizes, _make_overlay_css())

    def _lay_out_html(
        self, sections: Iterable[Element], sizes: Mapping[str, float], *more: weasyprint.CSS
    ) -> weasyprint.Document:
        root, head, style = Element("html"), Element("head"), Element("style")
        rules = (f"#{name}{{font-size:{size}pt !important}}" for name, size in sizes.items())
        style.text = "".join(rules)
        body = Element("body")
        body.extend(sections)
        head.append(style)
        root.extend((head, body))
        document = ParsedHtml(root, self._fetcher, self._own).render(
            font_config=self._fonts, stylesheets=[*self._stylesheets, *more], cache=self._images
        )
        self._fetcher.raise_fetch_error()
        return document


def _find_element_chains(
    element: Element, wanted: set[str], above: list[Element]
) -> Iterator[tuple[list[Element], bool]]:
    """Yield chains down to wanted elements, and whether they are nested in each other."""
    chain = [*above, element]
    inner = [found for child in element for found in _find_element_chains(child, wanted, chain)]
    if element.get("id") in wanted:
        yield chain, bool(inner)
        yield from ((found, True) for found, _ in inner)
    else:
        yield from inner


def copy_chain(chain: Sequence[Element]) -> Element:
    """Return a copy of a chain's elements in which each has only the next as its child."""
    *outer, last = chain
    copied = Element(last.tag, last.attrib)
    copied.text = last.text
    copied.extend(last)
    for each in reversed(outer):
        wrapper = Element(each.tag, each.attrib)
        wrapper.append(copied)
        copied = wrapper
    return copied


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
        if "id" in names and names & {"data-fit", "data-fit-steps"}:
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
