"""The answer about a class, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...index.answer_field import doc, incomplete_field, outdated_field
from ...index.answer_place import AnswerPlace, with_place
from ...index.finding.guessed import guessed_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(frozen=True, slots=True)
class SlotAnswer:
    """One slot of a class; if several classes define one with the same name, that of the most specific."""

    name: str = doc("exact name")
    defined_in: str = doc("the class that defines it, as typed in Lisp: the class itself, or a superclass")
    type: str | None = doc("declared type; null for T")
    allocation: str = doc("instance or class")
    initargs: list[str] = doc("initargs")
    initform: str | None = doc("initial value form as source; null when there is none")
    readers: list[str] = doc("functions that read the slot, as typed in Lisp")
    writers: list[str] = doc("functions that write the slot, such as `(setf foo:bar)`")
    read_only: bool = doc("true for a read-only slot of a structure")
    documentation: str | None = doc("documentation string")


@with_place()
@dataclass(frozen=True, slots=True)
class SubclassAnswer(AnswerPlace):
    """One direct subclass."""

    written: str = doc("the name as you would type it")
    kind: str = doc("class, structure or condition")


@with_place()
@dataclass(frozen=True, slots=True)
class MethodAnswer(AnswerPlace):
    """One method that specializes on the class, or on one of its superclasses."""

    written: str = doc("the generic function, as typed in Lisp")
    on: str = doc("the class on which it specializes: the class itself, or a superclass")
    package: str | None = doc("home package of the generic function's name")
    qualifiers: str | None = doc("method qualifiers")
    specializers: str | None = doc("specializers of all required parameters")
    arglist: str | None = doc("lambda list")


@with_place()
@dataclass(frozen=True, slots=True)
class StructureFunction(AnswerPlace):
    """A constructor, the predicate or the copier of a structure."""

    written: str = doc("the function, as typed in Lisp")
    by_position: bool = doc("true for a constructor with a lambda list of its own (BOA)")
    arglist: str | None = doc("lambda list")


@with_place()
@dataclass(frozen=True, slots=True)
class GenericToImplement(AnswerPlace):
    """A generic function that the class, or a superclass, leaves to its subclasses to implement."""

    written: str = doc("the generic function, as typed in Lisp")
    arglist: str | None = doc("lambda list of the generic function")
    on: str = doc("the class that leaves it to its subclasses: the class itself, or a superclass")
    protocol: str | None = doc(
        "the document that says so; null if no document does, but a method on that class merely signals"
    )
    required: bool = doc("false if the document says that there is a default method")
    state: str = doc(
        "implemented (by the class, or by one between it and `on`), default (by a method on `on` or above "
        "it) or missing"
    )
    implemented_on: str | None = doc(
        "the class of the method that a call reaches; null if there is none. The place is that of this "
        "method, or else of the one that merely signals"
    )


@dataclass(frozen=True, slots=True)
class ClassUse:
    """A place in the text that makes an instance of the class, or that handles the condition."""

    by: str = doc("the definition there, as typed in Lisp: `foo:bar`, `(method foo:bar (t))`")
    kind: str | None = doc("kind of that definition; null for code outside any definition")
    path: str | None = doc("absolute path of the source file")
    line: int | None = doc("line, from 1")
    column: int | None = doc("column of the name of the class, from 1")
    text: str | None = doc("the text of that line")


@with_place(before="system")
@dataclass(frozen=True, slots=True)
class ClassAnswer(AnswerPlace):
    """The parts of a class, structure or condition: the answer of class."""

    of_uses: ClassVar = True

    name: str = doc("exact name")
    package: str = doc("home package")
    written: str = doc("the name as you would type it")
    kind: str = doc("class, structure or condition")
    metaclass: str | None = doc("its metaclass; null for a typed structure, which is not a class")
    representation: str | None = doc("LIST or VECTOR for a typed structure")
    accessor_prefix: str | None = doc("prefix of a structure's accessor names")
    documentation: str | None = doc("documentation string")
    system: str | None = doc("ASDF system it belongs to")
    superclasses: list[str] = doc("direct superclasses in order; for a structure, the structure it includes")
    precedence: list[str] | None = doc(
        "class precedence list, starting with the class itself; null until the class is finalized"
    )
    computed_precedence: list[str] | None = doc(
        "class precedence list computed from the superclasses, for a class that is not finalized; null if a "
        "superclass is not defined, or if the orders of the superclasses contradict each other"
    )
    slots: list[SlotAnswer] = doc("its own slots, then those it inherits")
    default_initargs: dict[str, str] = doc("its own default initargs, with their forms as source")
    constructors: list[StructureFunction] = doc("the constructors that DEFSTRUCT made")
    predicate: StructureFunction | None = doc("the predicate that DEFSTRUCT made")
    copier: StructureFunction | None = doc("the copier that DEFSTRUCT made")
    made_total: int = doc(
        "number of places in the text that make an instance of it by name, with make-instance, "
        "make-condition, error, signal, warn or cerror; in macro templates, only places on one line, and "
        "only among the first 40 that merely name it"
    )
    made_in: list[ClassUse] = doc("the first of these places, after `offset`")
    handled_total: int = doc("number of places in the text that handle the condition by name")
    handled_in: list[ClassUse] = doc("the first of these places, after `offset`")
    printer: MethodAnswer | None = doc(
        "the most specific primary method of print-object, unless that is the one on T"
    )
    to_implement_total: int = doc(
        "number of generic functions that the class or a superclass leaves to its subclasses to implement: "
        "by a documented protocol, or by a method that merely signals a condition"
    )
    to_implement: list[GenericToImplement] = doc(
        "the first of these after `offset`, sorted by the class that leaves them, then by protocol, then "
        "required before optional, then missing before others"
    )
    unread_methods: int = doc(
        "number of methods beyond those that were read, any of which may merely signal; 0 for most classes"
    )
    subclasses_total: int = doc("number of direct subclasses")
    subclasses: list[SubclassAnswer] = doc("the first direct subclasses by name, after `offset`")
    methods_total: int = doc(
        "number of methods that specialize on it, excluding the accessors of its own slots"
    )
    methods: list[MethodAnswer] = doc("the first of these methods by name, after `offset`")
    inherited_methods_total: int = doc(
        "number of methods that apply because of its superclasses; accessors of `slots` and methods on T "
        "(which apply to everything) are excluded"
    )
    inherited_from: dict[str, int] = doc("the number of these methods on each superclass")
    inherited_methods: list[MethodAnswer] = doc(
        "the first of these methods, those on the most specific class first, after `offset`"
    )
    offset: int = doc("number of items skipped in each of the lists that have a total")
    note: str | None = doc("a remark about the name as typed")
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
    guessed: str | None = guessed_field()
