"""check_form: a form, or the text of a file, judged before it is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.check.form import check_form
from oblist.query.check.form.answer import FormCheckAnswer
from oblist.query.check.form.text import form_text
from oblist.query.index.not_found import NotFound


@pytest.fixture(scope="module")
def index(libraries_index: Path) -> Iterator[Index]:
    """The index of a few libraries, open."""
    with open_index(libraries_index) as opened:
        yield opened


def judged(index: Index, text: str, package: str | None = None, **options: int) -> FormCheckAnswer:
    answer = check_form(index, text, package, **options)
    assert isinstance(answer, FormCheckAnswer), answer
    return answer


# A form, the text at fault, the rule, and the correction.
FAULTS = [
    ("(alexandira:flatten x)", "alexandira:flatten", "unknown-package", "alexandria:flatten"),
    ("(alexandria:flaten '(1))", "alexandria:flaten", "unknown-symbol", "alexandria:flatten"),
    ("(sb-impl:%defun 1 2)", "sb-impl:%defun", "not-external", "sb-impl::%defun"),
    ("(mapcra #'car '(1))", "mapcra", "undefined-function", "mapcar"),
    ("(flatten '(1))", "flatten", "undefined-function", "alexandria:flatten"),
    ("(list *standart-output*)", "*standart-output*", "undefined-variable", "*standard-output*"),
    ("(car 1 2)", "car", "wrong-number-of-arguments", None),
    ("(find 1 '(1) :tset #'eq)", ":tset", "unknown-keyword", ":test"),
    ("(setf (gethsh 1 (make-hash-table)) 2)", "gethsh", "unknown-place", "gethash"),
    ("(setf (length '(1)) 2)", "length", "unknown-place", None),
    ("(error 'type-error :datun 1)", ":datun", "unknown-initarg", ":datum"),
    ("(make-condition 'simpel-error)", "simpel-error", "unknown-class", "simple-error"),
    ("(make-instance (quote asdf:system) :nmae 1)", ":nmae", "unknown-initarg", ":name"),
    ('(format t "~a")', '"~a"', "format-arguments", None),
    ('(format t "~a~q" 1)', "~q", "format-directive", None),
    ("(list 1", "(", "unclosed", None),
    ("(list 1))", ")", "unmatched-parenthesis", None),
    ('(list "1)', '"', "unclosed", None),
    ("(list 1) #| a", "#|", "unclosed", None),
]


@pytest.mark.parametrize(("text", "at_fault", "rule", "correction"), FAULTS)
def test_a_fault_has_its_place_and_a_correction(
    index: Index, text: str, at_fault: str, rule: str, correction: str | None
) -> None:
    found = [one for one in judged(index, f"\n  {text}").findings if one.text != "x"]
    assert [(one.text, one.rule, one.correction) for one in found] == [(at_fault, rule, correction)]
    place = text.rindex(at_fault) if rule == "unmatched-parenthesis" else text.index(at_fault)
    assert (found[0].line, found[0].column, found[0].length) == (2, place + 3, len(at_fault))


def test_what_a_text_defines_itself_is_known(index: Index) -> None:
    text = """
    (defun outer (x) (helper x) (outer x))
    (defmacro helper (x) `(list ,x))
    (defvar *mine* 1)
    (defclass thing () ((part :initarg :part :accessor part-of)))
    (defstruct row cell)
    (define-condition gone (error) ((what :initarg :what)))
    (defun all (x)
      (flet ((f (y) (list y *mine*)) ((setf g) (new y) (list new y)))
        (labels ((h (y) (h (f y))))
          (macrolet ((m (&body forms) `(progn ,@forms)))
            (let ((z (h x))) (m (setf (g x) z (part-of x) 1 (row-cell x) 2)))
            (error 'gone :what (make-instance 'thing :part (make-row :cell x)))))))
    """
    answer = judged(index, text)
    assert answer.findings == []
    assert answer.calls > 5


def test_a_text_is_read_in_the_named_package_until_it_enters_another(index: Index) -> None:
    assert judged(index, "(flatten '(1))", "alexandria").findings == []
    text = "(in-package :alexandria) (flatten 1 2) (flaten 1)"
    assert [one.rule for one in judged(index, text).findings] == [
        "wrong-number-of-arguments",
        "undefined-function",
    ]
    own = (
        "(defpackage :mine (:use :cl) (:local-nicknames (:a :alexandria)))\n(in-package :mine)\n(a:flaten 1)"
    )
    assert [one.correction for one in judged(index, own).findings] == ["alexandria:flatten"]


def test_a_text_is_read_anew_in_another_package(index: Index) -> None:
    text = "(defun only-here (a) a)\n(only-here 1 2)"
    for package in ("ALEXANDRIA", "CL-USER", "CL-PPCRE"):
        (one,) = judged(index, text, package).findings
        assert (one.rule, one.text) == ("wrong-number-of-arguments", "only-here"), package


def test_an_unknown_package_is_not_found(index: Index) -> None:
    answer = check_form(index, "(list 1)", "alexandira")
    assert isinstance(answer, NotFound)
    assert "alexandria" in answer.suggestions


def test_the_label_says_what_the_text_is(index: Index) -> None:
    assert judged(index, "(defsystem :x)").findings != []
    system = check_form(index, "(defsystem :x)", path="x.asd")
    assert isinstance(system, FormCheckAnswer)
    assert (system.package, system.findings) == ("ASDF-USER", [])
    guide = check_form(index, "Call `alexandria:flaten`.", path="guide.md")
    assert isinstance(guide, FormCheckAnswer)
    assert [(one.column, one.rule) for one in guide.findings] == [(7, "unknown-symbol")]


def test_findings_are_bounded_and_counted(index: Index) -> None:
    answer = judged(index, "(car)\n" * 7 + "(mapcra 1)", limit=2, offset=1)
    assert (answer.total, answer.errors, answer.warnings, answer.offset) == (8, 7, 1, 1)
    assert [one.line for one in answer.findings] == [2, 3]
    assert form_text(answer).splitlines()[0] == "7 errors, 1 warning in form, read in COMMON-LISP-USER"
    assert form_text(answer).endswith("... and 5 more: --offset 3")


def test_a_text_without_faults_says_how_much_was_judged(index: Index) -> None:
    text = form_text(judged(index, "(alexandria:flatten (list 1 2))"))
    assert text.startswith("No findings in form, read in COMMON-LISP-USER (checked: 2 calls and 1 symbol ")


def test_any_text_is_judged_or_says_why_not(index: Index) -> None:
    for text in ("", ")", "'", "#.(boom)", "#|", '"', "\x00", "\udc80", "(" * 50_000, "#1=(a . #1#)", "|"):
        answer = judged(index, text)
        assert answer.total == len(answer.findings)
        assert form_text(answer)


def test_a_macro_evaluates_what_its_template_says(index: Index) -> None:
    """It may bind variables, so those are left alone; ITER takes its clauses apart."""
    text = "(alexandria:with-gensyms (a) (list a b) (mapcra 1) (car))"
    assert [one.text for one in judged(index, text).findings] == ["mapcra", "car"]
    opaque = "(iterate:iter (for x in '(1)) (count x) (car))"
    assert [one.rule for one in judged(index, opaque, "iterate").findings] == []


VERSION = """
(defun {name} (regex &optional packages &key (case-insensitive t))
  "What it does."
  (declare #.*standard-optimize-settings*)
  (regex-apropos-aux (regex packages case-insensitive)
    (print-symbol-info symbol nil))
  (values))
"""


def test_a_new_version_of_a_definition_is_judged_by_what_the_compiler_recorded(index: Index) -> None:
    """Of REGEX-APROPOS-AUX, which looks at its arguments, nobody knows what it evaluates."""
    found = judged(index, VERSION.format(name="regex-apropos"), "cl-ppcre").findings
    assert [(one.line, one.rule) for one in found] == [(6, "wrong-number-of-arguments")]
    assert judged(index, VERSION.format(name="regex-apropos-new"), "cl-ppcre").findings == []
