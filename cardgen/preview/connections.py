"""Connections to the preview: one that asks nothing is closed, and the room has only so many."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from cardgen.preview.addresses import LOOPBACK

_SILENT_SECONDS = 10.0
"""So long a connection may ask nothing."""
_MOST_OF_ROOM = 60
"""So many connections all other machines together may hold."""


class Patient(H11Protocol):
    """Bounds what those can hold who never ask for anything."""

    _of_room: ClassVar[set[Patient]] = set()
    _refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, unless the room has too many."""
        peer: Any = transport.get_extra_info("peername")
        if not peer or peer[0] != LOOPBACK:
            if len(self._of_room) >= _MOST_OF_ROOM:
                self._refused = True
                transport.abort()
                return
            self._of_room.add(self)
        super().connection_made(transport)
        self.loop.call_later(_SILENT_SECONDS, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Let go of it."""
        self._of_room.discard(self)
        if not self._refused:
            super().connection_lost(exc)

    def _look(self) -> None:
        if self.cycle is None and not self.transport.is_closing():
            self.transport.close()
