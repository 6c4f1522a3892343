"""The parts of a record stream that a producer may leave out; standard library only.

A producer names what it leaves out in its header, and the index keeps these names in the table ``meta``.
Readers say that a part was not recorded where they would otherwise answer from its absence.
"""

from __future__ import annotations

LEFT_OUT = "left_out"
"""The fact in meta that names, as JSON, the parts that the producer left out."""
REFERENCES = "references"
EXTENTS = "extents"
FILES = "files"
TYPES = "types"

JUDGED = ("arglists", "components", "deprecation")
"""The parts by which code is judged."""

PARTS = {
    REFERENCES: "Who uses a symbol is not known, which does not mean that nobody does. Questions and "
    "changes that must know all uses, such as renaming, are refused.",
    "arglists": "Calls are not compared with lambda lists.",
    "documentation": "Words are only searched for in names.",
    TYPES: "No function is found by the types of its arguments and results.",
    "argument-counts": "They are taken from the lambda list where one is needed.",
    FILES: "No definition has a place, and no text is stored.",
    EXTENTS: "A definition has at most the line of its toplevel form, and its text is not shown.",
    "form-numbers": "Places cannot be compared with those that SBCL numbers by form.",
    "components": "Files that no system loads are not reported.",
    "structures": "The constructors, predicates and copiers of structures are ordinary functions.",
    "deprecation": "No use of a deprecated name is reported.",
    "values": "Constants have no value.",
}
"""What an index says without each part that may be left out."""
