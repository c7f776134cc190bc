"""What all that answers the page has in common: bodies read within bounds, and how long an answer
may be kept."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

MOST_PX = 6000
"""So wide a picture may be asked for."""
FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
"""Of what is addressed by its content."""
NEVER = {"cache-control": "no-store"}
MOST_BODY = 200_000
"""So many bytes may be sent."""


class Told(Response):
    """JSON that any page can read: what is half a character in it, too."""

    media_type = "application/json"

    def __init__(self, value: Any) -> None:
        super().__init__(told(value).encode(), headers=NEVER)


def told(value: Any) -> str:
    """A value as JSON, in ASCII."""
    return json.dumps(value, separators=(",", ":"))


async def body(request: Request) -> Any:
    """The JSON that is sent; None for what is none, or too much."""
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > MOST_BODY:
            return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
