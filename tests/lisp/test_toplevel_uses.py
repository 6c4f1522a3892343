"""Uses at toplevel agree with those that the Lisp reader finds in the same files.

SBCL keeps no references of toplevel forms, so the index finds them in the text, without the reader.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import LIBRARIES

from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import XrefAnswer
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system
from support.oracle import Answers, ask_oracle

# A use at toplevel: file, number of the toplevel form, relation, home package and name.
Use = tuple[str, str, str, str, str]

# A file that the reader cannot read says nothing about the index: some of SBCL's own need packages
# and variables of its build.
MOST_UNREAD = 0.1
# Behind a conditional or #. that only the build could decide, the index says nothing.
MOST_IN_DOUBT = 0.001


@dataclass(frozen=True)
class Files:
    """The uses at toplevel in the files of an index, according to the reader and to the index."""

    answers: Answers
    index: list[Use]

    def read_to_the_end(self) -> set[str]:
        return {str(path) for (path,) in self.answers["read"]}


@pytest.fixture(scope="module", params=["bare", "libraries"])
def files(request: pytest.FixtureRequest, sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory) -> Files:
    path: Path = request.getfixturevalue(f"{request.param}_index")
    systems: Sequence[str] = LIBRARIES if request.param == "libraries" else ()
    folder = tmp_path_factory.mktemp("toplevel")
    questions = folder / "questions"
    sbcl_own = "NOT" if request.param == "libraries" else ""
    with closing(sqlite3.connect(path)) as connection:
        paths = connection.execute(
            f"""SELECT source_files.path FROM source_files JOIN roots ON roots.id = root_id
                WHERE roots.name {sbcl_own} IN ('sbcl') AND sha256 IS NOT NULL ORDER BY source_files.id"""
        ).fetchall()
        index = connection.execute(
            """SELECT source_files.path, CAST(callers.toplevel_form AS TEXT), relation,
                      packages.name, symbols.name
               FROM symbol_references
               JOIN relations ON relations.id = relation_id
               JOIN callers ON callers.id = caller_id
               JOIN source_files ON source_files.id = callers.file_id
               JOIN symbols ON symbols.id = callee_id
               JOIN packages ON packages.id = symbols.package_id
               WHERE form_number IS NULL"""
        ).fetchall()
    questions.write_text("".join(f"{path}\n" for (path,) in paths))
    answers = ask_oracle(sbcl, "toplevel", folder / "answers", systems=systems, questions=questions)
    return Files(answers, index)


def test_nearly_every_file_can_be_read_to_compare(files: Files) -> None:
    unread = files.answers.get("unread", [])
    assert len(files.read_to_the_end()) >= 30
    assert len(unread) <= MOST_UNREAD * len(files.read_to_the_end()), unread


def test_uses_at_toplevel_are_those_that_the_reader_finds(files: Files) -> None:
    read = files.read_to_the_end()
    found = Counter(use for use in files.answers["use"] if use[0] in read)
    index = Counter(use for use in files.index if use[0] in read)
    assert found.total() >= 500
    assert not index - found
    missing = found - index
    assert missing.total() <= MOST_IN_DOUBT * found.total(), missing


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

SYSTEM = """
(asdf:defsystem "laws"
  :components ((:file "laws")
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
    (folder / "only-calls.lisp").write_text("(in-package :laws)\n\n(laws::note everything)\n")
    (folder / "elsewhere.lisp").write_text("(in-package :laws)\n(note elsewhere)\n")
    build_with_system("laws", folder, folder / "oblist.db", small_sbcl())


def uses(path: Path, name: str) -> list[tuple[str, str, int | None, int | None]]:
    """Caller, file, line and column of the uses of ``name``."""
    with open_index(path) as index:
        answer = index.xref(name, "LAWS")
    assert isinstance(answer, XrefAnswer), answer
    return [(use.caller, Path(str(use.path)).name, use.line, use.column) for use in answer.references]


def place(text: str, within: str = LAWS) -> tuple[int, int]:
    """Line and column, from 1, of the operator in the form that begins with ``text``."""
    offset = within.index(text) + 1
    return within.count("\n", 0, offset) + 1, offset - within.rfind("\n", 0, offset)


def test_a_definition_by_a_macro_is_the_caller_of_that_macro(laws: Path) -> None:
    expected = [
        ("laws::friction", "laws.lisp", *place("(deflaw friction")),
        ("laws::gravity", "laws.lisp", *place("(deflaw gravity")),
        ("laws::inertia", "laws.lisp", *place("(deflaw inertia")),
    ]
    assert uses(laws, "deflaw") == expected


def test_other_toplevel_forms_are_named_so_and_local_macros_are_not_the_global_ones(laws: Path) -> None:
    # Neither the call of the local macro, nor the body of LET, which is not a toplevel form.
    assert uses(laws, "note") == [
        ("toplevel form", "laws.lisp", *place("(note inertia")),
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
