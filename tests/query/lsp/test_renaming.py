"""Rename in an editor: the same edits as the command's, for what is open as it is now."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol.types import AnnotatedTextEdit, TextDocumentEdit, TextEdit, WorkspaceEdit
from pygls.uris import to_fs_path

from oblist.query.edit.changes import Edit, edited
from oblist.query.lsp.documents.lines import DocumentLines
from oblist.query.lsp.requests.renaming import prepared, renamed
from oblist.query.lsp.session import Session
from oblist.query.refactor.errors import RefactorError
from support.editors.atelier import CLOTH, FILES, PACKAGES, SHOP, atelier

CURSOR = "‸"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    session = Session(None)
    session.projects.set_folders([atelier()])
    yield session
    session.close()


def asked_to(
    session: Session, file: str, marked: str, new: str, *, annotates: bool = False, versions: bool = True
) -> tuple[str, WorkspaceEdit]:
    """What is renamed at the cursor in a file of the project, and the edits."""
    words = marked.replace(CURSOR, "")
    text = FILES[file]
    assert words in text
    uri = (atelier() / file).as_uri()
    session.open(uri, text, 7)
    try:
        position = DocumentLines(text).position(text.index(words) + marked.index(CURSOR))
        asked, at = session.pointed(uri, position)
        assert at is not None
        edit = renamed(asked, at, new, annotates=annotates, versions=versions)
        return prepared(asked, at).placeholder, edit
    finally:
        session.documents.close(uri)


def changed(edit: WorkspaceEdit) -> dict[str, str]:
    """The new texts of the files that an edit changes."""
    found = {}
    for one in edit.document_changes or ():
        assert isinstance(one, TextDocumentEdit)
        path = Path(to_fs_path(one.text_document.uri) or "")
        text, lines = path.read_text(), DocumentLines(path.read_text())
        edits = []
        for each in one.edits:
            assert isinstance(each, TextEdit | AnnotatedTextEdit)
            extent = lines.offset(each.range.start), lines.offset(each.range.end)
            edits.append(Edit(*extent, each.new_text))
        found[path.name] = edited(text, edits)
    return found


def test_a_symbol_in_all_files(session: Session) -> None:
    name, edit = asked_to(session, "shop.lisp", "(cloth:with-sc‸issors (bolt)", "with-blades")
    assert name == "with-scissors"
    assert changed(edit) == {
        "shop.lisp": SHOP.replace("with-scissors", "with-blades"),
        "cloth.lisp": CLOTH.replace("with-scissors", "with-blades"),
        "packages.lisp": PACKAGES.replace("with-scissors", "with-blades"),
    }
    versions = {
        Path(one.text_document.uri).name: one.text_document.version
        for one in edit.document_changes or ()
        if isinstance(one, TextDocumentEdit)
    }
    assert versions == {"shop.lisp": 7, "cloth.lisp": None, "packages.lisp": None}


def test_a_local_name_and_plain_changes(session: Session) -> None:
    name, edit = asked_to(session, "shop.lisp", "((len‸gth 3)", "span", versions=False)
    assert name == "length" and edit.document_changes is None and edit.changes is not None
    (edits,) = edit.changes.values()
    assert [one.new_text for one in edits] == ["span"] * 3


@pytest.mark.parametrize(
    ("file", "marked", "old", "new"),
    [
        ("calls.lisp", "(paint ,box :si‸de ,side)", "side", "face"),
        ("calls.lisp", "(stack box :on‸to (stack", "onto", "below"),
        ("boxes.lisp", "(box-wid‸th box)", "box-width", "box-breadth"),
        ("garments.lisp", "(make-instance 'garment :si‸ze 40", "size", "girth"),
    ],
)
def test_arguments_and_slots(session: Session, file: str, marked: str, old: str, new: str) -> None:
    name, edit = asked_to(session, file, marked, new)
    assert name == old
    assert any(new in text for text in changed(edit).values())


def test_comments_are_asked_about(session: Session) -> None:
    _, edit = asked_to(session, "cloth.lisp", "(defun c‸ut (bolt", "trim", annotates=True)
    assert edit.change_annotations is not None
    (annotation,) = edit.change_annotations.values()
    assert annotation.needs_confirmation
    texts = changed(edit)
    assert ";; TRIM comes before SEW" in texts["cloth.lisp"] and "`TRIM` first" in texts["notes.md"]


def test_what_cannot_be_renamed_says_why(session: Session) -> None:
    with pytest.raises(RefactorError, match="is already in use"):
        asked_to(session, "shop.lisp", "(cloth:with-sc‸issors (bolt)", "cut")
    with pytest.raises(RefactorError, match="COMMON-LISP"):
        asked_to(session, "shop.lisp", "(mapc‸ar", "map-them")
