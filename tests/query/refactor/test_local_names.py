"""Local names get another name within their scope; keywords and slots of the same name stay."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from oblist.query.api import Index, open_index
from oblist.query.edit.changes import edited
from oblist.query.refactor.errors import RefactorError
from oblist.query.refactor.project.texts import ProjectTexts
from oblist.query.refactor.rename.local_names import renamed_local
from support.editors.atelier import atelier

CURSOR = "‸"


@pytest.fixture(scope="module")
def index() -> Iterator[Index]:
    with open_index(atelier() / ".oblist" / "oblist.db") as index:
        yield index


def after(index: Index, marked: str, new: str = "new") -> str | None:
    """A text in which the local name at the cursor is renamed; None if there is none."""
    text = f"(in-package #:atelier)\n{marked}"
    path = str(atelier() / "shop.lisp")
    project = ProjectTexts(index, str(atelier()), {path: text.replace(CURSOR, "")})
    plan = renamed_local(project, project.file(path), text.index(CURSOR), new)
    if plan is None:
        return None
    return edited(plan.texts[path], plan.edits[path]).partition("\n")[2]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("(let ((‸a 1)) (list a (let ((a 2)) a)))", "(let ((new 1)) (list new (let ((a 2)) a)))"),
        ("(let ((a 1)) (list ‸a 'a :a))", "(let ((new 1)) (list new 'a :a))"),
        ("(defun f (‸a) (declare (ignorable a)) a)", "(defun f (new) (declare (ignorable new)) new)"),
        ("(defun f (&key ‸a) a)", "(defun f (&key ((:a new))) new)"),
        ("(defun f (&key (‸a 1)) a)", "(defun f (&key ((:a new) 1)) new)"),
        ("(defun f (&optional (‸a 1)) a)", "(defun f (&optional (new 1)) new)"),
        ("(flet ((‸a (x) x)) (a #'a))", "(flet ((new (x) x)) (new #'new))"),
        ("(with-slots (‸a) o (list a))", "(with-slots ((new a)) o (list new))"),
        ("(with-slots ((‸a b)) o (list a))", "(with-slots ((new b)) o (list new))"),
        ("(loop for ‸a in l collect a)", "(loop for new in l collect new)"),
        (
            "(let ((‸a 1)) #+sbcl (list a) #-sbcl (car a))",
            "(let ((new 1)) #+sbcl (list new) #-sbcl (car new))",
        ),
        ("(block ‸a (return-from a 1))", "(block new (return-from new 1))"),
        ("(destructuring-bind (‸a b) l (list a b))", "(destructuring-bind (new b) l (list new b))"),
        ("(let ((‸a 1)) (unless-idle (a) (list a)))", "(let ((new 1)) (unless-idle (new) (list new)))"),
        ("(let ((‸a 1)) (through (unless-idle () a)))", "(let ((new 1)) (through (unless-idle () new)))"),
        ("(let ((‸a 1)) (with-name (b a) b))", "(let ((new 1)) (with-name (b new) b))"),
        ("(let ((‸a 1)) (with-it a 1))", "(let ((new 1)) (with-it new 1))"),
        ("(let ((‸thimble 1)) (with-it thimble 1))", "(let ((new 1)) (with-it new 1))"),
        ("(let ((‸a 1)) (twice-named b a))", "(let ((new 1)) (twice-named b new))"),
        ("(let ((‸a 1)) (cloth:with-scissors (nil) a))", "(let ((new 1)) (cloth:with-scissors (nil) new))"),
    ],
)
def test_within_its_scope(index: Index, before: str, expected: str) -> None:
    assert after(index, before) == expected


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("(let ((‸a 1)) (let ((new 2)) (list a new)))", "new is already in use"),
        ("(let ((‸a 1)) (list a 'new))", "new is already in use"),
        ("(let ((‸a 1)) (no-such-macro (a) a))", "on the macro around"),
        ("(let ((‸a 1)) (with-name (b 1) a))", "on the macro around"),
        ("(let ((‸a 1)) (with-it 1 a))", "on the macro around"),
        ("(let ((‸a 1)) (twice-named a 1))", "on the macro around"),
        ("(let ((‸a 1)) (looked-at a))", "on the macro around"),
        ("(let ((‸needle 1)) (with-needle 1))", "a macro makes code that uses a variable"),
        ("(let ((‸pattern 1)) (with-pattern))", "a macro makes code that uses a variable"),
        ("(let ((‸a 1)) (all-of (b c) a))", "on the macro around"),
    ],
)
def test_what_could_mean_something_else_is_refused(index: Index, before: str, why: str) -> None:
    with pytest.raises(RefactorError, match=why):
        after(index, before)


def test_no_local_name_is_there(index: Index) -> None:
    assert after(index, "(li‸st 1)") is None
