"""Completion in documents: what is local, what the package at the place has, and where nothing is typed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol.types import CompletionItem, CompletionList, MarkupContent, TextEdit

from oblist.query.answers import NotFound
from oblist.query.lsp.requests.typing.completion import completions, resolved
from oblist.query.lsp.requests.typing.such_places import SuchPlaces
from oblist.query.lsp.session import Session

CURSOR = "‸"


@pytest.fixture(scope="module")
def session(bare_index: Path) -> Iterator[Session]:
    session = Session(bare_index)
    yield session
    session.close()


def completed(session: Session, text: str) -> CompletionList | None:
    """What is offered at the cursor in a document."""
    offset = text.index(CURSOR)
    uri = "file:///nowhere/typed.lisp"
    session.open(uri, text.replace(CURSOR, ""), 1)
    try:
        asked = session.asked(uri)
        return completions(asked, offset)
    finally:
        session.documents.close(uri)


def items(session: Session, text: str) -> list[CompletionItem]:
    found = completed(session, text)
    assert found is not None
    return list(found.items)


def labels(session: Session, text: str) -> list[str]:
    return [one.label for one in items(session, text)]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("(multiple-value-b‸", "multiple-value-bind"),
        ("(m-v-b‸ (a b) (f))", "multiple-value-bind"),
        ("(defun f (x) (mapc‸ x))", "mapcar"),
        ("(defun f (number-of-things) (list numb‸))", "number-of-things"),
        ("(defun f (number-of-things)\n  (list numb‸", "number-of-things"),
        ("(let ((numbers 1)) (print numb‸))", "numbers"),
        ("(flet ((numbers () 1)) (numb‸))", "numbers"),
        ("(labels ((local-one (a) (loc‸ a))) (local-one 1))", "local-one"),
        ("(list *print-ba‸)", "*print-base*"),
        ("(open file :if-does‸)", ":if-does-not-exist"),
        ("(sb-ext:run-p‸)", "sb-ext:run-program"),
        ("(sb-impl::spaw‸)", "sb-impl::spawn"),
        ("(defun f (number-of-things)\n  (list numb‸\n\n(defun g (x) x)", "number-of-things"),
        ("(flet ((numbers () 1)) (list (numb‸", "numbers"),
        ("(in-package :sb-mop)\n(defun f (slot) (slot-definition-na‸ slot))", "slot-definition-name"),
        ("(mapcar #'string-up‸ list)", "string-upcase"),
        ("(funcall 'string-up‸ x)", "string-upcase"),
        ("`(let ((a ,(multiple-value-li‸", "multiple-value-list"),
    ],
)
def test_the_first_is_the_one_that_was_meant(session: Session, text: str, first: str) -> None:
    assert labels(session, text)[0] == first


def test_local_names_are_seen_only_where_they_are_visible(session: Session) -> None:
    assert "elsewhere" not in labels(session, "(defun g (elsewhere) elsewhere)\n(defun f (x) (list els‸))")
    assert "elsewhere" not in labels(session, "(list (let ((elsewhere 1)) elsewhere) els‸)")
    two = "(let ((thing-one 1)) (let ((thing-two 2)) (list thi‸)))"
    assert labels(session, two)[:2] == ["thing-two", "thing-one"]
    assert labels(session, "(let ((thing-one 1)) (thi‸))")[:1] != ["thing-one"], "a variable is not called"


@pytest.mark.parametrize(
    "text",
    [
        '(print "mapc‸")',
        '(print "mapc‸',
        "(list 1) ; mapc‸",
        ";;; mapc‸\n(list)",
        "#| mapc‸ |#",
        "(list #\\Sp‸)",
        '(list "\\" (‸")',
        "; (‸",
        "#| (‸ |#",
        "(list ‸)",
        "‸",
        "(list 1 ‸ mapcar)",
    ],
)
def test_nothing_is_offered_where_no_symbol_is_typed(session: Session, text: str) -> None:
    assert completed(session, text) is None


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("(find 1 list :‸", ":from-end :start :end :key :test :test-not"),
        ("(find 1 list ‸)", ":from-end :start :end :key :test :test-not"),
        ("(find 1 list :key #'car :te‸ #'eql)", ":test :test-not"),
        ("(find 1 list :test‸ #'eql)", ":test :test-not"),
        ("(defun f (&key alpha beta) (f :alpha 1 :‸", ":beta"),
        ("(flet ((local (x &key far near) x)) (local 1 :‸))", ":far :near"),
        ("(make-condition 'file-error :‸)", ":pathname"),
        ("(error 'stream-error :‸)", ":stream"),
        ("(funcall #'find 1 list :f‸)", ":from-end"),
        ("(defmacro m ((a &key left right) &body body) a) (m (1 :‸", None),
    ],
)
def test_the_keywords_that_are_still_free_come_first(
    session: Session, text: str, offered: str | None
) -> None:
    found = labels(session, text) if offered else []
    expected = offered.split() if offered else []
    assert found[: len(expected)] == expected
    given = [one for one in (":key", ":alpha") if f" {one} " in text]
    assert not set(given) & set(found[: len(expected) + 1])


def test_after_a_parenthesis_come_operators_those_of_the_text_first(session: Session) -> None:
    found = labels(session, "(defun helper (x) x)\n(defun f (x) (string-left-trim x) (‸))")
    assert found[0] in ("defun", "helper", "string-left-trim")
    kinds = {one.kind for one in items(session, "(‸)")}
    assert len(found) > 50 and len(kinds) > 1
    assert labels(session, "(flet ((mine () 1)) (‸))")[0] == "mine"
    # What a text has comes before what it has not.
    assert labels(session, "(list (string-right-trim a b) (str‸))")[0] == "string-right-trim"
    assert labels(session, "(list (str‸))")[0] != "string-right-trim"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("(in-package :sb-mo‸)", ":sb-mop"),
        ("(in-package #:sb-mo‸", "#:sb-mop"),
        ('(in-package "SB-MO‸', '"SB-MOP'),
        ("(in-package ‸)", "#:cl"),
        ("(defpackage #:mine (:use #:cl #:sb-gr‸))", "#:sb-gray"),
        ("(defpackage #:mine (:import-from #:sb-ex‸))", "#:sb-ext"),
        ("(defpackage #:mine (:import-from #:sb-ext #:run-pr‸))", "#:run-program"),
        ('(defpackage :mine (:import-from "SB-EXT" "RUN-PR‸"))', '"RUN-PROGRAM'),
        ("(find-package :sb-gra‸)", ":sb-gray"),
        ("(uiop:define-package :mine (:mix :sb-gra‸", ":sb-gray"),
    ],
)
def test_packages_and_what_is_imported_are_offered_where_they_are_named(
    session: Session, text: str, first: str
) -> None:
    found = labels(session, text)
    assert first in found[:8], found[:8]
    assert "‸" not in found[0]
    if first != "#:cl":
        assert found[0] == first


def test_imported_names_are_those_that_the_package_exports(session: Session) -> None:
    found = {one.removeprefix("#:") for one in labels(session, "(defpackage :m (:import-from :sb-gray #:‸))")}
    package = session.asked_of_any()[0].project.index.package("sb-gray", limit=0)
    assert not isinstance(package, NotFound)
    assert found == {one.name.lower() for one in package.exports}


def test_an_item_replaces_what_was_typed_and_is_kept_by_editors(session: Session) -> None:
    found = completed(session, "(list\n  (m-v-b‸ (a b) c))")
    assert found is not None and found.is_incomplete
    (one,) = found.items
    edit = one.text_edit
    assert isinstance(edit, TextEdit) and edit.new_text == one.label == "multiple-value-bind"
    at = edit.range
    assert (at.start.line, at.start.character, at.end.line, at.end.character) == (1, 3, 1, 8)
    assert one.filter_text == "m-v-b" and one.detail == "(vars value-form &body body)"
    # More letters leave what begins with all of them.
    assert {each.filter_text for each in items(session, "(multiple-value-b‸)")} == {None}
    order = [each.sort_text or "" for each in items(session, "(lis‸)")]
    assert order == sorted(order) and len(set(order)) == len(order) > 5


def test_documentation_comes_when_an_item_is_looked_at(session: Session) -> None:
    one = items(session, "(mapcar‸)")[0]
    assert one.label == "mapcar" and one.documentation is None
    told = resolved(session.asked_of_any()[0], one)
    assert isinstance(told.documentation, MarkupContent) and "FUNCTION" in told.documentation.value
    (package,) = [each for each in items(session, "(sb-mo‸)") if each.label == "sb-mop:"]
    assert resolved(session.asked_of_any()[0], package).documentation is None


CLASSES = """(in-package :sb-mop)
(defmethod f ((x standard-class) y)
  ‹›)"""


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("(handler-case (f) (fil‸", "file-error"),
        ("(handler-case (f)\n  (undefined-f‸ (e) e))", "undefined-function"),
        ("(handler-bind ((arith‸ #'f)) (g))", "arithmetic-error"),
        ("(define-condition c (pars‸", "parse-error"),
        ("(defclass c (standard-ob‸) ())", "standard-object"),
        ("(defmethod f ((x inte‸) y) x)", "integer"),
        ("(defmethod f :around ((x pathn‸", "pathname"),
        ("(check-type x sym‸)", "symbol"),
        ("(defun f (x) (declare (type fixn‸ x)) x)", "fixnum"),
        ("(declaim (ftype (function (fixn‸", "fixnum"),
        ("(defun f (x) (declare (ign‸ x)) x)", "ignore"),
        ("(typecase x (stri‸ 1))", "string"),
        ("(make-condition 'file-e‸)", "file-error"),
        ("(error 'prog‸)", "program-error"),
        ("(make-array 3 :element-type 'doub‸)", "double-float"),
        ("(defclass c () ((a :type fixn‸)))", "fixnum"),
        ("(loop for x of-type sing‸ in list)", "single-float"),
        ("(loop for x in list coll‸ x)", "collect"),
        ("(loop for x in list when x d‸ (f))", "do"),
        ("(loop fo‸", "for"),
        ("(loop :for x :in list :coll‸ x)", ":collect"),
        ("(loop for x in list coll‸", "collect"),
        ("(loop (fini‸))", "finish-output"),
        ("(loop for collection in list do (f colle‸))", "collection"),
        ("(loop for x in lis‸)", "list"),
    ],
)
def test_what_a_place_is_for_comes_first(session: Session, text: str, first: str) -> None:
    assert labels(session, text)[0] == first


@pytest.mark.parametrize(
    "inside",
    [
        "(with-slots (dir‸) x 1)",
        "(with-slots (name (y dir‸)) x 1)",
        "(slot-value x 'dir‸)",
        "(slot-boundp x 'direct-s‸)",
    ],
)
def test_slots_are_those_of_the_classes_of_variables(session: Session, inside: str) -> None:
    found = labels(session, CLASSES.replace("‹›", inside))
    assert "sb-pcl::direct-slots" in found or "direct-slots" in found, found
    assert all("dir" in one for one in found)


def test_accessors_of_a_class_at_the_place_come_before_others(session: Session) -> None:
    text = "(defpackage :p (:use :cl))\n(in-package :sb-pcl)\n"
    plain = labels(session, text + "(defun f (x) (class-‸ x))")
    method = labels(session, text + "(defmethod f ((x standard-class)) (class-‸ x))")
    assert method.index("class-direct-superclasses") < plain.index("class-direct-superclasses")


@pytest.mark.parametrize(
    ("text", "found", "not_found"),
    [
        ('(format nil "~‸', ["~a", "~d", "~{"], []),
        ('(format nil "~10,2‸"', ["~10,2f"], ["~a"]),
        ('(format nil "~~~:‸" x)', ["~:d"], []),
        ('(error "no ~‸")', ["~s"], []),
        ('(cerror "go on" "no ~‸")', ["~s"], []),
    ],
)
def test_directives_come_after_a_tilde_in_control_strings(
    session: Session, text: str, found: list[str], not_found: list[str]
) -> None:
    offered = labels(session, text)
    assert set(found) <= set(offered) and not set(not_found) & set(offered)


@pytest.mark.parametrize("text", ['(list "~‸")', '(format nil "~~‸")', '(format nil "a‸")'])
def test_elsewhere_strings_have_none(session: Session, text: str) -> None:
    assert completed(session, text) is None


def test_what_stands_at_such_places_comes_first(session: Session) -> None:
    """In a body of WHEN one does not expect STREAM-ERROR-STREAM, unless others of the document have it."""
    typed = "(defun f (x) (when x (str‸"
    others = (
        "(defun g (x) (when x (stream-error-stream x)))\n(defun h (x) (string x) (string x) (string x))\n"
    )
    text = others + typed
    uri, offset = "file:///nowhere/such.lisp", text.index(CURSOR)
    session.open(uri, text.replace(CURSOR, ""), 1)
    try:
        asked, such = session.asked(uri), SuchPlaces()
        plain = completions(asked, offset)
        found = [completions(asked, offset, such), completions(asked, offset, such)]
    finally:
        session.documents.close(uri)
    assert plain is not None and plain.items[0].label == "string"
    for one in found:
        assert one is not None and one.items[0].label == "stream-error-stream"


def test_what_is_not_used_here_may_be_imported(session: Session) -> None:
    text = "(defpackage :p (:use :cl))\n(in-package :p)\n(defun f (x) (slot-definition-na‸ x))"
    offset = text.index(CURSOR)
    plain = text.replace(CURSOR, "")
    session.open("file:///nowhere/importing.lisp", plain, 1)
    found = completions(session.asked("file:///nowhere/importing.lisp"), offset, imports=True)
    session.documents.close("file:///nowhere/importing.lisp")
    assert found is not None
    item = next(one for one in found.items if one.label == "slot-definition-name")
    assert item.additional_text_edits is not None
    assert "(:import-from :sb-mop :slot-definition-name)" in item.additional_text_edits[0].new_text
    assert "sb-mop:slot-definition-name" in labels(session, text), "unless it was asked for"
