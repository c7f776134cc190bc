"""Builds at once, and inputs that change while a build is at work."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random

from trials.faulty.field import EVERYTHING, Field, Finding
from trials.running import Outcome

FILES = {
    "deck": "cards/loot.yaml", "template": "templates/loot.html", "style": "templates/loot.css",
    "art": "art/house.svg", "icon": "art/icons/coin.svg", "book": "rulebook/en.md",
    "game": "game.yaml",
}  # fmt: skip


def trials(field: Field) -> Iterator[Finding]:
    """Two or three commands at once; then each input changed at moments of chance."""
    build = EVERYTHING
    pairs: dict[str, list[tuple[str, ...]]] = {
        "two-builds": [build, build],
        "three-builds": [build, build, build],
        "build-and-check": [build, ("check",)],
        "build-and-fresh": [build, (*build, "--fresh")],
        "two-fresh": [(*build, "--fresh"), (*build, "--fresh")],
        "sheets-and-images": [("build", "sheets"), ("build", "images")],
        "build-and-clean": [build, ("clean",)],
    }
    for label, commands in list(pairs.items())[:: 3 if field.short else 1]:
        for start in ("cold", "edited"):
            name = f"together/{label}-{start}"
            if field.wants(name):
                yield _at_once(field, name, commands, start)
    for label, path in list(FILES.items())[:: 4 if field.short else 1]:
        for turn in range(1 if field.short else 3):
            name = f"together/changing-{label}-{turn}"
            if field.wants(name):
                yield _changing(field, name, path, turn)


def _at_once(field: Field, name: str, commands: list[tuple[str, ...]], start: str) -> Finding:
    old, new = field.built, field.built_anew
    field.set_up(old)
    field.edit()
    if start == "cold":
        field.command("clean").run()
    with ThreadPoolExecutor(len(commands)) as pool:
        outcomes = list(pool.map(lambda words: field.command(*words).run(), commands))
    wrong: list[str] = []
    for outcome in outcomes:
        wrong += field.judged(name, outcome).wrong
    cleaning = any(words[0] == "clean" for words in commands)
    if not cleaning and any(outcome.code for outcome in outcomes):
        wrong.append("one of them failed")
    after = field.command().run()
    wrong += field.differs(new)
    found = field.judged(name, after, wrong, (0,))
    return Finding(
        name, found.wrong, next((o.err.splitlines()[-1] for o in outcomes if o.code and o.err), "")
    )


@contextmanager
def _changed(field: Field, path: str, turn: int) -> Iterator[None]:
    """A file that is now one thing and now the other, at moments of chance."""
    target = field.game / path
    one = target.read_text()
    other = _other(path, one)
    over = threading.Event()
    rng = Random(f"{path} {turn}")

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


def _other(path: str, text: str) -> str:
    changes = {
        "cards/loot.yaml": ("Card 1", "Other"), "templates/loot.html": ("6-9", "7-9"),
        "templates/loot.css": ("32mm", "31mm"), "art/house.svg": ("b8392a", "3a39b8"),
        "art/icons/coin.svg": ('r="9"', 'r="7"'), "rulebook/en.md": ("Take", "Give"),
        "game.yaml": ("Small", "Other"),
    }  # fmt: skip
    old, new = changes[path]
    assert old in text, path
    return text.replace(old, new)


def _without_game(outcome: Outcome) -> bool:
    """Whether a command found no game.yaml, which was taken away for a moment."""
    return outcome.code == 2 and "it has no game.yaml" in outcome.err


def _changing(field: Field, name: str, path: str, turn: int) -> Finding:
    """A build while the file changes: what is then made of the one and of the other state must be
    what clean builds make, for nothing may be kept under a name that is not its own."""
    old = field.built
    field.set_up(old)
    field.command("clean").run()
    outcomes: list[Outcome] = []
    with _changed(field, path, turn):
        outcomes += [field.command().run() for _ in range(2)]
    # The other state, made here with what the builds before left; then the first again.
    outcomes.append(field.command().run())
    (field.game / path).write_text((old / path).read_text())
    after = field.command().run()
    wrong = [f"exit {o.code}" for o in outcomes if o.code not in (0, 1) and not _without_game(o)]
    wrong += ["a traceback" for outcome in outcomes if "Traceback" in outcome.err]
    wrong += ["the state that is left is not built"] if outcomes[-1].code else []
    found = field.judged(name, after, [*wrong, *field.differs(old)], (0,))
    told = next((o.err.splitlines()[0] for o in outcomes if o.code and o.err), found.told)
    return Finding(name, found.wrong, told)
