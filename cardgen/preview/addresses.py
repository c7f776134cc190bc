"""Where a preview is found: the port and the secret word of its address, the same every time.

Both are reckoned from a secret of the user's, which lies in the user's own folder, readable by
nobody else, and from the game's place. So nothing of it lies in a game's folder, which may be given
away, or have come from a stranger who knows what is in it.
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
"""Ports that systems give to nobody by themselves."""
PORTS_PER_GAME = 6
"""So many previews of one game may stand beside each other, each with a port of its own."""
DOCUMENTATION_ADDRESS = "192.0.2.1", 9
"""An address of a documentation's: nothing is sent there."""


class NoNetworkError(Exception):
    """The machine has no address in a room's network; the message says why."""


def load_secret(folder: Path) -> bytes:
    """The user's secret, made where there is none; where it cannot be kept, one for this time."""
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
    """Whether it is the user's own, and no other user of the machine can read it."""
    if os.name == "nt":
        return True
    found = game_files.stat_file(path, follow=False)
    return found.st_uid == os.getuid() and not stat.S_IMODE(found.st_mode) & 0o077


def list_ports(secret: bytes, place: str) -> Iterator[int]:
    """The ports to try for a game's preview, in their order; at last any that is free, 0."""
    for number in range(PORTS_PER_GAME):
        yield (
            FIRST_PORT
            + int.from_bytes(_digest_parts(secret, f"port {number}", place)[:4]) % PORT_COUNT
        )
    yield 0


def make_token(secret: bytes, place: str, port: int) -> str:
    """What stands first in every path at a port: 128 bits that nobody can guess."""
    return base64.urlsafe_b64encode(_digest_parts(secret, f"token {port}", place)[:16]).decode()[
        :22
    ]


def _digest_parts(secret: bytes, *parts: str) -> bytes:
    told = "\0".join(parts).encode(errors="surrogateescape")
    return hmac.new(secret, told, hashlib.sha256).digest()


def find_lan_address() -> str:
    """The machine's address in the network of the room. Raises `NoNetwork`."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(DOCUMENTATION_ADDRESS)
        except OSError:
            raise NoNetworkError(
                "this machine is in no network; join one, and start it again"
            ) from None
        found: str = asking.getsockname()[0]
    address = ipaddress.ip_address(found)
    if address.is_loopback or address.is_unspecified:
        raise NoNetworkError("this machine is in no network; join one, and start it again")
    if address.is_global:
        message = f"{found} can be reached from the whole internet; --lan is for a room's network"
        raise NoNetworkError(message)
    return found
