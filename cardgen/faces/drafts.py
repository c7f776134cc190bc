"""Drafts: faces with which something is wrong, drawn all the same.

One that could be set is drawn as it is, with what is wrong outlined. In the place of one that could
not, stands a card of its size that says whose face it is and why. A sound face is left as it is,
and so is its place in the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from markupsafe import escape

from cardgen.assets.artwork import Art
from cardgen.assets.fontfiles import FontSet
from cardgen.base import code_digest
from cardgen.base.problems import Problem, Subject
from cardgen.base.store import Store, digest_of
from cardgen.faces import faults, produce
from cardgen.faces.produce import Face, Faces
from cardgen.game.ids import wrong_id
from cardgen.game.model import Deck, Game, Piece, Text
from cardgen.game.signs import unsigned
from cardgen.pdf.face_file import Layer
from cardgen.templates.cache import SIDES

_MOST_SAID = 4
"""So many problems are told on a card."""
_NAMES = ("name", "title")
_STYLE = "draft.css"
_CSS = """
.ground { background: #fbfaf8 repeating-linear-gradient(-45deg, #fbfaf8 0mm, #fbfaf8 2.2mm,
          #f6e9e8 2.2mm, #f6e9e8 4.4mm) }
.whose { position: absolute; left: 9%; right: 9%; top: 8%; height: 27%; color: #26211d;
         hyphens: manual; overflow-wrap: anywhere }
.whose b { display: block; font-size: 1.5em; line-height: 1.1 }
.why { position: absolute; left: 9%; right: 9%; top: 38%; bottom: 8%; color: #26211d;
       hyphens: manual; border-top: .3mm solid #cc0d21; padding-top: 1mm; overflow-wrap: anywhere }
.why p { margin: 0 0 .5em }
.why i { display: block; font-style: normal; font-size: .85em; color: #6d6355 }
"""


def named(decks: Iterable[Deck]) -> tuple[Deck, ...]:
    """The decks and cards after which files can be named, each name once; what is wrong with the
    names of others is told."""
    kept = []
    for deck in decks:
        first: dict[str, Piece] = {}
        for piece in deck.pieces:
            whose = [piece.player.id] if piece.player else []
            if not any(map(wrong_id, (piece.entry, *whose))):
                first.setdefault(piece.id, piece)
        if not wrong_id(deck.id):
            kept.append(replace(deck, pieces=tuple(first.values())))
    return tuple(kept)


def fill(game: Game, faces: Faces, told: Sequence[Problem]) -> None:
    """Add a card that says why, in the place of every face of the game that could not be rendered;
    faces of what is not in the game go."""
    there = {(deck.id, piece.number) for deck in game.decks for piece in deck.pieces}
    faces.faces = [f for f in faces.faces if (f.deck.id, f.piece.number) in there]
    have = {face.whose for face in faces.faces}
    for deck in game.decks:
        for piece in deck.pieces:
            sides = [side for side in SIDES if side == SIDES[0] or deck.template(piece, side)]
            for side in sides:
                for language in game.languages:
                    face = Face(deck, piece, side, language, "", (), str)
                    if face.whose not in have:
                        faces.faces.append(placeholder(game, faces.fonts, face, told))


def placeholder(game: Game, fonts: FontSet, face: Face, told: Iterable[Problem]) -> Face:
    """A card in the place of a face, with what is wrong with it: with itself, or else its deck, or
    else the game."""
    deck = face.deck
    html = partial(_html, face.piece, face.whose, about(face.whose, told))
    geometry = f"{deck.size.width} {deck.size.height} {deck.bleed} {deck.safe}"
    parts = [code_digest.digest("faces"), geometry, fonts.text_digest, *game.colours]
    key = digest_of([*parts, face.language, html()])
    return replace(face, key=key, art=(), html=html, styles=((_STYLE, _CSS),), instead=True)


def about(whose: Subject, told: Iterable[Problem]) -> list[Problem]:
    """The mistakes that keep a face from being made: its own, or else its deck's, or else any."""
    wrong = [problem for problem in dict.fromkeys(told) if problem.severity == "error"]
    deck = Subject(whose.deck)
    for kept in (
        [problem for problem in wrong if concerns(problem.subject, whose)],
        [problem for problem in wrong if problem.subject == deck],
        [problem for problem in wrong if not problem.subject.deck],
    ):
        if kept:
            return kept
    return []


def concerns(subject: Subject, whose: Subject) -> bool:
    """Whether what is told of a card is told of this face of it."""
    return (
        subject.deck == whose.deck
        and subject.card == whose.card
        and subject.language in ("", whose.language)
        and subject.side in ("", whose.side)
    )


def _html(piece: Piece, whose: Subject, why: Sequence[Problem]) -> str:
    said = "".join(
        f"<p>{escape(each.message)}<i>{escape(str(each.source))}</i></p>"
        for each in why[:_MOST_SAID]
    )
    more = f"<p>and {len(why) - _MOST_SAID} more</p>" if len(why) > _MOST_SAID else ""
    return (
        '<div class="bleed ground"></div>'
        f'<div class="whose" data-fit="3-8"><b>{escape(_name(piece, whose.language))}</b>'
        f"{escape(str(whose))}</div>"
        f'<div class="why" data-fit="3-7">{said}{more}</div>'
    )


def _name(piece: Piece, language: str) -> str:
    """What a card is called, as far as that can be told."""
    for field in _NAMES:
        value = piece.values.get(field)
        said = value.get(language) if isinstance(value, Text) else value
        if said:
            return unsigned(str(said), lambda sign: sign).replace("\u00ad", "").strip()
    return piece.id


def draw(game: Game, faces: Faces, store: Store, told: Sequence[Problem]) -> None:
    """Put drafts in the places of the faces with which something is wrong, once all are set that
    can be; a card that says why in that of one that could not."""
    stopped = [face for face in faces.faces if not is_set(face, store)]
    instead = {
        id(face): placeholder(game, faces.fonts, face, _stopping(face, faces, told))
        for face in stopped
    }
    if stopped:
        produce.make(game, Faces(faces.fonts, list(instead.values())), store)
    standing = (instead.get(id(face), face) for face in faces.faces)
    faces.faces = [marked(face, faces, store, told) for face in standing if is_set(face, store)]


def is_set(face: Face, store: Store) -> bool:
    """Whether the store holds a face."""
    return store.has(store.path("faces", f"{face.key}.pdf"))


def _stopping(face: Face, faces: Faces, told: Sequence[Problem]) -> Iterator[Problem]:
    """What is known of a face that could not be set: it is told of the first of its look."""
    for remark in faces.remarks.get(face.key, ()):
        yield Problem(face.piece.source, remark.message, remark.kind, subject=face.whose)
    yield from told


def shown(face: Face, faces: Faces) -> Layer:
    """Where it shows what is wrong with a face that was set. Nothing is shown of a deck whose head
    or styles are wrong: it would mislead."""
    if face.instead or face.deck.id in faces.waiting:
        return faults.NOTHING
    edge = 2 * face.deck.bleed
    width, height = face.deck.size.width + edge, face.deck.size.height + edge
    return faults.shown(faces.remarks.get(face.key, ()), width, height)


def marked(face: Face, faces: Faces, store: Store, told: Sequence[Problem]) -> Face:
    """A face that was set as its draft, if anything is wrong with it."""
    if face.instead:
        return _draft(face, Layer())
    found = shown(face, faces)
    remarks = [remark.message for remark in faces.remarks.get(face.key, ())]
    wrong = [p for p in told if p.severity == "error" and concerns(p.subject, face.whose)]
    # A back that could be made is not marked for a mistake in the card: it may show none of it.
    own = [p for p in wrong if p.subject.side or face.side == SIDES[0]]
    words = [p.message for p in own if not _is_drawn(p, remarks, found)]
    if face.deck.id in faces.waiting:
        words = words or [p.message for p in about(face.whose, told)]
    layer = replace(found, words=tuple(dict.fromkeys((*found.words, *words))))
    art = tuple(_drawable(each, store) for each in face.art)
    if layer == faults.NOTHING and art == face.art:
        return face
    return _draft(replace(face, art=art), replace(layer, marked=True))


def _drawable(art: Art, store: Store) -> Art:
    """A picture, as missing where it could not be drawn."""
    drawn = not art.vector or store.has(store.path("art", f"{art.digest}.pdf"))
    return art if drawn else replace(art, missing=True)


def _is_drawn(problem: Problem, remarks: Iterable[str], found: Layer) -> bool:
    """Whether a problem is shown on the face already: it may be told with where it stands."""
    shown = any(message and problem.message.startswith(message) for message in remarks)
    return shown or (problem.kind == "art" and bool(found.frames))


def _draft(face: Face, layer: Layer) -> Face:
    key = digest_of([face.key, repr(layer), *(art.digest for art in face.art if art.missing)])
    return replace(face, key=key, kept=face.key, layer=layer)
