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

from cardgen.assets import coloured_icons, hyphenation
from cardgen.assets.artwork import BASE_URL
from cardgen.assets.font_files import ICON_FAMILY
from cardgen.book import layout_passes, page_breaks
from cardgen.book.blocks import Doubt
from cardgen.book.book_pdf import BLOCK_PREFIX, BookLayout, BookRequest, TypesetBook, assemble_book
from cardgen.book.layout_passes import SettledLayout
from cardgen.book.model import Book
from cardgen.book.page_numbers import extract_summaries, fill_page_numbers
from cardgen.book.page_style import make_page_style, make_style_variables
from cardgen.book.relayout import Old, data_of_pages, pages_of_data, rendered
from cardgen.core import work_limits
from cardgen.core.problems import Diagnostic
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.text_direction import (
    format_language_attributes,
    is_right_to_left,
    mirror_stylesheet,
)
from cardgen.pdf.weasyprint_adapter import (
    ArtFetcher,
    FontConfiguration,
    WeasyPrintLog,
    format_font_faces,
    parse_stylesheet,
    weasyprint,
)
from cardgen.runtime import game_files

_MAX_BOOK_PAGES = 400
_CHAPTER_PATTERN = re.compile(r"<h[12][ >]")
_TAG_PATTERN = re.compile(r"<[^>]*>")
_LAYOUT_CHARACTERS_PER_SECOND = 2000
_MAX_LAYOUT_SECONDS = 75
_PARSED_CHARACTERS_PER_SECOND = 50_000
"""How fast a machine with slow memory sets a book's HTML, and reads it before its first page, in a
second."""
_MAX_BLAME_SECONDS = 5.0
_SUMMARY_EM = 0.94
_SUMMARY_SCALES = (1.36, 1.28, 1.2, 1.14, 1.07, 1.0, 0.95, 0.9, 0.85, 0.8, 0.75)
"""How much larger or smaller a summary may be set so that it fills one page and no more."""
_AT_ODDS = (
    Doubt, ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip
"""What comes of pages of the last time that do not fit."""
_BOOK_STYLE_PATH = Path(__file__).with_name("book.css")


class _BookTypesetter:
    """One book being set."""

    def __init__(self, order: BookRequest) -> None:
        self.order, self.log = order, WeasyPrintLog()
        self.remarks: list[Diagnostic] = []
        book = order.book
        self.fonts = FontConfiguration()
        stand_ins = [face.stand_in_name for face in book.faces]
        self.fetcher = ArtFetcher({art.name: art for art in order.art}, order.cuts, stand_ins)
        for language, path in order.hyphenation_patterns:
            hyphenation.register_dictionary(language, path)
        text = game_files.read_file(_BOOK_STYLE_PATH).decode().replace("ICONS", f'"{ICON_FAMILY}"')
        page = make_page_style(order)
        if is_right_to_left(book.language):
            text, page = mirror_stylesheet(text), page.replace("padding-left", "padding-right")
        icons = coloured_icons.format_icon_css(coloured_icons.find_coloured_icons(order.art))
        sheets = [
            parse_stylesheet(format_font_faces(order.cuts) + text + icons, self.fonts, self.fetcher)
        ]
        sheets.append(
            parse_stylesheet(page + make_style_variables(order), self.fonts, self.fetcher)
        )
        for name, style in order.styles:
            log = WeasyPrintLog()
            with log:
                sheets.append(parse_stylesheet(style, self.fonts, self.fetcher))
            self.remarks += log.get_style_remarks(name, style)
        self.sheets = sheets

    def lay_out_book(
        self, book: Book, pages: Mapping[str, int], scale: float, old: Old | None = None
    ) -> Any:
        """The document with the page numbers known so far. With pages of the last time, `old`, it
        takes those that would be laid out the same, and what can be kept of it is noted; raises
        `Doubt` where it shows too late that one would not be."""
        hanging = ' class="hanging"' if book.format.has_caption_column else ""
        html = weasyprint.HTML(
            string=f"<!doctype html><html {format_language_attributes(book.language)}><head>"
            f"<title>{_escape_text(book.title)}</title>"
            f"<style>.box.summary {{ font-size: {scale * _SUMMARY_EM:.3f}em }}</style></head>"
            f"<body{hanging}>{fill_page_numbers(book, pages)}</body></html>",
            base_url=BASE_URL,
            url_fetcher=self.fetcher,
        )
        given = {"font_config": self.fonts, "stylesheets": self.sheets}
        document = html.render(**given) if old is None else rendered(html, given, old)
        self.fetcher.raise_fetch_error()
        return document


class TooManyPagesError(Exception):
    """A book that goes on past `_MOST_PAGES`."""


class _PageLimiter(logging.Handler):
    """Hears of every page that WeasyPrint begins: each has time of its own, and there is a last."""

    _PROGRESS_PATTERN = re.compile(r"Step 5 .* Page (\d+)")

    def __init__(self, page: work_limits.work_limit) -> None:
        super().__init__(logging.INFO)
        self.page = page
        self.logger = logging.getLogger("weasyprint.progress")
        self.level_before = self.logger.level

    def emit(self, record: logging.LogRecord) -> None:
        self.page.restart_clock()
        match = self._PROGRESS_PATTERN.match(record.getMessage())
        if match and int(match[1]) > _MAX_BOOK_PAGES:
            raise TooManyPagesError

    def __enter__(self) -> None:
        self.logger.setLevel(logging.INFO)
        self.logger.addHandler(self)

    def __exit__(self, *_: object) -> None:
        self.logger.removeHandler(self)
        self.logger.setLevel(self.level_before)


@dataclass
class LaidOutBook:
    """A book that is laid out and not yet painted. It holds its boxes: keep few of them."""

    order: BookRequest
    summary_scale: tuple[float, bool]
    settled: SettledLayout
    old: Old
    _typesetter: _BookTypesetter

    def paint_page(self, number: int) -> bytes:
        """One page, from 0, as a PDF by itself, without tags; what it shows of other things
        is not in it yet (see `binding`). b"" where it cannot be painted without those before it."""
        document = self.settled.document
        alone = document.copy([document.pages[number]])
        try:
            with WeasyPrintLog():  # a page by itself lacks what its links lead to
                pdf: bytes = alone.write_pdf()
        except _AT_ODDS:
            return b""
        return pdf


def typeset_book(order: BookRequest) -> TypesetBook:
    """The book, laid out and bound."""
    return _typeset_with(order, lambda: _paint_layout(_lay_out(_BookTypesetter(order))))


def lay_out_book(order: BookRequest) -> LaidOutBook | TypesetBook:
    """The book, laid out; one without a PDF that says why, when it cannot be."""
    begun: list[LaidOutBook] = []

    def lay_out() -> BookLayout:
        begun.append(_lay_out(_BookTypesetter(order)))
        return BookLayout(b"")

    made = _typeset_with(order, lay_out)
    return begun[0] if begun else made


def paint_book(begun: LaidOutBook) -> TypesetBook:
    """A book that was begun, painted and bound: the very one that `set_book` makes."""
    return _typeset_with(begun.order, lambda: _paint_layout(begun))


def _typeset_with(order: BookRequest, work: Callable[[], BookLayout]) -> TypesetBook:
    layout = _run_limited(order, work)
    pdf = assemble_book(order, layout.pdf) if layout.pdf else b""
    return TypesetBook(order.key, pdf, layout)


def _run_limited(order: BookRequest, work: Callable[[], BookLayout]) -> BookLayout:
    length = len(order.book.html)
    try:
        with (
            work_limits.work_limit(
                order.label, min(_MAX_LAYOUT_SECONDS, 8 + length / _LAYOUT_CHARACTERS_PER_SECOND)
            ),
            work_limits.work_limit(
                f"{order.label}, a page", 6 + length / _PARSED_CHARACTERS_PER_SECOND
            ) as page,
            _PageLimiter(page),
        ):
            return work()
    except TooManyPagesError:
        message = f"the book has more than {_MAX_BOOK_PAGES} pages, which are the most"
        return BookLayout(b"", (Diagnostic("book", "error", "", message),))
    except LimitExceededError as error:
        message = f"the book cannot be set: {_find_failing_chapter(order)}{error}"
        return BookLayout(b"", (Diagnostic("bounds", "error", "", message),))


def _lay_out(setting: _BookTypesetter) -> LaidOutBook:
    """The book laid out, with such pages of the last time as come out the same."""
    order, book = setting.order, setting.order.book
    with setting.log:
        scale = order.hints.summary_scale or _fit_summaries(setting)
        old = pages_of_data(order.hints.kept)
        try:
            settled = _settle_layout(setting, scale[0], old)
        except _AT_ODDS:
            if not old:
                raise
            old = []
            settled = _settle_layout(setting, scale[0], old)
    if scale[1]:
        message = "a summary is longer than its page, set as small as may be; make it shorter"
        setting.remarks.append(Diagnostic("book", "warning", "", f"{book.format.name}: {message}"))
    return LaidOutBook(order, scale, settled, old, setting)


def _paint_layout(begun: LaidOutBook) -> BookLayout:
    setting, settled = begun._typesetter, begun.settled
    with setting.log:
        try:
            pdf = _write_tagged_pdf(settled.document, setting, tags_or_none=bool(begun.old))
        except _AT_ODDS:
            if not begun.old:
                raise
            settled = _settle_layout(setting, begun.summary_scale[0], [])
            pdf = _write_tagged_pdf(settled.document, setting, tags_or_none=False)
        # What was said of a page is not said again when that page is taken as it was.
        kept = b"" if setting.log.messages else data_of_pages(settled.document)
    setting.remarks += _list_style_remarks(setting)
    setting.remarks += _list_gap_remarks(setting, settled.document)
    return BookLayout(
        pdf, tuple(setting.remarks), settled.pages if settled.is_unique else {}, begun.summary_scale,
        settled.pass_count, kept,
    )  # fmt: skip


def _settle_layout(setting: _BookTypesetter, scale: float, old: Old) -> SettledLayout:
    """The book with its page numbers, laid out, with such pages of the last time."""
    book = setting.order.book

    def lay_out(pages: Mapping[str, int]) -> Any:
        return setting.lay_out_book(book, pages, scale, old)

    return layout_passes.settle_page_numbers(book, lay_out, setting.order.hints.page_numbers)


def _find_failing_chapter(order: BookRequest) -> str:
    """Words for the first chapter that cannot be set by itself; "" when none is found."""
    html = order.book.html
    starts = [0, *(match.start() for match in _CHAPTER_PATTERN.finditer(html)), len(html)]
    until = time.process_time() + _MAX_BLAME_SECONDS
    for start, end in pairwise(starts):
        if time.process_time() > until:
            break
        alone = html[start:end]
        heading = _TAG_PATTERN.sub("", alone.partition("</h")[0]).strip()
        seconds = min(_MAX_BLAME_SECONDS, 2 + len(alone) / _LAYOUT_CHARACTERS_PER_SECOND)
        try:
            with work_limits.work_limit(f"the chapter {heading}", seconds):
                _BookTypesetter(order).lay_out_book(replace(order.book, html=alone), {}, 1.0)
        except LimitExceededError:
            return f"at '{heading}' " if start else "at its beginning "
    return ""


def _write_tagged_pdf(document: Any, setting: _BookTypesetter, *, tags_or_none: bool) -> bytes:
    """The document as a tagged PDF; untagged, and told, where WeasyPrint cannot tag it."""
    try:
        tagged: bytes = document.write_pdf(pdf_variant="pdf/ua-1")
    except (AssertionError, AttributeError, LookupError, TypeError):
        if tags_or_none:
            raise
        message = "WeasyPrint cannot tag this book; its PDF comes without tags"
        setting.remarks.append(Diagnostic("book", "warning", "", message))
        plain: bytes = document.write_pdf()
        return plain
    return tagged


def _fit_summaries(setting: _BookTypesetter) -> tuple[float, bool]:
    """How small summaries are set so that each stays on its page, and whether one is too long even
    so; tried by themselves."""
    book = setting.order.book
    alone = replace(book, html=extract_summaries(book.html))
    if not alone.html:
        return 1.0, False
    for scale in _SUMMARY_SCALES:
        found = layout_passes.list_anchor_pages(setting.lay_out_book(alone, {}, scale))
        numbers = range(1, book.summary_count + 1)
        if all(found.get(f"cg-summary-{n}") == found.get(f"cg-summary-{n}-end") for n in numbers):
            return scale, False
    return _SUMMARY_SCALES[-1], True


def _list_gap_remarks(setting: _BookTypesetter, document: Any) -> Iterator[Diagnostic]:
    """Pages under half full, told where that stands which did not fit on them."""
    format_ = setting.order.book.format
    for gap in page_breaks.find_page_gaps(document, format_):
        message = (
            f"{format_.name}: page {gap.page} is {gap.filled:.0%} full, since this does not fit "
            "on the rest of it; make it smaller, or move it behind the text that follows"
        )
        yield Diagnostic("page", "warning", f"{BLOCK_PREFIX}{gap.block}/{gap.blocks}", message)


def _list_style_remarks(setting: _BookTypesetter) -> Iterable[Diagnostic]:
    """What WeasyPrint said while it laid the book out: of the game's own style only."""
    for url in filter(None, map(setting.log.find_unread_address, setting.log.messages)):
        for name, style in setting.order.styles:
            if url in style:
                line = style.count("\n", 0, style.find(url)) + 1
                yield setting.log.report_unread(url, f"{name}:{line}", about_face=False)


def _escape_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
