"""What the page asks of sheets: how they lie, each page's picture, their ink, and their PDF."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardgen.base import paths
from cardgen.base.guard import Stopped
from cardgen.preview import sheet_press
from cardgen.preview.answering import FOREVER, MOST_PX, NEVER, Told, body
from cardgen.preview.choices import Choices, chosen
from cardgen.preview.press import Place
from cardgen.preview.room import Room
from cardgen.preview.wall import Json

_TYPES = {".pdf": "application/pdf", ".dxf": "image/vnd.dxf", ".svg": "text/plain; charset=utf-8"}
"""A cut file is shown as text: an SVG of its own could run what is in it."""
_MOST_MADE = 400
_MOST_CHOICES = 20_000
_MOST_BYTES = 1_000_000_000


class SheetAnswers:
    """Answers about the sheets of a room's game. Of what was made, each file has an address of its
    own, which leads to it alone."""

    def __init__(self, room: Room, place: Place) -> None:
        self._room, self._place = room, place
        self._made: dict[str, tuple[Path, str]] = {}

    def routes(self) -> list[Route]:
        """What is answered, below the word that nobody can guess."""
        return [
            Route("/sheets", self.sheets),
            Route("/sheets/ink", self.ink),
            Route("/sheets/make", self.make, methods=["POST"]),
            Route("/sheet/{key}/{width:int}", self.sheet),
            Route("/made/{token}/{name}", self.made),
        ]

    async def sheets(self, request: Request) -> Response:
        """How the chosen sheets lie."""
        return await self._answer(sheet_press.arranged, _choices(request))

    async def ink(self, request: Request) -> Response:
        """How much ink they take."""
        return await self._answer(sheet_press.inked, _choices(request))

    async def make(self, request: Request) -> Response:
        """Make them, and tell where they lie."""
        return await self._answer(sheet_press.made, chosen(await body(request)))

    async def _answer(
        self, function: Callable[[tuple[Place, Choices]], Json], choices: Choices
    ) -> Response:
        try:
            told = await self._room.beside(function, (self._place, choices))
        except Stopped as stopped:
            return Told({"files": None, "why": [{"message": str(stopped)}]})
        if "folder" in told:
            folder = self._place.root / told["folder"]
            for file in told["files"]:
                file["href"] = self._address(folder, file["path"])
        return Told(told)

    def _address(self, folder: Path, path: str) -> str:
        token = next((t for t, made in self._made.items() if made == (folder, path)), "")
        if not token:
            token = secrets.token_urlsafe(12)
            self._made[token] = folder, path
            while len(self._made) > _MOST_MADE:
                self._made.pop(next(iter(self._made)))
        return f"made/{token}/{quote(Path(path).name)}"

    async def sheet(self, request: Request) -> Response:
        """A page as it is printed, so many px wide."""
        key, width = request.path_params["key"], request.path_params["width"]
        if not 1 <= width <= MOST_PX:
            return Response(status_code=404)
        try:
            found = await self._room.beside(sheet_press.page, (self._place, key, width))
        except Stopped:
            found = None
        if found is None:
            return Response(status_code=404, headers=NEVER)
        data, whole = found
        return Response(data, 200, FOREVER if whole else NEVER, "image/png")

    async def made(self, request: Request) -> Response:
        """A file that was made, as it lies in the build folder."""
        folder, path = self._made.get(request.path_params["token"], (Path(), ""))
        kind = _TYPES.get(Path(path).suffix)
        if not kind:
            return Response(status_code=404, headers=NEVER)
        try:
            data = await asyncio.to_thread(paths.read_bytes, folder, path, _MOST_BYTES)
        except paths.Unreadable:
            return Response(status_code=404, headers=NEVER)
        name = quote(Path(path).name)
        shown = {**NEVER, "content-disposition": f"inline; filename*=UTF-8''{name}"}
        return Response(data, 200, shown, kind)


def _choices(request: Request) -> Choices:
    """What is chosen, where it is only looked at."""
    try:
        return chosen(json.loads(request.query_params.get("choices", "")[:_MOST_CHOICES]))
    except (ValueError, RecursionError):
        return chosen(None)
