"""What the page asks of the rulebook: its pages, their pictures, and lines of the Markdown."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardgen.base.guard import Stopped
from cardgen.base.problems import Problem, Source
from cardgen.book.manuscript import FOLDER
from cardgen.book.model import EDITIONS, FORMATS
from cardgen.pdf.inks import FULL
from cardgen.preview import books, drawing
from cardgen.preview.answering import FOREVER, MOST_PX, NEVER, Told
from cardgen.preview.book_seen import LARGE, PLAYERS, Asked, BookSeen
from cardgen.preview.drawing import PageDrawing
from cardgen.preview.press import Place
from cardgen.preview.room import Room
from cardgen.preview.wall import problem_json

_MOST_WORD = 40
_MOST_SEEN = 8
"""So many books are known by their pages: as many as a language has."""


def routes(room: Room, place: Place) -> list[Route]:
    """The questions of the room, by their paths."""
    answers = _Answers(room, place)
    return [
        Route("/book", answers.book),
        Route("/book/finished", answers.finished),
        Route("/book/page/{picture}/{width:int}", answers.page),
        Route("/book/line/{picture}/{block:int}/{element:int}", answers.line),
    ]


class _Answers:
    def __init__(self, room: Room, place: Place) -> None:
        self._room, self._place = room, place
        self._seen: OrderedDict[Asked, BookSeen] = OrderedDict()

    def _saw(self, asked: Asked, seen: BookSeen) -> BookSeen:
        self._seen[asked] = seen
        self._seen.move_to_end(asked)
        if len(self._seen) > _MOST_SEEN:
            self._seen.popitem(last=False)
        return seen

    async def book(self, request: Request) -> Response:
        """The book as it is now: its pages, contents and problems."""
        asked = self._asked(request)
        try:
            seen = await self._room.beside(books.look, asked)
        except Stopped as stopped:
            seen = _stopped(asked, stopped)
        return _json(self._saw(asked, seen))

    async def finished(self, request: Request) -> Response:
        """The book once its PDF is written, with the pages on which its problems stand."""
        asked = self._asked(request)
        try:
            seen = await self._room.beside(books.finish, asked)
            if seen is None:
                return Response(status_code=404, headers=NEVER)
            places = await self._room.beside(books.places_of_problems, asked)
        except Stopped as stopped:
            seen, places = _stopped(asked, stopped), ()
        return _json(self._saw(asked, seen), places)

    def _asked(self, request: Request) -> Asked:
        given = request.query_params
        language, edition, size = (
            given.get(name, "")[:_MOST_WORD] for name in ("language", "edition", "format")
        )
        return Asked(
            self._place, language, edition if edition in EDITIONS else PLAYERS,
            size if size in FORMATS else LARGE,
        )  # fmt: skip

    async def page(self, request: Request) -> Response:
        """A page of the book, so many px wide."""
        picture, width = request.path_params["picture"], request.path_params["width"]
        if not 1 <= width <= MOST_PX:
            return Response(status_code=404)
        name = picture, width, False, FULL
        data = self._room.drawn(name) or await self._drawn(picture, width)
        if data is None:
            return Response(status_code=404, headers=NEVER)
        self._room.keep(name, data)
        return Response(data, 200, FOREVER, "image/png")

    async def _drawn(self, picture: str, width: int) -> bytes | None:
        """By the pencil out of the book's PDF, or, before there is one, from its layout."""
        whole = (
            PageDrawing(seen.path, number, width)
            for seen in reversed(self._seen.values())
            if seen.path is not None
            for number, page in enumerate(seen.pages)
            if page.picture == picture
        )
        try:
            asked = next(whole, None)
            data = await self._room.by_pencil(drawing.draw_page, asked) if asked else None
            if data is not None:
                return data
            return await self._room.beside(books.draw, (self._place, picture, width))
        except Stopped:
            return None

    async def line(self, request: Request) -> Response:
        """The file and line from which an element of a page comes."""
        given = request.path_params
        asked = self._place, given["picture"], given["block"], given["element"]
        try:
            source = await self._room.beside(books.line, asked)
        except Stopped:
            source = None
        found = {} if source is None else {"path": source.path, "line": source.line}
        return Told(found)


def _stopped(asked: Asked, stopped: Stopped) -> BookSeen:
    problem = Problem(Source(FOLDER), f"the rulebook cannot be set: {stopped}", "bounds")
    return BookSeen(edition=asked.edition, format=asked.format, problems=(problem,))


def _json(seen: BookSeen, places: tuple[tuple[int, float], ...] = ()) -> Response:
    """A book as JSON; `places` are those of its problems, where they are known."""
    where = [*places, *[(-1, 0.0)] * len(seen.problems)]
    fields: dict[str, Any] = {
        **vars(seen),
        "pages": [vars(page) for page in seen.pages],
        "problems": [
            {**problem_json(problem), "page": page, "top": top}
            for problem, (page, top) in zip(seen.problems, where, strict=False)
        ],
        "whole": seen.path is not None,
        "editions": EDITIONS,
        "formats": tuple(FORMATS),
    }
    del fields["path"]
    return Told(fields)
