"""How often a face of the flagship is laid out whole before the sizes of its texts are found."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path

from counted_layouts import Layouts
from whole_games import give_store, loaded

from cardgen.assets import game_fonts
from cardgen.faces import rendering, typesetting
from cardgen.faces.model import FaceSet
from cardgen.runtime.content_store import Store

CARDS = 25
MOST = 1.5
"""Whole layouts a face, on average, where no size is known."""


def test_city_loot_is_laid_out_hardly_more_than_once(
    game_folder: Path, tmp_path: Path, layouts: Layouts, one_process: None
) -> None:
    """And once where the sizes are known, with the same bytes."""
    give_store(game_folder, tmp_path)
    for kind in ("faces", "sizes"):
        shutil.rmtree(tmp_path / kind, ignore_errors=True)
    game, store = loaded(game_folder), Store(tmp_path)
    fonts, _ = game_fonts.prepare_fonts(game, store)
    decks = [deck for deck in game.decks if deck.id == "loot-city"]
    made: list[list[bytes]] = []
    for most in (MOST, 1.0):
        faces = rendering.render_faces(game, fonts, decks, ("en",), store)
        del faces.faces[CARDS:]
        whole, boxes = layouts.of(partial(typesetting.typeset_faces, game, faces, store))
        assert faces.typeset_count > CARDS // 2
        assert faces.typeset_count <= whole <= most * faces.typeset_count
        made.append(_bytes(faces, store))
    assert boxes == 0
    assert made[0] == made[1]


def _bytes(faces: FaceSet, store: Store) -> list[bytes]:
    """The faces' files, taken out of the store."""
    files = {face.key: store.get_path("faces", f"{face.key}.pdf") for face in faces.faces}
    found = [path.read_bytes() for path in files.values()]
    for path in files.values():
        path.unlink()
    return found
