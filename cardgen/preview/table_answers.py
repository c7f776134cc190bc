"""What the page asks of the virtual table."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardgen.base.guard import Stopped
from cardgen.preview import table_press
from cardgen.preview.answering import Told
from cardgen.preview.press import Place
from cardgen.preview.room import Room


class TableAnswers:
    """Answers about the table of a room's game."""

    def __init__(self, room: Room, place: Place) -> None:
        self._room, self._place = room, place

    def routes(self) -> list[Route]:
        """What is answered, below the word that nobody can guess."""
        return [Route("/table/{language}", self.table)]

    async def table(self, request: Request) -> Response:
        """What lies where, in a language."""
        asked = self._place, request.path_params["language"]
        try:
            told = await self._room.beside(table_press.table, asked)
        except Stopped as stopped:
            told = {"things": None, "why": [{"message": str(stopped)}]}
        return Told(told)
