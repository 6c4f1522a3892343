"""What the pages of the rules do not say: places on lines, and what a check of one file reads of others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from oblist.query.check.findings import SourceFinding
from oblist.query.check.run import Check
from oblist.query.check.settings import Settings

HEAD = "(defpackage :shop (:use :cl))\n(in-package :shop)\n(defun price (thing) thing)\n"


def check(index: Path, folder: Path, text: str) -> list[SourceFinding]:
    """The findings in ``text`` after ``HEAD``."""
    (folder / "shop.lisp").write_text(HEAD + text, encoding="utf-8")
    return Check(index, Settings(folder), 1, lambda *_: None).run([str(folder)]).findings


# The text at fault is between angle quotes.
PLACES = [
    "(defun f (x) («alexandria:flaten» x))",
    "(in-package «:shpo»)",
    "(defpackage :b (:use :cl «:alexandira»))",
    "(defpackage :b (:import-from :alexandria «#:flaten»))",
    "(defpackage :b (:use :cl) (:export «#:nothi»ng))",  # as long as the name
    "(defun f () (mapcar #'«prcie» ()))",
    "(defun «price» (x) x)",
    "(defun f (x) (incf («price» x)))",
    "(defun f (x) (setf («gethash» x) 1) (push x (cdr x)))",
    "(defun f (x) (push x («cdr» x x)))",
    "(defmethod g ((x «prize»)) x)",
    "(defun f () (make-instance 'asdf:system «:name»))",
    "(defun f () (error 'type-error «:datun» 1))",
    "(defmacro m ((name &key size)) (list name size)) (defun f () (m (a «:sise» 1)))",
    "(defmacro m ((name)) name) (defun f () (m («a» b)))",
    '(defun f (x) (format t "a \\"~a\\" «~q»" x))',
    '(defun f (x) (cerror «"Use ~a ~a."» "No ~a." x))',
    '(defun f () (error \'simple-error :format-control «"~a"» :format-arguments (list 1 2)))',
    "(list 1) ; oblist: ignore[«unknown-symbl»]",
    "(list 1)«)»",
    "(list 1) «#|» a #| b |# c",
    "(list '«|»a)",
]


@pytest.mark.parametrize("marked", PLACES)
def test_a_fault_is_found_where_it_is(marked: str, libraries_index: Path, tmp_path: Path) -> None:
    before, at_fault, after = re.split("[«»]", marked)
    (found,) = check(libraries_index, tmp_path, before + at_fault + after)
    assert (found.line, found.column) == (HEAD.count("\n") + 1, len(before) + 1)
    assert found.length == len(at_fault)


def test_a_control_string_of_any_depth_is_left_alone(libraries_index: Path, tmp_path: Path) -> None:
    assert check(libraries_index, tmp_path, f'(defun f (x) (format nil "{"~{" * 3000}" x))') == []


def test_other_files_of_the_project_are_read_when_one_is_checked(
    libraries_index: Path, tmp_path: Path
) -> None:
    """As a pre-commit hook does, which names only the changed files."""
    (tmp_path / "inferred.asd").write_text('(asdf:defsystem "inferred" :class :package-inferred-system)\n')
    (tmp_path / "tools.lisp").write_text(
        "(defpackage :inferred/tools (:use :cl) (:export #:sharpen))\n"
        "(in-package :inferred/tools)\n(defun sharpen (x) x)\n"
    )
    main = tmp_path / "main.lisp"
    main.write_text(
        "(defpackage :inferred/main (:use :cl :inferred/tools))\n(in-package :inferred/main)\n"
        "(defun f () (sharpen 1) (inferred/tools:sharpen) (inferred/tools:shapren 1))\n"
    )
    outcome = Check(libraries_index, Settings(tmp_path), 1, lambda *_: None).run([str(main)])
    assert [(one.line, one.column, one.rule) for one in outcome.findings] == [
        (3, 26, "wrong-number-of-arguments"),
        (3, 51, "unknown-symbol"),
    ]
