"""A project of which a part does not load is followed: the rest is indexed, as a build indexes it."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import threading
from collections.abc import Mapping
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
from support.builds.tested_version import since
from support.projects.followed_project import FollowedProject, NotCompilableError

WHOLE = '(defpackage "WHOLE" (:use "CL") (:export "F"))\n(in-package "WHOLE")\n(defun f (x) (list x))\n'
NEEDING = '(in-package "WHOLE")\n(defun needing () (f 1))\n'
GOOD_PART = '(in-package "WHOLE")\n(defun part-a () (f 2))\n(defun part-b () (f 3))\n'
# Ways of not loading, by what the file of a part then has; each but the first half-loads the system.
BAD_PARTS = {
    "read": '(in-package "WHOLE")\n(defun part-a () (f 2))\n(defun part-b () (no-such-package:f 3))\n',
    "open": '(in-package "WHOLE")\n(defun part-a () (f 2)\n',
    "at-load": GOOD_PART + '(error "Not today.")\n',
    "at-compile-time": GOOD_PART + '(eval-when (:compile-toplevel) (error "Not ever."))\n',
    "package": '(in-package "WHOL")\n(defun part-a () 1)\n',
    "exit": GOOD_PART + "(sb-ext:exit :code 3)\n",
    "signal": GOOD_PART + "(break)\n",
    "macro": GOOD_PART + "(defmacro m () (car 5))\n(m)\n",
}
WAYS = tuple(BAD_PARTS)
# Where compiled code failed, which SBCL 2.0 does not tell.
UNPLACED = set() if since("2.2") else {"at-load", "exit", "signal"}
PARTS = {f"whole/{way}" for way in WAYS}
# Two that need each other never load.
NEVER = ["whole/circle-a", "whole/circle-b"]
SYSTEMS = "\n".join(
    [
        '(asdf:defsystem "whole" :components ((:file "whole")))',
        '(asdf:defsystem "whole/circle-a" :depends-on ("whole" "whole/circle-b"))',
        '(asdf:defsystem "whole/circle-b" :depends-on ("whole" "whole/circle-a"))',
        *(
            f'(asdf:defsystem "whole/{way}" :depends-on ("whole") :components ((:file "{way}")))'
            for way in WAYS
        ),
        "",
    ]
)
# ... and neither do these, until a library is installed.
NEEDY = """(asdf:defsystem "whole" :components ((:file "whole")))
(asdf:defsystem "whole-dev" :depends-on ("whole" "no-such-library") :components ((:file "needing")))
(asdf:defsystem "whole/needy" :depends-on ("no-such-library" "whole") :components ((:file "needy")))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the project and what is made of it."""
    return tmp_path_factory.mktemp("partial")


@pytest.fixture
def project(
    folder: Path, request: pytest.FixtureRequest, small: Sbcl, monkeypatch: pytest.MonkeyPatch
) -> FollowedProject:
    """The project as it is when all parts are good, without an index; all tests share its base."""
    whole = folder / "whole"
    whole.mkdir(exist_ok=True)
    write_whole(whole)
    write_parts(whole)
    if not (whole / "whole.asd").exists():
        (whole / "whole.asd").write_text(SYSTEMS)
    return FollowedProject(small, whole, folder / "work", monkeypatch, index=request.node.name)


def write_whole(project: Path, *more: str) -> None:
    """Write the system that all others need; it also defines the functions ``more``."""
    (project / "whole.lisp").write_text(WHOLE + "".join(f"(defun {name} () 1)\n" for name in more))


def write_parts(project: Path, texts: Mapping[str, str] | None = None, *, first_line: str = "") -> None:
    """Write each part as in ``texts``, or well; its functions are named after it."""
    for way in WAYS:
        text = (texts or {}).get(way, GOOD_PART)
        (project / f"{way}.lisp").write_text(first_line + text.replace("part-", f"{way}-"))


def knows(project: FollowedProject, *names: str) -> bool:
    """Whether all of these are functions in the index; none, or all, must be."""
    with open_index(project.follower.index.path) as index:
        answers = [index.describe(f"whole::{name}") for name in names]
    known = {isinstance(answer, DescribeAnswer) and answer.type == "function" for answer in answers}
    assert len(known) == 1, names
    return known.pop()


def of_parts(letter: str) -> list[str]:
    return [f"{way}-{letter}" for way in WAYS]


def equals_a_build(project: FollowedProject) -> None:
    project.rebuild()
    assert project.findings() == []


def equals_a_build_of_good_parts(project: FollowedProject) -> None:
    """The index differs from a build of the project with good parts only in what did not load.

    That build is made once for all tests in which the first system is the same.
    """
    sources = project.project
    digest = hashlib.sha256((sources / "whole.lisp").read_bytes()).hexdigest()[:16]
    project.rebuilt = project.work / f"rebuilt-{digest}.db"
    if not project.rebuilt.exists():
        now = {path: path.read_bytes() for path in sources.iterdir()}
        write_parts(sources)
        project.rebuild(project.work / "fasl of rebuild")
        for path, content in now.items():
            path.write_bytes(content)
    with (
        closing(sqlite3.connect(project.follower.index.path)) as followed,
        closing(sqlite3.connect(project.rebuilt)) as rebuilt,
    ):
        names = ", ".join(f"'{part}'" for part in PARTS)
        followed.execute(f"DELETE FROM problems WHERE subject IN ({names})")  # never committed
        assert list(differences(followed, rebuilt)) == []
    project.rebuilt = project.work / "rebuilt.db"


def test_parts_that_have_never_loaded_are_problems_until_they_load(project: FollowedProject) -> None:
    write_parts(project.project, BAD_PARTS)
    step = project.follower.refresh()
    assert (step.broken, step.kept) == (None, frozenset())
    assert sorted(problem.subject for problem in step.not_loaded) == sorted([*NEVER, *PARTS])
    circles = [problem.message for problem in step.not_loaded if "circle" in problem.subject]
    assert len(circles) == 2
    assert all("circular" in message.lower() for message in circles)
    assert knows(project, "f")
    equals_a_build(project)
    write_whole(project.project, "g")  # an edit of what does load
    assert len(project.follower.refresh().not_loaded) == len([*NEVER, *PARTS])
    assert knows(project, "g")
    write_parts(project.project)  # they load for the first time
    step = project.follower.refresh()
    assert sorted(problem.subject for problem in step.not_loaded) == NEVER
    assert knows(project, *of_parts("a"), *of_parts("b"))
    equals_a_build_of_good_parts(project)


def test_what_no_longer_loads_stays_as_it_was_and_the_rest_is_followed(project: FollowedProject) -> None:
    project.refresh()
    for number, function in enumerate(("g0", "g")):
        write_parts(project.project, BAD_PARTS, first_line=f"; Number {number}\n")
        write_whole(project.project, function)
        step = project.follower.refresh()
        assert (step.broken, step.kept) == (None, PARTS)
        assert sorted(problem.subject for problem in step.not_loaded) == sorted([*NEVER, *PARTS])
        assert knows(project, function, *of_parts("a"), *of_parts("b"))
    assert not knows(project, "g0")
    equals_a_build_of_good_parts(project)
    with open_index(project.follower.index.path) as index:
        assert index.information().last_good == sorted(PARTS)
        told = {problem.subject: problem for problem in step.not_loaded}
        for way in WAYS:
            source = project.project / f"{way}.lisp"
            answer = index.describe(f"whole::{way}-b")
            assert isinstance(answer, DescribeAnswer)
            assert (answer.type, answer.stale) == ("function", True), way
            assert "no longer loads" in (answer.incomplete or ""), way
            if way not in UNPLACED:
                assert str(source) in (answer.stale_reason or ""), way
                place = told[f"whole/{way}"]
                assert (place.path, place.line is None) == (str(source), False), way
            found = index.definition(f"whole::{way}-b")
            assert isinstance(found, DefinitionTextAnswer), way
            # The form that stands in the file now; where there is none, the last good one.
            form = found.text.partition("\n")[2]
            assert form in source.read_text() or form == f"(defun {way}-b () (f 3))", way
            assert form.startswith(f"(defun {way}-b ()"), way
        assert all(
            f"system {part} no longer loads (" in "\n".join(index.information().not_loaded) for part in PARTS
        )
    write_parts(project.project, dict.fromkeys(WAYS, GOOD_PART.replace("part-b", "part-c")))
    step = project.follower.refresh()
    assert (step.broken, step.kept) == (None, frozenset())
    assert knows(project, *of_parts("c"))
    assert not knows(project, *of_parts("b"))
    equals_a_build(project)


@pytest.mark.full  # the test above has all of them at once
@pytest.mark.parametrize("way", WAYS)
def test_each_part_alone_is_followed_through_all_its_states(way: str, project: FollowedProject) -> None:
    """One that has never loaded, loads, no longer loads, and loads again, as the only one that does."""
    bad, part = {way: BAD_PARTS[way]}, f"whole/{way}"
    write_parts(project.project, bad)
    project.refresh()
    assert knows(project, "f")
    equals_a_build(project)
    write_parts(project.project)
    project.refresh()
    assert knows(project, f"{way}-b")
    write_parts(project.project, bad)
    write_whole(project.project, "g")
    with pytest.raises(NotCompilableError, match=rf"{part} did not load: "):
        project.refresh()
    assert knows(project, "g", f"{way}-b")
    equals_a_build_of_good_parts(project)
    write_parts(project.project, {way: GOOD_PART.replace("part-b", "part-c")})
    project.refresh()
    assert knows(project, f"{way}-c")
    assert not knows(project, f"{way}-b")
    equals_a_build(project)


def test_a_library_that_is_installed_later_is_found_by_the_next_watch(
    small: Sbcl, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then, ASDF reads the definition again to look for it, if a system's name has no slash."""
    folder = tmp_path / "whole"
    folder.mkdir()
    texts = {"whole.asd": NEEDY, "whole.lisp": WHOLE, "needing.lisp": NEEDING}
    texts["needy.lisp"] = NEEDING.replace("needing", "needy")
    for name, text in texts.items():
        (folder / name).write_text(text)
    project = FollowedProject(small, folder, tmp_path / "work", monkeypatch)
    step = project.follower.refresh()
    assert sorted(problem.subject for problem in step.not_loaded) == ["whole-dev", "whole/needy"]
    with closing(sqlite3.connect(project.follower.index.path)) as connection:
        found = connection.execute("SELECT name FROM systems WHERE asked").fetchall()
        states = dict(connection.execute("SELECT system, state FROM components"))
    assert found == [("whole",)], "what has loaded stays known"
    assert states == {"whole": "loaded", "whole-dev": "failed", "whole/needy": "failed"}
    assert not knows(project, "needing", "needy")
    equals_a_build(project)
    library = folder / "libraries" / "no-such-library.asd"
    library.parent.mkdir()
    library.write_text('(asdf:defsystem "no-such-library")\n')
    later = FollowedProject(small, folder, tmp_path / "work", monkeypatch)
    assert later.follower.adopt() is None
    assert later.follower.refresh().not_loaded == []
    assert knows(later, "needing", "needy")


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
    project: FollowedProject, monkeypatch: pytest.MonkeyPatch, small: Sbcl
) -> None:
    project.refresh()
    write_parts(project.project, {"read": BAD_PARTS["read"]})
    monkeypatch.setattr("oblist.indexer.layers.last_good._FOLDER", "nothing-there")
    index = project.follower.index.path.stem
    project = FollowedProject(small, project.project, project.work, monkeypatch, index=index)
    write_whole(project.project, "g")
    with pytest.raises(NotCompilableError, match=r"whole/read did not load: "):
        project.refresh()
    assert knows(project, "read-b")
    assert not knows(project, "g")


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
