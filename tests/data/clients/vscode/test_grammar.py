"""The grammar that colours Lisp in Visual Studio Code, with the libraries that read it there."""

from __future__ import annotations

import pytest

from support.checkout import ROOT
from support.editors.vscode.extension import scopes

pytestmark = pytest.mark.full

# Pieces of a line with their scopes, but for the end of all of them.
LINES = [
    ("; a note (defun f ())", [("; a note (defun f ())", "comment.line.semicolon")]),
    ('"a \\" b" x', [('\\"', "constant.character.escape"), ("x", "meta.symbol")]),
    ('"~a and ~,2f"', [("~a", "constant.other.placeholder"), ("~,2f", "constant.other.placeholder")]),
    (
        "#\\a #\\Space #\\( (f)",
        [
            ("#\\a", "constant.character"),
            ("#\\Space", "constant.character"),
            ("#\\(", "constant.character"),
        ],
    ),
    (
        "(defun my-fun (x &optional y)",
        [
            ("defun", "keyword.declaration.function"),
            ("my-fun", "entity.name.function"),
            ("&optional", "storage.modifier"),
        ],
    ),
    (
        "(defmethod (setf price) (new (w ware))",
        [
            ("defmethod", "keyword.declaration.function"),
            ("(setf price)", "entity.name.function"),
        ],
    ),
    (
        "(cl:defvar *db* nil)",
        [
            ("cl:defvar", "keyword.declaration.variable"),
            ("*db*", "entity.name.variable"),
            ("nil", "constant.language"),
        ],
    ),
    (
        "(defstruct (point (:conc-name p-)) x)",
        [
            ("defstruct", "keyword.declaration.type"),
            ("point", "entity.name.type"),
            (":conc-name", "constant.other.keyword"),
        ],
    ),
    (
        "(in-package #:shop)",
        [
            ("in-package", "keyword.declaration.package"),
            ("#:shop", "entity.name.namespace"),
        ],
    ),
    ("(define-widget big ())", [("define-widget", "keyword.declaration"), ("big", "entity.name")]),
    (
        "(if (plusp x) 10 -1/2 1.5e3)",
        [
            ("if", "keyword.control"),
            ("10", "constant.numeric"),
            ("-1/2", "constant.numeric"),
            ("1.5e3", "constant.numeric"),
        ],
    ),
    (
        "(list #xFF 1+ a1 *x* +pi+ t)",
        [
            ("#xFF", "constant.numeric"),
            ("1+", "meta.symbol"),
            ("a1", "meta.symbol"),
            ("*x*", "variable.other.global"),
            ("+pi+", "variable.other.constant"),
            ("t", "constant.language"),
        ],
    ),
    (
        "#+sbcl (f) #-(or ccl abcl) g",
        [
            ("#+", "keyword.control.conditional"),
            ("sbcl", "constant.language.feature"),
            ("#-", "keyword.control.conditional"),
        ],
    ),
    (
        "(mapcar #'car `(,x ,@y))",
        [
            ("#'", "keyword.operator"),
            (",", "keyword.operator"),
            (",@", "keyword.operator"),
        ],
    ),
    ('|a (b "| iffy', [('|a (b "|', "meta.symbol"), ("iffy", "meta.symbol")]),
]


@pytest.mark.parametrize(("line", "expected"), LINES, ids=[line for line, _ in LINES])
def test_a_line_is_coloured(line: str, expected: list[tuple[str, str]]) -> None:
    (found,) = scopes(line)
    assert len(expected) > 0
    assert [one for one in expected if (one[0], f"{one[1]}.commonlisp") not in found] == [], found


def test_comments_nest() -> None:
    found = scopes("#| a\n #| b |# c |# d\n")
    assert {scope for _, scope in found[0]} == {"comment.block.commonlisp"}
    assert found[1][-1] == ("d", "meta.symbol.commonlisp")
    assert all(scope != "meta.symbol.commonlisp" for piece, scope in found[1] if "c" in piece)


def test_no_text_of_the_sample_runs_away() -> None:
    """What begins in a line as a string or comment ends as one: the code of the last line is none."""
    files = sorted((ROOT / "data" / "sample").rglob("*.lisp"))
    assert len(files) > 15
    for path in files:
        last = scopes(path.read_text(encoding="utf-8") + "\n(defun the-end ())")[-1]
        assert ("the-end", "entity.name.function.commonlisp") in last, path
