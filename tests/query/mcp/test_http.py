"""The MCP server over HTTP: it serves this machine only, refuses others, and ends in time."""

from __future__ import annotations

import gc
import json
import signal
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from oblist.query.mcp.resources import symbol_address
from oblist.query.tools.registry import registry
from support.agents.mcp_servers import TOKEN, HttpServer, rpc, token_file
from support.agents.mcp_wire import MODERN
from support.command import oblist
from support.command_line import run_main

SAFE = [tool.name for tool in registry if tool.safety_level == "safe" and tool.listed]
SOON = 6.0  # seconds within which a server ends when asked to


@pytest.fixture(scope="module")
def server(bare_index: Path) -> Iterator[HttpServer]:
    """One server for most tests; whatever they do to it, it prints nothing but its address."""
    with HttpServer(bare_index, "--no-live") as made:
        yield made
        assert made.end()[::2] == (0, "")


@pytest.fixture(scope="module")
def guarded(bare_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    """A server that requires a token."""
    file = token_file(tmp_path_factory.mktemp("token"))
    with HttpServer(bare_index, "--no-live", "--token-file", file) as made:
        yield made
        assert made.end()[::2] == (0, "")


@asynccontextmanager
async def connected(url: str, mode: str, **headers: str) -> AsyncIterator[Client]:
    async with create_mcp_http_client(headers=headers) as http:
        transport = streamable_http_client(url, http_client=http)
        async with Client(transport, mode=mode, read_timeout_seconds=60) as client:
            yield client


async def use(client: Client, mode: str) -> None:
    """List, call and read."""
    assert (client.protocol_version == MODERN) == (mode != "legacy")
    assert [tool.name for tool in (await client.list_tools()).tools] == SAFE
    answer = await client.call_tool("describe_symbol", {"name": "cl:mapcar"})
    assert answer.is_error is False
    assert answer.structured_content["name"] == "MAPCAR"
    wrong = await client.call_tool("describe_symbol", {"name": 5})
    assert wrong.is_error is True
    read = await client.read_resource(symbol_address("COMMON-LISP", "MAPCAR"))
    assert read.contents[0].text.startswith("COMMON-LISP::MAPCAR [FUNCTION]")


@pytest.mark.parametrize("mode", ["legacy", "auto", MODERN])
def test_the_sdks_client_lists_calls_and_reads(server: HttpServer, mode: str) -> None:
    async def drive() -> None:
        async with connected(server.url, mode) as client:
            await use(client, mode)

    anyio.run(drive)


def test_two_clients_at_once_are_served_and_neither_sees_the_others_answers(server: HttpServer) -> None:
    async def ask(mode: str, name: str) -> None:
        async with connected(server.url, mode) as client, anyio.create_task_group() as group:

            async def one() -> None:
                answer = await client.call_tool("describe_symbol", {"name": name})
                assert answer.structured_content["name"] == name.upper()

            for _ in range(8):
                group.start_soon(one)

    async def drive() -> None:
        async with anyio.create_task_group() as group:
            for mode, name in [("legacy", "car"), ("legacy", "cdr"), ("auto", "cons"), ("auto", "list")]:
                group.start_soon(ask, mode, name)

    anyio.run(drive)


# Clients that are served


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:{port}", 200),
        ("localhost:{port}", 200),
        ("[::1]:{port}", 200),
        ("localhost", 200),
        ("[::1]", 200),
        ("LOCALHOST:{port}", 200),
        ("127.0.0.1:{port}.evil.example", 421),
        ("[::1]:{port}@evil.example", 421),
        ("evil.example", 421),
        ("evil.example:{port}", 421),
        ("localhost.evil.example:{port}", 421),
        ("127.0.0.1.evil.example:{port}", 421),
        ("0.0.0.0:{port}", 421),
        ("\x9b31mevil", 421),
        ("", 421),
        (None, 400),
    ],
)
def test_only_this_machines_names_are_answered_to(server: HttpServer, host: str | None, status: int) -> None:
    """A browser page whose host name resolves to 127.0.0.1 sends that name."""
    sent = host and host.format(port=server.port)
    got, _, text = server.initialize(Host=sent)
    assert got == status
    assert ("serverInfo" in text) == (status == 200)
    modern = {"Mcp_Protocol_Version": MODERN, "Mcp_Method": "tools/list"}
    got, _, text = server.request(rpc("tools/list", {}), Host=sent, **modern)
    assert got == status or (status == 200 and got == 400)  # it has no envelope
    assert "describe_symbol" not in text


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://127.0.0.1:{port}", 200),
        ("http://localhost:9999", 200),
        ("http://localhost", 200),
        ("http://localhost:9999.evil.example", 403),
        ("http://localhost:9999@evil.example", 403),
        (None, 200),
        ("http://evil.example", 403),
        ("https://evil.example:{port}", 403),
        ("http://localhost.evil.example:{port}", 403),
        ("null", 403),
    ],
)
def test_only_pages_of_this_machine_may_ask(server: HttpServer, origin: str | None, status: int) -> None:
    sent = origin and origin.format(port=server.port)
    got, headers, text = server.initialize(Origin=sent)
    assert got == status
    assert ("serverInfo" in text) == (status == 200)
    assert "access-control-allow-origin" not in headers
    assert server.request(method="OPTIONS", Origin=sent, Access_Control_Request_Method="POST")[0] >= 400


def test_a_form_of_a_page_is_not_taken_for_a_message(server: HttpServer) -> None:
    """These are the content types that a browser sends to another origin without asking first."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", None):
        assert server.initialize(Content_Type=kind)[0] == 400


def test_other_paths_and_garbage_are_refused(server: HttpServer) -> None:
    assert server.request(method="GET", path="/")[0] == 404
    assert server.request(method="GET", path="/mcp/../../etc/passwd")[0] == 404
    assert server.request(b"{")[0] == 400
    assert server.request(b"[" * 100_000)[0] == 400
    assert server.request(b"\xff\xfe")[0] == 400
    assert server.request(rpc("tools/list", {}), Mcp_Session_Id="nobody's")[0] == 404
    assert server.request(rpc("tools/list", {}))[0] == 400  # no session, and no handshake
    assert server.request(rpc("tools/list", {}), Mcp_Protocol_Version="1999-01-01")[0] == 400
    for raw in (b"\0\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"POST /mcp HTTP/9\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
            connection.sendall(raw)
            assert connection.recv(100).startswith(b"HTTP/1.1 400 ")
    assert server.initialize()[0] == 200


def test_a_websocket_is_not_opened(server: HttpServer) -> None:
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    assert server.request(method="GET", Host="evil.example", **upgrade)[0] >= 400


def test_a_body_that_is_too_large_is_refused(server: HttpServer) -> None:
    arguments = {"name": "x" * (2 * 1024 * 1024)}
    body = rpc("tools/call", {"name": "describe_symbol", "arguments": arguments})
    assert server.request(body)[0] == 413
    assert server.request(b"{}", Content_Length="99999999999")[0] == 413
    assert server.initialize()[0] == 200


def refused(*arguments: str) -> str:
    """The message of a command that does not start; in this process, which is faster than a new one."""
    try:
        run = run_main(*arguments)
    finally:
        gc.enable()  # as a starting server does
    assert (run.code, run.output) == (2, ""), run
    return run.errors


def test_only_loopback_addresses_are_listened_at(bare_index: Path) -> None:
    for address, words in [
        (
            "0.0.0.0:0",
            "The host in 0.0.0.0:0 is not a loopback address. Use one of: 127.0.0.1, localhost, ::1.",
        ),
        ("[::]:0", "The host in [::]:0 is not a loopback address."),
        ("evil.example:80", "The host in evil.example:80 is not a loopback address."),
        ("99999", "99999 is not PORT or HOST:PORT, with a port of at most 65535."),
        ("http", "http is not PORT or HOST:PORT, with a port of at most 65535."),
        ("localhost:", "localhost: is not PORT or HOST:PORT, with a port of at most 65535."),
    ]:
        run = refused("mcp", "--index", str(bare_index), "--http", address)
        assert run.startswith(f"oblist: {words}")
        assert run.count("\n") == 1


@pytest.mark.full
def test_each_loopback_address_is_served_at_the_url_that_is_reported(bare_index: Path) -> None:
    addresses = {"localhost:0": "http://127.0.0.1:"}
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
            addresses["[::1]:0"] = "http://[::1]:"
        except OSError:  # a machine without IPv6
            pass

    async def drive(url: str) -> None:
        async with connected(url, "auto") as client:
            await use(client, "auto")

    for address, begin in addresses.items():
        with HttpServer(bare_index, "--no-live", address=address) as server:
            assert server.url.startswith(begin)
            anyio.run(drive, server.url)
            assert server.end()[::2] == (0, "")


def test_a_port_in_use_is_reported(server: HttpServer, bare_index: Path) -> None:
    done = oblist("mcp", "--index", bare_index, "--http", str(server.port))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"oblist: Cannot listen on 127.0.0.1:{server.port}: Address already in use.\n"


# The token


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_who_sends_the_token_is_served(guarded: HttpServer, mode: str) -> None:
    async def drive() -> None:
        async with connected(guarded.url, mode, Authorization=f"Bearer {TOKEN}") as client:
            await use(client, mode)

    anyio.run(drive)


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        TOKEN,
        f"Basic {TOKEN}",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN}x",
        "Bearer \xff\xfe",
    ],
)
def test_who_does_not_send_it_is_refused(guarded: HttpServer, header: str | None) -> None:
    for method, path in [("POST", "/mcp"), ("GET", "/mcp"), ("DELETE", "/mcp"), ("GET", "/")]:
        status, headers, text = guarded.request(
            rpc("tools/list", {}), method, path, Authorization=header, Mcp_Protocol_Version=MODERN
        )
        assert status == 401
        assert headers["www-authenticate"] == "Bearer"
        assert text == "This server requires its token, in the header Authorization: Bearer TOKEN\n"


def test_the_token_does_not_stand_in_for_the_host(guarded: HttpServer) -> None:
    assert guarded.initialize(Authorization=f"Bearer {TOKEN}", Host="evil.example")[0] == 421
    assert guarded.initialize(Authorization=f"Bearer {TOKEN}")[0] == 200


def test_a_token_file_that_is_no_good_starts_nothing(bare_index: Path, tmp_path: Path) -> None:
    file = token_file(tmp_path, mode=0o640)
    make = "(umask 077; openssl rand -hex 32 > "

    def words() -> str:
        errors = refused("mcp", "--index", str(bare_index), "--http", "0", "--token-file", str(file))
        assert errors.startswith("oblist: ")
        assert errors.count("\n") == 1
        assert TOKEN not in errors
        return errors

    assert f"{file} can be read by others. Run: chmod 600 {file}" in words()
    file.chmod(0o604)
    assert "chmod 600" in words()
    for text in ("", "too-short", f"{TOKEN} {TOKEN}", f"{TOKEN}\n{TOKEN}", f"{TOKEN}\x7f", "ü" * 32):
        token_file(tmp_path, text)
        assert f"must be one word of at least 16 characters. Make one with: {make}{file})" in words()
    file.write_bytes(b"\xff" * 40)
    assert make in words()
    file.unlink()
    assert f"{file} cannot be read: No such file or directory. Make one with: {make}{file})" in words()
    file.mkdir()
    assert f"{file} cannot be read: Is a directory." in words()


def test_tools_that_change_something_are_not_offered_to_everybody(bare_index: Path, tmp_path: Path) -> None:
    for level in ("cautious", "dangerous"):
        errors = refused("mcp", "--index", str(bare_index), "--http", "0", "--allow", level)
        assert "--allow over HTTP needs --token-file" in errors
    errors = refused("mcp", "--index", str(bare_index), "--token-file", str(token_file(tmp_path)))
    assert "--token-file needs --http" in errors


# The end


def open_stream(server: HttpServer) -> socket.socket:
    """An open stream of server-sent events, which carries the server's questions."""
    status, headers, _ = server.initialize()
    assert status == 200
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    lines = [
        "GET /mcp HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        "Accept: text/event-stream",
        f"Mcp-Session-Id: {headers['mcp-session-id']}",
    ]
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    assert connection.recv(1000).startswith(b"HTTP/1.1 200 ")
    return connection


@pytest.mark.parametrize(
    ("number", "busy"),
    [
        (signal.SIGINT, False),
        (signal.SIGTERM, True),
        pytest.param(signal.SIGINT, True, marks=pytest.mark.full),
        pytest.param(signal.SIGTERM, False, marks=pytest.mark.full),
    ],
)
def test_a_signal_ends_the_server_whoever_still_listens(
    bare_index: Path, number: signal.Signals, busy: bool
) -> None:
    streams = []
    with HttpServer(bare_index, "--no-live") as server:
        if busy:
            streams = [open_stream(server) for _ in range(3)]
            # A client that does not finish its request, and one that asks for much and does not read it.
            half = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            half.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{")
            slow = socket.create_connection(("127.0.0.1", server.port), timeout=10)
            slow.sendall(_modern_call(server, "apropos_search", pattern="", limit=0, max_chars=50_000_000))
            streams += [half, slow]
            time.sleep(0.3)
        code, seconds, words = server.end(number)
    for stream in streams:
        stream.close()
    assert (code, words) == (0, "")
    assert seconds < SOON


def _modern_call(server: HttpServer, tool: str, **arguments: Any) -> bytes:
    meta = {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    body = json.dumps(rpc("tools/call", {"name": tool, "arguments": arguments, "_meta": meta})).encode()
    lines = [
        "POST /mcp HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        "Content-Type: application/json",
        "Accept: application/json, text/event-stream",
        f"Mcp-Protocol-Version: {MODERN}",
        "Mcp-Method: tools/call",
        f"Mcp-Name: {tool}",
        f"Content-Length: {len(body)}",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def test_the_raw_call_of_these_tests_is_one_that_is_answered(server: HttpServer) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(_modern_call(server, "describe_symbol", name="car"))
        answer = b""
        while b"CAR [FUNCTION]" not in answer:
            answer += connection.recv(1 << 20)
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"COMMON-LISP::CAR [FUNCTION]" in answer
