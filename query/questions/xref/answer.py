"""The answers of xref, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc


@dataclass(frozen=True, slots=True)
class ReferenceAnswer:
    """One use of a symbol by code."""

    relation: str = doc("calls, macroexpands, references, sets, binds or specializes")
    callee: str = doc("what is used, as one writes it: `foo:bar`, `(setf foo:bar)`")
    callee_package: str | None = doc("its home package")
    callee_kind: str | None = doc("kind of its definition that is used, where there is one")
    caller: str = doc("who uses it, as one writes it: `foo:bar`, `(setf foo:bar)`, `(method foo:bar (t))`")
    caller_package: str | None = doc("home package of the caller's name")
    caller_kind: str | None = doc("kind of the caller's definition; null for code that belongs to none")
    path: str | None = doc("absolute path of the source file of the use")
    line: int | None = doc("line of the use, from 1")
    column: int | None = doc("column, from 1, where the text names the callee; else null")
    in_expansion_of: str | None = doc("else the macro or inline function in whose expansion the use is")
    text: str | None = doc("the text of that line")


@dataclass(frozen=True, slots=True)
class XrefAnswer:
    """Who uses a name, or what it uses: the answer of xref."""

    name: str = doc("exact name of the symbol; `(SETF FOO)` when that was asked for")
    package: str = doc("home package; where it was found for a symbol without home")
    written: str = doc("the form to type back, such as `alexandria:flatten`")
    relation: str | None = doc("the relation asked for; null for all")
    direction: str = doc('"callers" (who uses it) or "callees" (what it uses)')
    total: int = doc("how many references there are, whatever the limit")
    callers: int | None = doc("how many distinct callers they have; null when callees were asked for")
    callees: int | None = doc("how many distinct callees they have; null when callers were asked for")
    offset: int = doc("how many references were left out at the front")
    reason: str | None = doc("why there are none")
    note: str | None = doc("what to know about the name as it was typed, or about the answer")
    references: list[ReferenceAnswer] = doc(
        "by the other side's package and name, then path, line and column"
    )


@dataclass(frozen=True, slots=True)
class XrefNode:
    """A caller, or a callee, in a tree of them."""

    name: str = doc("what it is, as one writes it: `foo:bar`, `(method foo:bar (t))`")
    package: str | None = doc("home package of its name")
    kind: str | None = doc("kind of its definition, where there is one")
    uses: int = doc("how many references there are between it and the node above")
    path: str | None = doc("absolute path of the source file of the first of them")
    line: int | None = doc("line of the first of them, from 1")
    cycle: bool = doc("true when it stands above itself already; it is not followed again")
    children: list[XrefNode] = doc("its callers, or callees, in turn")
    cut: int | None = doc("how many children were left out; null when they were not looked for")


@dataclass(frozen=True, slots=True)
class XrefTreeAnswer:
    """Callers of callers, or callees of callees: the answer of xref with a depth."""

    name: str = doc("exact name of the symbol; `(SETF FOO)` when that was asked for")
    package: str = doc("home package; where it was found for a symbol without home")
    written: str = doc("the form to type back, such as `alexandria:flatten`")
    relation: str | None = doc("the relation asked for; null for all")
    direction: str = doc('"callers" (who uses it) or "callees" (what it uses)')
    depth: int = doc("how many steps were followed")
    nodes: int = doc("how many nodes the tree shows")
    reason: str | None = doc("why there are none")
    note: str | None = doc("what to know about the name as it was typed")
    children: list[XrefNode] = doc("its callers, or callees")
    cut: int | None = doc("how many of them were left out")
