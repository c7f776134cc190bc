"""Starlette endpoints for sheets and rulebooks, and what all endpoints share."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardgen.book.manuscript import RULEBOOK_FOLDER
from cardgen.book.model import EDITIONS, PAGE_FORMATS
from cardgen.core.problems import Problem, Source
from cardgen.core.work_limits import LimitExceededError
from cardgen.game.card_notes import CardNote
from cardgen.pdf.ink_modes import FULL_INK
from cardgen.preview import messages
from cardgen.preview.auth import GUEST_SCOPE_KEY
from cardgen.preview.messages import BookInfo, BookViewRequest, GameLocation
from cardgen.preview.scheduler import PreviewScheduler
from cardgen.preview.sheet_choices import SheetChoices, parse_choices
from cardgen.preview.state import Json, problem_to_json
from cardgen.preview.worker_queue import WorkerQueue
from cardgen.preview.workers import book_worker, game_queries, raster_worker, sheet_worker
from cardgen.runtime import game_files

MAX_PICTURE_PX = 6000
"""Maximum width of a requested picture."""
CACHE_FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
"""Header for responses whose URL contains a digest of their content."""
NO_STORE = {"cache-control": "no-store"}
MAX_BODY_BYTES = 200_000
MAX_QUERY_CHARS = 40
MAX_CHOICES_CHARS = 20_000
MAX_REMEMBERED_BOOKS = 8
"""Number of books whose pages are known: all editions and formats of one language."""
MAX_MADE_FILES = 400
MAX_BOUND = 1e9
"""Largest bound of a rule, up or down."""
MAX_MADE_FILE_BYTES = 1_000_000_000
MADE_FILE_TYPES = {
    ".pdf": "application/pdf",
    ".dxf": "image/vnd.dxf",
    ".svg": "text/plain; charset=utf-8",
}
"""Cut files in SVG are served as text: as an image they could run their scripts."""


class JsonResponse(Response):
    """JSON in ASCII, so that any browser reads lone surrogates in it, too."""

    media_type = "application/json"

    def __init__(self, value: Any) -> None:
        super().__init__(dump_json(value).encode(), headers=NO_STORE)


def make_picture_response(
    data: bytes | None, headers: Mapping[str, str] = CACHE_FOREVER
) -> Response:
    """Return a PNG, or that there is none (any more), which browsers report as no error."""
    if data is None:
        return Response(status_code=204, headers=NO_STORE)
    return Response(data, 200, headers, "image/png")


def dump_json(value: Any) -> str:
    """Return a value as compact JSON in ASCII."""
    return json.dumps(value, separators=(",", ":"))


async def read_body(request: Request) -> Any:
    """Return the JSON of a request's body; None when it is no JSON or too long."""
    data = await read_bytes(request, MAX_BODY_BYTES)
    return None if data is None else _parse_json(data)


async def read_bytes(request: Request, most: int) -> bytes | None:
    """Return a request's body; None when it is longer than `most` bytes."""
    data = bytearray()
    async for part in request.stream():
        data += part
        if len(data) > most:
            return None
    return bytes(data)


def _parse_json(text: str | bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


class _SlowEndpoints:
    """Endpoints whose answers take long."""

    def __init__(self, scheduler: PreviewScheduler) -> None:
        self._scheduler, self._location = scheduler, scheduler.location

    def _get_worker(self, request: Request) -> WorkerQueue:
        return self._scheduler.get_slow_worker(guest=request.scope[GUEST_SCOPE_KEY])


class RuleEndpoints:
    """Endpoints for the game's rules."""

    def __init__(self, scheduler: PreviewScheduler) -> None:
        self._scheduler = scheduler

    def list_routes(self) -> list[Route]:
        """Return the routes, relative to the token in the path."""
        return [
            Route("/rules", self.serve_rules),
            Route("/bound", self.change_bound, methods=["POST"]),
        ]

    async def serve_rules(self, request: Request) -> Response:
        """Serve the results of the game's rules."""
        guest = request.scope[GUEST_SCOPE_KEY]
        rules = await self._scheduler.answer_query(
            lambda _: [], game_queries.report_rules, guest=guest
        )
        return JsonResponse(rules)

    async def change_bound(self, request: Request) -> Response:
        """Write another number for a bound into the file of the rules."""
        body = await read_body(request)
        try:
            line, key = int(body["line"]), str(body["key"])
            was, value = (_parse_number(body[name]) for name in ("was", "value"))
        except (TypeError, LookupError, ValueError, OverflowError):
            return Response(status_code=400)
        why = await self._scheduler.renderer.call_in_turn(
            str, game_queries.change_bound, self._scheduler.location, line, key, was, value
        )
        return JsonResponse({"why": why})


class NoteEndpoints:
    """Endpoints for notes about cards, which guests do not see."""

    def __init__(self, scheduler: PreviewScheduler) -> None:
        self._scheduler, self._location = scheduler, scheduler.location

    def list_routes(self) -> list[Route]:
        """Return the routes, relative to the token in the path."""
        return [
            Route("/notes", self.serve_notes),
            Route("/notes/add", self.add_note, methods=["POST"]),
            Route("/notes/resolve", self.resolve_note, methods=["POST"]),
        ]

    async def serve_notes(self, _: Request) -> Response:
        """Serve all notes."""
        notes = await self._scheduler.renderer.call_in_turn(
            lambda error: {"notes": (), "why": str(error)}, game_queries.list_notes, self._location
        )
        return JsonResponse(notes)

    async def add_note(self, request: Request) -> Response:
        """Write a new note."""
        body = await read_body(request)
        if not isinstance(body, dict):
            return Response(status_code=400)
        card, text = (str(body.get(key, "")) for key in ("card", "text"))
        why = await self._scheduler.renderer.call_in_turn(
            str, game_queries.add_note, self._location, card, text
        )
        return JsonResponse({"why": why})

    async def resolve_note(self, request: Request) -> Response:
        """Write whether a note is settled."""
        body = await read_body(request)
        try:
            card, text, line = str(body["card"]), str(body["text"]), int(body["line"])
            note = CardNote(card, text, resolved=body["resolved"] is True, line=line)
        except (TypeError, LookupError, ValueError, OverflowError):
            return Response(status_code=400)
        why = await self._scheduler.renderer.call_in_turn(
            str, game_queries.resolve_note, self._location, note
        )
        return JsonResponse({"why": why})


def _parse_number(given: Any) -> float:
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not abs(given) <= MAX_BOUND:
        raise ValueError
    number: float = given
    return number


class SheetEndpoints(_SlowEndpoints):
    """Endpoints for print sheets. A file that was built gets a URL with a random token, which
    leads to that file only."""

    def __init__(self, scheduler: PreviewScheduler) -> None:
        super().__init__(scheduler)
        self._made_files: dict[str, tuple[Path, str]] = {}

    def list_routes(self) -> list[Route]:
        """Return the routes, relative to the token in the path."""
        return [
            Route("/sheets", self.serve_sheets),
            Route("/sheets/ink", self.serve_ink),
            Route("/sheets/make", self.make_sheets, methods=["POST"]),
            Route("/sheet/{key}/{width:int}", self.serve_sheet_page),
            Route("/made/{token}/{name}", self.serve_made_file),
        ]

    async def serve_sheets(self, request: Request) -> Response:
        """Serve the layout of the chosen sheets."""
        given = _parse_query(request)
        return await self._answer_choices(sheet_worker.arrange_sheets, request, given)

    async def serve_ink(self, request: Request) -> Response:
        """Serve the ink that the chosen sheets take."""
        return await self._answer_choices(sheet_worker.measure_ink, request, _parse_query(request))

    async def make_sheets(self, request: Request) -> Response:
        """Build the chosen sheets and serve their URLs."""
        given = await read_body(request)
        return await self._answer_choices(sheet_worker.make_sheets, request, given)

    async def _answer_choices(
        self, function: Callable[[GameLocation, SheetChoices], Json], request: Request,
        given: Any,
    ) -> Response:  # fmt: skip
        choices = parse_choices(given)
        if request.scope[GUEST_SCOPE_KEY]:  # a repository may hold more than this game
            choices = replace(choices, changed=False, since="")
        answer = await self._get_worker(request).call_in_turn(
            lambda error: {"files": None, "why": [{"message": str(error)}]},
            function, self._location, choices,
        )  # fmt: skip
        if "folder" in answer:
            folder = self._location.root / answer["folder"]
            for file in answer["files"]:
                file["href"] = self._make_file_url(folder, file["path"])
        return JsonResponse(answer)

    def _make_file_url(self, folder: Path, path: str) -> str:
        token = next((t for t, made in self._made_files.items() if made == (folder, path)), "")
        if not token:
            token = secrets.token_urlsafe(12)
            self._made_files[token] = folder, path
            while len(self._made_files) > MAX_MADE_FILES:
                self._made_files.pop(next(iter(self._made_files)))
        return f"made/{token}/{quote(Path(path).name)}"

    async def serve_sheet_page(self, request: Request) -> Response:
        """Serve a page of a sheet file as PNG, `width` px wide."""
        key, width = request.path_params["key"], request.path_params["width"]
        if not 1 <= width <= MAX_PICTURE_PX:
            return Response(status_code=404)
        found = await self._get_worker(request).call_in_turn(
            lambda _: None, sheet_worker.draw_sheet_page, self._location, key, width
        )
        data, is_complete = found or (None, False)
        return make_picture_response(data, CACHE_FOREVER if is_complete else NO_STORE)

    async def serve_made_file(self, request: Request) -> Response:
        """Serve a file from the build folder."""
        folder, path = self._made_files.get(request.path_params["token"], (Path(), ""))
        content_type = MADE_FILE_TYPES.get(Path(path).suffix)
        if not content_type:
            return Response(status_code=404, headers=NO_STORE)
        try:
            data = await asyncio.to_thread(game_files.read_bytes, folder, path, MAX_MADE_FILE_BYTES)
        except game_files.UnreadableError:
            return Response(status_code=404, headers=NO_STORE)
        disposition = f"inline; filename*=UTF-8''{quote(Path(path).name)}"
        headers = {**NO_STORE, "content-disposition": disposition}
        return Response(data, 200, headers, content_type)


def _parse_query(request: Request) -> Any:
    return _parse_json(request.query_params.get("choices", "")[:MAX_CHOICES_CHARS])


class BookEndpoints(_SlowEndpoints):
    """Endpoints for rulebooks: their pages, pictures of these, and lines of the Markdown."""

    def __init__(self, scheduler: PreviewScheduler) -> None:
        super().__init__(scheduler)
        self._books: OrderedDict[BookViewRequest, BookInfo] = OrderedDict()

    def list_routes(self) -> list[Route]:
        """Return the routes, relative to the token in the path."""
        return [
            Route("/book", self.serve_book),
            Route("/book/finished", self.serve_finished_book),
            Route("/book/page/{picture}/{width:int}", self.serve_book_page),
            Route("/book/line/{picture}/{block:int}/{element:int}", self.serve_source_line),
        ]

    async def serve_book(self, request: Request) -> Response:
        """Serve the layout of a book: its pages, contents and problems."""
        wanted = self._parse_book_request(request)
        book = await self._get_worker(request).call_in_turn(
            lambda error: _describe_failure(wanted, error), book_worker.update_book, wanted
        )
        return self._answer_book(wanted, book)

    async def serve_finished_book(self, request: Request) -> Response:
        """Serve a book once its PDF is written, with the pages of its problems."""
        wanted = self._parse_book_request(request)
        worker = self._get_worker(request)
        try:
            book = await worker.call_in_turn(None, book_worker.finish_book, wanted)
            if book is None:
                return Response(status_code=404, headers=NO_STORE)
            places = await worker.call_in_turn(None, book_worker.locate_problems, wanted)
        except LimitExceededError as error:
            book, places = _describe_failure(wanted, error), ()
        return self._answer_book(wanted, book, places)

    def _parse_book_request(self, request: Request) -> BookViewRequest:
        language, edition, page_format = (
            request.query_params.get(name, "")[:MAX_QUERY_CHARS]
            for name in ("language", "edition", "format")
        )
        return BookViewRequest(
            self._location, language, edition if edition in EDITIONS else messages.PLAYER_EDITION,
            page_format if page_format in PAGE_FORMATS else messages.A4_FORMAT,
        )  # fmt: skip

    def _answer_book(
        self, wanted: BookViewRequest, book: BookInfo, places: tuple[tuple[int, float], ...] = ()
    ) -> Response:
        """Remember a book's pages and return it as JSON; `places` are those of its problems."""
        self._books[wanted] = book
        self._books.move_to_end(wanted)
        if len(self._books) > MAX_REMEMBERED_BOOKS:
            self._books.popitem(last=False)
        places = (*places, *[(-1, 0.0)] * len(book.problems))
        fields: dict[str, Any] = {
            **vars(book),
            "pages": [vars(page) for page in book.pages],
            "problems": [
                {**problem_to_json(problem), "page": page, "top": top}
                for problem, (page, top) in zip(book.problems, places, strict=False)
            ],
            "whole": book.path is not None,
            "editions": EDITIONS,
            "formats": tuple(PAGE_FORMATS),
        }
        del fields["path"]
        return JsonResponse(fields)

    async def serve_book_page(self, request: Request) -> Response:
        """Serve a page of a book as PNG, `width` px wide."""
        picture, width = request.path_params["picture"], request.path_params["width"]
        if not 1 <= width <= MAX_PICTURE_PX:
            return Response(status_code=404)
        key = picture, width, False, FULL_INK
        data = self._scheduler.pictures.get(key)
        data = data or await self._draw_page(picture, width, request)
        if data is not None:
            self._scheduler.pictures.add(key, data)
        return make_picture_response(data)

    async def _draw_page(self, picture: str, width: int, request: Request) -> bytes | None:
        """Draw a page from the book's PDF or, before there is one, from its layout."""
        finished = (
            (book.path, number)
            for book in reversed(self._books.values())
            for number, page in enumerate(book.pages)
            if book.path is not None and page.picture == picture
        )
        if place := next(finished, None):
            rasteriser = self._scheduler.get_raster_worker(guest=request.scope[GUEST_SCOPE_KEY])
            data = await rasteriser.call_in_turn(
                lambda _: None, raster_worker.draw_book_page, *place, width
            )
            if data is not None:
                return data
        return await self._get_worker(request).call_in_turn(
            lambda _: None, book_worker.draw_layout_page, self._location, picture, width
        )

    async def serve_source_line(self, request: Request) -> Response:
        """Serve the file and line of an element of a page."""
        element = (request.path_params[name] for name in ("picture", "block", "element"))
        source = await self._get_worker(request).call_in_turn(
            lambda _: None, book_worker.find_source_line, self._location, *element
        )
        return JsonResponse({} if source is None else {"path": source.path, "line": source.line})


def _describe_failure(wanted: BookViewRequest, error: LimitExceededError) -> BookInfo:
    message = f"cannot typeset the rulebook: {error}"
    problem = Problem(Source(RULEBOOK_FOLDER), message, "bounds")
    return BookInfo(edition=wanted.edition, format=wanted.format, problems=(problem,))
