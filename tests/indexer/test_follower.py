"""Following a project: changes inside and outside that break it, and changes that repair it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.check.differences import differences
from oblist.indexer.refresh.present import ProjectBrokenError
from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import DescribeAnswer, SearchAnswer
from support.command import write_system
from support.projects.followed_project import FollowedProject, NotCompilableError

PACKAGE = '(defpackage "OURS" (:use "CL"))\n(in-package "OURS")\n'
# What the second system depends on is there for the first one too, in a build and in a refresh.
DEFINITIONS = """(asdf:defsystem "ours" :components ((:file "ours")))
(asdf:defsystem "ours/more" :depends-on ("ours" "needed") :components ((:file "more")))
"""
MACRO = "(defmacro define-it () '(defun made-by-it () 1))\n"
NEEDED = """(defpackage "NEEDED" (:use "CL")
  (:export "PART" "WHOLE" "SIZE" "*LIMIT*" "PIECE" "MADE" "SIZE-OF"))
(in-package "NEEDED")
(defvar *limit* 1)
(defstruct part (size 0))
(defun size (part) (part-size part))
(defmethod print-object ((part part) stream) (format stream "~A" (size part)))
(defun whole (parts)
  "Sums up zyzzyvas."
  (incf *limit*)
  (mapcar #'size (list* (make-part) parts)))
(defun keep () (whole (list *limit*)))
(defclass piece () ((size :reader size-of)))
(defmethod made ((piece piece)) piece)
(defmethod made ((name symbol)) name)
"""
# Where the methods of MADE are. Without DEFGENERIC the generic function is where the first of them is.
FIRST, SECOND = len(NEEDED.splitlines()) - 1, len(NEEDED.splitlines())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the project, what it needs, and what is made of them."""
    made = tmp_path_factory.mktemp("follower")
    write_system(made / "needed", "needed", NEEDED)
    (made / "ours").mkdir()
    (made / "ours" / "ours.asd").write_text(DEFINITIONS)
    return made


@pytest.fixture
def needed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The only source of a system that the project depends on."""
    source = folder / "needed" / "needed.lisp"
    monkeypatch.setenv("CL_SOURCE_REGISTRY", f"{folder / 'needed'}:")
    state = source.stat()
    yield source
    source.write_text(NEEDED)
    os.utime(source, ns=(state.st_atime_ns, state.st_mtime_ns))


@pytest.fixture
def ours(
    small: Sbcl, needed: Path, folder: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> FollowedProject:
    """A project of two systems, the second of which depends on the first; the tests share its base."""
    project = folder / "ours"
    (project / "ours.lisp").write_text(PACKAGE + MACRO)
    (project / "more.lisp").write_text('(in-package "OURS")\n')
    return FollowedProject(small, project, folder / "work", monkeypatch, index=request.node.name)


def test_what_the_project_needs_may_break_and_be_mended(ours: FollowedProject, needed: Path) -> None:
    ours.refresh()
    needed.write_text('(error "It is down.")\n')
    step = ours.follower.follow()
    assert step is not None
    assert isinstance(step.broken, ProjectBrokenError)
    assert "It is down." in str(step.broken)
    with open_index(ours.follower.index.path) as index:
        assert "It is down." in str(index.information().broken)
        assert isinstance(index.describe("ours::define-it"), DescribeAnswer), "the index is the last good one"
    assert ours.follower.follow() is None, "nothing has changed since"
    assert needed.parent in ours.follower.places().folders
    needed.write_text(NEEDED)
    step = ours.follower.follow()
    assert step is not None
    assert step.broken is None
    with open_index(ours.follower.index.path) as index:
        assert index.information().broken is None


def test_a_system_is_not_compiled_while_another_that_it_needs_does_not_load(
    ours: FollowedProject, tmp_path: Path
) -> None:
    down = tmp_path / "down"
    (ours.project / "ours.lisp").write_text(
        f'{PACKAGE}(when (probe-file "{down}") (error "Not yet"))\n{MACRO}'
    )
    ours.refresh()
    down.touch()
    (ours.project / "more.lisp").write_text('(in-package "OURS")\n(define-it)\n')
    with pytest.raises(NotCompilableError, match="Not yet"):  # its last good state does not load either
        ours.refresh()
    down.unlink()
    ours.refresh()
    with open_index(ours.follower.index.path) as index:
        assert isinstance(index.describe("ours::made-by-it"), DescribeAnswer)


def test_an_edit_during_a_refresh_is_followed_by_another(ours: FollowedProject) -> None:
    more = ours.project / "more.lisp"

    def edit(_: str) -> None:
        more.write_text('(in-package "OURS")\n(defun edited () 1)\n')

    assert ours.follower.refresh(edit).broken is None
    step = ours.follower.follow()
    assert step is not None, "the files are no longer those that the refresh began with"
    assert step.broken is None
    assert line_of(ours, "ours::edited") == 2
    assert ours.follower.follow() is None


def test_a_project_may_redefine_what_it_needs(ours: FollowedProject) -> None:
    """The uses that the code of the replaced definitions made are gone, what their text tells stays."""
    more, index = ours.project / "more.lisp", ours.follower.index.path
    (ours.project / "ours.lisp").write_text(
        f"{PACKAGE}{MACRO}(defun ours (x) (list 'needed::it (needed:size x)))\n"
    )
    ours.refresh()
    assert line_of(ours, "needed:made") == FIRST
    assert found(ours, "zyzzyvas") == ["WHOLE"]
    before = ours.work / "before.db"
    shutil.copyfile(index, before)
    more.write_text("""(in-package "OURS")
(defmethod print-object ((part needed:part) stream) (prin1 'part stream))
(defun needed:whole (parts) "Takes the first quokka." (list (needed:size (first parts)) needed:*limit*))
(defmethod needed:made ((piece needed:piece)) (list piece))
(defmethod needed:size-of ((piece needed:piece)) 1)
(setf (fdefinition 'another-name) #'needed::keep)
""")
    ours.refresh()
    assert ours.rebuild(), ours.output
    assert ours.findings() == []
    assert line_of(ours, "needed:made") == SECOND
    assert (found(ours, "quokka"), found(ours, "zyzzyvas")) == (["WHOLE"], [])
    more.write_text("""(in-package "OURS")
(defun needed:whole (parts) parts)
(defmethod needed:made ((number number)) number)
""")
    ours.refresh()
    assert ours.rebuild(), ours.output
    assert ours.findings() == []
    assert line_of(ours, "needed:made") == FIRST
    more.write_text('(in-package "OURS")\n')
    ours.refresh()
    assert line_of(ours, "needed:made") == FIRST
    with closing(sqlite3.connect(before)) as once, closing(sqlite3.connect(index)) as now:
        assert list(differences(once, now)) == []


def found(project: FollowedProject, word: str) -> list[str]:
    """The names in the package NEEDED that a search for a word in the documentation finds."""
    with open_index(project.follower.index.path) as index:
        answer = index.search(word)
    matches = answer.matches if isinstance(answer, SearchAnswer) else []
    return [one.name for one in matches if one.package == "NEEDED"]


def line_of(project: FollowedProject, name: str) -> int | None:
    with open_index(project.follower.index.path) as index:
        answer = index.describe(name)
    assert isinstance(answer, DescribeAnswer)
    return answer.line


@pytest.mark.full  # only the whole SBCL has the text of its functions
def test_a_function_of_the_base_may_get_another_name(
    sbcl: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The copier of a structure that is a list is COPY-SEQ itself, whose text the base has."""
    write_system(tmp_path / "rows", "rows", PACKAGE)
    rows = FollowedProject(sbcl, tmp_path / "rows", tmp_path / "work", monkeypatch)
    rows.refresh()
    (tmp_path / "rows" / "rows.lisp").write_text(f"{PACKAGE}(defstruct (row (:type list) :named) a b)\n")
    rows.refresh()
    assert rows.rebuild(), rows.output
    assert rows.findings() == []
