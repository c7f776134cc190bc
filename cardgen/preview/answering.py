"""What all that answers the page has in common: bodies read within bounds, and how long an answer
may be kept."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request

MOST_PX = 6000
"""So wide a picture may be asked for."""
FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
"""Of what is addressed by its content."""
NEVER = {"cache-control": "no-store"}
_MOST_BODY = 200_000


async def body(request: Request) -> Any:
    """The JSON that is sent; None for what is none, or too much."""
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > _MOST_BODY:
            return None
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
