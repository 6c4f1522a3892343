"""methods: the methods that a call reaches are those that the live metaobject protocol finds."""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import Index, open_index
from oblist.query.answers import MethodsAnswer, NotFound
from oblist.query.questions.methods.dispatch import argument_order
from support.classes_sample import classes_sample, line_of
from support.command_line import oblist
from support.oracle import ask_oracle

CALLS = 300
_ROLES = {":AROUND": "around", ":BEFORE": "before", ":AFTER": "after"}
_METHODS = """
SELECT symbol_id, operator FROM definitions WHERE kind = 'method' AND specializers <> '()' ORDER BY id
"""
_SPECIALIZERS = """
SELECT definitions.symbol_id, definitions.operator, position, method_specializers.symbol_id
FROM definitions JOIN method_specializers ON definition_id = definitions.id
ORDER BY definitions.id, position
"""
_CLASSES = """
SELECT definitions.symbol_id FROM classes JOIN definitions ON definitions.id = class_id
WHERE representation IS NULL ORDER BY definitions.id
"""
_SUBCLASSES = """
SELECT class_superclasses.symbol_id, definitions.symbol_id
FROM class_superclasses JOIN definitions ON definitions.id = class_id ORDER BY definitions.id
"""
_NAMES = (
    "SELECT symbols.id, packages.name, symbols.name FROM symbols JOIN packages ON packages.id = package_id"
)
Name = tuple[str, str]
Reached = Callable[..., list[tuple[str, str | None, bool]]]


class Draw:
    """Draws calls of the generic functions of an index: classes at which they have methods, and others."""

    def __init__(self, index: Index, seed: int) -> None:
        rows = index.connection.execute
        self._random = random.Random(seed)
        self._names = {number: (package, name) for number, package, name in rows(_NAMES)}
        self._classes = [number for (number,) in rows(_CLASSES) if number in self._names]
        self._below: dict[int, list[int]] = defaultdict(list)
        for above, below in rows(_SUBCLASSES):
            self._below[above].append(below)
        self._at: dict[tuple[int, str | None], dict[int, list[int]]] = {}
        for symbol, operator, position, specializer in rows(_SPECIALIZERS):
            places = self._at.setdefault((symbol, operator), defaultdict(list))
            places[position] += [] if specializer is None else [specializer]
        # The more methods a generic function has, the more often it is drawn.
        self._functions = rows(_METHODS).fetchall()

    def call(self) -> tuple[str | None, Name, list[Name]]:
        """An operator, the name of a generic function, and the classes of its arguments."""
        symbol, operator = key = self._random.choice(self._functions)
        places = self._at[key]
        classes = [self._class(places[position]) for position in range(len(places))]
        return operator, self._names[symbol], [self._names[one] for one in classes]

    def _class(self, specializers: list[int]) -> int:
        if not specializers or self._random.random() < 0.1:
            return self._random.choice(self._classes)
        one = self._random.choice(specializers)
        while (below := self._below[one]) and self._random.random() < 0.7:
            one = self._random.choice(below)
        return one


def typed(name: Name) -> str:
    """A name as one can always type it."""
    package, symbol = (part.replace("\\", "\\\\").replace("|", "\\|") for part in name)
    return f"|{package}|::|{symbol}|"


def test_calls_reach_the_methods_that_the_live_image_finds(
    bare_index: Path, sbcl: Sbcl, tmp_path: Path
) -> None:
    with open_index(bare_index) as index:
        draw = Draw(index, 54)
        calls = [draw.call() for _ in range(CALLS)]
        questions = [
            ["call", operator or "", *name, *(part for one in classes for part in one)]
            for operator, name, classes in calls
        ]
        asked = tmp_path / "questions"
        asked.write_text("".join("\t".join(one) + "\n" for one in questions), encoding="utf-8")
        live = ask_oracle(sbcl, "methods", tmp_path / "answers", questions=asked)
        several = possible = 0
        for number, (operator, name, classes) in enumerate(calls):
            form = typed(name) if operator is None else f"({operator.lower()} {typed(name)})"
            answer = index.methods(form, [typed(one) for one in classes])
            assert isinstance(answer, MethodsAnswer), answer
            assert (answer.total, answer.note) == (len(answer.methods), None)
            for role in ("around", "before", "primary", "after"):
                wanted = [
                    (one[1], one[2])
                    for one in live["reached"]
                    if one[0] == str(number) and _ROLES.get(one[1] or "", "primary") == role
                ]
                found = [
                    (one.qualifiers, one.specializers)
                    for one in answer.methods
                    if one.role == role and not one.possibly
                ]
                assert found == wanted, (questions[number], role)
                several += len(wanted) > 1
            marked = {(one.qualifiers, one.specializers) for one in answer.methods if one.possibly}
            assert marked == {(one[1], one[2]) for one in live["possible"] if one[0] == str(number)}
            possible += len(marked)
    reached = {one[0] for one in live["reached"]}
    assert len(reached) >= 200 and several >= 80 and possible >= 20


# The answer


@pytest.fixture(scope="module")
def sample_index() -> Iterator[Index]:
    with open_index(classes_sample()) as index:
        yield index


@pytest.fixture(scope="module")
def reached(sample_index: Index) -> Reached:
    def ask(name: str, *on: str) -> list[tuple[str, str | None, bool]]:
        answer = sample_index.methods(name, on, "CLASSES-SAMPLE")
        assert isinstance(answer, MethodsAnswer), answer
        return [(one.role, one.specializers, one.possibly) for one in answer.methods]

    return ask


def test_methods_come_by_role_most_specific_first(reached: Reached) -> None:
    assert reached("greet", "cat", "dog") == [
        ("around", "(ANIMAL T)", False),
        ("primary", "(ANIMAL ANIMAL)", False),
    ]
    # KITTEN is not finalized: its precedence list is worked out.
    assert reached("print-object", "kitten")[-1] == ("primary", "(T T)", False)
    assert reached("(setf mood)", "t", "kitten") == [("primary", "(T ANIMAL)", False)]


def test_classes_that_are_left_out_or_any_are_t(reached: Reached) -> None:
    assert reached("greet", "cat") == reached("greet", "cat", "_") == reached("greet", "cat", "cl:t")
    assert reached("greet", "cat") == [("around", "(ANIMAL T)", False)]
    assert reached("(setf mood)") == []


def test_eql_specializers_are_possible_where_the_object_is_of_the_class(reached: Reached) -> None:
    three = ("primary", "((EQL 3) T)", True)
    for name in ("integer", "real", "fixnum", "t"):
        assert three in reached("greet", name), name
    for name in ("cat", "string", "ratio"):
        assert three not in reached("greet", name), name


def test_a_method_has_its_place(sample_index: Index) -> None:
    answer = sample_index.methods("greet", ["animal"], "CLASSES-SAMPLE")
    assert isinstance(answer, MethodsAnswer)
    line = line_of("(defmethod greet :around")
    assert (answer.methods[0].line, answer.methods[0].column) == (line, 1)
    assert answer.written == "classes-sample:greet"
    assert answer.on == ["classes-sample:animal", "common-lisp:t"]


def test_what_cannot_be_called_says_why(sample_index: Index) -> None:
    def error(name: str, *on: str) -> tuple[str, list[str]]:
        answer = sample_index.methods(name, on, "CLASSES-SAMPLE")
        assert isinstance(answer, NotFound)
        assert answer.reason
        return answer.error, answer.suggestions

    assert error("car") == ("generic-function-not-found", [])
    assert error("mood") == ("generic-function-not-found", ["(setf classes-sample:mood)"])
    assert error("no-such-name", "t")[0] == "symbol-not-found"
    assert error("greet", "no-such-class")[0] == "symbol-not-found"
    assert error("greet", "car")[0] == "class-not-found"
    assert error("greet", "cat", "t", "t")[0] == "too-many-classes"


def test_lists_are_bounded_and_totals_are_true(sample_index: Index) -> None:
    whole = sample_index.methods("documentation", ["symbol"])
    first = sample_index.methods("documentation", ["symbol"], limit=2)
    second = sample_index.methods("documentation", ["symbol"], limit=2, offset=2)
    assert isinstance(whole, MethodsAnswer) and isinstance(first, MethodsAnswer)
    assert isinstance(second, MethodsAnswer)
    assert whole.total == len(whole.methods) == first.total > 4
    assert [*first.methods, *second.methods] == whole.methods[:4]


def test_the_option_of_the_form_tells_which_argument_decides_first(sample_index: Index) -> None:
    answer = sample_index.methods("weigh", ["cat", "cat"], "CLASSES-SAMPLE")
    assert isinstance(answer, MethodsAnswer)
    assert (answer.argument_precedence, answer.note) == (["HOW", "WHO"], None)
    assert [one.specializers for one in answer.methods] == ["(T ANIMAL)", "(CAT T)"]
    form = "(defgeneric f (a b) ; (:argument-precedence-order a b)\n  (:argument-precedence-order p::b a))"
    assert argument_order(form, ["A", "B"], str.lower) == [1, 0]
    assert argument_order("(defgeneric f (a b))", ["A", "B"], str.lower) == [0, 1]
    assert argument_order("(defgeneric f (a b) (:argument-precedence-order b))", ["A", "B"], str.lower) == [
        0,
        1,
    ]


def test_an_order_that_is_assumed_is_said_to_be(tmp_path: Path) -> None:
    path = Path(shutil.copy(classes_sample(), tmp_path / "without_sources.db"))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM source_lines")
    with open_index(path) as index:
        answer = index.methods("weigh", ["cat", "cat"], "CLASSES-SAMPLE")
        assert isinstance(answer, MethodsAnswer)
        assert [one.specializers for one in answer.methods] == ["(CAT T)", "(T ANIMAL)"]
        assert "assumed to decide from left to right" in (answer.note or "")
        answer = index.methods("weigh", ["cat", "t"], "CLASSES-SAMPLE")
        assert isinstance(answer, MethodsAnswer)
        assert (answer.total, answer.note) == (1, None)  # nothing depends on the order


def test_the_command_answers_as_text_and_as_json(sample_index: Index) -> None:
    ask = ("methods", "greet", "-p", "classes-sample", "--index", sample_index.path)
    done = oblist(*ask, "--on", "cat", "dog")
    assert done.returncode == 0
    heading = "classes-sample:greet on (classes-sample::cat classes-sample::dog): 2 methods\n"
    assert done.stdout.startswith(heading)
    assert re.search(r"^  around \(ANIMAL T\)  \S+/classes-sample\.lisp:\d+:1$", done.stdout, re.MULTILINE)
    assert oblist(*ask, "--on", "cat", "--on", "dog").stdout == done.stdout
    assert json.loads(oblist(*ask, "--on", "integer", "--json").stdout)["methods"][0]["possibly"] is True
    assert "if EQL" in oblist(*ask, "--on", "integer").stdout
    assert "no applicable method" in oblist(*ask, "--on", "ratio").stdout
    assert "... and 1 more: --offset 1" in oblist(*ask, "--on", "cat", "dog", "--limit", "1").stdout
    assert oblist(*ask, "--on", "car").returncode == 1
    assert oblist(*ask, "--on", "cat", "--on", "dog", "t").returncode == 2


_OWN_METHODS = """
SELECT count(*) FROM definitions JOIN symbols ON symbols.id = definitions.symbol_id
JOIN source_files ON source_files.id = definitions.file_id
JOIN systems ON systems.id = source_files.system_id
WHERE definitions.kind = 'method' AND symbols.name = 'PRINT-OBJECT' AND systems.asked = 1
"""
_ALL_METHODS = """
SELECT count(*) FROM definitions JOIN symbols ON symbols.id = definitions.symbol_id
WHERE definitions.kind = 'method' AND symbols.name = 'PRINT-OBJECT'
"""


def test_without_classes_all_methods_are_listed_or_the_projects_own(libraries_index: Path) -> None:
    with open_index(libraries_index) as index:
        every, own = index.methods("print-object"), index.methods("print-object", own=True)
        none, given = index.methods("car-not", own=True), index.methods("print-object", ["t", "t"])
        assert isinstance(every, MethodsAnswer) and isinstance(own, MethodsAnswer)
        assert every.total == index.count(_ALL_METHODS) and own.total == index.count(_OWN_METHODS) > 0
    assert own.total < every.total and every.on is None
    assert [one for one in every.methods if one in own.methods] == own.methods
    assert isinstance(none, NotFound)
    assert isinstance(given, MethodsAnswer) and given.on == ["common-lisp:t", "common-lisp:t"]
