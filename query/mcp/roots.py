"""The project of a client: the first of its roots that has an index.

Up to revision 2025-11-25, the server asks the client for its roots (roots/list) while a request waits: once
for each connection, and again after notifications/roots/list_changed. From revision 2026-07-28 on, nothing is
remembered of a client: the call ends with the question, and the client calls again with its roots.

A root is a path and nothing else: what is found there is used as if the server had been started in that
folder.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import anyio
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import InputRequest, InputRequiredResult, ListRootsRequest, ListRootsResult
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ValidationError

from oblist.indexer.format import index_of_project, index_to_write

from .approval import QuestionAskedError
from .sessions import SESSION

_KEY = "roots"
_SECONDS = 10.0
_MOST_ROOTS = 100
_MOST_CLIENTS = 1000
_MOST_CHARACTERS = 16_384  # a path of the longest length, each of its bytes encoded
_logger = logging.getLogger("oblist")
_Context = ServerRequestContext[Any]


class _Root(BaseModel):
    uri: str  # the SDK's own type refuses all roots if one of them is not a file URI


class _Roots(BaseModel):
    roots: list[_Root]


class _Client:
    """What is known of one connection's roots."""

    def __init__(self) -> None:
        self.folders: list[Path] | None = None  # None: not asked yet
        self.asking = anyio.Lock()


class ClientRoots:
    """The roots of all clients, each of which has its own."""

    def __init__(self, common: Callable[[], Path], *, followed: bool) -> None:
        """``common`` is the path of the index for clients without a project of their own.

        With ``followed`` false, no client is asked: the server's index was named.
        """
        self._common = common
        self._followed = followed
        self._clients: dict[str, _Client] = {}

    def questions(self, ctx: _Context) -> dict[str, InputRequest]:
        """What each question to the client of revision 2026-07-28 has to ask as well."""
        return {_KEY: ListRootsRequest()} if self._follows(ctx) and _is_modern(ctx) else {}

    async def index(self, ctx: _Context, responses: Mapping[str, Any] | None = None) -> Path | None:
        """The index of the client's project; None if it has none, or cannot be asked.

        ``responses`` are those that came with the request. Raises QuestionAskedError if the client has to be
        asked first, and to call again.
        """
        if not self._follows(ctx):
            return None
        if not _is_modern(ctx):
            return self._index(await self._folders(ctx))
        if (answer := (responses or {}).get(_KEY)) is None:
            raise QuestionAskedError(InputRequiredResult(input_requests=self.questions(ctx)))
        roots = answer.roots if isinstance(answer, ListRootsResult) else []
        folders = folders_of(str(root.uri) for root in roots)
        if ctx.request is None:  # a pipe, which has one client
            self._client("").folders = folders
        return self._index(folders)

    async def index_without_asking(self, ctx: _Context) -> Path | None:
        """The same for a request that revision 2026-07-28 does not let end with a question.

        There it is what the client at the other end of a pipe said last.
        """
        if not self._follows(ctx):
            return None
        if not _is_modern(ctx):
            return self._index(await self._folders(ctx))
        known = self._clients.get("") if ctx.request is None else None
        return self._index(known.folders or [] if known is not None else [])

    def forget(self, ctx: _Context) -> None:
        """Ask the client again: its roots have changed."""
        self._clients.pop(_connection(ctx), None)

    def _follows(self, ctx: _Context) -> bool:
        capabilities = ctx.session.client_capabilities
        return self._followed and capabilities is not None and capabilities.roots is not None

    def _index(self, folders: Sequence[Path]) -> Path | None:
        found = (index for folder in folders if (index := index_of_project(folder)) is not None)
        if (index := next(found, None)) is not None or self._common().exists():
            return index
        # There is none at all: the answer tells how to build that of the client's project.
        project = next(filter(_has_systems, folders), None)
        return None if project is None else index_to_write(None, project)

    async def _folders(self, ctx: _Context) -> list[Path]:
        # An answer that is overtaken by a change is kept in an object that forget() has dropped.
        client = self._client(_connection(ctx))
        async with client.asking:
            if client.folders is None:
                client.folders = await _asked(ctx)
        return client.folders

    def _client(self, connection: str) -> _Client:
        client = self._clients.pop(connection, None) or _Client()
        self._clients[connection] = client
        while len(self._clients) > _MOST_CLIENTS:
            del self._clients[next(iter(self._clients))]
        return client


def folders_of(uris: Iterable[str]) -> list[Path]:
    """The folders that the first URIs name, in their order, without those that name none."""
    some = (uri for uri, _ in zip(uris, range(_MOST_ROOTS), strict=False))
    return [folder for uri in some if (folder := folder_of(uri)) is not None]


def folder_of(uri: str) -> Path | None:
    """The path that a file URI names on this machine (RFC 8089); None if it is anything else."""
    try:
        parts = urlsplit(uri[:_MOST_CHARACTERS])
    except ValueError:
        return None
    path = os.fsdecode(unquote_to_bytes(parts.path))
    is_local = parts.scheme == "file" and parts.netloc.lower() in ("", "localhost")
    is_path = path.startswith("/") and "\0" not in path and not parts.query and not parts.fragment
    return Path(path) if is_local and is_path and len(uri) < _MOST_CHARACTERS else None


def _has_systems(folder: Path) -> bool:
    with suppress(OSError):
        return any(folder.glob("*.asd"))
    return False


def _is_modern(ctx: _Context) -> bool:
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


def _connection(ctx: _Context) -> str:
    """The session's id over HTTP, which the SDK has checked; a pipe has one session, without an id."""
    return str(ctx.request.headers.get(SESSION, "")) if ctx.request is not None else ""


async def _asked(ctx: _Context) -> list[Path]:
    """The roots that the client names; none if it does not answer."""
    related = ServerMessageMetadata(related_request_id=ctx.request_id)
    try:
        with anyio.fail_after(_SECONDS):
            answer = await ctx.session.send_request(ListRootsRequest(), _Roots, metadata=related)
    except TimeoutError:
        why = f"no answer within {_SECONDS:g} s"
    except (MCPError, ValidationError):
        why = "it sent an error or an invalid answer"
    else:
        return folders_of(root.uri for root in answer.roots)
    _logger.warning("the client did not report its roots (%s); using the folder that the server runs in", why)
    return []
