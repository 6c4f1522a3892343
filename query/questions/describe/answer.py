"""The answer of describe, as frozen dataclasses."""

from __future__ import annotations

from dataclasses import dataclass

from ...index.answer_field import doc, incomplete_field, outdated_field
from ...index.answer_place import AnswerExtent, with_place
from ...index.finding.guessed import guessed_field
from ...index.standpoint.seen_from import SeenFrom, seen_from


@with_place(before="system")
@dataclass(frozen=True, slots=True)
class DefinitionAnswer(AnswerExtent):
    """One definition of a name."""

    kind: str = doc("kind of the definition, one of those in the index's table `kinds`")
    name: str = doc("exact name; `(SETF FOO)` for definitions of a setf function")
    qualifiers: str | None = doc("method qualifiers, or the stage of an optimizer")
    specializers: str | None = doc("specializers of a method, or argument types of a transform")
    arglist: str | None = doc("lambda list, with symbols printed without packages")
    ftype: str | None = doc("declared or derived type")
    documentation: str | None = doc("documentation string")
    value: str | None = doc("value of a constant, or expansion of a symbol macro")
    deprecated: str | None = doc("stage of deprecation: early, late or final")
    deprecated_since: str | None = doc("software and version that deprecated it")
    replacement: str | None = doc("the replacement of a deprecated name")
    system: str | None = doc("ASDF system it belongs to")
    defined_by: str | None = doc("the macro that defines it")
    callers: int | None = doc(
        "number of distinct definitions that call or expand it; null where uses are not recorded"
    )


@with_place(before="ftype")
@dataclass(frozen=True, slots=True)
class DescribeAnswer(AnswerExtent):
    """A name's description, with the place of the definition that gave the type: the answer of describe."""

    name: str = doc("exact name of the symbol")
    package: str = doc("home package; for a symbol without one, the package in which it was found")
    written: str = doc("the name as you would type it, such as `alexandria:flatten`")
    type: str = doc("macro, generic-function, function, class, variable or symbol: the first that applies")
    status: str = doc("status in the package searched: external, internal or inherited")
    arglist: str | None = doc("lambda list; null when SBCL does not know it")
    documentation: str | None = doc("documentation string: the first found of function, variable, type")
    documentation_kind: str | None = doc("function, variable or type: the kind of `documentation`")
    value: str | None = doc("value as printed by prin1, limited in length and depth")
    value_from: str | None = doc(
        '"constant", "live", "evaluated" (the value that evaluated forms have left) or null'
    )
    value_note: str | None = doc("why there is no value, or a remark about the value")
    ftype: str | None = doc("declared or derived type")
    see_also: list[str] = doc("related names, as typed in Lisp: at most eight, external ones first")
    kinds: list[str] = doc("the kinds of all its definitions")
    uses: dict[str, int] = doc("the number of its uses by each relation, as xref lists them")
    in_tests: int | None = doc("the number of these uses in test systems; null if there are very many uses")
    exported_from: list[str] = doc("packages in which the symbol is external")
    stale: bool | None = doc(
        "true when the source file at `path` has changed since the index was built; null when unknown"
    )
    stale_reason: str | None = doc("why the index is older than that file: what does not load, and where")
    note: str | None = doc("a remark about the name as typed")
    definitions_total: int = doc("number of definitions of the name")
    definitions_offset: int = doc("number of definitions skipped")
    definitions: list[DefinitionAnswer] = doc(
        "the first definitions in the order of the index, after `definitions_offset`"
    )
    incomplete: str | None = incomplete_field()
    outdated: str | None = outdated_field()
    seen_from: SeenFrom | None = seen_from()
    guessed: str | None = guessed_field()
    manual: str | None = doc(
        "link to its page in the HyperSpec or, for an extension of SBCL, to SBCL's manual",
        default=None,
    )
