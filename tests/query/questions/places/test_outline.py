"""What a package, system or file defines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import open_index
from oblist.query.answers import NotFound, OutlineAnswer
from oblist.query.api import Index
from support.command_line import run_main
from support.live import printed_values
from support.projects.audit_sample import SOURCE, audit_sample
from support.projects.slots_sample import slots_sample

# The names of functions of one kind whose home is a package, as code there writes them.
_NAMES = """
(let ((*package* (find-package "{package}")) (names (list)))
  (do-symbols (one *package* (format nil "~(~{{~s~^ ~}}~)" names))
    (when (and (eq (symbol-package one) *package*) (fboundp one) (not (special-operator-p one))
               {condition})
      (pushnew one names))))
"""
_KINDS = {
    "function": "(not (macro-function one)) (not (typep (fdefinition one) 'generic-function))",
    "macro": "(macro-function one)",
    "generic-function": "(typep (fdefinition one) 'generic-function)",
}


@pytest.fixture(scope="module")
def bare(bare_index: Path) -> Iterator[Index]:
    """The index of SBCL alone, open."""
    with open_index(bare_index) as index:
        yield index


@pytest.fixture(scope="module")
def sample() -> Iterator[Index]:
    """The index of the sample of audits, open."""
    with open_index(audit_sample()[0]) as index:
        yield index


def outlined(index: Index, part: str, **further: object) -> OutlineAnswer:
    answer = index.outline(part, **further)
    assert isinstance(answer, OutlineAnswer), answer
    return answer


def named(answer: OutlineAnswer) -> list[str]:
    return [one.written for one in answer.definitions]


def test_the_functions_and_macros_of_packages_are_those_that_sbcl_has(bare: Index, sbcl: Sbcl) -> None:
    packages = ("SB-LOOP", "SB-PRETTY", "SB-DI", "SB-THREAD", "SB-WALKER", "SB-DEBUG")
    asked = [(package, kind) for package in packages for kind in _KINDS]
    forms = [_NAMES.format(package=package, condition=_KINDS[kind]) for package, kind in asked]
    live = dict(zip(asked, printed_values(sbcl, *forms), strict=True))
    assert all(len(live[package, "function"].split()) > 20 for package in packages)
    for (package, kind), printed in live.items():
        answer = outlined(bare, f"package:{package}", kind=kind, accessors=True)
        found = {one.written.rpartition(":")[2] for one in answer.definitions if one.kind == kind}
        assert found == set(printed.split()), (package, kind)


def test_definitions_come_file_by_file_in_the_order_of_the_text(bare: Index) -> None:
    answer = outlined(bare, "package:sb-pretty", accessors=True)
    places = [(one.path or "", one.line or 0) for one in answer.definitions]
    assert places == sorted(places) and len({path for path, _ in places}) > 1
    assert answer.total == len(answer.definitions) == sum(answer.kinds.values())
    page = outlined(bare, "package:sb-pretty", accessors=True, offset=3, limit=5)
    assert page.definitions == answer.definitions[3:8] and page.total == answer.total


def test_kinds_are_parts_of_the_whole(bare: Index) -> None:
    whole = outlined(bare, "package:sb-kernel", accessors=True)
    for kind in ("function", "macro", "variable", "class", "condition", "type"):
        some = outlined(bare, "package:sb-kernel", accessors=True, kind=kind)
        assert some.total > 0
        of_kinds = [one for one in whole.definitions if one.kind in some.kinds]
        assert some.definitions == of_kinds


def test_every_line_that_defines_is_in_the_outline(sample: Index) -> None:
    source = audit_sample()[1]
    answer = outlined(sample, str(source))
    lines = {one.line for one in answer.definitions}
    begins = ("(defun", "(defmacro", "(defvar", "(defparameter", "(defconstant", "(deftype", "(defstruct")
    defining = {
        number
        for number, line in enumerate(SOURCE.split("\n"), 1)
        if ";@duplicate" not in line  # another file defines it again
        and line.startswith((*begins, "(defgeneric", "(defmethod", "(defclass", "(define-condition"))
    }
    assert len(defining) > 30
    assert defining <= lines
    assert answer.part == f"file {source}"
    system = outlined(sample, "system:audit-sample")
    assert set(named(answer)) < set(named(system))
    assert "audit-sample::again" in named(system)


def test_what_the_form_of_a_class_makes_is_counted() -> None:
    with open_index(slots_sample()[0]) as index:
        short = outlined(index, "system:slots-sample")
        whole = outlined(index, "system:slots-sample", accessors=True)
    assert short.accessors == whole.total - short.total > 5 and whole.accessors == 0
    made = set(named(whole)) - set(named(short))
    assert "(setf slots-sample::person-name)" in made
    assert "slots-sample::employee" in named(short)
    (employee,) = (one for one in short.definitions if one.written == "slots-sample::employee")
    assert employee.superclasses == ["slots-sample::person"]


def test_the_text_marks_what_is_unusual(sample: Index, bare_index: Path) -> None:
    status, text, errors = run_main("outline", "audit-sample.lisp", "--index", str(audit_sample()[0]))
    assert (status, errors) == (0, "")
    head, *lines = text.splitlines()
    assert head.endswith(" definitions") and lines[0].startswith("function ")
    assert f"{audit_sample()[1]}" in lines
    assert any(line.endswith("audit-sample::never  [function]  (X)") for line in lines)
    assert any("  audit-sample::*never*  [variable]" in line for line in lines)
    asked = ("outline", "package:sb-gray", "--kind", "condition", "--index", str(bare_index))
    status, text, _ = run_main(*asked)
    nothing = "The text of the package SB-GRAY contains no definition of the kind condition."
    assert (status, text.splitlines()[-1]) == (1, nothing)
    status, text, _ = run_main(
        "outline", "package:sb-impl", "--limit", "2", "--json", "--index", str(bare_index)
    )
    answer = json.loads(text)
    assert status == 0 and len(answer["definitions"]) == 2 < answer["total"]


def test_generic_functions_without_a_form_of_their_own_say_so() -> None:
    with open_index(slots_sample()[0]) as index:
        answer = outlined(index, "system:slots-sample", kind="generic-function")
    older = next(one for one in answer.definitions if one.written == "slots-sample::older")
    assert older.defined_by == "defmethod"
    status, text, _ = run_main(
        "outline", "slots-sample", "--kind", "generic-function", "--index", str(slots_sample()[0])
    )
    assert status == 0 and "older  [generic-function]  (ONE)  without a defgeneric form" in text


@pytest.mark.parametrize("part", ["no-such-part", "system:no-such", "package:no-such", "no-such.lisp"])
def test_a_part_that_is_not_there(bare: Index, part: str) -> None:
    assert isinstance(bare.outline(part), NotFound)
