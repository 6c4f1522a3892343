"""A rename reports the uses in other projects, which it does not change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query.api import Index, open_index
from oblist.query.refactor.plan import EditPlan
from oblist.query.refactor.project.texts import ProjectTexts
from oblist.query.refactor.rename.members.planned import renamed_member
from oblist.query.refactor.rename.package_names import renamed_package
from oblist.query.refactor.rename.symbols import renamed_symbol
from support.editors.kept_project import kept_project

FILES = {
    "mill/mill.asd": '(defsystem "mill" :components ((:file "mill")))\n',
    "mill/mill.lisp": """\
(defpackage #:mill (:use #:cl) (:export #:grind #:stone))
(in-package #:mill)
(defun grind (corn &key (finely t)) (list corn finely))
(defun sieve (flour) flour)
(defclass stone () ())
""",
    "bakery/bakery.asd": '(defsystem "bakery" :depends-on ("mill") :components ((:file "bakery")))\n',
    "bakery/bakery.lisp": """\
(defpackage #:bakery (:use #:cl) (:import-from #:mill #:stone))
(in-package #:bakery)
(defun bake (corn)
  (mill:grind corn))
""",
}


@pytest.fixture(scope="module")
def folder() -> Path:
    return kept_project("mills", FILES)


@pytest.fixture(scope="module")
def index(folder: Path) -> Iterator[Index]:
    with open_index(folder / ".oblist" / "oblist.db") as index:
        yield index


def told(plan: EditPlan) -> list[tuple[str, int]]:
    assert {one.why for one in plan.unplaced} <= {"a use outside of the project"}
    return [(Path(one.path).name, one.line) for one in plan.unplaced]


def test_uses_in_another_folder(index: Index, folder: Path) -> None:
    project = ProjectTexts(index, str(folder / "mill"))
    assert told(renamed_symbol(project, "grind", "crush", "MILL")) == [("bakery.lisp", 4)]
    assert told(renamed_symbol(project, "stone", "rock", "MILL")) == [("bakery.lisp", 1)]
    assert told(renamed_symbol(project, "sieve", "sift", "MILL")) == []
    assert told(renamed_member(project, ":finely", ":coarsely", "grind", "MILL")) == [("bakery.lisp", 4)]
    assert ("bakery.lisp", 1) in told(renamed_package(project, "mill", "wind-mill"))


def test_all_of_them_are_one_project(index: Index, folder: Path) -> None:
    plan = renamed_symbol(ProjectTexts(index, str(folder)), "grind", "crush", "MILL")
    assert told(plan) == [] and sorted(Path(path).name for path in plan.edits) == ["bakery.lisp", "mill.lisp"]
