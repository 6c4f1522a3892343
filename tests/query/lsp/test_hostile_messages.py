"""What is not a message of the protocol is answered as an error, or ends the connection, with a sentence."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from oblist.query.lsp.messages import MOST_BODY, MOST_HEADER, FramingError, bodies
from support.command import OBLIST
from support.editors.language_client import LanguageClient


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def read(sent: bytes) -> list[bytes]:
    """The bodies in what a client sent."""

    async def all_of_them() -> list[bytes]:
        reader = asyncio.StreamReader(limit=MOST_HEADER)
        reader.feed_data(sent)
        reader.feed_eof()
        return [body async for body in bodies(reader)]

    return asyncio.run(all_of_them())


def test_headers_are_read_as_clients_write_them() -> None:
    assert read(framed(b"{}") + framed(b"[]")) == [b"{}", b"[]"]
    assert read(b"content-length:2\r\nContent-Type: some\r\n\r\n{}\r\n" + framed(b"1")) == [b"{}", b"1"]
    assert read(b"Content-Length: 2\n\n{}") == [b"{}"]
    assert read(b"Content-Length: 20\r\n\r\n{}") == []
    assert read(b"") == []


@pytest.mark.parametrize(
    "sent",
    [
        b"X: " + b"a" * (1 << 20) + b"\r\n\r\n",
        b"a" * (1 << 20),
        b"A: b\r\n" * MOST_HEADER,
    ],
    ids=["a line of 1 MB", "no line end", "many lines"],
)
def test_a_header_is_bounded(sent: bytes) -> None:
    with pytest.raises(FramingError, match="more than 64 KB"):
        read(sent)


@pytest.mark.parametrize("length", [b"-5", b"nothing", b"9" * 5_000], ids=["-5", "no number", "too long"])
def test_a_header_names_a_length(length: bytes) -> None:
    with pytest.raises(FramingError, match="without a Content-Length"):
        read(b"Content-Length: " + length + b"\r\n\r\n{}")


def test_a_message_is_bounded() -> None:
    with pytest.raises(FramingError, match="the limit is 256 MB"):
        read(b"Content-Length: %d\r\n\r\n{}" % (MOST_BODY + 1))


def test_each_fault_is_answered_and_a_broken_header_ends_the_connection(libraries_index: Path) -> None:
    asked = b'{"jsonrpc":"2.0","id":%d,"method":"%s","params":%s}'
    faults = [
        (b"{a", None, -32700),
        (b"\0", None, -32700),
        (b"\xff\xfe", None, -32700),
        (b"[" * 100_000, None, -32700),
        (b"[]", None, -32600),
        (b'{"id": 1}', None, -32600),
        (asked % (7, b"textDocument/hover", b'{"x": 1}'), 7, -32602),
        (asked % (8, b"textDocument/nothing", b"{}"), 8, -32601),
    ]
    command = [OBLIST, "lsp", "--index", str(libraries_index)]
    with LanguageClient(command, dict(os.environ), Path("/")) as client:
        talk, process = client.conversation, client.process
        assert process.stdin is not None
        assert process.stderr is not None
        talk.start()
        for body, identity, code in faults:
            process.stdin.write(framed(body))
            process.stdin.flush()
            answer = talk.next_answer()
            assert (answer["id"], answer["error"]["code"]) == (identity, code), body[:80]
            assert answer["error"]["message"]
        assert talk.request("workspace/symbol", {"query": "flatten"})
        process.stdin.write(b"Content-Length: -1\r\n\r\n")
        process.stdin.flush()
        assert process.wait(20) == 1
        assert process.stderr.read() == (
            b"oblist: The client sent the header of a message without a Content-Length. "
            b"The connection is closed.\n"
        )
