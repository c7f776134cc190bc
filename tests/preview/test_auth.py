"""Access checks: only the page itself gets an answer, at the printed address."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from cardgen.preview.auth import (
    GUEST_SCOPE_KEY,
    LAUNCH_SECONDS,
    AllowedHost,
    AuthMiddleware,
    LaunchAddress,
)
from cardgen.preview.endpoints import SheetEndpoints
from cardgen.preview.messages import GameLocation
from cardgen.preview.sheet_choices import SheetChoices

TOKEN = "t0ken"
HOST = {"host": "127.0.0.1:8123"}
ROOM = "10.0.0.7:8123"
DOORS = [
    AllowedHost("127.0.0.1:8123", TOKEN), AllowedHost("localhost:8123", TOKEN),
    AllowedHost(ROOM, "gu3st", is_guest=True),
]  # fmt: skip


def asked(
    path: str = f"/{TOKEN}/", method: str = "GET", *, more: list[tuple[str, str]] | None = None,
    launch: LaunchAddress | None = None, **headers: str,
) -> tuple[int, dict[str, str], bytes]:  # fmt: skip
    """The status, headers and body of what is answered."""
    given = {name.replace("_", "-"): value for name, value in {**HOST, **headers}.items() if value}
    listed = [(name.encode(), value.encode()) for name, value in [*given.items(), *(more or [])]]
    scope = {
        "type": "http", "method": method, "path": path, "raw_path": path.encode(),
        "query_string": b"", "headers": listed,
    }  # fmt: skip
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    app = AuthMiddleware(PlainTextResponse("the page"), DOORS, launch)
    asyncio.run(app(scope, receive, send))
    answered = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], answered, b"".join(each.get("body", b"") for each in sent)


def test_the_page_gets_an_answer_with_a_strict_policy() -> None:
    status, headers, body = asked()
    assert (status, body) == (200, b"the page")
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "host", ["evil.test", "evil.test:8123", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8123.evil.test"]
)
def test_another_host_is_refused(host: str) -> None:
    status, headers, body = asked(host=host)
    assert (status, b"the page" in body) == (403, False)
    assert headers["content-security-policy"]


def test_localhost_is_allowed_and_missing_or_double_hosts_are_not() -> None:
    assert asked(host="localhost:8123")[0] == 200
    assert asked(host="")[0] == 403
    assert asked(more=[("host", "evil.test")])[0] == 403


@pytest.mark.parametrize("origin", ["http://evil.test", "null", "https://127.0.0.1:8123"])
def test_another_origin_is_refused(origin: str) -> None:
    assert asked(origin=origin)[0] == 403
    assert asked(method="POST", origin=origin)[0] == 403


def test_only_the_page_itself_may_change_anything() -> None:
    assert asked(method="POST")[0] == 403
    assert asked(method="PUT")[0] == 403
    assert asked(method="POST", origin="http://127.0.0.1:8123")[0] == 200


@pytest.mark.parametrize(("site", "status"), [
    ("same-origin", 200), ("none", 200), ("cross-site", 403), ("same-site", 403),
])  # fmt: skip
def test_requests_of_other_pages_are_refused(site: str, status: int) -> None:
    assert asked(sec_fetch_site=site)[0] == status


@pytest.mark.parametrize("path", ["/", "//", "/other/", f"/{TOKEN}x/", "/page/main.js", "/é/"])
def test_requests_without_the_token_are_refused(path: str) -> None:
    assert asked(path)[0] == 403


def test_the_address_on_the_command_line_of_a_browser_works_once() -> None:
    reused: list[bool] = []
    launch = LaunchAddress(f"http://{HOST['host']}/{TOKEN}/", lambda: reused.append(True))
    assert TOKEN not in launch.path
    others: list[dict[str, Any]] = [
        {"path": f"{launch.path}x"}, {"path": launch.path, "host": ROOM},
        {"path": launch.path, "method": "HEAD"}, {"path": launch.path, "host": "evil.test"},
        {"path": launch.path, "sec_fetch_site": "cross-site"},
    ]  # fmt: skip
    for other in others:
        assert asked(launch=launch, **other)[0] in (403, 404)
    status, headers, _ = asked(launch.path, launch=launch, sec_fetch_site="none")
    assert (status, headers["location"]) == (303, launch.target)
    assert headers["cache-control"] == "no-store"
    assert headers["content-security-policy"]
    assert not reused
    status, headers, text = asked(launch.path, launch=launch)
    assert (status, "location" in headers, reused) == (403, False, [True])
    assert b"somebody else on this machine was faster" in text


def test_the_address_on_a_command_line_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    launch = LaunchAddress("/page", lambda: None)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + LAUNCH_SECONDS + 1)
    assert asked(launch.path, launch=launch)[0] == 403


def test_guests_have_their_own_token_and_can_only_read() -> None:
    assert asked("/gu3st/", host=ROOM)[0] == 200
    assert asked(f"/{TOKEN}/", host=ROOM)[0] == 403
    assert asked("/gu3st/")[0] == 403
    for method in ("POST", "PUT", "DELETE"):
        assert asked("/gu3st/", method, host=ROOM, origin=f"http://{ROOM}")[0] == 403
    assert asked("/gu3st/", host=ROOM, origin="http://evil.test")[0] == 403


@pytest.mark.parametrize(
    "path", ["past/loot/barn", "/past/loot/barn", "made/token/sheets.pdf", "open", "seeing", "new"]
)
def test_guests_get_nothing_but_what_is_listed_for_them(path: str) -> None:
    status, _, text = asked(f"/gu3st/{path}", host=ROOM)
    assert (status, text) == (403, b"Guests can only look at the game.")
    assert asked(f"/{TOKEN}/{path}")[0] != 403


@pytest.mark.parametrize("guest", [True, False])
def test_guests_read_no_earlier_states_and_use_a_worker_of_their_own(
    guest: bool, tmp_path: Path
) -> None:
    asked_of: dict[str, SheetChoices] = {}

    class Queue:
        def __init__(self, name: str) -> None:
            self.name = name

        async def call_in_turn(self, *call: Any) -> dict[str, Any]:
            asked_of[self.name] = call[-1]
            return {"files": []}

    class Scheduler:
        location = GameLocation(tmp_path)

        def get_slow_worker(self, *, guest: bool) -> Queue:
            return Queue("guests" if guest else "own")

    choices = json.dumps({"changed": True, "since": "HEAD~1", "language": "en"})
    query = urlencode({"choices": choices}).encode()
    scope = {"type": "http", "query_string": query, "headers": [], GUEST_SCOPE_KEY: guest}
    asyncio.run(SheetEndpoints(cast(Any, Scheduler())).serve_sheets(Request(scope)))
    ((name, found),) = asked_of.items()
    assert found.language == "en"
    wanted = ("guests", False, "") if guest else ("own", True, "HEAD~1")
    assert (name, found.changed, found.since) == wanted
