"""What the store holds is what was written, or it is made again: no state of build/ breaks one."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import MakeGame
from PIL import Image
from small_games import TEXT_GAME, contents, make, options, times, write_game

from cardgen.outputs import contract
from cardgen.outputs.contract import TableOptions
from cardgen.pipeline import build
from cardgen.pipeline.build import Request
from cardgen.runtime import content_store
from cardgen.runtime.content_store import DamagedEntryError, Store, read_entry
from cardgen.runtime.safe_files import PathBlockedError

pytestmark = pytest.mark.usefixtures("one_process")

GAME = {
    **TEXT_GAME,
    "game.yaml": "game: small\ntitle: {fi: Pieni}\nlanguages: [fi]\n"
    "rulebook: {editions: [player, player-a5]}\n",
    "cards/loot.yaml": """deck: loot
title: Saalis
size: poker
front: loot.html
back: back.html
styles: [card.css]
fields: {name: text, text: text}
cards:
  - {id: barn, name: Lato, text: "Ota {coin} ja lähde panssarivaunulla kaupunkiin."}
  - {id: shed, name: Vaja, text: "Ota {coin}."}
""",
    "templates/loot.html": """<div style="position: absolute; left: 5mm; top: 5mm; width: 9mm">
{{ drawing("sign.svg", width=9) }}</div><img class="art"
 src="art/house.svg"><img style="position: absolute; left: 9mm; top: 60mm; width: 9mm"
 src="art/photo.png"><div class="text" data-fit="7-9">{{ card.text }}</div>""",
    "templates/sign.svg": """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">
<path fill="#1f5a96" d="M0 0h{{ width }}v9z"/></svg>""",
    "rulebook/fi.md": "# Pieni\n\n![Lato](card:loot/barn)\n\nPanssarivaunu lähtee.\n",
    "fonts/fonts.yaml": "fonts:\n  - family: Roboto Condensed\n"
    "    package: '@fontsource/roboto-condensed'\nhyphenation: {fi: fi-x-school}\n",
}
GAME.pop("cards/notes.yaml"), GAME.pop("templates/note.html")
ASKED = replace(
    options(dpi=50), estimate=True, editions=("player",), book_sizes=("a5",),
    tables=TableOptions(sheet_px=256),
)  # fmt: skip
OUTPUTS = ("sheets", "images", "rulebook", "tts")
KINDS = (
    "art", "books", "composed", "coverage", "drawn", "faces", "fonts", "hyphenation", "layouts",
    "lines", "looks", "manuscripts", "pages", "pictures", "rasters", "rendered", "sides", "sizes",
    "stamps", "summaries",
)  # fmt: skip


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def flipped(path: Path) -> None:
    """One bit of one byte in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 4
    path.write_bytes(data)


def deleted(path: Path) -> None:
    path.unlink()


def a_folder(path: Path) -> None:
    path.unlink()
    (path / "within").mkdir(parents=True)
    (path / "within" / "file").write_bytes(b"in the way")


DAMAGES = (cut, emptied, flipped, deleted, a_folder)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_game(tmp_path_factory.mktemp("built"), GAME)
    # Not printed as it is, but as what is made of it.
    Image.new("I;16", (200, 200), 20_000).save(root / "art/photo.png")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "cpu_count", lambda: 1)
        make(root, ASKED, outputs=OUTPUTS)
    return root


@pytest.fixture(scope="module")
def clean(built: Path) -> dict[str, bytes]:
    """The files of the build, which was the first of its folder."""
    return contents(built / "build")


@pytest.fixture
def root(built: Path) -> Iterator[Path]:
    """The folder that was built before, as it was then: a save tells where its pictures lie."""
    beside = built.with_name("kept")
    shutil.copytree(built / "build", beside, symlinks=True)
    yield built
    shutil.rmtree(built / "build")
    beside.rename(built / "build")


def entries(root: Path, kind: str) -> list[Path]:
    found = sorted((root / "build/.store" / kind).iterdir())
    assert found
    return found


def test_every_kind_is_tried(built: Path) -> None:
    kinds = {path.name for path in (built / "build/.store").iterdir()}
    assert kinds - {"owner", "scratch"} == set(KINDS)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_entry_is_made_again(
    root: Path, clean: dict[str, bytes], kind: str, damage: Callable[[Path], None]
) -> None:
    """All of a kind, and nothing was published yet that could stand for it."""
    shutil.rmtree(root / "build/fi")
    for path in entries(root, kind):
        damage(path)
    make(root, ASKED, outputs=OUTPUTS)
    assert contents(root / "build") == clean


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_store_damaged_all_over_is_made_again(
    root: Path, clean: dict[str, bytes], damage: Callable[[Path], None]
) -> None:
    shutil.rmtree(root / "build/fi")
    for kind in KINDS:
        for path in entries(root, kind):
            damage(path)
    make(root, ASKED, outputs=OUTPUTS)
    assert contents(root / "build") == clean


def test_what_helpers_find_damaged_is_made_again(
    root: Path, clean: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one that composes sheets is another process than the one that looks after the store."""
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(contract, "_MAX_LOCAL_BATCHES", 0)
    shutil.rmtree(root / "build/fi")
    for path in [*entries(root, "faces"), *entries(root, "fonts")]:
        if path.suffix != ".json":
            flipped(path)
    make(root, ASKED, outputs=OUTPUTS)
    assert contents(root / "build") == clean


def test_a_folder_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    store = Store(tmp_path / "game/build/.store")
    with pytest.raises(PathBlockedError, match="the game's folder is gone"):
        store.write(store.get_path("faces", "a.pdf"), b"%PDF")
    assert not (tmp_path / "game").exists()


def test_an_entry_of_another_name_is_none(tmp_path: Path) -> None:
    """However sound it is: a key says what an entry was made from."""
    store = Store(tmp_path / "store")
    store.write(store.get_path("faces", "one.pdf"), b"one")
    assert read_entry(store.get_path("faces", "one.pdf")) == b"one"
    store.get_path("faces", "one.pdf").rename(store.get_path("faces", "two.pdf"))
    with pytest.raises(DamagedEntryError):
        read_entry(store.get_path("faces", "two.pdf"))


@pytest.mark.parametrize(
    "held",
    ["null", "[]", "{}", '{"faces": 1}', "7", '[["a"]]', '{"drawn": {"x": 1}, "faces": [[1]]}',
     '{"books": [{}], "problems": []}', '{"books": 3, "problems": {"a": 1}}', '"text"', "1e999",
     '{"name": "../../../secret.png"}', '{"name": 7}', "[[1, 2, 3, 4]]", '["no code point"]'],
)  # fmt: skip
def test_a_sealed_entry_of_another_shape_is_made_again(
    root: Path, clean: dict[str, bytes], held: str
) -> None:
    """A game may come with a store that was made to look right."""
    shutil.rmtree(root / "build/fi")
    store = Store(root / "build/.store")
    for kind in KINDS:
        for path in entries(root, kind):
            if path.suffix == ".json":
                store.write(path, held.encode())
    make(root, ASKED, outputs=OUTPUTS)
    assert contents(root / "build") == clean


@pytest.mark.parametrize(
    "manifest",
    ["", "{", "null", "[]", "7", '{"fi/sheets.pdf": null}', '{"fi/sheets.pdf": {"key": 1}}',
     '{"fi/sheets.pdf": {"key": [], "output": {}, "language": 3, "digest": null}}', "[" * 100_000,
     '{"../../secret": {"key": "", "output": "sheets", "language": "fi", "digest": ""}}',
     '{"/etc/passwd": {"key": "", "output": "sheets", "language": "fi", "digest": ""}}',
     '{"a\\u0000b/c": {"key": "", "output": "sheets", "language": "fi", "digest": ""}}',
     '{"\\ud800/c": {"key": "", "output": "sheets", "language": "fi", "digest": ""}}',
     '{"fi/": {"key": "", "output": "sheets", "language": "fi", "digest": ""}}'],
)  # fmt: skip
@pytest.mark.parametrize("fresh", [False, True])
def test_a_damaged_manifest_breaks_nothing(
    root: Path, clean: dict[str, bytes], manifest: str, fresh: bool
) -> None:
    secret = root.parent / "secret"
    secret.write_text("mine")
    path = root / "build/.cardgen.json"
    path.write_bytes(content_store.seal_data(path, manifest.encode()))
    report = make(root, ASKED, outputs=("images",), fresh=fresh)
    assert [artefact.path for artefact in report.new_files] == [
        f"fi/images/loot/{name}.png" for name in ("barn", "barn-back", "shed", "shed-back")
    ]
    made = {path: data for path, data in clean.items() if path != ".cardgen.json"}
    assert {p: d for p, d in contents(root / "build").items() if p != ".cardgen.json"} == made
    assert secret.read_text() == "mine"


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_manifest_in_any_state(
    root: Path, clean: dict[str, bytes], damage: Callable[[Path], None]
) -> None:
    damage(root / "build/.cardgen.json")
    make(root, ASKED, outputs=OUTPUTS)
    assert contents(root / "build") == clean


def test_a_manifest_removes_nothing_but_what_was_made(root: Path) -> None:
    """One that names other files than builds make."""
    names = ("notes.txt", ".store/own", "fi/.hidden", "../outside")
    path = root / "build/.cardgen.json"
    listed = json.loads(content_store.unseal_data(path, path.read_bytes()))
    for name in names:
        (root / "build" / name).parent.mkdir(exist_ok=True)
        (root / "build" / name).write_text("mine")
        listed[name] = {"key": "", "output": "images", "language": "fi", "digest": ""}
    path.write_bytes(content_store.seal_data(path, json.dumps(listed).encode()))
    assert make(root, ASKED, outputs=("images",)).removed_paths == []
    assert all((root / "build" / name).read_text() == "mine" for name in names)
    (root / "outside").unlink()


@pytest.mark.parametrize("damage", [cut, emptied, flipped, deleted], ids=lambda each: each.__name__)
def test_a_changed_output_is_noticed(
    root: Path, clean: dict[str, bytes], damage: Callable[[Path], None]
) -> None:
    lost = ["fi/images/loot/barn.png", "fi/rulebook-a5.pdf", "fi/sheets/loot.pdf"]
    for path in lost:
        damage(root / "build" / path)
    report = make(root, ASKED, outputs=OUTPUTS)
    assert sorted(artefact.path for artefact in report.new_files) == lost
    assert contents(root / "build") == clean


def test_a_changed_output_is_noticed_though_its_time_and_size_are_the_same(
    root: Path, clean: dict[str, bytes]
) -> None:
    path = root / "build/fi/images/loot/barn.png"
    told = path.stat()
    flipped(path)
    os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns))
    make(root, ASKED, outputs=OUTPUTS)
    assert contents(root / "build") == clean


def test_outputs_that_were_copied_are_not_made_again(root: Path, tmp_path: Path) -> None:
    """Their times are others; what they hold is not."""
    copy = Path(shutil.copytree(root, tmp_path / "copy", copy_function=shutil.copyfile))
    before = times(copy / "build")
    report = make(copy, ASKED, outputs=("sheets", "images", "rulebook"))
    assert (report.typeset_count, report.new_files) == (0, [])
    assert times(copy / "build") == before


def test_fresh_forgets_everything(root: Path) -> None:
    """Whatever lies in the store, entries or not."""
    store = root / "build/.store"
    (store / "drawn" / "old.svg").write_bytes(b"")
    (store / "of no kind").mkdir()
    (store / "file").write_bytes(b"")
    before = times(root / "build")
    report = make(root, ASKED, outputs=OUTPUTS, fresh=True)
    assert len(report.new_files) == len(before) - 1  # the manifest says what it said
    assert not (store / "drawn/old.svg").exists()
    assert {path.name for path in store.iterdir()} == {*KINDS, "owner", "scratch"}


def test_an_icon_that_is_mended_is_no_longer_told(make_game: MakeGame) -> None:
    """Broken before the first build; restored; and once more."""
    root = make_game({**GAME, "templates/loot.html": "<p style='margin: 9mm'>{{ card.text }}</p>"})
    icon = root / "art/icons/coin.svg"
    whole = icon.read_text()
    request = Request(root, options=options())
    for _ in range(2):
        icon.write_text("<svg")
        _, _, problems = build.check(request)
        assert [str(problem) for problem in problems] == [
            "art/icons/coin.svg: error: it cannot be an icon: it cannot be read: "
            "unclosed token: line 1, column 0 [art]"
        ]
        icon.write_text(whole)
        assert build.check(request)[2] == []


def test_a_font_that_came_is_no_longer_missed(make_game: MakeGame) -> None:
    """What was set without a cut does not stand for what is set with it."""
    root = make_game(
        {**GAME, "templates/loot.html": "<p style='margin: 9mm'><b>{{ card.text }}</b></p>"}
    )
    fonts = root / "fonts/fonts.yaml"
    text = fonts.read_text()
    request = Request(root, options=options())
    for _ in range(2):
        fonts.write_text(text)
        _, _, problems = build.check(request)
        assert [str(problem) for problem in problems[:1]] == [
            "templates/loot.html:1: error: loot/barn [fi] front: Roboto Condensed 700 normal is "
            "not declared in fonts/fonts.yaml; add it to the family's weights and styles [font]"
        ]
        fonts.write_text(text.replace("hyphenation", "    weights: [400, 700]\nhyphenation"))
        assert build.check(request)[2] == []
