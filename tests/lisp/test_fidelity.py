"""The index agrees with a live SBCL about every symbol.

Three images: SBCL alone, SBCL with two systems, and with the whole corpus. In each, the oracle asks
about every package and symbol, and all answers are compared: no difference is allowed.
"""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from oblist.lisp.sbcl import Sbcl
from support.builds.systems import SYSTEMS
from support.corpus import corpus_systems
from support.oracle import (
    SymbolName,
    World,
    ask_oracle,
    assert_same,
    in_any_order,
    numbers,
    without_addresses,
)

SECONDS = 900
# The first test of the corpus loads it twice, once for the index and once for the oracle.
pytestmark = pytest.mark.timeout(1800)


@pytest.fixture(
    scope="module",
    params=["systems", *(pytest.param(name, marks=pytest.mark.full) for name in ("bare", "corpus"))],
)
def world(
    request: pytest.FixtureRequest, sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[World]:
    path: Path = request.getfixturevalue(f"{request.param}_index")
    systems = {"bare": (), "systems": SYSTEMS, "corpus": corpus_systems()}[request.param]
    output = tmp_path_factory.mktemp("oracle") / "answers"
    answers = ask_oracle(sbcl, "world", output, systems=systems, seconds=SECONDS)
    with closing(sqlite3.connect(path)) as connection:
        yield World.of(answers, connection)


PLACE = "recorded, toplevel_form, form_number, toplevel_offset"


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
    assert_same(world.live_names.values(), world.index_names.values(), at_least=25_000)


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
    assert_same(live, ((p, world.index_names[s], status) for p, s, status in found), at_least=25_000)


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
    assert_same(live, found, at_least=25_000)


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
    found = world.definitions(
        "operator, ftype", "ftype IS NOT NULL AND kind IN ('function', 'generic-function', 'setf-function')"
    )
    assert_same(in_any_order(world.about("ftype")), in_any_order(found), at_least=13_000)


def test_variables_have_their_declared_type(world: World) -> None:
    found = world.definitions("ftype", "ftype <> 'T' AND kind IN ('variable', 'constant')")
    assert_same(in_any_order(world.about("variable-type")), in_any_order(found), at_least=150)


def test_constants_and_symbol_macros_have_their_value(world: World) -> None:
    live = [
        # The contract shows at most 10,000 characters.
        (name, without_addresses(value if len(value) <= 10_000 else f"{value[:10_000]} ... [truncated]"))
        for name, value in world.about("value")
    ]
    found = [
        (name, without_addresses(value)) for name, value in world.definitions("value", "value IS NOT NULL")
    ]
    assert_same(live, found, at_least=2_000)


def test_deprecated_names_say_since_when_and_what_replaces_them(world: World) -> None:
    namespaces = {
        "function": "FUNCTION",
        "macro": "FUNCTION",
        "setf-function": "FUNCTION",
        "variable": "VARIABLE",
    }
    found = [
        (name, operator, namespaces.get(kind, "TYPE"), *rest)
        for name, operator, kind, *rest in world.definitions(
            "operator, kind, deprecated, deprecated_since, replacement", "deprecated IS NOT NULL"
        )
    ]
    assert_same(world.about("deprecated"), found, at_least=15)


# Kinds and locations

KINDS_BY_COMMON_LISP = [
    *("function", "generic-function", "setf-function", "macro", "special-operator", "class", "condition"),
    *("variable", "constant", "symbol-macro", "type", "alien-type"),
]
KINDS_BY_SOURCE = [
    *("setf-expander", "compiler-macro", "structure", "method-combination", "declaration"),
    *("transform", "optimizer", "source-transform", "ir1-convert"),
]


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


def made_by_methods(world: World, placed: set[tuple[Any, Any]]) -> list[tuple[Any, ...]]:
    """The generic functions that are not ``placed``, with the places of the methods that made them.

    The method that was added first comes last.
    """
    made = {
        (name, operator): numbers(place)
        for name, operator, _, _, _, _, *place in world.about("method")
        if place[0] and (name, operator) not in placed
    }
    return [(*names, "generic-function", *place) for names, place in made.items()]


def test_definitions_stand_where_sb_introspect_finds_them(world: World) -> None:
    live = [
        (
            name,
            operator,
            "setf-function" if kind == "function" and operator == "SETF" else kind,
            *numbers(place),
        )
        for name, operator, kind, _, *place in world.about("source")
        if place[0]
    ]
    live += made_by_methods(
        world, {(name, operator) for name, operator, kind, *_ in live if "generic" in kind}
    )
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
    assert_same(
        world.about("vop"), [(name,) for name, _ in world.definitions("kind", "kind = 'vop'")], at_least=900
    )
    live = {(name, *numbers(place)) for name, *place in world.about("vop-source") if place[0]}
    found = world.definitions(PLACE, "kind = 'vop' AND file_id IS NOT NULL")
    # Newer SBCL forgets where its own are when it is built.
    assert_same(live, found, at_least=0)


def test_transforms_optimizers_and_declarations_say_what_they_are_for(world: World) -> None:
    live = [(*names, description) for *names, description, _, _, _, _ in world.about("source")]
    found = world.definitions(
        "operator, kind, coalesce(specializers, qualifiers)",
        is_one_of(["transform", "optimizer", "declaration"]),
    )
    assert_same(
        (one for one in live if one[2] in ("transform", "optimizer", "declaration")), found, at_least=1_000
    )


def test_methods_are_there_with_all_that_tells_them_apart(world: World) -> None:
    live = [
        (name, operator, qualifiers, without_addresses(specializers), arglist, text, *numbers(place))
        for name, operator, qualifiers, specializers, arglist, text, *place in world.about("method")
    ]
    found = world.definitions(
        f"operator, qualifiers, specializers, arglist, documentation, {PLACE}", "kind = 'method'"
    )
    assert_same(live, found, at_least=700)


# Documentation


def test_documentation_is_what_sbcl_says_of_each_kind(world: World) -> None:
    found = {
        *world.definitions(
            "operator, documentation_type, documentation",
            "documentation IS NOT NULL AND documentation_type IS NOT NULL",
        ),
        *(
            (world.index_names[symbol], None, kind, text)
            for symbol, kind, text in world.rows("SELECT symbol_id, type, text FROM documentation")
        ),
    }
    # SBCL treats STRUCTURE as a synonym of TYPE, and the index does not repeat it. For a deprecated
    # type, the text for TYPE only begins with that for STRUCTURE.
    types = {name: text for name, _, kind, text in found if kind == "TYPE"}
    live = {
        (name, operator, kind, text)
        for name, operator, kind, text in world.about("documentation")
        if kind != "STRUCTURE" or not types.get(name, "").startswith(text)
    }
    assert_same(live, found, at_least=1_200)
