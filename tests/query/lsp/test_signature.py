"""Signature help: what is called around the cursor, and which parameter is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol.types import MarkupContent, SignatureHelp

from oblist.lisp.sbcl import Sbcl
from oblist.query.lsp.requests.typing.signature import signature_help
from oblist.query.lsp.session import Session
from support.live import printed_values

CURSOR = "‸"
# The functions of the standard that take arguments: their lambda lists, of names only.
_LAMBDA_LISTS = """
(with-output-to-string (*standard-output*)
  (setf *print-pretty* nil)
  (do-external-symbols (one :common-lisp)
    (when (and (fboundp one) (not (macro-function one)) (not (special-operator-p one))
               (not (typep (fdefinition one) 'generic-function)))
      (format t "~(~a~{ ~a~}~)|" one
              (mapcar (lambda (item) (loop while (consp item) do (setf item (car item))) item)
                      (sb-kernel:%fun-lambda-list (fdefinition one)))))))
"""


@pytest.fixture(scope="module")
def session(bare_index: Path) -> Iterator[Session]:
    session = Session(bare_index)
    yield session
    session.close()


def helped(session: Session, text: str, *, by_offset: bool = True) -> SignatureHelp | None:
    offset = text.index(CURSOR)
    uri = "file:///nowhere/typed.lisp"
    session.open(uri, text.replace(CURSOR, ""), 1)
    try:
        return signature_help(session.asked(uri), offset, by_offset=by_offset)
    finally:
        session.documents.close(uri)


def active(found: SignatureHelp | None) -> str | None:
    """The text of the active parameter; None if there is none."""
    if found is None:
        return None
    first = found.signatures[0]
    assert first.parameters is not None and first.active_parameter == found.active_parameter
    number = first.active_parameter
    assert number is not None and 0 <= number <= len(first.parameters)
    if number == len(first.parameters):
        return None
    label = first.parameters[number].label
    assert isinstance(label, tuple)
    return first.label[slice(*label)]


DOLIST = "(dolist (var list &optional (result nil)) &body body)"
OPENED = "(with-open-file (stream filespec &rest options) &body body)"
MADE = "(make-condition type &key pathname &allow-other-keys)"
FIND = "(find item sequence &rest args &key from-end (start 0) end key test test-not)"


@pytest.mark.parametrize(
    ("text", "label", "parameter"),
    [
        ("(find ‸", FIND, "item"),
        ("(find 1 ‸)", FIND, "sequence"),
        ("(find 1 lis‸t)", FIND, "sequence"),
        ("(find 1 list ‸)", FIND, "&key"),
        ("(find 1 list :start ‸)", FIND, "(start 0)"),
        ("(find 1 list :sta‸)", FIND, "&key"),
        ("(find 1 list :start 2 :key ‸", FIND, "key"),
        ("(find 1 list :no-such ‸)", FIND, "&rest args"),
        ("(car 1 ‸)", "(car list)", None),
        ("(list 1 2 ‸)", "(list &rest args)", "&rest args"),
        ("(when (car ‸", "(car list)", "list"),
        ("(if (foo) ‸)", "(if test then &optional else)", "then"),
        ("(dolist (‸", DOLIST, "var"),
        ("(dolist (x ‸", DOLIST, "list"),
        (
            "(dolist ‸",
            DOLIST,
            "(var list &optional (result nil))",
        ),
        (
            "(with-open-file (s ‸) (print s))",
            OPENED,
            "filespec",
        ),
        (
            "(with-open-file (s f) ‸",
            OPENED,
            "&body body",
        ),
        ("(flet ((local (a &optional (b 1)) a)) (local 1 ‸))", "(local a &optional (b 1))", "(b 1)"),
        ("(labels ((local (a) (local ‸", "(local a)", "a"),
        ("(macrolet ((m ((x y) z) x)) (m (1 ‸) 2))", "(m (x y) z)", "y"),
        ("(defun own (a &key (b 2)) (own 1 :b ‸", "(own a &key (b 2))", "(b 2)"),
        ("(defun other (one two) one)\n(other 1 ‸)", "(other one two)", "two"),
        ("(let ((x (car ‸)))", "(car list)", "list"),
        ("(funcall #'find 1 ‸)", FIND, "sequence"),
        ("(funcall 'find ‸)", FIND, "item"),
        (
            "(make-condition 'file-error :pathname ‸)",
            MADE,
            "pathname",
        ),
        ("`(list ,(car ‸", "(car list)", "list"),
        ("(loop for x in (car ‸", "(car list)", "list"),
        ('(print "a (b" ‸)', "(print object &optional stream)", "stream"),
        ("(print #\\( ‸)", "(print object &optional stream)", "stream"),
        ("(print ; (car\n ‸)", "(print object &optional stream)", "object"),
        ("(print #+no-such-feature (car) 1 ‸)", "(print object &optional stream)", "stream"),
        ('(format t "~a ‸', "(format destination control-string &rest format-arguments)", "control-string"),
    ],
)
def test_the_parameter_at_the_cursor(session: Session, text: str, label: str, parameter: str | None) -> None:
    found = helped(session, text)
    assert found is not None
    assert (found.signatures[0].label, active(found)) == (label, parameter)


@pytest.mark.parametrize(
    "text",
    ["‸", "(‸", "(fin‸", "(no-such-function ‸)", "'(find ‸)", "(let ((find ‸", "foo ‸", "(find 1 2)‸ "],
)
def test_nothing_is_known_of_what_is_no_call(session: Session, text: str) -> None:
    found = helped(session, text)
    assert found is None or found.signatures[0].label.startswith("(let ")


def test_the_parameters_are_those_that_sbcl_binds(session: Session, sbcl: Sbcl) -> None:
    """Of every function of the standard, each argument by its position and each by its keyword."""
    (printed,) = printed_values(sbcl, _LAMBDA_LISTS)
    functions = [one.split() for one in printed.split("|") if " " in one]
    assert len(functions) > 500
    asked = 0
    for name, *lambda_list in functions:
        section, given = "", ""
        for word in lambda_list:
            if word == "&aux":
                break
            if word.startswith("&"):
                section = word
                continue
            text = f"({name}{given} :{word} {CURSOR})" if section == "&key" else f"({name}{given} {CURSOR})"
            found = active(helped(session, text))
            assert found is not None, text
            expected = {"&rest": f"&rest {word}", "&more": "&more"}.get(section, word)
            if section == "&rest" and "&key" in lambda_list:
                expected = "&key"
            assert found.lstrip("(").split(" ")[0] == expected or found.startswith(expected), (text, found)
            asked += 1
            if section in ("", "&optional"):
                given += " x"
            elif section != "&key":
                section = "done"
    assert asked > 1_000


def test_methods_follow_with_what_they_specialize_on(session: Session) -> None:
    found = helped(session, "(print-object ‸)")
    assert found is not None and found.active_signature == 0
    labels = [one.label for one in found.signatures]
    assert labels[0] == "(print-object object stream)" and len(labels) > 5
    assert all(one.startswith("(print-object (") for one in labels[1:])
    assert {one.active_parameter for one in found.signatures} == {0}


def test_the_documentation_comes_with_it(session: Session) -> None:
    found = helped(session, "(mapcar ‸)")
    assert found is not None
    told = found.signatures[0].documentation
    assert isinstance(told, MarkupContent) and "FUNCTION" in told.value


def test_a_client_that_knows_no_offsets_gets_the_text_of_parameters(session: Session) -> None:
    found = helped(session, "(find 1 ‸)", by_offset=False)
    assert found is not None and found.signatures[0].parameters is not None
    labels = [one.label for one in found.signatures[0].parameters]
    assert labels[:4] == ["item", "sequence", "&rest args", "&key"]
    assert all(isinstance(one, str) and one in found.signatures[0].label for one in labels)


def test_every_beginning_of_a_text_has_an_answer(session: Session) -> None:
    """Whatever has been typed so far, in code with strings, comments and conditionals."""
    text = """(defun f (x &key (y 1)) #| a (b |# "doc (string"
  (let* ((z (list x 'y #(1 2) #\\( "a\\"b"))) ; a comment (with
    #+sbcl (car z) #-sbcl (cdr z)
    (with-output-to-string (s) (format s "~a" `(,x ,@z)))))"""
    found = [helped(session, f"{text[:end]}{CURSOR}") for end in range(len(text) + 1)]
    labels = {one.signatures[0].label.split(" ")[0] for one in found if one is not None}
    assert labels >= {"(defun", "(let*", "(list", "(car", "(with-output-to-string", "(format"}
