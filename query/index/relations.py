"""The relations between symbols and the code or text that uses them."""

from __future__ import annotations

from typing import NamedTuple

_ANY = ("FUNCTION", "VARIABLE", "TYPE")


class UseRelation(NamedTuple):
    """One relation.

    ``refers_to`` are the documentation types of the definitions that it refers to, in order of preference.
    SBCL records a relation for definitions of the first type, except those of the kinds ``never_of``; a
    relation of which ``only_text`` tells may have definitions of any of the types. In messages, ``subjects``
    names the definitions that it is recorded for, and ``used`` is the verb. ``scip`` is the role of such a
    use in SCIP's enumeration SymbolRole.
    """

    refers_to: tuple[str, ...]
    never_of: tuple[str, ...] = ()
    subjects: str = "definitions"
    used: str = "used"
    scip: int = 0
    only_text: bool = False

    def is_recorded_for(self, kind: str, documentation_type: str | None) -> bool:
        """Whether this relation is recorded for definitions of that kind."""
        if self.only_text:
            return self.refers_to == _ANY or documentation_type in self.refers_to
        return documentation_type == self.refers_to[0] and kind not in self.never_of


def _told_by_text(refers_to: tuple[str, ...], subjects: str, used: str, scip: int = 0) -> UseRelation:
    return UseRelation(refers_to, (), subjects, used, scip, only_text=True)


_DEFINITION, _IMPORT, _WRITE_ACCESS, _READ_ACCESS = 1, 2, 4, 8
_TYPE = ("TYPE",)

RELATIONS = {
    "calls": UseRelation(("FUNCTION",), ("macro",), "functions and special operators", "called"),
    "macroexpands": UseRelation(
        ("FUNCTION", "COMPILER-MACRO"),
        ("function", "generic-function", "special-operator"),
        "macros",
        "expanded",
    ),
    "references": UseRelation(("VARIABLE",), (), "variables and constants", scip=_READ_ACCESS),
    "sets": UseRelation(("VARIABLE",), ("constant",), "variables", "set", scip=_WRITE_ACCESS),
    "binds": UseRelation(("VARIABLE",), ("constant",), "variables", "bound", scip=_WRITE_ACCESS),
    "specializes": UseRelation(_TYPE, ("type",), "classes", "specialized on"),
    "instantiates": _told_by_text(_TYPE, "classes and conditions", "instantiated"),
    "handles": _told_by_text(_TYPE, "conditions", "handled"),
    "tests": _told_by_text(_TYPE, "types and classes", "tested for"),
    "declares": _told_by_text(_ANY, "types, functions and variables", "declared"),
    "inherits": _told_by_text(_TYPE, "classes, structures and conditions", "inherited from"),
    "exports": _told_by_text(_ANY, "symbols", "exported"),
    "imports": _told_by_text(_ANY, "symbols", "imported", _IMPORT),
    "names": _told_by_text(_ANY, "symbols", "named"),
    "mentions": _told_by_text(_ANY, "symbols", "mentioned"),
    "defines": _told_by_text(_ANY, "symbols", "defined", _DEFINITION),
}
"""All relations, by their names in an index, in the order in which they are shown.

SBCL records the first five, and ``specializes`` links methods to classes; only the text tells the others.
``defines``, and the methods that have T where nothing is specialized, are left out unless they are asked for.
"""


def selected(*relations: str) -> str:
    """SQL for the numbers of some relations."""
    names = ", ".join(f"'{relation}'" for relation in relations)
    return f"(SELECT id FROM relations WHERE relation IN ({names}))"


CALLING = selected("calls", "macroexpands")
"""SQL for the numbers of the relations whose callers are counted."""
RECORDED = ("calls", "macroexpands", "references", "sets", "binds")
"""The relations that SBCL records, between symbols."""
BY_CODE = selected(*RECORDED)
"""SQL for the numbers of the recorded relations."""
DEFINING = selected("defines")
"""SQL for the number of ``defines``, which does not count as a use."""


def is_shown_apart(relation: str, package: str | None, name: str) -> bool:
    """Whether uses of a symbol are left out unless their relation is asked for."""
    return relation == "defines" or (relation == "specializes" and (package, name) == ("COMMON-LISP", "T"))
