"""The outline of a document has the forms that certainly define something, and no others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from oblist.query.index.meanings import IndexMeanings
from oblist.query.index.reading import Reading
from oblist.query.lsp.documents.edited import Document, Reader
from oblist.query.lsp.requests.structure import document_symbols
from oblist.query.syntax.features import Features
from oblist.query.syntax.tokens import Tokens
from support.projects.told_truly import told_truly


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    index = Reading(told_truly() / "told.db")
    tokens = Tokens(index.upcase)
    yield Reader("a build", tokens, Features(index.facts["features"], tokens), IndexMeanings(index))
    index.close()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("(defun f () (flet ((default (x) x)) (default 1)))", ["f"]),
        ("(defmethod (setf area) (new x) new)", ["(setf area)"]),
        ("(let ((n 0)) (defun counting () (incf n)))", ["counting"]),
        ("(eval-when (:load-toplevel) (progn (defclass a () ()) (defvar *b*)))", ["a", "*b*"]),
        ("(macrolet ((m () 1)) (defmacro g () (m)))", ["g"]),
        ("(defthing pear round)", ["pear"]),  # a macro of the project that has defined something
        ("(house.fiveam:test runs (f))", ["runs"]),
        ('(defpackage "NEW") (defsystem "new")', ['"NEW"', '"new"']),
        ("(deflater 1)", []),
        ("(defaulting f)", []),
        ("(list (defun hidden () 1))", []),
        ("(defun f () (defun g () 1))", ["f"]),
        ("(checked x (defun g () 1))", []),
        ("(test nothing)", []),  # a macro of that name, of no framework
        ("(fail later)", []),
        ("'(defun quoted () 1)", []),
        ("(cl:defun h () 1)", ["h"]),
    ],
)
def test_the_outline_has_what_certainly_defines_something(
    reader: Reader, text: str, names: list[str]
) -> None:
    document = Document("file:///x.lisp", "/x.lisp", f"(in-package :told)\n{text}", None, "utf-16")
    assert [one.name for one in document_symbols(document, reader)] == names
