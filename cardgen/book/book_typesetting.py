"""Typesetting of books with WeasyPrint: layout with page numbers, and tagged PDFs.

PDFs have bookmarks and are tagged (PDF/UA-1 as far as WeasyPrint supports it). Faces are not laid
out here. A tiny stand-in picture holds the place of each; `book_pdf` replaces it by the face.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from cardgen.assets import coloured_icons, hyphenation
from cardgen.assets.artwork import BASE_URL
from cardgen.assets.font_files import ICON_FAMILY
from cardgen.book import layout_passes, page_style, source_lines
from cardgen.book.book_pdf import BLOCK_PREFIX, BookLayout, BookRequest, TypesetBook, assemble_book
from cardgen.book.layout_passes import SettledLayout
from cardgen.book.model import Book, BookPage
from cardgen.book.page_numbers import extract_summaries, fill_page_numbers
from cardgen.book.page_style import make_page_style, make_style_variables
from cardgen.core import work_limits
from cardgen.core.problems import Diagnostic, shorten
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.card_text import format_language_attributes, is_right_to_left, mirror_stylesheet
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
# Speeds of a machine with slow memory: of layout, and of parsing before the first page.
_LAYOUT_CHARACTERS_PER_SECOND = 2000
_PARSED_CHARACTERS_PER_SECOND = 50_000
_MAX_LAYOUT_SECONDS = 75
_MAX_BLAME_SECONDS = 5.0
_SUMMARY_EM = 0.94
_SUMMARY_SCALES = (1.36, 1.28, 1.2, 1.14, 1.07, 1.0, 0.95, 0.9, 0.85, 0.8, 0.75)
"""Factors of the text size that are tried, largest first, until each summary fits its page."""
_BOOK_STYLE_PATH = Path(__file__).with_name("book.css")


class _BookTypesetter:
    """Fonts, style sheets and remarks of one book that is being typeset."""

    def __init__(self, request: BookRequest) -> None:
        self.request, self.log = request, WeasyPrintLog()
        self.remarks: list[Diagnostic] = []
        book = request.book
        self.fonts = FontConfiguration()
        stand_ins = [face.stand_in_name for face in book.faces]
        self.fetcher = ArtFetcher({art.name: art for art in request.art}, request.cuts, stand_ins)
        hyphenation.register_dictionaries(request.hyphenation_patterns)
        text = game_files.read_file(_BOOK_STYLE_PATH).decode().replace("ICONS", f'"{ICON_FAMILY}"')
        page = make_page_style(request)
        if is_right_to_left(book.language):
            text, page = mirror_stylesheet(text), page.replace("padding-left", "padding-right")
        icons = coloured_icons.format_icon_css(coloured_icons.find_coloured_icons(request.art))
        styles = (
            format_font_faces(request.cuts) + text + icons,
            page + make_style_variables(request),
        )
        self.sheets = [parse_stylesheet(style, self.fonts, self.fetcher) for style in styles]
        for name, style in request.styles:
            log = WeasyPrintLog()
            with log:
                self.sheets.append(parse_stylesheet(style, self.fonts, self.fetcher))
            self.remarks += log.get_style_remarks(name, style)

    def lay_out(self, book: Book, page_numbers: Mapping[str, int], scale: float) -> Any:
        """Return the WeasyPrint document with these page numbers and this scale of summaries."""
        hanging = ' class="hanging"' if book.format.has_caption_column else ""
        html = weasyprint.HTML(
            string=f"<!doctype html><html {format_language_attributes(book.language)}><head>"
            f"<title>{_escape_text(book.title)}</title>"
            f"<style>.box.summary {{ font-size: {scale * _SUMMARY_EM:.3f}em }}</style></head>"
            f"<body{hanging}>{fill_page_numbers(book, page_numbers)}</body></html>",
            base_url=BASE_URL,
            url_fetcher=self.fetcher,
        )
        document = html.render(font_config=self.fonts, stylesheets=self.sheets)
        self.fetcher.raise_fetch_error()
        document.body_element = html.etree_element.find("body")
        return document


class TooManyPagesError(Exception):
    """A book has more than `_MAX_BOOK_PAGES` pages."""


class _PageLimiter(logging.Handler):
    """Log handler that restarts the time limit with every page and limits the number of pages.

    WeasyPrint tells of the pages it lays out in its progress log only.
    """

    _PROGRESS_PATTERN = re.compile(r"Step 5 .* Page (\d+)")

    def __init__(self, page_limit: work_limits.work_limit) -> None:
        super().__init__(logging.INFO)
        self.page_limit = page_limit
        self.logger = logging.getLogger("weasyprint.progress")
        self.level_before = self.logger.level

    def emit(self, record: logging.LogRecord) -> None:
        self.page_limit.restart_clock()
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
    """A book that is laid out and not yet painted. It holds all its boxes: keep few of them."""

    request: BookRequest
    summary_scale: tuple[float, bool]
    settled: SettledLayout
    _typesetter: _BookTypesetter

    @cached_property
    def pages(self) -> tuple[BookPage, ...]:
        """Descriptions of the pages."""
        document = self.settled.document
        return source_lines.describe_pages(document, document.body_element)

    def paint_page(self, number: int) -> bytes:
        """Return page `number` (from 0) as a PDF without tags, with stand-ins for faces."""
        document = self.settled.document
        single = document.copy([document.pages[number]])
        with WeasyPrintLog():  # links of a single page lead nowhere, which is logged
            pdf: bytes = single.write_pdf()
        return pdf


def typeset_book(request: BookRequest) -> TypesetBook:
    """Lay out, paint and assemble a book."""
    return _typeset_with(request, lambda: _paint_layout(_lay_out(_BookTypesetter(request))))


def lay_out_book(request: BookRequest) -> LaidOutBook | TypesetBook:
    """Lay out a book; return one without a PDF whose remarks say why if that fails."""
    laid_out: list[LaidOutBook] = []

    def lay_out() -> BookLayout:
        laid_out.append(_lay_out(_BookTypesetter(request)))
        return BookLayout(b"")

    failed = _typeset_with(request, lay_out)
    return laid_out[0] if laid_out else failed


def paint_book(laid_out: LaidOutBook) -> TypesetBook:
    """Paint and assemble a book that is laid out; the result equals that of `typeset_book`."""
    return _typeset_with(laid_out.request, lambda: _paint_layout(laid_out))


def _typeset_with(request: BookRequest, work: Callable[[], BookLayout]) -> TypesetBook:
    layout = _run_limited(request, work)
    try:
        with work_limits.work_limit(f"{request.label}, put together", _MAX_LAYOUT_SECONDS):
            pdf = assemble_book(request, layout.pdf) if layout.pdf else b""
    except LimitExceededError as error:
        pdf, message = b"", f"the book cannot be put together: {error}"
        layout = BookLayout(b"", (Diagnostic("bounds", "error", "", message),))
    return TypesetBook(request.key, pdf, layout)


def _run_limited(request: BookRequest, work: Callable[[], BookLayout]) -> BookLayout:
    length = len(request.book.html)
    try:
        with (
            work_limits.work_limit(
                request.label, min(_MAX_LAYOUT_SECONDS, 8 + length / _LAYOUT_CHARACTERS_PER_SECOND)
            ),
            work_limits.work_limit(
                f"{request.label}, a page", 6 + length / _PARSED_CHARACTERS_PER_SECOND
            ) as page_limit,
            _PageLimiter(page_limit),
        ):
            return work()
    except TooManyPagesError:
        message = f"the book has more than {_MAX_BOOK_PAGES} pages, which is the limit"
        return BookLayout(b"", (Diagnostic("book", "error", "", message),))
    except LimitExceededError as error:
        message = f"the book cannot be set: {_find_failing_chapter(request)}{error}"
        return BookLayout(b"", (Diagnostic("bounds", "error", "", message),))


def _lay_out(typesetter: _BookTypesetter) -> LaidOutBook:
    request, book = typesetter.request, typesetter.request.book
    with typesetter.log:
        scale = request.hints.summary_scale or _fit_summaries(typesetter)
        with page_style.relax_breaks():
            settled = layout_passes.settle_page_numbers(
                book,
                lambda page_numbers: typesetter.lay_out(book, page_numbers, scale[0]),
                request.hints.page_numbers,
            )
    if scale[1]:
        message = "a summary is longer than its page, even in the smallest type; make it shorter"
        typesetter.remarks.append(
            Diagnostic("book", "warning", "", f"{book.format.name}: {message}")
        )
    return LaidOutBook(request, scale, settled, typesetter)


def _paint_layout(laid_out: LaidOutBook) -> BookLayout:
    typesetter, settled = laid_out._typesetter, laid_out.settled
    with typesetter.log:
        pdf = _write_tagged_pdf(settled.document, typesetter)
    typesetter.remarks += _list_style_remarks(typesetter)
    typesetter.remarks += _list_gap_remarks(laid_out)
    typesetter.remarks += _list_text_remarks(laid_out)
    return BookLayout(
        pdf, tuple(typesetter.remarks), settled.pages if settled.is_unique else {},
        laid_out.summary_scale, settled.pass_count, laid_out.pages,
    )  # fmt: skip


def _find_failing_chapter(request: BookRequest) -> str:
    """Return words for the first chapter that cannot be set by itself; "" when none is found."""
    html = request.book.html
    starts = [0, *(match.start() for match in _CHAPTER_PATTERN.finditer(html)), len(html)]
    deadline = time.process_time() + _MAX_BLAME_SECONDS
    for start, end in pairwise(starts):
        if time.process_time() > deadline:
            break
        chapter = html[start:end]
        heading = _TAG_PATTERN.sub("", chapter.partition("</h")[0]).strip()
        seconds = min(_MAX_BLAME_SECONDS, 2 + len(chapter) / _LAYOUT_CHARACTERS_PER_SECOND)
        try:
            with work_limits.work_limit(f"the chapter {heading}", seconds):
                _BookTypesetter(request).lay_out(replace(request.book, html=chapter), {}, 1.0)
        except LimitExceededError:
            return f"at '{heading}' " if start else "at its beginning "
    return ""


def _write_tagged_pdf(document: Any, typesetter: _BookTypesetter) -> bytes:
    """Return a tagged PDF, or one without tags and a remark where WeasyPrint cannot tag it."""
    try:
        tagged: bytes = document.write_pdf(pdf_variant="pdf/ua-1")
    except (AssertionError, AttributeError, LookupError, TypeError):
        message = "WeasyPrint cannot tag this book; its PDF comes without tags"
        typesetter.remarks.append(Diagnostic("book", "warning", "", message))
        plain: bytes = document.write_pdf()
        return plain
    return tagged


def _fit_summaries(typesetter: _BookTypesetter) -> tuple[float, bool]:
    """Return the largest scale at which each summary fits its page, and whether none does.

    The summaries are laid out by themselves.
    """
    book = typesetter.request.book
    summaries = replace(book, html=extract_summaries(book.html))
    if not summaries.html:
        return 1.0, False
    for scale in _SUMMARY_SCALES:
        pages = layout_passes.list_anchor_pages(typesetter.lay_out(summaries, {}, scale))
        numbers = range(1, book.summary_count + 1)
        if all(pages.get(f"cg-summary-{n}") == pages.get(f"cg-summary-{n}-end") for n in numbers):
            return scale, False
    return _SUMMARY_SCALES[-1], True


def _list_gap_remarks(laid_out: LaidOutBook) -> Iterator[Diagnostic]:
    """Yield remarks on pages under half full, at the block that did not fit on them."""
    format_ = laid_out.request.book.format
    document = laid_out.settled.document
    for gap in page_style.find_page_gaps(document, laid_out.pages, format_):
        message = (
            f"{format_.name}: page {gap.page} is {gap.filled:.0%} full, since this does not fit "
            "on the rest of it; make it smaller, or move it behind the text that follows"
        )
        yield Diagnostic("page", "warning", f"{BLOCK_PREFIX}{gap.block}", message)


def _list_text_remarks(laid_out: LaidOutBook) -> Iterator[Diagnostic]:
    """Yield remarks on words that are too wide for the page or too faint, at their block."""
    format_, document = laid_out.request.book.format, laid_out.settled.document
    for found in source_lines.find_text_faults(document, document.body_element):
        what = (
            f"{found.mm:.0f} mm beyond the side of the text; use shorter words or a table with "
            "fewer columns"
            if found.mm
            else f"{found.colours[0]} on {found.colours[1]}, a contrast of {found.contrast:.1f}; "
            f"text needs {source_lines.MIN_CONTRAST:g}, so change paper: or the colours in "
            "rulebook/book.css"
        )
        message = f"{format_.name}: page {found.page}: '{shorten(found.words)}' is {what}"
        yield Diagnostic("page", "warning", f"{BLOCK_PREFIX}{found.block}", message)


def _list_style_remarks(typesetter: _BookTypesetter) -> Iterable[Diagnostic]:
    """Yield what WeasyPrint logged during the layout about the game's own styles."""
    for url in filter(None, map(typesetter.log.find_unread_address, typesetter.log.messages)):
        for name, style in typesetter.request.styles:
            if url in style:
                line = style.count("\n", 0, style.find(url)) + 1
                yield typesetter.log.report_unread(url, f"{name}:{line}", about_face=False)


def _escape_text(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
