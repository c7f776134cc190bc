"""ASGI middleware that checks Host, Origin and token, and sets security headers.

Any website that is open in the same browser can send requests to this machine. It cannot guess the
token in the path, and its Origin and Sec-Fetch-Site headers give it away. A website whose name
resolves to this machine (DNS rebinding) is refused by its Host header.
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
    """A value of the Host header with its token, the first part of every path. Guests can read
    but not change anything."""

    host: str
    token: str
    is_guest: bool = False


GUEST_SCOPE_KEY = "cardgen.guests"
"""Key of the ASGI scope that is true for requests of guests."""
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
        if not secrets.compare_digest(token.encode(), allowed.token.encode()):
            return allowed, "This address is outdated. Open the address that cardgen printed."
        if allowed.is_guest and is_write:
            return allowed, "Guests can only look at the game."
        return allowed, ""
