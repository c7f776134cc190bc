"""Files of a game folder, and of nowhere else: a game may come from a stranger."""

from __future__ import annotations

from pathlib import Path

MAX_TEXT_BYTES = 4_000_000


def inside(root: Path, relative: str) -> Path | None:
    """The file of that name in the folder, or None when the name or a link leads out of it."""
    if "\0" in relative:
        return None
    base = root.resolve()
    path = (base / relative).resolve()
    return path if path.is_relative_to(base) else None


def read_text(root: Path, relative: str) -> tuple[str, str]:
    """The text of a file of the folder, and why it could not be read ("" when it could)."""
    path = inside(root, relative)
    if path is None:
        return "", "leads out of the game folder"
    try:
        if path.stat().st_size > MAX_TEXT_BYTES:
            return "", f"is larger than {MAX_TEXT_BYTES // 1_000_000} MB"
        return path.read_text(encoding="utf-8"), ""
    except FileNotFoundError:
        return "", "is missing"
    except UnicodeDecodeError:
        return "", "is not UTF-8 text"
    except OSError as error:
        return "", f"cannot be read: {error.strerror}"
