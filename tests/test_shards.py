"""A build shared out among the jobs of a CI, and merged: the same bytes as of one."""

from __future__ import annotations

import json
import logging
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import Cardgen
from small_games import TEXT_GAME, contents, edit

from cardgen.outputs import output_files, shards
from cardgen.outputs.shards import Shard
from cardgen.pipeline import build, parts
from cardgen.pipeline.build import BuildReport
from cardgen.runtime import code_version
from cardgen.runtime.scale import shared_store

_BOOK = "# {}\n\n![Barn](card:loot/barn)\n"
BUILT = {
    **TEXT_GAME,
    "rulebook/en.md": _BOOK.format("Small"),
    "rulebook/fi.md": _BOOK.format("Pieni"),
}
WORDS = (
    "build", "sheets", "images", "rulebook", "contact", "tts", "tgc", "card-pdfs", "--dpi", "50",
    "--sheet-px", "256", "--base-url", "https://example.org", "--book-size", "a4",
    "--edition", "player",
)  # fmt: skip
OF = 3


def deck(name: str, pieces: int, *, back: str = "back.html") -> Any:
    return SimpleNamespace(id=name, pieces=range(pieces), front="front.html", back=back)


@pytest.mark.parametrize("of", [1, 2, 3, 7, 16, 40])
def test_shares_are_all_of_it_once_and_as_even_as_can_be(of: int) -> None:
    decks = [
        deck(f"d{number}", 10 + 7 * number, back="" if number % 2 else "b") for number in range(6)
    ]
    languages = ("en", "fi", "ru", "pt-BR", "de")
    found = shards.shares(decks, languages, of, books=languages[:4])
    assert [share.shard for share in found] == [Shard(number, of) for number in range(1, of + 1)]
    fallen = [each for share in found for each in share.decks]
    assert sorted(fallen) == sorted((code, d.id) for code in languages for d in decks)
    assert sorted(code for share in found for code in share.books) == sorted(languages[:4])
    weight = {d.id: len(d.pieces) * (2 if d.back else 1) for d in decks}
    loads = [sum(weight[d] for _, d in s.decks) + 100 * len(s.books) for s in found]
    assert max(loads) - min(loads) <= max(*weight.values(), 100)
    assert shards.shares(decks, languages, of, books=languages[:4]) == found
    assert not any(share.books for share in shards.shares(decks, languages, of, books=()))


@pytest.mark.parametrize(("written", "meant"), [
    ("3/16", Shard(3, 16)), ("1/1", Shard(1, 1)), ("0/3", None), ("4/3", None), ("3", None),
    ("-1/3", None), ("1/1001", None), ("1 / 3", None), ("a/b", None), ("٣/٤", None),
])  # fmt: skip
def test_what_is_a_shard(written: str, meant: Shard | None) -> None:
    assert shards.parse(written) == meant


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> list[BuildReport]:
    """What builds came to."""
    found: list[BuildReport] = []
    make = build.build

    def noted(*asked: Any) -> BuildReport:
        found.append(make(*asked))
        return found[-1]

    monkeypatch.setattr(build, "build", noted)
    return found


@pytest.fixture
def machine(root: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Another machine that has the game, and has built nothing."""

    def copy(name: str) -> Path:
        skipped = shutil.ignore_patterns("build")
        return Path(shutil.copytree(root, tmp_path / name, ignore=skipped))

    return copy


@pytest.fixture(scope="module")
def kept() -> dict[str, Path]:
    """The parts that were made once, and what one build makes, for all tests of the module."""
    return {}


@pytest.fixture
def made(
    kept: dict[str, Path], cardgen: Cardgen, machine: Callable[[str], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Path]:  # fmt: skip
    """A folder of the parts, and the build folder of a machine alone."""
    if not kept:
        folder = tmp_path_factory.mktemp("parts")
        for number in range(1, OF + 1):
            at = machine(f"job{number}")
            said = cardgen(
                *WORDS, "--shard", f"{number}/{OF}", "-o", str(folder / f"job{number}"), at=at
            )
            assert said.code == 0, said.err
            assert f"part {number}/{OF}" in said.out
        alone = machine("alone")
        assert cardgen(*WORDS, at=alone).code == 0
        kept["alone"] = Path(shutil.copytree(alone / "build", folder.with_name("alone")))
        kept["parts"] = folder
    return kept


@pytest.fixture
def own(made: dict[str, Path], tmp_path: Path) -> Path:
    """The parts, for a test that spoils them."""
    return Path(shutil.copytree(made["parts"], tmp_path / "parts"))


def test_merged_parts_are_what_one_build_makes(
    made: dict[str, Path],
    cardgen: Cardgen,
    machine: Callable[[str], Path],
    reports: list[BuildReport],
) -> None:
    """To the byte, manifest included; nothing is typeset or drawn for it; each shard has made some
    of it, and an ordinary build has nothing to do afterwards."""
    root = machine("merge")
    said = cardgen(*WORDS, "--merge", str(made["parts"]), at=root)
    assert said.code == 0, said.err
    assert contents(root / "build") == contents(made["alone"])
    assert reports[0].typeset_count == 0
    lists = [
        json.loads(path.read_text())["files"] for path in sorted(made["parts"].glob("*/part.json"))
    ]
    assert len(lists) == OF
    files = [set(files) for files in lists]
    assert all(files)
    assert sum(map(len, files)) == len(set.union(*files))
    assert set.union(*files) <= set(reports[0].file_paths)
    later = cardgen(*WORDS, at=root)
    assert later.code == 0
    assert (reports[1].typeset_count, reports[1].new_files, reports[1].removed_paths) == (0, [], [])


def test_a_shard_sets_its_own_faces_alone(made: dict[str, Path]) -> None:
    """Two have a rulebook each, and set the one face that it shows; the third has the decks, which
    weigh less than either."""
    faces = [
        {
            name
            for name in parts.PartsStore([part])._stores
            if name.startswith("faces/") and name.endswith(".pdf")
        }
        for part in parts.found([made["parts"]])
    ]
    alone = {f"faces/{path.name}" for path in (made["alone"] / ".store/faces").glob("*.pdf")}
    assert set.union(*faces) == alone
    assert [len(each) for each in faces] == [1, 1, len(alone)]


def lose(own: Path, *names: str) -> None:
    for name in names:
        shutil.rmtree(own / name)


@pytest.mark.parametrize(("spoil", "told"), [
    (lambda own: lose(own, "job2"), "part 2 of 3 is missing; nothing is merged"),
    (lambda own: lose(own, "job1", "job2"), "parts 1, 2 of 3 are missing"),
    (lambda own: shutil.copytree(own / "job2", own / "again"), "part 2/3 is there twice"),
    (lambda own: lose(own, "job1", "job2", "job3"), "holds no part; cardgen build --shard makes"),
    (lambda own: (own / "job1/part.json").write_text("{}"), "is no list of a part, or damaged"),
    (lambda own: edit(own, "job1/part.json", '"of": 3', '"of": 4'),
     "job1 one of 4; merge those of one build"),
    (lambda own: edit(own, "job1/part.json", '"en/', '"../en/'), "is no list of a part"),
    (lambda own: edit(own, "job1/part.json", "weasyprint 70", "weasyprint 69"),
     "weasyprint 69.0 there, weasyprint 70.0 here"),
])  # fmt: skip
def test_parts_that_are_not_all_of_one_build_are_refused(
    cardgen: Cardgen, root: Path, own: Path, spoil: Callable[[Path], object], told: str
) -> None:
    spoil(own)
    before = contents(root / "build")
    said = cardgen(*WORDS, "--merge", str(own))
    assert said.code == 2
    assert told in said.error
    assert contents(root / "build") == before


def set_in_list(**values: object) -> Callable[[Path], object]:
    """Have the list of a part say something else."""

    def spoil(own: Path) -> None:
        place = own / "job1/part.json"
        place.write_text(json.dumps({**json.loads(place.read_text()), **values}))

    return spoil


ENTRY = {"key": "k", "output": "o", "language": "en", "digest": "d"}


@pytest.mark.parametrize("spoil", [
    set_in_list(of=0), set_in_list(of=1001), set_in_list(of=10**9), set_in_list(of="3"),
    set_in_list(of=3.0), set_in_list(of=True), set_in_list(shard=0), set_in_list(shard=4),
    set_in_list(shard=-1), set_in_list(shard=None), set_in_list(engine="cardgen"),
    set_in_list(engine={"cardgen": 1}), set_in_list(engine=["a"] * 1000),
    set_in_list(engine=["a" * 1000]), set_in_list(engine=[["a"]]), set_in_list(state=["a"]),
    set_in_list(asked=1), set_in_list(files=[]), set_in_list(files={"en/a.png": "a"}),
    set_in_list(files={"en/a.png": {**ENTRY, "key": 1}}),
    set_in_list(files={"en/a.png": {**ENTRY, "more": ""}}),
    lambda own: (own / "job1/part.json").write_text("[" * 100_000),
    lambda own: (own / "job1/part.json").write_text('{"kind": ' + "9" * 10_000 + "}"),
])  # fmt: skip
def test_a_list_that_says_what_no_part_says_is_refused(
    cardgen: Cardgen, root: Path, own: Path, spoil: Callable[[Path], object]
) -> None:
    """In one plain line."""
    spoil(own)
    said = cardgen(*WORDS, "--merge", str(own))
    assert said.code == 2
    assert f"{own}/job1/part.json is no list of a part, or damaged; make it again" in said.error


def test_a_list_that_is_too_long_is_not_read(
    cardgen: Cardgen, root: Path, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (own / "job1/part.json").open("r+b") as file:
        file.truncate(parts._MOST_LIST + 1)
    said = cardgen(*WORDS, "--merge", str(own))
    assert "job1/part.json is larger than 16 MB" in said.error
    monkeypatch.setattr(parts, "MOST", 2)
    assert "holds more than 2 parts" in cardgen(*WORDS, "--merge", str(own)).error


def test_what_a_list_says_is_shown_and_not_obeyed(cardgen: Cardgen, root: Path, own: Path) -> None:
    """Also where it says less of its engine than is there to compare."""
    set_in_list(engine=["cardgen 1\n::error::of a stranger\x1b[2J"])(own)
    error = cardgen(*WORDS, "--merge", str(own)).error
    assert "cardgen 1\\n::error::of a stranger\\x1b[2J there" in error
    first = list(code_version.list_code_parts())
    set_in_list(engine=first[:-1])(own)
    assert f"nothing there, {first[-1]} here" in cardgen(*WORDS, "--merge", str(own)).error


def test_what_is_passed_over_is_named(cardgen: Cardgen, root: Path, own: Path) -> None:
    """A folder that is a link, and one without a list, as the download of a CI may leave them."""
    (own / "job1").rename(own.with_name("elsewhere"))
    (own / "job1").symlink_to(own.with_name("elsewhere"))
    (own / "job2/part.json").unlink()
    error = cardgen(*WORDS, "--merge", str(own)).error
    told = f"passed over: {own}/job1, a link; {own}/job2, which has no part.json"
    assert "parts 1, 2 of 3 are missing; nothing is merged" in error
    assert told in error
    lose(own, "job3")
    error = cardgen(*WORDS, "--merge", str(own)).error
    assert "holds no part" in error
    assert told in error


def test_a_store_that_names_more_than_a_game_has_is_not_listed(
    own: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The names of all parts count together; what is there is read as ever."""
    caplog.set_level(logging.WARNING, "cardgen")
    found = parts.found([own])
    names = [[*parts.PartsStore([part])._stores] for part in found]
    wanted = {name for each in names for name in each}
    assert dict(parts.PartsStore(found).get(wanted)).keys() == wanted
    with zipfile.ZipFile(own / "job1/store.zip", "w") as store:
        for number in range(2000):
            store.writestr(f"faces/{number:040}.pdf", b"")
    assert caplog.records == []
    monkeypatch.setattr(parts, "_MOST_NAMES", 100_000)
    assert {*parts.PartsStore(found)._stores} == {*names[1], *names[2]}
    assert [record.getMessage() for record in caplog.records] == [
        f"{own}/job1/store.zip names more than a game has, and is not used"
    ]


def test_parts_of_another_state_or_of_other_words_are_refused(
    cardgen: Cardgen, root: Path, made: dict[str, Path]
) -> None:
    merge = ("--merge", str(made["parts"]))
    assert "was asked for with other words" in cardgen("build", "sheets", *merge).error
    edit(root, "cards/notes.yaml", "value: 5", "value: 7")
    assert "was made from other files of the game" in cardgen(*WORDS, *merge).error


def test_what_is_damaged_in_a_part_is_made_again(
    cardgen: Cardgen, machine: Callable[[str], Path], own: Path, made: dict[str, Path],
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """A file that is not what its list says, one that is lost, and a store that is none."""
    caplog.set_level(logging.WARNING, "cardgen")
    found = [next(own.glob(f"*/en/images/loot/{name}.png")) for name in ("barn", "shop")]
    found[0].write_bytes(b"spoilt")
    found[1].unlink()
    for store in own.glob("*/store.zip"):
        store.write_bytes(b"spoilt")
    root = machine("merge")
    assert cardgen(*WORDS, "--merge", str(own), at=root).code == 0
    assert contents(root / "build") == contents(made["alone"])
    told = "\n".join(record.getMessage() for record in caplog.records)
    assert f"{found[0]} is not what was made, and is made again" in told
    assert f"{found[1]} is missing; it is made again" in told


def test_with_a_shared_store_parts_need_none_of_their_own(
    cardgen: Cardgen, machine: Callable[[str], Path], tmp_path: Path, reports: list[BuildReport],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Faces come out of it at the merge."""
    monkeypatch.setenv("CARDGEN_STORE", f"file://{tmp_path}/share")
    monkeypatch.setenv("CARDGEN_STORE_KEY", "k" * 40)
    words = ("build", "sheets", "--lang", "en")
    for number in (1, 2):
        shared_store.forget_connections()
        job = machine(f"job{number}")
        said = cardgen(*words, "--store-write", "--shard", f"{number}/2", at=job)
        assert said.code == 0, said.err
        part = job / f"build/part-{number}-of-2"
        assert parts.PartsStore(parts.found([part]))._stores == {}
        shutil.copytree(part, tmp_path / f"parts/{number}")
    # A front each and a common back; two notes without one.
    assert [report.typeset_count for report in reports] == [3, 2]
    made: list[str] = []
    make = output_files._make_batch

    def noted(files: Any) -> Any:
        made.extend(artefact.path for artefact in files.artefacts)
        return make(files)

    monkeypatch.setattr(output_files, "_make_batch", noted)
    shared_store.forget_connections()
    said = cardgen(*words, "--merge", str(tmp_path / "parts"), at=machine("merge"))
    assert said.code == 0, said.err
    assert reports[-1].typeset_count == 0
    assert made == []
    assert {"en/sheets.pdf", "en/sheets-one-sided.pdf"} <= set(reports[-1].file_paths)


def swap_faces(own: Path) -> None:
    """Have every face of the parts look like one of them."""
    for place in own.glob("*/store.zip"):
        with zipfile.ZipFile(place) as store:
            held = {name: store.read(name) for name in store.namelist()}
        faces = [name for name in held if name.startswith("faces/") and name.endswith(".pdf")]
        with zipfile.ZipFile(place, "w") as store:
            for name, data in held.items():
                store.writestr(name, held[faces[0]] if name in faces else data)


def test_a_merge_sends_nothing_to_the_shared_store(
    cardgen: Cardgen, machine: Callable[[str], Path], own: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A stranger's part would be signed with the user's key; nor is anything sent later that was
    made of it: the local store counts as foreign from then on."""
    swap_faces(own)
    monkeypatch.setenv("CARDGEN_STORE_KEY", "k" * 40)
    monkeypatch.setenv("CARDGEN_STORE_WRITE", "1")
    first, later = (*WORDS[:3], "--deck", "notes", "--lang", "fi"), ("build", "card-proof")
    for name in ("honest", "merged"):
        share, root = tmp_path / f"share-{name}", machine(name)
        monkeypatch.setenv("CARDGEN_STORE", f"file://{share}")
        shared_store.forget_connections()
        assert cardgen(*first, at=root).code == 0
        if name == "merged":
            before = contents(share)
            said = cardgen(*WORDS, "--merge", str(own), at=root)
            assert "--merge sends nothing to the shared store" in said.err
            assert contents(share) == before
        said = cardgen(*later, at=root)
        assert said.code == 0, said.err
        assert ("not known to be made here" in said.err) is (name == "merged")
    honest, sent = (contents(tmp_path / f"share-{name}") for name in ("honest", "merged"))
    assert before.keys() < sent.keys() == honest.keys()
    # Drawings have a number by chance in them.
    assert [name for name in sent if sent[name] != honest[name] and "/art/" not in name] == []


@pytest.mark.parametrize(("words", "told"), [
    (("--shard", "3/2"), "'3/2' is no part; 3/16 is the third of sixteen"),
    (("--shard", "1/2", "--merge", "."), "--merge puts parts together, and --shard makes one"),
    (("--shard", "1/2", "--draft"), "--shard does not go with --draft"),
    (("--merge", ".", "--changed"), "--merge does not go with --changed"),
])  # fmt: skip
def test_what_does_not_go_together_is_told(
    cardgen: Cardgen, words: tuple[str, ...], told: str
) -> None:
    said = cardgen("build", "sheets", *words)
    assert said.code == 2
    assert told in said.error


def test_a_shard_to_which_nothing_falls_is_a_part(
    cardgen: Cardgen, root: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "part"
    words = ("build", "images", "--deck", "notes", "--lang", "en")
    said = cardgen(*words, "--shard", "5/5", "-o", str(folder))
    assert (said.code, "part 5/5 with nothing;" in said.out) == (0, True)
    (part,) = parts.found([folder])
    assert (part.shard, dict(part.files)) == (Shard(5, 5), {})
