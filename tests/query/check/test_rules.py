"""Each rule of check: text that it reports, and text that it leaves alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from oblist.query.check.findings import SourceFinding
from oblist.query.check.run import Check
from oblist.query.check.settings import Settings
from support.checkout import ROOT

HEAD = """(defpackage :shop
  (:use :cl) (:local-nicknames (:a :alexandria))
  (:export #:price))
(in-package :shop)
(defun price (thing &key (tax 1)) "What it costs." (list thing tax))
(defmacro with-shop ((name) &body body) `(let ((,name 1)) ,@body))
(defvar *till* 0)
"""


def check(
    index: Path, folder: Path, text: str, name: str = "shop.lisp", head: str = HEAD
) -> list[SourceFinding]:
    """The findings in ``text`` after ``head``; lines count from the first line of ``text``."""
    (folder / name).write_text(head + text, encoding="utf-8")
    outcome = Check(index, Settings(folder), 1, lambda *_: None).run([str(folder)])
    return [one for one in outcome.findings if one.severity != "info"]


# A line of code, and the findings on it: column and rule.
FAULTS = [
    ("(alexandira:flatten '(1))", "2 unknown-package"),
    ("(defun f (x) (a:flaten x))", "15 unknown-symbol"),
    ("(defun f (x) 'alexandria::no-such-thing x)", "15 unknown-symbol"),
    ("(defun f () 'sb-impl:%defun)", "14 not-external"),
    ("(defun f () (shop::prise))", "14 unknown-symbol"),
    ("(defun f () (price))", "14 wrong-number-of-arguments"),
    ("(defun f () (car 1 2))", "14 wrong-number-of-arguments"),
    ("(defun f () (price 1 :tex 2))", "22 unknown-keyword"),
    ("(defun f () (find 1 '(1) :tset #'eq))", "26 unknown-keyword"),
    ("(defun f () (if))", "14 wrong-number-of-arguments"),
    ("(defun f (x) (let ((y (cdr))) (list x y)))", "24 wrong-number-of-arguments"),
    ("(defun f (x) (loop for y in (cdr) collect (car y)))", "30 wrong-number-of-arguments"),
    ("(defun f (x) (handler-case (car) (error (e) (list e x))))", "29 wrong-number-of-arguments"),
    ("(defun f () `(car ,(car)))", "21 wrong-number-of-arguments"),
    ("(defun f (&optional (x (car))) x)", "25 wrong-number-of-arguments"),
    ("(defclass c () ((s :initform (car))))", "31 wrong-number-of-arguments"),
    ("#+sbcl (defun f () (car))", "21 wrong-number-of-arguments"),
    ("(defun f () #-(or ccl abcl) (car))", "30 wrong-number-of-arguments"),
    ("(defun f () (prcie 1))", "14 undefined-function"),
    ("(defun f () (mapcar #'prcie ()))", "23 undefined-function"),
    ("(defnu f () 1)", "2 undefined-function"),
    ("(defun f () *tlil*)", "13 undefined-variable"),
    ("(defun f (x) (let ((y 1)) (list x y z)))", "37 undefined-variable"),
    ("(defun f () (sb-thread:get-mutex 1))", "14 deprecated"),
    ("(defun price (x) x)", "8 duplicate-definition"),
    ("(in-package :shpo)", "13 unknown-package"),
    ("(defpackage :b (:use :cl :alexandira))", "26 unknown-package"),
    ("(defpackage :b (:import-from :alexandria #:flaten))", "42 unknown-symbol"),
    ("(defun f (x) (setf (price x) 1))", "21 unknown-place"),
    ("(defun f (x) (setf (length x) 1))", "21 unknown-place"),
    ("(defun f (x) (push x (a:flatten x)))", "23 unknown-place"),
    ("(defun f (x) (incf (prcie x)))", "21 unknown-place"),
    ("(defun f () (make-instance 'prize))", "29 unknown-class"),
    ("(defmethod g ((x prize)) x)", "18 unknown-class"),
    ("(defun f () (make-instance 'asdf:system :nmae 1))", "41 unknown-initarg"),
    ("(defun f () (make-instance 'asdf:system :name))", "41 wrong-number-of-arguments"),
    ("(defun f () (make-condition 'type-error :datun 1))", "41 unknown-initarg"),
    ("(defun f () (error 'type-error :datun 1 :expected-type 'x))", "32 unknown-initarg"),
    ("(defun f () (signal 'prize-lost))", "22 unknown-class"),
    ('(defun f (x) (format nil "~a ~3,1f~%" x))', "26 format-arguments"),
    ('(defun f (x) (error "No ~a." x x))', "21 format-arguments"),
    ('(defun f (x) (format t "~{~a~^, ~}" x 1))', "24 format-arguments"),
    ('(defun f (x) (format t "~:[no~;~a~]" x x x))', "24 format-arguments"),
    ('(defun f (x) (cerror "Use ~a ~a." "No ~a." x))', "22 format-arguments"),
    ('(defun f (x) (assert x (x) "No ~a."))', "28 format-arguments"),
    ('(defun f (x) (with-simple-restart (go "On ~a") x))', "39 format-arguments"),
    (
        '(defun f () (error \'simple-error :format-control "~a" :format-arguments (list 1 2)))',
        "50 format-arguments",
    ),
    ('(defun f (x) (format t "a \\"~a\\" ~q" x))', "34 format-directive"),
    ('(defun f (x) (format t "~{~a" x))', "25 format-directive"),
    ('(defun f (x) (format t "~a~}" x))', "27 format-directive"),
    ('(defun f (x) (format t "~(~a~}" x))', "29 format-directive"),
    ('(defun f (x) (format t "~:[a~]" x))', "25 format-directive"),
    ('(defun f (x) (format t "~a ~" x))', "28 format-directive"),
    ('(defun f () (formatter "~;"))', "25 format-directive"),
    ("(defmacro m ((name &key size)) (list name size)) (defun f () (m (a :sise 1)))", "68 unknown-keyword"),
    ("(list 1) ; oblist: ignore[unknown-symbl]", "27 unknown-rule"),
    ("(list 1))", "9 unmatched-parenthesis"),
    ("(list 1", "1 unclosed"),
    ("(list '#(1)", "1 unclosed"),
    ('(list "a)', "7 unclosed"),
    ("(list '|a)", "8 unclosed"),
    ("(list 1) #| a #| b |# c", "10 unclosed"),
    ("(list 1) '", "10 unclosed"),
]
SOUND = [
    "(defun f () (with-shop (x) (price) (prcie 1) (find 1 () :tset 1)))",  # only the macro knows
    "(defun f (x) (setf (price-of x) 1)) (defun (setf price-of) (new x) (list new x))",
    "(defclass c () ((s :accessor s-of :initarg :s)))\n(defun f (x) (setf (s-of x) (make-instance 'c :s 1)))",
    "(defstruct row a)\n(defun f (x) (setf (row-a x) 1) (incf (row-a x)))\n(defmethod g ((x row)) x)",
    "(defpackage :made (:use :cl) (:export #.(intern \"IT\")))\n(defun f () (list 'made:it 'made:other))",
    "(defpackage :made (:use :cl))\n(export (mapcar #'intern '(\"A\")) :made)\n(defun f () 'made:it)",
    "(defun f (x) (flet (((setf size) (new y) (list new y))) (setf (size x) 1 (its x) 2)))"
    "(defun (setf its) (new x) (list new x))",
    "(defmethod g ((x (eql 1)) (y list) &key z) (list x y z))",
    "(defmethod g ((x (eql #\\c))) x)\n(defmethod g ((x (eql #\\C))) x)",
    '(defun f (x) (format nil "~a ~{~a~^, ~}~:p ~v,\'0d~@[ ~a~]" x x 1 2 x) (error "~a" x))',
    '(defun f (x) (format nil "~a~^ ~a" x) (format nil "~[a~;~a~]~*~:*~a" x x) (format x "~@{~a~}"))',
    '(defun f (x) (format nil "~?~#[~;a~]~/pkg:fn/~2@*~a" x x x) (warn "~a" . x) (format nil x "~q"))',
    f'(defun f (x) (format nil "{"~{" * 3000}" x))',
    '(defun f (x) (cerror "" "~a" x) (cerror "Use ~a" \'type-error :datum x :expected-type 1))',
    "(defun f (x) (error 'type-error :datum x) (signal x :foo 1) (error (find-class x) :foo 1))",
    "(defmethod initialize-instance :after ((x asdf:system) &key extra) extra)\n"
    "(defun f () (make-instance 'asdf:system :extra 1))",
    '(list "(" #\\( "a|" \'|"| 1) ; ) "\n#| ( |#',
    "(defun f () [a (b c] )\n(list",
    "(defun f (x) #?/)/ x))\n(list 1",
    "(defun f (x) (a:flatten x))",
    "(defun f () (shop::price 1 :tax 2))",
    "#+ccl (ccl:no-such 1)",
    "(defun f () #-sbcl (ccl:no-such) #+(and ccl sbcl) (car) 1)",
    ';; (alexandria:flaten)\n(defun f () "(alexandria:flaten)" #| (car) |# 1)',
    "(defun f () '(car) '(price) `(car))",
    "(defun f () (flet ((car (a b) (list a b))) (car 1 2)))",
    "(defun f () (labels ((g () (g))) (g)))",
    "(defun f () (macrolet ((car (&rest x) `(list ,@x))) (car 1 2)))",
    "(defun f (car) (let ((price 1)) (list car price)))",
    "(defun f (x) (case x ((car) 1) ((price cdr) 2)))",
    "(defun f (x) (destructuring-bind (car cdr) x (list car cdr)))",
    "(defun f (x) (multiple-value-bind (car) x car))",
    "(defun f (x) (declare (type (vector) x) (special *y*)) (list x *y*))",
    "(defun f (x) (loop with (a b) = x and c for y in x and z = 1 collect (list a b c y z)))",
    "(defun f (x) (do ((y x (cdr y))) ((null y) y) (print y)))",
    "(defun f (x) (handler-bind ((error #'print)) (restart-case x (use-value (y) y))))",
    "(defmacro m (a &key b) `(progn ,a ,b (undefined-thing)))",
    "(defun f (&rest x) (apply #'price x) (funcall 'price 1))",
    "(defun f () (price 1 :other 2 :allow-other-keys t))",
    "(defun f (key) (price 1 key 2))",
    "(defun f (x) (setf (car x) 1 (getf (cdr x) :a) 2) (push 1 (cdr x)) x)",
    "(defmethod g ((x integer) &key z) (call-next-method) (list x z))\n(defun f () (g 1 :z 2))",
    "(defstruct (row (:conc-name r-)) a b)\n(defun f (x) (make-row :a 1) (r-b x) (copy-row x) (row-p x))",
    "(defstruct row a)\n(defstruct (sub (:include row)) b)\n(list (sub-a 1) (shop::sub-a 1) (sub-b 1))",
    "(defclass c () ((s :accessor s-of)))\n(defun f (x) (s-of x))",
    "(with-shop (price) (price))",
    "(defun f () 'shop::mentioned)\n(defun g () 'mentioned)",
    "(export 'late)\n(defun late () 1)\n(defun f () (shop:late))",
    "#+ccl (defun f () 1)\n#-ccl (defun f () 2)",
    "(defun f () (print-unreadable-object (*till* *standard-output* :type t) 1))",
    "(defgeneric g (x &key))\n(defmethod g ((x list) &key deep) (list x deep))\n(defun f () (g () :deep t))",
    "(defun f (x) (sb-ext:posix-getenv x)) (defun price-of (x) (a:when-let ((car (cdr x))) car))",
]


@pytest.mark.parametrize(("code", "expected"), FAULTS, ids=[code for code, _ in FAULTS])
def test_a_fault_is_found_where_it_is(
    code: str, expected: str, libraries_index: Path, tmp_path: Path
) -> None:
    found = check(libraries_index, tmp_path, code)
    told = {f"{one.column} {one.rule}" for one in found if one.line == HEAD.count("\n") + 1}
    assert told == {expected}
    assert len(found) == 1


@pytest.mark.parametrize("code", SOUND)
def test_what_is_right_is_left_alone(code: str, libraries_index: Path, tmp_path: Path) -> None:
    assert check(libraries_index, tmp_path, code) == []


def test_a_wrong_name_comes_with_what_may_have_been_meant(libraries_index: Path, tmp_path: Path) -> None:
    code = (
        "(a:flaten 1)\n(alexandira:flatten 1)\n'sb-impl:%defun\n(find 1 () :tset 1)\n(defun f () (prcie 1))"
    )
    found = check(libraries_index, tmp_path, code)
    assert [one.suggestions[:1] for one in found] == [
        ("alexandria:flatten",),
        ("alexandria:flatten",),
        ("sb-impl::%defun",),
        (":test",),
        ("price",),
    ]


def test_what_a_form_swallows_is_named(libraries_index: Path, tmp_path: Path) -> None:
    found = check(libraries_index, tmp_path, "(defun f (x)\n  (list x)\n\n(defun g (x)\n  (list x))\n")
    here = HEAD.count("\n") + 1
    assert [(one.line, one.message) for one in found] == [
        (here, f"the form that begins here is not closed, so the one on line {here + 3} is part of it")
    ]


def test_a_package_of_another_file_is_known(libraries_index: Path, tmp_path: Path) -> None:
    (tmp_path / "package.lisp").write_text("(uiop:define-package :far (:use :cl) (:export #:away))\n")
    (tmp_path / "far.lisp").write_text("(in-package :far)\n(defun away (x) x)\n")
    found = check(libraries_index, tmp_path, "(far:away)\n(far:near)\n(defpackage :b (:use :far))")
    assert [(one.line - 7, one.rule) for one in found] == [
        (1, "wrong-number-of-arguments"),
        (2, "unknown-symbol"),
    ]


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


def test_what_the_files_say_is_newer_than_the_index(libraries_index: Path, tmp_path: Path) -> None:
    code = (
        "(in-package :alexandria)\n(defun flatten (a b) (list a b))\n(defun f () (flatten 1) (flatten 1 2))"
    )
    found = check(libraries_index, tmp_path, code, head="")
    assert [(one.line, one.column, one.rule) for one in found] == [(3, 14, "wrong-number-of-arguments")]


def test_the_lambda_list_of_a_constructor_is_told_as_people_write_it(
    libraries_index: Path, tmp_path: Path
) -> None:
    (found,) = check(libraries_index, tmp_path, "(defstruct row a |b c|)\n(make-row :b 1)")
    assert found.message.endswith("its lambda list is (&key a |b c|)")


def test_a_package_is_entered_within_progn(libraries_index: Path, tmp_path: Path) -> None:
    text = (
        "(eval-when (:compile-toplevel)\n (progn (in-package :alexandria)))\n(defun f () (flatten))\n"
        "(progn (in-package :shpo))\n(in-package :cl-user)\n(defun car (a b) a)\n(car 1)\n"
    )
    found = check(libraries_index, tmp_path, text, head="")
    assert [(one.line, one.rule) for one in found] == [
        (3, "wrong-number-of-arguments"),
        (4, "unknown-package"),
    ]


def test_a_slip_in_the_form_that_enters_a_package_is_found(libraries_index: Path, tmp_path: Path) -> None:
    """Before a file enters a package, other unknown forms may be for any program."""
    text = "(component :foo)\n(in-pakage :alexandria)\n(flatten)\n(defclas c () ())\n"
    found = check(libraries_index, tmp_path, text, head="")
    assert [(one.line, one.column, one.rule) for one in found] == [(2, 2, "undefined-function")]
    assert "in-package" in found[0].suggestions
    for other in ("(in-pakage)\n" * 2, "(package :alexandria)\n", "(define-pakage :alexandria)\n"):
        assert check(libraries_index, tmp_path, other, head="") == []


def test_the_methods_of_a_generic_function_take_keywords(libraries_index: Path, tmp_path: Path) -> None:
    text = (
        "(defgeneric g (x &key)\n (:method ((x list) &key deep) (list x deep)))\n"
        "(g () :deep t)\n(g () :dep t)"
    )
    found = check(libraries_index, tmp_path, text)
    assert [(one.line - 7, one.rule) for one in found] == [(4, "unknown-keyword")]


def test_exports_are_judged_when_asked_for(libraries_index: Path, tmp_path: Path) -> None:
    text = HEAD.replace("#:price", "#:price #:nothing #:bare") + "(defun bare (x) x)\n"
    (tmp_path / "shop.lisp").write_text(text)
    outcome = Check(libraries_index, Settings(tmp_path), 1, lambda *_: None).run([str(tmp_path)])
    assert [(one.rule, one.column, one.severity) for one in outcome.findings] == [
        ("unused-export", 20, "info"),
        ("undocumented-export", 30, "info"),
    ]


def test_every_rule_has_a_fault_here() -> None:
    from oblist.query.check.rules.table import RULES

    shown = {expected.partition(" ")[2] for _, expected in FAULTS} | {
        *("unused-export", "undocumented-export", "missing-system"),
    }
    assert shown == set(RULES)
    page = (ROOT / "docs" / "check.md").read_text(encoding="utf-8")
    assert [name for name in RULES if not re.search(rf"^\| `{name}` \|", page, re.MULTILINE)] == []
