"""The user's settings folder and the secret in it, by which this machine knows its own work.

A game may come from a stranger, its build folder included. What a build keeps there is sealed with
a key that only this user has, and counts nowhere else.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
import stat
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from cardgen.runtime import fingerprint, game_files, safe_files

SECRET_FILE = "user.secret"
SECRET_BYTES = 32
FOLDER_VARIABLE = "CARDGEN_CONFIG"
_FOLDER_VARIABLES = (FOLDER_VARIABLE, "HOME", "XDG_CONFIG_HOME", "APPDATA", "USERPROFILE")
"""What decides where the settings folder is."""
_SECRET_VARIABLE = "CARDGEN_SECRET"
"""Passes a secret that cannot be stored to the processes that a command starts."""
_HEX_SECRET = re.compile(f"[0-9a-f]{{{2 * SECRET_BYTES}}}")


def get_config_folder() -> Path:
    """Return the user's settings folder, which need not exist.

    Variables without a whole path are ignored: the folder would be in the current one, which may be
    a game's. Without any there is no such folder, and nothing can be kept in it.
    """
    if named := _read_folder(FOLDER_VARIABLE):
        return named
    home = get_home_folder()
    if sys.platform == "win32":
        return (_read_folder("APPDATA") or home) / "cardgen"
    if sys.platform == "darwin":
        return home / "Library/Application Support/cardgen"
    return (_read_folder("XDG_CONFIG_HOME") or home / ".config") / "cardgen"


def get_home_folder() -> Path:
    """Return the user's home; one in which there is nothing for a user without one."""
    try:
        home = Path.home()
    except RuntimeError:
        home = Path()
    return home if home.is_absolute() else Path(os.devnull)


def _read_folder(variable: str) -> Path | None:
    path = Path(os.environ.get(variable, ""))
    return path if path.is_absolute() else None


def load_secret(folder: Path) -> bytes:
    """Return the user's secret; create it where there is none.

    Where it cannot be stored, it is a new one in every command.
    """
    path = folder / SECRET_FILE
    if (found := _read_secret(path)) is not None:
        return found
    made = secrets.token_bytes(SECRET_BYTES)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        _place_secret(path, made)
    if (found := _read_secret(path)) is not None:
        return found
    kept = os.environ.setdefault(_SECRET_VARIABLE, made.hex())
    return bytes.fromhex(kept) if _HEX_SECRET.fullmatch(kept) else made


def rotate_secret(path: Path) -> tuple[bytes, bytes]:
    """Return the secret that was stored for this time and a new one, which is stored for the next.

    Where it cannot be stored, the next time has another one.
    """
    found = _read_secret(path) or secrets.token_bytes(SECRET_BYTES)
    following = secrets.token_bytes(SECRET_BYTES)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        safe_files.replace_file(path, following, mode=0o600)
    return found, following


def is_secret_kept() -> bool:
    """Say if the next command will have the same secret."""
    return _read_secret(get_config_folder() / SECRET_FILE) is not None


def get_seal_key() -> bytes:
    """Return the key of the seals of this user's build folders."""
    return _recall_seal_key(*map(os.environ.get, _FOLDER_VARIABLES))


@lru_cache(maxsize=8)
def _recall_seal_key(*_variables: str | None) -> bytes:
    """Return the key for the values of the variables: the folder is not looked up for each seal."""
    return _derive_seal_key(get_config_folder())


@lru_cache(maxsize=8)
def _derive_seal_key(folder: Path) -> bytes:
    with fingerprint.pause_trace():  # it decides no output
        return hmac.digest(load_secret(folder), b"build folders", "sha256")


def _read_secret(path: Path) -> bytes | None:
    """Return the secret of a file that nobody but the user can read; None for none."""
    try:
        data = game_files.read_file(path, SECRET_BYTES + 1, follow=False)
        status = game_files.stat_file(path, follow=False)
    except game_files.UnreadableError:
        return None
    is_private = os.name == "nt" or (
        status.st_uid == os.getuid() and not stat.S_IMODE(status.st_mode) & 0o077
    )
    return data if len(data) == SECRET_BYTES and is_private else None


def _place_secret(path: Path, data: bytes) -> None:
    """Store a secret. Of several processes that do so at once, the first one wins."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    safe_files.write_new_file(beside, data, 0o600)
    try:
        if os.path.lexists(path) and _read_secret(path) is None:
            path.unlink()  # it is no secret, or others can read it
        with suppress(FileExistsError):
            os.link(beside, path)
    finally:
        beside.unlink()
