"""Only regular files of the workspace and of indexes are read, whatever a client names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.command import OBLIST
from support.editors.language_client import Conversation, LanguageClient, ResponseFailedError

TEXT = "(in-package :cl-user)\n(alexandria:flatten (mapcar #'car '((1) (2))))\n"
URIS = [
    "file:///a%00b.lisp",
    "file:///a\0b.lisp",
    "file:///half\ud800.lisp",
    "file:///octet\udc80.lisp",
    "file:///%ff.lisp",
    "file://[host/a.lisp",
    "oblist:///half\ud800.lisp?index=x",
    "oblist:///etc/passwd?index=x",
    "untitled:half\ud800",
    "file:///" + "a" * 5_000,
    "\0",
    "",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with what is no source."""
    folder = tmp_path_factory.mktemp("hostile") / "workspace"
    folder.mkdir()
    (folder / "some.lisp").write_text(TEXT)
    os.mkfifo(folder / "pipe.lisp")
    (folder / "device.lisp").symlink_to("/dev/zero")
    with (folder / "sparse.lisp").open("wb") as file:
        file.truncate(1 << 34)
    (folder.parent / "secret.lisp").write_text("(defvar *secret*)")
    (folder / "link.lisp").symlink_to(folder.parent / "secret.lisp")
    (folder / "below").mkdir()
    return folder


@pytest.fixture(scope="module")
def talk(folder: Path, libraries_index: Path) -> Iterator[Conversation]:
    """A server whose workspace that is."""
    command = [OBLIST, "lsp", "--index", str(libraries_index)]
    with LanguageClient(command, dict(os.environ), Path("/")) as client:
        client.conversation.request("initialize", initial([folder.as_uri(), "file://[", "file:///a%00b"]))
        client.conversation.notify("initialized", {})
        yield client.conversation


def initial(folders: list[str]) -> dict[str, Any]:
    """The parameters of a client with folders, and with a root that no file system could have."""
    return {
        "processId": None,
        "rootUri": "file://[",
        "rootPath": "/half\ud800",
        "capabilities": {"textDocument": {"diagnostic": {}}},
        "workspaceFolders": [{"uri": uri, "name": "folder"} for uri in folders],
    }


def symbols(talk: Conversation, uri: str) -> object:
    return talk.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})


def test_what_is_not_a_regular_file_is_not_read(talk: Conversation, folder: Path) -> None:
    for name, why in (
        ("pipe.lisp", "not a regular file"),
        ("below", "Is a directory"),
        ("sparse.lisp", "larger than 64 MB"),
        ("none.lisp", "No such file"),
    ):
        with pytest.raises(ResponseFailedError, match=f"cannot be read: .*{why}"):
            talk.at("textDocument/hover", (folder / name).as_uri(), 0, 1)


def test_what_is_outside_of_the_workspace_and_of_indexes_is_not_read(
    talk: Conversation, folder: Path
) -> None:
    outside = ["file:///dev/zero", "file:///etc/passwd", "file:///proc/self/environ"]
    inside = [(folder / name).as_uri() for name in ("device.lisp", "link.lisp", "../secret.lisp")]
    for uri in (*outside, *inside):
        with pytest.raises(ResponseFailedError, match="neither in a workspace folder nor a source"):
            symbols(talk, uri)
    assert symbols(talk, (folder / "some.lisp").as_uri()) == []
    spots = talk.at("textDocument/definition", (folder / "some.lisp").as_uri(), 1, 14)
    assert spots
    assert symbols(talk, spots[0]["uri"])


@pytest.mark.parametrize("uri", URIS, ids=range(len(URIS)))
def test_a_uri_that_names_no_file_is_answered(talk: Conversation, uri: str) -> None:
    with pytest.raises(ResponseFailedError, match="is not open") as told:
        symbols(talk, uri)
    assert told.value.code == -32803
    document = {"uri": uri, "languageId": "lisp", "version": 1, "text": TEXT}
    talk.notify("textDocument/didOpen", {"textDocument": document})
    assert "alexandria:flatten" in talk.at("textDocument/hover", uri, 1, 14)["contents"]["value"]
    assert talk.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"] == []
    talk.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert "items" in talk.request(
        "workspace/diagnostic", {"previousResultIds": [{"uri": uri, "value": "x"}]}
    )
