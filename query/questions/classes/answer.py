"""The answer about a class, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc


@dataclass(frozen=True, slots=True)
class SlotAnswer:
    """One slot of a class; of several of one name, that of the most specific class."""

    name: str = doc("exact name")
    defined_in: str = doc("the class that defines it, as one types it: the class itself, or one above")
    type: str | None = doc("declared type; null for T")
    allocation: str = doc("instance or class")
    initargs: list[str] = doc("initargs")
    initform: str | None = doc("initial value form as source; null when there is none")
    readers: list[str] = doc("functions that read it, as one types them")
    writers: list[str] = doc("functions that write it, such as `(setf foo:bar)`")
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
    """One method that specializes on the class."""

    written: str = doc("the generic function, as one types it")
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
    """What a class, structure or condition is made of: the answer of class."""

    name: str = doc("exact name")
    package: str = doc("home package")
    written: str = doc("the form to type back")
    kind: str = doc("class, structure or condition")
    metaclass: str | None = doc("its metaclass; null for a typed structure, which is no class")
    representation: str | None = doc("LIST or VECTOR for a typed structure")
    accessor_prefix: str | None = doc("what the names of a structure's accessors begin with")
    documentation: str | None = doc("documentation string")
    path: str | None = doc("absolute path of the source file")
    root: str | None = doc("name of the root that `relative_path` is relative to")
    relative_path: str | None = doc("path of the source file below its root")
    line: int | None = doc("line of its form, from 1")
    column: int | None = doc("column of its form, from 1")
    system: str | None = doc("ASDF system it belongs to")
    superclasses: list[str] = doc("direct superclasses in order; of a structure, what it includes")
    precedence: list[str] | None = doc("precedence list from the class itself on; null until it is finalized")
    slots: list[SlotAnswer] = doc("its own slots, then those it inherits")
    default_initargs: dict[str, str] = doc("its own default initargs with their forms as source")
    subclasses_total: int = doc("how many direct subclasses there are")
    subclasses: list[SubclassAnswer] = doc("the first of them by name, after `offset`")
    methods_total: int = doc("how many methods specialize on it")
    methods: list[MethodAnswer] = doc("the first of them by name, after `offset`")
    offset: int = doc("how many were left out at the front of `subclasses` and of `methods`")
    note: str | None = doc("what to know about the name as it was typed")


CLASS_ANSWERS = (ClassAnswer, SlotAnswer, SubclassAnswer, MethodAnswer)
