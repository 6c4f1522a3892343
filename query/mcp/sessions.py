"""The sessions of clients over HTTP: where there are too many, a new one takes the place of an idle one.

The SDK refuses further sessions at its limit, and ends an idle one after half an hour only, so that a client
that opens sessions and leaves them would shut all others out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_SESSIONS = 1000
"""The most sessions that are open at a time: each takes some 40 kB."""
SESSION = "mcp-session-id"
"""The header that has the id of a session."""

_NEW = 16  # one in so many may be new
_FAILED, _NOT_FOUND = 400, 404


@dataclass(slots=True)
class _OpenSession:
    """How many requests of a session are being answered, and whether it was used since it was opened."""

    at_work: int = 0
    is_used: bool = False


class BoundedSessions:
    """Passes requests on, and ends the session that has been idle longest where there are MOST_SESSIONS.

    Those that were opened and never used go first, but for the newest: their clients may be about to use
    them. A client whose session has ended is told so by the status 404, and opens another (MCP, Session
    Management).
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._opening = 0
        self._sessions: dict[str, _OpenSession] = {}
        """In the order in which they were last at work."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and note what becomes of its session."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        name = Headers(scope=scope).get(SESSION)
        if name is None:
            await self._open(scope, receive, send)
        elif (session := self._sessions.get(name)) is None:
            await self._app(scope, receive, send)
        else:
            await self._use(name, session, scope, receive, send)

    async def _open(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request that may open a session, once there is room for it."""

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < _FAILED:
                self._sessions |= {
                    name: _OpenSession() for name in Headers(raw=message["headers"]).getlist(SESSION)
                }
            await send(message)

        self._opening += 1
        try:
            while len(self._sessions) + self._opening > MOST_SESSIONS and await self._end_idle(scope):
                pass
            await self._app(scope, receive, noted)
        finally:
            self._opening -= 1

    async def _use(
        self, name: str, session: _OpenSession, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Pass on a request of a session, which is not idle meanwhile."""
        is_gone = False

        async def noted(message: Message) -> None:
            nonlocal is_gone
            if message["type"] == "http.response.start":
                ended = scope["method"] == "DELETE" and message["status"] < _FAILED
                is_gone = ended or message["status"] == _NOT_FOUND
            await send(message)

        session.at_work += 1
        session.is_used = True
        try:
            await self._app(scope, receive, noted)
        finally:
            session.at_work -= 1
            kept = self._sessions.pop(name, None)
            if kept is not None and not is_gone:
                self._sessions[name] = kept  # as the last one

    async def _end_idle(self, scope: Scope) -> bool:
        """End a session as its client would; return whether there was one that is idle."""
        idle = [name for name, session in self._sessions.items() if not session.at_work]
        if not idle:
            return False
        unused = [name for name in idle if not self._sessions[name].is_used]
        name = unused[0] if len(unused) > MOST_SESSIONS // _NEW else idle[0]
        del self._sessions[name]

        async def nothing() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def unheard(_: Any) -> None:
            """Whether it was there still is no matter."""

        headers = [(SESSION.encode(), name.encode())]
        await self._app({**scope, "method": "DELETE", "headers": headers}, nothing, unheard)
        return True
