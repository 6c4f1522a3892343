"""Complete names can be typed back, and match what SBCL prints."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.indexer.names import split_name
from oblist.query import Index, open_index
from oblist.query.index.finding.resolve import Resolved, resolve
from oblist.query.index.written import own_name, printed, typed_name, written

NAMED = """
SELECT symbols.id, symbols.name, packages.name, presences.status FROM symbols
JOIN packages ON packages.id = symbols.package_id
JOIN presences ON presences.symbol_id = symbols.id AND presences.package_id = symbols.package_id
ORDER BY symbols.id
"""


@pytest.fixture(scope="module")
def bare(bare_index: Path) -> Iterator[Index]:
    with open_index(bare_index) as index:
        yield index


def test_what_is_written_names_the_symbol(bare: Index) -> None:
    rows = bare.rows(NAMED)
    asked = random.Random(7).sample(rows, 3000)
    assert len(asked) == 3000
    for number, name, package, status in asked:
        form = written(bare, name, package, status)
        found = resolve(bare, form, "COMMON-LISP-USER")
        assert isinstance(found, Resolved), form
        assert (found.symbol, found.note) == (number, None), form


@pytest.mark.parametrize(
    ("name", "package", "external", "operator", "typed"),
    [
        ("FLATTEN", "ALEXANDRIA", True, None, "alexandria:flatten"),
        ("FLATTEN", "ALEXANDRIA", False, None, "alexandria::flatten"),
        ("odd Name", "Odd Package", False, None, "|Odd Package|::|odd Name|"),
        ("BAR", "FOO", True, "SETF", "(setf foo:bar)"),
        ("pipe|", "FOO", True, "CAS", r"(cas foo:|pipe\||)"),
        ("TEST", "KEYWORD", True, None, ":test"),
        ("odd Test", "KEYWORD", True, None, ":|odd Test|"),
        ("GONE", None, False, None, "#:gone"),
        ("odd Gone", None, False, None, "#:|odd Gone|"),
        ("GONE", None, False, "SETF", "(setf #:gone)"),
    ],
)
def test_names_are_typed_with_package_pipes_and_operator(
    name: str, package: str | None, external: bool, operator: str | None, typed: str
) -> None:
    assert typed_name(name, package, str.upper, external=external, operator=operator) == typed
    taken = split_name(typed, str.upper)
    assert (taken.symbol.upcased, taken.operator) == (name, operator)


def test_names_are_printed_in_their_own_case(bare: Index) -> None:
    assert printed(bare, "CAR", "COMMON-LISP", "external") == "COMMON-LISP:CAR"
    assert printed(bare, "odd Name", "SB-INT", "internal", "SETF") == "(SETF SB-INT::|odd Name|)"
    assert printed(bare, "GONE", None, None) == "#:GONE"
    assert printed(bare, "TEST", "KEYWORD", "external") == ":TEST"
    assert own_name("CAR", bare.upcase, "SETF") == "(setf car)"
    assert own_name("odd Name", bare.upcase) == "|odd Name|"
