"""Clients over HTTP that are slow, or too many, are dropped or refused; the others have their answers."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from oblist.query.processes import bounded_http, limits
from oblist.query.processes.listening import LocalServer, listening_socket
from support.patience import SOON

CHUNK = b"x" * 1_000_000
CHUNKS = 40
MEDIUM = 8
ASKED = b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n"
Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """``/large`` has an answer in one part that is larger than any buffer, ``/parts`` the same in many."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    parts = {"/large": [CHUNK * CHUNKS], "/medium": [CHUNK * MEDIUM], "/parts": [CHUNK] * CHUNKS}.get(
        scope["path"], [b"small"]
    )
    for part in parts:
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def serving(ask: Callable[[Callable[[bytes], Awaitable[Stream]], LocalServer], Awaitable[None]]) -> None:
    """Call ``ask`` with what connects and sends, and a server, which has to end by itself afterwards."""

    async def served() -> None:
        listener = listening_socket("0")
        port = listener.getsockname()[1]
        ready = asyncio.Event()
        server = LocalServer(application, ready.set)
        running = asyncio.create_task(server.serve(sockets=[listener]))
        await ready.wait()
        opened: list[asyncio.StreamWriter] = []

        async def connected(sent: bytes) -> Stream:
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.setblocking(False)
            await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", port))
            reader, writer = await asyncio.open_connection(sock=one, limit=4096)
            opened.append(writer)
            writer.write(sent)
            await writer.drain()
            return reader, writer

        try:
            await asyncio.wait_for(ask(connected, server), SOON)
        finally:
            for writer in opened:
                writer.close()
            server.should_exit = True
            await asyncio.wait_for(running, SOON)
            listener.close()

    asyncio.run(served())


async def answer(stream: Stream) -> bytes:
    """All that the server sends until it ends the connection."""
    found = bytearray()
    try:
        while part := await stream[0].read(1_000_000):
            found += part
    except ConnectionResetError:
        pass
    return bytes(found)


async def small(connected: Callable[[bytes], Awaitable[Stream]]) -> None:
    """A client that does all in time has its answer."""
    stream = await connected(ASKED.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n") % b"")
    assert b"small" in await answer(stream)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so, which has to happen before the test's time is over."""
    while not is_so():
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("asked", [b"large", b"parts"])
def test_one_that_does_not_read_is_dropped(monkeypatch: pytest.MonkeyPatch, asked: bytes) -> None:
    monkeypatch.setattr(limits, "READING_SECONDS", 0.5)

    async def ask(connected: Callable[[bytes], Awaitable[Stream]], server: LocalServer) -> None:
        stream = await connected(ASKED % asked)
        await until(lambda: bool(server.server_state.connections))
        await until(lambda: not server.server_state.connections)
        assert len(await answer(stream)) < len(CHUNK) * CHUNKS
        await small(connected)

    serving(ask)


def test_one_that_reads_slowly_has_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "READING_SECONDS", 2.0)

    async def ask(connected: Callable[[bytes], Awaitable[Stream]], server: LocalServer) -> None:
        reader, _ = await connected(ASKED % b"parts")
        read = 0
        while read < len(CHUNK) * CHUNKS:
            found = len(await reader.read(500_000))
            assert found, f"dropped after {read} bytes"
            read += found
            if read % 4_000_000 < found:
                await asyncio.sleep(0.3)

    serving(ask)


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: loc",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx",
    ],
    ids=["nothing", "half a header", "half a body"],
)
def test_one_that_does_not_send_its_request_is_dropped(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.5)

    async def ask(connected: Callable[[bytes], Awaitable[Stream]], server: LocalServer) -> None:
        stream = await connected(sent)
        assert b"small" not in await answer(stream)
        await small(connected)

    serving(ask)


def test_what_is_kept_for_all_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_UNREAD", 2 * len(CHUNK) * MEDIUM - 2 * len(CHUNK))

    async def ask(connected: Callable[[bytes], Awaitable[Stream]], server: LocalServer) -> None:
        for _ in range(4):
            await connected(ASKED % b"medium")
        await small(connected)  # which is answered after the others
        kept = sum(one.unread.now for one in server.server_state.connections)  # type: ignore[union-attr]
        assert 0 < kept <= limits.MOST_UNREAD

    serving(ask)


def test_another_connection_takes_the_place_of_an_idle_one_or_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "MOST_CONNECTIONS", 3)
    monkeypatch.setattr(limits, "MOST_UNREAD", 4 * len(CHUNK) * CHUNKS)

    async def ask(connected: Callable[[bytes], Awaitable[Stream]], server: LocalServer) -> None:
        idle = await connected(b"")
        await until(lambda: len(server.server_state.connections) == 1)
        unread = [await connected(ASKED % b"large") for _ in range(3)]
        assert await answer(idle) == b""
        bounded = [*server.server_state.connections]
        assert all(isinstance(one, bounded_http.BoundedConnection) for one in bounded)
        await until(lambda: all(one.unread.now for one in server.server_state.connections))  # type: ignore[union-attr]
        refused = await answer(await connected(b""))
        assert refused.startswith(b"HTTP/1.1 503") and b"Retry-After: " in refused
        assert refused.endswith(b"Ask again in a few seconds.\n")
        assert len(unread) == len(server.server_state.connections)

    serving(ask)


def test_a_burst_of_connections_keeps_within_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_CONNECTIONS", 3)
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 2 * SOON)  # no other reason to drop them

    async def ask(connected: Callable[[bytes], Awaitable[Stream]], server: LocalServer) -> None:
        streams = await asyncio.gather(*(connected(b"") for _ in range(30)))
        ends = [asyncio.ensure_future(answer(stream)) for stream in streams]
        await until(lambda: sum(end.done() for end in ends) >= len(ends) - 3)
        assert {end.result() for end in ends if end.done()} == {b""}
        await small(connected)
        for end in ends:
            end.cancel()

    serving(ask)
