"""Systems: loading, reports of failures to load, and the systems and roots of files and packages."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from oblist.indexer.check.differences import differences
from oblist.indexer.records import Root, System
from oblist.indexer.write.owners import own_packages
from oblist.indexer.write.ownership import Ownership
from oblist.query import open_index
from oblist.query.errors import RootsError
from oblist.query.index.roots import Roots
from support.builds.small_sbcl import small_sbcl
from support.builds.tested_version import since
from support.command import oblist

# Building is what is tested here, not what is in SBCL.
pytestmark = pytest.mark.usefixtures("small")

ONE = """
(defpackage "ONE" (:use "CL") (:export "FIRST-STEP"))
(in-package "ONE")
(defun first-step (x) "Take the first step." (1+ x))
"""
HELPER = """
(defpackage "ONE-HELPER" (:use "CL"))
(in-package "ONE-HELPER")
(defvar *help* 1)
"""
TWO = """
(defpackage "TWO" (:use "CL" "ONE"))
(in-package "TWO")

(defun second-step (x) (first-step (first-step x)))
"""
# Each of these must not load, and the line is that of the form at fault.
FAILING = {
    "unread": ("(defun fine () 1)\n\n(defun two (\n", "INPUT-ERROR-IN-COMPILE-FILE", 3),
    "unexpanded": ('(defmacro m () (error "no m"))\n\n; here\n(defun two () (m))\n', "ERROR", 4),
    "raising": ('(defun fine () 1)\n\n(let ((x 1))\n  (error "x is ~A" x))\n', "SIMPLE-ERROR", 3),
    "asking": ('(defun fine () 1)\n(cerror "Go on." "Shall I go on?")\n', "SIMPLE-ERROR", 2),
    "leaving": ("(defun fine () 1)\n\n(sb-ext:exit :code 3 :abort t)\n", "SIMPLE-ERROR", 3),
    "stubborn": ('(sb-ext:disable-debugger)\n\n(error "Oops.")\n', "SIMPLE-ERROR", 3),
    "breaking": ('(defun fine () 1)\n\n\n(break "Here?")\n', "SIMPLE-CONDITION", 4),
    "wondering": ('(defvar *answer* (y-or-n-p "Shall I?"))\n', "END-OF-FILE", 1),
    "endless": ("(defun fine () 1)\n(loop (sleep 1))\n", "TIMEOUT", 2),
}


def write_file(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def environment_of(folder: Path, **more: str) -> dict[str, str]:
    """ASDF finds the systems below ``folder``; the home is empty."""
    home = folder.parent / f"{folder.name}-home"
    home.mkdir(exist_ok=True)
    return {
        "CL_SOURCE_REGISTRY": f"{folder}//:",
        "ASDF_OUTPUT_TRANSLATIONS": f"/:{folder}-fasl/",
        "HOME": str(home),
        **more,
    }


def rows(path: Path, statement: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


def described(path: Path, name: str, *options: str, environment: Mapping[str, str] | None = None) -> Any:
    done = oblist("describe", name, "--index", path, "--json", *options, environment=dict(environment or {}))
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two systems in two folders, one of which depends on the other, and a test system."""
    folder = tmp_path_factory.mktemp("sources").resolve()
    write_file(
        folder / "one" / "one.asd",
        """(asdf:defsystem "one" :version "1.2.3" :licence "MIT" :author ("Ann" "Bob")
             :description "The first."
             :depends-on ("sb-md5" (:feature :no-such-feature "nowhere") (:version "asdf" "3"))
             :components ((:module "lisp" :components ((:file "one")))))
           (asdf:defsystem "one/helper" :pathname "helper/" :components ((:file "helper")))
           (asdf:defsystem "one/tests" :components ((:file "no-such-file")))""",
    )
    write_file(folder / "one" / "lisp" / "one.lisp", ONE)
    write_file(folder / "one" / "helper" / "helper.lisp", HELPER)
    write_file(
        folder / "two" / "two.asd",
        '(asdf:defsystem "two" :depends-on ("one" "one/helper") :components ((:file "two")))',
    )
    write_file(folder / "two" / "two.lisp", TWO)
    return folder


@pytest.fixture(scope="module")
def two_index(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of the system ``two``, and thereby of ``one``."""
    path = tmp_path_factory.mktemp("two") / "oblist.db"
    done = oblist("index", "two", "--output", path, environment=environment_of(sources))
    assert (done.returncode, done.stderr) == (0, "")
    return path


# What is recorded


def test_systems_are_recorded_with_what_their_definitions_say(two_index: Path, sources: Path) -> None:
    found = rows(two_index, "SELECT name, asked, version, licence, author, description FROM systems")
    by_name = {name: rest for name, *rest in found}
    assert by_name["one"] == [0, "1.2.3", "MIT", "Ann, Bob", "The first."]
    assert by_name["two"] == [1, None, None, None, None]
    assert {"asdf", "uiop", "sb-md5", "one/helper"} < by_name.keys()
    assert "one/tests" not in by_name and "sb-introspect" not in by_name
    definitions = dict(rows(two_index, "SELECT name, definition_path FROM systems"))
    assert definitions["two"] == str(sources / "two" / "two.asd")


def test_direct_dependencies_are_recorded_in_order(two_index: Path) -> None:
    found = rows(
        two_index,
        """SELECT system.name, position, relation, system_dependencies.name, target.name
           FROM system_dependencies JOIN systems AS system ON system.id = system_id
           LEFT JOIN systems AS target ON target.id = target_id
           WHERE system.name IN ('one', 'two') ORDER BY 1, 2""",
    )
    assert found == [
        ("one", 0, "depends-on", "sb-md5", "sb-md5"),
        ("one", 1, "depends-on", "asdf", "asdf"),
        ("two", 0, "depends-on", "one", "one"),
        ("two", 1, "depends-on", "one/helper", "one/helper"),
    ]


def test_files_and_packages_belong_to_systems_and_roots(two_index: Path) -> None:
    files = rows(
        two_index,
        """SELECT roots.name, relative_path, systems.name FROM source_files
           JOIN roots ON roots.id = root_id JOIN systems ON systems.id = source_files.system_id
           WHERE systems.name IN ('one', 'two', 'one/helper', 'sb-md5') ORDER BY 1, 2""",
    )
    assert files == [
        ("one", "helper/helper.lisp", "one/helper"),
        ("one", "lisp/one.lisp", "one"),
        ("one", "one.asd", "one"),
        ("sbcl", "contrib/sb-md5/md5.lisp", "sb-md5"),
        ("two", "two.asd", "two"),
        ("two", "two.lisp", "two"),
    ]
    packages = dict(
        rows(
            two_index, "SELECT packages.name, systems.name FROM packages JOIN systems ON systems.id=system_id"
        )
    )
    expected = {"ONE": "one", "ONE-HELPER": "one/helper", "TWO": "two", "SB-MD5": "sb-md5"}
    assert expected.items() <= packages.items()
    assert not {"COMMON-LISP", "SB-IMPL", "SB-GRAY", "KEYWORD"} & packages.keys()


def test_a_bare_image_has_no_systems_and_the_root_of_sbcl(bare_index: Path) -> None:
    assert rows(bare_index, "SELECT count(*) FROM systems") == [(0,)]
    ((name, path),) = rows(bare_index, "SELECT name, path FROM roots")
    assert name == "sbcl"
    (without,) = rows(
        bare_index, "SELECT count(*) FROM source_files WHERE recorded LIKE 'SYS:SRC;%' AND root_id IS NULL"
    )[0]
    assert without == 0
    with open_index(bare_index) as index:
        answer = index.describe("mapcar")
        assert (answer.root, answer.relative_path) == ("sbcl", "src/code/list.lisp")
        assert answer.path == path + answer.relative_path
        assert index.information().systems == []


def test_info_lists_the_systems_from_the_index(two_index: Path) -> None:
    done = oblist("info", "--index", two_index)
    systems = next(line for line in done.stdout.splitlines() if line.startswith("systems"))
    assert systems.split() == ["systems", "two"]
    answer = json.loads(oblist("info", "--index", two_index, "--json").stdout)
    assert answer["systems"] == ["two"]
    assert {"one", "one/helper", "asdf", "uiop"} < set(answer["dependencies"])


# What will not load


@pytest.fixture(scope="module")
def failing_index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    folder = tmp_path_factory.mktemp("failing").resolve()
    for name, (source, _, _) in FAILING.items():
        write_file(folder / f"{name}.asd", f'(asdf:defsystem "{name}" :components ((:file "{name}")))')
        write_file(folder / f"{name}.lisp", f"(in-package :cl-user) {source}")
    write_file(folder / "lonely.asd", '(asdf:defsystem "lonely" :depends-on ("not-there"))')
    write_file(folder / "unreadable.asd", '\n(asdf:defsystem "unreadable" :components (')
    path = folder / "index" / "oblist.db"
    names = [*FAILING, "lonely", "unreadable", "no-such-system", "sb-md5"]
    options = ["--load-timeout", "4", "--output", path]
    environment = environment_of(folder, SBCL=str(small_sbcl().path))
    done = oblist("index", *names, *options, environment=environment)
    assert done.returncode == 1
    yield path, done.stderr


@pytest.mark.parametrize("name", FAILING)
def test_what_will_not_load_is_a_problem_with_condition_file_and_line(
    name: str, failing_index: tuple[Path, str]
) -> None:
    path, stderr = failing_index
    _, condition, line = FAILING[name]
    ((part, found_condition, message, found_path, found_line),) = rows(
        path,
        f"""SELECT part, condition, message, path, line FROM problems
            WHERE stage = 'load' AND subject = '{name}'""",
    )
    assert part == "system"
    assert condition in found_condition
    assert message
    assert Path(found_path).name == f"{name}.lisp"
    # SBCL 2.0.11 calls functions of a fasl without telling from which form.
    assert found_line in ({line} if since("2.2") else {line, None})
    assert f"oblist: the system {name} did not load: {found_condition}: " in stderr
    assert f"{found_path}, line {line})" in stderr or (found_line is None and f"{found_path})" in stderr)


def test_a_system_that_is_not_there_is_a_problem(failing_index: tuple[Path, str]) -> None:
    path, stderr = failing_index
    assert rows(path, "SELECT part FROM problems WHERE subject = 'no-such-system'") == [("system",)]
    assert "the system no-such-system did not load: " in stderr


def test_a_missing_dependency_names_what_is_missing(failing_index: tuple[Path, str]) -> None:
    ((condition, message),) = rows(
        failing_index[0], "SELECT condition, message FROM problems WHERE subject = 'lonely'"
    )
    assert condition.endswith("MISSING-DEPENDENCY")
    assert "not-there" in message


def test_a_definition_file_that_cannot_be_read_is_a_problem_with_its_line(
    failing_index: tuple[Path, str],
) -> None:
    ((found_path, line),) = rows(
        failing_index[0], "SELECT path, line FROM problems WHERE subject = 'unreadable' AND stage = 'load'"
    )
    assert (Path(found_path).name, line) == ("unreadable.asd", 2)


def test_the_rest_is_indexed_and_addresses_stay_out(failing_index: tuple[Path, str]) -> None:
    path, stderr = failing_index
    assert rows(path, "SELECT name FROM systems WHERE asked") == [("sb-md5",)]
    messages = [message for (message,) in rows(path, "SELECT message FROM problems WHERE stage = 'load'")]
    assert len(messages) == len(FAILING) + 3
    assert not any("{10" in message or "{12" in message for message in messages)
    assert "The last output while loading unexpanded was:" in stderr


# What sets a Lisp up


INIT = '(defpackage "MY-INIT" (:use "CL") (:export "GREET"))\n(setf *print-base* 3)'
# One that changes how the reader reads, as well.
OTHER_INIT = '(defpackage "OTHER-INIT" (:use))\n(setf (readtable-case *readtable*) :preserve)'


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param((), set(), marks=pytest.mark.full),  # --init covers it: nothing of the home's is loaded
        (("one",), {"MY-INIT", "ONE"}),
        pytest.param(("one", "--no-userinit"), {"ONE"}, marks=pytest.mark.full),  # files_index covers it
        (("--init",), {"OTHER-INIT"}),
    ],
)
def test_the_users_init_file_is_loaded_unless_it_is_not_wanted(
    arguments: tuple[str, ...], expected: set[str], sources: Path, tmp_path: Path
) -> None:
    write_file(tmp_path / "home" / ".sbclrc", INIT)
    other = write_file(tmp_path / "other.lisp", OTHER_INIT)
    if "--init" in arguments:
        arguments = (*arguments, str(other))
    path = tmp_path / "oblist.db"
    environment = {**environment_of(sources), "HOME": str(tmp_path / "home")}
    done = oblist("index", "--quiet", "--output", path, *arguments, environment=environment)
    assert (done.returncode, done.stderr) == (0, "")
    found = {name for (name,) in rows(path, "SELECT name FROM packages")}
    assert found & {"MY-INIT", "OTHER-INIT", "ONE"} == expected


@pytest.fixture(scope="module")
def files_index(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of systems and files, of which one each does not load; without the user's init file."""
    folder = tmp_path_factory.mktemp("files").resolve()
    write_file(folder / "first file.lisp", '(defpackage "FIRST" (:use "CL"))\n(defvar first::*x* 1)')
    write_file(folder / "second.lisp", "(in-package :first)\n\n(defun seen () *x*)\n(in-package :x)")
    write_file(folder / "home" / ".sbclrc", INIT)
    index_files(sources, folder, folder / "oblist.db")
    return folder / "oblist.db"


def index_files(sources: Path, folder: Path, output: Path) -> None:
    files = [*("--load", folder / "first file.lisp", "--load", folder / "second.lisp")]
    environment = {**environment_of(sources), "HOME": str(folder / "home")}
    environment["SBCL"] = str(small_sbcl().path)
    arguments = ["two", "not-there", "--no-userinit", *files, "--output", output]
    done = oblist("index", *arguments, environment=environment)
    assert done.returncode == 1
    assert "the system not-there did not load: " in done.stderr


def test_files_are_loaded_in_order_before_the_systems(files_index: Path) -> None:
    second = files_index.with_name("second.lisp")
    failures = rows(files_index, "SELECT subject, part, path, line FROM problems WHERE stage = 'load'")
    assert sorted(failures) == sorted(
        [(str(second), "file", str(second), 4), ("not-there", "system", None, None)]
    )
    with open_index(files_index) as index:
        assert index.describe("first::seen").line == 3
        assert index.describe("one:first-step").line == 4
        command = rows(files_index, "SELECT value FROM meta WHERE name = 'command'")[0][0]
        assert "first file.lisp" in command
    assert rows(files_index, "SELECT name FROM packages WHERE name = 'MY-INIT'") == []


def test_two_builds_with_systems_and_problems_are_equal(
    files_index: Path, sources: Path, tmp_path: Path
) -> None:
    index_files(sources, files_index.parent, tmp_path / "second.db")
    done = oblist("check-index", "--index", files_index, "--same-as", tmp_path / "second.db")
    assert done.returncode == 0, done.stdout[:2000]


def test_files_and_folders_that_are_not_there_are_wrong_usage(tmp_path: Path) -> None:
    for option in ("--load", "--init", "--project"):
        done = oblist("index", option, tmp_path / "nothing")
        assert done.returncode == 2
        assert "does not exist" in done.stderr


# Projects


TOP = '(asdf:defsystem "top" :depends-on ("one"{more}) :components ((:file "top")))'
TOP_SOURCE = '(defpackage "TOP" (:use "CL" "ONE"))'
# Folders of what others have written; the last one is such a folder because of the file beside it.
OF_OTHERS = (".qlot/dists/some", "ocicl/one-1.0", "quicklisp/software", "vendor", "systems")
# The systems of each definition file; in ours, testing APP operates on a system whose name does not say so.
APP = """
(asdf:defsystem "app" :components ((:file "app")) :in-order-to ((asdf:test-op (asdf:test-op "app/check"))))
(asdf:defsystem "app/check" :depends-on ("app"))
(asdf:defsystem "app/test" :depends-on ("app"))
(asdf:defsystem "app/tests/unit" :depends-on ("app"))
"""
INFERRED = '(asdf:defsystem "inf" :class :package-inferred-system :depends-on ("inf/main"))'
OWN = {"top", "one", "one/helper", "two", "app", "testing-tools", "latest"} | {
    *("inf", "inf/main", "inf/sub/other")
}
TESTS = {"app/check", "app/test", "app-tests", "app/tests/unit", "inf/tests/all"}


@pytest.fixture(scope="module")
def project(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that has systems of its own at any depth, systems of others, and test systems; its index."""
    project = tmp_path_factory.mktemp("projects") / "project"
    libraries = [f"other-{number}" for number in range(len(OF_OTHERS))]
    write_file(
        project / "apps" / "top.asd", TOP.format(more="".join(f' "{library}"' for library in libraries))
    )
    write_file(project / "apps" / "top.lisp", TOP_SOURCE)
    shutil.copytree(sources, project / "libraries" / "deep" / "systems")
    (project / "libraries" / "deep" / "systems" / "one" / "no-such-file.lisp").write_text("")
    for folder, library in zip(OF_OTHERS, libraries, strict=True):
        write_file(
            project / folder / f"{library}.asd",
            f'(asdf:defsystem "{library}" :components ((:file "{library}")))',
        )
        code = f'(defpackage "{library.upper()}" (:use "CL"))\n(defvar {library}::*x* 1)'
        write_file(project / folder / f"{library}.lisp", code)
    write_file(project / "systems.csv", "")
    write_file(project / "app.asd", APP)
    write_file(project / "app.lisp", '(defpackage "APP" (:use "CL"))')
    for name in ("app-tests", "testing-tools", "latest"):
        write_file(project / f"{name}.asd", f'(asdf:defsystem "{name}" :depends-on ("app"))')
    write_file(project / "inf" / "inf.asd", INFERRED)
    for name in ("inf/main", "inf/sub/other", "inf/tests/all"):
        write_file(project / f"{name}.lisp", f'(defpackage "{name.upper()}" (:use "CL"))')
    write_file(project / "inf" / "script.lisp", "(print 1)")
    environment = {**environment_of(project.parent / "empty"), "SBCL": str(small_sbcl().path)}
    done = oblist("index", "--project", project, environment=environment)
    assert (done.returncode, done.stderr) == (0, "")
    return project


def systems_of(project: Path, path: Path, *arguments: str) -> set[str]:
    """The project's own systems in an index of it, from which nothing is missing."""
    environment = environment_of(project.parent / "empty")
    done = oblist("index", "--project", project, "--output", path, *arguments, environment=environment)
    assert (done.returncode, done.stderr) == (0, "")
    return own_systems(path)


def own_systems(path: Path) -> set[str]:
    return {name for (name,) in rows(path, "SELECT name FROM systems WHERE asked")}


def test_a_project_is_all_systems_of_its_definition_files_but_tests(project: Path) -> None:
    path = project / ".oblist" / "oblist.db"
    assert {one.name: one.read_text() for one in path.parent.iterdir() if one != path} == {
        ".gitignore": "*\n"
    }
    assert own_systems(path) == OWN
    roots = dict(rows(path, "SELECT name, path FROM roots"))
    assert roots["project"] == f"{project.resolve()}/"
    assert described(path, "two::second-step")["relative_path"] == "two.lisp"
    # Asked from inside, the project's index answers.
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(project / "apps")
        assert oblist("describe", "one:first-step").returncode == 0


@pytest.mark.parametrize("folder", OF_OTHERS)
def test_the_systems_of_others_are_not_the_projects_own(folder: str, project: Path) -> None:
    path = project / ".oblist" / "oblist.db"
    library = f"other-{OF_OTHERS.index(folder)}"
    assert rows(path, f"SELECT asked FROM systems WHERE name = '{library}'") == [(0,)]
    with open_index(path) as index:
        assert index.describe(f"{library}::*x*").path == str(project.resolve() / folder / f"{library}.lisp")


def test_test_systems_are_left_out_unless_they_are_asked_for(project: Path, tmp_path: Path) -> None:
    assert systems_of(project, tmp_path / "tests.db", "--tests") == {*OWN, *TESTS, "one/tests"}


@pytest.mark.full  # the test of libraries whose definition files fail names one as well
def test_a_test_system_that_is_named_is_not_left_out(project: Path, tmp_path: Path) -> None:
    assert systems_of(project, tmp_path / "check.db", "app/check") == {*OWN, "app/check"}


def test_several_projects_are_indexed_together(sources: Path, tmp_path: Path) -> None:
    other, empty = tmp_path / "other", tmp_path / "nothing"
    empty.mkdir()
    write_file(other / "top.asd", TOP.format(more=""))
    write_file(other / "top.lisp", TOP_SOURCE)
    path = tmp_path / "index.db"
    environment = environment_of(tmp_path / "empty")
    projects = [*("--project", sources, "--project", other, "--project", empty)]
    done = oblist("index", *projects, "--output", path, environment=environment)
    assert done.returncode == 1
    assert f"the project {empty}/ did not load: NO-SYSTEM" in done.stderr
    assert own_systems(path) == {"one", "one/helper", "top", "two"}
    roots = dict(rows(path, "SELECT name, path FROM roots"))
    assert (roots["project"], roots["project-2"]) == (f"{sources.resolve()}/", f"{other.resolve()}/")
    followed = tmp_path / "followed.db"
    done = oblist("watch", "--once", sources, other, empty, "--output", followed, environment=environment)
    assert done.returncode == 1
    assert f"{empty}/ did not load: NO-SYSTEM" in done.stderr
    with closing(sqlite3.connect(path)) as index, closing(sqlite3.connect(followed)) as watched:
        assert list(differences(index, watched)) == []


def test_a_project_without_systems_says_so_and_gets_no_index(tmp_path: Path) -> None:
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "x.asd").touch()
    before = sorted(tmp_path.rglob("*"))
    done = oblist("index", "--project", tmp_path, "--sbcl", "/no/such/sbcl")
    assert done.returncode == 1
    assert done.stderr.startswith(f"oblist: There is no system definition (.asd) in or below {tmp_path}.")
    assert sorted(tmp_path.rglob("*")) == before


FAILING_DEFINITIONS = ("(sb-ext:exit :code 3)", "(loop (sleep 1))", '(error "Oops.")')


def test_libraries_whose_definition_files_fail_do_not_end_the_build(sources: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    shutil.copytree(sources, project)
    write_file(project / "tested.asd", APP.replace('"app', '"tested'))
    write_file(project / "tested.lisp", '(defpackage "TESTED" (:use "CL"))')
    numbers = range(len(FAILING_DEFINITIONS))
    for number, definition in enumerate(FAILING_DEFINITIONS):
        write_file(
            project / f"app-{number}.asd", f'(asdf:defsystem "app-{number}" :depends-on ("lib-{number}"))'
        )
        write_file(project / "vendor" / f"lib-{number}.asd", definition)
    path = tmp_path / "index.db"
    environment = environment_of(tmp_path / "empty")
    options = ["--output", path, "--load-timeout", "4"]
    done = oblist("index", "tested/check", "--project", project, *options, environment=environment)
    assert done.returncode == 1
    for number in numbers:
        assert f"oblist: the system app-{number} did not load: " in done.stderr
    # The test system that is named is there, and no other.
    assert own_systems(path) == {"one", "one/helper", "two", "tested", "tested/check"}
    failed = {subject for (subject,) in rows(path, "SELECT subject FROM problems WHERE stage = 'load'")}
    assert failed == {f"app-{number}" for number in numbers}


# Roots


def test_locations_follow_roots_that_lie_elsewhere(two_index: Path, sources: Path, tmp_path: Path) -> None:
    here = described(two_index, "one:first-step")
    assert here["path"] == str(sources / "one" / "lisp" / "one.lisp")
    there = described(two_index, "one:first-step", "--root", f"one={tmp_path}")
    assert there["path"] == str(tmp_path / "lisp" / "one.lisp")
    assert there["definitions"][0]["path"] == there["path"]
    assert there["definitions"][0]["system"] == "one"
    environment = {"OBLIST_ROOTS": f"one=/elsewhere:unheard-of=/nowhere:two={tmp_path}"}
    assert described(two_index, "one:first-step", environment=environment)["path"] == (
        "/elsewhere/lisp/one.lisp"
    )
    there = described(two_index, "one:first-step", "--root", "one=/explicit", environment=environment)
    assert there["path"] == "/explicit/lisp/one.lisp"
    with open_index(two_index, roots={"two": tmp_path}) as index:
        assert index.describe("two::second-step").path == str(tmp_path / "two.lisp")


def test_roots_that_are_not_there_or_not_understood_are_wrong_usage(two_index: Path) -> None:
    for roots, word in (("nothing=/x", "no root 'nothing'"), ("one", "NAME=PATH"), ("one=", "NAME=PATH")):
        done = oblist("describe", "car", "--index", two_index, "--root", roots)
        assert done.returncode == 2, done
        assert word in done.stderr
    done = oblist("describe", "car", "--index", two_index, environment={"OBLIST_ROOTS": "one"})
    assert done.returncode == 2
    assert "OBLIST_ROOTS" in done.stderr
    with pytest.raises(RootsError, match="nothing"):
        open_index(two_index, roots={"nothing": "/x"})


def test_roots_below_a_moved_root_move_along_unless_they_are_named() -> None:
    folders = {"project": "/old/", "inner": "/old/lib/inner/", "other": "/other/"}
    roots = Roots(folders, {"project": "/new"}, {})
    assert roots.path("/old/a.lisp") == "/new/a.lisp"
    assert roots.path("/old/lib/inner/b.lisp") == "/new/lib/inner/b.lisp"
    assert roots.path("/other/c.lisp") == "/other/c.lisp"
    assert roots.path("/older/c.lisp") == "/older/c.lisp"
    assert roots.path(None) is None
    roots = Roots(folders, {"project": "/new", "inner": "/in/"}, {})
    assert roots.path("/old/lib/inner/b.lisp") == "/in/b.lisp"


# Ownership


def system(number: int, name: str, folder: str | None = None, *files: str) -> System:
    return System(number, name, True, list(files), [], folder=folder)


def test_the_nearest_root_wins_and_of_equal_ones_that_of_the_files_own_system() -> None:
    ownership = Ownership()
    ownership.add_root(Root("project", "/p/"))
    ownership.add_root(Root("sbcl", "/sbcl/"))
    ownership.add_system(system(1, "a", "/p/", "/p/a.lisp"))
    ownership.add_system(system(2, "a/part", "/p/", "/p/part.lisp"))
    ownership.add_system(system(3, "b", "/p/", "/p/b.lisp"))
    ownership.add_system(system(4, "c", "/p/lib/c/", "/p/lib/c/c.lisp"))
    ownership.add_system(system(5, "project", "/q/", "/q/x.lisp"))
    ownership.add_system(system(6, "sb-x"))
    names = {number: name for number, name, *_ in ownership.root_rows()}
    assert list(names.values()) == ["sbcl", "project", "a", "b", "c"]

    def placed(path: str) -> tuple[object, ...]:
        place = ownership.place_file(path)
        return (names.get(place.root or 0), place.relative_path, place.system)

    assert placed("/p/a.lisp") == ("a", "a.lisp", 1)
    assert placed("/p/part.lisp") == ("a", "part.lisp", 2)
    assert placed("/p/b.lisp") == ("b", "b.lisp", 3)
    assert placed("/p/lib/c/sub/d.lisp") == ("c", "sub/d.lisp", 4)
    assert placed("/q/x.lisp") == (None, None, 5)
    assert placed("/sbcl/contrib/sb-x/x.lisp") == ("sbcl", "contrib/sb-x/x.lisp", 6)
    assert placed("/sbcl/src/code/list.lisp") == ("sbcl", "src/code/list.lisp", None)
    assert placed("/elsewhere/x.lisp") == (None, None, None)


def test_a_package_belongs_to_the_system_that_defines_it_or_most_of_its_symbols() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript("""
            CREATE TABLE packages (id, system_id); CREATE TABLE symbols (id, package_id);
            CREATE TABLE source_files (id, system_id);
            CREATE TABLE definitions (id INTEGER PRIMARY KEY, kind, symbol_id, package_id, file_id);
            INSERT INTO packages VALUES (10, 7), (20, 7), (30, 7), (40, 7), (50, 7);
            INSERT INTO source_files VALUES (1, 1), (2, 2), (3, NULL);
            INSERT INTO symbols VALUES (1, 10), (2, 10), (3, 10), (4, 20), (5, 20), (6, 30), (7, NULL);
            INSERT INTO definitions (kind, package_id, file_id) VALUES ('package', 40, 2);""")
        defined = [
            *((1, 1), (2, 1), (3, 2)),  # 10: two of three are the first system's
            *((4, 1), (5, 2)),  # 20: undecided
            *((6, 3), (6, 3), (6, 1)),  # 30: most are nobody's, and methods do not count
            *((7, 1), (1, None)),
        ]
        rows = [("function", *one) for one in defined] + [("method", 6, 2)] * 5
        connection.executemany("INSERT INTO definitions (kind, symbol_id, file_id) VALUES (?, ?, ?)", rows)
        own_packages(connection, [10, 30])
        found = dict(connection.execute("SELECT id, system_id FROM packages"))
        assert found == {10: 1, 20: 7, 30: None, 40: 7, 50: 7}
        own_packages(connection)
        found = dict(connection.execute("SELECT id, system_id FROM packages"))
        assert found == {10: 1, 20: None, 30: None, 40: 2, 50: None}
