"""The field see_also of describe: related names."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import Index, open_index
from oblist.query.answers import DescribeAnswer
from oblist.query.questions.describe.see_also import MOST
from oblist.query.questions.describe.text import describe_text
from support.amount import amount
from support.builds.tested_version import since
from support.command_line import run_main
from support.live import printed_values

# The core of SBCL 2.6 keeps hardly any references, so nobody is known to call these together.
_UNTIL_2_6 = [("with-open-file", "common-lisp:open"), ("with-open-file", "common-lisp:close")]

SAMPLE = amount(400, 1500)


@pytest.fixture(scope="module")
def index(libraries_index: Path) -> Iterator[Index]:
    with open_index(libraries_index) as opened:
        yield opened


def described(index: Index, name: str) -> DescribeAnswer:
    answer = index.describe(name)
    assert isinstance(answer, DescribeAnswer), answer
    return answer


def seen(index: Index, name: str) -> list[str]:
    return described(index, name).see_also


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        # The setf function, and back.
        ("gethash", "(setf common-lisp:gethash)"),
        ("(setf gethash)", "common-lisp:gethash"),
        ("(setf sb-mop:slot-value-using-class)", "sb-mop:slot-value-using-class"),
        # The replacement of a deprecated name.
        ("sb-thread:get-mutex", "sb-thread:grab-mutex"),
        # Class and constructor, predicate, copier.
        ("hash-table", "common-lisp:hash-table-p"),
        ("hash-table", "common-lisp:make-hash-table"),
        ("make-hash-table", "common-lisp:hash-table"),
        ("stringp", "common-lisp:string"),
        ("sb-thread:make-mutex", "sb-thread:mutex"),
        # The class and the other functions of a slot.
        ("hash-table-count", "common-lisp:hash-table"),
        ("sb-thread:mutex-name", "(setf sb-thread:mutex-name)"),
        ("sb-c::debug-source-namestring", "sb-c::debug-source"),
        # The same stem.
        ("alexandria:hash-table-keys", "alexandria:hash-table-values"),
        ("with-open-file", "common-lisp:with-open-stream"),
        ("remove", "common-lisp:remove-if"),
        ("remove-if", "common-lisp:remove"),
        ("*print-base*", "common-lisp:*print-case*"),
        # Names called by the same code.
        ("with-open-file", "common-lisp:read"),
        *([] if since("2.6") else _UNTIL_2_6),
    ],
)
def test_related_names_are_there(index: Index, name: str, expected: str) -> None:
    assert expected in seen(index, name)


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("sb-thread:get-mutex", "sb-thread:grab-mutex"),
        ("gethash", "(setf common-lisp:gethash)"),
        ("string-upcase", "common-lisp:string"),
        ("alexandria:hash-table-keys", "alexandria:hash-table-values"),
    ],
)
def test_the_most_useful_comes_first(index: Index, name: str, first: str) -> None:
    assert seen(index, name)[0] == first


@pytest.mark.parametrize("name", [":test", "cl-user::no-definition-of-this", "sb-impl::|abc def|"])
def test_what_names_nothing_leads_nowhere(index: Index, name: str) -> None:
    answer = index.describe(name)
    assert not isinstance(answer, DescribeAnswer) or answer.see_also == []


def test_internal_names_of_the_same_stem_do_not_stand_next_to_an_external_one(index: Index) -> None:
    assert "alexandria::delete/swapped-arguments" not in seen(index, "alexandria:deletef")
    for name in seen(index, "alexandria:hash-table-keys"):
        assert "::" not in name


def names_of(path: Path, most: int) -> list[tuple[str, str]]:
    """Return names and packages of defined symbols, drawn by seed, as describe takes them."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT DISTINCT symbols.name, packages.name FROM definitions"
            " JOIN symbols ON symbols.id = definitions.symbol_id"
            " JOIN packages ON packages.id = symbols.package_id WHERE packages.name <> 'KEYWORD'"
            " ORDER BY symbols.id"
        ).fetchall()
    assert len(rows) > most
    quoted = ((name.replace("\\", "\\\\").replace("|", "\\|"), package) for name, package in rows)
    return random.Random(7).sample([(f"|{name}|", f'"{package}"') for name, package in quoted], most)


def test_every_name_is_another_one_that_is_defined_and_external_ones_come_first(
    index: Index, libraries_index: Path
) -> None:
    names, followed = names_of(libraries_index, SAMPLE), 0
    for name, package in names:
        answer = index.describe(name, package)
        assert isinstance(answer, DescribeAnswer)
        others = answer.see_also
        assert len(others) <= MOST and len(set(others)) == len(others)
        assert answer.written not in others
        internal = ["::" in other for other in others]
        assert internal == sorted(internal), (name, others)
        for other in others:
            there = index.describe(other)
            assert isinstance(there, DescribeAnswer), (name, other)
            assert there.written == other
            assert there.kinds
            followed += 1
    assert followed > SAMPLE


def test_the_answer_is_always_the_same(index: Index, libraries_index: Path) -> None:
    names = names_of(libraries_index, 200)
    with open_index(libraries_index) as again:
        found = [
            seen(again, f"{package[1:-1]}::{name}") for name, package in names if '"' not in package[1:-1]
        ]
    assert sum(map(len, found)) > 200
    assert found == [seen(index, f"{package[1:-1]}::{name}") for name, package in names]


STRUCTURES = """
(let ((*package* (find-package "KEYWORD")) (*print-pretty* nil))
  (do-all-symbols (name)
    (let ((description (and (symbol-package name)
                            (typep (find-class name nil) 'structure-class)
                            (ignore-errors (sb-kernel:find-defstruct-description name nil)))))
      (when description
        (dolist (function (list* (sb-kernel::dd-predicate-name description)
                                 (sb-kernel::dd-copier-name description)
                                 (mapcar #'car (sb-kernel::dd-constructors description))))
          (when (and function (fboundp function) (symbol-package function))
            (format t "~&FUNCTION ~S ~S~%" function name)))))))
"""


def test_the_functions_that_a_structure_defines_lead_to_it(sbcl: Sbcl, bare_index: Path) -> None:
    """Return the constructors, predicates and copiers of all structures of the image, according to SBCL."""
    lines = set(printed_values(sbcl, STRUCTURES))
    pairs = sorted(line.split()[1:] for line in lines if line.startswith("FUNCTION ") and "|" not in line)
    assert len(pairs) > 200
    missing, asked = [], 0
    with open_index(bare_index) as bare:
        for function, structure in pairs:
            answer, target = bare.describe(function), bare.describe(structure)
            if not isinstance(answer, DescribeAnswer) or not isinstance(target, DescribeAnswer):
                continue
            asked += 1
            if target.written not in answer.see_also:
                missing.append((function, structure, answer.see_also))
    assert asked > 200
    # Functions defined elsewhere (a wrapper defined by DEFUN) are found by name only.
    assert len(missing) <= asked // 20, missing[:20]


def test_it_is_in_the_json_but_never_in_the_text(index: Index, libraries_index: Path) -> None:
    run = run_main("describe", "gethash", "--json", "--index", str(libraries_index))
    assert json.loads(run.output)["see_also"] == seen(index, "gethash")
    run = run_main("describe", "gethash", "--index", str(libraries_index))
    assert run.output == describe_text(described(index, "gethash")) + "\n"
    assert "(setf common-lisp:gethash)" not in run.output + run.errors
