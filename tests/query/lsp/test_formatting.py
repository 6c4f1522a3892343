"""Indentation of documents, ranges and lines that are begun, as Emacs does it with SLIME."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol.types import TextEdit

from oblist.query.lsp.requests.typing.formatting import formatted, indented_line
from oblist.query.lsp.session import Session

URI = "file:///nowhere/formatted.lisp"
# Each text is indented as it shall be.
RIGHT = [
    """(defun long-name (first
                  &optional second
                  &key third
                    fourth)
  "Two lines
  of documentation."
  (declare (ignore second))
  (list first
        third
        fourth))
""",
    """(defmethod area :around ((shape square) (unit (eql :metre))
                         &key round)
  (call-next-method))
(defgeneric area (shape)
  (:method ((shape square))
    (expt (side shape) 2))
  (:documentation "The area."))
""",
    """(let ((x 1)
      (y
        2)
      (z (list 1
               2)))
  (declare (ignorable z))
  (flet ((one (a
               b)
           (list a b))
         (two ()
           3))
    (one x
         y)))
""",
    """(if (test)
    (then)
    (else))
(when (test)
  (one)
  (two))
(unless
    (test)
  (one))
(cond ((one)
       (two))
      (t
       (three)))
(case key
  (:one
   1)
  ((:two :three)
   (list 2
         3)))
(handler-case
    (one)
  (error (condition)
    (print condition)))
(unwind-protect
     (one)
  (two))
(multiple-value-bind (a b)
    (values 1 2)
  (list a b))
(progn
  (one))
(prog1
    (one)
  (two))
""",
    """(defclass shape (thing
                 other)
  ((side :initarg :side
         :accessor side)
   (name
    :initform nil))
  (:documentation "A shape."))
(defstruct (point
            (:conc-name p-))
  x
  (y 0
   :type fixnum))
(defpackage :shapes
  (:use :cl)
  (:export #:area
           #:side))
(defvar *long-name*
  (list 1 2)
  "Documentation.")
""",
    """(loop for x in list
      for y = (f x)
        then (g y)
      when (p x)
        collect x into found
        and do (print x)
               (print y)
      finally (return found))
(loop
  for x in list
  do (print x))
(loop
  (one)
  (two))
(loop (one)
      (two))
(do ((i 0 (1+ i))
     (j 1))
    ((> i 10)
     j)
  (print i))
(dolist (x list)
  (print x))
(tagbody
 again
   (one)
   (go again))
""",
    """(with-open-file (stream "name"
                        :direction :input)
  (read-line stream))
(with-something-unknown (a)
  (b)
  (c))
(define-something name (list)
  (body))
(macrolet ((with-own ((a b) &body body)
             `(progn ,a ,b
                     ,@body))
           (plain (a b)
             (list a b)))
  (with-own (1
             2)
    (print 1))
  (plain 1
         2))
(mapcar (lambda (x)
          (list x))
        list)
(function (lambda (x)
  x))
""",
    """(call one
      two :key 1
          :other 2)
(call
 one
 two)
(call one :key 1
          :other 2)
'(one two
  three)
#(1 2
  3)
`(progn
   ,@(mapcar #'f
             list))
(list #+sbcl
      (one)
      #-sbcl
      (two)
      #+sbcl (three)
      four)
((one)
 (two))
(call ; a remark
      one)
""",
    """(defsetf place (a
                b)
    (new)
  (list a b new))
(symbol-macrolet ((a 1)
                  (b 2))
  (list a
        b))
(destructuring-bind (a
                     b)
    list
  (list a b))
(eval-when (:compile-toplevel
            :load-toplevel)
  (one))
(print-unreadable-object (thing stream
                          :type t)
  (one))
(restart-case (one)
  (use-value (value)
    :report "Use it."
    value))
(handler-bind ((error (lambda (condition)
                        (print condition))))
  (one))
""",
]


@pytest.fixture(scope="module")
def session(bare_index: Path) -> Iterator[Session]:
    session = Session(bare_index)
    yield session
    session.close()


def applied(text: str, edits: list[TextEdit]) -> str:
    """The text with edits of parts of its lines."""
    lines = text.split("\n")
    for one in sorted(edits, key=lambda edit: -edit.range.start.character):
        start, end = one.range.start, one.range.end
        assert start.line == end.line
        line = lines[start.line]
        lines[start.line] = line[: start.character] + one.new_text + line[end.character :]
    return "\n".join(lines)


def reformatted(session: Session, text: str, first: int = 0, last: int | None = None) -> str:
    session.open(URI, text, 1)
    try:
        asked = session.asked(URI)
        return applied(text, formatted(asked, first, text.count("\n") if last is None else last))
    finally:
        session.documents.close(URI)


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_stays_and_what_is_moved_comes_back(session: Session, text: str) -> None:
    assert reformatted(session, text) == text
    in_strings = ('  of documentation."',)
    chance = random.Random(3)
    for spaces in (lambda: 0, lambda: 3, lambda: chance.randrange(30)):
        lines = [
            line
            if line in in_strings
            else " " * (spaces() if not line.startswith("(") else 0) + line.lstrip()
            for line in text.split("\n")
        ]
        moved = "\n".join(lines)
        if all(line.startswith(("(", " ")) or not line for line in lines):
            assert reformatted(session, moved) == text


@pytest.mark.parametrize("text", RIGHT)
def test_each_line_is_indented_when_it_is_begun(session: Session, text: str) -> None:
    lines = text.split("\n")
    for number in range(1, len(lines)):
        if lines[number] in ("", '  of documentation."'):
            continue
        typed = "\n".join([*lines[:number], lines[number].lstrip()])
        session.open(URI, typed, 1)
        try:
            edits = indented_line(session.asked(URI), number)
        finally:
            session.documents.close(URI)
        if not lines[number].startswith("("):
            assert applied(typed, edits).split("\n")[number] == lines[number], typed


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("(defun f (x)\n", 2),
        ("(list 1\n", 6),
        ("(let ((x 1)\n", 6),
        ("(when (f)\n", 2),
        ("(when (f)\n\n(g)", 2),
        ('(print "a\n', None),
        ("(f)\n", None),
        ("(with-own (a b)\n", 2),
    ],
)
def test_an_empty_line_is_where_the_next_form_goes(session: Session, text: str, column: int | None) -> None:
    definition = "(defmacro with-own ((a b) &body body) body)\n" if "with-own" in text else ""
    line = definition.count("\n") + 1
    session.open(URI, definition + text, 1)
    try:
        edits = indented_line(session.asked(URI), line)
    finally:
        session.documents.close(URI)
    assert [one.new_text for one in edits] == ([] if column is None else [" " * column])


def test_a_range_leaves_the_other_lines_alone(session: Session) -> None:
    text = "(defun f (x)\n(one)\n(when x\n(two)))\n(defun g ()\n(three))\n"
    some = "(defun f (x)\n(one)\n  (when x\n    (two)))\n(defun g ()\n(three))\n"
    assert reformatted(session, text, 2, 3) == some
    expected = "(defun f (x)\n  (one)\n  (when x\n    (two)))\n(defun g ()\n  (three))\n"
    assert reformatted(session, text) == expected


def test_blanks_at_the_ends_of_lines_go_but_not_in_strings(session: Session) -> None:
    text = '(list 1  \n      "a  \n  b"\t\n      2) ; c \n\n   \n'
    assert reformatted(session, text) == '(list 1\n      "a  \n  b"\n      2) ; c\n\n\n'
    assert reformatted(session, "(list 1 \r\n2)\r\n") == "(list 1\r\n      2)\r\n"


def test_what_does_not_end_or_is_no_code_is_left_alone(session: Session) -> None:
    for text in (
        "",
        "\n\n",
        ";;; a\n  ;;; b\n ; c\n",
        "#| a\n b\n |#\n",
        '"a\n  b"\n',
        "a\nb\n",
        ")\n)\n",
        "#.(a\n",
    ):
        found = reformatted(session, text)
        assert [line.strip() for line in found.split("\n")] == [line.strip() for line in text.split("\n")]


def test_formatting_again_changes_nothing(session: Session) -> None:
    chance = random.Random(8)
    for text in RIGHT:
        lines = [line.lstrip() for line in text.split("\n")]
        moved = "\n".join(" " * chance.randrange(9) + line for line in lines)
        once = reformatted(session, moved)
        assert reformatted(session, once) == once
