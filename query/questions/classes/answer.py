"""The answer about a class, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc
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


@dataclass(frozen=True, slots=True)
class SubclassAnswer:
    """One direct subclass."""

    written: str = doc("the form to type back")
    kind: str = doc("class, structure or condition")
    path: str | None = doc("absolute path of the source file")
    root: str | None = doc("name of the root that `relative_path` is relative to")
    relative_path: str | None = doc("path of the source file below its root")
    line: int | None = doc("line of its form, from 1")
    column: int | None = doc("column of its form, from 1")


@dataclass(frozen=True, slots=True)
class MethodAnswer:
    """One method that specializes on the class, or on one of its superclasses."""

    written: str = doc("the generic function, as typed in Lisp")
    on: str = doc("the class that it specializes on: the class itself, or a superclass")
    package: str | None = doc("home package of its name")
    qualifiers: str | None = doc("method qualifiers")
    specializers: str | None = doc("specializers of all required arguments")
    arglist: str | None = doc("lambda list")
    path: str | None = doc("absolute path of the source file")
    root: str | None = doc("name of the root that `relative_path` is relative to")
    relative_path: str | None = doc("path of the source file below its root")
    line: int | None = doc("line of the method's own form, from 1")
    column: int | None = doc("column of the method's own form, from 1")


@dataclass(frozen=True, slots=True)
class ClassAnswer:
    """The parts of a class, structure or condition: the answer of class."""

    name: str = doc("exact name")
    package: str = doc("home package")
    written: str = doc("the form to type back")
    kind: str = doc("class, structure or condition")
    metaclass: str | None = doc("its metaclass; null for a typed structure, which is not a class")
    representation: str | None = doc("LIST or VECTOR for a typed structure")
    accessor_prefix: str | None = doc("prefix of a structure's accessor names")
    documentation: str | None = doc("documentation string")
    path: str | None = doc("absolute path of the source file")
    root: str | None = doc("name of the root that `relative_path` is relative to")
    relative_path: str | None = doc("path of the source file below its root")
    line: int | None = doc("line of its form, from 1")
    column: int | None = doc("column of its form, from 1")
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
    subclasses_total: int = doc("number of direct subclasses")
    subclasses: list[SubclassAnswer] = doc("the first direct subclasses by name, after `offset`")
    methods_total: int = doc("number of methods that specialize on it")
    methods: list[MethodAnswer] = doc("the first of these methods by name, after `offset`")
    inherited_methods_total: int = doc(
        "number of methods that apply because of its superclasses, without accessors of `slots`, and without "
        "those on T, which apply to everything"
    )
    inherited_from: dict[str, int] = doc("the number of these methods by the superclass that they are on")
    inherited_methods: list[MethodAnswer] = doc(
        "the first of these methods, those on the most specific class first, after `offset`"
    )
    offset: int = doc("number of `subclasses`, of `methods` and of `inherited_methods` skipped")
    note: str | None = doc("a remark about the name as typed")
    incomplete: str | None = doc(
        "what did not load, if the answer may lack something because of it", default=None
    )
    seen_from: SeenFrom | None = seen_from()


CLASS_ANSWERS = (ClassAnswer, SlotAnswer, SubclassAnswer, MethodAnswer)
