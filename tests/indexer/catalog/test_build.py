"""Building a catalog: what becomes of each release, what is made again, and what an interruption leaves."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from oblist.indexer.catalog.build import build_catalog, is_test
from oblist.indexer.catalog.file.publish import version_key
from oblist.indexer.catalog.making.orders import Limits
from oblist.indexer.catalog.store.results import Store
from oblist.indexer.check.contradictions import contradictions
from oblist.lisp.sbcl import Sbcl
from support.catalogs.comparing import FEW, arguments, assert_equal, build, rows
from support.catalogs.libraries import Libraries, libraries, request_for, write_libraries
from support.command import OBLIST, oblist


@pytest.fixture(scope="module")
def made() -> Libraries:
    return libraries()


def problems(made: Libraries, release: str) -> list[tuple[object, ...]]:
    statement = """SELECT subject, message FROM release_problems
                   WHERE release_id IN (SELECT id FROM releases WHERE name = ?)"""
    return rows(made.catalog, statement, release)


def test_each_release_has_its_state(made: Libraries) -> None:
    found = dict(rows(made.catalog, "SELECT name || '@' || coalesce(version, ''), state FROM releases"))
    del found[next(name for name in found if str(name).startswith("sbcl@"))]
    failed = dict.fromkeys(("broken@", "endless@", "leaving@", "asking@", "hungry@", "unreadable@"), "failed")
    assert found == {
        **dict.fromkeys(
            ("shapes@1.0", "shapes@2.0", "drawing@", "tool@", "with-tool@", "one@", "two@"), "loaded"
        ),
        **dict.fromkeys(("inferred@", "modules@"), "loaded"),
        **failed,
        "drawing-extras@": "failed",
        "on-broken@": "partly",
    }


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("broken", "The function CAR is called with two arguments"),
        ("endless", "TIMEOUT"),
        ("leaving", "It called (EXIT :CODE 3"),
        ("asking", "END-OF-FILE"),
        ("drawing-extras", '"no-such-library" not found'),
        ("on-broken", "It depends on broken, which did not load: SIMPLE-WARNING"),
        ("unreadable", "LOAD-SYSTEM-DEFINITION-ERROR"),
    ],
)
def test_what_does_not_load_has_its_reason(made: Libraries, release: str, said: str) -> None:
    found = problems(made, release)
    assert len(found) == 1
    assert said in str(found[0][1])


def test_a_reason_has_its_file_and_line(made: Libraries) -> None:
    ((_, message),) = problems(made, "broken")
    assert str(message).endswith(f"({made.sources}/first/broken/broken.lisp, line 3)")


def test_what_eats_memory_ends_alone(made: Libraries) -> None:
    ((subject, message),) = problems(made, "hungry")
    assert subject == "hungry"
    assert "HEAP" in str(message).upper() or "SBCL ended" in str(message)


def test_every_slice_is_sound_and_a_slice(made: Libraries) -> None:
    slices = rows(made.catalog, "SELECT name, slice FROM releases WHERE name <> 'sbcl' AND slice IS NOT NULL")
    assert len(slices) >= 16
    for name, path in slices:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
            assert contradictions(connection, published=True) == [], name
            ((fact,),) = connection.execute("SELECT value FROM meta WHERE name = 'slice'")
            assert json.loads(fact)["release"] == name


def test_a_slice_has_what_the_release_brings_and_names_of_others(made: Libraries) -> None:
    ((path,),) = rows(made.catalog, "SELECT slice FROM releases WHERE name = 'drawing'")
    defined = """SELECT packages.name || '::' || symbols.name, definitions.kind
                 FROM definitions JOIN symbols ON symbols.id = symbol_id
                 JOIN packages ON packages.id = symbols.package_id"""
    found = set(rows(Path(str(path)), defined))
    assert ("DRAWING::DRAW", "function") in found
    assert ("SHAPES::AREA", "method") in found
    assert ("COMMON-LISP::PRINT-OBJECT", "method") in found
    assert ("SHAPES::AREA", "generic-function") not in found
    outside = """SELECT symbols.name, type, exported FROM symbols JOIN packages ON packages.id = package_id
                 WHERE packages.name = 'SHAPES'"""
    named = {name: (kind, exported) for name, kind, exported in rows(Path(str(path)), outside)}
    assert named["AREA"] == ("GENERIC-FUNCTION", 0)
    assert named["HELPER"] == ("SYMBOL", 0)
    assert named["SIDE"] == ("SYMBOL", 0), "what a used package exports may be named in text"


def test_modules_of_sbcl_belong_to_no_release(made: Libraries) -> None:
    ((path, packages),) = rows(made.catalog, "SELECT slice, packages FROM releases WHERE name = 'modules'")
    assert packages == 1
    assert rows(Path(str(path)), "SELECT count(*) FROM definitions WHERE kind = 'package'") == [(1,)]
    calls = """SELECT count(*) FROM symbol_references JOIN symbols ON symbols.id = callee_id
               WHERE symbols.name = 'GETPID'"""
    assert rows(Path(str(path)), calls) == [(1,)]


def test_a_release_depends_on_the_version_in_its_own_root(made: Libraries) -> None:
    ((path,),) = rows(made.catalog, "SELECT slice FROM releases WHERE name = 'drawing'")
    names = {str(name) for (name,) in rows(Path(str(path)), "SELECT name FROM symbols")}
    assert "CIRCUMFERENCE" in names
    assert "AROUND" not in names


def test_releases_that_depend_on_each_other_bring_what_is_theirs(made: Libraries) -> None:
    found = rows(
        made.catalog,
        """SELECT releases.name, release_names.name
           FROM release_names JOIN releases ON releases.id = release_id
           WHERE releases.name IN ('one', 'two') ORDER BY 1, 2""",
    )
    assert found == [("one", "FIRST-OF-ALL"), ("two", "SECOND-OF-ALL")]
    systems = "SELECT name, state FROM release_systems WHERE name IN ('one', 'one/two', 'two') ORDER BY name"
    assert rows(made.catalog, systems) == [("one", "loaded"), ("one/two", "loaded"), ("two", "loaded")]


def test_uses_between_releases_are_counted(made: Libraries) -> None:
    statement = """SELECT package, name, uses FROM release_uses
                   WHERE release_id = (SELECT id FROM releases WHERE name = 'drawing')"""
    found = {name: uses for package, name, uses in rows(made.catalog, statement) if package == "SHAPES"}
    assert found == {"AREA": 2, "HELPER": 1}


def test_a_second_build_makes_nothing_again(made: Libraries, sbcl: Sbcl, tmp_path: Path) -> None:
    """Only what time, memory or a signal ended is tried again."""
    write_libraries(tmp_path / "sources", FEW)
    request, store = request_for(tmp_path / "sources"), Store.at(tmp_path / "store")
    for _ in range(2):
        build_catalog(tmp_path / "catalog.db", store, sbcl, request, command="tests")
        states = {path: path.stat().st_mtime_ns for path in (tmp_path / "store" / "slices").iterdir()}
        assert len(states) == 6
        first = locals().setdefault("first_states", states)
        assert states == first
    changed = tmp_path / "sources" / "first" / "shapes-1.0" / "shapes.lisp"
    changed.write_text(changed.read_text().replace("square metres", "square feet"))
    build_catalog(tmp_path / "catalog.db", store, sbcl, request, command="tests")
    new = {
        path.name.partition("-")[0]
        for path in (tmp_path / "store" / "slices").iterdir()
        if path not in states
    }
    assert new == {"shapes", "drawing", "drawing-extras".partition("-")[0], "inferred"}
    documented = "SELECT count(*) FROM definitions WHERE documentation LIKE '%square feet%'"
    assert rows(tmp_path / "catalog.db", documented) == [(1,)]
    assert rows(tmp_path / "catalog.db", documented.replace("feet", "metres")) == [(1,)], (
        "of the other version"
    )


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, sbcl: Sbcl) -> Iterator[Path]:
    """A folder with a few libraries, and the catalog of them as one job makes it."""
    folder = tmp_path_factory.mktemp("whole")
    write_libraries(folder / "sources", FEW)
    build(folder, folder / "one", "--jobs", "1")
    yield folder


def test_two_jobs_make_the_same_catalog(whole: Path, tmp_path: Path) -> None:
    build(whole, tmp_path / "two", "--jobs", "2")
    assert_equal(whole / "one.db", tmp_path / "two.db")


@pytest.mark.parametrize("victim", ["build", "child"])
def test_a_killed_build_goes_on_where_it_was(whole: Path, tmp_path: Path, victim: str) -> None:
    target = tmp_path / "killed"
    store = tmp_path / "killed-store"
    deadline = time.monotonic() + 120
    with subprocess.Popen(
        [OBLIST, *arguments(whole, target, "--jobs", "2", "--quiet")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as running:
        children = _kill(victim, running, store, deadline)
        running.wait(120)
    assert (tmp_path / "killed.db").exists() == (victim == "child")
    while any(map(_is_running, children)):
        assert time.monotonic() < deadline + 60, "no SBCL outlives its build"
        time.sleep(0.02)
    kept = _finished(store)
    assert len(kept) >= 2, "SBCL's own, and one with a report"
    build(whole, target, "--jobs", "2")
    now = _finished(store)
    assert kept.items() <= now.items(), "what had been finished is not made again"
    assert_equal(whole / "one.db", tmp_path / "killed.db")


def _kill(victim: str, running: subprocess.Popen[bytes], store: Path, deadline: float) -> list[int]:
    """Kill a build, or an SBCL of it, once it has a report; return the SBCLs that there were."""
    while running.poll() is None:
        assert time.monotonic() < deadline
        children = list(_sbcls_of(running.pid)) if list(store.glob("reports/*")) else []
        if children:
            # A child may just have ended by itself: then another one is killed.
            with suppress(ProcessLookupError):
                os.kill(running.pid if victim == "build" else children[0], signal.SIGKILL)
                return children
        time.sleep(0.02)
    raise AssertionError("the build ended before anything was killed")


def _finished(store: Path) -> dict[Path, int]:
    """When the finished slices of a store were written: SBCL's own, and those that have a lasting report."""
    reports = {
        path.stem for path in store.glob("reports/*.json") if not json.loads(path.read_text())["transient"]
    }
    return {
        path: path.stat().st_mtime_ns
        for path in store.glob("slices/*.db")
        if path.stem.rpartition("-")[2] in reports or path.name.startswith("sbcl-")
    }


def _is_running(pid: int) -> bool:
    """Whether a process is there and has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _sbcls_of(pid: int) -> Iterator[int]:
    """The SBCLs below a process."""
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                name = (entry / "comm").read_text().strip()
            except OSError:
                continue
            if parent == pid:
                if name == "sbcl":
                    yield int(entry.name)
                yield from _sbcls_of(int(entry.name))


def test_an_interrupted_build_leaves_the_old_catalog(whole: Path, tmp_path: Path) -> None:
    target = tmp_path / "old"
    (tmp_path / "old.db").write_bytes((whole / "one.db").read_bytes())
    running = subprocess.Popen(
        [OBLIST, *arguments(whole, target)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    while next(_sbcls_of(running.pid), None) is None and running.poll() is None:
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert (running.returncode, errors.strip()) == (130, "oblist: interrupted")
    assert (tmp_path / "old.db").read_bytes() == (whole / "one.db").read_bytes()
    # An SBCL may have been seen before the folder was made.
    assert list((tmp_path / "old-store" / "work").glob("*")) == []


def test_add_keeps_what_is_there(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "more.db").write_bytes((whole / "one.db").read_bytes())
    write_libraries(tmp_path / "sources", ("first/tool",))
    added = oblist(
        *("catalog", "build", "--below", tmp_path / "sources", "--catalog", tmp_path / "more.db"),
        *("--store", tmp_path / "store", "--add", "--json"),
    )
    assert added.returncode == 0, added.stderr
    assert json.loads(added.stdout)["states"] == {"loaded": 1}
    names = [name for (name,) in rows(tmp_path / "more.db", "SELECT name FROM releases ORDER BY name")]
    assert names == ["drawing", "drawing-extras", "inferred", "sbcl", "shapes", "shapes", "tool"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Say what to catalog"),
        (["--below", "/no/such/folder"], "does not exist"),
        (["--system", "no-such-system"], "ASDF does not find the system no-such-system"),
        (["--system", "asdf-finalizerz"], "Name the folder of its sources, or one above it, with --below."),
        (["--below", "{empty}"], "There are no systems to catalog"),
    ],
)
def test_what_cannot_be_cataloged_is_said(tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "empty").mkdir()
    given = [one.format(empty=tmp_path / "empty") for one in arguments]
    done = oblist("catalog", "build", *given, "--catalog", tmp_path / "c.db", "--store", tmp_path / "store")
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert not (tmp_path / "c.db").exists()


def test_nothing_but_a_catalog_is_replaced(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.db").write_text("my notes")
    done = oblist(*arguments(whole, tmp_path / "mine"))
    assert done.returncode == 1
    assert "not an oblist catalog" in done.stderr
    assert (tmp_path / "mine.db").read_text() == "my notes"


def test_names_of_tests() -> None:
    assert all(map(is_test, ("foo-test", "foo-tests", "foo/test", "test", "foo.test")))
    assert not any(map(is_test, ("foo", "contest", "testing", "attest", "foo-testing")))


def test_versions_are_ordered_by_their_numbers() -> None:
    ordered = [None, "0.9", "1.0", "1.0.1", "1.2", "1.10", "20230214-git"]
    assert sorted([*ordered[3:], *ordered[:3]], key=version_key) == ordered


def test_the_limits_reach_sbcl() -> None:
    assert Limits() == Limits(300.0, 4096)
    assert sys.version_info >= (3, 11)
