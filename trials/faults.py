"""Faults of the machine: no room, no rights, a store gone bad, two builds at once, clocks, changes.

Right is, whatever happens: exit code 0 or 1 and no traceback; every file that is there afterwards
is the last good one or the new one, whole; and the next build that nothing hinders makes what a
clean one makes, to the byte.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from urllib.parse import SplitResult, urlsplit

from cardgen.runtime import content_store
from trials.field import AFTER, BEFORE, EDITED, SHARED, Field, deck, made
from trials.running import Outcome, Trial, begun, said

EVERYTHING = (
    "build", "sheets", "images", "rulebook", "contact", "tts", "playingcards", "folder", "mpc",
    "--dpi", "72",
)  # fmt: skip
Faults = Iterator[tuple[str, Callable[[str], Trial]]]
"""Names of faults, and what carries them out when it is called with the name."""

# -- a disk that is full: a small one is mounted where that may be; else files may not grow

ROOMS = (0, 20, 100, 400, 1000, 2500)
"""Kilobytes that are left."""
DISK = 60_000_000


def room(field: Field) -> Faults:
    """A build with so much room left, and one more when there is room again."""
    for left in ROOMS:
        for more in ((), ("--fresh",)):
            yield f"{left}-kB-left{'-fresh' * len(more)}", partial(_in_room, field, left, more)
    # No file may grow past 80 kB: what is larger cannot be written.
    cut = ("sh", "-c", 'ulimit -f 160; exec "$@"', "sh")
    yield "files-cut", lambda name: field.hindered(name, before=cut)


def _in_room(field: Field, left: int, more: tuple[str, ...], name: str) -> Trial:
    old, new = field.built, field.built_anew
    field.set_up(old, edited=True)
    with _small_disk(field.game / "build") as mounted:
        if not mounted:
            return Trial(name, (), "not tried: only root may mount a disk")
        filler = field.game / "build" / "filler"
        filler.write_bytes(bytes(max(0, shutil.disk_usage(filler.parent).free - left * 1024)))
        outcome = field.run(*field.words, *more)
        filler.unlink()
        wrong = [*field.halves(old, new), *field.next_build(new)]
    return field.judged(name, outcome, wrong)


@contextmanager
def _small_disk(folder: Path) -> Iterator[bool]:
    """The folder on a disk of its own, with what is in it; whether that could be."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(folder)]
    kept = shutil.copytree(folder, folder.with_name("kept"))
    mounted = (
        not os.geteuid()
        and not subprocess.run(command, capture_output=True, check=False).returncode
    )
    try:
        if mounted:
            shutil.copytree(kept, folder, dirs_exist_ok=True)
        shutil.rmtree(kept)
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", str(folder)], check=True)


# -- folders and files that may not be written or read

# Root may write everywhere; without these it has the rights of an owner, like anybody.
_LIKE_ANYBODY = ("setpriv", "--bounding-set=-dac_override,-dac_read_search",
                 "--inh-caps=-dac_override,-dac_read_search")  # fmt: skip
UNWRITABLE = {
    "game": ".", "build": "build", "language": "build/en", "sheets": "build/en/sheets",
    "images": "build/en/images/loot", "store": "build/.store", "faces": "build/.store/faces",
    "fonts": "build/.store/fonts", "game-never-built": ".",
}  # fmt: skip
UNREADABLE = {
    "build": "build", "store": "build/.store", "faces": "build/.store/faces",
    "sheets": "build/en/sheets.pdf", "manifest": "build/.cardgen.json", "game-file": "game.yaml",
    "cards": "cards", "template": "templates/loot.html", "style": "templates/loot.css",
    "art": "art/house.svg", "icons": "art/icons", "book": "rulebook/en.md",
    "font": "fonts/roboto-condensed-400-normal.woff2",
}  # fmt: skip


def rights(field: Field) -> Faults:
    """Each of them taken away, after a good build and where there was none."""
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        yield "all", lambda name: Trial(name, (), "not tried: this is root without a setpriv")
        return
    before = _LIKE_ANYBODY if os.geteuid() == 0 else ()
    cases = [(label, path, 0o555) for label, path in UNWRITABLE.items()]
    cases += [(f"{label}-unreadable", path, 0o000) for label, path in UNREADABLE.items()]
    for label, path, mode in cases:
        yield label, partial(
            field.hindered, hindrance=_taken_away(field, path, mode), before=before,
            built=label != "game-never-built", forgotten=label == "manifest-unreadable",
        )  # fmt: skip


@contextmanager
def _taken_away(field: Field, path: str, mode: int) -> Iterator[None]:
    target = field.game / path
    before = target.stat().st_mode
    below = [p for p in target.rglob("*") if mode and p.is_dir() and not p.is_symlink()]
    for each in (target, *below):
        each.chmod(mode)
    try:
        yield
    finally:
        for each in (target, *below):
            each.chmod(before)


# -- a store gone bad, and a build folder that somebody else has been at


def _spoil(way: str, path: Path) -> None:
    """Spoil a file in one way."""
    if way in ("deleted", "a-folder-in-its-place", "a-link-to-nowhere"):
        path.unlink()
    if way in ("cut-short", "emptied"):
        os.truncate(path, path.stat().st_size // 2 if way == "cut-short" else 0)
    elif way == "a-bit-flipped" and (data := bytearray(path.read_bytes())):
        data[len(data) // 2] ^= 4
        path.write_bytes(data)
    elif way == "a-folder-in-its-place":
        (path / "in-its-place").mkdir(parents=True)
    elif way == "other-words":
        path.write_text("[]")
    elif way == "of-another-entry":  # its seal is right, and names the other
        others = (each for each in sorted(path.parent.iterdir()) if each.is_file())
        path.write_bytes(next((each for each in others if each != path), path).read_bytes())
    elif way == "sealed-by-a-stranger":  # by whoever runs the trials: the build has another home
        path.write_bytes(content_store.seal_data(path, b"%PDF-1.7 of a stranger"))
    elif way == "a-link-to-nowhere":
        path.symlink_to("nowhere")


WAYS = ("cut-short", "emptied", "a-bit-flipped", "deleted", "a-folder-in-its-place", "other-words",
        "a-link-to-nowhere", "of-another-entry", "sealed-by-a-stranger")  # fmt: skip


def spoilt(field: Field) -> Faults:
    """Every kind of entry spoilt in every way, with the outputs to be made of it anew."""
    groups: dict[str, list[str]] = {}
    build = field.built / "build"
    for path in sorted(file for file in build.rglob("*") if file.is_file()):
        name = path.relative_to(field.built).as_posix()
        if path.parent.parent == build / ".store":
            groups.setdefault(f"store-{path.parent.name}{path.suffix}", []).append(name)
        elif path.name == ".cardgen.json":
            groups["manifest"] = [name]
        elif path.parent == build / "en" or (
            build / "en" in path.parents and path.suffix in (".json", ".pcio", ".csv")
        ):
            groups[f"output{path.suffix.replace('.', '-')}-{path.stem}"] = [name]
    kept = [name for group, names in groups.items() if group[:5] != "output" for name in names]
    for group, files in {**groups, "store-and-manifest": kept}.items():
        for way in WAYS:
            yield f"{group}-{way}", partial(_spoilt, field, files, way)


def _spoilt(field: Field, files: list[str], way: str, name: str) -> Trial:
    """Spoil these files. What was made of the store is taken away, so that it must serve again; of
    what was published, the next build must see that it is no longer what it made."""
    field.set_up(field.built)
    for file in files:
        _spoil(way, field.game / file)
    if name.startswith("spoilt/store"):
        shutil.rmtree(field.game / "build/en")
    outcome = field.run()
    # A folder with something in it is not ours to remove: it is told, and the next build is right.
    blocked = name.startswith("spoilt/output") and way == "a-folder-in-its-place"
    for file in files if blocked else ():
        shutil.rmtree(field.game / file)
        field.run()
    return field.judged(name, outcome, field.differs(field.built), (1,) if blocked else (0,))


# -- faces rendered in another order: nothing that a template does may outlive a face

STATES = {
    "colours": "{% if dict.update(game.colours, a='#000000') %}{% endif %}{{ game.colours }}",
    "players": "{% if game.players.append(1) %}{% endif %}{{ game.players | length }}",
    "card": "{% if card.update(text='x') %}{% endif %}{{ card.text }}",
    "words": "{% if dict.clear(words) %}{% endif %}{{ words | length }}",
    "module": "{% import 'part.html' as part %}{{ part.count() }}",
    "included": "{% include 'part.html' %}{{ seen | default('') }}",
    "cycle": "{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ joiner('-')() }}",
    "default": "{% macro m(a=[]) %}{{ a.append(1) or a | length }}{% endmacro %}{{ m() }}{{ m() }}",
    "random": "{{ [1, 2, 3, 4, 5, 6] | random }}{{ lipsum(1) }}",
    "function": "{% if card.name.__class__.__dict__ %}{% endif %}{{ icon.seen | default('') }}",
}
PART = (
    "{% set ns = namespace(n=0) %}{% macro count() %}"
    "{% set ns.n = ns.n + 1 %}{{ ns.n }}{% endmacro %}{{ count() }}"
)


def order(field: Field) -> Faults:
    """Faces of templates that try to keep something, forwards, backwards and one alone."""
    for label, text in STATES.items():
        yield label, partial(_in_another_order, field, text)


def _in_another_order(field: Field, text: str, name: str) -> Trial:
    cards = deck(4).splitlines(keepends=True)
    head, rows = cards[:-4], cards[-4:]
    found: dict[str, set[str]] = {}
    codes = set()
    for some in (rows, rows[::-1], rows[2:3], rows[1:]):
        field.set_up(field.built, built=False)
        (field.game / "templates/part.html").write_text(PART)
        (field.game / "templates/loot.html").write_text(f'<div class="box">{text}</div>')
        (field.game / EDITED).write_text("".join([*head, *some]))
        outcome = field.run("build", "images", "--dpi", "72")
        codes.add(outcome.code)
        for file, digest in made(field.game).items():
            if file.endswith(".png"):
                found.setdefault(file, set()).add(digest)
    wrong = [f"{file} depends on the order" for file, each in found.items() if len(each) > 1]
    wrong += ["errors depend on the order"] if len(codes) > 1 else []
    return field.judged(name, outcome, wrong[:2])


# -- guests of a preview: what they may not see, and that they hold up nobody

FORBIDDEN = (
    "past/loot/card-1?at=HEAD", "made/x/sheets.pdf", "view/", "open", "seeing", "sheets/make",
    "../game.yaml", "%2e%2e/game.yaml", "page/../../../game.yaml", "font/../../game.yaml",
    "events/..", "picture/../view/1", "book/page/..%2f..%2fgame.yaml/9", "next", "launch/x",
    "//view",
)  # fmt: skip
SLOW = "where?expression=" + "range(100000)|sort|list|length+" * 9 + "1"


def guests(field: Field) -> Faults:
    """Each of them asked for in every way, and the owner's answers while guests ask for much."""
    yield "of-a-preview", partial(_guests, field)


def _guests(field: Field, name: str) -> Trial:
    field.set_up(field.built)
    wrong: list[str] = []
    line = field.line("preview", "--lan", "--no-browser")
    with begun(line, field.temporary, field.environment) as (process, scratch):
        found: list[str] = []
        while process.poll() is None and len(found) < 2:
            time.sleep(0.1)
            found = re.findall(r"http\S+(?=\n)", said(scratch)[0])
        if len(found) < 2:
            return Trial(name, (), "not tried: this machine is in no private network")
        own, room = map(urlsplit, found)

        def ask(address: SplitResult, path: str, method: str = "GET") -> int:
            connection = HTTPConnection(address.netloc, timeout=60)
            connection.request(
                method, f"{address.path}{path}", headers={"Origin": f"http://{address.netloc}"}
            )
            return connection.getresponse().status

        asked = {
            (path, method): ask(room, path, method)
            for path in FORBIDDEN
            for method in ("GET", "POST", "PUT")
        }
        wrong += [
            f"{method} {path}: {status}"
            for (path, method), status in asked.items()
            if status not in range(300, 500)
        ]
        wrong += [] if ask(room, "") == 200 == ask(own, "view") else ["the page is refused"]
        with ThreadPoolExecutor(30) as pool:
            waiting = [pool.submit(ask, room, SLOW) for _ in range(30)]
            started = time.monotonic()
            wrong += (
                [] if ask(own, "view") == ask(own, "card/loot/card-1") == 200 else ["no answer"]
            )
            if not any(each.done() is False for each in waiting):
                wrong.append("the guests asked for nothing slow")
            if time.monotonic() - started > 10:
                wrong.append("guests hold up the owner")
            process.kill()
    return Trial(name, wrong[:3])


# -- a clock that is set back or forward: nothing may hang on times alone

TIMES = {"past": 86_400.0, "future": 4_102_444_800.0, "zero": 0.0, "as-before": -1.0}


def clock(field: Field) -> Faults:
    """Everything that was built is of another time than what is edited now."""
    for build in ("past", "future"):
        for edit in TIMES:
            yield f"built-in-the-{build}-edited-{edit}", partial(_clock, field, build, edit)


def _clock(field: Field, build: str, edit: str, name: str) -> Trial:
    new = field.built_anew
    field.set_up(field.built)
    for path in field.game.rglob("*"):
        os.utime(path, (TIMES[build], TIMES[build]))
    field.edit()
    when = TIMES[build if edit == "as-before" else edit]
    os.utime(field.game / EDITED, (when, when))
    outcome = field.run()
    return replace(field.judged(name, outcome, field.differs(new), (0,)), told="")


# -- builds at once, and inputs that change while a build is at work

PAIRS: dict[str, list[tuple[str, ...]]] = {
    "two-builds": [EVERYTHING] * 2,
    "three-builds": [EVERYTHING] * 3,
    "build-and-check": [EVERYTHING, ("check",)],
    "build-and-fresh": [EVERYTHING, (*EVERYTHING, "--fresh")],
    "two-fresh": [(*EVERYTHING, "--fresh")] * 2,
    "sheets-and-images": [("build", "sheets"), ("build", "images")],
    "build-and-clean": [EVERYTHING, ("clean",)],
}
CHANGES = {
    "deck": (EDITED, BEFORE, AFTER), "template": ("templates/loot.html", "6-9", "7-9"),
    "style": ("templates/loot.css", "32mm", "31mm"), "art": ("art/house.svg", "b8392a", "3a39b8"),
    "icon": ("art/icons/coin.svg", 'r="9"', 'r="7"'), "book": ("rulebook/en.md", "Take", "Give"),
    "game": ("game.yaml", "Small", "Other"),
}  # fmt: skip


def together(field: Field) -> Faults:
    """Two or three commands at once; then each input changed at moments of chance."""
    for label, commands in PAIRS.items():
        for start in ("cold", "edited"):
            yield f"{label}-{start}", partial(_at_once, field, commands, start)
    for label in CHANGES:
        for turn in range(3):
            yield f"changing-{label}-{turn}", partial(_changing, field, label, turn)


def _at_once(field: Field, commands: list[tuple[str, ...]], start: str, name: str) -> Trial:
    new = field.built_anew
    field.set_up(field.built, edited=True)
    if start == "cold":
        field.run("clean")
    with ThreadPoolExecutor(len(commands)) as pool:
        outcomes = list(pool.map(lambda words: field.run(*words), commands))
    wrong = [each for outcome in outcomes for each in field.judged(name, outcome).wrong]
    if ("clean",) not in commands and any(outcome.code for outcome in outcomes):
        wrong.append("one of them failed")
    after = field.run()
    told = next((o.err.splitlines()[-1] for o in outcomes if o.code and o.err), "")
    return replace(field.judged(name, after, [*wrong, *field.differs(new)], (0,)), told=told)


@contextmanager
def _changed(target: Path, one: str, other: str, turn: int) -> Iterator[None]:
    """A file that is now one thing and now the other, at moments of chance."""
    over, rng = threading.Event(), Random(f"{target.name} {turn}")

    def change() -> None:
        while not over.wait(rng.random() * 0.6):
            if turn == 2:  # taken away for a moment, as some editors save
                target.unlink(missing_ok=True)
                time.sleep(rng.random() * 0.2)
            target.write_text(rng.choice((one, other)))

    thread = threading.Thread(target=change)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        target.write_text(other)


def _without_game(outcome: Outcome) -> bool:
    """Whether a command found no game.yaml, which was taken away for a moment."""
    return outcome.code == 2 and "it has no game.yaml" in outcome.err


def _changing(field: Field, label: str, turn: int, name: str) -> Trial:
    """A build while the file changes: what is then made of the one and of the other state must be
    what clean builds make, for nothing may be kept under a name that is not its own."""
    file, old, new = CHANGES[label]
    field.set_up(field.built)
    field.run("clean")
    target = field.game / file
    one = target.read_text()
    assert old in one, file
    with _changed(target, one, one.replace(old, new), turn):
        outcomes = [field.run() for _ in range(2)]
    # The other state, made here with what the builds before left; then the first again.
    outcomes.append(field.run())
    target.write_text(one)
    after = field.run()
    wrong = [f"exit {o.code}" for o in outcomes if o.code not in (0, 1) and not _without_game(o)]
    wrong += ["a traceback" for outcome in outcomes if "Traceback" in outcome.err]
    wrong += ["the state that is left is not built"] if outcomes[-1].code else []
    found = field.judged(name, after, [*wrong, *field.differs(field.built)], (0,))
    told = next((o.err.splitlines()[0] for o in outcomes if o.code and o.err), found.told)
    return replace(found, told=told)


PARTS = {
    "room": room, "rights": rights, "spoilt": spoilt, "together": together, "clock": clock,
    "order": order, "guests": guests,
}  # fmt: skip
EVERY = {"room": 6, "rights": 4, "spoilt": 9, "together": 12, "clock": 4, "order": 3, "guests": 1}
"""In short only every so manieth is tried."""


def trials(given: Namespace) -> Iterator[Trial]:
    """Every fault of those names, or whose names begin so; all without a name."""
    wanted = tuple(given.names)
    game = {**SHARED, EDITED: deck(5).replace("40 x 40", "poker")}
    with tempfile.TemporaryDirectory(prefix="trial-faults-") as scratch:
        for part, faults in PARTS.items():
            if wanted and not part.startswith(tuple(name.partition("/")[0] for name in wanted)):
                continue
            found = [*faults(Field(Path(scratch) / part, game, EVERYTHING))]
            for label, carry_out in found[:: EVERY[part] if given.short else 1]:
                name = f"{part}/{label}"
                if not wanted or name.startswith(wanted):
                    yield carry_out(name)
