"""Starlette endpoints that edit cards: for the owner of the game, and by POST."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cardgen.core.work_limits import LimitExceededError
from cardgen.game.card_edits import ValueChange
from cardgen.preview.endpoints import CACHE_FOREVER, NO_STORE, JsonResponse, read_body, read_bytes
from cardgen.preview.scheduler import PreviewScheduler
from cardgen.preview.state import Json
from cardgen.preview.workers import dropped_pictures, edit_worker
from cardgen.preview.workers.edit_worker import EditResult, EditStep

MAX_STEPS = 1_000
"""Number of edits that can be taken back."""
MAX_STEP_BYTES = 64_000_000
"""Bytes of files that are kept, so that the newest edits are taken back byte by byte."""
MAX_DROPPED_BYTES = 30_000_000
_NOTHING = {"undo": "there is nothing to undo", "redo": "there is nothing to redo"}


class EditHistory:
    """The edits of a session, to be undone and redone in order."""

    def __init__(self) -> None:
        self.steps: dict[str, list[EditStep]] = {"undo": [], "redo": []}

    def add_step(self, step: EditStep) -> None:
        """Add a new edit. What was undone before cannot be redone any more."""
        self.steps["redo"].clear()
        self.push("undo", step)

    def push(self, kind: str, step: EditStep) -> None:
        """Add a step to those that can be undone or redone."""
        steps = self.steps[kind]
        steps.append(step)
        del steps[:-MAX_STEPS]
        size = 0
        for number in reversed(range(len(steps))):
            size += len(steps[number].old) + len(steps[number].new)
            if size > MAX_STEP_BYTES and number < len(steps) - 1:
                steps[number] = replace(steps[number], old=b"", new=b"")

    def count_steps(self) -> Json:
        """Return how many steps can be undone and redone."""
        return {kind: len(steps) for kind, steps in self.steps.items()}


class EditEndpoints:
    """Endpoints for the fields of cards. One edit is made at a time."""

    def __init__(self, scheduler: PreviewScheduler) -> None:
        self._scheduler, self._location = scheduler, scheduler.location
        self._history = EditHistory()
        self._turn = asyncio.Lock()
        self._loading: asyncio.Task[None] | None = None

    def list_routes(self) -> list[Route]:
        """Return the routes, relative to the token in the path."""
        return [
            Route("/edit/card/{deck}/{card}", self.serve_fields),
            Route("/edit/font/{digest}", self.serve_game_font),
            Route("/edit/try", self.try_value, methods=["POST"]),
            Route("/edit/write", self.write_value, methods=["POST"]),
            Route("/edit/picture/{deck}/{card}", self.add_picture, methods=["POST"]),
            Route("/edit/undo", self.undo, methods=["POST"]),
            Route("/edit/redo", self.redo, methods=["POST"]),
        ]

    async def serve_fields(self, request: Request) -> Response:
        """Serve the fields of a card for their controls."""
        name = request.path_params["deck"], request.path_params["card"]
        self._loading = asyncio.create_task(
            self._scheduler.edit_worker.call_in_turn(
                lambda _: None, edit_worker.load_ahead, self._location
            )
        )
        fields = await self._scheduler.answer_query(
            lambda error: {"why": str(error), "fields": []}, edit_worker.describe_card, *name,
            guest=False,
        )  # fmt: skip
        return JsonResponse({**fields, **self._history.count_steps()})

    async def serve_game_font(self, request: Request) -> Response:
        """Serve a font that was prepared for print, for a text that is edited in its place."""
        data = await self._scheduler.answer_query(
            lambda _: None, edit_worker.read_font, request.path_params["digest"], guest=False
        )
        if data is None:
            return Response(status_code=404, headers=NO_STORE)
        return Response(data, 200, CACHE_FOREVER, "font/ttf")

    async def try_value(self, request: Request) -> Response:
        """Serve the pictures of a card with another value, which is not written."""
        body = await read_body(request)
        change = _parse_change(body)
        if change is None:
            return Response(status_code=400)
        shown = str(body.get("face", ""))[:400]
        result = await self._scheduler.edit_worker.call_in_turn(
            _describe_error, edit_worker.try_change, self._location, change, shown
        )
        self._scheduler.add_recipes(result.recipes)
        return JsonResponse(result.answer)

    async def write_value(self, request: Request) -> Response:
        """Write a value into the file of its card."""
        change = _parse_change(await read_body(request))
        if change is None:
            return Response(status_code=400)
        return await self._make_edit(edit_worker.write_change, change)

    async def add_picture(self, request: Request) -> Response:
        """Copy a picture into art/ and name it in a card's field."""
        card = request.path_params["deck"], request.path_params["card"]
        name = request.query_params.get("name", "")[:200]
        data = await read_bytes(request, MAX_DROPPED_BYTES)
        if data is None:
            most = MAX_DROPPED_BYTES // 1_000_000
            return JsonResponse({"why": f"the picture is larger than {most} MB"})
        return await self._make_edit(dropped_pictures.add_picture, card, name, data)

    async def _make_edit(self, function: Callable[..., EditResult], *args: Any) -> Response:
        """Make an edit once the one before is made, and remember it."""
        async with self._turn:
            result = await self._scheduler.edit_worker.call_in_turn(
                _describe_error, function, self._location, *args
            )
            if result.step:
                self._history.add_step(result.step)
        return JsonResponse({**result.answer, **self._history.count_steps()})

    async def undo(self, _: Request) -> Response:
        """Take the last edit back."""
        return await self._repeat_last("undo", "redo")

    async def redo(self, _: Request) -> Response:
        """Make the edit again that was taken back last."""
        return await self._repeat_last("redo", "undo")

    async def _repeat_last(self, kind: str, opposite: str) -> Response:
        async with self._turn:
            steps = self._history.steps[kind]
            if not steps:
                return JsonResponse({"why": _NOTHING[kind], **self._history.count_steps()})
            step = steps[-1].reverse()
            result = await self._scheduler.edit_worker.call_in_turn(
                _describe_error, edit_worker.repeat_step, self._location, step
            )
            # What cannot be taken back any more is in the way of no other step.
            steps.pop()
            if result.step:
                self._history.push(opposite, result.step)
        change = step.change
        card = {"deck": change.deck, "card": change.card, "field": change.field}
        return JsonResponse({**card, **result.answer, **self._history.count_steps()})


def _describe_error(error: LimitExceededError) -> EditResult:
    return EditResult({"why": str(error)})


def _parse_change(body: Any) -> ValueChange | None:
    """Return the change that a page asks for; None if it is none."""
    words = ("deck", "card", "field")
    if not isinstance(body, dict) or not all(isinstance(body.get(word), str) for word in words):
        return None
    deck, card, field = (body[word] for word in words)
    language, digest = (str(body.get(word, "")) for word in ("language", "digest"))
    return ValueChange(deck, card, field, body.get("value"), language, body.get("was"), digest)
