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
    """A way in: the Host that a browser names, and what stands first in every path. Who comes by
    one for guests may look, and nothing else."""

    host: str
    token: str
    is_guest: bool = False


GUEST_SCOPE_KEY = "cardgen.guests"
"""Where a request's scope says whether it comes from a guest."""
MAX_GUEST_REQUESTS = 2
"""So many requests of guests are answered at once."""


class AuthMiddleware:
    """Lets through what the page itself asks for, and refuses all else."""

    def __init__(self, app: ASGIApp, doors: Iterable[AllowedHost]) -> None:
        self._app = app
        self._hosts = {door.host: door for door in doors}
        self._guest_slots = asyncio.Semaphore(MAX_GUEST_REQUESTS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        door, refused = self._authorize(scope)
        if door is None or refused:
            await PlainTextResponse(refused, 403, SECURITY_HEADERS)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
                message["headers"] = [*message["headers"], *own]
            await send(message)

        scope = {**scope, GUEST_SCOPE_KEY: door.is_guest}
        if not door.is_guest or scope["path"].endswith("/events"):
            await self._app(scope, receive, send_with_headers)
            return
        async with self._guest_slots:  # guests together keep nobody else waiting for long
            await self._app(scope, receive, send_with_headers)

    def _authorize(self, scope: Scope) -> tuple[AllowedHost | None, str]:
        """By which door a request comes, and why it is refused; "" when it is not."""
        headers: dict[str, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.decode("latin-1"), []).append(value.decode("latin-1"))
        hosts = headers.get("host", [])
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return None, "This address is cardgen's own; open the one that it printed."
        door = self._hosts[hosts[0]]
        origins = headers.get("origin", [])
        asked = scope["method"] not in ("GET", "HEAD")
        if any(origin != f"http://{hosts[0]}" for origin in origins) or (asked and not origins):
            return door, "Another page asks for this; cardgen answers its own alone."
        if headers.get("sec-fetch-site", ["same-origin"]) not in (["same-origin"], ["none"]):
            return door, "Another page asks for this; cardgen answers its own alone."
        begins = scope["path"].removeprefix("/").partition("/")[0]
        if not secrets.compare_digest(begins.encode(), door.token.encode()):
            return door, "This address is an old one; open the one that cardgen printed."
        if door.is_guest and asked:
            return door, "From here the game can be looked at alone."
        return door, ""
