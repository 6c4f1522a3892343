"""Callees: those of a name's own code, and how far a tree follows them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import XrefAnswer, XrefNode
from oblist.query.index.kinds import COMPANIONS
from support.agents.tool_calls import called, executing
from support.amount import amount
from support.builds.build_cache import kept
from support.builds.small_sbcl import small_sbcl
from support.builds.system_builds import build_with_system
from support.command_line import run_main
from support.typed_names import piped
from support.xref_questions import asked, tree

SYSTEM = '(asdf:defsystem "mill" :depends-on ("mill-tools") :components ((:file "mill")))'
TOOLS_SYSTEM = '(asdf:defsystem "mill-tools" :components ((:file "tools")))'
TOOLS = """
(defpackage :mill-tools (:use :cl) (:export #:sieve #:weigh))
(in-package :mill-tools)
(defun shake (grain) (reverse grain))
(defun sieve (grain) (shake (shake grain)))
(defgeneric weigh (grain))
"""
MILL = """
(defpackage :mill (:use :cl :mill-tools) (:export #:grind #:bake))
(in-package :mill)
(defun crush (grain) (sieve grain))
(defun stones () 2)
(defun (setf stones) (number) (list number))
(defun grind (grain) (list (crush grain) (stones)))
(defun cheaper-grind (form) (stones) form)
(define-compiler-macro grind (&whole form grain)
  (if (stringp grain) (cheaper-grind form) form))
(defmethod weigh ((grain string)) (length (crush grain)))
(sb-c:defknown bake (t) t () :overwrite-fndb-silently t)
(defun bake (grain) (weigh grain))
(sb-c:deftransform bake ((grain) (string)) (cheaper-grind '(crush grain)))
(sb-c:define-vop (hearth) (:generator 1 (stones)))
"""


@pytest.fixture(scope="module")
def mill() -> Iterator[Index]:
    """An index of a system with companions, and one that it needs, which nobody asked for."""
    with open_index(kept("mill", _build_mill) / "oblist.db") as opened:
        yield opened


def _build_mill(folder: Path) -> None:
    (folder / "mill-tools.asd").write_text(TOOLS_SYSTEM)
    (folder / "tools.lisp").write_text(TOOLS)
    (folder / "mill.asd").write_text(SYSTEM)
    (folder / "mill.lisp").write_text(MILL)
    build_with_system("mill", folder, folder / "oblist.db", small_sbcl())


def callees(answer: XrefAnswer) -> set[str]:
    return {use.callee for use in answer.references if use.relation == "calls"}


def below(nodes: list[XrefNode]) -> Iterator[XrefNode]:
    for node in nodes:
        yield node
        yield from below(node.children)


# Own code


def test_callees_are_those_of_the_names_own_code(mill: Index) -> None:
    own = asked(mill, "grind", "mill", callees=True)
    assert callees(own) == {"list", "mill::crush", "mill::stones"}
    everything = asked(mill, "grind", "mill", callees=True, companions=True)
    assert callees(everything) >= {"mill::cheaper-grind", "stringp"} | callees(own)
    assert own.left_out == everything.total - own.total > 0
    assert everything.left_out == 0
    assert {use.caller_kind for use in own.references} == {"function"}
    assert callees(asked(mill, "bake", "mill", callees=True)) == {"mill-tools:weigh"}
    assert "mill::cheaper-grind" in callees(asked(mill, "bake", "mill", callees=True, companions=True))
    # A name whose setf function has none.
    assert asked(mill, "(setf stones)", "mill", callees=True).left_out == 0


def test_a_name_with_nothing_but_companions_has_their_callees(mill: Index) -> None:
    answer = asked(mill, "hearth", "mill", callees=True)
    assert answer.references and answer.left_out == 0


def test_own_callees_are_the_others_without_those_of_companions_for_every_name(libraries_index: Path) -> None:
    """Totals, pages, relations and counts by package, over all names that have companions."""
    with open_index(libraries_index) as index:
        names = index.rows(
            """SELECT DISTINCT symbols.name, packages.name, definitions.operator FROM definitions
               JOIN symbols ON symbols.id = symbol_id JOIN packages ON packages.id = symbols.package_id
               WHERE kind IN (SELECT value FROM json_each(:kinds)) ORDER BY 2, 1, 3""",
            kinds=json.dumps(sorted(COMPANIONS)),
        )
        filtered = 0
        for name, package, operator in names[:: amount(5, 1)]:
            typed = f"({operator} {piped(name)})" if operator else piped(name)
            home = f'"{package}"'
            everything = asked(index, typed, home, callees=True, companions=True, limit=0)
            own = asked(index, typed, home, callees=True, limit=0)
            expected = [use for use in everything.references if use.caller_kind not in COMPANIONS]
            if not own.left_out and own.total:
                # Its only code is that of companions, or they use nothing.
                assert own == everything
                continue
            filtered += 1
            assert own.references == expected
            assert own.total == len(expected) == everything.total - own.left_out
            assert own.callees == len({(use.callee, use.callee_package) for use in expected})
            assert own.relations == Counter(use.relation for use in expected)
            assert bool(own.reason) == (not expected)
            packages = Counter(use.callee_package for use in expected)
            assert index.xref_by_package(typed, home, callees=True) == packages
            part = asked(index, typed, home, callees=True, limit=3, offset=1)
            assert part.references == expected[1:4]
        assert filtered > amount(100, 500)


# The border


def test_a_tree_of_callees_stops_at_the_border_of_the_project(mill: Index) -> None:
    answer = tree(mill, "grind", "mill", callees=True, depth=4)
    (crush,) = [node for node in answer.children if node.name == "mill::crush"]
    (sieve,) = [node for node in crush.children if node.name == "mill-tools:sieve"]
    assert sieve.outside and sieve.cut is None and sieve.children == []
    outside = [node for node in below(answer.children) if node.outside]
    assert answer.outside == len(outside) > 1
    inside = [not node.outside for node in answer.children]
    assert inside == sorted(inside, reverse=True) and not all(inside)
    assert "mill::cheaper-grind" not in {node.name for node in below(answer.children)}
    further = tree(mill, "grind", "mill", callees=True, depth=4, beyond=True)
    (crush,) = [node for node in further.children if node.name == "mill::crush"]
    (sieve,) = [node for node in crush.children if node.name == "mill-tools:sieve"]
    (shake,) = [node for node in sieve.children if node.name == "mill-tools::shake"]
    assert "reverse" in {node.name for node in shake.children}
    assert further.outside == 0 and not any(node.outside for node in below(further.children))
    whole = tree(mill, "grind", "mill", callees=True, companions=True, depth=2)
    assert "mill::cheaper-grind" in {node.name for node in whole.children}


def test_a_generic_function_of_others_is_outside_whoever_has_methods(mill: Index) -> None:
    answer = tree(mill, "bake", "mill", callees=True, depth=3)
    (weigh,) = [node for node in answer.children if node.name == "mill-tools:weigh"]
    assert weigh.outside


def test_a_tree_from_outside_stays_in_its_own_system(mill: Index) -> None:
    answer = tree(mill, "sieve", "mill-tools", callees=True, depth=3)
    (shake,) = [node for node in answer.children if node.name == "mill-tools::shake"]
    assert not shake.outside
    (reverse,) = [node for node in shake.children if node.name == "reverse"]
    assert reverse.outside and not reverse.children


def test_a_tree_of_callers_has_no_border(mill: Index) -> None:
    answer = tree(mill, "reverse", "cl", depth=5)
    assert {"mill-tools::shake", "mill-tools:sieve", "mill::crush", "mill:grind"} <= {
        node.name for node in below(answer.children)
    }
    assert answer.outside == 0


def test_an_index_without_a_project_has_no_border(bare_index: Path) -> None:
    with open_index(bare_index) as index:
        answer = tree(index, "coerce", "CL", callees=True, depth=3)
        assert answer.outside == 0
        assert any(node.children for child in answer.children for node in child.children)


# Interfaces


def test_commands_and_tools_say_what_was_left_out_and_how_to_get_it(mill: Index) -> None:
    path = str(mill.path)
    shown = run_main("xref", "mill:grind", "--callees", "--index", path).output
    own = asked(mill, "grind", "mill", callees=True)
    left_out = f"Left out: {own.left_out} references from its compiler macros, transforms and the like"
    assert f"{left_out} (--companions)" in shown
    wider = run_main("xref", "mill:grind", "--callees", "--companions", "--index", path).output
    assert "cheaper-grind" in wider and "--companions" not in wider
    grown = run_main("xref", "mill:grind", "--callees", "--depth", "3", "--index", path).output
    assert "Not followed, because outside the project: " in grown and "shake" not in grown
    further = run_main("xref", "mill:grind", "--callees", "--depth", "4", "--beyond", "--index", path).output
    assert "shake" in further and "--beyond" not in further
    for wrong, why in (
        (("--companions",), "--companions applies to what the symbol uses: give --callees too."),
        (("--beyond", "--callees"), "--beyond applies to a tree of callees: give --callees and --depth too."),
    ):
        refused = run_main("xref", "mill:grind", *wrong, "--index", path)
        assert refused.code == 2 and why in refused.errors
    with executing(mill.path) as executor:
        asking = {"name": "mill:grind", "callees": True}
        listed = called(executor, "find_references", **asking).content
        assert "(everything=true)" in listed and "cheaper-grind" not in listed
        assert "cheaper-grind" in called(executor, "find_references", **asking, everything=True).content
        grown = called(executor, "find_references", **asking, depth=3).content
        assert "(everything=true)" in grown and "shake" not in grown
        wide = {"depth": 4, "everything": True, "max_chars": 20_000}
        assert "shake" in called(executor, "find_references", **asking, **wide).content
        refused = called(executor, "find_references", name="mill:grind", everything=True)
        assert not refused.success and "callees=true" in (refused.error or "")
