"""Requests for another host, or from its pages, are refused: headers are compared whole."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from oblist.query.processes.local_requests import only_local

PASSED, OTHER_HOST, OTHER_PAGE = 200, 421, 403
LOCAL = (
    *(
        "127.0.0.1",
        "127.0.0.1:1",
        "127.0.0.1:65535",
        "localhost",
        "localhost:8001",
        "LocalHost",
        "LOCALHOST:1",
    ),
    *("[::1]", "[::1]:80"),
)
OTHER = (
    *(
        "",
        " ",
        ":",
        ":80",
        "evil.com",
        "evil.com:80",
        "0.0.0.0",
        "0.0.0.0:80",
        "127.0.0.2",
        "127.1",
        "2130706433",
    ),
    *(
        "127.0.0.1:1.evil.com",
        "127.0.0.1:80:80",
        "127.0.0.1:80@evil.com",
        "127.0.0.1:evil.com",
        "127.0.0.1:@evil.com",
    ),
    *(
        "localhost:1.evil.com",
        "localhost:",
        "localhost:x",
        "localhost:-1",
        "localhost:+1",
        "localhost:123456",
    ),
    *(
        "localhost:1\n",
        "localhost\n",
        "localhost:1 ",
        " localhost",
        "localhost:\xb2",
        "localho\u017ft",
        "localhost\0",
    ),
    *(
        "localhost.",
        "localhost.:80",
        "localhost.evil.com",
        "evil.localhost",
        "evil.com#localhost",
        "evil.com/localhost",
    ),
    *(
        "user@localhost",
        "user:word@127.0.0.1:80",
        "127.0.0.1@evil.com",
        "127.0.0.1.evil.com",
        "127.0.0.1, evil.com",
    ),
    *(
        "::1",
        "::1:80",
        "[::1",
        "::1]",
        "[::1].evil.com",
        "[::1]:1.evil.com",
        "[::1]evil.com",
        "[::1%25lo]",
        "[::2]",
    ),
    *("[::ffff:127.0.0.1]", "[127.0.0.1]", "[localhost]", "http://localhost", "127x0x0x1", "null"),
)


def status(hosts: list[str], origins: list[str], name: str = "host") -> int:
    """The status of the answer to a request with these headers."""
    sent: list[Any] = []
    headers = [(name.encode(), text.encode()) for text in hosts]
    headers += [(b"Origin", text.encode()) for text in origins]

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": PASSED})

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(only_local(app)({"type": "http", "method": "GET", "headers": headers}, None, send))
    assert len(sent) == (1 if sent[0]["status"] == PASSED else 2)
    return int(sent[0]["status"])


@pytest.mark.parametrize("host", LOCAL)
def test_this_machines_names_are_answered_to_with_any_port(host: str) -> None:
    assert status([host], []) == PASSED
    assert status([host], [], name="HOST") == PASSED
    assert status(["localhost:1"], [f"http://{host}"]) == PASSED
    assert status(["localhost:1"], [f"HTTP://{host}"]) == PASSED


@pytest.mark.parametrize("host", OTHER)
def test_other_names_are_not_however_they_begin_or_end(host: str) -> None:
    assert status([host], []) == OTHER_HOST
    assert status([host], ["http://localhost"]) == OTHER_HOST
    assert status(["localhost"], [f"http://{host}"]) == OTHER_PAGE


@pytest.mark.parametrize(
    "origin",
    [
        *(
            "",
            "null",
            "localhost",
            "localhost:80",
            "//localhost",
            "http:localhost",
            "http:/localhost",
            "http://",
        ),
        *(
            "https://localhost",
            "file://localhost",
            "ws://localhost",
            "http://localhost/",
            "http://localhost:80/",
        ),
        *(
            "http://localhost?",
            "http://localhost#",
            "http://localhost http://evil.com",
            "http://evil.com\thttp://::1",
        ),
    ],
)
def test_what_is_not_the_whole_origin_of_a_local_page_is_refused(origin: str) -> None:
    assert status(["localhost"], [origin]) == OTHER_PAGE


def test_a_request_has_one_host_and_at_most_one_origin() -> None:
    assert status([], []) == OTHER_HOST
    for second in ("evil.com", "localhost"):
        assert status(["localhost", second], []) == OTHER_HOST
        assert status([second, "localhost"], []) == OTHER_HOST
        assert status(["localhost"], ["http://localhost", f"http://{second}"]) == OTHER_PAGE
        assert status(["localhost"], [f"http://{second}", "http://localhost"]) == OTHER_PAGE
    assert status(["localhost"], []) == PASSED
