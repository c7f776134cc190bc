"""The server of the preview: the page, pictures of faces, and what happens to the wall."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route

from cardgen.base import paths
from cardgen.base.store import Store
from cardgen.build_folder import BUILD, STORE
from cardgen.game import builtin_fonts
from cardgen.preview import book_answers, manners, opening, watching
from cardgen.preview.manners import LOOPBACK, Manners
from cardgen.preview.press import Place
from cardgen.preview.room import Gone, Room

_PAGE = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".ttf": "font/ttf",
}  # fmt: skip
_MOST_PX = 6000
_MOST_BODY = 200_000
_MOST_WHERE = 2000
_ALIVE = 15.0
"""Seconds of silence after which a page is told that all is well."""
_VIEW = "view.json"
_FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
_NEVER = {"cache-control": "no-store"}


class Taken(Exception):  # noqa: N818 - it reads as what it says
    """The port that was asked for is another's."""


class _Server(uvicorn.Server):
    """Leaves the signals to the command: an interrupt ends it at once."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield


class Serving:
    """One preview: its room, and what the page asks."""

    def __init__(self, place: Place, editor: str) -> None:
        self.place, self.editor = place, editor
        self.room = Room(place)
        self._store = Store(place.root / BUILD / STORE)

    def app(self, token: str, port: int) -> Manners:
        """All that is answered, behind the manners."""
        base = f"/{token}"
        routes = [
            Route(f"{base}/", self.file),
            Route(f"{base}/page/{{name}}", self.file),
            Route(f"{base}/font/{{name:path}}", self.font),
            Route(f"{base}/events", self.events),
            Route(f"{base}/picture/{{picture}}/{{width:int}}", self.picture),
            Route(f"{base}/inside/{{picture}}", self.inside),
            Route(f"{base}/where", self.where),
            Route(f"{base}/card/{{deck}}/{{card}}", self.card),
            Route(f"{base}/view", self.view, methods=["GET", "PUT"]),
            Route(f"{base}/open", self.open, methods=["POST"]),
            Mount(base, routes=book_answers.routes(self.room, self.place)),
        ]
        return Manners(Starlette(routes=routes), token, port)

    async def file(self, request: Request) -> Response:
        """A file of the page."""
        return _own(_PAGE, request.path_params.get("name", "index.html"))

    async def font(self, request: Request) -> Response:
        """A font of the page's: those that come with cardgen."""
        return _own(builtin_fonts.FOLDER, request.path_params["name"])

    async def events(self, request: Request) -> Response:
        """What happens to the wall, for as long as somebody looks."""

        async def told() -> AsyncIterator[bytes]:
            with self.room.listening() as queue:
                while True:
                    try:
                        event = await asyncio.wait_for(queue.get(), _ALIVE)
                    except TimeoutError:
                        event = {"alive": True}
                    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
                    yield f"data: {text}\n\n".encode()

        return StreamingResponse(told(), 200, _NEVER, "text/event-stream")

    async def picture(self, request: Request) -> Response:
        """A face as it is printed, so many px wide; with its bleed when `?bleed`."""
        picture, width = request.path_params["picture"], request.path_params["width"]
        if not 1 <= width <= _MOST_PX:
            return Response(status_code=404)
        try:
            data = await self.room.picture(picture, width, bleed="bleed" in request.query_params)
        except Gone:
            return Response(status_code=404, headers=_NEVER)
        return Response(data, 200, _FOREVER, "image/png")

    async def inside(self, request: Request) -> Response:
        """The boxes and texts of a face."""
        return JSONResponse(await self.room.inspect(request.path_params["picture"]), headers=_NEVER)

    async def where(self, request: Request) -> Response:
        """The cards for which an expression holds."""
        asked = request.query_params.get("expression", "")[:_MOST_WHERE]
        cards, why = await self.room.holding(asked)
        return JSONResponse({"cards": cards, "why": why}, headers=_NEVER)

    async def card(self, request: Request) -> Response:
        """The fields of a card, each with its line."""
        name = request.path_params["deck"], request.path_params["card"]
        return JSONResponse(await self.room.fields(*name), headers=_NEVER)

    async def view(self, request: Request) -> Response:
        """How the page was last looked at: kept in the store, so that it outlives both ends."""
        path = self._store.path("preview", _VIEW)
        if request.method == "GET":
            return JSONResponse(self._store.read_json(path), headers=_NEVER)
        kept = await _body(request)
        if not isinstance(kept, dict):
            return Response(status_code=400)
        with contextlib.suppress(OSError):  # then it is forgotten
            self._store.write_json(path, kept)
        return Response(status_code=204)

    async def open(self, request: Request) -> Response:
        """A line of the game's files in the user's editor."""
        asked = await _body(request)
        try:
            name, line = str(asked["path"]), int(asked["line"])
        except (TypeError, LookupError, ValueError):
            return Response(status_code=400)
        why = opening.open_at(self.place.root, self.editor, name, line)
        return JSONResponse({"why": why}, headers=_NEVER)

    async def watch(self) -> None:
        """Tell the room of every save, for ever."""
        async for there in watching.saves(self.place.root):
            if there:
                self.room.saved()
            self.room.moved(not there)


def serve(place: Place, editor: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve a game's preview on this machine's own address until it is interrupted; port 0 is any
    that is free. `ready` is told the address to open. Raises `Taken`."""
    for name in ("uvicorn", "uvicorn.error", "watchfiles"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((LOOPBACK, port))
        except OSError as error:
            raise Taken(f"the port {port} cannot be had: {error.strerror}") from None
        asyncio.run(_served(place, editor, listening, ready))


async def _served(
    place: Place, editor: str, listening: socket.socket, ready: Callable[[str], None]
) -> None:
    serving = Serving(place, editor)
    port, token = listening.getsockname()[1], manners.token()
    config = uvicorn.Config(
        serving.app(token, port), http="h11", ws="none", lifespan="off", log_config=None,
        access_log=False, server_header=False, date_header=False,
    )  # fmt: skip
    listening.listen()
    ready(f"http://{LOOPBACK}:{port}/{token}/")
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(serving.room.work())
            tasks.create_task(serving.watch())
            tasks.create_task(_Server(config).serve([listening]))
    finally:
        serving.room.close()


def _own(folder: Path, name: str) -> Response:
    """A file of cardgen's own."""
    kind = _TYPES.get(Path(name).suffix)
    try:
        data = paths.read_bytes(folder, name) if kind else b""
    except paths.Unreadable:
        data = b""
    return Response(data, 200, _NEVER, kind) if data else Response(status_code=404)


async def _body(request: Request) -> Any:
    """The JSON that is sent; None for what is none, or too much."""
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > _MOST_BODY:
            return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
