"""The server of the preview: the page, pictures of faces, and what happens to the wall."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount, Route

from cardgen.base import paths
from cardgen.base.filing import Blocked
from cardgen.base.store import Store, digest_of
from cardgen.base.workers import Resident
from cardgen.build_folder import BUILD, STORE
from cardgen.game import builtin_fonts
from cardgen.pdf.inks import Ink
from cardgen.preview import (
    addresses,
    answering,
    book_answers,
    opening,
    sheet_answers,
    table_answers,
    watching,
)
from cardgen.preview.addresses import LOOPBACK
from cardgen.preview.answering import FOREVER, MOST_BODY, MOST_PX, NEVER, Told, body
from cardgen.preview.connections import Patient
from cardgen.preview.manners import GUESTS, Door, Manners
from cardgen.preview.press import Place
from cardgen.preview.room import VIEW, Gone, Room

_PAGE = Path(__file__).parent / "page"
_TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".ttf": "font/ttf",
}  # fmt: skip
_MOST_WHERE, _MOST_WHEN = 2000, 200
_MOST_SEEN = 1000
_GUESTS_PX = 2400
_ALIVE = 15.0
"""Seconds of silence after which a page is told that all is well."""
_RETRY_MS = 500
"""After so long a page asks again for a preview that has ended."""


class Taken(Exception):  # noqa: N818 - it reads as what it says
    """The port that was asked for is another's."""


class _Server(uvicorn.Server):
    """Leaves the signals to the command: an interrupt ends it at once."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield


class Serving:
    """One preview: its room, and what the page asks."""

    def __init__(self, place: Place, editor: str, reader: Resident) -> None:
        self.place, self.editor = place, editor
        self.room = Room(place, reader)
        self._store = Store(place.root / BUILD / STORE)
        files = paths.listing(_PAGE.parent, _PAGE.name).files
        self._page = digest_of([paths.read_bytes(_PAGE.parent, file) for file in sorted(files)])
        """Which page it is: one of another cardgen's that is still open is loaded anew."""

    def app(self, doors: Iterable[Door]) -> Manners:
        """All that is answered, behind the manners."""
        routes = [
            Route("/", self.file),
            Route("/page/{name}", self.file),
            Route("/font/{name:path}", self.font),
            Route("/events", self.events),
            Route("/picture/{picture}/{width:int}", self.picture),
            Route("/inside/{picture}", self.inside),
            Route("/where", self.where),
            Route("/card/{deck}/{card}", self.card),
            Route("/past/{deck}/{card}", self.past),
            Route("/rules", self.rules),
            Route("/view", self.view, methods=["GET", "PUT"]),
            Route("/seeing", self.seeing, methods=["POST"]),
            Route("/open", self.open, methods=["POST"]),
            *sheet_answers.SheetAnswers(self.room, self.place).routes(),
            *table_answers.TableAnswers(self.room, self.place).routes(),
            *book_answers.routes(self.room, self.place),
        ]
        return Manners(Starlette(routes=[Mount("/{token}", routes=routes)]), doors)

    async def file(self, request: Request) -> Response:
        """A file of the page."""
        return _own(_PAGE, request.path_params.get("name", "index.html"))

    async def font(self, request: Request) -> Response:
        """A font of the page's: those that come with cardgen."""
        return _own(builtin_fonts.FOLDER, request.path_params["name"])

    async def events(self, request: Request) -> Response:
        """What happens to the wall, for as long as somebody looks."""

        async def told() -> AsyncIterator[bytes]:
            yield f"retry: {_RETRY_MS}\n\n".encode()
            with self.room.listening() as queue:
                while True:
                    try:
                        event = await asyncio.wait_for(queue.get(), _ALIVE)
                    except TimeoutError:
                        event = {"alive": True, "away": self.room.away}
                    if "wall" in event:
                        event = {**event, "page": self._page}
                    yield f"data: {answering.told(event)}\n\n".encode()

        return StreamingResponse(told(), 200, NEVER, "text/event-stream")

    async def picture(self, request: Request) -> Response:
        """A face as it is printed, so many px wide; with its bleed when `?bleed`, in the colours of
        sheets with `?low-ink` and in `?grayscale`."""
        picture, width = request.path_params["picture"], request.path_params["width"]
        asked = request.query_params
        if not 1 <= width <= MOST_PX:
            return Response(status_code=404)
        width = min(width, _GUESTS_PX) if request.scope[GUESTS] else width
        try:
            ink = Ink("low-ink" in asked, "grayscale" in asked)
            data = await self.room.picture(picture, width, bleed="bleed" in asked, ink=ink)
        except Gone:
            return Response(status_code=404, headers=NEVER)
        return Response(data, 200, FOREVER, "image/png")

    async def inside(self, request: Request) -> Response:
        """The boxes and texts of a face."""
        return Told(await self.room.inspect(request.path_params["picture"]))

    async def where(self, request: Request) -> Response:
        """The cards for which an expression holds."""
        asked = request.query_params.get("expression", "")[:_MOST_WHERE]
        cards, why = await self.room.holding(asked, guest=request.scope[GUESTS])
        return Told({"cards": cards, "why": why})

    async def card(self, request: Request) -> Response:
        """The fields of a card, each with its line."""
        name = request.path_params["deck"], request.path_params["card"]
        return Told(await self.room.fields(*name))

    async def past(self, request: Request) -> Response:
        """A card as it was `?at=printed`, or at a revision or date."""
        name = request.path_params["deck"], request.path_params["card"]
        if request.scope[GUESTS]:  # a repository may hold more than this game
            return Told({"why": "what was there before is told on the machine that shows this"})
        then = request.query_params.get("at", "")[:_MOST_WHEN]
        return Told(await self.room.past(*name, then))

    async def rules(self, _: Request) -> Response:
        """How the game's rules stand."""
        return Told(await self.room.rules())

    async def view(self, request: Request) -> Response:
        """How the page was last looked at: kept in the store, so that it outlives both ends."""
        path = self._store.path("preview", VIEW)
        if request.method == "GET":
            return Told(self._store.read_json(path, MOST_BODY))
        kept = await body(request)
        if not isinstance(kept, dict):
            return Response(status_code=400)
        with contextlib.suppress(OSError, Blocked):  # then it is forgotten
            self._store.write_json(path, kept)
        return Response(status_code=204)

    async def seeing(self, request: Request) -> Response:
        """Take note of the faces on the screen: they are seen to before all others."""
        names = await body(request)
        if not isinstance(names, list):
            return Response(status_code=400)
        self.room.in_view = tuple(str(name) for name in names[:_MOST_SEEN])
        return Response(status_code=204)

    async def open(self, request: Request) -> Response:
        """A line of the game's files in the user's editor."""
        asked = await body(request)
        try:
            name, line = str(asked["path"]), int(asked["line"])
            why = opening.open_at(self.place.root, self.editor, name, line)
        except (TypeError, LookupError, ValueError, OverflowError):
            return Response(status_code=400)
        return Told({"why": why})

    async def watch(self) -> None:
        """Tell the room of every save, for ever."""
        async for there in watching.saves(self.place.root):
            if there:
                self.room.saved()
            self.room.moved(not there)


class Asked(NamedTuple):
    """What is asked of a preview: the editor's command, the port (0 for the game's own), the folder
    of the user's own settings, and this machine's address in the room, "" to be seen by nobody."""

    editor: str
    port: int
    settings: Path
    room: str = ""


class Ready(NamedTuple):
    """The addresses to open: on this machine, and in the room, "" for none."""

    here: str
    room: str


def serve(place: Place, asked: Asked, ready: Callable[[Ready], None], reader: Resident) -> None:
    """Serve a game's preview until it is interrupted. `ready` is told where; `reader` is the
    process to read the game in. Raises `Taken`."""
    for name in ("asyncio", "uvicorn", "uvicorn.error", "watchfiles"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
    secret, own = addresses.secret(asked.settings), f"{place.root.resolve()}\0{place.variant}"
    hosts = [LOOPBACK, *filter(None, [asked.room])]
    with contextlib.ExitStack() as held:
        wanted = iter([asked.port]) if asked.port else addresses.ports(secret, own)
        listening = _listening(hosts, wanted)
        for each in listening:
            held.enter_context(each)
        port = listening[0].getsockname()[1]
        here = addresses.token(secret, own, port)
        doors = [Door(f"{name}:{port}", here) for name in (LOOPBACK, "localhost")]
        told = Ready(f"http://{LOOPBACK}:{port}/{here}/", "")
        if asked.room:  # its word goes through the air, so it is another
            guests = addresses.token(secret, f"room\0{own}", port)
            doors.append(Door(f"{asked.room}:{port}", guests, guests=True))
            told = told._replace(room=f"http://{asked.room}:{port}/{guests}/")
        serving = Serving(place, asked.editor, reader)
        asyncio.run(_served(serving, doors, listening, lambda: ready(told)))


def _listening(hosts: Iterable[str], ports: Iterator[int]) -> list[socket.socket]:
    """Sockets that listen at the first port that is free at all those addresses."""
    why = ""
    for wanted in ports:
        with contextlib.ExitStack() as held:
            try:
                port, found = wanted, []
                for host in hosts:
                    found.append(held.enter_context(socket.socket()))
                    found[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    found[-1].bind((host, port))
                    found[-1].listen()
                    port = found[0].getsockname()[1]
            except OSError as error:
                why = f"the port {port} cannot be had: {error.strerror}"
                continue
            held.pop_all()
            return found
    raise Taken(why)


async def _served(
    serving: Serving,
    doors: Iterable[Door],
    listening: list[socket.socket],
    ready: Callable[[], None],
) -> None:
    config = uvicorn.Config(
        serving.app(doors), http=Patient, ws="none", lifespan="off", log_config=None,
        access_log=False, server_header=False, date_header=False,
    )  # fmt: skip
    ready()
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(serving.room.work())
            tasks.create_task(serving.watch())
            tasks.create_task(_Server(config).serve(listening))
    finally:
        serving.room.close()


def _own(folder: Path, name: str) -> Response:
    """A file of cardgen's own."""
    kind = _TYPES.get(Path(name).suffix)
    try:
        data = paths.read_bytes(folder, name) if kind else b""
    except paths.Unreadable:
        data = b""
    return Response(data, 200, NEVER, kind) if data else Response(status_code=404)
