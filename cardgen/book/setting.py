"""Books: HTML laid out with WeasyPrint, page numbers filled in.

A book is tagged (PDF/UA-1 as far as WeasyPrint goes) and has bookmarks. Faces are not laid out
here: a tiny picture holds the place of each, and the face's form takes it where the book is bound,
drawn once however often it is shown.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from cardgen.assets import coloured, hyphenation
from cardgen.assets.artwork import BASE_URL
from cardgen.assets.fontfiles import ICON_FAMILY
from cardgen.base import guard, paths
from cardgen.base.guard import Stopped
from cardgen.base.problems import Remark
from cardgen.book import keeping, passes
from cardgen.book.binding import BLOCK, BookOrder, Layout, SetBook, bound
from cardgen.book.blocks import Doubt
from cardgen.book.model import Book
from cardgen.book.page_style import page_style, variables
from cardgen.book.pages import filled, summaries
from cardgen.book.passes import Settled
from cardgen.book.relayout import Old, data_of_pages, pages_of_data, rendered
from cardgen.game.writing import attributes, from_right, mirrored
from cardgen.pdf.weasy import Fetcher, FontConfiguration, Log, css, font_faces, weasyprint

_MOST_PAGES = 400
_CHAPTER = re.compile(r"<h[12][ >]")
_TAG = re.compile(r"<[^>]*>")
_LETTERS_PER_SECOND = 2000
_MOST_SECONDS = 75
_LETTERS_BEFORE_A_PAGE = 50_000
"""How fast a machine with slow memory sets a book's HTML, and reads it before its first page, in a
second."""
_BLAME_SECONDS = 5.0
_SUMMARY_EM = 0.94
_TIGHTER = (1.36, 1.28, 1.2, 1.14, 1.07, 1.0, 0.95, 0.9, 0.85, 0.8, 0.75)
"""How much larger or smaller a summary may be set so that it fills one page and no more."""
_AT_ODDS = (
    Doubt, ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip
"""What comes of pages of the last time that do not fit."""
_STYLE = Path(__file__).with_name("book.css")


class _Setting:
    """One book being set."""

    def __init__(self, order: BookOrder) -> None:
        self.order, self.log = order, Log()
        self.remarks: list[Remark] = []
        book = order.book
        self.fonts = FontConfiguration()
        stand_ins = [face.address for face in book.faces]
        self.fetcher = Fetcher({art.name: art for art in order.art}, order.cuts, stand_ins)
        for language, path in order.patterns:
            hyphenation.register(language, path)
        text = paths.read(_STYLE).decode().replace("ICONS", f'"{ICON_FAMILY}"')
        page = page_style(order)
        if from_right(book.language):
            text, page = mirrored(text), page.replace("padding-left", "padding-right")
        icons = coloured.style(coloured.of_art(order.art))
        sheets = [css(font_faces(order.cuts) + text + icons, self.fonts, self.fetcher)]
        sheets.append(css(page + variables(order), self.fonts, self.fetcher))
        for name, style in order.styles:
            log = Log()
            with log:
                sheets.append(css(style, self.fonts, self.fetcher))
            self.remarks += log.of_style(name, style)
        self.sheets = sheets

    def lay_out(
        self, book: Book, pages: Mapping[str, int], scale: float, old: Old | None = None
    ) -> Any:
        """The document with the page numbers known so far. With pages of the last time, `old`, it
        takes those that would be laid out the same, and what can be kept of it is noted; raises
        `Doubt` where it shows too late that one would not be."""
        hanging = ' class="hanging"' if book.format.hangs else ""
        html = weasyprint.HTML(
            string=f"<!doctype html><html {attributes(book.language)}><head>"
            f"<title>{_escaped(book.title)}</title>"
            f"<style>.box.summary {{ font-size: {scale * _SUMMARY_EM:.3f}em }}</style></head>"
            f"<body{hanging}>{filled(book, pages)}</body></html>",
            base_url=BASE_URL,
            url_fetcher=self.fetcher,
        )
        given = {"font_config": self.fonts, "stylesheets": self.sheets}
        document = html.render(**given) if old is None else rendered(html, given, old)
        self.fetcher.check()
        return document


class TooManyPages(Exception):  # noqa: N818 - it reads as what it says
    """A book that goes on past `_MOST_PAGES`."""


class _Pages(logging.Handler):
    """Hears of every page that WeasyPrint begins: each has time of its own, and there is a last."""

    _PAGE = re.compile(r"Step 5 .* Page (\d+)")

    def __init__(self, page: guard.at) -> None:
        super().__init__(logging.INFO)
        self.page = page
        self.logger = logging.getLogger("weasyprint.progress")
        self.level_before = self.logger.level

    def emit(self, record: logging.LogRecord) -> None:
        self.page.again()
        match = self._PAGE.match(record.getMessage())
        if match and int(match[1]) > _MOST_PAGES:
            raise TooManyPages

    def __enter__(self) -> None:
        self.logger.setLevel(logging.INFO)
        self.logger.addHandler(self)

    def __exit__(self, *_: object) -> None:
        self.logger.removeHandler(self)
        self.logger.setLevel(self.level_before)


@dataclass
class Begun:
    """A book that is laid out and not yet painted. It holds its boxes: keep few of them."""

    order: BookOrder
    scale: tuple[float, bool]
    settled: Settled
    old: Old
    _setting: _Setting

    def page(self, number: int) -> bytes:
        """One page, from 0, as a PDF by itself, without tags; what it shows of other things
        is not in it yet (see `binding`). b"" where it cannot be painted without those before it."""
        document = self.settled.document
        alone = document.copy([document.pages[number]])
        try:
            with Log():  # a page by itself lacks what its links lead to
                pdf: bytes = alone.write_pdf()
        except _AT_ODDS:
            return b""
        return pdf


def set_book(order: BookOrder) -> SetBook:
    """The book, laid out and bound."""
    return _set(order, lambda: _painted_whole(_begun(_Setting(order))))


def begin(order: BookOrder) -> Begun | SetBook:
    """The book, laid out; one without a PDF that says why, when it cannot be."""
    begun: list[Begun] = []

    def lay_out() -> Layout:
        begun.append(_begun(_Setting(order)))
        return Layout(b"")

    made = _set(order, lay_out)
    return begun[0] if begun else made


def end(begun: Begun) -> SetBook:
    """A book that was begun, painted and bound: the very one that `set_book` makes."""
    return _set(begun.order, lambda: _painted_whole(begun))


def _set(order: BookOrder, work: Callable[[], Layout]) -> SetBook:
    layout = _guarded(order, work)
    pdf = bound(order, layout.pdf) if layout.pdf else b""
    return SetBook(order.key, pdf, layout)


def _guarded(order: BookOrder, work: Callable[[], Layout]) -> Layout:
    length = len(order.book.html)
    try:
        with (
            guard.at(order.name, min(_MOST_SECONDS, 8 + length / _LETTERS_PER_SECOND)),
            guard.at(f"{order.name}, a page", 6 + length / _LETTERS_BEFORE_A_PAGE) as page,
            _Pages(page),
        ):
            return work()
    except TooManyPages:
        message = f"the book has more than {_MOST_PAGES} pages, which are the most"
        return Layout(b"", (Remark("book", "error", "", message),))
    except Stopped as error:
        message = f"the book cannot be set: {_chapter_to_blame(order)}{error}"
        return Layout(b"", (Remark("bounds", "error", "", message),))


def _begun(setting: _Setting) -> Begun:
    """The book laid out, with such pages of the last time as come out the same."""
    order, book = setting.order, setting.order.book
    with setting.log:
        scale = order.known.scale or _scale(setting)
        old = pages_of_data(order.known.kept)
        try:
            settled = _settled(setting, scale[0], old)
        except _AT_ODDS:
            if not old:
                raise
            old = []
            settled = _settled(setting, scale[0], old)
    if scale[1]:
        message = "a summary is longer than its page, set as small as may be; make it shorter"
        setting.remarks.append(Remark("book", "warning", "", f"{book.format.name}: {message}"))
    return Begun(order, scale, settled, old, setting)


def _painted_whole(begun: Begun) -> Layout:
    setting, settled = begun._setting, begun.settled
    with setting.log:
        try:
            pdf = _painted(settled.document, setting, tags_or_none=bool(begun.old))
        except _AT_ODDS:
            if not begun.old:
                raise
            settled = _settled(setting, begun.scale[0], [])
            pdf = _painted(settled.document, setting, tags_or_none=False)
        # What was said of a page is not said again when that page is taken as it was.
        kept = b"" if setting.log.messages else data_of_pages(settled.document)
    setting.remarks += _of_log(setting)
    setting.remarks += _of_gaps(setting, settled.document)
    return Layout(
        pdf, tuple(setting.remarks), settled.pages if settled.sole else {}, begun.scale,
        settled.passes, kept,
    )  # fmt: skip


def _settled(setting: _Setting, scale: float, old: Old) -> Settled:
    """The book with its page numbers, laid out, with such pages of the last time."""
    book = setting.order.book

    def lay_out(pages: Mapping[str, int]) -> Any:
        return setting.lay_out(book, pages, scale, old)

    return passes.settled(book, lay_out, setting.order.known.pages)


def _chapter_to_blame(order: BookOrder) -> str:
    """Words for the first chapter that cannot be set by itself; "" when none is found."""
    html = order.book.html
    starts = [0, *(match.start() for match in _CHAPTER.finditer(html)), len(html)]
    until = time.process_time() + _BLAME_SECONDS
    for start, end in pairwise(starts):
        if time.process_time() > until:
            break
        alone = html[start:end]
        heading = _TAG.sub("", alone.partition("</h")[0]).strip()
        seconds = min(_BLAME_SECONDS, 2 + len(alone) / _LETTERS_PER_SECOND)
        try:
            with guard.at(f"the chapter {heading}", seconds):
                _Setting(order).lay_out(replace(order.book, html=alone), {}, 1.0)
        except Stopped:
            return f"at '{heading}' " if start else "at its beginning "
    return ""


def _painted(document: Any, setting: _Setting, *, tags_or_none: bool) -> bytes:
    """The document as a tagged PDF; untagged, and told, where WeasyPrint cannot tag it."""
    try:
        tagged: bytes = document.write_pdf(pdf_variant="pdf/ua-1")
    except (AssertionError, AttributeError, LookupError, TypeError):
        if tags_or_none:
            raise
        message = "WeasyPrint cannot tag this book; its PDF comes without tags"
        setting.remarks.append(Remark("book", "warning", "", message))
        plain: bytes = document.write_pdf()
        return plain
    return tagged


def _scale(setting: _Setting) -> tuple[float, bool]:
    """How small summaries are set so that each stays on its page, and whether one is too long even
    so; tried by themselves."""
    book = setting.order.book
    alone = replace(book, html=summaries(book.html))
    if not alone.html:
        return 1.0, False
    for scale in _TIGHTER:
        found = passes.pages_of(setting.lay_out(alone, {}, scale))
        numbers = range(1, book.summaries + 1)
        if all(found.get(f"cg-summary-{n}") == found.get(f"cg-summary-{n}-end") for n in numbers):
            return scale, False
    return _TIGHTER[-1], True


def _of_gaps(setting: _Setting, document: Any) -> Iterator[Remark]:
    """Pages under half full, told where that stands which did not fit on them."""
    format_ = setting.order.book.format
    for gap in keeping.gaps(document, format_):
        message = (
            f"{format_.name}: page {gap.page} is {gap.filled:.0%} full, since this does not fit "
            "on the rest of it; make it smaller, or move it behind the text that follows"
        )
        yield Remark("page", "warning", f"{BLOCK}{gap.block}/{gap.blocks}", message)


def _of_log(setting: _Setting) -> Iterable[Remark]:
    """What WeasyPrint said while it laid the book out: of the game's own style only."""
    for url in filter(None, map(setting.log.unread, setting.log.messages)):
        for name, style in setting.order.styles:
            if url in style:
                line = style.count("\n", 0, style.find(url)) + 1
                yield setting.log.not_read(url, f"{name}:{line}", about_face=False)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
