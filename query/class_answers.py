"""The answer about a class, as frozen dataclasses (see answers.py)."""

from __future__ import annotations

from dataclasses import dataclass

from .answers import _doc


@dataclass(frozen=True, slots=True)
class SlotAnswer:
    """One slot of a class; of several of one name, that of the most specific class."""

    name: str = _doc("exact name")
    defined_in: str = _doc("the class that defines it, as one types it: the class itself, or one above")
    type: str | None = _doc("declared type; null for T")
    allocation: str = _doc("instance or class")
    initargs: list[str] = _doc("initargs")
    initform: str | None = _doc("initial value form as source; null when there is none")
    readers: list[str] = _doc("functions that read it, as one types them")
    writers: list[str] = _doc("functions that write it, such as `(setf foo:bar)`")
    read_only: bool = _doc("true for a read-only slot of a structure")
    documentation: str | None = _doc("documentation string")


@dataclass(frozen=True, slots=True)
class SubclassAnswer:
    """One direct subclass."""

    written: str = _doc("the form to type back")
    kind: str = _doc("class, structure or condition")
    path: str | None = _doc("absolute path of the source file")
    root: str | None = _doc("name of the root that `relative_path` is relative to")
    relative_path: str | None = _doc("path of the source file below its root")
    line: int | None = _doc("line of its form, from 1")
    column: int | None = _doc("column of its form, from 1")


@dataclass(frozen=True, slots=True)
class MethodAnswer:
    """One method that specializes on the class."""

    written: str = _doc("the generic function, as one types it")
    qualifiers: str | None = _doc("method qualifiers")
    specializers: str | None = _doc("specializers of all required arguments")
    arglist: str | None = _doc("lambda list")
    path: str | None = _doc("absolute path of the source file")
    root: str | None = _doc("name of the root that `relative_path` is relative to")
    relative_path: str | None = _doc("path of the source file below its root")
    line: int | None = _doc("line of the method's own form, from 1")
    column: int | None = _doc("column of the method's own form, from 1")


@dataclass(frozen=True, slots=True)
class ClassAnswer:
    """What a class, structure or condition is made of: the answer of class."""

    name: str = _doc("exact name")
    package: str = _doc("home package")
    written: str = _doc("the form to type back")
    kind: str = _doc("class, structure or condition")
    metaclass: str | None = _doc("its metaclass; null for a typed structure, which is no class")
    representation: str | None = _doc("LIST or VECTOR for a typed structure")
    accessor_prefix: str | None = _doc("what the names of a structure's accessors begin with")
    documentation: str | None = _doc("documentation string")
    path: str | None = _doc("absolute path of the source file")
    root: str | None = _doc("name of the root that `relative_path` is relative to")
    relative_path: str | None = _doc("path of the source file below its root")
    line: int | None = _doc("line of its form, from 1")
    column: int | None = _doc("column of its form, from 1")
    system: str | None = _doc("ASDF system it belongs to")
    superclasses: list[str] = _doc("direct superclasses in order; of a structure, what it includes")
    precedence: list[str] | None = _doc(
        "precedence list from the class itself on; null until it is finalized"
    )
    slots: list[SlotAnswer] = _doc("its own slots, then those it inherits")
    default_initargs: dict[str, str] = _doc("its own default initargs with their forms as source")
    subclasses_total: int = _doc("how many direct subclasses there are")
    subclasses: list[SubclassAnswer] = _doc("the first of them, by name")
    methods_total: int = _doc("how many methods specialize on it")
    methods: list[MethodAnswer] = _doc("the first of them, by name")
    note: str | None = _doc("what to know about the name as it was typed")


CLASS_ANSWERS = (ClassAnswer, SlotAnswer, SubclassAnswer, MethodAnswer)
