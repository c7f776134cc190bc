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
from cardgen.assets.font_files import FontSet
from cardgen.core.problems import Problem, Subject
from cardgen.faces import diagnostics, model
from cardgen.faces.model import Face, FaceSet
from cardgen.game.card_ids import check_id
from cardgen.game.markup import strip_signs
from cardgen.game.model import Deck, Game, Piece, Text
from cardgen.pdf.face_file import DraftLayer
from cardgen.runtime import code_version
from cardgen.runtime.content_store import Store, digest_parts
from cardgen.templates.render_cache import SIDES

_MAX_PROBLEMS_ON_CARD = 4
"""So many problems are told on a card."""
_NAME_FIELDS = ("name", "title")
_STYLE_NAME = "draft.css"
_PLACEHOLDER_CSS = """
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


def select_nameable(decks: Iterable[Deck]) -> tuple[Deck, ...]:
    """The decks and cards after which files can be named, each name once; what is wrong with the
    names of others is told."""
    kept = []
    for deck in decks:
        first: dict[str, Piece] = {}
        for piece in deck.pieces:
            whose = [piece.player.id] if piece.player else []
            if not any(map(check_id, (piece.card_id, *whose))):
                first.setdefault(piece.id, piece)
        if not check_id(deck.id):
            kept.append(replace(deck, pieces=tuple(first.values())))
    return tuple(kept)


def add_placeholders(game: Game, faces: FaceSet, told: Sequence[Problem]) -> None:
    """Add a card that says why, in the place of every face of the game that could not be rendered;
    faces of what is not in the game go."""
    there = {(deck.id, piece.number) for deck in game.decks for piece in deck.pieces}
    faces.faces = [f for f in faces.faces if (f.deck.id, f.piece.number) in there]
    have = {face.subject for face in faces.faces}
    for deck in game.decks:
        for piece in deck.pieces:
            sides = [side for side in SIDES if side == SIDES[0] or deck.get_template(piece, side)]
            for side in sides:
                for language in game.languages:
                    face = Face(deck, piece, side, language, "", (), str)
                    if face.subject not in have:
                        faces.faces.append(make_placeholder(game, faces.fonts, face, told))


def make_placeholder(game: Game, fonts: FontSet, face: Face, told: Iterable[Problem]) -> Face:
    """A card in the place of a face, with what is wrong with it: with itself, or else its deck, or
    else the game."""
    deck = face.deck
    html = partial(
        _render_placeholder, face.piece, face.subject, find_blocking_problems(face.subject, told)
    )
    geometry = f"{deck.size.width} {deck.size.height} {deck.bleed} {deck.safe}"
    parts = [code_version.digest_code("faces"), geometry, fonts.text_digest, *game.colours]
    key = digest_parts([*parts, face.language, html()])
    return replace(
        face,
        key=key,
        pictures=(),
        make_html=html,
        styles=((_STYLE_NAME, _PLACEHOLDER_CSS),),
        is_placeholder=True,
    )


def find_blocking_problems(whose: Subject, told: Iterable[Problem]) -> list[Problem]:
    """The mistakes that keep a face from being made: its own, or else its deck's, or else any."""
    wrong = [problem for problem in dict.fromkeys(told) if problem.severity == "error"]
    deck = Subject(whose.deck)
    for kept in (
        [problem for problem in wrong if is_about_face(problem.subject, whose)],
        [problem for problem in wrong if problem.subject == deck],
        [problem for problem in wrong if not problem.subject.deck],
    ):
        if kept:
            return kept
    return []


def is_about_face(subject: Subject, whose: Subject) -> bool:
    """Whether what is told of a card is told of this face of it."""
    return (
        subject.deck == whose.deck
        and subject.card == whose.card
        and subject.language in ("", whose.language)
        and subject.side in ("", whose.side)
    )


def _render_placeholder(piece: Piece, whose: Subject, why: Sequence[Problem]) -> str:
    said = "".join(
        f"<p>{escape(each.message)}<i>{escape(str(each.source))}</i></p>"
        for each in why[:_MAX_PROBLEMS_ON_CARD]
    )
    more = (
        f"<p>and {len(why) - _MAX_PROBLEMS_ON_CARD} more</p>"
        if len(why) > _MAX_PROBLEMS_ON_CARD
        else ""
    )
    return (
        '<div class="bleed ground"></div>'
        f'<div class="whose" data-fit="3-8"><b>{escape(_find_card_name(piece, whose.language))}</b>'
        f"{escape(str(whose))}</div>"
        f'<div class="why" data-fit="3-7">{said}{more}</div>'
    )


def _find_card_name(piece: Piece, language: str) -> str:
    """What a card is called, as far as that can be told."""
    for field in _NAME_FIELDS:
        value = piece.values.get(field)
        said = value.get(language) if isinstance(value, Text) else value
        if said:
            return strip_signs(str(said), lambda sign: sign).replace("\u00ad", "").strip()
    return piece.id


def replace_with_drafts(game: Game, faces: FaceSet, store: Store, told: Sequence[Problem]) -> None:
    """Put drafts in the places of the faces with which something is wrong, once all are set that
    can be; a card that says why in that of one that could not."""
    stopped = [face for face in faces.faces if not is_typeset(face, store)]
    instead = {
        id(face): make_placeholder(game, faces.fonts, face, _find_stop_problems(face, faces, told))
        for face in stopped
    }
    if stopped:
        model.typeset_faces(game, FaceSet(faces.fonts, list(instead.values())), store)
    standing = (instead.get(id(face), face) for face in faces.faces)
    faces.faces = [
        make_draft(face, faces, store, told) for face in standing if is_typeset(face, store)
    ]


def is_typeset(face: Face, store: Store) -> bool:
    """Whether the store holds a face."""
    return store.has_entry(store.get_path("faces", f"{face.key}.pdf"))


def _find_stop_problems(face: Face, faces: FaceSet, told: Sequence[Problem]) -> Iterator[Problem]:
    """What is known of a face that could not be set: it is told of the first of its look."""
    for remark in faces.diagnostics.get(face.key, ()):
        yield Problem(face.piece.source, remark.message, remark.kind, subject=face.subject)
    yield from told


def find_marks(face: Face, faces: FaceSet) -> DraftLayer:
    """Where it shows what is wrong with a face that was set. Nothing is shown of a deck whose head
    or styles are wrong: it would mislead."""
    if face.is_placeholder or face.deck.id in faces.blocked_decks:
        return diagnostics.NO_MARKS
    edge = 2 * face.deck.bleed
    width, height = face.deck.size.width + edge, face.deck.size.height + edge
    return diagnostics.build_marks(faces.diagnostics.get(face.key, ()), width, height)


def make_draft(face: Face, faces: FaceSet, store: Store, told: Sequence[Problem]) -> Face:
    """A face that was set as its draft, if anything is wrong with it."""
    if face.is_placeholder:
        return _add_layer(face, DraftLayer())
    found = find_marks(face, faces)
    remarks = [remark.message for remark in faces.diagnostics.get(face.key, ())]
    wrong = [p for p in told if p.severity == "error" and is_about_face(p.subject, face.subject)]
    # A back that could be made is not marked for a mistake in the card: it may show none of it.
    own = [p for p in wrong if p.subject.side or face.side == SIDES[0]]
    words = [p.message for p in own if not _is_marked(p, remarks, found)]
    if face.deck.id in faces.blocked_decks:
        words = words or [p.message for p in find_blocking_problems(face.subject, told)]
    layer = replace(found, messages=tuple(dict.fromkeys((*found.messages, *words))))
    art = tuple(_mark_missing(each, store) for each in face.pictures)
    if layer == diagnostics.NO_MARKS and art == face.pictures:
        return face
    return _add_layer(replace(face, pictures=art), replace(layer, is_marked=True))


def _mark_missing(art: Art, store: Store) -> Art:
    """A picture, as missing where it could not be drawn."""
    drawn = not art.vector or store.has_entry(store.get_path("art", f"{art.digest}.pdf"))
    return art if drawn else replace(art, missing=True)


def _is_marked(problem: Problem, remarks: Iterable[str], found: DraftLayer) -> bool:
    """Whether a problem is shown on the face already: it may be told with where it stands."""
    shown = any(message and problem.message.startswith(message) for message in remarks)
    return shown or (problem.kind == "art" and bool(found.frames))


def _add_layer(face: Face, layer: DraftLayer) -> Face:
    key = digest_parts(
        [face.key, repr(layer), *(art.digest for art in face.pictures if art.missing)]
    )
    return replace(face, key=key, original_key=face.key, layer=layer)
