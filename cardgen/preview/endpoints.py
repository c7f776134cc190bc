"""What all that answers the page has in common: bodies read within bounds, and how long an answer
may be kept."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import OrderedDict
from collections.abc import Callable
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
from cardgen.pdf.ink_modes import FULL_INK
from cardgen.preview.scheduler import PreviewScheduler
from cardgen.preview.sheet_choices import SheetChoices, parse_choices
from cardgen.preview.state import Json, problem_to_json
from cardgen.preview.workers import book_worker, raster_worker, sheet_worker, table_worker
from cardgen.preview.workers.book_messages import (
    A4_FORMAT,
    PLAYER_EDITION,
    BookInfo,
    BookViewRequest,
)
from cardgen.preview.workers.raster_worker import BookPageRequest
from cardgen.preview.workers.render_worker import GameLocation
from cardgen.runtime import game_files

MAX_PICTURE_PX = 6000
"""So wide a picture may be asked for."""
CACHE_FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
"""Of what is addressed by its content."""
NO_STORE = {"cache-control": "no-store"}
MAX_BODY_BYTES = 200_000
"""So many bytes may be sent."""


class JsonResponse(Response):
    """JSON that any page can read: what is half a character in it, too."""

    media_type = "application/json"

    def __init__(self, value: Any) -> None:
        super().__init__(dump_json(value).encode(), headers=NO_STORE)


def dump_json(value: Any) -> str:
    """A value as JSON, in ASCII."""
    return json.dumps(value, separators=(",", ":"))


async def read_body(request: Request) -> Any:
    """The JSON that is sent; None for what is none, or too much."""
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > MAX_BODY_BYTES:
            return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


MADE_FILE_TYPES = {
    ".pdf": "application/pdf",
    ".dxf": "image/vnd.dxf",
    ".svg": "text/plain; charset=utf-8",
}
"""A cut file is shown as text: an SVG of its own could run what is in it."""
MAX_MADE_FILES = 400
MAX_CHOICES_CHARS = 20_000
MAX_MADE_FILE_BYTES = 1_000_000_000


class SheetEndpoints:
    """Answers about the sheets of a room's game. Of what was made, each file has an address of its
    own, which leads to it alone."""

    def __init__(self, room: PreviewScheduler, place: GameLocation) -> None:
        self._room, self._place = room, place
        self._made_files: dict[str, tuple[Path, str]] = {}

    def list_routes(self) -> list[Route]:
        """What is answered, below the word that nobody can guess."""
        return [
            Route("/sheets", self.serve_sheets),
            Route("/sheets/ink", self.serve_ink),
            Route("/sheets/make", self.make_sheets, methods=["POST"]),
            Route("/sheet/{key}/{width:int}", self.serve_sheet_page),
            Route("/made/{token}/{name}", self.serve_made_file),
        ]

    async def serve_sheets(self, request: Request) -> Response:
        """How the chosen sheets lie."""
        return await self._answer_choices(
            sheet_worker.arrange_sheets, _parse_choices_query(request)
        )

    async def serve_ink(self, request: Request) -> Response:
        """How much ink they take."""
        return await self._answer_choices(sheet_worker.measure_ink, _parse_choices_query(request))

    async def make_sheets(self, request: Request) -> Response:
        """Make them, and tell where they lie."""
        return await self._answer_choices(
            sheet_worker.make_sheets, parse_choices(await read_body(request))
        )

    async def _answer_choices(
        self, function: Callable[[tuple[GameLocation, SheetChoices]], Json], choices: SheetChoices
    ) -> Response:
        try:
            told = await self._room.call_book_worker(function, (self._place, choices))
        except LimitExceededError as stopped:
            return JsonResponse({"files": None, "why": [{"message": str(stopped)}]})
        if "folder" in told:
            folder = self._place.root / told["folder"]
            for file in told["files"]:
                file["href"] = self._make_file_url(folder, file["path"])
        return JsonResponse(told)

    def _make_file_url(self, folder: Path, path: str) -> str:
        token = next((t for t, made in self._made_files.items() if made == (folder, path)), "")
        if not token:
            token = secrets.token_urlsafe(12)
            self._made_files[token] = folder, path
            while len(self._made_files) > MAX_MADE_FILES:
                self._made_files.pop(next(iter(self._made_files)))
        return f"made/{token}/{quote(Path(path).name)}"

    async def serve_sheet_page(self, request: Request) -> Response:
        """A page as it is printed, so many px wide."""
        key, width = request.path_params["key"], request.path_params["width"]
        if not 1 <= width <= MAX_PICTURE_PX:
            return Response(status_code=404)
        try:
            found = await self._room.call_book_worker(
                sheet_worker.draw_sheet_page, (self._place, key, width)
            )
        except LimitExceededError:
            found = None
        if found is None:
            return Response(status_code=404, headers=NO_STORE)
        data, whole = found
        return Response(data, 200, CACHE_FOREVER if whole else NO_STORE, "image/png")

    async def serve_made_file(self, request: Request) -> Response:
        """A file that was made, as it lies in the build folder."""
        folder, path = self._made_files.get(request.path_params["token"], (Path(), ""))
        kind = MADE_FILE_TYPES.get(Path(path).suffix)
        if not kind:
            return Response(status_code=404, headers=NO_STORE)
        try:
            data = await asyncio.to_thread(game_files.read_bytes, folder, path, MAX_MADE_FILE_BYTES)
        except game_files.UnreadableError:
            return Response(status_code=404, headers=NO_STORE)
        name = quote(Path(path).name)
        shown = {**NO_STORE, "content-disposition": f"inline; filename*=UTF-8''{name}"}
        return Response(data, 200, shown, kind)


def _parse_choices_query(request: Request) -> SheetChoices:
    """What is chosen, where it is only looked at."""
    try:
        return parse_choices(
            json.loads(request.query_params.get("choices", "")[:MAX_CHOICES_CHARS])
        )
    except (ValueError, RecursionError):
        return parse_choices(None)


class TableEndpoints:
    """Answers about the table of a room's game."""

    def __init__(self, room: PreviewScheduler, place: GameLocation) -> None:
        self._room, self._place = room, place

    def list_routes(self) -> list[Route]:
        """What is answered, below the word that nobody can guess."""
        return [Route("/table/{language}", self.serve_table)]

    async def serve_table(self, request: Request) -> Response:
        """What lies where, in a language."""
        asked = self._place, request.path_params["language"]
        try:
            told = await self._room.call_book_worker(table_worker.lay_out_table, asked)
        except LimitExceededError as stopped:
            told = {"things": None, "why": [{"message": str(stopped)}]}
        return JsonResponse(told)


MAX_QUERY_CHARS = 40
MAX_REMEMBERED_BOOKS = 8
"""So many books are known by their pages: as many as a language has."""


def list_book_routes(room: PreviewScheduler, place: GameLocation) -> list[Route]:
    """The questions of the room, by their paths."""
    answers = BookEndpoints(room, place)
    return [
        Route("/book", answers.serve_book),
        Route("/book/finished", answers.serve_finished_book),
        Route("/book/page/{picture}/{width:int}", answers.serve_book_page),
        Route("/book/line/{picture}/{block:int}/{element:int}", answers.serve_source_line),
    ]


class BookEndpoints:
    def __init__(self, room: PreviewScheduler, place: GameLocation) -> None:
        self._room, self._place = room, place
        self._books: OrderedDict[BookViewRequest, BookInfo] = OrderedDict()

    def _remember_book(self, asked: BookViewRequest, seen: BookInfo) -> BookInfo:
        self._books[asked] = seen
        self._books.move_to_end(asked)
        if len(self._books) > MAX_REMEMBERED_BOOKS:
            self._books.popitem(last=False)
        return seen

    async def serve_book(self, request: Request) -> Response:
        """The book as it is now: its pages, contents and problems."""
        asked = self._parse_book_request(request)
        try:
            seen = await self._room.call_book_worker(book_worker.update_book, asked)
        except LimitExceededError as stopped:
            seen = _describe_failure(asked, stopped)
        return _format_book_response(self._remember_book(asked, seen))

    async def serve_finished_book(self, request: Request) -> Response:
        """The book once its PDF is written, with the pages on which its problems stand."""
        asked = self._parse_book_request(request)
        try:
            seen = await self._room.call_book_worker(book_worker.finish_book, asked)
            if seen is None:
                return Response(status_code=404, headers=NO_STORE)
            places = await self._room.call_book_worker(book_worker.locate_problems, asked)
        except LimitExceededError as stopped:
            seen, places = _describe_failure(asked, stopped), ()
        return _format_book_response(self._remember_book(asked, seen), places)

    def _parse_book_request(self, request: Request) -> BookViewRequest:
        given = request.query_params
        language, edition, size = (
            given.get(name, "")[:MAX_QUERY_CHARS] for name in ("language", "edition", "format")
        )
        return BookViewRequest(
            self._place, language, edition if edition in EDITIONS else PLAYER_EDITION,
            size if size in PAGE_FORMATS else A4_FORMAT,
        )  # fmt: skip

    async def serve_book_page(self, request: Request) -> Response:
        """A page of the book, so many px wide."""
        picture, width = request.path_params["picture"], request.path_params["width"]
        if not 1 <= width <= MAX_PICTURE_PX:
            return Response(status_code=404)
        name = picture, width, False, FULL_INK
        data = self._room.get_cached_picture(name) or await self._draw_page(picture, width)
        if data is None:
            return Response(status_code=404, headers=NO_STORE)
        self._room.cache_picture(name, data)
        return Response(data, 200, CACHE_FOREVER, "image/png")

    async def _draw_page(self, picture: str, width: int) -> bytes | None:
        """By the pencil out of the book's PDF, or, before there is one, from its layout."""
        whole = (
            BookPageRequest(seen.path, number, width)
            for seen in reversed(self._books.values())
            if seen.path is not None
            for number, page in enumerate(seen.pages)
            if page.picture == picture
        )
        try:
            asked = next(whole, None)
            data = (
                await self._room.call_raster_worker(raster_worker.draw_book_page, asked)
                if asked
                else None
            )
            if data is not None:
                return data
            return await self._room.call_book_worker(
                book_worker.draw_layout_page, (self._place, picture, width)
            )
        except LimitExceededError:
            return None

    async def serve_source_line(self, request: Request) -> Response:
        """The file and line from which an element of a page comes."""
        given = request.path_params
        asked = self._place, given["picture"], given["block"], given["element"]
        try:
            source = await self._room.call_book_worker(book_worker.find_source_line, asked)
        except LimitExceededError:
            source = None
        found = {} if source is None else {"path": source.path, "line": source.line}
        return JsonResponse(found)


def _describe_failure(asked: BookViewRequest, stopped: LimitExceededError) -> BookInfo:
    problem = Problem(Source(RULEBOOK_FOLDER), f"the rulebook cannot be set: {stopped}", "bounds")
    return BookInfo(edition=asked.edition, format=asked.format, problems=(problem,))


def _format_book_response(seen: BookInfo, places: tuple[tuple[int, float], ...] = ()) -> Response:
    """A book as JSON; `places` are those of its problems, where they are known."""
    where = [*places, *[(-1, 0.0)] * len(seen.problems)]
    fields: dict[str, Any] = {
        **vars(seen),
        "pages": [vars(page) for page in seen.pages],
        "problems": [
            {**problem_to_json(problem), "page": page, "top": top}
            for problem, (page, top) in zip(seen.problems, where, strict=False)
        ],
        "whole": seen.path is not None,
        "editions": EDITIONS,
        "formats": tuple(PAGE_FORMATS),
    }
    del fields["path"]
    return JsonResponse(fields)
