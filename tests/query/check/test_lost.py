"""Definitions that a changed file has no more: all uses of them are findings, and nothing else is."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query.check.findings import SourceFinding
from oblist.query.check.form.answer import FormCheckAnswer
from oblist.query.check.form.ask import check_form
from oblist.query.check.run import Check
from oblist.query.check.settings import Settings
from oblist.query.check.still_used import still_used
from oblist.query.index.reading import Reading
from support.projects.lost import USES, lost_project, rename

RULES = {
    **dict.fromkeys(("*scale*", "+most+", "the-scale", "apple"), "undefined-variable"),
    **dict.fromkeys(("weight", "basket", "rotten"), "unknown-class"),
    "stock": "unknown-place",
    "measures": "unknown-package",
}


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project, in which everything happens."""
    folder = tmp_path / "project"
    shutil.copytree(lost_project() / "project", folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("OBLIST_ROOTS", f"project={folder}")
    return folder


@pytest.fixture
def index() -> Iterator[Reading]:
    with Reading(lost_project() / "lost.db") as opened:
        yield opened


def found(*paths: str) -> list[SourceFinding]:
    check = Check(lost_project() / "lost.db", Settings(Path()), 1, lambda *_: None)
    return [one for one in check.run([*paths]).findings if one.severity != "info"]


def places(findings: list[SourceFinding]) -> set[tuple[str, int]]:
    return {(Path(one.path).name, one.line) for one in findings}


def test_as_it_was_indexed_nothing_is_lost() -> None:
    assert len(USES) == 16
    assert [one.rule for one in found(".")] == ["duplicate-definition"]


@pytest.mark.parametrize("name", sorted(USES))
def test_every_use_of_what_is_gone_is_found(name: str, project: Path) -> None:
    before = found(".")
    path = rename(project, name)
    after = [one for one in found(".") if one not in before]
    assert places(after) == USES[name]
    assert {one.rule for one in after} <= {RULES.get(name, "undefined-function"), "undefined-function"}
    # The file alone: what others lack for it is told, too, and nothing else of them is.
    assert places([one for one in found(path.name) if one not in before]) == USES[name]


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        # The name stands elsewhere, or may: nothing is lost.
        ("base.lisp", "(defun twice (x)", "(cl:defun twice (x)", None),
        ("base.lisp", "(defun twice (x)", "(defun twice (x &key)", None),
        ("base.lisp", "(defun twice (x)", "(defgeneric twice (x)) (defmethod twice ((x t))", None),
        ("base.lisp", "(defun twice (x)", "(defthing twice) (defun other (x)", None),
        ("base.lisp", "(defun twice (x)", '(defun other (x) "', None),  # a string that never ends
        ("base.lisp", "(defthing apple)", "(progn (defthing apple))", None),
        ("base.lisp", "(defvar ,name 1)", "(defparameter ,name 1)", None),
        ("base.lisp", "(defstruct (pear (:conc-name pear-))", "(defstruct pear", None),
        ("measures.lisp", "(:use :cl)", "(:use #:cl)", None),
        # It does not.
        ("base.lisp", "(defun twice (x)", ";; (defun twice (x)\n(list", "twice"),
        ("base.lisp", "(defun twice (x)", "#+(or) (defun twice (x)", "twice"),
        ("base.lisp", "(defun twice (x)", "(defvar twice 1) (list", "twice"),
        ("base.lisp", "(defun twice (x)", "(defmethod (setf twice) (x (y t))", "twice"),
        ("base.lisp", "(defun twice (x)", "(defun measures::twice (x)", "twice"),
        ("base.lisp", "(defclass basket ()", "(defun basket ()", "basket"),
        ("base.lisp", "(defthing apple)", "", "apple"),
        ("base.lisp", "(defthing apple)", "(defthing banana)", "apple"),
        ("base.lisp", "(defstruct (pear (:conc-name pear-))", "(defclass pear ()", "pear"),
    ],
)
def test_a_definition_is_gone_only_if_nothing_may_make_it(
    file: str, old: str, new: str, expected: str | None, project: Path
) -> None:
    text = (project / file).read_text()
    assert old in text
    (project / file).write_text(text.replace(old, new))
    told = [one for one in found(".") if "does not define it any more" in one.message]
    below = new.count("\n")
    moved = {(file, one.line - below) for one in told if Path(one.path).name == file}
    wanted = USES[expected] if expected else set()
    assert {(name, line) for name, line in places(told) if name != file} | moved == wanted


def test_what_has_moved_to_another_file_is_not_gone(project: Path) -> None:
    before = found(".")
    base, uses = project / "base.lisp", project / "uses.lisp"
    twice = next(line for line in base.read_text().splitlines(keepends=True) if "(defun twice" in line)
    base.write_text(base.read_text().replace(twice, ""))
    uses.write_text(uses.read_text() + twice)
    assert [
        one
        for one in found(
            ".",
        )
        if "any more" in one.message
    ] == []
    assert [one for one in found("base.lisp") if "any more" in one.message] == []
    assert len(found(".")) == len(before)


def test_a_file_that_no_system_loads_defines_nothing(project: Path) -> None:
    rename(project, "twice")
    (project / "old.lisp").write_text("(in-package :fruit)\n(defun twice (x) x)\n")
    assert places(found(".")) >= USES["twice"]
    assert places(found("base.lisp")) >= USES["twice"]


def test_what_a_deleted_file_defined_is_gone(project: Path) -> None:
    (project / "base.lisp").unlink()
    told = places(found("uses.lisp"))
    wanted = {place for name in ("weigh", "basket", "with-knife", "stock") for place in USES[name]}
    assert told >= {place for place in wanted if place[0] == "uses.lisp"}


@pytest.mark.parametrize(
    ("definition", "old", "new", "uses"),
    [
        ("an export", "#:gram ", "", [("uses.lisp", 30)]),
        ("a nickname", "(:nicknames :msr)", "", [("uses.lisp", 30)]),
        ("a local nickname", "(:local-nicknames (:m :measures))", "", [("uses.lisp", 30)]),
        ("a package that is used", "(:use :cl :measures)", "(:use :cl)", [("kitchen.lisp", 3)]),
        ("an imported symbol", "(:import-from :fruit #:juice)", "", [("kitchen.lisp", 4)]),
    ],
)
def test_what_the_declaration_of_a_package_has_no_more_is_gone(
    definition: str, old: str, new: str, uses: list[tuple[str, int]], project: Path
) -> None:
    before = places(found("."))
    for path in (project / "measures.lisp", project / "package.lisp"):
        path.write_text(path.read_text().replace(old, new))
    told = places(found(".")) - before
    assert told >= set(uses), definition


def test_a_form_is_judged_by_the_sources_as_they_are_now(index: Reading, project: Path) -> None:
    def messages() -> list[str]:
        answer = check_form(index, "(list (twice 1) (weigh 2))", "FRUIT")
        assert isinstance(answer, FormCheckAnswer)
        return [" ".join([one.message, *one.suggestions]) for one in answer.findings]

    assert messages() == []
    path = rename(project, "twice")
    (told,) = messages()
    assert told.startswith("there is no function or macro twice: base.lisp does not define it any more")
    assert "twice2" in told
    # Another file of the project has it now, which the index does not know.
    uses = project / "uses.lisp"
    uses.write_text(uses.read_text() + "(defun twice (x) x)\n")
    assert messages() == []
    path.unlink()
    assert len(messages()) == 1


def test_suggestions_have_nothing_that_is_gone(project: Path) -> None:
    uses = project / "uses.lisp"
    uses.write_text(uses.read_text() + "(defun misspelt (x) (weihg x))\n")
    (one,) = [one for one in found(".") if one.written == "weihg"]
    assert one.suggestions[0] == "weigh"
    rename(project, "weigh")
    (one,) = [one for one in found(".") if one.written == "weihg"]
    assert "weigh" not in one.suggestions


def test_what_is_still_used_is_said_in_a_line_for_each_name(project: Path) -> None:
    index = lost_project() / "lost.db"
    assert still_used(index, [project]) == []
    rename(project, "weigh")
    rename(project, "basket")
    weigh, basket = still_used(index, [Path()])
    if "basket" in weigh:
        weigh, basket = basket, weigh
    assert weigh == (
        "there is no function or macro weigh: base.lisp does not define it any more; it is used at"
        " base.lisp:9, base.lisp:13, uses.lisp:4, uses.lisp:5, uses.lisp:6"
    )
    assert basket.endswith("it is used at uses.lisp:12, uses.lisp:15, uses.lisp:26, uses.lisp:27")
