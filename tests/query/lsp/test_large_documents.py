"""Documents of more than two million characters have symbols and nothing else, which is said once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from oblist.query.lsp.documents.edited import MOST_READ
from support.command import OBLIST
from support.editors.language_client import Conversation, LanguageClient

SMALL = (
    '(in-package :cl-user)\n(defun (setf first-of) (new place) "Doc." (setf (car place) new))\n(foo 1 2)\n'
)
LARGE = SMALL + ";; filling\n" * (MOST_READ // 11 + 1) + "(cl:defmethod last-of ((one cons)) (car one))\n"
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    *((f"textDocument/{name}", {}) for name in ("hover", "completion", "signatureHelp", "definition")),
    *((f"textDocument/{name}", {}) for name in ("implementation", "documentHighlight", "prepareRename")),
    *((f"textDocument/{name}", {}) for name in ("prepareCallHierarchy", "prepareTypeHierarchy")),
    *((f"textDocument/{name}", {}) for name in ("foldingRange", "codeLens", "documentLink")),
    ("textDocument/semanticTokens/full", {}),
    ("textDocument/references", {"context": {"includeDeclaration": True}}),
    ("textDocument/rename", {"newName": "other"}),
    ("textDocument/selectionRange", {"positions": [{"line": 1, "character": 8}]}),
    ("textDocument/formatting", {"options": {"tabSize": 2, "insertSpaces": True}}),
]


@pytest.fixture
def talk(libraries_index: Path) -> Iterator[Conversation]:
    """A server without a workspace."""
    with LanguageClient(
        [OBLIST, "lsp", "--index", str(libraries_index)], dict(os.environ), Path("/")
    ) as client:
        client.conversation.start()
        yield client.conversation


def change(talk: Conversation, uri: str, version: int, text: str) -> None:
    document = {"uri": uri, "version": version}
    talk.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})


def names(talk: Conversation, uri: str) -> list[str]:
    found = talk.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    return [one["name"] for one in found]


def test_a_large_document_has_symbols_and_says_once_that_it_has_no_more(
    talk: Conversation, tmp_path: Path
) -> None:
    uri = talk.open(tmp_path / "large.lisp", LARGE)
    assert names(talk, uri) == ["(setf first-of)", "last-of"]
    assert talk.wait_for("textDocument/publishDiagnostics")[0]["diagnostics"] == []
    for method, more in REQUESTS:
        assert talk.at(method, uri, 1, 2, **more) is None, method
    change(talk, uri, 2, f"{LARGE} ")
    assert talk.at("textDocument/hover", uri, 1, 2) is None
    (said,) = talk.wait_for("window/showMessage")
    assert "more than 2 million characters" in said["message"]
    # One that gets small is read.
    change(talk, uri, 3, SMALL)
    assert talk.at("textDocument/hover", uri, 1, 2)
    assert names(talk, uri) == ["(setf first-of)"]
    change(talk, uri, 4, LARGE)
    assert talk.at("textDocument/hover", uri, 1, 2) is None
    assert len(talk.wait_for("window/showMessage")) == 1
