"""A difference as one page of HTML that needs nothing else: pictures and script stand in it.

What it shows may come from a stranger's cards. Everything is escaped, and the page's own policy
lets nothing run or load but what is known here by its hash.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence

from markupsafe import Markup, escape

from cardgen.changes.change_list import render_difference as words_that_differ
from cardgen.changes.diff_model import (
    BookDiff,
    CardDiff,
    DeckDiff,
    Difference,
    DiffSpot,
    FaceDiff,
    FaceImage,
    FieldDiff,
    SheetsToPrint,
)
from cardgen.core.problems import Problem
from cardgen.diff import summary
from cardgen.diff.html_rules import render_rules
from cardgen.diff.html_script import SCRIPT
from cardgen.diff.html_style import STYLE
from cardgen.diff.summary import format_count

_NAMED = 12
"""So many of the cards that one change hit are named."""
_JOIN = Markup("")
Sizes = dict[tuple[float, float], str]


def render_page(found: Difference) -> str:
    """The whole file."""
    sizes: Sizes = {}
    body = _JOIN.join([*_body(found, sizes)])
    style = STYLE + "".join(
        f".{name}{{--w:{width:g};--h:{height:g}}}\n" for (width, height), name in sizes.items()
    )
    policy = (
        f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; "
        f"script-src '{_hash(SCRIPT)}'; base-uri 'none'; form-action 'none'"
    )
    title = escape(f"{found.title} – what changed")
    return "".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
            f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n',
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
            '<meta name="referrer" content="no-referrer">\n',
            f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}",
            f"<script>{SCRIPT}</script>\n</body>\n</html>\n",
        ]
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _body(found: Difference, sizes: Sizes) -> Iterator[Markup]:
    yield _header(found)
    yield _tools(found)
    yield Markup('<main class="inner">\n')
    if found.is_empty:
        yield Markup(
            '<p class="nothing">Nothing changed: cards, rules, decks and the rulebook are as they '
            "were.</p>\n"
        )
    yield from _cards(found, sizes)
    yield from render_rules(found)
    yield from _books(found.books)
    yield from _problems(found)
    yield from _decks(found.decks)
    yield from _sheets(found)
    yield Markup("</main>\n")


def _header(found: Difference) -> Markup:
    sums = _JOIN.join(
        Markup('<li><a href="#{}" class="{}"><b>{}</b>{}</a></li>').format(
            each.anchor, each.tone, each.number, each.label
        )
        for each in summary.list_figures(found)
    )
    notes = _JOIN.join(Markup("<p>{}</p>").format(note) for note in found.notes)
    return Markup(
        '<header><div class="inner"><p class="game">{}</p><h1>What changed</h1>'
        '<p class="between"><b>Before:</b> {} · <b>after:</b> {} · {}</p>{}{}</div></header>\n'
    ).format(
        found.title, found.old, found.new, ", ".join(found.languages),
        Markup('<ul class="sums">{}</ul>').format(sums) if sums else "",
        Markup('<div class="notes">{}</div>').format(notes) if notes else "",
    )  # fmt: skip


def _tools(found: Difference) -> Markup:
    """What the script shows; without faces it has nothing to do."""
    if not any(card.faces for card in found.cards):
        return Markup('<div class="tools" hidden></div>\n')
    codes = ["", *found.languages] if len(found.languages) > 1 else []
    languages = _JOIN.join(
        Markup('<button type="button" data-language="{}">{}</button>').format(c, c or "all")
        for c in codes
    )
    return Markup(
        '<div class="tools" hidden><div class="inner">'
        '<span class="group">'
        '<button type="button" data-view="side">Side by side<kbd>1</kbd></button>'
        '<button type="button" data-view="slider">Slider<kbd>2</kbd></button>'
        '<button type="button" data-view="blink">Blink<kbd>3</kbd></button></span>'
        '<span class="group">'
        '<button type="button" data-marks="on">Marks<kbd>M</kbd></button></span>'
        '<span class="group">'
        '<button type="button" data-size="0.8" aria-label="smaller">−</button>'
        '<button type="button" data-size="1.25" aria-label="larger">+</button></span>'
        '<span class="group">{}</span></div></div>\n'
    ).format(languages)


def _cards(found: Difference, sizes: Sizes) -> Iterator[Markup]:
    if not found.cards:
        return
    yield Markup('<h2 id="cards">Cards <small>{}</small></h2>\n').format(
        summary.summarise_cards(found)
    )
    decks: dict[str, list[CardDiff]] = {}
    for card in found.cards:
        decks.setdefault(card.deck, []).append(card)
    for deck, group in decks.items():
        yield Markup("<h3>{} <small>{}</small></h3>\n").format(found.titles.get(deck) or deck, deck)
        for card in group:
            yield _card(card, found, sizes)


def _card(card: CardDiff, found: Difference, sizes: Sizes) -> Markup:
    faces = _JOIN.join(_face(face, card, found, sizes) for face in card.faces)
    fields = _JOIN.join(_field(each, card) for each in card.fields)
    parts = [
        Markup('<div class="faces">{}</div>').format(faces) if faces else "",
        Markup('<dl class="fields">{}</dl>').format(fields) if fields else "",
        _unseen(card) if not faces and (card.unseen or card.fields) else "",
    ]
    return Markup(
        '<article class="card {}" tabindex="-1"><h4>{}</h4><div class="body">{}</div></article>\n'
    ).format(card.kind, _heading(card), _JOIN.join(map(escape, parts)))


def _heading(card: CardDiff) -> Markup:
    said = [Markup("<span>{}</span>").format(_named(card.cards))]
    if card.kind != "changed":
        said.append(Markup('<span class="tag {0}">{0}</span>').format(card.kind))
    if card.was:
        said.append(Markup("<small>was {}</small>").format("/".join(card.was)))
    old, new = card.copies
    if card.kind == "changed" and old != new:
        said.append(Markup("<small>copies <del>{}</del> › <ins>{}</ins></small>").format(old, new))
    elif card.kind in {"new", "gone"}:
        number = format_count(new or old, "copy", "copies")
        said.append(Markup("<small>{}</small>").format(number))
    return _JOIN.join(said)


def _named(cards: Sequence[str]) -> str:
    rest = f" and {len(cards) - _NAMED} more" if len(cards) > _NAMED else ""
    return ", ".join(cards[:_NAMED]) + rest


def _unseen(card: CardDiff) -> Markup:
    why = f": {', '.join(card.unseen)}" if card.unseen else ""
    return Markup('<p class="why">It prints as before{}.</p>').format(why)


def _face(face: FaceDiff, card: CardDiff, found: Difference, sizes: Sizes) -> Markup:
    both = face.old is not None and face.new is not None
    pictured = both and all(each and each.picture for each in (face.old, face.new))
    sides = [
        Markup('<div class="at {}"><span>{}</span>{}</div>').format(
            when, label, _picture(shown, face, f"{_named(card.cards)}, {label}", found, sizes)
        )
        for when, label, shown in (("old", "before", face.old), ("new", "after", face.new))
        if shown is not None
    ]
    slide = Markup(
        '<input class="slide {}" type="range" min="0" max="100" value="50" aria-label="{}">'
    ).format(
        _size(face.new or face.old, sizes), f"how much is shown of {_named(card.cards)} as it was"
    )
    why = Markup('<p class="why">because of {}</p>').format(", ".join(face.why))
    return Markup(
        '<figure data-languages="{}"><figcaption><b>{}</b>{}</figcaption>'
        '<div class="stage{}">{}</div>{}{}</figure>'
    ).format(
        " ".join(face.languages), face.side, ", ".join(face.languages),
        " two" if pictured else "", _JOIN.join(sides), slide if pictured else "",
        why if face.why else "",
    )  # fmt: skip


def _picture(
    shown: FaceImage, face: FaceDiff, label: str, found: Difference, sizes: Sizes
) -> Markup:
    name = _size(shown, sizes)
    webp = found.pictures.get(shown.picture, b"")
    if not webp:
        return Markup('<div class="pic none {}">{}</div>').format(
            name, shown.why or summary.NO_VALUE
        )
    data = base64.b64encode(webp).decode()
    # Each box twice: light around, a mark within, to be seen on any ground; and within the face,
    # that no side of it is cut off.
    spots = _JOIN.join(
        2
        * Markup('<rect x="{:.4g}" y="{:.4g}" width="{:.4g}" height="{:.4g}"/>').format(
            left, top, right - left, low - top
        )
        for left, top, right, low in map(_within, face.spots if shown is face.new else ())
    )
    marks = Markup(
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    ).format(spots)
    return Markup(
        '<div class="pic {}"><img src="data:image/webp;base64,{}" alt="{}" loading="lazy">{}</div>'
    ).format(name, data, f"{label}: {face.side}", marks if spots else "")


def _size(shown: FaceImage | None, sizes: Sizes) -> str:
    """The class of all that is as large as a face."""
    size = (shown.width, shown.height) if shown else (0.0, 0.0)
    return sizes.setdefault(size, f"f{len(sizes)}")


def _within(spot: DiffSpot) -> tuple[float, float, float, float]:
    """A spot's sides in hundredths of the face: left, top, right, bottom."""
    x, y, wide, tall = spot
    sides = x, y, x + wide, y + tall
    left, top, right, low = (min(98.8, max(1.2, side * 100)) for side in sides)
    return left, top, right, low


def _field(each: FieldDiff, card: CardDiff) -> Markup:
    edit, where = each.edit, ", ".join(each.languages)
    if card.kind in {"new", "gone"}:
        said: Markup = escape(edit.new or edit.old)
    else:
        said = words_that_differ(_plain(edit.old), _plain(edit.new), summary.NO_VALUE)
    attribute = Markup(' data-languages="{}"').format(" ".join(each.languages)) if where else ""
    return Markup("<div{}><dt><b>{}</b> {}</dt><dd>{}</dd></div>").format(
        attribute, edit.name, where, said
    )


def _plain(text: str) -> str:
    """A text on one line, its hyphens where words may break shown as what they are."""
    return " ".join(text.replace("\u00ad", "-").split())


def _books(books: Sequence[BookDiff]) -> Iterator[Markup]:
    """What the rulebook says otherwise."""
    if not books:
        return
    yield Markup('<h2 id="rulebook">Rulebook <small>{}</small></h2>\n').format(
        summary.summarise_books(books)
    )
    for book in books:
        rows = [
            words_that_differ(_plain(old), _plain(new), summary.NO_VALUE)
            for old, new in book.passages
        ]
        if book.untold:
            rows.append(escape(f"and {format_count(book.untold, 'passage')} more"))
        yield Markup('<h3 class="file">{}</h3>\n<ul class="list">{}</ul>\n').format(
            book.file, _JOIN.join(Markup("<li><p>{}</p></li>").format(row) for row in rows)
        )


def _problems(found: Difference) -> Iterator[Markup]:
    if not found.appeared and not found.vanished:
        return
    yield Markup('<h2 id="problems">Problems <small>{}</small></h2>\n').format(
        summary.summarise_problems(found)
    )
    if found.appeared:
        yield Markup("<h3>New</h3>\n{}").format(_listed(found.appeared, gone=False))
    if found.vanished:
        yield Markup("<h3>Gone</h3>\n{}").format(_listed(found.vanished, gone=True))


def _listed(problems: Iterable[Problem], *, gone: bool) -> Markup:
    rows = [
        Markup('<li class="{}"><p>{}</p><p class="place">{} · {} · {}</p></li>').format(
            "was" if gone else each.severity, str(each.to_json()["message"]), str(each.source),
            each.severity, each.kind,
        )
        for each in problems
    ]  # fmt: skip
    return Markup('<ul class="list">{}</ul>\n').format(_JOIN.join(rows))


def _decks(decks: Sequence[DeckDiff]) -> Iterator[Markup]:
    if not decks:
        return
    rows = [
        Markup("<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td></tr>").format(
            _called(deck), _pair(deck.cards), _pair(deck.copies),
            "another order" if deck.reordered else "",
        )
        for deck in decks
    ]  # fmt: skip
    yield Markup(
        '<h2 id="decks">Decks</h2>\n<div class="wide"><table><thead><tr><th>Deck</th>'
        "<th>Cards</th><th>With copies</th><th></th></tr></thead><tbody>{}</tbody></table></div>\n"
    ).format(_JOIN.join(rows))


def _called(deck: DeckDiff) -> Markup:
    """Its title, and its name in the files, by which decks of one title are told apart."""
    small = Markup(" <small>{}</small>").format(deck.id) if deck.title else Markup("")
    return escape(deck.title or deck.id) + small


def _pair(numbers: tuple[int, int]) -> Markup:
    old, new = numbers
    if old == new:
        return escape(new)
    return Markup("<del>{}</del> › <ins>{}</ins>").format(old, new)


def _sheets(found: Difference) -> Iterator[Markup]:
    if not found.to_print:
        return
    yield Markup('<h2 id="sheets">Sheets to print <small>{}</small></h2>\n').format(
        summary.summarise_sheets(found)
    )
    rows = [_sheet(each, found) for each in found.to_print]
    yield Markup(
        '<div class="wide"><table><thead><tr><th>Deck</th><th>Language</th><th>Sheets</th>'
        "<th>Command</th></tr></thead><tbody>{}</tbody></table></div>\n"
    ).format(_JOIN.join(rows))


def _sheet(each: SheetsToPrint, found: Difference) -> Markup:
    return Markup(
        "<tr><th>{}</th><td>{}</td><td>{} <small>({} of {})</small></td><td><code>{}</code></td>"
        "</tr>"
    ).format(
        found.titles.get(each.deck) or each.name, each.language, str(each.numbers), each.count,
        each.total, summary.format_build_command(each),
    )  # fmt: skip
