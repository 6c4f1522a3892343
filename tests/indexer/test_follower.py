"""Following a project: changes inside and outside that break it, and changes that repair it."""

from __future__ import annotations

from pathlib import Path

import pytest

from oblist.indexer.refresh.present import ProjectBrokenError
from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import DescribeAnswer
from support.command import write_system
from support.projects.followed_project import FollowedProject, NotCompilableError

NEEDED = '(defpackage "NEEDED" (:use "CL"))\n'
PACKAGE = '(defpackage "OURS" (:use "CL"))\n(in-package "OURS")\n'
DEFINITIONS = """(asdf:defsystem "ours" :depends-on ("needed") :components ((:file "ours")))
(asdf:defsystem "ours/more" :depends-on ("ours") :components ((:file "more")))
"""
MACRO = "(defmacro define-it () '(defun made-by-it () 1))\n"


@pytest.fixture
def needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only source of a system that the project depends on."""
    environment = write_system(tmp_path / "needed", "needed", NEEDED)
    monkeypatch.setenv("CL_SOURCE_REGISTRY", environment["CL_SOURCE_REGISTRY"])
    return tmp_path / "needed" / "needed.lisp"


@pytest.fixture
def ours(small: Sbcl, needed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FollowedProject:
    """A project of two systems, the second of which depends on the first."""
    project = tmp_path / "ours"
    project.mkdir()
    (project / "ours.asd").write_text(DEFINITIONS)
    (project / "ours.lisp").write_text(PACKAGE + MACRO)
    (project / "more.lisp").write_text('(in-package "OURS")\n')
    return FollowedProject(small, project, tmp_path / "work", monkeypatch)


def test_what_the_project_needs_may_break_and_be_mended(ours: FollowedProject, needed: Path) -> None:
    ours.refresh()
    needed.write_text('(error "It is down.")\n')
    step = ours.follower.follow()
    assert step is not None
    assert isinstance(step.broken, ProjectBrokenError)
    assert "It is down." in str(step.broken)
    assert ours.follower.follow() is None, "nothing has changed since"
    assert needed.parent in ours.follower.places().folders
    needed.write_text(NEEDED)
    step = ours.follower.follow()
    assert step is not None
    assert step.broken is None


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


def test_what_one_system_of_a_project_needs_is_there_for_all_in_a_build_too(ours: FollowedProject) -> None:
    (ours.project / "ours.asd").write_text(
        """(asdf:defsystem "ours" :components ((:file "ours")))
        (asdf:defsystem "ours/more" :depends-on ("ours" "needed") :components ((:file "more")))"""
    )
    (ours.project / "ours.lisp").write_text(f"{PACKAGE}(defun of-another () 'needed::it)\n")
    ours.refresh()
    assert ours.rebuild(), ours.output
    assert ours.findings() == []


def test_a_project_may_redefine_what_it_needs(ours: FollowedProject, needed: Path) -> None:
    """The uses that the code of the replaced definitions made are gone, what their text tells stays."""
    needed.write_text(f"""{NEEDED}(in-package "NEEDED")
(export '(part whole size *limit*))
(defvar *limit* 1)
(defstruct part (size 0))
(defun size (part) (part-size part))
(defmethod print-object ((part part) stream) (format stream "~A" (size part)))
(defun whole (parts)
  (incf *limit*)
  (mapcar #'size (list* (make-part) parts)))
(defun keep () (whole (list *limit*)))
""")
    (ours.project / "ours.lisp").write_text(f"{PACKAGE}{MACRO}(defun ours (x) (needed:size x))\n")
    ours.refresh()
    (ours.project / "more.lisp").write_text("""(in-package "OURS")
(defmethod print-object ((part needed:part) stream) (prin1 'part stream))
(defun needed:whole (parts) (list (needed:size (first parts)) needed:*limit*))
""")
    ours.refresh()
    assert ours.rebuild(), ours.output
    assert ours.findings() == []
    (ours.project / "more.lisp").write_text('(in-package "OURS")\n(defun needed:whole (parts) parts)\n')
    ours.refresh()
    assert ours.rebuild(), ours.output
    assert ours.findings() == []


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


def test_a_project_may_redefine_the_method_that_made_a_generic_function(
    ours: FollowedProject, needed: Path
) -> None:
    """Without DEFGENERIC the generic function stands where the first of its methods does."""
    text = f"""{NEEDED}(in-package "NEEDED")
(export '(part made size-of))
(defclass part () ((size :reader size-of)))
(defmethod made ((part part)) part)
(defmethod made ((name symbol)) name)
"""
    needed.write_text(text)
    ours.refresh()
    first, second = text[: text.index("(defmethod")].count("\n") + 1, text.count("\n")
    for form, line in (
        ("(defmethod needed:made ((part needed:part)) (list part))", second),
        ("(defmethod needed:made ((number number)) number)", first),
        ("(defmethod needed:size-of ((part needed:part)) 1)", first),
        ("", first),
    ):
        (ours.project / "more.lisp").write_text(f'(in-package "OURS")\n\n{form}\n')
        ours.refresh()
        assert ours.rebuild(), ours.output
        assert ours.findings() == [], form
        with open_index(ours.follower.index.path) as index:
            made = index.describe("needed:made")
        assert isinstance(made, DescribeAnswer)
        assert made.line == line, form
