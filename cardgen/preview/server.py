"""The preview's HTTP server: sockets, and the endpoints of the page and of cards."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar, NamedTuple

import uvicorn
import watchfiles
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Mount, Route
from uvicorn.protocols.http.h11_impl import H11Protocol
from watchfiles.main import FileChange

from cardgen.game import fonts_file, unused_files
from cardgen.pdf.ink_modes import InkMode
from cardgen.preview import auth, editor_launcher, endpoints
from cardgen.preview.auth import (
    GUEST_SCOPE_KEY,
    LOOPBACK,
    NEXT_TOKEN_SCOPE_KEY,
    AllowedHost,
    AuthMiddleware,
    LaunchAddress,
)
from cardgen.preview.edit_endpoints import EditEndpoints
from cardgen.preview.endpoints import NO_STORE, JsonResponse, make_picture_response, read_body
from cardgen.preview.messages import GameLocation
from cardgen.preview.scheduler import VIEW_FILE, PictureGoneError, PreviewScheduler
from cardgen.preview.state import StateWriter
from cardgen.preview.workers import game_queries, table_worker
from cardgen.runtime import fingerprint, game_files, user_secret
from cardgen.runtime.content_store import STORE_FOLDER, Store, digest_parts
from cardgen.runtime.safe_files import PathBlockedError
from cardgen.runtime.worker_pool import ResidentWorker

_SECRETS_FOLDER = "previews"
MAX_WATCHED_FOLDERS = 2000
QUIET_MS, MAX_DEBOUNCE_MS = 15, 200
"""A save is reported after this pause without changes, or at the latest after that time."""
RESCAN_MS = 1000
"""Interval at which new folders are looked for, and a game folder that was moved."""


def list_folders(root: Path) -> set[Path]:
    """Return the folders that hold the game's files."""
    folders = {root}
    for name in unused_files.GAME_FOLDERS:
        if fingerprint.is_plain_folder(root / name):
            folders.add(root / name)
            files = map(PurePosixPath, game_files.list_folder(root, name).files)
            folders.update(root / parent for file in files for parent in file.parents)
    return set(sorted(folders)[:MAX_WATCHED_FOLDERS])


def _digest_files(root: Path, folders: set[Path]) -> list[str]:
    """Return a digest of each folder's files and their stamps."""
    scan = fingerprint.FolderScan(root)
    names = (folder.relative_to(root).as_posix().removeprefix(".") for folder in sorted(folders))
    return [scan.get_fingerprint(f"{name}/") for name in names]


async def watch_saves(root: Path) -> AsyncGenerator[bool, None]:
    """Yield whenever something may have been saved: whether the game's folder still exists.

    A watcher reports nothing that happens before it is ready. What was saved until then is found by
    comparing the files with those that were there before the previous value was yielded.
    """
    while True:
        watched = await asyncio.to_thread(list_folders, root)
        before = await asyncio.to_thread(_digest_files, root, watched)
        exists = fingerprint.is_plain_folder(root)
        yield exists
        if not exists:  # even if it is back by now: that is yielded next
            await asyncio.sleep(RESCAN_MS / 1000)
            continue
        is_compared = False
        async for changes in _watch_folders(watched):
            if (watchfiles.Change.deleted, str(root)) in changes:
                yield False  # it was moved, even if it is back by now
                break
            if changes or (
                not is_compared and await asyncio.to_thread(_digest_files, root, watched) != before
            ):
                yield True
            is_compared = True
            if await asyncio.to_thread(list_folders, root) != watched:
                break  # a folder was added or removed: yield, since files in it may be new


async def _watch_folders(
    watched: set[Path],
) -> AsyncGenerator[set[FileChange], None]:
    existing = [path for path in watched if fingerprint.is_plain_folder(path)]
    with contextlib.suppress(FileNotFoundError):  # a folder was removed or renamed in between
        async for changes in watchfiles.awatch(
            *existing, watch_filter=None, step=QUIET_MS, debounce=MAX_DEBOUNCE_MS,
            rust_timeout=RESCAN_MS, yield_on_timeout=True, recursive=False,
        ):  # fmt: skip
            yield changes


PAGE_FOLDER = Path(__file__).parent / "page"
CONTENT_TYPES = {
    ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".ttf": "font/ttf",
}  # fmt: skip
MAX_EXPRESSION_CHARS, MAX_REVISION_CHARS = 2000, 200
MAX_VISIBLE_FACES = 1000
MAX_GUEST_PICTURE_PX = 2400
KEEP_ALIVE_SECONDS = 15.0
"""Interval of the events that tell a page that the preview is running."""
RECONNECT_MS = 500
"""Interval at which a page looks for a preview that has ended."""
SILENCE_LIMIT_SECONDS = 10.0
"""Time after which a connection without a request is closed."""
MAX_LAN_CONNECTIONS = 60
"""Number of connections that all other machines together may hold."""


class PortTakenError(Exception):
    """The requested port is in use."""


class BoundedConnection(H11Protocol):
    """HTTP connection that is closed when it sends no request, or when there are too many."""

    _lan_connections: ClassVar[set[BoundedConnection]] = set()
    _is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, unless too many other machines are connected."""
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
        """Release the connection."""
        self._lan_connections.discard(self)
        if not self._is_refused:
            super().connection_lost(exc)

    def _close_if_silent(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()


class UvicornServer(uvicorn.Server):
    """Server that leaves signals to the command, so that an interrupt ends it at once."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield


class PreviewApp:
    """The endpoints of one preview, and its scheduler."""

    def __init__(self, location: GameLocation, editor: str, renderer: ResidentWorker) -> None:
        self.location, self.editor = location, editor
        self.scheduler = PreviewScheduler(location, renderer)
        self._store = Store(location.root / STORE_FOLDER)
        files = game_files.list_folder(PAGE_FOLDER.parent, PAGE_FOLDER.name).files
        self._page_digest = digest_parts(
            [game_files.read_bytes(PAGE_FOLDER.parent, file) for file in sorted(files)]
        )
        """Version of the page: a page of another cardgen that is still open reloads itself."""
        self._state_writer = StateWriter()

    def make_app(self, access: Access) -> AuthMiddleware:
        """Return the ASGI app with its access checks."""
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
            *endpoints.RuleEndpoints(self.scheduler).list_routes(),
            *endpoints.NoteEndpoints(self.scheduler).list_routes(),
            Route("/view", self.handle_view, methods=["GET", "PUT"]),
            Route("/seeing", self.note_visible_faces, methods=["POST"]),
            Route("/open", self.open_source, methods=["POST"]),
            *endpoints.SheetEndpoints(self.scheduler).list_routes(),
            Route("/table/{language}", self.serve_table),
            *endpoints.BookEndpoints(self.scheduler).list_routes(),
            *EditEndpoints(self.scheduler).list_routes(),
        ]
        return AuthMiddleware(Starlette(routes=[Mount("/{token}", routes=routes)]), *access)

    async def serve_page_file(self, request: Request) -> Response:
        """Serve a file of the page."""
        return _serve_own_file(PAGE_FOLDER, request.path_params.get("name", "index.html"))

    async def serve_font(self, request: Request) -> Response:
        """Serve one of the fonts that come with cardgen, which the page uses."""
        return _serve_own_file(fonts_file.BUILTIN_FONTS_FOLDER, request.path_params["name"])

    async def stream_events(self, request: Request) -> Response:
        """Stream the state and its changes as server-sent events."""
        next_token = request.scope[NEXT_TOKEN_SCOPE_KEY]

        async def format_events() -> AsyncIterator[bytes]:
            yield f"retry: {RECONNECT_MS}\n\n".encode()
            with self.scheduler.subscribe() as queue:
                while True:
                    try:
                        event = await asyncio.wait_for(queue.get(), KEEP_ALIVE_SECONDS)
                    except TimeoutError:
                        event = {"alive": True}
                    yield self._format_event(event, next_token)

        return StreamingResponse(format_events(), 200, NO_STORE, "text/event-stream")

    def _format_event(self, event: Mapping[str, Any], next_token: str) -> bytes:
        """Return an event as it is sent to a page."""
        rest = {**event, "away": self.scheduler.is_folder_gone}
        if "wall" not in rest:
            return f"data: {endpoints.dump_json(rest)}\n\n".encode()
        wall = self._state_writer.write(rest.pop("wall"))
        rest |= {"page": self._page_digest, "next": next_token}
        return b'data: {"wall":%b,%b\n\n' % (wall, endpoints.dump_json(rest)[1:].encode())

    async def serve_picture(self, request: Request) -> Response:
        """Serve a face as PNG, `width` px wide.

        Query flags: `bleed` for the bleed, `low-ink` and `grayscale` for the colours of sheets.
        """
        picture, width = request.path_params["picture"], request.path_params["width"]
        flags = request.query_params
        if not 1 <= width <= endpoints.MAX_PICTURE_PX:
            return Response(status_code=404)
        width = min(width, MAX_GUEST_PICTURE_PX) if request.scope[GUEST_SCOPE_KEY] else width
        try:
            ink = InkMode("low-ink" in flags, "grayscale" in flags)
            data = await self.scheduler.get_picture(
                picture,
                width,
                bleed="bleed" in flags,
                ink=ink,
                guest=request.scope[GUEST_SCOPE_KEY],
            )
        except PictureGoneError:
            return make_picture_response(None)
        return make_picture_response(data)

    async def serve_inspection(self, request: Request) -> Response:
        """Serve the boxes and texts of a face."""
        picture = request.path_params["picture"]
        guest = request.scope[GUEST_SCOPE_KEY]
        return JsonResponse(await self.scheduler.get_face_inspection(picture, guest=guest))

    async def serve_matching_cards(self, request: Request) -> Response:
        """Serve the cards for which an expression holds."""
        where = request.query_params.get("expression", "")[:MAX_EXPRESSION_CHARS]
        guest = request.scope[GUEST_SCOPE_KEY]
        cards, why = await self.scheduler.get_matching_cards(where, guest=guest)
        return JsonResponse({"cards": cards, "why": why})

    async def serve_card(self, request: Request) -> Response:
        """Serve the fields of a card, each with its line."""
        name = request.path_params["deck"], request.path_params["card"]
        guest = request.scope[GUEST_SCOPE_KEY]
        fields = await self.scheduler.answer_query(
            lambda _: [], game_queries.list_card_fields, *name, guest=guest
        )
        return JsonResponse(fields)

    async def serve_past_card(self, request: Request) -> Response:
        """Serve an earlier version of a card: `?at=` is `printed`, a revision or a date."""
        name = request.path_params["deck"], request.path_params["card"]
        when = request.query_params.get("at", "")[:MAX_REVISION_CHARS]
        return JsonResponse(await self.scheduler.get_past_card(*name, when))

    async def serve_table(self, request: Request) -> Response:
        """Serve the positions of all things on the virtual table, in one language."""
        language = request.path_params["language"]
        worker = self.scheduler.get_slow_worker(guest=request.scope[GUEST_SCOPE_KEY])
        table = await worker.call_in_turn(
            lambda error: {"things": None, "why": [{"message": str(error)}]},
            table_worker.lay_out_table, self.location, language,
        )  # fmt: skip
        return JsonResponse(table)

    async def handle_view(self, request: Request) -> Response:
        """Load or store the page's scroll position and settings, which outlive the preview."""
        path = self._store.get_path("preview", VIEW_FILE)
        if request.method == "GET":
            return JsonResponse(self._store.read_json(path, endpoints.MAX_BODY_BYTES))
        view = await read_body(request)
        if not isinstance(view, dict):
            return Response(status_code=400)
        with contextlib.suppress(OSError, PathBlockedError):  # then it is lost
            self._store.write_json(path, view)
        return Response(status_code=204)

    async def note_visible_faces(self, request: Request) -> Response:
        """Note the faces on the screen, which are typeset before all others."""
        names = await read_body(request)
        if not isinstance(names, list):
            return Response(status_code=400)
        self.scheduler.visible_faces = tuple(str(name) for name in names[:MAX_VISIBLE_FACES])
        return Response(status_code=204)

    async def open_source(self, request: Request) -> Response:
        """Open a line of the game's files in the user's editor."""
        body = await read_body(request)
        try:
            name, line = str(body["path"]), int(body["line"])
            why = editor_launcher.open_in_editor(self.location.root, self.editor, name, line)
        except (TypeError, LookupError, ValueError, OverflowError):
            return Response(status_code=400)
        return JsonResponse({"why": why})

    async def watch_files(self) -> None:
        """Notify the scheduler of every save, for ever."""
        async for exists in watch_saves(self.location.root):
            if exists:
                self.scheduler.notify_save()
            self.scheduler.notify_folder(not exists)


class ServerOptions(NamedTuple):
    """Options of the command: the editor's command line, the port (0 for the game's own), the
    user's settings folder, and this machine's address in the local network, "" to stay private."""

    editor: str
    port: int
    settings: Path
    lan_address: str = ""


def serve_preview(
    location: GameLocation,
    options: ServerOptions,
    report_addresses: Callable[[str, str, str], None],
    renderer: ResidentWorker,
) -> None:
    """Serve a game's preview until it is interrupted.

    `report_addresses` is called once the sockets listen, with the URLs on this machine, in the
    local network, "" for none, and for the command line of a browser. Raises `PortTakenError`.
    """
    for name in ("asyncio", "uvicorn", "uvicorn.error", "watchfiles"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False
    secret = user_secret.load_secret(options.settings)
    game_key = f"{location.root.resolve()}\0{location.variant}"
    ports = iter([options.port]) if options.port else auth.list_ports(secret, game_key)
    with contextlib.ExitStack() as stack:
        sockets = _open_sockets([LOOPBACK, *filter(None, [options.lan_address])], ports)
        for each in sockets:
            stack.enter_context(each)
        port = sockets[0].getsockname()[1]
        access, urls = _grant_access(options, game_key, port)
        app = PreviewApp(location, options.editor, renderer)
        asyncio.run(_run_server(app, access, sockets, lambda: report_addresses(*urls)))


class Access(NamedTuple):
    """Who may see a preview: the hosts with their tokens, and the address for the browser."""

    hosts: list[AllowedHost]
    launch: LaunchAddress


def _grant_access(options: ServerOptions, game_key: str, port: int) -> tuple[Access, list[str]]:
    """Return who may see a preview at a port, with the URLs for `report_addresses`."""
    secret_file = options.settings / _SECRETS_FOLDER / f"{port}.secret"
    secrets = user_secret.rotate_secret(secret_file)  # of this start and the next one
    hosts, urls = [], []
    # Guests' tokens are sent in the clear, so they get others.
    for name, key in ((LOOPBACK, game_key), (options.lan_address, f"room\0{game_key}")):
        token, following = (auth.make_token(secret, key, port) for secret in secrets)
        for alias in (LOOPBACK, "localhost") if name == LOOPBACK else filter(None, [name]):
            is_guest = name != LOOPBACK
            hosts.append(AllowedHost(f"{alias}:{port}", token, is_guest, following))
        urls.append(f"http://{name}:{port}/{token}/" if name else "")
    launch = LaunchAddress(urls[0], lambda: user_secret.rotate_secret(secret_file))
    return Access(hosts, launch), [*urls, f"http://{LOOPBACK}:{port}{launch.path}"]


def _open_sockets(hosts: Iterable[str], ports: Iterator[int]) -> list[socket.socket]:
    """Listen on all hosts at the first port that is free on each of them."""
    message = ""
    for wanted in ports:
        with contextlib.ExitStack() as stack:
            try:
                port, sockets = wanted, []
                for host in hosts:
                    sockets.append(stack.enter_context(socket.socket()))
                    sockets[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                    sockets[-1].bind((host, port))
                    sockets[-1].listen()
                    port = sockets[0].getsockname()[1]
            except OSError as error:
                message = f"cannot listen at port {port}: {error.strerror}"
                continue
            stack.pop_all()
            return sockets
    raise PortTakenError(message)


async def _run_server(
    app: PreviewApp,
    access: Access,
    sockets: list[socket.socket],
    report_start: Callable[[], None],
) -> None:
    config = uvicorn.Config(
        app.make_app(access), http=BoundedConnection, ws="none", lifespan="off", log_config=None,
        access_log=False, server_header=False, date_header=False,
    )  # fmt: skip
    report_start()
    try:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(app.scheduler.run_forever())
            tasks.create_task(app.watch_files())
            tasks.create_task(UvicornServer(config).serve(sockets))
    finally:
        app.scheduler.close()


def _serve_own_file(folder: Path, name: str) -> Response:
    """Serve a file that comes with cardgen."""
    content_type = CONTENT_TYPES.get(Path(name).suffix)
    try:
        data = game_files.read_bytes(folder, name) if content_type else b""
    except game_files.UnreadableError:
        data = b""
    return Response(data, 200, NO_STORE, content_type) if data else Response(status_code=404)
