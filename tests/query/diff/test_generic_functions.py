"""diff of generic functions: the arguments that lambda lists and methods accept together."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.query import open_index
from oblist.query.diff.api import Api, ApiSymbol
from oblist.query.diff.changes.functions import compare_functions
from oblist.query.diff.comparison import Comparison
from oblist.query.diff.sql import ApiDefinitionRow
from support.command_line import run_main


def test_methods_on_eql_specializers_are_unchanged_in_the_same_index(libraries_index: Path) -> None:
    statement = """
        SELECT DISTINCT packages.name FROM method_specializers
        JOIN definitions ON definitions.id = definition_id JOIN symbols ON symbols.id = definitions.symbol_id
        JOIN packages ON packages.id = symbols.package_id WHERE eql IS NOT NULL AND symbols.exported
    """
    with closing(sqlite3.connect(libraries_index)) as connection:
        names = [name for (name,) in connection.execute(statement)]
    assert names
    chosen = [word for name in names for word in ("-p", name)]
    done = run_main("diff", str(libraries_index), str(libraries_index), *chosen)
    assert (done.code, done.output.startswith("No change")) == (0, True), done.output


@pytest.fixture(scope="module")
def comparison(bare_index: Path) -> Iterator[Comparison]:
    with open_index(bare_index) as index:
        yield Comparison(Api(index, set()), Api(index, set()), {"OLD": "NEW"})


def generic(arglist: str, *method_lists: str) -> tuple[ApiSymbol, ApiDefinitionRow]:
    """A generic function with methods on different classes."""

    def definition(kind: str, text: str, specializers: str | None) -> ApiDefinitionRow:
        return ApiDefinitionRow(1, 1, kind, None, None, specializers, text, *[None] * 10)  # type: ignore[arg-type]

    found = definition("generic-function", arglist, None)
    ways = [definition("method", text, f"(CLASS-{place})") for place, text in enumerate(method_lists)]
    return ApiSymbol(1, "F", "NEW", [found, *ways]), found


GENERIC = (
    (("(A &KEY)", "(A &KEY B)"), ("(A)", "(A)"), {("keyword-removed", "major", ":B")}),
    (("(A &KEY)",), ("(A)",), {("rest-removed", "major", "&KEY")}),
    (("(A)",), ("(A &KEY)",), {("rest-added", "major", "&KEY")}),
    (("(A)",), ("(A &REST R)",), {("rest-added", "major", "&REST")}),
    (("(A)",), ("(A &KEY &ALLOW-OTHER-KEYS)",), {("rest-added", "major", "&KEY"),
     ("other-keys-allowed", "minor", "&ALLOW-OTHER-KEYS")}),
    (("(A &KEY B)", "(A &KEY B)"), ("(A &REST R)", "(A &KEY B)"), {("rest-added", "minor", "&REST"),
     ("keyword-unnamed", "patch", ":B")}),
    (("(A &KEY B)", "(A &KEY)"), ("(A &REST R)", "(A &KEY)"), {("rest-added", "minor", "&REST"),
     ("keyword-removed", "major", ":B")}),
    (("(A &KEY)", "(A &KEY &ALLOW-OTHER-KEYS)"), ("(A &KEY)", "(A &KEY)"),
     {("other-keys-refused", "major", "&ALLOW-OTHER-KEYS")}),
    (("(A &KEY)", "(A &KEY B)"), ("(A &KEY)", "(A &KEY &ALLOW-OTHER-KEYS)"),
     {("keyword-unnamed", "patch", ":B")}),
    (("(A &REST R)", "(A &KEY B)"), ("(A &REST R)", "(A &KEY)"), {("keyword-removed", "major", ":B")}),
    (("(A &REST R)", "(A &KEY B)"), ("(A &REST R)", "(A &REST R)"), {("keyword-unnamed", "patch", ":B")}),
    (("(A &REST R)", "(A &REST R)", "(A &KEY B)"), ("(A &REST R)", "(A &REST R)"),
     {("keyword-unnamed", "patch", ":B")}),
    (("(A &REST R)", "(A &KEY B)", "(A &KEY B)"), ("(A &REST R)", "(A &KEY)", "(A &REST R)"),
     {("keyword-removed", "major", ":B")}),
    (("(A &REST R)", "(A &REST R)"), ("(A &REST R)", "(A &KEY)"),
     {("other-keys-refused", "major", "&ALLOW-OTHER-KEYS")}),
    (("(A &KEY B)", "(A &KEY)"), ("(A &KEY)", "(A &KEY B)"), set()),
    (("(A &KEY)", "(A &KEY B)"), ("(A &KEY &ALLOW-OTHER-KEYS)", "(A &KEY)"),
     {("other-keys-allowed", "minor", "&ALLOW-OTHER-KEYS")}),
)  # fmt: skip


@pytest.mark.parametrize(("old", "new", "expected"), GENERIC)
def test_the_arguments_of_a_generic_function(
    comparison: Comparison, old: tuple[str, ...], new: tuple[str, ...], expected: set[tuple[str, str, str]]
) -> None:
    before, after = generic(*old), generic(*new)
    assert list(compare_functions(comparison, "function", before, before)) == []
    found = [
        (one.change, one.step, one.part) for one in compare_functions(comparison, "function", before, after)
    ]
    assert sorted(found) == sorted(expected)


def test_the_new_name_of_a_specializer(comparison: Comparison) -> None:
    for text, now in (
        ("(EQL :DER)", "(EQL :DER)"),
        ("(EQL OLD::THING)", "(EQL NEW::THING)"),
        ("OLD::THING", "NEW::THING"),
        ("T", "T"),
    ):
        assert comparison.name_now(text) == now
