"""Ports and tokens of previews, the same every time a game is previewed.

They are derived from a secret in the user's settings folder and from the path of the game. Nothing
is stored in the game's folder, which may be shared or come from somebody else.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import ipaddress
import os
import secrets
import socket
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from cardgen.runtime import game_files, safe_files

LOOPBACK = "127.0.0.1"
SECRET_FILE = "preview.secret"
SECRET_BYTES = 32
FIRST_PORT, PORT_COUNT = 20_000, 10_000
"""Ports below the ranges that operating systems assign by themselves."""
PORTS_PER_GAME = 6
"""Number of ports tried for a game, so that several previews of it can run."""
DOCUMENTATION_ADDRESS = "192.0.2.1", 9
"""An address reserved for documentation (RFC 5737); nothing is sent to it."""


NO_NETWORK = "this machine is not in a network; join one, and start the preview again"


class NoNetworkError(Exception):
    """The machine has no address in a private network; the message says why."""


def load_secret(folder: Path) -> bytes:
    """Return the user's secret; create it when there is none.

    When it cannot be stored, a new one is used every time.
    """
    path = folder / SECRET_FILE
    with suppress(game_files.UnreadableError):
        data = game_files.read_file(path, SECRET_BYTES + 1, follow=False)
        if len(data) == SECRET_BYTES and _is_private(path):
            return data
    made = secrets.token_bytes(SECRET_BYTES)
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        safe_files.replace_file(path, made, mode=0o600)
    return made


def _is_private(path: Path) -> bool:
    """Tell whether the file belongs to the user and no other user can read it."""
    if os.name == "nt":
        return True
    found = game_files.stat_file(path, follow=False)
    return found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & 0o077


def list_ports(secret: bytes, game_key: str) -> Iterator[int]:
    """Yield the ports to try for a game, and finally 0 for any free port."""
    for number in range(PORTS_PER_GAME):
        digest = _digest_parts(secret, f"port {number}", game_key)
        yield FIRST_PORT + int.from_bytes(digest[:4]) % PORT_COUNT
    yield 0


def make_token(secret: bytes, game_key: str, port: int) -> str:
    """Return the token in the path of all URLs at a port: 128 bits that nobody can guess."""
    digest = _digest_parts(secret, f"token {port}", game_key)
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


def _digest_parts(secret: bytes, *parts: str) -> bytes:
    message = "\0".join(parts).encode(errors="surrogateescape")
    return hmac.new(secret, message, hashlib.sha256).digest()


def find_lan_address() -> str:
    """Return the machine's address in the local network. Raises `NoNetworkError`."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(DOCUMENTATION_ADDRESS)
        except OSError:
            raise NoNetworkError(NO_NETWORK) from None
        found: str = probe.getsockname()[0]
    address = ipaddress.ip_address(found)
    if address.is_loopback or address.is_unspecified:
        raise NoNetworkError(NO_NETWORK)
    if address.is_global:
        message = f"{found} can be reached from the whole internet; --lan is for private networks"
        raise NoNetworkError(message)
    return found
