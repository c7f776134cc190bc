"""Ports and tokens of previews, and ASGI middleware that checks Host, Origin and token.

Any website that is open in the same browser can send requests to this machine. It cannot guess the
token in the path, and its Origin and Sec-Fetch-Site headers give it away. A website whose name
resolves to this machine (DNS rebinding) is refused by its Host header.

Ports and tokens are the same every time a game is previewed. They are derived from a secret in the
user's settings folder and from the path of the game. Nothing is stored in the game's folder, which
may be shared or come from somebody else.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import socket
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECURITY_HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
        "img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


@dataclass(frozen=True)
class AllowedHost:
    """A value of the Host header with its token, the first part of every path. Guests can read
    but not change anything."""

    host: str
    token: str
    is_guest: bool = False


GUEST_SCOPE_KEY = "cardgen.guests"
"""Key of the ASGI scope that is true for requests of guests."""
_GUEST_PATHS = frozenset(
    "book card events font inside page picture rules sheet sheets table view where".split()  # noqa: SIM905
)
"""What guests may ask for, by the part of the path after the token. All else is refused: earlier
states, files that were built, and whatever is added without a thought of guests."""
MAX_GUEST_REQUESTS = 2
"""Number of guests' requests that are answered at the same time."""


class AuthMiddleware:
    """Passes on the requests of the page itself, and refuses all others with 403."""

    def __init__(self, app: ASGIApp, hosts: Iterable[AllowedHost]) -> None:
        self._app = app
        self._hosts = {allowed.host: allowed for allowed in hosts}
        self._guest_slots = asyncio.Semaphore(MAX_GUEST_REQUESTS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        allowed, refusal = self._authorize(scope)
        if allowed is None or refusal:
            await PlainTextResponse(refusal, 403, SECURITY_HEADERS)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
                message["headers"] = [*message["headers"], *own]
            await send(message)

        scope = {**scope, GUEST_SCOPE_KEY: allowed.is_guest}
        if not allowed.is_guest or scope["path"].endswith("/events"):
            await self._app(scope, receive, send_with_headers)
            return
        async with self._guest_slots:  # many guests do not hold up the user
            await self._app(scope, receive, send_with_headers)

    def _authorize(self, scope: Scope) -> tuple[AllowedHost | None, str]:
        """Return the host a request is addressed to, and why it is refused, "" if it is not."""
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
        hosts = headers.get("host", [])
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return None, "Unknown host. Open the address that cardgen printed."
        allowed = self._hosts[hosts[0]]
        origins = headers.get("origin", [])
        is_write = scope["method"] not in ("GET", "HEAD")
        if any(origin != f"http://{hosts[0]}" for origin in origins) or (is_write and not origins):
            return allowed, "This request comes from another page; cardgen answers only its own."
        if headers.get("sec-fetch-site", ["same-origin"]) not in (["same-origin"], ["none"]):
            return allowed, "This request comes from another page; cardgen answers only its own."
        token = scope["path"].removeprefix("/").partition("/")[0]
        if not hmac.compare_digest(token.encode(), allowed.token.encode()):
            return allowed, "This address is outdated. Open the address that cardgen printed."
        if allowed.is_guest and (is_write or not _is_for_guests(scope["path"])):
            return allowed, "Guests can only look at the game."
        return allowed, ""


def _is_for_guests(path: str) -> bool:
    rest = path.removeprefix("/").partition("/")[2]
    return not rest or rest.partition("/")[0] in _GUEST_PATHS


LOOPBACK = "127.0.0.1"
FIRST_PORT, PORT_COUNT = 20_000, 10_000
"""Ports below the ranges that operating systems assign by themselves."""
PORTS_PER_GAME = 6
"""Number of ports tried for a game, so that several previews of it can run."""
DOCUMENTATION_ADDRESS = "192.0.2.1", 9
"""An address reserved for documentation (RFC 5737); nothing is sent to it."""


NO_NETWORK = "this machine is not in a network; join one, and start the preview again"


class NoNetworkError(Exception):
    """The machine has no address in a private network; the message says why."""


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
