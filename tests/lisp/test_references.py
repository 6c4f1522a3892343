"""The callers in the index are those that SB-INTROSPECT finds, one name and one relation at a time.

A hundred names are drawn with a fixed seed, twenty for each relation (from the whole corpus three
hundred), and every relation is compared for every name. On older SBCL, including 2.2.9, WHO-CALLS and
its kin see only code with a global name: functions, macros, methods, transforms and vops. The index has
all code. So its additional callers must be, one by one, those that the oracle finds in the rest of the
code, and that code must be of the kinds in ``BEYOND``. Uses at toplevel, which SBCL does not record, have
no form number and are left out.
"""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from oblist.lisp.sbcl import Sbcl
from support.builds.systems import SYSTEMS
from support.corpus import corpus_systems
from support.oracle import Answers, ask_oracle, assert_same

RELATIONS = ("calls", "macroexpands", "references", "sets", "binds")
NAMES_PER_RELATION = {"bare": 20, "systems": 8, "corpus": 60}
SECONDS = 900
pytestmark = pytest.mark.timeout(1800)
SEED = 1958

# The sorts of callers that WHO-CALLS cannot know: "code" belongs to no definition (assemblers,
# printers of instructions, structure equality), "function" is a local function or a lambda, "method"
# one that was replaced and is still there (a newer ASDF than SBCL's own replaces all of its methods).
BEYOND = {
    "code",
    "compiler-macro",
    "condition",
    "function",
    "setf-expander",
    "source-transform",
    "type",
}

FUNCTION_KINDS = ("function", "generic-function", "macro", "special-operator", "setf-function")

# The form that the oracle and the index are reduced to: question, relation, then the caller (what it is, SETF
# or CAS, home package and name, details), then file, toplevel form and form number of the use.
Use = tuple[Any, ...]


@dataclass(frozen=True)
class Callers:
    """The users of the same names according to SB-INTROSPECT, the oracle's own walk, and the index."""

    image: str
    questions: int
    who: Counter[Use]
    other: Counter[Use]
    index: Counter[Use]


@pytest.fixture(
    scope="module",
    params=["systems", *(pytest.param(name, marks=pytest.mark.full) for name in ("bare", "corpus"))],
)
def callers(request: pytest.FixtureRequest, sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory) -> Callers:
    path: Path = request.getfixturevalue(f"{request.param}_index")
    systems = {"bare": (), "systems": SYSTEMS, "corpus": corpus_systems()}[request.param]
    folder = tmp_path_factory.mktemp("references")
    questions = folder / "questions"
    with closing(sqlite3.connect(path)) as connection:
        names = drawn_names(connection, NAMES_PER_RELATION[request.param])
        questions.write_text(
            "".join(f"{operator or ''}\t{home}\t{name}\n" for _, operator, home, name in names)
        )
        answers = ask_oracle(
            sbcl, "references", folder / "answers", systems=systems, questions=questions, seconds=SECONDS
        )
        index = [
            use
            for question, (symbol, operator, _, _) in enumerate(names)
            for use in index_uses(connection, question, symbol, operator)
        ]
    who = list(oracle_uses(answers, "who"))
    if answers["sees"] == [("all",)]:
        # Newer SBCL walks all code, and leaves out callers that it would report twice.
        return Callers(request.param, len(names), Counter(set(who)), Counter(), Counter(set(index)))
    return Callers(
        request.param, len(names), Counter(who), Counter(oracle_uses(answers, "other")), Counter(index)
    )


def drawn_names(connection: sqlite3.Connection, names: int) -> list[tuple[int, str | None, str, str]]:
    """Names of functions, macros and variables that are used: symbol, operator, home package, name."""
    draw = random.Random(SEED)
    drawn: list[tuple[int, str | None, str, str]] = []
    for relation in RELATIONS:
        candidates = connection.execute(
            """SELECT DISTINCT callee_id, callee_operator, packages.name, symbols.name FROM symbol_references
               JOIN symbols ON symbols.id = callee_id
               JOIN packages ON packages.id = symbols.package_id
               JOIN relations ON relations.id = relation_id
               WHERE relation = ? AND form_number IS NOT NULL
               ORDER BY packages.name, symbols.name, callee_operator""",
            (relation,),
        ).fetchall()
        new = [name for name in candidates if name not in drawn]
        drawn += draw.sample(new, min(len(new), names))
    return drawn


def oracle_uses(answers: Answers, tag: str) -> Iterator[Use]:
    names = answers["symbol"]
    for question, relation, sort, operator, number, details, *place in answers.get(tag, []):
        name = None if number is None else names[int(number)]
        yield (int(str(question)), relation, sort, operator, name, details, *place)


def index_uses(
    connection: sqlite3.Connection, question: int, symbol: int, operator: str | None
) -> Iterator[Use]:
    rows = connection.execute(
        """SELECT relation, kind, definitions.operator, packages.name, symbols.name, qualifiers, specializers,
                  callers.name, recorded, CAST(callers.toplevel_form AS TEXT),
                  CAST(symbol_references.form_number AS TEXT)
           FROM symbol_references
           JOIN relations ON relations.id = relation_id
           JOIN callers ON callers.id = caller_id
           LEFT JOIN definitions ON definitions.id = callers.definition_id
           LEFT JOIN symbols ON symbols.id = definitions.symbol_id
           LEFT JOIN packages ON packages.id = symbols.package_id
           LEFT JOIN source_files ON source_files.id = callers.file_id
           WHERE callee_id = ? AND callee_operator IS ? AND symbol_references.form_number IS NOT NULL""",
        (symbol, operator),
    )
    for relation, kind, caller_operator, home, name, qualifiers, specializers, caller_name, *place in rows:
        caller: tuple[Any, ...]
        if kind is None:
            caller = ("code", None, None, caller_name)
        elif kind == "method":
            # A method without required parameters: SBCL's name of its code has NIL.
            parts = (qualifiers, "NIL" if specializers == "()" else specializers)
            told_apart = f"({' '.join(part for part in parts if part)})"
            caller = ("method", caller_operator, (home, name), told_apart)
        else:
            sort = "function" if kind in FUNCTION_KINDS else kind
            caller = (sort, caller_operator, (home, name), None)
        yield (question, relation, *caller, *place)


def sort_of(use: Use) -> str:
    return str(use[2])


def test_every_name_that_is_drawn_is_used_and_every_relation_too(callers: Callers) -> None:
    answers = callers.who | callers.other
    assert {use[0] for use in answers} == set(range(callers.questions))
    assert {use[1] for use in answers} == {use[1] for use in callers.index}
    if callers.image != "bare":  # newer SBCL is built without most references of its own
        assert {use[1] for use in answers} == set(RELATIONS)
        assert callers.questions == NAMES_PER_RELATION[callers.image] * len(RELATIONS)


def test_every_caller_that_sb_introspect_finds_is_in_the_index_as_often(callers: Callers) -> None:
    in_both = callers.who & callers.index
    assert_same(callers.who.elements(), in_both.elements(), at_least=callers.questions)


def test_every_further_caller_is_in_code_that_sb_introspect_does_not_see(callers: Callers) -> None:
    further = callers.index - callers.who
    assert_same(callers.other.elements(), further.elements(), at_least=0)


def test_further_callers_are_of_the_sorts_that_sb_introspect_does_not_see(callers: Callers) -> None:
    sorts = Counter(map(sort_of, callers.other.elements()))
    assert set(sorts) <= BEYOND, sorts
