"""Replay of the previous output of a command whose inputs and outputs have not changed.

After a command that went well, the files it read and made are kept in the store with their stamps
and the lines it would print again. `replay_output` compares stamps before anything else is
imported, and reads no other file. In any doubt the command runs. A game cannot bring such an entry
along: it names the times at which files came to be on this machine.
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

from cardgen.cli.terminal import CapturedLines, print_lines
from cardgen.core import work_limits
from cardgen.core.work_limits import LimitExceededError
from cardgen.game import game_folder
from cardgen.runtime import content_store, fingerprint, game_files, safe_files
from cardgen.runtime.content_store import DamagedEntryError, Store, digest_parts
from cardgen.runtime.fingerprint import FileTrace, FolderScan, Stamp

DONE_MESSAGE = "done in {:.1f} s"
_BUILD_FOLDER, _LOCK_FILE = "build", "build/.cardgen.lock"
_STORE_KIND = "unchanged"
_REPLAYED_COMMANDS = ("build", "check", "list", "stats", "which")
_PACKAGE_FOLDER = Path(__file__).parents[1]
_MAX_ENTRIES = 60
"""Number of such entries that are kept, one for each command line."""
_MAX_ENTRY_BYTES = 32_000_000
_VARIABLE_PREFIX = "CARDGEN_"


def replay_output(arguments: list[str]) -> int | None:
    """Print what the command would, where nothing changed. Return its exit code, or None to
    run it.
    """
    started = time.perf_counter()
    if not arguments or arguments[0] not in _REPLAYED_COMMANDS:
        return None
    try:
        with work_limits.work_limit("what was told before"):
            found = next(
                filter(None, (_load_output(root, arguments) for root in _find_roots(arguments))),
                None,
            )
    except (LimitExceededError, OSError):
        return None
    if found is None:
        return None
    lines, code, timed = found
    for err, line in lines:
        print_lines(line, err=err)
    if timed:
        print_lines(DONE_MESSAGE.format(time.perf_counter() - started))
    return code


def save_output(
    notes: FileTrace | None, made: Mapping[str, str] | None, lines: CapturedLines, code: int,
    beside: Mapping[str, Stamp],
) -> None:  # fmt: skip
    """Save what a command prints, with all that decides it.

    `made` are fingerprints of folders below the build folder when the command was done; None for a
    command that makes nothing. `beside` are files of the user's own, by their whole paths.
    """
    made, timed = made or {}, made is not None
    if notes is None or not notes.complete or notes.is_racy() or not all(made.values()):
        return
    kept = {"seen": notes.stamps, "made": made, "lines": lines, "code": code, "timed": timed,
            "beside": beside}  # fmt: skip
    entries = Store(notes.root / content_store.STORE_FOLDER)
    # Who forgets what was made before would not do so again.
    arguments = [word for word in sys.argv[1:] if word != "--fresh"]
    with suppress(OSError):  # then it goes its way the next time, too
        # Made first: Python may import from the game's folder, whose stamp is part of the name.
        entries.make_scratch_folder()
        path = entries.get_path(_STORE_KIND, _get_entry_name(notes.root, arguments))
        entries.write_json(path, kept)
        entries.remove_unused(_STORE_KIND, [path.name], _MAX_ENTRIES)


def _find_roots(arguments: list[str]) -> Iterator[Path]:
    """Yield the games that may be meant. An entry of the same words in the same folder decides."""
    for word in arguments[1:]:
        meant = game_folder.resolve_game_folder(Path(word))
        if not word.startswith("-") and game_files.has_entry(meant, game_folder.GAME_FILE):
            yield meant.resolve()
    if (found := game_folder.find_game_folder(Path.cwd())) is not None:
        yield found


def _get_entry_name(root: Path, arguments: list[str]) -> str:
    """Return the name of a command's entry: its words, where it runs, and by which cardgen."""
    variables = [
        f"{k}={v}" for k, v in sorted(os.environ.items()) if k.startswith(_VARIABLE_PREFIX)
    ]
    around = [str(root), str(Path.cwd()), *variables, "", *arguments, "", *_fingerprint_engine()]
    return digest_parts(part.encode(errors="surrogateescape") for part in around) + ".json"


def _fingerprint_engine() -> Iterator[str]:
    """Yield what changes with cardgen, its libraries and Python."""
    yield f"{sys.version} {sys.executable}"
    for place in sys.path:
        if place and Path(place).is_absolute():
            # A package comes and goes with a folder there.
            yield f"{place} {fingerprint.stamp_path(place)}"
    for name in game_files.list_folder(_PACKAGE_FOLDER.parent, _PACKAGE_FOLDER.name).files:
        if not name.endswith(".pyc"):
            yield f"{name} {fingerprint.stamp_path(_PACKAGE_FOLDER.parent / name)}"


def _load_output(root: Path, arguments: list[str]) -> tuple[CapturedLines, int, bool] | None:
    """Return the lines, the exit code and whether a time is printed; None where anything
    changed.
    """
    name = f"{content_store.STORE_FOLDER}/{_STORE_KIND}/{_get_entry_name(root, arguments)}"
    if game_files.has_entry(root, _LOCK_FILE):
        return None
    try:
        data = safe_files.read_plain_file(root, name, _MAX_ENTRY_BYTES)
        kept = json.loads(content_store.unseal_data(root / name, data))
        seen, made = kept["seen"], kept["made"]
        same = (
            _match_sources(root, seen)
            and _match_outputs(root / _BUILD_FOLDER, made)
            and _match_config(kept["beside"])
        )
        lines = [(bool(err), str(line)) for err, line in kept["lines"]]
        return (lines, int(kept["code"]), bool(kept["timed"])) if same else None
    except (
        game_files.UnreadableError,
        DamagedEntryError,
        ValueError,
        RecursionError,
        TypeError,
        LookupError,
    ):
        return None
    except AttributeError:  # it is no such thing at all
        return None


def _match_sources(root: Path, seen: Mapping[str, Any]) -> bool:
    base = f"{root}{os.sep}"
    return bool(seen) and all(
        _is_below(name) and list(fingerprint.stamp_path(base + name)) == stamp
        for name, stamp in seen.items()
    )


def _match_config(files: Mapping[str, Any]) -> bool:
    """Return true where the user's own files are as they were, or still missing."""
    return all(list(fingerprint.stamp_path(path)) == stamp for path, stamp in files.items())


def _match_outputs(build: Path, made: Mapping[str, Any]) -> bool:
    """Return true where files and folders are as they were, with no link on the way."""
    now = FolderScan(build)
    return fingerprint.is_plain_folder(build) and all(
        _is_below(name) and now.get_fingerprint(name) == stood for name, stood in made.items()
    )


def _is_below(name: str) -> bool:
    return ".." not in name.replace(os.sep, "/").split("/")
