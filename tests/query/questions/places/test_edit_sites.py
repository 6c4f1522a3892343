"""Every place to touch when a lambda list changes: what SBCL complains of then, and what it cannot see."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import EditSitesAnswer, NotFound, XrefAnswer
from oblist.query.api import Index
from oblist.query.index.tests import is_test_system
from oblist.query.questions.xref.text import xref_text
from support.command_line import run_main
from support.live import read_lines, run_script, write_lines
from support.projects.edit_sites_sample import NAMES, edit_sites_sample, marked_sites

SEED = 1977
_FUNCTIONS = """
SELECT packages.name, symbols.name FROM definitions
JOIN symbols ON symbols.id = definitions.symbol_id JOIN packages ON packages.id = symbols.package_id
JOIN source_files ON source_files.id = definitions.file_id
JOIN systems ON systems.id = source_files.system_id
WHERE definitions.kind IN ('function', 'generic-function') AND definitions.operator IS NULL
  AND definitions.defined_by IN ('defun', 'defgeneric', 'defmethod') AND systems.name = :system
  AND definitions.callers_count > 0 ORDER BY definitions.id
"""


def sites(index: Index, name: str) -> EditSitesAnswer:
    answer = index.edit_sites(name)
    assert isinstance(answer, EditSitesAnswer), answer
    return answer


@pytest.mark.parametrize("name", NAMES)
def test_every_place_is_listed_as_what_it_is(name: str) -> None:
    path, source = edit_sites_sample()
    with open_index(path) as index:
        answer = sites(index, f"sites-sample::{name}")
    expected = marked_sites(name)
    assert expected
    here = [one for one in answer.sites if one.path == str(source)]
    listed = Counter((one.line, one.sort) for one in here if one.sort not in ("documentation", "mention"))
    # Mentions are marked where they look like uses.
    listed += Counter((one.line, one.sort) for one in here if (one.line, "mention") in expected)
    assert listed == expected
    others = {(Path(one.path or "").name, one.sort) for one in answer.sites if one not in here}
    assert others == ({("checks.lisp", "call")} if name == "area" else set())
    documented = [one.by for one in answer.sites if one.sort == "documentation"]
    assert documented == (["sites-sample::uses"] if name == "area" else [])
    assert answer.total == sum(answer.sorts.values())
    assert answer.other_names == ({"(setf sites-sample::helper)": 0} if name == "never" else {})


def test_the_next_method_with_arguments_is_a_use_of_the_function_around_it() -> None:
    with open_index(edit_sites_sample()[0]) as index:
        (one,) = [one for one in sites(index, "sites-sample:area").sites if one.sort == "next-method"]
        assert one.by == "(method sites-sample:area (square t))"
        assert one.text is not None and "(call-next-method shape (* 2 scale))" in one.text
        # Plain xref only counts them.
        uses = index.xref("sites-sample:area")
        assert isinstance(uses, XrefAnswer) and uses.next_methods == 3
        assert "Its methods also call the next method 3 times (--edit-sites lists" in xref_text(uses)


@pytest.mark.parametrize(
    ("corpus", "system", "number"),
    [
        ("libraries", "cl-ppcre", 30),
        pytest.param("libraries", "cl-ppcre", 100, marks=pytest.mark.full),
        *(
            pytest.param("corpus", one, 20, marks=pytest.mark.full)
            for one in ("chunga", "drakma", "flexi-streams", "hunchentoot", "quri", "usocket", "yason", "zip")
        ),
    ],
)
def test_what_sbcl_complains_of_is_listed(
    request: pytest.FixtureRequest, sbcl: Sbcl, tmp_path: Path, corpus: str, system: str, number: int
) -> None:
    """Each function is proclaimed to take one more argument, then the whole system is recompiled."""
    asked, answers = tmp_path / "functions", tmp_path / "complaints"
    with open_index(request.getfixturevalue(f"{corpus}_index")) as index:
        rows = index.rows(_FUNCTIONS, system=system)
        drawn = random.Random(SEED).sample(rows, min(number, len(rows)))
        write_lines(asked, [(system, package, name) for package, name in drawn])
        files = {"questions": asked, "answers": answers, "fasl": tmp_path / "compiled.fasl"}
        run_script(sbcl, "complaints.lisp", systems=[system], **files)
        complaints = read_lines(answers)
        assert len(complaints) >= len(drawn) // 2 >= 10
        missed = []
        for package, name, file, first, last, operator in complaints:
            listed = sites(index, f"{package}::|{name}|").sites
            lines = range(int(first or 0), int(last or 0) + 1)
            # Of code that is inlined there, the place to touch is the inline function.
            inlined = f":{operator}".lower()
            if not any(
                (one.path == file and one.line in lines) or one.by.endswith(inlined) for one in listed
            ):
                missed.append((name, file, first, operator))
    assert missed == []


def test_what_has_no_lambda_list_is_told() -> None:
    with open_index(edit_sites_sample()[0]) as index:
        answer = index.edit_sites("sites-sample::square")
        assert isinstance(answer, NotFound) and answer.error == "symbol-not-found"
        assert "neither a function nor a macro" in answer.message


def test_the_command_lists_them_and_refuses_what_does_not_go_together() -> None:
    path, source = edit_sites_sample()
    done = run_main("xref", "sites-sample:area", "--edit-sites", "--index", str(path))
    assert done.code == 0 and str(source) in done.output
    assert "next-method 1" in done.output
    for option in (["--callees"], ["--depth", "2"], ["--relation", "calls"]):
        done = run_main("xref", "sites-sample:area", "--edit-sites", *option, "--index", str(path))
        assert done.code == 2 and option[0] in done.errors


def test_uses_in_test_systems_are_marked_and_can_be_chosen() -> None:
    path, _ = edit_sites_sample()
    with open_index(path) as index:
        every = xref(index, "sites-sample:area")
        only, others = (xref(index, "sites-sample:area", tests=one) for one in ("only", "without"))
        unused = xref(index, "sites-sample::helper", tests="only")
        callees = xref(index, "sites-sample::test-area", callees=True, tests="without")
    in_tests = [one for one in every.references if one.in_tests]
    assert [Path(one.path or "").name for one in in_tests] == ["checks.lisp"] * 2
    assert every.in_tests == 2 == only.in_tests and others.in_tests == 0
    assert only.references == in_tests and (only.total, only.callers) == (2, 1)
    assert others.references == [one for one in every.references if not one.in_tests]
    assert (others.total, others.callers) == (every.total - 2, (every.callers or 0) - 1)
    assert only.relations == {"calls": 2} and unused.total == 0 and unused.reason
    assert callees.total == 0
    done = run_main("xref", "sites-sample:area", "--index", str(path))
    assert "2 of them are in tests (--tests only, --tests without)" in done.output
    assert done.output.count("[test]") == 2
    done = run_main(
        "xref", "sites-sample:area", "--tests", "only", "--index", str(path), "--index", str(path)
    )
    assert done.code == 0 and done.output.startswith("2 references to sites-sample:area, 1 caller")


def xref(index: Index, name: str, **further: object) -> XrefAnswer:
    answer = index.xref(name, limit=0, **further)
    assert isinstance(answer, XrefAnswer), answer
    return answer


@pytest.mark.parametrize(
    ("name", "is_one"),
    [
        *((one, True) for one in ("shop/tests", "shop-test", "tests", "cl-test-shop", "a.test", "a_tests")),
        *((one, False) for one in ("shop", "testing", "latest", "contest/core", "attestation", "")),
    ],
)
def test_systems_of_tests_are_told_by_their_names(name: str, is_one: bool) -> None:
    assert is_test_system(name) == is_one
