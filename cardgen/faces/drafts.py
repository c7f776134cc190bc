"""Drafts: faces with errors, drawn anyway.

A typeset face is drawn with its errors outlined. A face that could not be made is replaced by a
placeholder card that names it and says why. Faces without errors stay unchanged, also in the
store.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from markupsafe import escape

from cardgen.assets.artwork import Art
from cardgen.assets.font_files import FontSet
from cardgen.core.problems import Problem, Subject
from cardgen.faces import diagnostics, typesetting
from cardgen.faces.model import Face, FaceSet, format_geometry
from cardgen.game.card_ids import check_id
from cardgen.game.card_references import NAME_FIELDS
from cardgen.game.markup import strip_signs
from cardgen.game.model import Deck, Game, Piece, Text
from cardgen.pdf.face_file import DraftLayer
from cardgen.runtime import code_version
from cardgen.runtime.content_store import Store, digest_parts
from cardgen.templates.render_cache import SIDES

_MAX_PROBLEMS_ON_CARD = 4
"""Maximum number of problems printed on a placeholder."""
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
    """Return the decks and cards after which files can be named, each name once."""
    kept = []
    for deck in decks:
        first: dict[str, Piece] = {}
        for piece in deck.pieces:
            subject = [piece.player.id] if piece.player else []
            if not any(map(check_id, (piece.card_id, *subject))):
                first.setdefault(piece.id, piece)
        if not check_id(deck.id):
            kept.append(replace(deck, pieces=tuple(first.values())))
    return tuple(kept)


def add_placeholders(game: Game, faces: FaceSet, problems: Sequence[Problem]) -> None:
    """Add a placeholder for every face that could not be rendered.

    Faces of cards that are no longer in the game are removed.
    """
    present = {(deck.id, piece.number) for deck in game.decks for piece in deck.pieces}
    faces.faces = [f for f in faces.faces if (f.deck.id, f.piece.number) in present]
    existing = {face.subject for face in faces.faces}
    for deck in game.decks:
        for piece in deck.pieces:
            sides = [side for side in SIDES if side == SIDES[0] or deck.get_template(piece, side)]
            for side in sides:
                for language in game.languages:
                    face = Face(deck, piece, side, language, "", (), str)
                    if face.subject not in existing:
                        faces.faces.append(make_placeholder(game, faces.fonts, face, problems))


def make_placeholder(game: Game, fonts: FontSet, face: Face, problems: Iterable[Problem]) -> Face:
    """Return a card that replaces a face and shows its errors."""
    why = find_blocking_problems(face.subject, problems)
    html = partial(_render_placeholder, face.piece, face.subject, why)
    parts = [code_version.digest_code("faces"), format_geometry(face.deck), fonts.text_digest]
    key = digest_parts([*parts, *game.colours, face.language, html()])
    return replace(
        face, key=key, pictures=(), make_html=html, styles=((_STYLE_NAME, _PLACEHOLDER_CSS),),
        is_placeholder=True,
    )  # fmt: skip


def find_blocking_problems(subject: Subject, problems: Iterable[Problem]) -> list[Problem]:
    """Return the errors that prevent a face: its own, else its deck's, else the game's."""
    errors = [problem for problem in dict.fromkeys(problems) if problem.severity == "error"]
    deck = Subject(subject.deck)
    own = [problem for problem in errors if is_about_face(problem.subject, subject)]
    of_deck = [problem for problem in errors if problem.subject == deck]
    return own or of_deck or [problem for problem in errors if not problem.subject.deck]


def is_about_face(subject: Subject, face: Subject) -> bool:
    """Return True if a problem's subject includes the face."""
    return (
        (subject.deck, subject.card) == (face.deck, face.card)
        and subject.language in ("", face.language)
        and subject.side in ("", face.side)
    )


def _render_placeholder(piece: Piece, subject: Subject, why: Sequence[Problem]) -> str:
    lines = "".join(
        f"<p>{escape(each.message)}<i>{escape(str(each.source))}</i></p>"
        for each in why[:_MAX_PROBLEMS_ON_CARD]
    )
    left = len(why) - _MAX_PROBLEMS_ON_CARD
    more = f"<p>and {left} more</p>" if left > 0 else ""
    name = escape(_find_card_name(piece, subject.language))
    return (
        '<div class="bleed ground"></div>'
        f'<div class="whose" data-fit="3-8"><b>{name}</b>'
        f"{escape(str(subject))}</div>"
        f'<div class="why" data-fit="3-7">{lines}{more}</div>'
    )


def _find_card_name(piece: Piece, language: str) -> str:
    """Return the name of a card as far as it is readable."""
    for field in NAME_FIELDS:
        value = piece.values.get(field)
        lines = value.get(language) if isinstance(value, Text) else value
        if lines:
            return strip_signs(str(lines), lambda sign: sign).replace("\u00ad", "").strip()
    return piece.id


def replace_with_drafts(
    game: Game, faces: FaceSet, store: Store, problems: Sequence[Problem]
) -> None:
    """Replace faces that have errors by drafts, after typesetting."""
    placeholders: dict[int, Face] = {}
    for face in faces.faces:
        if not is_typeset(face, store):
            causes = _find_stop_problems(face, faces, problems)
            placeholders[id(face)] = make_placeholder(game, faces.fonts, face, causes)
    if placeholders:
        typesetting.typeset_faces(game, FaceSet(faces.fonts, [*placeholders.values()]), store)
    shown = [placeholders.get(id(face), face) for face in faces.faces]
    shown = [face for face in shown if is_typeset(face, store)]
    faces.faces = [make_draft(face, faces, store, problems) for face in shown]


def is_typeset(face: Face, store: Store) -> bool:
    """Return True if the store holds the face."""
    return store.has_entry(store.get_path("faces", f"{face.key}.pdf"))


def _find_stop_problems(
    face: Face, faces: FaceSet, problems: Sequence[Problem]
) -> Iterator[Problem]:
    """Yield the problems of a face that could not be typeset.

    Its diagnostics were reported for the first face with that key.
    """
    for diagnostic in faces.diagnostics.get(face.key, ()):
        yield Problem(face.piece.source, diagnostic.message, diagnostic.kind, subject=face.subject)
    yield from problems


def find_marks(face: Face, faces: FaceSet) -> DraftLayer:
    """Return the marks for the errors of a typeset face.

    A blocked deck gets none: they would mislead.
    """
    if face.is_placeholder or face.deck.id in faces.blocked_decks:
        return diagnostics.NO_MARKS
    edge = 2 * face.deck.bleed
    width, height = face.deck.size.width + edge, face.deck.size.height + edge
    return diagnostics.build_marks(faces.diagnostics.get(face.key, ()), width, height)


def make_draft(face: Face, faces: FaceSet, store: Store, problems: Sequence[Problem]) -> Face:
    """Return a face as its draft, or unchanged if it has no errors."""
    if face.is_placeholder:
        return _add_layer(face, DraftLayer())
    marks = find_marks(face, faces)
    messages = [diagnostic.message for diagnostic in faces.diagnostics.get(face.key, ())]
    errors = (p for p in problems if p.severity == "error")
    errors = (p for p in errors if is_about_face(p.subject, face.subject))
    # A back without errors of its own is not marked: it may not show the card's mistake.
    errors = (p for p in errors if p.subject.side or face.side == SIDES[0])
    words = [p.message for p in errors if not _is_marked(p, messages, marks)]
    if face.deck.id in faces.blocked_decks:
        words = words or [p.message for p in find_blocking_problems(face.subject, problems)]
    layer = replace(marks, messages=tuple(dict.fromkeys((*marks.messages, *words))))
    art = tuple(_mark_missing(each, store) for each in face.pictures)
    if layer == diagnostics.NO_MARKS and art == face.pictures:
        return face
    return _add_layer(replace(face, pictures=art), replace(layer, is_marked=True))


def _mark_missing(art: Art, store: Store) -> Art:
    """Return the picture, marked as missing if it could not be drawn."""
    is_drawn = not art.vector or store.has_entry(store.get_path("art", f"{art.digest}.pdf"))
    return art if is_drawn else replace(art, missing=True)


def _is_marked(problem: Problem, messages: Iterable[str], marks: DraftLayer) -> bool:
    """Return True if the face shows a problem already."""
    is_shown = any(message and problem.message.startswith(message) for message in messages)
    return is_shown or (problem.kind == "art" and bool(marks.frames))


def _add_layer(face: Face, layer: DraftLayer) -> Face:
    missing = (art.digest for art in face.pictures if art.missing)
    key = digest_parts([face.key, repr(layer), *missing])
    return replace(face, key=key, original_key=face.key, layer=layer)
