"""Servers that keep the index up to date: they share a watcher, and hand it over."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from oblist.lisp.sbcl import Sbcl
from support.command import OBLIST
from support.editors.language_client import Conversation, LanguageClient, ResponseFailedError

_SECONDS = 100
_OFTEN = 17  # so that more than a hundred requests are made while an index is replaced three times
_SOURCE = """(defpackage "KIOSK" (:use "CL") (:export "PRICE"))
(in-package "KIOSK")
(defun price ({parameter}) (list {parameter}))
"""


@pytest.fixture
def kiosk(tmp_path: Path, small: Sbcl, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project without an index; a watch of it makes that of the user."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    folder = tmp_path / "kiosk"
    folder.mkdir()
    (folder / "kiosk.asd").write_text('(defsystem "kiosk" :components ((:file "kiosk")))')
    (folder / "kiosk.lisp").write_text(_SOURCE.format(parameter="first"))
    return folder


def server(folder: Path, *options: str) -> LanguageClient:
    return LanguageClient([OBLIST, "lsp", *options], dict(os.environ), folder)


def until_arglist(talk: Conversation, uri: str, word: str) -> None:
    """Wait until the index knows the arglist with a word."""
    deadline = time.monotonic() + _SECONDS
    said: Any = None
    while time.monotonic() < deadline:
        try:
            said = talk.at("textDocument/hover", uri, 2, 8)
        except ResponseFailedError as error:  # no index yet
            said = str(error)
        if word in str(said):
            return
        time.sleep(0.1)
    raise AssertionError(f"no {word} in {said}")


def test_servers_share_a_watcher_and_hand_it_over(kiosk: Path) -> None:
    source = kiosk / "kiosk.lisp"
    with server(kiosk, "--watch") as first, server(kiosk) as second:
        first.conversation.start([kiosk])
        uri = first.conversation.open(source)
        until_arglist(first.conversation, uri, "FIRST")
        second.conversation.start([kiosk], initializationOptions={"watch": True})
        second.conversation.open(source)
        until_arglist(second.conversation, uri, "FIRST")
        source.write_text(_SOURCE.format(parameter="second"))
        until_arglist(first.conversation, uri, "SECOND")
        until_arglist(second.conversation, uri, "SECOND")
        first.process.kill()
        first.process.wait()
        source.write_text(_SOURCE.format(parameter="third"))
        until_arglist(second.conversation, uri, "THIRD")
        # Nobody was asked whether to build: --watch says so.
        asked = [one for one in second.conversation.told if one["method"] == "window/showMessageRequest"]
        assert asked == []


def test_no_request_is_lost_while_the_index_is_replaced(kiosk: Path) -> None:
    source = kiosk / "kiosk.lisp"
    with server(kiosk, "--watch") as client:
        talk = client.conversation
        talk.start([kiosk])
        uri = talk.open(source)
        until_arglist(talk, uri, "FIRST")
        for number in range(3):
            source.write_text(_SOURCE.format(parameter=f"number-{number}"))
            deadline = time.monotonic() + _SECONDS
            before = after = 0  # how often it was asked while the old index answered, and the new one
            while after < _OFTEN:
                answer = str(talk.at("textDocument/hover", uri, 2, 8))
                assert "kiosk:price" in answer
                if f"NUMBER-{number}" in answer:
                    after += 1
                else:
                    assert after == 0, "the old index answers again"
                    before += 1
                assert time.monotonic() < deadline
            assert before >= _OFTEN
