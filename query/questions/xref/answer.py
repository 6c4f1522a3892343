"""The answers of xref, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...index.answer_field import doc, incomplete_field, outdated_field
from ...index.finding.guessed import guessed_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@dataclass(frozen=True, slots=True)
class ReferenceAnswer:
    """One use of a symbol by code."""

    relation: str = doc("how the callee is used: calls, macroexpands, references, instantiates, names, ...")
    callee: str = doc("the callee, as typed in Lisp: `foo:bar`, `(setf foo:bar)`")
    callee_package: str | None = doc("home package of the callee's name")
    callee_kind: str | None = doc("kind of the definition of the callee that is used, if there is one")
    caller: str = doc("the caller, as typed in Lisp: `foo:bar`, `(setf foo:bar)`, `(method foo:bar (t))`")
    caller_package: str | None = doc("home package of the caller's name")
    caller_kind: str | None = doc("kind of the caller's definition; null for code outside any definition")
    path: str | None = doc("absolute path of the source file of the use")
    line: int | None = doc("line of the use, from 1")
    column: int | None = doc("column of the callee's name, from 1; null if the text does not name it")
    length: int | None = doc("length of the text that names the callee; null if `column` is null")
    told_by: str = doc('"sbcl" (SBCL recorded the use) or "text" (only the source text shows it)')
    in_expansion_of: str | None = doc(
        "the macro or inline function whose expansion contains the use, if the text does not name the callee"
    )
    in_template: bool = doc(
        "true when a backquoted form names the callee, so that the code made from it will use the callee"
    )
    in_tests: bool = doc("true for code of a test system, recognized by its name: `shop/tests`, `shop-test`")
    text: str | None = doc("the text of that line; for a use beyond column 2,000, only the part around it")


@dataclass(frozen=True, slots=True)
class XrefAnswer:
    """The uses of a name, or the names that it uses: the answer of xref."""

    of_uses: ClassVar = True

    name: str = doc("exact name of the symbol; `(SETF FOO)` if that was asked for")
    package: str = doc("home package; for a symbol without one, the package in which it was found")
    written: str = doc("the name as you would type it, such as `alexandria:flatten`")
    relation: str | None = doc("the relation asked for; null for all")
    direction: str = doc('"callers" (who uses it) or "callees" (what it uses)')
    total: int = doc("number of references, whatever the limit")
    callers: int | None = doc(
        "number of distinct callers that use it in the requested way or, if none was requested, in any way "
        "that SBCL records, such as calls; null if callees were requested"
    )
    callees: int | None = doc("number of distinct callees; null if callers were requested")
    offset: int = doc("number of references skipped")
    relations: dict[str, int] = doc(
        "the number of references of each relation, in the order of the references"
    )
    other_names: dict[str, int] = doc(
        "for callers: the number of references to each other function name of the symbol, such as `(cas "
        "foo)`; ask for that name to see them"
    )
    next_methods: int = doc(
        "for the callers of a generic function: how often its own methods call the next method "
        "(`call-next-method`); these calls are not among the references"
    )
    in_tests: int = doc("for callers: number of references in test systems")
    left_out: int = doc(
        "for callees: number of references left out because they come not from the name's own code, but "
        "from its compiler macros, transforms, setf expanders and the like"
    )
    reason: str | None = doc("why there are no references")
    note: str | None = doc("a remark about the name as typed, or about the answer")
    references: list[ReferenceAnswer] = doc(
        "the references, sorted by relation, then by the package and name of the other side, then by path, "
        "line and column"
    )
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
    guessed: str | None = guessed_field()


@dataclass(frozen=True, slots=True)
class XrefNode:
    """A caller in a tree of callers, or a callee in a tree of callees."""

    name: str = doc("its name, as typed in Lisp: `foo:bar`, `(method foo:bar (t))`")
    package: str | None = doc("home package of its name")
    kind: str | None = doc("kind of its definition, if it has one")
    uses: int = doc("number of references between the node and its parent")
    path: str | None = doc("absolute path of the source file of the first of these references")
    line: int | None = doc("line of the first of these references, from 1")
    cycle: bool = doc("true when the node also occurs among its own ancestors; it is not followed again")
    children: list[XrefNode] = doc("its callers, or callees, in turn")
    cut: int | None = doc("number of children left out; null when the node was not followed")
    outside: bool = doc("true when the node was not followed because it is outside the project's systems")


@dataclass(frozen=True, slots=True)
class XrefTreeAnswer:
    """Callers of callers, or callees of callees: the answer of xref with a depth."""

    of_uses: ClassVar = True

    name: str = doc("exact name of the symbol; `(SETF FOO)` if that was asked for")
    package: str = doc("home package; for a symbol without one, the package in which it was found")
    written: str = doc("the name as you would type it, such as `alexandria:flatten`")
    relation: str | None = doc("the relation asked for; null for all")
    direction: str = doc('"callers" (who uses it) or "callees" (what it uses)')
    depth: int = doc("number of steps followed")
    nodes: int = doc("number of nodes in the tree")
    reason: str | None = doc("why there are no callers, or callees")
    note: str | None = doc("a remark about the name as typed")
    children: list[XrefNode] = doc("the callers, or callees, of the name")
    cut: int | None = doc("number of the name's callers, or callees, that were left out")
    outside: int = doc("number of nodes not followed because they are outside the project's systems")
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
    guessed: str | None = guessed_field()
