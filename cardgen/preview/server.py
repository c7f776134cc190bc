"""The server of the preview: the page, pictures of faces, and what happens to the wall."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount, Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from cardgen.game import fonts_file
from cardgen.pdf.ink_modes import InkMode
from cardgen.preview import addresses, editor_launcher, endpoints, file_watcher
from cardgen.preview.addresses import LOOPBACK
from cardgen.preview.auth import GUEST_SCOPE_KEY, AllowedHost, AuthMiddleware
from cardgen.preview.endpoints import (
    CACHE_FOREVER,
    MAX_BODY_BYTES,
    MAX_PICTURE_PX,
    NO_STORE,
    JsonResponse,
    read_body,
)
from cardgen.preview.scheduler import VIEW_FILE, PictureGoneError, PreviewScheduler
from cardgen.preview.workers.render_worker import GameLocation
from cardgen.runtime import game_files
from cardgen.runtime.content_store import STORE_FOLDER, Store, digest_parts
from cardgen.runtime.safe_files import PathBlockedError
from cardgen.runtime.worker_pool import ResidentWorker

SILENCE_LIMIT_SECONDS = 10.0
"""So long a connection may ask nothing."""
MAX_LAN_CONNECTIONS = 60
"""So many connections all other machines together may hold."""


class BoundedConnection(H11Protocol):
    """Bounds what those can hold who never ask for anything."""

    _lan_connections: ClassVar[set[BoundedConnection]] = set()
    _is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, unless the room has too many."""
        peer: Any = transport.get_extra_info("peername")
        if not peer or peer[0] != LOOPBACK:
            if len(self._lan_connections) >= MAX_LAN_CONNECTIONS:
                self._is_refused = True
                transport.abort()
                return
            self._lan_connections.add(self)
        super().connection_made(transport)
        self.loop.call_later(SILENCE_LIMIT_SECONDS, self._close_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of it."""
        self._lan_connections.discard(self)
        if not self._is_refused:
            super().connection_lost(exc)

    def _close_if_silent(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


PAGE_FOLDER = Path(__file__).parent / "page"
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".ttf": "font/ttf",
}  # fmt: skip
MAX_EXPRESSION_CHARS, MAX_REVISION_CHARS = 2000, 200
MAX_VISIBLE_FACES = 1000
MAX_GUEST_PICTURE_PX = 2400
KEEP_ALIVE_SECONDS = 15.0
"""Seconds of silence after which a page is told that all is well."""
RECONNECT_MS = 500
"""After so long a page asks again for a preview that has ended."""


class PortTakenError(Exception):
    """The port that was asked for is another's."""


class UvicornServer(uvicorn.Server):
    """Leaves the signals to the command: an interrupt ends it at once."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield


class PreviewApp:
    """One preview: its room, and what the page asks."""

    def __init__(self, place: GameLocation, editor: str, reader: ResidentWorker) -> None:
        self.place, self.editor = place, editor
        self.scheduler = PreviewScheduler(place, reader)
        self._store = Store(place.root / STORE_FOLDER)
        files = game_files.list_folder(PAGE_FOLDER.parent, PAGE_FOLDER.name).files
        self._page_digest = digest_parts(
            [game_files.read_bytes(PAGE_FOLDER.parent, file) for file in sorted(files)]
        )
        """Which page it is: one of another cardgen's that is still open is loaded anew."""

    def make_app(self, doors: Iterable[AllowedHost]) -> AuthMiddleware:
        """All that is answered, behind the manners."""
        routes = [
            Route("/", self.serve_page_file),
            Route("/page/{name}", self.serve_page_file),
            Route("/font/{name:path}", self.serve_font),
            Route("/events", self.stream_events),
            Route("/picture/{picture}/{width:int}", self.serve_picture),
            Route("/inside/{picture}", self.serve_inspection),
            Route("/where", self.serve_matching_cards),
            Route("/card/{deck}/{card}", self.serve_card),
            Route("/past/{deck}/{card}", self.serve_past_card),
            Route("/rules", self.serve_rules),
            Route("/view", self.handle_view, methods=["GET", "PUT"]),
            Route("/seeing", self.note_visible_faces, methods=["POST"]),
            Route("/open", self.open_source, methods=["POST"]),
            *endpoints.SheetEndpoints(self.scheduler, self.place).list_routes(),
            *endpoints.TableEndpoints(self.scheduler, self.place).list_routes(),
            *endpoints.list_book_routes(self.scheduler, self.place),
        ]
        return AuthMiddleware(Starlette(routes=[Mount("/{token}", routes=routes)]), doors)

    async def serve_page_file(self, request: Request) -> Response:
        """A file of the page."""
        return _serve_own_file(PAGE_FOLDER, request.path_params.get("name", "index.html"))

    async def serve_font(self, request: Request) -> Response:
        """A font of the page's: those that come with cardgen."""
        return _serve_own_file(fonts_file.BUILTIN_FONTS_FOLDER, request.path_params["name"])

    async def stream_events(self, request: Request) -> Response:
        """What happens to the wall, for as long as somebody looks."""

        async def format_events() -> AsyncIterator[bytes]:
            yield f"retry: {RECONNECT_MS}\n\n".encode()
            with self.scheduler.subscribe() as queue:
                while True:
                    try:
                        event = await asyncio.wait_for(queue.get(), KEEP_ALIVE_SECONDS)
                    except TimeoutError:
                        event = {"alive": True, "away": self.scheduler.is_folder_gone}
                    if "wall" in event:
                        event = {**event, "page": self._page_digest}
                    yield f"data: {endpoints.dump_json(event)}\n\n".encode()

        return StreamingResponse(format_events(), 200, NO_STORE, "text/event-stream")

    async def serve_picture(self, request: Request) -> Response:
        """A face as it is printed, so many px wide; with its bleed when `?bleed`, in the colours of
        sheets with `?low-ink` and in `?grayscale`."""
        picture, width = request.path_params["picture"], request.path_params["width"]
        asked = request.query_params
        if not 1 <= width <= MAX_PICTURE_PX:
            return Response(status_code=404)
        width = min(width, MAX_GUEST_PICTURE_PX) if request.scope[GUEST_SCOPE_KEY] else width
        try:
            ink = InkMode("low-ink" in asked, "grayscale" in asked)
            data = await self.scheduler.get_picture(picture, width, bleed="bleed" in asked, ink=ink)
        except PictureGoneError:
            return Response(status_code=404, headers=NO_STORE)
        return Response(data, 200, CACHE_FOREVER, "image/png")

    async def serve_inspection(self, request: Request) -> Response:
        """The boxes and texts of a face."""
        return JsonResponse(
            await self.scheduler.get_face_inspection(request.path_params["picture"])
        )

    async def serve_matching_cards(self, request: Request) -> Response:
        """The cards for which an expression holds."""
        asked = request.query_params.get("expression", "")[:MAX_EXPRESSION_CHARS]
        cards, why = await self.scheduler.get_matching_cards(
            asked, guest=request.scope[GUEST_SCOPE_KEY]
        )
        return JsonResponse({"cards": cards, "why": why})

    async def serve_card(self, request: Request) -> Response:
        """The fields of a card, each with its line."""
        name = request.path_params["deck"], request.path_params["card"]
        return JsonResponse(await self.scheduler.get_card_fields(*name))

    async def serve_past_card(self, request: Request) -> Response:
        """A card as it was `?at=printed`, or at a revision or date."""
        name = request.path_params["deck"], request.path_params["card"]
        if request.scope[GUEST_SCOPE_KEY]:  # a repository may hold more than this game
            return JsonResponse(
                {"why": "what was there before is told on the machine that shows this"}
            )
        then = request.query_params.get("at", "")[:MAX_REVISION_CHARS]
        return JsonResponse(await self.scheduler.get_past_card(*name, then))

    async def serve_rules(self, _: Request) -> Response:
        """How the game's rules stand."""
        return JsonResponse(await self.scheduler.get_rules())

    async def handle_view(self, request: Request) -> Response:
        """How the page was last looked at: kept in the store, so that it outlives both ends."""
        path = self._store.get_path("preview", VIEW_FILE)
        if request.method == "GET":
            return JsonResponse(self._store.read_json(path, MAX_BODY_BYTES))
        kept = await read_body(request)
        if not isinstance(kept, dict):
            return Response(status_code=400)
        with contextlib.suppress(OSError, PathBlockedError):  # then it is forgotten
            self._store.write_json(path, kept)
        return Response(status_code=204)

    async def note_visible_faces(self, request: Request) -> Response:
        """Take note of the faces on the screen: they are seen to before all others."""
        names = await read_body(request)
        if not isinstance(names, list):
            return Response(status_code=400)
        self.scheduler.visible_faces = tuple(str(name) for name in names[:MAX_VISIBLE_FACES])
        return Response(status_code=204)

    async def open_source(self, request: Request) -> Response:
        """A line of the game's files in the user's editor."""
        asked = await read_body(request)
        try:
            name, line = str(asked["path"]), int(asked["line"])
            why = editor_launcher.open_in_editor(self.place.root, self.editor, name, line)
        except (TypeError, LookupError, ValueError, OverflowError):
            return Response(status_code=400)
        return JsonResponse({"why": why})

    async def watch_files(self) -> None:
        """Tell the room of every save, for ever."""
        async for there in file_watcher.watch_saves(self.place.root):
            if there:
                self.scheduler.notify_save()
            self.scheduler.notify_folder(not there)


class ServerOptions(NamedTuple):
    """What is asked of a preview: the editor's command, the port (0 for the game's own), the folder
    of the user's own settings, and this machine's address in the room, "" to be seen by nobody."""

    editor: str
    port: int
    settings: Path
    lan_address: str = ""


class PreviewAddresses(NamedTuple):
    """The addresses to open: on this machine, and in the room, "" for none."""

    local: str
    lan: str


def serve_preview(
    place: GameLocation,
    asked: ServerOptions,
    ready: Callable[[PreviewAddresses], None],
    reader: ResidentWorker,
) -> None:
    """Serve a game's preview until it is interrupted. `ready` is told where; `reader` is the
    process to read the game in. Raises `Taken`."""
    for name in ("asyncio", "uvicorn", "uvicorn.error", "watchfiles"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
    secret, own = addresses.load_secret(asked.settings), f"{place.root.resolve()}\0{place.variant}"
    hosts = [LOOPBACK, *filter(None, [asked.lan_address])]
    with contextlib.ExitStack() as held:
        wanted = iter([asked.port]) if asked.port else addresses.list_ports(secret, own)
        listening = _open_sockets(hosts, wanted)
        for each in listening:
            held.enter_context(each)
        port = listening[0].getsockname()[1]
        here = addresses.make_token(secret, own, port)
        doors = [AllowedHost(f"{name}:{port}", here) for name in (LOOPBACK, "localhost")]
        told = PreviewAddresses(f"http://{LOOPBACK}:{port}/{here}/", "")
        if asked.lan_address:  # its word goes through the air, so it is another
            guests = addresses.make_token(secret, f"room\0{own}", port)
            doors.append(AllowedHost(f"{asked.lan_address}:{port}", guests, is_guest=True))
            told = told._replace(lan=f"http://{asked.lan_address}:{port}/{guests}/")
        serving = PreviewApp(place, asked.editor, reader)
        asyncio.run(_run_server(serving, doors, listening, lambda: ready(told)))


def _open_sockets(hosts: Iterable[str], ports: Iterator[int]) -> list[socket.socket]:
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
    raise PortTakenError(why)


async def _run_server(
    serving: PreviewApp,
    doors: Iterable[AllowedHost],
    listening: list[socket.socket],
    ready: Callable[[], None],
) -> None:
    config = uvicorn.Config(
        serving.make_app(doors), http=BoundedConnection, ws="none", lifespan="off", log_config=None,
        access_log=False, server_header=False, date_header=False,
    )  # fmt: skip
    ready()
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(serving.scheduler.run_forever())
            tasks.create_task(serving.watch_files())
            tasks.create_task(UvicornServer(config).serve(listening))
    finally:
        serving.scheduler.close()


def _serve_own_file(folder: Path, name: str) -> Response:
    """A file of cardgen's own."""
    kind = CONTENT_TYPES.get(Path(name).suffix)
    try:
        data = game_files.read_bytes(folder, name) if kind else b""
    except game_files.UnreadableError:
        data = b""
    return Response(data, 200, NO_STORE, kind) if data else Response(status_code=404)
