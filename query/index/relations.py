"""The relations between code and the definitions that it uses."""

from __future__ import annotations

from typing import NamedTuple


class Relation(NamedTuple):
    """One relation.

    ``refers_to`` are the documentation types of the definitions that it refers to, in order of preference. It
    is recorded for definitions of the first type, except those of the kinds ``never_of``; in messages,
    ``subjects`` names the definitions that it is recorded for, and ``used`` is the verb. ``scip`` is the role
    of such a use in SCIP's enumeration SymbolRole.
    """

    refers_to: tuple[str, ...]
    never_of: tuple[str, ...]
    subjects: str
    used: str = "used"
    scip: int = 0

    def is_recorded_for(self, kind: str, documentation_type: str | None) -> bool:
        """Whether SBCL records this relation for definitions of that kind."""
        return documentation_type == self.refers_to[0] and kind not in self.never_of


_WRITE_ACCESS, _READ_ACCESS = 4, 8

RELATIONS = {
    "calls": Relation(("FUNCTION",), ("macro", "special-operator"), "functions", "called"),
    "macroexpands": Relation(
        ("FUNCTION", "COMPILER-MACRO"),
        ("function", "generic-function", "special-operator"),
        "macros",
        "expanded",
    ),
    "references": Relation(("VARIABLE",), (), "variables and constants", scip=_READ_ACCESS),
    "sets": Relation(("VARIABLE",), ("constant",), "variables", scip=_WRITE_ACCESS),
    "binds": Relation(("VARIABLE",), ("constant",), "variables", scip=_WRITE_ACCESS),
    "specializes": Relation(("TYPE",), ("type",), "classes"),
}
"""All relations, by their names in an index; ``specializes`` links methods to classes."""
