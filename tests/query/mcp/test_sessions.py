"""Sessions over HTTP: one that is idle gives its place to a new one, and who loses it is told."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from oblist.query.mcp import http, sessions
from oblist.query.mcp.server import make_server
from oblist.query.processes.listening import listening_socket
from oblist.query.tools.running.server import executors_like
from support.agents.mcp_servers import INITIALIZE, rpc
from support.agents.tool_calls import executing
from support.patience import SOON

HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


class Client:
    """A client with a session, or without one yet."""

    def __init__(self, http_client: httpx.AsyncClient, url: str) -> None:
        self._http, self._url = http_client, url
        self.name = ""

    async def open(self) -> int:
        """Open a session; return the status."""
        got = await self._http.post(self._url, json=rpc("initialize", INITIALIZE), headers=HEADERS)
        self.name = got.headers.get("mcp-session-id", "")
        return got.status_code

    async def use(self) -> int:
        """Ask something; return the status."""
        got = await self._http.post(self._url, json=rpc("tools/list", {}), headers=self._own())
        return got.status_code

    async def end(self) -> int:
        """End the session; return the status."""
        return (await self._http.delete(self._url, headers=self._own())).status_code

    async def listen(self, heard: asyncio.Event) -> None:
        """Have an open stream of events, until cancelled."""
        async with self._http.stream("GET", self._url, headers=self._own()) as stream:
            assert stream.status_code == 200
            heard.set()
            async for _ in stream.aiter_bytes():
                pass

    def _own(self) -> dict[str, str]:
        return {**HEADERS, "Mcp-Session-Id": self.name, "Mcp-Protocol-Version": INITIALIZE["protocolVersion"]}


Ask = Callable[[Callable[[], Client]], Awaitable[None]]


@pytest.fixture
def serve(bare_index: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Ask], None]:
    """Calls a function with what makes clients of a server with three sessions at most."""
    for module in (http, sessions):
        monkeypatch.setattr(module, "MOST_SESSIONS", 3)

    def serving(ask: Ask) -> None:
        async def served() -> None:
            ready = asyncio.Event()
            listener = listening_socket("0")
            with executing(bare_index) as executor, closing(listener):
                server = make_server(executors_like(executor))
                running = asyncio.create_task(http.serve_http(server, listener, None, ready.set))
                await ready.wait()
                limits = httpx.Limits(max_connections=100)
                async with httpx.AsyncClient(limits=limits, timeout=SOON) as client:
                    url = http.address_of(listener)
                    await asyncio.wait_for(ask(lambda: Client(client, url)), SOON)
                signal.raise_signal(signal.SIGTERM)
                await asyncio.wait_for(running, SOON)

        asyncio.run(served())

    return serving


def test_a_client_that_opens_many_sessions_shuts_nobody_out(serve: Callable[[Ask], None]) -> None:
    async def ask(client: Callable[[], Client]) -> None:
        honest = client()
        assert await honest.open() == 200
        assert await honest.use() == 200
        many = [client() for _ in range(20)]
        assert [await one.open() for one in many] == [200] * 20
        # Those go first that nobody has used.
        assert await honest.use() == 200
        assert [await one.use() for one in many] == [404] * 18 + [200] * 2

    serve(ask)


def test_one_that_was_just_opened_stays(
    serve: Callable[[Ask], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (http, sessions):
        monkeypatch.setattr(module, "MOST_SESSIONS", 32)

    async def ask(client: Callable[[], Client]) -> None:
        left = [client() for _ in range(32)]  # each of which was used, and nobody will use again
        for one in left:
            assert (await one.open(), await one.use()) == (200, 200)
        new = [client() for _ in range(3)]
        assert [await one.open() for one in new] == [200] * 3
        assert [await one.use() for one in new] == [200] * 3
        assert [await one.use() for one in left[:3]] == [404] * 3

    serve(ask)


def test_of_those_in_use_the_one_goes_that_was_idle_longest(serve: Callable[[Ask], None]) -> None:
    async def ask(client: Callable[[], Client]) -> None:
        first, second, third, fourth = (client() for _ in range(4))
        for one in (first, second, third):
            assert (await one.open(), await one.use()) == (200, 200)
        assert await first.use() == 200
        assert await fourth.open() == 200
        assert [await one.use() for one in (first, second, third, fourth)] == [200, 404, 200, 200]
        assert (await second.open(), await second.use()) == (200, 200)  # as the protocol wants it then

    serve(ask)


def test_one_that_listens_is_not_idle_and_without_idle_ones_there_is_no_room(
    serve: Callable[[Ask], None],
) -> None:
    async def ask(client: Callable[[], Client]) -> None:
        listening = []
        for _ in range(3):
            one, heard = client(), asyncio.Event()
            assert await one.open() == 200
            listening.append((one, asyncio.ensure_future(one.listen(heard))))
            await heard.wait()
        other = client()
        assert await other.open() == 503
        gone, stream = listening.pop()
        assert await gone.end() == 200
        await stream
        assert (await other.open(), await other.use()) == (200, 200)
        for one, stream in listening:
            assert await one.use() == 200
            stream.cancel()

    serve(ask)


def test_a_burst_keeps_within_the_limit(serve: Callable[[Ask], None]) -> None:
    async def ask(client: Callable[[], Client]) -> None:
        many = [client() for _ in range(30)]
        statuses = await asyncio.gather(*(one.open() for one in many))
        assert set(statuses) <= {200, 503}
        used = [await one.use() for one in many if one.name]
        assert 1 <= used.count(200) <= 3
        late = client()
        assert (await late.open(), await late.use()) == (200, 200)

    serve(ask)
