"""Classes: the index agrees with the live metaobject protocol, and answers from its rows."""

from __future__ import annotations

import json
import random
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from oblist.lisp.sbcl import Sbcl
from oblist.query import Index, open_index
from oblist.query.answers import NotFound
from oblist.query.index import written
from oblist.query.index.written import SymbolRow
from oblist.query.questions.classes.answer import ClassAnswer
from oblist.query.questions.classes.precedence import computed, recorded, sort_classes
from support.builds.systems import SYSTEMS
from support.classes_sample import class_in_sample, classes_sample, line_of
from support.command_line import oblist
from support.oracle import Answers, ask_oracle, assert_same, in_any_order, without_addresses

CLASSES_DRAWN = 500
Method = tuple[str, str | None, str | None]
_SYMBOL = """(SELECT packages.name FROM symbols LEFT JOIN packages ON packages.id = symbols.package_id
              WHERE symbols.id = {0}), (SELECT name FROM symbols WHERE id = {0})"""
CLASS = _SYMBOL.format("definitions.symbol_id")


class Image:
    """One image twice: live answers, and its index."""

    def __init__(self, answers: Answers, connection: sqlite3.Connection) -> None:
        self.live = answers
        self._connection = connection

    def rows(self, table: str, *columns: str, where: str = "true") -> list[tuple[Any, ...]]:
        """Return the rows of a table about classes, each preceded by the name of the class."""
        statement = f"""SELECT {", ".join((CLASS, *columns))} FROM {table}
                        JOIN definitions ON definitions.id = {table}.class_id
                        JOIN classes ON classes.class_id = definitions.id
                        WHERE classes.representation IS NULL AND {where}"""
        return [tuple(map(_text, row)) for row in self._connection.execute(statement)]

    def select(self, statement: str) -> list[tuple[Any, ...]]:
        return [tuple(map(_text, row)) for row in self._connection.execute(statement)]


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


@pytest.fixture(scope="module", params=["systems", pytest.param("bare", marks=pytest.mark.full)])
def image(
    request: pytest.FixtureRequest, sbcl: Sbcl, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Image]:
    path: Path = request.getfixturevalue(f"{request.param}_index")
    systems = SYSTEMS if request.param == "systems" else ()
    answers = ask_oracle(sbcl, "classes", tmp_path_factory.mktemp("oracle") / "answers", systems=systems)
    with closing(sqlite3.connect(path)) as connection:
        yield Image(answers, connection)


def test_every_class_is_there_with_its_metaclass_and_whether_it_is_finalized(image: Image) -> None:
    found = image.select(
        f"""SELECT {CLASS}, {_SYMBOL.format("metaclass_id")}, finalized FROM classes
            JOIN definitions ON definitions.id = class_id WHERE representation IS NULL"""
    )
    assert_same(image.live["class"], found, at_least=700)


@pytest.mark.parametrize(
    ("table", "tag", "most"),
    [("class_superclasses", "superclass", 700), ("class_precedence", "precedence", 4000)],
)
def test_superclasses_and_precedence_lists_are_there_in_order(
    image: Image, table: str, tag: str, most: int
) -> None:
    found = image.rows(table, "position", _SYMBOL.format(f"{table}.symbol_id"))
    assert_same(image.live[tag], found, at_least=most)


def test_slots_have_name_type_allocation_initform_and_initargs(image: Image) -> None:
    columns = ("type", "allocation", "initform", "initargs")
    found = image.rows("slots", "position", "name", _SYMBOL.format("slots.symbol_id"), *columns)
    found = [(*row[:4], *row[4:5], *row[6:]) for row in found]

    def comparable(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        plain = [tuple(without_addresses(part or "\0") for part in row) for row in rows]
        return in_any_order([(*row[:5], *row[6:], row[5]) for row in plain])

    assert_same(comparable(image.live["slot"]), comparable(found), at_least=1500)


def test_slots_of_standard_classes_have_their_documentation(image: Image) -> None:
    found = image.rows("slots", "slots.name", "slots.documentation", where="definitions.kind = 'class'")
    live = set(image.live["slot-documentation"])
    assert len(live) >= 50
    assert live <= set(found)


def test_slots_have_their_readers_and_writers(image: Image) -> None:
    found = image.rows(
        "slot_accessors",
        """(SELECT name FROM slots WHERE slots.class_id = slot_accessors.class_id
                                     AND slots.position = slot_accessors.slot)""",
        "role",
        "slot_accessors.operator",
        _SYMBOL.format("slot_accessors.symbol_id"),
    )
    assert_same(image.live["accessor"], found, at_least=2500)


def test_default_initargs_are_there_with_their_forms(image: Image) -> None:
    found = image.rows("default_initargs", "position", "initarg", "form")
    assert_same(image.live["default-initarg"], found, at_least=50)


def test_structures_have_their_constructors_predicate_and_copier(image: Image) -> None:
    found = image.select(
        f"""SELECT {CLASS}, role, by_position, {_SYMBOL.format("structure_functions.symbol_id")}
            FROM structure_functions JOIN definitions ON definitions.id = class_id"""
    )
    assert_same(image.live["structure-function"], found, at_least=500)
    assert {row[2] for row in found} == {"constructor", "predicate", "copier"}
    assert {row[3] for row in found if row[2] == "constructor"} == {"0", "1"}


def test_methods_have_their_specializers_as_rows(image: Image) -> None:
    found = image.select(
        f"""SELECT {CLASS}, definitions.operator, definitions.qualifiers, position,
                   {_SYMBOL.format("method_specializers.symbol_id")}, eql
            FROM method_specializers JOIN definitions ON definitions.id = definition_id"""
    )

    def comparable(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        return [(*row[:-1], row[-1] and without_addresses(row[-1])) for row in rows]

    assert_same(comparable(image.live["specializer"]), comparable(found), at_least=1000)


# The answer


@pytest.fixture(scope="module")
def sample_index() -> Iterator[Index]:
    with open_index(classes_sample()) as index:
        yield index


@pytest.fixture(scope="module")
def answered(sample_index: Index) -> Callable[[str], ClassAnswer]:
    return partial(class_in_sample, sample_index)


def test_a_class_has_its_own_slots_with_everything(answered: Callable[[str], ClassAnswer]) -> None:
    answer = answered("animal")
    assert (answer.kind, answer.metaclass) == ("class", "common-lisp:standard-class")
    assert answer.documentation == "What moves by itself."
    assert (answer.system, answer.line) == ("classes-sample", line_of("(defclass animal"))
    assert answer.superclasses == ["classes-sample::named"]
    assert answer.default_initargs == {":LEGS": "(+ 2 2)"}
    legs, name = answer.slots
    assert legs.name == "LEGS" and legs.defined_in == "classes-sample:animal"
    assert (legs.type, legs.allocation) == ("(OR NULL CONS)", "class")
    assert legs.initargs == [":FEET", ":LEGS"]  # as SBCL keeps them
    assert legs.initform == "(LIST 1 `(A ,B))"
    assert legs.readers == ["classes-sample::legs-of", "classes-sample:legs"]
    assert legs.writers == ["classes-sample::set-legs", "(setf classes-sample::legs-of)"]
    assert legs.documentation == "How many it stands on."
    assert (name.name, name.defined_in, name.initform) == ("NAME", "classes-sample::named", None)


def test_nothing_is_finalized_to_learn_a_precedence_list(answered: Callable[[str], ClassAnswer]) -> None:
    assert answered("animal").precedence is None
    # Inherited slots are listed all the same, from its superclasses.
    assert [slot.name for slot in answered("animal").slots] == ["LEGS", "NAME"]
    assert answered("used").precedence == [
        "classes-sample::used",
        "common-lisp:standard-object",
        "sb-pcl::slot-object",
        "common-lisp:t",
    ]


def test_precedence_lists_worked_out_from_superclasses_are_those_of_the_image(bare_index: Path) -> None:
    with open_index(bare_index) as index:
        classes = index.connection.execute(
            """SELECT symbol_id, class_id FROM classes JOIN definitions ON definitions.id = class_id
               WHERE finalized"""
        ).fetchall()
        differ = []
        for symbol, number in classes:
            order = computed(index, symbol)
            if order != recorded(index, number):
                differ.append(order and order[0].name)
    assert len(classes) >= 700
    # SBCL wires the lists of built-in classes in; here it adds SIMPLE-ARRAY, which is not above this class,
    # as its own COMPUTE-CLASS-PRECEDENCE-LIST says. The answer has the list that SBCL has.
    assert set(differ) <= {"SIMPLE-ARRAY-NIL"}


def test_the_precedence_list_of_a_class_that_is_not_finalized_is_worked_out(
    answered: Callable[[str], ClassAnswer],
) -> None:
    assert answered("kitten").computed_precedence == [
        "classes-sample::kitten",
        "classes-sample::cat",
        "classes-sample:animal",
        "classes-sample::named",
        "common-lisp:standard-object",
        "sb-pcl::slot-object",
        "common-lisp:t",
    ]
    assert answered("used").computed_precedence is None  # SBCL has computed it
    assert answered("pair").computed_precedence is None  # a list


def test_a_class_with_an_undefined_superclass_has_no_precedence_list(
    answered: Callable[[str], ClassAnswer],
) -> None:
    answer = answered("unborn")
    assert answer.superclasses == ["classes-sample::nobody"]
    assert (answer.precedence, answer.computed_precedence) == (None, None)


def test_classes_are_sorted_as_the_standard_does() -> None:
    # The example of CLHS 4.3.5.2: PIE, APPLE, FRUIT, CINNAMON, SPICE, FOOD, standard-object.
    pie, apple, fruit, cinnamon, spice, food, top = range(7)
    direct = {pie: [apple, cinnamon], apple: [fruit], cinnamon: [spice], fruit: [food], spice: [food]}
    assert sort_classes(pie, {**direct, food: [top], top: []}) == [*range(7)]
    # SBCL does not let one define such a class; its superclasses may have changed since.
    a, b, c, d, e = range(5)
    assert sort_classes(a, {a: [b, c], b: [d, e], c: [e, d], d: [], e: []}) is None


def test_subclasses_and_methods_are_found_with_their_places(answered: Callable[[str], ClassAnswer]) -> None:
    answer = answered("animal")
    assert [one.written for one in answer.subclasses] == ["classes-sample::cat", "classes-sample::dog"]
    assert answer.subclasses[0].line == line_of("(defclass cat")
    methods = {(one.written, one.qualifiers, one.specializers): one for one in answer.methods}
    greeting = methods["classes-sample:greet", ":AROUND", "(ANIMAL T)"]
    assert greeting.line == line_of("(defmethod greet :around")
    assert greeting.arglist == "(WHO HOW)"
    assert ("(setf classes-sample:mood)", None, "(T ANIMAL)") in methods
    # Both arguments are animals: one method, listed once.
    assert ("classes-sample:greet", None, "(ANIMAL ANIMAL)") in methods
    assert len(answer.methods) == answer.methods_total
    # Its accessors are with its slots, and only there.
    assert ("classes-sample:legs", None, "(ANIMAL)") not in methods
    assert "classes-sample:legs" in answer.slots[0].readers


def test_the_methods_that_apply_are_those_that_the_live_image_finds(
    bare_index: Path, sbcl: Sbcl, tmp_path: Path
) -> None:
    with open_index(bare_index) as index:
        rows = index.connection.execute(f"SELECT {written.COLUMNS} FROM symbols").fetchall()
        symbols = {row[0]: SymbolRow(*row) for row in rows}
        forms = {
            (row.package and index.package_names[row.package], row.name): row.number
            for row in symbols.values()
        }
        classes = index.connection.execute(
            """SELECT definitions.symbol_id FROM classes JOIN definitions ON definitions.id = class_id
               JOIN symbols ON symbols.id = symbol_id
               WHERE representation IS NULL AND symbols.name <> 'T' ORDER BY definitions.id"""
        ).fetchall()
        drawn = [symbols[number] for (number,) in random.Random(55).sample(classes, CLASSES_DRAWN)]
        asked = tmp_path / "questions"
        names = [f"{index.package_names[one.package or 0]}\t{one.name}" for one in drawn]
        printing = "call\t\tCOMMON-LISP\tPRINT-OBJECT\t{}\tCOMMON-LISP\tT\n"
        asked.write_text(
            "".join([*(f"class\t{name}\n" for name in names), *map(printing.format, names)]), encoding="utf-8"
        )
        live = ask_oracle(sbcl, "methods", tmp_path / "answers", questions=asked)
        wanted: dict[int, Counter[Method]] = defaultdict(Counter)
        for number, operator, package, name, qualifiers, specializers in live["method"]:
            form = symbols[forms[package, str(name)]].written(index, operator)
            wanted[int(number or 0)][form, qualifiers, without_addresses(str(specializers))] += 1
        printers: dict[int, str | None] = {}
        for number, qualifiers, specializers in live["reached"]:
            if qualifiers is None:
                printers.setdefault(int(number or 0) - len(drawn), specializers)
        inherited = accessors = 0
        for number, one in enumerate(drawn):
            answer = index.class_(one.written(index))
            assert isinstance(answer, ClassAnswer)
            shown = [*answer.methods, *answer.inherited_methods]
            found = Counter((each.written, each.qualifiers, each.specializers) for each in shown)
            # Accessors are with their slots, and only there.
            of_slots = {form for slot in answer.slots for form in (*slot.readers, *slot.writers)}
            missing = wanted[number] - found
            assert all(form in of_slots and not rest for form, rest, _ in missing), (one.name, missing)
            assert found - wanted[number] == Counter(), one.name
            assert len(answer.inherited_methods) == answer.inherited_methods_total
            assert sum(answer.inherited_from.values()) == answer.inherited_methods_total
            once = {
                (slot.defined_in, form) for slot in answer.slots for form in (*slot.readers, *slot.writers)
            }
            assert all(each.qualifiers or (each.on, each.written) not in once for each in shown), one.name
            printer = "(T T)" if answer.printer is None else answer.printer.specializers
            assert printer == printers[number], one.name
            inherited += len(answer.inherited_methods)
            accessors += missing.total()
    assert inherited >= 5000 and accessors >= 300


def test_inherited_methods_come_by_class_most_specific_first(answered: Callable[[str], ClassAnswer]) -> None:
    answer = answered("kitten")
    assert answer.methods == []
    on = [one.on for one in answer.inherited_methods]
    assert (
        [*dict.fromkeys(on)]
        == [*answer.inherited_from]
        == [
            "classes-sample::cat",
            "classes-sample:animal",
            "common-lisp:standard-object",
            "sb-pcl::slot-object",
        ]
    )
    methods = [(one.written, one.qualifiers, one.specializers, one.on) for one in answer.inherited_methods]
    assert methods[0] == ("classes-sample::weigh", None, "(CAT T)", "classes-sample::cat")
    # Both arguments are animals: one method, listed once.
    assert methods.count(("classes-sample:greet", None, "(ANIMAL ANIMAL)", "classes-sample:animal")) == 1
    names = [one.written for one in answer.inherited_methods]
    assert "classes-sample:legs" not in names  # which is with its slot
    assert "classes-sample:legs" in answer.slots[1].readers
    assert [one.on for one in answered("cat").methods] == ["classes-sample::cat"]


def test_inherited_methods_are_bounded_and_their_totals_true(sample_index: Index) -> None:
    def kitten(limit: int, offset: int) -> ClassAnswer:
        answer = sample_index.class_("kitten", "CLASSES-SAMPLE", limit=limit, offset=offset)
        assert isinstance(answer, ClassAnswer)
        return answer

    whole, first, second = kitten(0, 0), kitten(2, 0), kitten(2, 2)
    assert whole.inherited_methods_total == first.inherited_methods_total == len(whole.inherited_methods) > 4
    assert [*first.inherited_methods, *second.inherited_methods] == whole.inherited_methods[:4]
    assert first.inherited_from == second.inherited_from == whole.inherited_from
    everything = sample_index.class_("t", limit=2)
    assert isinstance(everything, ClassAnswer)
    assert (everything.inherited_methods_total, everything.inherited_methods) == (0, [])


def test_a_redefined_slot_hides_the_inherited_one(answered: Callable[[str], ClassAnswer]) -> None:
    (name, legs) = answered("cat").slots
    assert (name.name, name.defined_in, name.initform) == ("NAME", "classes-sample::cat", '"Tom"')
    assert (legs.name, legs.defined_in) == ("LEGS", "classes-sample:animal")


def test_a_name_without_a_home_package_keeps_its_case_and_pipes(
    answered: Callable[[str], ClassAnswer], sample_index: Index
) -> None:
    assert answered("stray").superclasses == ["#:|odd Gone|"]
    found = sample_index.search("odd gone")
    assert "#:|odd Gone|" in [match.written for match in found.matches]


def test_structures_have_accessors_types_and_what_they_include(
    answered: Callable[[str], ClassAnswer],
) -> None:
    answer = answered("place")
    assert (answer.kind, answer.accessor_prefix) == ("structure", "AT-")
    assert answer.superclasses == ["classes-sample::base"]
    x, tag = answer.slots
    assert (x.name, x.type, x.initform, x.read_only) == ("X", "FIXNUM", "0", True)
    assert (x.readers, x.writers) == (["classes-sample::at-x"], [])
    assert (tag.name, tag.defined_in, tag.read_only) == ("TAG", "classes-sample::base", False)
    assert tag.writers == ["(setf classes-sample::base-tag)"]


def test_typed_structures_say_so(answered: Callable[[str], ClassAnswer]) -> None:
    answer = answered("pair")
    assert (answer.kind, answer.metaclass, answer.representation) == ("structure", None, "LIST")
    assert [slot.name for slot in answer.slots] == ["LEFT", "RIGHT"]
    assert answer.precedence is None


def test_conditions_have_their_forms_unquoted_and_their_documentation(
    answered: Callable[[str], ClassAnswer],
) -> None:
    answer = answered("trouble")
    assert answer.kind == "condition"
    assert answer.superclasses == ["common-lisp:error"]
    assert answer.precedence and answer.precedence[1] == "common-lisp:error"
    (code,) = answer.slots
    assert (code.initform, code.initargs, code.documentation) == ("(+ 1 2)", [":CODE"], "What went wrong.")
    assert code.readers == ["classes-sample::trouble-code"]


def test_a_name_without_a_class_says_its_type(sample_index: Index) -> None:
    answer = sample_index.class_("car")
    assert isinstance(answer, NotFound)
    assert answer.error == "class-not-found"
    assert "function" in str(answer.reason)
    answer = sample_index.class_("no-such-name")
    assert isinstance(answer, NotFound) and answer.error == "symbol-not-found"


def test_lists_are_bounded_and_totals_are_true(sample_index: Index) -> None:
    answer = sample_index.class_("t", limit=3)
    assert isinstance(answer, ClassAnswer)
    assert len(answer.methods) == 3 < answer.methods_total
    assert len(answer.subclasses) == 3 < answer.subclasses_total


def test_the_command_answers_as_text_and_as_json(sample_index: Index) -> None:
    done = oblist("class", "classes-sample:animal", "--index", sample_index.path)
    assert done.returncode == 0
    assert done.stdout.startswith("classes-sample:animal [CLASS]\n")
    known = "classes-sample:animal, classes-sample::named, common-lisp:standard-object"
    assert f"Precedence: not finalized yet; computed from its superclasses: {known}" in done.stdout
    assert oblist("class", "t", "--index", sample_index.path).stdout.count("Precedence: common-lisp:t\n") == 1
    assert re.search(r"classes-sample::cat +\S+/classes-sample\.lisp:\d+:1$", done.stdout, re.MULTILINE)
    done = oblist("class", "animal", "-p", "classes-sample", "--json", "--index", sample_index.path)
    assert json.loads(done.stdout)["slots"][0]["name"] == "LEGS"
    done = oblist("class", "classes-sample::kitten", "--limit", "1", "--index", sample_index.path)
    assert re.search(
        r"^  Inherited methods: \d+\n    on classes-sample::cat: 1\n"
        r"      classes-sample::weigh \(CAT T\)  \S+\n"
        r"    \.\.\. and \d+ more: --offset 1$",
        done.stdout,
        re.MULTILINE,
    )
    assert oblist("class", "car", "--index", sample_index.path).returncode == 1
    done = oblist("class", "t", "--limit", "2", "--index", sample_index.path)
    assert len(re.findall(r"^    \.\.\. and \d+ more: --offset 2$", done.stdout, re.MULTILINE)) == 2
    done = oblist("class", "t", "--limit", "2", "--offset", "2", "--json", "--index", sample_index.path)
    assert json.loads(done.stdout)["offset"] == 2
