"""Choosing among what a name or a package has: methods by specializers, exports by name and type."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oblist.query import Index, open_index
from oblist.query.answers import DefinitionTextAnswer, DescribeAnswer, PackageAnswer
from oblist.query.questions.definition.methods import WantedMethods
from oblist.query.syntax.printed import items
from support.command_line import oblist


@pytest.fixture(scope="module")
def index(libraries_index: Path) -> Iterator[Index]:
    with open_index(libraries_index) as opened:
        yield opened


class Method:
    """A method with these printed qualifiers and specializers."""

    def __init__(self, specializers: str, qualifiers: str | None = None) -> None:
        self.specializers = specializers
        self.qualifiers = qualifiers


@pytest.mark.parametrize(
    ("typed", "method", "expected"),
    [
        ("(circle t)", Method("(CIRCLE T)"), True),
        ("circle", Method("(CIRCLE T)"), True),
        ("shapes:circle", Method("(CIRCLE T)"), True),
        ("circle stream", Method("(CIRCLE T)"), False),
        ("circle t t", Method("(CIRCLE T)"), False),
        ("(_ t)", Method("(CIRCLE T)"), True),
        ("(t _)", Method("(CIRCLE T)"), False),
        (":around circle", Method("(CIRCLE T)", ":AROUND"), True),
        (":before circle", Method("(CIRCLE T)", ":AROUND"), False),
        ("circle", Method("(CIRCLE T)", ":AROUND"), True),
        ("((eql :one))", Method("((EQL :ONE) T)"), True),
        ("(eql :one)", Method("((EQL :ONE) T)"), True),
        ("", Method("(CIRCLE T)"), True),
    ],
)
def test_specializers_are_those_typed(typed: str, method: Method, expected: bool) -> None:
    assert WantedMethods.typed(typed, str.casefold, str.upper).has(method) is expected


def test_each_method_is_found_by_its_specializers(index: Index) -> None:
    described = index.describe("print-object")
    whole = index.definition("print-object", max_length=0)
    assert isinstance(described, DescribeAnswer) and isinstance(whole, DefinitionTextAnswer)
    methods = [one for one in described.definitions if one.kind == "method"]
    for method in methods:
        chosen = index.definition("print-object", max_length=0, specializers=method.specializers)
        assert isinstance(chosen, DefinitionTextAnswer)
        same = [one for one in methods if one.specializers == method.specializers]
        assert chosen.total == len(chosen.definitions) == len(same)
        assert {one.specializers for one in chosen.definitions} == {method.specializers}
    first = items(methods[0].specializers or "")[0]
    assert len(methods) > 50
    done = oblist("definition", "print-object", "--specializers", first.lower(), "--index", index.path)
    assert "(defmethod print-object" in done.stdout
    nobody = index.definition("print-object", specializers="(no-such-class t)")
    assert isinstance(nobody, DefinitionTextAnswer)
    assert (nobody.total, nobody.note) == (
        0,
        "it has no method with the specializers (no-such-class t)",
    )


def test_pages_of_definitions_joined_are_all_of_them(index: Index) -> None:
    whole = index.definition("print-object", max_length=0)
    assert isinstance(whole, DefinitionTextAnswer)
    rest = index.definition("print-object", max_length=0, offset=40)
    assert isinstance(rest, DefinitionTextAnswer)
    assert (rest.offset, rest.total) == (40, whole.total)
    places = [(one.path, one.line, one.specializers) for one in whole.definitions]
    assert [(one.path, one.line, one.specializers) for one in rest.definitions] == places[40:]
    beyond = index.definition("print-object", offset=2**53 - 1)
    assert isinstance(beyond, DefinitionTextAnswer) and beyond.definitions == []


@pytest.mark.parametrize("name", ["alexandria", "common-lisp", "sb-ext", "cl-ppcre"])
def test_exports_are_chosen_by_name_and_type(index: Index, name: str) -> None:
    whole = index.package(name)
    assert isinstance(whole, PackageAnswer)
    for match, kind in (("MAP", None), ("", "macro"), ("with", "macro"), ("no such", None)):
        chosen = index.package(name, match=match, kind=kind)
        assert isinstance(chosen, PackageAnswer)
        expected = [one for one in whole.exports if match.upper() in one.name and kind in (None, one.type)]
        assert chosen.exports == expected
        assert chosen.exports_total == len(expected)
        page = index.package(name, match=match, kind=kind, limit=2, offset=1)
        assert isinstance(page, PackageAnswer)
        assert (page.exports, page.exports_total) == (expected[1:3], len(expected))


@pytest.mark.parametrize("name", ["alexandria", "sb-ext"])
def test_exports_are_chosen_by_documentation(index: Index, name: str) -> None:
    whole, bare = index.package(name), index.package(name, undocumented=True)
    assert isinstance(whole, PackageAnswer) and isinstance(bare, PackageAnswer)
    assert bare.exports == [one for one in whole.exports if one.summary is None]
    assert 0 < bare.exports_total == len(bare.exports) < whole.exports_total


def test_an_export_has_the_arglist_that_describe_has(index: Index) -> None:
    whole = index.package("common-lisp")
    assert isinstance(whole, PackageAnswer)
    for export in whole.exports:
        described = index.describe(f"cl:|{export.name}|")
        assert isinstance(described, DescribeAnswer)
        assert export.arglist == described.arglist, export.name
    assert sum(export.arglist is not None for export in whole.exports) > 600
