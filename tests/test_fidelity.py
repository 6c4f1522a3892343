"""The index says of every symbol what a live SBCL says.

Two images: SBCL alone, and SBCL with two systems. In each, the oracle asks about every package and
symbol there is, and the answers are compared wholesale: the bar is no difference at all.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import SYSTEMS
from oracle import Answers, Field, ask_oracle, assert_same

from lisp.sbcl import Sbcl

Row = tuple[Any, ...]
SymbolName = tuple[str | None, str]  # home package, name


@dataclass(frozen=True)
class World:
    """One image twice: as a live SBCL tells it, and as its index holds it."""

    answers: Answers
    connection: sqlite3.Connection
    live_names: dict[str, SymbolName]
    index_names: dict[int, SymbolName]

    def rows(self, statement: str) -> list[Row]:
        """The rows of the index that ``statement`` selects."""
        return self.connection.execute(statement).fetchall()

    def live(self, tag: str) -> list[tuple[Field, ...]]:
        """The oracle's answers with ``tag``."""
        return self.answers.get(tag, [])

    def about(self, tag: str) -> list[tuple[Any, ...]]:
        """The oracle's answers with ``tag``, their symbol's number replaced by its name."""
        return [(self.live_names[str(number)], *rest) for number, *rest in self.live(tag)]

    def definitions(self, columns: str, condition: str = "true") -> list[tuple[Any, ...]]:
        """For all definitions of symbols that meet ``condition``: the symbol's name, ``columns``."""
        statement = f"""SELECT definitions.symbol_id, {columns} FROM definitions
                        JOIN kinds USING (kind)
                        LEFT JOIN source_files ON source_files.id = definitions.file_id
                        WHERE definitions.symbol_id IS NOT NULL AND {condition}"""
        return [(self.index_names[symbol], *rest) for symbol, *rest in self.rows(statement)]


@pytest.fixture(scope="module", params=["bare", "systems"])
def world(request: pytest.FixtureRequest, sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    path: Path = request.getfixturevalue(f"{request.param}_index")
    systems = SYSTEMS if request.param == "systems" else ()
    answers = ask_oracle(sbcl, "world", tmp_path_factory.mktemp("oracle") / "answers", systems=systems)
    with closing(sqlite3.connect(path)) as connection:
        yield World(
            answers=answers,
            connection=connection,
            live_names={str(n): (home, str(name)) for n, (_, home, name, _) in enumerate(answers["symbol"])},
            index_names={
                number: (home, name)
                for number, home, name in connection.execute(
                    """SELECT symbols.id, packages.name, symbols.name FROM symbols
                       LEFT JOIN packages ON packages.id = symbols.package_id"""
                )
            },
        )


PLACE = "recorded, toplevel_form, form_number, toplevel_offset"


def numbers(fields: tuple[Any, ...]) -> tuple[Any, ...]:
    """A place as the oracle writes it, its numbers as numbers."""
    path, *places = fields
    return (path, *(None if place is None else int(place) for place in places))


def without_addresses(text: str) -> str:
    """``text`` with the addresses in unreadable objects emptied: they differ from run to run."""
    return re.sub(r"\{[0-9A-F]{7,}\}", "{}", text)


# Packages and symbols


def test_packages_have_their_documentation_and_lock(world: World) -> None:
    found = world.rows("SELECT name, documentation, CAST(locked AS TEXT) FROM packages")
    assert_same(world.live("package"), found, at_least=30)


def test_packages_have_their_nicknames(world: World) -> None:
    found = world.rows("""SELECT nickname, name FROM package_nicknames
                          JOIN packages ON packages.id = package_id""")
    assert_same(world.live("nickname"), found, at_least=4)


def test_packages_have_their_local_nicknames(world: World) -> None:
    found = world.rows("""SELECT here.name, nickname, there.name FROM package_local_nicknames
                          JOIN packages AS here ON here.id = package_id
                          JOIN packages AS there ON there.id = target_id""")
    assert_same(world.live("local-nickname"), found, at_least=0)


def test_packages_use_others_in_order(world: World) -> None:
    found = world.rows("""SELECT user.name, CAST(position AS TEXT), used.name FROM package_uses
                          JOIN packages AS user ON user.id = package_id
                          JOIN packages AS used ON used.id = used_id""")
    assert_same(world.live("use"), found, at_least=100)


def test_packages_have_their_shadowing_symbols(world: World) -> None:
    live = [(package, world.live_names[str(number)]) for package, number in world.live("shadowing")]
    found = world.rows("""SELECT packages.name, symbol_id FROM package_shadowing
                          JOIN packages ON packages.id = package_id""")
    assert_same(live, ((package, world.index_names[number]) for package, number in found), at_least=5)


def test_every_symbol_of_the_image_is_there_and_no_other(world: World) -> None:
    assert_same(world.live_names.values(), world.index_names.values(), at_least=29_000)


def live_accessible(world: World) -> dict[str, Counter[tuple[SymbolName, str]]]:
    """By package: every accessible symbol with its status, as DO-SYMBOLS and FIND-SYMBOL say."""
    accessible: dict[str, Counter[tuple[SymbolName, str]]] = defaultdict(Counter)
    for package, status, members in world.live("accessible"):
        names = (world.live_names[number] for number in str(members or "").split())
        accessible[str(package)].update((name, str(status)) for name in names)
    return accessible


def test_every_package_has_its_present_symbols_with_their_status(world: World) -> None:
    live = [
        (package, *member)
        for package, members in live_accessible(world).items()
        for member in members.elements()
        if member[1] != "inherited"
    ]
    found = world.rows("""SELECT packages.name, symbol_id, status FROM presences
                          JOIN packages ON packages.id = package_id""")
    assert_same(live, ((p, world.index_names[s], status) for p, s, status in found), at_least=29_000)


def test_every_package_makes_the_right_symbols_accessible(world: World) -> None:
    present: dict[int, dict[str, tuple[int, str]]] = defaultdict(dict)
    for package, symbol, status in world.rows("SELECT package_id, symbol_id, status FROM presences"):
        present[package][world.index_names[symbol][1]] = (symbol, status)
    found = {}
    for package, name in world.rows("SELECT id, name FROM packages"):
        here = Counter((world.index_names[symbol], status) for symbol, status in present[package].values())
        inherited = {
            symbol
            for (used,) in world.rows(f"SELECT used_id FROM package_uses WHERE package_id = {package}")
            for plain, (symbol, status) in present[used].items()
            if status == "external" and plain not in present[package]
        }
        found[name] = here + Counter((world.index_names[symbol], "inherited") for symbol in inherited)
    live = live_accessible(world)
    assert sum(members.total() for members in live.values()) > 100_000
    assert live.keys() == found.keys()
    for package, members in live.items():
        assert_same(members.elements(), found[package].elements(), at_least=0)


def test_every_symbol_has_the_type_of_the_contract(world: World) -> None:
    live = [((home, name), kind) for _, home, name, kind in world.live("symbol")]
    found = [(world.index_names[number], kind) for number, kind in world.rows("SELECT id, type FROM symbols")]
    assert_same(live, found, at_least=29_000)


# Functions, variables and types


def test_everything_fboundp_has_the_lambda_list_that_sbcl_knows(world: World) -> None:
    live = [
        (name, operator, None if arglist is None else without_addresses(arglist))
        for name, operator, arglist in world.about("arglist")
    ]
    found = world.definitions(
        "operator, arglist",
        """kind IN ('function', 'generic-function', 'macro', 'setf-function')
           OR kind = 'special-operator' AND symbol_id NOT IN
              (SELECT symbol_id FROM definitions WHERE kind = 'macro')""",
    )
    assert_same(live, found, at_least=14_000)


def test_functions_have_the_type_that_sbcl_gives(world: World) -> None:
    live = [(name, operator, without_addresses(kind)) for name, operator, kind in world.about("ftype")]
    found = world.definitions(
        "operator, ftype", "ftype IS NOT NULL AND kind IN ('function', 'generic-function', 'setf-function')"
    )
    assert_same(live, found, at_least=13_000)


def test_variables_have_their_declared_type(world: World) -> None:
    found = world.definitions("ftype", "ftype <> 'T' AND kind IN ('variable', 'constant')")
    assert_same(world.about("variable-type"), found, at_least=200)


def test_constants_and_symbol_macros_have_their_value(world: World) -> None:
    live = [(name, without_addresses(value)) for name, value in world.about("value")]
    found = [(name, without_addresses(value)) for name, value in world.definitions("value", "value IS NOT NULL")]
    assert_same(live, found, at_least=3_000)


def test_deprecated_names_say_since_when_and_what_replaces_them(world: World) -> None:
    namespaces = {"function": "FUNCTION", "macro": "FUNCTION", "setf-function": "FUNCTION", "variable": "VARIABLE"}
    found = [
        (name, operator, namespaces.get(kind, "TYPE"), *rest)
        for name, operator, kind, *rest in world.definitions(
            "operator, kind, deprecated, deprecated_since, replacement", "deprecated IS NOT NULL"
        )
    ]
    assert_same(world.about("deprecated"), found, at_least=15)


# Kinds and locations

KINDS_BY_COMMON_LISP = (
    "function generic-function setf-function macro special-operator class condition "
    "variable constant symbol-macro type alien-type"
).split()
KINDS_BY_SOURCE = (
    "setf-expander compiler-macro structure method-combination declaration "
    "transform optimizer source-transform ir1-convert"
).split()


def is_one_of(kinds: list[str]) -> str:
    return "kind IN ({})".format(", ".join(f"'{kind}'" for kind in kinds))


def test_names_have_the_kinds_that_common_lisp_tells_apart(world: World) -> None:
    live = [answer for answer in world.about("named") if answer[-1] != "structure"]
    found = world.definitions("operator, kind", is_one_of(KINDS_BY_COMMON_LISP))
    assert_same(live, found, at_least=18_000)


def test_names_have_the_other_kinds_as_often_as_sb_introspect_finds_them(world: World) -> None:
    live = [answer[:3] for answer in world.about("source") if answer[2] in KINDS_BY_SOURCE]
    found = world.definitions("operator, kind", is_one_of(KINDS_BY_SOURCE))
    assert_same(live, found, at_least=3_000)


def test_definitions_stand_where_sb_introspect_finds_them(world: World) -> None:
    live = [
        (name, operator, "setf-function" if kind == "function" and operator == "SETF" else kind, *numbers(place))
        for name, operator, kind, _, *place in world.about("source")
        if place[0]
    ]
    found = world.definitions(
        f"operator, kind, {PLACE}",
        "file_id IS NOT NULL AND kind NOT IN ('method', 'vop', 'special-operator')",
    )
    assert_same(live, found, at_least=20_000)


def test_special_operators_stand_where_the_compiler_translates_them(world: World) -> None:
    live = [
        (name, *numbers(place)) for name, _, kind, _, *place in world.about("source") if kind == "ir1-convert"
    ]
    found = world.definitions(PLACE, "kind = 'special-operator'")
    assert_same(live, found, at_least=30)


def test_vops_are_there_and_stand_where_sb_introspect_finds_them(world: World) -> None:
    assert_same(world.about("vop"), [(name,) for name, _ in world.definitions("kind", "kind = 'vop'")], at_least=900)
    live = {(name, *numbers(place)) for name, *place in world.about("vop-source") if place[0]}
    found = world.definitions(PLACE, "kind = 'vop' AND file_id IS NOT NULL")
    assert_same(live, found, at_least=900)


def test_transforms_optimizers_and_declarations_say_what_they_are_for(world: World) -> None:
    live = [(*names, description) for *names, description, _, _, _, _ in world.about("source")]
    found = world.definitions(
        "operator, kind, coalesce(specializers, qualifiers)", is_one_of(["transform", "optimizer", "declaration"])
    )
    assert_same((one for one in live if one[2] in ("transform", "optimizer", "declaration")), found, at_least=1_000)


def test_methods_are_there_with_all_that_tells_them_apart(world: World) -> None:
    live = [
        (name, operator, qualifiers, specializers, arglist, text, *numbers(place))
        for name, operator, qualifiers, specializers, arglist, text, *place in world.about("method")
    ]
    found = world.definitions(
        f"operator, qualifiers, specializers, arglist, documentation, {PLACE}", "kind = 'method'"
    )
    assert_same(live, found, at_least=700)


# Documentation


def test_documentation_is_what_sbcl_says_of_each_kind(world: World) -> None:
    found = set(
        world.definitions(
            "operator, documentation_type, documentation",
            "documentation IS NOT NULL AND documentation_type IS NOT NULL",
        )
    )
    found |= {
        (name, operator, "STRUCTURE", text)
        for name, operator, text in world.definitions(
            "operator, documentation", "documentation IS NOT NULL AND kind IN ('class', 'structure', 'condition')"
        )
    }
    found |= {
        (world.index_names[symbol], None, kind, text)
        for symbol, kind, text in world.rows("SELECT symbol_id, type, text FROM documentation")
    }
    assert_same(world.about("documentation"), found, at_least=1_200)
