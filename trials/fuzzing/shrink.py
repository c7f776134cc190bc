"""What a find comes down to: the fewest files, lines and signs that still fail in the same way."""

from __future__ import annotations

import base64
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from trials.attack import FONT
from trials.fuzzing.cases import Case

FOUND = Path(__file__).parent.parent / "found"
PATIENCE = 90.0
"""So long a find is made smaller, in seconds."""
_FONTS = (".ttf", ".otf", ".woff2", ".woff")
_BARE = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".tiff")


def smaller(case: Case, is_wrong: Callable[[Case], bool]) -> Case:
    """The case with all left out that its failure does not need."""
    until = time.monotonic() + PATIENCE

    def fails(files: dict[str, bytes]) -> bool:
        if time.monotonic() > until:
            return False
        return is_wrong(replace(case, files=files))

    files = dict(case.files)
    for name in sorted(files, key=lambda name: name in case.changed):
        less = {key: data for key, data in files.items() if key != name}
        if fails(less):
            files = less
    for name in [*case.changed, *(name for name in files if name not in case.changed)]:
        if name in files and not name.endswith(_FONTS):
            files[name] = _less(files[name], lambda data, name=name: fails({**files, name: data}))  # type: ignore[misc]
    return replace(case, files=files)


def _less(data: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """The data with lines, then pieces of lines left out, as long as it still fails."""
    for pattern in (rb"[^\n]*\n|[^\n]+", rb"[\w-]+|\s+|[^\w\s]"):
        parts = re.findall(pattern, data)
        if len(parts) > 4000:
            continue
        parts = _dropped(parts, lambda some: fails(b"".join(some)))
        data = b"".join(parts)
    return data


def _dropped(parts: list[bytes], fails: Callable[[Sequence[bytes]], bool]) -> list[bytes]:
    """Delta debugging: ever smaller runs of parts are left out."""
    size = max(1, len(parts) // 2)
    while parts:
        at = 0
        while at < len(parts):
            less = parts[:at] + parts[at + size :]
            if fails(less):
                parts = less
            else:
                at += size
        if size == 1:
            break
        size //= 2
    return parts


# Folders that git is told to pass over.
_IGNORED = re.compile(r"(?<![^/])(?:node_modules|build|\.venv|__pycache__)(?=/)")


def saved(case: Case, wrong: str, folder: Path = FOUND) -> Path:
    """Write a find into the corpus: its files, its command, and how it failed."""
    words = re.sub(r"[^a-z0-9]+", "-", wrong.lower()).strip("-")[:70]
    kind = case.name.partition(" ")[0]
    target = folder / f"{kind}-{words}"
    number = 1
    while target.exists():
        number += 1
        target = folder / f"{kind}-{words}-{number}"
    target.mkdir(parents=True)
    for name, data in case.files.items():
        bare = name.endswith((*_FONTS, *_BARE)) or _is_binary(data)
        kept, content = name, data
        if shared := _shared(data):
            kept, content = f"{name}.font", shared.encode()
        elif bare:
            kept, content = f"{name}.base64", base64.encodebytes(data)
        path = target / "game" / _IGNORED.sub(r"\g<0>.folder", kept)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (target / "command.txt").write_text(" ".join(case.command) + "\n", encoding="utf-8")
    (target / "failure.txt").write_text(wrong + "\n", encoding="utf-8")
    return target


@cache
def _fonts() -> dict[bytes, str]:
    return {path.read_bytes(): path.name for path in FONT.glob("*-latin-?00-normal.woff2")}


def _shared(data: bytes) -> str:
    """Which of the repository's fonts that is; "" when it is none."""
    return _fonts().get(data, "")


def _is_binary(data: bytes) -> bool:
    try:
        return "\0" in data.decode("utf-8") or "\r" in data.decode("utf-8")
    except UnicodeDecodeError:
        return True


def restored(folder: Path) -> Case:
    """A find of the corpus as a case."""
    files = {}
    for path in sorted((folder / "game").rglob("*")):
        if path.is_file():
            name, data = path.relative_to(folder / "game").as_posix(), path.read_bytes()
            name = name.replace(".folder/", "/")
            if path.suffix == ".font":
                files[name.removesuffix(".font")] = (FONT / data.decode()).read_bytes()
            elif path.suffix == ".base64":
                files[name.removesuffix(".base64")] = base64.decodebytes(data)
            else:
                files[name] = data
    command = tuple((folder / "command.txt").read_text(encoding="utf-8").split())
    return Case(folder.name, files, command, ())


def told(code: int, said: str, game: Path) -> str:
    """How a find ended, as its expected.txt has it: less what differs from run to run."""
    lines = said.replace(str(game), "GAME").splitlines()
    lines = [re.sub(r"^done in .*", "done", line) for line in lines]
    lines = [re.sub(r"\b\d+(\.\d+)? (kB|MB)", "some kB", line) for line in lines]
    return "\n".join([f"exit {code}", *lines]) + "\n"
