"""The list before the sheets of changed cards: what to take out of the box, what is new or changed.

The list is HTML in the language of the cards, typeset by WeasyPrint, and its pages are put before
those of the sheets.
"""

from __future__ import annotations

import difflib
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass

from markupsafe import Markup, escape

from cardgen.assets.artwork import BASE_URL
from cardgen.assets.font_files import FontFile
from cardgen.changes.card_changes import (
    CardChange,
    CardSnapshot,
    FieldEdit,
    GameState,
    find_changed_backs,
)
from cardgen.core.units import Margins, Size, convert_to_points
from cardgen.game.card_text import format_language_attributes, is_right_to_left, mirror_stylesheet
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
    parts = [
        _render_header(changes, header),
        *_render_removals(changes, old, header),
        *_render_additions("new", changes, header),
        *_render_changes(changes, new, header),
        *_render_additions("more", changes, header),
        Markup("<footer>{}</footer>").format(header.translate("hint")),
    ]
    return "".join(map(str, parts))


def _render_header(changes: Sequence[CardChange], header: ListHeader) -> Markup:
    edition = f"{header.translate('edition')} {header.edition}" if header.edition else ""
    against = f"{header.translate('against')} {header.against}"
    facts = [edition, header.language, header.date, against]
    put, take = sum(c.copies_to_print for c in changes), sum(c.copies_to_remove for c in changes)
    return Markup(
        '<header><div class="game">{}</div><h1>{}</h1><div class="about">{}</div></header>'
        '<p class="sums"><span>{} <b>{}</b></span><span>{} <b>{}</b></span>'
        "<span>{} <b>{}</b></span></p>"
    ).format(
        header.game, header.translate("title"), " · ".join(fact for fact in facts if fact),
        header.translate("print"), put, header.translate("sheets"), header.sheets,
        header.translate("out"), take,
    )  # fmt: skip


def _render_section(
    key: str, many: int, rows: Iterable[Markup], header: ListHeader, columns: str
) -> Markup:
    body = Markup("").join(rows)
    return Markup('<h2>{} <span class="many">{}</span></h2><div class="{}">{}</div>').format(
        header.translate(key), many, columns, body
    )


def _group_by_deck(changes: Iterable[CardChange]) -> dict[str, list[CardChange]]:
    decks: dict[str, list[CardChange]] = {}
    for change in changes:
        decks.setdefault(change.deck, []).append(change)
    return decks


def _render_deck_title(deck: str, header: ListHeader) -> Markup:
    title = header.titles.get(deck, "")
    shown = f"{title} · {deck}" if title and title.lower() != deck else title or deck
    return Markup("<h3>{}</h3>").format(shown)


def _render_row(count: int, *inner: Markup) -> Markup:
    return Markup('<div class="row"><i class="tick"></i><i class="count">{} ×</i>{}</div>').format(
        count, Markup(" ").join(inner)
    )


def _render_id(change: CardChange) -> Markup:
    return Markup('<span class="id">{}</span>').format(change.piece)


def _render_stamp(entry: CardSnapshot | None) -> Markup:
    return Markup('<span class="stamp">{}</span>').format(entry.stamp if entry else "")


def _render_reason(text: str) -> Markup:
    return Markup('<span class="why">{}</span>').format(text)


def _render_removals(
    changes: Sequence[CardChange], old: GameState, header: ListHeader
) -> Iterator[Markup]:
    going = [change for change in changes if change.copies_to_remove]
    rows: list[Markup] = []
    for deck, group in _group_by_deck(going).items():
        rows.append(_render_deck_title(deck, header))
        if len(group) > 3 and sum(c.copies_to_remove for c in group) == _count_copies(old, deck):
            rows.append(
                _render_row(_count_copies(old, deck), _render_reason(header.translate("whole")))
            )
            continue
        rows += [
            _render_row(
                c.copies_to_remove,
                _render_id(c),
                _render_stamp(c.old),
                _render_reason(_explain_removal(c, header)),
            )
            for c in group
        ]
    if going:
        yield _render_section("take", sum(c.copies_to_remove for c in going), rows, header, "two")


def _count_copies(state: GameState, deck: str) -> int:
    return sum(entry.copies for entry in state.get(deck, {}).values())


def _explain_removal(change: CardChange, header: ListHeader) -> str:
    if change.kind == "gone":
        return header.translate("gone")
    if change.kind == "fewer" and change.old and change.new:
        return f"{header.translate('copies')} {change.old.copies} › {change.new.copies}"
    same = change.old and change.new and change.old.stamp == change.new.stamp
    return header.translate("same" if same else "replaced")


def _render_additions(
    kind: str, changes: Sequence[CardChange], header: ListHeader
) -> Iterator[Markup]:
    """Yield the section of new pieces, or of further copies."""
    wanted = [change for change in changes if change.kind == kind]
    rows: list[Markup] = []
    for deck, group in _group_by_deck(wanted).items():
        rows.append(_render_deck_title(deck, header))
        for c in group:
            more = (
                f"{header.translate('copies')} {c.old.copies} › {c.new.copies}"
                if c.old and c.new
                else ""
            )
            rows.append(
                _render_row(
                    c.copies_to_print, _render_id(c), _render_stamp(c.new), _render_reason(more)
                )
            )
    if wanted:
        yield _render_section(kind, sum(c.copies_to_print for c in wanted), rows, header, "two")


def _render_changes(
    changes: Sequence[CardChange], new: GameState, header: ListHeader
) -> Iterator[Markup]:
    """Yield the section of changed pieces: one row for each changed text, one for all that only
    look different."""
    wanted = [change for change in changes if change.kind == "changed"]
    backs = set(find_changed_backs(tuple(changes), new))
    rows: list[Markup] = []
    for deck, group in _group_by_deck(wanted).items():
        rows.append(_render_deck_title(deck, header))
        if deck in backs:
            rows.append(
                _render_row(
                    sum(c.copies_to_print for c in group), _render_reason(header.translate("backs"))
                )
            )
        looks: dict[str, list[CardChange]] = {}
        for c in group:
            edits = list(_render_edits(c, header))
            side = _summarise_sides(c, whole_back=deck in backs)
            if edits:
                more = (
                    [_render_reason(header.translate("back"))] if side in {"back", "both"} else []
                )
                rows.append(
                    _render_row(c.copies_to_print, _render_id(c), _render_stamps(c), *more, *edits)
                )
            elif side:
                looks.setdefault(side, []).append(c)
        for side, same in looks.items():
            names = ", ".join(c.piece for c in same)
            why = Markup("<div>{}</div>").format(_render_reason(header.translate(side)))
            ids = Markup('<span class="id">{}</span>').format(names)
            rows.append(_render_row(sum(c.copies_to_print for c in same), ids, why))
    if wanted:
        yield _render_section(
            "changed", sum(c.copies_to_print for c in wanted), rows, header, "one"
        )


def _summarise_sides(change: CardChange, *, whole_back: bool) -> str:
    sides = [side for side in change.sides if side == "front" or not whole_back]
    return "both" if len(sides) == 2 else sides[0] if sides else ""


def _render_stamps(change: CardChange) -> Markup:
    old, new = change.old, change.new
    return Markup('<span class="stamp">{} › <b>{}</b></span>').format(
        old.stamp if old else "", new.stamp if new else ""
    )


def _render_edits(change: CardChange, header: ListHeader) -> Iterator[Markup]:
    edits = list(change.edits)
    if change.old and change.new and change.old.copies != change.new.copies:
        old, new = str(change.old.copies), str(change.new.copies)
        edits.append(FieldEdit(header.translate("copies"), old, new))
    for edit in edits:
        yield Markup('<div class="edit"><span class="field">{}</span> {}</div>').format(
            edit.name,
            render_difference(
                flatten_text(edit.old), flatten_text(edit.new), header.translate("none")
            ),
        )


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
        parts += (
            [Markup("<del>{}</del>").format(_shorten_run(" ".join(before[a:b])))] if a < b else []
        )
        parts += (
            [Markup("<ins>{}</ins>").format(_shorten_run(" ".join(after[c:d])))] if c < d else []
        )
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
    """Input of the list's PDF: HTML body, stylesheet, paper size and fonts.

    With `even`, an empty page is added where the sheets would begin on the back of the list.
    """

    html: str
    css: str
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
        pages = len(pdf.pages)
        if sheets is not None:
            if listing.even and pages % 2:
                paper = listing.paper
                size = convert_to_points(paper.width), convert_to_points(paper.height)
                pdf.add_blank_page(page_size=size)
            with pikepdf.open(io.BytesIO(sheets)) as rest:
                pdf.pages.extend(rest.pages)
        return save_document(pdf, listing.title, listing.language)


def _typeset_list(listing: ListDocument) -> bytes:
    from cardgen.pdf.weasyprint_adapter import ArtFetcher, format_font_faces, format_font_families  # noqa: PLC0415
    from cardgen.pdf.weasyprint_library import FontConfiguration, weasyprint  # noqa: PLC0415 - if needed

    fetcher = ArtFetcher({}, listing.cuts)
    fonts = FontConfiguration()
    own = mirror_stylesheet(listing.css) if is_right_to_left(listing.language) else listing.css
    margins = " ".join(f"{max(LIST_MARGIN_MM, side)}mm" for side in astuple(listing.margin))
    css = (
        f"{format_font_faces(listing.cuts)}\n"
        f"@page {{ size: {listing.paper.width}mm {listing.paper.height}mm; "
        f"margin: {margins} }}\n"
        f"html {{ font-family: {format_font_families(listing.cuts)} }} body {{ margin: 0 }}\n{own}"
    )
    style = weasyprint.CSS(string=css, font_config=fonts, url_fetcher=fetcher, base_url=BASE_URL)
    fetcher.raise_fetch_error()
    attributes = format_language_attributes(listing.language)
    html = weasyprint.HTML(
        string=f"<!doctype html><html {attributes}><body>{listing.html}</body>",
        base_url=BASE_URL,
        url_fetcher=fetcher,
    )
    pdf: bytes = html.write_pdf(stylesheets=[style], font_config=fonts)
    return pdf
