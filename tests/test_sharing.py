"""Machines that share a store: each makes what no other has made, all come to the same bytes."""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Cardgen
from s3_server import S3Server
from small_games import LOOT, TEXT_GAME, contents, options, write_game

from cardgen.cli import replay
from cardgen.outputs import contract
from cardgen.outputs.contract import TableOptions
from cardgen.pipeline import build
from cardgen.pipeline.build import BuildReport, Request
from cardgen.runtime import content_store
from cardgen.runtime.content_store import Store
from cardgen.runtime.scale import shared_store
from cardgen.runtime.scale.shared_store import SharedStore

pytestmark = pytest.mark.usefixtures("one_process")

KEY = b"the key of those who share it: 0123456789"
GAME = {
    **TEXT_GAME,
    "game.yaml": "game: small\ntitle: {en: Small}\nlanguages: [en]\n",
    "cards/loot.yaml": f"deck: loot\ntitle: Loot\n{LOOT}"
    '  - {id: barn, name: Barn, text: "Take {coin}.", art: house}\n'
    '  - {id: shop, name: Shop, text: "Pay € 5.", art: house}\n',
    "rulebook/en.md": "# Small\n\n![Barn](card:loot/barn)\n",
}
GAME.pop("cards/notes.yaml")
BUILT = GAME
OUTPUTS = ("sheets", "images", "rulebook", "tts")
ASKED = replace(
    options(dpi=50), editions=("player",), book_sizes=("a4",), tables=TableOptions(sheet_px=256, base_url="https://example.org/"),
)  # fmt: skip


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_game(tmp_path_factory.mktemp("written"), GAME)


@pytest.fixture(scope="module")
def clean(written: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a machine makes alone."""
    root = Path(shutil.copytree(written, tmp_path_factory.mktemp("alone") / "game"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "cpu_count", lambda: 1)
        return made_in(built(root, outputs=OUTPUTS))


def built(root: Path, shared: SharedStore | None = None, **asked: Any) -> BuildReport:
    shared_store.forget_connections()
    content_store._unusable_entries.clear()  # as in another process
    asked = {"outputs": ("images",), **asked}
    report = build.build(Request(root, options=ASKED, shared_store=shared, **asked))
    assert not report.problems, "\n".join(map(str, report.problems))
    return report


def made_in(report: BuildReport) -> dict[str, bytes]:
    """The files of a build, by their paths."""
    found = contents(report.folder)
    assert report.file_paths
    assert found.keys() == {*report.file_paths, ".cardgen.json"}
    return {path: found[path] for path in report.file_paths}


@pytest.fixture
def machine(written: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Another machine that has the game, and has built nothing."""
    return lambda name: Path(shutil.copytree(written, tmp_path / name))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are made and the entries that are kept, as they are."""
    found: list[str] = []
    make, write = contract._make_batch, Store.write

    def counted(files: Any) -> Any:
        found.extend(artefact.path for artefact in files.artefacts)
        return make(files)

    def noted(self: Store, path: Path, data: bytes) -> None:
        found.append(f"{path.parent.name}/{path.name}")
        write(self, path, data)

    monkeypatch.setattr(contract, "_make_batch", counted)
    monkeypatch.setattr(Store, "write", noted)
    return found


@pytest.fixture
def share(tmp_path: Path) -> SharedStore:
    """A folder that machines share."""
    return SharedStore(f"file://{tmp_path}/share", KEY, writes=True)


def files_of(shared: SharedStore) -> dict[str, bytes]:
    """What lies in a shared folder, by kind and name."""
    base = Path(shared.address.removeprefix("file://"))
    found = [path for path in base.rglob("*") if path.is_file()]
    return {"/".join(path.parts[-2:]): path.read_bytes() for path in found}


def test_a_second_machine_makes_nothing(
    machine: Callable[[str], Path], clean: dict[str, bytes], made: list[str], s3: S3Server
) -> None:
    """With a real server between them: neither faces, nor pictures, books or files; and both have
    what one alone would have."""
    shared = SharedStore(s3.bucket(), KEY, writes=True)
    first = built(machine("first"), shared, outputs=OUTPUTS)
    assert first.typeset_count
    assert {"faces", "art", "books", "pictures", "fonts"} <= {name.split("/")[0] for name in made}
    assert made_in(first) == clean
    made.clear()
    second = built(machine("second"), replace(shared, writes=False), outputs=OUTPUTS)
    assert second.typeset_count == 0
    assert [name for name in made if name.split("/")[0] in {*OUTPUTS, "faces", "art", "books",
            "pictures", "fonts", "layouts", "en", "fi"}] == []  # fmt: skip
    assert made_in(second) == clean


def test_a_card_edited_on_one_machine_is_made_there_alone(
    machine: Callable[[str], Path], share: SharedStore
) -> None:
    built(machine("first"), share)
    root = machine("second")
    built(root, share)
    deck = root / "cards/loot.yaml"
    deck.write_text(deck.read_text().replace("Pay € 5.", "Pay € 6."))
    assert built(root, share).typeset_count == 1
    third = machine("third")
    shutil.copy(deck, third / "cards/loot.yaml")
    report = built(third, share)
    assert report.typeset_count == 0
    assert made_in(report) == {
        path: (root / "build" / path).read_bytes() for path in report.file_paths
    }


def test_poisoned_entries_are_refused_and_made_anew(
    machine: Callable[[str], Path], share: SharedStore, clean: dict[str, bytes],
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """Every one of them, by somebody who may write and has no key; and the next that writes mends
    what it makes."""
    caplog.set_level(logging.WARNING, "cardgen")
    built(machine("first"), share)
    before = files_of(share)
    forger = SharedStore(share.address, b"another key, of somebody who may write", writes=True)
    for name in before:
        forger.put_entry(name, b"%PDF-1.7 poison")
    forger.flush()
    assert files_of(share) != before
    report = built(machine("second"), share)
    assert report.typeset_count
    assert made_in(report).items() <= clean.items()
    assert len([record for record in caplog.records if "not signed" in record.getMessage()]) == 1
    shared_store.forget_connections()
    assert dict(share.get(before)).keys() == before.keys()


def test_who_only_reads_writes_nothing(
    machine: Callable[[str], Path], share: SharedStore, clean: dict[str, bytes]
) -> None:
    report = built(machine("reader"), replace(share, writes=False))
    assert made_in(report).items() <= clean.items()
    assert files_of(share) == {}


def test_a_server_that_stops_in_the_middle_stops_nothing(
    machine: Callable[[str], Path], clean: dict[str, bytes], s3: S3Server,
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """It goes when the first face is set: that is told in a line, and all is made."""
    caplog.set_level(logging.WARNING, "cardgen")
    root, write = machine("game"), Store.write

    def then_stop(self: Store, path: Path, data: bytes) -> None:
        write(self, path, data)
        if path.parent.name == "faces" and path.suffix == ".pdf" and not gone:
            gone.append(path.name)
            self.flush_shared()
            s3.stop()

    gone: list[str] = []
    address = s3.bucket()
    monkeypatch.setattr(Store, "write", then_stop)
    report = built(root, SharedStore(address, KEY, writes=True))
    assert made_in(report).items() <= clean.items()
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 1
    assert told[0].startswith(f"the shared store {address} does not answer (")
    assert told[0].endswith("); going on with the local one")


def test_a_foreign_local_store_is_not_sent_on(
    machine: Callable[[str], Path], share: SharedStore, clean: dict[str, bytes]
) -> None:
    """A game that came with one, sealed and under the right names: what is made of it would be
    sent to all others."""
    root = machine("game")
    built(root)
    store = Store(root / "build/.store")
    for path in (root / "build/.store/faces").glob("*.pdf"):
        store.write(path, b"%PDF-1.7 poison")
    shutil.rmtree(root / "build/en")
    told: list[str] = []
    request = Request(root, ("images",), options=ASKED, shared_store=share)
    report = build.build(request, lambda what, _done, total: None if total else told.append(what))
    assert [line for line in told if "not begun by you" in line]
    assert report.typeset_count
    assert made_in(report).items() <= clean.items()
    assert built(root, share).typeset_count == 0


# -- the command line

PLACE = "store: s3://evil/bucket\n"


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The user's own configuration, which holds the key."""
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "store.key").write_bytes(KEY + b"\n")
    monkeypatch.setenv("CARDGEN_CONFIG", str(folder))
    shared_store.forget_connections()
    return folder


def test_a_game_that_names_a_store_is_not_obeyed(
    cardgen: Cardgen, root: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told, again where nothing changed, and nobody is asked; not even where the user shares
    another store and lets it be written."""
    (root / "game.yaml").write_text((root / "game.yaml").read_text() + PLACE)
    asked: list[str] = []

    def ask(url: str, **_: object) -> None:
        asked.append(url)
        raise OSError("nobody is there")

    monkeypatch.setattr("fsspec.core.url_to_fs", ask)
    for _ in range(2):
        said = cardgen("build", "images", "--lang", "en")
        assert said.code == 0
        assert "proposes the shared store s3://evil/bucket, which is not used" in said.err
        assert asked == []
    monkeypatch.setenv("CARDGEN_STORE", "memory://mine")
    shutil.rmtree(root / "build/.store")
    said = cardgen("check")
    assert "which is not used" in said.err
    assert set(asked) == {"memory://mine"}
    shutil.rmtree(root / "build/.store")
    said = cardgen("check", "--store", "s3://evil/bucket")
    assert "which is not used" not in said.err
    assert "s3://evil/bucket" in asked


@pytest.mark.parametrize(("config", "arguments", "variables", "expected"), [
    ("", (), {}, None),
    ("", ("--store", "memory://a"), {}, ("memory://a", False)),
    ("", ("--store", "memory://a", "--store-write"), {}, ("memory://a", True)),
    ("", (), {"CARDGEN_STORE": "memory://b"}, ("memory://b", False)),
    ("", (), {"CARDGEN_STORE": "memory://b", "CARDGEN_STORE_WRITE": "1"}, ("memory://b", True)),
    ("store: memory://c\n", (), {}, ("memory://c", False)),
    ("store: {address: 'memory://c', write: true}\n", (), {}, ("memory://c", True)),
    ("store: {address: 'memory://c', write: true}\n", ("--store", "memory://d"), {},
     ("memory://d", False)),
    ("store: {address: 'memory://c', write: true}\n", ("--store", "none"), {}, None),
    ("# nothing\n", (), {"CARDGEN_STORE": ""}, None),
])  # fmt: skip
def test_the_user_says_which_store_it_is(  # noqa: PLR0917
    cardgen: Cardgen, key: Path, monkeypatch: pytest.MonkeyPatch, config: str,
    arguments: tuple[str, ...], variables: dict[str, str], expected: tuple[str, bool] | None,
) -> None:  # fmt: skip
    """What is nearest holds; and who may write at one address need not at another."""
    if config:
        (key / "config.yaml").write_text(config)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    seen: list[SharedStore | None] = []

    def check(request: Request, *_: object) -> tuple[None, None, list[object]]:
        seen.append(request.shared_store)
        return None, None, []

    monkeypatch.setattr(build, "check", check)
    assert cardgen("check", *arguments).code == 0
    found = seen[0]
    assert (found and (found.address, found.writes)) == expected
    assert found is None or found.key == KEY


@pytest.mark.parametrize(("config", "arguments", "told"), [
    ("store: {adress: 'memory://c'}\n", (), "store has no key 'adress'; did you mean 'address'?"),
    ("store: {write: true}\n", (), "store needs address: s3://bucket/folder"),
    ("store: {address: 'memory://c', write: 3}\n", (), "write is"),
    ("stores: memory://c\n", (), "config.yaml has no key 'stores'; did you mean 'store'?"),
    ("store: [\n", (), "config.yaml:"),
    *(("", ("--store", address), f"the store '{address}' is not a full address; write one such as "
       "s3://bucket/folder, or /mnt/share/cards for a folder, whose address is absolute")
      for address in ("cards/shared", "../share", "file://../share", "file://share")),
    ("", ("--store-write",), "--store-write goes with a store"),
])  # fmt: skip
def test_what_is_wrong_with_it_is_told(
    cardgen: Cardgen, key: Path, config: str, arguments: tuple[str, ...], told: str
) -> None:
    if config:
        (key / "config.yaml").write_text(config)
    said = cardgen("check", *arguments)
    assert said.code
    assert told in said.err


def test_a_store_without_a_key_is_none(
    cardgen: Cardgen, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (key / "store.key").unlink()
    said = cardgen("check", "--store", "memory://a")
    assert said.code == 2
    assert "a shared store needs the key of those who share it, in CARDGEN_STORE_KEY" in said.err
    monkeypatch.setenv("CARDGEN_STORE_KEY", "short")
    assert "is too short; 32 signs are the least" in cardgen("check", "--store", "memory://a").err


def test_nothing_changed_is_told_at_once_until_the_configuration_is_another(
    cardgen: Cardgen, root: Path, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And nobody is asked."""
    arguments = ("build", "images", "--lang", "en", "--store", "memory://a")
    cardgen(*arguments)
    time.sleep(0.06)
    cardgen(*arguments)
    monkeypatch.chdir(root)
    assert replay.replay_output(list(arguments)) == 0
    (key / "config.yaml").write_text("store: memory://other\n")
    assert replay.replay_output(list(arguments)) is None
