"""Access checks: only the page itself gets an answer, at the printed address."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlencode

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from cardgen.core.work_limits import LimitExceededError
from cardgen.preview import endpoints
from cardgen.preview.auth import (
    GUEST_SCOPE_KEY,
    LAUNCH_SECONDS,
    AllowedHost,
    AuthMiddleware,
    LaunchAddress,
)
from cardgen.preview.endpoints import SheetEndpoints
from cardgen.preview.messages import BookInfo, GameLocation, PageInfo
from cardgen.preview.scheduler import PictureCache, PreviewScheduler
from cardgen.preview.server import PreviewApp
from cardgen.preview.sheet_choices import SheetChoices
from cardgen.preview.state import PreviewState
from cardgen.preview.workers import game_queries, raster_worker

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
    "path",
    [
        "past/loot/barn", "/past/loot/barn", "made/token/sheets.pdf", "open", "seeing", "new",
        "view",
    ],
)  # fmt: skip
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


@pytest.mark.parametrize("guest", [True, False])
@pytest.mark.parametrize(
    ("path", "work"),
    [
        ("rules", "report_rules"), ("card/loot/barn", "list_card_fields"),
        ("inside/p1", "inspect_face"), ("where", "find_matching_cards"),
        ("picture/p1/200", "draw_face"), ("book/page/p1/200", "draw_book_page"),
    ],
)  # fmt: skip
def test_no_request_of_guests_waits_in_the_queues_of_the_user(
    path: str, work: str, guest: bool, tmp_path: Path
) -> None:
    asked_of: list[tuple[str, str]] = []

    class Queue:
        def __init__(self, name: str) -> None:
            self.name = name

        async def call_in_turn(self, recover: Any, function: Any, *args: Any) -> Any:
            inner = args[0] if function is game_queries.answer_anew else function
            asked_of.append((self.name, inner.__name__))
            if function is raster_worker.draw_face:
                raise LimitExceededError("it takes too long")
            if function is raster_worker.draw_book_page:
                return b"a picture"
            return ((), "") if inner is game_queries.find_matching_cards else {}

    scheduler = object.__new__(PreviewScheduler)
    for name in ("renderer", "rasteriser", "book_worker", "guest_worker"):
        setattr(scheduler, name, Queue(name))
    scheduler.location, scheduler.pictures = GameLocation(tmp_path), PictureCache()
    scheduler.state = PreviewState()
    scheduler.state.recipes["p1"] = cast(Any, object())
    scheduler.state.ready.add("p1")
    scheduler._past_recipes, scheduler._listeners = OrderedDict(), set()
    scheduler._new_listeners, scheduler._has_content = set(), False
    scheduler._picture_events, scheduler.last_sent = {}, scheduler.state.to_json()
    app = object.__new__(PreviewApp)
    app.scheduler, app.location = scheduler, scheduler.location
    books = endpoints.BookEndpoints(scheduler)
    page = PageInfo("p1", 0, ())
    books._books[cast(Any, "book")] = BookInfo(
        edition="player", format="a4", path=tmp_path / "book.pdf", pages=(page,)
    )
    serve = {
        "rules": endpoints.RuleEndpoints(scheduler).serve_rules, "card": app.serve_card,
        "inside": app.serve_inspection,
        "where": app.serve_matching_cards, "picture": app.serve_picture,
        "book": books.serve_book_page,
    }[path.partition("/")[0]]  # fmt: skip
    parameters = {"deck": "loot", "card": "barn", "picture": "p1", "width": 200}
    scope = {
        "type": "http", "query_string": b"", "headers": [], "path_params": parameters,
        GUEST_SCOPE_KEY: guest,
    }  # fmt: skip
    asyncio.run(serve(Request(scope)))
    own = {"draw_face": "rasteriser", "draw_book_page": "rasteriser"}.get(work, "renderer")
    assert asked_of[0] == ("guest_worker" if guest else own, work)
    if work == "draw_face":  # what takes too long for a guest is still there for the user
        assert ("p1" in scheduler.state.ready) is guest
