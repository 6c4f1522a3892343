"""Uses in toplevel forms, of which SBCL keeps no references: the text tells them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.answers import XrefAnswer
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system

LAWS = """
(defpackage :laws (:use :cl))
(in-package :laws)
(defmacro deflaw (name) `(defun ,name () ',name))
(defmacro note (name) `(push ',name *notes*))
(defvar *notes* '())
(defun register (name) (push name *notes*))

(deflaw gravity)
(progn
  (deflaw inertia)
  #+(or) (deflaw left-out)
  (eval-when (:load-toplevel :execute)
    (note inertia)))
(macrolet ((note (name) `(register ',name)))
  (note local-name)
  (deflaw friction))
(symbol-macrolet ((law 'heat)) (register law))
#| (deflaw commented) |# '(deflaw quoted)
(let ((hidden 1)) (note hidden) hidden)
"""

BOUND = """(in-package :laws)
(defun recalled (law) (list law))
(let ((known (recalled 'light)))
  (defmethod recall ((law symbol))
    (list known (recalled law))))
"""

SYSTEM = """
(asdf:defsystem "laws"
  :components ((:file "laws")
               (:file "bound" :depends-on ("laws"))
               (:file "only-calls" :depends-on ("laws"))
               (:file "elsewhere" :if-feature :no-such-lisp)))
"""


@pytest.fixture(scope="module")
def laws() -> Path:
    """An index of a system with every kind of use at toplevel."""
    return kept("laws", _build_laws) / "oblist.db"


def _build_laws(folder: Path) -> None:
    (folder / "laws.asd").write_text(SYSTEM)
    (folder / "laws.lisp").write_text(LAWS)
    (folder / "bound.lisp").write_text(BOUND)
    (folder / "only-calls.lisp").write_text("(in-package :laws)\n\n(laws::note everything)\n")
    (folder / "elsewhere.lisp").write_text("(in-package :laws)\n(note elsewhere)\n")
    build_with_system("laws", folder, folder / "oblist.db", small_sbcl())


def uses(path: Path, name: str) -> list[tuple[str, str, int | None, int | None]]:
    """Caller, file, line and column of the uses of ``name``."""
    with open_index(path) as index:
        answer = index.xref(name, "LAWS")
    assert isinstance(answer, XrefAnswer), answer
    return [
        (use.caller, Path(str(use.path)).name, use.line, use.column)
        for use in answer.references
        if use.relation in ("calls", "macroexpands")
    ]


def place(text: str, within: str = LAWS) -> tuple[int, int]:
    """Line and column, from 1, of the operator in the form that begins with ``text``."""
    offset = within.index(text) + 1
    return within.count("\n", 0, offset) + 1, offset - within.rfind("\n", 0, offset)


def test_a_method_inside_a_binding_form_is_the_caller_of_what_it_calls(laws: Path) -> None:
    """SBCL names its code after the method, as it does that of a method by itself."""
    assert ("(method laws::recall (symbol))", "bound.lisp", 5, 18) in uses(laws, "recalled")


def test_a_definition_by_a_macro_is_the_caller_of_that_macro(laws: Path) -> None:
    expected = [
        ("laws::friction", "laws.lisp", *place("(deflaw friction")),
        ("laws::gravity", "laws.lisp", *place("(deflaw gravity")),
        ("laws::inertia", "laws.lisp", *place("(deflaw inertia")),
    ]
    assert uses(laws, "deflaw") == expected


def test_other_toplevel_forms_are_named_so_and_local_macros_are_not_the_global_ones(laws: Path) -> None:
    # Not the call of the local macro.
    assert uses(laws, "note") == [
        ("toplevel form", "laws.lisp", *place("(note inertia")),
        ("toplevel form", "laws.lisp", *place("(note hidden")),
        ("toplevel form", "only-calls.lisp", 3, 2),
    ]


def test_functions_called_at_toplevel_are_told_too(laws: Path) -> None:
    assert ("toplevel form", "laws.lisp", *place("(register law)")) in uses(laws, "register")


def test_a_definition_counts_as_a_caller_of_what_defines_it(laws: Path) -> None:
    with closing(sqlite3.connect(laws)) as connection:
        ((count,),) = connection.execute(
            """SELECT callers_count FROM definitions JOIN symbols ON symbols.id = symbol_id
               WHERE symbols.name = 'DEFLAW'"""
        )
    assert count == 3
