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
    """One slot of a class; of several slots with the same name, the most specific class's."""

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

    written: str = doc("the form to type back")
    kind: str = doc("class, structure or condition")


@with_place()
@dataclass(frozen=True, slots=True)
class MethodAnswer(AnswerPlace):
    """One method that specializes on the class, or on one of its superclasses."""

    written: str = doc("the generic function, as typed in Lisp")
    on: str = doc("the class that it specializes on: the class itself, or a superclass")
    package: str | None = doc("home package of its name")
    qualifiers: str | None = doc("method qualifiers")
    specializers: str | None = doc("specializers of all required arguments")
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
    """A generic function that a superclass leaves to its subclasses."""

    written: str = doc("the generic function, as typed in Lisp")
    arglist: str | None = doc("lambda list of the generic function")
    on: str = doc("the class that leaves it to its subclasses: the class itself, or a superclass")
    protocol: str | None = doc("the document that says so; null if the method on that class only signals")
    required: bool = doc("false if, by the document, there is a default method")
    state: str = doc(
        "implemented (by the class or one between), default (by the protocol's own method) or missing"
    )
    implemented_on: str | None = doc(
        "the class with the method that a call reaches; null if it is missing. The place is that of this "
        "method, else of the one that signals"
    )


@dataclass(frozen=True, slots=True)
class ClassUse:
    """A place in the text that makes an instance of the class, or that handles the condition."""

    by: str = doc("the definition there, as typed in Lisp: `foo:bar`, `(method foo:bar (t))`")
    kind: str | None = doc("kind of that definition; null for code that belongs to none")
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
    written: str = doc("the form to type back")
    kind: str = doc("class, structure or condition")
    metaclass: str | None = doc("its metaclass; null for a typed structure, which is not a class")
    representation: str | None = doc("LIST or VECTOR for a typed structure")
    accessor_prefix: str | None = doc("prefix of a structure's accessor names")
    documentation: str | None = doc("documentation string")
    system: str | None = doc("ASDF system it belongs to")
    superclasses: list[str] = doc("direct superclasses in order; for a structure, the structure it includes")
    precedence: list[str] | None = doc(
        "class precedence list, starting with the class itself; null until it is finalized"
    )
    computed_precedence: list[str] | None = doc(
        "the list worked out from the superclasses, for a class that is not finalized; null if one is not "
        "defined, or if their orders contradict each other"
    )
    slots: list[SlotAnswer] = doc("its own slots, then those it inherits")
    default_initargs: dict[str, str] = doc("its own default initargs, with their forms as source")
    constructors: list[StructureFunction] = doc("the constructors that DEFSTRUCT made")
    predicate: StructureFunction | None = doc("the predicate that DEFSTRUCT made")
    copier: StructureFunction | None = doc("the copier that DEFSTRUCT made")
    made_total: int = doc(
        "number of places in the text that make an instance of it by name: make-instance, make-condition, "
        "error, signal, warn or cerror; of those in templates of macros, the ones that are on one line, and "
        "among the first 40 uses of the mere name"
    )
    made_in: list[ClassUse] = doc("the first of these places, after `offset`")
    handled_total: int = doc("number of places in the text that handle the condition by name")
    handled_in: list[ClassUse] = doc("the first of these places, after `offset`")
    printer: MethodAnswer | None = doc(
        "the most specific primary method of print-object, if it is not that on T"
    )
    to_implement_total: int = doc(
        "number of generic functions that the class or a superclass leaves to subclasses: by a documented "
        "protocol, or by a method that only signals"
    )
    to_implement: list[GenericToImplement] = doc(
        "the first of these, by the class that leaves them and its protocol, the missing ones first, after "
        "`offset`"
    )
    unread_methods: int = doc(
        "number of methods that were too many to look whether they only signal; 0 for most classes"
    )
    subclasses_total: int = doc("number of direct subclasses")
    subclasses: list[SubclassAnswer] = doc("the first direct subclasses by name, after `offset`")
    methods_total: int = doc(
        "number of methods that specialize on it, without the accessors of its own slots"
    )
    methods: list[MethodAnswer] = doc("the first of these methods by name, after `offset`")
    inherited_methods_total: int = doc(
        "number of methods that apply because of its superclasses, without accessors of `slots`, and without "
        "those on T, which apply to everything"
    )
    inherited_from: dict[str, int] = doc("the number of these methods by the superclass that they are on")
    inherited_methods: list[MethodAnswer] = doc(
        "the first of these methods, those on the most specific class first, after `offset`"
    )
    offset: int = doc("number of items skipped in each of the lists that have a total")
    note: str | None = doc("a remark about the name as typed")
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
    guessed: str | None = guessed_field()
