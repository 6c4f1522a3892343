"""Code actions: corrections of what the server has found, one by one and all that are certain."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.command import OBLIST
from support.editors.language_client import LanguageClient

TEXT = """(defpackage :acted (:use :cl))
(in-package :acted)
(defun f (list)
  (mapcra #'car list)
  (lenght list)
  (find 1 list :tset #'eql)
  (strng list))
"""


@pytest.fixture(scope="module")
def talk(bare_index: Path) -> Iterator[Any]:
    with LanguageClient([OBLIST, "lsp", "--index", str(bare_index)], os.environ, Path("/")) as client:
        client.conversation.start([])
        yield client.conversation


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """A text of one-line edits with these made."""
    lines = text.split("\n")
    for one in sorted(edits, key=lambda edit: -edit["range"]["start"]["character"]):
        start, end = one["range"]["start"], one["range"]["end"]
        line = lines[start["line"]]
        lines[start["line"]] = line[: start["character"]] + one["newText"] + line[end["character"] :]
    return "\n".join(lines)


def actions(talk: Any, uri: str, diagnostics: list[dict[str, Any]], only: list[str] | None = None) -> Any:
    end = {"line": TEXT.count("\n"), "character": 0}
    context = {"diagnostics": diagnostics, **({"only": only} if only else {})}
    asked = {"textDocument": {"uri": uri}, "range": {"start": {"line": 0, "character": 0}, "end": end}}
    return talk.request("textDocument/codeAction", {**asked, "context": context})


def test_each_suggestion_is_an_action_and_all_certain_ones_are_another(talk: Any, tmp_path: Path) -> None:
    uri = talk.open(tmp_path / "acted.lisp", TEXT)
    diagnostics = talk.wait_for("textDocument/publishDiagnostics")[0]["diagnostics"]
    assert len(diagnostics) >= 4
    found = actions(talk, uri, diagnostics)
    quick = [one for one in found if one["kind"] == "quickfix"]
    titles = {one["title"] for one in quick}
    assert {"Write mapcar", "Write length", "Write :test", "Write string"} <= titles
    (mapcar,) = [one for one in quick if one["title"] == "Write mapcar"]
    assert mapcar["isPreferred"] is True and mapcar["diagnostics"][0]["code"] == "undefined-function"
    assert applied(TEXT, mapcar["edit"]["changes"][uri]) == TEXT.replace("mapcra", "mapcar")
    (everything,) = [one for one in found if one["kind"] == "source.fixAll"]
    corrected = applied(TEXT, everything["edit"]["changes"][uri])
    expected = TEXT.replace("mapcra", "mapcar").replace("lenght", "length").replace(":tset", ":test")
    assert corrected == expected.replace("strng", "string")
    only = actions(talk, uri, diagnostics, ["source.fixAll"])
    assert [one["kind"] for one in only] == ["source.fixAll"]
    assert {one["kind"] for one in actions(talk, uri, diagnostics, ["quickfix"])} == {"quickfix"}
    assert {one["kind"] for one in actions(talk, uri, diagnostics, ["source"])} == {"source.fixAll"}
    assert actions(talk, uri, diagnostics, ["refactor"]) == []


def test_what_has_changed_since_is_left_alone(talk: Any, tmp_path: Path) -> None:
    uri = talk.open(tmp_path / "changed.lisp", TEXT)
    diagnostics = talk.wait_for("textDocument/publishDiagnostics")[0]["diagnostics"]
    change = {"contentChanges": [{"text": f";\n{TEXT}"}], "textDocument": {"uri": uri, "version": 9}}
    talk.notify("textDocument/didChange", change)
    assert actions(talk, uri, diagnostics, ["quickfix"]) == []
    (everything,) = actions(talk, uri, [], ["source.fixAll"])
    assert "lenght" not in applied(f";\n{TEXT}", everything["edit"]["changes"][uri])
