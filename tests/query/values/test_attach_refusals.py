"""Attaching to servers that are not Swank, or not allowed: never a hang, always a message."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from oblist.query.errors import AttachError
from oblist.query.values.attach import attached_values
from oblist.query.values.swank.protocol import NotSwankError, SwankConnection, literal, parse
from support.command_line import run_main
from support.patience import SOON
from support.swank_servers import packet, read_packet, some_server


def sends(data: bytes, *, wait: bool = False) -> Callable[[socket.socket], None]:
    """Send ``data`` at once, then end, or ``wait`` for the client to end."""

    def converse(connection: socket.socket) -> None:
        connection.sendall(data)
        while wait and connection.recv(1 << 16):
            pass

    return converse


def answers(kind: str, home: str) -> Callable[[socket.socket], None]:
    """Answer like a server whose Lisp is ``kind`` and whose package is ``home``."""

    def converse(connection: socket.socket) -> None:
        read_packet(connection)
        lisp = f'(:lisp-implementation (:type "{kind}" :version "1"))'
        connection.sendall(packet('(:indentation-update (("x" . 1)))') + packet(f"(:return (:ok {lisp}) 1)"))
        read_packet(connection)
        connection.sendall(packet(f'(:return (:ok ("{home}" 1)) 2)'))
        read_packet(connection)

    return converse


@pytest.mark.parametrize(
    ("converse", "words"),
    [
        (sends(b"", wait=True), "does not answer like Swank"),
        (sends(packet('(:write-string "x")') * 9, wait=True), "does not answer like Swank"),
        (sends(b""), "no Swank server answers"),
        (sends(b"SSH-2.0-OpenSSH_9.2p1\r\n", wait=True), "is not a Swank server"),
        (sends(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "is not a Swank server"),
        (sends(b"\xff", wait=True), "is not a Swank server"),
        (sends(b"ffffff", wait=True), "it sent a message of 16,777,215 bytes"),
        (sends(packet("(:return (:ok"), wait=True), "not an S-expression"),
        (sends(packet("(:return (:ok 1) 1)"), wait=True), "nothing about its Lisp"),
        (
            sends(packet("(:return (:abort nil) 1)"), wait=True),
            "no answer to a request that every",
        ),
        (sends(packet("(" * 100000), wait=True), "is not a Swank server"),
        (sends(packet('(:reader-error "x" "y")'), wait=True), "is not a Swank server"),
        (sends(b"0000ff(:return "), "no Swank server answers"),
        (answers("Clozure Common Lisp", "SWANK"), "is Clozure Common Lisp, not SBCL"),
        (answers("SBCL", "SLYNK"), "a Slynk server answers"),
        (answers("SBCL", "SWANK"), "no Swank server answers"),
    ],
)
def test_what_is_no_swank_is_refused_with_a_word(
    converse: Callable[[socket.socket], None], words: str
) -> None:
    with some_server(converse) as where:
        source = attached_values(f"swank:{where}")("")
        started = time.monotonic()
        found = source.value("CL", "*PRINT-BASE*")
        assert time.monotonic() - started < SOON
        source.close()
    assert found.text is None
    assert str(found.note).startswith("no live value: ")
    assert words in str(found.note)
    assert where in str(found.note)


def test_pings_are_answered_and_debuggers_of_other_threads_given_back() -> None:
    heard = []

    def converse(connection: socket.socket) -> None:
        read_packet(connection)
        for said in (
            "(:ping 3 77)",
            '(:debug 5 1 ("x" "y" nil) nil nil (99))',
            '(:debug 6 1 ("x") nil nil (1))',
        ):
            connection.sendall(packet(said))
            heard.append(read_packet(connection))
        connection.sendall(packet("(:return (:ok nil) 9)") + packet("(:return (:ok (1 . 2)) 1)"))

    with some_server(converse) as where:
        host, port = where.split(":")
        connection = SwankConnection([(socket.AF_INET, (host, int(port)))], None, 2)
        assert connection.ask("nil", 2) == [1, ".", 2]
        connection.close()
    package = '"COMMON-LISP-USER"'
    assert heard == [
        "(:emacs-pong 3 77)",
        f"(:emacs-rex (swank:sldb-break-with-default-debugger cl:nil) {package} 5 2)",
        f"(:emacs-rex (swank:throw-to-toplevel) {package} 6 3)",
    ]


def test_a_server_that_fails_again_and_again_is_left_alone() -> None:
    connections = []
    with some_server(connections.append) as where:
        source = attached_values(f"swank:{where}")("")
        notes = [source.value("CL", "*PRINT-BASE*").note for _ in range(8)]
        source.close()
    assert len(connections) == 5
    assert len(set(notes)) == 2
    assert "5 failures" in str(notes[-1])


# Addresses


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("slynk:127.0.0.1:4005", "slynk: is not a supported protocol"),
        ("4005", "it names no protocol"),
        ("swank:localhost", "it needs a host and a valid port"),
        ("swank::4005", "it needs a host and a valid port"),
        ("swank:localhost:0", "it needs a host and a valid port"),
        ("swank:localhost:65536", "it needs a host and a valid port"),
        ("swank:::1:4005", "put brackets around"),
    ],
)
def test_an_address_that_is_none_is_wrong_usage(bare_index: Path, address: str, words: str) -> None:
    run = run_main("describe", "car", "--index", str(bare_index), "--attach", address)
    assert run.code == 2
    assert words in run.errors
    assert "expected swank:HOST:PORT" in run.errors


def test_another_machine_is_refused_but_for_those_who_insist(
    bare_index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OBLIST_ATTACH", "swank:192.0.2.1:4005")
    run = run_main("describe", "car", "--index", str(bare_index))
    assert run.code == 2
    assert "192.0.2.1 is another machine" in run.errors
    assert "--attach-remote" in run.errors
    assert run_main("describe", "car", "--index", str(bare_index), "--attach-remote").code == 0
    assert run_main("describe", "car", "--index", str(bare_index), "--no-live").code == 0
    for elsewhere in ("swank:0.0.0.0:4005", "swank:[2001:db8::1]:4005", "swank:[::ffff:192.0.2.1]:4005"):
        with pytest.raises(AttachError, match="another machine"):
            attached_values(elsewhere)
        attached_values(elsewhere, remote=True)
    attached_values("swank:[::1]:4005")
    attached_values("SWANK:localhost:4005")


def test_a_name_that_stands_for_one_address_elsewhere_is_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    def both(*_: object, **__: object) -> list[object]:
        here, there = ("127.0.0.1", 4005), ("192.0.2.1", 4005)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", where) for where in (here, there)]

    monkeypatch.setattr(socket, "getaddrinfo", both)
    with pytest.raises(AttachError, match="another machine"):
        attached_values("swank:both.example:4005")


# The protocol


def test_a_literal_is_read_back_as_it_was() -> None:
    for text in ("", '"', "\\", 'a\\"b', "new\nline", "#.(x)", "日本語\U0001f600\0"):
        assert parse(literal(text)) == text
        assert parse(f"(:a {literal(text)} 7 |x y) (| #\\( -3)") == [":a", text, 7, "|x y) (|", "#\\(", -3]


@pytest.mark.parametrize("text", ["", "(", ")", "())", '"', '("a)', "a b", "(a))"])
def test_what_is_no_s_expression_is_refused(text: str) -> None:
    with pytest.raises(NotSwankError):
        parse(text)
