"""Which names of one part of the code another uses."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.answers import BetweenAnswer, NotFound, XrefAnswer
from oblist.query.api import Index
from support.command_line import run_main
from support.shelf import SHELF

_FILES_OF_SYSTEM = """
SELECT source_files.path FROM source_files JOIN systems ON systems.id = source_files.system_id
WHERE systems.name = :system
"""
_NAMES_OF_SYSTEM = """
SELECT packages.name, symbols.name FROM packages JOIN systems ON systems.id = packages.system_id
JOIN symbols ON symbols.package_id = packages.id WHERE systems.name = :system AND packages.name <> 'KEYWORD'
"""

_METHODS_FOR_THE_STANDARD = """
SELECT symbols.name, count(*) FROM definitions JOIN symbols ON symbols.id = definitions.symbol_id
JOIN packages ON packages.id = symbols.package_id JOIN source_files ON source_files.id = definitions.file_id
JOIN systems ON systems.id = source_files.system_id
WHERE definitions.kind = 'method' AND definitions.operator IS NULL AND packages.name = 'COMMON-LISP'
  AND systems.name = :system GROUP BY 1
"""


def uses(index: Index, users: str, used: str, *, pairs: bool = False, limit: int = 0) -> BetweenAnswer:
    answer = index.uses(users, used, pairs=pairs, limit=limit)
    assert isinstance(answer, BetweenAnswer), answer
    return answer


@pytest.mark.parametrize(
    ("users", "used"), [("iterate", "alexandria"), ("cl-ppcre", "cl-ppcre"), ("iterate", "asdf")]
)
def test_the_uses_are_those_that_xref_lists(libraries_index: Path, users: str, used: str) -> None:
    """Name by name, the uses in the files of a system."""
    expected: Counter[str] = Counter()
    with open_index(libraries_index) as index:
        files = {index.local_path(path) for (path,) in index.rows(_FILES_OF_SYSTEM, system=users)}
        assert files
        for package, name in index.rows(_NAMES_OF_SYSTEM, system=used):
            for operator in ("", "(setf {})"):
                written = f"{package}::|{name}|"
                answer = index.xref(operator.format(written) or written, limit=0)
                if isinstance(answer, XrefAnswer):
                    own = (one for one in answer.references if one.callee == answer.written)
                    expected.update(one.callee for one in own if one.path in files)
        answer = uses(index, f"system:{users}", f"system:{used}", pairs=True)
    known = set(expected)
    found = Counter({one.written: one.uses for one in answer.names})
    assert {one: found[one] for one in known} == dict(expected)
    assert answer.uses == sum(found.values()) and answer.total == len(found)
    assert answer.uses == sum(answer.relations.values())
    for one in answer.names:
        assert one.uses == sum(user.uses for user in one.users) and one.callers == len(one.users)
        assert all(user.line in user.lines and len(user.lines) <= user.uses for user in one.users)
        assert {user.path for user in one.users} <= files
    assert [(-one.uses, one.written) for one in answer.names] == sorted(
        (-one.uses, one.written) for one in answer.names
    )


def test_what_a_system_exports_of_sbcl_belongs_to_it(libraries_index: Path) -> None:
    with open_index(libraries_index) as index:
        exported = uses(index, "system:closer-mop", "package:closer-mop")
        answer = uses(index, "system:closer-mop", "system:closer-mop")
    of_sbcl = {one.written for one in exported.names if one.written.startswith("sb-")}
    assert len(of_sbcl) > 10
    found = {one.written for one in answer.names}
    assert of_sbcl <= found and not any(one.startswith("common-lisp:") for one in found)


def test_a_method_is_a_use_of_a_generic_function_of_others(libraries_index: Path) -> None:
    with open_index(libraries_index) as index:
        answer = uses(index, "system:cl-ppcre", "package:cl", pairs=True)
        methods = dict(index.rows(_METHODS_FOR_THE_STANDARD, system="cl-ppcre"))
        within = uses(index, "system:cl-ppcre", "system:cl-ppcre")
    assert sum(methods.values()) > 3 and answer.relations["defines"] == sum(methods.values())
    names = {one.written.removeprefix("common-lisp:").upper(): one for one in answer.names}
    for name, number in methods.items():
        callers = [user.caller for user in names[name].users]
        assert sum(one.startswith(f"(method {name.lower()} ") for one in callers) == number, callers
    assert "defines" not in within.relations  # its own functions


def test_parts_are_systems_packages_files_and_the_project(shelf: tuple[Path, Path]) -> None:
    source = shelf[1] / "shelf.lisp"
    with open_index(shelf[0]) as index:
        by_system = uses(index, "system:shelf", "cl")
        assert by_system.users == "system shelf" and by_system.used == "package COMMON-LISP"
        assert by_system.uses == uses(index, "shelf", "package:CL").uses
        assert by_system.note is None or "package:shelf" in by_system.note
        assert uses(index, "project", "cl").names == by_system.names
        in_one_file = uses(index, str(source), "cl")
        assert in_one_file.users == f"file {source}" and 0 < in_one_file.uses < by_system.uses
        windows = uses(index, "file:windows.lisp", "cl")
        assert windows.uses + in_one_file.uses <= by_system.uses
        by_package = uses(index, f"package:{SHELF}", "cl")
        assert 0 < by_package.uses <= by_system.uses
        # Another file uses one function of the first, which itself uses it more often.
        page = uses(index, "windows.lisp", "shelf.lisp", pairs=True)
        assert [(one.written, one.uses) for one in page.names] == [("shelf::page", 1)]
        assert [(one.caller, one.caller_kind) for one in page.names[0].users] == [
            ("shelf::windows", "function")
        ]
        everything = uses(index, "project", "shelf.lisp")
        assert everything.names == uses(index, "windows.lisp", "shelf.lisp").names
        assert everything.inside > 10


def test_nothing_is_used_with_a_reason(shelf: tuple[Path, Path]) -> None:
    with open_index(shelf[0]) as index:
        answer = uses(index, "shelf.lisp", "windows.lisp")
    assert (answer.total, answer.uses, answer.names) == (0, 0, [])
    assert answer.reason is not None and "windows.lisp" in answer.reason
    done = run_main("uses", "shelf.lisp", "windows.lisp", "--index", str(shelf[0]))
    assert done.code == 1 and "0 names" in done.output


@pytest.mark.parametrize(
    ("part", "error"),
    [
        ("", "part-not-found"),
        ("no-such-thing", "part-not-found"),
        ("system:no-such-thing", "part-not-found"),
        ("package:no-such-thing", "package-not-found"),
        ("file:no-such.lisp", "file-not-found"),
        ("no-such.lisp", "file-not-found"),
        ("\0", "part-not-found"),
        ("x" * 999, "part-not-found"),
    ],
)
def test_what_is_no_part_is_told(shelf: tuple[Path, Path], part: str, error: str) -> None:
    with open_index(shelf[0]) as index:
        for answer in (index.uses(part, "cl"), index.uses("shelf", part)):
            assert isinstance(answer, NotFound) and answer.error == error and answer.reason


def test_an_index_of_sbcl_alone_has_no_project(bare_index: Path) -> None:
    with open_index(bare_index) as index:
        answer = index.uses("project", "cl")
    assert isinstance(answer, NotFound) and "no project" in answer.message


def test_pages_join(libraries_index: Path) -> None:
    with open_index(libraries_index) as index:
        whole = uses(index, "cl-ppcre", "cl")
        pages = [index.uses("cl-ppcre", "cl", limit=40, offset=at) for at in range(0, whole.total, 40)]
    assert len(pages) > 2
    assert [one for page in pages if isinstance(page, BetweenAnswer) for one in page.names] == whole.names
