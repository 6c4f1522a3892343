"""A project of which a part does not load is followed: the rest is indexed, as a build indexes it."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from oblist.indexer.build.lock import hold_lock
from oblist.indexer.check.differences import differences
from oblist.indexer.watch.followed_index import FollowedIndex
from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import AproposAnswer, DefinitionTextAnswer, DescribeAnswer
from oblist.query.values.live import live_values
from support.projects.followed_project import FollowedProject, NotCompilableError

SYSTEMS = """(asdf:defsystem "whole" :components ((:file "whole")))
(asdf:defsystem "whole/needing" :depends-on ("no-such-library" "whole") :components ((:file "needing")))
(asdf:defsystem "whole/part" :depends-on ("whole") :components ((:file "part")))
"""
DEVELOPMENT = """(asdf:defsystem "whole-dev" :depends-on ("whole" "no-such-library")
  :components ((:file "needing")))
"""
WHOLE = '(defpackage "WHOLE" (:use "CL") (:export "F"))\n(in-package "WHOLE")\n(defun f (x) (list x))\n'
NEEDING = '(in-package "WHOLE")\n(defun needing () (f 1))\n'
GOOD_PART = '(in-package "WHOLE")\n(defun part-a () (f 2))\n(defun part-b () (f 3))\n'
# Ways of not loading, by what the second file then has; each but the first half-loads the system.
BAD_PARTS = {
    "read": '(in-package "WHOLE")\n(defun part-a () (f 2))\n(defun part-b () (no-such-package:f 3))\n',
    "open": '(in-package "WHOLE")\n(defun part-a () (f 2)\n',
    "at load": GOOD_PART + '(error "Not today.")\n',
    "at compile time": GOOD_PART + '(eval-when (:compile-toplevel) (error "Not ever."))\n',
    "package": '(in-package "WHOL")\n(defun part-a () 1)\n',
    "exit": GOOD_PART + "(sb-ext:exit :code 3)\n",
    "signal": GOOD_PART + "(break)\n",
    "macro": GOOD_PART + "(defmacro m () (car 5))\n(m)\n",
}


@pytest.fixture
def project(small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FollowedProject:
    folder = tmp_path / "whole"
    folder.mkdir()
    (folder / "whole.asd").write_text(SYSTEMS)
    (folder / "whole.lisp").write_text(WHOLE)
    (folder / "needing.lisp").write_text(NEEDING)
    (folder / "part.lisp").write_text(GOOD_PART)
    return FollowedProject(small, folder, tmp_path / "work", monkeypatch)


def knows(project: FollowedProject, name: str) -> bool:
    with open_index(project.follower.index.path) as index:
        answer = index.describe(name)
        return isinstance(answer, DescribeAnswer) and answer.type == "function"


def equals_a_build(project: FollowedProject) -> None:
    project.rebuild()
    assert project.findings() == []


@pytest.mark.parametrize("way", BAD_PARTS)
def test_a_part_that_has_never_loaded_is_a_problem_and_the_rest_is_indexed(
    way: str, project: FollowedProject
) -> None:
    (project.project / "part.lisp").write_text(BAD_PARTS[way])
    step = project.follower.refresh()
    assert step.broken is None
    assert sorted(problem.subject for problem in step.not_loaded) == ["whole/needing", "whole/part"]
    assert knows(project, "whole:f")
    equals_a_build(project)


def test_a_loaded_system_stays_known_when_asdf_reads_its_definition_again(project: FollowedProject) -> None:
    """ASDF does so to look for a dependency that is missing, if a system's name has no slash."""
    definitions = project.project / "whole.asd"
    definitions.write_text(SYSTEMS.partition('(asdf:defsystem "whole/')[0] + DEVELOPMENT)
    project.refresh()
    with closing(sqlite3.connect(project.follower.index.path)) as connection:
        found = connection.execute("SELECT name FROM systems WHERE asked").fetchall()
        states = dict(connection.execute("SELECT system, state FROM components"))
    assert found == [("whole",)]
    assert states == {"whole": "loaded", "whole-dev": "failed"}
    equals_a_build(project)


def test_systems_that_need_each_other_are_problems_and_the_rest_is_indexed(project: FollowedProject) -> None:
    definitions = project.project / "whole.asd"
    circle = [
        f'(asdf:defsystem "whole/{one}" :depends-on ("whole" "whole/{other}"))' for one, other in ("ab", "ba")
    ]
    definitions.write_text("\n".join([SYSTEMS.splitlines()[0], *circle]))
    step = project.follower.refresh()
    assert step.broken is None
    assert [problem.subject for problem in step.not_loaded] == ["whole/a", "whole/b"]
    assert all("circular" in problem.message.lower() for problem in step.not_loaded)
    assert knows(project, "whole:f")
    equals_a_build(project)


def test_a_part_is_followed_through_all_its_states(project: FollowedProject) -> None:
    part, whole = project.project / "part.lisp", project.project / "whole.lisp"
    part.write_text(BAD_PARTS["read"])
    project.refresh()
    whole.write_text(WHOLE + "(defun g () 1)\n")  # an edit of what does load
    project.refresh()
    assert knows(project, "whole::g")
    part.write_text(GOOD_PART)  # it loads for the first time
    project.refresh()
    assert knows(project, "whole::part-b")
    equals_a_build(project)
    part.write_text(BAD_PARTS["at load"])  # what has loaded is not lost
    with pytest.raises(NotCompilableError, match=r"whole/part did not load: .*Not today"):
        project.refresh()
    assert knows(project, "whole::part-b")
    part.write_text(GOOD_PART.replace("part-b", "part-c"))
    project.refresh()
    assert knows(project, "whole::part-c")
    assert not knows(project, "whole::part-b")
    equals_a_build(project)


@pytest.mark.parametrize("way", BAD_PARTS)
def test_what_no_longer_loads_stays_as_it_was_and_the_rest_is_followed(
    way: str, project: FollowedProject
) -> None:
    part, whole = project.project / "part.lisp", project.project / "whole.lisp"
    project.refresh()
    for number in range(2):
        part.write_text(f"; Number {number}\n{BAD_PARTS[way]}")
        whole.write_text(WHOLE + f"(defun g{number} () 1)\n")
        step = project.follower.refresh()
        assert (step.broken, step.kept) == (None, {"whole/part"})
        assert sorted(problem.subject for problem in step.not_loaded) == ["whole/needing", "whole/part"]
        # The index equals a build of the last good state, but for what did not load.
        equals_a_build_with(project, part, GOOD_PART)
    with open_index(project.follower.index.path) as index:
        answer = index.describe("whole::part-b")
        assert isinstance(answer, DescribeAnswer)
        assert (answer.type, answer.stale) == ("function", True)
        said = f"system whole/part no longer loads ({part}:"
        assert said in (answer.incomplete or "")
        assert str(part) in (answer.stale_reason or "")
        assert index.information().last_good == ["whole/part"]
        found = index.definition("whole::part-b")
        assert isinstance(found, DefinitionTextAnswer)
        assert "(defun part-b () (f 3))" in found.text
    part.write_text(GOOD_PART.replace("part-b", "part-c"))
    step = project.follower.refresh()
    assert (step.broken, step.kept) == (None, frozenset())
    assert knows(project, "whole::part-c")
    assert not knows(project, "whole::part-b")
    equals_a_build(project)


# Of these, BASE/AID/TEST is loaded only because another one needs it: its name is that of a test.
CHAIN = """(asdf:defsystem "base" :components ((:file "base")))
(asdf:defsystem "base/aid" :depends-on ("base") :components ((:file "aid")))
(asdf:defsystem "base/a-user" :depends-on ("base/aid/test") :components ((:file "user")))
(asdf:defsystem "base/aid/test" :depends-on ("base/aid") :components ((:file "tested")))
(asdf:defsystem "base/all" :depends-on ("base/aid"))
(asdf:defsystem "base/other" :depends-on ("base") :components ((:file "other")))
"""


def test_what_needs_a_system_that_no_longer_loads_stays_as_it_was(
    small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "chain"
    folder.mkdir()
    (folder / "base.asd").write_text(CHAIN)
    (folder / "base.lisp").write_text(
        '(defpackage "BASE" (:use "CL"))\n(in-package "BASE")\n(defvar *b* 1)\n'
    )
    for name in ("aid", "tested", "user", "other"):
        (folder / f"{name}.lisp").write_text(f'(in-package "BASE")\n(defvar *{name}* *b*)\n')

    def edit(name: str, text: str) -> None:
        (folder / f"{name}.lisp").write_text(f'(in-package "BASE")\n{text}\n')

    project = FollowedProject(small, folder, tmp_path / "work", monkeypatch)
    project.refresh()
    for begin_again in (False, True):
        edit("aid", '(error "Not today.")')
        edit("user", "(defvar *user-2* *b*)")
        edit("other", f"(defvar *other-{begin_again:d}* *b*)")
        if begin_again:  # another watch: the last good state is on the disk
            project = FollowedProject(small, folder, tmp_path / "work", monkeypatch)
            assert project.follower.adopt() is None
        step = project.follower.refresh()
        assert step.broken is None
        assert step.kept == {"base/aid", "base/a-user", "base/all"}
        with open_index(project.follower.index.path) as index:
            answer = index.apropos("*", package="base", limit=0)
            assert isinstance(answer, AproposAnswer)
        names = {match.name.lower() for match in answer.matches}
        assert {"*aid*", "*tested*", "*user*", f"*other-{begin_again:d}*"} <= names
        assert not {"*user-2*", "*other*"} & names
    project.follower.begin_saving_values()
    project.follower.adopt_saved_values(wait=True)
    with open_index(project.follower.index.path, values=live_values(60)) as index:
        described = index.describe("base::*user*")
        assert isinstance(described, DescribeAnswer)
        assert (described.value, described.value_note) == ("1", None)
    edit("aid", "(defvar *aid-2* *b*)")
    project.refresh()
    equals_a_build(project)


def test_without_a_last_good_state_the_whole_index_stays(
    project: FollowedProject, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, small: Sbcl
) -> None:
    project.refresh()
    part = project.project / "part.lisp"
    part.write_text(BAD_PARTS["read"])
    monkeypatch.setattr("oblist.indexer.refresh.last_good._FOLDER", "nothing-there")
    project = FollowedProject(small, project.project, tmp_path / "work", monkeypatch)
    (project.project / "whole.lisp").write_text(WHOLE + "(defun g () 1)\n")
    with pytest.raises(NotCompilableError, match=r"whole/part did not load: "):
        project.refresh()
    assert knows(project, "whole::part-b")
    assert not knows(project, "whole::g")


def equals_a_build_with(project: FollowedProject, part: Path, text: str) -> None:
    """The index differs from a build of the project, with ``part`` as it was, only in what did not load."""
    now = part.read_bytes()
    part.write_text(text)
    project.rebuild(project.rebuilt.parent / "fasl of rebuild")
    part.write_bytes(now)
    with (
        closing(sqlite3.connect(project.follower.index.path)) as followed,
        closing(sqlite3.connect(project.rebuilt)) as rebuilt,
    ):
        followed.execute("DELETE FROM problems WHERE subject = 'whole/part'")  # never committed
        assert list(differences(followed, rebuilt)) == []


def test_a_library_that_is_installed_later_is_found_by_the_next_watch(
    project: FollowedProject, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: Sbcl
) -> None:
    project.refresh()
    assert not knows(project, "whole::needing")
    library = project.project / "libraries" / "no-such-library.asd"
    library.parent.mkdir()
    library.write_text('(asdf:defsystem "no-such-library")\n')
    later = FollowedProject(small, project.project, tmp_path / "work", monkeypatch)
    assert later.follower.adopt() is None
    later.refresh()
    assert knows(later, "whole::needing")


def test_who_waits_for_a_build_says_for_whom_and_how_long(project: FollowedProject) -> None:
    project.refresh()
    said: list[str] = []
    index = FollowedIndex(project.follower.index.path, waiting=said.append)
    held, free = threading.Event(), threading.Event()

    def build() -> None:
        with hold_lock(index.path):
            held.set()
            free.wait(60)

    building = threading.Thread(target=build)
    building.start()
    assert held.wait(60)
    threading.Timer(0.5, free.set).start()
    index.set_facts({"edited": "1"})
    building.join()
    assert index.facts()["edited"] == "1"
    (sentence,) = said
    assert sentence.startswith(f"{index.path} is being built by process {os.getpid()} on ")
    assert sentence.endswith("; waiting for it, at most 600 s.")
