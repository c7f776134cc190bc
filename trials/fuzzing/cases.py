"""A case of the fuzzer: a seed with a file or two mutated, and the command that it is put to."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase as fnmatch
from functools import cache
from pathlib import Path
from random import Random

from trials.fuzzing import pools
from trials.fuzzing.fontmutations import of_font
from trials.fuzzing.mutations import of_bytes, of_text
from trials.fuzzing.seeds import Seed, all_seeds

KINDS = {
    "rules": (8, "yaml", "cards/rules.yaml"), "deck": (14, "yaml", "cards/*.yaml"),
    "game": (7, "yaml", "game.yaml"), "table": (5, "yaml", "table.yaml"),
    "fonts": (4, "yaml", "fonts/fonts.yaml"), "csv": (5, "csv", "cards/*.csv"),
    "html": (14, "html", "templates/*.html"), "css": (16, "css", "templates/*.css"),
    "drawing": (3, "html", "templates/*.svg"), "icon": (7, "svg", "art/icons/*.svg"),
    "svg": (8, "svg", "art/*.svg"), "book": (10, "md", "rulebook/*.md"),
    "bookcss": (5, "css", "rulebook/book.css"), "save": (4, "json", "save.json"),
    "hyphens": (3, "js", "fonts/*.js"), "font": (5, "", "fonts/*.woff2"),
    "picture": (2, "", "art/*.[pj][np]g"), "names": (2, "", ""), "bytes": (4, "", ""),
}  # fmt: skip
"""What is mutated: how often of a hundred or so, its language, and the files that are of it."""
BOOK = ("build", "@GAME@", "rulebook", "--edition", "player", "--book-size", "a5")
BUILDS = (
    ("build", "@GAME@", "sheets", "images"),
    ("build", "@GAME@", "tts"),
    ("build", "@GAME@", "contact", "--paper", "letter"),
    ("build", "@GAME@", "sheets", "--mix", "--cut", "dxf,svg", "--low-ink"),
    ("build", "@GAME@", "mpc", "tgc", "card-pdfs"),
    ("build", "@GAME@", "playingcards", "tabletop-playground", "folder"),
    ("list", "@GAME@"),
    ("list", "@GAME@", "--json"),
    ("check", "@GAME@", "--problems", "sarif"),
)


@dataclass(frozen=True)
class Case:
    """A game and a command. `changed` are the files that differ from the seed's."""

    name: str
    files: Mapping[str, bytes]
    command: tuple[str, ...]
    changed: tuple[str, ...]

    def write(self, folder: Path) -> None:
        """Write the game into a folder."""
        for name, data in self.files.items():
            path = os.path.join(os.fsencode(folder), os.fsencode(name))  # noqa: PTH118
            os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120
            with open(path, "wb") as file:  # noqa: PTH123 - the name may be no text
                file.write(data)


def kind_of(name: str) -> str:
    """What a file of a game is; nothing when it is not mutated by kind."""
    return next((kind for kind, (*_, files) in KINDS.items() if fnmatch(name, files)), "")


@cache
def _by_kind() -> Mapping[str, tuple[tuple[Seed, tuple[str, ...]], ...]]:
    """Kind → the seeds that have files of it, and those files."""
    found: dict[str, list[tuple[Seed, tuple[str, ...]]]] = {kind: [] for kind in KINDS}
    for seed in all_seeds():
        files: dict[str, list[str]] = {}
        for name in seed.files:
            files.setdefault(kind_of(name), []).append(name)
        files["names"] = files["bytes"] = list(seed.files)
        if "book" in files and "bookcss" not in files:
            files["bookcss"] = ["rulebook/book.css"]
        for kind in KINDS:
            if kind in files:
                found[kind].append((seed, tuple(files[kind])))
    return {kind: tuple(seeds) for kind, seeds in found.items()}


def made(seed: str, number: int, kinds: tuple[str, ...] = ()) -> Case:
    """The case of that number, the same for the same seed of chance and the same kinds."""
    rng = Random(f"{seed}:{number}")
    asked = [kind for kind in (kinds or tuple(KINDS)) if _by_kind()[kind]]
    kind = rng.choices(asked, [KINDS[name][0] for name in asked])[0]
    seeds = _by_kind()[kind]
    # Games of the tests and of the documentation are small; those of the games cost more.
    some = [pair for pair in seeds if "/cards/" not in pair[0].name]
    base, names = rng.choice(some if some and rng.random() < 0.75 else seeds)
    files = dict(base.files)
    changed = []
    for _ in range(rng.choice((1, 1, 1, 2))):
        name = rng.choice(names)
        changed.append(_mutate(files, kind, name, rng))
    return Case(f"{kind} of {base.name}", files, _command(kind, files, rng), tuple(changed))


def _mutate(files: dict[str, bytes], kind: str, name: str, rng: Random) -> str:
    data = files.get(name, b"p { color: red }\n")
    if kind == "names":
        return _rename(files, name, rng)
    if kind in ("bytes", "picture"):
        files[name] = of_bytes(data, rng)
    elif kind == "font":
        files[name.replace(".woff2", ".ttf")] = of_font(data, rng)
        files.pop(name, None)
        return name.replace(".woff2", ".ttf")
    else:
        seed, names = rng.choice(_by_kind()[kind])
        others = [seed.files[other] for other in names[:1] if other in seed.files]
        files[name] = of_text(KINDS[kind][1], data, rng, others)
        if rng.random() < 0.05:
            files[name] = of_bytes(files[name], rng)
    return name


def _rename(files: dict[str, bytes], name: str, rng: Random) -> str:
    if name not in files:  # it has another name already
        return name
    folder, slash, rest = name.rpartition("/")
    end = rest.rpartition(".")[2]
    odd = pools.word(rng).replace("/", "-").replace("\0", "-")[:200] or "x"
    new = f"{folder}{slash}{odd}.{end}"
    if rng.random() < 0.3:
        new = f"{name}/{rest}"
    data = files.pop(name) if new.startswith(f"{name}/") or rng.random() < 0.5 else files[name]
    clash = any(other.startswith(f"{new}/") or new.startswith(f"{other}/") for other in files)
    files[name if clash else new] = data
    return name if clash else new


def _command(kind: str, files: Mapping[str, bytes], rng: Random) -> tuple[str, ...]:
    if kind == "save":
        return ("check-tts", "@GAME@/save.json")
    if kind in ("book", "bookcss") and rng.random() < 0.6:
        return BOOK
    if kind == "table" and rng.random() < 0.3:
        return ("build", "@GAME@", "tts")
    if rng.random() < 0.12:
        return rng.choice(BUILDS)
    return ("check", "@GAME@")
