"""Definitions that are gone from a document: told in every file that uses them, and at each name."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from oblist.query.lsp.publishing import Publishing
from oblist.query.lsp.session import Session
from support.command import OBLIST
from support.editors.language_client import Conversation, LanguageClient
from support.projects.lost import USES, lost_project, rename

_SECONDS = 30.0
_PULLING = {"textDocument": {"diagnostic": {"relatedDocumentSupport": True}}}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project, with its index."""
    folder = tmp_path / "project"
    shutil.copytree(lost_project() / "project", folder)
    (folder / ".oblist").mkdir()
    shutil.copy(lost_project() / "lost.db", folder / ".oblist" / "oblist.db")
    monkeypatch.setenv("OBLIST_ROOTS", f"project={folder}")
    return folder


@pytest.fixture
def talk(project: Path) -> Iterator[Conversation]:
    import os

    with LanguageClient([OBLIST, "lsp"], os.environ, project) as client:
        yield client.conversation


def renamed(project: Path, name: str) -> tuple[Path, str]:
    """The file of a definition, and its text with another name for it; the file stays as it is."""
    path = project / "base.lisp"
    before = path.read_text()
    assert rename(project, name) == path
    text = path.read_text()
    path.write_text(before)
    return path, text


def change(talk: Conversation, uri: str, version: int, text: str) -> None:
    talk.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]},
    )


def shown(talk: Conversation) -> set[tuple[str, int]]:
    """The lines with diagnostics about what is gone, as the client shows them now."""
    last: dict[str, list[dict[str, Any]]] = {}
    for one in talk.told:
        if one["method"] == "textDocument/publishDiagnostics":
            last[one["params"]["uri"]] = one["params"]["diagnostics"]
    return lines(last)


def lines(by_uri: dict[str, list[dict[str, Any]]]) -> set[tuple[str, int]]:
    return {
        (uri.rpartition("/")[2], one["range"]["start"]["line"] + 1)
        for uri, found in by_uri.items()
        for one in found
        if "does not define it any more" in one["message"]
    }


def wait_until_shown(talk: Conversation, wanted: set[tuple[str, int]]) -> None:
    deadline = time.monotonic() + _SECONDS
    while shown(talk) != wanted and time.monotonic() < deadline:
        time.sleep(0.02)
    assert shown(talk) == wanted


def test_uses_are_told_in_open_documents_and_in_files(project: Path, talk: Conversation) -> None:
    talk.start([project])
    for name in ("twice", "weigh", "basket", "*scale*"):
        path, text = renamed(project, name)
        uri = talk.open(path)
        wait_until_shown(talk, set())
        change(talk, uri, 2, text)
        wait_until_shown(talk, USES[name])
        # Opened, the other file tells the same itself.
        other = talk.open(project / "uses.lisp")
        wait_until_shown(talk, USES[name])
        change(talk, uri, 3, path.read_text())
        wait_until_shown(talk, set())
        change(talk, uri, 4, text)
        wait_until_shown(talk, USES[name])
        # What another open document defines now is not gone.
        anew = f"(defun {name} ()) (defvar {name} 1) (defclass {name} () ())"
        change(talk, other, 2, (project / "uses.lisp").read_text() + anew)
        wait_until_shown(talk, set())
        talk.notify("textDocument/didClose", {"textDocument": {"uri": other}})
        wait_until_shown(talk, USES[name])
        talk.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        wait_until_shown(talk, set())


class Shown:
    """A server as far as publishing needs one: it keeps what was published last for each URI."""

    def __init__(self) -> None:
        self.last: dict[str, list[dict[str, Any]]] = {}

    def text_document_publish_diagnostics(self, params: types.PublishDiagnosticsParams) -> None:
        self.last[params.uri] = [
            {"message": one.message, "range": {"start": {"line": one.range.start.line}}}
            for one in params.diagnostics
        ]


def test_a_check_that_saw_an_old_text_of_another_document_is_done_again(project: Path) -> None:
    """One document was checked while the other was right, and that one only when it was wrong again."""

    async def edit() -> Shown:
        server = Shown()
        session = Session(project / ".oblist" / "oblist.db")
        publishing = Publishing(cast(LanguageServer, server), session)
        path, text = renamed(project, "basket")
        uses = project / "uses.lisp"
        session.open(path.as_uri(), text, 1)
        await publishing._publish(path.as_uri())
        assert lines(server.last) == USES["basket"]
        session.open(uses.as_uri(), uses.read_text(), 1)
        session.open(path.as_uri(), path.read_text(), 2)
        await publishing._publish(uses.as_uri())
        assert lines(server.last) == set()
        session.open(path.as_uri(), text, 3)
        await publishing._publish(path.as_uri())
        deadline = time.monotonic() + _SECONDS
        while lines(server.last) != USES["basket"] and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        publishing.stop()
        session.close()
        return server

    assert lines(asyncio.run(edit()).last) == USES["basket"]


def test_a_client_that_pulls_gets_them_as_related_documents(project: Path, talk: Conversation) -> None:
    path, text = renamed(project, "twice")
    talk.start([project], capabilities=_PULLING)
    uri = talk.open(path, text)

    def pulled() -> dict[str, list[dict[str, Any]]]:
        answer = talk.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        related = answer.get("relatedDocuments") or {}
        return {uri: answer["items"], **{one: report["items"] for one, report in related.items()}}

    assert lines(pulled()) == USES["twice"]
    change(talk, uri, 2, path.read_text())
    healed = pulled()
    assert lines(healed) == set()
    assert (project / "uses.lisp").as_uri() in healed  # taken back
    assert len(pulled()) == 1
