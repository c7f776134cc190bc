"""What is told of faces is remembered by the deck: nothing of it is ever old, and a deck that did
not change costs no look at a face. Faces are "set" by a stand-in that tells of each what its HTML
says."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.assets.font_files import FontSet
from cardgen.core.problems import Diagnostic
from cardgen.faces import diagnostics, rendering, typesetting
from cardgen.faces.model import FaceOutput, FaceSet
from cardgen.faces.typesetting import FaceBatch
from cardgen.rules import rule_file
from cardgen.runtime import content_store, game_files
from cardgen.runtime.content_store import Store

DECK = """deck: {0}
title: {{en: Deck, fi: Pakka}}
size: poker
front: {0}.html
back: back.html
styles: [card.css]
fields: {{name: text, worth: integer}}
cards:
  - {{id: one, name: {{en: One, fi: Yksi}}, worth: 1}}
  - {{id: two, name: {{en: Two, fi: Kaksi}}, worth: 2}}
"""
FILES = {
    "game.yaml": "game: small\ntitle: {en: Small, fi: Pieni}\nlanguages: [en, fi]\n"
    "words: {of: {en: of, fi: sta}}\n",
    "cards/a.yaml": DECK.format("a"),
    "cards/b.yaml": DECK.format("b"),
    "templates/a.html": "<p>{{ card.name }} {{ words.of }} {{ sum_of('b', 'worth') }}</p>",
    "templates/b.html": "<p>{{ card.name }}</p>",
    "templates/back.html": "<p>{{ deck.title }}</p>",
    "templates/card.css": "p { color: red }\n",
}


def write(root: Path) -> Path:
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def stand_in(chunks: Sequence[FaceBatch], store: Store, **_: object) -> Iterator[list[FaceOutput]]:
    """Of every second face something is told, which hangs on its HTML."""
    for chunk in chunks:
        yield [
            FaceOutput(
                order.key, b"%PDF", (Diagnostic("overflow", "warning", "", said),) * (said < "8")
            )
            for order in chunk.inputs
            for said in [hashlib.sha256(order.html.encode()).hexdigest()]
        ]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typesetting, "typeset_batches", stand_in)
    monkeypatch.setattr(diagnostics, "MIN_FACES_FOR_CACHE", 0)


def made(root: Path, store: Store) -> FaceSet:
    game, problems = rule_file.load_game(root)
    assert game is not None, problems
    faces = rendering.render_faces(game, FontSet((), {}), game.decks, game.languages, store)
    typesetting.typeset_faces(game, faces, store)
    return faces


def result(faces: FaceSet) -> dict[str, tuple[str, list[Diagnostic]]]:
    return {str(face.subject): (face.key, [*faces.diagnostics[face.key]]) for face in faces.faces}


def change(name: str, old: str, new: str) -> Callable[[Path], None]:
    def changed(root: Path) -> None:
        path = root / name
        path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")

    return changed


def without(pattern: str, number: int = 0) -> Callable[[Path], None]:
    def changed(root: Path) -> None:
        found = sorted((root / "build/.store").glob(pattern))
        if found:
            found[number % len(found)].unlink()

    return changed


def spoilt(root: Path) -> None:
    for path in (root / "build/.store" / diagnostics.DIAGNOSTICS_KIND).glob("*"):
        path.write_bytes(path.read_bytes().replace(b"overflow", b"overflew"))


EDITS = {
    "a card": change("cards/a.yaml", "One", "First"),
    "the card as it was": change("cards/a.yaml", "First", "One"),
    "another deck's card": change("cards/b.yaml", "worth: 2", "worth: 5"),
    "another deck's word": change("cards/b.yaml", "Kaksi", "Pari"),
    "a template": change("templates/b.html", "<p>", "<p class=more>"),
    "a style": change("templates/card.css", "red", "green"),
    "a word": change("game.yaml", "fi: sta", "fi: /"),
    "a language less": change("game.yaml", "[en, fi]", "[en]"),
    "a card more": change(
        "cards/b.yaml", "cards:\n", "cards:\n  - {id: x, name: {en: X, fi: X}, worth: 0}\n"
    ),
    "a card less": change("cards/b.yaml", "  - {id: x, name: {en: X, fi: X}, worth: 0}\n", ""),
    "a face gone": without("faces/*.pdf", 3),
    "its details gone": without("faces/*.json", 2),
    "a memory gone": without(f"{diagnostics.DIAGNOSTICS_KIND}/*"),
    "memories spoilt": spoilt,
}


@settings(max_examples=10, deadline=None)
@given(st.lists(st.sampled_from(sorted(EDITS)), min_size=1, max_size=4))
def test_after_any_edits_all_is_as_if_made_afresh(edits: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(typesetting, "typeset_batches", stand_in)
        patch.setattr(diagnostics, "MIN_FACES_FOR_CACHE", 0)
        root = write(Path(folder) / "game")
        store = Store(root / "build/.store")
        made(root, store)
        for number, edit in enumerate(edits):
            EDITS[edit](root)
            now = made(root, store)
            afresh = made(root, Store(root / f"build/.fresh-{number}"))
            assert result(now) == result(afresh), edit
            for face in now.faces:
                for end in ("pdf", "json"):
                    assert store.has_entry(store.get_path("faces", f"{face.key}.{end}")), edit


def test_a_deck_that_did_not_change_costs_no_look_at_a_face(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, store = write(tmp_path), Store(tmp_path / "build/.store")
    first = made(root, store)
    looked: list[str] = []
    read, has = content_store.read_entry, Store.has_entry

    def reading(path: Path, *more: int) -> bytes:
        looked.append(path.parent.name)
        return read(path, *more)

    def having(self: Store, path: Path) -> bool:
        looked.append(path.parent.name)
        return has(self, path)

    monkeypatch.setattr(content_store, "read_entry", reading)
    monkeypatch.setattr(Store, "has_entry", having)
    assert result(made(root, store)) == result(first)
    assert "faces" not in looked
    assert looked.count(diagnostics.DIAGNOSTICS_KIND) == len(("a", "b"))
    EDITS["a card"](root)
    looked.clear()
    assert made(root, store).typeset_count == 1
    assert looked.count("faces") <= 2 * len(("one, front, en",))


def test_a_face_is_two_files_and_what_is_known_of_it_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, store = write(tmp_path), Store(tmp_path / "build/.store")
    written: list[Path] = []
    write_entry = Store.write

    def writing(self: Store, path: Path, data: bytes) -> None:
        written.append(path)
        write_entry(self, path, data)

    monkeypatch.setattr(Store, "write", writing)
    faces = made(root, store)
    keys = {face.key for face in faces.faces}
    names = sorted(path.name for path in written if path.parent.name == "faces")
    assert names == sorted(f"{key}.{end}" for key in keys for end in ("pdf", "json"))
    read: list[str] = []
    read_file = game_files.read_file

    def reading(path: Path, *more: Any, **options: Any) -> bytes:
        read.append(path.name)
        return read_file(path, *more, **options)

    monkeypatch.setattr(game_files, "read_file", reading)
    key = faces.faces[0].key
    assert typesetting.read_diagnostics(key, store) == [*faces.diagnostics[key]]
    assert read == [f"{key}.json"]


def test_few_faces_are_looked_at_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnostics, "MIN_FACES_FOR_CACHE", 100)
    listed: list[str] = []

    def names(_: Store, kind: str) -> Iterator[str]:
        listed.append(kind)
        return iter(())

    monkeypatch.setattr(Store, "list_names", names)
    root, store = write(tmp_path), Store(tmp_path / "build/.store")
    first = made(root, store)
    assert result(made(root, store)) == result(first)
    assert not listed
    assert not [*(tmp_path / "build/.store").glob(f"{diagnostics.DIAGNOSTICS_KIND}/*")]


def test_what_is_stopped_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next time it may be set, and what was told of it then holds no more."""

    def stopping(chunks: Sequence[FaceBatch], _: Store, **__: object) -> Iterator[list[FaceOutput]]:
        for chunk in chunks:
            stopped = Diagnostic("bounds", "error", "", "it cannot be set")
            yield [FaceOutput(order.key, b"", (stopped,)) for order in chunk.inputs]

    root, store = write(tmp_path), Store(tmp_path / "build/.store")
    monkeypatch.setattr(typesetting, "typeset_batches", stopping)
    made(root, store)
    monkeypatch.setattr(typesetting, "typeset_batches", stand_in)
    monkeypatch.setattr(
        diagnostics, "MIN_FACES_FOR_CACHE", 100
    )  # set by somebody who remembers nothing
    right = made(root, store)
    monkeypatch.setattr(diagnostics, "MIN_FACES_FOR_CACHE", 0)
    assert result(made(root, store)) == result(right)


def test_a_memory_grows_no_longer_than_it_is_of_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(diagnostics, "_MAX_SPARE_ENTRIES", 0)
    root, store = write(tmp_path), Store(tmp_path / "build/.store")
    for number in range(6):
        change("templates/card.css", "color", f"/* {number} */ color")(root)
        faces = made(root, store)
        keys = {face.key for face in faces.faces if face.deck.id == "a"}
        entry = store.read_json(
            store.get_path(diagnostics.DIAGNOSTICS_KIND, diagnostics.format_diagnostics_name("a"))
        )
        assert keys <= entry.keys()
        assert len(entry) <= 3 * len(keys)
