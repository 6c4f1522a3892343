"""Requests over HTTP, to the pages and to the server for agents: an answer, and never a failure of ours."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import httpx
from datasette.utils import tilde_encode
from fuzz.target import Check, Target
from fuzz.texts import INTEGERS, JSON, TEXTS
from hypothesis import strategies as st

from oblist.query.browse.serving import browsing_app
from oblist.query.mcp.http import PATH, serving_app
from oblist.query.mcp.server import make_server
from oblist.query.tools.registry import registry
from oblist.query.tools.running.server import executor_for, executors_like
from support.agents.mcp_servers import INITIALIZE, rpc
from support.pages.browsing import BASE, closing_databases
from support.shelf import shelf_and_sources

_PAGES = ("home", "search", "packages", "graph", "systems", "problems", "sbcl-problems", "package", "symbol")
_PAGES += (
    "class",
    "slot",
    "edit-sites",
    "audit",
    "uses",
    "outline",
    "system",
    "source",
    "libraries",
    "release",
)
_SEGMENTS = st.one_of(
    st.sampled_from(["shelf", "book", "title", "shelf.lisp", "common-lisp", "car", "..", "~"]), TEXTS
)
_KEYS = st.sampled_from(
    ["q", "package", "type", "part", "internal", "limit", "offset", "line", "sql", "_size", "_sort"]
)
_STATEMENTS = st.sampled_from(
    ["select 1", "select * from symbols", "select", "pragma x", "select :q", "select '"]
)
_QUERIES = st.dictionaries(
    st.one_of(_KEYS, TEXTS), st.one_of(TEXTS, _STATEMENTS, INTEGERS.map(str)), max_size=4
)
_TABLES = st.sampled_from(
    ["", "symbols", "definitions", "packages", "symbols/1", "nothing", "symbols.json", "-/x"]
)
_PATHS = st.one_of(
    st.builds(
        lambda page, parts, end: "/".join([BASE, page, *map(tilde_encode, parts)]) + end,
        st.sampled_from(_PAGES),
        st.lists(_SEGMENTS.filter(lambda one: one.isprintable()), max_size=3),
        st.sampled_from(["", ".json", "/", "?"]),
    ),
    _TABLES.map(lambda table: f"/oblist/{table}"),
    TEXTS.map(lambda text: f"/{quote(text, safe='/', errors='surrogatepass')}"),
)
_BODIES = st.one_of(
    st.builds(
        lambda method, params: json.dumps(rpc(method, params)),
        st.sampled_from(
            ["initialize", "tools/list", "tools/call", "resources/read", "prompts/get", "ping", "x"]
        ),
        st.one_of(st.just(INITIALIZE), JSON),
    ),
    JSON.map(json.dumps),
    st.text(alphabet=st.characters(max_codepoint=255), max_size=30),
)
_HEADERS = st.dictionaries(
    st.sampled_from(
        ["mcp-session-id", "mcp-protocol-version", "mcp-method", "accept", "content-type", "last-event-id"]
    ),
    st.one_of(
        st.sampled_from(["2025-11-25", "2026-01-01", "application/json", "text/event-stream", "*/*", ""]),
        st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), max_size=12),
    ),
    max_size=3,
)
_CASES = st.one_of(
    st.tuples(st.just("pages"), st.sampled_from(["GET", "GET", "GET", "HEAD", "POST"]), _PATHS, _QUERIES),
    st.tuples(st.just("agents"), st.sampled_from(["POST", "POST", "DELETE", "PUT"]), _BODIES, _HEADERS),
).map(list)
_FAILURE, _BUSY = 500, 503
_LOCAL = "http://127.0.0.1:8000"
_BOTH = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


class _Lifespan:
    """The life of an application: it has begun when ``begin`` returns, and ended when ``end`` does."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._said: asyncio.Queue[str] = asyncio.Queue()

    async def begin(self) -> None:
        self._told: asyncio.Queue[dict[str, str]] = asyncio.Queue()
        self._life = asyncio.create_task(
            self._app({"type": "lifespan", "state": {}}, self._told.get, self._hear)
        )
        await self._until("startup")

    async def end(self) -> None:
        await self._until("shutdown")
        await self._life

    async def _until(self, what: str) -> None:
        await self._told.put({"type": f"lifespan.{what}"})
        assert await self._said.get() == f"lifespan.{what}.complete"

    async def _hear(self, message: dict[str, str]) -> None:
        await self._said.put(message["type"])


async def _asked(app: Any, method: str, path: str, **further: Any) -> httpx.Response:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=_LOCAL, timeout=60) as client:
        return await client.request(method, path, **further)


async def _ask(pages: Any, agents: Any, case: list[Any]) -> None:
    what, method, *rest = case
    if what == "pages":
        path, query = rest
        query = urlencode(query, errors="surrogatepass")
        response = await _asked(pages, method, f"{path}{'&' if '?' in path else '?'}{query}")
        assert response.status_code < _FAILURE or response.status_code == _BUSY, response.text[-2000:]
        assert response.text or method == "HEAD" or response.is_redirect
    else:
        body, headers = rest
        given = {name: value.encode() for name, value in {**_BOTH, **headers}.items()}
        content = body.encode("utf-8", "surrogatepass")
        response = await _asked(agents, method, PATH, content=content, headers=given)
        assert response.status_code < _FAILURE, response.text
    assert "Traceback" not in response.text


@contextmanager
def _opened(folder: Path) -> Iterator[Check]:
    index = shelf_and_sources()[0]
    executor = executor_for(registry, index, allowed="safe", live=False, log=folder / "log")
    agents = serving_app(make_server(executors_like(executor)), None)
    instance, pages = browsing_app(index)
    logging.getLogger("mcp").setLevel(logging.ERROR)  # as the servers do
    life = _Lifespan(agents)
    with closing_databases(instance), asyncio.Runner() as runner, closing(executor):
        runner.run(instance.invoke_startup())
        runner.run(instance.refresh_schemas())
        runner.run(life.begin())
        yield lambda case: runner.run(_ask(pages, agents, case))
        runner.run(life.end())


TARGET = Target("requests", _CASES, _opened, short=80)
