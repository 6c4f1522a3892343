"""class: what one needs to use a class or to define a subclass of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from oblist.indexer.names import written_name
from oblist.query import Index, open_index
from oblist.query.questions.classes.answer import ClassAnswer, GenericToImplement
from oblist.query.questions.classes.protocols import PROTOCOLS
from oblist.query.syntax.features import Features
from oblist.query.syntax.method_body import only_call
from oblist.query.syntax.tokens import Tokens
from support.classes_sample import class_in_sample, classes_sample, line_of
from support.command_line import oblist

Answered = Callable[[str], ClassAnswer]
_HOME = "classes-sample::"


@pytest.fixture(scope="module")
def sample_index() -> Iterator[Index]:
    with open_index(classes_sample()) as index:
        yield index


@pytest.fixture(scope="module")
def answered(sample_index: Index) -> Answered:
    return partial(class_in_sample, sample_index)


# Structures


def test_a_structure_has_its_constructors_predicate_and_copier(answered: Answered) -> None:
    spot = answered("spot")
    constructors = {one.written: (one.by_position, one.arglist, one.line) for one in spot.constructors}
    assert constructors == {
        f"{_HOME}make-spot": (False, "(&KEY ((:X X) NIL) ((:Y Y) NIL))", spot.line),
        f"{_HOME}at-spot": (True, "(X &OPTIONAL (Y 1))", spot.line),
    }
    assert spot.predicate is not None and spot.predicate.written == f"{_HOME}is-spot"
    assert spot.copier is None
    bare = answered("bare")
    assert (bare.constructors, bare.predicate, bare.copier) == ([], None, None)
    pair = answered("pair")  # a list
    assert pair.predicate is not None and pair.copier is not None
    assert [one.written for one in pair.constructors] == [f"{_HOME}make-pair"]
    assert answered("cat").constructors == []


# Instances and conditions


def test_what_makes_an_instance_is_found(answered: Answered) -> None:
    answer = answered("circle")
    (use,) = answer.made_in
    assert (use.by, use.kind, use.line) == (f"{_HOME}unit-circle", "function", line_of("(defun unit-circle"))
    assert (answer.made_total, answer.handled_total) == (1, 0)
    assert answered("square").made_total == 0


def test_what_signals_and_handles_a_condition_is_found(answered: Answered) -> None:
    answer = answered("trouble")
    assert [(use.by, use.kind) for use in answer.made_in] == [
        (f"{_HOME}shout", "function"),
        (f"{_HOME}shouting", "macro"),  # in its template, so after the others
    ]
    assert answer.made_in[1].line == line_of("(defmacro shouting")
    assert answer.made_total == 2
    (use,) = answer.handled_in
    assert (use.by, use.line) == (f"{_HOME}calm", line_of("(defun calm"))
    assert answer.handled_total == 1


def test_pages_of_places_go_on_with_those_in_templates(sample_index: Index) -> None:
    pages = [sample_index.class_("trouble", "CLASSES-SAMPLE", limit=1, offset=number) for number in range(3)]
    assert all(isinstance(one, ClassAnswer) and one.made_total == 2 for one in pages)
    shown = [[use.by for use in one.made_in] for one in pages if isinstance(one, ClassAnswer)]
    assert shown == [[f"{_HOME}shout"], [f"{_HOME}shouting"], []]


def test_the_printer_is_the_most_specific_primary_method(answered: Answered) -> None:
    for name in ("circle", "shape", "unit-square"):
        printer = answered(name).printer
        assert printer is not None
        assert (printer.on, printer.qualifiers) == (f"{_HOME}shape", None)
        assert printer.line == line_of("(defmethod print-object ((shape")
    default = answered("cat").printer
    assert default is not None and default.on == "common-lisp:standard-object"
    assert answered("pair").printer is None  # a list


# Functions to implement


def states(answer: ClassAnswer) -> dict[str, tuple[str, str | None]]:
    """Return what has become of the functions that are left open."""
    return {one.written: (one.state, one.implemented_on) for one in answer.to_implement}


def test_methods_that_only_signal_leave_their_functions_to_subclasses(answered: Answered) -> None:
    area, corners = f"{_HOME}area", f"{_HOME}corners"
    for name in ("shape", "circle"):
        assert states(answered(name)) == {area: ("missing", None), corners: ("missing", None)}
    for name in ("square", "unit-square"):
        assert states(answered(name)) == {
            area: ("missing", None),
            corners: ("implemented", f"{_HOME}square"),
        }
    functions = {one.written: one for one in answered("unit-square").to_implement}
    assert {one.on for one in functions.values()} == {f"{_HOME}shape"}
    assert functions[corners].line == line_of("(defmethod corners ((shape square)")
    assert functions[area].line == line_of("(:method ((shape shape))")
    assert functions[area].protocol is None and functions[area].arglist == "(SHAPE)"


def test_protocols_say_what_a_stream_implements(answered: Answered) -> None:
    answer = answered("upcasing")
    by_name = {one.written: one for one in answer.to_implement}
    write, column = by_name["sb-gray:stream-write-char"], by_name["sb-gray:stream-line-column"]
    assert (write.state, write.implemented_on) == ("implemented", f"{_HOME}upcasing")
    assert write.on == "sb-gray:fundamental-character-output-stream"
    assert write.protocol == "Gray streams (STREAM-DEFINITION-BY-USER:1)"
    assert column.required and column.state in ("default", "missing")  # it depends on SBCL's version
    assert by_name["sb-gray:stream-write-string"].state == "default"
    assert not by_name["sb-gray:stream-write-string"].required
    above = answered("sb-gray:fundamental-character-output-stream")
    assert states(above)["sb-gray:stream-write-char"] == ("missing", None)
    assert answer.unread_methods == 0


def test_the_functions_of_protocols_are_there_and_the_optional_ones_have_methods(bare_index: Path) -> None:
    seen = 0
    with open_index(bare_index) as index:
        for (package, name), protocol in PROTOCOLS.items():
            answer = index.class_(written_name(name, index.upcase), package)
            assert isinstance(answer, ClassAnswer), name
            own = [one for one in answer.to_implement if one.on == answer.written]
            assert len(own) == len(protocol.functions)
            assert all(one.arglist for one in own), "not a generic function"
            assert all(one.state == "default" for one in own if not one.required)
            assert all(one.state in ("missing", "default") for one in own)
            seen += len(own)
        for name in ("list", "vector", "simple-vector", "string"):
            answer = index.class_(name)
            assert isinstance(answer, ClassAnswer)
            functions = answer.to_implement
            assert len(functions) == 5 and all(one.state == "implemented" for one in functions), name
    assert seen >= 20


def test_functions_to_implement_are_bounded_and_their_total_true(sample_index: Index) -> None:
    def page(limit: int, offset: int) -> tuple[int, list[GenericToImplement]]:
        answer = sample_index.class_("upcasing", "CLASSES-SAMPLE", limit=limit, offset=offset)
        assert isinstance(answer, ClassAnswer)
        return answer.to_implement_total, answer.to_implement

    total, whole = page(0, 0)
    assert total == len(whole) >= 10
    assert [*page(3, 0)[1], *page(3, 3)[1]] == whole[:6]


@pytest.mark.parametrize(
    ("text", "operator"),
    [
        ("(defmethod f ((x a)) (error 'b))", "ERROR"),
        ('(cl:defmethod (setf f) :around (new (x a)) "doc" (declare (ignore x)) (cl:error \'b))', "ERROR"),
        ("(:method ((x a) y) ; note\n  (missing :a))", "MISSING"),
        ("(defmethod f () (error 'b))", "ERROR"),
        ("(defmethod f ((x a)) (print x) (error 'b))", None),
        ("(defmethod f ((x a)) x)", None),
        ("(defmethod f ((x a)))", None),
        ('(defmethod f ((x a)) "text")', None),
        ("(defmethod f ((x a)) '(error b))", None),
        ("(defclass a () ((x :initform (error 'b))))", None),
        ("(defmethod f ((x a)) (error", None),
        ("", None),
    ],
)
def test_the_only_call_of_a_method_is_read_from_its_form(text: str, operator: str | None) -> None:
    tokens = Tokens(str.upper)
    assert only_call(text, Features("", tokens), tokens) == operator


def test_the_text_says_it_all(sample_index: Index) -> None:
    def text(name: str) -> str:
        done = oblist("class", name, "-p", "classes-sample", "--index", sample_index.path)
        assert done.returncode == 0
        return done.stdout

    spot = text("spot")
    assert f"\n    {_HOME}at-spot (X &OPTIONAL (Y 1))\n" in spot
    assert f"\n  Predicate: {_HOME}is-spot\n" in spot and "Copier" not in spot
    made = rf"\n  Signalled or made in: 2\n    {_HOME}shout  \S+\n    {_HOME}shouting  \S+\n"
    assert re.search(made, text("trouble"))
    assert re.search(rf"\n  Handled in: 1\n    {_HOME}calm  \S+\n", text("trouble"))
    assert re.search(rf"\n  Made in: 1\n    {_HOME}unit-circle  \S+\n", text("circle"))
    left = (
        f"methods that only signal an error, on {_HOME}shape:\n      {_HOME}area (SHAPE)  left to subclasses"
    )
    assert left in text("shape")
    assert re.search(rf"{_HOME}corners \(SHAPE SCALE\)  implemented on {_HOME}square  \S+\n", text("square"))
    written = rf"stream-write-char \(STREAM CHARACTER\)  implemented on {_HOME}upcasing  \S+\n"
    assert re.search(written, text("upcasing"))
    assert re.search(r"\n      with a default method: \S+stream-", text("upcasing"))
