"""What faces and books are set with: WeasyPrint made ready, its fonts, what it may read, its log.

Importing this module imports WeasyPrint: half a second, so only where something is set.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from PIL import Image

from cardgen.assets import artwork
from cardgen.assets.artwork import BASE_URL, NOWHERE, Art, address, nowhere
from cardgen.assets.fontfiles import ICON_FAMILY, Cut
from cardgen.base.paths import Anew
from cardgen.base.problems import Remark, line_of
from cardgen.base.store import read
from cardgen.pdf import csswords, line_ends, run_ends, short_ways  # noqa: F401 - they hold where anything is set
from cardgen.pdf.library import (
    KNOWN_PROPERTIES,
    FontConfiguration,
    URLFetcher,
    URLFetcherResponse,
    harfbuzz_subset,
    svg_css,
    svg_utils,
    weasyprint,
)
from cardgen.templates.tags import addresses, pictures

__all__ = [
    "Fetcher", "FontConfiguration", "Log", "Tree", "css", "families", "font_faces",
    "template_line", "weasyprint",
]  # fmt: skip

if not harfbuzz_subset:
    # WeasyPrint would go on, thirty times slower and with other bytes at every build.
    raise OSError("cannot load library 'libharfbuzz-subset'")


def _lenient(function: Callable[..., Any]) -> Callable[..., Any]:
    """For addresses that are none, such as `//[::1`: WeasyPrint goes on after those it cannot
    read, but breaks off at those that cannot be parsed."""

    def parsed(*addresses: str) -> Any:
        try:
            return function(*addresses)
        except ValueError:
            return function(*addresses[:-1], nowhere(addresses[-1]))

    return parsed


for _module, _name in ((weasyprint.urls, "urljoin"), (svg_css, "urljoin"), (svg_utils, "urlparse")):
    setattr(_module, _name, _lenient(getattr(_module, _name)))


def css(text: str, fonts: FontConfiguration, fetcher: Fetcher) -> weasyprint.CSS:
    """A stylesheet, read. Raises `Anew` when a font in it is lost."""
    sheet = weasyprint.CSS(string=text, font_config=fonts, url_fetcher=fetcher, base_url=BASE_URL)
    fetcher.check()
    return sheet


class Tree(weasyprint.HTML):  # type: ignore[misc]
    """HTML that was read before: an element `html`, set without being read again."""

    def __init__(self, root: Any, fetcher: Fetcher, own: list[Any]) -> None:
        """Sets what `weasyprint.HTML` sets, which reads text alone; `own` are WeasyPrint's own
        stylesheets (see `short_ways`)."""
        self._own = own
        self.base_url, self.url_fetcher, self.media_type = BASE_URL, fetcher, "print"
        wrapper = weasyprint.cssselect2.ElementWrapper
        self.wrapper_element = wrapper.from_html_root(root, content_language=None)
        self.etree_element = self.wrapper_element.etree_element

    def _ua_stylesheets(self, forms: bool = False) -> list[Any]:
        return super()._ua_stylesheets(forms) if forms else self._own


def font_faces(cuts: Iterable[Cut]) -> str:
    """The rules that make the game's fonts known."""
    return "".join(
        f'@font-face {{ font-family: "{cut.family}"; font-weight: {cut.weight}; '
        f"font-style: {cut.style}; src: url({BASE_URL}font/{cut.path.name}) }}\n"
        for cut in cuts
    )


def families(cuts: Iterable[Cut]) -> str:
    """All families of the game as CSS: where the first lacks a character, the next has it."""
    named = dict.fromkeys(cut.family for cut in cuts if cut.family != ICON_FAMILY)
    return ", ".join(f"'{family}'" for family in named) or "none"


class Fetcher(URLFetcher):  # type: ignore[misc]
    """Answers for the game's art and fonts from what it was given; reads nothing else at all."""

    def __init__(
        self, art: Mapping[str, Art], cuts: Iterable[Cut], stand_ins: Iterable[str] = ()
    ) -> None:
        """`stand_ins` are addresses at which a blank picture holds the place of something."""
        super().__init__(allowed_protocols=())
        self._art = art
        self._fonts = {cut.path.name: cut.path for cut in cuts}
        self._stand_ins = frozenset(stand_ins)
        self._lost: Anew | None = None

    def check(self) -> None:
        """Raise what came up while it was asked: WeasyPrint goes on without a file that cannot be
        read, but what is set so is not to be kept."""
        if self._lost is not None:
            raise self._lost

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
        try:
            return self._answer(url)
        except Anew as error:
            self._lost = error
            raise

    def _answer(self, url: str) -> URLFetcherResponse:
        name = unquote(url.removeprefix(BASE_URL))
        if name in self._art:
            return URLFetcherResponse(url, _stand_in(self._art[name]))
        if name in self._stand_ins:
            return URLFetcherResponse(url, _blank(4, 4))
        path = self._fonts.get(name.removeprefix("font/"))
        if path is None:
            raise ValueError("only the game's own art and fonts are read")
        return URLFetcherResponse(url, read(path))


def _stand_in(art: Art) -> bytes:
    return _blank(round(art.width), round(art.height)) if art.vector else artwork.printed(art)


@lru_cache(maxsize=64)
def _blank(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("L", (max(1, width), max(1, height)), 255).save(out, "PNG", compress_level=9)
    return out.getvalue()


class Log(logging.Handler):
    """WeasyPrint tells of unknown CSS and missing files through its logger only.

    What it says of a chunk names no face: whose it is shows in whose HTML the words stand.
    """

    _IGNORED = re.compile(r"Ignored `(?P<what>.*?)` at (?P<line>\d+):\d+, (?P<why>.*)", re.DOTALL)
    _UNREAD = re.compile(r"Failed to load \w+ at '?(?P<url>[^\s']*)")
    _SELECTOR = re.compile(r"Invalid or unsupported selector, '(.*?)'", re.DOTALL)
    _AT = re.compile(r" ?\bat (?P<line>\d+):\d+")
    _TOLD_ELSEWHERE = ".notdef glyph"

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []
        self._before: list[logging.Handler] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if self._TOLD_ELSEWHERE not in message:
            self.messages.append(message)

    def __enter__(self) -> Log:
        logger = logging.getLogger("weasyprint")
        self._before, logger.handlers = logger.handlers, [self]
        logger.propagate = False
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger("weasyprint").handlers = self._before

    def of_style(self, name: str, text: str) -> list[Remark]:
        """What was said while a stylesheet was read, at its lines."""
        told = _told(addresses(text))
        return [
            self._of_style(message, name, text)
            for message in dict.fromkeys(self.messages)
            if not any(url in unquote(message) for url in told)
            and not (message.startswith("Font-face") and told)  # its file is told
        ]

    def _of_style(self, message: str, name: str, text: str) -> Remark:
        unread = self.unread(message)
        if unread:
            return self.not_read(unread, f"{name}:{line_of(text, unread)}", about_face=False)
        ignored = self._IGNORED.match(message)
        if ignored:
            words = csswords.ignored(ignored["what"], ignored["why"], KNOWN_PROPERTIES)
            return Remark("css", "warning", f"{name}:{ignored['line']}", words, False)
        at, selector = self._AT.search(message), self._SELECTOR.match(message)
        line = (
            int(at["line"])
            if at
            else csswords.line_of_selector(text, selector[1])
            if selector
            else 0
        )
        if selector:
            words = csswords.selector(selector[1])
        else:
            words = csswords.other(" ".join(self._AT.sub("", message, count=1).split()))
        words = words.rstrip(".,")
        return Remark("css", "warning", f"{name}:{line}" if line else name, words, False)

    def of_html(self, html: str) -> Iterator[Remark]:
        """What was said of a face's own HTML, at its template's lines."""
        told = _told(pictures(html))
        for message in dict.fromkeys(self.messages):
            if any(url in unquote(message) for url in told):
                continue  # a picture, told at its line before anything was set
            unread, ignored = self.unread(message), self._IGNORED.match(message)
            if unread:
                if f'"{unread}' in html or f"'{unread}" in html or f"({unread}" in html:
                    at = template_line(html, html.find(unread))
                    yield self.not_read(unread, at, about_face=True)
            elif ignored and ignored["why"].startswith("no value") and "var(" in html:
                continue  # what is not set is told by its name
            elif ignored:
                name = re.escape(ignored["what"].partition(":")[0])
                found = re.search(rf"\b{name}\s*:", html)
                if found:
                    words = csswords.ignored(ignored["what"], ignored["why"], KNOWN_PROPERTIES)
                    yield Remark("css", "warning", template_line(html, found.start()), words)
            else:
                yield Remark("css", "warning", "", message.splitlines()[0])

    def unread(self, message: str) -> str:
        """The address that a message says was not read, as it is written; "" for any other."""
        match = self._UNREAD.match(message)
        return unquote(match["url"].removeprefix(BASE_URL).removeprefix(NOWHERE)) if match else ""

    @staticmethod
    def not_read(url: str, at: str, *, about_face: bool) -> Remark:
        """A picture, font or stylesheet from elsewhere."""
        words = f"'{url}' is not read; {artwork.instead(url)}"
        return Remark("art", "error", at, words, about_face)


def _told(written: Iterable[str]) -> set[str]:
    """Addresses that were told before anything was set, as WeasyPrint's messages quote them."""
    return {f"'{unquote(address(one))}'" for one in written}


def template_line(html: str, position: int) -> str:
    """The `data-at` of the tag that holds a position of the HTML."""
    return re.split(r"[\s>]", html[:position].rpartition("data-at=")[2], maxsplit=1)[0]
