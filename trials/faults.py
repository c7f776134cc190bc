"""Faults of the machine: no room, no rights, a store gone bad, two builds at once, clocks, changes.

Right is, whatever happens: exit code 0 or 1 and no traceback; every file that is there afterwards
is the last good one or the new one, whole; and the next build that nothing hinders makes what a
clean one makes, to the byte.
"""

from __future__ import annotations

import os
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
from pathlib import Path
from random import Random

from trials.field import AFTER, BEFORE, EDITED, SHARED, Field, deck
from trials.running import Outcome, Trial

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
    elif way == "a-link-to-nowhere":
        path.symlink_to("nowhere")


WAYS = ("cut-short", "emptied", "a-bit-flipped", "deleted", "a-folder-in-its-place", "other-words",
        "a-link-to-nowhere")  # fmt: skip


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
    for group, files in groups.items():
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


PARTS = {"room": room, "rights": rights, "spoilt": spoilt, "together": together, "clock": clock}
EVERY = {"room": 6, "rights": 4, "spoilt": 9, "together": 12, "clock": 4}
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
