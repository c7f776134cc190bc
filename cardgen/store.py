"""What was made before, by the hash of what it was made from. It lies in build/.store.

Writes go to a file beside and are renamed, so that a killed build leaves nothing half written,
and two builds at once do not spoil each other's work.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any


class Store:
    """A folder of made things, by kind and name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, kind: str, name: str) -> Path:
        """Where a thing of that kind lies, whether it exists or not."""
        return self.folder / kind / name

    def write(self, path: Path, data: bytes) -> None:
        """Put a file in its place whole."""
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        beside.write_bytes(data)
        beside.replace(path)

    def read_json(self, path: Path) -> Any:
        """The JSON of a file; None when it is missing or broken."""
        try:
            return json.loads(path.read_bytes())
        except (OSError, ValueError):
            return None

    def write_json(self, path: Path, value: Any) -> None:
        """Put JSON in its place, the same bytes for the same value."""
        text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        self.write(path, text.encode())

    def sweep(self, kind: str, keep: Iterable[str], limit: int) -> None:
        """Drop what nothing uses any more, once a kind holds more than `limit` files."""
        folder = self.folder / kind
        files = list(folder.iterdir()) if folder.is_dir() else []
        wanted = set(keep)
        if len(files) <= limit:
            return
        for path in files:
            if path.name not in wanted:
                path.unlink(missing_ok=True)

    def clear(self) -> None:
        """Forget everything."""
        shutil.rmtree(self.folder, ignore_errors=True)


def digest_of(parts: Iterable[str | bytes]) -> str:
    """The hash (hex) of a sequence of texts and bytes; their borders count."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big"))
        total.update(data)
    return total.hexdigest()[:40]
