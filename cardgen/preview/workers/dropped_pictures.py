"""Pictures that are dropped onto a card: copied into art/, and named in a field of the card."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from cardgen.assets import artwork, rasters
from cardgen.game import card_ids
from cardgen.game.card_edits import EditRefusedError, OpenCard, ValueChange
from cardgen.game.model import Deck, Game
from cardgen.preview.messages import GameLocation
from cardgen.preview.workers import edit_worker
from cardgen.preview.workers.edit_worker import EditResult
from cardgen.runtime import game_files, safe_files
from cardgen.runtime.content_store import Store

ART = "art"
_FIELD_NAMES = ("picture", "art", "image", "illustration", "photo", "drawing")
"""Names of fields that hold a picture before any card has one."""
_SUFFIXES = {
    "a PNG": ".png", "a JPEG": ".jpg", "a WebP": ".webp", "a GIF": ".gif", "a TIFF": ".tif",
    "an SVG": ".svg",
}  # fmt: skip


@dataclass(frozen=True)
class PictureField:
    """A field that names pictures: its folder, and the suffix that its names leave out, "" where
    they have one."""

    name: str
    folder: str
    suffix: str


def add_picture(
    location: GameLocation, card: tuple[str, str], name: str, data: bytes
) -> EditResult:
    """Copy a picture into art/ under a name that is free, and put that into the card's field.

    `name` is the name of the file that was dropped.
    """

    def add_picture() -> EditResult:
        session, game = edit_worker.open_game(location)
        opened = OpenCard(game, *card)
        field = _find_field(game, opened.deck)
        if field is None:
            message = "no field of the deck holds the name of a picture; declare one, such as "
            raise EditRefusedError(f"{message}picture: string", opened.deck.source)
        state = opened.get_field(field.name)
        if state.problem:
            raise EditRefusedError(state.problem, state.source)
        content, suffix = _convert(data, session.store, opened)
        if field.suffix not in ("", suffix) and not opened.deck.look:
            message = f"pictures of '{field.name}' end in {field.suffix}, and this is {suffix}"
            raise EditRefusedError(message, state.source)
        stem = _make_name(PurePosixPath(name).stem, game, opened.id)
        path = f"{field.folder}/{stem}{suffix}"
        written = stem if field.suffix else f"{stem}{suffix}"
        folder = field.folder.removeprefix(ART).strip("/")
        change = ValueChange(*card, field.name, f"{folder}/{written}" if folder and not
                            field.suffix and not opened.deck.look else written)  # fmt: skip
        opened.change(change)  # refused before the picture is copied
        _write_picture(location, path, content, opened)
        result = edit_worker.write_change(location, change)
        return EditResult({**result.answer, "picture": path}, result.step)

    return edit_worker.answer_edit(add_picture)


def _list_pictures(game: Game) -> list[str]:
    return [
        name
        for name in game_files.list_files(game.root, ART)
        if not name.startswith((f"{ART}/icons/", f"{ART}/draw/"))
    ]


def _find_field(game: Game, deck: Deck) -> PictureField | None:
    """Return the field of a deck that names pictures: one whose values are names of files in art/,
    else one that is called so."""
    pictures = _list_pictures(game)
    names = [name for name, field in deck.fields.items() if field.kind == "string"]
    for name in names:
        values = {str(piece.values[name]) for piece in deck.pieces if piece.values.get(name)}
        for value in sorted(values):
            inner = value.removeprefix(f"{ART}/")
            for path in pictures:
                if path == f"{ART}/{inner}" or path.endswith(f"/{inner}"):
                    return PictureField(
                        name, path.removesuffix(f"/{PurePosixPath(inner).name}"), ""
                    )
                if PurePosixPath(path).with_suffix("").as_posix().endswith(f"/{inner}"):
                    suffix = PurePosixPath(path).suffix
                    return PictureField(name, PurePosixPath(path).parent.as_posix(), suffix)
    called = next((name for name in _FIELD_NAMES if name in names), "")
    return PictureField(called, ART, "") if called else None


def _convert(data: bytes, store: Store, opened: OpenCard) -> tuple[bytes, str]:
    """Return a picture with its suffix, in a format that cardgen prints. Raises
    `EditRefusedError`."""
    kind = game_files.describe_file(data)
    try:
        found = artwork.inspect_picture(data, store, vector=kind == "an SVG")
        if kind not in _SUFFIXES:
            data = rasters.resize_raster(data, int(found.width), int(found.height))
            kind = game_files.describe_file(data)
    except ValueError as error:
        raise EditRefusedError(f"the picture {error}", opened.row.source) from None
    if kind not in _SUFFIXES:
        message = f"the file is {kind or 'no picture'}; drop a PNG, JPEG, WebP, GIF, TIFF or SVG"
        raise EditRefusedError(message, opened.row.source)
    return data, _SUFFIXES[kind]


def _make_name(stem: str, game: Game, card: str) -> str:
    """Return a name in small letters that no picture has, as like the dropped file's as it can
    be."""
    taken = {unicodedata.normalize("NFC", PurePosixPath(name).stem.lower())
             for name in _list_pictures(game)}  # fmt: skip
    return card_ids.make_id(stem[:60], taken) or card_ids.make_id(card, taken)


def _write_picture(location: GameLocation, path: str, data: bytes, opened: OpenCard) -> None:
    *parts, name = PurePosixPath(path).parts
    _check_parts(parts, opened)
    try:
        folder = safe_files.ensure_folder(location.root, parts)
        safe_files.replace_file(folder / name, data)
    except (safe_files.PathBlockedError, OSError) as error:
        raise EditRefusedError(f"{path} cannot be written: {error}", opened.row.source) from None


def _check_parts(parts: Iterable[str], opened: OpenCard) -> None:
    if [*parts][:1] != [ART] or ".." in parts:
        raise EditRefusedError("pictures are only written into art/", opened.row.source)
