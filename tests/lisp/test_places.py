"""Methods in a DEFGENERIC stand at their clauses, accessors and their generic functions at their slots."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system

SYSTEM = '(asdf:defsystem "posts" :serial t :components ((:file "posts") (:file "later")))\n'
POSTS = """
(defpackage :posts (:use :cl))
(defpackage :other-posts (:use :cl) (:export #:letter))
(in-package :posts)

(defclass other-posts:letter () ())
(defclass letter ()
  ((stamp :initarg :stamp :accessor stamp)
   (weight :reader weight-of :writer (setf weigh))))
(define-condition lost (error)
  ((where :initarg :where
          :reader lost-where)
   (since :accessor lost-since :initform 0)))

(defgeneric send (letter where &key &allow-other-keys)
  (:documentation "(:method is not here)")
  (:method (letter where &key) (list letter where))
  (:method :around ((letter letter) (where string) &key)
    (call-next-method))
  (:method ((letter letter) (where (eql :nowhere)) &key) (mark letter))
  #+(or) (:method ((letter letter) (where (eql 1)) &key) :left-out)
  (:method ((letter letter) (where (eql 2)) &key) :two)
  (:method ((letter letter) (where (eql 1)) &key) :one)
  (:method ((letter letter) (where (eql 'home)) &key) :home)
  (:method ((letter letter) (where symbol) &key) :symbol))
(defgeneric open-it (letter)
  (:method ((letter letter)) :ours)
  (:method ((letter other-posts:letter)) :theirs))
(defun mark (letter) letter)

(defmethod burn ((letter letter)) :ashes)
(defmethod weight-of ((letter other-posts:letter)) 1)
"""
LATER = """
(in-package :posts)
(defmethod burn ((letter string)) :smoke)
(defmethod lost-where ((letter letter)) :under-the-mat)
"""
DEFINITIONS = """
SELECT coalesce(operator || ' ', '') || symbols.name || ' ' || coalesce(qualifiers || ' ', '')
       || coalesce(specializers, ''),
       kind, source_files.path, start_line, start_column, start_offset, end_offset
FROM definitions JOIN symbols ON symbols.id = symbol_id JOIN packages ON packages.id = symbols.package_id
LEFT JOIN source_files ON source_files.id = definitions.file_id
WHERE packages.name = 'POSTS' AND kind IN ('method', 'generic-function')
"""


@pytest.fixture(scope="module")
def posts() -> Path:
    """An index of a system with methods and accessors of every sort."""
    return kept("posts", _build_posts) / "oblist.db"


def _build_posts(folder: Path) -> None:
    (folder / "posts.asd").write_text(SYSTEM)
    (folder / "posts.lisp").write_text(POSTS)
    (folder / "later.lisp").write_text(LATER)
    build_with_system("posts", folder, folder / "oblist.db", small_sbcl())


def beginnings(index: Path, kind: str) -> dict[str, str]:
    """How the texts of the definitions of a kind begin, by name, qualifiers and specializers."""
    found = {}
    with closing(sqlite3.connect(index)) as connection:
        for name, of_kind, path, line, column, start, end in connection.execute(DEFINITIONS):
            if of_kind == kind:
                text = POSTS if Path(path).name == "posts.lisp" else LATER
                assert (line, column) == (text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))
                assert text[start:end].count("(") == text[start:end].count(")")
                found[name.strip()] = text[start:end].split("\n")[0].rstrip()
    assert found
    return found


def test_a_method_in_a_defgeneric_stands_at_its_clause(posts: Path) -> None:
    found = beginnings(posts, "method")
    sent = {name.partition(" ")[2]: text for name, text in found.items() if name.startswith("SEND ")}
    assert sent == {
        "(T T)": "(:method (letter where &key) (list letter where))",
        ":AROUND (LETTER STRING)": "(:method :around ((letter letter) (where string) &key)",
        "(LETTER (EQL :NOWHERE))": "(:method ((letter letter) (where (eql :nowhere)) &key) (mark letter))",
        "(LETTER (EQL 1))": "(:method ((letter letter) (where (eql 1)) &key) :one)",
        "(LETTER (EQL 2))": "(:method ((letter letter) (where (eql 2)) &key) :two)",
        "(LETTER (EQL HOME))": "(:method ((letter letter) (where (eql 'home)) &key) :home)",
        "(LETTER SYMBOL)": "(:method ((letter letter) (where symbol) &key) :symbol)",
    }


def test_clauses_that_only_packages_tell_apart_are_not_guessed(posts: Path) -> None:
    with closing(sqlite3.connect(posts)) as connection:
        places = [row for row in connection.execute(DEFINITIONS) if row[:2] == ("OPEN-IT (LETTER)", "method")]
    assert len(places) == 2
    assert {row[5] for row in places} == {POSTS.index("(defgeneric open-it")}


def test_a_call_in_a_clause_is_one_of_the_method(posts: Path) -> None:
    with closing(sqlite3.connect(posts)) as connection:
        callers = connection.execute(
            """SELECT DISTINCT kind, start_offset FROM symbol_references
               JOIN callers ON callers.id = caller_id JOIN symbols ON symbols.id = callee_id
               JOIN definitions ON definitions.id = callers.definition_id
               WHERE symbols.name = 'MARK'"""
        ).fetchall()
    assert callers == [("method", POSTS.index("(:method ((letter letter) (where (eql :nowhere"))]


def test_an_accessor_stands_at_its_slot(posts: Path) -> None:
    found = beginnings(posts, "method")
    assert found["STAMP (LETTER)"] == "(stamp :initarg :stamp :accessor stamp)"
    assert found["SETF STAMP (T LETTER)"] == "(stamp :initarg :stamp :accessor stamp)"
    assert found["SETF WEIGH (T LETTER)"].startswith("(weight :reader")
    assert found["LOST-WHERE (LOST)"] == "(where :initarg :where"
    assert found["SETF LOST-SINCE (T LOST)"] == "(since :accessor lost-since :initform 0)"


def test_a_generic_function_without_defgeneric_stands_where_its_first_method_does(posts: Path) -> None:
    assert beginnings(posts, "generic-function") == {
        "SEND": "(defgeneric send (letter where &key &allow-other-keys)",
        "OPEN-IT": "(defgeneric open-it (letter)",
        "BURN": "(defmethod burn ((letter letter)) :ashes)",
        "STAMP": "(stamp :initarg :stamp :accessor stamp)",
        "SETF STAMP": "(stamp :initarg :stamp :accessor stamp)",
        "WEIGHT-OF": "(weight :reader weight-of :writer (setf weigh))",
        "SETF WEIGH": "(weight :reader weight-of :writer (setf weigh))",
        "LOST-WHERE": "(where :initarg :where",
        "LOST-SINCE": "(since :accessor lost-since :initform 0)",
        "SETF LOST-SINCE": "(since :accessor lost-since :initform 0)",
    }
