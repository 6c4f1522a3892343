"""Clients over TCP that are slow, silent or too many are dropped or refused; others have their answers."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from oblist.query.lsp import messages, tcp
from oblist.query.lsp.messages import FramingError, LargeBodies, bodies
from oblist.query.lsp.server import Connection
from oblist.query.processes import limits
from oblist.query.processes.listening import listening_socket
from support.patience import SOON

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Connected = Callable[..., Awaitable[Stream]]
EVERY = ("workspace/symbol", {"query": "s"})


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def asking(number: int, method: str, params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return framed(json.dumps(message).encode())


BEGIN = asking(0, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})


def serving(index: Path, ask: Callable[[Connected], Awaitable[None]]) -> None:
    """Call ``ask`` with what connects to a server and sends; then the server has to end by a signal."""

    async def served() -> None:
        listener = listening_socket("0")
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # for its clients, too
        port = listener.getsockname()[1]
        running = asyncio.create_task(tcp.serve_tcp(lambda: Connection(index, lambda *_: None), listener))
        opened: list[asyncio.StreamWriter] = []

        async def connected(*sent: bytes) -> Stream:
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.setblocking(False)
            await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", port))
            reader, writer = await asyncio.open_connection(sock=one, limit=4096)
            opened.append(writer)
            writer.writelines(sent)
            return reader, writer

        try:
            await asyncio.wait_for(ask(connected), SOON)
        finally:
            for writer in opened:
                writer.transport.abort()
            signal.raise_signal(signal.SIGTERM)
            assert await asyncio.wait_for(running, SOON) == 0

    asyncio.run(served())


async def answer(reader: asyncio.StreamReader) -> dict[str, Any]:
    """The next answer to a request."""
    while True:
        length = int((await reader.readuntil(b"\r\n\r\n")).split()[1])
        message: dict[str, Any] = json.loads(await reader.readexactly(length))
        if "method" not in message:
            return message


async def end(stream: Stream) -> int:
    """Read until the server ends the connection; return how much that was."""
    count = 0
    try:
        while part := await stream[0].read(1_000_000):
            count += len(part)
    except ConnectionResetError:
        pass
    return count


def dropped(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What each client had not read when the server dropped it, from now on."""
    found: list[int] = []
    drop = tcp.TcpClient.drop

    def noted(client: tcp.TcpClient) -> None:
        found.append(client.unread.now)
        drop(client)

    monkeypatch.setattr(tcp.TcpClient, "drop", noted)
    return found


async def is_served(connected: Connected) -> None:
    """A client that does all in time has its answers."""
    reader, _ = await connected(BEGIN, asking(1, *EVERY))
    assert "result" in await answer(reader)
    assert len((await answer(reader))["result"]) > 10


def test_one_that_does_not_read_is_dropped_and_costs_little(
    bare_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "READING_SECONDS", 1.0)
    kept = dropped(monkeypatch)

    async def ask(connected: Connected) -> None:
        stream = await connected(BEGIN, *(asking(number, *EVERY) for number in range(1, 2000)))
        while not kept:
            await asyncio.sleep(0.05)
        one, *_ = kept
        assert 0 < one < 2_000_000
        await end(stream)
        await is_served(connected)

    serving(bare_index, ask)


def test_one_that_asks_without_pause_lets_others_have_their_turn(bare_index: Path) -> None:
    async def ask(connected: Connected) -> None:
        reader, _ = await connected(BEGIN, *(asking(number, *EVERY) for number in range(1, 1000)))
        busy = asyncio.ensure_future(_answers(reader))
        await is_served(connected)
        assert not busy.done()
        busy.cancel()

    serving(bare_index, ask)


async def _answers(reader: asyncio.StreamReader) -> None:
    """Read a thousand answers."""
    for number in range(1000):
        assert (await answer(reader))["id"] == number


def test_one_that_reads_slowly_has_all_answers(bare_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "READING_SECONDS", 2.0)

    async def ask(connected: Connected) -> None:
        reader, _ = await connected(BEGIN, *(asking(number, *EVERY) for number in range(1, 60)))
        for number in range(60):
            assert (await answer(reader))["id"] == number
            await asyncio.sleep(0.05)

    serving(bare_index, ask)


@pytest.mark.parametrize("sent", [b"", BEGIN[:-1], b"Content-Le"], ids=["nothing", "a part", "half a header"])
def test_one_that_does_not_begin_is_dropped(
    bare_index: Path, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 0.5)

    async def ask(connected: Connected) -> None:
        assert await end(await connected(sent)) == 0
        await is_served(connected)

    serving(bare_index, ask)


def test_one_may_be_silent_but_not_send_a_message_byte_by_byte(
    bare_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "REQUEST_SECONDS", 1.0)

    async def ask(connected: Connected) -> None:
        silent, quiet = await connected(BEGIN)
        assert (await answer(silent))["id"] == 0
        reader, writer = await connected(BEGIN)
        assert (await answer(reader))["id"] == 0
        ended = asyncio.ensure_future(end((reader, writer)))
        for byte in asking(1, *EVERY):
            if ended.done():
                break
            writer.write(bytes([byte]))
            await asyncio.sleep(0.2)
        assert ended.done()
        quiet.write(asking(1, *EVERY))
        assert (await answer(silent))["id"] == 1

    serving(bare_index, ask)


def test_another_one_takes_the_place_of_one_that_has_not_begun_or_is_refused(
    bare_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tcp, "MOST_CLIENTS", 3)

    async def ask(connected: Connected) -> None:
        silent = await connected()
        await asyncio.sleep(0.1)
        begun = []
        for _ in range(3):
            begun.append((await connected(BEGIN))[0])
            assert (await answer(begun[-1]))["id"] == 0
        assert await end(silent) == 0
        refused, _ = await connected(BEGIN)
        assert (await answer(refused))["error"]["message"] == limits.FULL
        assert await end((refused, _)) == 0

    serving(bare_index, ask)


def test_a_burst_of_connections_shuts_nobody_out(bare_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tcp, "MOST_CLIENTS", 3)

    async def ask(connected: Connected) -> None:
        burst = [await connected() for _ in range(40)]
        await is_served(connected)
        ends = [asyncio.ensure_future(end(stream)) for stream in burst]
        while sum(one.done() for one in ends) < len(ends) - 3:
            await asyncio.sleep(0.05)
        for one in ends:
            one.cancel()

    serving(bare_index, ask)


def test_what_is_kept_for_all_is_bounded(bare_index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_UNREAD", 100_000)
    monkeypatch.setattr(limits, "READING_SECONDS", 2 * SOON)
    kept = dropped(monkeypatch)

    async def ask(connected: Connected) -> None:
        many = [asking(number, *EVERY) for number in range(1, 2000)]
        for _ in range(6):
            await connected(BEGIN, *many)
        while not kept:
            await asyncio.sleep(0.05)
        await is_served(connected)

    serving(bare_index, ask)


def test_large_messages_wait_for_room_and_small_ones_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "MOST_BODY", 100)
    monkeypatch.setattr(messages, "_SMALL", 10)

    async def read() -> None:
        large = LargeBodies()

        def reading(sent: bytes) -> tuple[asyncio.StreamReader, asyncio.Future[bytes]]:
            reader = asyncio.StreamReader()
            reader.feed_data(sent)
            return reader, asyncio.ensure_future(anext(bodies(reader, SOON, large)))

        first, one = reading(b"Content-Length: 60\r\n\r\n")
        await asyncio.sleep(0)
        _, other = reading(framed(b"x" * 60))
        _, small = reading(framed(b"x" * 10))
        assert await small == b"x" * 10
        await asyncio.sleep(0.05)
        assert not other.done()
        first.feed_data(b"y" * 60)
        assert (await one, await other) == (b"y" * 60, b"x" * 60)
        with pytest.raises(FramingError, match="announced"):
            await reading(b"Content-Length: 101\r\n\r\n")[1]

    asyncio.run(asyncio.wait_for(read(), SOON))
