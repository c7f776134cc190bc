"""The work on a real Dask cluster, and what is left when parts of it go: the same bytes as alone.

A scheduler and two workers, processes on this machine; what lies in the folder of the far game is
hidden from the workers and from their helpers, as on another machine. The shared store is a real
server that speaks S3.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
import cluster_calls as calls
import pytest
from conftest import ROOT, TESTS
from PIL import Image
from s3_server import S3Server
from small_games import TEXT_GAME, contents, options, write_game

from cardgen import cli
from cardgen.cli import scale_options
from cardgen.faces import typesetting
from cardgen.outputs import contract
from cardgen.pipeline import build
from cardgen.pipeline.build import BuildReport, Request
from cardgen.runtime import code_version, content_store, worker_pool
from cardgen.runtime.scale import dask_cluster, dask_worker, shared_store
from cardgen.runtime.scale.dask_cluster import ClusterUnfitError, join_cluster
from cardgen.runtime.scale.shared_store import SharedStore

HIDING = """
import os, sys
hidden = os.environ["HIDDEN"]
def look(event, given):
    if event in {"open", "os.listdir", "os.scandir", "os.mkdir", "os.remove", "os.rename"}:
        if isinstance(given[0], str | bytes) and os.fsdecode(given[0]).startswith(hidden):
            raise FileNotFoundError(2, "it lies on another machine", given[0])
sys.addaudithook(look)
"""
CARDS = "".join(
    f"  - {{id: card-{number}, name: Lato {number}, text: 'Ota {number} {{coin}}.', art: house}}\n"
    for number in range(11)
)
GAME = {
    **TEXT_GAME,
    "game.yaml": "game: small\ntitle: {fi: Pieni}\nlanguages: [fi]\n",
    "cards/loot.yaml": "deck: loot\ntitle: Saalis\nsize: poker\nfront: loot.html\nback: back.html\n"
    f"styles: [card.css]\nfields: {{name: text, text: text, art: string}}\ncards:\n{CARDS}",
    "templates/loot.html": TEXT_GAME["templates/loot.html"]
    + '<img style="position: absolute; left: 9mm; top: 45mm; width: 9mm" src="art/photo.png">',
    "rulebook/fi.md": "# Pieni\n\n![Lato](card:loot/card-1)\n\nPanssarivaunu lähtee.\n",
    "fonts/fonts.yaml": "fonts:\n  - family: Roboto Condensed\n"
    "    package: '@fontsource/roboto-condensed'\nhyphenation: {fi: fi-x-school}\n",
}
GAME.pop("cards/notes.yaml"), GAME.pop("templates/note.html")
OUTPUTS = ("sheets", "images", "rulebook")
ASKED = replace(options(dpi=50), editions=("player",))
KEY = b"a key of those who share the store"


@dataclass
class Farm:
    """A scheduler and its workers, from which all that lies in `far` is hidden."""

    folder: Path
    far: Path
    around: dict[str, str]
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def game(self) -> Path:
        """A game in the hidden folder."""
        return self.far / "game"

    @property
    def store(self) -> Path:
        """Its store."""
        return self.game / "build/.store"

    @property
    def address(self) -> str:
        return (self.folder / "address").read_text().replace("tcp://", "dask://")

    def hire(self) -> None:
        own = self.folder / f"worker-{len(self.workers)}"
        own.mkdir()
        self.workers.append(
            started("worker", self.address.replace("dask://", "tcp://"), "--nthreads", "1",
                    "--no-nanny", "--host", "127.0.0.1", "--local-directory", str(own),
                    around=self.around, at=own)
        )  # fmt: skip

    @property
    def pids(self) -> set[int]:
        return {worker.pid for worker in self.workers if worker.poll() is None}

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def started(what: str, *more: str, around: dict[str, str], at: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dask", what, *more, "--no-dashboard"]
    log = (at / f"{what}.log").open("wb")
    return subprocess.Popen(command, env=around, cwd=at, stdout=log, stderr=log)


@pytest.fixture(scope="module")
def farm(s3: S3Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Farm]:
    folder, far = tmp_path_factory.mktemp("farm"), tmp_path_factory.mktemp("far")
    root = write_game(far / "game", GAME)
    Image.linear_gradient("L").resize((90, 90)).convert("RGB").save(root / "art/photo.png")
    (folder / "sitecustomize.py").write_text(HIDING)
    paths = os.pathsep.join(map(str, (folder, ROOT, TESTS)))
    around = {**os.environ, "PYTHONPATH": paths, "HIDDEN": str(far)}
    told = folder / "scheduler.json"
    scheduler = started("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file",
                        str(told), around=around, at=folder)  # fmt: skip
    made = Farm(folder, far, around, scheduler)
    try:
        address = waited(lambda: told.exists() and _address(told))
        (folder / "address").write_text(address)
        made.hire()
        made.hire()
        yield made
    finally:
        made.end()


def _address(told: Path) -> str:
    import json  # noqa: PLC0415

    try:
        return str(json.loads(told.read_text())["address"])
    except ValueError:
        return ""


def waited(look: Callable[[], str | bool]) -> str:
    until = time.monotonic() + 120
    while not (found := look()):
        assert time.monotonic() < until
        time.sleep(0.05)
    return str(found)


@pytest.fixture(scope="module")
def shared(s3: S3Server) -> SharedStore:
    return SharedStore(s3.bucket(), KEY, writes=True)


@pytest.fixture(autouse=True)
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two helpers for what is done here; few faces and files are worth sending away, too."""
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(typesetting, "_MAX_FACES_IN_PROCESS", 0)
    monkeypatch.setattr(contract, "_MAX_LOCAL_BATCHES", 0)
    monkeypatch.setattr(typesetting, "MAX_FACES_PER_BATCH", 4)
    shared_store.forget_connections()


def built(root: Path, folder: Path, shared: SharedStore | None = None) -> BuildReport:
    report = build.build(
        Request(root, OUTPUTS, options=ASKED, output_folder=folder, shared_store=shared)
    )
    assert not report.problems
    return report


@pytest.fixture(scope="module")
def alone(farm: Farm, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What is made of the far game by this machine, from a store of its own."""
    folder = tmp_path_factory.mktemp("alone")
    copy = write_game(folder / "game", GAME)
    (copy / "art/photo.png").write_bytes((farm.game / "art/photo.png").read_bytes())
    with worker_pool.use_workers(1):
        built(copy, folder / "made")
    return contents(folder / "made")


def kept(shared: SharedStore, kind: str) -> list[str]:
    """What of that kind the shared store holds."""
    import s3fs  # noqa: PLC0415 - slow, and seldom needed

    return [str(name) for name in s3fs.S3FileSystem(skip_instance_cache=True).find(
        f"{shared.address}/{code_version.get_code_key()}/{kind}"
    )]  # fmt: skip


# -- whole


def test_a_cluster_makes_the_same_bytes(
    farm: Farm, shared: SharedStore, alone: dict[str, bytes], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(worker_pool, "map_locally", None)  # nothing is done on this machine
    done: list[tuple[str, int, int]] = []
    request = Request(
        farm.game, OUTPUTS, options=ASKED, output_folder=tmp_path / "made", shared_store=shared
    )
    with join_cluster(farm.address, farm.store, shared):
        report = build.build(request, lambda *told: done.append(told))
    assert not report.problems
    assert report.typeset_count == 12
    made = contents(tmp_path / "made")
    assert made.keys() == alone.keys()
    assert [name for name, data in made.items() if data != alone[name]] == []
    assert ("typesetting", 12, 12) in done
    assert not (farm.store / "cluster").exists()
    own = [*farm.folder.glob("worker-*/*/*/cardgen/build/.store/faces/*.pdf")]
    assert len({path.name for path in own}) == 12
    # What was on its way is gone; the photograph, asked for by its bytes, may serve the next.
    assert len(kept(shared, "cluster")) <= 4
    assert len(kept(shared, "faces")) == 2 * 12


@pytest.mark.whole
def test_a_worker_killed_midway_costs_a_build_none_of_its_bytes(
    farm: Farm, s3: S3Server, alone: dict[str, bytes], tmp_path: Path
) -> None:
    """The first faces are set then; they lie in the shared store, and are not set again."""
    other = SharedStore(s3.bucket(), KEY, writes=True)
    killed: list[subprocess.Popen[bytes]] = []
    folder = tmp_path / "made"
    asked = Request(
        farm.game, OUTPUTS, options=ASKED, output_folder=folder, shared_store=other, fresh=True
    )

    def kill(what: str, done: int, _of: int) -> None:
        if what == "typesetting" and done and not killed:
            killed.append(farm.workers[0])
            farm.workers[0].kill()
            farm.workers[0].wait()
            farm.hire()

    with join_cluster(farm.address, farm.store, other):
        report = build.build(asked, kill)
    assert killed
    assert not report.problems
    assert report.typeset_count == 12
    made = contents(folder)
    assert made.keys() == alone.keys()
    assert [name for name, data in made.items() if data != alone[name]] == []


# -- calls


def spread(function: Callable[[Any], Any], given: Iterable[Any]) -> list[Any]:
    return list(worker_pool.map_calls(function, given, alone=False))


def test_a_path_means_the_same_file_on_a_worker(farm: Farm, shared: SharedStore) -> None:
    """Which a worker cannot see: the path it read is its own, and comes back as the one here."""
    wanted = [farm.game / "art/house.svg", farm.game / "templates/card.css"]
    with join_cluster(farm.address, farm.store, shared):
        found = spread(calls.read, wanted)
    assert found == [(path, path.read_bytes()) for path in wanted]


@pytest.mark.whole
def test_a_store_that_is_gone_midway_stops_no_build(
    farm: Farm, s3: S3Server, alone: dict[str, bytes], tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    other, given = SharedStore(s3.bucket(), KEY, writes=True), []
    folder = tmp_path / "made"
    asked = Request(
        farm.game, ("images",), options=ASKED, output_folder=folder, shared_store=other, fresh=True
    )
    for number in range(8):
        given.append(farm.far / f"{number}.txt")
        given[-1].write_text(f"number {number}")

    def end(what: str, done: int, _of: int) -> None:
        if what == "typesetting" and done:
            s3.stop()

    with join_cluster(farm.address, farm.store, other):
        assert not build.build(asked, end).problems
        # What a worker lacks and cannot get is done here.
        assert spread(calls.read, given) == [(path, path.read_bytes()) for path in given]
    made = contents(folder)
    assert made.keys() - {".cardgen.json"} == {name for name in alone if "/images/" in name}
    assert [name for name in made if "/images/" in name and made[name] != alone[name]] == []
    assert "does not answer" in caplog.text
    assert "going on here" in caplog.text


@pytest.fixture
def near(farm: Farm, tmp_path: Path) -> Iterator[Path]:
    """Within, work is done by workers that see the store in this folder."""
    with join_cluster(farm.address, tmp_path / "build/.store", None):
        yield tmp_path


def test_calls_are_done_in_order_by_all_workers(near: Path, farm: Farm) -> None:
    found = spread(calls.noted, [(str(near / "marks"), number) for number in range(20)])
    assert [number for number, _ in found] == [*range(20)]
    assert {worker for _, worker in found} == farm.pids


def test_calls_are_taken_only_as_there_is_somebody_to_do_them(near: Path) -> None:
    taken: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(500):
            taken.append(number)
            yield number

    results = worker_pool.map_calls(calls.doubled, numbers(), alone=False)
    assert [next(results) for _ in range(3)] == [0, 2, 4]
    assert len(taken) < 30
    results.close()  # type: ignore[attr-defined]


def test_what_kills_or_hangs_is_told_and_no_worker_dies_of_it(near: Path, farm: Farm) -> None:
    before = farm.pids
    good, crashing, hanging = spread(calls.at_a_thing, ["good", "crashing", "hanging"])
    assert good == "good done"
    assert crashing == "crashing: what reads it crashes (SIGSEGV)"
    assert hanging == "hanging: it takes more than 0 s of the processor's time and was stopped"
    assert farm.pids == before


def test_a_bug_is_raised_with_its_place(near: Path) -> None:
    with pytest.raises(LookupError, match="a bug") as error:
        spread(calls.wrong, [1])
    assert "cluster_calls.py" in "".join(error.value.__notes__)


def test_large_results_wait_in_the_store(near: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    settle = dask_cluster._RemoteRun._handle_answer

    def counted(
        self: dask_cluster._RemoteRun, task: dask_cluster._RemoteTask, answer: object
    ) -> None:
        sizes.append(len(answer.data))  # type: ignore[attr-defined]
        settle(self, task, answer)  # type: ignore[arg-type]

    monkeypatch.setattr(dask_cluster._RemoteRun, "_handle_answer", counted)
    assert spread(calls.large, [1, 2, 3]) == [calls.large(number) for number in (1, 2, 3)]
    assert sizes == [0, 0, 0]


def test_a_large_result_that_is_not_what_was_made_is_not_opened(
    near: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = content_store.read_entry
    monkeypatch.setattr(content_store, "read_entry", lambda path: b"x" + whole(path))
    assert spread(calls.large, [1]) == [calls.large(1)]


def test_a_result_names_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    parcel = dask_worker.pack_value((calls.elsewhere, tmp_path / "a"), tmp_path / "build/.store")
    function, call = dask_worker.unpack_value(parcel.data, [tmp_path / "b"])
    assert call == tmp_path / "b"
    with pytest.raises(TypeError, match="which its call did not"):
        dask_worker.pack_result(function(call), {call: 0})


# -- what is refused


def test_another_cardgen_is_refused_with_what_differs(
    farm: Farm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = code_version.list_code_parts()
    monkeypatch.setattr(code_version, "list_code_parts", lambda: (own[0], "Python 3.99", *own[2:]))
    told = pytest.raises(ClusterUnfitError, match=r"it has Python 3\.\d+, this command Python 3.99")
    with told, join_cluster(farm.address, tmp_path / "build/.store", None):
        pass


def test_workers_must_see_a_store(farm: Farm) -> None:
    told = pytest.raises(ClusterUnfitError, match="no shared store is set")
    with told, join_cluster(farm.address, farm.store, None):
        pass


def test_a_store_that_the_command_may_not_write_is_told(farm: Farm, shared: SharedStore) -> None:
    told = pytest.raises(
        ClusterUnfitError, match=r"may not write the shared store, .*: add --store-write"
    )
    with told, join_cluster(farm.address, farm.store, replace(shared, writes=False)):
        pass


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ("many", "'many' is neither a number of processes from 1 to 256 nor the address of a Dask"),
        ("0", "'0' is neither"),
        ("dask://127.0.0.1:99999", "'127.0.0.1:99999' is no address; write HOST:PORT"),
        ("tls://127.0.0.1:1", "tls:// needs certificates, and Dask's configuration names none"),
        ("dask://127.0.0.1:1", "no Dask scheduler answers at tcp://127.0.0.1:1; start one with"),
    ],
)
def test_what_is_no_worker_is_told(
    wanted: str, told: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CARDGEN_WORKERS", wanted)
    asked = click.Command("asked", params=[], callback=lambda workers: _entered(workers, tmp_path))
    with pytest.raises(click.UsageError) as error:
        scale_options.workers_option(asked).main([], standalone_mode=False)
    assert told in error.value.format_message()


def _entered(wanted: int | str | None, root: Path) -> None:
    with scale_options.use_workers(wanted, root, None):
        pytest.fail("nothing was told")


@pytest.mark.parametrize(
    ("says", "told"),
    [(b"", "no Dask scheduler answers"), (b"SSH-2.0-x\r\n", "what answers at .* is no Dask")],
)
def test_what_listens_and_is_no_scheduler_is_told(
    says: bytes, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dask's own client would wait for it without an end."""
    monkeypatch.setattr(dask_cluster, "_CONNECT_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        place = f"127.0.0.1:{listener.getsockname()[1]}"

        def answer() -> None:
            answering.append(listener.accept()[0])
            answering[0].sendall(says)

        answering: list[socket.socket] = []
        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(ClusterUnfitError, match=told), join_cluster(place, tmp_path, None):
            pass
        thread.join()
        answering[0].close()


def test_without_dask_it_is_told_how_to_get_it(
    farm: Farm, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    words = ["cardgen", "build", str(farm.game), "images", "--workers", farm.address]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as leave:
        cli.main()
    assert leave.value.code == 2
    assert capfd.readouterr().err.endswith("it needs Dask: pip install 'cardgen[cluster]'\n")


def test_so_many_processes_work_beside_each_other() -> None:
    with worker_pool.use_workers(3):
        assert worker_pool.count_workers() == 3
    assert worker_pool.count_workers() == 2


# -- what goes midway; last, since workers go for good


def test_a_killed_worker_costs_its_own_work_alone(
    near: Path, farm: Farm, caplog: pytest.LogCaptureFixture
) -> None:
    marks = near / "marks"
    marks.touch()
    found = spread(calls.worker_killed_once, [(str(marks), number) for number in range(40)])
    assert [number for number, _ in found] == [*range(40)]
    assert len(farm.pids) == 1
    done = [line.split()[0] for line in marks.read_text().splitlines()]
    twice = {number for number in done if done.count(number) > 1}
    assert "3" in twice
    assert len(twice) < 10  # and what it had done and nobody had fetched yet


def test_what_is_left_is_done_here_when_the_scheduler_is_gone(
    near: Path, farm: Farm, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_cluster, "_CONNECT_SECONDS", 1.0)
    results = worker_pool.map_calls(
        calls.noted, ((str(near / "m"), n) for n in range(60)), alone=False
    )
    first, others = next(results), farm.pids
    os.kill(farm.scheduler.pid, signal.SIGKILL)
    found = [first, *results]
    assert [number for number, _ in found] == [*range(60)]
    assert {worker for _, worker in found} - others
    assert "the Dask scheduler is gone; going on here" in caplog.text
    assert spread(calls.doubled, [1, 2]) == [2, 4]
