"""A command whose game, files and cardgen are all as they were: what it would tell is told at once.

After a command that went well, what it looked at and what it made is kept in the store with the
lines that it would print if it were run once more. `told` is asked before anything else is loaded.
It compares times and numbers of files, and opens none but that entry; in any doubt it says nothing,
and the command goes its way. A game cannot come with such an entry: it names the moments at which
the files got where they are on this machine.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from cardgen.base import filing, guard, noted, paths, store
from cardgen.base.guard import Stopped
from cardgen.base.noted import Notes, Stamp
from cardgen.base.standing import Standing
from cardgen.base.store import Damaged, Store, digest_of
from cardgen.cli.saying import Lines, say
from cardgen.game import folder

DONE = "done in {:.1f} s"
_BUILD, _LOCK = "build", "build/.cardgen.lock"
_KIND = "unchanged"
_COMMANDS = ("build", "check")
_PACKAGE = Path(__file__).parents[1]
_MOST = 60
"""So many such entries are kept, a kind of command each."""
_MOST_BYTES = 32_000_000
_VARIABLES = "CARDGEN_"


def told(arguments: list[str]) -> int | None:
    """Tell what the command would, if nothing changed since it told that; its exit code. None when
    it must be run."""
    started = time.perf_counter()
    if not arguments or arguments[0] not in _COMMANDS:
        return None
    try:
        with guard.at("what was told before"):
            found = next(filter(None, (_kept(root, arguments) for root in _roots(arguments))), None)
    except (Stopped, OSError):
        return None
    if found is None:
        return None
    lines, code, timed = found
    for err, line in lines:
        say(line, err=err)
    if timed:
        say(DONE.format(time.perf_counter() - started))
    return code


def keep(
    notes: Notes | None, made: Mapping[str, str] | None, lines: Lines, code: int,
    beside: Mapping[str, Stamp],
) -> None:  # fmt: skip
    """Keep what a command told, with all that it hangs on: its notes, and how the folders stood in
    which lies what it made or left alone, by their paths in the build folder, when it was done;
    None of one that makes nothing. `beside` are files of the user's own, by their whole paths."""
    made, timed = made or {}, made is not None
    if notes is None or not notes.whole or notes.fresh() or not all(made.values()):
        return
    kept = {"seen": notes.seen, "made": made, "lines": lines, "code": code, "timed": timed,
            "beside": beside}  # fmt: skip
    entries = Store(notes.root / store.FOLDER)
    # Who forgets what was made before would not do so again.
    arguments = [word for word in sys.argv[1:] if word != "--fresh"]
    path = entries.path(_KIND, _name(notes.root, arguments))
    with suppress(OSError):  # then it goes its way the next time, too
        entries.write_json(path, kept)
        entries.sweep(_KIND, [path.name], _MOST)


def _roots(arguments: list[str]) -> Iterator[Path]:
    """The games that may be meant. Which it is, the entry knows: it was made by a command of the
    same words in the same folder."""
    for word in arguments[1:]:
        meant = folder.named(Path(word))
        if not word.startswith("-") and paths.there(meant, folder.FILE):
            yield meant.resolve()
    if (found := folder.find(Path.cwd())) is not None:
        yield found


def _name(root: Path, arguments: list[str]) -> str:
    """The entry of a command: of its words, where it is run, and by which cardgen."""
    variables = [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith(_VARIABLES)]
    around = [str(root), str(Path.cwd()), *variables, "", *arguments, "", *_engine()]
    return digest_of(part.encode(errors="surrogateescape") for part in around) + ".json"


def _engine() -> Iterator[str]:
    """What changes with cardgen, its libraries and its Python."""
    yield f"{sys.version} {sys.executable}"
    for place in sys.path:
        if place and Path(place).is_absolute():
            yield f"{place} {noted.stamp(place)}"  # a package comes and goes with a folder there
    for name in paths.listing(_PACKAGE.parent, _PACKAGE.name).files:
        if not name.endswith(".pyc"):
            yield f"{name} {noted.stamp(_PACKAGE.parent / name)}"


def _kept(root: Path, arguments: list[str]) -> tuple[Lines, int, bool] | None:
    """What was told, its exit code, and whether a time was told, too; None when all is not as it
    was."""
    name = f"{store.FOLDER}/{_KIND}/{_name(root, arguments)}"
    if paths.there(root, _LOCK):
        return None
    try:
        data = filing.read(root, name, _MOST_BYTES)
        kept = json.loads(store.unsealed(root / name, data))
        seen, made = kept["seen"], kept["made"]
        same = _are(root, seen) and _stand(root / _BUILD, made) and _beside(kept["beside"])
        lines = [(bool(err), str(line)) for err, line in kept["lines"]]
        return (lines, int(kept["code"]), bool(kept["timed"])) if same else None
    except (paths.Unreadable, Damaged, ValueError, RecursionError, TypeError, LookupError):
        return None
    except AttributeError:  # it is no such thing at all
        return None


def _are(root: Path, seen: Mapping[str, Any]) -> bool:
    base = f"{root}{os.sep}"
    return bool(seen) and all(
        _is_below(name) and list(noted.stamp(base + name)) == stamp for name, stamp in seen.items()
    )


def _beside(files: Mapping[str, Any]) -> bool:
    """Whether files of the user's own stand as they did, or are as missing."""
    return all(list(noted.stamp(path)) == stamp for path, stamp in files.items())


def _stand(build: Path, made: Mapping[str, Any]) -> bool:
    """Whether files and folders stand in the build folder as they did, with no link on the way."""
    now = Standing(build)
    return noted.is_folder(build) and all(
        _is_below(name) and now.look(name) == stood for name, stood in made.items()
    )


def _is_below(name: str) -> bool:
    return ".." not in name.replace(os.sep, "/").split("/")
