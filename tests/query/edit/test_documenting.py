"""Documentation strings to fill in come where SBCL takes them for documentation."""

from __future__ import annotations

import pytest

from oblist.query.edit.changes import edited
from oblist.query.edit.forms.documenting import documented
from oblist.query.syntax.features import Features
from oblist.query.syntax.nodes import Form
from oblist.query.syntax.reader import read
from oblist.query.syntax.tokens import Tokens

TOKENS = Tokens(str.upper)
FEATURES = Features("SBCL", TOKENS)


def after(text: str) -> str:
    """The text with a string in its form, if the form takes one."""
    (toplevel,) = read(text, FEATURES)
    form = toplevel.node
    assert isinstance(form, Form)
    edit = documented(text, form, form.items[0].text, TOKENS, FEATURES)
    return edited(text, [edit] if edit is not None else [])


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (
            "(defun f (a &optional b &key (c 1))\n  (list a b c))",
            '(defun f (a &optional b &key (c 1))\n  "TODO: document A, B and C."\n  (list a b c))',
        ),
        ("(defun f () 1)", '(defun f ()\n  "TODO: document this."\n  1)'),
        (
            "(defmethod f :around ((a integer) b) ; hm\n  (list a b))",
            '(defmethod f :around ((a integer) b)\n  "TODO: document A and B." ; hm\n  (list a b))',
        ),
        (
            "(defmacro with-x ((x y) &body body) `(progn ,x ,y ,@body))",
            '(defmacro with-x ((x y) &body body)\n  "TODO: document X, Y and BODY."\n  '
            "`(progn ,x ,y ,@body))",
        ),
        ("(defvar *x* 1)", '(defvar *x* 1\n  "TODO: document this.")'),
        (
            "(defgeneric f (a b))",
            '(defgeneric f (a b)\n  (:documentation "TODO: document A and B."))',
        ),
        ("(defclass c () ())", '(defclass c () ()\n  (:documentation "TODO: document this."))'),
        ("(defstruct s a b)", '(defstruct s\n  "TODO: document this."\n  a b)'),
        ("(defstruct (s (:conc-name nil)))", '(defstruct (s (:conc-name nil))\n  "TODO: document this.")'),
        ("(deftype id () 'integer)", '(deftype id ()\n  "TODO: document this."\n  \'integer)'),
    ],
)
def test_a_form_gets_one(before: str, expected: str) -> None:
    assert after(before) == expected
    assert after(expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        "(defun f (x))",
        '(defun f (x) "Of X." x)',
        "(defvar *x*)",
        "(defclass c ())",
        "(deftest f () 1)",
        '(defgeneric f (x) (:documentation "Of X."))',
    ],
)
def test_others_stay(text: str) -> None:
    assert after(text) == text
