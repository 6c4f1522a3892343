"""Building a catalog: what becomes of each release, what is made again, and what an interruption leaves."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from oblist.indexer.catalog.build import build_catalog, is_test
from oblist.indexer.catalog.file.publish import version_key
from oblist.indexer.catalog.making.orders import ReleaseLimits
from oblist.indexer.catalog.store.results import Store
from oblist.indexer.check.contradictions import contradictions
from support.builds.small_sbcl import small_sbcl
from support.catalogs.comparing import (
    FEW,
    MORE,
    arguments,
    assert_equal,
    build,
    copy_of_results,
    places_of,
    reference,
    rows,
    seeded,
)
from support.catalogs.held import Held, until
from support.catalogs.libraries import Libraries, libraries, request_for, write_libraries
from support.command import OBLIST, SECONDS
from support.command_line import run_main


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
            assert contradictions(connection) == [], name
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


def test_what_a_release_brings_is_counted(made: Libraries) -> None:
    counted = "SELECT packages, exports, definitions FROM releases WHERE name = ? AND version IS ?"
    # CIRCLE, DRAW and *INK* are exported. Besides: RADIUS, four methods, two keywords, and the package.
    assert rows(made.catalog, counted, "drawing", None) == [(1, 3, 11)]
    assert [row[1] for row in rows(made.catalog, counted, "shapes", "1.0")] == [4]


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


def test_a_second_build_makes_nothing_again(tmp_path: Path) -> None:
    """Only what has changed, and what depends on that, is made again."""
    write_libraries(tmp_path / "sources", FEW)
    request, store = request_for(tmp_path / "sources"), Store.at(seeded(tmp_path / "store"))

    def built() -> dict[str, int]:
        build_catalog(tmp_path / "catalog.db", store, small_sbcl(), request, command="tests")
        return {path.name: path.stat().st_mtime_ns for path in (tmp_path / "store" / "slices").iterdir()}

    first = built()
    assert len(first) == len(FEW) + 1
    assert built() == first
    changed = tmp_path / "sources" / "first" / "shapes-1.0" / "shapes.lisp"
    changed.write_text(changed.read_text().replace("square metres", "square feet"))
    now = built()
    assert now.items() >= first.items()
    assert sorted(name.partition("-")[0] for name in now if name not in first) == ["inferred", "shapes"]
    documented = "SELECT count(*) FROM definitions WHERE documentation LIKE '%square feet%'"
    assert rows(tmp_path / "catalog.db", documented) == [(1,)]
    assert rows(tmp_path / "catalog.db", documented.replace("feet", "metres")) == [(1,)], (
        "of the other version"
    )


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_two_jobs_make_the_same_catalog(tmp_path: Path) -> None:
    build(FEW, tmp_path / "two", "--jobs", "2")
    assert_equal(reference(FEW), tmp_path / "two.db")


# Interruptions


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Held:
    return Held(tmp_path_factory.mktemp("held"))


def started(arguments: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [OBLIST, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )


def made_again(held: Held, target: Path) -> dict[str, int]:
    """Build once more, with one job; returns how many are made and how many are in the store."""
    done = run_main(*held.arguments(target, "--json"))
    assert done.code == 0, done.errors
    report = json.loads(done.output)
    return {name: report[name] for name in ("made", "cached")}


def test_a_killed_build_goes_on_where_it_was(held: Held, tmp_path: Path) -> None:
    store = seeded(tmp_path / "killed-store")
    with held.hold(), started(held.arguments(tmp_path / "killed", "--jobs", "2")) as running:
        until(lambda: held.waiting() and len(finished(store)) == 3, lambda: running.poll() is None)
        children = list(_sbcls_of(running.pid))
        assert held.waiting() & set(children)
        running.kill()
        running.wait()
        until(lambda: not any(map(_is_running, children)))  # no SBCL outlives its build
    assert not (tmp_path / "killed.db").exists()
    before = finished(store)
    assert len(before) == 3, "SBCL's own, and what was not held"
    assert made_again(held, tmp_path / "killed") == {"made": 1, "cached": 2}
    assert before.items() < finished(store).items(), "what had been finished is not made again"
    assert_equal(held.whole, tmp_path / "killed.db")


def test_a_killed_sbcl_has_a_second_chance_and_then_the_next_build(held: Held, tmp_path: Path) -> None:
    store, killed = seeded(tmp_path / "killed-store"), set[int]()

    def child() -> int | None:
        """The SBCL that is held, and does not compile for another."""
        return next(iter((held.waiting() & set(_children(running.pid))) - killed), None)

    with held.hold(), started(held.arguments(tmp_path / "killed", "--strict")) as running:
        for _ in range(2):
            until(child, lambda: running.poll() is None)
            victim = child()
            assert victim is not None
            killed.add(victim)
            os.kill(victim, signal.SIGKILL)
        _, errors = running.communicate(timeout=SECONDS)
    assert running.returncode == 1
    assert "held did not load: SBCL-ENDED" in errors
    assert len(finished(store)) == 3, "SBCL's own, and what was not held"
    states = "SELECT name, state FROM releases WHERE name <> 'sbcl' ORDER BY name"
    assert rows(tmp_path / "killed.db", states) == [
        ("early", "loaded"),
        ("held", "failed"),
        ("late", "loaded"),
    ]
    assert made_again(held, tmp_path / "killed") == {"made": 1, "cached": 2}
    assert_equal(held.whole, tmp_path / "killed.db")


def test_an_interrupted_build_leaves_the_old_catalog(held: Held, tmp_path: Path) -> None:
    old, store = held.whole.read_bytes(), seeded(tmp_path / "old-store")
    (tmp_path / "old.db").write_bytes(old)
    with held.hold(), started(held.arguments(tmp_path / "old")) as running:
        until(held.waiting, lambda: running.poll() is None)
        assert list((store / "work").iterdir())
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=SECONDS)
    assert (running.returncode, errors.strip()) == (130, "oblist: interrupted")
    assert (tmp_path / "old.db").read_bytes() == old
    assert list((store / "work").iterdir()) == []


@pytest.mark.full
@pytest.mark.parametrize("victim", ["build", "child"])
def test_a_build_that_is_killed_at_any_time_goes_on(tmp_path: Path, victim: str) -> None:
    target, store = tmp_path / "killed", seeded(tmp_path / "killed-store")
    children: list[int] = []
    with started(arguments(places_of(MORE), target, "--jobs", "2", "--quiet")) as running:

        def has_begun() -> bool:
            children[:] = _sbcls_of(running.pid)  # the next look may find none
            return bool(children) and any(store.glob("reports/*"))

        until(has_begun)
        with suppress(ProcessLookupError):  # a child may just have ended by itself
            os.kill(running.pid if victim == "build" else children[0], signal.SIGKILL)
        running.communicate(timeout=SECONDS)
    assert (tmp_path / "killed.db").exists() == (victim == "child")
    until(lambda: not any(map(_is_running, children)))
    before = finished(store)
    assert len(before) >= 2, "SBCL's own, and one with a report"
    build(MORE, target, "--jobs", "2")
    assert before.items() <= finished(store).items(), "what had been finished is not made again"
    assert_equal(reference(MORE), tmp_path / "killed.db")


def finished(store: Path) -> dict[Path, int]:
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


def _children(pid: int) -> Iterator[int]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                    yield int(entry.name)


def _sbcls_of(pid: int) -> Iterator[int]:
    """The SBCLs below a process."""
    for one in _children(pid):
        with suppress(OSError):
            if Path(f"/proc/{one}/comm").read_text().strip() == "sbcl":
                yield one
        yield from _sbcls_of(one)


def test_add_keeps_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "more.db").write_bytes(reference(FEW).read_bytes())
    copy_of_results(tmp_path / "more-store")
    added = run_main(*arguments(places_of(["first/tool"]), tmp_path / "more", "--add", "--json"))
    assert added.code == 0, added.errors
    assert json.loads(added.output)["states"] == {"loaded": 1}
    statement = "SELECT name, coalesce(version, '') FROM releases WHERE name <> 'sbcl' ORDER BY 1, 2"
    assert rows(tmp_path / "more.db", statement) == [
        *(("broken", ""), ("inferred", ""), ("shapes", "1.0"), ("shapes", "2.0"), ("tool", "")),
    ]
    names = "SELECT count(*) FROM release_names WHERE name = 'AREA'"
    assert rows(tmp_path / "more.db", names) == rows(reference(FEW), names)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Say what to catalog"),
        (["--below", "/no/such/folder"], "does not exist"),
        (["--system", "no-such-system"], "ASDF cannot find the system no-such-system"),
        (
            ["--system", "asdf-finalizerz"],
            "Name the folder of its sources, or a parent folder, with --below.",
        ),
        (["--below", "{empty}"], "There are no systems to catalog"),
    ],
)
def test_what_cannot_be_cataloged_is_said(tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "empty").mkdir()
    given = [one.format(empty=tmp_path / "empty") for one in arguments]
    done = run_main("catalog", "build", *given, f"--catalog={tmp_path}/c.db", f"--store={tmp_path}/store")
    assert done.code in (1, 2)
    assert said in done.errors
    assert not (tmp_path / "c.db").exists()


def test_nothing_but_a_catalog_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine.db").write_text("my notes")
    done = run_main(*arguments(places_of(FEW), tmp_path / "mine"))
    assert done.code == 1
    assert "not an oblist catalog" in done.errors
    assert (tmp_path / "mine.db").read_text() == "my notes"


def test_names_of_tests() -> None:
    assert all(map(is_test, ("foo-test", "foo-tests", "foo/test", "test", "foo.test")))
    assert not any(map(is_test, ("foo", "contest", "testing", "attest", "foo-testing")))


def test_versions_are_ordered_by_their_numbers() -> None:
    ordered = [None, "0.9", "1.0", "1.0.1", "1.2", "1.10", "20230214-git"]
    assert sorted([*ordered[3:], *ordered[:3]], key=version_key) == ordered


def test_limits_have_defaults() -> None:
    assert ReleaseLimits() == ReleaseLimits(300.0, 4096)
