"""Ports and tokens of previews, and ASGI middleware that checks Host, Origin and token.

Any website that is open in the same browser can send requests to this machine. It cannot guess the
token in the path, and its Origin and Sec-Fetch-Site headers give it away. A website whose name
resolves to this machine (DNS rebinding) is refused by its Host header.

The port is the same every time a game is previewed; it is derived from a secret in the user's
settings folder and from the path of the game. The token is another one at each start. A preview
announces the token of the next start to the pages that are open, so that they go on with it.
Nothing is stored in the game's folder, which may be shared or come from somebody else.

Every user of the machine can read the command line of a browser. It is therefore given a
`LaunchAddress`, which leads to the page once.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import ipaddress
import secrets
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from starlette.responses import PlainTextResponse, RedirectResponse, Response
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
    next_token: str = ""
    """Token of the next start, which open pages are told."""


@dataclass
class LaunchAddress:
    """Path that redirects to the page once, within `LAUNCH_SECONDS` of the start.

    `report_reuse` is called when it is asked for again: another program may have been first.
    """

    target: str
    report_reuse: Callable[[], object]
    path: str = field(default_factory=lambda: f"/launch/{secrets.token_urlsafe(16)}")
    _expiry: float = field(default_factory=lambda: time.monotonic() + LAUNCH_SECONDS)
    _is_used: bool = False

    def answer(self) -> Response:
        """Return the redirect, or why there is none any more."""
        if self._is_used:
            self.report_reuse()
        if self._is_used or time.monotonic() > self._expiry:
            return PlainTextResponse(_LAUNCH_REFUSAL, 403)
        self._is_used = True
        return RedirectResponse(self.target, 303, {"cache-control": "no-store"})


LAUNCH_SECONDS = 60.0
_LAUNCH_REFUSAL = (
    "This address works only once, just after the start. Open the address that cardgen printed. If "
    "no preview has opened here before, somebody else on this machine was faster: end the preview "
    "with Ctrl-C and start it again."
)
GUEST_SCOPE_KEY = "cardgen.guests"
"""Key of the ASGI scope that is true for requests of guests."""
NEXT_TOKEN_SCOPE_KEY = "cardgen.next_token"
_GUEST_PATHS = frozenset(
    "book card events font inside page picture rules sheet sheets table where".split()  # noqa: SIM905
)
"""What guests may ask for, by the part of the path after the token. All else is refused: earlier
states, files that were built, the settings of the page, and whatever is added without a thought of
guests."""
MAX_GUEST_REQUESTS = 2
"""Number of guests' requests that are answered at the same time."""


class AuthMiddleware:
    """Passes on the requests of the page itself, and refuses all others with 403."""

    def __init__(
        self, app: ASGIApp, hosts: Iterable[AllowedHost], launch: LaunchAddress | None = None
    ) -> None:
        self._app, self._launch = app, launch
        self._hosts = {allowed.host: allowed for allowed in hosts}
        self._guest_slots = asyncio.Semaphore(MAX_GUEST_REQUESTS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
                message["headers"] = [*message["headers"], *own]
            await send(message)

        allowed, refusal = self._find_host(scope)
        launch = self._launch
        if allowed and not refusal and launch and scope["path"] == launch.path:
            is_for_user = not allowed.is_guest and scope["method"] == "GET"
            answer = launch.answer() if is_for_user else Response(status_code=404)
            await answer(scope, receive, send_with_headers)
            return
        refusal = refusal or (_check_token(scope, allowed) if allowed else "")
        if allowed is None or refusal:
            await PlainTextResponse(refusal, 403)(scope, receive, send_with_headers)
            return
        scope = {
            **scope, GUEST_SCOPE_KEY: allowed.is_guest, NEXT_TOKEN_SCOPE_KEY: allowed.next_token,
        }  # fmt: skip
        if not allowed.is_guest or scope["path"].endswith("/events"):
            await self._app(scope, receive, send_with_headers)
            return
        async with self._guest_slots:  # many guests do not hold up the user
            await self._app(scope, receive, send_with_headers)

    def _find_host(self, scope: Scope) -> tuple[AllowedHost | None, str]:
        """Return the host a request is addressed to, and why its origin is refused, "" if not."""
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
        hosts = headers.get("host", [])
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return None, "Unknown host. Open the address that cardgen printed."
        allowed = self._hosts[hosts[0]]
        origins = headers.get("origin", [])
        needs_origin = _is_write(scope) and not origins
        if needs_origin or any(origin != f"http://{hosts[0]}" for origin in origins):
            return allowed, "This request comes from another page; cardgen answers only its own."
        if headers.get("sec-fetch-site", ["same-origin"]) not in (["same-origin"], ["none"]):
            return allowed, "This request comes from another page; cardgen answers only its own."
        return allowed, ""


def _check_token(scope: Scope, allowed: AllowedHost) -> str:
    """Return why a path may not be asked for, "" if it may."""
    token = scope["path"].removeprefix("/").partition("/")[0]
    if not hmac.compare_digest(token.encode(), allowed.token.encode()):
        return "This address is outdated. Open the address that cardgen printed."
    if allowed.is_guest and (_is_write(scope) or not _is_for_guests(scope["path"])):
        return "Guests can only look at the game."
    return ""


def _is_write(scope: Scope) -> bool:
    return scope["method"] not in ("GET", "HEAD")


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
