"""Worker that edits cards: it describes their fields, tries values, and writes them.

It holds the game as it was loaded, without rendering more than the card that is edited, so that it
answers while another worker is busy with the last save.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from cardgen.assets.font_files import FontFile
from cardgen.core.problems import ProblemsError, Source, has_errors
from cardgen.faces import typesetting
from cardgen.faces.model import Face, FaceSet, get_face_pdf
from cardgen.faces.rendering import render_faces
from cardgen.game import card_edits, loader, plain_values, reload
from cardgen.game.card_edits import (
    EditConflictError,
    EditRefusedError,
    FileEdit,
    OpenCard,
    ValueChange,
)
from cardgen.game.card_text import assign_codepoints
from cardgen.game.model import Field, Game
from cardgen.game.plain_values import UnusableValueError
from cardgen.preview.messages import FaceName, FacePictureRecipe, GameLocation
from cardgen.preview.workers import game_queries, render_worker
from cardgen.preview.workers.render_worker import RenderSession
from cardgen.runtime import game_files, safe_files
from cardgen.runtime.content_store import DamagedEntryError, read_entry

MAX_REFERENCES = 2_000
"""Number of cards that are offered for a reference."""
Json = dict[str, Any]
_sessions: dict[GameLocation, RenderSession] = {}


@dataclass(frozen=True)
class EditStep:
    """An edit that was made, with all that takes it back: its change and the opposite one, and the
    content of the file before and after."""

    change: ValueChange
    inverse: ValueChange
    path: str
    old: bytes = field(default=b"", repr=False)
    new: bytes = field(default=b"", repr=False)

    def reverse(self) -> EditStep:
        """Return the step that takes this one back."""
        return EditStep(self.inverse, self.change, self.path, self.new, self.old)


@dataclass(frozen=True)
class EditResult:
    """The answer to a change: JSON for the page, the step that was made, and new pictures."""

    answer: Json
    step: EditStep | None = None
    recipes: Mapping[str, FacePictureRecipe] = field(default_factory=dict)


def load_ahead(location: GameLocation) -> None:
    """Load the game and start the process that typesets, before the first value is tried."""
    typesetting.start_workers(1)
    open_game(location)


def describe_card(location: GameLocation, deck: str, card: str) -> Json:
    """Return the fields of a card with all that their controls need. Runs in the worker that shows
    the game."""
    game = render_worker.get_session(location).game
    if game is None:
        return {"why": "the game cannot be read", "fields": []}
    try:
        opened = OpenCard(game, deck, card)
    except EditRefusedError as error:
        return {"why": str(error), **asdict(error.source), "fields": []}
    fields = [_describe_field(opened, state) for state in opened.list_fields()]
    decks = {name for each in opened.deck.fields.values() for name in _list_references(each)}
    return {
        "deck": deck, "card": card, "digest": opened.digest, "path": opened.path, "why": "",
        "fields": fields, "colours": dict(game.colours),
        "icons": {name: chr(code) for name, code in assign_codepoints(game.icons).items()},
        "fonts": [_describe_font(font) for font in _list_fonts(location)],
        "references": {name: _list_cards(game, name) for name in decks},
    }  # fmt: skip


def read_font(location: GameLocation, digest: str) -> bytes | None:
    """Return a font of the game as it was prepared for print; None where there is none."""
    font = next((font for font in _list_fonts(location) if font.digest == digest), None)
    try:
        return read_entry(font.path) if font else None
    except DamagedEntryError:
        return None


def _list_fonts(location: GameLocation) -> tuple[FontFile, ...]:
    faces = render_worker.get_session(location).faces
    return faces.fonts.files if faces else ()


def _describe_font(font: FontFile) -> Json:
    return {
        "family": font.family, "weight": font.weight, "style": font.style, "digest": font.digest,
    }  # fmt: skip


def _describe_field(opened: OpenCard, state: card_edits.FieldState) -> Json:
    declared = state.declared
    languages = opened.game.languages if declared.kind == "text" else ()
    problems = {code: opened.explain_language(declared.name, code) for code in languages}
    return {
        **_describe_type(declared), **asdict(state.source), "value": state.value,
        "default": plain_values.convert_to_plain(declared.default),
        "why": "" if languages else state.problem, "whyIn": problems,
        "declared": asdict(declared.source),
    }  # fmt: skip


def _describe_type(declared: Field) -> Json:
    """Return the type of a field, for the control that edits it."""
    return {
        "name": declared.name, "kind": declared.kind, "required": declared.required,
        "choices": declared.choices, "minimum": declared.minimum, "maximum": declared.maximum,
        "deck": declared.deck, "item": _describe_type(declared.item) if declared.item else None,
        "fields": [_describe_type(each) for each in declared.fields.values()],
    }  # fmt: skip


def _list_references(declared: Field) -> set[str]:
    inner = [*declared.fields.values(), *([declared.item] if declared.item else [])]
    own = {declared.deck} if declared.deck else set()
    return own.union(*map(_list_references, inner))


def _list_cards(game: Game, deck_id: str) -> list[str]:
    deck = game.get_deck(deck_id)
    names = dict.fromkeys(piece.card_id for piece in deck.pieces) if deck else {}
    return [*names][:MAX_REFERENCES]


def try_change(location: GameLocation, change: ValueChange, shown: str) -> EditResult:
    """Return the pictures of a card as a change would make it; nothing is written. Of the face
    that is `shown`, the boxes and texts are told, too."""

    def attempt() -> EditResult:
        session, game = open_game(location)
        edit = OpenCard(game, change.deck, change.card).change(replace(change, digest=""))
        return _draw_card(session, game, change, edit, shown)

    return answer_edit(attempt)


def write_change(location: GameLocation, change: ValueChange) -> EditResult:
    """Write a change into the card's file, unless somebody else changed the same value."""

    def write() -> EditResult:
        _, game = open_game(location)
        opened = OpenCard(game, change.deck, change.card)
        was = opened.get_value(change.field, change.language)
        edit = opened.change(change)
        if edit is None:
            return EditResult({"digest": opened.digest, "same": True})
        inverse = replace(change, value=was, was=change.value)
        step = EditStep(change, inverse, edit.path, edit.old, edit.new)
        return _write_step(location, step, edit.source)

    return answer_edit(write)


def repeat_step(location: GameLocation, step: EditStep) -> EditResult:
    """Make a step again, or the reverse of one: where its file was not touched since, byte by
    byte."""

    def write() -> EditResult:
        if step.old and _holds(location, step):
            return _write_step(location, step, Source(step.path))
        _, game = open_game(location)
        opened = OpenCard(game, step.change.deck, step.change.card)
        edit_again = opened.change(replace(step.change, digest="-"))
        if edit_again is None:
            return EditResult({"digest": opened.digest, "same": True}, step)
        step_again = replace(step, path=edit_again.path, old=edit_again.old, new=edit_again.new)
        return _write_step(location, step_again, edit_again.source)

    return answer_edit(write)


def answer_edit(work: Any) -> EditResult:
    """Return the result of an edit, or why there is none."""
    try:
        result: EditResult = work()
    except EditConflictError as error:
        place = asdict(error.source)
        return EditResult({"why": str(error), "conflict": True, "theirs": error.current, **place})
    except EditRefusedError as error:
        return EditResult({"why": str(error), **asdict(error.source)})
    except UnusableValueError as error:
        return EditResult({"why": str(error)})
    except ProblemsError as error:
        first = error.problems[0]
        return EditResult({"why": first.message, **asdict(first.source)})
    return result


def _holds(location: GameLocation, step: EditStep) -> bool:
    """Tell whether a step's file is as it was when the step was made."""
    try:
        return game_files.read_bytes(location.root, step.path, len(step.old) + 1) == step.old
    except game_files.UnreadableError:
        return False


def _write_step(location: GameLocation, step: EditStep, source: Source) -> EditResult:
    try:
        safe_files.rewrite_file(location.root, step.path, step.old, step.new)
    except (safe_files.PathBlockedError, game_files.UnreadableError) as error:
        raise EditRefusedError(f"{step.path} is not written: {error}", source) from None
    except OSError as error:
        message = f"{step.path} cannot be written: {error.strerror}"
        raise EditRefusedError(message, source) from None
    digest = card_edits.digest_file(step.new)
    return EditResult({"digest": digest, **asdict(source), "value": step.change.value}, step)


def open_game(location: GameLocation) -> tuple[RenderSession, Game]:
    """Return the game as it is now. Of one whose only change is in a deck, that is read again."""
    session = _sessions.setdefault(location, RenderSession(location))
    files = loader.scan_game_files(location.root)
    if session.stages is not None and files != session.stages.game.file_stamps:
        game = session.stages.game
        reloaded = reload.reload_deck(game, loader.find_changed_files(game, files))
        if reloaded is None:
            session.stages = None
        else:
            session.stages.game = replace(reloaded[0], file_stamps=files)
    if session.stages is None:
        session.stages, problems = render_worker.run_in_build_folder(
            session, lambda: render_worker.load_game_stages(location)
        )
        if session.stages is None:
            raise ProblemsError(list(problems))
    return session, session.stages.game


def _draw_card(
    session: RenderSession, game: Game, change: ValueChange, edit: FileEdit | None, shown: str
) -> EditResult:
    """Return the card's faces, rendered and typeset as an edit would make them."""
    deck = game.get_deck(change.deck)
    assert deck is not None
    if edit is not None:
        deck, problems = reload.reread_card(game, deck, change.card, edit.row)
        if has_errors(problems):
            first = next(each for each in problems if each.severity == "error")
            return EditResult({"why": first.message, **asdict(Source(edit.path))})
    game = replace(game, decks=tuple(deck if d.id == deck.id else d for d in game.decks))
    assert session.stages is not None
    fonts, store = session.stages.fonts, session.store

    def draw() -> list[Face]:
        rendered = render_faces(game, fonts, [deck], game.languages, store)
        faces = [face for face in rendered.faces if face.piece.id == change.card]
        batch.faces[:], batch.blocked_decks = faces, rendered.blocked_decks
        typesetting.typeset_faces(game, batch, store)
        return faces

    batch = FaceSet(fonts)
    faces, more = render_worker.run_in_build_folder(session, draw)
    if faces is None:
        raise ProblemsError(list(more))
    icons = render_worker.get_icon_fonts(fonts)
    recipes: dict[str, FacePictureRecipe] = {}
    answer: Json = {"why": "", "faces": {}}
    for face in faces:
        name = str(FaceName(face.deck.id, face.piece.id, face.side, face.language))
        if session.is_typeset(face):
            picture = render_worker.digest_picture(face, batch)
            recipes[picture] = FacePictureRecipe(get_face_pdf(face, store), icons)
            answer["faces"][name] = {"picture": picture}
            if name == shown:
                answer["faces"][name] |= game_queries.describe_layout(game, batch, face, store)
    return EditResult(answer, recipes=recipes)
