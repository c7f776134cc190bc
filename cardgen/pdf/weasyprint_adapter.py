"""WeasyPrint as cardgen uses it: stylesheets, parsed HTML, fonts, the files it may read, its
messages.

Importing this module imports WeasyPrint, which takes half a second.
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import unquote

from PIL import Image

from cardgen.assets import artwork
from cardgen.assets.artwork import (
    BASE_URL,
    INVALID_PREFIX,
    Art,
    make_invalid_address,
    resolve_address,
)
from cardgen.assets.font_files import ICON_FAMILY, FontFile
from cardgen.core.problems import Diagnostic, did_you_mean, find_line
from cardgen.game.card_text import format_language_attributes
from cardgen.pdf import weasyprint_patches  # noqa: F401 - they hold where anything is set
from cardgen.pdf.weasyprint_library import (
    KNOWN_PROPERTIES,
    FontConfiguration,
    URLFetcher,
    URLFetcherResponse,
    harfbuzz_subset,
    svg_css,
    svg_utils,
    weasyprint,
)
from cardgen.runtime.content_store import read_entry
from cardgen.runtime.game_files import StaleBuildError
from cardgen.templates.template_lint import list_pictures, list_urls

_IS_WRAPPER = re.compile(r":is\([^()]*\)")
"""WeasyPrint puts this before a selector that is nested in another rule."""
_LENGTH_UNITS = "mm|cm|in|pt|pc|px|em|rem|ex|ch|q|vw|vh|%"
_SPACED_UNIT = re.compile(rf"(\d)\s+({_LENGTH_UNITS})(?![\w-])", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(rf"(?<![\w(,.])(\d+),(\d+)({_LENGTH_UNITS})?(?![\w,.])", re.IGNORECASE)
_UNITLESS_NUMBER = re.compile(r"-?\d+(?:\.\d+)?\Z")
_BARE_HEX_COLOUR = re.compile(r"(?<![#\w])(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})(?!\w)")
_HASH_WORD = re.compile(r"#[\w-]*")
_LENGTH_PROPERTIES = re.compile(
    r"(?:min-|max-)?(?:width|height)|left|right|top|bottom|(?:margin|padding)(?:-\w+)?|font-size|"
    r"letter-spacing|word-spacing|text-indent|border(?:-\w+)*-(?:width|radius)|border-radius|gap"
)
_KEYWORDS = {
    "position": "static relative absolute",
    "display": "block inline inline-block none flex grid table table-row table-cell list-item",
    "text-align": "left right center justify start end",
    "vertical-align": "baseline top middle bottom sub super text-top text-bottom",
    "font-style": "normal italic oblique",
    "font-weight": "normal bold bolder lighter",
    "text-transform": "none uppercase lowercase capitalize",
    "text-decoration": "none underline overline line-through",
    "white-space": "normal nowrap pre pre-wrap pre-line",
    "overflow": "visible hidden",
    "float": "none left right",
    "hyphens": "none manual auto",
    "object-fit": "fill contain cover none scale-down",
    "box-sizing": "content-box border-box",
    "visibility": "visible hidden",
}


def format_ignored_declaration(what: str, why: str, properties: Iterable[str]) -> str:
    """Say that a declaration such as `colour: red` is ignored, and what may be meant."""
    name, _, value = what.partition(":")
    hint = ""
    if "unknown" in why:
        hint = did_you_mean(name, properties, 0.75)
    elif "value" in why:
        hint = _explain_value(name.strip().lower(), value.strip())
    return f"'{' '.join(what.split())}' is ignored: {why.rstrip('.')}{hint}"


def _explain_value(name: str, value: str) -> str:
    """Say what is wrong with a value, if that is known; the first rule that matches."""
    spaced, comma = _SPACED_UNIT.search(value), _DECIMAL_COMMA.search(value)
    bare = _UNITLESS_NUMBER.match(value)
    sign, digits = _HASH_WORD.search(value), _BARE_HEX_COLOUR.search(value)
    near = did_you_mean(value, _KEYWORDS.get(name, "").split())
    rules = (
        (":" in value and "(" not in value, "is a ; missing?"),
        (re.search("[“”„‘’«»]", value), "quotes are straight, \"…\" or '…'"),
        (re.search(r"var\(\s*(?!--)", value), "a variable begins with --, as in var(--ink)"),
        (spaced, f"no space stands before the unit, {spaced and spaced[1] + spaced[2]}"),
        (comma, f"decimals follow a point, {comma and comma[1] + '.' + comma[2]}"),
        (bare and _LENGTH_PROPERTIES.fullmatch(name), f"a length has a unit, {value}mm"),
        (sign, "a colour is # and six signs, 0 to 9 and a to f"),
        (digits, f"a colour begins with #, #{digits and digits[0]}"),
        ("did you mean" in near, near.removeprefix("; ")),
    )
    return next((f"; {advice}" for matches, advice in rules if matches), "")


def format_bad_selector(written: str) -> str:
    """Say that a rule is ignored because of its selector."""
    selector = " ".join(_IS_WRAPPER.sub(" ", written).split())
    selector = selector if len(selector) <= 60 else f"{selector[:59]}…"
    if "//" in written:
        return f"'{selector}' is no selector; a comment is written /* … */"
    if selector.startswith("}"):
        return f"'{selector}' is no selector; a }} before it closes nothing"
    if re.search(r":\s", written):
        return f"'{selector}' is no selector; a }} or ; is missing before it"
    return f"the selector '{selector}' is not known, and its rule passed over"


def find_selector_line(text: str, written: str) -> int:
    """Return the line of a stylesheet on which a selector begins, from 1; 0 if it is not found.

    WeasyPrint reports a selector with single spaces, and a nested one after that of its outer rule.
    """
    words = _IS_WRAPPER.sub(" ", written).split()[:12]
    found = re.search(r"\s+".join(map(re.escape, words)), text) if words else None
    return text.count("\n", 0, found.start()) + 1 if found else 0


def format_other_message(message: str) -> str:
    """Reword any other message about a stylesheet."""
    if "Stop token reached" in message or "EOF reached" in message:
        return "what stands there is neither a rule nor PROPERTY: VALUE;"
    if message.startswith("Font-face"):
        return "@font-face is not read; declare the family in fonts/fonts.yaml"
    if message.startswith("@import"):
        return "@import is not read; put the rules of that stylesheet into this one"
    return message


__all__ = [
    "ArtFetcher",
    "FontConfiguration",
    "ParsedHtml",
    "WeasyPrintLog",
    "find_template_line",
    "format_font_faces",
    "format_font_families",
    "parse_stylesheet",
    "render_document",
    "weasyprint",
]  # fmt: skip

if not harfbuzz_subset:
    # Without it WeasyPrint is thirty times slower and writes other bytes at every build.
    raise OSError("cannot load library 'libharfbuzz-subset'")


def _accept_bad_addresses(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function accept addresses that cannot be parsed, such as `

    [::1`.

    WeasyPrint goes on after an address that it cannot read, but aborts at one that it cannot parse.
    """

    def parse_leniently(*addresses: str) -> Any:
        try:
            return function(*addresses)
        except ValueError:
            return function(*addresses[:-1], make_invalid_address(addresses[-1]))

    return parse_leniently


for _module, _name in ((weasyprint.urls, "urljoin"), (svg_css, "urljoin"), (svg_utils, "urlparse")):
    setattr(_module, _name, _accept_bad_addresses(getattr(_module, _name)))


def parse_stylesheet(text: str, fonts: FontConfiguration, fetcher: ArtFetcher) -> weasyprint.CSS:
    """Parse a stylesheet. Raises `StaleBuildError` when a font in it is lost."""
    sheet = weasyprint.CSS(string=text, font_config=fonts, url_fetcher=fetcher, base_url=BASE_URL)
    fetcher.raise_fetch_error()
    return sheet


class ParsedHtml(weasyprint.HTML):  # type: ignore[misc]
    """HTML that is parsed already: an element `html`, laid out without being parsed again."""

    def __init__(self, root: Any, fetcher: ArtFetcher, own: list[Any]) -> None:
        """Set what `weasyprint.HTML` sets, which accepts only text.

        `own` are WeasyPrint's own stylesheets, from `get_own_stylesheets`.
        """
        self._own = own
        self.base_url, self.url_fetcher, self.media_type = BASE_URL, fetcher, "print"
        wrapper = weasyprint.cssselect2.ElementWrapper
        self.wrapper_element = wrapper.from_html_root(root, content_language=None)
        self.etree_element = self.wrapper_element.etree_element

    def _ua_stylesheets(self, forms: bool = False) -> list[Any]:
        return super()._ua_stylesheets(forms) if forms else self._own


def format_font_faces(cuts: Iterable[FontFile]) -> str:
    """Return the CSS rules that declare the game's fonts."""
    return "".join(
        f'@font-face {{ font-family: "{cut.family}"; font-weight: {cut.weight}; '
        f"font-style: {cut.style}; src: url({BASE_URL}font/{cut.path.name}) }}\n"
        for cut in cuts
    )


def format_font_families(cuts: Iterable[FontFile]) -> str:
    """Return all families of the game as CSS: each supplies the characters that those before
    lack."""
    families = dict.fromkeys(cut.family for cut in cuts if cut.family != ICON_FAMILY)
    return ", ".join(f"'{family}'" for family in families) or "none"


def render_document(body: str, css: str, language: str, cuts: Sequence[FontFile]) -> Any:
    """Lay out the body of an HTML page with the game's fonts, and return WeasyPrint's document.

    `FAMILIES` in the stylesheet stands for all families. Raises `StaleBuildError` when a font is
    lost.
    """
    fonts, fetcher = FontConfiguration(), ArtFetcher({}, cuts)
    style = format_font_faces(cuts) + css.replace("FAMILIES", format_font_families(cuts))
    sheet = parse_stylesheet(style, fonts, fetcher)
    markup = f"<!doctype html><html {format_language_attributes(language)}><body>{body}</body>"
    html = weasyprint.HTML(string=markup, base_url=BASE_URL, url_fetcher=fetcher)
    return html.render(font_config=fonts, stylesheets=[sheet])


class ArtFetcher(URLFetcher):  # type: ignore[misc]
    """URL fetcher that serves the game's art and fonts, and nothing else."""

    def __init__(
        self, art: Mapping[str, Art], cuts: Iterable[FontFile], stand_ins: Iterable[str] = ()
    ) -> None:
        """`stand_ins` are addresses that get a blank picture."""
        super().__init__(allowed_protocols=())
        self._art = art
        self._fonts = {cut.path.name: cut.path for cut in cuts}
        self._stand_ins = frozenset(stand_ins)
        self._lost: StaleBuildError | None = None

    def raise_fetch_error(self) -> None:
        """Raise the error of a fetch: WeasyPrint goes on without a file, but the result must not
        be kept."""
        if self._lost is not None:
            raise self._lost

    def fetch(self, url: str, headers: object = None) -> URLFetcherResponse:
        try:
            return self._find_response(url)
        except StaleBuildError as error:
            self._lost = error
            raise

    def _find_response(self, url: str) -> URLFetcherResponse:
        name = unquote(url.removeprefix(BASE_URL))
        if name in self._art:
            return URLFetcherResponse(url, _make_stand_in(self._art[name]))
        if name in self._stand_ins:
            return URLFetcherResponse(url, _make_blank_png(4, 4))
        path = self._fonts.get(name.removeprefix("font/"))
        if path is None:
            raise ValueError("only the game's own art and fonts are read")
        return URLFetcherResponse(url, read_entry(path))


def _make_stand_in(art: Art) -> bytes:
    if art.vector:
        return _make_blank_png(round(art.width), round(art.height))
    return artwork.read_printable(art)


@lru_cache(maxsize=64)
def _make_blank_png(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("L", (max(1, width), max(1, height)), 255).save(out, "PNG", compress_level=9)
    return out.getvalue()


class WeasyPrintLog(logging.Handler):
    """Log handler that collects WeasyPrint's messages on unknown CSS and missing files.

    A message about a batch names no face. It belongs to the face whose HTML has its words.
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

    def __enter__(self) -> WeasyPrintLog:
        logger = logging.getLogger("weasyprint")
        self._before, logger.handlers = logger.handlers, [self]
        logger.propagate = False
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger("weasyprint").handlers = self._before

    def get_style_remarks(self, name: str, text: str) -> list[Diagnostic]:
        """Return the messages about a stylesheet, with its lines."""
        reported = _list_reported_addresses(list_urls(text))
        return [
            self._make_style_remark(message, name, text)
            for message in dict.fromkeys(self.messages)
            if not any(url in unquote(message) for url in reported)
            and not (message.startswith("Font-face") and reported)  # its file is reported
        ]

    def _make_style_remark(self, message: str, name: str, text: str) -> Diagnostic:
        unread = self.find_unread_address(message)
        if unread:
            return self.report_unread(unread, f"{name}:{find_line(text, unread)}", about_face=False)
        ignored = self._IGNORED.match(message)
        if ignored:
            words = format_ignored_declaration(ignored["what"], ignored["why"], KNOWN_PROPERTIES)
            return Diagnostic("css", "warning", f"{name}:{ignored['line']}", words, False)
        position, selector = self._AT.search(message), self._SELECTOR.match(message)
        line = 0
        if selector:
            line, words = find_selector_line(text, selector[1]), format_bad_selector(selector[1])
        else:
            words = format_other_message(" ".join(self._AT.sub("", message, count=1).split()))
        if position:
            line = int(position["line"])
        words = words.rstrip(".,")
        return Diagnostic("css", "warning", f"{name}:{line}" if line else name, words, False)

    def get_html_remarks(self, html: str) -> Iterator[Diagnostic]:
        """Yield the messages about a face's own HTML, with the lines of its template."""
        reported = _list_reported_addresses(list_pictures(html))
        for message in dict.fromkeys(self.messages):
            if any(url in unquote(message) for url in reported):
                continue  # a picture, reported at its line before layout
            unread, ignored = self.find_unread_address(message), self._IGNORED.match(message)
            if unread:
                if f'"{unread}' in html or f"'{unread}" in html or f"({unread}" in html:
                    at = find_template_line(html, html.find(unread))
                    yield self.report_unread(unread, at, about_face=True)
            elif ignored and ignored["why"].startswith("no value") and "var(" in html:
                continue  # an unset variable is reported by its name
            elif ignored:
                name = re.escape(ignored["what"].partition(":")[0])
                match = re.search(rf"\b{name}\s*:", html)
                if match:
                    at = find_template_line(html, match.start())
                    what, why = ignored["what"], ignored["why"]
                    text = format_ignored_declaration(what, why, KNOWN_PROPERTIES)
                    yield Diagnostic("css", "warning", at, text)
            else:
                yield Diagnostic("css", "warning", "", message.splitlines()[0])

    def find_unread_address(self, message: str) -> str:
        """Return the address in a message about a file that was not read; "" for other messages."""
        match = self._UNREAD.match(message)
        url = match["url"] if match else ""
        return unquote(url.removeprefix(BASE_URL).removeprefix(INVALID_PREFIX))

    @staticmethod
    def report_unread(url: str, at: str, *, about_face: bool) -> Diagnostic:
        """Report a picture, font or stylesheet from outside the game."""
        words = f"'{url}' is not read; {artwork.suggest_location(url)}"
        return Diagnostic("art", "error", at, words, about_face)


def _list_reported_addresses(written: Iterable[str]) -> set[str]:
    """Return addresses that were reported before, as WeasyPrint's messages quote them."""
    return {f"'{unquote(resolve_address(one))}'" for one in written}


def find_template_line(html: str, position: int) -> str:
    """Return the `data-at` of the tag at a position of the HTML."""
    return re.split(r"[\s>]", html[:position].rpartition("data-at=")[2], maxsplit=1)[0]
