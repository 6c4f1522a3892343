"""What stands at a place is renamed as what it is there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from oblist.query.api import Index, open_index
from oblist.query.refactor.errors import RefactorError
from oblist.query.refactor.project.texts import ProjectTexts
from oblist.query.refactor.rename.members.planned import renamed_member
from oblist.query.refactor.rename.placed import renamable_at
from oblist.query.refactor.rename.symbols import renamed_symbol
from support.editors.atelier import FILES, atelier

CURSOR = "‸"


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with open_index(atelier() / ".oblist" / "oblist.db") as index:
        yield index


@pytest.mark.parametrize(
    ("file", "marked", "name", "old", "owner"),
    [
        ("calls.lisp", "(funcall #'paint box :count 1 :si‸de :side)", "side", ":side", "paint"),
        ("calls.lisp", "(paint ,box :sid‸e ,side)", "side", ":side", "paint"),
        ("calls.lisp", "((:on‸to floor) nil)", "onto", ":onto", "stack"),
        ("boxes.lisp", "(make-jar :hei‸ght 1)", "height", "height", "jar"),
        ("boxes.lisp", "  wid‸th (height 1) colour", "width", "width", "box"),
        ("garments.lisp", "(size :initarg :si‸ze :initarg :fit", "size", ":size", "garment"),
        ("garments.lisp", "(make-instance 'garment :si‸ze 40", "size", ":size", "garment"),
        ("garments.lisp", "(si‸ze :initarg :size :initarg", "size", "size", "garment"),
        ("garments.lisp", "(apply #'make-instance 'dress :siz‸e 2", "size", ":size", ""),
        ("boxes.lisp", "(box-wid‸th box)", "box-width", "box-width", None),
        ("cloth.lisp", "(return-from cu‸t nil)", "cut", "cut", None),
        ("shop.lisp", "'atelier.cloth::cu‸t bolt", "cut", "cut", None),
    ],
)
def test_what_it_is(index: Index, file: str, marked: str, name: str, old: str, owner: str | None) -> None:
    text, words = FILES[file], marked.replace(CURSOR, "")
    assert words in text
    project = ProjectTexts(index, str(atelier()))
    one = project.file(str(atelier() / file))
    found = renamable_at(project, one, text.index(words) + marked.index(CURSOR))
    assert text[found.start : found.end] == name
    if owner is None:
        expected = renamed_symbol(project, old, "box-brand-new" if "-" in old else "brand-new", "ATELIER")
        assert found.plan("box-brand-new" if "-" in old else "brand-new").edits == expected.edits
    elif owner:
        expected = renamed_member(project, old, "brand-new", owner, "ATELIER")
        assert found.plan("brand-new").edits == expected.edits
    else:
        with pytest.raises(RefactorError):
            found.plan("brand-new")


@pytest.mark.parametrize("marked", ["(mapcar‸ #'cut", "\n‸\n(defun pieces", "(+ cut length)‸)"])
def test_nothing_or_nothing_of_ours_is_there(index: Index, marked: str) -> None:
    text = FILES["shop.lisp"]
    project = ProjectTexts(index, str(atelier()))
    one = project.file(str(atelier() / "shop.lisp"))
    with pytest.raises(RefactorError):
        renamable_at(project, one, text.index(marked.replace(CURSOR, "")) + marked.index(CURSOR)).plan("new")


@pytest.mark.parametrize(
    "marked",
    ["(defun () (&key ((:k‸ey x) 1)) x)", "(defclass () () ((a :initarg :a‸)))", "(‸:a 1)"],
)
def test_a_keyword_of_nothing(index: Index, marked: str) -> None:
    path, text = str(atelier() / "shop.lisp"), f"(in-package #:atelier)\n{marked}\n"
    project = ProjectTexts(index, str(atelier()), {path: text.replace(CURSOR, "")})
    with pytest.raises(RefactorError, match="can be renamed only in a call"):
        renamable_at(project, project.file(path), text.index(CURSOR)).plan("new")
