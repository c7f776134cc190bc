"""Who may ask, and what a browser may do with the answer.

Every website that is open in the same browser can send requests to this machine. It cannot guess
the token in the path, is refused by its Origin and its Sec-Fetch-Site, and one that has its own
name point to this machine is refused by the Host.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS: Mapping[str, str] = {
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
class Door:
    """A way in: the Host that a browser names, and what stands first in every path. Who comes by
    one for guests may look, and nothing else."""

    host: str
    token: str
    guests: bool = False


GUESTS = "cardgen.guests"
"""Where a request's scope says whether it comes from a guest."""
_GUESTS_AT_ONCE = 2
"""So many requests of guests are answered at once."""


class Manners:
    """Lets through what the page itself asks for, and refuses all else."""

    def __init__(self, app: ASGIApp, doors: Iterable[Door]) -> None:
        self._app = app
        self._doors = {door.host: door for door in doors}
        self._turn = asyncio.Semaphore(_GUESTS_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        door, refused = self._door(scope)
        if door is None or refused:
            await PlainTextResponse(refused, 403, HEADERS)(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *own]
            await send(message)

        scope = {**scope, GUESTS: door.guests}
        if not door.guests or scope["path"].endswith("/events"):
            await self._app(scope, receive, with_headers)
            return
        async with self._turn:  # guests together keep nobody else waiting for long
            await self._app(scope, receive, with_headers)

    def _door(self, scope: Scope) -> tuple[Door | None, str]:
        """By which door a request comes, and why it is refused; "" when it is not."""
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
        hosts = headers.get("host", [])
        if len(hosts) != 1 or hosts[0] not in self._doors:
            return None, "This address is cardgen's own; open the one that it printed."
        door = self._doors[hosts[0]]
        origins = headers.get("origin", [])
        asked = scope["method"] not in ("GET", "HEAD")
        if any(origin != f"http://{hosts[0]}" for origin in origins) or (asked and not origins):
            return door, "Another page asks for this; cardgen answers its own alone."
        if headers.get("sec-fetch-site", ["same-origin"]) not in (["same-origin"], ["none"]):
            return door, "Another page asks for this; cardgen answers its own alone."
        begins = scope["path"].removeprefix("/").partition("/")[0]
        if not secrets.compare_digest(begins.encode(), door.token.encode()):
            return door, "This address is an old one; open the one that cardgen printed."
        if door.guests and asked:
            return door, "From here the game can be looked at alone."
        return door, ""
