"""Requests to a server of this machine: whom they name, and which pages send them."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any

RETRY_SECONDS = 2
"""How long a client is asked to wait that is refused because there are too many."""
AsgiApp = Callable[[Any, Any, Any], Awaitable[None]]
"""An ASGI application: called with a scope, and with what receives and sends messages."""

# The whole of a header (RFC 9110, 7.2; RFC 6454, 7): any port, since ports may be forwarded.
_LOCAL = rb"(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?"
_HOST = re.compile(_LOCAL, re.IGNORECASE)
_ORIGIN = re.compile(rb"http://" + _LOCAL, re.IGNORECASE)


def only_local(app: AsgiApp) -> AsgiApp:
    """Wrap ``app`` to refuse requests that name another host, or that a page of another host sends.

    A page of another site can make a browser send us requests under that site's name (DNS rebinding),
    and could then read the answers.
    """

    async def guard(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            hosts, origins = _values(scope, b"host"), _values(scope, b"origin")
            if len(hosts) != 1 or _HOST.fullmatch(hosts[0]) is None:
                await refuse(send, 421, "This server answers only requests for a local host name.\n")
                return
            if len(origins) > 1 or not all(map(_ORIGIN.fullmatch, origins)):
                await refuse(
                    send, 403, "This server answers only requests from pages on a local host name.\n"
                )
                return
        await app(scope, receive, send)

    return guard


def _values(scope: Any, name: bytes) -> list[bytes]:
    return [value for key, value in scope["headers"] if key.lower() == name]


async def refuse(send: Any, status: int, text: str) -> None:
    """Answer a request with a status and a sentence."""
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
