"""The page before sheets of changed cards: what to take out of the box, what is new, what changed.

Differences become HTML here, in the language of the cards; pdf/listing sets it.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from cardgen.changes.compare import Change, Edit, Entry, State, whole_backs
from cardgen.words.languages import word

# An arrow would be clearer than ›, but hardly any text font has one.
# Values as short as this are shown whole, old and new; of longer ones what differs.
_WHOLE = 32
_AROUND = 3
_LONGEST = 40
CSS = """
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
class About:
    """What the page tells beside the changes. `titles` are those of the decks by their ids."""

    game: str
    edition: str
    date: str
    language: str
    against: str
    sheets: int
    titles: Mapping[str, str]

    def word(self, key: str) -> str:
        return word(f"changes.{key}", self.language)


def page(changes: Sequence[Change], old: State, new: State, about: About) -> str:
    """The body's HTML."""
    parts = [
        _head(changes, about),
        *_take_out(changes, old, about),
        *_plain("new", changes, about),
        *_changed(changes, new, about),
        *_plain("more", changes, about),
        Markup("<footer>{}</footer>").format(about.word("hint")),
    ]
    return "".join(map(str, parts))


def _head(changes: Sequence[Change], about: About) -> Markup:
    edition = f"{about.word('edition')} {about.edition}" if about.edition else ""
    against = f"{about.word('against')} {about.against}"
    facts = [edition, about.language, about.date, against]
    put, take = sum(c.put for c in changes), sum(c.take for c in changes)
    return Markup(
        '<header><div class="game">{}</div><h1>{}</h1><div class="about">{}</div></header>'
        '<p class="sums"><span>{} <b>{}</b></span><span>{} <b>{}</b></span>'
        "<span>{} <b>{}</b></span></p>"
    ).format(
        about.game, about.word("title"), " · ".join(fact for fact in facts if fact),
        about.word("print"), put, about.word("sheets"), about.sheets, about.word("out"), take,
    )  # fmt: skip


def _section(key: str, many: int, rows: Iterable[Markup], about: About, columns: str) -> Markup:
    body = Markup("").join(rows)
    return Markup('<h2>{} <span class="many">{}</span></h2><div class="{}">{}</div>').format(
        about.word(key), many, columns, body
    )


def _by_deck(changes: Iterable[Change]) -> dict[str, list[Change]]:
    decks: dict[str, list[Change]] = {}
    for change in changes:
        decks.setdefault(change.deck, []).append(change)
    return decks


def _deck(deck: str, about: About) -> Markup:
    title = about.titles.get(deck, "")
    shown = f"{title} · {deck}" if title and title.lower() != deck else title or deck
    return Markup("<h3>{}</h3>").format(shown)


def _row(count: int, *inner: Markup) -> Markup:
    return Markup('<div class="row"><i class="tick"></i><i class="count">{} ×</i>{}</div>').format(
        count, Markup(" ").join(inner)
    )


def _id(change: Change) -> Markup:
    return Markup('<span class="id">{}</span>').format(change.piece)


def _stamp(entry: Entry | None) -> Markup:
    return Markup('<span class="stamp">{}</span>').format(entry.stamp if entry else "")


def _why(text: str) -> Markup:
    return Markup('<span class="why">{}</span>').format(text)


def _take_out(changes: Sequence[Change], old: State, about: About) -> Iterator[Markup]:
    going = [change for change in changes if change.take]
    rows: list[Markup] = []
    for deck, group in _by_deck(going).items():
        rows.append(_deck(deck, about))
        if len(group) > 3 and sum(c.take for c in group) == _in_deck(old, deck):
            rows.append(_row(_in_deck(old, deck), _why(about.word("whole"))))
            continue
        rows += [_row(c.take, _id(c), _stamp(c.old), _why(_reason(c, about))) for c in group]
    if going:
        yield _section("take", sum(c.take for c in going), rows, about, "two")


def _in_deck(state: State, deck: str) -> int:
    return sum(entry.copies for entry in state.get(deck, {}).values())


def _reason(change: Change, about: About) -> str:
    if change.kind == "gone":
        return about.word("gone")
    if change.kind == "fewer" and change.old and change.new:
        return f"{about.word('copies')} {change.old.copies} › {change.new.copies}"
    same = change.old and change.new and change.old.stamp == change.new.stamp
    return about.word("same" if same else "replaced")


def _plain(kind: str, changes: Sequence[Change], about: About) -> Iterator[Markup]:
    """New pieces, and further copies of old ones."""
    wanted = [change for change in changes if change.kind == kind]
    rows: list[Markup] = []
    for deck, group in _by_deck(wanted).items():
        rows.append(_deck(deck, about))
        for c in group:
            more = (
                f"{about.word('copies')} {c.old.copies} › {c.new.copies}" if c.old and c.new else ""
            )
            rows.append(_row(c.put, _id(c), _stamp(c.new), _why(more)))
    if wanted:
        yield _section(kind, sum(c.put for c in wanted), rows, about, "two")


def _changed(changes: Sequence[Change], new: State, about: About) -> Iterator[Markup]:
    """Pieces whose fields changed one by one, those whose looks changed together."""
    wanted = [change for change in changes if change.kind == "changed"]
    backs = set(whole_backs(tuple(changes), new))
    rows: list[Markup] = []
    for deck, group in _by_deck(wanted).items():
        rows.append(_deck(deck, about))
        if deck in backs:
            rows.append(_row(sum(c.put for c in group), _why(about.word("backs"))))
        looks: dict[str, list[Change]] = {}
        for c in group:
            told = list(_edits(c, about))
            side = _look(c, whole_back=deck in backs)
            if told:
                more = [_why(about.word("back"))] if side in {"back", "both"} else []
                rows.append(_row(c.put, _id(c), _stamps(c), *more, *told))
            elif side:
                looks.setdefault(side, []).append(c)
        for side, alike in looks.items():
            names = ", ".join(c.piece for c in alike)
            why = Markup("<div>{}</div>").format(_why(about.word(side)))
            ids = Markup('<span class="id">{}</span>').format(names)
            rows.append(_row(sum(c.put for c in alike), ids, why))
    if wanted:
        yield _section("changed", sum(c.put for c in wanted), rows, about, "one")


def _look(change: Change, *, whole_back: bool) -> str:
    sides = [side for side in change.sides if side == "front" or not whole_back]
    return "both" if len(sides) == 2 else sides[0] if sides else ""


def _stamps(change: Change) -> Markup:
    old, new = change.old, change.new
    return Markup('<span class="stamp">{} › <b>{}</b></span>').format(
        old.stamp if old else "", new.stamp if new else ""
    )


def _edits(change: Change, about: About) -> Iterator[Markup]:
    edits = list(change.edits)
    if change.old and change.new and change.old.copies != change.new.copies:
        old, new = str(change.old.copies), str(change.new.copies)
        edits.append(Edit(about.word("copies"), old, new))
    for edit in edits:
        yield Markup('<div class="edit"><span class="field">{}</span> {}</div>').format(
            edit.name, difference(_clean(edit.old), _clean(edit.new), about.word("none"))
        )


def _clean(text: str) -> str:
    """As one line; a hyphen that shows only at a line's end is shown as one."""
    return " ".join(text.replace("\u00ad", "-").split())


def difference(old: str, new: str, none: str) -> Markup:
    """Old and new in short: whole where they are short, else the words that differ."""
    if len(old) <= _WHOLE and len(new) <= _WHOLE:
        return Markup("<del>{}</del> › <ins>{}</ins>").format(old or none, new or none)
    if not old or not new:
        return Markup("{} › {}").format(_short(old) or none, _short(new) or none)
    before, after = old.split(" "), new.split(" ")
    match = difflib.SequenceMatcher(None, before, after, autojunk=False)
    parts: list[Markup] = []
    for tag, a, b, c, d in match.get_opcodes():
        if tag == "equal":
            parts.append(_between(before[a:b], first=a == 0, last=b == len(before)))
            continue
        parts += [Markup("<del>{}</del>").format(_short(" ".join(before[a:b])))] if a < b else []
        parts += [Markup("<ins>{}</ins>").format(_short(" ".join(after[c:d])))] if c < d else []
    return Markup(" ").join(parts)


def _between(words: Sequence[str], *, first: bool, last: bool) -> Markup:
    """Words that stayed: as many as it takes to see where one is."""
    head, tail = (0 if first else _AROUND), (0 if last else _AROUND)
    if len(words) <= head + tail + 1:
        return escape(" ".join(words))
    kept = [*words[:head], "…", *(words[-tail:] if tail else [])]
    return escape(" ".join(kept))


def _short(text: str) -> str:
    """A long run of words by its ends."""
    words = text.split(" ")
    if len(words) <= 2 * _LONGEST:
        return text
    return " ".join([*words[:_LONGEST], "…", *words[-_LONGEST:]])
