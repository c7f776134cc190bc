"""The list before the sheets of changed cards: what to take out of the box, what is new or changed.

The list is HTML in the language of the cards, typeset by WeasyPrint, and its pages are put before
those of the sheets.
"""

from __future__ import annotations

import difflib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from markupsafe import Markup, escape

from cardgen.assets.font_files import FontFile
from cardgen.changes.card_changes import (
    CardChange,
    CardSnapshot,
    FieldEdit,
    GameState,
    find_changed_backs,
)
from cardgen.core.units import Margins, Size, convert_to_points
from cardgen.game.card_text import is_right_to_left, mirror_stylesheet
from cardgen.words.languages import get_word

SHORT_VALUE_CHARS = 32
"""Shorter values are shown in full, before and after; of longer ones only the words that differ.

They are separated by ›, since hardly any text font has an arrow.
"""
CONTEXT_WORDS = 3
MAX_RUN_WORDS = 40
LIST_CSS = """
html { font-size: 9pt; line-height: 1.32; color: #1d1b19; hyphens: none }
header { border-bottom: 0.5mm solid #1d1b19; padding-bottom: 2mm; margin-bottom: 2mm }
.game { font-size: 8pt; letter-spacing: 0.06em; text-transform: uppercase; color: #6d655c }
h1 { font-size: 20pt; line-height: 1.1; margin: 0.5mm 0 1mm; font-weight: 700 }
.about { color: #6d655c; font-size: 8pt }
.sums { margin: 0 0 1mm } .sums b { font-size: 12pt; padding-right: 0.6mm }
.sums span { display: inline-block; margin-right: 7mm }
h2 { font-size: 11pt; font-weight: 700; margin: 4mm 0 0.8mm; padding-bottom: 0.6mm;
     border-bottom: 0.2mm solid #1d1b19; break-after: avoid }
h2 .many { font-weight: 400; padding-left: 2mm }
h3 { font-size: 8pt; font-weight: 700; letter-spacing: 0.04em; color: #6d655c;
     margin: 1.6mm 0 0.3mm; break-after: avoid }
.two { columns: 2; column-gap: 8mm }
.row { break-inside: avoid; padding: 0.25mm 0 0.25mm 14mm; text-indent: -14mm }
.row div { text-indent: 0 }
.tick { display: inline-block; width: 2.5mm; height: 2.5mm; border: 0.25mm solid #1d1b19;
        vertical-align: -0.3mm }
.count { display: inline-block; width: 9.2mm; margin-right: 1.8mm; text-align: right;
         text-indent: 0; font-style: normal }
.id { font-weight: 700 } .id, .stamp { hyphens: manual }
.stamp { color: #6d655c; letter-spacing: 0.05em; white-space: nowrap } .stamp b { color: #1d1b19 }
.why { color: #6d655c }
.row .edit { margin: 0 0 0.2mm; padding-left: 3mm; text-indent: -3mm }
.field { font-weight: 700; font-size: 8pt; color: #6d655c; padding-right: 1mm }
del { color: #8c8278; text-decoration: line-through }
ins { font-weight: 700; text-decoration: none }
footer { margin-top: 5mm; font-size: 8pt; color: #6d655c }
"""


@dataclass(frozen=True)
class ListHeader:
    """The data in the head of the list; `titles` are those of the decks by their ids."""

    game: str
    edition: str
    date: str
    language: str
    against: str
    sheets: int
    titles: Mapping[str, str]

    def translate(self, key: str) -> str:
        return get_word(f"changes.{key}", self.language)


def render_change_list(
    changes: Sequence[CardChange], old: GameState, new: GameState, header: ListHeader
) -> str:
    """Return the HTML of the list's body."""
    return _ChangeListRenderer(changes, old, new, header).render()


class _ChangeListRenderer:
    """Renders the sections of a list: for each deck a title, and rows with boxes to tick."""

    def __init__(
        self, changes: Sequence[CardChange], old: GameState, new: GameState, header: ListHeader
    ) -> None:
        self.changes, self.old, self.header = changes, old, header
        self.translate = header.translate
        self.changed_backs = set(find_changed_backs(tuple(changes), new))

    def render(self) -> str:
        kinds: dict[str, list[CardChange]] = {"new": [], "changed": [], "more": []}
        for change in self.changes:
            kinds.setdefault(change.kind, []).append(change)
        removed = [change for change in self.changes if change.copies_to_remove]
        parts = (
            self._render_header(),
            self._render_section("take", removed, self._render_removals, _count_removed),
            self._render_section("new", kinds["new"], self._render_additions, _count_printed),
            self._render_section(
                "changed", kinds["changed"], self._render_changes, _count_printed, columns="one"
            ),
            self._render_section("more", kinds["more"], self._render_additions, _count_printed),
            Markup("<footer>{}</footer>").format(self.translate("hint")),
        )
        return "".join(parts)

    def _render_header(self) -> Markup:
        header, translate = self.header, self.translate
        edition = f"{translate('edition')} {header.edition}" if header.edition else ""
        against = f"{translate('against')} {header.against}"
        facts = [edition, header.language, header.date, against]
        return Markup(
            '<header><div class="game">{}</div><h1>{}</h1><div class="about">{}</div></header>'
            '<p class="sums"><span>{} <b>{}</b></span><span>{} <b>{}</b></span>'
            "<span>{} <b>{}</b></span></p>"
        ).format(
            header.game, translate("title"), " · ".join(filter(None, facts)),
            translate("print"), _count_printed(self.changes), translate("sheets"), header.sheets,
            translate("out"), _count_removed(self.changes),
        )  # fmt: skip

    def _render_section(
        self,
        key: str,
        changes: Sequence[CardChange],
        render_deck: Callable[[str, list[CardChange]], Iterator[Markup]],
        count: Callable[[Sequence[CardChange]], int],
        columns: str = "two",
    ) -> Markup:
        """Return a section, empty without changes."""
        if not changes:
            return Markup()
        rows: list[Markup] = []
        for deck, group in group_by_deck(changes).items():
            title = self.header.titles.get(deck, "")
            shown = f"{title} · {deck}" if title and title.lower() != deck else title or deck
            rows += [Markup("<h3>{}</h3>").format(shown), *render_deck(deck, group)]
        return Markup('<h2>{} <span class="many">{}</span></h2><div class="{}">{}</div>').format(
            self.translate(key), count(changes), columns, Markup("").join(rows)
        )

    def _render_removals(self, deck: str, group: list[CardChange]) -> Iterator[Markup]:
        whole = sum(entry.copies for entry in self.old.get(deck, {}).values())
        if len(group) > 3 and _count_removed(group) == whole:
            yield _render_row(whole, _render_span("why", self.translate("whole")))
            return
        for c in group:
            why = _render_span("why", self._explain_removal(c))
            yield _render_row(c.copies_to_remove, _render_id(c.piece), _render_stamp(c.old), why)

    def _explain_removal(self, change: CardChange) -> str:
        if change.kind == "gone":
            return self.translate("gone")
        if change.kind == "fewer":
            return self._describe_copies(change)
        same = change.old and change.new and change.old.stamp == change.new.stamp
        return self.translate("same" if same else "replaced")

    def _describe_copies(self, change: CardChange) -> str:
        """Return the copies of a piece before and after, "" for a new one."""
        if not change.old or not change.new:
            return ""
        return f"{self.translate('copies')} {change.old.copies} › {change.new.copies}"

    def _render_additions(self, _deck: str, group: list[CardChange]) -> Iterator[Markup]:
        """Yield the rows of new pieces, or of further copies."""
        for c in group:
            more = _render_span("why", self._describe_copies(c))
            yield _render_row(c.copies_to_print, _render_id(c.piece), _render_stamp(c.new), more)

    def _render_changes(self, deck: str, group: list[CardChange]) -> Iterator[Markup]:
        """Yield the rows of changed pieces: one for each changed text, one for all that only look
        different."""
        whole_back = deck in self.changed_backs
        if whole_back:
            yield _render_row(_count_printed(group), _render_span("why", self.translate("backs")))
        looks: dict[str, list[CardChange]] = {}
        for c in group:
            edits = list(self._render_edits(c))
            sides = [side for side in c.sides if side == "front" or not whole_back]
            if edits:
                old, new = (entry.stamp if entry else "" for entry in (c.old, c.new))
                stamps = Markup('<span class="stamp">{} › <b>{}</b></span>').format(old, new)
                back = [_render_span("why", self.translate("back"))] if "back" in sides else []
                yield _render_row(c.copies_to_print, _render_id(c.piece), stamps, *back, *edits)
            elif sides:
                looks.setdefault("both" if len(sides) == 2 else sides[0], []).append(c)
        for side, same in looks.items():
            names = ", ".join(c.piece for c in same)
            why = Markup("<div>{}</div>").format(_render_span("why", self.translate(side)))
            yield _render_row(_count_printed(same), _render_id(names), why)

    def _render_edits(self, change: CardChange) -> Iterator[Markup]:
        edits = list(change.edits)
        if change.old and change.new and change.old.copies != change.new.copies:
            old, new = str(change.old.copies), str(change.new.copies)
            edits.append(FieldEdit(self.translate("copies"), old, new))
        none = self.translate("none")
        for edit in edits:
            difference = render_difference(flatten_text(edit.old), flatten_text(edit.new), none)
            yield Markup('<div class="edit"><span class="field">{}</span> {}</div>').format(
                edit.name, difference
            )


def _count_printed(changes: Sequence[CardChange]) -> int:
    return sum(change.copies_to_print for change in changes)


def _count_removed(changes: Sequence[CardChange]) -> int:
    return sum(change.copies_to_remove for change in changes)


def group_by_deck(items: Iterable[Any]) -> dict[str, list[Any]]:
    """Return things that have a deck by it, in their order."""
    decks: dict[str, list[Any]] = {}
    for item in items:
        decks.setdefault(item.deck, []).append(item)
    return decks


def _render_row(count: int, *inner: Markup) -> Markup:
    return Markup('<div class="row"><i class="tick"></i><i class="count">{} ×</i>{}</div>').format(
        count, Markup(" ").join(inner)
    )


def _render_span(name: str, text: str) -> Markup:
    return Markup('<span class="{}">{}</span>').format(name, text)


def _render_id(text: str) -> Markup:
    return _render_span("id", text)


def _render_stamp(entry: CardSnapshot | None) -> Markup:
    return _render_span("stamp", entry.stamp if entry else "")


def flatten_text(text: str) -> str:
    """Return a text on one line, with soft hyphens as visible ones."""
    return " ".join(text.replace("\u00ad", "-").split())


def render_difference(old: str, new: str, none: str) -> Markup:
    """Return the HTML of an old and a new text: both when they are short, else the words that
    differ."""
    if len(old) <= SHORT_VALUE_CHARS and len(new) <= SHORT_VALUE_CHARS:
        return Markup("<del>{}</del> › <ins>{}</ins>").format(old or none, new or none)
    if not old or not new:
        return Markup("{} › {}").format(_shorten_run(old) or none, _shorten_run(new) or none)
    before, after = old.split(" "), new.split(" ")
    match = difflib.SequenceMatcher(None, before, after, autojunk=False)
    parts: list[Markup] = []
    for tag, a, b, c, d in match.get_opcodes():
        if tag == "equal":
            parts.append(_shorten_context(before[a:b], first=a == 0, last=b == len(before)))
            continue
        for name, words in (("del", before[a:b]), ("ins", after[c:d])):
            if words:
                run = _shorten_run(" ".join(words))
                parts.append(Markup("<{0}>{1}</{0}>").format(name, run))
    return Markup(" ").join(parts)


def _shorten_context(words: Sequence[str], *, first: bool, last: bool) -> Markup:
    """Shorten words that did not change to the ones next to a change."""
    head, tail = (0 if first else CONTEXT_WORDS), (0 if last else CONTEXT_WORDS)
    if len(words) <= head + tail + 1:
        return escape(" ".join(words))
    shown = [*words[:head], "…", *(words[-tail:] if tail else [])]
    return escape(" ".join(shown))


def _shorten_run(text: str) -> str:
    """Shorten a long run of words to its two ends."""
    words = text.split(" ")
    if len(words) <= 2 * MAX_RUN_WORDS:
        return text
    return " ".join([*words[:MAX_RUN_WORDS], "…", *words[-MAX_RUN_WORDS:]])


LIST_MARGIN_MM = 14.0


@dataclass(frozen=True)
class ListDocument:
    """Input of the list's PDF: HTML body, paper size and fonts.

    With `even`, an empty page is added where the sheets would begin on the back of the list.
    """

    html: str
    title: str
    language: str
    paper: Size
    cuts: tuple[FontFile, ...]
    margin: Margins
    even: bool


def make_list_pdf(listing: ListDocument, sheets: bytes | None) -> bytes:
    """Return the PDF of the list followed by the sheets."""
    import pikepdf  # noqa: PLC0415 - loaded only where a list is made

    from cardgen.pdf.pdf_objects import save_document  # noqa: PLC0415

    with pikepdf.open(io.BytesIO(_typeset_list(listing))) as pdf:
        if sheets is not None:
            if listing.even and len(pdf.pages) % 2:
                paper = listing.paper
                size = convert_to_points(paper.width), convert_to_points(paper.height)
                pdf.add_blank_page(page_size=size)
            with pikepdf.open(io.BytesIO(sheets)) as rest:
                pdf.pages.extend(rest.pages)
        return save_document(pdf, listing.title, listing.language)


def _typeset_list(listing: ListDocument) -> bytes:
    from cardgen.pdf.weasyprint_adapter import render_document  # noqa: PLC0415 - if needed

    own = mirror_stylesheet(LIST_CSS) if is_right_to_left(listing.language) else LIST_CSS
    margins = " ".join(f"{max(LIST_MARGIN_MM, side)}mm" for side in astuple(listing.margin))
    css = (
        f"\n@page {{ size: {listing.paper.width}mm {listing.paper.height}mm; "
        f"margin: {margins} }}\n"
        f"html {{ font-family: FAMILIES }} body {{ margin: 0 }}\n{own}"
    )
    document = render_document(listing.html, css, listing.language, listing.cuts)
    pdf: bytes = document.write_pdf()
    return pdf
