"""A book laid out again: pages that hang on nothing that changed are those of the last time.

WeasyPrint lays out page by page, each from where the one before it ended. A page of the last time
is taken where it would begin as it began then, with the same number, and where every block that was
looked at for it is the same. Whatever is not known to be so is laid out. Where it shows too late
that something is at odds, `Doubt` is raised, and the book is laid out as if nothing were kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import Any

from cardgen.book import kept_pages, layout_passes, page_breaks
from cardgen.book.blocks import Blocks, Doubt
from cardgen.book.kept_pages import Basis, Fresh, Kept, strings_of
from cardgen.book.page_areas import ElementPlaces
from cardgen.pdf.weasyprint_library import boxes, weasyprint

_layout, _document = weasyprint.layout, weasyprint.document
_HOOKS = (
    (_layout, "make_all_pages"), (_layout, "make_margin_boxes"), (_layout, "layout_backgrounds"),
    (_layout.block, "block_level_layout"), (_document, "Page"),
)  # fmt: skip
HEAD = "chapter"
"""The string that stands at the heads of pages."""


Old = Sequence[Kept | None]
"""The pages of the last time, None for those that cannot be taken."""


def rendered(html: Any, given: Mapping[str, Any], old: Old) -> Any:
    """The document that `html.render` makes of what is given, with such pages of the last time as
    it would lay out the same. Raises `Doubt` where it shows too late that it would not."""
    made = _Relayout(old)
    with made.at_work():
        document = html.render(**given)
    made.make_ready(document)
    return document


class _Relayout:
    """One layout of a book, with the pages of the last one at hand."""

    def __init__(self, old: Old) -> None:
        self._old = old
        self._blocks: Blocks | None = None
        self._bases: list[Basis | None] = []
        self._heads: dict[int, tuple[str, bool]] = {}
        self._seen = -1
        self._head = ""
        self._real: dict[str, Any] = {}
        self._count = 0
        self._images: dict[str, Any] = {}
        self._places: ElementPlaces = {}

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """While this lasts, WeasyPrint's layouts are this one."""
        own = (self._pages, self._margins, self._backgrounds, self._looked, self._page)
        self._real = {name: getattr(module, name) for module, name in _HOOKS}
        try:
            for (module, name), function in zip(_HOOKS, own, strict=True):
                setattr(module, name, function)
            yield
        finally:
            for module, name in _HOOKS:
                setattr(module, name, self._real[name])

    def _pages(self, context: Any, root: Any, html: Any, pages: Any) -> Iterator[Any]:
        """Every page: in place of WeasyPrint's `make_all_pages`."""
        if pages or context.target_collector.counter_lookup_items:
            if any(isinstance(page, Kept) for page in pages):
                raise Doubt
            self._blocks = None
        else:
            self._blocks = _blocks(root)
        if self._blocks is None:
            self._bases = []
            yield from self._real["make_all_pages"](context, root, html, pages)
        else:
            self._images, self._bases = _pictures(root), []
            self._places = self._blocks.places()
            made = list(self._all(context, root, html, self._blocks))
            running = any(context.running_elements.values())
            if running or any(page.fixed_boxes for page in made):
                if any(isinstance(page, Kept) for page in made):
                    raise Doubt
                self._bases = []
            yield from made

    def _all(self, context: Any, root: Any, html: Any, blocks: Blocks) -> Iterator[Any]:
        maker = context.page_maker
        context.rendered_notes = []
        kept: list[Kept] = []
        for number in count():
            kept = kept or self._chain(context, number, blocks)
            _quiet(maker[number][4])
            if kept:
                page = kept.pop(0)
                resume_at = self._take(context, page, blocks)
            else:
                page, resume_at = self._lay_out(context, number, root, html, blocks)
            self._head = [self._head, *_heads(page)][-1]
            yield page
            if resume_at is None and not context.reported_footnotes:
                del maker[number + 2 :]
                break
        context.broken_out_of_flow.clear()
        context.reported_footnotes.clear()

    def _lay_out(
        self, context: Any, number: int, root: Any, html: Any, blocks: Blocks
    ) -> tuple[Any, Any]:
        weasyprint.logger.PROGRESS_LOGGER.info("Step 5 - Creating layout - Page %d", number + 1)
        self._seen, begun_whole = -1, _is_whole(context)
        page, resume_at = _layout.page.remake_page(number, context, root, html)
        self._bases.append(self._basis(context, number, blocks) if begun_whole else None)
        return page, resume_at

    def _basis(self, context: Any, number: int, blocks: Blocks) -> Basis | None:
        """What the page that was just laid out hung on; None where that cannot be told."""
        entry, following = context.page_maker[number : number + 2]
        before, after = _state(entry), _state(following)
        try:
            start = blocks.place(entry[0])
            end = None if following[0] is None else blocks.place(following[0])
        except Doubt:
            return None
        if before is None or after is None or self._seen < start.block:
            return None
        until = len(blocks.digests) if end is None else 1 + max(self._seen, end.block)
        sizes = context.style_for.initial_page_sizes
        return Basis(
            start, before, blocks.digests[start.block : until], until == len(blocks.digests), end,
            after, _is_whole(context), [list(sizes["box"]), list(sizes["area"])],
        )  # fmt: skip

    def _chain(self, context: Any, number: int, blocks: Blocks) -> list[Kept]:
        """The pages of the last time that come next. After them none begins within a block, which
        would have to be laid out from its own beginning."""
        state = _state(context.page_maker[number])
        if not _is_whole(context) or state is None:
            return []
        found: list[Kept] = []
        try:
            place = blocks.place(context.page_maker[number][0])
        except Doubt:
            return []
        head = self._head
        for old in self._old[number:]:
            if old is None or not old.basis.fits(place, state, blocks.digests):
                break
            if old.basis.head != _head_of(_heads(old), old.basis.opens, head):
                break
            head = [head, *_heads(old)][-1]
            basis = old.basis.moved(place)
            found.append(old.at(basis))
            if basis.end is None:
                return found
            place, state = basis.end, basis.after
        while found and found[-1].basis.end and found[-1].basis.end.rest is not None:
            found.pop()
        return found

    def _take(self, context: Any, page: Kept, blocks: Blocks) -> Any:
        """Go on after a page of the last time; where the next one begins."""
        basis, maker = page.basis, context.page_maker
        box, area = basis.areas
        if not self._bases:
            context.style_for.initial_page_sizes.update(box=tuple(box), area=tuple(area))
        resume_at = None if basis.end is None else blocks.resume_at(basis.end)
        quotes, counters, scopes, next_page, right = basis.after
        counted = {key: list(each) for key, each in counters.items()}
        state = list(quotes), {"pages": [0], **counted}, [set(each) for each in scopes], list[Any]()
        remake: dict[str, Any] = {}
        _quiet(remake)
        del maker[len(self._bases) + 1 :]
        maker.append((resume_at, dict(next_page), right, state, remake))
        self._bases.append(basis)
        return resume_at

    def _looked(self, context: Any, box: Any, *given: Any, **named: Any) -> Any:
        """In place of `block_level_layout`: notes how far a page looks."""
        if self._blocks is not None:
            self._seen = max(self._seen, self._blocks.number(box))
        with page_breaks.allow_break(context, box):
            return self._real["block_level_layout"](context, box, *given, **named)

    def _margins(self, context: Any, page: Any, state: Any) -> Any:
        sets, now = context.string_set[HEAD], context.current_page
        before = max((number for number in sets if number < now), default=0)
        opens = page.basis.opens if isinstance(page, Kept) else _opens(page)
        head = _head_of(sets.get(now, []), opens, sets[before][-1] if before else "")
        if isinstance(page, Kept):
            if head != page.basis.head:
                raise Doubt
            return ()
        self._heads[now - 1] = head, opens
        return self._real["make_margin_boxes"](context, page, state)

    def _backgrounds(self, page: Any, get_image: Any) -> None:
        if not isinstance(page, Kept):
            self._real["layout_backgrounds"](page, get_image)

    def _page(self, page: Any) -> Any:
        number, self._count = self._count, self._count + 1
        if isinstance(page, Kept):
            return page
        basis = self._bases[number] if number < len(self._bases) else None
        if basis:
            head, opens = self._heads[number]
            basis = replace(basis, head=head, opens=opens)
        return Fresh(page, basis, self._places)

    def make_ready(self, document: Any) -> None:
        """Make the pages of the last time ready to be painted with a document's, which then says
        which blocks begin a chapter. Raises `Doubt`."""
        document.chapters = self._blocks.chapters() if self._blocks else []
        for page in document.pages:
            if isinstance(page, Kept):
                page.ready(document.font_config, self._images)


def pages_of_data(data: bytes) -> Old:
    """The pages of the last time as they were kept; none where they cannot be read."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return []
    return [kept_pages.of_data(page) for page in found] if isinstance(found, list) else []


def data_of_pages(document: Any) -> bytes:
    """What is kept of a document that was painted."""
    layout_passes.list_stable_pages(document)
    pages = [page.data() for page in document.pages]
    return json.dumps(pages, ensure_ascii=False, separators=(",", ":")).encode()


def _blocks(root: Any) -> Blocks | None:
    try:
        return Blocks(root)
    except (Doubt, RecursionError):
        return None


def _pictures(root: Any) -> dict[str, Any]:
    """Every picture of a document by the names that it may have in a PDF."""
    images = {box.replacement for box in root.descendants() if isinstance(box, boxes.ReplacedBox)}
    named = {image.id: image for image in images if hasattr(image, "id")}
    return {f"i{name}{number}": image for name, image in named.items() for number in (0, 1)}


def _head_of(own: Sequence[str], opens: bool, carried: str) -> str:
    """What stands at a page's head, CSS's `string(chapter, start)`: what is set where the page
    begins, else the last of the pages before."""
    return own[0] if own and opens else carried


def _opens(page: Any) -> bool:
    """Whether a page begins with what sets its head."""
    element = page
    while element:
        found = element.style["string_set"]
        if found != "none" and any(name == HEAD for name, _ in found):
            return True
        element = element.children[0] if element.children else None
    return False


def _heads(page: Any) -> list[str]:
    """What is set on a page for the heads of this one and the next."""
    return [text for name, text in strings_of(page) if name == HEAD]


def _is_whole(context: Any) -> bool:
    """Whether nothing is carried to the next page beside the text."""
    return not (context.reported_footnotes or context.broken_out_of_flow)


def _quiet(remake: dict[str, Any]) -> None:
    """Forget why a page was to be made again, as WeasyPrint does before it makes it."""
    remake.update(content_changed=False, pages_wanted=False, anchors=[], content_lookups=[])


def _state(entry: Any) -> Any:
    """With what a page begins, as JSON holds it; None where it belongs to a group of pages."""
    resume_at, next_page, right, (quotes, counters, scopes, groups), _ = entry
    if any(_layout.page._includes_resume_at(resume_at, group[2]) for group in groups):
        return None
    counted = {key: list(each) for key, each in counters.items() if key != "pages"}
    return [list(quotes), counted, [sorted(scope) for scope in scopes], dict(next_page), right]
